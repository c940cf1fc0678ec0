//! JSON objects that several reports contain.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{AgentProfile, Marker, OneWayBarrier};
use schemars::JsonSchema;
use serde::Serialize;

use super::format::point;

/// A one-way wall or ceiling.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

/// A marker with its properties.
#[derive(Serialize, JsonSchema)]
pub struct FullMarker<'a> {
    #[serde(flatten)]
    marker: MarkerRecord,
    properties: BTreeMap<&'a str, &'a str>,
}

impl<'a> From<&'a Marker> for FullMarker<'a> {
    fn from(marker: &'a Marker) -> Self {
        let properties = marker.properties.iter();
        Self {
            marker: marker.into(),
            properties: properties
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
        }
    }
}

/// Every parameter of the agent, resolved.
#[derive(Serialize, JsonSchema)]
pub struct Profile<'a> {
    pub name: &'a str,
    pub body: [f64; 2],
    pub run_speed: f64,
    pub acceleration: f64,
    pub deceleration: f64,
    pub jump_height: f64,
    pub jump_time: f64,
    pub gravity: f64,
    jump_speed: f64,
    pub max_jump: [f64; 2],
    pub max_drop: [f64; 2],
    air_control: bool,
    /// Greatest change of horizontal speed in the air, units a second squared; null for none.
    air_acceleration: Option<f64>,
    step_height: f64,
    max_slope: f64,
    pub edges: Vec<&'static str>,
    /// Units a second; null for none.
    max_fall_speed: Option<f64>,
    air_jumps: u8,
    climb_speed: f64,
    ignores_hazards: bool,
}

impl<'a> From<&'a AgentProfile> for Profile<'a> {
    fn from(profile: &'a AgentProfile) -> Self {
        // In whole microseconds: the two are rounded to `f32`, so further digits are not those
        // of the configuration.
        let jump_time = f64::from(profile.jump_speed) / f64::from(profile.gravity);
        Self {
            name: &profile.name,
            body: profile.body.map(f64::from),
            run_speed: profile.run_speed.into(),
            acceleration: profile.acceleration.into(),
            deceleration: profile.deceleration.into(),
            jump_height: profile.jump_height.into(),
            jump_time: (jump_time * 1e6).round() / 1e6,
            gravity: profile.gravity.into(),
            jump_speed: profile.jump_speed.into(),
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

/// How [`YAxis`](navmesh_runtime::mesh::YAxis) is written.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only for the schema")]
pub enum YAxisName {
    Down,
    Up,
}
