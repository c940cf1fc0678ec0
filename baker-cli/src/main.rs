//! The `navbake` command.

fn main() {}
