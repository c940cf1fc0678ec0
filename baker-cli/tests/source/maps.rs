//! Small maps in text, for the tests of this folder.

use glam::dvec2;

use baker_cli::source::LevelFile;
use baker_cli::source::{MemoryFiles, Rules, SourceError, read_bytes};
use navmesh_bake::{Collision, Material, PassDirection, Piece, Rect, Shape};

/// A tileset of plain 16-pixel tiles from id 1, with these `<tile>` elements.
pub(crate) fn tileset(tiles: &str) -> String {
    format!(
        r#"<tileset firstgid="1" name="tiles" tilewidth="16" tileheight="16" tilecount="32" columns="8">
<image source="tiles.png" width="128" height="64"/>{tiles}</tileset>"#
    )
}

/// A map of 16-pixel cells with this content.
pub(crate) fn map(columns: u32, rows: u32, content: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="{columns}" height="{rows}" tilewidth="16" tileheight="16" infinite="0">
{content}
</map>"#
    )
}

/// A tile layer in CSV.
pub(crate) fn layer(name: &str, columns: u32, rows: u32, cells: &str) -> String {
    format!(
        r#"<layer id="1" name="{name}" width="{columns}" height="{rows}"><data encoding="csv">{cells}</data></layer>"#
    )
}

/// A map of one layer of 16-pixel tiles, with these `<tile>` elements.
pub(crate) fn tile_map(columns: u32, rows: u32, tiles: &str, name: &str, cells: &str) -> String {
    let layer = layer(name, columns, rows, cells);
    map(columns, rows, &(tileset(tiles) + &layer))
}

/// An object layer.
pub(crate) fn objects(name: &str, objects: &str) -> String {
    format!(r#"<objectgroup id="2" name="{name}">{objects}</objectgroup>"#)
}

/// Reads a map without other files.
pub(crate) fn read(tmx: &str) -> Result<LevelFile, SourceError> {
    read_with(tmx, &[], &Rules::default())
}

/// Reads a map with other files and rules.
pub(crate) fn read_with(
    tmx: &str,
    files: &[(&str, &str)],
    rules: &Rules,
) -> Result<LevelFile, SourceError> {
    let mut memory = MemoryFiles::default();
    for (name, text) in files {
        memory.insert(*name, *text);
    }
    read_bytes("level.tmx", tmx.as_bytes(), &memory, rules)
}

pub(crate) fn pieces(level: &LevelFile) -> &[Piece] {
    match &level.collision {
        Collision::Shapes(pieces) => pieces,
        Collision::Pixels(_) => panic!("pixels from a map"),
    }
}

/// The pieces as material and shape.
pub(crate) fn shapes(level: &LevelFile) -> Vec<(Material, Shape)> {
    pieces(level)
        .iter()
        .map(|piece| (piece.material, piece.shape.clone()))
        .collect()
}

/// The collision in the middle of the cells of the first row, as in
/// [`rows::level`](crate::rows::level).
pub(crate) fn first_row(level: &LevelFile) -> String {
    let columns = (level.bounds.size().x / 16.0) as u32;
    let at = |column: u32| {
        let middle = dvec2(f64::from(column) * 16.0 + 8.0, 8.0);
        let holds = |piece: &&Piece| match &piece.shape {
            Shape::Box(rect) => rect.min.cmple(middle).all() && middle.cmple(rect.max).all(),
            Shape::Convex(_) => false,
        };
        match pieces(level).iter().find(holds).map(|piece| piece.material) {
            None => '.',
            Some(Material::Solid) => '#',
            Some(Material::Hazard) => '^',
            Some(Material::Ladder) => 'H',
            Some(Material::OneWay(PassDirection::Up)) => '-',
            Some(Material::OneWay(PassDirection::Down)) => 'v',
            Some(Material::OneWay(PassDirection::Left)) => '<',
            Some(Material::OneWay(PassDirection::Right)) => '>',
        }
    };
    (0..columns).map(at).collect()
}

pub(crate) fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Shape {
    Shape::Box(Rect::new(dvec2(left, top), dvec2(right, bottom)))
}

pub(crate) fn convex(points: &[(f64, f64)]) -> Shape {
    Shape::Convex(points.iter().map(|&(x, y)| dvec2(x, y)).collect())
}

/// The points of a shape, sorted, to compare outlines with different first
/// points.
pub(crate) fn sorted(shape: &Shape) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = match shape {
        Shape::Convex(points) => points.iter().map(|p| (p.x, p.y)).collect(),
        Shape::Box(rect) => vec![(rect.min.x, rect.min.y), (rect.max.x, rect.max.y)],
    };
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points
}

/// The message of the error that a map gives.
pub(crate) fn error(tmx: &str) -> String {
    match read(tmx) {
        Ok(_) => panic!("this map should not be read:\n{tmx}"),
        Err(error) => error.to_string(),
    }
}
