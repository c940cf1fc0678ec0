//! How long an agent's step takes, and how long everyone's paths take.
//!
//! `cargo bench -p navmesh-runtime --bench motion`, on a generated level; or
//! with `NAVMESH=level.navmesh` in the environment, on every layer of a baked
//! one.
//!
//! - 10,000 agents on their ways, and what they allocate;
//! - 1,000 questions through a queue;
//! - 10,000 agents that change their mind in one frame, answered within a
//!   budget a frame;
//! - what a search backwards from a goal, for all agents at once, takes beside
//!   searches forwards, one an agent.

#[path = "../tests/motion_worlds/mod.rs"]
mod motion_worlds;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use glam::Vec2;
use motion_worlds::{Dice, Level, walking};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{EdgeSet, Layer, NavMesh};
use navmesh_runtime::motion::{NavAgent, PathQueue, PathSource, World};
use navmesh_runtime::search::{Outcome, PathFinder, Place, Query, locate};

const AGENTS: usize = 10_000;
const QUESTIONS: usize = 1_000;
const DT: f32 = 1.0 / 60.0;

fn main() {
    let meshes: Vec<NavMesh> = match std::env::var("NAVMESH") {
        Ok(path) => vec![asset::load(path).expect("NAVMESH names a baked file")],
        Err(_) => [walking(), EdgeSet::FLY]
            .map(|edges| Level::random(120, 30, edges, &mut Dice(5)).mesh)
            .into(),
    };
    for layer in meshes.iter().flat_map(NavMesh::layers) {
        let (vertices, links) = (layer.grid().len(), layer.links().len());
        println!(
            "{}: {vertices} vertices, {links} links",
            layer.profile().name
        );
        stepping(layer);
        questions(layer);
        storm(layer);
        if layer.profile().edges.walks() {
            one_goal(layer);
        }
    }
}

/// Somewhere that an agent can be.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let grid = layer.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32 * grid.y_axis.down()) * grid.spacing;
    let edges = layer.profile().edges;
    loop {
        let at = grid.origin + size * Vec2::new(dice.unit(), dice.unit());
        if let Some(place) = locate(layer, at, edges.walks(), edges.contains(EdgeSet::FLY)) {
            return place.position(layer);
        }
    }
}

fn agents(layer: &Layer, dice: &mut Dice) -> Vec<NavAgent> {
    let agent = |_| {
        let mut agent = NavAgent::new(layer, somewhere(layer, dice));
        agent.set_approach(true);
        agent
    };
    (0..AGENTS).map(agent).collect()
}

fn stepping(layer: &Layer) {
    let dice = &mut Dice(5);
    let world = World::new(layer);
    let mut finder = PathFinder::new();
    let mut agents = agents(layer, dice);
    for agent in &mut agents {
        agent.set_destination(somewhere(layer, dice));
        agent.step(world, &mut finder, DT);
    }
    let (mut steps, mut moving, mut seconds) = (0_u64, 0_u64, 0.0);
    let allocations = allocation_counter::measure(|| {
        for _ in 0..120 {
            let begin = Instant::now();
            for agent in &mut agents {
                let pose = black_box(agent.step(world, &mut finder, DT));
                moving += u64::from(pose.activity.is_moving());
                steps += 1;
            }
            seconds += begin.elapsed().as_secs_f64();
        }
    });
    println!(
        "  stepping: {:.0} ns an agent-step, {:.0} % moving, {} allocations in {steps} steps",
        seconds / steps as f64 * 1e9,
        moving as f64 / steps as f64 * 100.0,
        allocations.count_total,
    );
}

fn questions(layer: &Layer) {
    let dice = &mut Dice(6);
    let queries: Vec<Query> = (0..QUESTIONS)
        .map(|_| Query::new(somewhere(layer, dice), somewhere(layer, dice)))
        .collect();
    let mut queue = PathQueue::new();
    for round in ["cold", "warm"] {
        let begin = Instant::now();
        let mut tickets = vec![None; queries.len()];
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            black_box(queue.ask(layer, ticket, query));
        }
        queue.work(layer, u32::MAX);
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            black_box(queue.ask(layer, ticket, query));
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "  queue, {round}: {QUESTIONS} questions in {:.2} ms, {:.1} µs each",
            seconds * 1e3,
            seconds / QUESTIONS as f64 * 1e6
        );
    }
}

fn storm(layer: &Layer) {
    let dice = &mut Dice(7);
    let world = World::new(layer);
    let mut queue = PathQueue::new();
    let mut agents = agents(layer, dice);
    for agent in &mut agents {
        agent.step(world, &mut queue, DT);
        agent.set_destination(somewhere(layer, dice));
    }
    let (mut frames, mut slowest) = (0, 0.0_f64);
    let begin = Instant::now();
    loop {
        let frame = Instant::now();
        for agent in &mut agents {
            agent.step(world, &mut queue, DT);
        }
        queue.work(layer, 4_000);
        slowest = slowest.max(frame.elapsed().as_secs_f64());
        frames += 1;
        if queue.is_empty() || frames > 100_000 {
            break;
        }
    }
    println!(
        "  storm: {AGENTS} new destinations in one frame, 4,000 nodes a frame: answered in {frames} \
         frames, {:.2} s in all, {:.2} ms the slowest frame",
        begin.elapsed().as_secs_f64(),
        slowest * 1e3,
    );
}

/// Many agents on foot, one goal.
fn one_goal(layer: &Layer) {
    let dice = &mut Dice(8);
    let mut finder = PathFinder::new();
    let (mut forwards, mut backwards, mut paths) = (0.0, 0.0, 0);
    for _ in 0..10 {
        let goal = somewhere(layer, dice);
        let begin = Instant::now();
        backwards += black_box(field(layer, goal)).map_or(0.0, |_| begin.elapsed().as_secs_f64());
        for _ in 0..200 {
            let query = Query::new(somewhere(layer, dice), goal);
            let begin = Instant::now();
            let outcome = finder.find(layer, &query);
            // Who cannot get there learns so without a search.
            if matches!(black_box(outcome), Ok(Outcome::Found(_))) {
                forwards += begin.elapsed().as_secs_f64();
                paths += 1;
            }
        }
    }
    let (each, all) = (forwards / f64::from(paths.max(1)), backwards / 10.0);
    println!(
        "  one goal: {:.1} µs a path forwards, {:.1} µs for all backwards: as much as {:.0} paths",
        each * 1e6,
        all * 1e6,
        all / each
    );
}

/// The time from every link's take-off to a goal, searched backwards, in the
/// plainest way.
fn field(layer: &Layer, goal: Vec2) -> Option<Vec<f64>> {
    let Some(Place::Floor(spot)) = locate(layer, goal, true, false) else {
        return None;
    };
    let links = layer.links();
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); layer.platforms().len()];
    for (i, link) in (0..).zip(links) {
        into[link.to_platform.index()].push(i);
    }
    let speed = f64::from(layer.profile().run_speed);
    let walk = |a: f32, b: f32| f64::from((a - b).abs()) / speed;
    let mut cost = vec![f64::INFINITY; links.len()];
    let mut open = BinaryHeap::new();
    let offer = |cost: &mut [f64], open: &mut BinaryHeap<_>, i: u32, after: f64, x: f32| {
        let link = &links[i as usize];
        let total = f64::from(link.duration) + walk(link.to.x, x) + after;
        if total < cost[i as usize] {
            cost[i as usize] = total;
            open.push(Reverse((total.to_bits(), i)));
        }
    };
    for &i in &into[spot.platform.index()] {
        offer(&mut cost, &mut open, i, 0.0, spot.position.x);
    }
    while let Some(Reverse((bits, i))) = open.pop() {
        if cost[i as usize].to_bits() != bits {
            continue;
        }
        let (link, after) = (&links[i as usize], cost[i as usize]);
        for &before in &into[link.from_platform.index()] {
            offer(&mut cost, &mut open, before, after, link.from.x);
        }
    }
    Some(cost)
}
