//! As much of JSON Schema as the schemas in `docs/` use, strictly: a key that
//! a schema does not list is an error.

use serde_json::Value;

/// Panics where `value` is not what `schema` says; `root` holds `$defs`.
pub fn check(root: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return check(root, &root["$defs"][name], value, at);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().map(|t| t.as_str().unwrap()).collect(),
        _ => panic!("{at}: the schema has no type"),
    };
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_u64() && types.contains(&"integer") => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    assert!(types.contains(&is), "{at} is {value}, not {types:?}");
    if let Some(known) = schema.get("enum") {
        assert!(known.as_array().unwrap().contains(value), "{at} is {value}");
    }
    if let Value::Array(items) = value {
        for (i, item) in items.iter().enumerate() {
            check(root, &schema["items"], item, &format!("{at}[{i}]"));
        }
    }
    if let Value::Object(entries) = value {
        let empty = serde_json::Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&empty);
        for (key, entry) in entries {
            let known = properties
                .get(key)
                .unwrap_or(&schema["additionalProperties"]);
            assert!(known.is_object(), "{at}.{key} is not in the schema");
            check(root, known, entry, &format!("{at}.{key}"));
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            assert!(
                entries.contains_key(key.as_str().unwrap()),
                "{at} has no {key}"
            );
        }
    }
}
