//! What an agent wants and what it avoids: they rate headings by what is around it.

use glam::Vec2;

use super::agent::{Obstacle, Surroundings, space};
use super::context_map::{ContextMap, add_greatest};
use navmesh_runtime::search::Rect;

/// Cosine of the greatest angle at which a heading counts as one to a waypoint: a little
/// more than half of that between two of 8 headings.
const STRAIGHT: f32 = 0.9;

/// Something that an agent wants. Favours add up; a game swaps them when the agent
/// changes its mind. Weights are above 0; 1 is the agent's full speed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Favour {
    /// Towards the target, by way of the waypoint.
    Chase {
        /// The interest.
        weight: f32,
        /// The distance to the target, world units, at which it begins to slow down;
        /// 0 to run into it.
        #[cfg_attr(feature = "serde", serde(default))]
        arrive: f32,
    },
    /// Away from the target.
    Flee {
        /// The interest at the target.
        weight: f32,
        /// The distance, world units, at which the interest has fallen to 0.
        within: f32,
    },
    /// Around the target.
    Circle {
        /// The interest.
        weight: f32,
        /// The distance to keep, world units.
        radius: f32,
        /// Clockwise where y grows downwards; otherwise the other way round.
        #[cfg_attr(feature = "serde", serde(default))]
        reverse: bool,
    },
    /// In to the target, then out, then in again.
    Dart {
        /// The interest.
        weight: f32,
        /// The distance, world units, at which it turns away.
        near: f32,
        /// The distance at which it comes back.
        far: f32,
    },
    /// Towards one item after another; near ones count more.
    SeekItems {
        /// The interest of an item at hand.
        weight: f32,
        /// The distance, world units, at which the interest has fallen to 0.
        within: f32,
    },
    /// Towards the middle of a region, such as the room of a boss.
    Middle {
        /// The interest at the region's border and beyond; in the middle it is 0.
        weight: f32,
        /// One corner of the region.
        min: Vec2,
        /// The opposite corner.
        max: Vec2,
    },
}

/// Something that an agent avoids. Look-ahead distances are world units: danger is 0
/// from there on and 1 at the obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Danger {
    /// Whatever stops the agent's body in a straight flight: geometry, the border of
    /// the level, closed doors.
    Walls {
        /// How far it looks.
        look_ahead: f32,
    },
    /// [Allies](Surroundings::allies), where they will be. Agents that meet pass each
    /// other on the same side.
    Allies {
        /// How far it looks.
        look_ahead: f32,
    },
    /// [Hazards](Surroundings::hazards), where they will be.
    Hazards {
        /// How far it looks.
        look_ahead: f32,
    },
    /// The target itself.
    Target {
        /// The distance to keep, world units.
        radius: f32,
        /// How far it looks.
        look_ahead: f32,
    },
    /// Being far from the [anchor](Surroundings::anchor): headings that lead away
    /// from it.
    TooFar {
        /// The distance, world units, at which all of them are masked. Danger begins
        /// at four fifths of it.
        distance: f32,
    },
}

/// Adds the interest of a favour. `is_out` is whether an agent that darts is on its way
/// out.
pub fn add_interest(favour: Favour, map: &mut ContextMap, around: &Surroundings<'_>, is_out: bool) {
    use Favour::{Chase, Circle, Dart, Flee, Middle, SeekItems};
    if around.target.is_none() && !matches!(favour, SeekItems { .. } | Middle { .. }) {
        return;
    }
    let here = around.position;
    let to = around.target.map_or(Vec2::ZERO, |target| target - here);
    let way = around.waypoint.map_or(to, |point| point - here);
    match favour {
        Chase { weight, arrive } => {
            map.add_interest(way, weight * fraction(to.length(), arrive));
        }
        Flee { weight, within } => {
            map.add_interest(-to, weight * (1.0 - fraction(to.length(), within)));
        }
        Circle {
            weight,
            radius,
            reverse,
        } => {
            let (inwards, away) = (to.normalize_or_zero(), to.length() - radius);
            let side = inwards.perp();
            let along = if reverse { -side } else { side };
            // At half or twice the distance, as much to or from the target.
            let correction = (2.0 * away / radius.max(f32::EPSILON)).clamp(-1.0, 1.0);
            map.add_interest(along + correction * inwards, weight);
        }
        Dart { weight, .. } => map.add_interest(if is_out { -to } else { way }, weight),
        SeekItems { weight, within } => {
            let items = around.items.iter().map(|item| *item - here);
            let near = |to: Vec2| weight * (1.0 - fraction(to.length(), within));
            add_greatest(map, items.map(|to| (to, near(to))));
        }
        Middle { weight, min, max } => {
            let Rect { min, max } = Rect::new(min, max);
            let (to, half) = (min.midpoint(max) - here, 0.5 * (max - min));
            let out = (to.abs() / half.max(Vec2::splat(f32::EPSILON))).max_element();
            map.add_interest(to, weight * out.min(1.0));
        }
    }
}

/// Whether an agent that darts is on its way out, after it was or was not.
pub fn is_out(favours: &[Favour], around: &Surroundings<'_>, was_out: bool) -> bool {
    let mut is_out = was_out;
    for favour in favours {
        if let (Favour::Dart { near, far, .. }, Some(target)) = (favour, around.target) {
            let limit = if is_out { *far } else { *near };
            is_out = target.distance(around.position) < limit;
        }
    }
    is_out
}

/// Adds a danger, for an agent of some speed that may see its waypoint.
pub fn add_danger(
    danger: Danger,
    map: &mut ContextMap,
    around: &Surroundings<'_>,
    speed: f32,
    way: Option<Vec2>,
) {
    let here = around.position;
    match danger {
        Danger::Walls { look_ahead } => {
            let space = space(around.environment);
            let goal = around.waypoint.or(around.target);
            let to = goal.map_or(Vec2::INFINITY, |goal| goal - here);
            let distance = to.length();
            map.add_danger(|heading| {
                // No wall is in the way to a waypoint that it sees.
                if way.is_some_and(|way| heading.dot(way) > STRAIGHT * way.length()) {
                    return 0.0;
                }
                let clear = space.clear_length(here, here + look_ahead * heading);
                // A wall behind the goal is not in the way of headings within 45° of it.
                let along = heading.dot(to);
                if distance < look_ahead && along > 0.7 * distance && clear >= along {
                    return 0.0;
                }
                1.0 - fraction(clear, look_ahead)
            });
        }
        Danger::Allies { look_ahead } => {
            for ally in around.allies.iter().filter(|ally| ally.position != here) {
                // What would be met head-on is passed on one side: it counts as
                // being a little to the other. The tests pass with 0 to 0.5 of a radius;
                // with 1, agents do not get on well in a corridor and in a crowd.
                add_obstacle(map, here, ally, look_ahead, speed, 0.25);
            }
        }
        Danger::Hazards { look_ahead } => {
            for hazard in around.hazards {
                add_obstacle(map, here, hazard, look_ahead, speed, 0.0);
            }
        }
        Danger::Target { radius, look_ahead } => {
            if let Some(position) = around.target {
                let velocity = Vec2::ZERO;
                let target = Obstacle {
                    position,
                    velocity,
                    radius,
                };
                add_obstacle(map, here, &target, look_ahead, speed, 0.0);
            }
        }
        Danger::TooFar { distance } => {
            if let Some(anchor) = around.anchor {
                let away = here - anchor;
                // 0 at four fifths of the distance and 4 at all of it: there, the full
                // danger of 1 reaches to 75° on both sides of the way out.
                let out = 20.0 * away.length() / distance.max(f32::EPSILON) - 16.0;
                let away = away.normalize_or_zero();
                map.add_danger(|heading| out * heading.dot(away));
            }
        }
    }
}

/// Danger in the headings that lead past an obstacle at less than twice its radius.
fn add_obstacle(
    map: &mut ContextMap,
    here: Vec2,
    obstacle: &Obstacle,
    look_ahead: f32,
    speed: f32,
    aside: f32,
) {
    let (velocity, radius) = (obstacle.velocity, obstacle.radius);
    let to = obstacle.position - here;
    let distance = to.length();
    // It is at most a second ahead.
    let both = speed + velocity.length();
    if distance > look_ahead + radius + velocity.length() {
        return;
    }
    let time = (distance / both.max(f32::EPSILON)).min(1.0);
    let met = to + velocity * time;
    let to = met - aside * radius * met.perp().normalize_or_zero();
    let distance = to.length();
    let near = 1.0 - fraction(distance - radius, look_ahead);
    if near <= 0.0 {
        return;
    }
    map.add_danger(|heading| {
        let along = heading.dot(to);
        if along <= 0.0 {
            return 0.0;
        }
        // Full in the headings that hit it, and none at twice the radius: a limit
        // without width would come and go while the agent turns.
        let past = heading.perp_dot(to).abs();
        near * (2.0 - past / radius.max(f32::EPSILON)).clamp(0.0, 1.0)
    });
}

/// `part / whole` from 0 to 1; 1 of nothing.
fn fraction(part: f32, whole: f32) -> f32 {
    if whole > 0.0 {
        (part / whole).clamp(0.0, 1.0)
    } else {
        1.0
    }
}
