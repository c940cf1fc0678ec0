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
    /// The number of the enemy that left it.
    pub by: usize,
}

/// A projectile.
#[derive(Debug, Clone, Copy)]
pub struct Shot {
    pub at: Vec2,
    pub velocity: Vec2,
    /// Seconds until it disappears.
    pub left: f32,
    /// The number of the enemy that shot it, and its attack.
    pub by: usize,
    pub act: Act,
}

/// A rock that has come out of the ground, and stays until it explodes.
#[derive(Debug, Clone, Copy)]
pub struct Rock {
    pub at: Vec2,
    /// Seconds until it explodes by itself.
    pub left: f32,
    /// The number of the enemy that threw it.
    pub by: usize,
}

/// A visible event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sight {
    Begins(Act),
    /// The moment in an act at which it has its effect.
    Strikes(Act),
    Ends(Act),
    Cancelled(Act),
    Stunned,
    Recovered,
    Died,
    Returned,
    /// Its attack reached the player.
    Hits(Act),
    /// Its rock exploded.
    Exploded,
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
    /// Whether the player was within reach of the attack that begins.
    pub in_reach: bool,
}

#[derive(Default)]
pub struct Effects {
    pub fires: Vec<Spot>,
    pub warnings: Vec<Spot>,
    pub rocks: Vec<Rock>,
    pub shots: Vec<Shot>,
    pub log: Vec<Entry>,
    pub time: f64,
    /// Of the errors of shots.
    pub seed: u64,
}

/// How long a fire burns, in seconds.
pub const FIRE: f32 = 5.0;
/// The age at which a rock explodes by itself, in seconds.
pub const ROCK: f32 = 8.0;
/// The radius in which fires and shots hurt, in world units.
const NEAR: f32 = 12.0;
/// How near the player must be to make a rock explode, in world units: as far as two
/// bodies touch.
const TOUCH: f32 = 14.0;
/// The radius in which an exploding rock hurts, in world units.
const BLAST: f32 = 26.0;

impl Effects {
    pub fn note(&mut self, enemy: usize, kind: Kind, sight: Sight) {
        self.note_attack(enemy, kind, sight, false);
    }

    pub fn note_attack(&mut self, enemy: usize, kind: Kind, sight: Sight, in_reach: bool) {
        self.log.push(Entry {
            time: self.time,
            enemy,
            kind,
            sight,
            in_reach,
        });
    }

    /// Advances the effects by `dt` seconds.
    pub fn step(&mut self, stage: &Stage, bodies: &mut [Body], player: &mut Player, dt: f32) {
        self.time += f64::from(dt);
        self.step_rocks(bodies, player, dt);
        self.step_shots(stage, bodies, player, dt);
        let here = player.position();
        let fire = self.fires.iter().find(|f| f.at.distance(here) < NEAR);
        if let Some(by) = fire.map(|fire| fire.by).filter(|_| player.burn()) {
            self.note(by, bodies[by].kind, Sight::Hits(Act::Ignite));
        }
        for spots in [&mut self.fires, &mut self.warnings] {
            for spot in spots.iter_mut() {
                spot.left -= dt;
            }
            spots.retain(|spot| spot.left > 0.0);
        }
    }

    fn step_shots(&mut self, stage: &Stage, bodies: &[Body], player: &mut Player, dt: f32) {
        let chest = stage.chest(player.position());
        let mut hits = Vec::new();
        for shot in &mut self.shots {
            let next = shot.at + shot.velocity * dt;
            let rock = self.rocks.iter_mut().find(|r| r.at.distance(next) < TOUCH);
            shot.left -= dt;
            if chest.distance(next) < NEAR {
                player.hurt();
                hits.push((shot.by, shot.act));
                shot.left = 0.0;
            } else if let Some(rock) = rock {
                rock.left = 0.0;
                shot.left = 0.0;
            } else if !stage.is_clear(shot.at, next) {
                shot.left = 0.0;
            }
            shot.at = next;
        }
        self.shots.retain(|shot| shot.left > 0.0);
        for (by, act) in hits {
            self.note(by, bodies[by].kind, Sight::Hits(act));
        }
    }

    /// A rock explodes when the player touches it, when a shot hits it, or of age.
    fn step_rocks(&mut self, bodies: &mut [Body], player: &mut Player, dt: f32) {
        let mut rocks = std::mem::take(&mut self.rocks);
        rocks.retain_mut(|rock| {
            rock.left -= dt;
            let stays = rock.left > 0.0 && player.position().distance(rock.at) >= TOUCH;
            if !stays {
                self.explode(*rock, bodies, player);
            }
            stays
        });
        self.rocks = rocks;
    }

    fn explode(&mut self, rock: Rock, bodies: &mut [Body], player: &mut Player) {
        let thrower = bodies[rock.by].kind;
        self.note(rock.by, thrower, Sight::Exploded);
        if player.position().distance(rock.at) < BLAST {
            player.hurt();
            self.note(rock.by, thrower, Sight::Hits(Act::Rock));
        }
        for (enemy, body) in bodies.iter_mut().enumerate() {
            if body.position().distance(rock.at) < BLAST && body.hurt(30.0) {
                self.note(enemy, body.kind, Sight::HurtBy(Act::Rock));
            }
        }
    }
}
