//! Algorithms on directed graphs, which know nothing of meshes.
//!
//! - [`csr`]: graphs in two arrays;
//! - [`components`], [`reachability`]: what can be reached from where;
//! - [`contraction`], [`hierarchy`], [`hub_labels`], [`routes`]: shortest routes in a
//!   graph that does not change, prepared;
//! - [`route_search`]: looking these up.

pub mod components;
pub mod contraction;
pub mod csr;
pub mod epoch_array;
pub mod hierarchy;
pub mod hub_labels;
pub mod reachability;
pub mod route_search;
pub mod routes;
