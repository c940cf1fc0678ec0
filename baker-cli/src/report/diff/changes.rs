//! A comparison in words: one list of changes, the most severe first. Every output except
//! JSON prints this list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use glam::DVec2;
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Edited, Replaced};
use super::comparison::{AgentDiff, Diff, DifferenceKind, ParameterChange};
use super::links::LinkRecord;
use super::markers::{MarkerChange, PropertyChange};
use super::platforms::PlatformRecord;
use super::reachability::{FromSpawns, Pairs, Trap};
use super::terrain::{AirPart, ChangedArea};
use crate::report::finding::Severity;
use crate::report::format::{count, count_links, label, number, position, printable};
use crate::report::records::{BarrierRecord, MarkerRecord};

/// One difference. The page of `navbake view` has it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    #[serde(skip)]
    pub kind: Kind,
    /// The title of all changes of this kind, without the agent.
    #[serde(skip)]
    pub title: String,
    /// The agent; `None` for differences of the level.
    pub agent: Option<String>,
    pub sign: Sign,
    pub text: String,
    /// The rectangle around its place: corners of least and greatest x and y,
    /// world units of the new file.
    pub bounds: Option<[[f64; 2]; 2]>,
}

/// What changed, in the order of reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    #[default]
    Lost,
    Stranded,
    Trap,
    AgentRemoved,
    Isolated,
    LostPairs,
    Profile,
    SpawnRemoved,
    LinkRemoved,
    Vanished,
    Gained,
    TrapGone,
    Link,
    Platform,
    Terrain,
    Setting,
    AgentAdded,
    Marker,
}

impl Kind {
    pub fn severity(self) -> Severity {
        if self <= Self::AgentRemoved {
            Severity::Error
        } else if self <= Self::Vanished {
            Severity::Warning
        } else {
            Severity::Note
        }
    }
}

/// Whether a change is about something removed, added or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Sign {
    #[serde(rename = "-")]
    Removed,
    #[serde(rename = "+")]
    Added,
    #[serde(rename = "~")]
    Changed,
}

impl Sign {
    pub const fn symbol(self) -> char {
        match self {
            Self::Removed => '-',
            Self::Added => '+',
            Self::Changed => '~',
        }
    }
}

impl Diff {
    /// All differences except for the shift, the most severe first.
    pub fn changes(&self) -> Vec<Change> {
        let mut all = Changes::of_level(self);
        for agent in &self.agents {
            all.agent = Some(printable(&agent.name));
            all.reachability(agent);
            all.profile_and_links(agent);
            all.platforms_and_terrain(agent);
        }
        // Stable: agents keep their order.
        all.list.sort_by_key(|change| change.kind);
        all.list
    }

    /// The shift as a change: it is reported before or after all others.
    pub fn moved(&self) -> Option<Change> {
        let shift = position(self.shift?);
        let mut all = Changes::default();
        all.begin(Kind::Setting, "moved");
        all.add(Sign::Changed, &format!("everything moved by {shift}"), []);
        all.list.pop()
    }

    /// Whether there is a difference of this kind.
    pub fn has(&self, kind: DifferenceKind) -> bool {
        if kind == DifferenceKind::Any {
            return !self.same;
        }
        self.changes().iter().any(|change| match change.kind {
            Kind::LinkRemoved => kind == DifferenceKind::RemovedLinks,
            // An agent that is gone reaches nothing.
            Kind::Lost | Kind::Stranded | Kind::AgentRemoved => kind == DifferenceKind::Unreachable,
            Kind::Trap => kind == DifferenceKind::Traps,
            _ => false,
        })
    }

    /// The whole comparison in one line.
    pub fn summary(&self) -> String {
        if self.same {
            return "no difference".to_string();
        }
        let mut parts = Vec::new();
        let lost = self.sum(|agent| lost_platforms(agent).len());
        add(&mut parts, lost, "platform", " no longer reachable");
        let air = self.sum(|agent| agent.reach.air_lost.iter().map(|cut| cut.parts.len()).sum());
        add(&mut parts, air, "part", " of the air no longer reachable");
        let ways = self.sum(|agent| pairs_without_spawns(agent).map_or(0, |p| p.lost as usize));
        add(&mut parts, ways, "way", " lost");
        let stranded = self.sum(|agent| agent.reach.stranded.len());
        add(&mut parts, stranded, "spawn", " stranded");
        // Spawns that enter a trap by different links have an entry each.
        let traps = self.sum(|agent| {
            let traps = agent.reach.traps.iter();
            let places = traps.map(|trap| trap.platforms.iter().map(|p| p.id).collect::<Vec<_>>());
            places.collect::<BTreeSet<_>>().len()
        });
        add(&mut parts, traps, "new one-way trap", "");
        add(&mut parts, self.agents_removed.len(), "agent", " removed");
        add(&mut parts, self.agents_added.len(), "agent", " added");
        let parameters = self.sum(|agent| agent.profile.len());
        add(&mut parts, parameters, "parameter", " changed");
        let mut kinds: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for (kind, counts) in self.agents.iter().flat_map(|a| &a.links.kinds) {
            let sums = kinds.entry(kind).or_default();
            sums[0] += counts.removed;
            sums[1] += counts.added;
            sums[2] += counts.changed;
        }
        for (kind, [removed, added, changed]) in kinds {
            for (number, what) in [(removed, "removed"), (added, "added"), (changed, "changed")] {
                if number > 0 {
                    parts.push(format!("{} {what}", count_links(number, kind)));
                }
            }
        }
        let platforms = self.sum(|agent| agent.platforms.count());
        add(&mut parts, platforms, "platform", " changed");
        let vertices = self.sum(|agent| agent.terrain.changed as usize);
        add(&mut parts, vertices, "vertex", " changed");
        let walls = self.sum(|agent| agent.gates.removed.len() + agent.gates.added.len());
        add(&mut parts, walls, "one-way wall", " changed");
        let m = &self.markers;
        let markers = m.removed.len() + m.added.len() + m.changed.len();
        add(&mut parts, markers, "marker", " changed");
        add(&mut parts, self.settings.len(), "setting", " changed");
        parts.extend(self.moved().map(|change| change.text));
        parts.join(", ")
    }

    fn sum(&self, of: fn(&AgentDiff) -> usize) -> usize {
        self.agents.iter().map(of).sum()
    }
}

/// Adds a part of a summary.
fn add(parts: &mut Vec<String>, number: usize, noun: &str, what: &str) {
    if number > 0 {
        let plural = format!("{noun}s").replace("vertexs", "vertices");
        parts.push(count(number as u64, noun, &plural) + what);
    }
}

/// The numbers of the platforms that can no longer be reached from a spawn.
pub fn lost_platforms(agent: &AgentDiff) -> BTreeSet<u32> {
    let lost = agent.reach.lost.iter().flat_map(|cut| &cut.platforms);
    lost.map(|p| p.id).collect()
}

/// Pairs of platforms are reported in levels without spawns.
fn pairs_without_spawns(agent: &AgentDiff) -> Option<&Pairs> {
    let pairs = agent.reach.pairs.as_ref();
    pairs.filter(|_| agent.reach.spawns.is_empty())
}

impl AgentDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        let mut all = Changes::default();
        all.reachability(self);
        all.profile_and_links(self);
        all.platforms_and_terrain(self);
        all.list.is_empty()
    }
}

/// Collects changes: [`begin`](Self::begin) sets what the next ones have in common.
#[derive(Default)]
struct Changes {
    shift: DVec2,
    agent: Option<String>,
    kind: Kind,
    title: String,
    list: Vec<Change>,
}

impl Changes {
    fn begin(&mut self, kind: Kind, title: &str) {
        (self.kind, self.title) = (kind, title.to_owned());
    }

    /// Adds a change around some points of the new file.
    fn add(&mut self, sign: Sign, text: &str, points: impl IntoIterator<Item = [f64; 2]>) {
        self.list.push(Change {
            kind: self.kind,
            title: self.title.clone(),
            agent: self.agent.clone(),
            sign,
            text: printable(text),
            bounds: around(points),
        });
    }

    /// Adds a removal around some points of the old file.
    fn remove(&mut self, text: &str, points: impl IntoIterator<Item = [f64; 2]>) {
        let shift = self.shift;
        let points = points
            .into_iter()
            .map(|p| (DVec2::from(p) + shift).to_array());
        self.add(Sign::Removed, text, points);
    }

    fn of_level(diff: &Diff) -> Self {
        let mut this = Self {
            shift: diff.shift.unwrap_or_default().into(),
            ..Self::default()
        };
        this.begin(Kind::AgentRemoved, "agents no longer baked");
        for name in &diff.agents_removed {
            this.remove(name, []);
        }
        this.begin(Kind::AgentAdded, "agents baked now");
        for name in &diff.agents_added {
            this.add(Sign::Added, name, []);
        }
        this.begin(Kind::Setting, "grid and units");
        this.parameters(&diff.settings);
        for removed in &diff.markers.removed {
            if removed.class.eq_ignore_ascii_case("spawn") {
                this.begin(Kind::SpawnRemoved, "spawns removed");
            } else {
                this.begin(Kind::Marker, "markers");
            }
            this.remove(&marker(removed), [removed.position]);
        }
        this.begin(Kind::Marker, "markers");
        for added in &diff.markers.added {
            this.add(Sign::Added, &marker(added), [added.position]);
        }
        for change in &diff.markers.changed {
            let now = change.marker.new.position;
            this.add(Sign::Changed, &marker_change(change), [now]);
        }
        this
    }

    fn parameters(&mut self, changes: &[ParameterChange]) {
        for ParameterChange { what, old, new } in changes {
            self.add(Sign::Changed, &format!("{what} {old} -> {new}"), []);
        }
    }

    /// A change for each place that can now, or no longer, be reached from spawns.
    fn reached(&mut self, found: &[FromSpawns], sign: Sign, verb: &str) {
        for found in found {
            let from = match &found.spawns[..] {
                [] => "the rest of the air".to_owned(),
                spawns => spawn_names(spawns),
            };
            for p in &found.platforms {
                let text = format!("{} can {verb} be reached from {from}", platform(p));
                self.add(sign, &text, [p.left, p.right]);
            }
            for AirPart { vertices, min, max } in &found.parts {
                let vertices = count(*vertices, "vertex", "vertices");
                let place = format!("the air at {} ({vertices})", rectangle(*min, *max));
                let text = format!("{place} can {verb} be reached from {from}");
                self.add(sign, &text, [*min, *max]);
            }
        }
    }

    fn lost_pairs(&mut self, pairs: &Pairs) {
        for group in &pairs.groups {
            let (there, from) = (several(&group.to), several(&group.from));
            let text = format!("{there} can no longer be reached from {from}");
            self.add(Sign::Removed, &text, ends_of(&group.to));
        }
    }

    fn reachability(&mut self, agent: &AgentDiff) {
        let reach = &agent.reach;
        let without_spawns = pairs_without_spawns(agent);
        self.begin(Kind::Lost, "no longer reachable");
        self.reached(&reach.lost, Sign::Removed, "no longer");
        self.reached(&reach.air_lost, Sign::Removed, "no longer");
        if let Some(pairs) = without_spawns {
            self.lost_pairs(pairs);
        }
        self.begin(Kind::Stranded, "stranded spawns");
        for name in &reach.stranded {
            let text = format!("the agent cannot begin at spawn {} any more", quoted(name));
            self.remove(&text, []);
        }
        self.begin(Kind::Trap, "one-way traps");
        for new in &reach.traps {
            self.add(Sign::Added, &trap(new, "appeared"), ends_of(&new.platforms));
        }
        self.begin(Kind::Isolated, "out of reach");
        for p in &reach.isolated {
            let text = format!("{} is new, and no spawn reaches it", platform(p));
            self.add(Sign::Added, &text, [p.left, p.right]);
        }
        if let (None, Some(pairs)) = (without_spawns, &reach.pairs)
            && reach.lost.is_empty()
            && reach.traps.is_empty()
        {
            // The findings from spawns say nothing about these pairs.
            self.begin(Kind::LostPairs, "no longer reachable between platforms");
            self.lost_pairs(pairs);
        }
        self.begin(Kind::Gained, "reachable now");
        self.reached(&reach.gained, Sign::Added, "now");
        self.reached(&reach.air_gained, Sign::Added, "now");
        if let Some(pairs) = without_spawns.filter(|pairs| pairs.gained > 0) {
            let ways = count(pairs.gained, "more way", "more ways");
            self.add(
                Sign::Added,
                &format!("{ways} from platform to platform"),
                [],
            );
        }
        self.begin(Kind::TrapGone, "one-way traps gone");
        for old in &reach.traps_gone {
            self.remove(&trap(old, "is gone"), ends_of(&old.platforms));
        }
    }

    fn profile_and_links(&mut self, agent: &AgentDiff) {
        self.begin(Kind::Profile, "profile");
        self.parameters(&agent.profile);
        let links = &agent.links;
        for (kind, counts) in &links.kinds {
            let name = label(kind);
            self.begin(Kind::LinkRemoved, &format!("{name} links removed"));
            for bundle in bundles(&links.removed, kind) {
                let text = bundled(&bundle, "old platform", "; no other link leads there");
                self.remove(&text, bundle.iter().flat_map(|link| [link.from, link.to]));
            }
            let what = match (counts.added, counts.changed) {
                (_, 0) => "added",
                (0, _) => "changed",
                _ => "added or changed",
            };
            self.begin(Kind::Link, &format!("{name} links {what}"));
            for bundle in bundles(&links.added, kind) {
                let text = bundled(&bundle, "platform", "; nothing led there before");
                let ends = bundle.iter().flat_map(|link| [link.from, link.to]);
                self.add(Sign::Added, &text, ends);
            }
            for change in links
                .changed
                .iter()
                .filter(|change| change.old.kind == *kind)
            {
                let ends = [change.new.from, change.new.to];
                self.add(Sign::Changed, &link_change(change), ends);
            }
        }
    }

    fn platforms_and_terrain(&mut self, agent: &AgentDiff) {
        let platforms = &agent.platforms;
        self.begin(Kind::Vanished, "platforms vanished");
        for p in &platforms.vanished {
            let text = format!("old {} vanished", platform(p));
            self.remove(&text, [p.left, p.right]);
        }
        self.begin(Kind::Platform, "platforms");
        for p in &platforms.appeared {
            let text = format!("{} appeared", platform(p));
            self.add(Sign::Added, &text, [p.left, p.right]);
        }
        for Replaced { old, new } in &platforms.moved {
            let text = format!("old {} moved to {}", platform(old), extent(new));
            self.add(Sign::Changed, &text, [new.left, new.right]);
        }
        let groups = [
            (&platforms.split, "split into"),
            (&platforms.merged, "merged into"),
            (&platforms.recut, "became"),
        ];
        for (groups, verb) in groups {
            for Replaced { old, new } in groups {
                let text = format!("old {} {verb} {}", several(old), several(new));
                self.add(Sign::Changed, &text, ends_of(new));
            }
        }
        for Replaced { old, new } in &platforms.reshaped {
            let now = match extent(new) {
                now if now == extent(old) => "has another shape".to_owned(),
                now => format!("is now {now}"),
            };
            let text = format!("old {} {now}", platform(old));
            self.add(Sign::Changed, &text, [new.left, new.right]);
        }
        self.begin(Kind::Terrain, "terrain");
        for area in &agent.terrain.regions {
            self.add(Sign::Changed, &changed_area(area), [area.min, area.max]);
        }
        self.begin(Kind::Terrain, "one-way walls and ceilings");
        for gate in &agent.gates.removed {
            self.remove(&barrier(gate), [gate.from, gate.to]);
        }
        for gate in &agent.gates.added {
            self.add(Sign::Added, &barrier(gate), [gate.from, gate.to]);
        }
    }
}

/// How many properties of a marker its change names.
const SHOWN_PROPERTIES: usize = 8;

fn marker_change(change: &MarkerChange) -> String {
    let Edited { what, old, new } = &change.marker;
    let mut text = if what.contains(&"position") {
        format!("{} -> {}", marker(old), position(new.position))
    } else {
        marker(new)
    };
    let _ = write!(text, " ({})", what.join(", "));
    let properties = change.properties.iter().map(property);
    let mut shown: Vec<_> = properties.take(SHOWN_PROPERTIES).collect();
    let more = change.properties.len() - shown.len();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    if !shown.is_empty() {
        let _ = write!(text, ": {}", shown.join(", "));
    }
    text
}

fn property(change: &PropertyChange) -> String {
    let name = quoted(&change.name);
    let [old, new] = [&change.old, &change.new].map(|text| match text.as_deref() {
        // Code cannot be empty.
        None | Some("") => quoted("\"\""),
        Some(text) => quoted(text),
    });
    match (&change.old, &change.new) {
        (Some(_), Some(_)) => format!("{name} {old} -> {new}"),
        (None, Some(_)) => format!("{name} {new} added"),
        _ => format!("{name} {old} removed"),
    }
}

/// A name as code. A backtick in it would end the code.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
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

fn ends_of(platforms: &[PlatformRecord]) -> impl Iterator<Item = [f64; 2]> {
    platforms.iter().flat_map(|p| [p.left, p.right])
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

fn spawn_names(names: &[String]) -> String {
    let all: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let noun = if names.len() == 1 { "spawn" } else { "spawns" };
    format!("{noun} {}", all.join(", "))
}

fn trap(trap: &Trap, verb: &str) -> String {
    let platforms = several(&trap.platforms);
    let place = if trap.spawns.is_empty() {
        format!(": {platforms} for the largest area")
    } else {
        format!(" from {}: {platforms}", spawn_names(&trap.spawns))
    };
    let entrance = trap.entered_by.as_ref();
    let entrance = entrance.map_or_else(String::new, |l| format!(", entered by the {}", link(l)));
    format!("a one-way trap {verb}{place}{entrance}")
}

fn link(link: &LinkRecord) -> String {
    let (from, to) = (position(link.from), position(link.to));
    format!("{} {from} -> {to}", label(link.kind))
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
    let links = match bundle.len() {
        1 => label(first.kind),
        more => count_links(more as u64, first.kind),
    };
    let from = ends_text(bundle.iter().map(|link| link.from));
    let to = ends_text(bundle.iter().map(|link| link.to));
    let (start, goal) = (first.from_platform, first.to_platform);
    let costs = around(bundle.iter().map(|link| [link.cost, 0.0])).unwrap_or_default();
    let seconds = range(costs[0][0], costs[1][0]);
    format!("{links} from {whose} {start} ({from}) to {whose} {goal} ({to}), {seconds} s{only}")
}

fn ends_text(ends: impl Iterator<Item = [f64; 2]>) -> String {
    let [min, max] = around(ends).unwrap_or_default();
    format!("{}, {}", range(min[0], max[0]), range(min[1], max[1]))
}

fn link_change(change: &Edited<LinkRecord>) -> String {
    let Edited { what, old, new } = change;
    // Where the ends are the same, they are those of the new file, also after a shift.
    let is_moved = what.contains(&"ends");
    let mut parts = vec![link(if is_moved { old } else { new })];
    for what in what {
        parts.push(match *what {
            "ends" => format!("now {} -> {}", position(new.from), position(new.to)),
            "cost" => format!("cost {} -> {} s", short(old.cost), short(new.cost)),
            _ => {
                let (old, new) = (short(old.tolerance), short(new.tolerance));
                format!("tolerance {old} -> {new} s")
            }
        });
    }
    parts.join(", ")
}

/// Seconds in tenths of milliseconds.
fn short(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}

fn changed_area(area: &ChangedArea) -> String {
    let became: Vec<String> = (area.became.iter())
        .map(|(what, count)| format!("{count} {}", label(what)))
        .collect();
    let vertices = count(area.vertices, "vertex", "vertices");
    let (place, became) = (rectangle(area.min, area.max), became.join(", "));
    format!("{vertices} in {place}: now {became}")
}

fn barrier(barrier: &BarrierRecord) -> String {
    let (from, to) = (position(barrier.from), position(barrier.to));
    format!("{from} to {to}, passed {}", barrier.pass)
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
