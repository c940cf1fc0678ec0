//! The ends of platforms.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::NamedKey;
use crate::behavior::{BoardError, Context, IntoOutcome, Outcome, Params, Schema, SchemaError};
use crate::behavior::{Task, TaskContext, Tick};

/// Finds both ends of the platform under a position on the blackboard, and
/// notes them. Fails when there is no floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FindEdgesOfPlatform {
    /// The position; `target` unless said otherwise.
    pub key: NamedKey<Vec2>,
    /// Where the left end is noted; `edge_left` unless said otherwise.
    pub left: NamedKey<Vec2>,
    /// Where the right end is noted; `edge_right` unless said otherwise.
    pub right: NamedKey<Vec2>,
}

impl Default for FindEdgesOfPlatform {
    fn default() -> Self {
        Self {
            key: NamedKey::new("target"),
            left: NamedKey::new("edge_left"),
            right: NamedKey::new("edge_right"),
        }
    }
}

impl FindEdgesOfPlatform {
    fn find<C: TaskContext>(&self, tick: &mut Tick<'_, C>) -> Result<Outcome, BoardError> {
        let position = self.key.get(tick)?;
        let Some((left, right)) = tick.context.platform_edges(position) else {
            tick.set_reason("no platform there");
            return Ok(Outcome::FAILURE);
        };
        self.left.set(tick, left)?;
        self.right.set(tick, right)?;
        Ok(Outcome::SUCCESS)
    }
}

impl<C> Task<C> for FindEdgesOfPlatform
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.key.bind(schema)?;
        self.left.bind(schema)?;
        self.right.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        self.find(tick).into_outcome(tick)
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let params = [
            ("key".to_owned(), self.key.name().into()),
            ("left".to_owned(), self.left.name().into()),
            ("right".to_owned(), self.right.name().into()),
        ];
        Some(("find_edges_of_platform", params.into()))
    }
}

/// Makes the nearer of two noted ends the destination; the left one on a tie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PickNearerEdge {
    /// Where the left end is noted; `edge_left` unless said otherwise.
    pub left: NamedKey<Vec2>,
    /// Where the right end is noted; `edge_right` unless said otherwise.
    pub right: NamedKey<Vec2>,
}

impl Default for PickNearerEdge {
    fn default() -> Self {
        let FindEdgesOfPlatform { left, right, .. } = FindEdgesOfPlatform::default();
        Self { left, right }
    }
}

impl PickNearerEdge {
    fn pick<C: TaskContext>(&self, tick: &mut Tick<'_, C>) -> Result<Outcome, BoardError> {
        let (left, right) = (self.left.get(tick)?, self.right.get(tick)?);
        let here = tick.context.position();
        let left_is_nearer = here.distance_squared(left) <= here.distance_squared(right);
        let nearer = if left_is_nearer { left } else { right };
        tick.context.set_destination(nearer);
        Ok(Outcome::SUCCESS)
    }
}

impl<C> Task<C> for PickNearerEdge
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.left.bind(schema)?;
        self.right.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        self.pick(tick).into_outcome(tick)
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let params = [
            ("left".to_owned(), self.left.name().into()),
            ("right".to_owned(), self.right.name().into()),
        ];
        Some(("pick_nearer_edge", params.into()))
    }
}
