//! Level files to [`Level`]: every source's quirks end here.

mod level;
mod rows;

pub use level::{
    Collision, Direction, InputFile, Level, LevelMarker, Material, Piece, PixelMap, Rect, Shape,
    ShapeError,
};
