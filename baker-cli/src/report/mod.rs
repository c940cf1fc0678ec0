//! Reports about baked meshes: text, JSON, pictures and a page.

pub mod diff;
pub mod dump;
pub mod explain;
pub mod inspect;
pub mod lint;
pub mod render;
pub mod route;
pub mod simulation;
pub mod view;

mod connections;
mod counts;
mod finding;
mod format;
mod links;
mod nearest;
mod records;

pub use counts::{EdgeCounts, edge_counts};
pub(crate) use finding::FailedLevel;
pub use finding::Severity;
pub(crate) use format::{count, count_links, grouped, place_text, printable};
pub(crate) use records::YAxisName;
pub use records::{BarrierRecord, MarkerRecord};
