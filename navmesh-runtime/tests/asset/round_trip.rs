//! Meshes are read back from their bytes bit for bit.

use crate::index;
use crate::soak;
use crate::worlds;

use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::mesh::{EdgeSet, NavMesh, YAxis};
use proptest::prelude::*;
use worlds::{Dice, Plan};

/// Every number of a mesh as bits, because `==` does not distinguish −0 from 0.
fn bits(mesh: &NavMesh) -> Vec<u32> {
    let mut bits = Vec::new();
    for layer in mesh.layers() {
        for platform in layer.platforms() {
            bits.extend(
                platform
                    .surface
                    .iter()
                    .flat_map(glam::Vec2::to_array)
                    .map(f32::to_bits),
            );
        }
        for link in layer.links() {
            let ends = [link.from.x, link.from.y, link.to.x, link.to.y];
            bits.extend(ends.map(f32::to_bits));
            bits.extend([link.duration, link.tolerance].map(f32::to_bits));
            bits.extend(link.params.start_speed().map(|v| (v as f32).to_bits()));
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
        let mut parts = worlds::parts(Plan::random(&mut dice), agents, &mut dice);
        for layer in &mut parts.layers {
            if dice.chance(0.5) {
                layer.profile.air_acceleration = Some(dice.between(1.0, 900.0));
            }
            for link in layer.links.iter_mut().filter(|link| link.kind.is_airborne()) {
                // No faster than the agents run, where legs meet, too.
                let start = f64::from(dice.between(-90.0, 90.0));
                let mut speed = start;
                let fits = link.params.legs().all(|leg| {
                    speed = 2.0 * leg.speed - speed;
                    speed.abs() <= 90.0
                });
                if fits && dice.chance(0.5) {
                    link.params = link.params.with_start_speed(start).unwrap();
                }
            }
        }
        let mut mesh = NavMesh::new(parts).unwrap();
        if dice.chance(0.5) {
            index::store(&mut mesh);
        }
        let bytes = asset::encode(&mesh);
        let back = asset::decode(&bytes).unwrap();
        prop_assert_eq!(&back, &mesh);
        prop_assert_eq!(bits(&back), bits(&mesh));
        prop_assert_eq!(asset::encode(&back), bytes.clone());
        let header = asset::peek(&bytes).unwrap();
        prop_assert_eq!(&header.provenance, mesh.provenance());
        for section in header.sections {
            prop_assert!(section.name().is_some(), "{section} has no name");
            prop_assert!(section.is_per_agent() || section.index == 0);
        }
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
        let length = sections.iter().find(|s| s.kind == *kind).unwrap().length;
        length as f32
    };
    let links = mesh.layers()[0].links().len();
    assert!(links > 1000, "{links}");
    // Launch speeds and legs are random here, so they compress worse than
    // those of real levels.
    let each = section(b"LINK") / links as f32;
    assert!(each < 24.0, "{each} bytes a link");
}

#[test]
fn errors_of_other_versions_say_what_to_do() {
    let mut bytes = asset::encode(&big());
    bytes[8] = 5;
    let error = asset::decode(&bytes).unwrap_err();
    assert!(matches!(error, AssetError::Version { major: 5, minor: 0 }));
    assert!(
        error.to_string().contains("bake the level again"),
        "{error}"
    );
    assert!(matches!(asset::decode(b"PNG"), Err(AssetError::NotAnAsset)));
}

#[test]
fn errors_of_files_name_the_file() {
    let missing = asset::load("no/such/level.navmesh").unwrap_err();
    assert!(
        missing.to_string().starts_with("no/such/level.navmesh: "),
        "{missing}"
    );
    let no_asset = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = asset::load(no_asset).unwrap_err();
    // What a `main` that returns the error prints.
    let printed = format!("{error:?}");
    let error = error.to_string();
    assert!(error.starts_with(no_asset) && error.contains("navbake bake"));
    assert_eq!(printed, error);
}
