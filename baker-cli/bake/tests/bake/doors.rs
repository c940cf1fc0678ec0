//! Closed doors of a baked level, compared with the same level baked with solid
//! walls where the doors are.

use crate::common;
use crate::random_cases;

use std::collections::BTreeSet;

use common::fixtures::fixture;
use common::reachable::closure;
use common::replay::replay;
use common::state_lattice::can_do_smoothly;
use common::{Noise, Tiles};
use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, LevelMarker, Material, Piece, Rect, Shape};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh, PlatformId, StepKind};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{Path, PathFinder, PathOutcome, Query, SnapTo};
use proptest::test_runner::TestRunner;

fn baked(level: &Level) -> NavMesh {
    let mut agents = default_agents(16.0);
    // Each level is baked many times, and that takes several times as long with a
    // limit; what is done about doors does not depend on it.
    agents[0].air_acceleration = None;
    let settings = Settings::for_agents(agents);
    bake(level, &settings, &NoProgress).unwrap()
}

/// The level with walls in place of its doors.
fn walled(level: &Level) -> Level {
    let mut walled = level.clone();
    let Collision::Shapes(pieces) = &mut walled.collision else {
        panic!("drawn in shapes");
    };
    for door in level.markers.iter().filter(|m| m.class == "door") {
        pieces.push(Piece {
            shape: Shape::Box(door.area),
            material: Material::Solid,
            origin: 0,
        });
    }
    walled
}

/// Whether a body with its feet here overlaps a door by more than rounding.
fn overlaps(door: &Rect, feet: DVec2, [width, height]: [f32; 2]) -> bool {
    let half = DVec2::new(f64::from(width) / 2.0, 0.0);
    let (min, max) = (
        feet - half - DVec2::new(0.0, f64::from(height)),
        feet + half,
    );
    let hair = 1e-2;
    min.x + hair < door.max.x
        && max.x - hair > door.min.x
        && min.y + hair < door.max.y
        && max.y - hair > door.min.y
}

/// The defects of a path past closed doors, checked in fine steps.
fn keeps_clear(layer: &Layer, doors: &[Rect], path: &Path) -> bool {
    let body = layer.profile().body;
    let clear = |feet: DVec2| !doors.iter().any(|door| overlaps(door, feet, body));
    path.steps.iter().all(|step| {
        let link = step.link.and_then(|id| layer.link(id));
        let arc = link.and_then(|l| l.trajectory(layer.profile(), 1.0).ok());
        // The run-up, from rest.
        let speed = link
            .and_then(|link| link.params.start_speed())
            .unwrap_or(0.0);
        let rate = f64::from(layer.profile().acceleration);
        let run_up = 0.5 * speed * speed.abs() / rate;
        let runs_up = (0..=20).all(|i| {
            let back = DVec2::new(run_up * f64::from(i) / 20.0, 0.0);
            step.kind == StepKind::Floor || clear(step.from.as_dvec2() - back)
        });
        runs_up
            && (0..=200).all(|i| {
                let part = f64::from(i) / 200.0;
                let straight = step.from.as_dvec2().lerp(step.to.as_dvec2(), part);
                let feet = match (step.kind, arc) {
                    (_, Some(arc)) => {
                        step.from.as_dvec2()
                            + arc.offset(arc.duration * part) * DVec2::new(1.0, -1.0)
                    }
                    (StepKind::Portal, _) => {
                        let end = if i < 100 { step.from } else { step.to };
                        end.as_dvec2()
                    }
                    (StepKind::Floor, _) => {
                        let platform = layer.platform(step.platform.unwrap()).unwrap();
                        platform.at(straight.x as f32).as_dvec2()
                    }
                    _ => straight,
                };
                clear(feet)
            })
    })
}

/// Positions on floors of both bakes, far enough from the doors that nothing
/// stands on a door or leans against it.
fn places(open: &Layer, solid: &Layer, doors: &[Rect]) -> Vec<Vec2> {
    let mut places = Vec::new();
    for platform in open.platforms() {
        let ends = platform.left().x..=platform.right().x;
        let columns = (0..open.grid().columns).map(|column| open.grid().column_x(column));
        for x in columns.filter(|x| ends.contains(x)) {
            let at = platform.at(x);
            let is_floor = solid.snap(at, SnapTo::FloorBelow(0.01)).is_some();
            let body = open.profile().body;
            let free = doors
                .iter()
                .all(|door| !overlaps(door, at.as_dvec2(), body));
            if is_floor && free {
                places.push(at);
            }
        }
    }
    places
}

/// Counts pairs that are reached with walls but not with closed doors, pairs
/// that are reached the other way round, and all pairs.
fn compare(level: &Level, agent: &str, stride: usize) -> [usize; 3] {
    let (open, solid) = (baked(level), baked(&walled(level)));
    let mut doors = Doors::from_mesh(&open);
    let names: BTreeSet<String> = open.doors().map(|door| door.marker.name.clone()).collect();
    for name in &names {
        doors.close(name).unwrap();
    }
    let rects: Vec<Rect> = level
        .markers
        .iter()
        .filter(|m| m.class == "door")
        .map(|m| m.area)
        .collect();
    assert_eq!(doors.closed().len(), rects.len());
    let (layer, wall) = (
        open.layer_named(agent).unwrap(),
        solid.layer_named(agent).unwrap(),
    );
    let places = places(layer, wall, &rects);
    let mut finder = PathFinder::new();
    let [mut lost, mut gained, mut all] = [0; 3];
    for from in places.iter().step_by(stride) {
        for to in places.iter().step_by(stride) {
            let mut query = Query::new(*from, *to);
            // The walled level can be walked on top of a door; the open level
            // cannot.
            let walled = match finder.find(wall, &query).unwrap() {
                PathOutcome::Found(path) => path.steps.iter().all(|step| {
                    let on_floor = |at| layer.snap(at, SnapTo::FloorBelow(0.01)).is_some();
                    on_floor(step.from) && on_floor(step.to)
                }),
                _ => false,
            };
            query.filter.close_doors(&doors);
            let closed = match finder.find(layer, &query).unwrap() {
                PathOutcome::Found(path) => {
                    assert!(keeps_clear(layer, &rects, path), "{from} {to} {path:?}");
                    true
                }
                _ => false,
            };
            all += 1;
            lost += usize::from(walled && !closed);
            gained += usize::from(closed && !walled);
        }
    }
    [lost, gained, all]
}

#[test]
fn closed_doors_of_the_fixture_block_like_walls() {
    let [lost, gained, all] = compare(&fixture("portals.tmx"), "ground", 3);
    assert_eq!((lost, gained), (0, 0));
    assert!(all > 500, "{all}");
}

/// Up to three doors on free tiles of a level: in gaps of rows, where a hatch is flush with
/// the floor, and in columns above floors. Each is drawn as its columns and rows.
fn random_doors(world: &Tiles, noise: &mut Noise) -> Vec<[usize; 4]> {
    let (width, height) = (world.columns(), world.rows.len());
    let is_free = |[c0, r0, c1, r1]: &[usize; 4]| {
        let inside = *c1 <= width && *r1 <= height;
        inside && (*r0..*r1).all(|r| (*c0..*c1).all(|c| world.rows[r][c] == '.'))
    };
    let is_solid = |c: usize, r: usize| world.tile(c, r as i64) == '#';
    let mut all = Vec::new();
    for r in 1..height {
        for c in 1..width {
            for long in 1..4 {
                let hatch = [c, r, c + long, r + 1];
                let gate = [c, r + 1 - long.min(r), c + 1, r + 1];
                let in_gap = is_solid(c - 1, r) && is_solid(c + long, r);
                if in_gap && is_free(&hatch) {
                    all.push(hatch);
                }
                if is_solid(c, r + 1) && is_free(&gate) {
                    all.push(gate);
                }
            }
        }
    }
    let mut doors: Vec<[usize; 4]> = Vec::new();
    while doors.len() < 3 && !all.is_empty() {
        let door = all.swap_remove(noise.below(all.len()));
        let apart = |other: &[usize; 4]| {
            other[0] >= door[2] || door[0] >= other[2] || other[1] >= door[3] || door[1] >= other[3]
        };
        if doors.iter().all(apart) {
            doors.push(door);
        }
    }
    doors
}

fn rect_of(&[c0, r0, c1, r1]: &[usize; 4], side: f64) -> Rect {
    let corner = |c: usize, r: usize| DVec2::new(c as f64, r as f64) * side;
    Rect::new(corner(c0, r0), corner(c1, r1))
}

/// What is found out about closed doors in random levels.
#[derive(Debug, Default)]
struct Closures {
    /// Pairs of platforms that a body can get from one to the other of.
    can: usize,
    /// Those of them without a path, although a bake of the level with hazards in place of
    /// the doors has one; and the number of those without a path in either.
    lost: Vec<String>,
    missed: usize,
    /// Pairs with a path; those of them that have none with hazards, and are not found by the
    /// search, but whose links the replay makes among hazards; and the rest of these.
    found: usize,
    replayed: usize,
    gained: Vec<String>,
}

/// Whether a replay in a level makes every link of a path through another one.
fn is_made(world: &Tiles, mesh: &NavMesh, path: &Path) -> bool {
    let wrong = replay(world, mesh, &mesh.layers()[0]);
    let mut links = path.steps.iter().filter_map(|step| step.link);
    links.all(|id| {
        let link = format!("link {} ", id.0);
        !wrong.iter().any(|what| what.starts_with(&link))
    })
}

impl Closures {
    /// Closes some doors of a baked level, and searches paths between all platforms of the
    /// level with hazards in their place: these block, and carry nothing.
    fn close(
        &mut self,
        world: &Tiles,
        open: &NavMesh,
        agent: &AgentProfile,
        closed: &[[usize; 4]],
    ) {
        let mut blocked = world.clone();
        for &[c0, r0, c1, r1] in closed {
            blocked.fill((c0, r0), (c1 - c0, r1 - r0), '^');
        }
        let (layer, side) = (&open.layers()[0], f64::from(world.side));
        let rects: Vec<Rect> = closed.iter().map(|door| rect_of(door, side)).collect();
        let mut doors = Doors::new();
        for rect in &rects {
            let [min, max] = [rect.min, rect.max].map(DVec2::as_vec2);
            doors.close_region(navmesh_runtime::search::Rect::new(min, max));
        }
        let mesh = blocked.baked(agent.clone(), 1.1);
        let hazards = &mesh.layers()[0];
        let can = closure(&can_do_smoothly(&blocked, hazards));
        let mut finder = PathFinder::new();
        let place = |id: u32| {
            let platform = hazards.platform(PlatformId(id)).unwrap();
            platform.at(f32::midpoint(platform.left().x, platform.right().x))
        };
        for from in hazards.platforms() {
            for to in hazards.platforms().filter(|to| to.id != from.id) {
                let pair = (from.id.0, to.id.0);
                let mut query = Query::new(place(pair.0), place(pair.1));
                let in_bake = matches!(finder.find(hazards, &query), Ok(PathOutcome::Found(_)));
                query.filter.close_doors(&doors);
                let path = match finder.find(layer, &query) {
                    Ok(PathOutcome::Found(path)) => {
                        assert!(keeps_clear(layer, &rects, path), "{pair:?} {path:?}");
                        Some(path)
                    }
                    _ => None,
                };
                let show = || {
                    let lines = blocked.lines().join("\n");
                    let (from, to) = (query.from, query.to);
                    format!("{from} to {to}, {closed:?}, with hazards {in_bake}\n{lines}")
                };
                self.can += usize::from(can.contains(&pair));
                self.found += usize::from(path.is_some());
                match path {
                    None if can.contains(&pair) && in_bake => self.lost.push(show()),
                    None => self.missed += usize::from(can.contains(&pair)),
                    Some(path) if !in_bake && !can.contains(&pair) => {
                        if is_made(&blocked, open, path) {
                            self.replayed += 1;
                        } else {
                            self.gained.push(show());
                        }
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

/// Every door of random levels closed alone, with each other one, and all of them. No link
/// needs a door as floor, no path is lost that an exhaustive search finds, and none is found
/// that the level does not have with hazards in place of the doors.
#[test]
fn closed_doors_lose_no_path_and_carry_nothing() {
    let mut runner = TestRunner::deterministic();
    let mut sums = Closures::default();
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_acceleration = Some(8.0 * agent.run_speed);
    // The search starts everywhere at once, so distances are not limited.
    agent.max_jump[0] = 1000.0;
    agent.max_drop[0] = 1000.0;
    for seed in 0..random_cases::times(60) {
        let world = common::draw(&mut runner, &common::tiles(9..16, 6..10, 16));
        let doors = random_doors(&world, &mut Noise::new(u64::from(seed) * 77 + 5));
        let mut level = world.level();
        for (k, door) in doors.iter().enumerate() {
            level.markers.push(LevelMarker {
                class: "door".into(),
                name: format!("door {k}"),
                area: rect_of(door, 16.0),
                properties: Vec::new(),
            });
        }
        let settings = Settings::for_agents(vec![agent.clone()]);
        let open = bake(&level, &settings, &NoProgress).unwrap();
        let wrong = replay(&world, &open, &open.layers()[0]);
        assert!(
            wrong.is_empty(),
            "{wrong:#?} {doors:?} {:#?}",
            world.lines()
        );
        for set in 1..1_u32 << doors.len() {
            let closed = doors.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1);
            let closed: Vec<[usize; 4]> = closed.map(|(_, door)| *door).collect();
            sums.close(&world, &open, &agent, &closed);
        }
    }
    let Closures {
        can,
        lost,
        missed,
        found,
        replayed,
        gained,
    } = sums;
    println!(
        "{} of {can} pairs lost, {missed} missed; of {found}, {} gained, {replayed} by replay",
        lost.len(),
        gained.len()
    );
    assert!(can > random_cases::share(5000), "{can}");
    assert!(lost.is_empty(), "{}", lost.join("\n\n"));
    assert_eq!(missed, 0, "of {can}");
    assert!(gained.is_empty(), "{}", gained.join("\n\n"));
    // Neither the search nor the bake with hazards tries all take-offs, so some paths are found
    // by the bake with open doors only: a replay makes these.
    assert!(replayed * 1000 <= found, "{replayed} of {found}");
}

/// A hatch flush with the floor, and a ledge beyond a gap as wide as only a run-up over the
/// hatch would let the agent jump. The pit below has no way out.
#[test]
fn no_jump_runs_up_over_a_closed_hatch() {
    let rows = [
        "#......................#",
        "#......................#",
        "#......................#",
        "#......................#",
        "#......................#",
        "#......................#",
        "#####..#.......#########",
        "#......................#",
        "#......................#",
        "########################",
    ];
    let mut level = common::rows::level("hatch", 16, &rows);
    level.markers.push(LevelMarker {
        class: "door".into(),
        name: "hatch".into(),
        area: Rect::new(DVec2::new(80.0, 96.0), DVec2::new(112.0, 112.0)),
        properties: Vec::new(),
    });
    let mut agent = AgentProfile::ground("a", 16.0);
    agent.body = [12.0, 16.0];
    (agent.run_speed, agent.acceleration, agent.deceleration) = (160.0, 320.0, 320.0);
    (agent.jump_height, agent.gravity) = (40.0, 800.0);
    agent.jump_speed = (2.0_f32 * 40.0 * 800.0).sqrt();
    (agent.max_jump, agent.max_drop) = ([400.0, 400.0], [400.0, 400.0]);
    agent.air_acceleration = Some(160.0);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let mut doors = Doors::from_mesh(&mesh);
    doors.close("hatch").unwrap();
    let mut query = Query::new(Vec2::new(120.0, 96.0), Vec2::new(300.0, 96.0));
    query.filter.close_doors(&doors);
    let mut finder = PathFinder::new();
    let found = finder.find(layer, &query).unwrap();
    assert!(!matches!(found, PathOutcome::Found(_)), "{found:?}");
}
