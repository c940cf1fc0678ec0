//! Trajectories for agents slower or weaker than the one a link was baked for.
//!
//! The baker checked the baked trajectory against the geometry. An agent that
//! cannot follow it may be able to get from the same take-off to the same
//! landing on another trajectory: a higher and slower one, or one with a slower
//! launch. Such a trajectory is checked here, against the limits and against
//! what is known of the geometry: free vertices ([`FreeSpace`]), the space so near to
//! the baked trajectory that nothing can be in it ([`NearbyMotion`]), the surfaces of
//! platforms, and one-way barriers.
//! A trajectory that they do not prove to be free is refused, so some links are
//! left out although the agent could take them. Above the grid nothing is known:
//! geometry goes on there where a bake covers a part of a level, or shapes lie
//! outside of a map.

use glam::{DVec2, Vec2};

use super::free_space::{FreeSpace, is_free_motion};
use super::nearby_motion::NearbyMotion;
use crate::mesh::{
    Launch, Layer, Leg, Limits, Link, StepKind, Trajectory, TrajectoryParams, last_time,
};

/// The trajectory by which an agent with these limits takes a link, in baked
/// time: the baked one when it stays within the limits, otherwise another one,
/// if `may_replace`. `None` when the agent cannot take the link.
pub fn trajectory_within(
    layer: &Layer,
    link: &Link,
    limits: &Limits,
    may_replace: bool,
) -> Option<Trajectory> {
    let baked = baked_trajectory(layer, link)?;
    if link.kind == StepKind::Spring {
        // It throws each body as fast, and gravity must be that of the bake.
        let up = f64::INFINITY;
        let is_same = limits.time_scale == 1.0 && Limits { up, ..*limits }.allow(&baked);
        return is_same.then_some(baked);
    }
    if limits.allow(&baked) {
        Some(baked)
    } else if may_replace {
        replacement(layer, link, &baked, limits)
    } else {
        None
    }
}

/// The baked trajectory of a jump or a drop; `None` for other links.
pub fn baked_trajectory(layer: &Layer, link: &Link) -> Option<Trajectory> {
    if !link.kind.is_airborne() {
        return None;
    }
    let down = layer.grid().y_axis.down();
    let baked = (link.params).between(link.from, link.to, layer.profile(), down);
    baked.ok()
}

/// Launches that are tried when no other trajectory is free, as shares of the
/// way from the launch of the direct jump to the highest one. Each costs up to
/// four checks of the vertices along it; with more, hardly any more links are
/// found.
const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// The quickest trajectory from a link's take-off to its landing that an agent
/// can follow and that is certainly free, among a few that are tried.
fn replacement(
    layer: &Layer,
    link: &Link,
    baked: &Trajectory,
    limits: &Limits,
) -> Option<Trajectory> {
    let profile = layer.profile();
    // The baker checked only the baked trajectory, so here the limits of the
    // baked profile apply too.
    let limits = Limits {
        across: limits.across.min(f64::from(profile.run_speed)),
        up: limits.up.min(f64::from(profile.jump_speed)),
        air: (profile.steering()).map_or(limits.air, |most| limits.air.min(most)),
        ..*limits
    };
    let gravity = baked.fall.gravity;
    let DVec2 { x: across, y: up } = baked.end;
    let replacements = Replacements {
        layer,
        link,
        baked,
        limits,
        start_speeds: start_speeds(layer, link, baked),
        shortest: across.abs() / limits.across,
    };
    // Directly: as fast across as possible, with the launch that this needs.
    // In less time than a rise that ends at its apex takes, it would land rising; in less
    // than a fall from rest takes, it would need a push down.
    let seconds = (replacements.shortest).max((2.0 * up.abs() / gravity).sqrt());
    let direct = up / seconds + 0.5 * gravity * seconds;
    let quick = [
        replacements.straight(direct, seconds),
        replacements.slower(),
    ];
    let quickest = (quick.into_iter().flatten())
        .filter_map(|params| replacements.free(params, Some(baked)))
        .min_by(|a, b| a.duration.total_cmp(&b.duration));
    if quickest.is_some() || link.kind != StepKind::Jump {
        return quickest;
    }
    let mut launches = SHARES
        .map(|share| direct + share * (limits.up - direct))
        .into_iter();
    launches.find_map(|launch| replacements.higher(launch))
}

/// The search for another trajectory than the baked one.
struct Replacements<'a> {
    layer: &'a Layer,
    link: &'a Link,
    baked: &'a Trajectory,
    limits: Limits,
    /// See [`start_speeds`].
    start_speeds: [f64; 2],
    /// Seconds that the distance across takes at the greatest speed.
    shortest: f64,
}

impl Replacements<'_> {
    /// The trajectory with these parameters, if the agent can follow it and it is
    /// certainly free. One near `near` may be free because that one is.
    fn free(&self, params: TrajectoryParams, near: Option<&Trajectory>) -> Option<Trajectory> {
        let (layer, link) = (self.layer, self.link);
        let down = layer.grid().y_axis.down();
        let trajectory = params.between(link.from, link.to, layer.profile(), down);
        let trajectory = trajectory.ok()?;
        let lands = trajectory.velocity(trajectory.duration).y <= 0.0;
        let is_drop = trajectory.launches().iter().all(|l| l.speed <= 0.0);
        let [least, most] = self.start_speeds;
        let starts = |speed: f64| least <= speed && speed <= most;
        (lands
            && (is_drop || link.kind == StepKind::Jump)
            && self.limits.allow(&trajectory)
            && params.start_speed().is_none_or(starts)
            && is_clear_beside(layer, link.from, &trajectory, near))
        .then_some(trajectory)
    }

    /// Whether the agent cannot change its speed in the air at once.
    fn is_smooth(&self) -> bool {
        self.limits.air.is_finite()
    }

    /// A jump that takes some seconds, without a change of speed in the air.
    fn straight(&self, launch: f64, seconds: f64) -> Option<TrajectoryParams> {
        if self.is_smooth() {
            even(launch, self.baked.end.x / seconds)
        } else {
            jump(launch, &[])
        }
    }

    /// The baked trajectory at speeds that the agent can have.
    fn slower(&self) -> Option<TrajectoryParams> {
        let (baked, limits) = (self.baked, &self.limits);
        if !self.is_smooth() {
            return slowed(baked, |leg| (leg.speed.abs() / limits.across).max(1.0));
        }
        // All the way by one factor, so that the speeds of the legs still join. It divides
        // speeds, and its square divides accelerations.
        let factor = (baked.top_speed() / limits.across)
            .max((baked.top_acceleration() / limits.air).sqrt())
            .max(1.0);
        let start = baked.velocity(0.0).x / factor;
        slowed(baked, |_| factor).and_then(|params| params.with_start_speed(start).ok())
    }

    /// A higher jump: straight, and for agents that steer in the air, with the motion
    /// across at the end, at the start or in the middle. An agent that cannot
    /// change its speed at once speeds up or slows down all the way.
    fn higher(&self, launch: f64) -> Option<Trajectory> {
        // It is too far from the baked trajectory for that one to prove anything.
        let free = |params| self.free(params, None);
        let gravity = self.baked.fall.gravity;
        let DVec2 { x: across, y: up } = self.baked.end;
        let square = launch * launch - 2.0 * gravity * up;
        let seconds = (launch + square.max(0.0).sqrt()) / gravity;
        let rest = seconds - self.shortest;
        let straight = self.straight(launch, seconds).and_then(free);
        let steers = self.layer.profile().air_control;
        if straight.is_some() || square < 0.0 || rest <= 0.0 || !steers {
            return straight;
        }
        if self.is_smooth() {
            // From rest, or to rest: with one acceleration all the way, the mean of the
            // speeds at both ends is `across / seconds`.
            let starts = [0.0, 2.0 * across / seconds].into_iter();
            return starts
                .filter_map(|start| even(launch, start))
                .find_map(free);
        }
        let wait = |duration: f64| Leg {
            duration,
            speed: 0.0,
        };
        let dash = Leg {
            duration: self.shortest,
            speed: self.limits.across * across.signum(),
        };
        let steered = [
            jump(launch, &[wait(rest)]),
            jump(launch, &[dash]),
            jump(launch, &[wait(0.5 * rest), dash]),
        ];
        steered.into_iter().flatten().find_map(free)
    }
}

/// A jump with one acceleration across, from a speed at take-off.
fn even(launch: f64, start: f64) -> Option<TrajectoryParams> {
    jump(launch, &[])?.with_start_speed(start).ok()
}

/// The horizontal speeds, per baked second, with which a body can take off: what
/// the run-up on the platform allows from rest, or the baked one.
fn start_speeds(layer: &Layer, link: &Link, baked: &Trajectory) -> [f64; 2] {
    let baked = baked.velocity(0.0).x;
    let acceleration = f64::from(layer.profile().acceleration);
    let (mut least, mut most) = (baked.min(0.0), baked.max(0.0));
    if let Some(from) = layer.platform(link.from_platform) {
        let speed = |room: f32| (2.0 * acceleration * f64::from(room.max(0.0))).sqrt();
        least = least.min(-speed(from.right().x - link.from.x));
        most = most.max(speed(link.from.x - from.left().x));
    }
    let slack = 1e-6 * f64::from(layer.profile().run_speed); // for rounding
    [least - slack, most + slack]
}

/// A jump with a launch at once.
fn jump(launch: f64, legs: &[Leg]) -> Option<TrajectoryParams> {
    // Rounded up, so that the landing stays within reach. A launch of less than a
    // thousandth of a unit per second counts as none.
    let launch = (launch as f32).next_up();
    let launch = if launch < 1e-3 { 0.0 } else { launch };
    let launch = Launch {
        time: 0.0,
        speed: launch.into(),
    };
    TrajectoryParams::new(&[launch], legs).ok()
}

/// The baked trajectory slowed down: each leg covers the same distance across in
/// `factor_of` it as much time, and the launch follows from the longer time.
fn slowed(baked: &Trajectory, factor_of: impl Fn(&Leg) -> f64) -> Option<TrajectoryParams> {
    let [Launch { time: level, .. }] = *baked.launches() else {
        return None;
    };
    let (mut begin, mut seconds, mut level_seconds) = (0.0, 0.0, 0.0);
    let mut legs = [Leg::default(); TrajectoryParams::MAX_LEGS];
    for (slot, leg) in legs.iter_mut().zip(baked.legs()) {
        let time = leg.duration;
        let factor = factor_of(leg);
        level_seconds += (level - begin).clamp(0.0, time) * factor;
        seconds += time * factor;
        begin += time;
        *slot = Leg {
            duration: time * factor,
            speed: leg.speed / factor,
        };
    }
    let air = seconds - level_seconds;
    let launch = baked.end.y / air + 0.5 * baked.fall.gravity * air;
    let launch = Launch {
        time: level_seconds,
        speed: if launch.abs() < 1e-3 { 0.0 } else { launch },
    };
    let legs = legs.get(..baked.legs().len().checked_sub(1)?)?;
    TrajectoryParams::new(&[launch], legs).ok()
}

/// Whether a trajectory from a position is free: the body is blocked nowhere, falls through no
/// surface before its landing, and passes no one-way barrier against its
/// direction.
pub fn is_clear(layer: &Layer, from: Vec2, trajectory: &Trajectory) -> bool {
    is_clear_beside(layer, from, trajectory, None)
}

/// [`is_clear`] for a trajectory near a baked one from the same position.
fn is_clear_beside(
    layer: &Layer,
    from: Vec2,
    trajectory: &Trajectory,
    baked: Option<&Trajectory>,
) -> bool {
    let space = FreeSpace::new(layer, [&[], &[]]);
    let baked = baked.map(|baked| NearbyMotion::new(layer, from, baked));
    let is_free = |min, max| {
        space.has_box(min, max)
            || baked
                .as_ref()
                .is_some_and(|baked| baked.frees(&space, min, max))
    };
    let down = layer.grid().y_axis.down();
    let at = |t: f64| trajectory.position(from, down, t);
    trajectory.knots().windows(2).all(|knots| {
        let (begin, end) = (knots[0], knots[1]);
        let (a, b) = (at(begin), at(end));
        // Between two knots x is linear and y only rises or only falls, so the
        // sum of the differences bounds the length.
        let length = (b - a).abs().element_sum();
        let bounds = |s: f64, t: f64| {
            let (p, q) = (at(begin + s), at(begin + t));
            (p.min(q), p.max(q))
        };
        begin >= end
            || (is_free_motion(length, end - begin, layer.grid().spacing, &bounds, &is_free)
                && !sinks(layer, &at, [begin, end], trajectory.duration)
                && space.stopper(at, [begin, end]).is_none())
    })
}

/// Whether the feet pass down through a surface between two knots; a landing does
/// not count.
fn sinks(layer: &Layer, at: &impl Fn(f64) -> DVec2, [begin, end]: [f64; 2], landing: f64) -> bool {
    let down = f64::from(layer.grid().y_axis.down());
    // Twice the distance within which feet count as on a floor (see `locate`),
    // because rounding can put the start of a trajectory slightly below its
    // surface.
    let slack = f64::from(layer.grid().spacing) * 2e-3;
    let (a, b) = (at(begin), at(end));
    if (b.y - a.y) * down <= 0.0 {
        return false;
    }
    let mut found = false;
    let (min, max) = (a.min(b).as_vec2(), a.max(b).as_vec2());
    layer.floor_segments(min, max, |_, left, right| {
        if found || right.x <= left.x {
            return;
        }
        let slope = f64::from(right.y - left.y) / f64::from(right.x - left.x);
        let below = |t: f64| {
            let p = at(t);
            let surface = f64::from(left.y) + slope * (p.x - f64::from(left.x));
            (p.y - surface) * down
        };
        if below(begin) > slack || below(end) <= slack {
            return;
        }
        let above = last_time([begin, end], |t| below(t) <= 0.0);
        let x = at(above).x;
        let is_on = x > f64::from(left.x) + slack && x < f64::from(right.x) - slack;
        found = is_on && above < landing - 1e-6;
    });
    found
}
