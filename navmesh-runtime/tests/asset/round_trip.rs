//! Meshes come back from their bytes bit for bit, and files are written with
//! care. Features: N6.

use crate::soak;
use crate::worlds;

use std::fs;

use navmesh_runtime::asset::{self, AssetError, Written};
use navmesh_runtime::mesh::{EdgeSet, NavMesh, YAxis};
use proptest::prelude::*;
use worlds::{Dice, Plan};

/// Every number of a mesh as bits: `==` would take -0 for 0.
fn bits(mesh: &NavMesh) -> Vec<u32> {
    let mut bits = Vec::new();
    for layer in mesh.layers() {
        for platform in layer.platforms().iter() {
            bits.extend(
                platform
                    .surface()
                    .iter()
                    .flat_map(glam::Vec2::to_array)
                    .map(f32::to_bits),
            );
        }
        for link in layer.links() {
            let ends = [link.from.x, link.from.y, link.to.x, link.to.y];
            bits.extend(ends.map(f32::to_bits));
            bits.extend([link.duration, link.tolerance].map(f32::to_bits));
            let launches = link.params.launches().map(|l| [l.time, l.speed]);
            let legs = link.params.legs().map(|l| [l.duration, l.speed]);
            // Stored in single precision, so nothing is lost here.
            bits.extend(launches.chain(legs).flatten().map(|v| (v as f32).to_bits()));
        }
    }
    bits
}

proptest! {
    #![proptest_config(soak::cases(200))]

    #[test]
    fn any_mesh_comes_back_bit_for_bit(seed in any::<u64>(), agents in 0_u32..4) {
        let mut dice = Dice(seed);
        let mesh = worlds::mesh(Plan::random(&mut dice), agents, &mut dice);
        let bytes = asset::encode(&mesh);
        let back = asset::decode(&bytes).unwrap();
        prop_assert_eq!(&back, &mesh);
        prop_assert_eq!(bits(&back), bits(&mesh));
        prop_assert_eq!(asset::encode(&back), bytes.clone());
        prop_assert_eq!(&asset::fingerprints(&bytes).unwrap(), mesh.provenance());
    }
}

fn big() -> NavMesh {
    let plan = Plan {
        columns: 500,
        rows: 60,
        links: 5,
        row_step: 1,
        shelves: 0.0,
        noise: 0.0,
        edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP,
        tidy: true,
        y_axis: YAxis::Down,
    };
    worlds::mesh(plan, 1, &mut Dice(7))
}

#[test]
fn links_are_small() {
    let mesh = big();
    let bytes = asset::encode(&mesh);
    let section = |kind: &[u8; 4]| {
        let sections = asset::peek(&bytes).unwrap().sections;
        let length = sections
            .iter()
            .find(|s| s.kind() == *kind)
            .unwrap()
            .length();
        length as f32
    };
    let links = mesh.layers()[0].links().len();
    assert!(links > 1000, "{links}");
    // Launch speeds and legs are random here, so they compress worse than a
    // baker's.
    let each = section(b"LINK") / links as f32;
    assert!(each < 24.0, "{each} bytes a link");
}

#[test]
fn a_file_is_written_once_and_left_alone_after() {
    let folder = std::env::temp_dir().join(format!("navmesh-asset-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("level.navmesh");
    let bytes = asset::encode(&big());

    assert_eq!(
        asset::write_if_changed(&path, &bytes).unwrap(),
        Written::Created
    );
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(
        asset::write_if_changed(&path, &bytes).unwrap(),
        Written::Unchanged
    );
    assert_eq!(modified(), before);
    assert_eq!(asset::load(&path).unwrap(), big());

    assert_eq!(
        asset::write_if_changed(&path, b"other").unwrap(),
        Written::Replaced
    );
    assert_eq!(fs::read(&path).unwrap(), b"other");
    let error = asset::load(&path).unwrap_err().to_string();
    assert!(
        error.contains("level.navmesh") && error.contains("navbake bake"),
        "{error}"
    );

    // A folder in the way: an error, and nothing left behind.
    let folder_in_the_way = folder.join("folder");
    fs::create_dir_all(folder_in_the_way.join("inner")).unwrap();
    assert!(asset::write_if_changed(&folder_in_the_way, &bytes).is_err());
    assert!(asset::write_if_changed(folder.join("none/level"), &bytes).is_err());
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["folder", "level.navmesh"]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn another_version_says_what_to_do() {
    let mut bytes = asset::encode(&big());
    bytes[8] = 2;
    let error = asset::decode(&bytes).unwrap_err();
    assert!(matches!(error, AssetError::Version { major: 2, minor: 0 }));
    assert!(
        error.to_string().contains("bake the level again"),
        "{error}"
    );
    assert!(matches!(asset::decode(b"PNG"), Err(AssetError::NotAnAsset)));
    let missing = asset::load("no/such/level.navmesh").unwrap_err();
    assert!(
        missing.to_string().starts_with("no/such/level.navmesh: "),
        "{missing}"
    );
}

/// What a killed process left is removed, what is being written is not, and
/// neither is anything that only looks like it.
#[test]
fn left_over_files_are_swept() {
    let folder = std::env::temp_dir().join(format!("navmesh-sweep-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    let others = [
        "a.navmesh",
        ".a.navmesh.tmp",
        "a.navmesh.12-0.navmesh-tmp",
        ".a.navmesh.12-x.navmesh-tmp",
        ".navmesh-tmp",
    ];
    for name in others {
        fs::write(path(name), "mine").unwrap();
    }
    fs::write(path(".a.navmesh.12-0.navmesh-tmp"), "left over").unwrap();
    fs::write(path(".b.c.navmesh.7-31.navmesh-tmp"), "left over").unwrap();
    let busy = path(".b.navmesh.13-0.navmesh-tmp");
    let writer = fs::File::create(&busy).unwrap();
    writer.lock().unwrap();
    assert_eq!(asset::sweep(&folder).unwrap(), 2);
    assert!(busy.exists());
    drop(writer);
    assert_eq!(asset::sweep(&folder).unwrap(), 1);
    assert!(others.iter().all(|name| path(name).exists()));
    assert_eq!(asset::sweep(&folder).unwrap(), 0);
    assert!(asset::sweep(path("none")).is_err());
    fs::remove_dir_all(&folder).unwrap();
}
