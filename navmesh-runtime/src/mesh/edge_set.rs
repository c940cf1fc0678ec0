//! Sets of edge kinds.

/// A set of kinds of edges: what an agent may use.
///
/// ```
/// use navmesh_runtime::mesh::EdgeSet;
///
/// let walker = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
/// assert!(walker.contains(EdgeSet::JUMP) && walker.walks());
/// assert_eq!(walker - EdgeSet::JUMP, walker & (EdgeSet::FLOOR | EdgeSet::DROP));
/// assert_eq!(walker.names().collect::<Vec<_>>(), ["floor", "jump", "drop"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "Vec<String>", try_from = "Vec<String>")
)]
pub struct EdgeSet(u16);

impl EdgeSet {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Walking along a floor.
    pub const FLOOR: Self = Self(1);
    /// Flying between free vertices.
    pub const FLY: Self = Self(1 << 1);
    /// Leaving a platform with an upward launch.
    pub const JUMP: Self = Self(1 << 2);
    /// Leaving a platform without a launch.
    pub const DROP: Self = Self(1 << 3);
    /// Falling through the one-way platform the agent stands on.
    pub const DROP_THROUGH: Self = Self(1 << 4);
    /// Climbing ladders.
    pub const LADDER: Self = Self(1 << 5);
    /// Climbing walls.
    pub const WALL_CLIMB: Self = Self(1 << 6);
    /// Climbing along ceilings.
    pub const CEILING_CLIMB: Self = Self(1 << 7);
    /// Going through portals.
    pub const PORTAL: Self = Self(1 << 8);
    /// Every kind.
    pub const ALL: Self = Self((1 << Self::NAMES.len()) - 1);
    /// Every kind of climbing.
    pub const CLIMB: Self = Self(Self::LADDER.0 | Self::WALL_CLIMB.0 | Self::CEILING_CLIMB.0);

    /// The name of every kind, in the order of their bits. The names of link
    /// kinds and path steps come from here; configurations, dumps and JSON use
    /// them.
    pub(crate) const NAMES: [&'static str; 9] = [
        "floor",
        "fly",
        "jump",
        "drop",
        "drop_through",
        "ladder",
        "wall_climb",
        "ceiling_climb",
        "portal",
    ];

    /// Whether every kind of `other` is in this set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether an agent with these edges stands on floors: it has a kind of
    /// edge other than flying and portals.
    pub const fn walks(self) -> bool {
        self.0 & !(Self::FLY.0 | Self::PORTAL.0) != 0
    }

    /// The set as it is stored in the asset.
    #[cfg(feature = "write")]
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// A set from the asset; `None` when a bit has no meaning.
    pub(crate) const fn from_bits(bits: u16) -> Option<Self> {
        if bits & !Self::ALL.0 == 0 {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// The kind of that name; upper and lower case are equal.
    #[cfg(feature = "serde")]
    fn from_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        let bit = names.position(|known| known.eq_ignore_ascii_case(name))?;
        Some(Self(1 << bit))
    }

    /// The position of the first kind of the set, which is not empty, in
    /// [`NAMES`](Self::NAMES).
    pub(crate) const fn first(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// The names of the kinds in the set, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (0..)
            .zip(Self::NAMES)
            .filter(move |(bit, _)| self.contains(Self(1 << bit)))
            .map(|(_, name)| name)
    }
}

/// The kinds that are in either set.
impl std::ops::BitOr for EdgeSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The kinds that are in both sets.
impl std::ops::BitAnd for EdgeSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The kinds of the first set that are not in the second.
impl std::ops::Sub for EdgeSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
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
                let known = Self::NAMES.join(", ");
                format!("unknown edge kind {name:?}; known are {known}")
            })?;
            Ok(set | edge)
        })
    }
}
