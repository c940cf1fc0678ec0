//! Removed ground of every kind, compared with a bake of the level without it, and agents
//! in levels that are edited.

use crate::common::{Geometry, Tiles};
use crate::random::Dice;
use crate::random_cases;

use glam::{DVec2, Vec2};
use navmesh_bake::{LiveLevel, Material, PassDirection, Settings};
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{AgentProfile, Cell, EdgeSet, Layer, Platform, PlatformKind};
use navmesh_runtime::motion::{Activity, IdleReason, NavAgent, Stranded};
use navmesh_runtime::search::Rect;
use proptest::prelude::*;

const TILE: f32 = 16.0;
const DT: f32 = 1.0 / 60.0;

fn climber() -> AgentProfile {
    AgentProfile {
        edges: EdgeSet::ALL - EdgeSet::FLY,
        climb_speed: 60.0,
        ..AgentProfile::ground("agent", TILE)
    }
}

fn random_tiles(dice: &mut Dice) -> Tiles {
    let (columns, rows) = (14 + dice.below(10), 10 + dice.below(4));
    let mut tiles = Tiles {
        side: TILE as u32,
        rows: vec![vec!['.'; columns as usize]; rows as usize],
    };
    if let Some(last) = tiles.rows.last_mut() {
        last.fill('#');
    }
    for _ in 0..columns * rows / 14 {
        let at = (
            dice.below(columns) as usize,
            2 + dice.below(rows - 3) as usize,
        );
        let tile =
            ['#', '#', '#', '-', '-', 'H', '/', '\\', 'v', '<', '^'][dice.below(11) as usize];
        let size = match tile {
            'H' | '<' => (1, 2 + dice.below(3)),
            '/' | '\\' | '^' => (1, 1),
            '-' | 'v' => (1 + dice.below(5), 1),
            _ => (1 + dice.below(5), 1 + dice.below(3)),
        };
        tiles.fill(at, (size.0 as usize, size.1 as usize), tile);
    }
    tiles
}

/// Removes a rectangle of tiles.
fn remove_tiles(tiles: &mut Tiles, dice: &mut Dice) -> Rect {
    let (columns, rows) = (tiles.columns() as u32, tiles.rows.len() as u32);
    let [left, top] = [dice.below(columns), 1 + dice.below(rows - 1)];
    let [right, bottom] = [
        (left + 1 + dice.below(5)).min(columns),
        (top + 1 + dice.below(4)).min(rows),
    ];
    for row in &mut tiles.rows[top as usize..bottom as usize] {
        row[left as usize..right as usize].fill('.');
    }
    let [min, max] =
        [[left, top], [right, bottom]].map(|[x, y]| Vec2::new(x as f32, y as f32) * TILE);
    Rect::new(min, max)
}

/// Whether a layer has a platform of a kind at a position.
fn has(layer: &Layer, kind: PlatformKind, at: Vec2, slack: f32) -> bool {
    layer.platforms().any(|on| {
        let (low, high) = on.extent();
        let along = on.along(at);
        on.kind == kind
            && low - slack <= along
            && along <= high + slack
            && on.at(along).distance(at) <= slack
    })
}

fn places(on: &Platform<'_>) -> impl Iterator<Item = Vec2> {
    let (low, high) = on.extent();
    let on = *on;
    (0..=60).map(move |i| on.at(low + (high - low) * i as f32 / 60.0))
}

/// Whether two positions beside one along its platform are on a platform, too.
fn is_inside(layer: &Layer, on: &Platform<'_>, at: Vec2) -> bool {
    [-0.3, 0.3].iter().all(|aside| {
        let beside = on.at(on.along(at) + aside);
        has(layer, on.kind, beside, 0.05)
    })
}

proptest! {
    #![proptest_config(random_cases::cases(30))]

    #[test]
    fn what_is_left_of_every_kind_of_platform_agrees_with_a_fresh_bake(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let mut tiles = random_tiles(dice);
        let mesh = tiles.baked(climber(), 1.25);
        let mut nav = Navigator::new(mesh.clone());
        for _ in 0..2 {
            nav.remove(remove_tiles(&mut tiles, dice));
        }
        let fresh = tiles.baked(climber(), 1.25);
        let (old, fresh) = (&mesh.layers()[0], &fresh.layers()[0]);
        let left = &nav.mesh().layers()[0];
        let drawing = || format!("{:?}\n{}", nav.removed(), tiles.lines().join("\n"));
        for on in left.platforms() {
            for at in places(&on) {
                prop_assert!(has(fresh, on.kind, at, 0.05), "no {:?} at {at}\n{}", on.kind, drawing());
            }
        }
        for on in old.platforms() {
            // On which side of a narrow shaft a wall is, a mesh does not know.
            let [low, high] = [on.left() - TILE, on.right() + TILE];
            let is_near = |rect: &Rect| low.cmplt(rect.max).all() && rect.min.cmplt(high).all();
            if on.kind == PlatformKind::Wall && nav.removed().iter().any(is_near) {
                continue;
            }
            for at in places(&on) {
                let is_kept = !is_inside(fresh, &on, at) || has(left, on.kind, at, 0.05);
                prop_assert!(is_kept, "the {:?} at {at} has gone\n{}", on.kind, drawing());
            }
        }
        let grid = *left.grid();
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let is_free = |layer: &Layer| !layer.blocked().get(column, row);
                let at = grid.position(Cell { column, row });
                prop_assert!(is_free(old) || !is_free(left) || is_free(fresh), "{at} is not free\n{}", drawing());
            }
        }
    }
}

/// Agents under way in a level that is edited are never in geometry, keep their
/// destinations, and wait for nothing.
#[test]
fn agents_under_way_go_on_in_levels_that_change() {
    for number in 0..u64::from(random_cases::times(20)) {
        let dice = &mut Dice::case(number);
        let mut tiles = random_tiles(dice);
        for tile in tiles.rows.iter_mut().flatten() {
            *tile = if matches!(tile, '#' | '-') {
                *tile
            } else {
                '.'
            };
        }
        let agent = AgentProfile::ground("agent", TILE);
        let body = DVec2::from(agent.body.map(f64::from));
        let mut live = LiveLevel::new(tiles.level(), Settings::for_agents(vec![agent])).unwrap();
        let mut nav = Navigator::new(live.mesh().clone());
        let mut agents: Vec<NavAgent> = (0..8)
            .map(|_| nav.agent("agent", somewhere(&nav, dice)).unwrap())
            .collect();
        let mut waits = [0; 8];
        for tick in 0..400 {
            if tick % 25 == 24 {
                change(&mut tiles, &mut live, &agents, dice);
                nav.set_mesh(live.update().unwrap().mesh);
            }
            for (agent, waits) in agents.iter_mut().zip(&mut waits) {
                if dice.chance(0.01) {
                    agent.go_to(somewhere(&nav, dice));
                }
                let destination = agent.destination();
                let pose = agent.update(&mut nav, DT);
                let at = pose.position.as_dvec2();
                let drawing =
                    || format!("{number}, {tick}: {pose:?}\n{}", tiles.lines().join("\n"));
                assert!(
                    !tiles.solid_at(at, body, 0.05),
                    "in geometry, {}",
                    drawing()
                );
                assert!(destination.is_none() || agent.destination() == destination);
                let stands = matches!(pose.activity, Activity::Idle(_) | Activity::Running);
                assert!(
                    !stands || tiles.supported(at, body, 0.05),
                    "on air, {}",
                    drawing()
                );
                let is_waiting = pose.activity == Activity::Idle(IdleReason::Waiting);
                *waits = if is_waiting { *waits + 1 } else { 0 };
                assert!(*waits < 2, "waits, {}", drawing());
                if let Activity::Stranded(why) = pose.activity {
                    assert_eq!(why, Stranded::LeftLevel, "{}", drawing());
                    agent.teleport(somewhere(&nav, dice));
                }
            }
        }
    }
}

/// A place on a floor.
fn somewhere(nav: &Navigator, dice: &mut Dice) -> Vec2 {
    let layer = &nav.mesh().layers()[0];
    let number = dice.below(layer.platforms().len() as u32) as usize;
    let on = layer.platforms().nth(number).unwrap();
    let (low, high) = on.extent();
    on.at(dice.between(low, high))
}

/// Fills a rectangle of tiles, but none at an agent.
fn change(tiles: &mut Tiles, live: &mut LiveLevel, agents: &[NavAgent], dice: &mut Dice) {
    let (columns, rows) = (tiles.columns() as u32, tiles.rows.len() as u32);
    let at = (
        dice.below(columns) as usize,
        2 + dice.below(rows - 3) as usize,
    );
    let size = (1 + dice.below(5) as usize, 1 + dice.below(2) as usize);
    let (tile, material) = [
        ('.', None),
        ('.', None),
        ('#', Some(Material::Solid)),
        ('-', Some(Material::OneWay(PassDirection::Up))),
    ][dice.below(4) as usize];
    let size = if tile == '-' { (size.0, 1) } else { size };
    let end = [
        (at.0 + size.0).min(columns as usize),
        (at.1 + size.1).min(rows as usize - 1),
    ];
    let [min, max] =
        [[at.0, at.1], end].map(|[x, y]| DVec2::new(x as f64, y as f64) * f64::from(TILE));
    let is_near = |agent: &NavAgent| {
        let feet = agent.pose().position.as_dvec2();
        let margin = DVec2::splat(2.0 * f64::from(TILE));
        (min - margin).cmplt(feet).all() && feet.cmplt(max + margin).all()
    };
    if material.is_some() && agents.iter().any(is_near) {
        return;
    }
    tiles.fill(at, size, tile);
    live.set_cells(navmesh_bake::Rect::new(min, max), material);
}
