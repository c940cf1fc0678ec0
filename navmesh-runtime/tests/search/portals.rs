//! Paths through portals of any cost between any places are the cheapest ones:
//! compared with Dijkstra's algorithm.

use crate::oracle;
use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, LayerParts, Link, NavMesh, PlatformId, StepKind, TrajectoryParams,
};
use navmesh_runtime::motion::{Environment, NavAgent, PathQueue};
use navmesh_runtime::search::{Filter, PathFinder, PathOutcome, Query, Step};
use oracle::{Rules, costs, graph, node, place};
use proptest::prelude::*;
use worlds::{Dice, Plan, portal, somewhere};

/// Adds portals to a layer, also between places of one platform. Half of them
/// cost nothing.
fn add_portals(layer: &mut LayerParts, count: u32, dice: &mut Dice) {
    let platforms = &layer.platforms;
    if platforms.is_empty() {
        return;
    }
    for _ in 0..count {
        let mut place = || {
            let id = PlatformId(dice.below(platforms.len() as u32));
            let platform = platforms.get(id).unwrap();
            let x = dice.between(platform.left().x, platform.right().x);
            (
                id,
                platform.clamp(x.clamp(platform.left().x, platform.right().x)),
            )
        };
        let (from, to) = (place(), place());
        let cost = if dice.chance(0.5) {
            0.0
        } else {
            3.0 * dice.unit()
        };
        layer.links.push(portal(from, to, cost));
    }
    layer.links.sort_by_key(|link| link.from_platform);
}

fn world(edges: EdgeSet, dice: &mut Dice) -> NavMesh {
    let plan = Plan {
        columns: 20 + dice.below(60),
        rows: 5 + dice.below(30),
        links: dice.below(4),
        edges,
        ..Plan::random(dice)
    };
    let mut parts = worlds::parts(plan, 1, dice);
    let count = 1 + dice.below(12);
    add_portals(&mut parts.layers[0], count, dice);
    let mesh = NavMesh::new(parts).unwrap();
    if dice.chance(0.5) {
        mesh.layers()[0].index_routes();
    }
    mesh
}

/// Compares some queries with the oracle; returns how many paths led through
/// a portal.
fn compare(
    mesh: &NavMesh,
    filter: &Filter,
    run_speed: Option<f32>,
    dice: &mut Dice,
) -> Result<u32, TestCaseError> {
    let layer = &mesh.layers()[0];
    let edges = layer.profile().edges & filter.edges;
    let profile = AgentProfile {
        run_speed: run_speed.unwrap_or(layer.profile().run_speed),
        ..layer.profile().clone()
    };
    let speed = profile.run_speed;
    let slow = |link: &Link| {
        let arc = link.trajectory(layer.profile(), mesh.down());
        run_speed.is_none() || arc.is_ok_and(|arc| arc.top_speed() <= f64::from(speed) * 1.000_1)
    };
    let rules = Rules {
        edges,
        speed,
        link: &|link| link.kind == StepKind::Portal || slow(link),
        ..Rules::plain(layer)
    };
    let mut finder = PathFinder::new();
    let mut through = 0;
    for _ in 0..12 {
        let mut query = Query {
            filter: filter.clone(),
            ..Query::new(somewhere(mesh, dice), somewhere(mesh, dice))
        };
        query.profile = Some(profile.clone());
        let place = |position| place(layer, position, edges);
        let (Some(start), Some(goal)) = (place(query.from), place(query.to)) else {
            continue;
        };
        let graph = graph(layer, mesh.grid(), &rules, &[start, goal]);
        let least = costs(&graph, node(layer, start))
            .get(&node(layer, goal))
            .copied();
        match (finder.find(layer, &query).unwrap(), least) {
            (PathOutcome::Found(path), Some(least)) => {
                prop_assert!(
                    (path.cost - least).abs() <= 1e-4 * (1e-3 + least),
                    "{} but the least is {least}: {path:?}",
                    path.cost
                );
                let mut at = path.start;
                for step in &path.steps {
                    prop_assert_eq!(step.from, at);
                    at = step.to;
                    through += u32::from(step.kind == StepKind::Portal);
                }
                prop_assert_eq!(at, path.end);
            }
            (PathOutcome::NoPath(_), None) => {}
            (outcome, least) => prop_assert!(false, "{outcome:?} but the least is {least:?}"),
        }
    }
    Ok(through)
}

fn on_foot() -> EdgeSet {
    EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL
}

proptest! {
    #![proptest_config(soak::cases(32))]

    #[test]
    fn paths_through_portals_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = world(on_foot(), &mut dice);
        compare(&mesh, &Filter::default(), None, &mut dice)?;
    }

    // Portals do not get slower with the agent, and the estimate must respect that.
    #[test]
    fn paths_of_slower_agents_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = world(on_foot(), &mut dice);
        let run_speed = Some(dice.between(5.0, 90.0));
        compare(&mesh, &Filter::default(), run_speed, &mut dice)?;
    }

    #[test]
    fn paths_of_agents_that_fly_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = world(on_foot() | EdgeSet::FLY, &mut dice);
        compare(&mesh, &Filter::default(), None, &mut dice)?;
    }
}

#[test]
fn portals_are_used_unless_a_filter_excludes_them() {
    let (mut through, mut without) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let mesh = world(on_foot(), &mut dice);
        through += compare(&mesh, &Filter::default(), None, &mut dice).unwrap();
        let mut filter = Filter::default();
        filter.edges = on_foot() - EdgeSet::PORTAL;
        without += compare(&mesh, &filter, None, &mut dice).unwrap();
    }
    assert!(through > 20, "{through}");
    assert_eq!(without, 0);
}

/// Adds portals that lead both ways and take no time.
fn add_pairs(layer: &mut LayerParts, count: u32, dice: &mut Dice) {
    add_portals(layer, count, dice);
    layer.links.retain(|link| link.from != link.to);
    let is_portal = |link: &&mut Link| link.kind == StepKind::Portal;
    let mut back = Vec::new();
    for link in layer.links.iter_mut().filter(is_portal) {
        link.duration = 0.0;
        link.params = TrajectoryParams::steady(0.0).unwrap();
        back.push(Link {
            from_platform: link.to_platform,
            to_platform: link.from_platform,
            from: link.to,
            to: link.from,
            ..*link
        });
    }
    layer.links.append(&mut back);
    layer.links.sort_by_key(|link| link.from_platform);
}

/// Such a detour costs nothing, so the cost of a path does not show it.
#[test]
fn no_path_leads_through_a_portal_and_back() {
    let (mut through, mut paths) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let plan = Plan {
            links: 2,
            edges: on_foot(),
            ..Plan::noisy(60, 20, on_foot())
        };
        let mut parts = worlds::parts(plan, 1, &mut dice);
        add_pairs(&mut parts.layers[0], 12, &mut dice);
        let mesh = NavMesh::new(parts).unwrap();
        let layer = &mesh.layers()[0];
        let mut check = |steps: &[Step]| {
            for (i, step) in steps.iter().enumerate() {
                let mut before = steps[..i].iter();
                let is_back = before.any(|s| (s.platform, s.from) == (step.platform, step.from));
                assert!(!is_back, "seed {seed}: {steps:?}");
                through += u32::from(step.kind == StepKind::Portal);
            }
            paths += u32::from(!steps.is_empty());
        };
        let goal = somewhere(&mesh, &mut dice);
        let starts: Vec<Vec2> = (0..40).map(|_| somewhere(&mesh, &mut dice)).collect();
        // A crowd is answered by one search backwards from the goal.
        let (mut queue, environment) = (PathQueue::new(), Environment::new(layer));
        let mut agents: Vec<_> = starts.iter().map(|&at| NavAgent::new(layer, at)).collect();
        for agent in &mut agents {
            agent.go_to(goal);
            agent.step(environment, &mut queue, 0.0);
        }
        queue.work(layer, 1_000_000);
        for agent in &mut agents {
            agent.step(environment, &mut queue, 0.0);
            check(agent.remaining_path());
        }
        let mut finder = PathFinder::new();
        for is_indexed in [false, true] {
            if is_indexed {
                layer.index_routes();
            }
            for &start in &starts {
                let query = Query::new(start, goal);
                if let PathOutcome::Found(path) = finder.find(layer, &query).unwrap() {
                    check(&path.steps);
                }
            }
        }
    }
    assert!(through > 1000, "{through} in {paths}");
}
