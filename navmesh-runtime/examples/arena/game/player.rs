//! The player walks a fixed round from stop to stop, so that every run is the
//! same.

use glam::Vec2;
use navmesh_runtime::motion::{Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

use super::stage::Stage;

/// Seconds spent at each stop.
const REST: f32 = 2.5;
/// Seconds between two strikes.
const STRIKE: f32 = 0.8;
/// Seconds between two stuns.
const STUN: f32 = 6.0;

pub struct Player {
    pub agent: NavAgent,
    pub stops: Vec<Vec2>,
    next: usize,
    rested: f32,
    /// Whether the player walks the round; otherwise it stays where it is.
    pub goes_round: bool,
    /// How often the player was hurt.
    pub hurts: u32,
    /// Seconds for which the player cannot be hurt again.
    safe: f32,
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
        let start = stops.first().copied().unwrap_or_default();
        Self {
            agent: NavAgent::new(stage.layer("walker"), start),
            stops,
            next: 0,
            rested: 0.0,
            goes_round: true,
            hurts: 0,
            safe: 0.0,
            fights: true,
            strike: 0.0,
            stun: STUN,
        }
    }

    pub fn position(&self) -> Vec2 {
        self.agent.position()
    }

    /// Hurts the player, unless it was hurt just before.
    pub fn hurt(&mut self) -> bool {
        let hits = self.safe <= 0.0;
        if hits {
            self.hurts += 1;
            self.safe = 0.5;
        }
        hits
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

    pub fn step(&mut self, stage: &Stage, finder: &mut PathFinder, dt: f32) {
        self.safe -= dt;
        if self.goes_round
            && !self.agent.is_under_way()
            && let Some(stop) = self.stops.get(self.next)
        {
            self.rested += dt;
            if self.rested >= REST {
                self.rested = 0.0;
                self.agent.set_destination(*stop);
                self.next = (self.next + 1) % self.stops.len();
            }
        }
        let environment = Environment::new(stage.layer("walker"));
        self.agent.step(environment, finder, dt);
    }
}
