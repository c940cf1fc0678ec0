use super::*;
use crate::report::sample;

#[test]
fn a_mesh_does_not_differ_from_itself() {
    let mesh = sample::mesh();
    let diff = Diff::new(&mesh, &mesh, ["a", "b"]);
    assert!(diff.same, "{diff:#?}");
}
