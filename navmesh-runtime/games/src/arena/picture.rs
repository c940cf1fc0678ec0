//! Draws a frame of the game: the level, the player and the enemies, and a
//! table of running nodes and pools.

use embedded_graphics::mono_font::ascii::{FONT_4X6, FONT_5X8};
use navmesh_behavior::{Aggression, WaypointPool};

use super::body::{Body, Condition, Kind};
use super::effects::Sight;
use super::play::Arena;
use crate::canvas::{BLUE, Canvas, EDGE, Ink, ORANGE, RED, STONE, palette};
pub use crate::canvas::{GOLD, GREEN, GREY, PAPER, WHITE};

pub const PALETTE: [[u8; 3]; 21] = palette(&[
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
    [80, 190, 180],
    [45, 48, 66],
]);
pub const DARK: Ink = Ink(20);

fn ink(kind: Kind) -> Ink {
    Ink(10 + kind as u8)
}

/// The height of the table below the level, in pixels.
const TABLE: u32 = 70;
/// For how many seconds attacks and hits are shown.
const FLASH: f32 = 0.6;

/// The level without characters, drawn once; below it room for the table.
pub fn backdrop(arena: &Arena) -> Canvas {
    let (width, height) = size(arena);
    let mut canvas = Canvas::level(arena.stage.shot_layer(), TABLE, [PAPER, STONE, EDGE]);
    let (left, top) = canvas.origin;
    canvas.fill((left, top + height), (width, TABLE as f32), DARK);
    canvas
}

/// The size of the level in pixels.
pub fn size(arena: &Arena) -> (f32, f32) {
    let grid = arena.stage.shot_layer().grid();
    let side = grid.spacing;
    (grid.columns as f32 * side, grid.rows as f32 * side)
}

/// Draws one frame, with the table.
pub fn draw(arena: &Arena, backdrop: &Canvas) -> Canvas {
    let mut canvas = level(arena, backdrop);
    canvas.origin = (0.0, 0.0);
    table(&mut canvas, arena);
    canvas
}

/// Draws the level with everything in it.
pub fn level(arena: &Arena, backdrop: &Canvas) -> Canvas {
    let mut canvas = backdrop.clone();
    for (name, pool) in &arena.stage.pools.waypoints {
        let free = if name == "air" { BLUE } else { GOLD };
        waypoints(&mut canvas, arena, pool, free);
    }
    effects(&mut canvas, arena);
    let mut labels = Labels::default();
    let player = arena.player.position();
    let (corner, size) = ((player.x - 6.0, player.y - 20.0), (12.0, 20.0));
    let is_hurt = arena.player.hurt_ago() < FLASH;
    canvas.fill(corner, size, if is_hurt { RED } else { WHITE });
    let cry = if is_hurt { "hurt!" } else { "player" };
    labels.add(&mut canvas, (player.x, player.y - 22.0), cry, WHITE);
    for (me, body) in arena.enemies.iter().enumerate() {
        if body.is_alive() {
            enemy(&mut canvas, &mut labels, arena, me, body);
        }
    }
    canvas
}

/// The labels above characters. One that would cover another is drawn above it.
#[derive(Default)]
struct Labels(Vec<(f32, f32, f32)>);

impl Labels {
    fn add(&mut self, canvas: &mut Canvas, (x, y): (f32, f32), text: &str, ink: Ink) {
        const HEIGHT: f32 = 7.0;
        let half = text.len() as f32 * 2.0 + 1.0;
        let mut y = y.max(HEIGHT);
        let covers = |at: f32| {
            let mut others = self.0.iter();
            others.find(|(ox, oy, other)| (ox - x).abs() < half + other && (oy - at).abs() < HEIGHT)
        };
        while let Some((_, other, _)) = covers(y) {
            y = other - HEIGHT;
        }
        self.0.push((x, y, half));
        canvas.label((x, y), text, &FONT_4X6, ink);
    }
}

fn waypoints(canvas: &mut Canvas, arena: &Arena, pool: &WaypointPool, free: Ink) {
    for waypoint in pool.waypoints() {
        let at = (waypoint.position.x, waypoint.position.y - 4.0);
        let owner = arena.enemies.iter().enumerate().find(|(me, _)| {
            let claim = arena.enemies.state(*me).waypoint();
            claim.is_some_and(|claim| claim.position == waypoint.position)
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
            canvas.fill(corner, (4.0, height), if x == 0 { GOLD } else { ORANGE });
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

fn enemy(canvas: &mut Canvas, labels: &mut Labels, arena: &Arena, me: usize, body: &Body) {
    let at = body.position();
    let height = if body.kind.flies() { 12.0 } else { 20.0 };
    let (left, top) = (at.x - 6.0, at.y - height);
    canvas.fill((left, top), (12.0, height), ink(body.kind));
    let eye = if body.facing() < 0.0 {
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
    if arena.enemies.state(me).tokens_held() > 0 {
        canvas.disc((left + 15.0, top + 2.0), 2.0, GOLD);
    }
    // Attacks are short, so the last one is shown for a while.
    let log = arena.effects.log.iter().rev();
    let recent = log.take_while(|entry| entry.time > arena.effects.time - f64::from(FLASH));
    let attack = recent
        .filter(|entry| entry.enemy == me)
        .find_map(|entry| match entry.sight {
            Sight::Begins(act) | Sight::Ends(act) if act.is_shown() => Some(act),
            _ => None,
        });
    let place = (at.x, top - 4.0);
    if let Condition::Stunned(_) = body.condition() {
        labels.add(canvas, place, "stunned", GREY);
    } else if let Some(act) = attack {
        canvas.frame((left - 2.0, top - 2.0), (16.0, height + 4.0), RED);
        labels.add(canvas, place, &format!("{}!", act.name()), GOLD);
    } else {
        labels.add(
            canvas,
            place,
            arena.enemies.running(me).last().unwrap_or(""),
            GREY,
        );
    }
}

fn table(canvas: &mut Canvas, arena: &Arena) {
    let (_, top) = size(arena);
    let pools = &arena.stage.pools;
    let mut x = 6.0;
    let time = format!("{:5.1} s", arena.effects.time);
    canvas.text((x, top + 4.0), &time, &FONT_5X8, WHITE);
    x += 50.0;
    for (name, pool) in &pools.tokens {
        canvas.text((x, top + 4.0), &format!("{name} tokens"), &FONT_5X8, GREY);
        x += (name.len() + 8) as f32 * 5.0;
        x = tokens(canvas, pool.held(), arena.stage.aggression, (x, top + 7.0)) + 14.0;
    }
    for (name, pool) in &pools.waypoints {
        let all = pool.waypoints().iter();
        let free = format!(
            "{name} waypoints {}/{} free",
            all.filter(|waypoint| pool.is_free(waypoint.index)).count(),
            pool.waypoints().len()
        );
        canvas.text((x, top + 4.0), &free, &FONT_5X8, GREY);
        x += (free.len() + 2) as f32 * 5.0;
    }
    let hurt = format!("hurt {} times", arena.player.hurts);
    canvas.text((x, top + 4.0), &hurt, &FONT_5X8, WHITE);
    for (me, body) in arena.enemies.iter().enumerate() {
        let at = (
            6.0 + (me / 5) as f32 * 350.0,
            top + 17.0 + (me % 5) as f32 * 10.0,
        );
        row(canvas, arena, me, body, at);
    }
}

fn tokens(canvas: &mut Canvas, held: u32, limit: Aggression, (x, y): (f32, f32)) -> f32 {
    for token in 0..u32::from(limit) {
        let at = (x + token as f32 * 9.0, y);
        if token < held {
            canvas.disc(at, 3.0, GOLD);
        } else {
            canvas.ring(at, 3.0, GOLD);
        }
    }
    x + u32::from(limit) as f32 * 9.0
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
    let doing = match body.condition() {
        Condition::Able => arena.enemies.running(me).collect::<Vec<_>>().join(" > "),
        Condition::Stunned(_) => "stunned".to_owned(),
        Condition::Thrown => "thrown".to_owned(),
        Condition::Dead(_) => "dead".to_owned(),
        Condition::Gone => "gone".to_owned(),
    };
    // The deepest nodes are the most specific, so the start is cut off.
    let tail = doing.len().saturating_sub(50);
    let shown = match doing.get(tail..) {
        Some(cut) if tail > 0 => cut.split_once(" > ").map_or(cut, |(_, whole)| whole),
        _ => &doing,
    };
    canvas.text((x + 90.0, y), shown, &FONT_5X8, GREY);
}
