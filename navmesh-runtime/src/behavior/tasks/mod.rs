//! Ready-made leaves. [`Wait`] serves any context; the others are for games
//! that implement [`TaskContext`].
//!
//! Their fields are their parameters in tree files, under the names that
//! [`Registry::for_world`] gives them: the type's name in `snake_case`.

mod cue;
mod locate;
mod navigate;
mod platform;
mod senses;
mod wait;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use cue::{Charge, Cue, RangedAttack, Shout};
pub use locate::{HeadFor, LocateFloorBeneathTarget, LocateTarget, SetDestination};
pub use navigate::{StartNavigation, StopNavigation, WaitForAtDestination};
pub use platform::{FindEdgesOfPlatform, PickNearerEdge};
pub use senses::{FaceTarget, Frame, Region, SeesTarget, TargetWithin, Watch};
pub use wait::Wait;

use super::{
    BoardError, BoardValue, Context, Key, Registry, Schema, SchemaError, TaskContext, Tick,
};
use crate::coordination::Score;

impl<C> Registry<C>
where
    C: ?Sized + Context + 'static,
    for<'a> C::In<'a>: TaskContext,
{
    /// A registry with every ready-made task, the measures, the priority
    /// `on_screen` (1 on screen, 0 off) and waypoints that become the
    /// destination.
    pub fn for_world() -> Self {
        let mut this = Self::new();
        this.task::<SetDestination>("set_destination")
            .task::<HeadFor>("head_for")
            .task::<LocateTarget>("locate_target")
            .task::<LocateFloorBeneathTarget>("locate_floor_beneath_target")
            .task::<StartNavigation>("start_navigation")
            .task::<StopNavigation>("stop_navigation")
            .task::<WaitForAtDestination>("wait_for_at_destination")
            .task::<FindEdgesOfPlatform>("find_edges_of_platform")
            .task::<PickNearerEdge>("pick_nearer_edge")
            .task::<Watch>("watch")
            .task::<SeesTarget>("sees_target")
            .task::<TargetWithin>("target_within")
            .task::<FaceTarget>("face_target")
            .task::<Charge>("charge")
            .task::<Cue>("cue")
            .task::<RangedAttack>("ranged_attack")
            .task::<Shout>("shout")
            .priority("on_screen", |world| i32::from(world.on_screen()))
            .on_waypoint(|world, waypoint| world.set_destination(waypoint.position));
        this.measure = Some(Score::from);
        this
    }
}

/// A blackboard key by name, as it stands in a tree file; a task looks it up
/// once, in [`Task::bind`](super::Task::bind).
#[derive(Debug)]
pub struct NamedKey<T> {
    name: Box<str>,
    key: Option<Key<T>>,
}

impl<T> Clone for NamedKey<T> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            key: self.key,
        }
    }
}

impl<T> PartialEq for NamedKey<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<T: BoardValue> NamedKey<T> {
    /// The key of that name, not looked up yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            key: None,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Looks it up.
    ///
    /// # Errors
    /// When the name is in use with another type.
    pub fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.key = Some(schema.key(&self.name)?);
        Ok(())
    }

    /// Reads the blackboard.
    ///
    /// # Errors
    /// When nothing was written there.
    pub fn get<C>(&self, tick: &Tick<'_, C>) -> Result<T, BoardError> {
        match self.key {
            Some(key) => tick.board.get(key),
            None => Err(self.unbound()),
        }
    }

    /// Writes to the blackboard.
    ///
    /// # Errors
    /// When it was never bound.
    pub fn set<C>(&self, tick: &mut Tick<'_, C>, value: T) -> Result<(), BoardError> {
        match self.key {
            Some(key) => tick.board.set(key, value),
            None => Err(self.unbound()),
        }
    }

    fn unbound(&self) -> BoardError {
        BoardError::Missing(self.name.as_ref().into())
    }
}

impl<T: BoardValue> From<&str> for NamedKey<T> {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl<T> Serialize for NamedKey<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

impl<'de, T> Deserialize<'de> for NamedKey<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?.into();
        let key = None;
        Ok(Self { name, key })
    }
}
