//! A comparison in words, what breaks first at the top.

use std::collections::BTreeMap;

use super::links::{LinkChange, LinkFact};
use super::markers::MarkerFact;
use super::{AgentDiff, AirPart, Diff, Place, Regrouped, TerrainDiff, Trap};

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// Navigation is broken.
    Error,
    /// It may be.
    Warning,
    /// It is another.
    Notice,
}

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Gone,
    New,
    Other,
}

impl Sign {
    pub(super) const fn symbol(self) -> char {
        match self {
            Self::Gone => '-',
            Self::New => '+',
            Self::Other => '~',
        }
    }
}

/// Lines about one matter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section {
    pub(super) severity: Severity,
    /// The agent it is about.
    pub(super) agent: Option<String>,
    /// Its title, without the agent.
    pub(super) title: String,
    pub(super) lines: Vec<(Sign, String)>,
}

/// What a comparison comes to: the sections, the worst first.
pub(super) fn sections(diff: &Diff) -> Vec<Section> {
    let mut ranked: Vec<(u8, Section)> = Vec::new();
    let mut add = |rank: u8, severity, agent: Option<&str>, title: &str, lines: Lines| {
        if !lines.is_empty() {
            let lines = (lines.into_iter())
                .map(|(sign, line)| (sign, printable(&line)))
                .collect();
            ranked.push((
                rank,
                Section {
                    severity,
                    agent: agent.map(printable),
                    title: title.to_string(),
                    lines,
                },
            ));
        }
    };
    level(diff, &mut add);
    for agent in &diff.agents {
        reach(agent, &mut add);
        rest(agent, &mut add);
    }
    // Stable: agents stay in their order.
    ranked.sort_by_key(|(rank, section)| (section.severity, *rank));
    ranked.into_iter().map(|(_, section)| section).collect()
}

type Lines = Vec<(Sign, String)>;

/// What the sections are given to: rank among those as severe, severity,
/// agent, title, lines.
type Add<'a> = dyn FnMut(u8, Severity, Option<&str>, &str, Lines) + 'a;

fn level(diff: &Diff, add: &mut Add<'_>) {
    use Severity::{Error, Notice, Warning};
    let names = |sign, names: &[String]| -> Lines {
        names.iter().map(|name| (sign, name.clone())).collect()
    };
    let removed = names(Sign::Gone, &diff.agents_removed);
    add(9, Error, None, "agents no longer baked", removed);
    add(
        90,
        Notice,
        None,
        "agents baked now",
        names(Sign::New, &diff.agents_added),
    );
    let settings =
        (diff.settings.iter()).map(|c| (Sign::Other, format!("{} {} -> {}", c.what, c.old, c.new)));
    add(30, Notice, None, "grid and units", settings.collect());
    let (spawns, others): (Vec<_>, Vec<_>) =
        (diff.markers.removed.iter()).partition(|m| m.class.eq_ignore_ascii_case("spawn"));
    let markers = |sign, markers: Vec<&MarkerFact>| -> Lines {
        markers.into_iter().map(|m| (sign, marker(m))).collect()
    };
    add(
        5,
        Warning,
        None,
        "spawns removed",
        markers(Sign::Gone, spawns),
    );
    let mut lines = markers(Sign::Gone, others);
    lines.extend(markers(Sign::New, diff.markers.added.iter().collect()));
    lines.extend(diff.markers.changed.iter().map(|change| {
        let told = if change.what.contains(&"position") {
            let [x, y] = change.new.position.map(num);
            format!("{} -> {x},{y}", marker(&change.old))
        } else {
            marker(&change.new)
        };
        (Sign::Other, format!("{told} ({})", change.what.join(", ")))
    }));
    add(95, Notice, None, "markers", lines);
}

fn reach(agent: &AgentDiff, add: &mut Add<'_>) {
    use Severity::{Error, Notice, Warning};
    let name = Some(agent.name.as_str());
    let reach = &agent.reach;
    let mut lines = Lines::new();
    for cut in &reach.lost {
        let from = spawns(&cut.spawns);
        lines.extend(cut.platforms.iter().map(|p| {
            let told = format!("{} can no longer be reached from {from}", place(p));
            (Sign::Gone, told)
        }));
    }
    for cut in &reach.air_lost {
        let from = if cut.spawns.is_empty() {
            "the rest of the air".to_string()
        } else {
            spawns(&cut.spawns)
        };
        lines.extend(cut.parts.iter().map(|part| {
            let told = format!("{} can no longer be reached from {from}", air(part));
            (Sign::Gone, told)
        }));
    }
    if let (true, Some(pairs)) = (reach.spawns.is_empty(), &reach.pairs) {
        lines.extend(pairs.groups.iter().map(|group| {
            let told = format!(
                "{} can no longer be reached from {}",
                several(&group.to),
                several(&group.from)
            );
            (Sign::Gone, told)
        }));
    }
    add(0, Error, name, "no longer reachable", lines);
    let stranded = (reach.stranded.iter()).map(|s| {
        (
            Sign::Gone,
            format!("no floor under spawn {} any more", quoted(s)),
        )
    });
    add(1, Error, name, "stranded spawns", stranded.collect());
    let trap = |trap: &Trap, verb: &str| {
        let into = match (&trap.entered_by, trap.spawns.is_empty()) {
            (Some(link), false) => format!(", entered by the {}", ends(link)),
            (Some(link), true) => format!(" for the largest area, entered by the {}", ends(link)),
            (None, false) => String::new(),
            (None, true) => " for the largest area".to_string(),
        };
        let from = if trap.spawns.is_empty() {
            String::new()
        } else {
            format!(" from {}", spawns(&trap.spawns))
        };
        format!(
            "a one-way trap {verb}{from}: {}{into}",
            several(&trap.platforms)
        )
    };
    let traps = reach.traps.iter().map(|t| (Sign::New, trap(t, "appeared")));
    add(2, Error, name, "one-way traps", traps.collect());
    let isolated = reach.isolated.iter().map(|p| {
        (
            Sign::New,
            format!("{} is new, and no spawn reaches it", place(p)),
        )
    });
    add(0, Warning, name, "out of reach", isolated.collect());
    if let (false, Some(pairs)) = (reach.spawns.is_empty(), &reach.pairs)
        && pairs.lost > 0
        && reach.lost.is_empty()
        && reach.traps.is_empty()
    {
        // The spawns tell nothing of these.
        let lines = pairs.groups.iter().map(|group| {
            let told = format!(
                "{} can no longer be reached from {}",
                several(&group.to),
                several(&group.from)
            );
            (Sign::Gone, told)
        });
        add(
            1,
            Warning,
            name,
            "no longer reachable between platforms",
            lines.collect(),
        );
    }
    let mut lines = Lines::new();
    for cut in &reach.gained {
        let from = spawns(&cut.spawns);
        lines.extend((cut.platforms.iter()).map(|p| {
            (
                Sign::New,
                format!("{} can now be reached from {from}", place(p)),
            )
        }));
    }
    for cut in &reach.air_gained {
        let from = if cut.spawns.is_empty() {
            "the rest of the air".to_string()
        } else {
            spawns(&cut.spawns)
        };
        lines.extend((cut.parts.iter()).map(|part| {
            (
                Sign::New,
                format!("{} can now be reached from {from}", air(part)),
            )
        }));
    }
    if let (true, Some(pairs)) = (reach.spawns.is_empty(), &reach.pairs)
        && pairs.gained > 0
    {
        lines.push((
            Sign::New,
            format!("{} from platform to platform", ways(pairs.gained)),
        ));
    }
    add(0, Notice, name, "reachable now", lines);
    let gone = (reach.traps_gone.iter()).map(|t| (Sign::Gone, trap(t, "is gone")));
    add(1, Notice, name, "one-way traps gone", gone.collect());
}

fn rest(agent: &AgentDiff, add: &mut Add<'_>) {
    use Severity::{Notice, Warning};
    let name = Some(agent.name.as_str());
    let profile =
        (agent.profile.iter()).map(|c| (Sign::Other, format!("{} {} -> {}", c.what, c.old, c.new)));
    add(4, Warning, name, "profile", profile.collect());
    let links = &agent.links;
    for (kind, counts) in &links.kinds {
        let of = |list: &[LinkFact], sign, whose: &str, lost: &str| -> Lines {
            let list: Vec<&LinkFact> = list.iter().filter(|l| l.kind == *kind).collect();
            let lines = bundles(&list).into_iter();
            lines
                .map(|bundle| (sign, links_of(&bundle, whose, lost)))
                .collect()
        };
        let removed = of(
            &links.removed,
            Sign::Gone,
            "old platform",
            "; no other link leads there",
        );
        let title = format!("{kind} links removed");
        add(6, Warning, name, &title, removed);
        let mut lines = of(
            &links.added,
            Sign::New,
            "platform",
            "; nothing led there before",
        );
        let changed = links.changed.iter().filter(|c| c.old.kind == *kind);
        lines.extend(changed.map(|c| (Sign::Other, change(c))));
        let title = match (counts.added, counts.changed) {
            (_, 0) => format!("{kind} links added"),
            (0, _) => format!("{kind} links changed"),
            _ => format!("{kind} links added or changed"),
        };
        add(20, Notice, name, &title, lines);
    }
    let platforms = &agent.platforms;
    let vanished =
        (platforms.vanished.iter()).map(|p| (Sign::Gone, format!("{} vanished", old_place(p))));
    add(7, Warning, name, "platforms vanished", vanished.collect());
    let mut lines = Lines::new();
    lines
        .extend((platforms.appeared.iter()).map(|p| (Sign::New, format!("{} appeared", place(p)))));
    lines.extend((platforms.moved.iter()).map(|pair| {
        (
            Sign::Other,
            format!("{} moved to {}", old_place(&pair.old), spot(&pair.new)),
        )
    }));
    let groups = |groups: &[Regrouped], what: &str| -> Lines {
        let line = |g: &Regrouped| format!("old {} {what} {}", several(&g.old), several(&g.new));
        groups.iter().map(|g| (Sign::Other, line(g))).collect()
    };
    lines.extend(groups(&platforms.split, "split into"));
    lines.extend(groups(&platforms.merged, "merged into"));
    lines.extend(groups(&platforms.recut, "became"));
    lines.extend((platforms.reshaped.iter()).map(|pair| {
        (
            Sign::Other,
            format!("{} is now {}", old_place(&pair.old), spot(&pair.new)),
        )
    }));
    add(21, Notice, name, "platforms", lines);
    add(22, Notice, name, "terrain", terrain(&agent.terrain));
}

fn terrain(terrain: &TerrainDiff) -> Lines {
    (terrain.regions.iter())
        .map(|region| {
            let became: Vec<String> = (region.became.iter())
                .map(|(what, count)| format!("{count} {}", what.replace('_', " ")))
                .collect();
            let told = format!(
                "{} in {}: now {}",
                count(region.vertices, "vertex", "vertices"),
                rectangle(region.min, region.max),
                became.join(", ")
            );
            (Sign::Other, told)
        })
        .collect()
}

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

/// Names come from the level: none may move a terminal's cursor, or end the
/// code that stands between backticks.
fn printable(text: &str) -> String {
    (text.chars())
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// A number with at most two digits after the point.
pub(super) fn num(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // No "-0".
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

fn count(number: u64, one: &str, more: &str) -> String {
    let number_told = crate::report::inspect::grouped(number);
    format!("{number_told} {}", if number == 1 { one } else { more })
}

fn ways(number: u64) -> String {
    count(number, "more way", "more ways")
}

fn range(a: f64, b: f64) -> String {
    let (low, high) = (a.min(b), a.max(b));
    if num(low) == num(high) {
        num(low)
    } else {
        format!("{}..{}", num(low), num(high))
    }
}

fn rectangle(min: [f64; 2], max: [f64; 2]) -> String {
    format!("x {}, y {}", range(min[0], max[0]), range(min[1], max[1]))
}

fn spot(place: &Place) -> String {
    rectangle(place.left, place.right)
}

fn place(place: &Place) -> String {
    format!("platform {} ({})", place.id, spot(place))
}

/// A platform of the old file, by the number it had there.
fn old_place(place: &Place) -> String {
    format!("old {}", self::place(place))
}

/// Several platforms: each of a few, or the number of many and where they are.
fn several(places: &[Place]) -> String {
    if places.len() <= 3 {
        let all: Vec<String> = places.iter().map(place).collect();
        return all.join(" and ");
    }
    let all = || places.iter().flat_map(|p| [p.left, p.right]);
    let least = |i: usize| all().map(|p| p[i]).fold(f64::INFINITY, f64::min);
    let most = |i: usize| all().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max);
    format!(
        "{} platforms ({})",
        places.len(),
        rectangle([least(0), least(1)], [most(0), most(1)])
    )
}

fn air(part: &AirPart) -> String {
    format!(
        "the air at {} ({})",
        rectangle(part.min, part.max),
        count(part.vertices, "vertex", "vertices")
    )
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

fn spawns(names: &[String]) -> String {
    if let [one] = names {
        return format!("spawn {}", quoted(one));
    }
    let all: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("spawns {}", all.join(", "))
}

fn ends(link: &LinkFact) -> String {
    let ([a, b], [c, d]) = (link.from.map(num), link.to.map(num));
    format!("{} {a},{b} -> {c},{d}", link.kind)
}

/// Links by the platforms they join; those that are the only way come first.
fn bundles<'a>(links: &[&'a LinkFact]) -> Vec<Vec<&'a LinkFact>> {
    let mut bundles: BTreeMap<(bool, u32, u32), Vec<&LinkFact>> = BTreeMap::new();
    for link in links {
        let key = (!link.only_way, link.from_platform, link.to_platform);
        bundles.entry(key).or_default().push(link);
    }
    bundles.into_values().collect()
}

/// Links of one kind between the same two platforms.
fn links_of(bundle: &[&LinkFact], whose: &str, lost: &str) -> String {
    let Some(first) = bundle.first() else {
        return String::new();
    };
    let more = if first.only_way { lost } else { "" };
    let over = |value: &dyn Fn(&LinkFact) -> f64| {
        let all = || bundle.iter().map(|l| value(l));
        range(
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let number = if bundle.len() == 1 {
        first.kind.to_string()
    } else {
        format!("{} {}s", bundle.len(), first.kind)
    };
    format!(
        "{number} from {whose} {} ({}, {}) to {whose} {} ({}, {}), {} s{more}",
        first.from_platform,
        over(&|l| l.from[0]),
        over(&|l| l.from[1]),
        first.to_platform,
        over(&|l| l.to[0]),
        over(&|l| l.to[1]),
        over(&|l| l.cost),
    )
}

fn change(change: &LinkChange) -> String {
    let mut told = ends(&change.old);
    for what in &change.what {
        let more = match *what {
            "ends" => {
                let ([a, b], [c, d]) = (change.new.from.map(num), change.new.to.map(num));
                format!("now {a},{b} -> {c},{d}")
            }
            "cost" => pair("cost", change.old.cost, change.new.cost),
            "tolerance" => pair("tolerance", change.old.tolerance, change.new.tolerance),
            _ => "by another arc".to_string(),
        };
        told.push_str(", ");
        told.push_str(&more);
    }
    told
}

fn pair(what: &str, old: f64, new: f64) -> String {
    let short = |v: f64| format!("{}", (v * 1e4).round() / 1e4);
    format!("{what} {} -> {} s", short(old), short(new))
}

fn marker(marker: &MarkerFact) -> String {
    let [x, y] = marker.position.map(num);
    let class = if marker.class.is_empty() {
        "marker"
    } else {
        &marker.class
    };
    if marker.name.is_empty() {
        format!("{class} at {x},{y}")
    } else {
        format!("{class} {} at {x},{y}", quoted(&marker.name))
    }
}
