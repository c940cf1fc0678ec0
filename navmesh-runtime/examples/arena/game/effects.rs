//! What enemies leave in the level, and the log of visible events.

use glam::Vec2;

use super::acts::Act;
use super::body::{Body, Kind};
use super::player::Player;
use super::stage::Stage;

/// Something at a fixed position.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub at: Vec2,
    /// Seconds until it disappears.
    pub left: f32,
}

/// A projectile.
#[derive(Debug, Clone, Copy)]
pub struct Shot {
    pub at: Vec2,
    pub velocity: Vec2,
    /// Seconds until it disappears.
    pub left: f32,
}

/// A visible event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sight {
    Begins(Act),
    Ends(Act),
    Cancelled(Act),
    Stunned,
    Recovered,
    Died,
    Returned,
    HurtBy(Act),
    Healed,
}

/// A visible event: its time and the enemy it happened to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    pub time: f64,
    pub enemy: usize,
    pub kind: Kind,
    pub sight: Sight,
}

#[derive(Default)]
pub struct Effects {
    pub fires: Vec<Spot>,
    pub warnings: Vec<Spot>,
    pub rocks: Vec<Spot>,
    pub shots: Vec<Shot>,
    pub log: Vec<Entry>,
    pub time: f64,
}

/// How long a fire burns, in seconds.
pub const FIRE: f32 = 5.0;
/// The radius in which fires and shots hurt, in world units.
const NEAR: f32 = 12.0;

impl Effects {
    pub fn note(&mut self, enemy: usize, kind: Kind, sight: Sight) {
        self.log.push(Entry {
            time: self.time,
            enemy,
            kind,
            sight,
        });
    }

    pub fn shoot(&mut self, from: Vec2, direction: Vec2, speed: f32) {
        self.shots.push(Shot {
            at: from,
            velocity: direction * speed,
            left: 3.0,
        });
    }

    /// A rock comes out. It hurts the player and enemies except the one who
    /// threw it.
    pub fn erupt(&mut self, at: Vec2, by: usize, bodies: &mut [Body], player: &mut Player) {
        const REACH: f32 = 22.0;
        self.rocks.push(Spot { at, left: 0.4 });
        if player.position().distance(at) < REACH {
            player.hurt();
        }
        for (enemy, body) in bodies.iter_mut().enumerate() {
            if enemy != by && body.position().distance(at) < REACH && body.hurt(30.0) {
                let kind = body.kind;
                self.note(enemy, kind, Sight::HurtBy(Act::Rock));
            }
        }
    }

    /// Advances the effects by `dt` seconds.
    pub fn step(&mut self, stage: &Stage, player: &mut Player, dt: f32) {
        self.time += f64::from(dt);
        let chest = player.position() - Vec2::new(0.0, 10.0);
        for shot in &mut self.shots {
            let next = shot.at + shot.velocity * dt;
            let hits = chest.distance(next) < NEAR;
            if hits {
                player.hurt();
            }
            shot.left -= dt;
            if hits || !stage.is_clear(shot.at, next) {
                shot.left = 0.0;
            }
            shot.at = next;
        }
        self.shots.retain(|shot| shot.left > 0.0);
        if self
            .fires
            .iter()
            .any(|f| f.at.distance(player.position()) < NEAR)
        {
            player.hurt();
        }
        for spots in [&mut self.fires, &mut self.warnings, &mut self.rocks] {
            for spot in spots.iter_mut() {
                spot.left -= dt;
            }
            spots.retain(|spot| spot.left > 0.0);
        }
    }
}
