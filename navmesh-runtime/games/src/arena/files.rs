//! The trees of all enemies, from files.

use std::error::Error;
use std::sync::Arc;

use navmesh_behavior::{Tree, TreeDef};

use super::body::Kind;
use super::tasks::registry;
use super::view::Enemy;

/// The tree file of one kind. A real game would read it from disk, and again
/// when it changes.
pub const fn file(kind: Kind) -> &'static str {
    match kind {
        Kind::Crawler => include_str!("../../trees/arena/crawler.ron"),
        Kind::Spitter => include_str!("../../trees/arena/spitter.ron"),
        Kind::Charger => include_str!("../../trees/arena/charger.ron"),
        Kind::Spiker => include_str!("../../trees/arena/spiker.ron"),
        Kind::Immolator => include_str!("../../trees/arena/immolator.ron"),
        Kind::Defender => include_str!("../../trees/arena/defender.ron"),
        Kind::Healer => include_str!("../../trees/arena/healer.ron"),
        Kind::Flyer => include_str!("../../trees/arena/flyer.ron"),
        Kind::Gunner => include_str!("../../trees/arena/gunner.ron"),
        Kind::Guard => include_str!("../../trees/arena/guard.ron"),
    }
}

/// Builds a tree from the text of a file.
pub fn tree(text: &str) -> Result<Arc<Tree<Enemy>>, Box<dyn Error>> {
    let def: TreeDef = ron::from_str(text)?;
    Ok(registry().build(&def)?)
}
