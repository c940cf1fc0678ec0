//! Jumps of bodies without air control that no take-off from an endpoint finds.
//!
//! Such a body must take off with the right speeds at the right place, so a platform may be
//! reached from a narrow range of each only. All places and horizontal speeds are followed at
//! once, exactly; ranges of upward speeds are halved until none of their launches may reach
//! a platform that is missing, or the middle one does.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use crate::connection::Endpoint;
use crate::flight::moves::{Move, MoveFinder, REGION_ENDPOINTS, SearchBuffers};
use crate::flight::reachable_speeds::{Launches, clip, inside, positions};
use crate::flight::take_off::{Departure, TakeOff, touching_speed};
use crate::flight::vertical_motion::VerticalFlight;
use crate::geometry::Interval;

/// How often a range of upward speeds is halved, at most: to 0.05 units/s for a jump of 40
/// units.
const MOST_HALVINGS: u32 = 12;

/// When so many ranges, each halved so often, come near a platform but their middle launches
/// do not reach it, it is given up. Conservative slabs next to slopes end a hair beside what is
/// landed on, and then all launches come near.
const MOST_NEAR_MISSES: usize = 16;
const HALVINGS_BEFORE: u32 = 6;

/// A level piece of floor, by its first endpoint.
#[derive(Clone, Copy)]
struct Ground {
    endpoint: usize,
    platform: usize,
    x: Interval,
    y: f64,
}

impl MoveFinder<'_> {
    /// Adds a move to each platform that a jump from a floor reaches, but none of `moves`, which
    /// are those of [`moves_from`](Self::moves_from).
    pub fn add_launches(
        &self,
        buffers: &mut SearchBuffers,
        platform: usize,
        moves: &mut Vec<Move>,
    ) {
        let line = &self.platforms[platform];
        if line.kind != PlatformKind::Floor || !self.limits.jumps() {
            return;
        }
        let mut reached: BTreeSet<u32> = moves.iter().map(|found| found.to.platform).collect();
        let endpoints = self.endpoints.range(platform);
        for endpoint in endpoints.clone().step_by(REGION_ENDPOINTS) {
            let next = (endpoint + REGION_ENDPOINTS).min(endpoints.end - 1);
            let items = &self.endpoints.items;
            let part = Interval::new(items[endpoint].x, items[next].x);
            for (left, right) in line.flat_segments() {
                let ground = Ground {
                    endpoint,
                    platform,
                    x: Interval::new(left.x, right.x).intersection(&part),
                    y: left.y,
                };
                if ground.x.len() > 0.0 {
                    self.add_launches_from(buffers, ground, &mut reached, moves);
                }
            }
        }
    }

    fn add_launches_from(
        &self,
        buffers: &mut SearchBuffers,
        ground: Ground,
        reached: &mut BTreeSet<u32>,
        moves: &mut Vec<Move>,
    ) {
        let (greatest, gravity) = (self.limits.jump_speed, self.limits.fall.gravity);
        let highest = ground.y - 0.5 * greatest * greatest / gravity;
        let slabs = &buffers.region(ground.endpoint).slabs;
        let cuts = slabs.cuts_between(highest, ground.y - self.layout.tolerance());
        // Launches between two of these pass the same cuts.
        let mut speeds = vec![0.0];
        let touching = cuts.iter().rev();
        let touching = touching.map(|cut| f64::from(touching_speed(gravity, ground.y - cut)));
        speeds.extend(touching.filter(|speed| *speed < greatest));
        speeds.push(f64::from(greatest as f32));
        let mut known = reached.clone();
        let mut ranges: Vec<Interval> = speeds[1..].iter().map(|v| Interval::at(*v)).collect();
        ranges.extend(
            speeds
                .windows(2)
                .map(|pair| Interval::new(pair[0], pair[1])),
        );
        // Each time, all ranges are halved.
        for halvings in 0..=MOST_HALVINGS {
            let mut halves = Vec::new();
            let mut near_misses: BTreeMap<u32, usize> = BTreeMap::new();
            for range in ranges {
                let middle = f64::from(range.middle() as f32);
                let mut may_reach = Vec::new();
                if range.len() > 0.0 {
                    may_reach = self.launch(buffers, ground, range, middle, &known);
                    if may_reach.is_empty() {
                        continue;
                    }
                    halves.push(Interval::new(range.lo, middle));
                    halves.push(Interval::new(middle, range.hi));
                }
                for found in self.launch(buffers, ground, Interval::at(middle), middle, &known) {
                    if known.insert(found.to.platform) {
                        reached.insert(found.to.platform);
                        moves.push(found);
                    }
                }
                let missed: BTreeSet<u32> = may_reach.iter().map(|it| it.to.platform).collect();
                for platform in missed.difference(&known) {
                    *near_misses.entry(*platform).or_default() += 1;
                }
            }
            let given_up = near_misses
                .into_iter()
                .filter(|(_, count)| halvings >= HALVINGS_BEFORE && *count > MOST_NEAR_MISSES);
            known.extend(given_up.map(|(platform, _)| platform));
            ranges = halves;
        }
    }

    /// Moves to platforms that are not reached yet, of launches with the upward speeds of a
    /// range: for a single speed those that are possible, or else all that may be.
    fn launch(
        &self,
        buffers: &mut SearchBuffers,
        ground: Ground,
        range: Interval,
        middle: f64,
        reached: &BTreeSet<u32>,
    ) -> Vec<Move> {
        let place = Endpoint::new(DVec2::new(ground.x.lo, ground.y), ground.platform as u32);
        let take_off = TakeOff::new(Departure::Jump(middle as f32));
        let motion = self.vertical_motion(&place, take_off);
        let ends = [range.lo, range.hi].map(|speed| VerticalFlight {
            speed,
            ..*motion.first()
        });
        let run = self.limits.run_speed;
        let launches = Launches {
            x: ground.x,
            speeds: Interval::new(-run, run),
            ends: (range.len() > 0.0).then_some(ends),
        };
        let window = self.window(&place, take_off);
        let most = self.limits.reach(true);
        let mut speeds = std::mem::take(&mut buffers.speeds);
        let region = buffers.region(ground.endpoint);
        let mut found = Vec::new();
        speeds.propagate(&region.slabs, &motion, &launches, &window, |arrival| {
            let span = [arrival.seconds; 2];
            for set in arrival.sets {
                let x = positions(set, span).grown(arrival.room);
                let targets = region.landings.targets(arrival.cut, x, &self.endpoints);
                for (platform, x, y) in targets.filter(|target| !reached.contains(&target.0)) {
                    let (lo, hi) = (x.lo - arrival.room, x.hi + arrival.room);
                    let rise = ground.y - y;
                    if rise > most.y || -rise > self.limits.max_drop.y {
                        continue;
                    }
                    let part = inside(set, span, lo, hi);
                    // Not farther across than the agent may.
                    let fastest = (most.x + arrival.room) / arrival.seconds;
                    let part = part.and_then(|part| clip(part.into(), DVec2::Y, fastest));
                    let part = part.and_then(|part| clip(part, DVec2::NEG_Y, fastest));
                    let Some(part) = part else {
                        continue;
                    };
                    let state = part.iter().sum::<DVec2>() / part.len() as f64;
                    let from = self.layout.round(state.x).clamp(ground.x.lo, ground.x.hi);
                    let to = self.layout.round(state.x + state.y * arrival.seconds);
                    let from = Endpoint { x: from, ..place };
                    let to = Endpoint::new(DVec2::new(to.clamp(x.lo, x.hi), y), platform);
                    if launches.ends.is_some() || self.is_within_limits(&from, &to, true) {
                        found.push(Move {
                            endpoint: ground.endpoint as u32,
                            from,
                            to,
                            take_off,
                            duration: motion.last().falling_at(y),
                        });
                    }
                }
            }
        });
        buffers.speeds = speeds;
        found
    }
}
