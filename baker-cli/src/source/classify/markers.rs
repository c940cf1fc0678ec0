//! The objects that are no collision, as markers of the level.

use std::collections::BTreeMap;

use super::builder::LevelBuilder;
use super::raw_level::{LevelLayer, ObjectPlace, RawItem};
use crate::source::marker_classes::{
    PropertyKind, misspelt_class, misspelt_property, properties_of,
};
use crate::source::text::shorten;
use navmesh_bake::LevelMarker;

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
