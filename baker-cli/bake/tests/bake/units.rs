//! A level bakes to the same platforms, and each of them reaches the same others,
//! whatever its units and wherever it lies.

use std::collections::BTreeSet;

use crate::common;
use crate::random_cases;

use common::{Noise, draw, rich_tiles};
use glam::{DVec2, Vec2};
use navmesh_bake::{
    Collision, Level, Material, NoProgress, PassDirection, Piece, Rect, Settings, Shape, bake,
};
use navmesh_runtime::NavMesh;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Link, Platform, PlatformKind, StepKind, YAxis};
use proptest::test_runner::TestRunner;

/// Pixels in a unit, as games choose them.
const UNITS: [f32; 15] = [
    1.0, 2.5, 3.7, 10.0, 16.0, 20.0, 24.0, 32.0, 48.0, 50.0, 64.0, 72.0, 100.0, 128.0, 200.0,
];

/// How far, in pixels, the numbers of two bakes may differ by rounding.
const SLACK: f64 = 0.05;

/// A platform: its kind and its points, in pixels of the level that was drawn, from
/// left to right or top to bottom.
type Line = (PlatformKind, Vec<DVec2>);

/// What must not change: the platforms, and which of them leads to which.
struct Outcome {
    platforms: Vec<Line>,
    reaches: Vec<BTreeSet<usize>>,
}

impl Outcome {
    /// `place` maps the points of the bake, in pixels with y down, to where they are in
    /// the level that was drawn.
    fn new(mesh: &NavMesh, place: impl Fn(DVec2) -> DVec2) -> Self {
        let layer = &mesh.layers()[0];
        let pixels = f64::from(mesh.units().pixels_per_unit);
        let down = f64::from(mesh.units().y_axis.down());
        let drawn = |p: Vec2| place(p.as_dvec2() * pixels * DVec2::new(1.0, down));
        let platforms = layer.platforms().map(|platform| {
            let mut points: Vec<DVec2> = platform.surface.iter().map(|p| drawn(*p)).collect();
            let (first, last) = (points[0], points[points.len() - 1]);
            if (first.x, first.y) > (last.x, last.y) {
                points.reverse();
            }
            (platform.kind, points)
        });
        let platforms: Vec<Line> = platforms.collect();
        let mut next = vec![BTreeSet::new(); platforms.len()];
        for link in layer.links() {
            next[link.from_platform.index()].insert(link.to_platform.index());
        }
        let reaches = (0..platforms.len()).map(|start| {
            let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
            while let Some(at) = open.pop() {
                open.extend(next[at].iter().filter(|to| seen.insert(**to)));
            }
            seen
        });
        let reaches = reaches.collect();
        Self { platforms, reaches }
    }

    /// The number of the platform at the place of another.
    fn find(&self, (kind, points): &Line) -> Option<usize> {
        let ends = |line: &[DVec2]| [line[0], line[line.len() - 1]];
        let wanted = ends(points);
        let is_same = |line: &Line| {
            let mut pairs = ends(&line.1).into_iter().zip(wanted);
            line.0 == *kind && pairs.all(|(a, b)| (a - b).abs().max_element() < SLACK)
        };
        self.platforms.iter().position(is_same)
    }

    /// How many platforms are only in one of two, and how many pairs are joined only in
    /// `self`, and only in `other`.
    fn differences(&self, other: &Self) -> [usize; 3] {
        let here: Vec<_> = self.platforms.iter().map(|line| other.find(line)).collect();
        let found = here.iter().flatten().count();
        let unpaired = self.platforms.len() + other.platforms.len() - 2 * found;
        let (mut lost, mut new) = (0, 0);
        for (from, there) in here.iter().enumerate() {
            let Some(there) = there else { continue };
            let mine = self.reaches[from].iter().filter_map(|to| here[*to]);
            let mine: BTreeSet<usize> = mine.collect();
            lost += mine.difference(&other.reaches[*there]).count();
            new += other.reaches[*there].difference(&mine).count();
        }
        [unpaired, lost, new]
    }
}

/// A drawn level: every kind of tile, slopes, boxes and freehand shapes with corners
/// between pixels.
fn drawn(runner: &mut TestRunner, seed: u64) -> Level {
    let world = draw(runner, &rich_tiles(20..34, 8..15, 16));
    let mut level = world.level();
    let mut noise = Noise::new(seed);
    let size = level.bounds.max;
    let mut at = || {
        // With few digits, so that f32 holds the corners far from the origin, too.
        let fraction = |noise: &mut Noise| f64::from(noise.next() % 512) / 512.0;
        DVec2::new(fraction(&mut noise), fraction(&mut noise))
    };
    let mut pieces = Vec::new();
    for number in 0..6 {
        let corner = (at() * size).floor();
        let shape = match number {
            0..2 => Shape::Box(Rect::new(corner, corner + DVec2::splat(4.0) + at() * 32.0)),
            2..4 => Shape::Convex((0..3).map(|_| corner + at() * 64.0).collect()),
            _ => {
                let (across, rise) = (16.0 * (1.0 + (at().x * 4.0).floor()), 16.0);
                let foot = (corner / 16.0).floor() * 16.0;
                let top = foot + DVec2::new(across, -rise);
                Shape::Convex(vec![foot, top, DVec2::new(top.x, foot.y)])
            }
        };
        let material = match number {
            1 => Material::OneWay(PassDirection::Up),
            _ => Material::Solid,
        };
        pieces.push(Piece {
            shape,
            material,
            origin: 0,
        });
    }
    let Collision::Shapes(all) = &mut level.collision else {
        unreachable!("tiles are shapes");
    };
    all.extend(pieces);
    // Room, so that nothing falls off the grid when it is moved.
    level.bounds = Rect::new(-DVec2::splat(64.0), size + 64.0);
    level
}

/// The level with every point moved. Directions of one-way pieces are kept, but for a
/// mirrored level.
pub fn moved(level: &Level, to: impl Fn(DVec2) -> DVec2, mirrored: bool) -> Level {
    let rect = |rect: &Rect| Rect::around(rect.corners().map(&to)).unwrap();
    let mut moved = level.clone();
    moved.bounds = rect(&level.bounds);
    let Collision::Shapes(pieces) = &mut moved.collision else {
        unreachable!("drawn levels have shapes");
    };
    for piece in pieces {
        match &mut piece.shape {
            Shape::Box(area) => *area = rect(area),
            Shape::Convex(points) => points.iter_mut().for_each(|p| *p = to(*p)),
        }
        if mirrored {
            piece.material = match piece.material {
                Material::OneWay(PassDirection::Left) => Material::OneWay(PassDirection::Right),
                Material::OneWay(PassDirection::Right) => Material::OneWay(PassDirection::Left),
                other => other,
            };
        }
    }
    moved
}

/// An agent that uses every kind of edge on the ground, in units of some pixels.
fn agent(pixels_per_unit: f32, steers: bool) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0 / pixels_per_unit);
    agent.edges = agent.edges | EdgeSet::LADDER | EdgeSet::DROP_THROUGH;
    agent.climb_speed = 60.0 / pixels_per_unit;
    agent.air_acceleration = agent.air_acceleration.filter(|_| steers);
    agent
}

/// A bake of the level in units of some pixels.
fn baked(level: &Level, pixels_per_unit: f32, y_axis: YAxis, steers: bool) -> NavMesh {
    let mut settings = Settings::for_agents(vec![agent(pixels_per_unit, steers)]);
    settings.units.pixels_per_unit = pixels_per_unit;
    settings.units.y_axis = y_axis;
    bake(level, &settings, &NoProgress).unwrap()
}

/// Bakes each of the drawn levels as it is and as `change` has it, and asks for no
/// difference. `change` returns the outcome.
fn same(levels: u32, change: impl Fn(u64, &Level, bool) -> Outcome) {
    let (pairs, total) = compare(levels, change);
    assert_eq!(total, [0; 3], "of {pairs} pairs");
}

/// The number of pairs of platforms in the drawn levels of which one reaches the other,
/// and the [differences](Outcome::differences) that a change makes.
fn compare(levels: u32, change: impl Fn(u64, &Level, bool) -> Outcome) -> (usize, [usize; 3]) {
    let mut runner = TestRunner::deterministic();
    let mut pairs = 0;
    let mut total = [0; 3];
    let count = random_cases::times(levels);
    for number in 0..u64::from(count) {
        let level = drawn(&mut runner, 77 * number + random_cases::offset());
        let steers = number % 2 == 0;
        let before = Outcome::new(&baked(&level, 1.0, YAxis::Down, steers), |p| p);
        pairs += before.reaches.iter().map(BTreeSet::len).sum::<usize>();
        let after = change(number, &level, steers);
        let differences = before.differences(&after);
        if differences != [0; 3] {
            eprintln!("level {number}: {differences:?}");
        }
        for (sum, by) in total.iter_mut().zip(differences) {
            *sum += by;
        }
    }
    assert!(pairs > 50 * count as usize, "only {pairs} pairs");
    (pairs, total)
}

#[test]
fn units_change_nothing_that_is_reachable() {
    same(200, |number, level, steers| {
        let units = UNITS[1 + number as usize % (UNITS.len() - 1)];
        Outcome::new(&baked(level, units, YAxis::Down, steers), |p| p)
    });
}

#[test]
fn the_direction_of_y_changes_nothing_that_is_reachable() {
    same(50, |_, level, steers| {
        Outcome::new(&baked(level, 1.0, YAxis::Up, steers), |p| p)
    });
}

#[test]
fn levels_may_lie_anywhere() {
    let offsets = [
        DVec2::new(0.3, 0.77),
        DVec2::new(0.0, -0.41),
        DVec2::new(-800.0, 0.0),
        DVec2::new(64.5, -1000.0),
    ];
    same(50, |number, level, steers| {
        let by = offsets[number as usize % offsets.len()];
        let there = moved(level, |p| p + by, false);
        Outcome::new(&baked(&there, 1.0, YAxis::Down, steers), |p| p - by)
    });
}

/// Far from the origin, where f32 holds no small fractions of a pixel: levels of tiles.
#[test]
fn levels_may_lie_20_000_cells_away() {
    let mut runner = TestRunner::deterministic();
    let (mut pairs, mut total) = (0, [0; 3]);
    for number in 0..random_cases::times(50) {
        let mut level = draw(&mut runner, &rich_tiles(20..34, 8..15, 16)).level();
        level.bounds = Rect::new(level.bounds.min - 64.0, level.bounds.max + 64.0);
        let steers = number % 2 == 0;
        let before = Outcome::new(&baked(&level, 1.0, YAxis::Down, steers), |p| p);
        let by = 8.0 * DVec2::new(20_000.0, if steers { 0.0 } else { -20_000.0 });
        let there = moved(&level, |p| p + by, false);
        let after = Outcome::new(&baked(&there, 1.0, YAxis::Down, steers), |p| p - by);
        pairs += before.reaches.iter().map(BTreeSet::len).sum::<usize>();
        for (sum, more) in total.iter_mut().zip(before.differences(&after)) {
            *sum += more;
        }
    }
    assert!(pairs > 500, "only {pairs} pairs");
    assert_eq!(total, [0; 3], "of {pairs} pairs");
}

#[test]
fn geometry_may_lie_anywhere_in_the_grid() {
    let offsets = [
        DVec2::new(0.0, 0.3),
        DVec2::new(0.0, 0.77),
        DVec2::new(0.3, 0.0),
        DVec2::new(3.0, -5.0),
    ];
    same(50, |number, level, steers| {
        let by = offsets[number as usize % offsets.len()];
        let mut there = moved(level, |p| p + by, false);
        there.bounds = level.bounds;
        Outcome::new(&baked(&there, 1.0, YAxis::Down, steers), |p| p - by)
    });
}

#[test]
fn empty_cells_around_a_level_change_nothing_that_is_reachable() {
    same(50, |number, level, steers| {
        let mut padded = level.clone();
        let by = 8.0 * DVec2::new(f64::from(number as u32 % 5), f64::from(number as u32 % 3));
        padded.bounds = Rect::new(level.bounds.min - by, level.bounds.max + 2.0 * by);
        Outcome::new(&baked(&padded, 1.0, YAxis::Down, steers), |p| p)
    });
}

#[test]
fn mirrored_levels_bake_to_mirror_images() {
    same(50, |_, level, steers| {
        let width = level.bounds.min.x + level.bounds.max.x;
        let mirror = |p: DVec2| DVec2::new(width - p.x, p.y);
        let there = moved(level, mirror, true);
        Outcome::new(&baked(&there, 1.0, YAxis::Down, steers), mirror)
    });
}

/// Whether any link leads from the platform below one position to that below another,
/// in pixels.
fn joins(mesh: &NavMesh, from: [f32; 2], to: [f32; 2]) -> bool {
    let layer = &mesh.layers()[0];
    let pixels = mesh.units().pixels_per_unit;
    let [from, to] = [from, to].map(|at| {
        let on = |platform: &Platform<'_>| {
            let [left, right] = [platform.left(), platform.right()].map(|end| end * pixels);
            (left.x..=right.x).contains(&at[0]) && (left.y - at[1]).abs() < 0.01
        };
        layer.platforms().find(on).map(|platform| platform.id)
    });
    let [Some(from), Some(to)] = [from, to] else {
        panic!("no platform");
    };
    layer
        .links()
        .iter()
        .any(|link| (link.from_platform, link.to_platform) == (from, to))
}

fn boxes(size: [f64; 2], pieces: &[(Material, [f64; 4])]) -> Level {
    let piece = |(material, [x, y, width, height]): &(Material, [f64; 4])| Piece {
        shape: Shape::Box(Rect::new(
            DVec2::new(*x, *y),
            DVec2::new(x + width, y + height),
        )),
        material: *material,
        origin: 0,
    };
    let pieces = Collision::Shapes(pieces.iter().map(piece).collect());
    Level {
        tile_size: Some([16, 16]),
        ..Level::in_memory("boxes", pieces, size[0], size[1])
    }
}

#[test]
fn ledges_and_tops_may_have_any_height() {
    let solid = Material::Solid;
    for height in [128.5, 128.6, 128.61, 128.123_456] {
        let level = boxes(
            [256.0, 160.0],
            &[
                (solid, [0.0, 144.0, 64.0, 16.0]),
                (solid, [64.0, height, 180.0, 32.0]),
            ],
        );
        let mesh = baked(&level, 1.0, YAxis::Down, true);
        assert!(
            joins(&mesh, [30.0, 144.0], [200.0, height as f32]),
            "{height}"
        );
    }
    for height in [120.0, 120.2, 120.77] {
        let level = boxes(
            [384.0, 224.0],
            &[
                (solid, [0.0, 180.0, 380.0, 30.0]),
                (
                    Material::OneWay(PassDirection::Up),
                    [16.0, height, 348.0, 6.0],
                ),
            ],
        );
        for units in UNITS {
            let mesh = baked(&level, units, YAxis::Down, true);
            let falls = |link: &&Link| link.kind == StepKind::DropThrough;
            assert!(
                mesh.layers()[0].links().iter().any(|link| falls(&link)),
                "{height} {units}"
            );
        }
    }
}

/// A slot one pixel wide, for a body of three quarters of a pixel, in a wide level.
#[test]
fn slots_have_a_way_out_however_wide_the_level_is() {
    for width in [127, 135, 1000] {
        let line = |tiles: &str| format!("{}{tiles}{}", ".".repeat(38), ".".repeat(width - 42));
        let mut rows = vec![line("...."); 18];
        (rows[10], rows[11], rows[12]) = (line("#.##"), line("#.#."), line(".#.."));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let level = common::rows::bitmap("slot", 1, &rows);
        let mut agent = AgentProfile::ground("a", 32.0);
        agent.body = [24.0, 28.0];
        (agent.run_speed, agent.air_acceleration) = (250.0, Some(2000.0));
        (agent.gravity, agent.jump_height) = (1800.0, 140.0);
        agent.jump_speed = (2.0 * agent.gravity * agent.jump_height).sqrt();
        let mut settings = Settings::for_agents(vec![agent]);
        settings.units.pixels_per_unit = 1.0 / 32.0;
        settings.spacing = Some(16.0);
        let mesh = bake(&level, &settings, &NoProgress).unwrap();
        for beside in [38.5, 41.0] {
            assert!(
                joins(&mesh, [39.5, 12.0], [beside, 10.0]),
                "{width} {beside}"
            );
        }
    }
}
