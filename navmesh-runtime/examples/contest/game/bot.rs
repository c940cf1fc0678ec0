//! A bot, and what is measured of it.

use glam::Vec2;
use navmesh_runtime::interest::{
    ActionClock, Dash, DecisionMemory, Handicap, Hysteresis, Noticing, Recovery, Target,
};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::NavAgent;

/// How a bot plays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) difficulty: f32,
    pub(crate) zone_weight: f32,
    pub(crate) bonus: f32,
    pub(crate) intercepts: bool,
}

impl Style {
    pub(crate) const FULL: Self = Self {
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
pub(super) enum Aim {
    Target(u32),
    /// The block to break first, and the index.
    Block(usize),
    Geyser(usize),
}

pub(crate) struct Bot {
    pub(crate) agent: NavAgent,
    pub(super) style: Style,
    pub(super) handicap: Handicap,
    pub(crate) points: f32,
    pub(crate) dash: Option<Dash>,
    pub(super) stunned_until: f64,
    pub(crate) shield_until: f64,
    pub(super) shield: DecisionMemory<bool>,
    pub(super) decision: DecisionMemory<Option<Target<u32>>>,
    pub(super) habit: Hysteresis<u32>,
    pub(super) recovery: Recovery<u32>,
    pub(super) noticing: Noticing,
    pub(super) clock: ActionClock,
    pub(super) aim: Option<Aim>,
    pub(super) aimed: f64,
    pub(super) recovered: f64,
    pub(super) thrown: f64,
    /// Where it was when it last moved on, and when.
    pub(super) anchor: (Vec2, f64),
    pub(super) is_slow: bool,
    pub(crate) log: Log,
}

/// What is measured of a bot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Log {
    pub(crate) target_changes: u32,
    /// Greatest number of seconds for which it stayed within a body's length of a
    /// place although it was free to go.
    pub(crate) stuck: f64,
    pub(crate) dashes: u32,
    pub(crate) broken: u32,
    pub(crate) thrown: u32,
    pub(crate) shields: u32,
    pub(crate) portals: u32,
    pub(crate) coins: u32,
    pub(crate) powerups: u32,
    pub(crate) goats: u32,
    pub(crate) blasts: u32,
}

impl Bot {
    pub(super) fn new(layer: &Layer, style: Style, start: Vec2, seed: u64) -> Self {
        let handicap = Handicap::of(style.difficulty);
        let mut agent = NavAgent::new(layer, start);
        agent.set_or_nearest(true);
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
            habit: Hysteresis::new(style.bonus),
            recovery: Recovery::default(),
            noticing: Noticing::default(),
            clock: ActionClock::new(seed),
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
