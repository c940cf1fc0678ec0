//! Stage 6: every move that can be made from one place to another.

use navmesh_runtime::mesh::PlatformKind;

use super::{
    Flight, Floor, FunnelGate, Landings, Launch, Layout, Leave, Limits, Node, Place, Places, Reach,
    Slabs, TakeOff, Within, constant,
};
use crate::geometry::Interval;

/// A move between two places that can be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// Number of the place it leaves.
    pub from: u32,
    /// Where it lands.
    pub to: Place,
    /// Which take-off it uses.
    pub launch: Launch,
    /// Seconds it takes with that launch.
    pub duration: f64,
}

/// A place that a take-off reaches.
struct Landing {
    to: Place,
    /// Its number; `None` for a spot between the numbered places.
    number: Option<usize>,
    /// When the cut is crossed from which it is landed on.
    time: f64,
    /// The node it was reached by, so many layers in.
    node: Node,
    depth: usize,
}

/// Everything moves are found in, for one agent.
pub struct World<'a> {
    /// The agent.
    pub limits: &'a Limits,
    /// The lattice.
    pub layout: &'a Layout,
    /// Free space.
    pub slabs: &'a Slabs,
    /// Platforms.
    pub floors: &'a [Floor],
    /// Positions on them.
    pub places: &'a Places,
    /// The same by where they are landed on.
    pub landings: &'a Landings,
}

/// The part of a world around some places of one platform, small enough to
/// stay in the processor's cache while every launch from them is tried.
#[derive(Debug, Default)]
struct Region {
    slabs: Slabs,
    landings: Landings,
}

/// Places that share a region.
const REGION_PLACES: usize = 16;

/// Reused from one take-off to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    reach: Reach,
    constant: constant::Speeds,
    /// Per place: the take-off (counted) that last reached it.
    seen: Vec<u32>,
    /// The same per platform.
    seen_floors: Vec<u32>,
    count: u32,
    launches: Vec<Launch>,
    /// The regions of a platform's places, [`REGION_PLACES`] each.
    regions: Vec<Region>,
    /// The first of these places.
    first: usize,
}

impl World<'_> {
    /// A height below which two cuts are one.
    pub(super) fn tolerance(&self) -> f64 {
        self.layout.quantum * 0.5
    }

    /// The coordinate of a place along its platform.
    pub fn along(&self, place: &Place) -> f64 {
        if self.floors[place.floor as usize].kind.is_upright() {
            place.y
        } else {
            place.x
        }
    }

    /// How fast one moves along a platform.
    pub fn speed_on(&self, floor: u32) -> f64 {
        match self.floors[floor as usize].kind {
            PlatformKind::Floor => self.limits.run_speed,
            _ => self.limits.climb_speed,
        }
    }

    /// Where and how a launch takes off from a place.
    pub fn take_off(&self, place: usize, launch: Launch) -> TakeOff {
        let p = self.places.all()[place];
        let floor = &self.floors[p.floor as usize];
        let (x, start) = match launch.leave {
            // It falls from the moment its trailing edge has left the lip.
            Leave::OffLeft | Leave::OffRight => {
                let edge = if launch.leave == Leave::OffLeft {
                    floor.edge_left
                } else {
                    floor.edge_right
                };
                let x = edge.unwrap_or(p.x);
                (x, (x - p.x).abs() / self.limits.run_speed)
            }
            Leave::Through | Leave::LetGo | Leave::Up(_) => (p.x, 0.0),
        };
        // As f32 stores it, so that flights meet where the arc's do.
        let start = f64::from(start as f32);
        let take_off = TakeOff::new(
            x,
            Flight {
                y: p.y,
                start,
                speed: f64::from(launch.speed()),
                fall: self.limits.fall,
            },
        );
        launch.air().iter().fold(take_off, |take_off, row| {
            let at = (start + f64::from(row[0])) as f32;
            take_off.then(f64::from(at), f64::from(row[1]))
        })
    }

    /// Whether a move between two places is within the limits on distance.
    pub fn within_limits(&self, from: &Place, to: &Place, jump: bool) -> bool {
        let slack = self.layout.quantum;
        let across = (to.x - from.x).abs();
        let rise = from.y - to.y;
        let limits = self.limits;
        if jump {
            across <= limits.max_jump.x + slack
                && rise <= limits.max_jump.y + slack
                && -rise <= limits.max_drop.y + slack
        } else {
            across <= limits.max_drop.x + slack
                && rise <= slack
                && -rise <= limits.max_drop.y + slack
        }
    }

    /// Prepares `scratch` for the take-offs of one platform.
    pub fn enter(&self, scratch: &mut Scratch, floor: usize) {
        let places = self.places.of_floor(floor);
        scratch.first = places.start;
        let limits = self.limits;
        let across = limits.max_jump.x.max(limits.max_drop.x) + 4.0 * self.layout.quantum;
        let jump = 0.5 * limits.jump_speed * limits.jump_speed / limits.gravity;
        let rise = jump * (f64::from(limits.air_jumps) + 1.0) + self.layout.spacing;
        let fall = limits.max_drop.y + self.layout.spacing;
        let chunks = self.places.all()[places].chunks(REGION_PLACES);
        scratch
            .regions
            .resize_with(scratch.regions.len().max(chunks.len()), Region::default);
        for (region, chunk) in scratch.regions.iter_mut().zip(chunks) {
            let x = chunk
                .iter()
                .fold(Interval::new(f64::INFINITY, f64::NEG_INFINITY), |x, p| {
                    Interval::new(x.lo.min(p.x), x.hi.max(p.x))
                });
            let top = chunk.iter().map(|p| p.y).fold(f64::INFINITY, f64::min) - rise;
            let bottom = chunk.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max) + fall;
            let x = x.grown(across);
            let cuts = region.slabs.copy_part(self.slabs, top, bottom, x);
            region
                .landings
                .copy_part(self.landings, cuts, x, floor as u32);
        }
    }

    /// The slabs around a place of the platform entered.
    pub fn slabs_around<'s>(&self, scratch: &'s Scratch, place: usize) -> &'s Slabs {
        &scratch.regions[(place - scratch.first) / REGION_PLACES].slabs
    }

    /// Runs one take-off; `landed` gets each place reached.
    fn fly(
        &self,
        scratch: &mut Scratch,
        place: usize,
        launch: Launch,
        mut landed: impl FnMut(Landing),
    ) {
        let p = self.places.all()[place];
        let take_off = self.take_off(place, launch);
        let across = if launch.jumps() {
            self.limits.max_jump.x
        } else {
            self.limits.max_drop.x
        };
        let within = Within {
            window: Interval::new(p.x - across, p.x + across)
                .grown(2.0 * self.layout.quantum)
                .intersection(&self.slabs.bounds()),
            lowest: p.y + self.limits.max_drop.y,
            tolerance: self.tolerance(),
        };
        let Region { slabs, landings } = &scratch.regions[(place - scratch.first) / REGION_PLACES];
        let mut landing = |cut: usize, time: f64, nodes: &[Node], depth: usize| {
            for &node in nodes {
                landings.within(cut, node.x, self.layout, |spot| {
                    let (to, number) = match spot {
                        Ok(i) => (self.places.all()[i as usize], Some(i as usize)),
                        Err(between) => (between, None),
                    };
                    landed(Landing {
                        to,
                        number,
                        time,
                        node,
                        depth,
                    });
                });
            }
        };
        if self.limits.air_control {
            scratch
                .reach
                .run(slabs, self.limits, &take_off, &within, &mut landing);
        } else {
            scratch
                .constant
                .run(slabs, self.limits, &take_off, launch, &within, &mut landing);
        }
    }

    /// Every place that can be reached from `place` with the fastest launch
    /// that reaches it.
    pub fn moves_from(&self, scratch: &mut Scratch, place: usize, out: &mut Vec<Move>) {
        let all = self.places.all();
        let p = all[place];
        scratch.seen.resize(all.len(), 0);
        scratch.seen_floors.resize(self.floors.len(), 0);
        scratch.count = scratch.count.wrapping_add(1);
        if scratch.count == 0 {
            scratch.seen.fill(0);
            scratch.seen_floors.fill(0);
            scratch.count = 1;
        }
        let count = scratch.count;
        let mut seen = std::mem::take(&mut scratch.seen);
        let mut seen_floors = std::mem::take(&mut scratch.seen_floors);
        let mut launches = std::mem::take(&mut scratch.launches);
        self.launches(place, &mut launches);
        for &launch in &launches {
            let flight = *self.take_off(place, launch).last();
            let jump = launch.jumps();
            self.fly(scratch, place, launch, |landing| {
                let q = landing.to;
                if q.floor == p.floor || !self.within_limits(&p, &q, jump) {
                    return;
                }
                match landing.number {
                    Some(i) if seen[i] == count => return,
                    Some(i) => seen[i] = count,
                    // Spots between places only matter where no place is.
                    None if seen_floors[q.floor as usize] == count => return,
                    None => {}
                }
                seen_floors[q.floor as usize] = count;
                out.push(Move {
                    from: place as u32,
                    to: q,
                    launch,
                    duration: flight.falling_at(q.y),
                });
            });
        }
        scratch.seen = seen;
        scratch.seen_floors = seen_floors;
        scratch.launches = launches;
    }

    /// The portals of a move: what is needed to draw it. `false` when that
    /// launch does not reach the place after all.
    pub fn portals(
        &self,
        scratch: &mut Scratch,
        from: usize,
        q: &Place,
        launch: Launch,
        out: &mut Vec<FunnelGate>,
    ) -> bool {
        let p = self.places.all()[from];
        let mut hit = None;
        self.fly(scratch, from, launch, |landing| {
            if landing.to == *q && hit.is_none() {
                hit = Some((landing.time, landing.node, landing.depth));
            }
        });
        let Some((time, node, depth)) = hit else {
            return false;
        };
        let take_off = self.take_off(from, launch);
        let end = take_off.last().falling_at(q.y);
        if self.limits.air_control {
            scratch.reach.portals(node, depth, time, q.x, out);
        } else {
            let free = Interval::new(p.x.min(q.x), p.x.max(q.x));
            out.clear();
            let start = Interval::new(take_off.x, take_off.x);
            out.push(FunnelGate {
                time: take_off.first().start,
                x: start,
                free,
            });
        }
        let column = Interval::new(q.x, q.x);
        if end > time || !self.limits.air_control {
            // The rest is straight down, onto slanted ground.
            out.push(FunnelGate {
                time: end,
                x: column,
                free: column,
            });
        }
        if take_off.first().start > 0.0 {
            let here = Interval::new(p.x, p.x);
            let free = Interval::new(p.x.min(take_off.x), p.x.max(take_off.x));
            out.insert(
                0,
                FunnelGate {
                    time: 0.0,
                    x: here,
                    free,
                },
            );
        }
        true
    }
}
