//! Files of every version of the format. The files beside this one are kept for
//! good: no test writes them, and a later version gets a file of its own.

use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::mesh::NavMesh;

use super::hostile::{join_as, split};
use super::index;

const FORMAT_4_0: &[u8] = include_bytes!("format-4.0.navmesh");

/// Name of the agent, platforms and links of each layer.
fn summary(mesh: &NavMesh) -> Vec<(&str, usize, usize)> {
    let layers = mesh.layers().iter();
    layers
        .map(|layer| {
            (
                layer.profile().name.as_str(),
                layer.platforms().len(),
                layer.links().len(),
            )
        })
        .collect()
}

/// With accelerations in the air and indices of routes, on foot and in the air. Written again, it is the same to the
/// byte.
#[test]
fn format_4_0_is_read_and_written() {
    assert_eq!(asset::peek(FORMAT_4_0).unwrap().version, (4, 0));
    let mesh = asset::decode(FORMAT_4_0).unwrap();
    assert_eq!(
        summary(&mesh),
        [
            ("walker", 11, 485),
            ("prowler", 11, 386),
            ("creeper", 11, 260),
            ("flyer", 11, 0),
            ("shot", 11, 0)
        ]
    );
    assert_eq!(asset::encode(&mesh), FORMAT_4_0);
    let sections = split(FORMAT_4_0);
    assert!(sections.iter().any(|section| section.0 == *b"iIDX"));
    // Without the section, the index is the same.
    let without = sections.into_iter().filter(|s| s.0 != *b"iIDX");
    let without = asset::decode(&join_as([4, 0], &without.collect::<Vec<_>>())).unwrap();
    assert_ne!(without, mesh);
    let searched = index::costs(&mesh);
    for (known, built) in mesh.layers().iter().zip(without.layers()) {
        let (mut sizes, mut allocations) = ([0; 2], [0; 2]);
        for (layer, i) in [(known, 0), (built, 1)] {
            let memory = allocation_counter::measure(|| sizes[i] = layer.index_routes());
            allocations[i] = memory.count_total;
        }
        assert_eq!(sizes[0], sizes[1]);
        // The stored part fits, and is not looked for again. Files without air have another
        // index of flights.
        let walks = known.profile().edges.walks();
        assert!(
            !walks || allocations[0] * 2 < allocations[1],
            "{allocations:?}"
        );
    }
    index::assert_equal(&index::costs(&mesh), &searched);
}

/// A file of the next minor version, with a section that this one does not know.
#[test]
fn later_minor_versions_are_read() {
    let mut sections = split(FORMAT_4_0);
    let end = sections.len();
    sections.insert(end - 1, (*b"newK", vec![7; 40]));
    let later = join_as([4, 1], &sections);
    assert_eq!(asset::peek(&later).unwrap().version, (4, 1));
    let [later, known] = [&later[..], FORMAT_4_0].map(|bytes| asset::decode(bytes).unwrap());
    assert_eq!(later, known);
}

#[test]
fn other_major_versions_say_what_to_do() {
    for major in [0, 1, 2, 3, u16::MAX] {
        let other = join_as([major, 3], &split(FORMAT_4_0));
        let error = asset::decode(&other).unwrap_err();
        assert!(
            matches!(error, AssetError::Version { major: m, minor: 3 } if m == major),
            "{error}"
        );
        let text = error.to_string();
        assert!(
            text.contains(&format!("format {major}.3")) && text.contains("bake the level again"),
            "{text}"
        );
    }
}
