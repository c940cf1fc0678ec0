//! Owns the enemies: their bodies, their trees, and whether each may act.
//!
//! What must happen together happens here, in one order: an enemy that is
//! stunned, thrown, killed or removed leaves its act, and returns its token
//! and its waypoint, before its body changes; one that returns starts its tree
//! from the beginning, with an empty blackboard.

use std::error::Error;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{Migration, Tree, TreeState};
use navmesh_runtime::Navigator;
use navmesh_runtime::motion::{Activity, Avoidance};

use super::body::{Body, Condition, Kind};
use super::effects::{Effects, Sight};
use super::player::Player;
use super::stage::Stage;
use super::view::{Enemy, View};

/// Seconds until a dead enemy returns.
const AWAY: f32 = 4.0;

/// The game around the enemies, lent for one call.
pub struct World<'a> {
    pub stage: &'a Stage,
    pub player: &'a mut Player,
    pub effects: &'a mut Effects,
    pub nav: &'a mut Navigator,
    /// Seconds since the last frame.
    pub dt: f32,
}

impl World<'_> {
    /// The same world, for a shorter call.
    fn reborrow(&mut self) -> World<'_> {
        World {
            stage: self.stage,
            player: self.player,
            effects: self.effects,
            nav: self.nav,
            dt: self.dt,
        }
    }
}

/// How long a stun lasts, and what it does in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stun {
    /// It stays where it is, also in the air.
    InPlace(f32),
    /// It falls, and lies where it lands.
    AfterFall(f32),
}

/// The enemies. It derefs to their bodies, by number; the number of an enemy
/// never changes and is not given to another.
pub struct Director {
    /// By kind.
    trees: Vec<Arc<Tree<Enemy>>>,
    bodies: Vec<Body>,
    /// What each is doing in its tree.
    minds: Vec<TreeState<Enemy>>,
}

impl Deref for Director {
    type Target = [Body];

    fn deref(&self) -> &[Body] {
        &self.bodies
    }
}

impl DerefMut for Director {
    fn deref_mut(&mut self) -> &mut [Body] {
        &mut self.bodies
    }
}

impl Director {
    /// Without enemies. `tree` builds the tree of a kind.
    pub fn new<E>(mut tree: impl FnMut(Kind) -> Result<Arc<Tree<Enemy>>, E>) -> Result<Self, E> {
        Ok(Self {
            trees: Kind::ALL
                .into_iter()
                .map(&mut tree)
                .collect::<Result<_, E>>()?,
            bodies: Vec::new(),
            minds: Vec::new(),
        })
    }

    /// Adds an enemy and returns its number. `leash` names an area of the level
    /// that it does not leave.
    pub fn spawn(
        &mut self,
        stage: &Stage,
        kind: Kind,
        home: Vec2,
        leash: Option<&str>,
    ) -> Result<usize, Box<dyn Error>> {
        let state = begin(&self.trees[kind as usize], stage, home)?;
        let mut body = Body::new(kind, stage.layer_of(kind)?, home);
        body.leash = leash.map(Arc::from);
        self.bodies.push(body);
        self.minds.push(state);
        Ok(self.bodies.len() - 1)
    }

    /// Removes an enemy for ever.
    pub fn despawn(&mut self, me: usize, world: World<'_>) {
        self.leave(me, Condition::Gone, world);
    }

    /// Kills an enemy; it returns after a while.
    pub fn kill(&mut self, me: usize, world: World<'_>) {
        if self.bodies[me].is_alive() {
            let kind = self.bodies[me].kind;
            world.effects.note(me, kind, Sight::Died);
            self.leave(me, Condition::Dead(AWAY), world);
        }
    }

    /// Stuns an enemy that is alive.
    pub fn stun(&mut self, me: usize, stun: Stun, world: World<'_>) {
        if !self.bodies[me].is_alive() {
            return;
        }
        world.effects.note(me, self.bodies[me].kind, Sight::Stunned);
        let (Stun::InPlace(seconds) | Stun::AfterFall(seconds)) = stun;
        self.leave(me, Condition::Stunned(seconds), world);
        let agent = &mut self.bodies[me].actor.agent;
        match stun {
            Stun::InPlace(_) => agent.disable(),
            Stun::AfterFall(_) => agent.stun(),
        }
    }

    /// Throws an enemy through the air. It decides nothing until it has landed.
    pub fn launch(&mut self, me: usize, velocity: Vec2, world: World<'_>) {
        if self.bodies[me].is_able() {
            self.leave(me, Condition::Thrown, world);
            self.bodies[me].actor.agent.launch(velocity);
        }
    }

    /// Aborts what the tree is doing, which returns the token and the waypoint.
    fn leave(&mut self, me: usize, condition: Condition, world: World<'_>) {
        self.with_view(me, world, |state, view| {
            state.reset(view);
            let body = &mut view.bodies[view.me];
            body.set_condition(condition);
            if !body.is_alive() {
                // It is in nobody's way.
                view.nav.forget(&mut body.actor.agent);
            }
        });
    }

    /// Advances an enemy's decisions by one frame: ticks its tree, or brings it
    /// closer to the end of what keeps it from acting.
    pub fn tick(&mut self, me: usize, world: World<'_>) {
        let dt = world.dt;
        let body = &mut self.bodies[me];
        // It fell out of the level, or was put over a pit.
        if body.is_alive() && matches!(body.actor.agent.pose().activity, Activity::Stranded(_)) {
            self.kill(me, world);
            return;
        }
        match body.condition() {
            Condition::Able => {
                self.with_view(me, world, |state, view| state.tick(view, dt));
                return;
            }
            Condition::Stunned(left) if left > dt => {
                body.set_condition(Condition::Stunned(left - dt));
            }
            Condition::Stunned(_) => {
                body.actor.agent.enable();
                body.set_condition(Condition::Able);
                world.effects.note(me, body.kind, Sight::Recovered);
            }
            Condition::Thrown => {
                if body.actor.agent.pose().activity != Activity::Launched {
                    body.set_condition(Condition::Able);
                }
            }
            Condition::Dead(left) if left > dt => {
                body.set_condition(Condition::Dead(left - dt));
            }
            Condition::Dead(_) => self.bring_back(me, world),
            Condition::Gone => {}
        }
        self.minds[me].now += f64::from(dt);
    }

    fn bring_back(&mut self, me: usize, world: World<'_>) {
        let World { stage, effects, .. } = world;
        let (body, mind) = (&mut self.bodies[me], &mut self.minds[me]);
        // Both succeeded when it was spawned.
        let layer = stage.layer_of(body.kind);
        let state = begin(mind.tree(), stage, body.home);
        if let (Ok(layer), Ok(state)) = (layer, state) {
            let leash = body.leash.take();
            *body = Body::new(body.kind, layer, body.home);
            body.leash = leash;
            let trace = mind.trace.take();
            *mind = state;
            mind.trace = trace;
            effects.note(me, body.kind, Sight::Returned);
        }
    }

    /// Advances the bodies of all enemies by one frame.
    pub fn step(&mut self, world: World<'_>) {
        let World { nav, dt, .. } = world;
        let alive = self.bodies.iter_mut().zip(&self.minds);
        for (body, mind) in alive.filter(|(body, _)| body.is_alive()) {
            // Nobody stops an attack. One that guards a place, and one that hunts, do not step
            // aside.
            let stays = matches!(body.kind, Kind::Crawler | Kind::Charger | Kind::Guard);
            body.actor.agent.set_avoidance(if mind.tokens_held() > 0 {
                Avoidance::Overlap
            } else if stays {
                Avoidance::Queue
            } else {
                Avoidance::Yield
            });
            body.actor.agent.update(nav, dt);
            body.shield -= dt;
            body.casting -= dt;
        }
        for me in 0..self.bodies.len() {
            // A shield ends with the last living enemy that cast it.
            let mut casters = std::mem::take(&mut self.bodies[me].shielded_by);
            casters.retain(|by| self.bodies[*by].is_alive());
            let left = casters.iter().map(|by| self.bodies[*by].casting);
            let longest = left.fold(0.0, f32::max);
            let body = &mut self.bodies[me];
            body.shield = body.shield.min(longest);
            body.shielded_by = casters;
        }
    }

    /// Replaces the tree of a kind while its enemies run it.
    pub fn reload(
        &mut self,
        kind: Kind,
        tree: Arc<Tree<Enemy>>,
        mut world: World<'_>,
    ) -> Result<Vec<Migration>, Box<dyn Error>> {
        let pools = world.stage.pools.clone();
        let mut migrations = Vec::new();
        for me in 0..self.bodies.len() {
            if self.bodies[me].kind == kind && self.bodies[me].condition() != Condition::Gone {
                let moved = self.with_view(me, world.reborrow(), |state, view| {
                    state.migrate(&tree, &pools, view)
                });
                migrations.push(moved?);
            }
        }
        self.trees[kind as usize] = tree;
        Ok(migrations)
    }

    /// The tree of an enemy, which all of its kind share.
    pub fn tree(&self, me: usize) -> &Tree<Enemy> {
        self.minds[me].tree()
    }

    /// What an enemy is doing in its tree.
    pub fn state(&self, me: usize) -> &TreeState<Enemy> {
        &self.minds[me]
    }

    /// What an enemy is doing in its tree, for its notes and its trace.
    pub fn state_mut(&mut self, me: usize) -> &mut TreeState<Enemy> {
        &mut self.minds[me]
    }

    /// The labels of an enemy's running nodes below the root, from the root down.
    pub fn running(&self, me: usize) -> impl Iterator<Item = &str> {
        self.minds[me].running().skip(1).map(|(_, label)| label)
    }

    fn with_view<R>(
        &mut self,
        me: usize,
        world: World<'_>,
        act: impl FnOnce(&mut TreeState<Enemy>, &mut View<'_>) -> R,
    ) -> R {
        let World {
            stage,
            player,
            effects,
            nav,
            dt,
        } = world;
        let mut view = View {
            me,
            bodies: &mut self.bodies,
            stage,
            player,
            effects,
            nav,
            dt,
        };
        act(&mut self.minds[me], &mut view)
    }
}

/// The state of a tree at its beginning, for an enemy of that home.
fn begin(
    tree: &Arc<Tree<Enemy>>,
    stage: &Stage,
    home: Vec2,
) -> Result<TreeState<Enemy>, Box<dyn Error>> {
    let mut state = tree.state(&stage.pools)?;
    if let Some(key) = tree.key::<Vec2>("home") {
        state.board.set(key, home)?;
    }
    Ok(state)
}
