//! A kind of body with its limits.

use super::{Fall, MAX_LAUNCHES};

/// The kinds of edges an agent may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "Vec<String>", try_from = "Vec<String>")
)]
pub struct EdgeSet(u16);

impl EdgeSet {
    /// No edges.
    pub const NONE: Self = Self(0);
    /// Walking along a platform.
    pub const FLOOR: Self = Self(1);
    /// Flying between free vertices.
    pub const FLY: Self = Self(1 << 1);
    /// Leaving the floor with a launch.
    pub const JUMP: Self = Self(1 << 2);
    /// Leaving the floor without one.
    pub const DROP: Self = Self(1 << 3);
    /// Falling through the one-way platform one stands on.
    pub const DROP_THROUGH: Self = Self(1 << 4);
    /// Climbing ladders.
    pub const LADDER: Self = Self(1 << 5);
    /// Climbing walls.
    pub const WALL_CLIMB: Self = Self(1 << 6);
    /// Climbing along ceilings.
    pub const CEILING_CLIMB: Self = Self(1 << 7);
    /// Going through portals.
    pub const PORTAL: Self = Self(1 << 8);
    /// Everything that is climbed.
    pub const CLIMB: Self = Self(Self::LADDER.0 | Self::WALL_CLIMB.0 | Self::CEILING_CLIMB.0);

    const NAMES: [(&'static str, Self); 9] = [
        ("floor", Self::FLOOR),
        ("fly", Self::FLY),
        ("jump", Self::JUMP),
        ("drop", Self::DROP),
        ("drop_through", Self::DROP_THROUGH),
        ("ladder", Self::LADDER),
        ("wall_climb", Self::WALL_CLIMB),
        ("ceiling_climb", Self::CEILING_CLIMB),
        ("portal", Self::PORTAL),
    ];

    /// Every kind.
    pub fn all() -> Self {
        Self::NAMES.iter().fold(Self::NONE, |set, (_, e)| set | *e)
    }

    /// Whether every kind in `other` is in this set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The kinds in this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether any kind in the set belongs to an agent on foot.
    pub const fn walks(self) -> bool {
        !self.without(Self(Self::FLY.0 | Self::PORTAL.0)).is_empty()
    }

    /// The set as bits, for the asset.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A set from bits; `None` when a bit means nothing.
    pub fn from_bits(bits: u16) -> Option<Self> {
        (bits & !Self::all().0 == 0).then_some(Self(bits))
    }

    /// The one kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, e)| *e)
    }

    /// The names of the kinds in the set, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .into_iter()
            .filter(move |(_, e)| self.contains(*e))
            .map(|(n, _)| n)
    }
}

impl std::ops::BitOr for EdgeSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(feature = "serde")]
impl From<EdgeSet> for Vec<String> {
    fn from(set: EdgeSet) -> Self {
        set.names().map(String::from).collect()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<String>> for EdgeSet {
    type Error = String;
    fn try_from(names: Vec<String>) -> Result<Self, Self::Error> {
        names.iter().try_fold(Self::NONE, |set, name| {
            let edge = Self::from_name(name).ok_or_else(|| {
                let known: Vec<_> = Self::all().names().collect();
                format!("unknown edge kind {name:?}; known are {}", known.join(", "))
            })?;
            Ok(set | edge)
        })
    }
}

/// A kind of body with its limits: size, speed, jump, drop, and which edges it
/// may use. Lengths in world units, speeds in units per second; every length
/// and speed is a magnitude, whichever way y grows.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentProfile {
    /// What levels, queries and reports call this agent.
    pub name: String,
    /// Width and height of the body's box.
    pub body: [f32; 2],
    /// Greatest horizontal speed on the floor and in jumps; the speed of
    /// flight for agents that fly.
    pub run_speed: f32,
    /// How fast speed grows, units/s².
    pub acceleration: f32,
    /// How fast speed shrinks, units/s².
    pub deceleration: f32,
    /// Greatest apex above take-off; 0 for an agent that cannot jump.
    pub jump_height: f32,
    /// Downward acceleration in jumps and drops, units/s².
    pub gravity: f32,
    /// Greatest upward launch speed: `sqrt(2 · gravity · jump_height)`.
    pub jump_speed: f32,
    /// Furthest across and highest up that a jump may end.
    pub max_jump: [f32; 2],
    /// Furthest across and deepest down that a drop may end (depth also
    /// bounds jumps that land lower).
    pub max_drop: [f32; 2],
    /// Whether horizontal speed may change in the air.
    pub air_control: bool,
    /// Highest step walked up or down without a jump.
    pub step_height: f32,
    /// Steepest walkable floor, degrees.
    pub max_slope: f32,
    /// Edges the agent may use.
    pub edges: EdgeSet,
    /// Greatest speed of fall; `None` for free fall all the way.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub max_fall_speed: Option<f32>,
    /// How many more times it can launch itself in the air: 1 for a double
    /// jump. At most [`MAX_AIR_JUMPS`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub air_jumps: u8,
    /// Speed on ladders, walls and ceilings; 0 for an agent that does not
    /// climb.
    #[cfg_attr(feature = "serde", serde(default))]
    pub climb_speed: f32,
    /// Whether it passes through hazards unharmed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ignores_hazards: bool,
}

/// Most launches in the air.
pub const MAX_AIR_JUMPS: u8 = MAX_LAUNCHES as u8 - 1;

/// A parameter of a profile that makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("agent {agent:?}: {parameter} is {value}, but {rule}")]
pub struct ProfileError {
    /// The agent's name.
    pub agent: String,
    /// The parameter as the configuration spells it.
    pub parameter: &'static str,
    /// What it was.
    pub value: f32,
    /// What it must be.
    pub rule: &'static str,
}

impl Clone for AgentProfile {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            ..*self
        }
    }

    /// Copies without allocating when the name fits.
    fn clone_from(&mut self, source: &Self) {
        let mut name = std::mem::take(&mut self.name);
        name.clone_from(&source.name);
        *self = Self { name, ..*source };
    }
}

impl AgentProfile {
    /// How it falls.
    pub fn fall(&self) -> Fall {
        Fall {
            gravity: f64::from(self.gravity),
            max_speed: self.max_fall_speed.map_or(f64::INFINITY, f64::from),
        }
    }

    /// Whether it climbs anything.
    pub fn climbs(&self) -> bool {
        self.climb_speed > 0.0 && !self.edges.intersection(EdgeSet::CLIMB).is_empty()
    }

    /// Checks that every number is finite and in its range.
    ///
    /// # Errors
    /// Names the first parameter that is not.
    pub fn validate(&self) -> Result<(), ProfileError> {
        const POSITIVE: &str = "it must be a finite number above 0";
        const NOT_NEGATIVE: &str = "it must be a finite number, 0 or more";
        let check = |parameter, value: f32, ok: bool, rule| {
            if ok && value.is_finite() && value < 1e9 {
                Ok(())
            } else {
                Err(ProfileError {
                    agent: self.name.clone(),
                    parameter,
                    value,
                    rule,
                })
            }
        };
        let positive = |parameter, value| check(parameter, value, value > 0.0, POSITIVE);
        let not_negative = |parameter, value| check(parameter, value, value >= 0.0, NOT_NEGATIVE);
        positive("body width", self.body[0])?;
        positive("body height", self.body[1])?;
        positive("run_speed", self.run_speed)?;
        positive("acceleration", self.acceleration)?;
        positive("deceleration", self.deceleration)?;
        positive("gravity", self.gravity)?;
        not_negative("jump_height", self.jump_height)?;
        not_negative("jump_speed", self.jump_speed)?;
        not_negative("max_jump across", self.max_jump[0])?;
        not_negative("max_jump up", self.max_jump[1])?;
        not_negative("max_drop across", self.max_drop[0])?;
        not_negative("max_drop down", self.max_drop[1])?;
        not_negative("step_height", self.step_height)?;
        if let Some(speed) = self.max_fall_speed {
            positive("max_fall_speed", speed)?;
        }
        check(
            "air_jumps",
            f32::from(self.air_jumps),
            self.air_jumps <= MAX_AIR_JUMPS,
            "it must be at most 3",
        )?;
        not_negative("climb_speed", self.climb_speed)?;
        check(
            "climb_speed",
            self.climb_speed,
            self.climb_speed > 0.0 || self.edges.intersection(EdgeSet::CLIMB).is_empty(),
            "it must be above 0 for an agent with an edge that is climbed",
        )?;
        check(
            "climb_speed",
            self.climb_speed,
            !(self.climbs() && self.edges.contains(EdgeSet::FLY)),
            "an agent that flies needs no edges that are climbed",
        )?;
        check(
            "step_height",
            self.step_height,
            self.step_height < self.body[1],
            "it must be less than the body's height",
        )?;
        check(
            "max_slope",
            self.max_slope,
            (0.0..90.0).contains(&self.max_slope),
            "it must be at least 0 and less than 90 degrees",
        )
    }
}
