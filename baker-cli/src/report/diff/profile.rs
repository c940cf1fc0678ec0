//! Parameters that changed: of an agent, of the grid, of the units.

use navmesh_runtime::mesh::{AgentProfile, NavMesh};
use serde::Serialize;
use serde_json::Value;

use super::Frame;
use crate::report::dump::ProfileJson;

/// A parameter before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The parameter as the configuration or the dump spells it.
    pub what: String,
    /// Before, as JSON.
    pub old: String,
    /// After, as JSON.
    pub new: String,
}

impl Change {
    fn new(what: &str, old: &Value, new: &Value) -> Self {
        Self {
            what: what.to_string(),
            old: short(old),
            new: short(new),
        }
    }
}

/// Every parameter of a profile, whatever parameters there are.
pub(super) fn compare(old: &AgentProfile, new: &AgentProfile) -> Vec<Change> {
    let [a, b] = [old, new].map(|p| serde_json::to_value(ProfileJson::from(p)));
    let (Ok(Value::Object(a)), Ok(Value::Object(b))) = (a, b) else {
        return Vec::new();
    };
    let names = b
        .keys()
        .chain(a.keys().filter(|name| !b.contains_key(*name)));
    let value = |of: &serde_json::Map<String, Value>, name: &str| {
        of.get(name).cloned().unwrap_or(Value::Null)
    };
    names
        .filter(|name| value(&a, name) != value(&b, name))
        .map(|name| Change::new(name, &value(&a, name), &value(&b, name)))
        .collect()
}

/// Grid and units; what the shift explains is no change.
pub(super) fn settings(old: &NavMesh, new: &NavMesh, frame: &Frame) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut note = |what: &str, old: Value, new: Value| {
        if old != new {
            changes.push(Change::new(what, &old, &new));
        }
    };
    let (a, b) = (old.units(), new.units());
    note(
        "pixels_per_unit",
        a.pixels_per_unit.into(),
        b.pixels_per_unit.into(),
    );
    let axis = |units: navmesh_runtime::mesh::Units| {
        serde_json::to_value(units.y_axis).unwrap_or(Value::Null)
    };
    note("y_axis", axis(a), axis(b));
    let (a, b) = (old.grid(), new.grid());
    note("spacing", a.spacing.into(), b.spacing.into());
    note("columns", a.columns.into(), b.columns.into());
    note("rows", a.rows.into(), b.rows.into());
    if !(frame.same(a.origin, b.origin) || frame.moved() && a.origin == b.origin) {
        note(
            "origin",
            a.origin.to_array().to_vec().into(),
            b.origin.to_array().to_vec().into(),
        );
    }
    changes
}

/// A value as JSON, numbers in as few digits as tell an `f32`.
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
