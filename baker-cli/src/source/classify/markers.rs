//! The objects that are no collision, as markers of the level.

use std::collections::BTreeMap;

use glam::DVec2;
use tiled::ObjectShape;

use super::builder::LevelBuilder;
use super::raw_level::{LevelLayer, ObjectPlace, RawItem};
use crate::source::marker_classes::{
    PropertyKind, line_property, misspelt_class, misspelt_property, properties_of, recipe_of,
};
use crate::source::text::shorten;
use navmesh_bake::tools::POINTS;
use navmesh_bake::{LevelMarker, Rect};

/// Joins lists of texts: a marker with the properties `tags.0` and `tags.1` gets the
/// property `tags`, with a comma between them. Only for properties of the class that
/// are texts.
fn join_lists(class: &str, properties: &mut Vec<(String, String)>) {
    let known = properties_of(class).unwrap_or_default().iter();
    for (wanted, _) in known.filter(|(_, kind)| *kind == PropertyKind::Text) {
        let is_wanted = |name: &str| name.eq_ignore_ascii_case(wanted);
        let mut items = BTreeMap::new();
        for (name, value) in &*properties {
            if let Some((list, number)) = name.rsplit_once('.')
                && is_wanted(list)
                && let Ok(number) = number.parse::<u32>()
            {
                items.insert(number, value.as_str());
            }
        }
        if !items.is_empty() && !properties.iter().any(|(name, _)| is_wanted(name)) {
            let items: Vec<&str> = items.into_values().collect();
            let text = items.join(", ");
            properties.push(((*wanted).to_owned(), text));
        }
    }
}

/// Adds the line of a link or of a way: that of a polyline or polygon, or from the object through its list
/// of points, which are cells in `LDtk`.
fn add_line(layer: &LevelLayer, object: &ObjectPlace, properties: &mut Vec<(String, String)>) {
    let outline = object.outline.as_ref();
    let points: Vec<DVec2> =
        if let Some(ObjectShape::Polyline { points } | ObjectShape::Polygon { points }) = outline {
            let points = points.iter().map(|&(x, y)| DVec2::new(x.into(), y.into()));
            points.map(|p| object.at.transform_point2(p)).collect()
        } else {
            let number = |name: String| -> Option<i32> {
                let own = properties.iter().find(|(own, _)| *own == name)?;
                own.1.parse().ok()
            };
            let cells = (0..).map_while(|i| {
                let [row, column] = ["cy", "cx"].map(|axis| number(format!("{POINTS}.{i}.{axis}")));
                Some(feet_of(layer.cell_rect((row?, column?))))
            });
            std::iter::once(feet_of(object.area)).chain(cells).collect()
        };
    if points.len() > 1 {
        properties.push(line_property(points));
    }
}

/// The middle of the lower side.
fn feet_of(area: Rect) -> DVec2 {
    DVec2::new(0.5 * (area.min.x + area.max.x), area.max.y)
}

/// Adds an object as a marker, if it has a name or class. Class and properties that it
/// does not have are those of its tile.
pub fn add(
    builder: &mut LevelBuilder<'_>,
    layer: &LevelLayer,
    item: &RawItem,
    object: &ObjectPlace,
    id: u32,
) -> bool {
    let own = item.own();
    let tile = item.chain.iter().find(|(noun, _)| *noun == "tile");
    let tile = tile.map(|(_, tile)| &**tile);
    let class = match own.class.as_str() {
        "" => tile.map_or("", |tile| tile.class.as_str()),
        class => class,
    };
    if class.is_empty() && own.name.is_empty() {
        return false;
    }
    if let Some(meant) = misspelt_class(class) {
        let class = shorten(class);
        let problem = format!("class \"{class}\" has no meaning: is it \"{meant}\"?");
        builder.warn_once(layer, own.line, &object.origin, &problem);
    }
    if let Some(recipe) = recipe_of(class) {
        builder.warn_once(layer, own.line, &object.origin, &recipe);
    }
    let mut properties = own.properties_with_defaults(tile);
    for (name, _) in &properties {
        if let Some(meant) = misspelt_property(class, name) {
            let name = shorten(name);
            let problem = format!(
                "property \"{name}\" of class \"{class}\" has no meaning: is it \"{meant}\"?"
            );
            builder.warn_once(layer, own.line, &object.origin, &problem);
        }
    }
    join_lists(class, &mut properties);
    let has_outline = object.outline.is_some();
    // The outline of a platform that moves is its shape, not its way.
    let has_line = match &*class.to_ascii_lowercase() {
        "link" | "platform_path" => true,
        "moving_platform" => !has_outline,
        _ => false,
    };
    if has_line {
        add_line(layer, object, &mut properties);
    }
    // Properties of other objects may refer to this one by its id.
    let is_id = |(name, _): &(String, String)| name.eq_ignore_ascii_case("id");
    if !properties.iter().any(is_id) {
        properties.push(("id".to_owned(), id.to_string()));
    }
    properties.sort();
    builder.level.level.markers.push(LevelMarker {
        class: class.to_owned(),
        name: own.name.clone(),
        area: object.area,
        properties,
    });
    true
}
