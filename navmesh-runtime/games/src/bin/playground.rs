//! A window in which a player moved by keys meets the enemies of the example
//! `arena`: spawn, stun, throw and watch them.
//!
//! `cargo run --release -p navmesh-games --features window --bin playground -- [LEVEL.navmesh]`
//!
//! Without a level, the arena; `rooms` is the other level of the example. A level
//! of your own is baked with `navbake bake LEVEL.tmx -o LEVEL.navmesh`, in pixels
//! with y down. Its markers of class `spawn` that are named like an enemy
//! (`spitter`) become enemies, those of class `player` set the start.

use std::error::Error;
use std::ffi::OsStr;
use std::process::ExitCode;

use embedded_graphics::mono_font::ascii::{FONT_4X6, FONT_5X8};
use glam::Vec2;
use minifb::{Key, KeyRepeat, MouseButton, MouseMode, ScaleMode, Window, WindowOptions};
use navmesh_behavior::Aggression;
use navmesh_games::arena::body::{Condition, Kind};
use navmesh_games::arena::director::Stun;
use navmesh_games::arena::picture::{self, DARK, GOLD, GREEN, GREY, PALETTE, PAPER, WHITE};
use navmesh_games::arena::play::{Arena, DT};
use navmesh_games::arena::player::{Keys, Script};
use navmesh_games::arena::stage;
use navmesh_games::canvas::Canvas;
use navmesh_runtime::mesh::YAxis;

/// The largest part of the level that is shown, in pixels.
const VIEW: (u32, u32) = (800, 480);
/// The width of the panel beside it.
const PANEL: u32 = 300;
/// The least height: the panel's text fits.
const HEIGHT: u32 = 400;
/// Keys that spawn an enemy, in the order of `Kind::ALL`.
const SPAWN: [Key; 10] = [
    Key::Key1,
    Key::Key2,
    Key::Key3,
    Key::Key4,
    Key::Key5,
    Key::Key6,
    Key::Key7,
    Key::Key8,
    Key::Key9,
    Key::Key0,
];
const HELP: [&str; 8] = [
    "arrows: walk, jump     click, Tab: select",
    "1-9, 0: spawn at the mouse",
    "S: stun    D: stun after the fall",
    "L: launch  K: kill     X: remove",
    "A: aggression          F: fight back",
    "P: pause   N: one frame",
    "R: restart             H: hide the player",
    "Esc: quit",
];

fn main() -> ExitCode {
    let level = std::env::args_os().nth(1);
    let name = level
        .as_ref()
        .map_or("arena".into(), |name| name.to_string_lossy());
    match play(level.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {name}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn play(level: Option<&OsStr>) -> Result<(), Box<dyn Error>> {
    let asset = match level {
        None => stage::ARENA.to_vec(),
        Some(name) if name == "rooms" => stage::ROOMS.to_vec(),
        Some(path) => std::fs::read(path)?,
    };
    Playground::new(asset)?.run()
}

struct Playground {
    asset: Vec<u8>,
    arena: Arena,
    aggression: Aggression,
    backdrop: Canvas,
    selected: usize,
    is_paused: bool,
    /// The size of the part of the level that is shown.
    view: (u32, u32),
    /// The level position at the top left of the view.
    corner: Vec2,
}

impl Playground {
    fn new(asset: Vec<u8>) -> Result<Self, Box<dyn Error>> {
        let aggression = Aggression::Medium;
        let arena = start(&asset, aggression)?;
        let (width, height) = picture::size(&arena);
        Ok(Self {
            backdrop: picture::backdrop(&arena),
            view: (VIEW.0.min(width as u32), VIEW.1.min(height as u32)),
            asset,
            arena,
            aggression,
            selected: 0,
            is_paused: false,
            corner: Vec2::ZERO,
        })
    }

    fn run(mut self) -> Result<(), Box<dyn Error>> {
        let width = (self.view.0 + PANEL) as usize;
        let height = self.view.1.max(HEIGHT) as usize;
        let options = WindowOptions {
            resize: true,
            scale_mode: ScaleMode::AspectRatioStretch,
            ..WindowOptions::default()
        };
        let mut window = Window::new("navmesh-runtime playground", width, height, options)?;
        window.set_target_fps(60);
        let mut pixels = vec![0; width * height];
        while window.is_open() && !window.is_key_down(Key::Escape) {
            self.obey(&window)?;
            if !self.is_paused || window.is_key_pressed(Key::N, KeyRepeat::Yes) {
                self.arena.step();
            }
            let picture = self.draw(width as u32, height as u32);
            for (pixel, colour) in pixels.iter_mut().zip(picture.colours(&PALETTE)) {
                *pixel = colour;
            }
            window.update_with_buffer(&pixels, width, height)?;
        }
        Ok(())
    }

    fn obey(&mut self, window: &Window) -> Result<(), Box<dyn Error>> {
        let pressed = |key| window.is_key_pressed(key, KeyRepeat::No);
        let arena = &mut self.arena;
        arena.player.script = Script::Keys(Keys {
            left: window.is_key_down(Key::Left),
            right: window.is_key_down(Key::Right),
            jump: window.is_key_down(Key::Up) || window.is_key_down(Key::Space),
        });
        let mouse = window.get_mouse_pos(MouseMode::Discard);
        let mouse = mouse.map(|(x, y)| self.corner + Vec2::new(x, y));
        if let Some(mouse) = mouse.filter(|_| window.get_mouse_down(MouseButton::Left)) {
            let alive = arena.enemies.iter().enumerate();
            let nearest = alive
                .filter(|(_, body)| body.is_alive())
                .map(|(me, body)| (me, body.position().distance(mouse)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            self.selected = nearest.map_or(self.selected, |(me, _)| me);
        }
        for (key, kind) in SPAWN.into_iter().zip(Kind::ALL) {
            if pressed(key) {
                let at = mouse.unwrap_or(arena.player.position() - Vec2::Y * 60.0);
                // Levels without a layer for fliers refuse them.
                match arena.spawn(kind, at) {
                    Ok(new) => self.selected = new,
                    Err(why) => eprintln!("error: {}: {why}", kind.name()),
                }
            }
        }
        if pressed(Key::A) {
            self.aggression = match self.aggression {
                Aggression::Low => Aggression::Medium,
                Aggression::Medium => Aggression::High,
                Aggression::High => Aggression::Low,
            };
            arena.stage.set_aggression(self.aggression);
        }
        if pressed(Key::F) {
            arena.player.fights = !arena.player.fights;
        }
        if pressed(Key::H) {
            arena.player.is_hidden = !arena.player.is_hidden;
        }
        if pressed(Key::P) {
            self.is_paused = !self.is_paused;
        }
        if pressed(Key::R) {
            *arena = start(&self.asset, self.aggression)?;
            self.selected = 0;
        }
        let me = self.selected;
        let Some(body) = arena.enemies.get(me) else {
            return Ok(());
        };
        let away = (body.position().x - arena.player.position().x).signum();
        if pressed(Key::Tab) {
            let count = arena.enemies.len();
            let mut next = (1..=count).map(|step| (me + step) % count);
            let is_here = |me: &usize| arena.enemies[*me].condition() != Condition::Gone;
            self.selected = next.find(is_here).unwrap_or(me);
        } else if pressed(Key::S) {
            arena.stun(me, Stun::InPlace(2.0));
        } else if pressed(Key::D) {
            arena.stun(me, Stun::AfterFall(2.0));
        } else if pressed(Key::L) {
            arena.launch(me, Vec2::new(away * 160.0, -280.0));
        } else if pressed(Key::K) {
            arena.kill(me);
        } else if pressed(Key::X) {
            arena.despawn(me);
        }
        Ok(())
    }

    fn draw(&mut self, width: u32, height: u32) -> Canvas {
        let arena = &self.arena;
        let mut level = picture::level(arena, &self.backdrop);
        if let Some(body) = arena.enemies.get(self.selected).filter(|b| b.is_alive()) {
            let mut from = body.position();
            for step in body.actor.agent.remaining_path() {
                level.line((from.x, from.y - 2.0), (step.to.x, step.to.y - 2.0), GREEN);
                level.disc((step.to.x, step.to.y - 2.0), 1.5, GREEN);
                from = step.to;
            }
            level.ring((body.position().x, body.position().y - 8.0), 17.0, GOLD);
        }
        let size = Vec2::from(picture::size(arena));
        let view = Vec2::new(self.view.0 as f32, self.view.1 as f32);
        let origin = arena.stage.mesh.grid().origin;
        let wanted = arena.player.position() - origin - view / 2.0;
        let cut = wanted.clamp(Vec2::ZERO, size - view).round();
        self.corner = origin + cut;
        let corner = (cut.x as i32, cut.y as i32);
        let mut canvas = Canvas::new(width, height, DARK);
        canvas.paste(&level.cut(corner, self.view.0, self.view.1, PAPER));
        self.panel(&mut canvas, self.view.0 as f32 + 6.0);
        canvas
    }

    fn panel(&self, canvas: &mut Canvas, left: f32) {
        let arena = &self.arena;
        let mut y = 4.0;
        let mut line = |text: &str, ink| {
            canvas.text((left, y), text, &FONT_5X8, ink);
            y += 9.0;
        };
        for help in HELP {
            line(help, GREY);
        }
        line("", GREY);
        let pools = &arena.stage.pools;
        let tokens: Vec<String> = pools
            .tokens
            .iter()
            .map(|(name, pool)| format!("{name} {} of {}", pool.held(), u32::from(self.aggression)))
            .collect();
        let aggression = format!("{:?}", self.aggression).to_lowercase();
        line(&format!("aggression {aggression}"), WHITE);
        line(&format!("tokens: {}", tokens.join(", ")), WHITE);
        let (fights, hidden) = (arena.player.fights, arena.player.is_hidden);
        let state = match (fights, hidden) {
            (true, false) => ", fights back",
            (true, true) => ", fights back, hidden",
            (false, true) => ", hidden",
            (false, false) => "",
        };
        line(
            &format!("player hurt {} times{state}", arena.player.hurts),
            WHITE,
        );
        line("", GREY);
        let Some(body) = arena.enemies.get(self.selected) else {
            line("no enemy: spawn one", WHITE);
            return;
        };
        let condition = match body.condition() {
            Condition::Able => "able".to_owned(),
            Condition::Stunned(left) => format!("stunned for {left:.1} s"),
            Condition::Thrown => "thrown".to_owned(),
            Condition::Dead(left) => format!("dead for {left:.1} s"),
            Condition::Gone => "gone".to_owned(),
        };
        let name = body.kind.name();
        line(&format!("{name} {}: {condition}", self.selected), GOLD);
        let (activity, health) = (
            body.actor.agent.pose().activity.name(),
            body.health.max(0.0),
        );
        line(&format!("{activity}, health {health:.0}"), WHITE);
        line("", GREY);
        let state = arena.enemies.state(self.selected);
        let tree = arena.enemies.tree(self.selected);
        // Running nodes are marked by a character that the outline does not have.
        let outline = tree.outline(|node| {
            if state.running().any(|(running, _)| running == node) {
                "\t".to_owned()
            } else {
                String::new()
            }
        });
        for text in outline.lines() {
            let ink = if text.ends_with('\t') { GOLD } else { GREY };
            canvas.text((left, y), text.trim_end(), &FONT_4X6, ink);
            y += 7.0;
        }
    }
}

/// The level with its enemies.
fn start(asset: &[u8], aggression: Aggression) -> Result<Arena, Box<dyn Error>> {
    let mut arena = Arena::without_enemies(asset, aggression)?;
    if arena.stage.mesh.grid().y_axis != YAxis::Down {
        return Err("its y axis points up: bake it with `y_axis = \"down\"`".into());
    }
    arena.populate(|_| true)?;
    arena.dt = DT;
    Ok(arena)
}
