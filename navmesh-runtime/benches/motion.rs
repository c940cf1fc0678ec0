//! How long an agent's step takes: 10,000 agents on their ways, and everyone
//! changing their mind at once.
//!
//! `cargo bench -p navmesh-runtime --bench motion`

#[path = "../tests/motion_worlds/mod.rs"]
mod motion_worlds;

use std::hint::black_box;
use std::time::Instant;

use motion_worlds::{Dice, Level, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{NavAgent, PathQueue, World};
use navmesh_runtime::search::PathFinder;

const AGENTS: usize = 10_000;
const DT: f32 = 1.0 / 60.0;

fn main() {
    for (name, edges) in [("ground", walking()), ("air", EdgeSet::FLY)] {
        let dice = &mut Dice(5);
        let level = Level::random(120, 30, edges, dice);
        let world = World::new(level.layer());
        let mut finder = PathFinder::new();
        let mut agents: Vec<_> = (0..AGENTS)
            .map(|_| {
                let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
                agent.set_approach(true);
                agent.set_destination(level.somewhere(dice));
                agent
            })
            .collect();
        for agent in &mut agents {
            agent.step(world, &mut finder, DT);
        }
        let (mut steps, mut moving) = (0_u64, 0_u64);
        let begin = Instant::now();
        for _ in 0..120 {
            for agent in &mut agents {
                let pose = black_box(agent.step(world, &mut finder, DT));
                moving += u64::from(pose.activity.is_moving());
                steps += 1;
            }
        }
        let each = begin.elapsed().as_secs_f64() / steps as f64 * 1e9;
        println!(
            "{name}: {each:.0} ns an agent-step, {:.0} % moving",
            moving as f64 / steps as f64 * 100.0
        );

        let mut queue = PathQueue::new();
        for agent in &mut agents {
            agent.set_destination(level.somewhere(dice));
        }
        let (mut frames, mut slowest) = (0, 0.0_f64);
        let storm = Instant::now();
        loop {
            let begin = Instant::now();
            for agent in &mut agents {
                agent.step(world, &mut queue, DT);
            }
            queue.work(level.layer(), 4_000);
            slowest = slowest.max(begin.elapsed().as_secs_f64());
            frames += 1;
            if queue.is_empty() || frames > 100_000 {
                break;
            }
        }
        println!(
            "{name}: {AGENTS} new destinations at once: answered in {frames} frames, {:.2} s in all, {:.2} ms the slowest frame",
            storm.elapsed().as_secs_f64(),
            slowest * 1e3,
        );
    }
}
