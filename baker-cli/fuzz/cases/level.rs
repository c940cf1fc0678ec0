//! A level in any format, read and, if it is small, baked.

use baker_cli::source::{MemoryFiles, Rules, read_bytes};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};

const TILESET: &str = r#"<tileset name="rock" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <tile id="0" type="solid"/><tile id="1" type="one_way"/>
 <tile id="2"><objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup></tile>
</tileset>"#;

/// Larger levels take too long for a fuzzer: 64 × 64 tiles of 16 pixels.
const MOST_PIXELS: f64 = 1024.0 * 1024.0;

/// Runs one case: a letter for the format (`x` TMX, `j` TMJ, `l` level `Mine` of an LDtk project, `p` PNG,
/// `t` text, `c` CSV, `8` PICO-8, `g` Godot, `n` navbake's own format), then the file. Returns whether it was baked.
pub(crate) fn run(case: &[u8]) -> bool {
    let Some((&format, file)) = case.split_first() else {
        return false;
    };
    let name = match format {
        b'x' => "level.tmx",
        b'j' => "level.tmj",
        b'l' => "level.ldtk#Mine",
        b'p' => "level.png",
        b't' => "level.txt",
        b'c' => "level.csv",
        b'8' => "level.p8",
        b'g' => "level.tscn",
        b'n' => "level.json",
        _ => return false,
    };
    let mut files = MemoryFiles::default();
    files.insert("rock.tsx", TILESET);
    let level = match read_bytes(name, file, &files, &Rules::default()) {
        Ok(level) => level,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let size = level.bounds.size();
    let tile = level.tile_size.map_or(16, |[w, h]| w.min(h));
    let has_small_tiles = !(8..=64).contains(&tile);
    if has_small_tiles || size.x * size.y > MOST_PIXELS || size.max_element() > 8192.0 {
        return false;
    }
    let settings = Settings::for_agents(default_agents(tile as f32));
    bake(&level, &settings, &NoProgress).is_ok()
}
