//! The tasks that this game adds to the ready-made ones, and the registry of
//! all of them.

use navmesh_behavior::{Node, Outcome, Registry, TaskContext as _, Tick, TreeDef};
use serde::{Deserialize, Serialize};

use super::effects::FIRE;
use super::view::Enemy;

/// Running until the enemy dies: it loses health and leaves a trail of fire.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burn {
    /// Points of health.
    pub per_second: f32,
}

impl Node<Enemy> for Burn {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        tick.context.leave_fire(FIRE);
        tick.context.body_mut().health -= self.per_second * tick.dt;
        Outcome::RUNNING
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Enemy>) {
        tick.context.body_mut().burning = None;
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("burn", self)
    }
}

/// Succeeds if the player is on the same platform.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnPlayersPlatform {}

impl Node<Enemy> for OnPlayersPlatform {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        tick.context.is_on_players_platform().into()
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("on_players_platform", self)
    }
}

/// Succeeds if another enemy is near.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllyNear {
    /// World units.
    pub within: f32,
}

impl Node<Enemy> for AllyNear {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        let mut others = tick.context.others();
        others.any(|(.., distance)| distance <= self.within).into()
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("ally_near", self)
    }
}

/// Succeeds if another enemy is near and badly hurt; that enemy becomes the
/// patient.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllyHurt {
    /// Points of health.
    pub below: f32,
    /// World units.
    pub within: f32,
}

impl Node<Enemy> for AllyHurt {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        let hurt = tick
            .context
            .others()
            .filter(|(_, body, distance)| *distance <= self.within && body.health < self.below)
            .min_by(|a, b| a.1.health.total_cmp(&b.1.health))
            .map(|(number, ..)| number);
        if hurt.is_none() {
            tick.set_reason(|| "no other enemy near is badly hurt");
        }
        tick.context.body_mut().patient = hurt;
        hurt.is_some().into()
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("ally_hurt", self)
    }
}

/// Succeeds if no other enemy stands between the gun and the player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineIsFree {}

impl Node<Enemy> for LineIsFree {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        (!tick.context.is_ally_in_line()).into()
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("line_is_free", self)
    }
}

/// Succeeds if the gun still points at the player and the player is in sight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AimHolds {
    /// How many degrees the gun may point away.
    pub degrees: f32,
}

impl Node<Enemy> for AimHolds {
    fn tick(&self, tick: &mut Tick<'_, '_, Enemy>) -> Outcome {
        let view = &*tick.context;
        let wanted = view.player.position() - view.position();
        let off = view.body().aim.angle_to(wanted).abs().to_degrees();
        (off <= self.degrees && view.sees_target()).into()
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("aim_holds", self)
    }
}

/// Every name that the tree files of this game may use.
pub fn registry() -> Registry<Enemy> {
    let mut registry = Registry::with_agent_tasks();
    registry
        .task("burn", |task: Burn| task)
        .task("on_players_platform", |task: OnPlayersPlatform| task)
        .task("ally_near", |task: AllyNear| task)
        .task("ally_hurt", |task: AllyHurt| task)
        .task("line_is_free", |task: LineIsFree| task)
        .task("aim_holds", |task: AimHolds| task);
    registry
}
