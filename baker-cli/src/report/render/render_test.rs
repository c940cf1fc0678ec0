use navmesh_runtime::mesh::Grid;

use super::super::projection::{MAX_SCALE, MAX_SIDE};
use super::*;
use crate::report::test_mesh;

/// How many pixels are nearly this colour.
fn count(image: &image::RgbImage, colour: [u8; 3]) -> usize {
    (image.pixels())
        .filter(|p| (0..3).all(|i| p.0[i].abs_diff(colour[i]) < 40))
        .count()
}

// N7: every kind of vertex and edge has its colour in the picture.
#[test]
fn a_ground_agent_has_every_colour_but_flying() {
    let mesh = test_mesh::mesh();
    let layer = mesh.layer_named("grunt").unwrap();
    let plain = render(&mesh, layer, &[]);
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
    let with_route = render(&mesh, layer, &route);
    assert!(count(&with_route, yellow) > 500);
}

#[test]
fn fly_edges_are_drawn_for_agents_that_fly() {
    let mesh = test_mesh::mesh();
    let image = render(&mesh, mesh.layer_named("bat").unwrap(), &[]);
    let view = Projection::new(mesh.grid(), 0.0);
    // Between two vertices in the air there is a faint edge.
    let at = (view.vertex(20, 6) + view.vertex(21, 6)) * 0.5;
    let on = image.get_pixel(at.x as u32, at.y as u32).0[0];
    let off = image.get_pixel(at.x as u32, at.y as u32 + 6).0[0];
    assert!(on > off && on < 0x60, "{on} {off}");
}

#[test]
fn the_scale_suits_the_size() {
    let scale = |columns, rows| {
        let grid = Grid {
            columns,
            rows,
            ..*test_mesh::mesh().grid()
        };
        let view = Projection::new(&grid, 2.5);
        let [width, height] = view.size();
        assert!(f32::from(width as u16) <= MAX_SIDE && f32::from(height as u16) <= MAX_SIDE);
        view.scale
    };
    assert_eq!(scale(80, 40), MAX_SCALE);
    assert!((4.0..4.1).contains(&scale(1000, 160)));
    assert!(scale(10_000, 2) < 0.5);
}

/// With `NAVBAKE_KEEP_PICTURES`, also copies the pictures to that folder.
#[test]
fn pictures_encode() {
    let mesh = test_mesh::mesh();
    let folder = tempfile::tempdir().unwrap();
    for layer in mesh.layers() {
        let path = folder.path().join(format!("{}.png", layer.profile().name));
        render(&mesh, layer, &[]).save(&path).unwrap();
        assert!(image::open(&path).is_ok());
        if let Some(keep) = std::env::var_os("NAVBAKE_KEEP_PICTURES") {
            std::fs::copy(
                &path,
                std::path::Path::new(&keep).join(path.file_name().unwrap()),
            )
            .unwrap();
        }
    }
}
