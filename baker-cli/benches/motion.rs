//! Times of agents' steps and of their path requests.
//!
//! `cargo bench -p navbake-benches --bench motion` runs on generated levels, or
//! on every layer of the file that the environment variable `NAVMESH` names.
//!
//! - stepping: 10,000 agents on their paths, and what they allocate;
//! - keeping apart: 200 agents that avoid each other, or do not;
//! - queue: 1,000 requests in a queue;
//! - new destinations: 10,000 in one frame, answered within a budget for each
//!   frame, without and with an index of routes;
//! - one goal: crowds with one goal, in a queue and one by one;
//! - chasing: 1,000 agents whose goal moves, and is told to them every frame or every 30.

#[path = "../../navmesh-runtime/tests/motion/levels.rs"]
mod levels;
#[path = "../../navmesh-runtime/tests/support/random.rs"]
mod random;

use std::hint::black_box;
use std::time::Instant;

use glam::Vec2;
use levels::{Dice, Level, walking};
use navmesh_runtime::Navigator;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{EdgeSet, Layer, NavMesh};
use navmesh_runtime::motion::{Avoidance, Environment, NavAgent, PathQueue};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, SnapTo};
use navmesh_runtime::shared::PathSource;

const AGENTS: usize = 10_000;
const REQUESTS: usize = 1_000;
const DT: f32 = 1.0 / 60.0;

fn main() {
    let meshes: Vec<NavMesh> = match std::env::var("NAVMESH") {
        Ok(path) => vec![asset::load(path).expect("NAVMESH names a baked file")],
        Err(_) => [walking(), EdgeSet::FLY]
            .map(|edges| Level::random(120, 30, edges, &mut Dice(5)).mesh)
            .into(),
    };
    for (mesh, layer) in meshes
        .iter()
        .flat_map(|mesh| mesh.layers().iter().map(move |l| (mesh, l)))
    {
        let vertices = u64::from(layer.grid().columns) * u64::from(layer.grid().rows);
        let links = layer.links().len();
        println!(
            "{}: {vertices} vertices, {links} links",
            layer.profile().name
        );
        stepping(layer);
        keeping_apart(mesh, layer);
        requests(layer);
        new_destinations(layer, "without an index");
        chasing(layer, "without an index");
        if layer.profile().edges.walks() {
            one_goal(layer);
        }
        if layer.index_routes() > 0 {
            new_destinations(layer, "with an index");
            chasing(layer, "with an index");
        }
    }
}

/// A random place where an agent can be.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let grid = layer.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32 * grid.y_axis.down()) * grid.spacing;
    loop {
        let at = grid.origin + size * Vec2::new(dice.unit(), dice.unit());
        if let Some(place) = layer.snap(at, SnapTo::PathEnd) {
            return place.position;
        }
    }
}

fn agents(layer: &Layer, dice: &mut Dice) -> Vec<NavAgent> {
    (0..AGENTS)
        .map(|_| NavAgent::new(layer, somewhere(layer, dice)))
        .collect()
}

/// A random place that can be reached from a position; the position itself if
/// 50 tries find none.
fn goal(layer: &Layer, from: Vec2, finder: &mut PathFinder, dice: &mut Dice) -> Vec2 {
    for _ in 0..50 {
        let query = Query::new(from, somewhere(layer, dice));
        if matches!(finder.find(layer, &query), Ok(PathOutcome::Found(_))) {
            return query.to;
        }
    }
    from
}

fn stepping(layer: &Layer) {
    let dice = &mut Dice(5);
    let environment = Environment::new(layer);
    let mut finder = PathFinder::new();
    let mut agents = agents(layer, dice);
    for agent in &mut agents {
        let goal = goal(layer, agent.pose().position, &mut finder, dice);
        agent.go_to(goal);
        agent.step(environment, &mut finder, DT);
    }
    let (mut steps, mut moving, mut seconds) = (0_u64, 0_u64, 0.0);
    let allocations = allocation_counter::measure(|| {
        for _ in 0..120 {
            let begin = Instant::now();
            for agent in &mut agents {
                let pose = black_box(agent.step(environment, &mut finder, DT));
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

fn chasing(layer: &Layer, how: &str) {
    const FRAMES: u32 = 240;
    for every in [1, 30] {
        let dice = &mut Dice(8);
        let environment = Environment::new(layer);
        let mut finder = PathFinder::new();
        let mut chasers = agents(layer, dice);
        chasers.truncate(REQUESTS);
        let mut prey = NavAgent::new(layer, somewhere(layer, dice));
        let (mut worst, mut sum) = (0.0_f64, 0.0);
        for frame in 0..FRAMES {
            if !prey.pose().activity.is_moving() {
                let to = goal(layer, prey.pose().position, &mut finder, dice);
                prey.go_to(to);
            }
            let target = prey.step(environment, &mut finder, DT).position;
            let begin = Instant::now();
            for chaser in &mut chasers {
                if frame % every == 0 {
                    chaser.go_to(target);
                }
                black_box(chaser.step(environment, &mut finder, DT));
            }
            let seconds = begin.elapsed().as_secs_f64();
            (worst, sum) = (worst.max(seconds), sum + seconds);
        }
        println!(
            "  chasing, {how}, a goal every {every} frames: {:.2} ms a frame, worst {:.2}",
            sum / f64::from(FRAMES) * 1e3,
            worst * 1e3,
        );
    }
}

/// The time of a step of agents that keep apart, and of the same ones that do not.
fn keeping_apart(mesh: &NavMesh, layer: &Layer) {
    for avoidance in [Avoidance::Overlap, Avoidance::Queue, Avoidance::Yield] {
        let dice = &mut Dice(5);
        let mut nav = Navigator::new(mesh.clone());
        let mut finder = PathFinder::new();
        let mut agents = agents(layer, dice);
        agents.truncate(200);
        let (mut seconds, mut steps) = (0.0, 0_u32);
        for frame in 0..1_800 {
            for agent in &mut agents {
                agent.set_avoidance(avoidance);
                if !agent.is_under_way() {
                    let goal = goal(layer, agent.pose().position, &mut finder, dice);
                    agent.try_go_to(&mut nav, goal);
                }
            }
            let begin = Instant::now();
            for agent in &mut agents {
                black_box(agent.update(&mut nav, DT));
                steps += 1;
            }
            if frame > 60 {
                seconds += begin.elapsed().as_secs_f64();
            } else {
                steps = 0;
            }
        }
        let each = seconds / f64::from(steps.max(1)) * 1e9;
        println!("  keeping apart, {avoidance:?}: {each:.0} ns a step of 200 agents");
    }
}

fn requests(layer: &Layer) {
    let dice = &mut Dice(6);
    let mut finder = PathFinder::new();
    let queries: Vec<Query> = (0..REQUESTS)
        .map(|_| {
            let from = somewhere(layer, dice);
            Query::new(from, goal(layer, from, &mut finder, dice))
        })
        .collect();
    let mut queue = PathQueue::new();
    for round in ["cold", "warm"] {
        let begin = Instant::now();
        let mut tickets = vec![None; queries.len()];
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            let _ = black_box(queue.ask(layer, ticket, query));
        }
        queue.work(layer, u32::MAX);
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            let _ = black_box(queue.ask(layer, ticket, query));
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "  queue, {round}: {REQUESTS} requests in {:.2} ms, {:.1} µs each",
            seconds * 1e3,
            seconds / REQUESTS as f64 * 1e6
        );
    }
}

fn new_destinations(layer: &Layer, how: &str) {
    let dice = &mut Dice(7);
    let environment = Environment::new(layer);
    let (mut queue, mut finder) = (PathQueue::new(), PathFinder::new());
    let mut agents = agents(layer, dice);
    for agent in &mut agents {
        agent.step(environment, &mut queue, DT);
        let goal = goal(layer, agent.pose().position, &mut finder, dice);
        agent.go_to(goal);
    }
    let (mut frames, mut slowest) = (0, 0.0_f64);
    let begin = Instant::now();
    loop {
        let frame = Instant::now();
        for agent in &mut agents {
            agent.step(environment, &mut queue, DT);
        }
        queue.work(layer, 4_000);
        slowest = slowest.max(frame.elapsed().as_secs_f64());
        frames += 1;
        if queue.is_empty() || frames > 100_000 {
            break;
        }
    }
    println!(
        "  new destinations, {how}: {AGENTS} in one frame, 4,000 nodes a frame: answered in \
         {frames} frames, {:.2} s in all, {:.2} ms the slowest frame",
        begin.elapsed().as_secs_f64(),
        slowest * 1e3,
    );
}

/// Crowds of walking agents with one goal that is new to their queue, compared
/// with a search for each agent. All agents can reach the goal.
fn one_goal(layer: &Layer) {
    let dice = &mut Dice(8);
    let mut finder = PathFinder::new();
    for count in [6, 12, 25, 50, 100, 1_000] {
        let (mut alone, mut together, mut asked) = (0.0, 0.0, 0);
        let mut queue = PathQueue::new();
        for round in 0..20 {
            let goal = somewhere(layer, dice);
            let queries: Vec<Query> = (0..count * 50)
                .map(|_| Query::new(somewhere(layer, dice), goal))
                .filter(|query| matches!(finder.find(layer, query), Ok(PathOutcome::Found(_))))
                .take(count)
                .collect();
            if queries.len() < count {
                continue;
            }
            let begin = Instant::now();
            for query in &queries {
                let _ = black_box(finder.find(layer, query));
            }
            let each = begin.elapsed().as_secs_f64();
            let begin = Instant::now();
            let mut tickets = vec![None; queries.len()];
            for (ticket, query) in tickets.iter_mut().zip(&queries) {
                let _ = black_box(queue.ask(layer, ticket, query));
            }
            queue.work(layer, u32::MAX);
            for (ticket, query) in tickets.iter_mut().zip(&queries) {
                let _ = black_box(queue.ask(layer, ticket, query));
            }
            // Buffers grow in the first few rounds.
            if round >= 5 {
                alone += each;
                together += begin.elapsed().as_secs_f64();
                asked += count;
            }
        }
        let micros = |seconds: f64| seconds / f64::from(asked.max(1) as u32) * 1e6;
        println!(
            "  one goal, {count} agents: {:.2} µs each by searches, {:.2} µs through a queue",
            micros(alone),
            micros(together),
        );
    }
}
