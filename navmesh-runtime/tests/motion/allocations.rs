//! Steps and planning allocate nothing once buffers have grown, also
//! while doors close and open, and agents are thrown and stunned.

use crate::levels;

use std::collections::VecDeque;

use glam::Vec2;
use levels::{Dice, Level, walking, with_doors};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent, PathLostReason};
use navmesh_runtime::search::{Doors, PathFinder, Rect};

#[test]
fn warm_agents_allocate_nothing() {
    for (edges, most_doors) in [(walking(), 4), (EdgeSet::FLY, 1)] {
        let dice = &mut Dice(11);
        let level = Level::random(40, 16, edges, dice);
        let environment = Environment::new(level.layer());
        let mut finder = PathFinder::new();
        let goals: Vec<Vec2> = (0..8).map(|_| level.somewhere(dice)).collect();
        let mut agents: Vec<_> = (0..50)
            .map(|_| NavAgent::new(level.layer(), level.somewhere(dice)))
            .collect();
        // Fliers allocate for doors that they have not met before.
        let kinds = if most_doors == 1 { 2 } else { 30 };
        let regions: Vec<Rect> = (0..kinds)
            .map(|_| {
                let at = level.somewhere(dice);
                Rect::new(at - Vec2::new(6.0, 50.0), at + Vec2::new(6.0, 10.0))
            })
            .collect();
        let (mut doors, mut closed) = (Doors::new(), VecDeque::new());
        let (mut moved, mut lost, mut caught) = (0.0, 0, 0);
        let mut round = |agents: &mut [NavAgent]| {
            for tick in 0..600 {
                if tick % 20 == 10 {
                    closed.push_back(doors.close_region(regions[tick / 20 % kinds]));
                }
                if closed.len() > most_doors
                    && let Some(door) = closed.pop_front()
                {
                    doors.open_region(door);
                }
                let environment = with_doors(environment.layer, &doors);
                for (i, agent) in agents.iter_mut().enumerate() {
                    if tick % 40 == i % 40 {
                        agent.go_to(goals[(tick / 40 + i) % goals.len()]);
                    }
                    match (tick + i) % 150 {
                        60 => agent.launch(Vec2::new(20.0, -150.0)),
                        100 => agent.stun(),
                        120 => agent.enable(),
                        _ => {}
                    }
                    let before = agent.pose().position;
                    let pose = agent.step(environment, &mut finder, 1.0 / 60.0);
                    moved += pose.position.distance(before);
                    for event in agent.events() {
                        match event {
                            AgentEvent::PathLost(PathLostReason::Door) => lost += 1,
                            AgentEvent::CaughtInDoor { .. } => caught += 1,
                            _ => {}
                        }
                    }
                }
            }
            for door in closed.drain(..) {
                doors.open_region(door);
            }
        };
        let start = agents.clone();
        round(&mut agents);
        // The same again, with buffers that have grown.
        for (agent, start) in agents.iter_mut().zip(&start) {
            agent.stop();
            agent.teleport(start.pose().position);
        }
        let info = allocation_counter::measure(|| round(&mut agents));
        assert_eq!(info.count_total, 0);
        assert!(moved > 10_000.0, "they move: {moved}");
        let least = if most_doors == 1 { [0, 0] } else { [20, 5] };
        assert!(
            lost >= least[0] && caught >= least[1],
            "doors stop them: {lost} {caught}"
        );
    }
}

/// What an agent reads in most steps: thousands share the cache of the processor.
#[test]
fn an_agent_is_small() {
    assert!(size_of::<NavAgent>() <= 800, "{}", size_of::<NavAgent>());
}
