//! A comparison in words, the worst first.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use serde::Serialize;

use Sign::{Added, Changed, Removed};

use super::air::AirPart;
use super::change::{Change, Replaced};
use super::comparison::{AgentDiff, Diff};
use super::links::LinkRecord;
use super::markers::{MarkerChange, PropertyChange};
use super::parameters::ParameterChange;
use super::platforms::PlatformRecord;
use super::reachability::{AirBySpawn, PairGroup, PlatformsBySpawn, Trap};
use super::terrain::ChangedArea;
use crate::report::finding::Severity::{self, Error, Note, Warning};
use crate::report::format::{count, label, number, position, printable};
use crate::report::records::{BarrierRecord, MarkerRecord};

/// Whether a line is about something removed, added or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Sign {
    #[serde(rename = "-")]
    Removed,
    #[serde(rename = "+")]
    Added,
    #[serde(rename = "~")]
    Changed,
}

impl Sign {
    pub(crate) const fn symbol(self) -> char {
        match self {
            Self::Removed => '-',
            Self::Added => '+',
            Self::Changed => '~',
        }
    }

    /// A line without a place.
    pub(crate) fn line(self, text: &str) -> Line {
        Line {
            sign: self,
            text: printable(text),
            bounds: None,
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Line {
    pub(crate) sign: Sign,
    pub(crate) text: String,
    /// The rectangle around its place: corners of least and greatest x and y,
    /// world units of the new file.
    pub(crate) bounds: Option<[[f64; 2]; 2]>,
}

impl Line {
    /// Sets the rectangle to that around some points of the new file.
    fn at(self, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let bounds = around(points);
        Self { bounds, ..self }
    }

    /// Sets the rectangle to that around some points of the old file.
    fn at_old(self, diff: &Diff, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let [dx, dy] = diff.shift.unwrap_or_default();
        self.at(points.into_iter().map(|[x, y]| [x + dx, y + dy]))
    }
}

/// Differences of one kind for one agent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Section {
    pub(crate) severity: Severity,
    /// The agent; `None` for differences of the level.
    pub(crate) agent: Option<String>,
    /// The title, without the agent.
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
}

/// Collects sections. Among equally severe ones, those with the lowest rank
/// come first.
struct Sections<'a> {
    diff: &'a Diff,
    agent: Option<&'a str>,
    ranked: Vec<(u8, Section)>,
}

impl Sections<'_> {
    fn add(
        &mut self,
        rank: u8,
        severity: Severity,
        title: &str,
        lines: impl IntoIterator<Item = Line>,
    ) {
        let section = Section {
            severity,
            agent: self.agent.map(printable),
            title: title.to_string(),
            lines: lines.into_iter().collect(),
        };
        if !section.lines.is_empty() {
            self.ranked.push((rank, section));
        }
    }
}

/// All differences, the most severe first.
pub(crate) fn sections(diff: &Diff) -> Vec<Section> {
    let mut all = Sections {
        diff,
        agent: None,
        ranked: Vec::new(),
    };
    level(&mut all);
    for agent in &diff.agents {
        all.agent = Some(&agent.name);
        reachability(agent, &mut all);
        profile_and_links(agent, &mut all);
        platforms_and_terrain(agent, &mut all);
    }
    // Stable: agents keep their order.
    let mut ranked = all.ranked;
    ranked.sort_by_key(|(rank, section)| (section.severity, *rank));
    ranked.into_iter().map(|(_, section)| section).collect()
}

fn level(all: &mut Sections<'_>) {
    let diff = all.diff;
    let removed = diff.agents_removed.iter().map(|name| Removed.line(name));
    all.add(9, Error, "agents no longer baked", removed);
    let added = diff.agents_added.iter().map(|name| Added.line(name));
    all.add(90, Note, "agents baked now", added);
    let settings = diff.settings.iter().map(parameter);
    all.add(30, Note, "grid and units", settings);
    let (spawns, others): (Vec<_>, Vec<_>) =
        (diff.markers.removed.iter()).partition(|m| m.class.eq_ignore_ascii_case("spawn"));
    let removed = |m: &MarkerRecord| Removed.line(&marker(m)).at_old(diff, [m.position]);
    let spawns = spawns.into_iter().map(removed);
    all.add(5, Warning, "spawns removed", spawns);
    let added = |m: &MarkerRecord| Added.line(&marker(m)).at([m.position]);
    let changed = |change: &MarkerChange| {
        let Change { what, old, new } = &change.marker;
        let text = if what.contains(&"position") {
            format!("{} -> {}", marker(old), position(new.position))
        } else {
            marker(new)
        };
        let mut text = format!("{text} ({})", what.join(", "));
        let properties = change.properties.iter().map(property);
        let mut shown: Vec<_> = properties.take(SHOWN_PROPERTIES).collect();
        let more = change.properties.len() - shown.len();
        if more > 0 {
            shown.push(format!("and {more} more"));
        }
        if !shown.is_empty() {
            text = format!("{text}: {}", shown.join(", "));
        }
        Changed.line(&text).at([new.position])
    };
    let lines = (others.into_iter().map(removed))
        .chain(diff.markers.added.iter().map(added))
        .chain(diff.markers.changed.iter().map(changed));
    all.add(95, Note, "markers", lines);
}

/// A line for each place that can now, or no longer, be reached from spawns.
fn reached(floors: &[PlatformsBySpawn], air: &[AirBySpawn], sign: Sign, verb: &str) -> Vec<Line> {
    let floors = floors.iter().flat_map(|by| {
        let places = by.platforms.iter();
        places.map(|p| (platform(p), [p.left, p.right], &by.spawns))
    });
    let air = air.iter().flat_map(|by| {
        let places = by.parts.iter();
        places.map(|part| (air_part(part), [part.min, part.max], &by.spawns))
    });
    let lines = floors.chain(air).map(|(place, corners, from)| {
        let from = match &from[..] {
            [] => "the rest of the air".to_owned(),
            from => spawns(from),
        };
        let text = format!("{place} can {verb} be reached from {from}");
        sign.line(&text).at(corners)
    });
    lines.collect()
}

fn lost_pairs(groups: &[PairGroup]) -> impl Iterator<Item = Line> {
    groups.iter().map(|PairGroup { from, to }| {
        let (there, from) = (several(to), several(from));
        let text = format!("{there} can no longer be reached from {from}");
        Removed.line(&text).at(ends_of(to))
    })
}

fn reachability(agent: &AgentDiff, all: &mut Sections<'_>) {
    let (diff, reach) = (all.diff, &agent.reach);
    let without_spawns = reach.pairs.as_ref().filter(|_| reach.spawns.is_empty());
    let mut lost = reached(&reach.lost, &reach.air_lost, Removed, "no longer");
    lost.extend(
        without_spawns
            .into_iter()
            .flat_map(|p| lost_pairs(&p.groups)),
    );
    all.add(0, Error, "no longer reachable", lost);
    let stranded = reach.stranded.iter().map(quoted);
    let stranded =
        stranded.map(|s| Removed.line(&format!("the agent cannot begin at spawn {s} any more")));
    all.add(1, Error, "stranded spawns", stranded);
    let traps = reach.traps.iter();
    let traps = traps.map(|t| Added.line(&trap(t, "appeared")).at(ends_of(&t.platforms)));
    all.add(2, Error, "one-way traps", traps);
    let isolated = reach.isolated.iter().map(|p| {
        let text = format!("{} is new, and no spawn reaches it", platform(p));
        Added.line(&text).at(ends_of([p]))
    });
    all.add(0, Warning, "out of reach", isolated);
    if let (false, Some(lost)) = (reach.spawns.is_empty(), &reach.pairs)
        && lost.lost > 0
        && reach.lost.is_empty()
        && reach.traps.is_empty()
    {
        // The findings from spawns say nothing about these pairs.
        let title = "no longer reachable between platforms";
        all.add(1, Warning, title, lost_pairs(&lost.groups));
    }
    let mut gained = reached(&reach.gained, &reach.air_gained, Added, "now");
    gained.extend(without_spawns.filter(|p| p.gained > 0).map(|p| {
        let ways = count(p.gained, "more way", "more ways");
        Added.line(&format!("{ways} from platform to platform"))
    }));
    all.add(0, Note, "reachable now", gained);
    let gone = reach.traps_gone.iter();
    let gone = gone.map(|t| {
        let line = Removed.line(&trap(t, "is gone"));
        line.at_old(diff, ends_of(&t.platforms))
    });
    all.add(1, Note, "one-way traps gone", gone);
}

fn profile_and_links(agent: &AgentDiff, all: &mut Sections<'_>) {
    let profile = agent.profile.iter().map(parameter);
    all.add(4, Warning, "profile", profile);
    let (diff, links) = (all.diff, &agent.links);
    for (kind, counts) in &links.kinds {
        let removed = bundles(&links.removed, kind).into_iter().map(|bundle| {
            let text = bundled(&bundle, "old platform", "; no other link leads there");
            let ends = bundle.into_iter().flat_map(|l| [l.from, l.to]);
            Removed.line(&text).at_old(diff, ends)
        });
        all.add(6, Warning, &format!("{kind} links removed"), removed);
        let added = bundles(&links.added, kind).into_iter().map(|bundle| {
            let text = bundled(&bundle, "platform", "; nothing led there before");
            let ends = bundle.into_iter().flat_map(|l| [l.from, l.to]);
            Added.line(&text).at(ends)
        });
        let changed = links.changed.iter().filter(|c| c.old.kind == *kind);
        let changed = changed.map(|c| Changed.line(&link_change(c)).at([c.new.from, c.new.to]));
        let what = match (counts.added, counts.changed) {
            (_, 0) => "added",
            (0, _) => "changed",
            _ => "added or changed",
        };
        let title = format!("{kind} links {what}");
        all.add(20, Note, &title, added.chain(changed));
    }
}

fn platforms_and_terrain(agent: &AgentDiff, all: &mut Sections<'_>) {
    let (diff, platforms) = (all.diff, &agent.platforms);
    let vanished = platforms.vanished.iter().map(|p| {
        let text = format!("old {} vanished", platform(p));
        Removed.line(&text).at_old(diff, ends_of([p]))
    });
    all.add(7, Warning, "platforms vanished", vanished);
    let mut lines: Vec<Line> = (platforms.appeared.iter())
        .map(|p| {
            let text = format!("{} appeared", platform(p));
            Added.line(&text).at(ends_of([p]))
        })
        .collect();
    lines.extend(platforms.moved.iter().map(|Replaced { old, new }| {
        let text = format!("old {} moved to {}", platform(old), extent(new));
        Changed.line(&text).at(ends_of([new]))
    }));
    let groups = [
        (&platforms.split, "split into"),
        (&platforms.merged, "merged into"),
        (&platforms.recut, "became"),
    ];
    for (groups, verb) in groups {
        lines.extend(groups.iter().map(|Replaced { old, new }| {
            let text = format!("old {} {verb} {}", several(old), several(new));
            Changed.line(&text).at(ends_of(new))
        }));
    }
    lines.extend(platforms.reshaped.iter().map(|Replaced { old, new }| {
        let (before, now) = (extent(old), extent(new));
        let text = if before == now {
            format!("old {} has another shape", platform(old))
        } else {
            format!("old {} is now {now}", platform(old))
        };
        Changed.line(&text).at(ends_of([new]))
    }));
    all.add(21, Note, "platforms", lines);
    let areas = agent.terrain.regions.iter();
    let areas = areas.map(|area| Changed.line(&changed_area(area)).at([area.min, area.max]));
    all.add(22, Note, "terrain", areas);
    let barrier = |sign: Sign, b: &BarrierRecord| {
        let (from, to) = (position(b.from), position(b.to));
        sign.line(&format!("{from} to {to}, passed {}", b.pass))
    };
    let removed = agent.gates.removed.iter();
    let removed = removed.map(|b| barrier(Removed, b).at_old(diff, [b.from, b.to]));
    let added = agent.gates.added.iter();
    let added = added.map(|b| barrier(Added, b).at([b.from, b.to]));
    all.add(22, Note, "one-way walls and ceilings", removed.chain(added));
}

/// The whole comparison in one line.
pub(super) fn summary(diff: &Diff) -> String {
    if diff.same {
        return "no difference".to_string();
    }
    let sum = |of: fn(&AgentDiff) -> usize| diff.agents.iter().map(of).sum::<usize>();
    let pairs = |a: &AgentDiff| match &a.reach.pairs {
        Some(pairs) if a.reach.spawns.is_empty() => pairs.lost as usize,
        _ => 0,
    };
    let platforms = |a: &AgentDiff| {
        let p = &a.platforms;
        let regrouped = p.split.len() + p.merged.len() + p.recut.len();
        p.vanished.len() + p.appeared.len() + p.moved.len() + p.reshaped.len() + regrouped
    };
    let air = |a: &AgentDiff| a.reach.air_lost.iter().map(|cut| cut.parts.len()).sum();
    let mut parts = Vec::new();
    let mut add = |number: usize, noun: &str, what: &str| {
        if number > 0 {
            let plural = format!("{noun}s").replace("vertexs", "vertices");
            parts.push(count(number as u64, noun, &plural) + what);
        }
    };
    let lost = sum(|a| lost_platforms(a).len());
    add(lost, "platform", " no longer reachable");
    add(sum(air), "part", " of the air no longer reachable");
    add(sum(pairs), "way", " lost");
    add(sum(|a| a.reach.stranded.len()), "spawn", " stranded");
    add(sum(|a| a.reach.traps.len()), "new one-way trap", "");
    add(diff.agents_removed.len(), "agent", " removed");
    add(diff.agents_added.len(), "agent", " added");
    add(sum(|a| a.profile.len()), "parameter", " changed");
    let mut kinds: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for (kind, counts) in diff.agents.iter().flat_map(|a| &a.links.kinds) {
        let sums = kinds.entry(kind).or_default();
        let counts = [counts.removed, counts.added, counts.changed];
        sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    for (kind, numbers) in kinds {
        for (number, what) in numbers.into_iter().zip([" removed", " added", " changed"]) {
            add(number as usize, kind, what);
        }
    }
    let markers = &diff.markers;
    let markers = markers.removed.len() + markers.added.len() + markers.changed.len();
    let walls = |a: &AgentDiff| a.gates.removed.len() + a.gates.added.len();
    add(sum(platforms), "platform", " changed");
    add(sum(|a| a.terrain.changed as usize), "vertex", " changed");
    add(sum(walls), "one-way wall", " changed");
    add(markers, "marker", " changed");
    add(diff.settings.len(), "setting", " changed");
    if let Some(shift) = diff.shift {
        parts.push(format!("everything moved by {}", position(shift)));
    }
    parts.join(", ")
}

/// The numbers of the platforms that can no longer be reached from a spawn.
pub(crate) fn lost_platforms(agent: &AgentDiff) -> BTreeSet<u32> {
    let lost = agent.reach.lost.iter().flat_map(|cut| &cut.platforms);
    lost.map(|p| p.id).collect()
}

/// How many properties of a marker its line names.
const SHOWN_PROPERTIES: usize = 8;

fn property(change: &PropertyChange) -> String {
    let name = quoted(&change.name);
    match (&change.old, &change.new) {
        (Some(old), Some(new)) => format!("{name} {} -> {}", value(old), value(new)),
        (None, Some(new)) => format!("{name} {} added", value(new)),
        (old, _) => format!(
            "{name} {} removed",
            value(old.as_deref().unwrap_or_default())
        ),
    }
}

/// A value as code. Code cannot be empty.
fn value(text: &str) -> String {
    quoted(if text.is_empty() { "\"\"" } else { text })
}

/// A name as code. A backtick in it would end the code.
fn quoted(name: impl AsRef<str>) -> String {
    format!("`{}`", name.as_ref().replace('`', "'"))
}

/// The corners of least and greatest x and y around some points.
fn around(points: impl IntoIterator<Item = [f64; 2]>) -> Option<[[f64; 2]; 2]> {
    let points = points.into_iter().map(|point| [DVec2::from(point); 2]);
    let bounds = points.reduce(|[min, max], [a, b]| [min.min(a), max.max(b)]);
    bounds.map(|corners| corners.map(|corner| corner.to_array()))
}

fn range(a: f64, b: f64) -> String {
    match (number(a.min(b)), number(a.max(b))) {
        (low, high) if low == high => low,
        (low, high) => format!("{low}..{high}"),
    }
}

fn rectangle(min: [f64; 2], max: [f64; 2]) -> String {
    format!("x {}, y {}", range(min[0], max[0]), range(min[1], max[1]))
}

fn extent(platform: &PlatformRecord) -> String {
    rectangle(platform.left, platform.right)
}

fn platform(platform: &PlatformRecord) -> String {
    format!("platform {} ({})", platform.id, extent(platform))
}

fn ends_of<'a>(platforms: impl IntoIterator<Item = &'a PlatformRecord>) -> Vec<[f64; 2]> {
    let platforms = platforms.into_iter();
    platforms.flat_map(|p| [p.left, p.right]).collect()
}

/// Each of a few platforms, or the number of many and where they are.
fn several(platforms: &[PlatformRecord]) -> String {
    if platforms.len() <= 3 {
        let all: Vec<String> = platforms.iter().map(platform).collect();
        return all.join(" and ");
    }
    let [min, max] = around(ends_of(platforms)).unwrap_or_default();
    format!("{} platforms ({})", platforms.len(), rectangle(min, max))
}

fn air_part(part: &AirPart) -> String {
    let vertices = count(part.vertices, "vertex", "vertices");
    format!("the air at {} ({vertices})", rectangle(part.min, part.max))
}

fn spawns(names: &[String]) -> String {
    let all: Vec<String> = names.iter().map(quoted).collect();
    let noun = if names.len() == 1 { "spawn" } else { "spawns" };
    format!("{noun} {}", all.join(", "))
}

fn trap(trap: &Trap, verb: &str) -> String {
    let (from, area) = if trap.spawns.is_empty() {
        (String::new(), " for the largest area")
    } else {
        (format!(" from {}", spawns(&trap.spawns)), "")
    };
    let entrance = trap.entered_by.as_ref();
    let entrance = entrance.map_or_else(String::new, |l| format!(", entered by the {}", link(l)));
    let platforms = several(&trap.platforms);
    format!("a one-way trap {verb}{from}: {platforms}{area}{entrance}")
}

fn link(link: &LinkRecord) -> String {
    let (from, to) = (position(link.from), position(link.to));
    format!("{} {from} -> {to}", link.kind)
}

fn parameter(change: &ParameterChange) -> Line {
    let ParameterChange { what, old, new } = change;
    Changed.line(&format!("{what} {old} -> {new}"))
}

/// Links of a kind, grouped by the platforms they join; the only links to a
/// platform come first.
fn bundles<'a>(links: &'a [LinkRecord], kind: &str) -> Vec<Vec<&'a LinkRecord>> {
    let mut bundles: BTreeMap<_, Vec<&LinkRecord>> = BTreeMap::new();
    for link in links.iter().filter(|link| link.kind == kind) {
        let key = (!link.only_way, link.from_platform, link.to_platform);
        bundles.entry(key).or_default().push(link);
    }
    bundles.into_values().collect()
}

/// Links of one kind between the same two platforms; `only` is added when no
/// other link joins them.
fn bundled(bundle: &[&LinkRecord], whose: &str, only: &str) -> String {
    let first = bundle[0];
    let only = if first.only_way { only } else { "" };
    let over = |value: fn(&LinkRecord) -> f64| {
        let all = || bundle.iter().map(|link| value(link));
        range(
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let links = match bundle.len() {
        1 => first.kind.to_string(),
        more => format!("{more} {}s", first.kind),
    };
    let (x, y) = (over(|l| l.from[0]), over(|l| l.from[1]));
    let from = format!("{} ({x}, {y})", first.from_platform);
    let (x, y) = (over(|l| l.to[0]), over(|l| l.to[1]));
    let to = format!("{} ({x}, {y})", first.to_platform);
    let seconds = over(|l| l.cost);
    format!("{links} from {whose} {from} to {whose} {to}, {seconds} s{only}")
}

fn link_change(change: &Change<LinkRecord>) -> String {
    let times = |what: &str, old: f64, new: f64| {
        let short = |v: f64| (v * 1e4).round() / 1e4;
        format!("{what} {} -> {} s", short(old), short(new))
    };
    let (old, new) = (&change.old, &change.new);
    // Where the ends are the same, they are those of the new file, also after a shift.
    let first = if change.what.contains(&"ends") {
        old
    } else {
        new
    };
    let mut parts = vec![link(first)];
    parts.extend(change.what.iter().map(|what| match *what {
        "ends" => format!("now {} -> {}", position(new.from), position(new.to)),
        "cost" => times("cost", old.cost, new.cost),
        _ => times("tolerance", old.tolerance, new.tolerance),
    }));
    parts.join(", ")
}

fn changed_area(area: &ChangedArea) -> String {
    let became: Vec<String> = (area.became.iter())
        .map(|(what, count)| format!("{count} {}", label(what)))
        .collect();
    let vertices = count(area.vertices, "vertex", "vertices");
    let (place, became) = (rectangle(area.min, area.max), became.join(", "));
    format!("{vertices} in {place}: now {became}")
}

fn marker(marker: &MarkerRecord) -> String {
    let class = match marker.class.as_str() {
        "" => "marker",
        class => class,
    };
    let at = position(marker.position);
    match marker.name.as_str() {
        "" => format!("{class} at {at}"),
        name => format!("{class} {} at {at}", quoted(name)),
    }
}
