//! Benchmarks of all packages. `cargo bench -p navbake-benches --bench NAME` runs one.
