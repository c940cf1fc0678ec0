//! Scenes: their nodes, and the resources that these use.

use std::collections::{BTreeMap, HashMap};

use glam::{DAffine2, DVec2};

use super::text_format::{Section, Value, parse};
use super::tile_set::{TileKey, TileSet};
use crate::source::error::{Fault, SourceError};
use crate::source::files::{LevelBytes, check_size, input};
use crate::source::grid::CellKind;
use crate::source::level_file::{InputFile, LevelFile};
use crate::source::limits::{MAX_CELLS, MAX_FILE_BYTES};
use crate::source::marker_classes::properties_of;
use crate::source::plain_level::PlainLevel;
use crate::source::shapes;
use crate::source::text::{TextFile, shorten};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use navmesh_bake::{Material, PassDirection, Rect, Shape, ShapeError};

/// The most folders above the scene in which the project is looked for.
const MAX_UP: usize = 32;

/// What a word says of collision: the name of a group, or of custom data.
pub fn material_of(word: &str) -> Option<Material> {
    match word.to_lowercase().parse() {
        Ok(CellKind::Piece(material)) => Some(material),
        _ => None,
    }
}

/// The resources of one file, by their ids.
pub struct Resources<'a> {
    own: HashMap<&'a str, &'a Section>,
    /// The paths of other files.
    others: HashMap<&'a str, &'a str>,
}

impl<'a> Resources<'a> {
    fn new(sections: &'a [Section]) -> Self {
        let of = |section: &'a Section, name: &str| section.attributes.get(name)?.text();
        let with = |tag: &'static str| sections.iter().filter(move |section| section.tag == tag);
        let own = with("sub_resource").filter_map(|section| Some((of(section, "id")?, section)));
        let others = with("ext_resource")
            .filter_map(|section| Some((of(section, "id")?, of(section, "path")?)));
        Self {
            own: own.collect(),
            others: others.collect(),
        }
    }

    /// The resource that a value refers to, if it is in the same file.
    pub fn find(&self, value: &Value) -> Option<&'a Section> {
        let id = value.arguments("SubResource")?.first()?.text()?;
        self.own.get(id).copied()
    }

    /// The path of another file that a value refers to.
    fn path(&self, value: &Value) -> Option<&'a str> {
        let id = value.arguments("ExtResource")?.first()?.text()?;
        self.others.get(id).copied()
    }
}

/// The most shapes of the cells of a level that are not whole cells.
const MAX_SHAPES: usize = 1 << 22;

/// A node with what it has from the nodes around it.
#[derive(Clone, Default)]
struct Node {
    kind: String,
    at: DAffine2,
    /// What the groups of the node, or else of those around it, say.
    material: Option<Material>,
    /// It is in a body that stops others, or in an area.
    body: Option<Body>,
    is_disabled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Static,
    Area,
    Moving,
}

struct Reader<'a> {
    file: LevelBytes<'a>,
    level: PlainLevel<'a>,
    resources: Resources<'a>,
    inputs: Vec<InputFile>,
    /// By the name of the file, or the id in the scene.
    tile_sets: HashMap<String, TileSet>,
    tile_size: Option<[u32; 2]>,
    cells: u64,
    instances: u32,
}

/// Reads a scene.
pub fn read(file: LevelBytes<'_>) -> Result<LevelFile, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let text = TextFile::new(name, bytes, "save it again in Godot 4")?;
    text.check_not_empty("scene")?;
    let sections = parse(&text)?;
    if sections
        .first()
        .is_none_or(|section| section.tag != "gd_scene")
    {
        let problem = "this is not a scene of Godot 4";
        return Err(Fault::of_file(name, problem, "name a .tscn file").into());
    }
    let mut reader = Reader {
        file,
        level: PlainLevel::new(name),
        resources: Resources::new(&sections),
        inputs: vec![input(files, name)],
        tile_sets: HashMap::new(),
        tile_size: None,
        cells: MAX_CELLS,
        instances: 0,
    };
    let outermost = Node::default();
    let mut nodes: HashMap<String, Node> = HashMap::new();
    for section in sections.iter().filter(|section| section.tag == "node") {
        let attribute = |name: &str| section.attributes.get(name).and_then(Value::text);
        let name = attribute("name").unwrap_or_default();
        let (path, parent) = match attribute("parent") {
            None => (".".to_owned(), None),
            Some(".") => (name.to_owned(), nodes.get(".")),
            Some(parent) => (format!("{parent}/{name}"), nodes.get(parent)),
        };
        let node = reader.node(section, name, parent.unwrap_or(&outermost))?;
        nodes.insert(path, node);
    }
    if reader.instances > 0 {
        let (file, number) = (file.name, reader.instances);
        let warning = format!(
            "{file}: instances of other scenes are not read ({number}); export the level from the running game if they are collision"
        );
        reader.level.warnings.push(warning);
    }
    reader.level.finish(None, reader.tile_size, reader.inputs)
}

impl Reader<'_> {
    /// Reads a node; `parent` is the one around it.
    fn node(&mut self, section: &Section, name: &str, parent: &Node) -> Result<Node, SourceError> {
        let get = |name: &str| section.properties.get(name);
        let is_false = |name: &str| get(name) == Some(&Value::Bool(false));
        let kind = section
            .attributes
            .get("type")
            .and_then(Value::text)
            .unwrap_or_default();
        self.instances += u32::from(section.attributes.contains_key("instance"));
        let groups = match section.attributes.get("groups") {
            Some(Value::List(groups)) => groups.as_slice(),
            _ => &[],
        };
        let mut groups = groups.iter().filter_map(Value::text);
        let own = groups.clone().find_map(material_of);
        let node = Node {
            kind: kind.to_owned(),
            at: parent.at * transform(section),
            material: own.or(parent.material),
            body: match kind {
                "StaticBody2D" => Some(Body::Static),
                "Area2D" => Some(Body::Area),
                "AnimatableBody2D" | "CharacterBody2D" | "RigidBody2D" => Some(Body::Moving),
                _ => parent.body,
            },
            is_disabled: parent.is_disabled || is_false("enabled") || is_false("collision_enabled"),
        };
        if !node.at.is_finite() {
            let problem = "its position is not finite";
            return Err(Fault::at(self.file.name, section.line, name, problem, "").into());
        }
        let origin = format!("node \"{}\"", shorten(name));
        match kind {
            "TileMapLayer" | "TileMap" if !node.is_disabled => {
                self.tiles(section, &node, &origin)?;
            }
            "CollisionShape2D" | "CollisionPolygon2D" => self.shape(section, &node, &origin)?,
            "Marker2D" => {
                let is_class = |class: &&str| properties_of(class).is_some();
                let word = name
                    .trim_end_matches(|c: char| c.is_ascii_digit() || c == '_')
                    .to_lowercase();
                let class = groups
                    .find(is_class)
                    .or(Some(word.as_str()).filter(is_class));
                let at = node.at.translation;
                let area = Rect::new(at, at);
                (self.level).add_marker(class.unwrap_or_default(), name, area, BTreeMap::new());
            }
            _ => {}
        }
        Ok(node)
    }

    /// Adds a shape of a body, or of an area whose groups say that it is collision.
    fn shape(&mut self, section: &Section, node: &Node, origin: &str) -> Result<(), Fault> {
        let get = |name: &str| section.properties.get(name);
        let is = |name: &str| get(name).is_some_and(Value::is_true);
        let material = match node.body {
            Some(Body::Static) => node.material.unwrap_or(Material::Solid),
            Some(Body::Area) if node.material.is_some() => {
                node.material.unwrap_or(Material::Hazard)
            }
            _ => return Ok(()),
        };
        if is("disabled") {
            return Ok(());
        }
        let material = match material {
            Material::Solid if is("one_way_collision") => Material::OneWay(PassDirection::Up),
            material => material,
        };
        let shape = get("shape").and_then(|value| self.resources.find(value));
        let kind = shape.and_then(|shape| shape.attributes.get("type")?.text());
        let field = |name: &str| shape.and_then(|shape| shape.properties.get(name));
        let number =
            |name: &str, default: f64| field(name).and_then(Value::number).unwrap_or(default);
        let half = |size: DVec2| Rect::new(-size / 2.0, size / 2.0);
        let points = |value: Option<&Value>| {
            let numbers = value.and_then(|value| value.numbers("PackedVector2Array"));
            let pairs = numbers.unwrap_or_default();
            let pairs = pairs.as_chunks::<2>().0.iter();
            pairs
                .map(|pair| DVec2::from_array(*pair))
                .collect::<Vec<_>>()
        };
        let pieces = match kind {
            Some("RectangleShape2D") => {
                let size = field("size").and_then(Value::pair).unwrap_or([20.0; 2]);
                Ok(shapes::rectangle(half(size.into())))
            }
            Some("CircleShape2D") => {
                let size = DVec2::splat(number("radius", 10.0) * 2.0);
                Shape::ellipse(half(size)).map(|shape| vec![shape])
            }
            Some("CapsuleShape2D") => {
                let size = DVec2::new(number("radius", 10.0) * 2.0, number("height", 30.0));
                Shape::capsule(half(size)).map(|shape| vec![shape])
            }
            Some("SegmentShape2D") => {
                let end = |name: &str| field(name).and_then(Value::pair).unwrap_or([0.0; 2]).into();
                Shape::polyline(&[end("a"), end("b")])
            }
            Some("ConvexPolygonShape2D") => Shape::polygon(&points(field("points"))),
            _ if node.kind == "CollisionPolygon2D" => Shape::polygon(&points(get("polygon"))),
            _ => {
                let kind = kind.unwrap_or("from another file");
                let warning = format!("a shape {kind} is not read");
                self.warn(section.line, origin, &warning);
                return Ok(());
            }
        };
        let pieces = match pieces {
            Ok(pieces) => pieces,
            Err(ShapeError::Range) => {
                let problem = ShapeError::Range.to_string();
                return Err(Fault::at(self.file.name, section.line, origin, problem, ""));
            }
            Err(error) => {
                self.warn(section.line, origin, &format!("{error}, so it is left out"));
                return Ok(());
            }
        };
        let placed = pieces
            .iter()
            .map(|shape| shapes::transform(shape, &node.at));
        let line = Some(section.line);
        (self.level).add_shapes(origin.to_owned(), line, material, placed.collect())
    }

    fn warn(&mut self, line: u32, place: &str, problem: &str) {
        let warning = Fault::at(self.file.name, line, place, problem, "").to_string();
        self.level.warnings.push(warning);
    }

    /// Adds the cells of a tile layer, or those of all layers of an old tile map.
    fn tiles(&mut self, section: &Section, node: &Node, origin: &str) -> Result<(), SourceError> {
        let (name, line) = (self.file.name, section.line);
        let Some(set) = section.properties.get("tile_set") else {
            return Ok(());
        };
        let key = self.tile_set(set, line, origin)?;
        let mut cells = Vec::new();
        for (property, value) in &section.properties {
            if property == "tile_map_data" {
                cells.extend(layer_cells(value));
            } else if property.starts_with("layer_") && property.ends_with("/tile_data") {
                cells.extend(old_cells(value));
            }
        }
        self.cells = self.cells.checked_sub(cells.len() as u64).ok_or_else(|| {
            let problem = format!("with it the level has more than {MAX_CELLS} cells");
            Fault::at(name, line, origin, problem, "split the level")
        })?;
        let Some(set) = self.tile_sets.get(&key) else {
            return Ok(());
        };
        let side = DVec2::from(set.side.map(f64::from));
        self.tile_size.get_or_insert(set.side);
        let whole = Shape::Box(Rect::new(-side / 2.0, side / 2.0));
        let mut known: HashMap<TileKey, Vec<(Shape, Material)>> = HashMap::new();
        let mut boxes: BTreeMap<Material, Vec<(i32, i32)>> = BTreeMap::new();
        let mut others: BTreeMap<Material, Vec<Shape>> = BTreeMap::new();
        // Only cells that are not turned or scaled can be joined.
        let is_plain = node.at.matrix2 == glam::DMat2::IDENTITY;
        for ([column, row], tile) in cells {
            let shapes = known.entry(tile).or_insert_with(|| set.shapes(tile));
            let middle = DVec2::new(column.into(), row.into()) * side + side / 2.0;
            let at = node.at * DAffine2::from_translation(middle);
            for (shape, material) in shapes {
                if is_plain && shapes::as_box(shape.clone()) == whole {
                    boxes.entry(*material).or_default().push((row, column));
                } else {
                    let placed = shapes::transform(shape, &at);
                    let same = others.entry(*material).or_default();
                    if same.len() == MAX_SHAPES {
                        let problem = format!("its tiles have more than {MAX_SHAPES} shapes");
                        let advice = "split the level, or draw simpler shapes";
                        return Err(Fault::at(name, line, origin, problem, advice).into());
                    }
                    same.push(placed);
                }
            }
        }
        let corner = node.at.translation;
        for (material, cells) in boxes {
            let place = [corner, side];
            (self.level).add_cells(origin.to_owned(), Some(line), material, cells, place)?;
        }
        for (material, shapes) in others {
            (self.level).add_shapes(origin.to_owned(), Some(line), material, shapes)?;
        }
        Ok(())
    }

    /// Reads a tile set, of the scene or of a file of its own, and returns its key.
    fn tile_set(&mut self, value: &Value, line: u32, origin: &str) -> Result<String, SourceError> {
        let scene = self.file.name;
        let invalid = |file: &str, problem: String| {
            let problem = format!("the tile set cannot be read: {problem}");
            SourceError::from(Fault::at(
                file,
                line,
                origin,
                problem,
                "save it again in Godot 4",
            ))
        };
        if let Some(section) = self.resources.find(value) {
            let key = format!("{value:?}");
            if !self.tile_sets.contains_key(&key) {
                let set = TileSet::read(section, &self.resources);
                let set = set.map_err(|problem| invalid(scene, problem))?;
                self.tile_sets.insert(key.clone(), set);
            }
            return Ok(key);
        }
        let Some(path) = self.resources.path(value) else {
            return Err(invalid(scene, "the scene does not have it".to_owned()));
        };
        let files = self.file.files;
        let root = (0..MAX_UP).map(|up| "../".repeat(up));
        let is_root = |root: &String| {
            files
                .read(&format!("{root}project.godot"), MAX_FILE_BYTES)
                .is_ok()
        };
        let root = root.into_iter().find(is_root).unwrap_or_default();
        let name = match path.strip_prefix("res://") {
            Some(path) => format!("{root}{path}"),
            None => path.to_owned(),
        };
        if self.tile_sets.contains_key(&name) {
            return Ok(name);
        }
        let bytes = files.read(&name, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{origin}, {scene}:{line}");
            SourceError::io(&name, Some(referrer), error)
        })?;
        let text = TextFile::new(&name, &bytes, "save it as a .tres file")?;
        let sections = parse(&text)?;
        let resource = sections.iter().find(|section| section.tag == "resource");
        let resource = resource.ok_or_else(|| invalid(scene, format!("{name} has no resource")))?;
        let resources = Resources::new(&sections);
        let set = TileSet::read(resource, &resources).map_err(|problem| invalid(scene, problem))?;
        self.inputs.push(input(files, &name));
        self.tile_sets.insert(name.clone(), set);
        Ok(name)
    }
}

/// Where a node is, relative to the one around it.
fn transform(section: &Section) -> DAffine2 {
    let get = |name: &str| section.properties.get(name);
    if let Some(numbers) = get("transform").and_then(|value| value.numbers("Transform2D"))
        && let Ok(columns) = <[f64; 6]>::try_from(numbers)
    {
        return DAffine2::from_cols_array(&columns);
    }
    let position = get("position").and_then(Value::pair).unwrap_or_default();
    let scale = get("scale").and_then(Value::pair).unwrap_or([1.0; 2]);
    let angle = get("rotation").and_then(Value::number).unwrap_or(0.0);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let turned = glam::DMat2::from_cols(DVec2::new(cos, sin), DVec2::new(-sin, cos));
    let matrix = turned * glam::DMat2::from_diagonal(scale.into());
    DAffine2::from_mat2_translation(matrix, position.into())
}

type Cell = ([i32; 2], TileKey);

/// The cells of a layer: after two bytes for the version, 12 bytes each.
fn layer_cells(value: &Value) -> Vec<Cell> {
    let Some(arguments) = value.arguments("PackedByteArray") else {
        return Vec::new();
    };
    let bytes: Vec<u8> = match arguments {
        [Value::Text(text)] => STANDARD.decode(text).unwrap_or_default(),
        numbers => numbers
            .iter()
            .map(|v| v.number().unwrap_or(0.0) as u8)
            .collect(),
    };
    let cells = bytes.get(2..).unwrap_or_default().as_chunks::<12>().0;
    let cells = cells.iter().map(|cell| {
        let pairs = cell.as_chunks::<2>().0;
        let at = |i: usize| pairs.get(i).map_or(0, |pair| u16::from_le_bytes(*pair));
        let place = [at(0), at(1)].map(|v| i32::from(v.cast_signed()));
        let atlas = [at(3), at(4)].map(u32::from);
        (place, (u32::from(at(2)), atlas, u32::from(at(5))))
    });
    cells.collect()
}

/// The cells of a layer of Godot 4.0 to 4.2: three integers each.
fn old_cells(value: &Value) -> Vec<Cell> {
    let numbers = value.numbers("PackedInt32Array").unwrap_or_default();
    let cells = numbers.as_chunks::<3>().0.iter();
    let cells = cells.map(|cell| {
        let [place, source, tile] = cell.map(|number| (number as i64) as u32);
        let low = |v: u32| v & 0xffff;
        let place = [low(place), place >> 16].map(|v| i32::from((v as u16).cast_signed()));
        let atlas = [source >> 16, low(tile)];
        (place, (low(source), atlas, tile >> 16))
    });
    cells.collect()
}
