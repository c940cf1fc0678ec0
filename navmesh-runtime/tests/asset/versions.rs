//! Files of every version of the format. The files beside this one are kept for
//! good: no test writes them, and a later version gets a file of its own.

use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::mesh::NavMesh;

use super::hostile::{join_as, split};
use super::index;

const FORMAT_1_0: &[u8] = include_bytes!("format-1.0.navmesh");
const FORMAT_1_1: &[u8] = include_bytes!("format-1.1.navmesh");
const FORMAT_1_2: &[u8] = include_bytes!("format-1.2.navmesh");

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

/// Written by revision 4 of the baker, which listed the files of the level and
/// their hashes.
#[test]
fn format_1_0_is_read() {
    assert_eq!(asset::peek(FORMAT_1_0).unwrap().version, (1, 0));
    let mesh = asset::decode(FORMAT_1_0).unwrap();
    assert_eq!(
        (mesh.provenance().baker, &*mesh.provenance().source),
        (4, "arena.tmx")
    );
    assert_eq!(
        summary(&mesh),
        [("walker", 11, 485), ("flyer", 0, 0), ("shot", 0, 0)]
    );
    // Written again, it has no list of files.
    let new = asset::encode(&mesh);
    assert_eq!(asset::decode(&new).unwrap(), mesh);
    assert!(new.len() < FORMAT_1_0.len());
}

/// With accelerations in the air.
#[test]
fn format_1_1_is_read() {
    assert_eq!(asset::peek(FORMAT_1_1).unwrap().version, (1, 1));
    let mesh = asset::decode(FORMAT_1_1).unwrap();
    assert_eq!(summary(&mesh), [("walker", 15, 283)]);
    let layer = &mesh.layers()[0];
    assert_eq!(layer.profile().air_acceleration, Some(960.0));
    let smooth = layer
        .links()
        .iter()
        .filter(|link| link.params.start_speed().is_some());
    assert_eq!(smooth.count(), 283);
    // Only the version differs when it is written again.
    let new = asset::encode(&mesh);
    assert_eq!(split(&new), split(FORMAT_1_1));
}

/// With indices of routes, on foot and in the air. Written again, it is the same to the
/// byte.
#[test]
fn format_1_2_is_read_and_written() {
    assert_eq!(asset::peek(FORMAT_1_2).unwrap().version, (1, 2));
    let mesh = asset::decode(FORMAT_1_2).unwrap();
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
    assert_eq!(asset::encode(&mesh), FORMAT_1_2);
    let sections = split(FORMAT_1_2);
    assert!(sections.iter().any(|section| section.0 == *b"iIDX"));
    // Without the section, the index is the same.
    let without = sections.into_iter().filter(|s| s.0 != *b"iIDX");
    let without = asset::decode(&join_as([1, 2], &without.collect::<Vec<_>>())).unwrap();
    assert_ne!(without, mesh);
    let searched = index::costs(&mesh);
    for (known, built) in mesh.layers().iter().zip(without.layers()) {
        let (mut sizes, mut allocations) = ([0; 2], [0; 2]);
        for (layer, i) in [(known, 0), (built, 1)] {
            let memory = allocation_counter::measure(|| sizes[i] = layer.index_routes());
            allocations[i] = memory.count_total;
        }
        assert_eq!(sizes[0], sizes[1]);
        // The stored part fits, and is not looked for again.
        assert!(allocations[0] * 2 < allocations[1], "{allocations:?}");
    }
    index::assert_equal(&index::costs(&mesh), &searched);
}

/// A file of the next minor version, with a section that this one does not know.
#[test]
fn later_minor_versions_are_read() {
    let mut sections = split(FORMAT_1_1);
    let end = sections.len();
    sections.insert(end - 1, (*b"newK", vec![7; 40]));
    let later = join_as([1, 3], &sections);
    assert_eq!(asset::peek(&later).unwrap().version, (1, 3));
    let [later, known] = [&later[..], FORMAT_1_1].map(|bytes| asset::decode(bytes).unwrap());
    assert_eq!(later, known);
}

#[test]
fn other_major_versions_say_what_to_do() {
    for major in [0, 2, u16::MAX] {
        let other = join_as([major, 3], &split(FORMAT_1_1));
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
