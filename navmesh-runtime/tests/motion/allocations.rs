//! Steps and planning allocate nothing once buffers have grown (A3 to A6).

use crate::levels;

use glam::Vec2;
use levels::{Dice, Level, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

#[test]
fn warm_agents_allocate_nothing() {
    for edges in [walking(), EdgeSet::FLY] {
        let dice = &mut Dice(11);
        let level = Level::random(40, 16, edges, dice);
        let environment = Environment::new(level.layer());
        let mut finder = PathFinder::new();
        let goals: Vec<Vec2> = (0..8).map(|_| level.somewhere(dice)).collect();
        let mut agents: Vec<_> = (0..50)
            .map(|_| NavAgent::new(level.layer(), level.somewhere(dice)))
            .collect();
        let mut moved = 0.0;
        let mut round = |agents: &mut [NavAgent]| {
            for tick in 0..600 {
                for (i, agent) in agents.iter_mut().enumerate() {
                    if tick % 40 == i % 40 {
                        agent.set_destination(goals[(tick / 40 + i) % goals.len()]);
                    }
                    match (tick + i) % 150 {
                        60 => agent.launch(Vec2::new(20.0, -150.0)),
                        100 => agent.stun(),
                        120 => agent.enable(),
                        _ => {}
                    }
                    let before = agent.position();
                    let pose = agent.step(environment, &mut finder, 1.0 / 60.0);
                    moved += pose.position.distance(before);
                }
            }
        };
        let start = agents.clone();
        round(&mut agents);
        // The same again, with buffers that have grown.
        for (agent, start) in agents.iter_mut().zip(&start) {
            agent.stop();
            agent.teleport(start.position());
        }
        let info = allocation_counter::measure(|| round(&mut agents));
        assert_eq!(info.count_total, 0);
        assert!(moved > 10_000.0, "they move: {moved}");
    }
}
