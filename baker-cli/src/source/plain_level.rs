//! Levels whose files say what everything in them is, so that nothing is guessed.

use std::collections::BTreeMap;

use glam::DVec2;

use super::error::{Fault, SourceError};
use super::level_file::{InputFile, LevelFile};
use super::marker_classes::recipe_of;
use super::shapes;
use navmesh_bake::tools::{check_range, merge_cells};
use navmesh_bake::{Collision, Level, LevelMarker, Material, Piece, Rect, Shape};

/// The most corners of all shapes of a level together. They take 256 MiB.
const MAX_CORNERS: usize = 1 << 24;

/// Agents stand on a floor that is lower than the upper edge of the level. With this room
/// above it, pixels, the highest floor is one.
const ROOM: f64 = 1.0;

/// A level under construction.
pub struct PlainLevel<'a> {
    file: &'a str,
    pieces: Vec<Piece>,
    origins: Vec<String>,
    markers: Vec<LevelMarker>,
    corners: usize,
    /// How many cells and shapes there are of each material.
    counts: BTreeMap<Material, u64>,
    pub warnings: Vec<String>,
}

impl<'a> PlainLevel<'a> {
    /// A level without anything in it. `file` is its file, for messages.
    pub const fn new(file: &'a str) -> Self {
        Self {
            file,
            pieces: Vec::new(),
            origins: Vec::new(),
            markers: Vec::new(),
            corners: 0,
            counts: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds cells of this size, given as (row, column) from a corner.
    pub fn add_cells(
        &mut self,
        origin: String,
        line: Option<u32>,
        material: Material,
        cells: Vec<(i32, i32)>,
        [corner, size]: [DVec2; 2],
    ) -> Result<(), Fault> {
        *self.counts.entry(material).or_default() += cells.len() as u64;
        let (across, down) = material.merges();
        let boxes = merge_cells(cells, across, down).into_iter().map(|block| {
            let from = DVec2::new(block.left.into(), block.top.into());
            let to = DVec2::new(block.right.into(), block.bottom.into());
            Shape::Box(Rect::new(corner + from * size, corner + to * size))
        });
        self.add(origin, line, material, boxes.collect())
    }

    /// Adds the shapes of one object.
    pub fn add_shapes(
        &mut self,
        origin: String,
        line: Option<u32>,
        material: Material,
        shapes: Vec<Shape>,
    ) -> Result<(), Fault> {
        *self.counts.entry(material).or_default() += 1;
        self.add(origin, line, material, shapes)
    }

    fn add(
        &mut self,
        origin: String,
        line: Option<u32>,
        material: Material,
        shapes: Vec<Shape>,
    ) -> Result<(), Fault> {
        let number = self.origins.len() as u32;
        for mut shape in shapes {
            let corners = shape.corners();
            self.corners += corners.len();
            if self.corners > MAX_CORNERS {
                let problem = format!("with it the level has more than {MAX_CORNERS} corners");
                return Err(Fault::at(
                    self.file,
                    line,
                    &origin,
                    problem,
                    "split the level",
                ));
            }
            check_range(&corners).map_err(|error| {
                let advice = "move it nearer to the origin";
                Fault::at(self.file, line, &origin, error.to_string(), advice)
            })?;
            // Agents climb straight up.
            if material == Material::Ladder {
                shape = Shape::Box(shape.bounds());
            }
            self.pieces.push(Piece {
                shape,
                material,
                origin: number,
            });
        }
        self.origins.push(origin);
        Ok(())
    }

    /// Adds a marker. It gets its number as the property `id`, unless it has one.
    pub fn add_marker(
        &mut self,
        class: &str,
        name: &str,
        area: Rect,
        mut properties: BTreeMap<String, String>,
    ) {
        if let Some(recipe) = recipe_of(class) {
            let warning = format!("{}: {recipe}", self.file);
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        let id = (self.markers.len() + 1).to_string();
        properties.entry("id".to_owned()).or_insert(id);
        self.markers.push(LevelMarker {
            class: class.to_owned(),
            name: name.to_owned(),
            area,
            properties: properties.into_iter().collect(),
        });
    }

    /// The finished level. Without bounds, it is as large as what is in it, in whole cells.
    pub fn finish(
        mut self,
        bounds: Option<Rect>,
        tile_size: Option<[u32; 2]>,
        inputs: Vec<InputFile>,
    ) -> Result<LevelFile, SourceError> {
        let used = self.pieces.iter().flat_map(|piece| {
            let Rect { min, max } = piece.shape.bounds();
            [min - DVec2::Y * ROOM, max]
        });
        let marked = self.markers.iter().flat_map(|m| [m.area.min, m.area.max]);
        let cell = tile_size.map_or(DVec2::ONE, |size| size.map(f64::from).into());
        let around = Rect::around(used.chain(marked)).map(|Rect { min, max }| {
            Rect::new((min / cell).floor() * cell, (max / cell).ceil() * cell)
        });
        let Some(bounds) = bounds.or(around) else {
            let problem = "there is nothing in the level";
            return Err(Fault::of_file(self.file, problem, "").into());
        };
        let is_empty = bounds.size().min_element() <= 0.0;
        if is_empty || check_range(&[bounds.min, bounds.max]).is_err() {
            let size = bounds.size();
            let problem = format!("the level is {} x {} pixels", size.x, size.y);
            return Err(Fault::of_file(self.file, problem, "check its size").into());
        }
        if !self.pieces.iter().any(|piece| piece.material.carries()) {
            let problem = "nothing is solid, so there is nothing to stand on";
            self.warnings.push(format!("{}: {problem}", self.file));
        }
        shapes::clip(&mut self.pieces, bounds);
        let counts = self.counts.iter();
        let counts: Vec<String> = counts
            .map(|(material, number)| format!("{number} {}", material.name()))
            .collect();
        let source = self.file.rsplit('/').next().unwrap_or(self.file).to_owned();
        let level = Level {
            source,
            bounds,
            tile_size,
            collision: Collision::Shapes(self.pieces),
            origins: self.origins,
            markers: self.markers,
        };
        let markers = level.markers.len();
        let mut file = LevelFile::new(level, inputs);
        let counts = counts.join(", ");
        file.decisions = vec![format!("cells and shapes: {counts}; markers: {markers}")];
        file.warnings = self.warnings;
        Ok(file)
    }
}
