//! The GIF of a moving agent.

use std::io::Cursor;

use baker_cli::report::render::film;
use baker_cli::report::simulation::{Script, simulate};
use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, Link, StepKind, TrajectoryParams};
use navmesh_runtime::search::Doors;

use crate::sample;

/// The trails of an agent that runs and that jumps.
const RUN: [u8; 3] = [0xe8, 0xc5, 0x47];
const JUMP: [u8; 3] = [0x4c, 0x9d, 0xff];
/// How long the end is shown, in hundredths of a second.
const LINGER: u16 = 150;

/// The pictures of a GIF, one laid over the other, and their delays.
fn pictures(bytes: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(bytes)).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![0; width * height * 4];
    let mut pictures = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let across = usize::from(frame.width);
        for (i, pixel) in frame.buffer.chunks(4).enumerate() {
            let x = usize::from(frame.left) + i % across;
            let y = usize::from(frame.top) + i / across;
            if pixel[3] > 0 {
                screen[(y * width + x) * 4..][..4].copy_from_slice(pixel);
            }
        }
        pictures.push((screen.clone(), frame.delay));
    }
    pictures
}

#[test]
fn a_film_lasts_as_long_as_the_motion_and_shows_it() {
    let mesh = sample::mesh();
    let layer = mesh.layer_named("grunt").unwrap();
    let script = Script {
        from: Vec2::new(20.0, 96.0),
        to: Vec2::new(204.0, 94.0),
        doors: Doors::new(),
        commands: Vec::new(),
        hz: 20.0,
        limit: 60.0,
    };
    let simulation = simulate(layer, &script);
    let bytes = film(&mesh, layer, &simulation).unwrap();
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let pictures = pictures(&bytes);
    let (last, moving) = pictures.split_last().unwrap();
    let hundredths: u64 = moving.iter().map(|p| u64::from(p.1)).sum();
    assert_eq!(hundredths, (simulation.duration() * 100.0).round() as u64);
    assert_eq!(last.1, LINGER);
    let count = |screen: &[u8], colour: [u8; 3]| {
        let near = |p: &[u8]| (0..3).all(|i| p[i].abs_diff(colour[i]) < 24);
        screen.chunks(4).filter(|p| near(p)).count()
    };
    // It jumps in the middle, and both kinds of motion leave a trail.
    let jumping = moving.iter().filter(|p| count(&p.0, JUMP) > 150).count();
    assert!((5..20).contains(&jumping), "{jumping}");
    assert!(count(&last.0, JUMP) > 20 && count(&last.0, RUN) > 50);
    assert!(count(&moving[2].0, RUN) < count(&moving[moving.len() - 2].0, RUN));
    // The same motion gives the same bytes.
    assert_eq!(film(&mesh, layer, &simulation).unwrap(), bytes);
}

/// A portal leads over the gap between the two floors.
#[test]
fn a_film_has_no_line_from_portal_to_portal() {
    let mesh = sample::with(|parts| {
        let layer = &mut parts.layers[0];
        layer.profile.edges = layer.profile.edges | EdgeSet::PORTAL;
        let portal = Link {
            kind: StepKind::Portal,
            from: Vec2::new(30.0, 96.0),
            to: Vec2::new(215.0, 92.0),
            duration: 0.5,
            params: TrajectoryParams::steady(0.5).unwrap(),
            ..layer.links[1]
        };
        layer.links = vec![portal];
    });
    let layer = mesh.layer_named("grunt").unwrap();
    let script = Script {
        from: Vec2::new(20.0, 96.0),
        to: Vec2::new(230.0, 92.0),
        doors: Doors::new(),
        commands: Vec::new(),
        hz: 20.0,
        limit: 60.0,
    };
    let simulation = simulate(layer, &script);
    assert!(simulation.has_arrived());
    let film = film(&mesh, layer, &simulation).unwrap();
    let pictures = pictures(&film);
    let (first, last) = (&pictures[0].0, &pictures.last().unwrap().0);
    // The picture is as wide as the level and a cell on either side; a strip of 22 rows below
    // it has the caption. The gap is from 126 to 154.
    let width = usize::from(u16::from_le_bytes([film[6], film[7]]));
    let columns = [130, 150].map(|x| 4 * (width * (x + 8) / 256));
    let rows = first.chunks(4 * width).zip(last.chunks(4 * width));
    let changed = |[left, right]: [usize; 2]| {
        let of_level = rows.clone().take(first.len() / (4 * width) - 22);
        of_level
            .filter(|(a, b)| a[left..right] != b[left..right])
            .count()
    };
    assert_eq!(changed(columns), 0);
    assert!(changed([0, 4 * width]) > 0);
}
