//! The pictures of levels: what is drawn where.

use baker_cli::source::{Art, MemoryFiles, read_art};
use glam::DVec2;
use image::{ImageFormat, Rgba, RgbaImage};
use navmesh_bake::Rect;

const R: [u8; 4] = [255, 0, 0, 255];
const G: [u8; 4] = [0, 255, 0, 255];
const B: [u8; 4] = [0, 0, 255, 255];
const W: [u8; 4] = [255, 255, 255, 255];
const NONE: [u8; 4] = [0; 4];

/// A PNG with these rows of pixels.
fn png(rows: &[&[[u8; 4]]]) -> Vec<u8> {
    let [width, height] = [rows[0].len() as u32, rows.len() as u32];
    let image = RgbaImage::from_fn(width, height, |x, y| Rgba(rows[y as usize][x as usize]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A tile of 2 x 2 pixels: red, green above blue, white; and one of white.
fn images() -> MemoryFiles {
    let mut files = MemoryFiles::default();
    let gap = NONE;
    files.insert(
        "art/tiles.png",
        png(&[
            &[gap, gap, gap, gap, gap, gap],
            &[gap, R, G, gap, W, W],
            &[gap, B, W, gap, W, W],
        ]),
    );
    files.insert("one.png", png(&[&[R, G], &[B, W]]));
    files.insert("sky.png", png(&[&[B]]));
    files
}

fn draw(name: &str, files: &MemoryFiles, width: u32, height: u32) -> Art {
    let size = DVec2::new(width.into(), height.into());
    let art = read_art(name.as_ref(), files, Rect::new(DVec2::ZERO, size)).unwrap();
    assert_eq!(art.image.dimensions(), (width, height));
    art
}

fn rows(art: &Art) -> Vec<Vec<[u8; 4]>> {
    let rows = art.image.rows();
    rows.map(|row| row.map(|pixel| pixel.0).collect()).collect()
}

/// A map of `columns` cells of 2 x 2 pixels in one row. Its first tileset is one image with
/// margin and spacing; the second is a collection, whose tile is number 11.
fn map(columns: u32, layers: &str) -> String {
    format!(
        r#"<map orientation="orthogonal" width="{columns}" height="1" tilewidth="2" tileheight="2">
<tileset firstgid="1" name="t" tilewidth="2" tileheight="2" margin="1" spacing="1" tilecount="2" columns="2">
 <image source="art/tiles.png" width="6" height="3"/></tileset>
<tileset firstgid="11" name="c" tilewidth="2" tileheight="2" tilecount="1" columns="0">
 <tile id="0"><image source="one.png" width="2" height="2"/></tile></tileset>
{layers}</map>"#
    )
}

fn cells(columns: u32, attributes: &str, csv: &str) -> String {
    format!(
        r#"<layer name="ground" width="{columns}" height="1" {attributes}><data encoding="csv">{csv}</data></layer>"#
    )
}

#[test]
fn tiles_are_drawn_with_their_flips() {
    let mut files = images();
    // As it is, mirrored across, mirrored down, across the diagonal, and turned
    // to the right (diagonal, then across).
    let flips = [0, 0x8000_0000, 0x4000_0000, 0x2000_0000, 0xa000_0000_u32];
    let csv = flips.map(|flip| (flip + 1).to_string()).join(",");
    files.insert("a.tmx", map(6, &cells(6, "", &(csv + ",11"))));
    let art = draw("a.tmx", &files, 12, 2);
    assert_eq!(art.warnings, [""; 0]);
    assert_eq!(
        rows(&art),
        [
            [R, G, G, R, B, W, R, B, B, R, R, G],
            [B, W, W, B, R, G, G, W, W, G, B, W],
        ]
    );
    // The same in JSON.
    let json = format!(
        r#"{{"type": "map", "orientation": "orthogonal", "width": 6, "height": 1, "tilewidth": 2, "tileheight": 2,
        "tilesets": [{{"firstgid": 1, "name": "t", "tilewidth": 2, "tileheight": 2, "margin": 1, "spacing": 1,
            "tilecount": 2, "columns": 2, "image": "art/tiles.png", "imagewidth": 6, "imageheight": 3}},
          {{"firstgid": 11, "name": "c", "tilewidth": 2, "tileheight": 2, "tilecount": 1, "columns": 0,
            "tiles": [{{"id": 0, "image": "one.png", "imagewidth": 2, "imageheight": 2}}]}}],
        "layers": [{{"type": "tilelayer", "name": "ground", "width": 6, "height": 1, "data": [{}, 11]}},
          {{"type": "tilelayer", "name": "off", "visible": false, "width": 6, "height": 1, "data": [2,2,2,2,2,2]}}]}}"#,
        flips.map(|flip| (flip + 1).to_string()).join(",")
    );
    files.insert("a.tmj", json);
    assert_eq!(rows(&draw("a.tmj", &files, 12, 2)), rows(&art));
}

#[test]
fn layers_are_drawn_in_order_with_offset_opacity_and_tint() {
    let mut files = images();
    let layers = r#"<imagelayer name="sky" repeatx="1" offsety="1"><image source="sky.png" width="1" height="1"/></imagelayer>"#.to_owned()
        + r#"<group offsetx="2" opacity="0.5">"#
        + &cells(1, r##"opacity="0.5" tintcolor="#ff0000""##, "2")
        + "</group>"
        + &cells(1, r#"visible="0""#, "1")
        + r#"<objectgroup name="things"><object id="1" gid="2" x="0" y="1" width="1" height="1"/>
             <object id="2" gid="2" x="1" y="1" width="1" height="1" visible="0"/></objectgroup>"#;
    files.insert("a.tmx", map(2, &layers));
    let art = draw("a.tmx", &files, 4, 2);
    assert_eq!(art.warnings, [""; 0]);
    let (faint, over) = ([255, 0, 0, 64], [64, 0, 191, 255]);
    assert_eq!(
        rows(&art),
        [[W, NONE, faint, faint], [B, B, over, over]],
        "an eighth of red over blue"
    );
}

#[test]
fn missing_images_are_warnings() {
    let mut files = MemoryFiles::default();
    files.insert("art/tiles.png", "GIF89a");
    files.insert("l/a.tmx", map(3, &cells(3, "", "1,2,11")));
    let area = Rect::new(DVec2::ZERO, DVec2::new(6.0, 2.0));
    // The provider is one for the level's folder.
    files.insert("a.tmx", map(3, &cells(3, "", "1,2,11")));
    let art = read_art("l/a.tmx".as_ref(), &files, area).unwrap();
    assert_eq!(art.warnings.len(), 2, "{:?}", art.warnings);
    for (warning, part) in art.warnings.iter().zip([
        "l/a.tmx: image \"art/tiles.png\" is not drawn: it is not a PNG",
        "l/a.tmx: image \"one.png\" is not drawn: ",
    ]) {
        assert!(warning.starts_with(part), "{warning}");
    }
    assert!(art.image.pixels().all(|pixel| pixel.0 == NONE));
}

#[test]
fn a_bitmap_is_its_own_picture() {
    let mut files = MemoryFiles::default();
    files.insert("a.png", png(&[&[R, G], &[B, W]]));
    assert_eq!(
        rows(&draw("a.png", &files, 3, 2)),
        [[R, G, NONE], [B, W, NONE]]
    );
}

#[test]
fn tiles_of_ldtk_are_drawn() {
    let mut files = images();
    let project = r##"{"jsonVersion": "1.5.3", "defaultGridSize": 2,
      "defs": {"layers": [], "tilesets": [{"uid": 7, "tileGridSize": 2}]},
      "levels": [{"identifier": "L", "pxWid": 6, "pxHei": 2, "__bgColor": "#0000ff", "layerInstances": [
        {"__identifier": "Front", "__type": "Tiles", "visible": true, "__opacity": 1, "__gridSize": 2,
         "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": 7, "__tilesetRelPath": "one.png",
         "gridTiles": [{"px": [0, 0], "src": [0, 0], "f": 1, "a": 1}], "autoLayerTiles": []},
        {"__identifier": "Off", "__type": "Tiles", "visible": false, "__opacity": 1, "__gridSize": 2,
         "__tilesetDefUid": 7, "__tilesetRelPath": "one.png",
         "gridTiles": [{"px": [4, 0], "src": [0, 0], "f": 0, "a": 1}]},
        {"__identifier": "Back", "__type": "IntGrid", "visible": true, "__opacity": 1, "__gridSize": 2,
         "__pxTotalOffsetX": 2, "__pxTotalOffsetY": 0, "__tilesetDefUid": 7, "__tilesetRelPath": "one.png",
         "autoLayerTiles": [{"px": [-2, 0], "src": [0, 0], "f": 0, "a": 1}, {"px": [0, 0], "src": [0, 0], "f": 2}]}
      ]}]}"##;
    files.insert("w.ldtk", project);
    assert_eq!(
        rows(&draw("w.ldtk#L", &files, 6, 2)),
        [[G, R, B, W, B, B], [W, B, R, G, B, B]]
    );
}
