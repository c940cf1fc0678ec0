//! Warnings about levels that are probably not meant as they are read, which
//! depend on the agents.

use navmesh_runtime::mesh::{BitGrid, EdgeSet};

use crate::level::{Collision, Level, Material, PixelMap};
use crate::settings::Settings;

/// Of bitmaps with one pixel for each tile, none was found that is wider than
/// this many bodies, and none of the others is narrower.
const MIN_BODIES: f64 = 25.0;

/// Warnings about a level and the agents that it is baked for.
pub fn advice(level: &Level, settings: &Settings) -> Vec<String> {
    let mut warnings = Vec::new();
    let ladders = match &level.collision {
        Collision::Shapes(pieces) => pieces
            .iter()
            .filter(|p| p.material == Material::Ladder)
            .count() as u64,
        Collision::Pixels(pixels) => pixels.ladder.count_ones(),
    };
    let mut agents = settings.agents.iter();
    if ladders > 0 && !agents.any(|agent| agent.edges.contains(EdgeSet::LADDER)) {
        warnings.push(
            "the level has ladders, but no agent climbs them: add \"ladder\" to the edges of an [[agent]] \
             in navbake.toml"
                .to_owned(),
        );
    }
    let others = [
        EdgeSet::FLOOR,
        EdgeSet::FLY,
        EdgeSet::WALL_CLIMB,
        EdgeSet::CEILING_CLIMB,
    ];
    for agent in &settings.agents {
        let (name, edges) = (&agent.name, agent.edges);
        let [_, highest] = agent.max_jump;
        if edges.contains(EdgeSet::JUMP) && highest < agent.jump_height {
            warnings.push(format!(
                "agent {name:?} jumps no higher than its max_jump, {highest}, which is less than its jump_height, {}: \
                 leave max_jump out, and it follows from jump_height",
                agent.jump_height
            ));
        }
        if edges.walks() && !others.iter().any(|edge| edges.contains(*edge)) {
            warnings.push(format!(
                "agent {name:?} stands on floors but never walks: add \"floor\" to its edges"
            ));
        }
    }
    if let Collision::Pixels(pixels) = &level.collision {
        warnings.extend(scale(pixels, settings));
    }
    warnings
}

/// A bitmap of more pixels across is a drawing, perhaps of thin lines, and not one with
/// a pixel per tile. Of 30 levels with a pixel per tile, the widest has 561, and of
/// drawings that look like them, the narrowest has 1600.
pub const MOST_TILES: u32 = 1024;

/// A warning if a pixel is probably a whole tile.
fn scale(pixels: &PixelMap, settings: &Settings) -> Option<String> {
    let width = pixels.solid.columns();
    let walkers = settings
        .agents
        .iter()
        .filter(|agent| !agent.edges.contains(EdgeSet::FLY));
    let agent = walkers.min_by(|a, b| a.body[1].total_cmp(&b.body[1]))?;
    let scale = f64::from(settings.units.pixels_per_unit);
    let [wide, high] = agent.body.map(|side| f64::from(side) * scale);
    if width > MOST_TILES {
        return None;
    }
    let run = median_run(&pixels.solid)?;
    let why = if f64::from(run) < high {
        format!("most of what is solid is at most {run} pixels high")
    } else if f64::from(width) < MIN_BODIES * wide {
        format!("the bitmap is {width} pixels wide")
    } else {
        return None;
    };
    Some(format!(
        "{why}, and agent {:?} is {wide} x {high} pixels: if one pixel is a tile of 16 units, write \
         pixels_per_unit = 0.0625 under [level]",
        agent.name
    ))
}

/// The median height of the upright runs of pixels.
fn median_run(pixels: &BitGrid) -> Option<u32> {
    let mut runs = Vec::new();
    // Where the last run of each column begins.
    let mut begins = vec![0; pixels.stride() * 64];
    let mut above = vec![0; pixels.stride()];
    for row in 0..=pixels.rows() {
        let below = (row < pixels.rows()).then(|| pixels.row(row));
        for (word, above) in above.iter_mut().enumerate() {
            let here = below.map_or(0, |below| below[word]);
            let mut changes = here ^ *above;
            while changes != 0 {
                let bit = changes.trailing_zeros();
                let begin = &mut begins[word * 64 + bit as usize];
                if here >> bit & 1 == 0 {
                    runs.push(row - *begin);
                }
                *begin = row;
                changes &= changes - 1;
            }
            *above = here;
        }
    }
    let middle = runs.len() / 2;
    (!runs.is_empty()).then(|| *runs.select_nth_unstable(middle).1)
}
