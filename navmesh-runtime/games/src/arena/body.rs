//! An enemy's body.

use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::Actor;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{Facing, NavAgent};

use super::acts::Act;

/// The kinds of enemies. Each has a tree with its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Crawler,
    Spitter,
    Charger,
    Spiker,
    Immolator,
    Defender,
    Healer,
    Flyer,
    Gunner,
    Guard,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Crawler,
        Self::Spitter,
        Self::Charger,
        Self::Spiker,
        Self::Immolator,
        Self::Defender,
        Self::Healer,
        Self::Flyer,
        Self::Gunner,
        Self::Guard,
    ];

    /// Its name, in tree files and in the level's markers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crawler => "crawler",
            Self::Spitter => "spitter",
            Self::Charger => "charger",
            Self::Spiker => "spiker",
            Self::Immolator => "immolator",
            Self::Defender => "defender",
            Self::Healer => "healer",
            Self::Flyer => "flyer",
            Self::Gunner => "gunner",
            Self::Guard => "guard",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it flies.
    pub const fn flies(self) -> bool {
        matches!(self, Self::Flyer)
    }

    /// The layer that was baked for it in the levels of this game.
    pub const fn layer(self) -> &'static str {
        match self {
            Self::Crawler | Self::Immolator => "creeper",
            Self::Spitter | Self::Spiker => "prowler",
            Self::Flyer => "flyer",
            _ => "walker",
        }
    }
}

/// Whether an enemy may act.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Condition {
    Able,
    /// For so many seconds.
    Stunned(f32),
    /// In the air after a blow, until it lands.
    Thrown,
    /// Until it returns after so many seconds.
    Dead(f32),
    /// Removed for ever.
    Gone,
}

/// One enemy's body.
pub struct Body {
    pub kind: Kind,
    pub home: Vec2,
    /// Its agent, with what the tree has set.
    pub actor: Actor,
    /// 0 to 100.
    pub health: f32,
    /// The act in progress, and for how many seconds it has lasted.
    pub acting: Option<(Act, f32)>,
    /// The direction in which it has begun an attack: it does not turn in it.
    pub attack_facing: f32,
    /// Seconds for which it cannot be hurt.
    pub shield: f32,
    /// The numbers of the living enemies that have shielded it.
    pub shielded_by: Vec<usize>,
    /// Seconds until the shields that it cast end.
    pub casting: f32,
    /// While it burns: where it left the last fire.
    pub burning: Option<Vec2>,
    /// The direction of its gun.
    pub aim: Vec2,
    /// The position where its rock will come out.
    pub mark: Option<Vec2>,
    /// The number of the enemy it is about to heal.
    pub patient: Option<usize>,
    /// The area of the level that it does not leave.
    pub leash: Option<Arc<str>>,
    condition: Condition,
}

impl Body {
    pub fn new(kind: Kind, layer: &Layer, home: Vec2) -> Self {
        Self {
            kind,
            home,
            actor: Actor::from(NavAgent::new(layer, home)),
            health: 100.0,
            acting: None,
            attack_facing: 1.0,
            shield: 0.0,
            shielded_by: Vec::new(),
            casting: 0.0,
            burning: None,
            aim: Vec2::X,
            mark: None,
            patient: None,
            leash: None,
            condition: Condition::Able,
        }
    }

    pub fn position(&self) -> Vec2 {
        self.actor.agent.pose().position
    }

    /// 1 when it faces right, −1 when it faces left.
    pub fn facing(&self) -> f32 {
        if self.acting.is_some_and(|(act, _)| act.faces()) {
            return self.attack_facing;
        }
        match self.actor.agent.pose().facing {
            Facing::Left => -1.0,
            Facing::Right => 1.0,
        }
    }

    pub fn condition(&self) -> Condition {
        self.condition
    }

    /// Changes the condition. Only the director does: it also aborts what the
    /// tree is doing.
    pub fn set_condition(&mut self, condition: Condition) {
        self.condition = condition;
    }

    pub fn is_alive(&self) -> bool {
        !matches!(self.condition, Condition::Dead(_) | Condition::Gone)
    }

    pub fn is_able(&self) -> bool {
        self.condition == Condition::Able
    }

    pub fn is_acting(&self, act: Act) -> bool {
        self.acting.is_some_and(|(a, _)| a == act)
    }

    /// The pool of the token that it needs for what it is doing.
    pub fn attack_pool(&self) -> Option<&'static str> {
        let acting = self.acting.and_then(|(act, _)| act.pool());
        acting.or(self.burning.map(|_| "melee"))
    }

    /// Hurts it, unless it is shielded; returns whether it was hurt.
    pub fn hurt(&mut self, points: f32) -> bool {
        let hits = self.is_alive() && self.shield <= 0.0;
        if hits {
            self.health -= points;
        }
        hits
    }
}
