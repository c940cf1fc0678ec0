//! A level of LDtk's super simple export: a folder with `data.json`, a CSV file
//! for each IntGrid layer, and pictures.

use crate::source::level_file::LevelFile;
use std::cmp::Reverse;
use std::path::Path;

use glam::{DAffine2, DVec2};

use super::definitions::Values;
use super::layers::{Grid, LevelReader, cells_by_value, coordinate, new_layer, size};
use super::project::SAVE_AGAIN;
use crate::source::classify::{Extent, LayerKind, LevelBuilder};
use crate::source::error::{Fault, SourceError};
use crate::source::files::{LevelBytes, check_size, input, resolve};
use crate::source::json::{parse, whole};
use crate::source::limits::{MAX_CELLS, MAX_FILE_BYTES, MAX_TILE_SIDE};
use crate::source::picture::{PLAIN, Picture};
use crate::source::rule::Rules;
use crate::source::text::{TextFile, shorten};
use navmesh_bake::Rect;

/// How far into a file the key `uniqueIdentifer` is looked for. It is the second
/// member, so only the name of the level is before it.
const HEAD: usize = 4096;

/// The most CSV files in a level's folder.
const MAX_LAYERS: usize = 256;

/// Whether a JSON file is a level of this export. The spelling is LDtk's.
pub fn is_super_simple(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let key = b"\"uniqueIdentifer\"";
    head.windows(key.len()).any(|window| window == key)
}

/// Draws the picture of all layers.
#[expect(clippy::unnecessary_wraps, reason = "other formats can fail")]
pub fn draw(name: &str, _: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let path = resolve(name, "_composite.png").unwrap_or_default();
    if let Some(image) = picture.load(&path, None) {
        let part = [0, 0, image.width(), image.height()];
        picture.draw(&image, part, &DAffine2::IDENTITY, PLAIN);
    }
    Ok(())
}

pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let text = TextFile::new(name, bytes, SAVE_AGAIN)?;
    let level = parse(&text)?;
    let size = size(&level, "", ["width", "height"])?;
    let mut inputs = vec![input(files, name)];
    let mut builder = LevelBuilder::new(name, rules);
    let no_values = Values::new();
    let mut reader = LevelReader::new(&mut builder, &no_values);
    let names = files
        .list()
        .map_err(|error| SourceError::io(name, None, error))?;
    let is_csv = |name: &&String| Path::new(name).extension().is_some_and(|e| e == "csv");
    let files_of_layers: Vec<_> = names.iter().filter(is_csv).collect();
    let number = files_of_layers.len();
    if number > MAX_LAYERS {
        let problem = format!("its folder has {number} CSV files, of which each is a layer");
        let advice =
            format!("at most {MAX_LAYERS} are read: export the level again to an empty folder");
        return Err(Fault::of_file(name, problem, advice).into());
    }
    let mut layers = Vec::new();
    for file in files_of_layers {
        let bytes = files.read(file, MAX_FILE_BYTES);
        let bytes = bytes.map_err(|error| SourceError::io(file, None, error))?;
        inputs.push(input(files, file));
        let grid = grid(file, &bytes, size, reader.builder)?;
        // The name of a file is that of its layer.
        let name = file.strip_suffix(".csv").unwrap_or(file);
        layers.push((grid, name));
    }
    let Some((Grid { side, .. }, _)) = layers.first() else {
        let problem = "no IntGrid layer is exported: the folder has no CSV file";
        let advice = "in LDtk, add an IntGrid layer and export again, or bake the .ldtk project";
        return Err(Fault::of_file(name, problem, advice).into());
    };
    let cell = *side as u32;
    for (grid, name) in layers {
        let kind = LayerKind::IntGrid;
        let mut layer = new_layer(name, kind, None, [false; 2], DVec2::ZERO);
        reader.cells(grid, &mut layer);
        reader.builder.add_layer(layer);
    }
    if let Some(entities) = level.get("entities") {
        let line = Some(entities.line());
        let kind = LayerKind::Objects;
        let mut layer = new_layer("Entities", kind, line, [false; 2], DVec2::ZERO);
        for (class, list) in entities.members("entities")?.iter() {
            let place = format!("entity \"{}\"", shorten(class));
            for json in list.items(&place)? {
                let entity = json.members(&place)?;
                let mut rect = [0.0; 4];
                for (side, name) in rect.iter_mut().zip(["x", "y", "width", "height"]) {
                    let value = entity.number(&place, name)?.unwrap_or(0.0);
                    *side = coordinate(json, &place, name, value)?;
                }
                let mut fields = Vec::new();
                if let Some(custom) = entity.get("customFields") {
                    let members = custom.members(&place)?;
                    let values = members.iter().filter(|(_, value)| value.kind() != "null");
                    fields.extend(values.map(|(name, value)| (name.to_owned(), value)));
                }
                reader.add_entity(&entity, fields, rect, &mut layer, class, &place)?;
            }
        }
        reader.builder.add_layer(layer);
    }
    let bounds = Rect::new(DVec2::ZERO, size);
    let source = name.rsplit('/').next().unwrap_or(name).to_owned();
    builder.finish(source, Extent::Fixed(bounds), [cell; 2], inputs)
}

/// The sides that cells of a level can have, the likeliest first: an exact one, or
/// else round numbers. Levels need not end with a whole cell.
fn sides(size: DVec2, cells: DVec2) -> Vec<u32> {
    let least = (size / cells).ceil().max_element();
    let most = (2.0 * least).min(f64::from(MAX_TILE_SIDE));
    let fits = |side: &u32| (size / f64::from(*side)).ceil() == cells;
    let mut sides: Vec<u32> = (least as u32..=most as u32).filter(fits).collect();
    if cells * least == size {
        sides.truncate(1);
    }
    sides.sort_by_key(|side| Reverse(side.trailing_zeros()));
    sides
}

/// Reads the cells of an IntGrid layer from a CSV file.
fn grid(
    file: &str,
    bytes: &[u8],
    size: DVec2,
    builder: &mut LevelBuilder<'_>,
) -> Result<Grid, SourceError> {
    let text = TextFile::new(file, bytes, SAVE_AGAIN)?;
    // LDtk ends each row with a comma.
    let rows = text.text.lines();
    let rows = rows.map(|line| line.trim().trim_end_matches(','));
    let rows: Vec<&str> = rows.filter(|row| !row.is_empty()).collect();
    let columns = rows.first().map_or(0, |row| row.split(',').count()) as f64;
    let cells = DVec2::new(columns, rows.len() as f64);
    let count = cells.element_product();
    if count > MAX_CELLS as f64 {
        let problem = format!("it has more than {MAX_CELLS} cells");
        return Err(Fault::of_file(file, problem, "split the level").into());
    }
    let sides = sides(size, cells);
    let Some(&side) = sides.first() else {
        let problem = format!("{cells} cells do not fit a level of {size} pixels");
        return Err(Fault::of_file(file, problem, SAVE_AGAIN).into());
    };
    if sides.len() > 1 {
        let warning = format!(
            "its cells are taken to have {side} pixels, but more sizes fit; the .ldtk project says which"
        );
        builder.warn(Some(file), None, "", &warning);
    }
    let name = file.strip_suffix(".csv").unwrap_or(file);
    let place = format!("layer \"{}\"", shorten(name));
    Ok(Grid {
        cells: cells_by_value(whole(&text), &rows.join(","), &place, columns, count)?,
        line: None,
        layer: 0,
        side: f64::from(side),
        size: [columns as u32, rows.len() as u32],
    })
}
