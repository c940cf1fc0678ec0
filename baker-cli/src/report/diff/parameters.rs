//! Parameters that changed: of an agent, the grid and the units.

use navmesh_runtime::mesh::{AgentProfile, NavMesh};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::alignment::Alignment;
use crate::report::records::Profile;

/// A parameter before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParameterChange {
    /// The parameter as the configuration or the dump spells it.
    pub what: String,
    /// Its old value as JSON.
    pub old: String,
    /// Its new value as JSON.
    pub new: String,
}

impl ParameterChange {
    /// `None` when the two values are equal.
    fn new(what: &str, old: &Value, new: &Value) -> Option<Self> {
        (old != new).then(|| Self {
            what: what.to_string(),
            old: short(old),
            new: short(new),
        })
    }

    /// Compares every parameter that the JSON of a profile has.
    pub fn of_profiles(old: &AgentProfile, new: &AgentProfile) -> Vec<Self> {
        let [old, new] = [old, new].map(|profile| serde_json::to_value(Profile::from(profile)));
        let (Ok(Value::Object(old)), Ok(Value::Object(new))) = (old, new) else {
            return Vec::new();
        };
        let parameters = new.iter();
        let changes = parameters.filter_map(|(name, value)| {
            Self::new(name, old.get(name).unwrap_or(&Value::Null), value)
        });
        changes.collect()
    }

    /// Compares grid and units. What the shift explains is not a change.
    pub fn of_settings(old: &NavMesh, new: &NavMesh, alignment: &Alignment) -> Vec<Self> {
        let is_shifted = alignment.same(old.grid().origin, new.grid().origin);
        let [was, is] = [old, new].map(|mesh| {
            let (grid, axis) = (mesh.grid(), mesh.grid().y_axis);
            [
                ("pixels_per_unit", mesh.units().pixels_per_unit.into()),
                ("y_axis", serde_json::to_value(axis).unwrap_or_default()),
                ("spacing", grid.spacing.into()),
                ("columns", grid.columns.into()),
                ("rows", grid.rows.into()),
                ("origin", grid.origin.to_array().to_vec().into()),
            ]
        });
        let settings = was.iter().zip(&is);
        let changes = settings.filter_map(|((what, old), (_, new))| Self::new(what, old, new));
        changes
            .filter(|change| change.what != "origin" || !is_shifted)
            .collect()
    }
}

/// A value as JSON, numbers with as few digits as identify an `f32`.
fn short(value: &Value) -> String {
    match value {
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), |v| (v as f32).to_string()),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(short).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Null => "none".to_string(),
        other => other.to_string(),
    }
}
