//! Objects as collision or as markers.

use std::collections::BTreeMap;

use glam::{DAffine2, DVec2};
use tiled::ObjectShape;

use super::attributes::Attributes;
use super::builder::LevelBuilder;
use super::classification::{Classification, LayerKind};
use super::level_layer::LevelLayer;
use super::places::Place;
use crate::source::error::SourceError;
use crate::source::marker_classes::{
    PropertyKind, misspelt_class, misspelt_property, properties_of,
};
use crate::source::rule::pattern;
use crate::source::shapes;
use crate::source::text::shorten;
use crate::source::words;
use navmesh_bake::{LevelMarker, Material, PassDirection, Rect, Shape};

/// Classes of markers that may lie in walls, or far from all floors.
const REGIONS: [&str; 4] = ["portal", "door", "area", "nav_area"];

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

pub struct LayerObject<'a> {
    id: u32,
    pub attributes: &'a Attributes,
    /// Its name in messages and origins.
    pub origin: String,
    /// From its own coordinates to the level's.
    pub at: DAffine2,
}

impl<'a> LayerObject<'a> {
    /// An object at a position of its layer, turned by `rotation` degrees.
    pub fn new(
        id: u32,
        attributes: &'a Attributes,
        [x, y]: [f32; 2],
        rotation: f32,
        layer: &LevelLayer,
    ) -> Self {
        let at = DAffine2::from_translation(layer.offset);
        let origin = match attributes.value() {
            Some(value) => format!("value \"{}\" of {}", shorten(value), layer.origin),
            None => layer.object_origin(id, &attributes.name),
        };
        Self {
            id,
            attributes,
            origin,
            at: at * shapes::object_transform(x, y, rotation),
        }
    }

    /// Adds an object with this outline: as collision when it is classified so,
    /// else as a marker.
    pub fn add(
        &self,
        builder: &mut LevelBuilder<'_>,
        layer: &mut LevelLayer,
        shape: &ObjectShape,
    ) -> Result<(), SourceError> {
        let line = self.attributes.line;
        let is_flat = matches!(shape, ObjectShape::Point(..) | ObjectShape::Text { .. });
        let classification = match builder.classifier.object(self.attributes, layer) {
            Classification::Unused(_, why) if is_flat && why.is_of_layer() => {
                Classification::Unmatched(None)
            }
            classification => classification,
        };
        let extent = Rect::around(shapes::extent(shape));
        if !is_flat && extent.is_some_and(|extent| extent.size() != DVec2::ZERO) {
            let names = self.names(None);
            layer.summary.note_object(&classification, &names);
            if let Classification::Collision(Material::OneWay(PassDirection::Up), why) =
                &classification
                && why.is_of_layer()
            {
                let is_upright = extent.is_some_and(|extent| extent.size().y > extent.size().x);
                layer.summary.upright += u64::from(is_upright);
            }
            let is_unmatched = matches!(classification, Classification::Unmatched(_));
            if is_unmatched && !layer.hidden && !words::has_word(&layer.name, words::MOVEMENT) {
                layer.summary.note_obstacle(&names);
            }
        }
        match &classification {
            Classification::Collision(_, why) if is_flat => {
                // It is not counted as collision, but may be a marker.
                let Attributes { class, name, .. } = self.attributes;
                if class.is_empty() && name.is_empty() || !why.is_of_layer() {
                    let warning = "a point or text has no extent, so it is not collision";
                    builder.warn(None, line, &self.origin, warning);
                }
            }
            // Cells that are joined to this object are counted by themselves.
            _ if layer.kind == LayerKind::IntGrid => {}
            _ => {
                let number = layer.summary.number(&classification);
                layer.summary.add(number);
            }
        }
        let is_unmatched = matches!(classification, Classification::Unmatched(_));
        if is_unmatched || layer.rules.unused {
            let Attributes { class, name, .. } = self.attributes;
            // Ellipses are drawn for things: pick-ups, areas of a sound.
            let is_thing = is_flat || matches!(shape, ObjectShape::Ellipse { .. });
            let is_thing = is_thing || self.attributes.is_thing();
            let is_plain = class.is_empty() && name.is_empty() && !is_thing;
            layer.summary.plain_objects += u64::from(is_plain);
            let labels = [("class", class), ("name", name)];
            let label = labels.iter().find(|(_, label)| !label.is_empty());
            if let Some((kind, label)) = label.filter(|_| is_unmatched) {
                let rule = format!("{kind}:{}", pattern(label));
                *layer.summary.labels.entry(rule).or_default() += 1;
            }
        }
        if let Classification::Collision(material, _) = &classification
            && !is_flat
        {
            let outline = shapes::outline(shape);
            let (file, line, place) = match &self.attributes.template {
                None => (None, line, self.origin.clone()),
                // The outline is that of the template.
                Some((line, file)) => {
                    let place = format!("{} of {}", self.origin, builder.file);
                    (Some(file.as_str()), Some(*line), place)
                }
            };
            let outline = builder.outline(outline, file, line, &place)?;
            if outline.is_empty() {
                builder.warn(None, line, &self.origin, "it has no extent");
            }
            let pieces = shapes::placed(&outline, *material, &self.at);
            return self.add_pieces(builder, layer, pieces);
        }
        self.add_marker(builder, layer, None, shapes::extent(shape));
        Ok(())
    }

    /// Its class, that of the tile that it shows, and its name, each with the kind
    /// of rule that matches it.
    pub fn names<'n>(&'n self, tile: Option<&'n Attributes>) -> [(&'static str, &'n str); 3] {
        let Attributes { class, name, .. } = self.attributes;
        let tile = tile.map_or("", |tile| &tile.class);
        [("class", class), ("class", tile), ("name", name)]
    }

    /// Adds it as collision.
    pub fn add_pieces(
        &self,
        builder: &mut LevelBuilder<'_>,
        layer: &LevelLayer,
        pieces: Vec<(Shape, Material)>,
    ) -> Result<(), SourceError> {
        builder.charge(0, pieces.len() as u64, layer)?;
        let rule = self.attributes.rule().unwrap_or_else(|| layer.rule());
        let rules = format!("\"{rule}\"");
        builder.add_pieces(&self.origin, rules, self.attributes.line, pieces)
    }

    /// Adds the object as a marker when it has a name or class. `points` are
    /// relative to its position, before its rotation. Class and properties that
    /// it does not have are those of its tile.
    pub fn add_marker(
        &self,
        builder: &mut LevelBuilder<'_>,
        layer: &mut LevelLayer,
        tile: Option<&Attributes>,
        points: Vec<DVec2>,
    ) {
        let class = if self.attributes.class.is_empty() {
            tile.map_or("", |tile| tile.class.as_str())
        } else {
            &self.attributes.class
        };
        let points = points.into_iter().map(|p| self.at.transform_point2(p));
        let Some(area) = Rect::around(points) else {
            return;
        };
        let name = &self.attributes.name;
        let is_start = words::is_start(class) || words::is_start(name);
        // Outlines without a name are drawn over tiles.
        let is_named = !(class.is_empty() && name.is_empty());
        let is_thing = is_start || tile.is_some() || is_named;
        let support =
            (!is_named && !layer.hidden && words::is_obstacle(&layer.name)).then(|| layer.rule());
        if (is_thing || support.is_some()) && !REGIONS.contains(&class.to_lowercase().as_str()) {
            builder.places.add(Place {
                origin: self.origin.clone(),
                line: self.attributes.line,
                area,
                is_start,
                support,
            });
        }
        if class.is_empty() && name.is_empty() {
            return;
        }
        let mut ask = |question: String| {
            let known = layer.summary.misspelt.entry(question);
            let first = || (self.attributes.line, self.origin.clone(), 0);
            known
                .and_modify(|(.., others)| *others += 1)
                .or_insert_with(first);
        };
        if let Some(meant) = misspelt_class(class) {
            ask(format!(
                "its class is \"{class}\", which has no meaning: is it \"{meant}\"?"
            ));
        }
        let mut properties = self.attributes.properties_with_defaults(tile);
        for (name, _) in &properties {
            if let Some(meant) = misspelt_property(class, name) {
                let name = shorten(name);
                ask(format!(
                    "its property \"{name}\" has no meaning: is it \"{meant}\"?"
                ));
            }
        }
        join_lists(class, &mut properties);
        // Properties of other objects may refer to this one by its id.
        let is_id = |(name, _): &(String, String)| name.eq_ignore_ascii_case("id");
        if !properties.iter().any(is_id) {
            properties.push(("id".to_owned(), self.id.to_string()));
        }
        properties.sort();
        layer.summary.markers += 1;
        builder.level.level.markers.push(LevelMarker {
            class: class.to_owned(),
            name: self.attributes.name.clone(),
            area,
            properties,
        });
    }
}
