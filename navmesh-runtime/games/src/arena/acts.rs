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
    /// The anticipation of a charge.
    Brace,
    /// Hurts the player while the enemy runs along the platform.
    Charge,
    /// Marks the position where the rock will come out.
    Warn,
    Rock,
    /// The immolator sets itself on fire.
    Ignite,
    /// Kills the immolator, and hurts a player who is near.
    Burst,
    /// Shields the enemies near the defender.
    Shield,
    Heal,
    /// The cry of a flyer before it dives.
    Dive,
    /// Turns the gun towards the player, and waits until the shot is clear.
    Aim,
    /// Turns the gun straight ahead.
    Lower,
    Fire,
}

impl Act {
    const ALL: [(&'static str, Self); 15] = [
        ("bite", Self::Bite),
        ("peck", Self::Peck),
        ("spit", Self::Spit),
        ("brace", Self::Brace),
        ("charge", Self::Charge),
        ("warn", Self::Warn),
        ("rock", Self::Rock),
        ("ignite", Self::Ignite),
        ("burst", Self::Burst),
        ("shield", Self::Shield),
        ("heal", Self::Heal),
        ("dive", Self::Dive),
        ("aim", Self::Aim),
        ("lower", Self::Lower),
        ("fire", Self::Fire),
    ];

    /// The pool of the token that an attack needs; `None` for other cues.
    pub const fn pool(self) -> Option<&'static str> {
        match self {
            Self::Bite | Self::Peck | Self::Brace | Self::Charge | Self::Burst => Some("melee"),
            Self::Spit | Self::Rock | Self::Aim | Self::Fire => Some("ranged"),
            Self::Warn | Self::Ignite | Self::Shield | Self::Heal | Self::Dive | Self::Lower => {
                None
            }
        }
    }

    /// Whether pictures show it as an attack or a spell.
    pub const fn is_shown(self) -> bool {
        !matches!(self, Self::Aim | Self::Lower | Self::Warn | Self::Dive)
    }

    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(other, _)| *other == name)?.1)
    }

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, act)| *act == self)
            .map_or("", |(name, _)| name)
    }

    /// Seconds from its begin to its strike, and from there to its end: anticipation and
    /// recovery. `None` when something else ends it.
    pub const fn phases(self) -> Option<[f32; 2]> {
        Some(match self {
            // Two and a half tenths can be seen; with more, a running player is out of
            // reach at the strike.
            Self::Bite | Self::Peck => [0.25, 0.2],
            Self::Burst => [0.3, 0.0],
            Self::Spit => [0.5, 0.3],
            Self::Brace => [0.4, 0.0],
            Self::Rock => [0.0, 0.4],
            Self::Heal => [1.0, 0.0],
            // It has aimed before.
            Self::Fire => [0.1, 0.2],
            Self::Warn | Self::Ignite | Self::Shield | Self::Dive => [0.0, 0.0],
            Self::Charge | Self::Aim | Self::Lower => return None,
        })
    }

    /// Whether the enemy faces the player as long as it lasts.
    pub const fn faces(self) -> bool {
        self.pool().is_some() && !matches!(self, Self::Charge)
    }
}
