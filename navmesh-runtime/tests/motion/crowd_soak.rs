//! A crowd lives through a long time of random commands, doors, swapped levels and
//! small budgets: no agent stands still on the way to a destination that can be
//! reached, memory stays the same, and a second run has the same end.
//!
//! `SOAK=125 cargo test --release -p navmesh-runtime --test motion crowd_soak`
//! makes a million updates of 200 agents.

use std::collections::VecDeque;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh, PlatformId};
use navmesh_runtime::motion::{Activity, AgentEvent, BodyState, Environment, NavAgent, PathQueue};
use navmesh_runtime::search::{Doors, PathFinder, PathOutcome, Query, Rect};

use crate::soak;
use crate::worlds::Dice;

const AGENTS: usize = 200;
const DT: f32 = 1.0 / 60.0;

/// The nodes that each layer's queue may expand in an update. With 30 requests
/// waiting for a path of 60 nodes, the last one waits a second.
const BUDGET: u32 = 40;

/// Longer than any link or wait for a path takes.
const PATIENCE: f32 = 5.0;

struct Actor {
    layer: usize,
    agent: NavAgent,
    /// Where it was when it last moved, was commanded, or its world changed.
    place: Vec2,
    still: f32,
}

struct Crowd {
    meshes: [NavMesh; 2],
    mesh: usize,
    actors: Vec<Actor>,
    queues: Vec<PathQueue>,
    doors: Doors,
    closed: VecDeque<Rect>,
    dice: Dice,
    finder: PathFinder,
    updates: u32,
    arrivals: u32,
    /// Times at which an agent stood still although it had a path.
    stuck: Vec<String>,
}

/// A random place that agents of a layer can go to.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let platform = PlatformId(dice.below(layer.platforms().len() as u32));
    let platform = layer.platform(platform).expect("there is one");
    let x = dice.between(platform.left().x, platform.right().x);
    platform.clamp(x)
}

impl Crowd {
    fn new(seed: u64) -> Self {
        let files: [&[u8]; 2] = [
            include_bytes!("../../games/levels/arena.navmesh"),
            include_bytes!("../../games/levels/rooms.navmesh"),
        ];
        let meshes = files.map(|file| asset::decode(file).expect("it is valid"));
        let mut dice = Dice(seed);
        let layers = meshes[0].layers();
        let actors = (0..AGENTS).map(|i| {
            let place = somewhere(&layers[i % layers.len()], &mut dice);
            Actor {
                layer: i % layers.len(),
                agent: NavAgent::new(&layers[i % layers.len()], place),
                place,
                still: 0.0,
            }
        });
        Self {
            actors: actors.collect(),
            queues: layers.iter().map(|_| PathQueue::new()).collect(),
            meshes,
            mesh: 0,
            doors: Doors::new(),
            closed: VecDeque::new(),
            dice,
            finder: PathFinder::new(),
            updates: 0,
            arrivals: 0,
            stuck: Vec::new(),
        }
    }

    fn update(&mut self) {
        self.updates += 1;
        let mut changed = false;
        if self.updates.is_multiple_of(900) {
            self.mesh = 1 - self.mesh;
            changed = true;
        }
        let layers = self.meshes[self.mesh].layers();
        if self.updates.is_multiple_of(240) {
            let at = somewhere(&layers[0], &mut self.dice);
            let door = Rect::new(at - Vec2::new(4.0, 40.0), at + Vec2::new(4.0, 2.0));
            self.closed.push_back(self.doors.close_region(door));
            changed = true;
        }
        if self.closed.len() > 3
            && let Some(door) = self.closed.pop_front()
        {
            self.doors.open_region(door);
            changed = true;
        }
        for actor in &mut self.actors {
            let layer = &layers[actor.layer];
            let agent = &mut actor.agent;
            let queue = &mut self.queues[actor.layer];
            let environment = Environment {
                layer,
                doors: &self.doors,
            };
            let is_commanded = self.dice.below(200) == 0;
            if is_commanded {
                let at = somewhere(layer, &mut self.dice);
                let velocity = Vec2::new(
                    self.dice.between(-300.0, 300.0),
                    self.dice.between(-300.0, 300.0),
                );
                match self.dice.below(16) {
                    0 => agent.stun(),
                    1 => agent.disable(),
                    2 => agent.launch(velocity),
                    3 => agent.teleport(at),
                    4 => {
                        let body = BodyState {
                            position: agent.pose().position + velocity * 0.05,
                            velocity,
                            grounded: self.dice.below(2) == 0,
                        };
                        agent.drive_with(environment, queue, body, DT);
                    }
                    5 => agent.stop(),
                    6..=8 => agent.enable(),
                    _ => agent.go_to(at),
                }
            }
            agent.step(environment, queue, DT);
            self.arrivals += u32::from(
                (agent.events().iter()).any(|event| matches!(event, AgentEvent::Arrived { .. })),
            );
            let has_moved = agent.pose().position.distance(actor.place) > 1.0;
            let rests = !agent.is_under_way() || agent.pose().activity == Activity::Disabled;
            if is_commanded || changed || has_moved || rests {
                actor.place = agent.pose().position;
                actor.still = 0.0;
                continue;
            }
            actor.still += DT;
            if actor.still > PATIENCE {
                actor.still = 0.0;
                let mut filter = agent.filter().clone();
                filter.close_doors(&self.doors);
                let goal = agent.destination().unwrap_or(actor.place);
                let query = Query {
                    filter,
                    ..Query::new(agent.pose().position, goal)
                };
                let path = self.finder.find(layer, &query);
                if matches!(path, Ok(PathOutcome::Found(_))) {
                    let update = self.updates;
                    self.stuck.push(format!("update {update}: {agent:?}"));
                }
            }
        }
        for (queue, layer) in self.queues.iter_mut().zip(layers) {
            queue.work(layer, BUDGET);
        }
    }

    /// A number that differs if any agent is elsewhere.
    fn state(&self) -> u64 {
        let bits = self.actors.iter().flat_map(|actor| {
            let (at, v) = (actor.agent.pose().position, actor.agent.pose().velocity);
            [at.x, at.y, v.x, v.y].map(f32::to_bits)
        });
        bits.fold(0xCBF2_9CE4_8422_2325, |hash, bits| {
            (hash ^ u64::from(bits)).wrapping_mul(0x100_0000_01B3)
        })
    }
}

#[test]
fn a_crowd_moves_on_for_ever_in_constant_memory() {
    let updates = soak::samples(12_000);
    let run = |seed: u64| {
        let mut crowd = Crowd::new(seed);
        let grown = [(); 4].map(|()| {
            let memory = allocation_counter::measure(|| {
                (0..updates / 4).for_each(|_| crowd.update());
            });
            memory.bytes_current
        });
        println!(
            "{} updates of {AGENTS} agents: {} arrivals, {} stuck, memory of each quarter grew by {grown:?}",
            crowd.updates,
            crowd.arrivals,
            crowd.stuck.len(),
        );
        assert!(crowd.stuck.is_empty(), "{}", crowd.stuck.join("\n"));
        assert!(crowd.arrivals > updates / 20, "{}", crowd.arrivals);
        assert!(grown[3] <= 16 << 10, "{grown:?}");
        crowd.state()
    };
    assert_eq!(run(1), run(1));
}
