//! Finds the exact trajectory of a move, and checks it at every moment rather
//! than at samples.

use glam::DVec2;
use navmesh_runtime::mesh::{Launch, Leg, PlatformKind, Trajectory, TrajectoryParams};

use crate::connection::{Connection, ENOUGH, Endpoint};
use crate::flight::funnel::{FunnelGate, fewest_legs};
use crate::flight::moves::{Move, MoveFinder, SearchBuffers};
use crate::flight::smooth_motion::{Search, SmoothLimits, smooth_motion};
use crate::flight::smooth_reach::{may_pass, may_reach};
use crate::flight::take_off::{Departure, TakeOff};
use crate::flight::timing::gates_with_room;
use crate::flight::tolerance::{Room, Tolerance};
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::{ConfigurationSpace, Interval, Motion};
use crate::space::clearance::is_clear_in_slabs;
use crate::space::slabs::Slabs;

/// How far a stored speed may exceed its limit, as a factor: ten times the
/// rounding of f32.
const SPEED_SLACK: f64 = 1.0 + 1e-6;

/// Seconds in a step of a game: margins allow for what a body does in one.
pub const TICK: f64 = 1.0 / 60.0;

/// How far below the agent's greatest acceleration a motion is planned, as a
/// factor, because the asset rounds its numbers.
const ACCELERATION_ROOM: f64 = 1.0 - 1e-3;

/// The same for the greatest speed. The lattice rounds the ends of the motion, by less than
/// this share of any jump over a gap.
const SPEED_ROOM: f64 = 1.0 - 1e-5;

/// The same for a motion with margins: the rest is for a body that is off its
/// trajectory and steers back.
const STEERING_ROOM: f64 = 0.9;

/// A trajectory of a move that stays within every limit and hits nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution {
    /// The move, with the landing and duration of the trajectory. A smooth motion
    /// lands away from the ends of the platform if there is room.
    pub made: Move,
    /// The parameters that the asset stores.
    pub params: TrajectoryParams,
    pub trajectory: Trajectory,
    /// See [`Connection::tolerance`]. 0 until it is measured.
    pub tolerance: f32,
}

/// How far inside the ends of platforms motions with margins begin and end, in seconds
/// at run speed: where the body does not get that far, less.
const INSETS: [[f64; 2]; 5] = [
    [2.0 * TICK; 2],
    [0.0, 3.0 * TICK],
    [0.0, 2.0 * TICK],
    [0.0, 1.5 * TICK],
    [0.0, TICK],
];

/// Number of other jumps in the air that are tried for a move with one, the quickest first.
const MAX_AIR_TRIES: usize = 8;

/// How many times as long as the first motion with a tolerance others may take that have a
/// greater one.
const NEARLY: f64 = 1.1;

/// Whether a smooth motion has the room that a body needs which a physics engine moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Margins {
    Kept,
    None,
}

/// Which take-offs are tried for a smooth motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// That of the move, and the others from the same position.
    AnyTakeOff,
    /// That of the move.
    OneTakeOff,
    /// Any, also from farther back, without margins and up to walls. For platforms that no
    /// other motion reaches.
    LastResort,
}

/// Finds and checks trajectories for one agent.
pub struct TrajectorySolver<'a> {
    pub finder: &'a MoveFinder<'a>,
    pub space: &'a dyn ConfigurationSpace,
}

impl TrajectorySolver<'_> {
    /// The link of a move: with its take-off, or with another one from the same
    /// position. Motions that take `longest` seconds or more, with margins and
    /// without, are not looked for, except the direct jump. Of those that take up to [`NEARLY`]
    /// times as long as the first one, the one with the most tolerance up to [`ENOUGH`].
    pub fn link(
        &self,
        buffers: &mut SearchBuffers,
        candidate: &Move,
        longest: [f64; 2],
        effort: Effort,
    ) -> Option<Connection> {
        let solution = match self.finder.limits.air_acceleration {
            Some(most) => self.smooth(buffers, candidate, longest, effort, most),
            None => self.unsteady(buffers, candidate, longest[0]),
        }?;
        let made = &solution.made;
        Some(Connection {
            from: made.from,
            to: made.to,
            kind: made.take_off.kind(),
            params: solution.params,
            duration: made.duration,
            tolerance: solution.tolerance,
        })
    }

    /// The least time that any jump between two positions can take: the time to
    /// run the distance across or the time to fall the height from rest,
    /// whichever is longer. Rising takes at least as long as falling, because a
    /// jump must not land while it rises.
    pub fn direct_duration(&self, from: &Endpoint, to: &Endpoint) -> f64 {
        let limits = self.finder.limits;
        let across = (to.x - from.x).abs() / limits.run_speed;
        let height = (2.0 * (to.y - from.y).abs() / limits.fall.gravity).sqrt();
        across.max(height)
    }

    /// The direct jump: one horizontal speed, in the time T that
    /// [`direct_duration`](Self::direct_duration) returns. Its upward speed at
    /// take-off is `(rise + ½gT²) / T`.
    fn direct_jump(&self, buffers: &SearchBuffers, candidate: &Move) -> Option<Solution> {
        let (from, to) = (&candidate.from, &candidate.to);
        let limits = self.finder.limits;
        let duration = self.direct_duration(from, to);
        let rise = from.y - to.y;
        let speed = (rise + 0.5 * limits.fall.gravity * duration * duration) / duration;
        // Rounded up, because a shorter flight would need more than the
        // greatest horizontal speed.
        let speed = f64::from((speed as f32).next_up());
        let may_jump = matches!(candidate.take_off.departure, Departure::Jump(_))
            && limits.jumps()
            && self.finder.is_within_limits(from, to, true)
            && speed > 0.0
            && speed <= limits.jump_speed * SPEED_SLACK;
        let jump = Launch { time: 0.0, speed };
        let params = may_jump.then(|| TrajectoryParams::new(&[jump], &[]).ok());
        self.check(buffers, candidate, params.flatten()?)
    }

    /// A trajectory whose speed changes at once: the direct jump, or one with as few legs as
    /// possible, or one that takes nearly as little time and has a greater tolerance.
    fn unsteady(
        &self,
        buffers: &mut SearchBuffers,
        candidate: &Move,
        longest: f64,
    ) -> Option<Solution> {
        let first = (self.direct_jump(buffers, candidate))
            .or_else(|| self.with_few_legs(buffers, candidate, longest))?;
        let mut best = Solution {
            tolerance: self.room(buffers, &first).tolerance,
            ..first
        };
        let most = longest.min(NEARLY * first.made.duration);
        for take_off in self.smooth_take_offs(candidate, Effort::AnyTakeOff) {
            let other = Move {
                take_off,
                ..*candidate
            };
            let seconds = self.motion(&other).last().falling_at(other.to.y);
            if best.tolerance >= ENOUGH || !(first.made.duration..most).contains(&seconds) {
                continue;
            }
            let Some(other) = self.fewest_legs(buffers, &other) else {
                continue;
            };
            let tolerance = self.room(buffers, &other).tolerance;
            if tolerance > best.tolerance {
                best = Solution { tolerance, ..other };
            }
        }
        Some(best)
    }

    /// A trajectory whose speed changes at once, with as few legs as possible. If there
    /// is none with the take-off of the move, each higher jump is tried: slabs describe
    /// slanted ground only roughly, so the trajectory of a move can hit it.
    fn with_few_legs(
        &self,
        buffers: &mut SearchBuffers,
        candidate: &Move,
        longest: f64,
    ) -> Option<Solution> {
        if candidate.duration >= longest {
            return None;
        }
        let take_off = candidate.take_off;
        let is_plain_jump = take_off.speed() > 0.0 && take_off.air_jumps().is_empty();
        self.fewest_legs(buffers, candidate).or_else(|| {
            let take_offs = self
                .finder
                .take_offs(candidate.endpoint as usize)
                .into_iter();
            take_offs
                .filter(|higher| is_plain_jump && higher.air_jumps().is_empty())
                .filter(|higher| higher.speed() > take_off.speed())
                .find_map(|take_off| {
                    let higher = Move {
                        take_off,
                        ..*candidate
                    };
                    self.fewest_legs(buffers, &higher)
                })
        })
    }

    /// The trajectory of a move whose speed changes at once, with as few legs as
    /// possible.
    fn fewest_legs(&self, buffers: &mut SearchBuffers, candidate: &Move) -> Option<Solution> {
        let limits = self.finder.limits;
        let motion = self.motion(candidate);
        let straight = self.straight(buffers, candidate, &motion);
        if straight.is_some() || !limits.air_control {
            return straight;
        }
        let gates = self.finder.funnel(buffers, candidate)?;
        let legs = fewest_legs(&gates, limits.run_speed)?;
        let params = params_with_legs(&motion.launches(motion.first().start), &legs)?;
        self.check(buffers, candidate, params)
    }

    /// A trajectory of bounded acceleration: if possible with margins, which take it
    /// away from the ends of the platform.
    fn smooth(
        &self,
        buffers: &mut SearchBuffers,
        candidate: &Move,
        longest: [f64; 2],
        effort: Effort,
        acceleration: f64,
    ) -> Option<Solution> {
        let take_offs = self.smooth_take_offs(candidate, effort);
        // Motions to holds have margins, and no tolerance all the same.
        let longest = match self.finder.platform(&candidate.to).kind {
            PlatformKind::Floor => longest,
            _ => [longest[1]; 2],
        };
        // Without a tolerance, but with margins all the same.
        let mut fallback = None;
        let mut best: Option<Solution> = None;
        for (margins, most) in [Margins::Kept, Margins::None].into_iter().zip(longest) {
            if margins == Margins::Kept && effort == Effort::LastResort {
                continue;
            }
            if margins == Margins::None && (best.is_some() || fallback.is_some()) {
                break;
            }
            for &take_off in &take_offs {
                let found = Move {
                    take_off,
                    ..*candidate
                };
                // The two farthest inside, or all if there is no such link yet.
                let count = if most.is_finite() {
                    2
                } else {
                    INSETS.len() + 1
                };
                let tried = self.tried(&found, margins, effort).into_iter();
                let tried = tried.filter_map(|tried| {
                    let mut limits = self.smooth_limits(&tried, acceleration, margins)?;
                    // Every search among few stretches takes as long as many others, and the
                    // highest jump has the most time.
                    let is_highest = take_offs.last() == Some(&take_off);
                    limits.search = match effort {
                        Effort::LastResort if is_highest => Search::FewStretches,
                        Effort::LastResort => Search::OneStretch,
                        Effort::AnyTakeOff | Effort::OneTakeOff => Search::Steps,
                    };
                    let motion = self.motion(&tried);
                    let seconds = motion.last().falling_at(tried.to.y);
                    let in_the_air = seconds - motion.first().start;
                    let most = best.map_or(most, |best| most.min(NEARLY * best.made.duration));
                    let may_land = seconds < most
                        && (self.finder).is_within_limits(&tried.from, &tried.to, take_off.jumps())
                        && may_reach(tried.to.x - motion.x, in_the_air, &limits);
                    may_land.then_some((tried, limits))
                });
                let tried: Vec<(Move, SmoothLimits)> = tried.take(count).collect();
                for (tried, limits) in tried {
                    let solution = self.solve_smooth(buffers, [&found, &tried], &limits, margins);
                    let Some(solution) = solution else {
                        continue;
                    };
                    if margins == Margins::None {
                        return Some(solution);
                    }
                    if !self.has_room(&solution) {
                        if fallback.is_none() && solution.made.duration < longest[1] {
                            fallback = Some(solution);
                        }
                        continue;
                    }
                    if best.is_none_or(|best| solution.tolerance > best.tolerance) {
                        best = Some(solution);
                    }
                    if solution.tolerance >= ENOUGH || !self.may_have_room(&solution) {
                        return best;
                    }
                }
            }
        }
        best.or(fallback)
    }

    /// The move from and to other positions on the same flat pieces of platform: with
    /// margins, inside of their ends.
    fn tried(&self, found: &Move, margins: Margins, effort: Effort) -> Vec<Move> {
        if margins == Margins::None {
            let fast = (effort == Effort::LastResort).then(|| self.at_full_speed(found));
            return [*found].into_iter().chain(fast).collect();
        }
        let mut moves: Vec<Move> = Vec::with_capacity(INSETS.len() + 1);
        for (i, [before, after]) in INSETS.into_iter().enumerate() {
            let inside = Self::with_ends(found, |end, is_first| {
                self.inside(end, if is_first { before } else { after })
            });
            let inside = self.in_reach(inside);
            // Where the body does not get that far, several are the same.
            if !moves.contains(&inside) {
                moves.push(inside);
            }
            if i == 0 {
                let fast = self.at_full_speed(found);
                moves.extend((fast != inside).then_some(fast));
            }
        }
        moves
    }

    /// The move with a landing that is not farther across than the body gets at full speed.
    fn in_reach(&self, tried: Move) -> Move {
        let motion = self.motion(&tried);
        let most = self.reach(&tried, &motion);
        let nearer = Interval::at(motion.x).grown(most);
        let to = self.on_flat(&tried.to, |a, b| {
            tried.to.x.max(nearer.lo).min(nearer.hi).clamp(a, b)
        });
        Move { to, ..tried }
    }

    /// How far across a body gets at full speed until it lands.
    fn reach(&self, tried: &Move, motion: &VerticalMotion) -> f64 {
        let seconds = motion.last().falling_at(tried.to.y) - motion.first().start;
        self.finder.limits.run_speed * seconds * SPEED_ROOM
    }

    /// The move from farther back to farther on, so that the body runs at full speed all the
    /// way: it passes what is beneath soonest.
    fn at_full_speed(&self, found: &Move) -> Move {
        let motion = self.motion(found);
        let across = found.to.x - motion.x;
        let more = self.reach(found, &motion) - across.abs();
        let farther = across.signum() * 0.5 * more.max(0.0);
        Self::with_ends(found, |end, is_first| {
            let x = end.x + if is_first { -farther } else { farther };
            self.on_flat(end, |a, b| x.clamp(a, b))
        })
    }

    /// The move with other ends. A body that walks off an end, or leaves a wall, does so from
    /// there.
    fn with_ends(found: &Move, change: impl Fn(&Endpoint, bool) -> Endpoint) -> Move {
        let from = match found.take_off.departure {
            Departure::WalkOffLeft | Departure::WalkOffRight | Departure::Thrown(_) => found.from,
            Departure::DropThrough | Departure::LetGo | Departure::Jump(_) => {
                change(&found.from, true)
            }
        };
        let to = change(&found.to, false);
        Move { from, to, ..*found }
    }

    /// Whether a motion with margins has a tolerance, as far as it can have one.
    fn has_room(&self, solution: &Solution) -> bool {
        solution.tolerance > 0.0 || !self.may_have_room(solution)
    }

    /// Whether a motion can have a tolerance where it lands.
    fn may_have_room(&self, solution: &Solution) -> bool {
        self.finder.platform(&solution.made.to).kind == PlatformKind::Floor
    }

    /// How far off a body may be that follows a solution.
    fn room(&self, buffers: &SearchBuffers, solution: &Solution) -> Room {
        let measure = Tolerance {
            solver: self,
            buffers,
            solution,
        };
        measure.measure()
    }

    /// The take-offs that are tried for a smooth motion: first that of the move.
    fn smooth_take_offs(&self, candidate: &Move, effort: Effort) -> Vec<TakeOff> {
        let mut all = vec![candidate.take_off];
        if effort == Effort::OneTakeOff {
            return all;
        }
        let (from, to) = (&candidate.from, &candidate.to);
        let others = self.finder.take_offs(candidate.endpoint as usize);
        // Those before it do not get there.
        let others = others.into_iter();
        let mut others = others.skip_while(|other| *other != candidate.take_off);
        others.next();
        let others = others.filter(|other| self.finder.is_within_limits(from, to, other.jumps()));
        let (plain, twice): (Vec<_>, Vec<_>) = others.partition(|it| it.air_jumps().is_empty());
        all.extend(plain);
        if !candidate.take_off.air_jumps().is_empty() {
            let made = twice.into_iter().map(|take_off| Move {
                take_off,
                ..*candidate
            });
            let mut made: Vec<(f64, TakeOff)> = made
                .filter(|made| !self.is_too_low(made))
                .map(|made| (self.motion(&made), made))
                .filter(|(motion, made)| (to.x - motion.x).abs() <= self.reach(made, motion))
                .map(|(motion, made)| (motion.last().falling_at(to.y), made.take_off))
                .collect();
            made.sort_by(|a, b| a.0.total_cmp(&b.0));
            all.extend(made.into_iter().take(MAX_AIR_TRIES).map(|made| made.1));
        }
        all
    }

    /// The position nearest to an end from which the ends of its flat piece of platform are
    /// some seconds away. On slopes and on short pieces, those of the whole platform.
    fn inside(&self, end: &Endpoint, seconds: f64) -> Endpoint {
        let platform = self.finder.platform(end);
        let inset = self.finder.limits.run_speed * seconds;
        let (mut a, mut b) = (platform.start(), platform.end());
        if let Some(flat) = self.flat_around(end)
            && (platform.kind != PlatformKind::Floor || flat.1.x - flat.0.x >= 2.0 * inset)
        {
            (a, b) = flat;
        } else if platform.kind != PlatformKind::Floor {
            return *end;
        }
        let inset = inset.min(0.5 * (b.x - a.x));
        let x = end.x.clamp(a.x + inset, b.x - inset);
        let x = self.finder.layout.round(x).clamp(a.x, b.x);
        self.beside(end, x - end.x).unwrap_or(*end)
    }

    /// The position some distance to the right of an end on the same platform, which is not
    /// upright.
    fn beside(&self, end: &Endpoint, by: f64) -> Option<Endpoint> {
        let platform = self.finder.platform(end);
        let x = end.x + by;
        let is_beside = x < platform.start().x || x > platform.end().x;
        (!platform.kind.is_upright() && !is_beside).then(|| Endpoint {
            x,
            y: self.finder.layout.lift(platform.height_at(x)),
            ..*end
        })
    }

    /// The flat piece of platform on which an end is.
    fn flat_around(&self, end: &Endpoint) -> Option<(DVec2, DVec2)> {
        let mut flats = self.finder.platform(end).flat_segments();
        flats.find(|(a, b)| a.x <= end.x && end.x <= b.x && a.y == end.y)
    }

    /// The end at another x, which follows from the ends of its flat piece of platform, if it
    /// is on one.
    fn on_flat(&self, end: &Endpoint, x: impl Fn(f64, f64) -> f64) -> Endpoint {
        self.flat_around(end).map_or(*end, |(a, b)| {
            let x = self.finder.layout.round(x(a.x, b.x)).clamp(a.x, b.x);
            Endpoint { x, ..*end }
        })
    }

    /// The limits of a smooth motion; `None` when the take-off cannot have the
    /// margins. The speed at take-off is what the run-up on the platform allows
    /// from rest. With margins, the body stops on the platform where it lands,
    /// stays clear of walls, and rises higher than the landing by what it loses
    /// when an engine moves it by its speed at the end of each step.
    fn smooth_limits(
        &self,
        candidate: &Move,
        acceleration: f64,
        margins: Margins,
    ) -> Option<SmoothLimits> {
        let Move {
            from, to, take_off, ..
        } = candidate;
        let limits = self.finder.limits;
        let has_margins = margins == Margins::Kept;
        let (here, there) = (self.finder.platform(from), self.finder.platform(to));
        // A single speed would be an empty set to the solver.
        let least_range = 1e-3 * limits.run_speed;
        let mut start = Interval::new(0.0, 0.0);
        if here.kind == PlatformKind::Floor {
            let rate = limits.acceleration;
            let mut left = self.greatest_speed(here.end().x - from.x, rate);
            let mut right = self.greatest_speed(from.x - here.start().x, rate);
            if has_margins && matches!(take_off.departure, Departure::Jump(_)) {
                // A body that runs down a slope which does not hold it falls along the slope,
                // and has no ground to jump from. One that runs up a slope and is moved across
                // first steps into it.
                let [to_left, to_right] = here.not_higher_beside(from.point());
                let most = to_left.min(to_right) / TICK;
                (left, right) = (left.min(most), right.min(most));
            }
            // At a wall, a body that moves away from it starts from rest.
            start = Interval::new(-left, right).grown(least_range);
        }
        // A body that stands nearly still takes too long to leave the platform. Down to 0
        // the same platforms are joined, and in 3 real levels the number of drops differs
        // by 2 %. With 0.4, a twentieth of the drops there are jumps, because a short
        // platform gives too little run-up, and with 0.7 pairs of platforms are lost.
        let least = 0.1 * limits.run_speed;
        match take_off.departure {
            Departure::WalkOffLeft => start.hi = -least,
            Departure::WalkOffRight => start.lo = least,
            Departure::Thrown(_) if from.x == here.end().x => start.lo = least,
            Departure::Thrown(_) if from.x == here.start().x => start.hi = -least,
            Departure::Thrown(_)
            | Departure::DropThrough
            | Departure::LetGo
            | Departure::Jump(_) => {}
        }
        let mut end = Interval::new(-limits.run_speed, limits.run_speed);
        if has_margins && there.kind == PlatformKind::Floor {
            let rate = limits.deceleration;
            let left = self.greatest_speed(to.x - there.start().x, rate);
            let right = self.greatest_speed(there.end().x - to.x, rate);
            end = Interval::new(-left, right).grown(least_range);
        }
        let is_refused =
            start.is_empty() || (has_margins && take_off.jumps() && self.is_too_low(candidate));
        let (room, clearance) = if has_margins {
            (STEERING_ROOM, limits.run_speed * TICK)
        } else {
            (ACCELERATION_ROOM, 0.0)
        };
        (!is_refused).then_some(SmoothLimits {
            speed: limits.run_speed,
            acceleration: acceleration * room,
            start,
            end,
            clearance,
            search: Search::Steps,
        })
    }

    /// Whether a body whose launches are slower by gravity in half a step does not rise to
    /// the landing.
    fn is_too_low(&self, candidate: &Move) -> bool {
        let half_a_step = 0.5 * TICK * self.finder.limits.fall.gravity;
        let slower = self.motion(candidate).slower(half_a_step);
        slower.last().apex() > candidate.to.y
    }

    /// The speed that a body gains from rest in some room, or loses there.
    fn greatest_speed(&self, room: f64, rate: f64) -> f64 {
        let speed = (2.0 * rate * room.max(0.0)).sqrt();
        speed.min(self.finder.limits.run_speed)
    }

    /// A trajectory of bounded acceleration of the move `tried`, which begins and ends
    /// near the move `found`, on the same platforms. With margins, one that has a
    /// tolerance if there is any.
    fn solve_smooth(
        &self,
        buffers: &mut SearchBuffers,
        [found, tried]: [&Move; 2],
        limits: &SmoothLimits,
        margins: Margins,
    ) -> Option<Solution> {
        let motion = self.motion(tried);
        let steady = steady_speed(&tried.to, &motion);
        let is_steady = limits.start.contains(steady) && limits.end.contains(steady);
        let straight = is_steady.then(|| self.straight(buffers, tried, &motion));
        let straight = straight.flatten();
        let straight = straight.map(|straight| self.with_margins(buffers, &straight, margins));
        if straight.is_some_and(|it| margins == Margins::None || self.has_room(&it)) {
            return straight;
        }
        self.curve(buffers, [found, tried], limits, margins)
            .or(straight)
    }

    /// The same with several accelerations.
    fn curve(
        &self,
        buffers: &mut SearchBuffers,
        [found, tried]: [&Move; 2],
        limits: &SmoothLimits,
        margins: Margins,
    ) -> Option<Solution> {
        let motion = self.motion(tried);
        let mut gates = self.finder.funnel(buffers, found)?;
        let walks_off = motion.first().start > 0.0;
        if walks_off {
            // The walk to the end of the platform is added below.
            gates.remove(0);
        }
        gates.pop();
        let moved = (tried.from.x - found.from.x).abs();
        let landing = FunnelGate::point(motion.last().falling_at(tried.to.y), tried.to.x);
        for gate in &mut gates {
            gate.x = gate.x.grown(moved);
        }
        if tried.from.y != found.from.y {
            // The gates are at the heights of the motion from the other position.
            let planned = self.motion(found);
            for gate in gates.iter_mut().skip(1) {
                gate.time = motion.when_as_high(&planned, gate.time);
            }
            gates.dedup_by(|next, gate| {
                let is_same = next.time <= gate.time;
                if is_same {
                    gate.free = next.free;
                }
                is_same
            });
        }
        gates.retain(|gate| gate.time < landing.time);
        gates.push(landing);
        if !walks_off {
            gates.first_mut()?.x = Interval::at(tried.from.x);
        }
        if !may_pass(&gates, limits) {
            return None;
        }
        if margins == Margins::Kept {
            let slower = motion.slower(0.5 * TICK * self.finder.limits.fall.gravity);
            let landing = self.landing(&tried.to).grown(0.5 * limits.clearance);
            gates = gates_with_room(&gates, [&motion, &slower], TICK, landing, limits.speed)?;
            if !may_pass(&gates, limits) {
                return None;
            }
        }
        let mut smooth = smooth_motion(gates, limits)?;
        let mut level = 0.0;
        if walks_off {
            // The body walks over the end of the platform at nearly the speed
            // at which it then falls.
            let leg = smooth.legs.first_mut()?;
            let acceleration = 2.0 * (leg.speed - smooth.start_speed) / leg.duration;
            level = (motion.x - tried.from.x).abs() / smooth.start_speed.abs();
            smooth.start_speed -= acceleration * level;
            leg.duration += level;
            leg.speed = smooth.start_speed + 0.5 * acceleration * leg.duration;
        }
        let params = params_with_legs(&motion.launches(level), &smooth.legs)?;
        let params = params.with_start_speed(smooth.start_speed).ok()?;
        let solution = self.check(buffers, tried, params)?;
        Some(self.with_margins(buffers, &solution, margins))
    }

    /// A solution with its tolerance, which is 0 without margins. Where the body may be off
    /// to one side only, all of it is moved to that side.
    fn with_margins(
        &self,
        buffers: &SearchBuffers,
        solution: &Solution,
        margins: Margins,
    ) -> Solution {
        if margins == Margins::None {
            return *solution;
        }
        let mut room = self.room(buffers, solution);
        let mut best = Solution {
            tolerance: room.tolerance,
            ..*solution
        };
        // The second time, the room of other bodies than the planned one is known.
        for _ in 0..2 {
            if room.off_centre == 0.0 {
                break;
            }
            let Some(moved) = self.moved(&best, room.off_centre) else {
                break;
            };
            let Some(moved) = self.check(buffers, &moved, best.params) else {
                break;
            };
            room = self.room(buffers, &moved);
            if room.tolerance <= best.tolerance {
                break;
            }
            best = Solution {
                tolerance: room.tolerance,
                ..moved
            };
        }
        best
    }

    /// The move of the same motion from and to positions some distance to the right, if its
    /// speeds are possible there.
    fn moved(&self, solution: &Solution, by: f64) -> Option<Move> {
        let Solution {
            made, trajectory, ..
        } = solution;
        if matches!(made.take_off.departure, Departure::Thrown(_)) {
            // A spring throws the body where it first touches it.
            return None;
        }
        let by = self.finder.layout.round(by);
        let (from, to) = (self.beside(&made.from, by)?, self.beside(&made.to, by)?);
        let made = Move { from, to, ..*made };
        let limits = self.smooth_limits(&made, 0.0, Margins::Kept)?;
        let speeds = [0.0, trajectory.duration].map(|time| trajectory.velocity(time).x);
        let is_possible = limits.start.contains(speeds[0]) && limits.end.contains(speeds[1]);
        is_possible.then_some(made)
    }

    /// Where a body may land instead of at `to`.
    fn landing(&self, to: &Endpoint) -> Interval {
        let platform = self.finder.platform(to);
        if platform.kind == PlatformKind::Floor {
            Interval::new(platform.start().x, platform.end().x)
        } else {
            Interval::EVERYTHING
        }
    }

    fn motion(&self, candidate: &Move) -> VerticalMotion {
        (self.finder).vertical_motion(&candidate.from, candidate.take_off)
    }

    /// The trajectory of a move with one leg.
    fn straight(
        &self,
        buffers: &SearchBuffers,
        candidate: &Move,
        motion: &VerticalMotion,
    ) -> Option<Solution> {
        let params = self.one_leg(&candidate.from, &candidate.to, motion)?;
        self.check(buffers, candidate, params)
    }

    /// Parameters for one horizontal speed from take-off to landing.
    pub fn one_leg(
        &self,
        from: &Endpoint,
        to: &Endpoint,
        motion: &VerticalMotion,
    ) -> Option<TrajectoryParams> {
        let falls = motion.last().falling_at(to.y) > motion.first().start;
        let (level, speed) = (motion.x - from.x, steady_speed(to, motion));
        if !falls || (level != 0.0 && speed * level <= 0.0) {
            return None;
        }
        // Until its support ends, the body walks at the horizontal speed that it keeps
        // in the air.
        let walked = if level == 0.0 {
            motion.first().start
        } else {
            (level / speed).abs()
        };
        let params = TrajectoryParams::new(&motion.launches(walked), &[]).ok()?;
        match self.finder.limits.air_acceleration {
            Some(_) => params.with_start_speed(speed).ok(),
            None => Some(params),
        }
    }

    /// Checks the parameters of a move as the runtime will use them: the trajectory
    /// must join both positions, stay within every limit and hit nothing.
    pub fn check(
        &self,
        buffers: &SearchBuffers,
        candidate: &Move,
        params: TrajectoryParams,
    ) -> Option<Solution> {
        let from = candidate.from.point();
        let trajectory = self.within_limits(from, &candidate.to, params)?;
        if let Some((earlier, params)) = self.first_touch(candidate, &params, &trajectory) {
            return self.check(buffers, &earlier, params);
        }
        let slabs = buffers.slabs_around(candidate.endpoint as usize);
        let through = candidate.take_off.drops_through();
        self.is_clear(slabs, from, &trajectory, through)
            .then_some(Solution {
                made: Move {
                    duration: trajectory.duration,
                    ..*candidate
                },
                params,
                trajectory,
                tolerance: 0.0,
            })
    }

    /// The part of a motion to a ladder until the falling body first touches its line,
    /// where it holds on, if that is before the end.
    fn first_touch(
        &self,
        candidate: &Move,
        params: &TrajectoryParams,
        trajectory: &Trajectory,
    ) -> Option<(Move, TrajectoryParams)> {
        let ladder = self.finder.platform(&candidate.to);
        if ladder.kind != PlatformKind::Ladder {
            return None;
        }
        let (from, line) = (candidate.from, ladder.start().x);
        let beside = |time: f64| from.x + trajectory.offset(time).x - line;
        let knots = trajectory.knots();
        let mut falling = knots.windows(2).filter(|pair| {
            pair[0] < pair[1] && trajectory.velocity(f64::midpoint(pair[0], pair[1])).y < 0.0
        });
        let time = falling.find_map(|pair| {
            let side = beside(pair[0]);
            let [mut before, mut after] = [pair[0], pair[1]];
            if side == 0.0 {
                return Some(before);
            }
            if side * beside(after) >= 0.0 {
                return None;
            }
            // Halvings until the digits of seconds are exhausted.
            for _ in 0..48 {
                let middle = f64::midpoint(before, after);
                if side * beside(middle) > 0.0 {
                    before = middle;
                } else {
                    after = middle;
                }
            }
            Some(before)
        })?;
        let y = (self.finder.layout).round(from.y - trajectory.offset(time).y);
        if y >= candidate.to.y || y < ladder.start().y {
            return None;
        }
        let launches: Vec<Launch> = params.launches().filter(|l| l.time <= time).collect();
        let mut end = 0.0;
        let whole = trajectory.legs().iter().take_while(|leg| {
            end += leg.duration;
            end < time
        });
        let legs: Vec<Leg> = whole.copied().collect();
        let mut part = TrajectoryParams::new(&launches, &legs).ok()?;
        if let Some(speed) = params.start_speed() {
            part = part.with_start_speed(speed).ok()?;
        }
        let to = Endpoint { y, ..candidate.to };
        Some((Move { to, ..*candidate }, part))
    }

    /// Whether nothing stops a trajectory, and it does not leave the level to a side. Slabs
    /// decide most cases, and the others are checked against the geometry itself.
    pub fn is_clear(
        &self,
        slabs: &Slabs,
        from: DVec2,
        trajectory: &Trajectory,
        through: bool,
    ) -> bool {
        let motion = Motion {
            space: self.space,
            from,
            trajectory,
            through,
        };
        // Between knots, x is monotone.
        let sides = self.finder.slabs.bounds.grown(self.finder.layout.quantum);
        if !(trajectory.knots().iter()).all(|time| sides.contains(motion.at(*time).x)) {
            return false;
        }
        match is_clear_in_slabs(slabs, &motion) {
            Some(false) => false,
            Some(true) => !slabs.has_one_way() || motion.obeys_one_way(),
            None => motion.is_clear(),
        }
    }

    /// The trajectory between two positions, if it stays within the agent's
    /// limits on speed and does not rise when it lands.
    pub fn within_limits(
        &self,
        from: DVec2,
        to: &Endpoint,
        params: TrajectoryParams,
    ) -> Option<Trajectory> {
        let limits = self.finder.limits;
        let trajectory = params
            .trajectory(to.x - from.x, from.y - to.y, limits.fall)
            .ok()?;
        let mut launches = trajectory.launches().iter();
        let jumps = launches.all(|launch| launch.speed <= limits.jump_speed * SPEED_SLACK);
        // At a landing exactly at the apex, the vertical speed is 0 except for
        // rounding.
        let lands = trajectory.velocity(trajectory.duration).y <= 1e-3;
        let is_fast = trajectory.top_speed() > limits.run_speed * SPEED_SLACK;
        let steers = limits.air_acceleration.is_none_or(|most| {
            let mut rows = trajectory.accelerations();
            trajectory.is_smooth() && rows.all(|row| row.acceleration.abs() <= most)
        });
        (jumps && lands && !is_fast && steers).then_some(trajectory)
    }
}

/// The horizontal speed of a motion in the air that does not change it.
fn steady_speed(to: &Endpoint, motion: &VerticalMotion) -> f64 {
    (to.x - motion.x) / (motion.last().falling_at(to.y) - motion.first().start)
}

/// Parameters with several legs. The last leg is not stored: it follows from
/// the position of the landing.
pub fn params_with_legs(launches: &[Launch], legs: &[Leg]) -> Option<TrajectoryParams> {
    let (_, stored) = legs.split_last()?;
    TrajectoryParams::new(launches, stored).ok()
}
