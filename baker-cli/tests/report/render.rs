//! The picture of a small mesh.

use baker_cli::report::diff::Diff;
use baker_cli::report::render::render;
use baker_cli::report::view::{PageFile, view};
use glam::Vec2;
use navmesh_runtime::mesh::{Launch, Leg, Link, TrajectoryParams};

use crate::sample::{self, with};

/// How many pixels are nearly this colour.
fn count(image: &image::RgbImage, colour: [u8; 3]) -> usize {
    (image.pixels())
        .filter(|p| (0..3).all(|i| p.0[i].abs_diff(colour[i]) < 40))
        .count()
}

// N7: every kind of vertex and edge has its colour in the picture.
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
        [0xff, 0xa5, 0x3d],
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
