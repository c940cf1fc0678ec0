//! Why two places are linked, or are not.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, Launch, Layer, Link, NavMesh, Platform, TrajectoryParams,
};
use serde::Serialize;

/// What stands in the way of a body with its feet at a point (world units);
/// `None` where nothing does.
pub type Blocks<'a> = dyn Fn(Vec2) -> Option<String> + 'a;

/// The answer to "why is there no link from here to there?".
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Whether one link (or a walk) leads from the one platform to the other.
    pub linked: bool,
    /// One word for the answer.
    pub reason: Reason,
    /// The answer in a sentence.
    pub message: String,
    /// By how many world units it is too far, too high or too deep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<f64>,
    /// Where the body is stopped on the best arc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f32; 2]>,
    /// What stops it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_what: Option<String>,
    /// The best link, or the arc that comes closest: from, to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arc: Option<[[f32; 2]; 2]>,
}

/// One word for an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Both places are on one platform.
    SamePlatform,
    /// There is a link.
    Linked,
    /// There is nothing to stand on near one of the places.
    NoFloor,
    /// The agent neither jumps nor drops, or not as needed here.
    NoEdges,
    /// Beyond the furthest across, or more than a flight can cover.
    TooFar,
    /// Above the highest a jump may end or can rise.
    TooHigh,
    /// Below the deepest a drop may end.
    TooDeep,
    /// Something is in the way of every arc.
    Blocked,
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
        }
    }

    fn by(mut self, by: f64) -> Self {
        self.by = Some(by);
        self
    }

    fn arc(mut self, from: Vec2, to: Vec2) -> Self {
        self.arc = Some([from.to_array(), to.to_array()]);
        self
    }
}

/// Explains whether an agent can go from one place to another by one link:
/// the platforms at (or nearest to) both are compared, and where no link
/// joins them, the failure that comes closest to success is told.
pub fn explain(
    mesh: &NavMesh,
    layer: &Layer,
    from: Vec2,
    to: Vec2,
    blocks: &Blocks<'_>,
) -> Explanation {
    let spacing = mesh.grid().spacing;
    let platform = |at: Vec2| {
        let spot = layer
            .floor_below(at, 2.0 * spacing)
            .or_else(|| layer.nearest_floor(at, 4.0 * spacing))?;
        layer.platform(spot.platform)
    };
    let nothing = |what: &str, at: Vec2| {
        let message = format!(
            "there is no floor for this agent near the {what}, {}, {}",
            at.x, at.y
        );
        Explanation::new(Reason::NoFloor, message)
    };
    let Some(start) = platform(from) else {
        return nothing("start", from);
    };
    let Some(goal) = platform(to) else {
        return nothing("goal", to);
    };
    if start.id() == goal.id() {
        let message = "both places are on one platform: the agent walks".to_string();
        return Explanation::new(Reason::SamePlatform, message);
    }
    let profile = layer.profile();
    if let Some(link) = best_link(layer, &start, &goal, from, to) {
        let message = format!(
            "a {} from {}, {} to {}, {} in {:.3} s, which may begin {:.3} s late",
            link.kind.name(),
            link.from.x,
            link.from.y,
            link.to.x,
            link.to.y,
            link.duration,
            link.tolerance
        );
        return Explanation::new(Reason::Linked, message).arc(link.from, link.to);
    }
    let pairs = Pairs::new(&start, &goal, spacing, mesh.down());
    let moves = profile.edges.intersection(EdgeSet::JUMP | EdgeSet::DROP);
    let message = match (moves.contains(EdgeSet::JUMP), moves.contains(EdgeSet::DROP)) {
        (false, false) => Some("the agent has neither jump nor drop among its edges"),
        (false, true) if pairs.lowest_rise() > 0.0 => {
            Some("the goal is higher, and the agent has no jump among its edges")
        }
        _ => None,
    };
    if let Some(message) = message {
        return Explanation::new(Reason::NoEdges, message.to_string());
    }
    pairs
        .beyond_limits(profile)
        .or_else(|| pairs.beyond_flight(profile))
        .unwrap_or_else(|| pairs.blocked(profile, mesh.down(), blocks))
}

/// The link between two platforms that is fastest from one place to another,
/// walking before and after it.
fn best_link<'a>(
    layer: &'a Layer,
    start: &Platform<'_>,
    goal: &Platform<'_>,
    from: Vec2,
    to: Vec2,
) -> Option<&'a Link> {
    let speed = layer.profile().run_speed;
    let cost = |link: &Link| {
        link.duration + ((link.from.x - from.x).abs() + (link.to.x - to.x).abs()) / speed
    };
    let (_, links) = layer.links_from(start.id());
    links
        .iter()
        .filter(|link| link.to_platform == goal.id())
        .min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// A take-off and a landing.
#[derive(Debug, Clone, Copy)]
struct Pair {
    from: Vec2,
    to: Vec2,
    /// Distance across.
    across: f64,
    /// How much higher the landing is.
    rise: f64,
}

/// Every take-off with every landing.
struct Pairs(Vec<Pair>);

/// Most places looked at on a platform, the nearest to the other one.
const MOST_PLACES: usize = 64;

impl Pairs {
    fn new(start: &Platform<'_>, goal: &Platform<'_>, spacing: f32, down: f32) -> Self {
        let (leaves, lands) = (places(start, goal, spacing), places(goal, start, spacing));
        let pair = |from: Vec2, to: Vec2| Pair {
            from,
            to,
            across: f64::from((to.x - from.x).abs()),
            rise: f64::from((from.y - to.y) * down),
        };
        Self(
            leaves
                .iter()
                .flat_map(|&from| lands.iter().map(move |&to| pair(from, to)))
                .collect(),
        )
    }

    fn lowest_rise(&self) -> f64 {
        self.0.iter().map(|p| p.rise).fold(f64::INFINITY, f64::min)
    }

    /// The pair with the least of something.
    fn least(&self, of: impl Fn(&Pair) -> f64) -> Option<(&Pair, f64)> {
        self.0
            .iter()
            .map(|p| (p, of(p)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether even the nearest pair is beyond the configured limits.
    fn beyond_limits(&self, profile: &AgentProfile) -> Option<Explanation> {
        let jumps = profile.edges.contains(EdgeSet::JUMP);
        let widest = f64::from(if jumps {
            profile.max_jump[0].max(profile.max_drop[0])
        } else {
            profile.max_drop[0]
        });
        let highest = f64::from(if jumps { profile.max_jump[1] } else { 0.0 });
        let deepest = f64::from(profile.max_drop[1]);
        let over = |p: &Pair| {
            [
                (p.across - widest).max(0.0),
                (p.rise - highest).max(0.0),
                (-p.rise - deepest).max(0.0),
            ]
        };
        let (pair, by) = self.least(|p| over(p).iter().sum())?;
        if by <= 1e-3 {
            return None;
        }
        let [far, high, deep] = over(pair);
        let (reason, by, what) = if far >= high && far >= deep {
            (
                Reason::TooFar,
                far,
                format!(
                    "too far by {far:.1}: {:.1} across, and at most {widest} are allowed",
                    pair.across
                ),
            )
        } else if high >= deep {
            (
                Reason::TooHigh,
                high,
                format!(
                    "too high by {high:.1}: {:.1} up, and at most {highest} are allowed",
                    pair.rise
                ),
            )
        } else {
            (
                Reason::TooDeep,
                deep,
                format!(
                    "too deep by {deep:.1}: {:.1} down, and at most {deepest} are allowed",
                    -pair.rise
                ),
            )
        };
        Some(
            Explanation::new(reason, what)
                .by(by)
                .arc(pair.from, pair.to),
        )
    }

    /// Whether even the longest flight of the easiest pair is too short.
    fn beyond_flight(&self, profile: &AgentProfile) -> Option<Explanation> {
        let (gravity, speed) = (f64::from(profile.gravity), f64::from(profile.run_speed));
        let launch = if profile.edges.contains(EdgeSet::JUMP) {
            f64::from(profile.jump_speed)
        } else {
            0.0
        };
        let apex = launch * launch / (2.0 * gravity);
        let (pair, short) = self.least(|p| (p.rise - apex).max(0.0))?;
        if short > 1e-3 {
            let message = format!(
                "too high by {short:.1}: its jump rises {apex:.1}, and the goal is {:.1} up",
                pair.rise
            );
            return Some(
                Explanation::new(Reason::TooHigh, message)
                    .by(short)
                    .arc(pair.from, pair.to),
            );
        }
        let flight = |p: &Pair| {
            (launch + (launch * launch - 2.0 * gravity * p.rise).max(0.0).sqrt()) / gravity
        };
        let missing = |p: &Pair| {
            if p.rise > apex {
                f64::INFINITY
            } else {
                p.across - speed * flight(p)
            }
        };
        let (pair, short) = self.least(missing)?;
        (short > 1e-3).then(|| {
            let message = format!(
                "too far by {short:.1}: {:.1} across, and in the {:.3} s of its longest flight it covers {:.1}",
                pair.across,
                flight(pair),
                pair.across - short
            );
            Explanation::new(Reason::TooFar, message).by(short).arc(pair.from, pair.to)
        })
    }

    /// Where the arc that gets furthest is stopped.
    fn blocked(&self, profile: &AgentProfile, down: f32, blocks: &Blocks<'_>) -> Explanation {
        const SPEEDS: u32 = 12;
        let gravity = f64::from(profile.gravity);
        let greatest = if profile.edges.contains(EdgeSet::JUMP) {
            profile.jump_speed
        } else {
            0.0
        };
        let mut best: Option<(f64, Pair, Vec2, String)> = None;
        for pair in &self.0 {
            for k in 0..=SPEEDS {
                let launch = greatest * k as f32 / SPEEDS as f32;
                let launch = Launch {
                    time: 0.0,
                    speed: launch.into(),
                };
                let arc = TrajectoryParams::new(&[launch], &[])
                    .and_then(|p| p.between(pair.from, pair.to, gravity, down));
                let Ok(arc) = arc else { continue };
                if arc.top_speed() > f64::from(profile.run_speed) * 1.001 {
                    continue;
                }
                if let Some((part, at, what)) = stop(pair, &arc, down, blocks)
                    && best.as_ref().is_none_or(|b| part > b.0)
                {
                    best = Some((part, *pair, at, what));
                }
            }
        }
        let Some((part, pair, at, what)) = best else {
            let message = "no arc of one leg reaches it, and none that bends was found".to_string();
            return Explanation::new(Reason::Blocked, message);
        };
        let message = format!(
            "blocked at {:.1}, {:.1} by {what}, {:.0} % along the best arc ({}, {} to {}, {})",
            at.x,
            at.y,
            part * 100.0,
            pair.from.x,
            pair.from.y,
            pair.to.x,
            pair.to.y
        );
        let mut explanation = Explanation::new(Reason::Blocked, message).arc(pair.from, pair.to);
        explanation.at = Some(at.to_array());
        explanation.by_what = Some(what);
        explanation
    }
}

/// Where an arc is stopped first: how much of it was done, and by what.
fn stop(
    pair: &Pair,
    arc: &navmesh_runtime::mesh::Trajectory,
    down: f32,
    blocks: &Blocks<'_>,
) -> Option<(f64, Vec2, String)> {
    const STEPS: u32 = 64;
    (1..STEPS).find_map(|i| {
        let part = f64::from(i) / f64::from(STEPS);
        let offset = arc.offset(arc.duration() * part);
        let feet = pair.from.as_dvec2() + DVec2::new(offset.x, -f64::from(down) * offset.y);
        let feet = feet.as_vec2();
        blocks(feet).map(|what| (part, feet, what))
    })
}

/// Places on a platform, the nearest to another one first: its lips, its
/// corners, and points a cell apart.
fn places(platform: &Platform<'_>, other: &Platform<'_>, spacing: f32) -> Vec<Vec2> {
    let (left, right) = (platform.left().x, platform.right().x);
    let count = ((right - left) / spacing) as u32;
    let mut xs: Vec<f32> = (0..=count).map(|i| left + i as f32 * spacing).collect();
    xs.push(right);
    xs.extend(platform.surface().iter().map(|p| p.x));
    let far = |x: f32| (other.left().x - x).max(x - other.right().x).max(0.0);
    xs.sort_by(|a, b| far(*a).total_cmp(&far(*b)).then(a.total_cmp(b)));
    xs.dedup();
    xs.truncate(MOST_PLACES);
    xs.into_iter().map(|x| platform.clamp(x)).collect()
}
