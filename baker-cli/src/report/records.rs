//! JSON objects that several reports contain.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{AgentProfile, Marker, OneWayBarrier};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::format::{Object, point};

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

/// A profile as JSON has it.
pub struct ProfileRecord<'a>(pub &'a AgentProfile);

impl Serialize for ProfileRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(profile) = self;
        let edges: Vec<&str> = profile.edges.names().collect();
        let members = [
            ("name", profile.name.as_str().into()),
            ("body", profile.body.into()),
            ("run_speed", profile.run_speed.into()),
            ("acceleration", profile.acceleration.into()),
            ("deceleration", profile.deceleration.into()),
            ("jump_height", profile.jump_height.into()),
            ("jump_time", jump_time(profile).into()),
            ("gravity", profile.gravity.into()),
            ("jump_speed", profile.jump_speed.into()),
            ("max_jump", profile.max_jump.into()),
            ("max_drop", profile.max_drop.into()),
            ("air_control", profile.air_control.into()),
            // Null for speeds that change at once.
            ("air_acceleration", profile.air_acceleration.into()),
            ("step_height", profile.step_height.into()),
            ("max_slope", profile.max_slope.into()),
            ("edges", edges.into()),
            ("max_fall_speed", profile.max_fall_speed.into()),
            ("air_jumps", profile.air_jumps.into()),
            ("climb_speed", profile.climb_speed.into()),
            ("ignores_hazards", profile.ignores_hazards.into()),
        ];
        Object(members).serialize(serializer)
    }
}

/// Seconds from the take-off of the highest jump to its apex, in whole microseconds. The
/// speed and the gravity were rounded to `f32`, so further digits are not those of the
/// configuration.
pub fn jump_time(profile: &AgentProfile) -> f64 {
    (f64::from(profile.jump_speed) / f64::from(profile.gravity) * 1e6).round() / 1e6
}
