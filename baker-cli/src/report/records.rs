//! JSON objects that several reports contain.

use navmesh_runtime::mesh::{AgentProfile, Marker, OneWayBarrier};
use serde::Serialize;

use super::format::point;

/// A one-way wall or ceiling.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BarrierRecord {
    /// The direction in which it may be crossed: `down`, `left` or `right`.
    pub pass: &'static str,
    /// One end, world units.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
}

impl From<&OneWayBarrier> for BarrierRecord {
    fn from(barrier: &OneWayBarrier) -> Self {
        let [from, to] = barrier.ends().map(point);
        Self {
            pass: barrier.pass.name(),
            from,
            to,
        }
    }
}

/// A marker of a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerRecord {
    /// Its class; empty when it has none.
    pub class: String,
    /// Its name; empty when it has none.
    pub name: String,
    /// Top-left corner of its bounding box, world units.
    pub position: [f64; 2],
    /// Width and height of its bounding box.
    pub size: [f64; 2],
}

impl From<&Marker> for MarkerRecord {
    fn from(marker: &Marker) -> Self {
        Self {
            class: marker.class.clone(),
            name: marker.name.clone(),
            position: point(marker.position),
            size: point(marker.size),
        }
    }
}

/// A profile with every number as an `f64`.
#[derive(Serialize)]
pub(super) struct ProfileRecord<'a> {
    pub(super) name: &'a str,
    pub(super) body: [f64; 2],
    pub(super) run_speed: f64,
    pub(super) acceleration: f64,
    pub(super) deceleration: f64,
    pub(super) jump_height: f64,
    pub(super) jump_time: f64,
    pub(super) gravity: f64,
    pub(super) jump_speed: f64,
    pub(super) max_jump: [f64; 2],
    pub(super) max_drop: [f64; 2],
    pub(super) air_control: bool,
    /// `None` for speeds that change at once.
    pub(super) air_acceleration: Option<f64>,
    pub(super) step_height: f64,
    pub(super) max_slope: f64,
    pub(super) edges: Vec<&'static str>,
    pub(super) max_fall_speed: Option<f64>,
    pub(super) air_jumps: u8,
    pub(super) climb_speed: f64,
    pub(super) ignores_hazards: bool,
}

impl<'a> From<&'a AgentProfile> for ProfileRecord<'a> {
    fn from(profile: &'a AgentProfile) -> Self {
        let [jump_speed, gravity] = [profile.jump_speed, profile.gravity].map(f64::from);
        Self {
            name: &profile.name,
            body: profile.body.map(f64::from),
            run_speed: profile.run_speed.into(),
            acceleration: profile.acceleration.into(),
            deceleration: profile.deceleration.into(),
            jump_height: profile.jump_height.into(),
            jump_time: jump_speed / gravity,
            gravity,
            jump_speed,
            max_jump: profile.max_jump.map(f64::from),
            max_drop: profile.max_drop.map(f64::from),
            air_control: profile.air_control,
            air_acceleration: profile.air_acceleration.map(f64::from),
            step_height: profile.step_height.into(),
            max_slope: profile.max_slope.into(),
            edges: profile.edges.names().collect(),
            max_fall_speed: profile.max_fall_speed.map(f64::from),
            air_jumps: profile.air_jumps,
            climb_speed: profile.climb_speed.into(),
            ignores_hazards: profile.ignores_hazards,
        }
    }
}
