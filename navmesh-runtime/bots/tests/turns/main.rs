//! The turn order.

mod order;
