//! The leaves this game adds to the ready-made ones, and the registry that knows
//! them all.

use navmesh_runtime::behavior::{Outcome, Param, Params, Registry, Task, TaskContext as _, Tick};
use navmesh_runtime::coordination::Scene as _;
use serde::{Deserialize, Serialize};

use super::view::{Enemy, View};

/// Running, at the price of so many points of health a second; success when
/// there is none left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    pub per_second: f32,
}

impl Task<Enemy> for Drain {
    fn tick(&self, tick: &mut Tick<'_, View<'_>>) -> Outcome {
        let points = self.per_second * tick.dt();
        let body = tick.context.body_mut();
        // The rest is for the burst to take.
        body.health = (body.health - points).max(1.0);
        if body.health > 1.0 {
            Outcome::RUNNING
        } else {
            Outcome::SUCCESS
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("drain", one("per_second", self.per_second)))
    }
}

/// Success when another enemy is near.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllyNear {
    /// World units.
    pub within: f32,
}

impl Task<Enemy> for AllyNear {
    fn tick(&self, tick: &mut Tick<'_, View<'_>>) -> Outcome {
        let is_near = tick.context.others().any(|(.., far)| far <= self.within);
        is_near.into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("ally_near", one("within", self.within)))
    }
}

/// Success when another enemy is near and badly hurt; it becomes the patient.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllyHurt {
    /// Points of health.
    pub below: f32,
    /// World units.
    pub within: f32,
}

impl Task<Enemy> for AllyHurt {
    fn tick(&self, tick: &mut Tick<'_, View<'_>>) -> Outcome {
        let hurt = tick
            .context
            .others()
            .filter(|(_, body, far)| *far <= self.within && body.health < self.below)
            .min_by(|a, b| a.1.health.total_cmp(&b.1.health))
            .map(|(number, ..)| number);
        if hurt.is_none() {
            tick.set_reason("nobody near is badly hurt");
        }
        tick.context.body_mut().patient = hurt;
        hurt.is_some().into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let mut params = one("below", self.below);
        params.extend(one("within", self.within));
        Some(("ally_hurt", params))
    }
}

/// Success while the gun still points at the player, who is in sight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AimHolds {
    /// How far off it may point.
    pub degrees: f32,
}

impl Task<Enemy> for AimHolds {
    fn tick(&self, tick: &mut Tick<'_, View<'_>>) -> Outcome {
        let view = &*tick.context;
        let wanted = view.player.position() - view.position();
        let off = view.body().aim.angle_to(wanted).abs().to_degrees();
        (off <= self.degrees && view.sees_target()).into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("aim_holds", one("degrees", self.degrees)))
    }
}

fn one(name: &str, value: f32) -> Params {
    Params::from([(name.to_owned(), Param::from(value))])
}

/// Everything the tree files of this game may name.
pub fn registry() -> Registry<Enemy> {
    let mut registry = Registry::for_world();
    registry
        .task::<Drain>("drain")
        .task::<AllyNear>("ally_near")
        .task::<AllyHurt>("ally_hurt")
        .task::<AimHolds>("aim_holds");
    registry
}
