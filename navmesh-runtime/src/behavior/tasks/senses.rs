//! Seeing and facing the target.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::behavior::{Context, Outcome, Param, Params, Task, TaskContext, Tick};
use crate::coordination::Scene;

/// What a [`Region`] is measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The world's origin.
    TaskContext,
    /// The agent's feet.
    Agent,
    /// The agent's feet, and mirrored when it looks towards smaller x: written
    /// as if it looked towards greater x.
    #[default]
    Facing,
}

/// A box, both corners included, in world units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// The corner of least x and y.
    pub min: Vec2,
    /// The corner of greatest x and y.
    pub max: Vec2,
    /// What both are measured from.
    #[serde(default)]
    pub frame: Frame,
}

impl Region {
    /// Whether a position is inside, for the agent as it stands.
    pub fn contains<W: TaskContext>(&self, world: &W, position: Vec2) -> bool {
        let mut at = position;
        if self.frame != Frame::TaskContext {
            at -= world.position();
        }
        if self.frame == Frame::Facing && world.facing() < 0.0 {
            at.x = -at.x;
        }
        at.cmpge(self.min).all() && at.cmple(self.max).all()
    }

    fn param(&self) -> Param {
        let frame = match self.frame {
            Frame::TaskContext => "world",
            Frame::Agent => "agent",
            Frame::Facing => "facing",
        };
        Param::Map(Params::from([
            ("min".to_owned(), self.min.into()),
            ("max".to_owned(), self.max.into()),
            ("frame".to_owned(), frame.into()),
        ]))
    }
}

/// Running until the target is inside a region, then success. Without a
/// target it goes on watching.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The region.
    pub region: Region,
    /// Whether the agent must also see the target; true unless said
    /// otherwise.
    #[serde(default = "yes")]
    pub sight: bool,
}

fn yes() -> bool {
    true
}

impl<C> Task<C> for Watch
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let world = &*tick.context;
        let target = world.target();
        let inside = target.is_some_and(|target| self.region.contains(world, target));
        if inside && (!self.sight || world.sees_target()) {
            Outcome::SUCCESS
        } else {
            Outcome::RUNNING
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let params = [
            ("region".to_owned(), self.region.param()),
            ("sight".to_owned(), self.sight.into()),
        ];
        Some(("watch", params.into()))
    }
}

/// Success when the agent sees its target, else failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeesTarget {}

impl<C> Task<C> for SeesTarget
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        tick.context.sees_target().into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("sees_target", Params::new()))
    }
}

/// Success when the target is at most so far away, else failure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetWithin {
    /// World units.
    pub distance: f32,
}

impl<C> Task<C> for TargetWithin
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let here = tick.context.position();
        let target = tick.context.target();
        target
            .is_some_and(|target| here.distance(target) <= self.distance)
            .into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let distance = ("distance".to_owned(), self.distance.into());
        Some(("target_within", Params::from([distance])))
    }
}

/// Turns towards the target. Fails without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaceTarget {}

impl<C> Task<C> for FaceTarget
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let Some(target) = tick.context.target() else {
            tick.set_reason("no target");
            return Outcome::FAILURE;
        };
        tick.context.face(target);
        Outcome::SUCCESS
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("face_target", Params::new()))
    }
}
