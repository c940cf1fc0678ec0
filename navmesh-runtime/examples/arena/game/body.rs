//! An enemy's body.

use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::NavAgent;

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
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Crawler,
        Self::Spitter,
        Self::Charger,
        Self::Spiker,
        Self::Immolator,
        Self::Defender,
        Self::Healer,
        Self::Flyer,
        Self::Gunner,
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
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The layer it moves in.
    pub const fn layer(self) -> &'static str {
        match self {
            Self::Flyer => "flyer",
            _ => "walker",
        }
    }

    /// Its speed as a fraction of the speed for which its layer was baked.
    const fn speed_factor(self) -> f32 {
        match self {
            Self::Crawler => 0.4,
            Self::Spitter | Self::Spiker => 0.8,
            Self::Immolator => 0.5,
            _ => 1.0,
        }
    }
}

/// One enemy's body.
pub struct Body {
    pub kind: Kind,
    pub home: Vec2,
    pub agent: NavAgent,
    /// The destination that the tree has set.
    pub destination: Option<Vec2>,
    /// 0 to 100.
    pub health: f32,
    /// 1 when it faces right, −1 when it faces left.
    pub facing: f32,
    /// The act in progress, and for how many seconds it has lasted.
    pub acting: Option<(Act, f32)>,
    /// Seconds for which it cannot be hurt.
    pub shield: f32,
    /// The number of the enemy that shields it.
    pub shielded_by: Option<usize>,
    /// Seconds until the shields that it cast end.
    pub casting: f32,
    /// While it burns: where it left the last fire.
    pub burning: Option<Vec2>,
    /// Seconds until it is no longer stunned.
    pub stun: f32,
    /// The direction of its gun.
    pub aim: Vec2,
    /// The position where its rock will come out.
    pub mark: Option<Vec2>,
    /// The number of the enemy it is about to heal.
    pub patient: Option<usize>,
    /// When it is dead: seconds until it returns.
    pub dead: Option<f32>,
}

impl Body {
    pub fn new(kind: Kind, layer: &Layer, home: Vec2) -> Self {
        let mut agent = NavAgent::new(layer, home);
        let mut limits = agent.profile().clone();
        limits.run_speed *= kind.speed_factor();
        agent.set_profile(limits).expect("a lower speed is valid");
        Self {
            kind,
            home,
            agent,
            destination: None,
            health: 100.0,
            facing: 1.0,
            acting: None,
            shield: 0.0,
            shielded_by: None,
            casting: 0.0,
            burning: None,
            stun: 0.0,
            aim: Vec2::X,
            mark: None,
            patient: None,
            dead: None,
        }
    }

    pub fn position(&self) -> Vec2 {
        self.agent.position()
    }

    pub fn is_alive(&self) -> bool {
        self.dead.is_none()
    }

    /// Whether it can act: neither dead nor stunned.
    pub fn is_able(&self) -> bool {
        self.is_alive() && self.stun <= 0.0
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
