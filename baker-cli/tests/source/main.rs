//! Level files to levels.

#[path = "../support/random_cases.rs"]
mod random_cases;

mod bitmaps;
mod cells;
mod classification;
mod invalid_maps;
mod levels;
mod maps;
mod objects;
mod twins;
mod wild_levels;
