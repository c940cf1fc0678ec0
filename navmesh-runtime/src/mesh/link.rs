//! Links: stored motions from one platform to another.

use glam::Vec2;

use super::edge_set::EdgeSet;
use super::ids::{MarkerId, PlatformId};
use super::platform::PlatformKind;
use super::trajectory::TrajectoryParams;
#[cfg(feature = "write")]
use super::{error::MeshError, fall::Fall, trajectory::Trajectory};

/// The kind of motion of a link, and of a step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum StepKind {
    /// Leaves its platform with an upward launch.
    Jump,
    /// Walks off the end of a floor, or lets go of a ladder, wall or ceiling,
    /// and falls.
    Drop,
    /// Falls through the one-way platform that the agent stands on.
    DropThrough,
    /// Climbs along a ladder, or steps between a ladder and a floor or another ladder.
    Ladder,
    /// Climbs along a wall, or steps between a wall and a floor, a ladder or another wall.
    WallClimb,
    /// Climbs along a ceiling, or steps between a ceiling and a wall, a floor, a ladder or
    /// another ceiling.
    CeilingClimb,
    /// Teleports the agent to the other end, or moves it there along a [`LinkLine`].
    Portal,
    /// Walks on where the agent cannot walk back: through a one-way barrier, or
    /// up a slope through a one-way top. Steps over such links have the kind
    /// [`Floor`](Self::Floor).
    OneWayStep,
    /// Is thrown upwards by a spring that it walks onto.
    Spring,
    /// Walks along a platform. No link has this kind.
    Floor,
    /// Flies straight. No link has this kind.
    Fly,
    /// Rides on a platform that moves, from floor to floor: waits for it, gets on and gets
    /// off. No link has this kind.
    Ride,
}

impl StepKind {
    /// Every kind of link. The index of a kind is its number in the asset.
    pub const LINKS: [Self; 9] = [
        Self::Jump,
        Self::Drop,
        Self::DropThrough,
        Self::Ladder,
        Self::WallClimb,
        Self::CeilingClimb,
        Self::Portal,
        Self::OneWayStep,
        Self::Spring,
    ];

    /// The kind of edge that an agent must have to use it.
    pub(crate) const fn edge(self) -> EdgeSet {
        match self {
            Self::Floor | Self::OneWayStep | Self::Spring | Self::Ride => EdgeSet::FLOOR,
            Self::Fly => EdgeSet::FLY,
            Self::Jump => EdgeSet::JUMP,
            Self::Drop => EdgeSet::DROP,
            Self::DropThrough => EdgeSet::DROP_THROUGH,
            Self::Ladder => EdgeSet::LADDER,
            Self::WallClimb => EdgeSet::WALL_CLIMB,
            Self::CeilingClimb => EdgeSet::CEILING_CLIMB,
            Self::Portal => EdgeSet::PORTAL,
        }
    }

    /// The kind of a step over a link of this kind.
    #[must_use]
    pub const fn of_step(self) -> Self {
        match self {
            Self::OneWayStep => Self::Floor,
            kind => kind,
        }
    }

    /// The name in dumps, paths and JSON: that of its edge,
    /// except for one-way steps, springs and rides, which share their edge with walking.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneWayStep => "pass",
            Self::Spring => "spring",
            Self::Ride => "ride",
            _ => EdgeSet::NAMES[self.edge().first()],
        }
    }

    /// Whether the agent follows a trajectory through the air. Other links
    /// lead straight from end to end, or teleport.
    pub const fn is_airborne(self) -> bool {
        matches!(
            self,
            Self::Jump | Self::Drop | Self::DropThrough | Self::Spring
        )
    }

    /// Whether it is a climb.
    pub(crate) const fn is_climb(self) -> bool {
        matches!(self, Self::Ladder | Self::WallClimb | Self::CeilingClimb)
    }
}

impl From<PlatformKind> for StepKind {
    fn from(kind: PlatformKind) -> Self {
        match kind {
            PlatformKind::Floor => Self::Floor,
            PlatformKind::Ladder => Self::Ladder,
            PlatformKind::Wall => Self::WallClimb,
            PlatformKind::Ceiling => Self::CeilingClimb,
        }
    }
}

/// A directed connection between two positions, each on a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The kind of motion.
    pub kind: StepKind,
    /// The platform it leaves.
    pub from_platform: PlatformId,
    /// The platform it lands on.
    pub to_platform: PlatformId,
    /// Feet at take-off, world units.
    pub from: Vec2,
    /// Feet at landing, world units.
    pub to: Vec2,
    /// Seconds it takes; for a portal, its cost. A mesh computes it from
    /// `params`, so that it is exactly the duration of the trajectory.
    pub duration: f32,
    /// How many seconds later the agent may begin to move across and still land
    /// at the same spot at the same time. For agents without air control: the
    /// seconds of motion across that may be missing while the agent still lands
    /// on the platform. 0 to 0.25; 0 for a link that needs full speed all the
    /// way, and for a landing in a gap less than `gravity / 7200` higher than the
    /// body, because a jump is above a landing within that height for two steps at
    /// 60 steps a second.
    ///
    /// For a motion whose horizontal speed never jumps, how far the body may
    /// be off, in seconds at run speed; 0 to 0.25. Above 0, all of these hold:
    ///
    /// - Position: the whole motion may be displaced to either side by
    ///   `tolerance · run_speed`; away from the platform only, when the body walks off an
    ///   end or leaves a wall.
    /// - Time: a running body may take off earlier or later by `tolerance`
    ///   seconds, because that displaces it by no more.
    /// - Height and launch speed: the apex of a jump is above the landing by at
    ///   least `launch / 120`, which a body loses that takes off slower by
    ///   `gravity / 120`: half a step at 60 steps a second.
    /// - Steps: in these cases the body may move in steps of 1/60 s, across before down.
    /// - Jumps in the air: each may be half a step, 1/120 s, earlier or later.
    /// - Landing: the body can stop on the platform from the speed at which it
    ///   lands.
    /// - Steering: a tenth of the agent's acceleration in the air is not used.
    ///
    /// 0 for a motion without room for all of them.
    pub tolerance: f32,
    /// The parameters of the motion. For kinds that are not
    /// [airborne](StepKind::is_airborne), [`TrajectoryParams::steady`]. Needs the
    /// feature `write`.
    #[cfg(feature = "write")]
    pub params: TrajectoryParams,
    #[cfg(not(feature = "write"))]
    pub(crate) params: TrajectoryParams,
}

/// A link of kind [`Portal`](StepKind::Portal) over which the game moves the agent: a rope, a
/// zip line, a jump of a cut scene. The level has a marker of class `link` for it.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkLine {
    /// The marker.
    pub marker: MarkerId,
    /// Feet on the way from the start of the link to its end, both included; world units.
    pub points: Vec<Vec2>,
}

impl LinkLine {
    /// Position and velocity (units/s) `left` seconds before the end of a motion of constant
    /// speed along the line that takes `seconds`.
    pub fn state(&self, left: f32, seconds: f32) -> (Vec2, Vec2) {
        let lengths = self.points.windows(2).map(|ends| ends[0].distance(ends[1]));
        let speed = lengths.sum::<f32>() / seconds.max(f32::MIN_POSITIVE);
        let mut ahead = left.max(0.0) * speed;
        for ends in self.points.windows(2).rev() {
            let length = ends[0].distance(ends[1]);
            if ahead <= length && length > 0.0 {
                let velocity = (ends[1] - ends[0]) * (speed / length);
                return (ends[1].lerp(ends[0], ahead / length), velocity);
            }
            ahead -= length;
        }
        (self.points.first().copied().unwrap_or_default(), Vec2::ZERO)
    }

    /// Whether it has two ends, and only finite coordinates.
    pub(crate) fn is_valid(&self) -> bool {
        self.points.len() > 1 && self.points.iter().all(|point| point.is_finite())
    }
}

impl Link {
    /// Whether it begins without a jump, mostly off the end of its platform. The
    /// agent may jump in the air after that, or be thrown.
    pub(crate) fn walks_off(&self) -> bool {
        let first = self.params.launches().next();
        let falls = first.is_some_and(|launch| launch.speed <= 0.0);
        self.kind == StepKind::Spring
            || falls && matches!(self.kind, StepKind::Jump | StepKind::Drop)
    }

    /// The baked motion between its ends. `fall` is that of the layer's profile, and
    /// `down` is the change of y when a point moves down by one unit. Needs the
    /// feature `write`; [`Airborne`](crate::motion::Airborne) is the motion of an
    /// agent.
    ///
    /// The velocity at the landing is
    /// [`velocity`](Trajectory::velocity)`(duration)`. A body stops from the
    /// speed `v` across within `v² / (2 · deceleration)`; where the platform is
    /// shorter behind the landing, the link has the tolerance 0.
    ///
    /// # Errors
    /// When the parameters do not lead from one end to the other; always for
    /// kinds that are not [airborne](StepKind::is_airborne).
    #[cfg(feature = "write")]
    pub fn trajectory(&self, fall: impl Into<Fall>, down: f32) -> Result<Trajectory, MeshError> {
        if !self.kind.is_airborne() {
            return Err(MeshError::new("only jumps and drops have a trajectory"));
        }
        self.params.between(self.from, self.to, fall, down)
    }
}
