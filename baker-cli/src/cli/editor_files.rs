//! What designers import into their editor, so that the words that the baker reads
//! can be chosen there: custom types for Tiled, and a project template for LDtk.

use std::hash::{Hash, Hasher as _};
use std::path::Path;

use serde_json::{Value, json};
use siphasher::sip::SipHasher13;

use crate::source::{PropertyKind, properties_of};

/// The words that the baker reads as classes in Tiled, with their colours; in LDtk as
/// entities or `IntGrid` values.
const CLASSES: [(&str, u32); 19] = [
    ("spawn", 0x3d_a3_5d),
    ("waypoint", 0xe0_b0_30),
    ("portal", 0x8a_4f_d8),
    ("link", 0xd8_6f_b0),
    ("door", 0x9c_6b_3f),
    ("spring", 0x40_d0_70),
    ("breakable", 0xb8_8a_50),
    ("moving_platform", 0x30_b0_a0),
    ("platform_path", 0x20_80_70),
    ("area", 0x4a_90_c2),
    ("nav_area", 0x50_c8_c8),
    ("solid", 0x40_40_48),
    ("one_way", 0x4c_78_e0),
    ("one_way_down", 0x6f_8f_e0),
    ("one_way_left", 0x7f_9f_e8),
    ("one_way_right", 0x8f_af_f0),
    ("hazard", 0xd8_40_30),
    ("ladder", 0x60_b8_40),
    ("passable", 0xc0_c0_c0),
];

/// A file as people and editors write it, with a line end.
fn pretty(value: &Value) -> String {
    // A value of strings and numbers can always be written.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The custom types for Tiled 1.9 and newer. The defaults of their members are what the
/// baker assumes without the property, because Tiled does not store values that are the
/// default.
pub fn tiled_types() -> String {
    let types = CLASSES.iter().enumerate().map(|(i, (name, color))| {
        let properties = properties_of(name);
        let uses = match properties {
            Some(_) => json!(["object"]),
            None => json!(["layer", "object", "tile"]),
        };
        let members = properties.unwrap_or_default().iter().map(|(name, kind)| {
            let (kind, value) = match kind {
                PropertyKind::Text => ("string", json!("")),
                PropertyKind::Flag => ("bool", json!(false)),
                PropertyKind::Number => ("float", json!(0)),
                PropertyKind::Object => ("object", json!(0)),
            };
            json!({"name": name, "type": kind, "value": value})
        });
        json!({
            "id": i + 1,
            "name": name,
            "type": "class",
            "useAs": uses,
            "color": format!("#ff{color:06x}"),
            "drawFill": true,
            "members": members.collect::<Vec<_>>(),
        })
    });
    pretty(&types.collect())
}

/// The constant members of what is in a project, which designers start from. Words keep their
/// lower case because `identifierStyle` is `Free`, and LDtk asks the user before it runs its
/// command.
const TEMPLATE: &str = include_str!("template.ldtk");

/// How many columns and rows of tiles the level has. With tiles of 16 pixels it fills a screen
/// of 640 x 360; designers drag its edges.
const SIZE: [u32; 2] = [40, 22];

/// The number of the first definition of an entity. Lower ones are those of layers and levels.
const FIRST_UID: usize = 10;

/// A project for LDtk with the entities and `IntGrid` values, and one empty level, whose
/// tiles have this side (pixels). `path` is where it is written.
pub fn ldtk_template(tile: u32, path: &Path) -> String {
    // LDtk remembers by the `iid` of the project whether the user trusts its commands,
    // so it must not be that of another project.
    let mut hasher = SipHasher13::new();
    path.hash(&mut hasher);
    let place = hasher.finish();
    let place = format!("{:08x}-{:04x}", place >> 32, place >> 16 & 0xffff);
    let [width, height] = SIZE.map(|cells| (cells * tile).to_string());
    let text = TEMPLATE
        .replace("\"$TILE\"", &tile.to_string())
        .replace("\"$WIDTH\"", &width)
        .replace("\"$HEIGHT\"", &height)
        .replace("$PLACE", &place);
    // A test reads the text.
    let parts: Value = serde_json::from_str(&text).unwrap_or_default();
    let (mut uid, mut entities, mut values) = (FIRST_UID, Vec::new(), Vec::new());
    for (name, color) in CLASSES {
        let color = format!("#{color:06X}");
        let Some(properties) = properties_of(name) else {
            let value = values.len() + 1;
            values.push(json!({
                "value": value, "identifier": name, "color": color, "tile": null, "groupUid": 0,
            }));
            continue;
        };
        let all = std::iter::once(&("name", PropertyKind::Text)).chain(properties);
        let fields: Vec<Value> = (uid + 1..)
            .zip(all)
            .map(|(uid, p)| field(&parts, uid, *p))
            .collect();
        let is_point = matches!(name, "spawn" | "waypoint");
        let own = json!({
            "identifier": name, "uid": uid, "color": color, "hollow": !is_point,
            "resizableX": !is_point, "resizableY": !is_point,
        });
        uid += 1 + fields.len();
        entities.push(with(&parts["entity"], own, "fieldDefs", fields));
    }
    let (mut layers, mut instances) = (Vec::new(), Vec::new());
    for (uid, kind, name, values, cells) in [
        (1, "Entities", "Entities", Vec::new(), 0),
        (2, "IntGrid", "Collision", values, SIZE[0] * SIZE[1]),
    ] {
        let own = json!({"__type": kind, "identifier": name, "type": kind, "uid": uid});
        layers.push(with(&parts["layer"], own, "intGridValues", values));
        let iid = format!("{place}-4000-8000-00000000001{uid}");
        let own = json!({"__type": kind, "__identifier": name, "iid": iid, "layerDefUid": uid});
        let cells = vec![json!(0); cells as usize];
        instances.push(with(&parts["layer_instance"], own, "intGridCsv", cells));
    }
    let level = with(&parts["level"], json!({}), "layerInstances", instances);
    let mut project = with(
        &parts["project"],
        json!({"nextUid": uid}),
        "levels",
        vec![level],
    );
    project["defs"]["layers"] = layers.into();
    project["defs"]["entities"] = entities.into();
    pretty(&project)
}

/// The definition of a field of an entity.
fn field(parts: &Value, uid: usize, (name, kind): (&str, PropertyKind)) -> Value {
    let (kind, min, default) = match kind {
        PropertyKind::Text | PropertyKind::Object => ("String", Value::Null, Value::Null),
        PropertyKind::Flag => (
            "Bool",
            Value::Null,
            json!({"id": "V_Bool", "params": [false]}),
        ),
        PropertyKind::Number => ("Float", json!(0), json!({"id": "V_Float", "params": [0]})),
    };
    let own = json!({
        "identifier": name, "uid": uid, "__type": kind, "type": format!("F_{kind}"),
        "canBeNull": default.is_null(), "min": min,
    });
    let mut field = with(&parts["field"], own, "defaultOverride", Vec::new());
    field["defaultOverride"] = default;
    field
}

/// A part of the template with members of its own, and a list.
fn with(part: &Value, own: Value, list: &str, items: Vec<Value>) -> Value {
    let mut whole = part.as_object().cloned().unwrap_or_default();
    if let Value::Object(own) = own {
        whole.extend(own);
    }
    whole.insert(list.to_owned(), items.into());
    Value::Object(whole)
}
