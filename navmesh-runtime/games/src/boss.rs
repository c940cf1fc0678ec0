//! The fight: the boss, its tree and the player.

use std::error::Error;

use glam::Vec2;
use navmesh_behavior::{Context, Outcome, Pools, Registry, Status, Tick, TreeDef, TreeState};
use navmesh_bots::steering::{Danger, Favour, Steering, SteeringLimits, Surroundings};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::motion::Environment;
use serde::Deserialize;

/// The level of the example `arena`.
const LEVEL: &[u8] = include_bytes!("../levels/arena.navmesh");
pub const TREE: &str = include_str!("../trees/boss.ron");

pub const FRAME: f32 = 1.0 / 60.0;
/// Where healing items lie, in the upper corners.
const ITEMS: [Vec2; 2] = [Vec2::new(60.0, 70.0), Vec2::new(640.0, 70.0)];

/// What the tree of the boss works on.
pub struct Boss {
    pub steering: Steering,
    pub position: Vec2,
    velocity: Vec2,
    pub health: i32,
}

impl Context for Boss {
    type View<'a> = Self;
}

pub struct Fight {
    mesh: NavMesh,
    state: TreeState<Boss>,
    pub boss: Boss,
    pub player: Vec2,
    /// Items that the boss has not eaten yet.
    items: Vec<Vec2>,
    frame: u32,
    /// The name of the phase that ran last.
    phase: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Favours {
    favours: Vec<Favour>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Health {
    health: i32,
}

/// Success, or not yet.
fn when(done: bool) -> Outcome {
    if done {
        Outcome::SUCCESS
    } else {
        Outcome::RUNNING
    }
}

fn registry() -> Registry<Boss> {
    let mut registry = Registry::default();
    registry
        .action_with("favours", |tick: &mut Tick<'_, '_, Boss>, new: &Favours| {
            let favours = &mut tick.context.steering.favours;
            favours.clear();
            favours.extend_from_slice(&new.favours);
        })
        .action_with("health_below", |tick, limit: &Health| {
            when(tick.context.health < limit.health)
        })
        .action_with("health_above", |tick, limit: &Health| {
            when(tick.context.health > limit.health)
        });
    registry
}

impl Fight {
    /// A fight against a boss with a tree, as the text of a file: mostly [`TREE`].
    pub fn new(tree: &str) -> Result<Self, Box<dyn Error>> {
        let def: TreeDef = ron::from_str(tree)?;
        let tree = registry().build(&def)?;
        let limits = SteeringLimits {
            max_speed: 110.0,
            max_acceleration: 800.0,
            turn_rate: 8.0,
        };
        let mut steering = Steering::new(16, limits);
        steering.dangers.push(Danger::Walls { look_ahead: 32.0 });
        let fight = Self {
            mesh: asset::decode(LEVEL)?,
            state: tree.state(&Pools::default()).expect("no pools"),
            boss: Boss {
                steering,
                position: Vec2::new(224.0, 80.0),
                velocity: Vec2::ZERO,
                health: 100,
            },
            player: Vec2::new(352.0, 130.0),
            items: ITEMS.to_vec(),
            frame: 0,
            phase: String::new(),
        };
        fight.layer().ok_or("the arena has no layer for fliers")?;
        Ok(fight)
    }

    pub fn layer(&self) -> Option<&Layer> {
        self.mesh.layer_named("flyer")
    }

    /// The name of the phase that ran last.
    pub fn phase(&self) -> &str {
        &self.phase
    }

    pub fn seconds(&self) -> f32 {
        self.frame as f32 * FRAME
    }

    /// One frame. The player stands, and hits the boss when it is near or, with
    /// arrows, twice a second.
    pub fn step(&mut self) -> Status {
        let boss = &mut self.boss;
        let outcome = self.state.tick(boss, FRAME);
        // The first node is the machine.
        if let Some((_, phase)) = self.state.running().nth(1) {
            phase.clone_into(&mut self.phase);
        }
        if let Some(layer) = self.mesh.layer_named("flyer") {
            let mut around = Surroundings::new(Environment::new(layer), boss.position);
            around.velocity = boss.velocity;
            around.target = Some(self.player);
            around.items = &self.items;
            boss.velocity = boss.steering.update(&around, FRAME);
            boss.position += boss.velocity * FRAME;
        }
        let distance = boss.position.distance(self.player);
        if self.frame.is_multiple_of(30) && distance < 150.0 {
            boss.health -= if distance < 50.0 { 10 } else { 3 };
        }
        let eaten = (self.items.iter()).position(|item| item.distance(boss.position) < 16.0);
        if let Some(eaten) = eaten {
            self.items.swap_remove(eaten);
            boss.health += 40;
        }
        if self.items.is_empty() {
            self.items.extend(ITEMS);
        }
        self.frame += 1;
        outcome.status
    }
}
