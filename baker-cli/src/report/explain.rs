//! Explains why there is a link between two places, or why there is none.
//!
//! The answers come from the baked layer and from the stages that bake its
//! links, so they cannot contradict a bake.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, Link, Platform, PlatformKind};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, SnapTo, Step};
use schemars::JsonSchema;
use serde::Serialize;

use super::connections::middle;
use super::format::{label, number, place_text};
use super::nearest::PlatformTree;
use crate::bake::tools::{AgentMoves, MissReason, NearMiss};

/// Why there is a link from one place to another, or why there is none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    /// Whether a single link, or a walk, leads from the one platform to the
    /// other.
    pub linked: bool,
    /// The answer in one word.
    #[schemars(with = "String", regex(pattern = "^[a-z_]+$"))]
    pub reason: Reason,
    /// The answer as text.
    pub message: String,
    /// By how many world units it is too far, too high or too deep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<f64>,
    /// The position of the feet where the body is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f32; 2]>,
    /// What stops it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_what: Option<String>,
    /// The ends of the link, or of the attempt that comes closest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arc: Option<[[f32; 2]; 2]>,
    /// Without a link: the links of the fastest route; empty if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub route: Vec<RouteLink>,
    /// Without a route: the first link that is missing for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingHop>,
}

/// A link of a route.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RouteLink {
    /// The name of its kind.
    pub kind: &'static str,
    /// Where it starts, world units.
    pub from: [f32; 2],
    /// Where it ends.
    pub to: [f32; 2],
    /// When a ride on a platform that moves can begin, in seconds on the clock, of an agent that
    /// begins its path at 0 s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// The first of the missing links that would make a route. Many short ones are
/// preferred to a long one. It may end on a platform from which there is no route yet.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MissingHop {
    /// The platform that can be reached.
    pub from_platform: u32,
    /// The platform to reach next.
    pub to_platform: u32,
    /// Why no link joins the two, in one word.
    #[schemars(with = "String", regex(pattern = "^[a-z_]+$"))]
    pub reason: Reason,
    /// Why no link joins them, as text.
    pub message: String,
    /// How many more links are missing after it.
    pub further: usize,
}

/// An explanation in one word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Both places are on one platform.
    SamePlatform,
    /// There is a link.
    Linked,
    /// The move is possible, but links that are kept offer a route that is
    /// nearly as fast.
    Thinned,
    /// There is no floor near one of the places.
    NoFloor,
    /// The agent cannot leave the platform.
    NoEdges,
    /// The distance is greater than the limits or the longest flight allow.
    TooFar,
    /// The goal is higher than the limits or the highest jump allow.
    TooHigh,
    /// The goal is deeper than the limits allow.
    TooDeep,
    /// Something is in the way of every attempt.
    Blocked,
    /// There is no link, and a baked file does not hold the reason.
    #[default]
    NoLink,
}

impl Explanation {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            linked: matches!(reason, Reason::SamePlatform | Reason::Linked),
            reason,
            message: message.into(),
            ..Self::default()
        }
    }
}

/// Explains whether an agent can go from one place to another by one link. The
/// places are those of the platforms at or nearest to `to` and to where an agent that
/// appears at `from` comes to rest.
///
/// `moves` are those of the level and the settings that the layer was baked
/// from. Without them, as for a baked file, only links and limits are known.
pub fn explain(layer: &Layer, moves: Option<&AgentMoves<'_>>, from: Vec2, to: Vec2) -> Explanation {
    let rest = layer
        .snap(from, SnapTo::Rest)
        .map_or(from, |rest| rest.position);
    let (which, at) = match (floor_near(layer, rest), floor_near(layer, to)) {
        (Some((start, first)), Some((goal, last))) => {
            let mut explanation = explain_platforms(layer, moves, [start, goal], [from, to]);
            for (which, given, used) in [("start", from, first), ("goal", to, last)] {
                if let Some(away) = away_text(given, used) {
                    let [given, used] = [given, used].map(place_text);
                    let moved = format!("; the {which} was taken as {used}, {away} {given}");
                    explanation.message += &moved;
                }
            }
            return explanation;
        }
        (None, _) => ("start", from),
        (_, None) => ("goal", to),
    };
    only_flies(layer).unwrap_or_else(|| {
        let (nearest, at) = (nearest_floor_text(layer, at), place_text(at));
        let message = format!("there is no floor for this agent near the {which}, {at}{nearest}");
        Explanation::new(Reason::NoFloor, message)
    })
}

/// The platform at a position or close to it, and the position on it.
fn floor_near(layer: &Layer, at: Vec2) -> Option<(Platform<'_>, Vec2)> {
    let spacing = layer.grid().spacing;
    let on_platform = layer.snap(at, SnapTo::PathEnd);
    let place = (on_platform.filter(|place| place.platform.is_some()))
        .or_else(|| layer.snap(at, SnapTo::FloorBelow(2.0 * spacing)))
        .or_else(|| layer.snap(at, SnapTo::NearestFloor(4.0 * spacing)))?;
    Some((layer.platform(place.platform?)?, place.position))
}

/// The explanation for agents that need no floor.
fn only_flies(layer: &Layer) -> Option<Explanation> {
    let message = "the agent only flies, so it uses no links; `navbake path` finds its way";
    (!layer.profile().edges.walks()).then(|| Explanation::new(Reason::NoEdges, message))
}

/// `12.5 units from`: how far two positions are from each other, if that can be seen.
pub fn away_text(from: Vec2, to: Vec2) -> Option<String> {
    let away = number(from.distance(to).into());
    let noun = if away == "1" { "unit" } else { "units" };
    (place_text(from) != place_text(to)).then(|| format!("{away} {noun} from"))
}

/// `; the nearest floor is at 24,96, 12.5 units from it`; empty where an agent does not
/// walk or has no floor.
pub fn nearest_floor_text(layer: &Layer, at: Vec2) -> String {
    let spot = layer.snap(at, SnapTo::NearestFloor(f32::INFINITY));
    let spot = spot.filter(|_| layer.profile().edges.walks());
    let text = spot.and_then(|spot| {
        let (floor, away) = (place_text(spot.position), away_text(at, spot.position)?);
        Some(format!("; the nearest floor is at {floor}, {away} it"))
    });
    text.unwrap_or_default()
}

/// [`explain`] for two platforms. `places` are positions near them: of several
/// links, the one that is fastest from the first place to the second is
/// reported.
pub fn explain_platforms(
    layer: &Layer,
    moves: Option<&AgentMoves<'_>>,
    [start, goal]: [Platform<'_>; 2],
    places: [Vec2; 2],
) -> Explanation {
    let places = [
        start.at(start.along(places[0])),
        goal.at(goal.along(places[1])),
    ];
    if let Some(explanation) = only_flies(layer) {
        return explanation;
    }
    if start.id == goal.id {
        // The other kinds of platforms exist only for agents that climb them.
        let edges = layer.profile().edges;
        let moves = edges.contains(EdgeSet::FLOOR) || edges.contains(EdgeSet::FLY);
        if start.kind == PlatformKind::Floor && !moves {
            let message =
                "the agent cannot walk along the platform: it does not have the edge floor";
            return Explanation::new(Reason::NoEdges, message);
        }
        let message = "both places are on one platform: the agent moves along it";
        return Explanation::new(Reason::SamePlatform, message);
    }
    if let Some(link) = best_link(layer, &start, &goal, places) {
        let (kind, tolerance) = (label(link.kind.name()), link.tolerance);
        let motion = motion(&kind, [link.from, link.to], link.duration.into());
        let message = format!("{motion}, which may begin {tolerance:.3} s late");
        return Explanation {
            arc: Some(ends(link.from, link.to)),
            ..Explanation::new(Reason::Linked, message)
        };
    }
    let mut explanation = match why_not(layer, moves, &start, &goal) {
        Ok(explanation) => explanation,
        Err(found) => return thinned(layer, &found),
    };
    if let Some(route) = route(layer, places) {
        let links = names(&route);
        let there = if links.is_empty() {
            "; the agent flies there".to_owned()
        } else {
            format!("; a route leads there: {links}")
        };
        explanation.message += &there;
        explanation.route = route;
    } else if let Some((hops, why)) = missing_hops(layer, moves, &start, &goal) {
        if hops[0].map(|platform| platform.id) != [start.id, goal.id] {
            explanation.message += &missing_text(&hops, &why);
        }
        let [from, to] = hops[0];
        explanation.missing = Some(MissingHop {
            from_platform: from.id.0,
            to_platform: to.id.0,
            reason: why.reason,
            message: why.message,
            further: hops.len() - 1,
        });
    }
    explanation
}

/// The end of the answer where the first of the missing hops is not from the start to
/// the goal.
fn missing_text(hops: &[[Platform<'_>; 2]], why: &Explanation) -> String {
    let [from, to] = match why.arc {
        Some(arc) => arc.map(|at| place_text(at.into())),
        None => {
            hops[0].map(|platform| format!("the platform at {}", place_text(middle(&platform))))
        }
    };
    let missing = match hops.len() {
        1 => "a link is missing".to_owned(),
        number => format!("{number} links are missing, the first one"),
    };
    let why = &why.message;
    format!("; no route leads there either: {missing} from {from} to {to}: {why}")
}

/// The link between two platforms that is fastest from one place to another,
/// with the walks before and after it.
fn best_link<'a>(
    layer: &'a Layer,
    start: &Platform<'_>,
    goal: &Platform<'_>,
    [from, to]: [Vec2; 2],
) -> Option<&'a Link> {
    let speed = layer.profile().run_speed;
    let wanted = (start.id, goal.id);
    let links = layer.links().iter();
    let fitting = links.filter(|link| (link.from_platform, link.to_platform) == wanted);
    let costs = fitting.map(|link| {
        let walked = (link.from.x - from.x).abs() + (link.to.x - to.x).abs();
        (link.duration + walked / speed, link)
    });
    costs
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, link)| link)
}

/// The answer for a move that the bake left out.
fn thinned(layer: &Layer, found: &Link) -> Explanation {
    let route = route(layer, [found.from, found.to]).unwrap_or_default();
    let motion = motion(
        &label(found.kind.name()),
        [found.from, found.to],
        found.duration.into(),
    );
    let links = names(&route);
    let message =
        format!("{motion} is possible, but no link: this route is nearly as fast: {links}");
    Explanation {
        arc: Some(ends(found.from, found.to)),
        route,
        ..Explanation::new(Reason::Thinned, message)
    }
}

/// `a jump from 24,96 to 58,56 in 0.455 s`.
fn motion(kind: &str, ends: [Vec2; 2], seconds: f64) -> String {
    let [from, to] = ends.map(place_text);
    format!("a {kind} from {from} to {to} in {seconds:.3} s")
}

/// Why no link joins two platforms. `Err` is a move that the bake left out.
fn why_not(
    layer: &Layer,
    moves: Option<&AgentMoves<'_>>,
    start: &Platform<'_>,
    goal: &Platform<'_>,
) -> Result<Explanation, Link> {
    match moves.map(|moves| moves.between(start.id, goal.id)) {
        Some(Ok(found)) => Err(found),
        Some(Err(miss)) => Ok(of_attempt(layer.profile(), &miss)),
        None => Ok(of_shape(layer, start, goal)),
    }
}

fn ends(from: Vec2, to: Vec2) -> [[f32; 2]; 2] {
    [from.to_array(), to.to_array()]
}

/// The links of the fastest path between two places; none are needed where
/// the agent flies all the way.
fn route(layer: &Layer, [from, to]: [Vec2; 2]) -> Option<Vec<RouteLink>> {
    let query = Query {
        departure: Some(0.0),
        ..Query::new(from, to)
    };
    match PathFinder::new().find(layer, &query) {
        Ok(PathOutcome::Found(path)) => {
            let is_link = |step: &&Step| step.link.is_some() || step.departure().is_some();
            let links = path.steps.iter().filter(is_link);
            let links = links.map(|step| RouteLink {
                kind: step.kind.name(),
                from: step.from.to_array(),
                to: step.to.to_array(),
                at: step.departure(),
            });
            Some(links.collect())
        }
        _ => None,
    }
}

fn names(route: &[RouteLink]) -> String {
    let links = route.iter().map(|RouteLink { kind, from, to, at }| {
        let [from, to] = [*from, *to].map(|at| place_text(at.into()));
        if from == to {
            // Onto a ladder, or off it.
            return format!("{} at {from}", label(kind));
        }
        let wait = at.map(|at| {
            let at = number(at);
            format!(
                " (at {at} s on the clock; until then, the platform that moves is out of reach or in the way)"
            )
        });
        format!("{} {from} -> {to}{}", label(kind), wait.unwrap_or_default())
    });
    links.collect::<Vec<_>>().join(", ")
}

/// The missing links (*hops*) that would make a route, in order, and why the first one
/// is missing. Of all routes over links and hops, this is the one with the least sum of
/// the squares of its hops, because many short ones are nearer to being possible than a
/// long one.
fn missing_hops<'a>(
    layer: &'a Layer,
    moves: Option<&AgentMoves<'_>>,
    start: &Platform<'_>,
    goal: &Platform<'_>,
) -> Option<(Vec<[Platform<'a>; 2]>, Explanation)> {
    let graph = layer.link_graph();
    let mut unsettled = PlatformTree::new(layer.platforms());
    let mut members = vec![Vec::new(); graph.components()];
    for platform in layer.platforms() {
        members[platform.component as usize].push(platform);
    }
    // By component: the least sum to reach it, and the last hop on the way.
    let mut settled = vec![None; graph.components()];
    // A step of the grid counts too, so that hops between platforms that touch cost.
    let least = layer.grid().spacing.powi(2);
    // Dijkstra's algorithm on the components; links cost nothing. Each settled platform
    // has one hop in the queue, to the nearest platform that was left when it was added:
    // all of them would be too many for levels of 100,000 platforms.
    let mut queue = BinaryHeap::new();
    let mut hop: Option<[Platform<'a>; 2]> = None;
    let (mut sum, mut component) = (0.0, start.component);
    loop {
        let mut without_hop = Vec::from_iter(hop.map(|[from, _]| from));
        let mut open = vec![component];
        while let Some(component) = open.pop() {
            let way = &mut settled[component as usize];
            if way.is_none() {
                *way = Some((sum, hop));
                for platform in members[component as usize].drain(..) {
                    unsettled.remove(&platform);
                    without_hop.push(platform);
                }
                open.extend(graph.successors(component));
            }
        }
        if settled[goal.component as usize].is_some() {
            break;
        }
        for from in without_hop {
            let (sum, _) = settled[from.component as usize]?;
            if let Some((gap, to)) = unsettled.nearest(&from) {
                // Bits of numbers that are not negative are in the order of the numbers.
                queue.push(Reverse(((sum + gap + least).to_bits(), to, from.id)));
            }
        }
        let Reverse((bits, to, from)) = queue.pop()?;
        let (from, to) = (layer.platform(from)?, layer.platform(to)?);
        (sum, hop, component) = (f32::from_bits(bits), Some([from, to]), to.component);
    }
    let mut hops = Vec::new();
    let mut at = goal.component;
    while let Some((_, Some(hop))) = settled[at as usize] {
        hops.push(hop);
        at = hop[0].component;
    }
    hops.reverse();
    let [from, to] = hops.first()?;
    let failure = why_not(layer, moves, from, to).ok()?;
    Some((hops, failure))
}

const NO_TAKE_OFF: &str =
    "the agent cannot leave this platform through the air (jump and drop in edges)";

/// An explanation from the attempt that comes closest, with the key of navbake.toml that
/// forbids it.
fn of_attempt(profile: &AgentProfile, miss: &NearMiss) -> Explanation {
    let jumps = profile.edges.contains(EdgeSet::JUMP);
    let arc = Some(ends(miss.from, miss.to));
    // The excess over the limit, and the limit in words.
    let (reason, too, by, why) = match &miss.reason {
        MissReason::NoTakeOff => return Explanation::new(Reason::NoEdges, NO_TAKE_OFF),
        MissReason::NoTrajectory => {
            let message = "no jump was found, with or without a change of direction in the air";
            return Explanation::new(Reason::Blocked, message);
        }
        MissReason::Blocked { at, by, done } => {
            let what = by.clone().unwrap_or_else(|| "a one-way surface".to_owned());
            let [place, from, to] = [*at, miss.from, miss.to].map(place_text);
            let percent = done * 100.0;
            let mut message = format!(
                "blocked at {place} by {what}, after {percent:.0} % of the attempt that gets \
                 furthest ({from} to {to})"
            );
            if by.is_none() && !profile.edges.contains(EdgeSet::DROP_THROUGH) {
                message += "; down through a one-way platform only with drop_through in edges";
            }
            return Explanation {
                at: Some(at.to_array()),
                by_what: Some(what),
                arc,
                ..Explanation::new(Reason::Blocked, message)
            };
        }
        MissReason::TooFar { across, limit } => {
            // The limit was scaled, so its last digits may differ.
            let key = if jumps && *limit <= 1.000_001 * f64::from(profile.max_jump[0]) {
                "max_jump"
            } else {
                "max_drop"
            };
            let why = format!("{across:.1} across, {}", allowed(*limit, key));
            (Reason::TooFar, "far", across - limit, why)
        }
        MissReason::TooHigh { rise, limit } => {
            let key = if jumps { "max_jump" } else { "jump in edges" };
            let why = format!("{rise:.1} up, {}", allowed(*limit, key));
            (Reason::TooHigh, "high", rise - limit, why)
        }
        MissReason::TooDeep { drop, limit } => {
            let why = format!("{drop:.1} down, {}", allowed(*limit, "max_drop"));
            (Reason::TooDeep, "deep", drop - limit, why)
        }
        MissReason::JumpTooLow { rise, apex } => {
            let why = format!("{rise:.1} up, and the highest jump rises {apex:.1} (jump_height)");
            (Reason::TooHigh, "high", rise - apex, why)
        }
        MissReason::FlightTooShort {
            across,
            covered,
            seconds,
        } => {
            let why = format!(
                "{across:.1} across, and the longest flight covers {covered:.1} in {seconds:.3} s \
                 (run_speed, jump_height)"
            );
            (Reason::TooFar, "far", across - covered, why)
        }
    };
    Explanation {
        by: Some(by),
        arc,
        ..Explanation::new(reason, format!("too {too} by {by:.1}: {why}"))
    }
}

fn allowed(limit: f64, key: &str) -> String {
    format!("and at most {} are allowed ({key})", number(limit))
}

/// An explanation from the data in a baked file: the shapes of platforms and
/// the limits of the agent.
fn of_shape(layer: &Layer, start: &Platform<'_>, goal: &Platform<'_>) -> Explanation {
    let profile = layer.profile();
    if profile.edges & (EdgeSet::JUMP | EdgeSet::DROP) == EdgeSet::NONE {
        return Explanation::new(Reason::NoEdges, NO_TAKE_OFF);
    }
    let down = f64::from(layer.grid().y_axis.down());
    // The least excess over the limits is at a corner of either surface.
    let from_start = start.surface.iter().map(|from| (*from, goal.clamp(from.x)));
    let to_goal = goal.surface.iter().map(|to| (start.clamp(to.x), *to));
    let misses = from_start.chain(to_goal).map(|(from, to)| {
        let across = f64::from((to.x - from.x).abs());
        let rise = f64::from(from.y - to.y) * down;
        let (by, reason) = MissReason::beyond(profile, across, rise);
        (by, NearMiss { from, to, reason })
    });
    let closest = misses.min_by(|a, b| a.0.total_cmp(&b.0));
    match closest {
        Some((by, miss)) if by > f64::from(layer.grid().spacing) * 1e-2 => {
            of_attempt(profile, &miss)
        }
        // Within the limits, so the reason lies in the level, which a baked
        // file does not hold.
        _ => {
            let message = "there is no link (run explain on the level to see why)";
            Explanation::new(Reason::NoLink, message)
        }
    }
}
