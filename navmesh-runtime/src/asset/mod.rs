//! Bytes to mesh and back.
