//! The player: walks a fixed round from stop to stop, follows one of two
//! scripts that never stand still for long, or obeys keys. Every run of a script
//! is the same.

use glam::Vec2;
use navmesh_runtime::Navigator;
use navmesh_runtime::motion::{Activity, NavAgent};

use super::body::Body;
use super::stage::{Stage, random};

/// Seconds spent at each stop.
const REST: f32 = 2.5;
/// Seconds for which the player cannot be hurt again.
const SAFE: f32 = 0.5;
/// Seconds for which fire cannot hurt it again: otherwise a trail of fire hurts more than all
/// attacks together.
const SAFE_FROM_FIRE: f32 = 4.0;
/// Seconds at the start for which nothing hurts the player.
const ARRIVAL: f32 = 2.0;
/// Seconds between two strikes.
const STRIKE: f32 = 0.8;
/// Seconds between two stuns.
const STUN: f32 = 6.0;

/// What the player does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Script {
    /// Stays where it is.
    Stand,
    /// Walks from stop to stop, and rests at each.
    Round,
    /// Runs, jumps and falls from anywhere to anywhere, and turns round on the
    /// way; the number is the seed.
    Run(u64),
    /// The same, away from the nearest enemies.
    Flee(u64),
    /// As the keys say.
    Keys(Keys),
}

/// The keys that are held down.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Keys {
    pub left: bool,
    pub right: bool,
    pub jump: bool,
}

pub struct Player {
    pub agent: NavAgent,
    pub stops: Vec<Vec2>,
    start: Vec2,
    next: usize,
    rested: f32,
    pub script: Script,
    /// Seconds until a script changes its mind.
    decides: f32,
    /// Whether no enemy knows where the player is.
    pub is_hidden: bool,
    /// How often the player was hurt.
    pub hurts: u32,
    /// Seconds for which the player cannot be hurt again.
    safe: f32,
    /// The same for fire.
    safe_from_fire: f32,
    /// Whether the player strikes and stuns enemies that are near.
    pub fights: bool,
    /// Seconds until the player can strike again.
    strike: f32,
    /// Seconds until the player can stun again.
    stun: f32,
}

/// What the player does to the nearest enemy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Blow {
    Strike,
    Stun,
}

impl Player {
    pub fn new(stage: &Stage) -> Self {
        let stops: Vec<Vec2> = stage.markers("player").map(|m| m.position).collect();
        let start = stops.first().copied();
        let start = start.unwrap_or_else(|| stage.start());
        Self {
            agent: NavAgent::new(stage.floor_layer(), start),
            stops,
            start,
            next: 0,
            rested: 0.0,
            script: Script::Round,
            decides: 0.0,
            is_hidden: false,
            hurts: 0,
            safe: ARRIVAL,
            safe_from_fire: 0.0,
            fights: true,
            strike: 0.0,
            stun: STUN,
        }
    }

    pub fn position(&self) -> Vec2 {
        self.agent.pose().position
    }

    /// Hurts the player, unless it was hurt just before.
    pub fn hurt(&mut self) -> bool {
        let hits = self.safe <= 0.0;
        if hits {
            self.hurts += 1;
            self.safe = SAFE;
        }
        hits
    }

    /// Hurts the player by fire, unless it was hurt just before, or by fire lately.
    pub fn burn(&mut self) -> bool {
        let hits = self.safe_from_fire <= 0.0 && self.hurt();
        if hits {
            self.safe_from_fire = SAFE_FROM_FIRE;
        }
        hits
    }

    /// Seconds since the player was last hurt.
    pub fn hurt_ago(&self) -> f32 {
        if self.hurts == 0 {
            f32::INFINITY
        } else {
            SAFE - self.safe
        }
    }

    /// What the player does now to an enemy at that distance.
    pub fn blow(&mut self, distance: f32, dt: f32) -> Option<Blow> {
        self.strike -= dt;
        self.stun -= dt;
        if self.fights && self.stun <= 0.0 && distance < 60.0 {
            self.stun = STUN;
            return Some(Blow::Stun);
        }
        if self.fights && self.strike <= 0.0 && distance < 32.0 {
            self.strike = STRIKE;
            return Some(Blow::Strike);
        }
        None
    }

    pub fn step(&mut self, stage: &Stage, enemies: &[Body], nav: &mut Navigator, dt: f32) {
        self.safe -= dt;
        self.safe_from_fire -= dt;
        self.decides -= dt;
        let is_due = self.decides <= 0.0;
        let mut script = self.script;
        match &mut script {
            Script::Round => self.go_round(dt),
            Script::Run(seed) if is_due => {
                let goal = stage.random_place(seed);
                self.decides = 0.5 + random(seed) * 2.5;
                self.agent.go_to(goal);
            }
            Script::Flee(seed) if is_due => {
                // Of some places, the one that is farthest from any enemy.
                let alive = || enemies.iter().filter(|body| body.is_alive());
                let nearest = |place: &Vec2| {
                    let all = alive().map(|body| body.position().distance(*place));
                    all.fold(f32::INFINITY, f32::min)
                };
                let places = [(); 6].map(|()| stage.random_place(seed));
                let farthest = places.into_iter();
                let goal = farthest.max_by(|a, b| nearest(a).total_cmp(&nearest(b)));
                self.decides = 0.5 + random(seed);
                self.agent.go_to(goal.unwrap_or_default());
            }
            Script::Keys(keys) => self.drive(stage, *keys, dt),
            Script::Stand | Script::Run(_) | Script::Flee(_) => {}
        }
        self.script = script;
        self.agent.update(nav, dt);
    }

    /// Walks along the platform, off its ends, and jumps. In the air the keys
    /// steer.
    fn drive(&mut self, stage: &Stage, keys: Keys, dt: f32) {
        let side = f32::from(i8::from(keys.right) - i8::from(keys.left));
        let limits = self.agent.profile();
        let (speed, jump) = (limits.run_speed, limits.jump_speed);
        let velocity = self.agent.pose().velocity;
        if let Activity::Stranded(_) = self.agent.pose().activity {
            // It has fallen out of the level.
            self.agent.teleport(self.start);
            return;
        }
        if self.agent.pose().activity == Activity::Launched {
            let change = (side * speed - velocity.x).clamp(-speed * 8.0 * dt, speed * 8.0 * dt);
            if change != 0.0 {
                self.agent.launch(velocity + Vec2::X * change);
            }
            return;
        }
        let here = self.position();
        let end = stage
            .platform_ends(here)
            .map(|[left, right]| if side < 0.0 { left } else { right });
        if keys.jump {
            self.agent
                .launch(Vec2::new(velocity.x, -jump * stage.mesh.down()));
        } else if side == 0.0 {
            self.agent.stop();
        } else if let Some(end) = end
            && (end.x - here.x) * side > 1.0
        {
            self.agent.go_to(end);
        } else {
            self.agent.launch(Vec2::new(side * speed, 0.0));
        }
    }

    fn go_round(&mut self, dt: f32) {
        if !self.agent.is_under_way()
            && let Some(stop) = self.stops.get(self.next)
        {
            self.rested += dt;
            if self.rested >= REST {
                self.rested = 0.0;
                self.agent.go_to(*stop);
                self.next = (self.next + 1) % self.stops.len();
            }
        }
    }
}
