//! Bodies that a fixed-step controller moves with [`NavAgent::drive_with`]: own
//! gravity or a servo, bounded acceleration in the air, a skin, coyote time and
//! a jump buffer. The controller shares no code with the runtime.
#![allow(dead_code, missing_docs)] // each test uses its own part

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{AgentEvent, BodyCommand, BodyState, Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

const SKIN: f64 = 0.001;
const COYOTE: f64 = 0.1;
const BUFFER: f64 = 0.1;
/// Instead of a number of steps a second: those of frames that take 8 to 33 ms, mixed.
pub const FRAMES: f64 = 0.0;

/// A body that something moves in fixed steps.
pub trait Body {
    fn state(&self) -> BodyState;
    /// One step: what a game does with the command.
    fn step(&mut self, command: BodyCommand, dt: f64);
}

/// Square tiles: `#` is solid, `-` carries from above.
pub struct Tiles {
    pub rows: Vec<Vec<u8>>,
    pub side: f64,
}

impl Tiles {
    /// From rows of text.
    pub fn parse(rows: &[String], side: f64) -> Self {
        let rows = rows.iter().map(|row| row.bytes().collect()).collect();
        Self { rows, side }
    }

    fn tile(&self, column: i64, row: i64) -> u8 {
        let line = usize::try_from(row).ok().and_then(|r| self.rows.get(r));
        let tile = line.and_then(|l| l.get(usize::try_from(column).ok()?));
        tile.copied().unwrap_or(b'.')
    }

    /// Whether a point is in a solid tile.
    pub fn is_solid(&self, point: Vec2) -> bool {
        let at = |x: f32| (f64::from(x) / self.side).floor() as i64;
        self.tile(at(point.x), at(point.y)) == b'#'
    }

    fn span(&self, low: f64, high: f64) -> std::ops::RangeInclusive<i64> {
        (low / self.side).floor() as i64..=((high / self.side).ceil() as i64 - 1)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Drive {
    /// The velocity of the command, across with bounded acceleration.
    Servo,
    /// Gravity in semi-implicit steps, and the launch of the command.
    Gravity,
}

/// Limits of the character controller.
#[derive(Clone, Copy)]
pub struct Limits {
    pub drive: Drive,
    pub ground: f64,
    pub air: f64,
    pub gravity: f64,
    pub max_fall: f64,
    pub size: DVec2,
    pub air_jumps: u32,
}

/// A box that moves, and carries what stands on it a step late, as engines do.
#[derive(Clone, Copy)]
pub struct Carrier {
    /// Its left top corner, and its size.
    pub min: DVec2,
    pub size: DVec2,
    /// How it moved in the last step.
    pub by: DVec2,
    pub one_way: bool,
}

/// A character: its feet, velocity and timers. y grows downwards.
pub struct Character<'a> {
    tiles: &'a Tiles,
    limits: Limits,
    pub feet: DVec2,
    pub velocity: DVec2,
    pub grounded: bool,
    coyote: f64,
    /// Jumps in the air that are left.
    air_jumps: u32,
    /// A jump that was asked for: seconds left, upward speed, drop through.
    buffer: Option<(f64, f64, bool)>,
    pub carrier: Option<Carrier>,
    is_carried: bool,
}

impl<'a> Character<'a> {
    pub fn new(tiles: &'a Tiles, limits: Limits, feet: DVec2) -> Self {
        let feet = feet - DVec2::new(0.0, SKIN);
        Self {
            tiles,
            limits,
            feet,
            velocity: DVec2::ZERO,
            grounded: true,
            coyote: 0.0,
            air_jumps: 0,
            buffer: None,
            carrier: None,
            is_carried: false,
        }
    }

    /// The carrier, if it is solid from the side and from below.
    fn block(&self) -> Option<Carrier> {
        self.carrier.filter(|carrier| !carrier.one_way)
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
        if let Some(Carrier { min, size: own, .. }) = self.block()
            && self.feet.y - SKIN * 0.5 > min.y + 1.0
            && self.feet.y - size.y < min.y + own.y
        {
            let [left, right] = [min.x - half - SKIN, min.x + own.x + half + SKIN];
            let to = self.feet.x + by;
            if by > 0.0 && self.feet.x <= left + 1.0 && to > left {
                (self.feet.x, self.velocity.x) = (left, 0.0);
                return;
            }
            if by < 0.0 && self.feet.x >= right - 1.0 && to < right {
                (self.feet.x, self.velocity.x) = (right, 0.0);
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
        (self.grounded, self.is_carried) = (false, false);
        let over = self.carrier.filter(|own| {
            own.min.x < self.feet.x + half && self.feet.x - half < own.min.x + own.size.x
        });
        if let Some(Carrier {
            min,
            size: own,
            by: moved,
            one_way,
        }) = over
        {
            let rises = (-moved.y).max(0.0) + 2.0 * SKIN;
            let lands = self.feet.y - rises <= min.y && self.feet.y + by + 2.0 * SKIN >= min.y;
            let head = self.feet.y - size.y;
            if by >= 0.0 && lands {
                (self.feet.y, self.velocity.y) = (min.y - SKIN, 0.0);
                (self.grounded, self.is_carried) = (true, true);
                return;
            }
            let bottom = min.y + own.y;
            if by < 0.0 && !one_way && head >= bottom - SKIN && head + by < bottom {
                (self.feet.y, self.velocity.y) = (bottom + size.y + SKIN, 0.0);
                return;
            }
        }
        if by >= 0.0 {
            // An exact movement may have ended inside a floor by a rounding error.
            let (first, last) = (
                ((self.feet.y - SKIN) / side).ceil() as i64,
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

impl Body for Character<'_> {
    fn state(&self) -> BodyState {
        BodyState {
            position: self.feet.as_vec2(),
            velocity: self.velocity.as_vec2(),
            grounded: self.grounded,
        }
    }

    fn step(&mut self, command: BodyCommand, dt: f64) {
        let wanted = command.velocity.as_dvec2();
        if let Some(carrier) = self.carrier.filter(|_| self.is_carried) {
            self.feet += carrier.by;
        }
        if command.exact {
            self.velocity = wanted;
            self.feet += wanted * dt;
            // It does not stand, and can jump from a wall.
            (self.grounded, self.coyote) = (false, COYOTE);
            return;
        }
        if let Some(launch) = command.jump {
            self.buffer = Some((BUFFER, -f64::from(launch.y), command.drop_through));
        }
        self.coyote -= dt;
        if self.grounded {
            (self.coyote, self.air_jumps) = (COYOTE, self.limits.air_jumps);
        }
        let mut through = false;
        let mut jumps = false;
        if let Some((left, speed, drops)) = self.buffer {
            let is_second = self.coyote <= 0.0 && self.air_jumps > 0 && !drops;
            if self.coyote > 0.0 || is_second {
                (self.buffer, self.coyote, self.grounded) = (None, 0.0, false);
                self.air_jumps -= u32::from(is_second);
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
}

impl Limits {
    /// Those of the agent of a layer; `air` is the acceleration in the air, in
    /// run speeds per second.
    pub fn new(layer: &Layer, drive: Drive, air: f64) -> Self {
        let profile = layer.profile();
        Self {
            drive,
            ground: profile.deceleration.into(),
            air: air * f64::from(profile.run_speed),
            gravity: profile.gravity.into(),
            max_fall: profile.max_fall_speed.map_or(f64::INFINITY, f64::from),
            size: DVec2::from(profile.body.map(f64::from)),
            air_jumps: profile.air_jumps.into(),
        }
    }
}

/// A body, its agent, and the level.
pub struct Trip<'a, B> {
    pub environment: Environment<'a>,
    finder: PathFinder,
    pub agent: NavAgent,
    pub body: B,
    hz: f64,
    steps: u32,
    /// Seconds of the step that the last command is for.
    pub dt: f64,
    pub events: Vec<AgentEvent>,
}

impl<'a> Trip<'a, Character<'a>> {
    pub fn new(layer: &'a Layer, tiles: &'a Tiles, limits: Limits, from: Vec2, hz: f64) -> Self {
        let body = Character::new(tiles, limits, from.as_dvec2());
        Self::with_body(layer, body, limits.air, from, hz)
    }
}

impl<'a, B: Body> Trip<'a, B> {
    /// For a body that stands at `from` and accelerates with `air` in the air.
    pub fn with_body(layer: &'a Layer, body: B, air: f64, from: Vec2, hz: f64) -> Self {
        let mut agent = NavAgent::new(layer, from);
        agent.set_air_acceleration(air as f32);
        let mut trip = Self {
            environment: Environment::new(layer),
            finder: PathFinder::new(),
            agent,
            body,
            hz,
            steps: 0,
            dt: 0.0,
            events: Vec::new(),
        };
        trip.drive();
        trip
    }

    pub fn drive(&mut self) -> BodyCommand {
        self.steps += 1;
        self.dt = if self.hz == FRAMES {
            // Multiples of squares by the golden ratio have no pattern.
            0.008 + 0.025 * (0.618_033_988_75 * f64::from(self.steps).powi(2)).fract()
        } else {
            1.0 / self.hz
        };
        let (state, dt) = (self.body.state(), self.dt as f32);
        let command = (self.agent).drive_with(self.environment, &mut self.finder, state, dt);
        self.events.extend_from_slice(self.agent.events());
        command
    }

    pub fn has(&self, test: impl Fn(&AgentEvent) -> bool) -> bool {
        self.events.iter().any(test)
    }

    pub fn has_arrived(&self) -> bool {
        self.has(|e| matches!(e, AgentEvent::Arrived { .. }))
    }

    pub fn has_replanned(&self) -> bool {
        self.has(|e| matches!(e, AgentEvent::PathLost(_) | AgentEvent::Stuck { .. }))
    }

    /// Goes to a destination, within half more than the time of the path and a
    /// second.
    pub fn go(&mut self, to: Vec2, mut tamper: impl FnMut(&mut B, BodyCommand, f64)) {
        self.agent.go_to(to);
        let mut command = self.drive();
        let path = self.agent.remaining_path().iter();
        let predicted: f32 = path.map(|step| step.duration).sum();
        let mut left = 1.5 * f64::from(predicted) + 1.0;
        while left >= self.dt {
            left -= self.dt;
            tamper(&mut self.body, command, self.dt);
            if self.has_arrived() {
                break;
            }
            command = self.drive();
        }
    }
}
