//! Every link of agents without air control is baked, for tiles and bodies of many
//! sizes, also where only a narrow range of speeds or positions leads there: compared
//! with finer exhaustive searches.

use crate::common;
use crate::random_cases;

use std::collections::BTreeSet;

use common::completeness::Completeness;
use common::reachable::{Detail, baked};
use common::spans::{speeds_into, unite, without};
use common::throw::Throw;
use common::{Geometry as _, Spans, Tiles, draw, tiles};
use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, PlatformId};
use proptest::test_runner::TestRunner;

/// Tiles, and the body's width and height.
const SIZES: [(u32, [f32; 2]); 6] = [
    (7, [4.0, 6.0]),
    (11, [9.0, 10.0]),
    (16, [14.0, 15.0]),
    (16, [12.0, 20.0]),
    (23, [15.0, 22.0]),
    (33, [28.0, 40.0]),
];

fn agent(side: u32, body: [f32; 2]) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", side as f32);
    (agent.body, agent.air_control) = (body, false);
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
    agent
}

#[test]
fn narrow_ways_are_found_without_air_control() {
    let mut runner = TestRunner::deterministic();
    let mut total = Completeness::default();
    for (side, body) in SIZES {
        let agent = agent(side, body);
        let detail = Detail {
            take_offs: f64::from(side) / 16.0,
            launches: 96,
            dt: 1.0 / 60.0,
        };
        for _ in 0..random_cases::times(5) {
            let world = draw(&mut runner, &tiles(8..16, 6..10, side));
            let meshes = [1.0, 1.1].map(|stretch| world.baked(agent.clone(), stretch));
            let layers = meshes.each_ref().map(|mesh| &mesh.layers()[0]);
            total.compare(&world, layers, detail, true);
        }
        total.tell(&format!("{side} px, {body:?}"), false);
    }
    total.assert_complete(random_cases::share(250), total.can as f64);
}

/// Units per second between the launches that are tried.
const LAUNCH_STEP: f64 = 0.1;

/// Units between the take-offs that are tried.
const PLACE_STEP: f64 = 2.0;

/// Jumps over tiles without one-way tops, one launch after the other.
struct Launches<'a> {
    layer: &'a Layer,
    /// The heights at which what blocks the body changes, from the top down, and what blocks
    /// it above each.
    heights: Vec<f64>,
    blocked: Vec<Spans>,
}

impl<'a> Launches<'a> {
    fn new(world: &Tiles, layer: &'a Layer) -> Self {
        let body = DVec2::from(layer.profile().body.map(f64::from));
        let tops = world.heights().into_iter();
        let mut heights: Vec<f64> = tops.flat_map(|y| [y, y + body.y]).collect();
        heights.extend([-1000.0, world.rows.len() as f64 * f64::from(world.side)]);
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        let above = |i: usize| {
            let middle = match i.checked_sub(1) {
                Some(before) => f64::midpoint(heights[before], heights[i]),
                None => heights[0] - 1.0,
            };
            unite(world.blocked_x((middle, middle), body, 0.0))
        };
        let blocked = (0..heights.len()).map(above).collect();
        Self {
            layer,
            heights,
            blocked,
        }
    }

    /// The parts of a jump between heights: what blocks the body there, the times, and the
    /// height at the end if the body falls to it.
    fn parts(&self, throw: &Throw, lowest: f64) -> Vec<(&Spans, [f64; 2], Option<f64>)> {
        let apex = throw.height(throw.apex());
        let mut parts = Vec::new();
        let mut time = 0.0;
        let first = self.heights.partition_point(|y| *y < throw.y - 1e-9);
        let passed = self.heights.partition_point(|y| *y <= apex);
        for i in (passed..first).rev() {
            let next = throw.passes(self.heights[i]).unwrap()[0];
            parts.push((&self.blocked[i + 1], [time, next], None));
            time = next;
        }
        for i in passed..self.heights.len() {
            let y = self.heights[i];
            if y > lowest {
                break;
            }
            let next = throw.passes(y).unwrap()[1];
            parts.push((&self.blocked[i], [time, next], Some(y)));
            time = next;
        }
        parts
    }

    /// The pairs of floors that a jump joins, of which `known` has none, with two launches in a
    /// row and a range of horizontal speeds for each.
    fn missing(&self, known: &BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
        let profile = self.layer.profile();
        let run = f64::from(profile.run_speed);
        let floors: Vec<(u32, [DVec2; 2])> = (self.layer.platforms())
            .map(|p| (p.id.0, [p.left(), p.right()].map(Vec2::as_dvec2)))
            .collect();
        let mut missing = BTreeSet::new();
        for (id, [left, right]) in &floors {
            let targets = floors.iter().filter(|(to, [from, _])| {
                let rise = left.y - from.y;
                to != id
                    && !known.contains(&(*id, *to))
                    && rise <= f64::from(profile.max_jump[1])
                    && -rise <= f64::from(profile.max_drop[1])
            });
            let targets: Vec<_> = targets.collect();
            let lowest = targets.iter().map(|(_, [to, _])| to.y);
            let lowest = lowest.fold(f64::NEG_INFINITY, f64::max);
            let mut before = BTreeSet::new();
            let launches = (f64::from(profile.jump_speed) / LAUNCH_STEP) as u32;
            for launch in 1..=launches {
                let throw = Throw::new(profile, left.y, f64::from(launch) * LAUNCH_STEP);
                let parts = self.parts(&throw, lowest);
                let mut reached = BTreeSet::new();
                let places = ((right.x - left.x) / PLACE_STEP) as u32;
                for place in 0..=places {
                    let x = left.x + f64::from(place) * PLACE_STEP;
                    let mut speeds = vec![(-run, run)];
                    for (blocked, [from, until], lands) in &parts {
                        let most = run * until;
                        let near = |b: &&(f64, f64)| b.0 < x + most && b.1 > x - most;
                        let hits = blocked.iter().filter(near);
                        let hits: Spans = hits
                            .map(|(a, b)| speeds_into(a - x, b - x, &[*from, *until]))
                            .collect();
                        if !hits.is_empty() {
                            speeds = without(&speeds, &unite(hits));
                        }
                        if speeds.is_empty() {
                            break;
                        }
                        let Some(y) = lands else { continue };
                        for (to, [left, right]) in targets.iter().filter(|t| t.1[0].y == *y) {
                            let across = f64::from(profile.max_jump[0]);
                            let [lo, hi] = [left.x.max(x - across), right.x.min(x + across)];
                            let [lo, hi] = [lo, hi].map(|at| (at - x) / until);
                            let lands = |s: &(f64, f64)| s.1.min(hi) - s.0.max(lo) > LAUNCH_STEP;
                            if speeds.iter().any(lands) {
                                reached.insert((place, *to));
                            }
                        }
                    }
                }
                let twice = reached.intersection(&before);
                missing.extend(twice.map(|(_, to)| (*id, *to)));
                before = reached;
            }
        }
        missing
    }
}

/// All jumps between floors, in steps of 0.1 units per second upwards and 2 units of the
/// take-off, and all horizontal speeds.
#[test]
fn every_range_of_launches_is_found_without_air_control() {
    let mut runner = TestRunner::deterministic();
    let (mut pairs, mut report) = (0, Vec::new());
    for (side, body) in SIZES {
        for _ in 0..random_cases::times(10) {
            let mut world = draw(&mut runner, &tiles(8..14, 6..9, side));
            for tile in world.rows.iter_mut().flatten() {
                if *tile == '-' {
                    *tile = '.';
                }
            }
            let mesh = world.baked(agent(side, body), 1.0);
            let layer = &mesh.layers()[0];
            let known = baked(layer);
            pairs += known.len();
            let missing = Launches::new(&world, layer).missing(&known);
            for (from, to) in missing {
                let [from, to] = [from, to].map(|id| {
                    let platform = layer.platform(PlatformId(id)).unwrap();
                    format!("{} {}", platform.left(), platform.right())
                });
                let lines = world.lines().join("\n");
                report.push(format!("{from} -> {to}, {body:?}\n{lines}"));
            }
        }
    }
    println!("{} missing, {pairs} linked", report.len());
    assert!(pairs > random_cases::share(300), "{pairs}");
    assert!(report.is_empty(), "{}", report.join("\n\n"));
}
