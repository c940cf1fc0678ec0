//! How late an agent may start a trajectory and still succeed.

use glam::DVec2;
use navmesh_runtime::mesh::{
    Acceleration, Launch, Leg, PlatformKind, Trajectory, TrajectoryParams,
};

use crate::connection::{Endpoint, MAX_TOLERANCE};
use crate::flight::moves::{Move, SearchBuffers};
use crate::flight::take_off::Departure;
use crate::flight::trajectory_solver::{Solution, TICK, TrajectorySolver, params_with_legs};
use crate::geometry::{Interval, Motion};

/// Tolerances are multiples of this many seconds: a quarter of a frame at 60 Hz, half
/// the precision with which an agent keeps time.
const STEP: f64 = 1.0 / 256.0;
const MAX_STEPS: u32 = (MAX_TOLERANCE as f64 / STEP) as u32;

/// How far a motion should be displaceable to both sides, where it can be moved for it:
/// three frames at 60 Hz.
const ENOUGH_STEPS: u32 = 12;

/// Heights that are tried for a landing on a slope. The secant method finds it in 5 or
/// fewer on an even slope.
const MAX_HEIGHTS: u32 = 12;

/// Least free height above a trajectory, divided by the gravity: s². A jump whose apex is
/// this much above its landing stays above the landing for `2 · sqrt(2 · HEADROOM)`, which
/// is 1/30 s: two steps at 60 steps a second.
const HEADROOM: f64 = 1.0 / 7200.0;

/// A trajectory whose tolerance is measured.
pub struct Tolerance<'a> {
    pub solver: &'a TrajectorySolver<'a>,
    pub buffers: &'a SearchBuffers,
    pub solution: &'a Solution,
}

/// How far off a body may be.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// See [`Tolerance::measure`].
    pub tolerance: f32,
    /// How far to the right a smooth motion should begin and end, so that it may be
    /// displaced as far to one side as to the other, or far enough to both.
    pub off_centre: f64,
}

/// How a body of a game differs from its trajectory.
#[derive(Debug, Clone, Copy, Default)]
struct Deviation {
    /// How far to the right all of it is displaced.
    aside: f64,
    /// By how much its launches are slower.
    slower: f64,
    /// How many seconds its motion across is ahead of the one up and down.
    ahead: f64,
    /// The launches from this number on are some seconds later.
    later: (usize, f64),
}

impl Tolerance<'_> {
    /// How much later, in seconds, a body may begin to move across and still
    /// land in the same position at the same time, hitting nothing and keeping
    /// its speed limit. Without air control a body cannot catch up. Then the
    /// tolerance is the distance that may be missing at the end while the feet
    /// still land on the same platform, in seconds at the body's speed. 0 where the
    /// body has no room to be a little higher.
    ///
    /// For a smooth motion, the tolerance is the distance by which all of it may
    /// be displaced to either side, in seconds at run speed, while it hits
    /// nothing and lands on the same platform: as planned, with launches that are slower
    /// by gravity in half a step, and moved in steps, across before down. 0 where a jump in
    /// the air must not be half a step earlier or later. A body that walks off the end of a
    /// platform, or leaves a wall, may be displaced away from it only.
    ///
    /// A multiple of 1/256 s up to [`MAX_TOLERANCE`], found by halving; each
    /// candidate is checked as strictly as the trajectory itself.
    pub fn measure(&self) -> Room {
        let is_smooth = self.solution.trajectory.is_smooth();
        let sides = if is_smooth {
            self.steps_aside()
        } else if self.has_headroom() {
            vec![greatest(MAX_STEPS, |steps| {
                let late = f64::from(steps) * STEP;
                if self.solver.finder.limits.air_control {
                    self.fits_late(late)
                } else {
                    self.fits_slower(late)
                }
            })]
        } else {
            vec![0]
        };
        let least = sides.iter().copied().min().unwrap_or(0);
        let sides = match sides[..] {
            // Where other bodies would fail, there may be room for them farther aside.
            [0, 0] if is_smooth => self.steps_as_planned(),
            _ => sides,
        };
        let off_centre = match sides[..] {
            [left, right] if least < ENOUGH_STEPS => {
                let missing = (left.abs_diff(right) / 2).min(ENOUGH_STEPS - least);
                let to_the_right = if right > left { 1.0 } else { -1.0 };
                to_the_right * f64::from(missing) * STEP * self.solver.finder.limits.run_speed
            }
            _ => 0.0,
        };
        Room {
            tolerance: (f64::from(least) * STEP) as f32,
            off_centre,
        }
    }

    /// The sides to which a smooth motion may be displaced.
    fn sides(&self) -> &'static [f64] {
        let made = &self.solution.made;
        match made.take_off.departure {
            Departure::WalkOffLeft => &[-1.0],
            Departure::WalkOffRight => &[1.0],
            // The wall is in the way on its other side.
            _ if self.solver.finder.platform(&made.from).kind == PlatformKind::Wall => {
                let beside = DVec2::new(STEP * self.solver.finder.limits.run_speed, 0.0);
                if self.solver.space.blocked(made.from.point() + beside) {
                    &[-1.0]
                } else {
                    &[1.0]
                }
            }
            Departure::DropThrough
            | Departure::LetGo
            | Departure::Jump(_)
            | Departure::Thrown(_) => &[-1.0, 1.0],
        }
    }

    /// By how many steps a smooth motion may be displaced to each of its sides, whatever
    /// else a body of a game does.
    fn steps_aside(&self) -> Vec<u32> {
        let (finder, made) = (self.solver.finder, &self.solution.made);
        let sides = self.sides();
        let mut landings = Interval::NOTHING;
        let has_room = self.has_room_at_one_way() && self.may_jump_early_and_late();
        let fits = has_room
            && self.deviations(0.0).all(|deviation| {
                let fitting = self.fitting(deviation);
                landings = fitting.map_or(landings, |x| landings.extended_to(x));
                fitting.is_some()
            });
        if !fits {
            return vec![0; sides.len()];
        }
        let platform = finder.platform(&made.to);
        let step = STEP * finder.limits.run_speed;
        let slabs = self.buffers.slabs_around(made.endpoint as usize);
        let steps = sides.iter().map(|side| {
            let room = if *side > 0.0 {
                platform.end().x - landings.hi
            } else {
                landings.lo - platform.start().x
            };
            let most = (room / step).clamp(0.0, f64::from(MAX_STEPS)) as u32;
            // Bodies displaced by no more than their width leave nothing between them.
            let stride = ((finder.limits.body.x / step) as u32).max(1);
            let fits = |steps: u32| {
                self.deviations(side * f64::from(steps) * step)
                    .all(|deviation| self.fitting(deviation).is_some())
            };
            let is_flat = self.is_flat_aside(side * f64::from(most) * step);
            if !is_flat || slabs.has_walls() {
                // Each step may begin at another height, or on the other side of a one-way
                // wall, which has no width.
                let most = if is_flat {
                    most
                } else {
                    most.min(ENOUGH_STEPS)
                };
                return (1..=most).take_while(|steps| fits(*steps)).count() as u32;
            }
            let mut good = 0;
            while good < most {
                let next = (good + stride).min(most);
                good += greatest(next - good, |more| fits(good + more));
                if good < next {
                    break;
                }
            }
            good
        });
        steps.collect()
    }

    /// Whether the ground from which the body takes off is level for some distance to the
    /// right, or ends before.
    fn is_flat_aside(&self, aside: f64) -> bool {
        let from = &self.solution.made.from;
        let platform = self.solver.finder.platform(from);
        let ground = Interval::between(from.x, from.x + aside);
        platform.kind != PlatformKind::Floor
            || (platform.points.iter())
                .filter(|point| ground.contains(point.x))
                .all(|point| point.y == from.y)
                && platform.height_at(ground.lo) == from.y
                && platform.height_at(ground.hi) == from.y
    }

    /// By how many steps a smooth motion may be displaced to the left and to the right, if
    /// the body does nothing else than planned.
    fn steps_as_planned(&self) -> Vec<u32> {
        let step = STEP * self.solver.finder.limits.run_speed;
        let steps = [-1.0, 1.0].into_iter().map(|side| {
            greatest(2 * ENOUGH_STEPS, |steps| {
                let aside = side * f64::from(steps) * step;
                let deviation = Deviation {
                    aside,
                    ..Deviation::default()
                };
                self.fitting(deviation).is_some()
            })
        });
        steps.collect()
    }

    /// How a body of a game may deviate that is displaced by some distance. A body that is
    /// slower as well is not displaced.
    fn deviations(&self, aside: f64) -> impl Iterator<Item = Deviation> + use<> {
        let half_a_step = 0.5 * TICK * self.solver.finder.limits.fall.gravity;
        let slower: &[f64] = if aside == 0.0 { &[1.0, 0.0] } else { &[0.0] };
        slower.iter().flat_map(move |share| {
            [TICK, 0.0].map(|ahead| Deviation {
                aside,
                slower: share * half_a_step,
                ahead,
                ..Deviation::default()
            })
        })
    }

    /// The x at which a body that deviates lands, if it hits nothing and lands on the same
    /// platform.
    fn fitting(&self, deviation: Deviation) -> Option<f64> {
        let (from, trajectory) = self.deviating(deviation)?;
        let is_clear = self.is_clear(from, &trajectory);
        is_clear.then_some(from.x + trajectory.end.x)
    }

    /// The motion of a body that deviates, and where it begins. `None` when it does not
    /// land on the same platform.
    fn deviating(&self, deviation: Deviation) -> Option<(DVec2, Trajectory)> {
        let finder = self.solver.finder;
        let Solution { made, params, .. } = self.solution;
        let platform = finder.platform(&made.to);
        if platform.kind.is_upright() {
            return None;
        }
        let Deviation {
            aside,
            slower,
            ahead,
            later,
        } = deviation;
        let launches: Vec<Launch> = (params.launches().enumerate())
            .map(|(number, launch)| Launch {
                time: launch.time + if number >= later.0 { later.1 } else { 0.0 },
                speed: launch.speed - slower,
            })
            .collect();
        let fall = finder.limits.fall;
        let vertical = TrajectoryParams::new(&launches, &[]).ok()?;
        let from = self.begin(aside, ahead);
        // On flat ground the first height is the right one. On a slope, the height of the
        // ground under the landing differs from the height at which it was looked for.
        let (mut y, mut last) = (made.to.y, None);
        for _ in 0..MAX_HEIGHTS {
            let seconds = vertical.trajectory(0.0, from.y - y, fall).ok()?.duration;
            let legs = self.legs_between(ahead, ahead + seconds);
            let across: f64 = legs.iter().map(|leg| leg.duration * leg.speed).sum();
            let x = from.x + across;
            let ground = finder.layout.lift(platform.height_at(x));
            let higher = ground - y;
            if higher.abs() > finder.layout.quantum {
                let slope = last.map_or(-1.0, |(before, was)| (higher - was) / (y - before));
                last = Some((y, higher));
                y -= higher / if slope < 0.0 { slope } else { -1.0 };
                continue;
            }
            let landings = self.places_between(seconds, ahead + seconds, x);
            if landings.lo < platform.start().x || landings.hi > platform.end().x {
                return None;
            }
            let mut moved = params_with_legs(&launches, &legs)?;
            if self.solution.trajectory.is_smooth() {
                moved = moved.with_start_speed(self.speed_at(ahead)).ok()?;
            }
            let trajectory = moved
                .trajectory(across, from.y - y.min(ground), fall)
                .ok()?;
            return Some((from, trajectory));
        }
        None
    }

    /// Where a body takes off that is displaced, and ahead by some seconds: on the
    /// platform, or beside its end at the same height.
    fn begin(&self, aside: f64, ahead: f64) -> DVec2 {
        let finder = self.solver.finder;
        let from = &self.solution.made.from;
        let platform = finder.platform(from);
        let walked: f64 = (self.legs_between(0.0, ahead).iter())
            .map(|leg| leg.duration * leg.speed)
            .sum();
        let x = from.x + aside;
        if aside == 0.0 && ahead == 0.0 || platform.kind != PlatformKind::Floor {
            return DVec2::new(x + walked, from.y);
        }
        // Uphill, the ground lifts a body that has not yet taken off.
        let y = platform.height_at(x).min(platform.height_at(x + walked));
        DVec2::new(x + walked, finder.layout.lift(y))
    }

    /// Where a body may be between two times of the motion that is at `x` at the second:
    /// there, and where it turns round before. A body of a game lands at each of these
    /// times, depending on when its steps begin.
    fn places_between(&self, begin: f64, end: f64, x: f64) -> Interval {
        let mut places = Interval::at(x);
        let mut x = x;
        for row in self.rows_between(begin, end).iter().rev() {
            places = places.extended_to(x);
            let last = row.speed + row.acceleration * row.duration;
            if row.speed * last < 0.0 {
                places = places.extended_to(x - 0.5 * last * last / row.acceleration);
            }
            x -= 0.5 * (row.speed + last) * row.duration;
        }
        places
    }

    /// The legs of the motion across between two times.
    fn legs_between(&self, begin: f64, end: f64) -> Vec<Leg> {
        let rows = self.rows_between(begin, end).into_iter();
        let legs = rows.map(|row| Leg {
            duration: row.duration,
            speed: row.speed + 0.5 * row.acceleration * row.duration,
        });
        legs.collect()
    }

    /// The accelerations of the motion across between two times. After its end, it goes on
    /// with the same acceleration.
    fn rows_between(&self, begin: f64, end: f64) -> Vec<Acceleration> {
        let mut part = Vec::with_capacity(TrajectoryParams::MAX_LEGS);
        let rows = self.solution.trajectory.accelerations();
        let last = self.solution.trajectory.legs().len() - 1;
        let mut time = 0.0;
        for (number, row) in rows.enumerate() {
            let (from, until) = (begin.max(time) - time, end - time);
            time += row.duration;
            let until = if number < last {
                until.min(row.duration)
            } else {
                until
            };
            if until > from {
                part.push(Acceleration {
                    duration: until - from,
                    speed: row.speed + row.acceleration * from,
                    ..row
                });
            }
        }
        part
    }

    /// The speed across at a time of the motion.
    fn speed_at(&self, time: f64) -> f64 {
        self.solution.trajectory.velocity(time).x
    }

    /// Whether a trajectory that begins at a position is clear.
    fn is_clear(&self, from: DVec2, trajectory: &Trajectory) -> bool {
        let made = &self.solution.made;
        let slabs = self.buffers.slabs_around(made.endpoint as usize);
        let through = made.take_off.drops_through();
        self.solver.is_clear(slabs, from, trajectory, through)
    }

    /// Whether a jump in the air may be half a step earlier or later: a body that moves in
    /// steps jumps in the one that is nearest.
    fn may_jump_early_and_late(&self) -> bool {
        (1..self.solution.params.launches().count()).all(|number| {
            [-0.5 * TICK, 0.5 * TICK].into_iter().all(|by| {
                let deviation = Deviation {
                    later: (number, by),
                    ..Deviation::default()
                };
                self.fitting(deviation).is_some()
            })
        })
    }

    /// Whether one-way surfaces let the body pass when it is a little higher. One that drops
    /// through the top on which it stands begins exactly there.
    fn has_room_at_one_way(&self) -> bool {
        let made = &self.solution.made;
        let slabs = self.buffers.slabs_around(made.endpoint as usize);
        let higher = HEADROOM * self.solver.finder.limits.fall.gravity;
        let motion = Motion {
            space: self.solver.space,
            from: made.from.point() - DVec2::new(0.0, higher),
            trajectory: &self.solution.trajectory,
            through: made.take_off.drops_through(),
        };
        !slabs.has_one_way() || motion.through || motion.obeys_one_way()
    }

    /// Whether the body may be a little higher all the way. A body that moves in
    /// steps must rise higher than the trajectory, because it loses some of its
    /// height at take-off; and where a gap is exactly as high as the body, it enters
    /// at a single height, which lies between two of its steps.
    fn has_headroom(&self) -> bool {
        let finder = self.solver.finder;
        let Solution { made, params, .. } = self.solution;
        let launch = params.launches().next().map_or(0.0, |l| l.speed);
        let higher = (0.5 * launch * TICK).max(HEADROOM * finder.limits.fall.gravity);
        let from = made.from.point() - DVec2::new(0.0, higher);
        finder.platform(&made.to).kind != PlatformKind::Floor
            || self.is_clear(from, &self.solution.trajectory)
    }

    /// Whether the same legs fit when they begin `late` seconds later and are
    /// faster by the factor that makes up for it.
    fn fits_late(&self, late: f64) -> bool {
        let trajectory = &self.solution.trajectory;
        // A body that walks off the end of a platform must leave it before it
        // can be late.
        let level = trajectory.launches().first().map_or(0.0, |l| l.time);
        let air = trajectory.duration - level;
        if late >= air {
            return false;
        }
        let faster = air / (air - late);
        let mut legs: Vec<Leg> = Vec::with_capacity(TrajectoryParams::MAX_LEGS + 2);
        let mut before = level;
        let wait = Leg {
            duration: late,
            speed: 0.0,
        };
        for &Leg { duration, speed } in trajectory.legs() {
            let on_floor = duration.min(before);
            before -= on_floor;
            if on_floor > 0.0 {
                legs.push(Leg {
                    duration: on_floor,
                    speed,
                });
            }
            if before <= 0.0 && !legs.contains(&wait) {
                legs.push(wait);
            }
            if duration > on_floor {
                legs.push(Leg {
                    duration: (duration - on_floor) / faster,
                    speed: speed * faster,
                });
            }
        }
        let launches: Vec<Launch> = self.solution.params.launches().collect();
        params_with_legs(&launches, &legs).is_some_and(|params| {
            let checked = (self.solver).check(self.buffers, &self.solution.made, params);
            checked.is_some()
        })
    }

    /// Whether the same flight at a lower speed, which lands short, still lands
    /// on the platform.
    fn fits_slower(&self, late: f64) -> bool {
        let finder = self.solver.finder;
        let (made, trajectory) = (&self.solution.made, &self.solution.trajectory);
        let short = (1.0 - late / trajectory.duration).max(0.0);
        let x = (finder.layout).round(made.from.x + trajectory.end.x * short);
        let to = &made.to;
        let platform = finder.platform(to);
        if platform.kind.is_upright() {
            // A body that lands short of a wall has nothing to hold on to.
            return late == 0.0;
        }
        let near = Endpoint {
            x,
            y: platform.height_at(x),
            platform: to.platform,
        };
        let shorter = Move { to: near, ..*made };
        platform.start().x <= x
            && x <= platform.end().x
            && near.y == to.y
            && (self.solver)
                .check(self.buffers, &shorter, self.solution.params)
                .is_some()
    }
}

/// The greatest number up to `most` that fits, if all up to it do: often `most`, or else
/// found by halving.
fn greatest(most: u32, fits: impl Fn(u32) -> bool) -> u32 {
    if most == 0 || fits(most) {
        return most;
    }
    let (mut good, mut bad) = (0, most);
    while bad - good > 1 {
        let middle = u32::midpoint(good, bad);
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}
