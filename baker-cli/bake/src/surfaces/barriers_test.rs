//! Platforms split at many walls at once, against splitting at one wall after
//! the other.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, PlatformKind};
use proptest::prelude::*;

use super::{Crossing, Rest, lattice_sides};
use crate::layout::Layout;
use crate::rows;
use crate::settings::Settings;
use crate::surfaces::platform_line::PlatformLine;

/// The parts of a platform before and after a wall, from its points alone.
fn parts(line: &PlatformLine, wall: &Crossing, layout: &Layout) -> Option<[PlatformLine; 2]> {
    let (before, after) = lattice_sides(wall, layout);
    if before < line.start().x || after > line.end().x {
        return None;
    }
    let point = |x| DVec2::new(x, layout.lift(line.height_at(x)));
    let part = |keeps: &dyn Fn(f64) -> bool| {
        let mut part = line.clone();
        part.points.retain(|p| keeps(p.x));
        part
    };
    let (mut left, mut right) = (part(&|x| x < before), part(&|x| x > after));
    left.points.push(point(before));
    left.edge_right = None;
    right.points.insert(0, point(after));
    right.edge_left = None;
    Some([left, right])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn many_walls_split_as_one_after_the_other(
        steps in prop::collection::vec((1_i32..400, -9_i32..9), 1..30),
        edges in any::<[Option<u8>; 2]>(),
        walls in prop::collection::vec((0_i32..3000, any::<bool>()), 0..40),
    ) {
        let level = rows::level("slopes", 16, &["....................", "####################"]);
        let layout = Layout::new(&level, &Settings::for_agents(vec![AgentProfile::ground("walker", 16.0)])).unwrap();
        // Cells of the lattice, and tenths of them for walls.
        let at = |x: i32, y: i32| DVec2::new(f64::from(x), f64::from(y)) * layout.quantum;
        let mut ends = (0, 0);
        let mut points = vec![at(0, 0)];
        for (across, down) in steps {
            ends = (ends.0 + across, ends.1 + down);
            points.push(at(ends.0, ends.1));
        }
        let platform = PlatformLine {
            kind: PlatformKind::Floor,
            points,
            edge_left: edges[0].map(f64::from),
            edge_right: edges[1].map(f64::from),
        };
        let mut walls: Vec<Crossing> = walls
            .into_iter()
            .map(|(x, ascending)| Crossing {
                at: f64::from(x) * 0.4 * layout.quantum,
                ascending,
            })
            .collect();
        walls.sort_by(|a, b| a.at.total_cmp(&b.at));

        let mut expected = vec![platform.clone()];
        let mut rest = Rest::new(platform.clone());
        let mut found = Vec::new();
        for wall in &walls {
            let last = expected.last().expect("at least the platform");
            let split = parts(last, wall, &layout);
            let part = rest.split_off(wall, &layout);
            prop_assert_eq!(part.is_some(), split.is_some());
            if let (Some(split), Some((part, start))) = (split, part) {
                expected.pop();
                prop_assert_eq!(start, split[1].start());
                expected.extend(split);
                found.push(part);
            }
        }
        found.push(rest.into_line());
        // The points that are copied grow with points and walls, not with their product.
        let copied: usize = found.iter().map(|part| part.points.len()).sum();
        prop_assert!(copied <= platform.points.len() + 2 * (found.len() - 1));
        prop_assert_eq!(found, expected);
    }
}
