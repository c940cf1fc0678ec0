//! A comparison in one line.

use std::collections::BTreeMap;

use super::words::{count, num};
use super::{AgentDiff, Diff};

/// The whole in one line.
pub(super) fn summary(diff: &Diff) -> String {
    if diff.same {
        return "no difference".to_string();
    }
    let sum = |of: fn(&AgentDiff) -> usize| diff.agents.iter().map(of).sum::<usize>() as u64;
    let lost = |a: &AgentDiff| {
        let ids = a.reach.lost.iter().flat_map(|cut| &cut.platforms);
        let ids: std::collections::BTreeSet<u32> = ids.map(|p| p.id).collect();
        ids.len()
    };
    let mut parts = Vec::new();
    let mut part = |number: u64, one: &str, more: &str| {
        if number > 0 {
            parts.push(count(number, one, more));
        }
    };
    part(
        sum(lost),
        "platform no longer reachable",
        "platforms no longer reachable",
    );
    part(
        sum(|a| a.reach.air_lost.iter().map(|cut| cut.parts.len()).sum()),
        "part of the air no longer reachable",
        "parts of the air no longer reachable",
    );
    let pairs = |a: &AgentDiff| {
        let told = a.reach.spawns.is_empty();
        a.reach
            .pairs
            .as_ref()
            .filter(|_| told)
            .map_or(0, |p| p.lost as usize)
    };
    part(sum(pairs), "way lost", "ways lost");
    part(
        sum(|a| a.reach.stranded.len()),
        "spawn stranded",
        "spawns stranded",
    );
    part(
        sum(|a| a.reach.traps.len()),
        "new one-way trap",
        "new one-way traps",
    );
    let agents = |names: &[String]| names.len() as u64;
    part(
        agents(&diff.agents_removed),
        "agent removed",
        "agents removed",
    );
    part(agents(&diff.agents_added), "agent added", "agents added");
    part(
        sum(|a| a.profile.len()),
        "parameter changed",
        "parameters changed",
    );
    let mut kinds: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for (kind, counts) in diff.agents.iter().flat_map(|a| &a.links.kinds) {
        let sums = kinds.entry(kind).or_default();
        for (sum, n) in sums
            .iter_mut()
            .zip([counts.removed, counts.added, counts.changed])
        {
            *sum += n;
        }
    }
    for (kind, numbers) in kinds {
        for (number, what) in numbers.into_iter().zip(["removed", "added", "changed"]) {
            part(
                number,
                &format!("{kind} {what}"),
                &format!("{kind}s {what}"),
            );
        }
    }
    let platforms = |a: &AgentDiff| {
        let p = &a.platforms;
        [
            p.vanished.len(),
            p.appeared.len(),
            p.moved.len(),
            p.reshaped.len(),
        ]
        .into_iter()
        .sum::<usize>()
            + p.split.len()
            + p.merged.len()
            + p.recut.len()
    };
    part(sum(platforms), "platform changed", "platforms changed");
    part(
        sum(|a| a.terrain.changed as usize),
        "vertex changed",
        "vertices changed",
    );
    part(
        sum(|a| a.gates.removed.len() + a.gates.added.len()),
        "one-way wall changed",
        "one-way walls changed",
    );
    let markers = &diff.markers;
    let markers = markers.removed.len() + markers.added.len() + markers.changed.len();
    part(markers as u64, "marker changed", "markers changed");
    part(
        diff.settings.len() as u64,
        "setting changed",
        "settings changed",
    );
    if let Some([x, y]) = diff.shift {
        parts.push(format!("everything moved by {},{}", num(x), num(y)));
    }
    parts.join(", ")
}
