//! Every move that an agent can make from one endpoint to another.

use glam::DVec2;

use crate::agent_limits::AgentLimits;
use crate::connection::{Endpoint, MAX_TOLERANCE};
use crate::flight::endpoints::{Endpoints, find_endpoints};
use crate::flight::funnel::FunnelGate;
use crate::flight::landing_index::LandingIndex;
use crate::flight::missing_landings::MissingLandings;
use crate::flight::reachable_intervals::ReachableIntervals;
use crate::flight::reachable_speeds::{Launches, ReachableSpeeds, ReachedStates, positions};
use crate::flight::region::Region;
use crate::flight::slab_traversal::{Arrival, FlightWindow, ReachedInterval};
use crate::flight::take_off::{Departure, TakeOff, TakeOffChoice};
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::{Interval, top_depth};
use crate::layout::Layout;
use crate::level::Rect;
use crate::links::springs::Spring;
use crate::space::slabs::Slabs;
use crate::surfaces::platform_line::PlatformLine;

/// A move between two endpoints that the agent can make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// Index of the endpoint it was found from.
    pub endpoint: u32,
    /// Where it takes off: that endpoint, or a position near it.
    pub from: Endpoint,
    pub to: Endpoint,
    pub take_off: TakeOff,
    /// Seconds it takes.
    pub duration: f64,
}

/// Finds the moves of one agent.
pub struct MoveFinder<'a> {
    pub limits: &'a AgentLimits,
    pub layout: &'a Layout,
    pub slabs: &'a Slabs,
    pub platforms: &'a [PlatformLine],
    pub endpoints: Endpoints,
    /// The spring by which all take-offs are made, instead of by the agent itself.
    pub spring: Option<Spring>,
    landings: LandingIndex,
}

/// Number of endpoints that share a region. Neighbouring endpoints need nearly
/// the same region, so copying one region for each would cost more time than it
/// saves. With many more endpoints, the region would no longer fit in the
/// cache.
pub const REGION_ENDPOINTS: usize = 16;

/// What a take-off reaches.
#[derive(Debug)]
struct RecordedFlight {
    take_off: TakeOff,
    intervals: ReachableIntervals,
    landings: Vec<ReachedLanding>,
}

/// A position at which a flight lands.
#[derive(Debug)]
struct ReachedLanding {
    to: Endpoint,
    interval: ReachedInterval,
    time: f64,
    depth: usize,
}

/// Landings of recorded flights that are kept at a time, in each thread: about
/// 20 MB.
const MAX_RECORDED: usize = 200_000;

/// Memory that is reused from one take-off to the next.
#[derive(Debug, Default)]
pub struct SearchBuffers {
    intervals: ReachableIntervals,
    /// For each endpoint of the platform, the flights whose gates a trajectory was
    /// searched through. With bounded acceleration, several moves try the same flight.
    recorded: Vec<Vec<RecordedFlight>>,
    /// Number of their landings.
    recorded_landings: usize,
    pub speeds: ReachableSpeeds,
    found: MissingLandings,
    /// The regions of a platform's endpoints, one for every
    /// [`REGION_ENDPOINTS`] of them.
    regions: Vec<Region>,
    /// Index of the first of these endpoints.
    first: usize,
}

impl SearchBuffers {
    pub fn region(&self, endpoint: usize) -> &Region {
        &self.regions[(endpoint - self.first) / REGION_ENDPOINTS]
    }

    /// The slabs around an endpoint of the platform for which
    /// [`MoveFinder::moves_from`] was called last.
    pub fn slabs_around(&self, endpoint: usize) -> &Slabs {
        &self.region(endpoint).slabs
    }
}

/// The positions that a take-off from the origin can reach.
pub fn reach(limits: &AgentLimits, layout: &Layout) -> Rect {
    // Tolerances of smooth motions are measured in the same slabs, with the
    // motion displaced by up to this far. Outside of a region slabs cannot decide,
    // and every check has to use the geometry.
    let displaced = f64::from(MAX_TOLERANCE) * limits.run_speed;
    let farthest = limits.max_jump.x.max(limits.max_drop.x);
    let across = farthest + 4.0 * layout.quantum + displaced;
    let jump = 0.5 * limits.jump_speed * limits.jump_speed / limits.fall.gravity;
    // A little more, so that the region includes the slabs just beyond.
    let rise = jump * (f64::from(limits.air_jumps) + 1.0) + layout.detail;
    let fall = limits.max_drop.y + layout.detail;
    Rect::new(DVec2::new(-across, -rise), DVec2::new(across, fall))
}

impl<'a> MoveFinder<'a> {
    /// Finds the endpoints on an agent's platforms.
    pub fn new(
        limits: &'a AgentLimits,
        layout: &'a Layout,
        slabs: &'a Slabs,
        platforms: &'a [PlatformLine],
    ) -> Self {
        let endpoints = find_endpoints(platforms, layout, slabs, limits);
        let landings = LandingIndex::new(platforms, &endpoints, layout, slabs);
        Self {
            limits,
            layout,
            slabs,
            platforms,
            endpoints,
            spring: None,
            landings,
        }
    }

    /// The coordinate of an endpoint along its platform.
    pub fn along(&self, endpoint: &Endpoint) -> f64 {
        self.platform(endpoint).along(endpoint.point())
    }

    pub fn platform(&self, endpoint: &Endpoint) -> &PlatformLine {
        &self.platforms[endpoint.platform as usize]
    }

    /// The speed at which the agent moves along the platform of an endpoint.
    pub fn speed_on(&self, endpoint: &Endpoint) -> f64 {
        self.limits.speed_on(self.platform(endpoint).kind)
    }

    pub fn take_offs(&self, endpoint: usize) -> Vec<TakeOff> {
        let from = self.endpoints.items[endpoint];
        if let Some(spring) = &self.spring {
            return spring.take_off(&from).into_iter().collect();
        }
        let choice = TakeOffChoice {
            limits: self.limits,
            slabs: self.slabs,
            platform: self.platform(&from),
            from,
            tolerance: self.layout.tolerance(),
        };
        choice.list()
    }

    pub fn vertical_motion(&self, from: &Endpoint, take_off: TakeOff) -> VerticalMotion {
        VerticalMotion::new(take_off, from, self.platform(from), self.limits)
    }

    /// Whether a move stays within the agent's limits on distance.
    pub fn is_within_limits(&self, from: &Endpoint, to: &Endpoint, jumps: bool) -> bool {
        // Positions are rounded to the lattice, so a move at a limit can exceed
        // it by one quantum.
        let slack = self.layout.quantum;
        let across = (to.x - from.x).abs();
        let rise = from.y - to.y;
        let limits = self.limits;
        let most = limits.reach(jumps);
        across <= most.x + slack && rise <= most.y + slack && -rise <= limits.max_drop.y + slack
    }

    /// Every move from a platform. Prepares `buffers` for the take-offs from it.
    pub fn moves_from(&self, buffers: &mut SearchBuffers, platform: usize) -> Vec<Move> {
        self.enter(buffers, platform);
        let mut moves = Vec::new();
        for endpoint in self.endpoints.range(platform) {
            self.moves_from_endpoint(buffers, endpoint, &mut moves);
        }
        if !self.limits.air_control && self.spring.is_none() {
            self.add_launches(buffers, platform, &mut moves);
        }
        moves
    }

    /// Prepares `buffers` for the take-offs from one platform.
    fn enter(&self, buffers: &mut SearchBuffers, platform: usize) {
        let endpoints = self.endpoints.range(platform);
        buffers.first = endpoints.start;
        buffers.recorded.clear();
        buffers.recorded.resize_with(endpoints.len(), Vec::new);
        buffers.recorded_landings = 0;
        let chunks = self.endpoints.items[endpoints].chunks(REGION_ENDPOINTS);
        let count = buffers.regions.len().max(chunks.len());
        buffers.regions.resize_with(count, Region::default);
        for (region, chunk) in buffers.regions.iter_mut().zip(chunks) {
            let (x, [top, bottom]) = self.reach_of(chunk);
            let level = (self.slabs, &self.landings);
            region.fill(level, (top, bottom), x, platform as u32);
        }
    }

    /// The x, and the highest and the lowest y, that take-offs from some endpoints can reach.
    pub fn reach_of(&self, endpoints: &[Endpoint]) -> (Interval, [f64; 2]) {
        let Rect { min, max } = reach(self.limits, self.layout);
        let (mut x, mut y) = (Interval::NOTHING, Interval::NOTHING);
        for p in endpoints {
            (x, y) = (x.extended_to(p.x), y.extended_to(p.y));
        }
        (x.grown(max.x), [y.lo + min.y, y.hi + max.y])
    }

    /// The limits of a motion from a position.
    pub fn window(&self, from: &Endpoint, take_off: TakeOff) -> FlightWindow {
        let limits = self.limits;
        let across = limits.reach(take_off.jumps()).x;
        FlightWindow {
            x: Interval::new(from.x - across, from.x + across)
                .grown(2.0 * self.layout.quantum)
                .intersection(&self.slabs.bounds),
            lowest: from.y + limits.max_drop.y,
            tolerance: self.layout.tolerance(),
            top_depth: top_depth(limits.fall.gravity, limits.body.y),
        }
    }

    /// Follows one take-off, and calls `arrive` with every arrival.
    fn fly(
        &self,
        buffers: &mut SearchBuffers,
        endpoint: usize,
        take_off: TakeOff,
        window: &FlightWindow,
        mut arrive: impl FnMut(&Region, &Arrival<'_>),
    ) {
        let motion = self.vertical_motion(&self.endpoints.items[endpoint], take_off);
        let region = &buffers.regions[(endpoint - buffers.first) / REGION_ENDPOINTS];
        let (slabs, speed) = (&region.slabs, self.limits.run_speed);
        if self.limits.air_control {
            let intervals = &mut buffers.intervals;
            intervals.propagate(slabs, speed, &motion, window, |arrival| {
                arrive(region, &arrival);
            });
        } else {
            let speeds = match take_off.departure {
                Departure::WalkOffLeft => Interval::new(-speed, 0.0),
                Departure::WalkOffRight => Interval::new(0.0, speed),
                Departure::Jump(_)
                | Departure::Thrown(_)
                | Departure::DropThrough
                | Departure::LetGo => Interval::new(-speed, speed),
            };
            let launches = Launches {
                x: Interval::at(motion.x),
                speeds,
                ends: None,
            };
            let mut intervals = Vec::new();
            (buffers.speeds).propagate(slabs, &motion, &launches, window, |reached| {
                intervals.clear();
                let all = reached.sets.iter();
                let all = all.map(|set| positions(set, [reached.seconds; 2]));
                let all = all.map(|x| x.intersection(&window.x));
                let all = all.filter(|x| !x.is_empty());
                intervals.extend(all.map(|x| ReachedInterval {
                    x,
                    free: x,
                    parent: 0,
                }));
                let ReachedStates { cut, time, .. } = reached;
                let arrival = Arrival {
                    cut,
                    time,
                    intervals: &intervals,
                    depth: 0,
                };
                arrive(region, &arrival);
            });
        }
    }

    /// Adds to `out` a move to every position that can be reached from an
    /// endpoint, with the first take-off that reaches it.
    fn moves_from_endpoint(
        &self,
        buffers: &mut SearchBuffers,
        endpoint: usize,
        out: &mut Vec<Move>,
    ) {
        let all = &self.endpoints.items;
        let from = all[endpoint];
        let mut found = std::mem::take(&mut buffers.found);
        found.begin(buffers.region(endpoint), all.len(), self.platforms.len());
        for take_off in self.take_offs(endpoint) {
            let motion = self.vertical_motion(&from, take_off);
            let mut window = self.window(&from, take_off);
            let (region, speed) = (buffers.region(endpoint), self.limits.run_speed);
            match found.lowest_missing(region, &motion, &window, speed) {
                Some(lowest) => window.lowest = lowest,
                None => continue,
            }
            let (flight, jumps) = (motion.last(), take_off.jumps());
            self.fly(buffers, endpoint, take_off, &window, |region, arrival| {
                let cut = arrival.cut;
                for interval in arrival.intervals {
                    if !region.is_large && !found.is_missing(cut, region.columns.set(interval.x)) {
                        continue;
                    }
                    let landings = &region.landings;
                    landings.within(cut, interval.x, &self.endpoints, self.layout, |landing| {
                        let to = landing.to;
                        if found.needs(&landing) && self.is_within_limits(&from, &to, jumps) {
                            found.add(&landing, cut);
                            out.push(Move {
                                endpoint: endpoint as u32,
                                from,
                                to,
                                take_off,
                                duration: flight.falling_at(to.y),
                            });
                        }
                    });
                }
            });
        }
        buffers.found = found;
    }

    /// What a take-off from an endpoint reaches.
    fn recorded<'b>(
        &self,
        buffers: &'b mut SearchBuffers,
        endpoint: usize,
        take_off: TakeOff,
    ) -> &'b RecordedFlight {
        let slot = endpoint - buffers.first;
        let known = &buffers.recorded[slot];
        let at = known.iter().position(|known| known.take_off == take_off);
        let at = at.unwrap_or_else(|| {
            let mut landings = Vec::new();
            let from = &self.endpoints.items[endpoint];
            let window = self.window(from, take_off);
            self.fly(buffers, endpoint, take_off, &window, |region, arrival| {
                let Arrival { time, depth, .. } = *arrival;
                for &interval in arrival.intervals {
                    let (all, cut) = (&region.landings, arrival.cut);
                    all.within(cut, interval.x, &self.endpoints, self.layout, |landing| {
                        landings.push(ReachedLanding {
                            to: landing.to,
                            interval,
                            time,
                            depth,
                        });
                    });
                }
            });
            buffers.recorded_landings += landings.len();
            if buffers.recorded_landings > MAX_RECORDED {
                buffers.recorded.iter_mut().for_each(Vec::clear);
                buffers.recorded_landings = landings.len();
            }
            let intervals = buffers.intervals.to_record();
            buffers.recorded[slot].push(RecordedFlight {
                take_off,
                intervals,
                landings,
            });
            buffers.recorded[slot].len() - 1
        });
        &buffers.recorded[slot][at]
    }

    /// The gates through which a move must go; `None` when the take-off does not
    /// reach the position.
    pub fn funnel(&self, buffers: &mut SearchBuffers, candidate: &Move) -> Option<Vec<FunnelGate>> {
        let Move {
            from, to, take_off, ..
        } = *candidate;
        let endpoint = candidate.endpoint as usize;
        let flight = self.recorded(buffers, endpoint, take_off);
        let mut landings = flight.landings.iter();
        let reached = landings.find(|landing| landing.to == to)?;
        let motion = self.vertical_motion(&from, take_off);
        let end = motion.last().falling_at(to.y);
        let (interval, depth, time) = (reached.interval, reached.depth, reached.time);
        let mut gates = flight.intervals.funnel(interval, depth, time, to.x);
        if end > time {
            // From the last cut, the body falls straight down onto slanted ground. A smooth
            // motion goes on, and is checked against the ground itself.
            if self.limits.air_acceleration.is_some() && gates.len() > 1 {
                gates.pop();
            }
            gates.push(FunnelGate::point(end, to.x));
        }
        if motion.first().start > 0.0 {
            // Before the fall, the body walks to the point where its support
            // ends.
            let gate = FunnelGate {
                free: Interval::at(from.x).extended_to(motion.x),
                ..FunnelGate::point(0.0, from.x)
            };
            gates.insert(0, gate);
        }
        Some(gates)
    }
}

#[cfg(test)]
#[path = "moves_test.rs"]
mod tests;
