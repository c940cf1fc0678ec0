//! The whole content of a mesh, as text and as JSON.
//!
//! The text names things by their place and sorts them. It contains no ids,
//! which one added platform would change for all others, so version control
//! shows just what a level edit changed. The JSON is for programs and has ids.

mod json;
mod text;

pub use json::json;
pub use text::text;
