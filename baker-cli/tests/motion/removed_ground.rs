//! Removed ground of every kind, compared with a bake of the level without it.

use crate::common::Tiles;
use crate::random::Dice;
use crate::random_cases;

use glam::Vec2;
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{AgentProfile, Cell, EdgeSet, Layer, Platform, PlatformKind};
use navmesh_runtime::search::Rect;
use proptest::prelude::*;

const TILE: f32 = 16.0;

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
