//! Which launches are tried from a place.

use navmesh_runtime::mesh::PlatformKind;

use super::{Launch, Leave, Place, World};

/// Launch speeds tried: `k / LAUNCHES` of the greatest, so that flight times
/// are evenly spaced, and those whose apex just touches a cut.
const LAUNCHES: u32 = 16;
/// The same for bodies without air control, which cannot make up in the air
/// for a launch that is a little off.
const BALLISTIC_LAUNCHES: u32 = 64;
/// The same for launches in the air, of which there are several times and
/// first launches each.
const AIR_LAUNCHES: u32 = 8;
/// Most cuts within the height of a jump for which a launch of its own is
/// tried.
const MOST_CUTS: usize = 24;

/// Most cuts passed in the air for which a launch just before each is tried.
const MOST_AIR_CUTS: usize = 12;
/// How long before a cut is passed the launch happens, seconds: far more than
/// the rounding of f32, far less than can be seen.
const AIR_EARLY: f64 = 1e-5;

impl World<'_> {
    /// The ways of leaving a place, shortest flights first, those with
    /// launches in the air last. Replaces `out`.
    pub fn launches(&self, place: usize, out: &mut Vec<Launch>) {
        out.clear();
        let p = self.places.all()[place];
        let floor = &self.floors[p.floor as usize];
        if self.limits.drops() {
            if floor.kind != PlatformKind::Floor {
                out.push(Launch::new(Leave::LetGo));
            }
            if floor.edge_left.is_some() && p.x == floor.left().x {
                out.push(Launch::new(Leave::OffLeft));
            }
            if floor.edge_right.is_some() && p.x == floor.right().x {
                out.push(Launch::new(Leave::OffRight));
            }
        }
        if self.limits.drops_through() && self.stands_on_one_way(&p) {
            out.push(Launch::new(Leave::Through));
        }
        if !self.limits.jumps() {
            return;
        }
        let first = out.len();
        if matches!(floor.kind, PlatformKind::Floor | PlatformKind::Wall) {
            let parts = if self.limits.air_control {
                LAUNCHES
            } else {
                BALLISTIC_LAUNCHES
            };
            self.ups(p.y, parts, |speed| {
                out.push(Launch::new(Leave::Up(speed)));
            });
            out[first..].sort_unstable_by(|a, b| a.speed().total_cmp(&b.speed()));
            out.dedup_by(|a, b| {
                a.speed() > 0.0 && b.speed() > 0.0 && a.speed() - b.speed() < a.speed() * 1e-6
            });
        }
        if self.limits.air_jumps > 0 {
            self.air_launches(place, out);
        }
    }

    /// Launch speeds from a height: evenly spaced, and those whose apex just
    /// touches a cut.
    fn ups(&self, y: f64, parts: u32, mut each: impl FnMut(f32)) {
        let (greatest, gravity) = (self.limits.jump_speed, self.limits.gravity);
        for k in 1..=parts {
            each((greatest * (f64::from(k) / f64::from(parts))) as f32);
        }
        // The longest flight that stays below a cut touches it at its apex.
        let highest = y - 0.5 * greatest * greatest / gravity;
        let cuts = self.slabs.cuts_between(highest, y - self.tolerance());
        if cuts.len() <= MOST_CUTS {
            for cut in cuts {
                let speed = (2.0 * gravity * (y - cut)).sqrt();
                each((speed as f32).next_down());
            }
        }
    }

    /// Adds launches in the air to a few of the first ones: at the apex, after
    /// falls of several depths, and just before cuts are passed on the way
    /// down (the latest above an obstacle, and so the longest way over it),
    /// with speeds as from the floor. Third
    /// and later launches happen at the apex of the one before, at full
    /// speed.
    fn air_launches(&self, place: usize, out: &mut Vec<Launch>) {
        let limits = self.limits;
        let greatest = limits.jump_speed;
        let height = 0.5 * greatest * greatest / limits.gravity;
        let is_first = |launch: &Launch| match launch.leave {
            Leave::Up(speed) => (1..=4).any(|k| {
                let part = greatest * f64::from(k) / 4.0;
                (f64::from(speed) - part).abs() < part * 1e-5
            }),
            Leave::OffLeft | Leave::OffRight | Leave::LetGo => true,
            Leave::Through => false,
        };
        let firsts: Vec<Launch> = out.iter().copied().filter(is_first).collect();
        for first in firsts {
            let flight = *self.take_off(place, first).first();
            let level = flight.start;
            let mut times = vec![flight.apex_at()];
            let falls = [0.0, 0.5 * height, height, 2.0 * height];
            for fall in falls.into_iter().filter(|f| *f < limits.max_drop.y) {
                // Right after leaving the ground there is no second launch.
                if flight.speed > 0.0 || fall > 0.0 {
                    times.push(flight.falling_at(flight.y + fall));
                }
            }
            let deepest = flight.y + falls[2].min(limits.max_drop.y);
            let cuts = self
                .slabs
                .cuts_between(flight.apex() + self.tolerance(), deepest);
            if cuts.len() <= MOST_AIR_CUTS {
                let passed = cuts.iter().map(|cut| flight.falling_at(*cut) - AIR_EARLY);
                times.extend(passed.filter(|t| *t > level));
            }
            for time in times {
                let after = (time - level) as f32;
                let y = flight.height_at(level + f64::from(after));
                self.ups(y, AIR_LAUNCHES, |speed| {
                    let mut launch = first.then(after, speed);
                    out.push(launch);
                    if f64::from(speed) < greatest * (1.0 - 1e-5) {
                        return;
                    }
                    for _ in 1..limits.air_jumps {
                        let rise = (greatest / limits.gravity) as f32;
                        let last = launch.air().last().map_or(0.0, |row| row[0]);
                        launch = launch.then(last + rise, greatest as f32);
                        out.push(launch);
                    }
                });
            }
        }
    }

    /// Whether nothing but a one-way platform carries a body at a place.
    fn stands_on_one_way(&self, p: &Place) -> bool {
        let floor = &self.floors[p.floor as usize];
        let tolerance = self.tolerance();
        floor.kind == PlatformKind::Floor
            && self.slabs.cut_at(p.y, tolerance).is_some_and(|cut| {
                let free = self.slabs.free_around(cut + 1, p.x);
                let one_way = self.slabs.one_way_floors(cut);
                free.is_some() && one_way.iter().any(|x| x.lo < p.x && p.x < x.hi)
            })
    }
}
