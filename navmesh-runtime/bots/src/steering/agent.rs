//! An agent that is steered, and what is around it.

use glam::{DVec2, Vec2};

use super::context_map::{ContextMap, is_open};
use super::favours::{Danger, Favour, add_danger, add_interest, is_out};
use navmesh_runtime::motion::Environment;
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::shared::{FreeSpace, closing_speed};

/// Cosine of the greatest angle between the heading of an agent that goes to its waypoint
/// and the straight way there: near to it, walls turn the heading aside.
const ROUGHLY: f32 = 0.7;

/// How quickly an agent can change its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringLimits {
    /// Greatest speed, world units per second.
    pub max_speed: f32,
    /// Greatest acceleration, world units per second².
    pub max_acceleration: f32,
    /// How eagerly the velocity follows the wanted one, per second: at 8 it covers
    /// most of the difference in an eighth of a second.
    pub turn_rate: f32,
}

/// What is around an agent in one update. Positions are feet, world units.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The layer baked for an agent that flies, and the doors of the level.
    pub environment: Environment<'a>,
    /// The agent's own position.
    pub position: Vec2,
    /// Its velocity, world units per second.
    pub velocity: Vec2,
    /// The target of its favours; without one, only [`Favour::SeekItems`] and
    /// [`Favour::Middle`] have an effect.
    pub target: Option<Vec2>,
    /// The next point on the way to the target, such as the corner of a path or a
    /// [breadcrumb](super::Breadcrumbs); `None` to go straight to the target. The agent
    /// comes to rest there, unless it gets another one before.
    pub waypoint: Option<Vec2>,
    /// Where [`Danger::TooFar`] measures from: the agent's home, or the nearest point
    /// of its path.
    pub anchor: Option<Vec2>,
    /// Things that [`Favour::SeekItems`] seeks.
    pub items: &'a [Vec2],
    /// The other agents. The list may hold the agent itself, so that all agents can
    /// share it: what is exactly at `position` is left out.
    pub allies: &'a [Obstacle],
    /// What hurts, and is not baked.
    pub hazards: &'a [Obstacle],
}

impl<'a> Surroundings<'a> {
    /// An agent at rest with nothing but walls around it.
    pub fn new(environment: Environment<'a>, position: Vec2) -> Self {
        Self {
            environment,
            position,
            velocity: Vec2::ZERO,
            target: None,
            waypoint: None,
            anchor: None,
            items: &[],
            allies: &[],
            hazards: &[],
        }
    }

    /// Whether the agent's body can fly straight to a position. For agents that also
    /// walk, space beyond the last free vertex before a wall, which is less than a
    /// spacing, counts as blocked.
    pub fn can_fly_to(&self, to: Vec2) -> bool {
        to.is_finite() && space(self.environment).sees(self.position, to)
    }
}

/// The free position near to an agent that was pushed a little into a wall where there
/// are no vertices.
fn nearest_air(around: &Surroundings<'_>) -> Option<DVec2> {
    let layer = around.environment.layer;
    let place = layer.snap(around.position, SnapTo::PathEnd)?.position;
    // Farther away, something may be between.
    let is_near = place.distance(around.position) <= 0.25 * layer.grid().spacing;
    (is_near && space(around.environment).has(place)).then(|| place.as_dvec2())
}

pub fn space(environment: Environment<'_>) -> FreeSpace<'_> {
    FreeSpace::new(environment.layer, [environment.doors.closed(), &[]])
}

/// A round obstacle that may move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obstacle {
    /// Its position, comparable with the agent's feet.
    pub position: Vec2,
    /// Its velocity, world units per second.
    pub velocity: Vec2,
    /// The distance of the two positions, world units, at which the agent touches it:
    /// for another agent of the same size, about the width of the body.
    pub radius: f32,
}

/// The steering of one agent: its favours and dangers, and the velocity that follows
/// from them.
///
/// Where the agent comes to rest when it brakes as hard as it can is always free. So
/// an agent that starts at rest at a free position and moves at that velocity touches no
/// wall, whatever its favours and dangers are; only a door that closes
/// right in front of it may be closer.
///
/// [`update`](Self::update) allocates nothing.
#[derive(Debug, Clone)]
pub struct Steering {
    /// What the agent wants. Swap them freely between updates.
    pub favours: Vec<Favour>,
    /// What it avoids.
    pub dangers: Vec<Danger>,
    /// How quickly it moves and turns.
    pub limits: SteeringLimits,
    /// How it weighs interest and danger.
    pub map: ContextMap,
    is_out: bool,
}

impl Steering {
    /// An agent without favours and dangers yet, which looks in that many directions
    /// ([`ContextMap::new`]).
    pub fn new(headings: usize, limits: SteeringLimits) -> Self {
        Self {
            favours: Vec::new(),
            dangers: Vec::new(),
            limits,
            map: ContextMap::new(headings),
            is_out: false,
        }
    }

    /// The velocity for the next `dt` seconds, world units per second. The agent
    /// moves by this times `dt`, in a straight line. From a position where the mesh
    /// does not have its body as free, less than a spacing from a wall, it first goes
    /// to where it is: along an axis, out of a corner to the free vertex beside it, or
    /// to a free position up to a quarter of a spacing away. It is finite, whatever the
    /// numbers are.
    pub fn update(&mut self, around: &Surroundings<'_>, dt: f32) -> Vec2 {
        self.is_out = is_out(&self.favours, around, self.is_out);
        for favour in &self.favours {
            add_interest(*favour, &mut self.map, around, self.is_out);
        }
        // The straight way to a waypoint that the agent sees.
        let waypoint = around.waypoint.filter(|to| around.can_fly_to(*to));
        let way = waypoint.map(|to| to - around.position);
        let speed = self.limits.max_speed;
        for danger in &self.dangers {
            add_danger(*danger, &mut self.map, around, speed, way);
        }
        let open = way.filter(|way| is_open(&self.map, *way));
        let next = match (open, self.map.choose()) {
            (Some(way), Some((heading, strength))) if heading.dot(way) > ROUGHLY * way.length() => {
                self.approach(around.velocity, way, strength * speed, dt)
            }
            (_, choice) => {
                let wanted = choice.map_or(Vec2::ZERO, |(heading, part)| heading * part * speed);
                // A step longer than the turn rate allows does not go past it.
                let share = (self.limits.turn_rate * dt).clamp(0.0, 1.0);
                let change = (wanted - around.velocity) * share;
                around.velocity + change.clamp_length_max(self.greatest_change(dt))
            }
        };
        let safe = self.safe_velocity(around, next, dt);
        if safe.is_finite() { safe } else { Vec2::ZERO }
    }

    /// The greatest change of the velocity in a step.
    fn greatest_change(&self, dt: f32) -> f32 {
        (self.limits.max_acceleration * dt).max(0.0)
    }

    /// The velocity nearest to the next one from which the agent can brake before
    /// anything blocks it.
    fn safe_velocity(&self, around: &Surroundings<'_>, next: Vec2, dt: f32) -> Vec2 {
        let limits = &self.limits;
        let (velocity, position) = (around.velocity, around.position);
        if !(velocity.is_finite() && position.is_finite() && dt.is_finite()) {
            return Vec2::ZERO;
        }
        let space = space(around.environment);
        if !space.has(position) {
            return self.back_to_free_space(around, dt);
        }
        let brake = self.greatest_change(dt);
        let is_safe = |next: Vec2| {
            let stop = next.length() / (2.0 * limits.max_acceleration.max(f32::EPSILON));
            let end = position + next * (dt + stop);
            next == Vec2::ZERO || (end.is_finite() && space.sees(position, end))
        };
        // Most edges of free space are along the axes, so an agent slides along them. It
        // passes along a slope in small steps of either direction.
        // What it takes to lose the velocity across is not left to change the one along.
        let slide = |axis: Vec2| {
            let (along, across) = (velocity.dot(axis), velocity.dot(axis.perp()));
            let most = (brake * brake - across * across).sqrt();
            (most >= 0.0).then(|| next.dot(axis).clamp(along - most, along + most) * axis)
        };
        let mut slides = [slide(Vec2::X), slide(Vec2::Y)];
        if next.y.abs() > next.x.abs() {
            slides.reverse();
        }
        // From a safe velocity, braking is safe: it ends at the same position.
        let stopping = velocity - velocity.clamp_length_max(brake);
        std::iter::once(next)
            .chain(slides.into_iter().flatten())
            .find(|next| is_safe(*next))
            .unwrap_or(if is_safe(stopping) {
                stopping
            } else {
                Vec2::ZERO
            })
    }

    /// The velocity that brings the agent to rest some way ahead, as fast as its
    /// acceleration allows.
    fn approach(&self, velocity: Vec2, to: Vec2, speed: f32, dt: f32) -> Vec2 {
        let acceleration = self.limits.max_acceleration.max(0.0);
        let closing = closing_speed(to.length().into(), 0.0, acceleration.into(), dt.into());
        let wanted = to.normalize_or_zero() * speed.min(closing as f32);
        velocity + (wanted - velocity).clamp_length_max(self.greatest_change(dt))
    }

    /// The velocity of an agent that was put where its body is not known to be free.
    fn back_to_free_space(&self, around: &Surroundings<'_>, dt: f32) -> Vec2 {
        let here = around.position.as_dvec2();
        let space = space(around.environment);
        let beside = space.nearest_known(here, |_| true);
        let to = beside.or_else(|| space.nearest_vertex(here, |_| true));
        let Some(to) = to.or_else(|| nearest_air(around)) else {
            return Vec2::ZERO;
        };
        let to = (to - here).as_vec2();
        let ahead = to.normalize_or_zero();
        let along = around.velocity.dot(ahead).max(0.0);
        self.approach(along * ahead, to, self.limits.max_speed, dt)
    }
}
