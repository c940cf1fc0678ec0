//! An agent that is steered.

use glam::Vec2;

use super::context_map::ContextMap;
use super::surroundings::{Danger, Favour, Surroundings, space};
use navmesh_runtime::shared::closing_speed;

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

impl SteeringLimits {
    /// The steering force, as an acceleration: (`desired` − `velocity`) × turn rate,
    /// not longer than the greatest acceleration. For bodies that an engine moves.
    pub fn acceleration(&self, velocity: Vec2, desired: Vec2) -> Vec2 {
        ((desired - velocity) * self.turn_rate).clamp_length_max(self.max_acceleration.max(0.0))
    }

    /// The velocity after `dt` seconds of [`acceleration`](Self::acceleration). A
    /// step longer than the turn rate allows does not go past `desired`.
    fn steer(&self, velocity: Vec2, desired: Vec2, dt: f32) -> Vec2 {
        let change = (desired - velocity) * (self.turn_rate * dt).clamp(0.0, 1.0);
        velocity + change.clamp_length_max((self.max_acceleration * dt).max(0.0))
    }
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
///
/// ```
/// # use glam::Vec2;
/// use navmesh_runtime::motion::Environment;
/// use navmesh_bots::steering::{Danger, Favour, Steering, SteeringLimits, Surroundings};
///
/// # fn game(environment: Environment<'_>, player: Vec2, mut position: Vec2) {
/// let limits = SteeringLimits { max_speed: 90.0, max_acceleration: 600.0, turn_rate: 8.0 };
/// let mut bat = Steering::new(16, limits);
/// bat.favours.push(Favour::Circle { weight: 1.0, radius: 48.0, reverse: false });
/// bat.dangers.push(Danger::Walls { look_ahead: 40.0 });
///
/// // In every frame:
/// let dt = 1.0 / 60.0;
/// let mut around = Surroundings::new(environment, position);
/// around.target = Some(player);
/// position += bat.update(&around, dt) * dt;
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Steering {
    /// What the agent wants. Swap them freely between updates.
    pub favours: Vec<Favour>,
    /// What it avoids.
    pub dangers: Vec<Danger>,
    /// How quickly it moves and turns.
    pub limits: SteeringLimits,
    /// Interest and danger in the last update.
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
    /// to where it is: along an axis, or out of a corner to the free vertex beside it.
    pub fn update(&mut self, around: &Surroundings<'_>, dt: f32) -> Vec2 {
        self.map.clear();
        let is_out = self.is_out;
        self.is_out = (self.favours.iter()).fold(is_out, |out, f| f.is_out(around, out));
        for favour in &self.favours {
            favour.add_to(&mut self.map, around, self.is_out);
        }
        let way = around.way();
        for danger in &self.dangers {
            danger.add_to(&mut self.map, around, self.limits.max_speed, way);
        }
        let speed = self.limits.max_speed;
        let choice = self.map.choose();
        let is_straight = |way: Vec2, heading: Vec2| {
            heading.dot(way) > ROUGHLY * way.length() && self.map.is_open(way)
        };
        let next = match (way, choice) {
            (Some(way), Some(choice)) if is_straight(way, choice.direction) => {
                self.approach(around.velocity, way, choice.strength * speed, dt)
            }
            _ => {
                let desired = choice.map_or(Vec2::ZERO, |c| c.direction * c.strength * speed);
                self.limits.steer(around.velocity, desired, dt)
            }
        };
        self.safe_velocity(around, next, dt)
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
        let brake = (limits.max_acceleration * dt).max(0.0);
        let is_safe = |next: Vec2| {
            let stop = next.length() / (2.0 * limits.max_acceleration.max(f32::EPSILON));
            let end = position + next * (dt + stop);
            next == Vec2::ZERO || (end.is_finite() && space.sees(position, end))
        };
        // Free space has edges along the axes only, so an agent slides along them.
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
        velocity + (wanted - velocity).clamp_length_max((acceleration * dt).max(0.0))
    }

    /// The velocity of an agent that was put between the last free vertex and a wall.
    fn back_to_free_space(&self, around: &Surroundings<'_>, dt: f32) -> Vec2 {
        let here = around.position.as_dvec2();
        let space = space(around.environment);
        let beside = space.nearest_known(here, |_| true);
        let Some(to) = beside.or_else(|| space.nearest_vertex(here)) else {
            return Vec2::ZERO;
        };
        let to = (to - here).as_vec2();
        let ahead = to.normalize_or_zero();
        let along = around.velocity.dot(ahead).max(0.0);
        self.approach(along * ahead, to, self.limits.max_speed, dt)
    }
}
