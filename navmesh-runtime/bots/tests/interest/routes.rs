//! Alternative paths, compared with all paths of small levels.

use navmesh_bots::interest::{FieldSettings, Interest, InterestField, RouteLimits, Seeker};
use navmesh_runtime::mesh::{BitGrid, EdgeSet, LayerParts, NavMesh, Platforms, StepKind};
use navmesh_runtime::search::{Filter, Path, PathFinder, Query};

use crate::worlds::{self, Dice};
use crate::{somewhere, world};

const SPACING: f32 = 8.0;

/// A level of rooms around square pillars of 3 vertices, seen from above. A pillar
/// may be missing.
fn pillars(across: u32, down: u32, missing: u64) -> NavMesh {
    let (columns, rows) = (across * 6 + 3, down * 6 + 3);
    let mut blocked = BitGrid::new(columns, rows);
    for y in 0..down {
        for x in 0..across {
            if missing >> (y * across + x) & 1 == 1 {
                continue;
            }
            for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                blocked.set(3 + x * 6 + i, 3 + y * 6 + j, true);
            }
        }
    }
    let layer = LayerParts {
        profile: worlds::profile("bot", EdgeSet::FLY),
        blocked,
        platforms: Platforms::new([[glam::Vec2::ZERO; 0]; 0]).unwrap(),
        links: Vec::new(),
        barriers: Vec::new(),
        air: Vec::new(),
        lines: Vec::new(),
    };
    worlds::one_layer(worlds::grid(columns, rows), layer)
}

/// The share of a path's length that is at most a spacing away from another one. The
/// library looks at points half a spacing apart, so its measure differs by a little.
fn shared_part(path: &Path, other: &Path) -> f32 {
    const DENSE: f32 = 16.0;
    let (mut near, mut all) = (0, 0);
    for step in path.steps.iter().filter(|s| s.kind != StepKind::Portal) {
        let count = (DENSE * step.from.distance(step.to) / SPACING) as u32;
        for i in 0..count {
            let at = step.from.lerp(step.to, (i as f32 + 0.5) / count as f32);
            let is_near = other.steps.iter().any(|step| {
                let along = step.to - step.from;
                let share = (at - step.from).dot(along) / along.length_squared().max(1e-9);
                let share = if step.kind == StepKind::Portal {
                    0.0
                } else {
                    share.clamp(0.0, 1.0)
                };
                at.distance(step.from + along * share) <= SPACING
            });
            near += u32::from(is_near);
            all += 1;
        }
    }
    near as f32 / all.max(1) as f32
}

/// How much the two measures may differ.
const MEASURE: f32 = 0.1;

fn seconds(path: &Path) -> f64 {
    path.steps.iter().map(|step| f64::from(step.duration)).sum()
}

/// Every set of sides on which a path can pass the pillars from the left to the
/// right, by trying each: the path is forced through gaps between pillars.
fn ways_around(mesh: &NavMesh, across: u32, down: u32, ends: [glam::Vec2; 2]) -> Vec<Path> {
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let lanes = down + 1;
    let mut found = Vec::new();
    for choice in 0..lanes.pow(across) {
        let mut path = Path::default();
        let mut at = ends[0];
        let gates = (0..across).map(|x| {
            let lane = choice / lanes.pow(x) % lanes;
            let center = [4 + x * 6, 1 + lane * 6].map(|cell| cell as f32 + 0.5);
            glam::Vec2::new(center[0] * SPACING, (center[1] + 0.5) * SPACING)
        });
        for to in gates.chain([ends[1]]) {
            let query = Query::new(at, to);
            let part = finder
                .find(layer, &query)
                .unwrap()
                .path()
                .expect("it is open")
                .clone();
            path.cost += part.cost;
            path.steps.extend(part.steps);
            at = part.end;
            path.end = at;
        }
        path.start = ends[0];
        found.push(path);
    }
    found
}

/// The size of the largest set of paths that differ from each other pairwise and
/// are short enough, with the shortest one in it.
fn largest(paths: &[Path], limits: &RouteLimits) -> usize {
    let best = paths.iter().map(seconds).fold(f64::INFINITY, f64::min);
    let short: Vec<&Path> = paths
        .iter()
        .filter(|path| seconds(path) <= limits.stretch * best)
        .collect();
    let differ = |a: &Path, b: &Path| {
        shared_part(a, b) <= limits.shared && shared_part(b, a) <= limits.shared
    };
    let count = short.len();
    (1_u32..1 << count)
        .filter(|set| {
            let members: Vec<usize> = (0..count).filter(|i| set >> i & 1 == 1).collect();
            members.iter().all(|&i| {
                members
                    .iter()
                    .all(|&j| i >= j || differ(short[i], short[j]))
            })
        })
        .map(u32::count_ones)
        .max()
        .unwrap_or(0) as usize
}

#[test]
fn alternatives_differ_and_few_are_missed() {
    let limits = RouteLimits {
        count: 3,
        stretch: 1.6,
        shared: 0.6,
    };
    let (mut found, mut possible) = (0, 0);
    for (across, down) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] {
        let mesh = pillars(across, down, 0);
        let layer = &mesh.layers()[0];
        let grid = mesh.grid();
        let middle = SPACING * (grid.rows / 2 + 1) as f32;
        let ends = [0.5, grid.columns as f32 - 0.5]
            .map(|column| glam::Vec2::new(column * SPACING, middle));
        let mut finder = PathFinder::new();
        let query = Query::new(ends[0], ends[1]);
        let paths = limits.find(layer, &mut finder, &query).unwrap();
        let all = ways_around(&mesh, across, down, ends);
        let most = largest(&all, &limits).min(limits.count);
        found += paths.len();
        possible += most;
        assert!(
            paths.len() >= most.min(2),
            "{across} x {down}: {} of {most}",
            paths.len()
        );
    }
    // What the penalty method finds of what there is.
    assert!(
        possible >= 10 && found * 10 >= possible * 8,
        "{found} of {possible}"
    );
}

#[test]
fn alternatives_keep_to_their_limits() {
    let mut several = 0;
    for seed in 0..150 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        let query = Query::new(somewhere(&mesh, dice), somewhere(&mesh, dice));
        let limits = RouteLimits {
            count: 1 + dice.below(8) as usize,
            stretch: f64::from(dice.between(1.0, 3.0)),
            shared: dice.between(0.1, 0.9),
        };
        let paths = limits.find(layer, &mut finder, &query).unwrap();
        let Some(best) = finder.find(layer, &query).unwrap().path() else {
            assert!(paths.is_empty());
            continue;
        };
        assert_eq!(&paths[0].steps, &best.steps, "the cheapest is the first");
        assert!(paths.len() <= limits.count);
        several += usize::from(paths.len() > 1);
        for (i, path) in paths.iter().enumerate() {
            assert_eq!((path.start, path.end), (best.start, best.end));
            assert!(seconds(path) <= limits.stretch * seconds(best) + 1e-9);
            for pair in path.steps.windows(2) {
                assert_eq!(pair[0].to, pair[1].from);
            }
            for before in &paths[..i] {
                for part in [shared_part(path, before), shared_part(before, path)] {
                    assert!(part <= limits.shared + MEASURE, "{part}");
                }
            }
        }
    }
    assert!(several > 20, "{several}");
}

#[test]
fn a_path_is_chosen_by_length_and_by_what_is_gathered() {
    let mesh = pillars(1, 1, 0);
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let ends = [0.5, 8.5].map(|column| glam::Vec2::new(column * SPACING, 4.0 * SPACING));
    let query = Query::new(ends[0], ends[1]);
    let limits = RouteLimits::default();
    let paths = limits.find(layer, &mut finder, &query).unwrap();
    assert!(paths.len() >= 2);
    let mut field = InterestField::new(layer, FieldSettings::new(layer, 1)).unwrap();
    let best = |field: &InterestField<u8>, current| {
        let filter = Filter::default();
        let seeker = Seeker::new(ends[0], &[1.0], &filter);
        field.best_path(layer, &seeker, &paths, 1.0, current)
    };
    assert_eq!(best(&field, None), Some(0), "the shortest");
    assert_eq!(
        best(&field, Some((&paths[1].steps, 5.0))),
        Some(1),
        "the present one"
    );
    // A coin in the middle of the other way.
    let coin = glam::Vec2::new(
        4.5 * SPACING,
        if passes_above(&paths[0]) { 7.0 } else { 1.0 } * SPACING,
    );
    field
        .insert(layer, &mut finder, 1, Interest::new(0, coin, 50.0))
        .unwrap();
    assert_eq!(best(&field, None), Some(1), "the way of the coin");
}

/// Whether a path passes above the pillar in the middle.
fn passes_above(path: &Path) -> bool {
    path.steps
        .iter()
        .any(|step| step.from.y < 3.5 * SPACING || step.to.y < 3.5 * SPACING)
}
