//! How late an agent may start a trajectory and still succeed.

use glam::DVec2;
use navmesh_runtime::mesh::{Launch, Leg, PlatformKind, Trajectory, TrajectoryParams};

use crate::connection::{Endpoint, MAX_TOLERANCE};
use crate::flight::moves::{Move, SearchBuffers};
use crate::flight::take_off::Departure;
use crate::flight::trajectory_solver::{Solution, TICK, TrajectorySolver, params_with_legs};

/// Tolerances are multiples of this many seconds: half a frame at 60 Hz, about
/// the precision with which an agent keeps time.
const STEP: f64 = 1.0 / 128.0;

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
    /// nothing and lands on the same level piece of platform; 0 without the
    /// margins of [`Solution::has_margins`], and where a jump in the air must not be
    /// half a step earlier or later. A body that walks off the end of a platform, or
    /// leaves a wall, may be displaced away from it only.
    ///
    /// A multiple of 1/128 s up to [`MAX_TOLERANCE`], found by halving; each
    /// candidate is checked as strictly as the trajectory itself.
    pub fn seconds(&self) -> f32 {
        let is_smooth = self.solution.trajectory.is_smooth();
        let has_room = if is_smooth {
            self.may_jump_early_and_late()
        } else {
            self.has_headroom()
        };
        if !has_room {
            return 0.0;
        }
        let most = (f64::from(MAX_TOLERANCE) / STEP) as u32;
        let (mut good, mut bad) = (0, most + 1);
        while bad - good > 1 {
            let middle = u32::midpoint(good, bad);
            let late = f64::from(middle) * STEP;
            let fits = if is_smooth {
                self.fits_displaced(late)
            } else if self.solver.finder.limits.air_control {
                self.fits_late(late)
            } else {
                self.fits_slower(late)
            };
            if fits {
                good = middle;
            } else {
                bad = middle;
            }
        }
        (f64::from(good) * STEP) as f32
    }

    /// Whether a smooth motion fits when it is displaced to either side by what
    /// the body runs in some seconds.
    fn fits_displaced(&self, seconds: f64) -> bool {
        let made = &self.solution.made;
        let (finder, to) = (self.solver.finder, &made.to);
        let by = seconds * finder.limits.run_speed;
        let from = finder.start(made);
        let sides: &[f64] = match made.take_off.departure {
            Departure::WalkOffLeft => &[-1.0],
            Departure::WalkOffRight => &[1.0],
            // The wall is in the way on its other side.
            _ if finder.platform(from).kind == PlatformKind::Wall => {
                if to.x < from.x {
                    &[-1.0]
                } else {
                    &[1.0]
                }
            }
            Departure::DropThrough | Departure::LetGo | Departure::Jump(_) => &[-1.0, 1.0],
        };
        self.solution.has_margins
            && sides.iter().all(|side| {
                let lands = to.x + side * by;
                let mut flats = finder.platform(to).flat_segments();
                flats.any(|(a, b)| a.x <= lands && lands <= b.x && a.y == to.y)
                    && self.is_clear(DVec2::new(side * by, 0.0), &self.solution.trajectory)
            })
    }

    /// Whether a trajectory is clear from the take-off, displaced by some distance.
    fn is_clear(&self, displaced: DVec2, trajectory: &Trajectory) -> bool {
        let made = &self.solution.made;
        let from = self.solver.finder.start(made).point() + displaced;
        let slabs = self.buffers.slabs_around(made.from as usize);
        let through = made.take_off.drops_through();
        self.solver.is_clear(slabs, from, trajectory, through)
    }

    /// Whether nothing is in the way when a jump in the air is half a step earlier or
    /// later: a body that moves in steps jumps in the one that is nearest. It steers
    /// back with the acceleration that motions with margins leave over.
    fn may_jump_early_and_late(&self) -> bool {
        (1..self.solution.params.launches().count()).all(|number| {
            let sides = [-0.5 * TICK, 0.5 * TICK];
            let moved = sides.map(|by| self.with_later_jumps(number, by));
            moved.iter().all(|moved| {
                moved
                    .as_ref()
                    .is_some_and(|moved| self.is_clear(DVec2::ZERO, moved))
            })
        })
    }

    /// The trajectory with the launches from this number on some seconds later.
    fn with_later_jumps(&self, number: usize, by: f64) -> Option<Trajectory> {
        let finder = self.solver.finder;
        let Solution { made, params, .. } = self.solution;
        let mut launches: Vec<Launch> = params.launches().collect();
        let legs: Vec<Leg> = params.legs().collect();
        for launch in launches.iter_mut().skip(number) {
            launch.time += by;
        }
        let mut moved = TrajectoryParams::new(&launches, &legs).ok()?;
        if let Some(speed) = params.start_speed() {
            moved = moved.with_start_speed(speed).ok()?;
        }
        let (from, to) = (finder.start(made), &made.to);
        let (dx, dy) = (to.x - from.x, from.y - to.y);
        moved.trajectory(dx, dy, finder.limits.fall).ok()
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
        finder.platform(&made.to).kind != PlatformKind::Floor
            || self.is_clear(DVec2::new(0.0, -higher), &self.solution.trajectory)
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
        let x = (finder.layout).round(finder.start(made).x + trajectory.end.x * short);
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
