//! Explains why there is a link between two places, or why there is none.
//!
//! The answers come from the baked layer and from the stages that bake its
//! links, so they cannot contradict a bake.

use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, Layer, Link, Platform, PlatformId, PlatformKind};
use navmesh_runtime::search::{Location, PathFinder, PathOutcome, Query, locate};
use serde::Serialize;

use super::format::{number, point, position};
use crate::bake::{AgentMoves, FoundMove, MissReason, NearMiss};

/// Why there is a link from one place to another, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Whether a single link, or a walk, leads from the one platform to the
    /// other.
    pub linked: bool,
    /// The answer in one word.
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
    /// Without a route: the hop that would make one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingHop>,
}

/// A link of a route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RouteLink {
    /// The name of its kind.
    pub kind: &'static str,
    /// Where it starts, world units.
    pub from: [f32; 2],
    /// Where it ends.
    pub to: [f32; 2],
}

/// Of all pairs of a platform that can be reached and one that leads to the
/// goal, the closest pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MissingHop {
    /// The platform that can be reached.
    pub from_platform: u32,
    /// The platform that leads to the goal.
    pub to_platform: u32,
    /// Why no link joins the two, in one word.
    pub reason: Reason,
    /// Why no link joins them, as text.
    pub message: String,
}

/// An explanation in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    NoLink,
}

impl Explanation {
    fn new(reason: Reason, message: String) -> Self {
        Self {
            linked: matches!(reason, Reason::SamePlatform | Reason::Linked),
            reason,
            message,
            by: None,
            at: None,
            by_what: None,
            arc: None,
            route: Vec::new(),
            missing: None,
        }
    }
}

/// Explains whether an agent can go from one place to another by one link. The
/// places are those of the platforms at or nearest to `from` and `to`.
///
/// `moves` are those of the level and the settings that the layer was baked
/// from. Without them, as for a baked file, only links and limits are known.
pub fn explain(layer: &Layer, moves: Option<&AgentMoves<'_>>, from: Vec2, to: Vec2) -> Explanation {
    let spacing = layer.grid().spacing;
    let platform = |at: Vec2| {
        let standing = match locate(layer, at) {
            Some(Location::Floor(spot)) => Some(spot),
            _ => None,
        };
        let spot = standing
            .or_else(|| layer.floor_below(at, 2.0 * spacing))
            .or_else(|| layer.nearest_floor(at, 4.0 * spacing))
            .map(|spot| spot.platform);
        spot.map_or_else(
            || nearest_hold(layer, at, 4.0 * spacing),
            |id| layer.platform(id),
        )
    };
    let no_floor = |which: &str, at: Vec2| {
        let at = place(at);
        let message = format!("there is no floor for this agent near the {which}, {at}");
        Explanation::new(Reason::NoFloor, message)
    };
    let Some(start) = platform(from) else {
        return no_floor("start", from);
    };
    let Some(goal) = platform(to) else {
        return no_floor("goal", to);
    };
    explain_platforms(layer, moves, [start, goal], [from, to])
}

/// The nearest ladder, wall or ceiling, at most `radius` away.
fn nearest_hold(layer: &Layer, at: Vec2, radius: f32) -> Option<Platform<'_>> {
    let climbed = layer.platforms().filter(|p| p.kind != PlatformKind::Floor);
    let near = climbed
        .map(|p| (p.at(p.along(at)).distance(at), p))
        .filter(|(distance, _)| *distance <= radius);
    near.min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, platform)| platform)
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
    if !layer.profile().edges.walks() {
        let message = "the agent only flies, so it uses no links".to_owned();
        return Explanation::new(Reason::NoEdges, message);
    }
    if start.id == goal.id {
        let message = "both places are on one platform: the agent walks".to_string();
        return Explanation::new(Reason::SamePlatform, message);
    }
    if let Some(link) = best_link(layer, &start, &goal, places) {
        let message = format!(
            "a {} from {} to {} in {:.3} s, which may begin {:.3} s late",
            link.kind.name(),
            place(link.from),
            place(link.to),
            link.duration,
            link.tolerance
        );
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
        let there = if route.is_empty() {
            "; the agent flies there".to_owned()
        } else {
            format!("; a route leads there: {}", names(&route))
        };
        explanation.message += &there;
        explanation.route = route;
    } else if let Some(hop) = missing_hop(layer, moves, &start, &goal) {
        let (from, to) = (hop.from_platform, hop.to_platform);
        if (from, to) != (start.id.0, goal.id.0) {
            let missing = format!(
                "; no route leads there either: a link is missing from {} to {}: {}",
                platform_at(layer, from),
                platform_at(layer, to),
                hop.message
            );
            explanation.message += &missing;
        }
        explanation.missing = Some(hop);
    }
    explanation
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
    let cost = |link: &Link| {
        link.duration + ((link.from.x - from.x).abs() + (link.to.x - to.x).abs()) / speed
    };
    let wanted = (start.id, goal.id);
    (layer.links().iter())
        .filter(|link| (link.from_platform, link.to_platform) == wanted)
        .min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// The answer for a move that the bake left out.
fn thinned(layer: &Layer, found: &FoundMove) -> Explanation {
    let route = route(layer, [found.from, found.to]).unwrap_or_default();
    let message = format!(
        "a {} from {} to {} in {:.3} s is possible, but no link: this route is nearly as fast: {}",
        found.kind.name(),
        place(found.from),
        place(found.to),
        found.duration,
        names(&route)
    );
    Explanation {
        arc: Some(ends(found.from, found.to)),
        route,
        ..Explanation::new(Reason::Thinned, message)
    }
}

/// Why no link joins two platforms. `Err` is a move that the bake left out.
fn why_not(
    layer: &Layer,
    moves: Option<&AgentMoves<'_>>,
    start: &Platform<'_>,
    goal: &Platform<'_>,
) -> Result<Explanation, FoundMove> {
    match moves.map(|moves| moves.between(start.id, goal.id)) {
        Some(Ok(found)) => Err(found),
        Some(Err(miss)) => Ok(of_attempt(&miss)),
        None => Ok(of_shape(layer, start, goal)),
    }
}

fn ends(from: Vec2, to: Vec2) -> [[f32; 2]; 2] {
    [from.to_array(), to.to_array()]
}

/// The links of the fastest path between two places; none are needed where
/// the agent flies all the way.
fn route(layer: &Layer, [from, to]: [Vec2; 2]) -> Option<Vec<RouteLink>> {
    let mut finder = PathFinder::new();
    let found = finder.find(layer, &Query::new(from, to));
    let Ok(PathOutcome::Found(path)) = found else {
        return None;
    };
    let links = path.steps.iter().filter(|step| step.link.is_some());
    let links = links
        .map(|step| RouteLink {
            kind: step.kind.name(),
            from: step.from.to_array(),
            to: step.to.to_array(),
        })
        .collect();
    Some(links)
}

/// A position as text: `24,96.5`.
fn place(at: Vec2) -> String {
    position(point(at))
}

fn names(route: &[RouteLink]) -> String {
    let links = route.iter().map(|link| {
        let (from, to) = (place(link.from.into()), place(link.to.into()));
        format!("{} {from} -> {to}", link.kind)
    });
    links.collect::<Vec<_>>().join(", ")
}

fn platform_at(layer: &Layer, id: u32) -> String {
    let platform = layer.platform(PlatformId(id));
    let middle = platform.map(|p| {
        let (low, high) = p.extent();
        place(p.at(f32::midpoint(low, high)))
    });
    format!("the platform at {}", middle.unwrap_or_default())
}

/// Greatest number of pairs of platforms that are examined to find the missing
/// hop. The closest pair is nearly always the missing hop.
const MOST_HOPS: usize = 8;

/// The hop that separates the platforms reached from the start from those that
/// lead to the goal.
fn missing_hop(
    layer: &Layer,
    moves: Option<&AgentMoves<'_>>,
    start: &Platform<'_>,
    goal: &Platform<'_>,
) -> Option<MissingHop> {
    let graph = layer.link_graph();
    let reached = graph.reached_from([start.component]);
    let leading = graph.leading_to([goal.component]);
    let in_set = |set: &[bool]| -> Vec<Platform<'_>> {
        let platforms = layer.platforms();
        platforms
            .filter(|p| set.get(p.component as usize) == Some(&true))
            .collect()
    };
    // Stable: pairs of the same distance stay in the order of their platforms.
    let closest_first = |a: &Pair<'_>, b: &Pair<'_>| a.0.total_cmp(&b.0);
    let mut pairs = Vec::new();
    let leading = in_set(&leading);
    for a in in_set(&reached) {
        for b in &leading {
            pairs.push((distance(&a, b), a, *b));
            // Only the closest pairs are needed.
            if pairs.len() > 4096 {
                pairs.sort_by(closest_first);
                pairs.truncate(MOST_HOPS);
            }
        }
    }
    pairs.sort_by(closest_first);
    pairs.into_iter().take(MOST_HOPS).find_map(|(_, from, to)| {
        let failure = why_not(layer, moves, &from, &to).ok()?;
        Some(MissingHop {
            from_platform: from.id.0,
            to_platform: to.id.0,
            reason: failure.reason,
            message: failure.message,
        })
    })
}

/// Two platforms and the distance between them.
type Pair<'a> = (f32, Platform<'a>, Platform<'a>);

/// The distance between the rectangles around two platforms.
fn distance(a: &Platform<'_>, b: &Platform<'_>) -> f32 {
    let low = |p: &Platform<'_>| p.left().min(p.right());
    let high = |p: &Platform<'_>| p.left().max(p.right());
    let gap = low(a).max(low(b)) - high(a).min(high(b));
    gap.max(Vec2::ZERO).length()
}

/// An explanation from the attempt that comes closest.
fn of_attempt(miss: &NearMiss) -> Explanation {
    let arc = Some(ends(miss.from, miss.to));
    let (reason, by, why) = match &miss.reason {
        MissReason::NoTakeOff => {
            let message = "the agent cannot leave this platform through the air";
            return Explanation::new(Reason::NoEdges, message.to_owned());
        }
        MissReason::NoTrajectory => {
            let message = "no jump was found, with or without a change of direction in the air";
            return Explanation::new(Reason::Blocked, message.to_owned());
        }
        MissReason::Blocked { at, by, done } => {
            let what = by.clone().unwrap_or_else(|| "a one-way surface".to_owned());
            let message = format!(
                "blocked at {} by {what}, after {:.0} % of the attempt that gets furthest \
                 ({} to {})",
                place(*at),
                done * 100.0,
                place(miss.from),
                place(miss.to),
            );
            return Explanation {
                at: Some(at.to_array()),
                by_what: Some(what),
                arc,
                ..Explanation::new(Reason::Blocked, message)
            };
        }
        MissReason::TooFar { across, limit } => {
            let why = format!(
                "{across:.1} across, and at most {} are allowed",
                number(*limit)
            );
            (Reason::TooFar, across - limit, why)
        }
        MissReason::TooHigh { rise, limit } => {
            let why = format!("{rise:.1} up, and at most {} are allowed", number(*limit));
            (Reason::TooHigh, rise - limit, why)
        }
        MissReason::TooDeep { drop, limit } => {
            let why = format!("{drop:.1} down, and at most {} are allowed", number(*limit));
            (Reason::TooDeep, drop - limit, why)
        }
        MissReason::JumpTooLow { rise, apex } => {
            let why = format!("{rise:.1} up, and the highest jump rises {apex:.1}");
            (Reason::TooHigh, rise - apex, why)
        }
        MissReason::FlightTooShort {
            across,
            covered,
            seconds,
        } => {
            let why = format!(
                "{across:.1} across, and the longest flight covers {covered:.1} in {seconds:.3} s"
            );
            (Reason::TooFar, across - covered, why)
        }
    };
    let too = match reason {
        Reason::TooFar => "far",
        Reason::TooHigh => "high",
        _ => "deep",
    };
    Explanation {
        by: Some(by),
        arc,
        ..Explanation::new(reason, format!("too {too} by {by:.1}: {why}"))
    }
}

/// An explanation from the data in a baked file: the shapes of platforms and
/// the limits of the agent.
fn of_shape(layer: &Layer, start: &Platform<'_>, goal: &Platform<'_>) -> Explanation {
    let miss = |from, to, reason| of_attempt(&NearMiss { from, to, reason });
    let profile = layer.profile();
    let jumps = profile.edges.contains(EdgeSet::JUMP);
    if !jumps && !profile.edges.contains(EdgeSet::DROP) {
        return miss(Vec2::ZERO, Vec2::ZERO, MissReason::NoTakeOff);
    }
    let [drop_across, deepest] = profile.max_drop.map(f64::from);
    let (across, highest) = if jumps {
        let [across, up] = profile.max_jump.map(f64::from);
        (across.max(drop_across), up)
    } else {
        (drop_across, 0.0)
    };
    let down = f64::from(layer.grid().y_axis.down());
    // The least excess over the limits is at a corner of either surface.
    let pairs = (start.surface.iter())
        .map(|from| (*from, goal.clamp(from.x)))
        .chain((goal.surface.iter()).map(|to| (start.clamp(to.x), *to)));
    let excess = |from: Vec2, to: Vec2| {
        let rise = f64::from(from.y - to.y) * down;
        let far = f64::from((to.x - from.x).abs()) - across;
        [far, rise - highest, -rise - deepest].map(|v| v.max(0.0))
    };
    let sum = |pair: &(Vec2, Vec2)| excess(pair.0, pair.1).iter().sum::<f64>();
    let closest = pairs.min_by(|a, b| sum(a).total_cmp(&sum(b)));
    let (from, to) = closest.unwrap_or_default();
    let [far, high, deep] = excess(from, to);
    let reason = if far + high + deep <= f64::from(layer.grid().spacing) * 1e-2 {
        // Within the limits, so the reason lies in the level, which a baked
        // file does not hold.
        let message = "there is no link (run explain on the level to see why)";
        return Explanation::new(Reason::NoLink, message.to_owned());
    } else if far >= high && far >= deep {
        MissReason::TooFar {
            across: far + across,
            limit: across,
        }
    } else if high >= deep {
        MissReason::TooHigh {
            rise: high + highest,
            limit: highest,
        }
    } else {
        MissReason::TooDeep {
            drop: deep + deepest,
            limit: deepest,
        }
    };
    miss(from, to, reason)
}
