//! Scenes of Godot 4 (`.tscn`): tile layers with the physics of their tile sets, static bodies,
//! and markers. Instances of other scenes are not read.

mod scene;
mod text_format;
mod tile_set;

pub use scene::read;
