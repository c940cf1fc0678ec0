//! The `navbake` command: arguments, configuration, progress, one file per
//! command.

pub mod config;
