//! Damaged and forged files give errors or valid meshes: no panics, no endless
//! loops, and memory in proportion to their size.

use crate::index;
use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{
    BitGrid, EdgeSet, Grid, Launch, LayerParts, Leg, Link, NavMesh, PlatformKind, Platforms,
    StepKind, TrajectoryParams, YAxis,
};
use proptest::prelude::*;
use worlds::{Dice, Plan};

/// Decodes any bytes and checks the memory used; returns whether they are a
/// valid mesh.
fn attack(bytes: &[u8]) -> bool {
    let mut valid = false;
    let memory = allocation_counter::measure(|| {
        if let Ok(mesh) = asset::decode(bytes) {
            valid = true;
            std::hint::black_box(&mesh);
        }
        let _ = asset::peek(bytes);
    });
    // A byte of terrain stands for at most 2^15 vertices, in several planes. For
    // large files the promise of the documentation is less.
    let length = bytes.len() as u64;
    let most = (length * 32 * 1024 + 65_536).min((72 << 20) + length * 4096);
    assert!(
        memory.bytes_max <= most,
        "{} for {}",
        memory.bytes_max,
        bytes.len()
    );
    valid
}

fn sample(seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let plan = Plan::random(&mut dice);
    let agents = dice.below(3);
    let mut mesh = worlds::mesh(plan, agents, &mut dice);
    if dice.chance(0.5) {
        index::store(&mut mesh);
    }
    asset::encode(&mesh)
}

pub(crate) type Sections = Vec<([u8; 4], Vec<u8>)>;

pub(crate) fn split(bytes: &[u8]) -> Sections {
    let header = asset::peek(bytes).unwrap();
    let content = |s: &asset::Section| {
        let start = s.offset as usize;
        bytes[start..start + s.length as usize].to_vec()
    };
    header
        .sections
        .iter()
        .map(|s| (s.kind, content(s)))
        .collect()
}

/// A forged file: every length and checksum is right.
fn join(sections: &Sections) -> Vec<u8> {
    join_as([4, 0], sections)
}

/// The same as a file of another version.
pub(crate) fn join_as(version: [u16; 2], sections: &Sections) -> Vec<u8> {
    let mut bytes = b"\x89NAV\r\n\x1a\n".to_vec();
    bytes.extend(version.into_iter().flat_map(u16::to_le_bytes));
    bytes.extend((sections.len() as u32).to_le_bytes());
    let mut offset = 16 + 16 * sections.len() + 4;
    for (kind, content) in sections {
        bytes.extend(kind);
        bytes.extend((offset as u32).to_le_bytes());
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(content).to_le_bytes());
        offset += content.len();
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(sections.iter().flat_map(|(_, content)| content));
    bytes
}

/// Changes, inserts or removes random bytes of a section.
fn damage(content: &mut Vec<u8>, dice: &mut Dice) {
    let at = |dice: &mut Dice, content: &[u8]| dice.below(content.len() as u32 + 1) as usize;
    match dice.below(6) {
        0 if !content.is_empty() => {
            let i = dice.below(content.len() as u32) as usize;
            content[i] ^= 1 << dice.below(8);
        }
        1 if !content.is_empty() => {
            let i = dice.below(content.len() as u32) as usize;
            content[i] = [0, 1, 0x7F, 0xFA, 0xFB, 0xFC, 0xFD, 0xFF][dice.below(8) as usize];
        }
        2 => {
            let cut = at(dice, content);
            content.truncate(cut);
        }
        3 => {
            let i = at(dice, content);
            let word = dice.word().to_le_bytes();
            content.splice(i..i, word);
        }
        4 => {
            let (a, b) = (at(dice, content), at(dice, content));
            content.drain(a.min(b)..a.max(b));
        }
        // A variable-length integer of several bytes instead of a short one.
        _ => {
            let i = at(dice, content);
            let tag = 0xFB + dice.below(3) as u8;
            content.splice(
                i..content.len().min(i + 1),
                [tag, 0xFF, 0xFF, 0xFF, dice.word() as u8],
            );
        }
    }
}

proptest! {
    #![proptest_config(soak::cases(200))]

    #[test]
    fn damage_is_detected(seed in any::<u64>(), tries in 1_u32..40) {
        let whole = sample(seed);
        let mut dice = Dice(seed ^ 1);
        for _ in 0..tries {
            let mut bytes = whole.clone();
            damage(&mut bytes, &mut dice);
            // Checksums detect every change.
            prop_assert!(bytes == whole || !attack(&bytes));
        }
    }

    #[test]
    fn forgeries_get_an_error_or_a_valid_mesh(seed in any::<u64>(), tries in 1_u32..60) {
        let sections = split(&sample(seed));
        let mut dice = Dice(seed ^ 2);
        for _ in 0..tries {
            let mut forged = sections.clone();
            for _ in 0..=dice.below(3) {
                let i = dice.below(forged.len() as u32) as usize;
                damage(&mut forged[i].1, &mut dice);
            }
            attack(&join(&forged));
        }
    }

    #[test]
    fn sections_of_other_files_get_an_error_or_a_valid_mesh(a in any::<u64>(), b in any::<u64>()) {
        let (mut ours, theirs) = (split(&sample(a)), split(&sample(b)));
        let mut dice = Dice(a ^ b);
        for _ in 0..20 {
            let i = dice.below(ours.len() as u32) as usize;
            let j = dice.below(theirs.len() as u32) as usize;
            match dice.below(4) {
                0 => ours[i] = theirs[j].clone(),
                1 => ours.insert(i, theirs[j].clone()),
                2 if ours.len() > 1 => drop(ours.remove(i)),
                _ => ours.swap(i, 0),
            }
            attack(&join(&ours));
        }
    }

    #[test]
    fn random_bytes_are_rejected(mut bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!attack(&bytes));
        let signed = b"\x89NAV\r\n\x1a\n\x03\0\0\0";
        bytes.splice(0..0, *signed);
        prop_assert!(!attack(&bytes));
    }
}

#[test]
fn every_prefix_is_rejected() {
    let bytes = sample(5);
    for end in 0..bytes.len() {
        assert!(!attack(&bytes[..end]), "{end}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(!attack(&longer));
    assert!(attack(&bytes));
}

#[test]
fn unknown_sections_are_skipped_only_when_lower_case() {
    let mut sections = split(&sample(5));
    sections.insert(2, (*b"note", vec![1, 2, 3]));
    assert!(attack(&join(&sections)));
    sections.insert(2, (*b"NOTE", vec![1, 2, 3]));
    let error = asset::decode(&join(&sections)).unwrap_err().to_string();
    assert!(
        error.contains("section NOTE") && error.contains("update"),
        "{error}"
    );
}

/// The section of one-way barriers is present only when there are any.
#[test]
fn invalid_barriers_are_rejected() {
    let plan = Plan {
        columns: 30,
        ..Plan::random(&mut Dice(5))
    };
    let sections = split(&asset::encode(&worlds::mesh(plan, 1, &mut Dice(6))));
    let error_with = |barriers: &[(u8, [f32; 3])]| {
        let mut content = vec![barriers.len() as u8];
        for (way, numbers) in barriers {
            content.push(*way);
            content.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let mut sections = sections.clone();
        sections.retain(|section| section.0 != *b"GATE");
        let end = sections.len() - 1;
        sections.insert(end, (*b"GATE", content));
        let decoded = asset::decode(&join(&sections));
        decoded.map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(error_with(&[(2, [1.0, 2.0, 3.0])]), "");
    for (barriers, expected) in [
        (vec![], "holds nothing"),
        (vec![(3, [1.0, 2.0, 3.0])], "unknown direction"),
        (
            vec![(0, [1.0, 2.0, 3.0]), (1, [1.0, 3.0, 3.0])],
            "barrier 1 has no length",
        ),
        (vec![(0, [f32::NAN, 2.0, 3.0])], "barrier 0"),
        (vec![(0, [1.0, 2.0, f32::INFINITY])], "barrier 0"),
    ] {
        let error = error_with(&barriers);
        assert!(error.contains(expected), "{error:?}");
    }
}

/// A grid of millions of vertices in a file of a few hundred bytes is rejected
/// before memory for it is allocated.
#[test]
fn a_forged_grid_allocates_nothing() {
    let plan = Plan {
        columns: 30,
        ..Plan::random(&mut Dice(5))
    };
    let mut sections = split(&asset::encode(&worlds::mesh(plan, 2, &mut Dice(6))));
    let wide = [0xFC, 0xFF, 0xFF, 0x0F, 0x00, 0x7F];
    let high = [0x7F, 0xFC, 0xFF, 0xFF, 0x0F, 0x00];
    for size in [wide, high] {
        let grid = sections.iter_mut().find(|s| s.0 == *b"GRID").unwrap();
        let mut content = grid.1[..17].to_vec();
        content.extend(size);
        content.push(2);
        grid.1 = content;
        let error = asset::decode(&join(&sections)).unwrap_err().to_string();
        assert!(error.contains("too short for the grid"), "{error}");
        attack(&join(&sections));
    }
}

/// A level that takes far more memory than its bytes would suggest is padded
/// when it is written, and refused without the padding.
#[test]
fn memory_is_limited_by_the_size_of_the_file() {
    for edges in [EdgeSet::FLY, EdgeSet::FLOOR | EdgeSet::FLY] {
        check_the_limit_of_memory(edges);
    }
}

fn check_the_limit_of_memory(edges: EdgeSet) {
    let profile = worlds::profile("diver", edges);
    let (columns, rows) = (1_000_000_u32, 9_u32);
    let grid = Grid {
        origin: Vec2::ZERO,
        spacing: 1.0,
        columns,
        rows,
        y_axis: YAxis::Down,
    };
    let floors = (1..=rows).map(|row| {
        let end = |x: f32| Vec2::new(x, row as f32);
        vec![end(0.0), end(columns as f32)]
    });
    let layer = LayerParts {
        profile,
        blocked: BitGrid::new(columns, rows),
        platforms: Platforms::new(floors).unwrap(),
        links: Vec::new(),
        barriers: Vec::new(),
        air: Vec::new(),
        lines: Vec::new(),
    };
    let mut parts = worlds::parts(Plan::random(&mut Dice(5)), 0, &mut Dice(6));
    parts.grid = grid;
    parts.units.y_axis = YAxis::Down;
    parts.layers = vec![layer];
    parts.markers.clear();
    let bytes = asset::encode(&NavMesh::new(parts).unwrap());
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    assert!(asset::decode(&bytes).is_ok());

    let mut sections = split(&bytes);
    let fill = sections.pop().unwrap();
    assert_eq!(fill.0, *b"fill");
    let forged = join(&sections);
    let mut error = String::new();
    let allocated = allocation_counter::measure(|| {
        error = asset::decode(&forged).unwrap_err().to_string();
    });
    assert!(error.contains("take so much memory"), "{error}");
    // The terrain alone, which its own section's size limits.
    assert!(allocated.bytes_max < 4 << 20, "{}", allocated.bytes_max);
}

/// Many walls at one place would take time in proportion to their number and
/// height.
#[test]
fn walls_above_walls_are_rejected() {
    let edges = EdgeSet::FLOOR | EdgeSet::WALL_CLIMB;
    let mut profile = worlds::profile("gecko", edges);
    profile.climb_speed = 50.0;
    let (columns, rows) = (4, 3000);
    let mesh = |walls: usize| {
        let wall = vec![Vec2::new(2.5, 0.0), Vec2::new(2.5, rows as f32)];
        let platforms = (0..walls).map(|_| (PlatformKind::Wall, wall.clone()));
        let mut parts = worlds::parts(Plan::random(&mut Dice(5)), 0, &mut Dice(6));
        parts.grid = Grid {
            origin: Vec2::ZERO,
            spacing: 1.0,
            columns,
            rows,
            y_axis: YAxis::Down,
        };
        parts.units.y_axis = YAxis::Down;
        parts.markers.clear();
        parts.layers = vec![LayerParts {
            profile: profile.clone(),
            blocked: BitGrid::new(columns, rows),
            platforms: Platforms::of_kinds(platforms).unwrap(),
            links: Vec::new(),
            barriers: Vec::new(),
            air: Vec::new(),
            lines: Vec::new(),
        }];
        NavMesh::new(parts)
    };
    assert!(mesh(10).is_ok());
    let error = mesh(200).unwrap_err().to_string();
    assert!(error.contains("overlaps too many"), "{error}");
}

#[test]
fn platforms_outside_of_the_grid_are_rejected() {
    let error = |change: fn(&mut Vec2)| {
        let mut parts = worlds::parts(Plan::random(&mut Dice(5)), 1, &mut Dice(6));
        let layer = &mut parts.layers[0];
        let floor = layer.platforms.iter().next().unwrap();
        let mut surface = floor.surface.to_vec();
        change(surface.last_mut().unwrap());
        layer.platforms = Platforms::new([surface]).unwrap();
        layer.links.clear();
        NavMesh::new(parts).map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(error(|_| {}), "");
    assert!(error(|end| end.x += 1e8).contains("outside of the grid"));
    assert!(error(|end| end.y += 1e8).contains("outside of the grid"));
}

/// A mesh with one link, changed by `change`; the error.
fn error_with_link(change: impl FnOnce(&mut LayerParts, usize)) -> String {
    let plan = Plan {
        columns: 50,
        rows: 25,
        links: 6,
        edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP,
        ..Plan::random(&mut Dice(5))
    };
    let mut parts = worlds::parts(plan, 1, &mut Dice(6));
    let layer = &mut parts.layers[0];
    let jump = |link: &Link| link.kind == StepKind::Jump && link.from.x != link.to.x;
    let at = layer.links.iter().position(jump).unwrap();
    change(layer, at);
    NavMesh::new(parts).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn links_beyond_their_agent_are_rejected() {
    assert_eq!(error_with_link(|_, _| {}), "");
    let error = error_with_link(|layer, _| layer.profile.edges = EdgeSet::FLOOR);
    assert!(
        error.contains("a kind that its agent cannot use"),
        "{error}"
    );
    let error = error_with_link(|layer, at| {
        let mut launches: Vec<Launch> = layer.links[at].params.launches().collect();
        launches[0].speed = 1e9;
        layer.links[at].params = TrajectoryParams::new(&launches, &[]).unwrap();
    });
    assert!(error.contains("faster than its agent can jump"), "{error}");
    let error = error_with_link(|layer, at| {
        let link = &mut layer.links[at];
        link.params = link.params.with_start_speed(1000.0).unwrap();
    });
    assert!(error.contains("moves across faster"), "{error}");
    let error = error_with_link(|layer, at| {
        let link = &mut layer.links[at];
        let launches: Vec<Launch> = link.params.launches().collect();
        let dash = Leg {
            duration: 1e-3,
            speed: 1000.0,
        };
        link.params = TrajectoryParams::new(&launches, &[dash]).unwrap();
    });
    assert!(error.contains("moves across faster"), "{error}");
    let error = error_with_link(|layer, at| {
        let link = &mut layer.links[at];
        link.kind = StepKind::OneWayStep;
        link.params = TrajectoryParams::steady(0.0).unwrap();
    });
    assert!(error.contains("is faster than its agent"), "{error}");
}

/// There is one file for a mesh: other orders and longer numbers are refused.
#[test]
fn other_ways_to_write_the_same_are_rejected() {
    let plan = Plan::random(&mut Dice(5));
    let sections = split(&asset::encode(&worlds::mesh(plan, 2, &mut Dice(6))));
    assert!(asset::decode(&join(&sections)).is_ok());
    for at in 1..sections.len() {
        let mut other = sections.clone();
        other.swap(at - 1, at);
        let same = sections[at - 1].0 == sections[at].0;
        let error = asset::decode(&join(&other)).map(|_| ()).unwrap_err();
        assert!(
            !same && error.to_string().contains("another order"),
            "{error}"
        );
    }
    let mut long = sections.clone();
    let grid = long.iter_mut().find(|s| s.0 == *b"GRID").unwrap();
    // The number of layers, the last byte, as a number of three bytes.
    assert_eq!(grid.1.pop(), Some(2));
    grid.1.extend([251, 2, 0]);
    let error = asset::decode(&join(&long)).map(|_| ()).unwrap_err();
    assert!(
        error.to_string().contains("more bytes than it needs"),
        "{error}"
    );
}

/// Memory and operations of decoding grow with the file. Allocations stand for
/// operations, which are the same in every run.
#[test]
fn decoding_is_linear_in_the_file() {
    let [some, twice] = [200, 400].map(|columns| {
        let plan = Plan::noisy(columns, 40, EdgeSet::ALL - EdgeSet::CLIMB);
        let bytes = asset::encode(&worlds::mesh(plan, 1, &mut Dice(4)));
        let counted = allocation_counter::measure(|| drop(asset::decode(&bytes).unwrap()));
        [bytes.len() as u64, counted.bytes_total, counted.count_total]
    });
    for (some, twice) in some.into_iter().zip(twice) {
        assert!(
            twice < some * 5 / 2,
            "{some}, and {twice} for twice as much"
        );
    }
    // About 60 bytes of memory for a byte of such a file.
    assert!(twice[1] < twice[0] * 400, "{} of {}", twice[1], twice[0]);
}

#[test]
fn links_off_their_platforms_or_out_of_order_are_rejected() {
    let error = error_with_link(|layer, _| layer.links.reverse());
    assert!(error.contains("is out of order"), "{error}");
    for right in [false, true] {
        let error = error_with_link(|layer, _| {
            let is_flat = |link: &Link| {
                let on = layer.platforms.get(link.to_platform).unwrap();
                on.surface.iter().all(|p| p.y == on.surface[0].y)
            };
            let at = layer.links.iter().position(is_flat).unwrap();
            let link = &mut layer.links[at];
            let on = layer.platforms.get(link.to_platform).unwrap();
            link.to.x = if right {
                on.right().x + 1.0
            } else {
                on.left().x - 1.0
            };
        });
        assert!(
            error.contains("does not end on its platforms"),
            "{right} {error}"
        );
    }
}

#[test]
fn a_damaged_section_is_an_error_also_when_it_is_unknown() {
    let mut sections = split(&sample(5));
    sections.insert(2, (*b"note", vec![1, 2, 3]));
    let mut bytes = join(&sections);
    let note = asset::peek(&bytes).unwrap().sections[2];
    assert_eq!(note.kind, *b"note");
    bytes[note.offset as usize] ^= 1;
    assert!(!attack(&bytes));
}
