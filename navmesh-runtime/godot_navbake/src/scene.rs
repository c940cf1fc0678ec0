//! Reads the collision of a scene.

use std::collections::{BTreeMap, HashMap};

use godot::classes::{
    Area2D, CapsuleShape2D, CircleShape2D, CollisionObject2D, CollisionPolygon2D, CollisionShape2D,
    ConcavePolygonShape2D, ConvexPolygonShape2D, Marker2D, RectangleShape2D, SegmentShape2D,
    StaticBody2D, TileData, TileMapLayer, TileSet, collision_polygon_2d::BuildMode,
    tile_set::TileShape,
};
use godot::prelude::*;
use navmesh_bake::glam::DVec2;
use navmesh_bake::tools::{CellRect, merge_cells};
use navmesh_bake::{
    Collision, Level, LevelMarker, Material, PassDirection, Piece, Rect, Shape, ShapeError,
};

/// Flags of an alternative tile: `TileSetAtlasSource::TRANSFORM_FLIP_H`, `_FLIP_V` and
/// `_TRANSPOSE`.
const FLIP_H: i32 = 1 << 12;
const FLIP_V: i32 = 1 << 13;
const TRANSPOSE: i32 = 1 << 14;

/// The custom data layer of tile sets, and the prefix of groups, with what collision means.
const CUSTOM_DATA: &str = "navbake";

/// Corners of a circle, and of each end of a capsule.
const ROUND: usize = 16;

/// What of a scene counts.
pub struct Options {
    /// Index of the tile sets' physics layer.
    pub physics_layer: i32,
    /// Bodies on these layers of physics.
    pub collision_mask: u32,
    /// The level's extent in the region's coordinates; that of the collision if it has no
    /// area.
    pub bounds: Rect2,
}

/// Collects a level from nodes.
pub struct Reader {
    options: Options,
    /// From the world to the region.
    to_region: Transform2D,
    pieces: Vec<Piece>,
    origins: Vec<String>,
    markers: Vec<LevelMarker>,
    tile_size: Option<[u32; 2]>,
    extent: Option<Rect>,
    /// What was left out, for the console.
    pub warnings: Vec<String>,
}

/// A collision polygon of a tile, relative to the tile's centre.
struct TilePolygon {
    points: Vec<Vector2>,
    material: Material,
}

impl Reader {
    pub fn new(options: Options, to_region: Transform2D) -> Self {
        Self {
            options,
            to_region,
            pieces: Vec::new(),
            origins: Vec::new(),
            markers: Vec::new(),
            tile_size: None,
            extent: None,
            warnings: Vec::new(),
        }
    }

    /// Reads a node and all below it.
    pub fn read(&mut self, node: &Gd<Node>) {
        if let Ok(layer) = node.clone().try_cast::<TileMapLayer>() {
            self.tile_layer(&layer);
        } else if let Ok(body) = node.clone().try_cast::<CollisionObject2D>() {
            self.body(&body);
        } else if let Ok(marker) = node.clone().try_cast::<Marker2D>() {
            self.marker(&marker.upcast());
        }
        for child in node.get_children().iter_shared() {
            self.read(&child);
        }
    }

    /// The level that was read. Without bounds of its own, it has `room` around its
    /// collision, so that bodies can stand on the highest platform and jump from it.
    pub fn level(self, name: String, room: f64) -> Result<Level, String> {
        let Rect2 { position, size } = self.options.bounds;
        let bounds = if size.x > 0.0 && size.y > 0.0 {
            Rect::new(of(position), of(position + size))
        } else {
            let extent = self
                .extent
                .ok_or("there is no collision below the region")?;
            // Whole tiles keep the grid where the tiles are.
            let tile = self
                .tile_size
                .map_or(DVec2::ONE, |[x, y]| DVec2::new(x.into(), y.into()));
            let room = (DVec2::splat(room) / tile).ceil() * tile;
            Rect::new(extent.min - room, extent.max + room)
        };
        Ok(Level {
            source: name,
            bounds,
            tile_size: self.tile_size,
            collision: Collision::Shapes(self.pieces),
            origins: self.origins,
            markers: self.markers,
        })
    }

    fn warn(&mut self, node: &Gd<Node>, what: &str) {
        let warning = format!("{}: {what}", node.get_path());
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn origin(&mut self, node: &Gd<Node>) -> u32 {
        self.origins.push(node.get_path().to_string());
        self.origins.len() as u32 - 1
    }

    fn extend(&mut self, rect: Rect) {
        self.extent = Some(self.extent.map_or(rect, |extent| {
            Rect::new(extent.min.min(rect.min), extent.max.max(rect.max))
        }));
    }

    fn add(&mut self, shape: Shape, material: Material, origin: u32) {
        self.extend(shape.bounds());
        self.pieces.push(Piece {
            shape,
            material,
            origin,
        });
    }

    // Tiles

    fn tile_layer(&mut self, layer: &Gd<TileMapLayer>) {
        let node = layer.clone().upcast::<Node>();
        let Some(set) = layer.get_tile_set().filter(|_| layer.is_enabled()) else {
            return;
        };
        if set.get_tile_shape() != TileShape::SQUARE {
            return self.warn(&node, "only square tiles are read");
        }
        let physics = self.options.physics_layer;
        if physics >= set.get_physics_layers_count() && group_material(&node).is_none() {
            return;
        }
        let size = set.get_tile_size();
        self.tile_size
            .get_or_insert([size.x, size.y].map(i32::unsigned_abs));
        let has_data = set.get_custom_data_layer_by_name(CUSTOM_DATA) >= 0;
        let whole = group_material(&node);
        let transform = self.to_region * layer.get_global_transform();
        let origin = self.origin(&node);
        let used = layer.get_used_rect();
        let [from, to] = [used.position, used.position + used.size]
            .map(|cell| transform * (cell.to_vector2() * size.to_vector2()));
        if let Some(rect) = Rect::around([of(from), of(to)]) {
            self.extend(rect);
        }
        // Whole cells are merged to few boxes, by their material.
        let mut cells: BTreeMap<Material, Vec<(i32, i32)>> = BTreeMap::new();
        let mut known: HashMap<(i32, Vector2i, i32), Vec<TilePolygon>> = HashMap::new();
        let mut found = Vec::new();
        for cell in layer.get_used_cells().iter_shared() {
            let tile = (
                layer.get_cell_source_id(cell),
                layer.get_cell_atlas_coords(cell),
                layer.get_cell_alternative_tile(cell),
            );
            let polygons = known.entry((tile.0, tile.1, tile.2)).or_insert_with(|| {
                let data = layer.get_cell_tile_data(cell);
                data.map_or_else(Vec::new, |data| {
                    tile_polygons(&data, &set, physics, tile.2, has_data, whole)
                })
            });
            for polygon in polygons {
                if is_whole_cell(&polygon.points, size) {
                    cells
                        .entry(polygon.material)
                        .or_default()
                        .push((cell.y, cell.x));
                    continue;
                }
                let center = layer.map_to_local(cell);
                let points: Vec<Vector2> = polygon
                    .points
                    .iter()
                    .map(|&at| transform * (center + at))
                    .collect();
                found.push((shapes(&points), polygon.material));
            }
        }
        for (shapes, material) in found {
            self.add_all(&node, shapes, turned(material, transform), origin);
        }
        for (material, cells) in cells {
            let (across, down) = material.merges();
            for rect in merge_cells(cells, across, down) {
                let CellRect {
                    left,
                    right,
                    top,
                    bottom,
                } = rect;
                let corners =
                    [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| {
                        transform * (Vector2i::new(x, y).to_vector2() * size.to_vector2())
                    });
                self.add_all(&node, shapes(&corners), turned(material, transform), origin);
            }
        }
    }

    // Bodies

    fn body(&mut self, body: &Gd<CollisionObject2D>) {
        let node = body.clone().upcast::<Node>();
        let of_group = group_material(&node);
        let is_static = body.clone().try_cast::<StaticBody2D>().is_ok();
        let is_area = body.clone().try_cast::<Area2D>().is_ok();
        if let Some(class) = group_class(&node).filter(|_| is_area) {
            let rect = self.area_of(body);
            return self.add_marker(&node, class, rect);
        }
        let is_level = is_static && body.get_collision_layer() & self.options.collision_mask != 0;
        let Some(material) = of_group.or_else(|| is_level.then_some(Material::Solid)) else {
            return;
        };
        let origin = self.origin(&node);
        for child in body.get_children().iter_shared() {
            self.shape_node(&child, material, origin);
        }
    }

    /// A `CollisionShape2D` or `CollisionPolygon2D` of a body.
    fn shape_node(&mut self, node: &Gd<Node>, material: Material, origin: u32) {
        if let Ok(polygon) = node.clone().try_cast::<CollisionPolygon2D>() {
            if polygon.is_disabled() {
                return;
            }
            let transform = self.to_region * polygon.get_global_transform();
            let material = one_way(material, polygon.is_one_way_collision_enabled(), transform);
            let points: Vec<Vector2> = polygon
                .get_polygon()
                .as_slice()
                .iter()
                .map(|&at| transform * at)
                .collect();
            let is_line = polygon.get_build_mode() == BuildMode::SEGMENTS;
            let found = if is_line {
                outline(&points)
            } else {
                shapes(&points)
            };
            self.add_all(node, found, material, origin);
        } else if let Ok(shape) = node.clone().try_cast::<CollisionShape2D>() {
            if shape.is_disabled() {
                return;
            }
            let transform = self.to_region * shape.get_global_transform();
            let material = one_way(material, shape.is_one_way_collision_enabled(), transform);
            match points_of(&shape) {
                Some((points, true)) => {
                    let points: Vec<Vector2> = points.iter().map(|&at| transform * at).collect();
                    self.add_all(node, shapes(&points), material, origin);
                }
                Some((points, false)) => {
                    for pair in points.chunks_exact(2) {
                        let ends = [of(transform * pair[0]), of(transform * pair[1])];
                        self.add_all(node, Shape::polyline(&ends), material, origin);
                    }
                }
                None => self.warn(node, "a shape of this kind is not read"),
            }
        }
    }

    fn add_all(
        &mut self,
        node: &Gd<Node>,
        found: Result<Vec<Shape>, ShapeError>,
        material: Material,
        origin: u32,
    ) {
        match found {
            Ok(shapes) => shapes
                .into_iter()
                .for_each(|shape| self.add(shape, material, origin)),
            Err(error) => self.warn(node, &format!("it is left out: {error}")),
        }
    }

    // Markers

    /// The box around the shapes of an area.
    fn area_of(&self, body: &Gd<CollisionObject2D>) -> Rect {
        let mut points = Vec::new();
        for child in body.get_children().iter_shared() {
            if let Ok(shape) = child.try_cast::<CollisionShape2D>() {
                let transform = self.to_region * shape.get_global_transform();
                let corners = points_of(&shape).unwrap_or_default().0;
                points.extend(corners.iter().map(|&at| of(transform * at)));
            }
        }
        let at = of(self.to_region * body.get_global_position());
        Rect::around(points).unwrap_or(Rect::new(at, at))
    }

    fn marker(&mut self, node: &Gd<Node2D>) {
        let at = of(self.to_region * node.get_global_position());
        let node = node.clone().upcast::<Node>();
        if let Some(class) = group_class(&node) {
            self.add_marker(&node, class, Rect::new(at, at));
        }
    }

    /// A marker, with the node's metadata as its properties.
    fn add_marker(&mut self, node: &Gd<Node>, class: String, area: Rect) {
        let mut properties: Vec<(String, String)> = (node.get_meta_list().iter_shared())
            .map(|name| (name.to_string(), node.get_meta(&name).to_string()))
            .filter(|(name, _)| !name.starts_with('_'))
            .collect();
        properties.sort();
        self.markers.push(LevelMarker {
            class,
            name: node.get_name().to_string(),
            area,
            properties,
        });
    }
}

/// The polygons of a tile, as its cell has them: flipped, and with their material.
fn tile_polygons(
    data: &Gd<TileData>,
    set: &Gd<TileSet>,
    physics: i32,
    alternative: i32,
    has_data: bool,
    whole: Option<Material>,
) -> Vec<TilePolygon> {
    let word = if has_data {
        data.get_custom_data(CUSTOM_DATA).to_string()
    } else {
        String::new()
    };
    let of_tile = material_of(&word);
    if word == "empty" {
        return Vec::new();
    }
    let count = if physics < set.get_physics_layers_count() {
        data.get_collision_polygons_count(physics)
    } else {
        0
    };
    let material = of_tile.or(whole);
    if count == 0 {
        let half = set.get_tile_size().to_vector2() * 0.5;
        return material.map_or_else(Vec::new, |material| {
            let points = vec![
                -half,
                Vector2::new(half.x, -half.y),
                half,
                Vector2::new(-half.x, half.y),
            ];
            vec![TilePolygon { points, material }]
        });
    }
    let polygon = |index| TilePolygon {
        points: (data
            .get_collision_polygon_points(physics, index)
            .as_slice()
            .iter())
        .map(|&at| flipped(at, alternative))
        .collect(),
        // Flips do not turn the direction of one-way tiles: Godot passes them upwards.
        material: if data.is_collision_polygon_one_way(physics, index) {
            Material::OneWay(PassDirection::Up)
        } else {
            material.unwrap_or(Material::Solid)
        },
    };
    (0..count).map(polygon).collect()
}

/// A point of a tile as an alternative of the tile has it.
fn flipped(at: Vector2, alternative: i32) -> Vector2 {
    let [x, y] = if alternative & TRANSPOSE == 0 {
        [at.x, at.y]
    } else {
        [at.y, at.x]
    };
    let [h, v] = [FLIP_H, FLIP_V].map(|flag| if alternative & flag == 0 { 1.0 } else { -1.0 });
    Vector2::new(h * x, v * y)
}

/// A material by its word, in custom data or as the end of a group.
fn material_of(word: &str) -> Option<Material> {
    match word {
        "solid" => Some(Material::Solid),
        "one_way" => Some(Material::OneWay(PassDirection::Up)),
        "hazard" => Some(Material::Hazard),
        "ladder" => Some(Material::Ladder),
        _ => None,
    }
}

/// The words of the groups `navbake_…` of a node.
fn words(node: &Gd<Node>) -> Vec<String> {
    let groups = node.get_groups();
    let words = groups.iter_shared().filter_map(|group| {
        let group = group.to_string();
        group.strip_prefix("navbake_").map(str::to_owned)
    });
    words.collect()
}

fn group_material(node: &Gd<Node>) -> Option<Material> {
    words(node).iter().find_map(|word| material_of(word))
}

/// The class of a marker: `navbake_spawn` is a spawn.
fn group_class(node: &Gd<Node>) -> Option<String> {
    words(node)
        .into_iter()
        .find(|word| material_of(word).is_none())
}

/// The material of a shape with one-way collision.
fn one_way(material: Material, is_one_way: bool, transform: Transform2D) -> Material {
    if is_one_way && material == Material::Solid {
        turned(Material::OneWay(PassDirection::Up), transform)
    } else {
        material
    }
}

/// A material that is passed upwards is passed in the direction to which its node turns up.
fn turned(material: Material, transform: Transform2D) -> Material {
    if material != Material::OneWay(PassDirection::Up) {
        return material;
    }
    let up = transform.basis_xform(Vector2::UP);
    Material::OneWay(if up.x.abs() > up.y.abs() {
        if up.x > 0.0 {
            PassDirection::Right
        } else {
            PassDirection::Left
        }
    } else if up.y < 0.0 {
        PassDirection::Up
    } else {
        PassDirection::Down
    })
}

/// The outline of a shape, and whether it is filled; the others are pairs of ends of
/// segments.
fn points_of(node: &Gd<CollisionShape2D>) -> Option<(Vec<Vector2>, bool)> {
    let shape = node.get_shape()?;
    let shape = match shape.try_cast::<RectangleShape2D>() {
        Ok(rectangle) => {
            let half = rectangle.get_size() * 0.5;
            let points = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let points = points.map(|(x, y)| half * Vector2::new(x, y));
            return Some((points.to_vec(), true));
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<ConvexPolygonShape2D>() {
        Ok(convex) => return Some((convex.get_points().to_vec(), true)),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CircleShape2D>() {
        Ok(circle) => return Some((round(circle.get_radius(), 0.0), true)),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CapsuleShape2D>() {
        Ok(capsule) => {
            let straight = capsule.get_height() * 0.5 - capsule.get_radius();
            return Some((round(capsule.get_radius(), straight), true));
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<SegmentShape2D>() {
        Ok(segment) => return Some((vec![segment.get_a(), segment.get_b()], false)),
        Err(shape) => shape,
    };
    let concave = shape.try_cast::<ConcavePolygonShape2D>().ok()?;
    Some((concave.get_segments().to_vec(), false))
}

/// The outline of a circle, or of a capsule whose ends are `straight` above and below.
fn round(radius: f32, straight: f32) -> Vec<Vector2> {
    let corner = |i: usize| {
        let angle = std::f32::consts::TAU * (i as f32 + 0.5) / ROUND as f32;
        let at = Vector2::new(angle.cos(), angle.sin()) * radius;
        at + Vector2::new(0.0, straight.copysign(at.y))
    };
    (0..ROUND).map(corner).collect()
}

/// Whether a polygon of a tile is the square of its cell.
fn is_whole_cell(points: &[Vector2], size: Vector2i) -> bool {
    let half = size.to_vector2() * 0.5;
    points.len() == 4
        && points.iter().all(|at| at.abs() == half)
        && Rect::around(points.iter().map(|&at| of(at))) == Some(Rect::new(of(-half), of(half)))
}

/// The convex pieces of an outline, as a box where it is one.
fn shapes(points: &[Vector2]) -> Result<Vec<Shape>, ShapeError> {
    let points: Vec<DVec2> = points.iter().map(|&at| of(at)).collect();
    if let Some(rect) = Rect::around(points.iter().copied())
        && points.len() == 4
        && rect.corners().iter().all(|corner| points.contains(corner))
    {
        return Ok(vec![Shape::Box(rect)]);
    }
    Shape::polygon(&points)
}

/// The edges of an outline, as thin walls.
fn outline(points: &[Vector2]) -> Result<Vec<Shape>, ShapeError> {
    let mut points: Vec<DVec2> = points.iter().map(|&at| of(at)).collect();
    points.extend(points.first().copied());
    Shape::polyline(&points)
}

fn of(at: Vector2) -> DVec2 {
    DVec2::new(f64::from(at.x), f64::from(at.y))
}
