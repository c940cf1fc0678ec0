use super::*;
use crate::mesh::YAxis;
use glam::Vec2;

fn grid(columns: u32, rows: u32) -> Grid {
    Grid {
        origin: Vec2::ZERO,
        spacing: 1.0,
        columns,
        rows,
        y_axis: YAxis::Down,
    }
}

fn round_trip(planes: &[&BitGrid]) -> usize {
    let grid = grid(planes[0].columns(), planes[0].rows());
    let bytes = encode(planes, &grid);
    let back = decode(&bytes, &grid, planes.len()).unwrap();
    assert!(back.iter().eq(planes.iter().copied()));
    bytes.len()
}

fn plane(columns: u32, rows: u32, mut blocked: impl FnMut(u32, u32) -> bool) -> BitGrid {
    let mut plane = BitGrid::new(columns, rows);
    for row in 0..rows {
        for column in 0..columns {
            plane.set(column, row, blocked(column, row));
        }
    }
    plane
}

#[test]
fn planes_of_every_shape_come_back() {
    for (columns, rows) in [
        (0, 0),
        (0, 9),
        (9, 0),
        (1, 1),
        (1, 70),
        (64, 3),
        (65, 3),
        (130, 40),
    ] {
        for pattern in 0..6 {
            let shape = |c: u32, r: u32| match pattern {
                0 => false,
                1 => true,
                2 => (c + r).is_multiple_of(2),
                3 => c > r,
                4 => c * 7 % 13 > r * 5 % 11,
                _ => c + r > 30,
            };
            let a = plane(columns, rows, shape);
            let b = plane(columns, rows, |c, r| shape(c + 1, r) || shape(c, r));
            round_trip(&[&a]);
            round_trip(&[&a, &b, &a]);
        }
    }
}

#[test]
fn plain_terrain_is_nearly_free_and_a_copy_is_freer() {
    let tiles = plane(400, 100, |c, r| {
        r / 4 * 7 % 25 + c / 4 * 5 % 18 > 34 || r > 90
    });
    let alone = round_trip(&[&tiles]);
    assert!(alone * 8 < 40_000 / 8, "{alone}");
    let twice = round_trip(&[&tiles, &tiles]);
    assert!(twice < alone + 16, "{alone} {twice}");
}

/// Columns of equal values take a few bytes, whatever their number.
#[test]
fn layers_have_no_more_runs_together_than_the_section_has_bits() {
    let read = |layers: usize| {
        let mut out = Writer::default();
        for _ in 0..layers {
            out.put_count(0);
            out.put_count(1000);
            out.put(ints::encode(&[1; 1000]));
            out.put(ints::encode(&[0; 1000]));
        }
        out.pad_for(2000);
        decode(&out.into_bytes(), &grid(100, 100), layers).map(|planes| planes.len())
    };
    assert_eq!(read(2), Ok(2));
    assert_eq!(read(3), Err("counts more runs than it has room for"));
}

#[test]
fn runs_outside_the_grid_are_refused() {
    let read = |gaps: &[u32], lengths: &[u32]| {
        let mut out = Writer::default();
        out.put_count(0);
        out.put_count(gaps.len());
        out.put(ints::encode(gaps));
        out.put(ints::encode(lengths));
        decode(&out.into_bytes(), &grid(10, 4), 1).map(|planes| planes[0].count_ones())
    };
    // Three vertices, blocked in the first two rows.
    assert_eq!(read(&[2, 17], &[2, 2]), Ok(2 * 3));
    assert_eq!(read(&[39], &[0]), Ok(1));
    assert_eq!(read(&[8], &[2]), Err("has terrain beside the grid"));
    for (gap, more) in [(39, 1), (40, 0), (u32::MAX, u32::MAX)] {
        assert_eq!(read(&[gap], &[more]), Err("has terrain below the grid"));
    }
}
