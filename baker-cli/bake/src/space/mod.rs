//! Where the body is free: blocked vertices, and free space cut into slabs.

pub mod air;
pub mod clearance;
pub mod rows;
pub mod slabs;
#[cfg(test)]
mod slabs_test;
pub mod terrain;
