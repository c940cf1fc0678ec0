//! Levels that change: after any edits, the mesh is that of a fresh bake, byte for byte.

use crate::common::Tiles;
use crate::random::Dice;
use crate::random_cases;

use glam::DVec2;
use navmesh_bake::{
    Collision, LevelMarker, LevelUpdate, LiveLevel, Material, NoProgress, PassDirection, Progress,
    Rect, Settings, Shape, Stage, bake,
};
use navmesh_runtime::asset::encode;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Link};

const TILE: f64 = 16.0;

fn agents(number: u64) -> Vec<AgentProfile> {
    let ground = AgentProfile::ground("ground", TILE as f32);
    let other = match number % 4 {
        0 => AgentProfile {
            edges: EdgeSet::ALL - EdgeSet::FLY,
            climb_speed: 60.0,
            ..ground.clone()
        },
        1 => AgentProfile {
            air_acceleration: Some(600.0),
            ..ground.clone()
        },
        2 => AgentProfile {
            air_control: false,
            air_jumps: 1,
            ..ground.clone()
        },
        _ => AgentProfile::air("air", TILE as f32),
    };
    let name = "other".to_owned();
    vec![ground, AgentProfile { name, ..other }]
}

fn random_tiles(dice: &mut Dice) -> Tiles {
    let columns = 20 + dice.below(16);
    random_tiles_across(columns, dice)
}

fn random_tiles_across(columns: u32, dice: &mut Dice) -> Tiles {
    let rows = 9 + dice.below(4);
    let mut tiles = Tiles {
        side: TILE as u32,
        rows: vec![vec!['.'; columns as usize]; rows as usize],
    };
    if let Some(last) = tiles.rows.last_mut() {
        last.fill('#');
    }
    for _ in 0..columns * rows / 20 {
        let at = (
            dice.below(columns) as usize,
            2 + dice.below(rows - 3) as usize,
        );
        let tile = ['#', '#', '-', '#', 'H', '^'][dice.below(6) as usize];
        let size = if tile == 'H' {
            (1, 3)
        } else {
            (1 + dice.below(6), 1)
        };
        tiles.fill(at, (size.0 as usize, size.1), tile);
    }
    tiles
}

fn random_rect(dice: &mut Dice, size: DVec2) -> Rect {
    let at = DVec2::new(
        f64::from(dice.below(size.x as u32)),
        f64::from(dice.below(size.y as u32)),
    );
    // Mostly whole tiles.
    let unit = if dice.chance(0.8) { TILE } else { 1.0 };
    let min = (at / unit).floor() * unit;
    let extent = match dice.below(4) {
        0 => DVec2::ONE,
        1 => DVec2::new(f64::from(1 + dice.below(8)), 1.0),
        2 => DVec2::new(1.0, f64::from(1 + dice.below(4))),
        _ => DVec2::new(f64::from(1 + dice.below(5)), f64::from(1 + dice.below(3))),
    };
    Rect::new(min, min + extent * unit.max(3.0))
}

const MATERIALS: [Option<Material>; 8] = [
    None,
    None,
    None,
    Some(Material::Solid),
    Some(Material::Solid),
    Some(Material::OneWay(PassDirection::Up)),
    Some(Material::Hazard),
    Some(Material::Ladder),
];

/// One edit, or several.
fn edit(live: &mut LiveLevel, shapes: &mut Vec<navmesh_bake::ShapeId>, dice: &mut Dice) {
    let size = live.level().bounds.max;
    for _ in 0..=dice.below(2) {
        let rect = random_rect(dice, size);
        match dice.below(6) {
            0 => {
                let [left_top, right_top, right_bottom, left_bottom] = rect.corners();
                let slope = if dice.chance(0.5) {
                    vec![left_bottom, right_top, right_bottom]
                } else {
                    vec![left_bottom, left_top, right_bottom]
                };
                shapes.extend(live.add_shape(Shape::Convex(slope), Material::Solid));
            }
            1 if !shapes.is_empty() => {
                let at = dice.below(shapes.len() as u32) as usize;
                let id = shapes.swap_remove(at);
                assert!(live.remove_shape(id) && !live.remove_shape(id));
            }
            _ => live.set_cells(rect, MATERIALS[dice.below(8) as usize]),
        }
    }
}

/// An update in parts, perhaps with an edit between them.
fn in_parts(
    live: &mut LiveLevel,
    shapes: &mut Vec<navmesh_bake::ShapeId>,
    dice: &mut Dice,
) -> LevelUpdate {
    let mut parts = 0;
    loop {
        let before = live.mesh().clone();
        if let Some(update) = live.update_within(3).unwrap() {
            return update;
        }
        assert!(std::sync::Arc::ptr_eq(&before, live.mesh()));
        parts += 1;
        assert!(parts < 1000, "it never ends");
        // Edits for ever could ask for more than is done in between.
        if parts < 100 && dice.chance(0.03) {
            edit(live, shapes, dice);
        }
    }
}

/// Makes edits of a level, and bakes it afresh after each.
fn check(number: u64, tiles: &Tiles, edits: u32, dice: &mut Dice) {
    let mut level = if number % 5 == 4 {
        tiles.bitmap()
    } else {
        tiles.level()
    };
    if number.is_multiple_of(3) {
        let corner = DVec2::new(10.0, 2.0) * TILE;
        level.markers.push(LevelMarker {
            class: "door".into(),
            name: "gate".into(),
            area: Rect::new(corner, corner + DVec2::new(1.0, 20.0) * TILE),
            properties: Vec::new(),
        });
    }
    let mut settings = Settings::for_agents(agents(number));
    settings.link_stretch = if number.is_multiple_of(2) { 1.25 } else { 1.0 };
    let mut live = LiveLevel::new(level, settings.clone()).unwrap();
    let mut shapes = Vec::new();
    for step in 0..edits {
        edit(&mut live, &mut shapes, dice);
        if step % 8 == 7 && number % 5 != 4 {
            // A game may also read its whole level again, with other bounds.
            let mut level = live.level().clone();
            level.bounds.min.x -= 2.0 * TILE;
            live.set_level(level);
            shapes.clear();
        }
        let update = if step % 3 == 2 {
            in_parts(&mut live, &mut shapes, dice)
        } else {
            live.update().unwrap()
        };
        let fresh = bake(live.level(), &settings, &NoProgress).unwrap();
        assert!(
            encode(&update.mesh) == encode(&fresh),
            "level {number}, edit {step}: {:?}",
            update.changes()
        );
        for ((old, new), changes) in (update.before.layers().iter())
            .zip(update.mesh.layers())
            .zip(update.changes())
        {
            assert_eq!(changes.platforms.len(), old.platforms().len());
            for (old, new_id) in old.platforms().zip(&changes.platforms) {
                let same = new_id.and_then(|id| new.platform(id));
                assert!(same.is_none_or(|new| new.surface == old.surface));
            }
            let ends = |links: &[Link]| {
                links
                    .iter()
                    .map(|link| (link.kind, link.from, link.to))
                    .collect::<Vec<_>>()
            };
            let new_ends = ends(new.links());
            let still = changes.links_gone.iter().filter(|link| {
                new.links().iter().any(|other| {
                    // One whose room for error has changed is another link.
                    other.params == link.params
                        && (other.from, other.to) == (link.from, link.to)
                        && (other.kind, other.tolerance) == (link.kind, link.tolerance)
                })
            });
            assert_eq!(still.count(), 0);
            assert!(
                ends(&changes.links_new)
                    .iter()
                    .all(|link| new_ends.contains(link))
            );
        }
    }
}

#[test]
fn any_edits_give_the_bytes_of_a_fresh_bake() {
    // At full, 1,000 edits of 40 levels.
    let [levels, edits] = [40, 25].map(random_cases::times);
    for number in 0..u64::from(levels) {
        let dice = &mut Dice::case(number);
        check(number, &random_tiles(dice), edits, dice);
    }
}

/// Most parts of these levels are far from any edit.
#[test]
fn edits_of_wide_levels_give_the_bytes_of_a_fresh_bake() {
    let [levels, edits] = [5, 25].map(random_cases::times);
    for number in 0..u64::from(levels) {
        let dice = &mut Dice::case(1000 + number);
        check(number, &random_tiles_across(150, dice), edits, dice);
    }
}

/// Memory returns to what it was when a level is as it was again.
#[test]
fn ten_thousand_edits_leave_no_memory_behind() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    alone.unwrap().install(|| {
        let dice = &mut Dice(3);
        let tiles = Tiles {
            side: TILE as u32,
            rows: vec![vec!['.'; 16]; 6],
        };
        let settings = Settings::for_agents(vec![AgentProfile::ground("ground", TILE as f32)]);
        let mut live = LiveLevel::new(tiles.level(), settings).unwrap();
        let mut edit = |live: &mut LiveLevel, count: u32| {
            for number in 0..count {
                let material = MATERIALS[dice.below(8) as usize];
                live.set_cells(random_rect(dice, live.level().bounds.max), material);
                if number % 50 == 0 {
                    live.update().unwrap();
                }
            }
            live.set_cells(live.level().bounds, None);
            live.update().unwrap();
        };
        edit(&mut live, 500);
        let used = allocation_counter::measure(|| edit(&mut live, 10_000));
        // Lists keep the room that they had once.
        assert!(used.bytes_current < 100_000, "{used:?}");
    });
}

/// Whatever the numbers, an edit is made, left out, or an error of the next update, and the
/// level can be baked again.
#[test]
fn edits_with_any_numbers_are_made_or_refused() {
    const ODD: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        -1e300,
        1e18,
        -3e7,
        1e-300,
        -0.0,
        16.0,
        40.5,
        96.0,
    ];
    let dice = &mut Dice(5);
    let mut tiles = Tiles {
        side: TILE as u32,
        rows: vec![vec!['.'; 12]; 6],
    };
    tiles.rows[5].fill('#');
    let settings = Settings::for_agents(agents(0));
    for level in [tiles.level(), tiles.bitmap()] {
        let mut live = LiveLevel::new(level.clone(), settings.clone()).unwrap();
        let whole = encode(live.mesh());
        let [mut made, mut refused] = [0, 0];
        for _ in 0..300 {
            let mut odd = || DVec2::from([0; 2].map(|_| ODD[dice.below(12) as usize]));
            let rect = Rect {
                min: odd(),
                max: odd(),
            };
            let points: Vec<DVec2> = (0..5).map(|_| odd()).collect();
            let material = MATERIALS[dice.below(8) as usize];
            let shape = match dice.below(3) {
                0 => Shape::Box(rect),
                _ => Shape::Convex(points[..dice.below(6) as usize].to_vec()),
            };
            if dice.chance(0.5) {
                live.set_cells(rect, material);
            } else {
                live.add_shape(shape, material.unwrap_or(Material::Solid));
            }
            match live.update() {
                Ok(_) => made += 1,
                Err(_) => refused += 1,
            }
            if dice.chance(0.3) {
                live.set_level(level.clone());
                let update = live.update().unwrap();
                assert!(encode(&update.mesh) == whole);
            }
        }
        assert!(made > 50, "{made} made, {refused} refused");
    }
}

/// What is cut away of shapes is exactly what lies in the rectangle.
#[test]
fn cells_are_cut_out_of_shapes_exactly() {
    let dice = &mut Dice(7);
    for number in 0..10 {
        let tiles = random_tiles(dice);
        let settings = Settings::for_agents(vec![AgentProfile::ground("ground", TILE as f32)]);
        let mut live = LiveLevel::new(tiles.level(), settings).unwrap();
        let mut shapes = Vec::new();
        for _ in 0..8 {
            let before = live.level().clone();
            edit(&mut live, &mut shapes, dice);
            let rect = random_rect(dice, live.level().bounds.max);
            let middle = live.level().clone();
            live.set_cells(rect, None);
            let size = before.bounds.max;
            for _ in 0..300 {
                let at = DVec2::new(f64::from(dice.unit()), f64::from(dice.unit())) * size;
                let inside = rect.min.cmplt(at).all() && at.cmplt(rect.max).all();
                let expected = if inside {
                    Vec::new()
                } else {
                    at_point(&middle.collision, at)
                };
                assert_eq!(
                    at_point(&live.level().collision, at),
                    expected,
                    "{number}: {at}"
                );
            }
        }
    }
}

/// The materials at a point, each once.
fn at_point(collision: &Collision, at: DVec2) -> Vec<Material> {
    let Collision::Shapes(pieces) = collision else {
        return Vec::new();
    };
    let mut all: Vec<Material> = (pieces.iter())
        .filter(|piece| match &piece.shape {
            Shape::Box(rect) => rect.min.cmplt(at).all() && at.cmplt(rect.max).all(),
            Shape::Convex(points) => {
                let sides = (0..points.len()).map(|i| {
                    let [p, q] = [points[i], points[(i + 1) % points.len()]];
                    (q - p).perp_dot(at - p)
                });
                let (mut low, mut high) = (0.0_f64, 0.0_f64);
                sides.for_each(|side| (low, high) = (low.min(side), high.max(side)));
                low >= 0.0 || high <= 0.0
            }
        })
        .map(|piece| piece.material)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The stages that a bake begins.
#[derive(Default)]
struct Stages(std::sync::Mutex<Vec<(String, Stage)>>);

impl Progress for Stages {
    fn begin(&self, agent: &str, stage: Stage, _total: u64) {
        self.0.lock().unwrap().push((agent.to_owned(), stage));
    }
}

#[test]
fn the_first_bake_of_a_live_level_has_the_stages_of_any_bake() {
    let level = random_tiles(&mut Dice(5)).level();
    let settings = Settings::for_agents(agents(0));
    let [once, live] = [Stages::default(), Stages::default()];
    bake(&level, &settings, &once).unwrap();
    LiveLevel::with_progress(level, settings, &live).unwrap();
    let [once, live] = [once, live].map(|stages| stages.0.into_inner().unwrap());
    assert!(!once.is_empty());
    assert_eq!(once, live);
}
