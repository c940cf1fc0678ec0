//! How forgiving an arc is.

use navmesh_runtime::mesh::{self, Leg, MAX_LEGS, TrajectoryParams};

use super::arcs::{ArcSolver, Checked};
use super::{Place, Scratch};

/// Tolerances are multiples of this many seconds.
const STEP: f64 = 1.0 / 128.0;
/// The largest tolerance told apart: a quarter of a second.
const MOST: u32 = 32;

impl ArcSolver<'_> {
    /// How much later, in seconds, a body may begin to move across and still
    /// land on the same spot in the same time, hitting nothing and keeping to
    /// its speed: 0 for an arc that needs every bit of it. Without air
    /// control there is no catching up: then, how much of the flight's
    /// distance, in seconds at its speed, may be missing at the end with the
    /// same platform still under the feet.
    ///
    /// Found by halving, each candidate checked as strictly as the arc
    /// itself; at most a quarter of a second, in steps of 1/128.
    pub fn tolerance(&self, scratch: &Scratch, place: usize, to: &Place, checked: &Checked) -> f32 {
        let fits = |steps: u32| {
            let late = f64::from(steps) * STEP;
            if self.world.limits.air_control {
                self.fits_late(scratch, place, to, checked, late)
            } else {
                self.fits_slow(scratch, place, to, checked, late)
            }
        };
        let (mut good, mut bad) = (0, MOST + 1);
        while bad - good > 1 {
            let middle = u32::midpoint(good, bad);
            if fits(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        (f64::from(good) * STEP) as f32
    }

    /// The same legs, begun `late` and run so much faster.
    fn fits_late(
        &self,
        scratch: &Scratch,
        place: usize,
        to: &Place,
        checked: &Checked,
        late: f64,
    ) -> bool {
        let arc = &checked.arc;
        // A walk off a lip must leave it first.
        let level = arc.launches().first().map_or(0.0, |l| l.time);
        let air = arc.duration() - level;
        if late >= air {
            return false;
        }
        let faster = air / (air - late);
        let mut legs: Vec<Leg> = Vec::with_capacity(MAX_LEGS + 2);
        let mut before = level;
        let wait = Leg {
            duration: late,
            speed: 0.0,
        };
        for &Leg { duration, speed } in arc.legs() {
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
        self.fits(scratch, place, to, checked, &legs)
    }

    /// The same flight at a lower speed, which lands short.
    fn fits_slow(
        &self,
        scratch: &Scratch,
        place: usize,
        to: &Place,
        checked: &Checked,
        late: f64,
    ) -> bool {
        let arc = &checked.arc;
        let short = (1.0 - late / arc.duration()).max(0.0);
        let x = self
            .world
            .layout
            .round(self.world.places.all()[place].x + arc.end().x * short);
        let floor = &self.world.floors[to.floor as usize];
        if floor.kind.is_upright() {
            // There is nothing beside it to hold on to.
            return late == 0.0;
        }
        let on_it = floor.left().x <= x && x <= floor.right().x;
        let near = Place {
            x,
            y: floor.height_at(x),
            floor: to.floor,
        };
        on_it
            && near.y == to.y
            && self
                .check(scratch, place, &near, checked.program, checked.through)
                .is_some()
    }

    fn fits(
        &self,
        scratch: &Scratch,
        place: usize,
        to: &Place,
        checked: &Checked,
        legs: &[Leg],
    ) -> bool {
        let stored = legs.get(..legs.len().saturating_sub(1)).unwrap_or_default();
        let launches: Vec<mesh::Launch> = checked.program.launches().collect();
        TrajectoryParams::new(&launches, stored).is_ok_and(|program| {
            self.check(scratch, place, to, program, checked.through)
                .is_some()
        })
    }
}
