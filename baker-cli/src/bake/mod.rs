//! Level and agents to nav mesh, one stage a file.

mod error;
mod progress;
mod settings;

pub use error::BakeError;
pub use progress::{NoProgress, Progress, Stage};
pub use settings::Settings;
