//! Ready-made leaves.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::blackboard::{BoardError, NamedKey, Schema};
use crate::context::{Context, CueStep, Navigation, TaskContext};
use crate::error::{require, require_at_least, require_from_0};
use crate::node::{BindError, Node};
use crate::params::Params;
use crate::params::default::{forever, is_default, is_forever, second, yes};
use crate::status::{IntoOutcome, Outcome, Status};
use crate::tick::Tick;
use crate::tree::TreeDef;

/// A leaf that is running for some seconds after its first tick, then succeeds. A wait of 0
/// succeeds at once. In tree files it is the task `wait`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Seconds, 0 or more.
    pub seconds: f32,
}

impl<C: Context> Node<C> for Wait {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        Ok(require_from_0("`seconds`", self.seconds)?)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if tick.reached(0, self.seconds) {
            Outcome::SUCCESS
        } else {
            Outcome::RUNNING
        }
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("wait", self)
    }
}

/// The origin and direction of a [`Region`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The world's origin.
    World,
    /// The agent's feet.
    Agent,
    /// The agent's feet, mirrored when the agent faces negative x. The region
    /// is written for an agent that faces positive x.
    #[default]
    Facing,
}

/// A part of the level.
///
/// In tree files: `{"min": [x, y], "max": [x, y], "frame": "facing"}` or
/// `{"area": "vault"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RegionDef", into = "RegionDef")]
pub enum Region {
    /// A box in world units; its edges belong to it.
    Box {
        /// The corner with the least x and y.
        min: Vec2,
        /// The corner with the greatest x and y.
        max: Vec2,
        /// Where `min` and `max` are measured from.
        frame: Frame,
    },
    /// The areas of that name in the level.
    Area(Box<str>),
}

/// A region as tree files have it.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RegionDef {
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Vec2>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Vec2>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<Frame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Box<str>>,
}

impl From<Region> for RegionDef {
    fn from(region: Region) -> Self {
        let (min, max, frame, area) = match region {
            Region::Box { min, max, frame } => (Some(min), Some(max), Some(frame), None),
            Region::Area(name) => (None, None, None, Some(name)),
        };
        Self {
            min,
            max,
            frame,
            area,
        }
    }
}

impl TryFrom<RegionDef> for Region {
    type Error = &'static str;

    fn try_from(def: RegionDef) -> Result<Self, Self::Error> {
        match (def.min, def.max, def.frame, def.area) {
            (None, None, None, Some(name)) => Ok(Self::Area(name)),
            (Some(min), Some(max), frame, None) => {
                let frame = frame.unwrap_or_default();
                Ok(Self::Box { min, max, frame })
            }
            _ => Err("a region has either `min` and `max`, or `area`"),
        }
    }
}

impl Region {
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Box { min, max, .. } if !min.cmple(*max).all() => Err(format!(
                "`region` is from {min} to {max}, but `min` must be the corner with the least x and y"
            )),
            _ => Ok(()),
        }
    }

    /// Whether a position is inside, for the agent where it is now; `None` when
    /// the level has no such area.
    fn contains(&self, view: &impl TaskContext, position: Vec2) -> Option<bool> {
        let (min, max, frame) = match self {
            Self::Box { min, max, frame } => (*min, *max, *frame),
            Self::Area(name) => return view.area_contains(name, position),
        };
        let mut at = position;
        if frame != Frame::World {
            at -= view.position();
        }
        if frame == Frame::Facing && view.facing() < 0.0 {
            at.x = -at.x;
        }
        Some(at.cmpge(min).all() && at.cmple(max).all())
    }
}

/// The ready-made leaves for games whose view implements [`TaskContext`].
///
/// In tree files they are tasks, by the name of the variant in `snake_case`,
/// with its fields as parameters. Keys and cues have defaults there, named
/// with each field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AgentTask {
    /// Sets a fixed destination.
    SetDestination {
        /// The destination, in world units.
        to: Vec2,
    },
    /// Sets the destination to a position from the blackboard; fails when the
    /// key is not set.
    HeadFor {
        /// Where the position is stored.
        key: NamedKey<Vec2>,
    },
    /// Sets the destination to the target's position, and stores the position;
    /// fails without a target.
    LocateTarget {
        /// Where to store the position; `target` by default.
        #[serde(default = "names::target")]
        key: NamedKey<Vec2>,
    },
    /// Like `LocateTarget`, with the agent's place nearest to the target, on the floor
    /// that it stands on or lands on
    /// ([`floor_beneath`](crate::TaskContext::floor_beneath)): for walkers. Fails when
    /// there is no such place.
    LocateFloorBeneathTarget {
        /// Where to store the position; `target` by default.
        #[serde(default = "names::target")]
        key: NamedKey<Vec2>,
    },
    /// Plans a path to the destination and starts to follow it. Running until
    /// the path is known; fails when there is none.
    StartNavigation {},
    /// Follows the target, to where the agent [knows](crate::TaskContext::perception) it to
    /// be. Running until it is in range, then success: the agent is still on its way, so
    /// that it can attack in passing.
    ///
    /// The agent plans again when the target has moved so far that the agent might
    /// otherwise brake too early: more than half of `range`, or than an eighth of
    /// the distance; and twice a second while it moves. Fails, and stops the agent,
    /// without a target, when there is no path, when the time is over, and when the
    /// agent stands where a resting target is but is not in range. An abort stops
    /// the agent unless it has a new destination already.
    Pursue {
        /// How near the target must be, in world units.
        range: f32,
        /// Whether the agent must also see the target; `false` by default.
        #[serde(default)]
        sight: bool,
        /// Whether the agent goes to its place nearest to the target, on the floor that
        /// the target stands on or lands on: for walkers. `false` by default.
        #[serde(default)]
        floor: bool,
        /// After how many seconds it fails; infinite by default.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        seconds: f32,
    },
    /// Stops the agent; a jump or drop under way is finished first. Succeeds at
    /// once.
    StopNavigation {},
    /// Running while the agent moves. When it has stopped: success at the
    /// destination or after a stop on purpose, failure elsewhere.
    WaitForAtDestination {},
    /// Stores both ends of the platform below a stored position; fails when
    /// there is no platform.
    FindEdgesOfPlatform {
        /// Where the position is stored; `target` by default.
        #[serde(default = "names::target")]
        key: NamedKey<Vec2>,
        /// Where to store the left end; `edge_left` by default.
        #[serde(default = "names::edge_left")]
        left: NamedKey<Vec2>,
        /// Where to store the right end; `edge_right` by default.
        #[serde(default = "names::edge_right")]
        right: NamedKey<Vec2>,
    },
    /// Like `FindEdgesOfPlatform`, with the platform below the agent.
    FindOwnEdges {
        /// Where to store the left end; `edge_left` by default.
        #[serde(default = "names::edge_left")]
        left: NamedKey<Vec2>,
        /// Where to store the right end; `edge_right` by default.
        #[serde(default = "names::edge_right")]
        right: NamedKey<Vec2>,
    },
    /// Sets the destination to the nearer of two stored positions; in a tie,
    /// to the left one.
    PickNearerEdge {
        /// Where one position is stored; `edge_left` by default.
        #[serde(default = "names::edge_left")]
        left: NamedKey<Vec2>,
        /// Where the other is stored; `edge_right` by default.
        #[serde(default = "names::edge_right")]
        right: NamedKey<Vec2>,
    },
    /// Running until the target is inside a region, then success. Without a
    /// target it keeps running. Fails when the level has no such area.
    Watch {
        /// The region.
        region: Region,
        /// Whether the agent must also see the target; `true` by default.
        #[serde(default = "yes")]
        sight: bool,
    },
    /// Succeeds if the agent sees its target.
    SeesTarget {},
    /// Succeeds if the target is inside a region. Fails without a target, and
    /// when the level has no such area.
    TargetInside {
        /// The region.
        region: Region,
    },
    /// Succeeds if the target is at most this far away.
    TargetWithin {
        /// World units.
        distance: f32,
    },
    /// Succeeds if the agent knows where its target is, by its
    /// [`perception`](crate::TaskContext::perception).
    KnowsTarget {},
    /// Walks from point to point and pauses at each. Always running.
    Patrol {
        /// World units; without points, the ends of the agent's platform.
        #[serde(default, skip_serializing_if = "is_default")]
        points: Vec<Vec2>,
        /// Seconds, at least half of one; 1 by default.
        #[serde(default = "second")]
        pause: f32,
        /// Whether it turns round halfway through each pause; `false` by default.
        #[serde(default)]
        look: bool,
    },
    /// Goes back to its post, then succeeds. Fails while it is within its leash, unless it is
    /// on the way back; so it can stand before other tasks in a reactive selector.
    ReturnToPost {
        /// Where the post is stored; `post` by default. If that is not set, it is set to where
        /// the agent is.
        #[serde(default = "names::post")]
        key: NamedKey<Vec2>,
        /// How far it may be from its post, world units; 0 by default: it always returns.
        #[serde(default)]
        leash: f32,
    },
    /// Follows a leader, jumps when it jumps from the same platform, and teleports to it where
    /// that cannot be [seen](crate::TaskContext::on_screen): after two seconds without
    /// a path, or too far away. Always running; fails when the key is not set.
    Follow {
        /// Where the position of the leader is stored, which the game sets in each
        /// frame; `leader` by default.
        #[serde(default = "names::leader")]
        key: NamedKey<Vec2>,
        /// How far it stays away, world units.
        distance: f32,
        /// −1: on the left of the leader, 1: on the right, 0, the default: where it is.
        #[serde(default)]
        side: f32,
        /// The distance from which it teleports; infinite by default.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        teleport: f32,
    },
    /// Keeps at a distance from the target, and faces it there. A walker stays on its platform.
    /// Always running; fails when it does not know the target.
    KeepDistance {
        /// The least distance, world units.
        near: f32,
        /// The greatest distance.
        far: f32,
    },
    /// Goes to a stored position; succeeds there, or as soon as it is safe. Fails without
    /// a path.
    FleeTo {
        /// Where the position is stored; `refuge` by default.
        #[serde(default = "names::refuge")]
        key: NamedKey<Vec2>,
        /// The distance from the target at which it is safe; infinite by default.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        safe: f32,
    },
    /// Goes to where it last perceived the target, and then to both ends of the platforms
    /// around, the nearest first. Succeeds as soon as it perceives the target; fails when it has
    /// been everywhere or the time is over.
    Search {
        /// How far from that place it searches, world units.
        radius: f32,
        /// Seconds; infinite by default.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        seconds: f32,
        /// For how many seconds it looks to both sides at each end; 1 by default.
        #[serde(default = "second")]
        pause: f32,
    },
    /// Turns the agent towards the target; fails without one.
    FaceTarget {},
    /// Plays a cue until the game reports its end; an abort cancels it.
    Cue {
        /// The cue.
        cue: Box<str>,
    },
    /// Faces the target, then plays a cue; fails without a target.
    RangedAttack {
        /// The cue; `ranged_attack` by default.
        #[serde(default = "names::ranged_attack")]
        cue: Box<str>,
    },
    /// Starts a cue and does not wait for its end. Always succeeds.
    Shout {
        /// The cue; `shout` by default.
        #[serde(default = "names::shout")]
        cue: Box<str>,
    },
    /// Runs to the far end of the agent's platform, wherever the target is, and plays
    /// a cue on the way.
    ///
    /// Success at the far end; failure when there is no platform or no path,
    /// or when the agent stops before the end. An abort cancels the cue, and
    /// stops the agent unless it has a new destination already.
    Charge {
        /// The cue; `charge` by default.
        #[serde(default = "names::charge")]
        cue: Box<str>,
    },
}

/// Names of keys and cues in tree files.
mod names {
    use super::{NamedKey, Vec2};

    macro_rules! default {
        ($($name:ident: $type:ty),*) => {$(
            pub fn $name() -> $type {
                stringify!($name).into()
            }
        )*};
    }
    default! {
        post: NamedKey<Vec2>, leader: NamedKey<Vec2>, refuge: NamedKey<Vec2>,
        target: NamedKey<Vec2>, edge_left: NamedKey<Vec2>, edge_right: NamedKey<Vec2>,
        ranged_attack: Box<str>, shout: Box<str>, charge: Box<str>
    }
}

/// Words of memory. All: whether the cue, the search for a path or the pursuit
/// has begun. `Charge` also: whether the cue is over. `Charge` and `Pursue`:
/// whether the agent is on its way, and where to. `Pursue`: since when, and when it
/// got that destination.
pub const BEGUN: u16 = 0;
pub const OVER: u16 = 1;
pub const ON_THE_WAY: u16 = 2;
pub const GOAL: u16 = 3;
pub const SINCE: u16 = 4;
pub const REFRESHED: u16 = 5;
/// How many words the tasks that last use; see `errands.rs`.
pub const ERRAND_WORDS: u16 = 8;

/// Seconds after which an agent that pursues a target goes to where it is now, however
/// little it has moved: an agent far away would otherwise go on to where it was for as
/// long as four seconds. A search takes some microseconds, so twice a second costs
/// little.
pub const REFRESH: f32 = 0.5;

/// Why a task fails. Its text is only built when the tick is traced.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    #[error("{0}")]
    Text(&'static str),
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl AgentTask {
    /// How many words it remembers.
    const fn words(&self) -> u16 {
        match self {
            Self::StartNavigation {} | Self::Cue { .. } | Self::RangedAttack { .. } => 1,
            Self::Charge { .. } => 4,
            Self::Pursue { .. } => 6,
            Self::Patrol { .. }
            | Self::ReturnToPost { .. }
            | Self::Follow { .. }
            | Self::KeepDistance { .. }
            | Self::FleeTo { .. }
            | Self::Search { .. } => ERRAND_WORDS,
            _ => 0,
        }
    }

    fn act<C>(&self, tick: &mut Tick<'_, '_, C>) -> Result<Outcome, Reason>
    where
        C: Context,
        for<'a> C::View<'a>: TaskContext,
    {
        let view = &mut *tick.context;
        match self {
            Self::SetDestination { to } => *tick.destination = Some(*to),
            Self::HeadFor { key } => *tick.destination = Some(tick.board.get(key)?),
            Self::LocateTarget { key } => {
                let target = view.target().ok_or(NO_TARGET)?;
                tick.board.set(key, target)?;
                *tick.destination = Some(target);
            }
            Self::LocateFloorBeneathTarget { key } => {
                let target = view.target().ok_or(NO_TARGET)?;
                let floor = view.floor_beneath(target);
                let floor = floor.ok_or("no floor beneath the target")?;
                tick.board.set(key, floor)?;
                *tick.destination = Some(floor);
            }
            Self::StartNavigation {} => return tick.start_navigation(),
            Self::Pursue {
                range,
                sight,
                floor,
                seconds,
            } => {
                let approached = tick.approach(*range, *sight, *floor, *seconds);
                if approached.is_err() {
                    tick.stop_on_the_way();
                }
                return approached;
            }
            Self::StopNavigation {} => view.stop_navigation(),
            Self::WaitForAtDestination {} => return tick.arrives(),
            Self::FindEdgesOfPlatform { key, left, right } => {
                let position = tick.board.get(key)?;
                let ends = view.platform_ends(position).ok_or("no platform there")?;
                tick.board.set(left, ends[0])?;
                tick.board.set(right, ends[1])?;
            }
            Self::FindOwnEdges { left, right } => {
                let here = view.position();
                let ends = view.platform_ends(here).ok_or("not on a platform")?;
                tick.board.set(left, ends[0])?;
                tick.board.set(right, ends[1])?;
            }
            Self::KnowsTarget {} => return Ok(known_target(view).is_some().into()),
            Self::PickNearerEdge { left, right } => {
                let (left, right) = (tick.board.get(left)?, tick.board.get(right)?);
                let here = view.position();
                let left_is_nearer = here.distance_squared(left) <= here.distance_squared(right);
                *tick.destination = Some(if left_is_nearer { left } else { right });
            }
            Self::Watch { region, sight } => {
                let target = view.target();
                let here = view.position();
                let inside = region.contains(view, target.unwrap_or(here));
                let inside = inside.ok_or(NO_AREA)?;
                if target.is_none() || !inside || (*sight && !view.sees_target()) {
                    return Ok(Outcome::RUNNING);
                }
            }
            Self::SeesTarget {} => return Ok(view.sees_target().into()),
            Self::TargetInside { region } => {
                let target = view.target().ok_or(NO_TARGET)?;
                let inside = region.contains(view, target);
                return Ok(inside.ok_or(NO_AREA)?.into());
            }
            Self::TargetWithin { distance } => {
                let here = view.position();
                let target = view.target();
                return Ok(target
                    .is_some_and(|at| here.distance(at) <= *distance)
                    .into());
            }
            Self::FaceTarget {} => {
                let target = view.target().ok_or(NO_TARGET)?;
                view.face(target);
            }
            Self::Cue { cue } => return Ok(tick.play(cue).into()),
            Self::RangedAttack { cue } => {
                if !tick.recall::<bool>(BEGUN) {
                    let target = tick.context.target().ok_or(NO_TARGET)?;
                    tick.context.face(target);
                }
                return Ok(tick.play(cue).into());
            }
            Self::Shout { cue } => {
                view.cue(cue, CueStep::Shout);
            }
            Self::Charge { cue } => return tick.charge(cue),
            errand => return errand.go(tick),
        }
        Ok(Outcome::SUCCESS)
    }

    /// One tick of a task that lasts.
    fn go<C>(&self, tick: &mut Tick<'_, '_, C>) -> Result<Outcome, Reason>
    where
        C: Context,
        for<'a> C::View<'a>: TaskContext,
    {
        match self {
            Self::Patrol {
                points,
                pause,
                look,
            } => tick.patrol(points, *pause, *look),
            Self::ReturnToPost { key, leash } => tick.return_to_post(key, *leash),
            Self::Follow {
                key,
                distance,
                side,
                teleport,
            } => tick.follow(key, *distance, *side, *teleport),
            Self::KeepDistance { near, far } => tick.keep_distance(*near, *far),
            Self::FleeTo { key, safe } => tick.flee_to(key, *safe),
            Self::Search {
                radius,
                seconds,
                pause,
            } => tick.search(*radius, *seconds, *pause),
            _ => Ok(Outcome::SUCCESS),
        }
    }
}

/// Where the agent knows its target to be.
pub fn known_target(view: &impl TaskContext) -> Option<Vec2> {
    let perception = view.perception();
    perception.map_or_else(|| view.target(), |perception| perception.known)
}

pub const NO_TARGET: &str = "no target";
const NO_AREA: &str = "the level has no such area";

impl<C> Node<C> for AgentTask
where
    C: Context,
    for<'a> C::View<'a>: TaskContext,
{
    fn memory(&self) -> [u16; 2] {
        [self.words(), 0]
    }

    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        let params = Params::of_variant(self);
        for (name, number) in params.iter().flat_map(|(_, params)| params.numbers()) {
            // Times and lengths; the side of a leader may be the left.
            if name != "side" {
                require_from_0(&format!("`{name}`"), number)?;
            }
        }
        match self {
            Self::SetDestination { to } => require(to.is_finite(), "`to`", to, "finite")?,
            Self::Patrol { points, .. } => {
                for point in points {
                    require(point.is_finite(), "a point", point, "finite")?;
                }
            }
            Self::KeepDistance { near, far } => require_at_least(("far", *far), ("near", *near))?,
            Self::Watch { region, .. } | Self::TargetInside { region } => region.check()?,
            _ => {}
        }
        let keys: &mut [&mut NamedKey<Vec2>] = match self {
            Self::HeadFor { key }
            | Self::ReturnToPost { key, .. }
            | Self::Follow { key, .. }
            | Self::FleeTo { key, .. }
            | Self::LocateTarget { key }
            | Self::LocateFloorBeneathTarget { key } => &mut [key],
            Self::FindEdgesOfPlatform { key, left, right } => &mut [key, left, right],
            Self::FindOwnEdges { left, right } | Self::PickNearerEdge { left, right } => {
                &mut [left, right]
            }
            _ => &mut [],
        };
        for key in keys {
            key.bind(schema)?;
        }
        Ok(())
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        self.act(tick).into_outcome(tick)
    }

    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        match self {
            Self::Cue { cue } | Self::RangedAttack { cue } => {
                tick.context.cue(cue, CueStep::Cancel);
            }
            Self::Charge { cue } => tick.end_if_running(cue, CueStep::Cancel),
            _ => {}
        }
        if self.words() > GOAL {
            tick.stop_on_the_way();
        }
    }

    fn describe(&self) -> Option<TreeDef> {
        let (name, params) = Params::of_variant(self)?;
        Some(TreeDef::of_task(name, params))
    }
}

impl<C> Tick<'_, '_, C>
where
    C: Context,
    for<'a> C::View<'a>: TaskContext,
{
    /// One tick of a cue.
    fn play(&mut self, cue: &str) -> Status {
        let step = if self.recall(BEGUN) {
            CueStep::Continue
        } else {
            CueStep::Begin
        };
        self.remember(BEGUN, true);
        self.context.cue(cue, step)
    }

    /// Stops the agent, unless it was sent elsewhere in the meantime.
    pub(crate) fn stop_on_the_way(&mut self) {
        let goal = self.recall::<Vec2>(GOAL);
        if self.recall(ON_THE_WAY) && *self.destination == Some(goal) {
            self.context.stop_navigation();
        }
    }

    pub(crate) fn navigation(&mut self) -> Navigation {
        let navigation = self.context.navigation();
        self.memory.is_planning |= navigation == Navigation::Planning;
        navigation
    }

    fn start_navigation(&mut self) -> Result<Outcome, Reason> {
        let has_begun = self.recall::<bool>(BEGUN);
        let has_path = match *self.destination {
            _ if has_begun => self.navigation() != Navigation::Stopped,
            Some(to) => self.context.start_navigation(to),
            None => false,
        };
        if !has_path {
            return Err("no path to the destination".into());
        }
        self.remember(BEGUN, true);
        Ok(if self.navigation() == Navigation::Planning {
            Outcome::RUNNING
        } else {
            Outcome::SUCCESS
        })
    }

    /// Plans a path to a new destination; `false` when there is none.
    pub(crate) fn depart(&mut self, to: Vec2) -> bool {
        *self.destination = Some(to);
        self.context.start_navigation(to)
    }

    fn approach(
        &mut self,
        range: f32,
        sight: bool,
        floor: bool,
        seconds: f32,
    ) -> Result<Outcome, Reason> {
        let view = &mut *self.context;
        let target = known_target(view).ok_or(NO_TARGET)?;
        let distance = view.position().distance(target);
        let is_aware = view
            .perception()
            .is_none_or(|perception| perception.is_aware());
        if distance <= range && is_aware && (!sight || view.sees_target()) {
            return Ok(Outcome::SUCCESS);
        }
        if self.reached(SINCE, seconds) {
            return Err("not in range in time".into());
        }
        let is_under_way = self.recall::<bool>(ON_THE_WAY);
        let before = self.recall::<Vec2>(GOAL);
        let goal = if floor {
            let beneath = self.context.floor_beneath(target);
            // A target that jumps over a pit comes back to a floor.
            let last = is_under_way.then_some(before);
            beneath.or(last).ok_or("no floor beneath the target")?
        } else {
            target
        };
        // Half of the range: the agent is in range before it brakes for a goal
        // that is behind the target by less.
        let slack = (range / 2.0).max(distance / 8.0);
        let rests = self.navigation() == Navigation::AtDestination;
        let is_old = self.reached(REFRESHED, REFRESH);
        let has_moved = goal.distance(before) > slack || ((rests || is_old) && goal != before);
        if !is_under_way || has_moved {
            self.refresh();
            self.remember(ON_THE_WAY, true);
            self.remember(GOAL, goal);
            if !self.depart(goal) {
                return Err("no path to the target".into());
            }
            return Ok(Outcome::RUNNING);
        }
        match self.navigation() {
            Navigation::Planning | Navigation::Moving => Ok(Outcome::RUNNING),
            Navigation::AtDestination => Err("arrived, but not in range of the target".into()),
            Navigation::Stopped => Err("no path to the target".into()),
        }
    }

    fn charge(&mut self, cue: &str) -> Result<Outcome, Reason> {
        if !self.recall::<bool>(ON_THE_WAY) {
            let view = &mut *self.context;
            let here = view.position();
            let [left, right] = view.platform_ends(here).ok_or("not on a platform")?;
            let right_is_farther = here.distance_squared(right) >= here.distance_squared(left);
            let goal = if right_is_farther { right } else { left };
            view.face(goal);
            if !self.set_out(goal) {
                return Err("no path to the far end".into());
            }
        }
        if !self.recall::<bool>(OVER) && self.play(cue).is_done() {
            self.remember(OVER, true);
        }
        let navigation = self.navigation();
        if let Navigation::Planning | Navigation::Moving = navigation {
            return Ok(Outcome::RUNNING);
        }
        if navigation == Navigation::AtDestination {
            self.end_if_running(cue, CueStep::End);
            return Ok(Outcome::SUCCESS);
        }
        self.end_if_running(cue, CueStep::Cancel);
        Err("stopped short of the far end".into())
    }

    fn end_if_running(&mut self, cue: &str, step: CueStep) {
        if self.recall(BEGUN) && !self.recall::<bool>(OVER) {
            self.context.cue(cue, step);
        }
    }
}
