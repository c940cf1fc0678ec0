//! Unusual levels and settings bake, or are refused with a reason.

use glam::{DVec2, Vec2};
use navmesh_bake::{
    BakeError, NoProgress, Progress, Settings, SharedProgress, Stage, bake, default_agents,
};
use navmesh_bake::{Collision, Level, LevelMarker, Material, PassDirection, Piece, Rect, Shape};
use navmesh_runtime::mesh::{AgentProfile, Cell, EdgeSet, PlatformKind, StepKind, Terrain, YAxis};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, SnapTo};

fn piece(min: (f64, f64), max: (f64, f64), material: Material) -> Piece {
    let shape = Shape::Box(Rect::new(min.into(), max.into()));
    Piece {
        shape,
        material,
        origin: 0,
    }
}

fn level(pieces: Vec<Piece>) -> Level {
    let mut level = Level::in_memory("edges", Collision::Shapes(pieces), 320.0, 160.0);
    level.tile_size = Some([16, 16]);
    level
}

fn settings() -> Settings {
    Settings::for_agents(default_agents(16.0))
}

#[test]
fn a_one_way_top_just_above_the_floor_is_a_platform_of_its_own() {
    let one_way = Material::OneWay(PassDirection::Up);
    let level = level(vec![
        piece((0.0, 128.0), (320.0, 160.0), Material::Solid),
        piece((64.0, 125.0), (128.0, 126.0), one_way),
    ]);
    let mesh = bake(&level, &settings(), &NoProgress).unwrap();
    assert_eq!(mesh.layer_named("ground").unwrap().platforms().len(), 2);
}

/// A floor that begins beneath the end of a one-way top. The body gets there
/// without dropping through the top: it leaves the end, and turns back beneath
/// the top when it has fallen for as long as a twentieth of a second from rest.
#[test]
fn a_drop_turns_back_beneath_a_one_way_top_only_when_it_has_passed_it() {
    let level = level(vec![
        piece(
            (64.0, 48.0),
            (240.0, 50.0),
            Material::OneWay(PassDirection::Up),
        ),
        piece((72.0, 96.0), (320.0, 160.0), Material::Solid),
    ]);
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
    let depth = f64::from(agent.gravity) / 800.0;
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let ground = mesh.layer_named("ground").unwrap();
    let down: Vec<_> = (ground.links().iter())
        .filter(|link| link.from.y == 48.0 && link.to.y == 96.0)
        .collect();
    assert!(down.iter().any(|link| link.to.x < 80.0), "{down:#?}");
    for link in down {
        let arc = link.trajectory(ground.profile(), mesh.down()).unwrap();
        for step in 0..=20_000 {
            let feet = arc.offset(arc.duration * f64::from(step) / 20_000.0);
            // The body, 12 wide, overlaps the top across.
            let x = f64::from(link.from.x) + feet.x;
            let beneath = 58.001 < x && x < 245.999;
            let just_below = 0.001 < -feet.y && -feet.y < depth - 0.001;
            assert!(!(beneath && just_below), "at {x}, {} {link:#?}", feet.y);
        }
    }
}

/// Slanted one-way platforms above a floor, and a shelf to fall from. Motions touch the
/// slopes where their speed changes, and at their upper ends, and do not get beneath them.
#[test]
fn no_link_falls_through_a_one_way_slope() {
    // Each slope from its left to its right end.
    let slopes = [
        (DVec2::new(48.0, 64.0), DVec2::new(96.0, 88.0)),
        (DVec2::new(144.0, 96.0), DVec2::new(192.0, 112.0)),
        (DVec2::new(208.0, 112.0), DVec2::new(272.0, 88.0)),
    ];
    let mut pieces = vec![
        piece((0.0, 144.0), (320.0, 160.0), Material::Solid),
        piece((272.0, 40.0), (304.0, 48.0), Material::Solid),
    ];
    let thick = DVec2::new(0.0, 6.0);
    pieces.extend(slopes.map(|(left, right)| Piece {
        shape: Shape::Convex(vec![left, right, right + thick, left + thick]),
        material: Material::OneWay(PassDirection::Up),
        origin: 0,
    }));
    let mut ground = AgentProfile::ground("ground", 16.0);
    ground.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
    let mut sharp = ground.clone();
    sharp.name = "sharp".into();
    sharp.air_acceleration = None;
    let mesh = bake(
        &level(pieces),
        &Settings::for_agents(vec![ground, sharp]),
        &NoProgress,
    )
    .unwrap();
    for layer in mesh.layers() {
        for link in layer.links().iter().filter(|link| link.kind.is_airborne()) {
            let arc = link.trajectory(layer.profile(), mesh.down()).unwrap();
            let feet = |step: i32| {
                let offset = arc.offset(arc.duration * f64::from(step) / 4000.0);
                link.from.as_dvec2() + offset * DVec2::new(1.0, -1.0)
            };
            for (left, right) in slopes {
                // Where the body, 12 wide, rests on the slope.
                let rest = |x: f64| {
                    let (from, to) = (left.x.max(x - 6.0), right.x.min(x + 6.0));
                    let at =
                        |x: f64| left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x);
                    (from + 0.01 < to).then(|| at(from).min(at(to)))
                };
                for step in 0..4000 {
                    let (a, b) = (feet(step), feet(step + 1));
                    if b.y > a.y
                        && let (Some(above), Some(below)) = (rest(a.x), rest(b.x))
                    {
                        let through = a.y < above + 1e-3 && b.y > below + 1e-3;
                        // The last step of a landing may end a little below.
                        assert!(!through || step == 3999, "at {a}, {b}: {link:#?}");
                    }
                }
            }
        }
    }
}

/// A slope down to the right, and a shelf that reaches out of it over its lower
/// part. A body that comes down is carried by the shelf; a body that comes up
/// passes through it.
#[test]
fn a_slope_beneath_a_one_way_top_leads_up_only() {
    let corners = [(40.0, 64.0), (136.0, 160.0), (40.0, 160.0)];
    let slope = Piece {
        shape: Shape::Convex(corners.map(DVec2::from).to_vec()),
        material: Material::Solid,
        origin: 0,
    };
    let shelf = piece(
        (80.0, 112.0),
        (180.0, 114.0),
        Material::OneWay(PassDirection::Up),
    );
    let mesh = bake(&level(vec![slope, shelf]), &settings(), &NoProgress).unwrap();
    let ground = mesh.layer_named("ground").unwrap();
    let surfaces: Vec<_> = (ground.platforms())
        .map(|p| (p.left(), p.right()))
        .collect();
    let [(top, end), (below, foot)] = surfaces[..] else {
        panic!("{surfaces:?}");
    };
    // The body, 12 wide, rests on the slope with its left foot.
    assert!((top.x - 34.0).abs() < 0.01 && top.y == 64.0, "{top}");
    assert!((end.x - 186.0).abs() < 0.01 && end.y == 112.0, "{end}");
    assert!((below.x - 94.0).abs() < 0.01 && below.y > 112.0, "{below}");
    assert!((foot.x - 142.0).abs() < 0.01 && foot.y > 159.0, "{foot}");

    let pass: Vec<_> = (ground.links().iter())
        .filter(|link| link.kind == StepKind::OneWayStep)
        .collect();
    assert!(
        matches!(pass[..], [link] if link.from == below && link.to.distance(Vec2::new(94.0, 112.0)) < 0.01),
        "{pass:?}"
    );
    let mut finder = PathFinder::new();
    let mut walks = |from: Vec2, to: Vec2| {
        let mut query = Query::new(from, to);
        query.filter.edges = EdgeSet::FLOOR;
        matches!(finder.find(ground, &query).unwrap(), PathOutcome::Found(_))
    };
    assert!(walks(foot, top), "up the slope");
    assert!(walks(top, end), "down the slope and onto the shelf");
    assert!(!walks(top, foot), "down the slope and through the shelf");
    let mut seconds = |speed: f32| {
        let mut query = Query::new(foot, top);
        let mut slower = ground.profile().clone();
        slower.run_speed *= speed;
        (query.filter.edges, query.profile) = (EdgeSet::FLOOR, Some(slower));
        let outcome = finder.find(ground, &query).unwrap();
        outcome.path().unwrap().cost
    };
    let (full, half) = (seconds(1.0), seconds(0.5));
    assert!((half - 2.0 * full).abs() < 1e-6, "{half}, not twice {full}");
}

/// A body that comes down a step of 3 is carried by a one-way top that lies across
/// the step, or is its upper side and continues over the lower one. There is no room
/// on that top itself: a block hangs over it, beneath which the body of 16 just fits.
#[test]
fn a_step_with_a_one_way_top_in_it_does_not_join_its_two_sides() {
    let (solid, one_way) = (Material::Solid, Material::OneWay(PassDirection::Up));
    let floor = ((0.0, 128.0), (320.0, 160.0), solid);
    let raised = ((160.0, 125.0), (320.0, 160.0), solid);
    let block = ((60.0, -50.0), (148.0, 111.5), solid);
    let across = ((100.0, 126.5), (148.0, 127.0), one_way);
    let left = ((0.0, 128.0), (148.0, 160.0), solid);
    let upper = ((100.0, 125.0), (320.0, 126.0), one_way);
    let lower = ((0.0, 128.0), (160.0, 129.0), one_way);
    let cases: [(&[_], usize); 4] = [
        (&[floor, raised, block], 1),
        (&[floor, raised, block, across], 2),
        (&[left, upper, block], 2),
        // The lower side may be one-way.
        (&[lower, raised], 1),
    ];
    for (pieces, count) in cases {
        for is_mirrored in [false, true] {
            let pieces = pieces
                .iter()
                .map(|&((left, top), (right, bottom), material)| {
                    if is_mirrored {
                        piece((320.0 - right, top), (320.0 - left, bottom), material)
                    } else {
                        piece((left, top), (right, bottom), material)
                    }
                });
            let mesh = bake(&level(pieces.collect()), &settings(), &NoProgress).unwrap();
            let platforms = mesh.layer_named("ground").unwrap().platforms();
            let extents: Vec<_> = platforms.map(|p| p.extent()).collect();
            assert_eq!(extents.len(), count, "{is_mirrored} {extents:?}");
        }
    }
}

#[test]
fn a_hole_as_wide_as_two_thirds_of_a_body_is_walked_over_and_a_wider_one_is_not() {
    for (gap, platforms) in [(8.0, 1), (16.0, 2)] {
        let level = level(vec![
            piece((0.0, 96.0), (100.0, 160.0), Material::Solid),
            piece((100.0 + gap, 96.0), (320.0, 160.0), Material::Solid),
        ]);
        let mesh = bake(&level, &settings(), &NoProgress).unwrap();
        assert_eq!(
            mesh.layer_named("ground").unwrap().platforms().len(),
            platforms,
            "gap {gap}"
        );
    }
}

#[test]
fn a_post_between_two_columns_is_a_platform_without_vertices() {
    // Wider bodies would find vertices on it. This one can stand on 13 units,
    // between the columns of a coarse grid.
    let mut thin = AgentProfile::ground("thin", 16.0);
    thin.body = [12.0, 16.0];
    let mut settings = Settings::for_agents(vec![thin]);
    settings.spacing = Some(12.0);
    let level = level(vec![piece((59.9, 80.0), (60.0, 160.0), Material::Solid)]);
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let platforms: Vec<_> = mesh.layers()[0]
        .platforms()
        .map(|p| (p.left().x, p.right().x))
        .collect();
    assert_eq!(platforms.len(), 1);
    assert!((platforms[0].0 - 53.9).abs() < 0.01 && (platforms[0].1 - 66.0).abs() < 0.01);
}

#[test]
fn an_error_names_the_body_that_is_smaller_than_the_spacing() {
    let mut settings = settings();
    settings.spacing = Some(16.0);
    let error = bake(&level(Vec::new()), &settings, &NoProgress).unwrap_err();
    assert!(matches!(&error, BakeError::BodySmallerThanSpacing { agent, .. } if agent == "ground"));
    assert!(error.to_string().contains("12"), "{error}");
}

/// Cancels when it has the links of a platform.
struct Impatient(SharedProgress);

impl Progress for Impatient {
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        self.0.begin(agent, stage, total);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
        if self.0.text().contains("links") {
            self.0.cancel();
        }
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

#[test]
fn a_cancelled_bake_ends_before_it_has_all_links() {
    let blocks = (0..10).map(|i| f64::from(32 * i));
    let blocks = blocks.map(|x| piece((x, 40.0), (x + 12.0, 50.0), Material::Solid));
    let level = level(blocks.collect());
    let progress = Impatient(SharedProgress::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let result = (pool.unwrap()).install(|| bake(&level, &settings(), &progress));
    assert_eq!(result.unwrap_err(), BakeError::Cancelled);
    assert_eq!(progress.0.text(), "ground: links 10 %");
}

#[test]
fn a_fall_that_lasts_minutes_is_refused_before_the_bake() {
    let mut slow = settings();
    slow.agents[0].gravity = 1e-10;
    let error = bake(&level(Vec::new()), &slow, &NoProgress).unwrap_err();
    assert!(
        matches!(&error, BakeError::AirTime { agent, .. } if agent == "ground"),
        "{error}"
    );
    // No fall is deeper than the level.
    let mut deep = settings();
    deep.agents[0].max_drop[1] = 1e6;
    deep.agents[0].max_fall_speed = Some(50.0);
    bake(&level(Vec::new()), &deep, &NoProgress).unwrap();
}

#[test]
fn an_area_narrows_the_grid_and_an_empty_one_is_refused() {
    let mut level = level(vec![piece((0.0, 128.0), (320.0, 160.0), Material::Solid)]);
    level.markers.push(LevelMarker {
        class: "Nav_Area".into(),
        name: String::new(),
        area: Rect::new(DVec2::new(64.0, 32.0), DVec2::new(192.0, 160.0)),
        properties: Vec::new(),
    });
    let mesh = bake(&level, &settings(), &NoProgress).unwrap();
    let grid = mesh.grid();
    assert_eq!(
        (grid.origin.x, grid.origin.y, grid.columns, grid.rows),
        (64.0, 32.0, 16, 16)
    );
    // Several areas are baked with what is between them.
    let mut two = level.clone();
    let mut second = two.markers[0].clone();
    second.area = Rect::new(DVec2::new(256.0, 96.0), DVec2::new(288.0, 160.0));
    two.markers.push(second);
    let mesh = bake(&two, &settings(), &NoProgress).unwrap();
    assert_eq!((mesh.grid().origin.x, mesh.grid().columns), (64.0, 28));
    let mut empty = settings();
    empty.area = Some(Rect::new(DVec2::new(500.0, 0.0), DVec2::new(600.0, 10.0)));
    let error = bake(&level, &empty, &NoProgress).unwrap_err();
    assert!(
        error.to_string().contains("x 0 to 320 and y 0 to 160"),
        "{error}"
    );
}

/// A body of 12 by 16 hangs from the ladder where its feet are above the floor.
#[test]
fn the_foot_of_a_ladder_is_a_place_on_the_floor() {
    let level = level(vec![
        piece((0.0, 128.0), (320.0, 160.0), Material::Solid),
        piece((96.0, 32.0), (112.0, 128.0), Material::Ladder),
    ]);
    let mut settings = settings();
    settings.agents[0].edges = EdgeSet::FLOOR | EdgeSet::CLIMB;
    settings.agents[0].climb_speed = 60.0;
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let ground = mesh.layer_named("ground").unwrap();
    let kind_at = |y: f32| {
        let place = ground.snap(Vec2::new(104.0, y), SnapTo::PathEnd).unwrap();
        ground.platform(place.platform.unwrap()).unwrap().kind
    };
    assert_eq!(kind_at(128.0), PlatformKind::Floor);
    assert_eq!(kind_at(120.0), PlatformKind::Ladder);

    // Where an agent waits for a target: beside the ladder it is on the ladder,
    // farther away or closer to the floor on the floor.
    let place = |x: f32, y: f32| {
        ground
            .snap(Vec2::new(x, y), SnapTo::Target { body: None })
            .unwrap()
            .position
    };
    assert_eq!(place(106.0, 80.0), Vec2::new(104.0, 80.0));
    assert_eq!(place(106.0, 124.0), Vec2::new(106.0, 128.0));
    assert_eq!(place(200.0, 40.0), Vec2::new(200.0, 128.0));
    // A target inside the ground has nothing below.
    assert_eq!(place(200.0, 140.0), Vec2::new(200.0, 128.0));
}

/// Both ends on the same position of the same platform.
#[test]
fn a_portal_to_where_it_begins_is_not_a_link() {
    let links = |exit: f64| {
        let mut level = level(vec![piece((0.0, 128.0), (320.0, 160.0), Material::Solid)]);
        for (name, x, target) in [("in", 64.0, Some("out")), ("out", exit, None)] {
            let target = target.map(|target| ("to".to_owned(), target.to_owned()));
            level.markers.push(LevelMarker {
                class: "portal".into(),
                name: name.into(),
                area: Rect::new(DVec2::new(x, 128.0), DVec2::new(x, 128.0)),
                properties: Vec::from_iter(target),
            });
        }
        let mesh = bake(&level, &settings(), &NoProgress).unwrap();
        mesh.layer_named("ground").unwrap().links().len()
    };
    assert_eq!((links(200.0), links(64.0)), (2, 0));
}

/// 0.7 is a little less as a 32-bit number, so 42 units are a little more than
/// 60 cells.
#[test]
fn an_area_of_a_whole_number_of_cells_gets_no_more() {
    let floor = Collision::Shapes(vec![piece((0.0, 35.0), (42.0, 42.0), Material::Solid)]);
    let level = Level::in_memory("cells", floor, 42.0, 42.0);
    let mut settings = settings();
    settings.spacing = Some(0.7);
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    assert_eq!((mesh.grid().columns, mesh.grid().rows), (60, 60));
}

#[test]
fn the_y_axis_and_the_units_mirror_and_scale_the_mesh() {
    let level = level(vec![
        piece((0.0, 96.0), (96.0, 160.0), Material::Solid),
        piece((128.0, 64.0), (320.0, 160.0), Material::Solid),
    ]);
    let plain = bake(&level, &settings(), &NoProgress).unwrap();
    let mut turned = Settings::for_agents(default_agents(1.0));
    turned.units.pixels_per_unit = 16.0;
    turned.units.y_axis = YAxis::Up;
    let turned = bake(&level, &turned, &NoProgress).unwrap();
    let (a, b) = (
        plain.layer_named("ground").unwrap(),
        turned.layer_named("ground").unwrap(),
    );
    assert_eq!(a.parts().blocked, b.parts().blocked);
    assert_eq!(a.links().len(), b.links().len());
    assert!(!a.links().is_empty());
    for (a, b) in a.links().iter().zip(b.links()) {
        assert_eq!(a.kind, b.kind);
        assert!(
            (a.from.x - b.from.x * 16.0).abs() < 0.1 && (a.from.y + b.from.y * 16.0).abs() < 0.1
        );
        assert!((a.duration - b.duration).abs() < 1e-2);
    }
}

#[test]
fn hazards_block_and_do_not_carry() {
    let level = level(vec![
        piece((0.0, 128.0), (320.0, 160.0), Material::Solid),
        piece((96.0, 112.0), (128.0, 128.0), Material::Hazard),
    ]);
    let mesh = bake(&level, &settings(), &NoProgress).unwrap();
    let ground = mesh.layer_named("ground").unwrap();
    assert_eq!(ground.platforms().len(), 2);
    assert_eq!(
        ground.terrain(Cell {
            column: 15,
            row: 15
        }),
        Terrain::InsideGeometry
    );
    // Over the hazard, not onto it.
    assert!(
        ground
            .links()
            .iter()
            .any(|l| l.from_platform != l.to_platform)
    );
    assert!(
        ground
            .platforms()
            .all(|p| (p.left().y - 128.0).abs() < 1e-3)
    );
}

/// An agent that also climbs walls and ceilings.
fn climber() -> Settings {
    let mut settings = settings();
    settings.agents[0].edges = EdgeSet::FLOOR | EdgeSet::CLIMB;
    settings.agents[0].climb_speed = 60.0;
    settings
}

/// The platforms of a climber that are of a kind.
fn climbed(pieces: Vec<Piece>, kind: PlatformKind) -> usize {
    let mesh = bake(&level(pieces), &climber(), &NoProgress).unwrap();
    let platforms = mesh.layer_named("ground").unwrap().platforms();
    platforms.filter(|platform| platform.kind == kind).count()
}

/// At a gap as high as the body, 16, only its corners touch something.
#[test]
fn a_gap_as_high_as_a_climber_divides_a_wall() {
    for (gap, walls) in [(0.0, 1), (16.0, 2)] {
        let upper = piece((160.0, 32.0), (320.0, 80.0), Material::Solid);
        let lower = piece((160.0, 80.0 + gap), (320.0, 160.0), Material::Solid);
        assert_eq!(climbed(vec![upper, lower], PlatformKind::Wall), walls);
    }
}

#[test]
fn a_ceiling_at_the_upper_edge_of_the_level_is_outside() {
    for (low, ceilings) in [(-16.0, 0), (-15.0, 1)] {
        let block = piece((0.0, -40.0), (320.0, low), Material::Solid);
        assert_eq!(climbed(vec![block], PlatformKind::Ceiling), ceilings);
    }
}

#[test]
fn a_wall_with_spikes_over_all_of_it_is_climbed() {
    let spikes = piece((160.0, 64.0), (320.0, 160.0), Material::Hazard);
    let wall = piece((160.0, 64.0), (320.0, 160.0), Material::Solid);
    assert_eq!(climbed(vec![spikes.clone(), wall], PlatformKind::Wall), 1);
    assert_eq!(climbed(vec![spikes], PlatformKind::Wall), 0);
}

/// The lines of both, where a body of 12 begins to be stopped, are at x = 122.
#[test]
fn two_one_way_walls_against_each_other_let_nothing_pass() {
    let to_right = Material::OneWay(PassDirection::Right);
    let to_left = Material::OneWay(PassDirection::Left);
    let first = piece((100.0, 0.0), (116.0, 128.0), to_right);
    let second = piece((128.0, 0.0), (144.0, 128.0), to_left);
    for (walls, passes) in [
        (vec![first.clone()], [true, false]),
        (vec![first.clone(), second.clone()], [false; 2]),
        (vec![second, first], [false; 2]),
    ] {
        let floor = piece((0.0, 128.0), (320.0, 160.0), Material::Solid);
        let pieces = walls.into_iter().chain([floor]).collect();
        let mesh = bake(&level(pieces), &settings(), &NoProgress).unwrap();
        let ends = [Vec2::new(50.0, 128.0), Vec2::new(250.0, 128.0)];
        let mut finder = PathFinder::new();
        let mut walks = |from, to| {
            let mut query = Query::new(from, to);
            query.filter.edges = EdgeSet::FLOOR;
            let ground = mesh.layer_named("ground").unwrap();
            matches!(finder.find(ground, &query).unwrap(), PathOutcome::Found(_))
        };
        assert_eq!([walks(ends[0], ends[1]), walks(ends[1], ends[0])], passes);
    }
}

/// It would begin beside the door.
#[test]
fn a_closed_door_does_not_move_the_portal_in_it() {
    let marker = |class: &str, name: &str, min: (f64, f64), max: (f64, f64)| LevelMarker {
        class: class.into(),
        name: name.into(),
        area: Rect::new(min.into(), max.into()),
        properties: Vec::new(),
    };
    let portals = |with_door: bool| {
        let mut level = level(vec![piece((0.0, 128.0), (320.0, 160.0), Material::Solid)]);
        let mut entrance = marker("portal", "in", (48.0, 96.0), (112.0, 128.0));
        entrance.properties = vec![("to".to_owned(), "out".to_owned())];
        level.markers.push(entrance);
        level
            .markers
            .push(marker("portal", "out", (200.0, 128.0), (200.0, 128.0)));
        let door = marker("door", "gate", (40.0, 64.0), (84.0, 128.0));
        level.markers.extend(with_door.then_some(door));
        let mesh = bake(&level, &settings(), &NoProgress).unwrap();
        let links = mesh.layer_named("ground").unwrap().links().to_vec();
        links.iter().filter(|l| l.kind == StepKind::Portal).count()
    };
    assert_eq!((portals(false), portals(true)), (2, 2));
}
