//! Level files to levels.

#[path = "../support/random_cases.rs"]
mod random_cases;
#[path = "../../bake/tests/support/rows.rs"]
mod rows;

mod art;
mod bitmaps;
mod cells;
mod classification;
mod custom_classes;
mod decisions;
mod fuzz_cases;
mod godot;
mod grids;
mod invalid_maps;
mod level_json;
mod levels;
mod maps;
mod objects;
mod twins;
