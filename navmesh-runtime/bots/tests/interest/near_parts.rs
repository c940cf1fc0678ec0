//! How much of a path is near another one.

use glam::Vec2;

use crate::cells::Cells;

/// How many points are looked at to compare some points with themselves.
fn looked_at(spacing: f32, points: &[Vec2]) -> usize {
    let cells = Cells::new(spacing, points);
    assert_eq!(cells.shared(points), 1.0);
    points.iter().map(|&p| cells.around(p).count()).sum()
}

#[test]
fn comparing_paths_takes_time_in_proportion_to_their_points() {
    let line = |count: u16, gap: f32| -> Vec<Vec2> {
        let at = |i| Vec2::new(64.0, f32::from(i) * gap);
        (0..count).map(at).collect()
    };
    for count in [10_000, 20_000] {
        let points = usize::from(count);
        // Half a spacing apart, all in a few cells, and as far apart as in a file
        // whose spacing is next to nothing.
        assert!(looked_at(8.0, &line(count, 4.0)) <= 8 * points);
        assert!(looked_at(8.0, &line(count, 1e-3)) <= 64 * points);
        assert!(looked_at(2.5e-24, &line(count, 4.0)) <= 8 * points);
    }
}

#[test]
fn shared_parts_are_those_within_a_spacing() {
    let line = |x: f32, from: f32| -> Vec<Vec2> {
        (0..100)
            .map(|i| Vec2::new(x, from + 4.0 * i as f32))
            .collect()
    };
    let cells = Cells::new(8.0, &line(0.0, 0.0));
    assert_eq!(cells.shared(&line(6.5, 0.0)), 1.0);
    // Along the next row of vertices, between its points.
    assert_eq!(cells.shared(&line(8.0, 2.0)), 1.0);
    assert_eq!(cells.shared(&line(-9.5, 0.0)), 0.0);
    let half = cells.shared(&line(0.0, 200.0));
    assert!((half - 0.52).abs() < 0.02, "{half}");
}
