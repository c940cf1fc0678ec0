use super::*;
use crate::mesh::YAxis;
use proptest::prelude::*;

fn grid(y_axis: YAxis) -> Grid {
    Grid {
        origin: Vec2::new(-20.0, 13.0),
        spacing: 8.0,
        columns: 50,
        rows: 12,
        y_axis,
    }
}

proptest! {
    /// For surfaces inside the grid and half outside it, each column between
    /// its ends has the vertex whose cell contains the surface there.
    #[test]
    fn every_column_of_a_surface_has_its_vertex(
        points in prop::collection::vec((-40.0_f32..420.0, -60.0_f32..180.0), 1..9),
        steps in any::<u8>(),
        up in any::<bool>(),
    ) {
        let grid = grid(if up { YAxis::Up } else { YAxis::Down });
        let mut points = points;
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        for i in 1..points.len() {
            // Some of the points are steps.
            if steps >> i & 1 == 1 {
                points[i].0 = points[i - 1].0;
            }
        }
        let surface: Vec<Vec2> = points
            .iter()
            .map(|&(x, y)| Vec2::new(x, grid.y_axis.down() * y))
            .collect();
        let platforms = Platforms::new([surface]).unwrap();
        let platform = platforms.iter().next().unwrap();
        let found = floor_vertices(&platforms, &grid, true);
        let mut expected = BitGrid::new(grid.columns, grid.rows);
        for column in 0..grid.columns {
            let x = grid.column_x(column);
            if let Some(y) = platform.height_at(x)
                && let Some(cell) = grid.cell_at(Vec2::new(x, y))
            {
                expected.set(cell.column, cell.row, true);
            }
        }
        prop_assert_eq!(found.counts[0] as u64, expected.count_ones());
        prop_assert_eq!(found.plane, expected);
    }

    /// Anywhere, up to where the steps of an `f32` are a quarter of a spacing.
    #[test]
    fn columns_before_a_position_are_counted_exactly(
        left in -2.09e6_f32..2.09e6,
        spacing in 0.01_f32..100.0,
        columns in 0_u32..60,
        across in -3.0_f32..63.0,
        ulps in -3_i32..=3,
    ) {
        let origin = Vec2::new(left * spacing, 0.0);
        let grid = Grid { origin, spacing, columns, ..grid(YAxis::Down) };
        prop_assume!(grid.check().is_ok());
        // Near a column, mostly, or between two.
        let near = grid.column_x(across.max(0.0) as u32);
        let near = f32::from_bits(near.to_bits().wrapping_add_signed(ulps));
        for x in [origin.x + across * spacing, near, f32::NAN, -1e30, 1e30] {
            for or_at in [false, true] {
                let before = (0..columns).map(|column| grid.column_x(column));
                let before = before.filter(|&at| at < x || or_at && at == x).count();
                prop_assert_eq!(grid.columns_before(x, or_at) as usize, before);
            }
        }
    }
}
