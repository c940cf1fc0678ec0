//! Where the body is free: blocked vertices, and free space cut into slabs.

pub(super) mod clearance;
pub(super) mod rows;
pub(super) mod slabs;
#[cfg(test)]
mod slabs_test;
pub(super) mod terrain;
