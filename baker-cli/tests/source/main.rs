//! Level files to levels.

#[path = "../support/random_cases.rs"]
mod random_cases;

mod levels;
mod twins;
