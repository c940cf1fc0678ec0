//! What designers import into their editor, so that the words that the baker reads
//! can be chosen there: custom types for Tiled, and a project template for LDtk.

use std::hash::{Hash, Hasher as _};
use std::ops::RangeFrom;
use std::path::Path;

use serde_json::{Value, json};
use siphasher::sip::SipHasher13;

use crate::source::{Property, PropertyKind, properties_of};

/// A word that the baker reads as a class in Tiled, and in LDtk as an entity or an
/// `IntGrid` value.
struct Class {
    name: &'static str,
    color: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A marker: an object of which the position counts.
    Point,
    /// A marker: an object of which the size counts.
    Region,
    /// What cells, layers and shapes are.
    Collision,
}

/// All classes. The defaults of their fields are what the baker assumes without the
/// property, because Tiled does not store values that are the default.
const CLASSES: [Class; 14] = {
    const fn class(name: &'static str, color: u32, kind: Kind) -> Class {
        Class { name, color, kind }
    }
    use Kind::{Collision, Point, Region};
    [
        class("spawn", 0x3d_a3_5d, Point),
        class("waypoint", 0xe0_b0_30, Point),
        class("portal", 0x8a_4f_d8, Region),
        class("door", 0x9c_6b_3f, Region),
        class("area", 0x4a_90_c2, Region),
        class("nav_area", 0x50_c8_c8, Region),
        class("solid", 0x40_40_48, Collision),
        class("one_way", 0x4c_78_e0, Collision),
        class("one_way_down", 0x6f_8f_e0, Collision),
        class("one_way_left", 0x7f_9f_e8, Collision),
        class("one_way_right", 0x8f_af_f0, Collision),
        class("hazard", 0xd8_40_30, Collision),
        class("ladder", 0x60_b8_40, Collision),
        class("passable", 0xc0_c0_c0, Collision),
    ]
};

impl Class {
    /// The properties that the baker or the runtime reads.
    fn fields(&self) -> &'static [Property] {
        properties_of(self.name).unwrap_or_default()
    }
}

/// A file as people and editors write it, with a line end.
fn pretty(value: &Value) -> String {
    // A value of strings and numbers can always be written.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The custom types for Tiled 1.9 and newer.
pub(crate) fn tiled_types() -> String {
    let types = CLASSES.iter().enumerate().map(|(i, class)| {
        let uses = match class.kind {
            Kind::Point | Kind::Region => json!(["object"]),
            Kind::Collision => json!(["layer", "object", "tile"]),
        };
        let members = class.fields().iter().map(|(name, kind)| {
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
            "name": class.name,
            "type": "class",
            "useAs": uses,
            "color": format!("#ff{:06x}", class.color),
            "drawFill": true,
            "members": members.collect::<Vec<_>>(),
        })
    });
    pretty(&types.collect())
}

/// The version of LDtk whose format the template has. Later versions convert it.
const LDTK: &str = "1.5.3";

/// Numbers of the definitions in the template; fields and entities follow.
const ENTITIES: usize = 1;
const COLLISION: usize = 2;
const FIRST_ENTITY: usize = 10;
const LEVEL: usize = 3;

/// An identifier in the form of LDtk's, of a project at a place. LDtk remembers by
/// the one of the project whether the user trusts its commands, so it must not be
/// that of another project.
fn iid(place: u64, number: usize) -> String {
    let (high, low) = (place >> 32, place >> 16 & 0xffff);
    format!("{high:08x}-{low:04x}-4000-8000-{number:012}")
}

/// A project for LDtk with the entities and `IntGrid` values, and one empty level,
/// for tiles of this side (pixels). `path` is where it is written.
pub(crate) fn ldtk_template(tile: u32, path: &Path) -> String {
    let mut hasher = SipHasher13::new();
    path.hash(&mut hasher);
    let place = hasher.finish();
    let (wide, high) = (40, 22);
    let (width, height) = (wide * tile, high * tile);
    let (collision, markers): (Vec<_>, Vec<_>) =
        (CLASSES.iter()).partition(|class| class.kind == Kind::Collision);
    let mut uids = FIRST_ENTITY..;
    let entities = markers.iter().map(|class| entity(class, tile, &mut uids));
    let entities: Vec<_> = entities.collect();
    let values = collision.iter().enumerate().map(|(i, class)| {
        json!({
            "value": i + 1,
            "identifier": class.name,
            "color": color(class),
            "tile": null,
            "groupUid": 0,
        })
    });
    let values: Vec<_> = values.collect();
    let layers = [
        layer("Entities", "Entities", ENTITIES, tile, &[]),
        layer("Collision", "IntGrid", COLLISION, tile, &values),
    ];
    let instance = |name: &str, kind: &str, uid: usize, cells: usize| {
        json!({
            "__identifier": name,
            "__type": kind,
            "__cWid": wide,
            "__cHei": high,
            "__gridSize": tile,
            "__opacity": 1,
            "__pxTotalOffsetX": 0,
            "__pxTotalOffsetY": 0,
            "__tilesetDefUid": null,
            "__tilesetRelPath": null,
            "iid": iid(place, 10 + uid),
            "levelId": LEVEL,
            "layerDefUid": uid,
            "pxOffsetX": 0,
            "pxOffsetY": 0,
            "visible": true,
            "optionalRules": [],
            "intGridCsv": vec![0; cells],
            "autoLayerTiles": [],
            "seed": 1,
            "overrideTilesetUid": null,
            "gridTiles": [],
            "entityInstances": [],
        })
    };
    let level = json!({
        "identifier": "Level_0",
        "iid": iid(place, 1),
        "uid": LEVEL,
        "worldX": 0,
        "worldY": 0,
        "worldDepth": 0,
        "pxWid": width,
        "pxHei": height,
        "__bgColor": "#696A79",
        "bgColor": null,
        "useAutoIdentifier": true,
        "bgRelPath": null,
        "bgPos": null,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": "#ADADB5",
        "__bgPos": null,
        "externalRelPath": null,
        "fieldInstances": [],
        "layerInstances": [
            instance("Entities", "Entities", ENTITIES, 0),
            instance("Collision", "IntGrid", COLLISION, (wide * high) as usize),
        ],
        "__neighbours": [],
    });
    pretty(&json!({
        "__header__": {
            "fileType": "LDtk Project JSON",
            "app": "LDtk",
            "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
            "appAuthor": "Sebastien 'deepnight' Benard",
            "appVersion": LDTK,
            "url": "https://ldtk.io",
        },
        "iid": iid(place, 0),
        "jsonVersion": LDTK,
        "appBuildId": 473_703,
        "nextUid": uids.start,
        // Free, so that the words stay in lower case.
        "identifierStyle": "Free",
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": width,
        "worldGridHeight": height,
        "defaultLevelWidth": width,
        "defaultLevelHeight": height,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": tile,
        "defaultEntityWidth": tile,
        "defaultEntityHeight": tile,
        "bgColor": "#40465B",
        "defaultLevelBgColor": "#696A79",
        "minifyJson": false,
        "externalLevels": false,
        "exportTiled": false,
        "simplifiedExport": false,
        "imageExportMode": "None",
        "exportLevelBg": true,
        "pngFilePattern": null,
        "backupOnSave": false,
        "backupLimit": 10,
        "backupRelPath": null,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": null,
        // LDtk asks the user before it runs commands of a project.
        "customCommands": [{"command": "navbake bake .", "when": "AfterSave"}],
        "flags": [],
        "defs": {
            "layers": layers,
            "entities": entities,
            "tilesets": [],
            "enums": [],
            "externalEnums": [],
            "levelFields": [],
        },
        "levels": [level],
        "worlds": [],
        "dummyWorldIid": iid(place, 2),
    }))
}

fn color(class: &Class) -> String {
    format!("#{:06X}", class.color)
}

fn layer(name: &str, kind: &str, uid: usize, tile: u32, values: &[Value]) -> Value {
    json!({
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": null,
        "uiColor": null,
        "gridSize": tile,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 0.6,
        "hideInList": false,
        "hideFieldsWhenInactive": true,
        "canSelectWhenInactive": true,
        "renderInWorldView": true,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": true,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": null,
        "uiFilterTags": [],
        "useAsyncRender": false,
        "intGridValues": values,
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": null,
        "tilesetDefUid": null,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": null,
    })
}

/// The definition of an entity. All have a name, as objects in Tiled have.
fn entity(class: &Class, tile: u32, uids: &mut RangeFrom<usize>) -> Value {
    let is_region = class.kind == Kind::Region;
    let uid = uids.next();
    let fields = std::iter::once(&("name", PropertyKind::Text)).chain(class.fields());
    let fields = fields
        .zip(uids)
        .map(|(field, uid)| entity_field(*field, uid));
    let fields: Vec<_> = fields.collect();
    json!({
        "identifier": class.name,
        "uid": uid,
        "tags": [],
        "exportToToc": false,
        "allowOutOfBounds": false,
        "doc": null,
        "width": tile,
        "height": tile,
        "resizableX": is_region,
        "resizableY": is_region,
        "minWidth": null,
        "maxWidth": null,
        "minHeight": null,
        "maxHeight": null,
        "keepAspectRatio": false,
        "tileOpacity": 1,
        "fillOpacity": 0.4,
        "lineOpacity": 1,
        "hollow": is_region,
        "color": color(class),
        "renderMode": "Rectangle",
        "showName": true,
        "tilesetId": null,
        "tileRenderMode": "FitInside",
        "tileRect": null,
        "uiTileRect": null,
        "nineSliceBorders": [],
        "maxCount": 0,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": fields,
    })
}

fn entity_field((name, kind): Property, uid: usize) -> Value {
    let (shown, default) = match kind {
        PropertyKind::Text | PropertyKind::Object => ("String", Value::Null),
        PropertyKind::Flag => ("Bool", json!({"id": "V_Bool", "params": [false]})),
        PropertyKind::Number => ("Float", json!({"id": "V_Float", "params": [0]})),
    };
    json!({
        "identifier": name,
        "doc": null,
        "__type": shown,
        "uid": uid,
        "type": format!("F_{shown}"),
        "isArray": false,
        "canBeNull": default.is_null(),
        "arrayMinLength": null,
        "arrayMaxLength": null,
        "editorDisplayMode": "Hidden",
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": null,
        "editorAlwaysShow": false,
        "editorShowInWorld": true,
        "editorCutLongValues": true,
        "editorTextSuffix": null,
        "editorTextPrefix": null,
        "useForSmartColor": false,
        "exportToToc": false,
        "searchable": false,
        "min": if name == "cost" { json!(0) } else { Value::Null },
        "max": null,
        "regex": null,
        "acceptFileTypes": null,
        "defaultOverride": default,
        "textLanguageMode": null,
        "symmetricalRef": false,
        "autoChainRef": true,
        "allowOutOfLevelRef": true,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": null,
        "allowedRefTags": [],
        "tilesetUid": null,
    })
}
