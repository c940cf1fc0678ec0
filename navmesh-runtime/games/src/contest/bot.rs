//! A bot, and what is measured of it.

use glam::Vec2;
use navmesh_bots::interest::{Dash, DecisionMemory, Handicap, Hysteresis, Recovery, Target};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::NavAgent;

/// How a bot plays.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub difficulty: f32,
    pub zone_weight: f32,
    pub bonus: f32,
    pub intercepts: bool,
}

impl Style {
    pub const FULL: Self = Self {
        difficulty: 1.0,
        // A coin of 10 in a row of five then has two thirds of the interest of a coin of
        // 50; without, a fifth.
        zone_weight: 1.5,
        bonus: 0.25,
        intercepts: true,
    };
}

/// What a bot does about its target now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    Target(u32),
    /// The block to break first, and the index.
    Block(usize),
    Geyser(usize),
}

pub struct Bot {
    pub agent: NavAgent,
    pub style: Style,
    pub handicap: Handicap,
    pub points: f32,
    pub dash: Option<Dash>,
    pub stunned_until: f64,
    pub shield_until: f64,
    pub shield: DecisionMemory<bool>,
    pub decision: DecisionMemory<Option<Target<u32>>>,
    pub habit: Hysteresis<u32>,
    pub recovery: Recovery<u32>,
    pub aim: Option<Aim>,
    pub aimed: f64,
    pub recovered: f64,
    pub thrown: f64,
    /// Where it was when it last moved on, and when.
    pub anchor: (Vec2, f64),
    pub is_slow: bool,
    pub log: Log,
}

/// What is measured of a bot.
#[derive(Debug, Clone, Copy, Default)]
pub struct Log {
    pub target_changes: u32,
    /// Greatest number of seconds for which it stayed within a body's length of a
    /// place although it was free to go.
    pub stuck: f64,
    pub dashes: u32,
    pub broken: u32,
    pub thrown: u32,
    pub shields: u32,
    pub portals: u32,
    pub coins: u32,
    pub powerups: u32,
    pub goats: u32,
    pub blasts: u32,
}

impl Bot {
    pub fn new(layer: &Layer, style: Style, start: Vec2, seed: u64) -> Self {
        let handicap = Handicap::new(style.difficulty, seed);
        let mut agent = NavAgent::new(layer, start);
        agent.set_allow_partial_path(true);
        agent
            .set_profile(handicap.applied_to(layer.profile()))
            .expect("a slower profile is valid");
        Self {
            agent,
            style,
            handicap,
            points: 0.0,
            dash: None,
            stunned_until: 0.0,
            shield_until: 0.0,
            shield: DecisionMemory::default(),
            decision: DecisionMemory::default(),
            habit: Hysteresis {
                current: None,
                bonus: style.bonus,
            },
            recovery: Recovery::default(),
            aim: None,
            aimed: 0.0,
            recovered: 0.0,
            thrown: f64::NEG_INFINITY,
            anchor: (start, 0.0),
            is_slow: false,
            log: Log::default(),
        }
    }
}
