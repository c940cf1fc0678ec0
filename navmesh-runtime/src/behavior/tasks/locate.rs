//! Deciding where to go.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::NamedKey;
use crate::behavior::{Context, Outcome, Params, Schema, SchemaError, Task, TaskContext, Tick};
use crate::coordination::Scene;

/// Makes a fixed position the destination.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetDestination {
    /// Where to, world units.
    pub to: Vec2,
}

impl<C> Task<C> for SetDestination
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        tick.context.set_destination(self.to);
        Outcome::SUCCESS
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let to = ("to".to_owned(), self.to.into());
        Some(("set_destination", Params::from([to])))
    }
}

/// Makes a position noted on the blackboard the destination. Fails when none
/// was noted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadFor {
    /// Where it is noted.
    pub key: NamedKey<Vec2>,
}

impl HeadFor {
    /// Heads for the position noted under a name.
    pub fn new(key: &str) -> Self {
        let key = NamedKey::new(key);
        Self { key }
    }
}

impl<C> Task<C> for HeadFor
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.key.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        match self.key.get(tick) {
            Ok(place) => {
                tick.context.set_destination(place);
                Outcome::SUCCESS
            }
            Err(error) => {
                tick.because_with(|| error.to_string());
                Outcome::FAILURE
            }
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let key = ("key".to_owned(), self.key.name().into());
        Some(("head_for", Params::from([key])))
    }
}

/// Makes the target's position the destination, and notes it on the
/// blackboard. Fails without a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LocateTarget {
    /// Where it is noted; `target` unless said otherwise.
    pub key: NamedKey<Vec2>,
}

impl Default for LocateTarget {
    fn default() -> Self {
        Self {
            key: NamedKey::new("target"),
        }
    }
}

impl<C> Task<C> for LocateTarget
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.key.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let Some(target) = tick.context.target() else {
            tick.set_reason("no target");
            return Outcome::FAILURE;
        };
        head_for(tick, &self.key, target)
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let key = ("key".to_owned(), self.key.name().into());
        Some(("locate_target", Params::from([key])))
    }
}

/// Like [`LocateTarget`], with the floor straight beneath the target: for
/// walkers whose target flies or jumps. Fails when there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LocateFloorBeneathTarget {
    /// Where it is noted; `target` unless said otherwise.
    pub key: NamedKey<Vec2>,
}

impl Default for LocateFloorBeneathTarget {
    fn default() -> Self {
        Self {
            key: NamedKey::new("target"),
        }
    }
}

impl<C> Task<C> for LocateFloorBeneathTarget
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        self.key.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let Some(target) = tick.context.target() else {
            tick.set_reason("no target");
            return Outcome::FAILURE;
        };
        let Some(floor) = tick.context.floor_beneath(target) else {
            tick.set_reason("no floor beneath the target");
            return Outcome::FAILURE;
        };
        head_for(tick, &self.key, floor)
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let key = ("key".to_owned(), self.key.name().into());
        Some(("locate_floor_beneath_target", Params::from([key])))
    }
}

fn head_for<C: TaskContext>(tick: &mut Tick<'_, C>, key: &NamedKey<Vec2>, place: Vec2) -> Outcome {
    if let Err(error) = key.set(tick, place) {
        tick.because_with(|| error.to_string());
        return Outcome::FAILURE;
    }
    tick.context.set_destination(place);
    Outcome::SUCCESS
}
