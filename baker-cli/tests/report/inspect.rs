//! The summary of a mesh.

use std::io::{self, Write};

use baker_cli::report::inspect::{SectionSize, Summary};

use crate::sample;

fn written(write: impl Fn(&Summary<'_>, &mut dyn Write) -> io::Result<()>) -> String {
    let mesh = sample::mesh();
    let sections = vec![SectionSize {
        name: "layer grunt".into(),
        bytes: 1234,
    }];
    let summary = Summary::new(&mesh, "1.0", 1_234_567, sections);
    let mut out = Vec::new();
    write(&summary, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_summary_of_a_small_mesh() {
    insta::assert_snapshot!(written(|s, out| s.text(out)));
    insta::assert_snapshot!(written(|s, out| s.json(out)));
}
