//! Walls and ceilings of levels with slopes, compared with a flood of all positions at
//! which a body touches something upright or level from the side or from below.

use crate::common;
use crate::random_cases;

use std::collections::{BTreeMap, BTreeSet};

use common::drawn::Drawn;
use common::replay::replay;
use common::rows;
use common::{Geometry as _, Tiles, draw, tiles};
use glam::DVec2;
use navmesh_bake::{Collision, Level, Material, PassDirection, Piece, Rect, Shape};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh, PlatformKind, StepKind};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn climber(body: [f32; 2], edges: EdgeSet) -> AgentProfile {
    let mut agent = AgentProfile::ground("climber", 16.0);
    agent.body = body;
    agent.edges = EdgeSet::FLOOR | edges;
    agent.climb_speed = 40.0;
    agent
}

fn baked(level: &Level, agent: AgentProfile) -> NavMesh {
    bake(level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap()
}

/// A position and the kind of what is touched there.
type Touch = (PlatformKind, DVec2);

/// How far a body is moved to see what it touches.
const NEAR: f64 = 0.01;

/// Where a body touches what can be climbed.
struct Flood {
    all: Drawn,
    solid: Drawn,
    body: DVec2,
}

impl Flood {
    fn new(level: &Level, body: [f32; 2]) -> Self {
        let mut solid = level.clone();
        if let Collision::Shapes(pieces) = &mut solid.collision {
            pieces.retain(|piece| piece.material == Material::Solid);
        }
        Self {
            all: Drawn::with_gates(level),
            solid: Drawn::new(&solid),
            body: DVec2::new(f64::from(body[0]), f64::from(body[1])),
        }
    }

    fn is_free(&self, p: DVec2) -> bool {
        !self.all.blocked(p, self.body, 1e-3)
    }

    /// Whether the border of what is solid leads through `p` along `along`: the body is free
    /// on it, and blocked by something solid a little way towards `into`.
    fn is_border(&self, p: DVec2, along: DVec2, into: DVec2) -> bool {
        [-1.0, 0.0, 1.0].iter().all(|by| {
            let p = p + along * *by * NEAR;
            self.is_free(p) && self.solid.blocked(p + into * NEAR, self.body, 1e-3)
        })
    }

    /// Whether the body touches a wall or a ceiling at `p`.
    fn touches(&self, kind: PlatformKind, p: DVec2) -> bool {
        match kind {
            PlatformKind::Wall => {
                self.is_border(p, DVec2::Y, DVec2::X) || self.is_border(p, DVec2::Y, DVec2::NEG_X)
            }
            _ => self.is_border(p, DVec2::X, DVec2::NEG_Y),
        }
    }

    /// All positions of a grid at which it touches one. Sides of geometry have to lie on
    /// the grid; along them the positions lie between its lines, where no corners are.
    fn all_touched(&self, size: DVec2, step: f64) -> Vec<Touch> {
        let mut all = Vec::new();
        let (columns, rows) = ((size.x / step) as i32, (size.y / step) as i32);
        let between = 0.37 * step;
        for row in 0..rows {
            for column in 0..columns {
                let at = DVec2::new(f64::from(column), f64::from(row)) * step;
                let candidates = [
                    (PlatformKind::Wall, at + DVec2::new(0.0, between)),
                    (PlatformKind::Ceiling, at + DVec2::new(between, step)),
                ];
                let inside = |p: &DVec2| p.cmpgt(DVec2::ZERO).all() && p.cmplt(size).all();
                let mut touched = candidates.to_vec();
                touched.retain(|(kind, p)| inside(p) && self.touches(*kind, *p));
                all.extend(touched);
            }
        }
        all
    }
}

/// Positions that are touched but lie on no platform of their kind, and positions of such
/// platforms that touch nothing; and the number of all that are touched.
fn differences(level: &Level, layer: &Layer, step: f64) -> (Vec<Touch>, Vec<Touch>, usize) {
    let flood = Flood::new(level, layer.profile().body);
    let touched = flood.all_touched(level.bounds.max, step);
    let mut lines: BTreeMap<(PlatformKind, i64), Vec<[f64; 2]>> = BTreeMap::new();
    let mut wrong = Vec::new();
    let climbed = layer.platforms().filter(|p| p.kind != PlatformKind::Floor);
    for platform in climbed {
        let (from, to) = (platform.left().as_dvec2(), platform.right().as_dvec2());
        let (across, ends) = match platform.kind {
            PlatformKind::Wall => (from.x, [from.y, to.y]),
            _ => (from.y, [from.x, to.x]),
        };
        let place = (platform.kind, (across / step).round() as i64);
        lines.entry(place).or_default().push(ends);
        let count = ((ends[1] - ends[0]) / step) as i32;
        let inner = (0..count).map(|i| ends[0] + (f64::from(i) + 0.37) * step);
        for along in inner.filter(|along| along + 2.0 * NEAR < ends[1]) {
            let p = match platform.kind {
                PlatformKind::Wall => DVec2::new(across, along),
                _ => DVec2::new(along, across),
            };
            if !flood.touches(platform.kind, p) {
                wrong.push((platform.kind, p));
            }
        }
    }
    let is_on_line = |(kind, p): &Touch| {
        let (across, along) = match kind {
            PlatformKind::Wall => (p.x, p.y),
            _ => (p.y, p.x),
        };
        let place = (*kind, (across / step).round() as i64);
        let lines = lines.get(&place).into_iter().flatten();
        lines
            .into_iter()
            .any(|[from, to]| *from <= along && along <= *to)
    };
    let missing = touched.iter().filter(|touch| !is_on_line(touch));
    (missing.copied().collect(), wrong, touched.len())
}

/// Random tiles with slopes on some of the free ones.
fn sloping(columns: std::ops::Range<usize>) -> impl Strategy<Value = Tiles> {
    (tiles(columns, 6..11, 16), any::<u64>()).prop_map(|(mut world, seed)| {
        let mut noise = common::Noise::new(seed);
        for row in &mut world.rows {
            for tile in row.iter_mut().filter(|tile| **tile == '.') {
                match noise.below(24) {
                    0 => *tile = '/',
                    1 => *tile = '\\',
                    _ => {}
                }
            }
        }
        world
    })
}

#[test]
fn walls_and_ceilings_are_where_a_body_touches_them() {
    let mut runner = TestRunner::deterministic();
    let mut all = 0;
    for _ in 0..random_cases::times(60) {
        let world = draw(&mut runner, &sloping(8..16));
        for body in [[12.0, 16.0], [8.0, 22.0], [16.0, 16.0]] {
            let level = world.level();
            let edges = EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB | EdgeSet::DROP_THROUGH;
            let mesh = baked(&level, climber(body, edges));
            let (missing, wrong, count) = differences(&level, &mesh.layers()[0], 1.0);
            let lines = world.lines();
            assert!(
                missing.is_empty(),
                "not baked {missing:?} {body:?} {lines:#?}"
            );
            assert!(
                wrong.is_empty(),
                "touch nothing {wrong:?} {body:?} {lines:#?}"
            );
            all += count;
        }
    }
    assert!(all > random_cases::share(60_000), "{all}");
}

/// Jumps, drops and steps of climbers beside slopes, replayed at bounded acceleration.
#[test]
fn links_of_climbers_beside_slopes_can_be_made() {
    let mut runner = TestRunner::deterministic();
    let mut links = 0;
    for _ in 0..random_cases::times(25) {
        let world = draw(&mut runner, &sloping(8..14));
        let mut agent = climber([12.0, 16.0], EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB);
        agent.edges = agent.edges | EdgeSet::JUMP | EdgeSet::DROP;
        agent.air_acceleration = Some(8.0 * agent.run_speed);
        let level = world.level();
        let mesh = baked(&level, agent);
        let layer = &mesh.layers()[0];
        let wrong = replay(&Drawn::with_gates(&level), &mesh, layer);
        assert!(wrong.is_empty(), "{wrong:#?} {:#?}", world.lines());
        links += layer.links().len();
    }
    assert!(links > random_cases::share(5000), "{links}");
}

/// A bitmap of the same tiles has the same walls and ceilings.
#[test]
fn bitmaps_have_the_walls_and_ceilings_of_their_tiles() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..random_cases::times(30) {
        let world = draw(&mut runner, &tiles(8..16, 6..11, 8));
        let edges = EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB | EdgeSet::DROP_THROUGH;
        let agent = climber([6.0, 7.0], edges);
        let [shapes, pixels] =
            [world.level(), world.bitmap()].map(|level| climbed(&baked(&level, agent.clone())));
        assert_eq!(shapes, pixels, "{:#?}", world.lines());
    }
}

/// The ends of everything that is climbed.
fn climbed(mesh: &NavMesh) -> BTreeSet<String> {
    let lines = mesh.layers()[0].platforms();
    let climbed = lines.filter(|line| line.kind != PlatformKind::Floor);
    climbed
        .map(|line| format!("{:?} {} {}", line.kind, line.left(), line.right()))
        .collect()
}

/// A slope in a chamber of its own changes nothing that is climbed elsewhere, at none of
/// its heights.
#[test]
fn slopes_elsewhere_change_nothing() {
    let rows = |chamber: [&str; 3]| {
        let [a, b, c] = chamber;
        [
            "####################".to_owned(),
            format!("#...........##{a}#"),
            format!("#.####......##{b}#"),
            format!("#......###..##{c}#"),
            "#...........########".to_owned(),
            "####################".to_owned(),
        ]
    };
    let level = |chamber| {
        let rows = rows(chamber);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        rows::level("chamber", 16, &rows)
    };
    let agent = climber([12.0, 16.0], EdgeSet::CLIMB);
    let near = |mesh: &NavMesh| -> BTreeSet<String> {
        let lines = mesh.layers()[0]
            .platforms()
            .filter(|line| line.right().x < 208.0);
        lines
            .map(|line| format!("{:?} {} {}", line.kind, line.left(), line.right()))
            .collect()
    };
    let plain = near(&baked(&level([".....", ".....", "....."]), agent.clone()));
    assert!(plain.len() > 9, "{plain:?}");
    for slopes in [
        [".....", ".....", "./#\\."],
        ["..../", ".../#", "../##"],
        ["\\../.", ".....", "....."],
    ] {
        assert_eq!(
            plain,
            near(&baked(&level(slopes), agent.clone())),
            "{slopes:?}"
        );
    }
}

/// Closed doors, hazards and one-way pieces are no walls; a rotated box is, in spite of the
/// rounding of its corners.
#[test]
fn only_what_is_solid_is_climbed() {
    let agent = climber([12.0, 16.0], EdgeSet::WALL_CLIMB);
    let walls = |material, tilt: f64| {
        let mut level = rows::level("box", 16, &["........", "........", "........", "........"]);
        let (min, max) = (DVec2::new(48.0, 16.0), DVec2::new(64.0, 48.0));
        let corners = Rect::new(min, max).corners();
        let corners = corners.map(|p| p + DVec2::new(tilt * p.y, -tilt * p.x));
        level.collision = Collision::Shapes(vec![Piece {
            shape: Shape::Convex(corners.to_vec()),
            material,
            origin: 0,
        }]);
        climbed(&baked(&level, agent.clone())).len()
    };
    assert_eq!(walls(Material::Solid, 0.0), 2);
    assert_eq!(walls(Material::Solid, 1e-14), 2);
    assert_eq!(walls(Material::Hazard, 0.0), 0);
    assert_eq!(walls(Material::OneWay(PassDirection::Left), 0.0), 0);
    assert_eq!(walls(Material::OneWay(PassDirection::Up), 0.0), 0);
}

/// The steps between a wall and the one-way platform beside it, as heights.
fn wall_steps(rows: &[&str], edges: EdgeSet) -> BTreeSet<[i32; 2]> {
    let mesh = baked(&rows::level("top", 16, rows), climber([12.0, 16.0], edges));
    let links = mesh.layers()[0].links().iter();
    let steps = links.filter(|link| {
        let x = f64::from(link.from.x);
        matches!(link.kind, StepKind::WallClimb | StepKind::Ladder) && x < 100.0
    });
    // In units of the lattice, from the height of the platform.
    let height = |y: f32| ((f64::from(y) - 80.0) * 4096.0).round() as i32;
    let steps = steps.map(|link| [height(link.from.y), height(link.to.y)]);
    steps
        .filter(|[from, to]| from.abs() < 9 && to.abs() < 9)
        .collect()
}

#[test]
fn walls_are_climbed_up_through_one_way_tops_only() {
    let rows = [
        "#.............#",
        "#.............#",
        "#.............#",
        "#.............#",
        "#.............#",
        "#-----........#",
        "#.............#",
        "#.............#",
        "###############",
    ];
    let up = wall_steps(&rows, EdgeSet::WALL_CLIMB);
    assert!(up.iter().any(|[from, to]| from > to), "{up:?}");
    assert!(!up.iter().any(|[from, to]| from < to), "{up:?}");
    // Agents that drop through tops climb through them as well: the wall is one line.
    let both = wall_steps(&rows, EdgeSet::WALL_CLIMB | EdgeSet::DROP_THROUGH);
    assert_eq!(both, BTreeSet::from([[0, 0]]));
}

#[test]
fn ladders_lead_through_one_way_tops_in_both_directions() {
    let rows = [
        ".......", ".......", ".......", "..H....", "..H....", "--H---.", "..H....", "..H....",
        "#######",
    ];
    let mesh = baked(
        &rows::level("top", 16, &rows),
        climber([12.0, 16.0], EdgeSet::LADDER),
    );
    let ladders = mesh.layers()[0]
        .platforms()
        .filter(|p| p.kind == PlatformKind::Ladder);
    let ends: Vec<_> = ladders.map(|p| (p.left().y, p.right().y)).collect();
    assert_eq!(ends, [(48.0, 128.0)]);
}
