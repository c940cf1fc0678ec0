//! Bodies that a fixed-step controller moves with [`NavAgent::drive`]: own
//! gravity or a servo, bounded acceleration in the air, a skin, coyote time and
//! a jump buffer. The controller shares no code with the runtime.

use crate::levels;

use glam::{DVec2, Vec2};
use levels::{Dice, Level, gap, walking, wide_floors};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{AgentEvent, BodyCommand, BodyState, Environment, NavAgent};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, StepKind};

const SKIN: f64 = 0.001;
const COYOTE: f64 = 0.1;
const BUFFER: f64 = 0.1;

/// Square tiles: `#` is solid, `-` carries from above.
struct Tiles {
    rows: Vec<Vec<u8>>,
    side: f64,
}

impl Tiles {
    fn of(level: &Level) -> Self {
        let tile = |solid: &bool| if *solid { b'#' } else { b'.' };
        let rows = level.rows.iter();
        Self {
            rows: rows.map(|row| row.iter().map(tile).collect()).collect(),
            side: f64::from(levels::TILE),
        }
    }

    fn tile(&self, column: i64, row: i64) -> u8 {
        let line = usize::try_from(row).ok().and_then(|r| self.rows.get(r));
        let tile = line.and_then(|l| l.get(usize::try_from(column).ok()?));
        tile.copied().unwrap_or(b'.')
    }

    fn span(&self, low: f64, high: f64) -> std::ops::RangeInclusive<i64> {
        (low / self.side).floor() as i64..=((high / self.side).ceil() as i64 - 1)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Drive {
    /// The velocity of the command, across with bounded acceleration.
    Servo,
    /// Gravity in semi-implicit steps, and the launch of the command.
    Gravity,
}

/// Limits of the character controller.
#[derive(Clone, Copy)]
struct Limits {
    drive: Drive,
    ground: f64,
    air: f64,
    gravity: f64,
    max_fall: f64,
    size: DVec2,
}

/// A character: its feet, velocity and timers. y grows downwards.
struct Character<'a> {
    tiles: &'a Tiles,
    limits: Limits,
    feet: DVec2,
    velocity: DVec2,
    grounded: bool,
    coyote: f64,
    /// A jump that was asked for: seconds left, upward speed, drop through.
    buffer: Option<(f64, f64, bool)>,
}

impl<'a> Character<'a> {
    fn new(tiles: &'a Tiles, limits: Limits, feet: DVec2) -> Self {
        let feet = feet - DVec2::new(0.0, SKIN);
        Self {
            tiles,
            limits,
            feet,
            velocity: DVec2::ZERO,
            grounded: true,
            coyote: 0.0,
            buffer: None,
        }
    }

    fn state(&self) -> BodyState {
        BodyState {
            position: self.feet.as_vec2(),
            velocity: self.velocity.as_vec2(),
            grounded: self.grounded,
        }
    }

    /// One step: what a game does with the command.
    fn step(&mut self, command: BodyCommand, dt: f64) {
        let wanted = command.velocity.as_dvec2();
        let jump = command.jump.map(|jump| {
            let is_jump = jump.kind == StepKind::Jump;
            (-f64::from(jump.velocity.y), !is_jump)
        });
        if let Some((speed, through)) = jump {
            self.buffer = Some((BUFFER, speed, through));
        }
        self.coyote = if self.grounded {
            COYOTE
        } else {
            self.coyote - dt
        };
        let mut through = false;
        let mut jumps = false;
        if let Some((left, speed, drops)) = self.buffer {
            if self.coyote > 0.0 {
                (self.buffer, self.coyote, self.grounded) = (None, 0.0, false);
                self.velocity.y = -speed;
                (through, jumps) = (drops, true);
            } else {
                self.buffer = (left > dt).then_some((left - dt, speed, drops));
            }
        }
        let rate = if self.grounded {
            self.limits.ground
        } else {
            self.limits.air
        };
        let change = rate * dt;
        self.velocity.x += (wanted.x - self.velocity.x).clamp(-change, change);
        match self.limits.drive {
            Drive::Servo if !self.grounded || jumps => self.velocity.y = wanted.y,
            _ => {
                self.velocity.y += self.limits.gravity * dt;
                self.velocity.y = self.velocity.y.min(self.limits.max_fall);
            }
        }
        self.move_across(self.velocity.x * dt);
        self.move_down(self.velocity.y * dt, through);
    }

    fn move_across(&mut self, by: f64) {
        let Limits { size, .. } = self.limits;
        let side = self.tiles.side;
        let rows = self
            .tiles
            .span(self.feet.y - size.y + SKIN * 2.0, self.feet.y - SKIN * 0.5);
        let half = 0.5 * size.x;
        let is_wall = |column: i64| rows.clone().any(|row| self.tiles.tile(column, row) == b'#');
        if by > 0.0 {
            let edge = self.feet.x + half;
            let (first, last) = (
                (edge / side).ceil() as i64,
                ((edge + by) / side).floor() as i64,
            );
            if let Some(column) = (first..=last).find(|c| is_wall(*c)) {
                self.feet.x = column as f64 * side - half - SKIN;
                self.velocity.x = 0.0;
                return;
            }
        } else if by < 0.0 {
            let edge = self.feet.x - half;
            let (first, last) = (
                (edge / side).floor() as i64 - 1,
                ((edge + by) / side).floor() as i64,
            );
            if let Some(column) = (last..=first).rev().find(|c| is_wall(*c)) {
                self.feet.x = (column + 1) as f64 * side + half + SKIN;
                self.velocity.x = 0.0;
                return;
            }
        }
        self.feet.x += by;
    }

    fn move_down(&mut self, by: f64, through: bool) {
        let Limits { size, .. } = self.limits;
        let side = self.tiles.side;
        let half = 0.5 * size.x - SKIN * 0.5;
        let columns = self.tiles.span(self.feet.x - half, self.feet.x + half);
        let any = |row: i64, test: &dyn Fn(u8) -> bool| {
            columns
                .clone()
                .any(|column| test(self.tiles.tile(column, row)))
        };
        self.grounded = false;
        if by >= 0.0 {
            let (first, last) = (
                (self.feet.y / side).ceil() as i64,
                ((self.feet.y + by + 2.0 * SKIN) / side).floor() as i64,
            );
            let carries = |tile: u8| tile == b'#' || tile == b'-' && !through;
            if let Some(row) = (first..=last).find(|row| any(*row, &carries)) {
                self.feet.y = row as f64 * side - SKIN;
                self.velocity.y = 0.0;
                self.grounded = true;
                return;
            }
        } else {
            let head = self.feet.y - size.y;
            let (first, last) = (
                (head / side).floor() as i64 - 1,
                ((head + by) / side).floor() as i64,
            );
            if let Some(row) = (last..=first)
                .rev()
                .find(|row| any(*row, &|tile| tile == b'#'))
            {
                self.feet.y = (row + 1) as f64 * side + size.y + SKIN;
                self.velocity.y = 0.0;
                return;
            }
        }
        self.feet.y += by;
        if through {
            // Below the top, which would carry it again in the next step.
            self.feet.y = self
                .feet
                .y
                .max((self.feet.y / side).floor() * side + 2.0 * SKIN);
        }
    }
}

impl Limits {
    /// Those of the agent of a layer; `air` is the acceleration in the air, in
    /// run speeds per second.
    fn new(layer: &Layer, drive: Drive, air: f64) -> Self {
        let profile = layer.profile();
        Self {
            drive,
            ground: profile.deceleration.into(),
            air: air * f64::from(profile.run_speed),
            gravity: profile.gravity.into(),
            max_fall: profile.fall().max_speed,
            size: DVec2::from(profile.body.map(f64::from)),
        }
    }
}

/// A body, its agent, and the level.
struct Trip<'a> {
    environment: Environment<'a>,
    finder: PathFinder,
    agent: NavAgent,
    body: Character<'a>,
    dt: f64,
    events: Vec<AgentEvent>,
}

impl<'a> Trip<'a> {
    fn new(level: &'a Level, tiles: &'a Tiles, limits: Limits, from: Vec2, hz: f64) -> Self {
        let layer = level.layer();
        let mut agent = NavAgent::new(layer, from);
        agent.set_air_acceleration(limits.air as f32);
        let mut trip = Self {
            environment: Environment::new(layer),
            finder: PathFinder::new(),
            agent,
            body: Character::new(tiles, limits, from.as_dvec2()),
            dt: 1.0 / hz,
            events: Vec::new(),
        };
        trip.drive();
        trip
    }

    fn drive(&mut self) -> BodyCommand {
        let (state, dt) = (self.body.state(), self.dt as f32);
        let command = (self.agent).drive(self.environment, &mut self.finder, state, dt);
        self.events.extend_from_slice(self.agent.events());
        command
    }

    fn has(&self, test: impl Fn(&AgentEvent) -> bool) -> bool {
        self.events.iter().any(test)
    }

    fn has_arrived(&self) -> bool {
        self.has(|e| matches!(e, AgentEvent::Arrived { .. }))
    }

    fn has_replanned(&self) -> bool {
        self.has(|e| matches!(e, AgentEvent::PathLost(_) | AgentEvent::Stuck { .. }))
    }

    /// Goes to a destination, within half more than the time of the path and a
    /// second.
    fn go(&mut self, to: Vec2, mut tamper: impl FnMut(&mut Character<'_>, BodyCommand, f64)) {
        self.agent.set_destination(to);
        let mut command = self.drive();
        let path = self.agent.remaining_path().iter();
        let predicted: f32 = path.map(|step| step.duration).sum();
        let steps = ((1.5 * f64::from(predicted) + 1.0) / self.dt) as u32;
        for _ in 0..steps {
            tamper(&mut self.body, command, self.dt);
            if self.has_arrived() {
                break;
            }
            command = self.drive();
        }
    }
}

/// A random point of a random platform.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let platforms = layer.platforms();
    let number = dice.below(platforms.len() as u32) as usize;
    let platform = platforms.iter().nth(number).unwrap();
    let (low, high) = platform.extent();
    platform.at(dice.between(low, high))
}

/// Trips in percent: completed, and completed without planning again.
fn share(levels: &[Level], drive: Drive, hz: f64, air: f64) -> ([f64; 2], u32) {
    let (mut trips, mut completed, mut straight) = (0, 0, 0);
    for (seed, level) in levels.iter().enumerate() {
        let (layer, tiles) = (level.layer(), Tiles::of(level));
        let dice = &mut Dice(seed as u64);
        for _ in 0..8 {
            let [from, to] = [(); 2].map(|()| somewhere(layer, dice));
            let mut finder = PathFinder::new();
            let found = finder.find(layer, &Query::new(from, to));
            if !matches!(found, Ok(PathOutcome::Found(_))) {
                continue;
            }
            let limits = Limits::new(layer, drive, air);
            let mut trip = Trip::new(level, &tiles, limits, from, hz);
            #[expect(
                clippy::redundant_closure_for_method_calls,
                reason = "the method is for one lifetime"
            )]
            trip.go(to, |body, command, dt| body.step(command, dt));
            trips += 1;
            completed += u32::from(trip.has_arrived());
            straight += u32::from(trip.has_arrived() && !trip.has_replanned());
        }
    }
    let percent = |n: u32| 100.0 * f64::from(n) / f64::from(trips);
    ([completed, straight].map(percent), trips)
}

/// The whole table: two drives, four rates, four accelerations.
#[test]
fn a13_bodies_of_a_physics_engine_follow_paths_at_every_rate() {
    let levels: Vec<Level> = (0..30)
        .map(|seed| Level::random(24, 14, walking(), &mut Dice(seed)))
        .collect();
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0] {
            for air in [f64::INFINITY, 20.0, 8.0, 4.0] {
                let ([completed, straight], trips) = share(&levels, drive, hz, air);
                println!(
                    "{drive:?} {hz} Hz, {air} x: {trips} trips, {completed:.1} / {straight:.1}"
                );
                assert!(
                    completed >= least(hz)[0] && straight >= least(hz)[1] && trips > 100,
                    "{drive:?} {hz} Hz, {air} x: {completed} / {straight}"
                );
            }
        }
    }
}

/// Percent of trips that must be completed, and without planning again, at a
/// rate. At 30 steps a second, a body moves a quarter of its width in a step.
fn least(hz: f64) -> [f64; 2] {
    if hz < 50.0 {
        [70.0, 60.0]
    } else {
        [80.0, 70.0]
    }
}

/// Games often begin a jump in the step after the one that asks for it.
#[test]
fn a13_a_jump_one_step_late_still_lands() {
    let level = wide_floors();
    let tiles = Tiles::of(&level);
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [50.0, 60.0, 144.0] {
            let limits = Limits::new(level.layer(), drive, 8.0);
            let mut trip = Trip::new(&level, &tiles, limits, Vec2::new(30.0, 144.0), hz);
            let mut late = None;
            trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
                let jump = std::mem::replace(&mut late, command.jump);
                body.step(BodyCommand { jump, ..command }, dt);
            });
            assert!(trip.has_arrived(), "{drive:?} {hz}: {:?}", trip.events);
            assert!(!trip.has_replanned(), "{drive:?} {hz}: {:?}", trip.events);
        }
    }
}

/// An agent with human timing waits before it runs, and still gets there.
#[test]
fn a13_human_timing_delays_and_arrives() {
    let level = wide_floors();
    let tiles = Tiles::of(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    for seed in 0..8 {
        let mut trip = Trip::new(&level, &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
        trip.agent.set_human_timing(0.25, 0.1, seed);
        let mut waited = 0;
        trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
            body.step(command, dt);
            waited += u32::from(body.velocity.x == 0.0);
        });
        assert!(trip.has_arrived(), "{seed}: {:?}", trip.events);
        assert!((14..=17).contains(&waited), "{waited} steps");
    }
}

/// A push in the middle of a jump: the body steers back, or plans again from
/// where it comes down.
#[test]
fn a13_a_bumped_body_gets_there() {
    let level = gap();
    let tiles = Tiles::of(&level);
    for push in [-60.0, -25.0, 25.0, 60.0] {
        for drive in [Drive::Servo, Drive::Gravity] {
            let limits = Limits::new(level.layer(), drive, 8.0);
            let mut trip = Trip::new(&level, &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
            let mut since_take_off = 0;
            let to = Vec2::new(300.0, 144.0);
            let mut step = |body: &mut Character<'_>, command: BodyCommand, dt: f64| {
                since_take_off = if body.grounded { 0 } else { since_take_off + 1 };
                if since_take_off == 8 {
                    body.velocity.x += push;
                }
                body.step(command, dt);
            };
            for _ in 0..4 {
                trip.go(to, &mut step);
            }
            let at = trip.body.feet;
            let fell = at.y > 200.0;
            assert!(
                trip.has_arrived() || fell,
                "{push} {drive:?}: {at} {:?}",
                trip.events
            );
        }
    }
}

/// A body that something holds reports it, instead of running for ever.
#[test]
fn a13_a_body_that_is_held_is_stuck() {
    let level = wide_floors();
    let tiles = Tiles::of(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(&level, &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    trip.agent.set_destination(Vec2::new(290.0, 144.0));
    for _ in 0..60 * 6 {
        let command = trip.drive();
        trip.body.step(command, trip.dt);
        trip.body.feet.x = trip.body.feet.x.min(80.0);
    }
    assert!(trip.has(|e| matches!(e, AgentEvent::Stuck { .. })));
    // Let go, it arrives.
    trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
        body.step(command, dt);
    });
    assert!(trip.has_arrived(), "{:?}", trip.events);
}

/// The jump of the agent is the one the body is in: its time begins with the
/// launch of the body.
#[test]
fn a13_the_arc_follows_the_body() {
    let level = wide_floors();
    let tiles = Tiles::of(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, f64::INFINITY);
    let mut trip = Trip::new(&level, &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    trip.agent.set_destination(Vec2::new(290.0, 144.0));
    let mut in_the_air = 0;
    for _ in 0..300 {
        let command = trip.drive();
        if let Some(arc) = trip.agent.airborne() {
            in_the_air += 1;
            let off = arc.position().as_dvec2() - trip.body.feet;
            assert!(off.y.abs() < 1.0 && off.x.abs() < 2.5, "{off} {arc:?}");
            assert!((arc.elapsed() - f64::from(in_the_air) * trip.dt).abs() < 1.5 * trip.dt);
            assert!((f64::from(arc.velocity().y) - trip.body.velocity.y).abs() < 20.0);
        }
        trip.body.step(command, trip.dt);
    }
    assert!(in_the_air > 10 && trip.has_arrived());
}
