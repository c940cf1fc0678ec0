//! Reads the collision of a scene.

use std::collections::{BTreeMap, HashMap};

use godot::classes::{
    CollisionObject2D, CollisionPolygon2D, CollisionShape2D, Marker2D, Path2D, SegmentShape2D,
    Shape2D, TileData, TileMapLayer, TileSet, collision_polygon_2d::BuildMode, tile_set::TileShape,
};
use godot::prelude::*;
use navmesh_bake::glam::DVec2;
use navmesh_bake::tools::{CellRect, POINTS, merge_cells};
use navmesh_bake::{
    Collision, Level, LevelMarker, Material, PassDirection, Piece, Rect, Shape, ShapeError,
};
use navmesh_runtime::mesh::{MarkerKind, marker_kind};

use crate::to_godot;

/// Flags of an alternative tile: `TileSetAtlasSource::TRANSFORM_FLIP_H` and so on.
const FLIP_H: i32 = 1 << 12;
const FLIP_V: i32 = 1 << 13;
const TRANSPOSE: i32 = 1 << 14;

/// The custom data layer of tile sets, and the prefix of groups, with what collision means.
const CUSTOM_DATA: &str = "navbake";

/// Metadata: where a body that moves was at first, global.
pub const HOME: &str = "_navbake_home";

/// Collects a level from nodes.
#[derive(Default)]
pub struct Reader {
    /// Index of the tile sets' physics layer.
    pub physics_layer: i32,
    /// Bodies on these layers of physics.
    pub collision_mask: u32,
    /// The level's extent in the region; that of the collision if it has no area.
    pub bounds: Rect2,
    /// From the world to the region.
    pub to_region: Transform2D,
    pub pieces: Vec<Piece>,
    pub origins: Vec<String>,
    pub markers: Vec<LevelMarker>,
    pub tile_size: Option<[u32; 2]>,
    pub extent: Option<Rect>,
    /// What was left out, for the console.
    pub warnings: Vec<String>,
}

/// The class and the properties of a tile that is a marker.
type TileMarker = (String, Vec<(String, String)>);

/// A collision polygon of a tile, relative to the tile's centre.
type TilePolygon = (Vec<Vector2>, Material);

impl Reader {
    /// Reads a node and all below it.
    pub fn read(&mut self, node: &Gd<Node>) {
        if let Ok(layer) = node.clone().try_cast::<TileMapLayer>() {
            self.tile_layer(&layer);
        } else if let Ok(body) = node.clone().try_cast::<CollisionObject2D>() {
            self.body(&body);
        } else if let Ok(marker) = node.clone().try_cast::<Marker2D>() {
            self.marker(node, &[marker.get_global_position()]);
        } else if let Ok(path) = node.clone().try_cast::<Path2D>() {
            let transform = path.get_global_transform();
            let line = path.get_curve().map(|curve| curve.tessellate());
            let line = line.unwrap_or_default();
            let line: Vec<Vector2> = line.as_slice().iter().map(|&at| transform * at).collect();
            self.marker(node, &line);
        }
        for child in node.get_children().iter_shared() {
            self.read(&child);
        }
    }

    /// The level that was read. Without bounds of its own, it has `room` around its
    /// collision, so that bodies can stand on the highest platform and jump from it.
    pub fn level(self, name: String, room: f64) -> Result<Level, String> {
        let Rect2 { position, size } = self.bounds;
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
        let warning = format!("{}: {what}", path_of(node));
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn origin(&mut self, node: &Gd<Node>) -> u32 {
        self.origins.push(path_of(node));
        self.origins.len() as u32 - 1
    }

    fn extend(&mut self, rect: Rect) {
        self.extent = Some(self.extent.map_or(rect, |extent| {
            Rect::new(extent.min.min(rect.min), extent.max.max(rect.max))
        }));
    }

    fn tile_layer(&mut self, layer: &Gd<TileMapLayer>) {
        let node = layer.clone().upcast::<Node>();
        let Some(set) = layer.get_tile_set().filter(|_| layer.is_enabled()) else {
            return;
        };
        if set.get_tile_shape() != TileShape::SQUARE {
            return self.warn(&node, "only square tiles are read");
        }
        let physics = self.physics_layer;
        let whole = group_material(&node);
        let has_data = set.get_custom_data_layer_by_name(CUSTOM_DATA) >= 0;
        if physics >= set.get_physics_layers_count() && whole.is_none() && !has_data {
            return;
        }
        let size = set.get_tile_size();
        let tile = [size.x, size.y].map(i32::unsigned_abs);
        self.tile_size.get_or_insert(tile);
        let transform = self.to_region * layer.get_global_transform();
        let origin = self.origin(&node);
        let Rect2i {
            position,
            size: used,
        } = layer.get_used_rect();
        let used = [position, position + used].map(|at| of(transform * (at * size).to_vector2()));
        if let Some(rect) = Rect::around(used) {
            self.extend(rect);
        }
        // Whole cells are merged to few boxes, by their material, and regions to few markers.
        let mut cells: BTreeMap<Material, Vec<(i32, i32)>> = BTreeMap::new();
        let mut markers: BTreeMap<TileMarker, Vec<(i32, i32)>> = BTreeMap::new();
        let mut known = HashMap::<_, (Vec<TilePolygon>, Option<TileMarker>)>::new();
        let mut found = Vec::new();
        for cell in layer.get_used_cells().iter_shared() {
            let tile = (
                layer.get_cell_source_id(cell),
                layer.get_cell_atlas_coords(cell),
                layer.get_cell_alternative_tile(cell),
            );
            let (polygons, marker) = known.entry(tile).or_insert_with(|| {
                let Some(data) = layer.get_cell_tile_data(cell) else {
                    return Default::default();
                };
                let word = has_data.then(|| data.get_custom_data(CUSTOM_DATA).to_string());
                let word = word.unwrap_or_default();
                if word.is_empty() || word == "empty" || material_of(&word).is_some() {
                    let found = tile_polygons(&data, &set, physics, tile.2, &word, whole);
                    return (found, None);
                }
                (Vec::new(), Some(tile_marker(&data, &set, word)))
            });
            if let Some(marker) = marker {
                let cells = markers.entry(marker.clone()).or_default();
                cells.push((cell.y, cell.x));
            }
            for (points, material) in polygons {
                if is_whole_cell(points, size) {
                    let cells = cells.entry(*material).or_default();
                    cells.push((cell.y, cell.x));
                    continue;
                }
                let center = layer.map_to_local(cell);
                let points = points.iter().map(|&at| transform * (center + at));
                let points: Vec<Vector2> = points.collect();
                found.push((shapes(&points), *material));
            }
        }
        for (shapes, material) in found {
            self.add_all(&node, shapes, turned(material, transform), origin);
        }
        for (material, cells) in cells {
            let (across, down) = material.merges();
            for rect in merge_cells(cells, across, down) {
                let corners = cell_corners(&rect, size).map(|at| transform * at);
                self.add_all(&node, shapes(&corners), turned(material, transform), origin);
            }
        }
        let name = node.get_name().to_string();
        for ((class, properties), cells) in markers {
            let kind = marker_kind(&class);
            let is_joined = kind != MarkerKind::Spawn && kind != MarkerKind::Waypoint;
            for rect in merge_cells(cells, is_joined, is_joined) {
                let corners = cell_corners(&rect, size).map(|at| of(transform * at));
                if let Some(area) = Rect::around(corners) {
                    self.add_marker(class.clone(), name.clone(), area, properties.clone());
                }
            }
        }
    }

    fn body(&mut self, body: &Gd<CollisionObject2D>) {
        let node = body.clone().upcast::<Node>();
        if group_class(&node).is_some() {
            let home = (node.has_meta(HOME)).then(|| node.get_meta(HOME).to::<Vector2>());
            let moved = home.map_or(Vector2::ZERO, |at| at - body.get_global_position());
            let corners = corners_of(body).into_iter().map(|at| at + moved);
            return self.marker(&node, &corners.collect::<Vec<_>>());
        }
        let of_group = group_material(&node);
        if of_group.is_none() && body.is_class("AnimatableBody2D") {
            return self.warn(
                &node,
                "it moves: use navbake_moving_platform or navbake_solid",
            );
        }
        let is_level =
            body.is_class("StaticBody2D") && body.get_collision_layer() & self.collision_mask != 0;
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
        let is_shape = ["CollisionShape2D", "CollisionPolygon2D"].map(|class| node.is_class(class));
        if is_shape == [false; 2] || node.get("disabled").booleanize() {
            return;
        }
        let Some((points, is_filled)) = points_of(node) else {
            return self.warn(node, "a shape of this kind is not read");
        };
        let points: Vec<Vector2> = points.iter().map(|&at| self.to_region * at).collect();
        let is_one_way = node.get("one_way_collision").booleanize();
        let material = one_way(material, is_one_way, self.to_region * transform_of(node));
        if is_filled {
            return self.add_all(node, shapes(&points), material, origin);
        }
        for pair in points.chunks_exact(2) {
            let ends = [of(pair[0]), of(pair[1])];
            self.add_all(node, Shape::polyline(&ends), material, origin);
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
            Ok(shapes) => {
                for shape in shapes {
                    self.extend(shape.bounds());
                    let piece = Piece {
                        shape,
                        material,
                        origin,
                    };
                    self.pieces.push(piece);
                }
            }
            Err(error) => self.warn(node, &format!("it is left out: {error}")),
        }
    }

    /// A node that is a marker, with a place, corners or a line; its metadata are properties.
    fn marker(&mut self, node: &Gd<Node>, points: &[Vector2]) {
        let points = points.iter().map(|&at| of(self.to_region * at));
        let points: Vec<DVec2> = points.collect();
        let (Some(class), Some(area)) = (group_class(node), Rect::around(points.iter().copied()))
        else {
            return;
        };
        let mut properties: Vec<(String, String)> = (node.get_meta_list().iter_shared())
            .map(|name| (name.to_string(), node.get_meta(&name).to_string()))
            .filter(|(name, _)| !name.starts_with('_'))
            .collect();
        if node.is_class("Path2D") {
            let points = points.iter().map(|at| format!("{},{}", at.x, at.y));
            let points: Vec<String> = points.collect();
            properties.push((POINTS.to_owned(), points.join(" ")));
        }
        self.add_marker(class, node.get_name().to_string(), area, properties);
    }

    fn add_marker(
        &mut self,
        class: String,
        name: String,
        area: Rect,
        mut properties: Vec<(String, String)>,
    ) {
        properties.sort();
        self.markers.push(LevelMarker {
            class,
            name,
            area,
            properties,
        });
    }
}

/// The corners of the shapes of a body, in the world; its place if it has none.
fn corners_of(body: &Gd<CollisionObject2D>) -> Vec<Vector2> {
    let children = body.get_children();
    let corners = children.iter_shared().filter_map(|child| points_of(&child));
    let corners: Vec<Vector2> = corners.flat_map(|(points, _)| points).collect();
    if corners.is_empty() {
        return vec![body.get_global_position()];
    }
    corners
}

/// The polygons of a tile, as its cell has them: flipped, and with their material.
fn tile_polygons(
    data: &Gd<TileData>,
    set: &Gd<TileSet>,
    physics: i32,
    alternative: i32,
    word: &str,
    whole: Option<Material>,
) -> Vec<TilePolygon> {
    if word == "empty" {
        return Vec::new();
    }
    let material = material_of(word).or(whole);
    let count = if physics < set.get_physics_layers_count() {
        data.get_collision_polygons_count(physics)
    } else {
        0
    };
    if count == 0 {
        let size = set.get_tile_size().to_vector2();
        let points = corners(Rect2::new(-size * 0.5, size)).to_vec();
        return material.map_or_else(Vec::new, |material| vec![(points, material)]);
    }
    let mut polygons = Vec::new();
    for index in 0..count {
        let points = data.get_collision_polygon_points(physics, index);
        let points = points.as_slice().iter().map(|&at| flipped(at, alternative));
        // Flips do not turn the direction of one-way tiles: Godot passes them upwards.
        let is_one_way = data.is_collision_polygon_one_way(physics, index);
        let one_way = is_one_way.then_some(Material::OneWay(PassDirection::Up));
        polygons.push((
            points.collect(),
            one_way.or(material).unwrap_or(Material::Solid),
        ));
    }
    polygons
}

/// A tile that is a marker: its other custom data are the properties.
fn tile_marker(data: &Gd<TileData>, set: &Gd<TileSet>, class: String) -> TileMarker {
    let names = (0..set.get_custom_data_layers_count()).map(|i| set.get_custom_data_layer_name(i));
    let names = names.filter(|name| *name != CUSTOM_DATA);
    let properties = names.map(|name| (name.to_string(), data.get_custom_data(&name).to_string()));
    (class, properties.collect())
}

fn cell_corners(rect: &CellRect, size: Vector2i) -> [Vector2; 4] {
    let from = Vector2i::new(rect.left, rect.top) * size;
    let to = Vector2i::new(rect.right, rect.bottom) * size;
    corners(Rect2::new(from.to_vector2(), (to - from).to_vector2()))
}

fn corners(rect: Rect2) -> [Vector2; 4] {
    let (from, to) = (rect.position, rect.end());
    [
        from,
        Vector2::new(to.x, from.y),
        to,
        Vector2::new(from.x, to.y),
    ]
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
    let mut words = words(node).into_iter();
    words.find(|word| material_of(word).is_none())
}

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
    Material::OneWay(match (up.x.abs() > up.y.abs(), up.x > 0.0, up.y < 0.0) {
        (true, true, _) => PassDirection::Right,
        (true, false, _) => PassDirection::Left,
        (false, _, true) => PassDirection::Up,
        (false, _, false) => PassDirection::Down,
    })
}

/// The outline of a filled shape in the world, or the ends of segments, and whether it is filled.
fn points_of(node: &Gd<Node>) -> Option<(Vec<Vector2>, bool)> {
    let (points, is_filled) = match node.clone().try_cast::<CollisionPolygon2D>() {
        Ok(polygon) => {
            let points = polygon.get_polygon().to_vec();
            if polygon.get_build_mode() == BuildMode::SOLIDS {
                (points, true)
            } else {
                let ends = points.iter().zip(points.iter().cycle().skip(1));
                (ends.flat_map(|(&from, &to)| [from, to]).collect(), false)
            }
        }
        Err(node) => points_of_shape(node.try_cast::<CollisionShape2D>().ok()?.get_shape()?)?,
    };
    let transform = transform_of(node);
    let points = points.into_iter().map(|at| transform * at);
    Some((points.collect(), is_filled))
}

fn points_of_shape(shape: Gd<Shape2D>) -> Option<(Vec<Vector2>, bool)> {
    let is_filled = !shape.is_class("SegmentShape2D") && !shape.is_class("ConcavePolygonShape2D");
    let points = if shape.is_class("RectangleShape2D") {
        corners(shape.get_rect()).to_vec()
    } else if shape.is_class("CircleShape2D") || shape.is_class("CapsuleShape2D") {
        let Rect2 { position, size } = shape.get_rect();
        let round = Shape::capsule(Rect::new(of(position), of(position + size)));
        let corners = round.ok()?.corners();
        corners
            .into_iter()
            .map(|at| to_godot(at.as_vec2()))
            .collect()
    } else if let Ok(segment) = shape.clone().try_cast::<SegmentShape2D>() {
        vec![segment.get_a(), segment.get_b()]
    } else {
        let key = if is_filled { "points" } else { "segments" };
        shape.get(key).try_to::<PackedVector2Array>().ok()?.to_vec()
    };
    Some((points, is_filled))
}

/// The path of a node; its name where `bake.gd` reads it, outside of a tree.
fn path_of(node: &Gd<Node>) -> String {
    let path = node.is_inside_tree().then(|| node.get_path().to_string());
    path.unwrap_or_else(|| node.get_name().to_string())
}

fn transform_of(node: &Gd<Node>) -> Transform2D {
    let place = node.clone().try_cast::<Node2D>();
    place.map_or(Transform2D::IDENTITY, |place| place.get_global_transform())
}

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

fn of(at: Vector2) -> DVec2 {
    DVec2::new(f64::from(at.x), f64::from(at.y))
}
