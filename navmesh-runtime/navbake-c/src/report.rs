//! What agents report, as numbers and structs of C.

use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::StepKind;
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyCommand, BodyState, Facing, IdleReason, PathLostReason, Pose,
    Stranded,
};
use navmesh_runtime::search::{NoPath, QueryError, Step};

use crate::border::{NbVec2, Versioned};

/// What an agent is doing.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbActivity {
    /// One that this version of the interface does not know.
    Unknown = 0,
    /// It stands, holds on to something or hovers without a destination.
    Idle = 1,
    /// It rests at its destination, or where it was stopped.
    Arrived = 2,
    /// It is as near to its destination as it can get; `reason` says why not nearer.
    NearestReached = 3,
    /// No path leads to its destination; `reason` says why.
    CannotReach = 4,
    /// Its destination or its limits are not valid.
    Rejected = 5,
    /// It waits for a path.
    Waiting = 6,
    /// It runs along a floor.
    Running = 7,
    /// It is in a jump.
    Jumping = 8,
    /// It drops, or falls to where it can stand.
    Dropping = 9,
    /// It flies.
    Flying = 10,
    /// It climbs along a ladder, a wall or a ceiling.
    Climbing = 11,
    /// It was launched and has not landed yet.
    Launched = 12,
    /// It stands at the entrance of a portal.
    InPortal = 13,
    /// There is no place for it; `reason` says why. Teleport it into the level.
    Stranded = 14,
    /// It was disabled or stunned. A stunned agent may still fall.
    Disabled = 15,
    /// It rides on a platform that moves, or gets on or off it.
    Riding = 16,
}

/// Why an agent does not move, why its path was lost, or why there is no path.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbReason {
    /// No reason is needed.
    None = 0,
    /// One that this version of the interface does not know.
    Unknown = 1,
    /// The start is not on navigable ground, nor within two spacings of it.
    StartNotNavigable = 2,
    /// The goal is not on navigable ground, nor within two spacings of it.
    GoalNotNavigable = 3,
    /// A closed door covers the start.
    StartClosed = 4,
    /// A closed door covers the goal.
    GoalClosed = 5,
    /// No baked moves lead from the start to the goal.
    Disconnected = 6,
    /// Doors or the limits of the agent leave no way.
    Exhausted = 7,
    /// There is nothing below to land on.
    NothingBelow = 8,
    /// It fell out of the level.
    LeftLevel = 9,
    /// It flies, and no free position is near.
    NoFreeVertex = 10,
    /// The layer was baked for another agent.
    WrongLayer = 11,
    /// A coordinate is not finite.
    NotFinite = 12,
    /// A door on its path was closed.
    Door = 13,
    /// Its body was pushed away.
    Drift = 14,
    /// The level was swapped.
    Level = 15,
    /// Its limits became too tight for the path.
    Limits = 16,
    /// The query is not valid.
    Query = 17,
}

/// Something that happened in a step.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbEventKind {
    /// One that this version of the interface does not know.
    Unknown = 0,
    /// It is at its destination, or was stopped.
    Arrived = 1,
    /// It began a jump, at `from`; it will land at `to`.
    Jumped = 2,
    /// It began a drop or a fall, at `from`; it will land at `to`.
    Dropped = 3,
    /// It began to fly, at `from`.
    TookOff = 4,
    /// It came down on a platform.
    Landed = 5,
    /// It entered a portal at `from`, and waits there; the exit is `to`.
    EnteredPortal = 6,
    /// It came out of a portal, at `to`. Move a physics body there.
    Teleported = 7,
    /// A door closed on it. It moves out, by a side at which it enters no other one if it can.
    CaughtInDoor = 8,
    /// It can no longer follow its path, for `reason`, and plans again.
    PathLost = 9,
    /// No path leads to its destination, for `reason`.
    CannotReach = 10,
    /// Its body makes no progress. It plans again.
    Stuck = 11,
    /// There is no place for it, for `reason`.
    Stranded = 12,
    /// It began a link that the game performs, at `from`; the end is `to`. `marker` is its
    /// marker. Call `nb_agent_finish_link` if the game moves the body in its own way.
    LinkStarted = 13,
    /// A link that the game performs is over, at `to`.
    LinkFinished = 14,
    /// It stands in front of a door that it may break. `marker` is that of the door.
    BlockedBy = 15,
    /// A spring throws it, at `from`; it will land at `to`.
    Thrown = 16,
    /// It is on a platform that moves, at `to`. `marker` is that of the platform.
    Boarded = 17,
    /// It is on a floor again after a ride, at `to`. `marker` is that of the platform.
    GotOff = 18,
}

/// The kind of motion of a step of a path.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbStepKind {
    /// One that this version of the interface does not know.
    Unknown = 0,
    /// Walking along a floor.
    Floor = 1,
    /// Flying straight.
    Fly = 2,
    /// A jump.
    Jump = 3,
    /// A drop off an edge.
    Drop = 4,
    /// A drop through the one-way platform that the agent stands on.
    DropThrough = 5,
    /// Climbing a ladder.
    Ladder = 6,
    /// Climbing a wall.
    WallClimb = 7,
    /// Climbing along a ceiling.
    CeilingClimb = 8,
    /// Going through a portal.
    Portal = 9,
    /// Being thrown by a spring.
    Spring = 10,
    /// Waiting for a platform that moves, and riding on it.
    Ride = 11,
}

/// Converts enums of the runtime to those of C with the same names.
macro_rules! by_name {
    ($($from:ident => $to:ident { $($name:ident),* })*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $($from::$name => Self::$name,)*
                    _ => Self::Unknown,
                }
            }
        }
    )*};
}

by_name! {
    StepKind => NbStepKind {
        Floor, Fly, Jump, Drop, DropThrough, Ladder, WallClimb, CeilingClimb, Portal, Spring,
        Ride
    }
    NoPath => NbReason {
        StartNotNavigable, GoalNotNavigable, StartClosed, GoalClosed, Disconnected, Exhausted
    }
    Stranded => NbReason { NothingBelow, LeftLevel, NoFreeVertex, WrongLayer, NotFinite }
    PathLostReason => NbReason { Door, Drift, Level, Limits }
}

impl From<QueryError> for NbReason {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Position => Self::NotFinite,
            _ => Self::Query,
        }
    }
}

fn activity(activity: Activity) -> (NbActivity, NbReason) {
    use NbActivity as A;
    let alone = |activity| (activity, NbReason::None);
    match activity {
        Activity::Idle(IdleReason::NoDestination) => alone(A::Idle),
        Activity::Idle(IdleReason::Arrived) => alone(A::Arrived),
        Activity::Idle(IdleReason::NearestReached(why)) => (A::NearestReached, why.into()),
        Activity::Idle(IdleReason::CannotReach(why)) => (A::CannotReach, why.into()),
        Activity::Idle(IdleReason::Rejected(why)) => (A::Rejected, why.into()),
        Activity::Idle(IdleReason::Waiting) => alone(A::Waiting),
        Activity::Running => alone(A::Running),
        Activity::Jumping => alone(A::Jumping),
        Activity::Dropping => alone(A::Dropping),
        Activity::Flying => alone(A::Flying),
        Activity::Climbing => alone(A::Climbing),
        Activity::Launched => alone(A::Launched),
        Activity::InPortal => alone(A::InPortal),
        Activity::Stranded(why) => (A::Stranded, why.into()),
        Activity::Disabled => alone(A::Disabled),
        Activity::Riding => alone(A::Riding),
        _ => (A::Unknown, NbReason::Unknown),
    }
}

/// An agent at one moment.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbPose {
    /// `sizeof(NbPose)`, set by the caller.
    pub size: u32,
    /// What it is doing: one of `NbActivity`.
    pub activity: u32,
    /// Why it does not move: one of `NbReason`.
    pub reason: u32,
    /// 1 if it looks to larger x, -1 if to smaller x.
    pub facing: i32,
    /// The feet.
    pub position: NbVec2,
    /// Of the agent; after `nb_agent_drive`, the one that takes the body to `position`
    /// within the step.
    pub velocity: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbPose {
    const NAME: &'static str = "NbPose";
    const FIRST: usize = 32;
}

impl From<Pose> for NbPose {
    fn from(pose: Pose) -> Self {
        let (activity, reason) = activity(pose.activity);
        Self {
            activity: activity as u32,
            reason: reason as u32,
            facing: match pose.facing {
                Facing::Left => -1,
                Facing::Right => 1,
            },
            position: pose.position.into(),
            velocity: pose.velocity.into(),
            ..Self::default()
        }
    }
}

/// Something that happened in a step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbEvent {
    /// One of `NbEventKind`.
    pub kind: u32,
    /// One of `NbReason`.
    pub reason: u32,
    /// Where it began. The same as `to` for an event at one place, and 0 for one
    /// that has no place.
    pub from: NbVec2,
    /// Where it leads.
    pub to: NbVec2,
    /// The number of the marker that it is about, for `nb_mesh_marker`; -1 for none.
    pub marker: i32,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbEvent {
    const NAME: &'static str = "NbEvent";
    const FIRST: usize = 24;
}

/// A number of the level, -1 for none. No level has 2^31 links or markers.
fn number(number: Option<u32>) -> i32 {
    number.map_or(-1, |number| i32::try_from(number).unwrap_or(-1))
}

impl From<AgentEvent> for NbEvent {
    fn from(event: AgentEvent) -> Self {
        use NbEventKind as K;
        let move_ = |kind, from: Vec2, to: Vec2| (kind, NbReason::None, from, to);
        let at = |kind, at| move_(kind, at, at);
        let why = |kind, reason| (kind, reason, Vec2::ZERO, Vec2::ZERO);
        let mut marker = None;
        if let AgentEvent::LinkStarted { marker: id, .. }
        | AgentEvent::LinkFinished { marker: id, .. }
        | AgentEvent::Boarded { marker: id, .. }
        | AgentEvent::GotOff { marker: id, .. }
        | AgentEvent::BlockedBy { marker: id, .. } = event
        {
            marker = Some(id.0);
        }
        let (kind, reason, from, to) = match event {
            AgentEvent::Arrived { at: place } => at(K::Arrived, place),
            AgentEvent::Jumped { from, to } => move_(K::Jumped, from, to),
            AgentEvent::Dropped { from, to } => move_(K::Dropped, from, to),
            AgentEvent::TookOff { from } => at(K::TookOff, from),
            AgentEvent::Landed { at: place } => at(K::Landed, place),
            AgentEvent::EnteredPortal { from, to } => move_(K::EnteredPortal, from, to),
            AgentEvent::Teleported { from, to } => move_(K::Teleported, from, to),
            AgentEvent::LinkStarted { from, to, .. } => move_(K::LinkStarted, from, to),
            AgentEvent::LinkFinished { to, .. } => at(K::LinkFinished, to),
            AgentEvent::BlockedBy { at: place, .. } => at(K::BlockedBy, place),
            AgentEvent::Boarded { at: place, .. } => at(K::Boarded, place),
            AgentEvent::GotOff { at: place, .. } => at(K::GotOff, place),
            AgentEvent::Thrown { from, to } => move_(K::Thrown, from, to),
            AgentEvent::CaughtInDoor { at: place } => at(K::CaughtInDoor, place),
            AgentEvent::PathLost(reason) => why(K::PathLost, reason.into()),
            AgentEvent::CannotReach(reason) => why(K::CannotReach, reason.into()),
            AgentEvent::Stuck { at: place } => at(K::Stuck, place),
            AgentEvent::Stranded(reason) => why(K::Stranded, reason.into()),
            _ => why(K::Unknown, NbReason::Unknown),
        };
        Self {
            kind: kind as u32,
            reason: reason as u32,
            from: from.into(),
            to: to.into(),
            marker: number(marker),
        }
    }
}

/// One motion of a path.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbStep {
    /// One of `NbStepKind`.
    pub kind: u32,
    /// Seconds.
    pub duration: f32,
    /// Feet at the start.
    pub from: NbVec2,
    /// Feet at the end.
    pub to: NbVec2,
    /// The number of the link that it follows, for `nb_link_points`; -1 for none.
    pub link: i32,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbStep {
    const NAME: &'static str = "NbStep";
    const FIRST: usize = 24;
}

impl From<&Step> for NbStep {
    fn from(step: &Step) -> Self {
        Self {
            kind: NbStepKind::from(step.kind) as u32,
            duration: step.duration,
            from: step.from.into(),
            to: step.to.into(),
            link: number(step.link.map(|link| link.0)),
        }
    }
}

/// A body that the game's physics moves, for `nb_agent_drive`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbBody {
    /// `sizeof(NbBody)`, set by the caller.
    pub size: u32,
    /// 1 if it stands on something, otherwise 0.
    pub grounded: i32,
    /// The feet.
    pub position: NbVec2,
    /// Units/s.
    pub velocity: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbBody {
    const NAME: &'static str = "NbBody";
    const FIRST: usize = 24;
}

impl From<NbBody> for BodyState {
    fn from(body: NbBody) -> Self {
        Self {
            position: body.position.into(),
            velocity: body.velocity.into(),
            grounded: body.grounded != 0,
        }
    }
}

/// What the body should do in the next step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbCommand {
    /// `sizeof(NbCommand)`, set by the caller.
    pub size: u32,
    /// The jump to begin now, one of `NbStepKind`: `NB_STEP_KIND_JUMP`,
    /// `NB_STEP_KIND_DROP_THROUGH` or, for none, `NB_STEP_KIND_UNKNOWN`, which is 0.
    pub jump: u32,
    /// The velocity to have in this step. On floors and in jumps, a body with its own
    /// gravity uses the x only.
    pub velocity: NbVec2,
    /// With a jump: the velocity to take off with. A body with its own gravity uses
    /// the y only.
    pub jump_velocity: NbVec2,
    /// 1 if the body should move by exactly `velocity`, without gravity and collisions:
    /// the agent flies, climbs, is in a portal or disabled. Otherwise 0.
    pub exact: i32,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbCommand {
    const NAME: &'static str = "NbCommand";
    const FIRST: usize = 24;
}

impl From<BodyCommand> for NbCommand {
    fn from(command: BodyCommand) -> Self {
        let jump = command.jump;
        let kind = if command.drop_through {
            NbStepKind::DropThrough
        } else {
            NbStepKind::Jump
        };
        Self {
            jump: jump.map_or(0, |_| kind as u32),
            velocity: command.velocity.into(),
            jump_velocity: jump.unwrap_or_default().into(),
            exact: command.exact.into(),
            ..Self::default()
        }
    }
}
