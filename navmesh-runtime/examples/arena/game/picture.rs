//! Draws a frame of the arena: the level, the player and the enemies, and a
//! table of running nodes and pools.

use embedded_graphics::mono_font::ascii::{FONT_4X6, FONT_5X8};
use navmesh_runtime::coordination::{TokenPool, WaypointPool};

use crate::canvas::{Canvas, Ink};
use crate::game::body::{Body, Kind};
use crate::game::play::Arena;

pub(crate) const PALETTE: [[u8; 3]; 20] = [
    [24, 26, 38],
    [74, 80, 104],
    [104, 112, 140],
    [232, 234, 240],
    [150, 156, 176],
    [255, 209, 92],
    [238, 96, 85],
    [92, 200, 120],
    [110, 190, 255],
    [255, 150, 60],
    // One colour per kind of enemy.
    [150, 120, 80],
    [140, 205, 70],
    [215, 80, 60],
    [180, 150, 220],
    [255, 120, 40],
    [90, 160, 230],
    [240, 160, 200],
    [230, 200, 110],
    [160, 170, 185],
    [45, 48, 66],
];
const PAPER: Ink = Ink(0);
const STONE: Ink = Ink(1);
const EDGE: Ink = Ink(2);
const WHITE: Ink = Ink(3);
const GREY: Ink = Ink(4);
const GOLD: Ink = Ink(5);
const RED: Ink = Ink(6);
const GREEN: Ink = Ink(7);
const BLUE: Ink = Ink(8);
const FLAME: Ink = Ink(9);
const DARK: Ink = Ink(19);

fn ink(kind: Kind) -> Ink {
    Ink(10 + kind as u8)
}

/// The height of the table below the level, in pixels.
const TABLE: u32 = 70;

/// The level without characters, drawn once.
pub(crate) fn backdrop(arena: &Arena) -> Canvas {
    let layer = arena.stage.layer("shot");
    let grid = layer.grid();
    let side = grid.spacing;
    let (width, height) = (grid.columns as f32 * side, grid.rows as f32 * side);
    let mut canvas = Canvas::new(width as u32, height as u32 + TABLE, PAPER);
    let solid = |column: u32, row: u32| layer.blocked().get(column, row);
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let at = (column as f32 * side, row as f32 * side);
            if solid(column, row) {
                canvas.fill(at, (side, side), STONE);
                if row > 0 && !solid(column, row - 1) {
                    canvas.fill(at, (side, 2.0), EDGE);
                }
            }
        }
    }
    canvas.fill((0.0, height), (width, TABLE as f32), DARK);
    canvas
}

/// Draws one frame.
pub(crate) fn draw(arena: &Arena, backdrop: &Canvas) -> Canvas {
    let mut canvas = backdrop.clone();
    for (name, pool) in arena.stage.pools.waypoint_pools() {
        waypoints(
            &mut canvas,
            arena,
            pool,
            if name == "air" { BLUE } else { GOLD },
        );
    }
    effects(&mut canvas, arena);
    let player = arena.player.position();
    canvas.fill((player.x - 6.0, player.y - 20.0), (12.0, 20.0), WHITE);
    canvas.label((player.x, player.y - 22.0), "player", &FONT_4X6, WHITE);
    for (me, body) in arena.bodies.iter().enumerate() {
        if body.is_alive() {
            enemy(&mut canvas, arena, me, body);
        }
    }
    table(&mut canvas, arena);
    canvas
}

fn waypoints(canvas: &mut Canvas, arena: &Arena, pool: &WaypointPool, free: Ink) {
    for waypoint in pool.waypoints() {
        let at = (waypoint.position.x, waypoint.position.y - 4.0);
        let owner = (arena.trees.iter().zip(&arena.bodies)).find(|((_, state), _)| {
            let claim = state.waypoint();
            claim.is_some_and(|c| c.pool().same_pool(pool) && c.waypoint() == waypoint)
        });
        match owner {
            Some((_, body)) => canvas.disc(at, 3.0, ink(body.kind)),
            None => canvas.ring(at, 3.0, free),
        }
    }
}

fn effects(canvas: &mut Canvas, arena: &Arena) {
    let effects = &arena.effects;
    for fire in &effects.fires {
        let flicker = (fire.left * 8.0) as i32 % 3;
        for (x, height) in [(-8, 8), (-4, 12), (0, 15), (4, 11), (8, 7)] {
            let height = (height - (flicker + x / 4) % 3 * 2) as f32;
            let corner = (fire.at.x + x as f32 - 2.0, fire.at.y - height);
            canvas.fill(corner, (4.0, height), if x == 0 { GOLD } else { FLAME });
        }
    }
    for warning in &effects.warnings {
        let at = warning.at;
        canvas.ring((at.x, at.y - 6.0), 8.0 * warning.left + 4.0, RED);
        canvas.fill((at.x - 1.0, at.y - 12.0), (2.0, 7.0), RED);
        canvas.fill((at.x - 1.0, at.y - 3.0), (2.0, 2.0), RED);
    }
    for rock in &effects.rocks {
        for (x, height) in [(-6.0, 14.0), (0.0, 22.0), (6.0, 12.0)] {
            let corner = (rock.at.x + x - 3.0, rock.at.y - height);
            canvas.fill(corner, (5.0, height), GREY);
        }
    }
    for shot in &effects.shots {
        canvas.disc((shot.at.x, shot.at.y), 2.0, GREEN);
    }
}

fn enemy(canvas: &mut Canvas, arena: &Arena, me: usize, body: &Body) {
    let at = body.position();
    let height = if body.kind == Kind::Flyer { 12.0 } else { 20.0 };
    let (left, top) = (at.x - 6.0, at.y - height);
    canvas.fill((left, top), (12.0, height), ink(body.kind));
    let eye = if body.facing < 0.0 {
        left + 2.0
    } else {
        left + 8.0
    };
    canvas.fill((eye, top + 3.0), (2.0, 2.0), PAPER);
    canvas.fill((left, top - 3.0), (12.0, 2.0), RED);
    canvas.fill((left, top - 3.0), (body.health * 0.12, 2.0), GREEN);
    let middle = (at.x, at.y - height / 2.0);
    if body.shield > 0.0 {
        canvas.ring(middle, 14.0, BLUE);
    }
    if body.kind == Kind::Gunner {
        let muzzle = (middle.0 + body.aim.x * 13.0, middle.1 + body.aim.y * 13.0);
        canvas.line(middle, muzzle, WHITE);
    }
    if arena.trees[me].1.tokens_held() > 0 {
        canvas.disc((left + 15.0, top + 2.0), 2.0, GOLD);
    }
    let active = if body.stun > 0.0 {
        "stunned"
    } else {
        arena.active(me)
    };
    canvas.label((at.x, top - 4.0), active, &FONT_4X6, WHITE);
}

fn table(canvas: &mut Canvas, arena: &Arena) {
    let grid = arena.stage.layer("shot").grid();
    let top = grid.rows as f32 * grid.spacing;
    let pools = &arena.stage.pools;
    let mut x = 6.0;
    let time = format!("{:5.1} s", arena.effects.time);
    canvas.text((x, top + 4.0), &time, &FONT_5X8, WHITE);
    x += 50.0;
    for (name, pool) in pools.token_pools() {
        canvas.text((x, top + 4.0), &format!("{name} tokens"), &FONT_5X8, GREY);
        x += (name.len() + 8) as f32 * 5.0;
        x = tokens(canvas, pool, (x, top + 7.0)) + 14.0;
    }
    for (name, pool) in pools.waypoint_pools() {
        let free = format!(
            "{name} waypoints {}/{} free",
            pool.free(),
            pool.waypoints().len()
        );
        canvas.text((x, top + 4.0), &free, &FONT_5X8, GREY);
        x += (free.len() + 2) as f32 * 5.0;
    }
    for (me, body) in arena.bodies.iter().enumerate() {
        let at = (
            6.0 + (me / 5) as f32 * 350.0,
            top + 17.0 + (me % 5) as f32 * 10.0,
        );
        row(canvas, arena, me, body, at);
    }
}

fn tokens(canvas: &mut Canvas, pool: &TokenPool, (x, y): (f32, f32)) -> f32 {
    for token in 0..pool.limit() {
        let at = (x + token as f32 * 9.0, y);
        if token < pool.held() {
            canvas.disc(at, 3.0, GOLD);
        } else {
            canvas.ring(at, 3.0, GOLD);
        }
    }
    x + pool.limit() as f32 * 9.0
}

/// A line of the table: the names of the running nodes, from the root down.
fn row(canvas: &mut Canvas, arena: &Arena, me: usize, body: &Body, (x, y): (f32, f32)) {
    canvas.fill((x, y + 1.0), (6.0, 6.0), ink(body.kind));
    canvas.text((x + 10.0, y), body.kind.name(), &FONT_5X8, WHITE);
    let health = if body.is_alive() {
        body.health.max(0.0)
    } else {
        0.0
    };
    canvas.fill((x + 60.0, y + 2.0), (25.0, 4.0), RED);
    canvas.fill((x + 60.0, y + 2.0), (health / 4.0, 4.0), GREEN);
    let (tree, state) = &arena.trees[me];
    let doing = if !body.is_alive() {
        "dead".to_owned()
    } else if body.stun > 0.0 {
        "stunned".to_owned()
    } else {
        let nodes = 1..tree.node_count() as u32;
        let running = nodes.filter(|node| state.is_node_running(*node));
        let names: Vec<&str> = running.map(|node| tree.node_name(node)).collect();
        names.join(" > ")
    };
    // The deepest nodes are the most specific, so the start is cut off.
    let tail = doing.len().saturating_sub(50);
    let shown = match doing.get(tail..) {
        Some(cut) if tail > 0 => cut.split_once(" > ").map_or(cut, |(_, whole)| whole),
        _ => &doing,
    };
    canvas.text((x + 90.0, y), shown, &FONT_5X8, GREY);
}
