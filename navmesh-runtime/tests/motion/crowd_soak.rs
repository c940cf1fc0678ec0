//! A crowd lives through a long time of random commands, doors, removed ground, swapped levels,
//! platforms that move, agents that are saved and loaded, and small budgets: no agent stands
//! still on the way to a destination that can be reached, memory stays the same, and a second
//! run has the same end.
//!
//! `SOAK=625 cargo test --release -p navmesh-runtime --test motion crowd_soak`
//! makes a million updates of 200 agents in each world.

use std::sync::Arc;

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, NavMesh, PlatformId};
use navmesh_runtime::motion::{Activity, AgentEvent, Avoidance, BodyState, NavAgent};
use navmesh_runtime::search::{PathOutcome, Rect};
use navmesh_runtime::{Navigator, asset};

use crate::soak;
use crate::worlds::Dice;

const AGENTS: usize = 200;
const DT: f32 = 1.0 / 60.0;

/// The nodes that the searches may look at in an update. With 30 requests waiting for a path of
/// 60 nodes, the last one waits a second.
const BUDGET: u32 = 80;

/// Longer than any link, or wait for a path or for other agents, takes.
const PATIENCE: f32 = 8.0;

struct Actor {
    agent: NavAgent,
    /// Where it last had a hold: what a saved game has of it, beside its destination.
    hold: Vec2,
    /// Where it was when it last moved, was commanded, or its world changed.
    place: Vec2,
    still: f32,
}

struct Crowd {
    /// The versions of the level.
    meshes: Vec<Arc<NavMesh>>,
    nav: Navigator,
    actors: Vec<Actor>,
    dice: Dice,
    updates: u32,
    arrivals: u32,
    /// How long an agent may stand still although it has a path: it may wait for a platform
    /// that moves, for its whole period.
    patience: f32,
    /// Times at which one stood longer.
    stuck: Vec<String>,
}

/// A random place that agents of a layer can go to.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let platform = PlatformId(dice.below(layer.platforms().len() as u32));
    let platform = layer.platform(platform).expect("there is one");
    let x = dice.between(platform.left().x, platform.right().x);
    platform.clamp(x)
}

/// An agent that keeps apart from others, or does not.
fn newcomer(nav: &Navigator, layer: &Layer, number: usize, at: Vec2) -> Actor {
    let agent = nav.agent(&layer.profile().name, at);
    let mut agent = agent.expect("the level has its layer");
    let modes = [Avoidance::Overlap, Avoidance::Queue, Avoidance::Yield];
    agent.set_avoidance(modes[number % 3]);
    agent.set_spread(number.is_multiple_of(5));
    Actor {
        agent,
        hold: at,
        place: at,
        still: 0.0,
    }
}

impl Crowd {
    fn new(files: &[&[u8]], seed: u64) -> Self {
        let meshes = files.iter().map(|file| asset::decode(file));
        let meshes: Vec<_> = meshes.map(|mesh| Arc::new(mesh.unwrap())).collect();
        let (mut dice, mut nav) = (Dice(seed), Navigator::new(Arc::clone(&meshes[0])));
        nav.set_budget(Some(BUDGET));
        let actors = (0..AGENTS).map(|number| {
            let layers = meshes[0].layers();
            let layer = &layers[number % layers.len()];
            newcomer(&nav, layer, number, somewhere(layer, &mut dice))
        });
        let actors = actors.collect();
        let moving = meshes[0].layers().iter().flat_map(Layer::moving_platforms);
        let period = moving.map(|on| on.schedule.period()).max().unwrap_or(0);
        Self {
            patience: PATIENCE + period as f32 * DT,
            meshes,
            nav,
            actors,
            dice,
            updates: 0,
            arrivals: 0,
            stuck: Vec::new(),
        }
    }

    /// Another version of the level, a door, or ground that goes or comes back.
    fn change(&mut self) -> bool {
        if self.updates.is_multiple_of(900) {
            let next = (self.updates / 900) as usize % self.meshes.len();
            self.nav.set_mesh(Arc::clone(&self.meshes[next]));
            return true;
        }
        if !self.updates.is_multiple_of(120) {
            return false;
        }
        let at = somewhere(&self.nav.mesh().layers()[0], &mut self.dice);
        if self.updates.is_multiple_of(240) {
            let door = Rect::new(at - Vec2::new(4.0, 40.0), at + Vec2::new(4.0, 2.0));
            let closed = self.nav.doors().closed();
            if let Some(&first) = closed.first().filter(|_| closed.len() > 3) {
                self.nav.doors_mut().open_region(first);
            }
            self.nav.doors_mut().close_region(door);
        } else if let Some(&first) = self.nav.removed().first() {
            self.nav.restore(first);
        } else {
            self.nav.remove(Rect::new(at - 24.0, at + 24.0));
        }
        true
    }

    fn command(&mut self, number: usize) {
        let layer = self.nav.layer_of(&self.actors[number].agent);
        let layer = layer.expect("the level has its layer");
        let at = somewhere(layer, &mut self.dice);
        let velocity = [(); 2].map(|()| self.dice.between(-300.0, 300.0));
        let velocity = Vec2::from(velocity);
        let actor = &mut self.actors[number];
        match self.dice.below(17) {
            0 => actor.agent.stun(),
            1 => actor.agent.disable(),
            2 => actor.agent.launch(velocity),
            3 => actor.agent.teleport(at),
            4 => {
                let body = BodyState {
                    position: actor.agent.pose().position + velocity * 0.05,
                    velocity,
                    grounded: self.dice.below(2) == 0,
                };
                actor.agent.drive(&mut self.nav, body, DT);
            }
            5 => actor.agent.stop(),
            6..=8 => actor.agent.enable(),
            // The game is loaded.
            9 => {
                let mut loaded = newcomer(&self.nav, layer, number, actor.hold);
                if let Some(to) = actor.agent.destination() {
                    loaded.agent.go_to(to);
                }
                self.nav.forget(&mut actor.agent);
                *actor = loaded;
            }
            _ => actor.agent.go_to(at),
        }
    }

    fn update(&mut self) {
        self.updates += 1;
        self.nav.set_clock(f64::from(self.updates) * f64::from(DT));
        let changed = self.change();
        for number in 0..AGENTS {
            let is_commanded = self.dice.below(200) == 0;
            if is_commanded {
                self.command(number);
            }
            let Actor {
                agent,
                hold,
                place,
                still,
            } = &mut self.actors[number];
            let pose = agent.update(&mut self.nav, DT);
            let mut events = agent.events().iter();
            self.arrivals += u32::from(events.any(|e| matches!(e, AgentEvent::Arrived { .. })));
            if let Activity::Idle(_) | Activity::Running | Activity::Climbing | Activity::Flying =
                pose.activity
            {
                *hold = pose.position;
            }
            let rests = !agent.is_under_way() || pose.activity == Activity::Disabled;
            let has_moved = pose.position.distance(*place) > 1.0;
            if is_commanded || changed || has_moved || rests {
                (*place, *still) = (pose.position, 0.0);
                continue;
            }
            *still += DT;
            if *still > self.patience {
                *still = 0.0;
                let goal = agent.destination().unwrap_or(*place);
                let path = self.nav.find_path(agent, goal);
                if let Some(Ok(PathOutcome::Found(_))) = path {
                    let update = self.updates;
                    self.stuck.push(format!("update {update}: {agent:?}"));
                }
            }
        }
        self.nav.work();
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

/// A crowd lives for a number of updates. Returns a number that tells its end.
fn live(files: &[&[u8]], updates: u32) -> u64 {
    let mut crowd = Crowd::new(files, 1);
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
}

#[test]
fn a_crowd_moves_on_for_ever_in_constant_memory() {
    let arena = include_bytes!("../../games/levels/arena.navmesh");
    let rooms = include_bytes!("../../games/levels/rooms.navmesh");
    let files: [&[u8]; 2] = [arena, rooms];
    let updates = soak::samples(8_000);
    assert_eq!(live(&files, updates), live(&files, updates));
}

#[test]
fn a_crowd_rides_for_ever_in_constant_memory() {
    let (_, moving) = include_bytes!("../../fuzz/seeds/mesh/moving-0").split_at(32);
    let updates = soak::samples(8_000);
    assert_eq!(live(&[moving], updates), live(&[moving], updates));
}
