//! The game loop: player, trees, bodies, effects.

use std::error::Error;
use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::Aggression;
use navmesh_behavior::{Migration, Tree};
use navmesh_runtime::Navigator;

use super::body::Kind;
use super::director::{Director, Stun, World};
use super::effects::Effects;
use super::files;
use super::player::{Blow, Player};
use super::stage::{self, Stage};
use super::view::Enemy;

/// Seconds between two frames, unless the game runs at another rate.
pub const DT: f32 = 1.0 / 60.0;
/// An enemy this far outside of the grid, in world units, has left the level
/// and dies.
const OUTSIDE: f32 = 200.0;

/// The game.
pub struct Arena {
    pub stage: Stage,
    pub player: Player,
    pub enemies: Director,
    pub effects: Effects,
    /// Seconds between two frames.
    pub dt: f32,
    nav: Navigator,
}

impl Arena {
    /// The arena at its start, with the trees from their files.
    pub fn new(aggression: Aggression) -> Result<Self, Box<dyn Error>> {
        let mut this = Self::without_enemies(stage::ARENA, aggression)?;
        this.populate(|_| true)?;
        Ok(this)
    }

    /// A baked level without its enemies.
    pub fn without_enemies(asset: &[u8], aggression: Aggression) -> Result<Self, Box<dyn Error>> {
        let stage = Stage::load(asset, aggression)?;
        Ok(Self {
            player: Player::new(&stage),
            nav: Navigator::new(Arc::clone(&stage.mesh)),
            stage,
            enemies: Director::new(|kind| files::tree(files::file(kind)))?,
            effects: Effects::default(),
            dt: DT,
        })
    }

    /// Adds the enemies of these kinds that the level has: markers of class
    /// `spawn`, named like their kind. The property `leash` names an area.
    pub fn populate(&mut self, wanted: impl Fn(Kind) -> bool) -> Result<(), Box<dyn Error>> {
        for marker in self.stage.markers("spawn") {
            if let Some(kind) = Kind::named(&marker.name).filter(|kind| wanted(*kind)) {
                let leash = marker.property("leash");
                self.enemies
                    .spawn(&self.stage, kind, marker.position, leash)?;
            }
        }
        Ok(())
    }

    /// Adds an enemy and returns its number. If its home is in an area of the
    /// level, that area is its leash.
    pub fn spawn(&mut self, kind: Kind, home: Vec2) -> Result<usize, Box<dyn Error>> {
        let area = self.stage.mesh.areas().find(|area| area.contains(home));
        let leash = area.as_ref().map(|area| area.marker.name.as_str());
        self.enemies.spawn(&self.stage, kind, home, leash)
    }

    /// Advances the game by one frame.
    pub fn step(&mut self) {
        let (enemies, world) = self.split();
        (world.player).step(world.stage, enemies, world.nav, world.dt);
        for me in 0..self.enemies.len() {
            let (enemies, world) = self.split();
            enemies.tick(me, world);
        }
        let (enemies, world) = self.split();
        enemies.step(world);
        let (enemies, world) = self.split();
        (world.effects).step(world.stage, enemies, world.player, world.dt);
        self.strike_back();
        for me in 0..self.enemies.len() {
            let body = &self.enemies[me];
            if body.is_alive() && (body.health <= 0.0 || self.is_outside(body.position())) {
                self.kill(me);
            }
        }
    }

    fn is_outside(&self, at: Vec2) -> bool {
        let grid = self.stage.mesh.grid();
        let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
        let origin = grid.row_y(0).min(grid.row_y(grid.rows));
        let low = Vec2::new(grid.column_x(0), origin) - OUTSIDE;
        !(at.cmpge(low).all() && at.cmple(low + size + 2.0 * OUTSIDE).all())
    }

    fn strike_back(&mut self) {
        let here = self.player.position();
        let able = self.enemies.iter().enumerate().filter(|(_, b)| b.is_able());
        let nearest = able
            .map(|(me, body)| (me, body.position().distance(here)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((me, distance)) = nearest else {
            return;
        };
        match self.player.blow(distance, self.dt) {
            Some(Blow::Stun) => self.stun(me, Stun::InPlace(1.5)),
            Some(Blow::Strike) => {
                self.enemies[me].hurt(25.0);
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

    /// Stuns an enemy.
    pub fn stun(&mut self, me: usize, stun: Stun) {
        let (enemies, world) = self.split();
        enemies.stun(me, stun, world);
    }

    /// Throws an enemy through the air.
    pub fn launch(&mut self, me: usize, velocity: Vec2) {
        let (enemies, world) = self.split();
        enemies.launch(me, velocity, world);
    }

    /// Kills an enemy; it returns after a while.
    pub fn kill(&mut self, me: usize) {
        let (enemies, world) = self.split();
        enemies.kill(me, world);
    }

    /// Removes an enemy for ever.
    pub fn despawn(&mut self, me: usize) {
        let (enemies, world) = self.split();
        enemies.despawn(me, world);
    }

    /// Replaces the tree of a kind while its enemies run it.
    pub fn reload(
        &mut self,
        kind: Kind,
        tree: Arc<Tree<Enemy>>,
    ) -> Result<Vec<Migration>, Box<dyn Error>> {
        let (enemies, world) = self.split();
        enemies.reload(kind, tree, world)
    }

    /// The enemies, and the world around them.
    fn split(&mut self) -> (&mut Director, World<'_>) {
        let world = World {
            stage: &self.stage,
            player: &mut self.player,
            effects: &mut self.effects,
            nav: &mut self.nav,
            dt: self.dt,
        };
        (&mut self.enemies, world)
    }
}
