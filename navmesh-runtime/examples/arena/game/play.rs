//! The game loop: player, trees, bodies, effects.

use std::error::Error;
use std::sync::Arc;

use glam::Vec2;
use navmesh_runtime::behavior::{Migration, Trace, Tree, TreeState};
use navmesh_runtime::coordination::Aggression;
use navmesh_runtime::motion::Environment;
use navmesh_runtime::search::PathFinder;

use super::body::{Body, Kind};
use super::effects::{Effects, Sight};
use super::player::{Blow, Player};
use super::stage::Stage;
use super::view::{Enemy, View};

/// Seconds between two frames, unless the game runs at another rate.
pub const DT: f32 = 1.0 / 60.0;
/// Seconds until a dead enemy returns.
const AWAY: f32 = 4.0;
/// An enemy this far from y = 0, in world units, has left the level and dies.
const BOTTOM: f32 = 2000.0;

/// The game.
pub struct Arena {
    pub stage: Stage,
    pub player: Player,
    pub bodies: Vec<Body>,
    /// One per body: its tree, which is shared, and its state.
    pub trees: Vec<(Arc<Tree<Enemy>>, TreeState)>,
    pub effects: Effects,
    /// Seconds between two frames.
    pub dt: f32,
    /// The number of an enemy whose ticks are recorded.
    pub traced: Option<(usize, Trace)>,
    finder: PathFinder,
}

impl Arena {
    /// The game at its start. `tree` builds the tree of a kind.
    pub fn new<E: Into<Box<dyn Error>>>(
        aggression: Aggression,
        mut tree: impl FnMut(Kind) -> Result<Tree<Enemy>, E>,
    ) -> Result<Self, Box<dyn Error>> {
        let stage = Stage::load(aggression)?;
        let mut shared = Vec::new();
        for kind in Kind::ALL {
            shared.push(Arc::new(tree(kind).map_err(Into::into)?));
        }
        let mut this = Self {
            player: Player::new(&stage),
            stage,
            bodies: Vec::new(),
            trees: Vec::new(),
            effects: Effects::default(),
            dt: DT,
            traced: None,
            finder: PathFinder::new(),
        };
        let spawns: Vec<_> = (this.stage.markers("spawn"))
            .map(|marker| (marker.name.clone(), marker.position))
            .collect();
        for (name, home) in spawns {
            let kind = Kind::named(&name).ok_or_else(|| format!("unknown enemy {name:?}"))?;
            let tree = Arc::clone(&shared[kind as usize]);
            this.add(kind, home, tree)?;
        }
        Ok(this)
    }

    /// Adds an enemy.
    pub fn add(
        &mut self,
        kind: Kind,
        home: Vec2,
        tree: Arc<Tree<Enemy>>,
    ) -> Result<(), Box<dyn Error>> {
        let layer = self.stage.layer(kind.layer());
        self.bodies.push(Body::new(kind, layer, home));
        let state = spawn(&tree, &self.stage, home)?;
        self.trees.push((tree, state));
        Ok(())
    }

    /// Removes the enemies of other kinds.
    pub fn keep(&mut self, wanted: impl Fn(Kind) -> bool) {
        let keep: Vec<bool> = self.bodies.iter().map(|b| wanted(b.kind)).collect();
        let mut each = keep.iter();
        self.bodies.retain(|_| each.next() == Some(&true));
        let mut each = keep.iter();
        self.trees.retain(|_| each.next() == Some(&true));
    }

    /// Advances the game by one frame.
    pub fn step(&mut self) {
        let Self {
            player,
            bodies,
            finder,
            ..
        } = self;
        player.step(&self.stage, bodies, finder, self.dt);
        for me in 0..self.bodies.len() {
            self.tick_tree(me);
        }
        for body in self.bodies.iter_mut().filter(|b| b.is_alive()) {
            let environment = Environment::new(self.stage.layer(body.kind.layer()));
            let pose = body.agent.step(environment, &mut self.finder, self.dt);
            if pose.velocity.x != 0.0 {
                body.facing = pose.velocity.x.signum();
            }
            body.shield -= self.dt;
            body.casting -= self.dt;
        }
        for me in 0..self.bodies.len() {
            let by = self.bodies[me].shielded_by;
            if by.is_some_and(|by| !self.bodies[by].is_alive()) {
                self.bodies[me].shield = 0.0;
                self.bodies[me].shielded_by = None;
            }
        }
        let Self {
            stage,
            bodies,
            player,
            ..
        } = self;
        self.effects.step(stage, bodies, player, self.dt);
        self.strike_back();
        for me in 0..self.bodies.len() {
            self.die_or_return(me);
        }
    }

    fn strike_back(&mut self) {
        let here = self.player.position();
        let able = self.bodies.iter().enumerate().filter(|(_, b)| b.is_able());
        let nearest = able
            .map(|(me, body)| (me, body.position().distance(here)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((me, distance)) = nearest else {
            return;
        };
        match self.player.blow(distance, self.dt) {
            Some(Blow::Stun) => self.stun(me, 1.5),
            Some(Blow::Strike) => {
                self.bodies[me].hurt(25.0);
            }
            None => {}
        }
    }

    /// Advances the game by some seconds.
    pub fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / self.dt).round() as u32 {
            self.step();
        }
    }

    /// Stuns an enemy: its tree is reset, which returns its token and waypoint.
    pub fn stun(&mut self, me: usize, seconds: f32) {
        let body = &mut self.bodies[me];
        body.stun = seconds;
        body.agent.disable();
        let kind = body.kind;
        self.effects.note(me, kind, Sight::Stunned);
        self.with_view(me, |state, tree, view| state.reset(tree, view));
    }

    /// Replaces the tree of a kind while enemies run it.
    pub fn reload(
        &mut self,
        kind: Kind,
        tree: Tree<Enemy>,
    ) -> Result<Vec<Migration>, Box<dyn Error>> {
        let tree = Arc::new(tree);
        let mut migrations = Vec::new();
        for me in 0..self.bodies.len() {
            if self.bodies[me].kind == kind {
                let new = Arc::clone(&tree);
                let pools = self.stage.pools.clone();
                let moved = self.with_view(me, |state, old, view| {
                    state.migrate(old, &new, &pools, view)
                });
                migrations.push(moved?);
                self.trees[me].0 = new;
            }
        }
        Ok(migrations)
    }

    /// The name of the last node that is running.
    pub fn active(&self, me: usize) -> &str {
        let (tree, state) = &self.trees[me];
        let nodes = 0..tree.node_count() as u32;
        let last = nodes.rev().find(|node| state.is_node_running(*node));
        last.map_or("", |node| tree.node_name(node))
    }

    fn tick_tree(&mut self, me: usize) {
        let body = &mut self.bodies[me];
        if !body.is_able() {
            self.trees[me].1.advance(self.dt);
            if body.stun > 0.0 && body.is_alive() {
                body.stun -= self.dt;
                if body.stun <= 0.0 {
                    body.agent.enable();
                    let kind = body.kind;
                    self.effects.note(me, kind, Sight::Recovered);
                }
            }
            return;
        }
        let mut traced = self.traced.take();
        self.with_view(me, |state, tree, view| match &mut traced {
            Some((whose, trace)) if *whose == me => state.tick_traced(tree, view, view.dt, trace),
            _ => state.tick(tree, view, view.dt),
        });
        self.traced = traced;
    }

    fn with_view<R>(
        &mut self,
        me: usize,
        act: impl FnOnce(&mut TreeState, &Tree<Enemy>, &mut View<'_>) -> R,
    ) -> R {
        let (tree, state) = &mut self.trees[me];
        let mut view = View {
            me,
            bodies: &mut self.bodies,
            stage: &self.stage,
            player: &mut self.player,
            effects: &mut self.effects,
            finder: &mut self.finder,
            dt: self.dt,
        };
        act(state, tree, &mut view)
    }

    fn die_or_return(&mut self, me: usize) {
        let body = &mut self.bodies[me];
        let kind = body.kind;
        let lost = body.position().y.abs() > BOTTOM;
        match &mut body.dead {
            None if body.health <= 0.0 || lost => {
                body.dead = Some(AWAY);
                self.effects.note(me, kind, Sight::Died);
                self.with_view(me, |state, tree, view| state.reset(tree, view));
            }
            None => {}
            Some(left) if *left > self.dt => *left -= self.dt,
            Some(_) => {
                let home = body.home;
                *body = Body::new(kind, self.stage.layer(kind.layer()), home);
                let (tree, state) = &mut self.trees[me];
                if let Ok(fresh) = spawn(tree, &self.stage, home) {
                    *state = fresh;
                }
                self.effects.note(me, kind, Sight::Returned);
            }
        }
    }
}

fn spawn(tree: &Tree<Enemy>, stage: &Stage, home: Vec2) -> Result<TreeState, Box<dyn Error>> {
    let mut state = tree.state_in(&stage.pools)?;
    if let Some(key) = tree.key::<Vec2>("home") {
        state.board.set(key, home)?;
    }
    Ok(state)
}
