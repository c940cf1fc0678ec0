//! A comparison in words, what breaks first at the top.

use super::links::LinkFact;
use super::markers::MarkerFact;
use super::words::{
    air, bundles, change, count, ends, links_of, marker, num, old_place, place, printable, quoted,
    rectangle, several, spawns, spot, ways,
};
use super::{AgentDiff, Diff, Regrouped, TerrainDiff, Trap};
use crate::report::GateFact;

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
    let gate = |sign| {
        move |g: &GateFact| {
            let [a, b] = [g.from, g.to].map(|[x, y]| format!("{},{}", num(x), num(y)));
            (sign, format!("{a} to {b}, passed {}", g.pass))
        }
    };
    let mut lines: Lines = agent.gates.removed.iter().map(gate(Sign::Gone)).collect();
    lines.extend(agent.gates.added.iter().map(gate(Sign::New)));
    add(22, Notice, name, "one-way walls and ceilings", lines);
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
