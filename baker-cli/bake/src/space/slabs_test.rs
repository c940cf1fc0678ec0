//! Slabs that are cut a second time, and motions checked against slabs.

use glam::DVec2;
use navmesh_runtime::mesh::{Launch, TrajectoryParams};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::geometry::{Body, Interval, Motion, configuration_space};
use crate::level::{Collision, Level, Material, PassDirection, Piece, Shape};
use crate::rows;
use crate::space::clearance::is_clear_in_slabs;
use crate::space::slabs::Slabs;

/// Side of a tile of the random levels, in world units.
const TILE: u32 = 8;

/// Rows of random tiles of every material, mostly air.
fn random_rows() -> impl Strategy<Value = Vec<String>> {
    (3_usize..14).prop_flat_map(|columns| {
        let tile = prop::sample::select("......##-^H<>v".chars().collect::<Vec<_>>());
        let row = prop::collection::vec(tile, columns).prop_map(String::from_iter);
        prop::collection::vec(row, 3..10)
    })
}

/// A slope from the lower left corner of the level to half its right side.
fn slope(level: &Level, one_way: bool) -> Piece {
    let size = level.bounds.max;
    let corners = [(0.0, size.y), (size.x, 0.5 * size.y), (size.x, size.y)];
    Piece {
        shape: Shape::Convex(corners.map(DVec2::from).to_vec()),
        material: if one_way {
            Material::OneWay(PassDirection::Up)
        } else {
            Material::Solid
        },
        origin: 0,
    }
}

/// The level of some rows as tiles, which may have a slope, and as a bitmap.
fn levels_of(rows: &[String], with_slope: Option<bool>) -> [Level; 2] {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut level = rows::level("random", TILE, &rows);
    let piece = with_slope.map(|one_way| slope(&level, one_way));
    if let Collision::Shapes(pieces) = &mut level.collision {
        pieces.extend(piece);
    }
    [level, rows::bitmap("random", TILE, &rows)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// A part of the slabs has the free space of the whole at every height and x,
    /// though it leaves out cuts; and it keeps those at which a body may land.
    #[test]
    fn a_part_of_the_slabs_is_free_where_the_whole_is(
        rows in random_rows(),
        with_slope in any::<Option<bool>>(),
        x in (0_u32..60, 0_u32..60),
        y in (0_u32..60, 0_u32..60),
        every in 1_usize..9,
    ) {
        let interval = |(a, b): (u32, u32)| Interval::new(f64::from(a.min(b)), f64::from(a.max(b)));
        let (x, y) = (interval(x), interval(y));
        let body = Body { size: DVec2::new(6.0, 10.0), skin: 1e-6, ..Body::default() };
        let levels = levels_of(&rows, with_slope);
        let bounds = Interval::new(0.0, levels[0].bounds.max.x);
        for level in levels {
            let space = configuration_space(&level, None, &[], body);
            let whole = Slabs::new(space.as_ref(), bounds, Slabs::heights(space.as_ref(), 1.0, &[]), Interval::EVERYTHING);
            let (mut part, mut kept) = (Slabs::default(), Vec::new());
            part.copy_part(&whole, (y.lo, y.hi), x, |cut| cut % every == 0, &mut kept);
            let inside = (0..whole.cuts.len()).filter(|&cut| y.contains(whole.cuts[cut]));
            for cut in inside {
                prop_assert!(cut % every > 0 || kept.contains(&cut));
                prop_assert_eq!(part.cuts.contains(&whole.cuts[cut]), kept.contains(&cut));
            }
            // Between the lattice points on which corners lie.
            for height in 0..240 {
                let height = f64::from(height) * 0.25 + 0.125;
                if !y.contains(height) {
                    continue;
                }
                let slab = |slabs: &Slabs| slabs.slab_above(height, 0.0);
                for at in 0..240 {
                    let at = f64::from(at) * 0.25 + 0.125;
                    if !part.bounds.contains(at) {
                        continue;
                    }
                    let free = |slabs: &Slabs| slabs.free_around(slab(slabs), at);
                    let expected = free(&whole).map(|free| free.intersection(&part.bounds));
                    prop_assert_eq!(free(&part), expected);
                }
            }
        }
    }
}

/// What slabs say about a motion must be what the geometry itself says, also for
/// motions that graze a corner; and they must decide most motions among
/// boxes and pixels.
#[test]
fn slabs_say_what_the_geometry_says_about_motions() {
    const SKIN: f64 = 1e-6;
    let body = Body {
        size: DVec2::new(6.0, 10.0),
        skin: SKIN,
        ..Body::default()
    };
    // Multiples of a unit, so that motions pass corners exactly, and a little
    // beside them.
    let near = (0_i32..100, prop::sample::select(vec![0.0, 0.0, -3.0, 3.0]));
    let at = near.prop_map(|(units, skins)| f64::from(units) + skins * SKIN);
    let speeds = [0.0, 60.0, 120.0];
    let motion = (
        [at.clone(), at.clone(), at.clone(), at],
        prop::sample::select(speeds.to_vec()),
        prop::option::of(-90.0..90.0),
    );
    let motions = prop::collection::vec(motion, 64);
    let inputs = (random_rows(), any::<Option<bool>>(), motions);
    let mut runner = TestRunner::deterministic();
    let (mut clear, mut blocked, mut undecided) = (0, 0, 0);
    for _ in 0..256 {
        let (rows, with_slope, motions) = inputs.new_tree(&mut runner).unwrap().current();
        let levels = levels_of(&rows, with_slope);
        let size = levels[0].bounds.max;
        for level in levels {
            let space = configuration_space(&level, None, &[], body);
            let space = space.as_ref();
            let slabs = Slabs::new(
                space,
                Interval::new(0.0, size.x),
                Slabs::heights(space, 1.0, &[]),
                Interval::EVERYTHING,
            );
            for &([x0, y0, x1, y1], speed, start_speed) in &motions {
                let (from, to) = (DVec2::new(x0, y0) % size, DVec2::new(x1, y1) % size);
                let launch = Launch { time: 0.0, speed };
                let params = TrajectoryParams::new(&[launch], &[]).unwrap();
                let params = start_speed.map_or(Ok(params), |v| params.with_start_speed(v));
                let offset = to - from;
                let Ok(trajectory) = params.unwrap().trajectory(offset.x, -offset.y, 300.0) else {
                    continue;
                };
                let motion = Motion {
                    space,
                    from,
                    trajectory: &trajectory,
                    through: false,
                };
                let answer = motion.is_clear();
                let Some(free) = is_clear_in_slabs(&slabs, &motion) else {
                    undecided += usize::from(with_slope.is_none());
                    continue;
                };
                let said = free && motion.obeys_one_way();
                assert_eq!(said, answer, "{rows:?} from {from} {trajectory:?}");
                *(if answer { &mut clear } else { &mut blocked }) += 1;
            }
        }
    }
    println!("{clear} clear, {blocked} blocked, {undecided} undecided");
    assert!(clear > 1000 && blocked > 1000, "{clear} {blocked}");
    assert!(20 * undecided < clear + blocked, "{undecided}");
}
