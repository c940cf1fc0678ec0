//! The picture of a small mesh.

use baker_cli::report::diff::Diff;
use baker_cli::report::render::render;
use baker_cli::report::view::{PageFile, view};
use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, Grid, Launch, LayerParts, Leg, Link, NavMesh, NavMeshParts, Platforms,
    Provenance, TrajectoryParams, Units, YAxis,
};

use crate::sample::{self, with};

/// How many pixels are nearly this colour.
fn count(image: &image::RgbImage, colour: [u8; 3]) -> usize {
    (image.pixels())
        .filter(|p| (0..3).all(|i| p.0[i].abs_diff(colour[i]) < 40))
        .count()
}

// Every kind of vertex and edge has its colour in the picture.
#[test]
fn a_ground_agent_has_every_colour_but_flying() {
    let mesh = sample::mesh();
    let layer = mesh.layer_named("grunt").unwrap();
    let plain = render(&mesh, layer, &[], None);
    for colour in [
        [0x3d, 0xdc, 0x68],
        [0xc2, 0x3b, 0x3b],
        [0x4c, 0x9d, 0xff],
        [0xff, 0x5a, 0x4f],
        [0xf2, 0xf5, 0xc8],
    ] {
        assert!(count(&plain, colour) > 60, "{colour:?}");
    }
    let yellow = [0xff, 0xd6, 0x3d];
    assert_eq!(count(&plain, yellow), 0);
    let route = [Vec2::new(10.0, 96.0), Vec2::new(126.0, 96.0)];
    let with_route = render(&mesh, layer, &route, None);
    assert!(count(&with_route, yellow) > 500);
}

#[test]
fn fly_edges_are_drawn_for_agents_that_fly() {
    let mesh = sample::mesh();
    let image = render(&mesh, mesh.layer_named("bat").unwrap(), &[], None);
    // Between two vertices in the air, here in columns 20 and 21 of row 6, there
    // is a faint edge. A cell is 24 pixels wide, and one is free at the border.
    let at = Vec2::new(20.5 + 1.5, 6.0 + 2.0) * 24.0;
    let on = image.get_pixel(at.x as u32, at.y as u32).0[0];
    let off = image.get_pixel(at.x as u32, at.y as u32 + 6).0[0];
    assert!(on > off && on < 0x60, "{on} {off}");
}

/// A file of 88 KB may have 700,000 of them: they are drawn once, in the memory that the links
/// themselves take.
#[test]
fn equal_links_are_drawn_once() {
    let copies = |count: usize| {
        with(|parts| {
            let links = &mut parts.layers[0].links;
            let first = links[0];
            links.splice(0..1, std::iter::repeat_n(first, count));
        })
    };
    let drawn = [1, 100_000, 700_000].map(|count| {
        let mesh = copies(count);
        let mut pixels = Vec::new();
        let used = allocation_counter::measure(|| {
            pixels = render(&mesh, &mesh.layers()[0], &[], None).into_raw();
        });
        (pixels, used.bytes_max)
    });
    // The legend counts them: its line has 131 by 16 pixels.
    for (pixels, _) in &drawn {
        let pairs = pixels.iter().zip(&drawn[0].0);
        let different = pairs.filter(|(a, b)| a != b).count();
        assert!(different < 131 * 16 * 3, "{different}");
    }
    let grown = drawn[2].1 - drawn[1].1;
    assert!(grown < 600_000 * 400, "{grown} bytes");
}

/// In the picture and in the page. No bake makes a jump that leads 10^10 units away and
/// back, but a forged file may have one.
#[test]
fn enormous_jumps_are_drawn() {
    let mesh = with(|parts| {
        let layer = &mut parts.layers[0];
        let profile = &mut layer.profile;
        (profile.gravity, profile.jump_speed, profile.jump_height) = (1e6, 4.2e7, 9e8);
        profile.run_speed = 9e8;
        let (time, speed) = (0.0, 4.2e7);
        let away = Leg {
            duration: 42.0,
            speed: -8e8,
        };
        layer.links = vec![Link {
            params: TrajectoryParams::new(&[Launch { time, speed }], &[away]).unwrap(),
            duration: 84.0,
            ..layer.links[1]
        }];
    });
    render(&mesh, &mesh.layers()[0], &[], None);
    let diff = Diff::new(&sample::mesh(), &mesh, ["a", "b"]);
    let file = PageFile {
        name: "level",
        mesh: &mesh,
        art: None,
    };
    view(&[file], Some(&diff), None, &mut Vec::new()).unwrap();
}

/// Air with a block in its right half.
fn half_blocked(columns: u32, rows: u32) -> NavMesh {
    let grid = Grid {
        origin: Vec2::ZERO,
        spacing: 8.0,
        columns,
        rows,
        y_axis: YAxis::Down,
    };
    let mut blocked = BitGrid::new(columns, rows);
    for row in 0..rows {
        blocked.set_run(row, columns / 2, columns);
    }
    let mesh = NavMesh::new(NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid,
        layers: vec![LayerParts {
            profile: AgentProfile::air("air", 16.0),
            blocked,
            platforms: Platforms::default(),
            links: Vec::new(),
            barriers: Vec::new(),
            air: Vec::new(),
            lines: Vec::new(),
        }],
        markers: Vec::new(),
    });
    mesh.unwrap()
}

/// The mean brightness of the middle of each half.
fn brightness(mesh: &NavMesh) -> [f32; 2] {
    let image = render(mesh, &mesh.layers()[0], &[], None);
    [1, 3].map(|quarter| {
        let left = image.width() * quarter / 4;
        let cut = image::imageops::crop_imm(&image, left, 20, 40, 40);
        let all: f32 = cut.to_image().iter().map(|v| f32::from(*v)).sum();
        all / (3.0 * 40.0 * 40.0)
    })
}

// Below 4 pixels per cell, runs of vertices and edges are drawn as areas.
#[test]
fn tints_are_as_bright_as_what_they_replace() {
    let [air, block] = brightness(&half_blocked(1030, 40));
    let [dotted_air, dotted_block] = brightness(&half_blocked(1020, 40));
    // The mean of the background's three colours.
    let background = 19.7;
    assert!(air > background + 5.0, "{air}");
    let close = 0.15 * (dotted_air - background);
    assert!((air - dotted_air).abs() < close, "{air} and {dotted_air}");
    assert!(
        (block - dotted_block).abs() < close,
        "{block} and {dotted_block}"
    );
}

#[test]
fn pictures_suit_the_size_of_the_level() {
    let width = |columns, rows| {
        let mesh = half_blocked(columns, rows);
        render(&mesh, &mesh.layers()[0], &[], None).width()
    };
    // 24 pixels per cell, with a margin of one cell.
    assert_eq!(width(80, 40), 82 * 24);
    assert!((4000..=4096).contains(&width(1000, 160)));
    assert!((4000..=4096).contains(&width(10_000, 2)));
}
