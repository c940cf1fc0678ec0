//! Bodies that a character controller moves over slopes, steps and pixels. It shares no
//! code with baker or runtime.

use crate::common::Geometry as _;
use crate::common::baked_level::{Random, crossed_hills};
use crate::common::drawn::Drawn;
use crate::common::rows;
use crate::physics_body::{Body, FRAMES, Trip};
use crate::random_cases;
use crate::trips::{Report, Score};

use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, Material, PixelMap};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
use navmesh_runtime::motion::{BodyCommand, BodyState};

/// How deep the body may be in what it touches.
const SKIN: f64 = 0.01;

/// What a walker does differently from one that is kept on the floor where that leads down.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Controller {
    Held,
    /// It falls along slopes that lead down.
    Free,
    /// It reports the velocity of its last movement, also up and down slopes and steps.
    AsMoved,
}

/// A box with its own gravity.
struct Walker<'a> {
    world: Drawn,
    profile: &'a AgentProfile,
    /// Width and height.
    size: DVec2,
    controller: Controller,
    feet: DVec2,
    velocity: DVec2,
    /// What it reports.
    reported: DVec2,
    grounded: bool,
}

impl<'a> Walker<'a> {
    /// One that is `share` times as large as the body of the agent.
    fn new(
        level: &Level,
        layer: &'a Layer,
        from: Vec2,
        controller: Controller,
        share: f64,
    ) -> Self {
        let profile = layer.profile();
        Self {
            world: Drawn::new(level),
            profile,
            size: share * DVec2::from(profile.body.map(f64::from)),
            controller,
            feet: from.as_dvec2(),
            velocity: DVec2::ZERO,
            reported: DVec2::ZERO,
            grounded: true,
        }
    }

    /// Whether something carries it: one that is smaller than baked falls from the very end of
    /// a platform. On a slope it begins up to a sixteenth of its width above the ground.
    fn stands(&self) -> bool {
        self.free_depth(0.06 * self.size.x + SKIN) < 1.0
    }

    fn is_free(&self, feet: DVec2) -> bool {
        !self.world.solid_at(feet, self.size, SKIN)
    }

    /// Whether the feet can move to a place, and no one-way top carries them before.
    fn may_sink(&self, to: DVec2) -> bool {
        // It rests a skin deep in everything.
        let lift = DVec2::new(0.0, 2.0 * SKIN);
        let sinks = (self.world).sinks(self.feet - lift, to - lift, self.size, -SKIN);
        self.is_free(to) && !sinks
    }

    /// How much of a way down is free, from 0 to 1.
    fn free_depth(&self, depth: f64) -> f64 {
        let to = |part: f64| self.feet + DVec2::new(0.0, depth * part);
        let pieces = (4.0 * depth).ceil().max(1.0);
        let ends = (1..=pieces as u32).map(|k| f64::from(k) / pieces);
        let mut free = 0.0;
        for end in ends {
            if !self.may_sink(to(end)) {
                let mut blocked = end;
                for _ in 0..24 {
                    let middle = f64::midpoint(free, blocked);
                    if self.may_sink(to(middle)) {
                        free = middle;
                    } else {
                        blocked = middle;
                    }
                }
                return free;
            }
            free = end;
        }
        1.0
    }

    /// How much of a way is free, from 0 to 1.
    fn free_part(&self, by: DVec2) -> f64 {
        let pieces = (4.0 * by.length()).ceil().max(1.0);
        let ends = (1..=pieces as u32).map(|k| f64::from(k) / pieces);
        let mut free = 0.0;
        for end in ends {
            if !self.is_free(self.feet + by * end) {
                let mut blocked = end;
                for _ in 0..24 {
                    let middle = f64::midpoint(free, blocked);
                    if self.is_free(self.feet + by * middle) {
                        free = middle;
                    } else {
                        blocked = middle;
                    }
                }
                return free;
            }
            free = end;
        }
        1.0
    }

    /// Moves across, up slopes and steps, and down them if it snaps.
    fn move_across(&mut self, by: f64, stands: bool) {
        let pieces = (2.0 * by.abs()).ceil().max(1.0);
        let dx = by / pieces;
        let slope = dx.abs() * f64::from(self.profile.max_slope).to_radians().tan();
        let step = f64::from(self.profile.step_height);
        let most = 1e-3 + 1.01 * if stands { slope.max(step) } else { slope };
        for _ in 0..pieces as u32 {
            let Some(feet) = self.stepped(dx, most) else {
                self.touch(dx, most);
                self.velocity.x = 0.0;
                return;
            };
            self.feet = feet;
            let free = self.free_depth(most);
            if self.controller != Controller::Free && stands && free < 1.0 {
                self.feet.y += free * most;
            }
        }
    }

    /// Where the body is after a short movement across, which is free or leads up a step.
    fn stepped(&self, dx: f64, most: f64) -> Option<DVec2> {
        let to = self.feet + DVec2::new(dx, 0.0);
        // Finer than the room below a ceiling that just lets it pass.
        let up = |k: u32| to - DVec2::new(0.0, most * f64::from(k) / 1024.0);
        // One-way slopes carry it up too, from where it stands.
        (0..=1024).map(up).find(|feet| self.may_sink(*feet))
    }

    /// Moves as far across as is free.
    fn touch(&mut self, dx: f64, most: f64) {
        let mut part = dx;
        while part.abs() > 0.5 * SKIN {
            part *= 0.5;
            if let Some(feet) = self.stepped(part, most) {
                self.feet = feet;
            }
        }
    }
}

impl Body for Walker<'_> {
    fn state(&self) -> BodyState {
        BodyState {
            position: self.feet.as_vec2(),
            velocity: self.reported.as_vec2(),
            grounded: self.grounded,
        }
    }

    fn step(&mut self, command: BodyCommand, dt: f64) {
        if let Some(jump) = command.jump {
            self.velocity.y = jump.y.into();
        }
        let rate = if self.grounded {
            self.profile.deceleration
        } else {
            self.profile.air_acceleration.unwrap()
        };
        let change = f64::from(rate) * dt;
        let wanted = f64::from(command.velocity.x);
        self.velocity.x += (wanted - self.velocity.x).clamp(-change, change);
        let from = self.feet;
        self.move_across(
            self.velocity.x * dt,
            self.grounded && command.jump.is_none(),
        );
        self.velocity.y += f64::from(self.profile.gravity) * dt;
        let down = self.velocity.y * dt;
        let free = if down > 0.0 {
            self.free_depth(down)
        } else {
            self.free_part(DVec2::new(0.0, down))
        };
        self.feet.y += free * down;
        self.grounded = free < 1.0 && self.velocity.y >= 0.0;
        if free < 1.0 {
            self.velocity.y = 0.0;
        }
        self.reported = self.velocity;
        if self.controller == Controller::AsMoved {
            self.reported = (self.feet - from) / dt;
        }
    }
}

/// Boxes, steps and slopes of every angle, all solid; the body of the agent is so many
/// units wide.
pub(crate) fn hills(seed: u64, width: f32) -> (Level, NavMesh) {
    let mut level = crossed_hills(&mut Random(seed));
    if let Collision::Shapes(pieces) = &mut level.collision {
        for piece in pieces {
            piece.material = Material::Solid;
        }
    }
    let mut agent = AgentProfile::ground("agent", 16.0);
    agent.body[0] = width;
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    (level, mesh)
}

/// Lets bodies travel in such levels, at some rates, of which `least` returns the least
/// percentages. `body` returns none where a trip is impossible.
pub(crate) fn travel<'a, B: Body>(
    report: &mut Report,
    name: &str,
    levels: &'a [(Level, NavMesh)],
    rates: &[f64],
    least: impl Fn(f64) -> [f64; 2],
    body: impl Fn(&'a Level, &'a Layer, [Vec2; 2]) -> Option<B>,
) {
    for &hz in rates {
        let mut score = Score::default();
        for (seed, (level, mesh)) in (0..).zip(levels) {
            let layer = &mesh.layers()[0];
            let air = layer.profile().air_acceleration.unwrap().into();
            score.travel(&format!("level {seed}"), layer, seed, |ends| {
                let body = body(level, layer, ends)?;
                Some(Trip::with_body(layer, body, air, ends[0], hz))
            });
        }
        report.add(&format!("{name}, {hz} Hz"), score, least(hz));
    }
}

/// Tiles with slopes of 45 degrees at the ends of some platforms, and one-way tiles.
fn sloped_tiles(seed: u64) -> (Level, NavMesh) {
    let random = &mut Random(seed);
    let (columns, rows) = (44, 16);
    let mut grid = vec![vec![b'.'; columns]; rows];
    grid[rows - 1].fill(b'#');
    let gap = random.below(columns as u32 - 4) as usize;
    grid[rows - 1][gap..gap + 3].fill(b'.');
    for row in (2..rows - 1).rev() {
        let mut column = random.below(6) as usize;
        while column + 1 < columns {
            let length = (1 + random.below(6)) as usize;
            let end = (column + length).min(columns);
            let tile = if random.chance(0.25) { b'-' } else { b'#' };
            if random.chance(0.35) {
                grid[row][column..end].fill(tile);
                let rest = [column.wrapping_sub(1), end];
                for (side, slope) in rest.into_iter().zip([b'/', b'\\']) {
                    let is_empty = grid[row].get(side) == Some(&b'.');
                    let on_floor = grid[row + 1].get(side) == Some(&b'#');
                    if tile == b'#' && is_empty && (on_floor || random.chance(0.3)) {
                        grid[row][side] = slope;
                    }
                }
            }
            column = end + (2 + random.below(5)) as usize;
        }
    }
    let rows: Vec<String> = (grid.into_iter())
        .map(|row| String::from_utf8(row).unwrap())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let level = rows::level("slopes", 16, &rows);
    let mesh = walking_mesh(&level);
    (level, mesh)
}

/// Pixels drawn freehand: rolling ground, and round islands above it.
fn pixels(seed: u64) -> (Level, NavMesh) {
    let random = &mut Random(seed);
    let (width, height) = (480, 224);
    let mut map = PixelMap::empty(width, height);
    let waves: Vec<[f64; 3]> = (0..4)
        .map(|_| {
            let length = random.between(30.0, 160.0);
            [
                length,
                random.between(0.0, 6.3),
                random.between(0.03, 0.1) * length,
            ]
        })
        .collect();
    let islands: Vec<[f64; 4]> = (0..14)
        .map(|_| {
            let [x, y] = [random.between(0.0, 480.0), random.between(40.0, 180.0)];
            [x, y, random.between(10.0, 50.0), random.between(5.0, 14.0)]
        })
        .collect();
    for y in 0..height {
        for x in 0..width {
            let at = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let wave =
                |[length, phase, rise]: &[f64; 3]| rise * (at.x / length * 6.3 + phase).sin();
            let ground = 190.0 + waves.iter().map(wave).sum::<f64>();
            let is_inside = |[x, y, across, up]: &[f64; 4]| {
                let off = DVec2::new((at.x - x) / across, (at.y - y) / up);
                off.length() < 1.0 + 0.15 * (9.0 * off.x).sin()
            };
            if at.y > ground || islands.iter().any(is_inside) {
                map.solid.set_run(y, x, x + 1);
            }
        }
    }
    let mut level = Level::in_memory("pixels", Collision::Pixels(map), 480.0, 224.0);
    level.tile_size = Some([16, 16]);
    let mesh = walking_mesh(&level);
    (level, mesh)
}

fn walking_mesh(level: &Level) -> NavMesh {
    let agent = AgentProfile::ground("agent", 16.0);
    bake(level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap()
}

/// Steps a second.
pub(crate) const RATES: [f64; 5] = [30.0, 50.0, 60.0, 144.0, FRAMES];

/// The percentages that are right for equal steps, and for others.
type Least = [[f64; 2]; 2];

/// Lets every kind of walker travel: the least of those that are held on the floor, and of
/// bodies that are smaller or free at any rate.
fn assert_trips_of_all(
    name: &str,
    levels: &[(Level, NavMesh)],
    least: Least,
    smaller: [f64; 2],
    free: [f64; 2],
) {
    let walkers: [(_, _, &[f64], _); 4] = [
        (Controller::Held, 1.0, &RATES, least),
        (Controller::AsMoved, 1.0, &[60.0], least),
        (Controller::Held, 0.9, &[60.0, 144.0], [smaller; 2]),
        (Controller::Free, 1.0, &[60.0, 144.0], [free; 2]),
    ];
    assert_trips(name, levels, &walkers);
}

/// Lets walkers travel in levels of a kind.
fn assert_trips(
    name: &str,
    levels: &[(Level, NavMesh)],
    walkers: &[(Controller, f64, &[f64], Least)],
) {
    let mut report = Report::default();
    for &(controller, share, rates, [equal, others]) in walkers {
        let name = format!("{name}, {controller:?}, {share} x as large");
        let least = |hz: f64| if hz == FRAMES { others } else { equal };
        travel(
            &mut report,
            &name,
            levels,
            rates,
            least,
            |level, layer, [from, _]| {
                let walker = Walker::new(level, layer, from, controller, share);
                walker.stands().then_some(walker)
            },
        );
    }
    report.assert();
}

/// Levels of the first seeds.
fn levels(count: u32, bake: impl Fn(u64) -> (Level, NavMesh)) -> Vec<(Level, NavMesh)> {
    let count = u64::from(random_cases::samples(count));
    (0..count).map(bake).collect()
}

#[test]
fn bodies_complete_trips_over_slopes() {
    let levels = levels(12, |seed| hills(seed, 12.0));
    let least = [[99.9, 99.5], [99.5, 97.9]];
    assert_trips_of_all("hills", &levels, least, [99.9, 99.5], [99.9, 99.5]);
}

#[test]
fn bodies_complete_trips_over_sloped_tiles() {
    let levels = levels(8, sloped_tiles);
    let least = [[99.9, 99.5], [99.9, 99.3]];
    assert_trips_of_all("tiles", &levels, least, [99.9, 99.5], [99.3, 99.3]);
}

/// More than half of the quickest paths have a link without a tolerance.
#[test]
fn bodies_complete_trips_over_pixels() {
    let levels = levels(6, pixels);
    let walkers: [(_, _, &[f64], _); 4] = [
        (Controller::Held, 1.0, &[50.0, 60.0], [[99.9, 99.9]; 2]),
        (Controller::Held, 1.0, &[144.0], [[99.9, 99.1]; 2]),
        (Controller::Held, 1.0, &[30.0], [[99.1, 95.9]; 2]),
        (Controller::Held, 1.0, &[FRAMES], [[99.1, 91.8]; 2]),
    ];
    assert_trips("pixels", &levels, &walkers);
}

/// A slope of 45 degrees that ends in a drop: a body that nothing holds on the floor falls
/// along it.
#[test]
fn free_bodies_keep_their_path_where_a_slope_ends_in_a_drop() {
    let mut report = Report::default();
    for hz in RATES {
        let mut score = Score::default();
        for (length, depth) in [(1, 3), (2, 2), (2, 5), (4, 3), (5, 6)] {
            let mut rows = vec![String::new(), String::new()];
            for k in 0..length {
                rows.push(format!("{}\\", "#".repeat(6 + k)));
            }
            rows.extend(vec![String::new(); depth]);
            rows.push("#".repeat(24));
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let level = rows::level("slope", 16, &rows);
            let mesh = walking_mesh(&level);
            let layer = &mesh.layers()[0];
            let to = Vec2::new(360.0, 16.0 * (rows.len() - 1) as f32);
            for start in 0..20 {
                let from = Vec2::new(8.0 + 4.1 * start as f32, 32.0);
                let walker = Walker::new(&level, layer, from, Controller::Free, 1.0);
                let air = layer.profile().air_acceleration.unwrap().into();
                let trip = Trip::with_body(layer, walker, air, from, hz);
                score.add(&format!("slope of {length}"), layer, [from, to], trip);
            }
        }
        report.add(
            &format!("slopes that end in a drop, {hz} Hz"),
            score,
            [99.9, 98.0],
        );
    }
    report.assert();
}
