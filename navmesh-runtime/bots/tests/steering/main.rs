//! Context steering, breadcrumbs and clearance.

mod breadcrumbs;
mod clearance;
mod context_map;
mod favours;
mod oscillation;
#[path = "../../../tests/support/random.rs"]
mod random;
mod safety;
mod world;
