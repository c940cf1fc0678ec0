//! What designers import into their editor, so that the words that the baker reads
//! can be chosen there: custom types for Tiled, and a project template for LDtk.

use std::hash::{Hash, Hasher as _};
use std::path::Path;

use serde_json::{Value, json};
use siphasher::sip::SipHasher13;

use crate::source::{PropertyKind, properties_of};

/// The words that the baker reads as classes in Tiled, with their colours; in LDtk as
/// entities or `IntGrid` values.
const CLASSES: [(&str, u32); 17] = [
    ("spawn", 0x3d_a3_5d),
    ("waypoint", 0xe0_b0_30),
    ("portal", 0x8a_4f_d8),
    ("link", 0xd8_6f_b0),
    ("door", 0x9c_6b_3f),
    ("spring", 0x40_d0_70),
    ("breakable", 0xb8_8a_50),
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

/// The project that designers start from. Its words keep their lower case because
/// `identifierStyle` is `Free`, and LDtk asks the user before it runs its command.
const TEMPLATE: &str = include_str!("template.ldtk");

/// A project for LDtk with the entities and `IntGrid` values, and one empty level of
/// 40 x 22 tiles of this side (pixels). `path` is where it is written. With tiles of 16
/// pixels the level fills a screen of 640 x 360. Any size works, and designers drag its
/// edges: 13 real levels are 24 to 1042 tiles wide and 20 to 112 high.
pub fn ldtk_template(tile: u32, path: &Path) -> String {
    // LDtk remembers by the `iid` of the project whether the user trusts its commands,
    // so it must not be that of another project.
    let mut hasher = SipHasher13::new();
    path.hash(&mut hasher);
    let place = hasher.finish();
    TEMPLATE
        .replace("\"$TILE\"", &tile.to_string())
        .replace("\"$WIDTH\"", &(40 * tile).to_string())
        .replace("\"$HEIGHT\"", &(22 * tile).to_string())
        .replace(
            "$PLACE",
            &format!("{:08x}-{:04x}", place >> 32, place >> 16 & 0xffff),
        )
}
