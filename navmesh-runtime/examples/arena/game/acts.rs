//! The cues of this game's trees.

/// A cue of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Hurts the player at close range.
    Bite,
    /// Like a bite, by a flyer.
    Peck,
    /// A slow shot.
    Spit,
    /// Hurts the player while the enemy runs along the platform.
    Charge,
    /// Marks the position where the rock will come out.
    Warn,
    Rock,
    /// Kills the immolator, and leaves a fire.
    Burst,
    Shield,
    Heal,
    /// The cry of a flyer before it dives.
    Dive,
    /// Turns the gun towards the player.
    Aim,
    Fire,
}

impl Act {
    const ALL: [(&'static str, Self); 12] = [
        ("bite", Self::Bite),
        ("peck", Self::Peck),
        ("spit", Self::Spit),
        ("charge", Self::Charge),
        ("warn", Self::Warn),
        ("rock", Self::Rock),
        ("burst", Self::Burst),
        ("shield", Self::Shield),
        ("heal", Self::Heal),
        ("dive", Self::Dive),
        ("aim", Self::Aim),
        ("fire", Self::Fire),
    ];

    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(other, _)| *other == name)?.1)
    }

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, act)| *act == self)
            .map_or("", |(name, _)| name)
    }

    /// Its duration in seconds; `None` when something else ends it.
    pub const fn seconds(self) -> Option<f32> {
        Some(match self {
            Self::Bite | Self::Peck => 0.35,
            Self::Spit => 0.3,
            Self::Rock => 0.4,
            Self::Burst => 0.2,
            Self::Shield => 10.0,
            Self::Heal => 1.0,
            Self::Fire => 0.15,
            Self::Warn | Self::Dive => 0.0,
            Self::Charge | Self::Aim => return None,
        })
    }
}
