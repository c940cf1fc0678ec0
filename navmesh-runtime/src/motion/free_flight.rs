//! Motion that follows no path: a body that was thrown.
//!
//! A flight is a parabola until it meets something. There it lands, loses the
//! part of its velocity that is blocked, or ends. Each parabola is traced to its
//! end when it begins, so that the length of steps does not change it.

use glam::{DVec2, Vec2};

use super::settings::Settings;
use crate::mesh::{Direction, FloorSpot, Layer, PlatformKind, last_time};
use crate::search::SnapTo;
use crate::search::columns::Columns;
use crate::search::free_space::{FreeSpace, HALVINGS};

/// Greatest number of pieces, half a spacing long, of one parabola. It is longer
/// than the longest level; it ends the flight of a body that is faster than any
/// game needs.
const MAX_PIECES: u32 = 100_000;

/// Distance by which an axis is probed to find what blocks a body, in spacings:
/// more than the slack of [`FreeSpace`], less than a player sees.
const PROBE: f64 = 1e-2;

/// A body in free flight, along one parabola.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeFlight {
    /// Feet at the beginning, world units.
    from: DVec2,
    /// At the beginning, units/s.
    velocity: DVec2,
    /// Units/s², until `steady` seconds have passed; none after that.
    acceleration: DVec2,
    steady: f64,
    /// Seconds until the end.
    duration: f64,
    /// Seconds so far.
    elapsed: f64,
    end: FlightEnd,
}

/// What happens at the end of a parabola.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FlightEnd {
    /// The body lands on a floor.
    Lands(FloorSpot),
    /// It goes on with this velocity, units/s.
    Continues(DVec2),
    /// It falls on with this velocity, units/s, through the closed door below: agents
    /// do not stand on doors.
    FallsThrough(DVec2),
    /// It is stopped, and has to find a place.
    Rests,
    /// It moves level to this position, where it can fall on.
    Slides(DVec2),
    /// It falls out of the grid.
    FallsOut,
    /// It is out of sight below the level.
    IsOut,
}

/// How far a body can fall until it is out of sight below the grid, world units;
/// negative when it is.
pub fn way_out_of_sight(layer: &Layer, at: DVec2) -> f64 {
    let grid = layer.grid();
    let bottom = f64::from(grid.row_y(grid.rows.saturating_sub(1)));
    let depth = f64::from(layer.profile().body[1] + grid.spacing);
    depth - (at.y - bottom) * f64::from(grid.y_axis.down())
}

/// What bounds a flight.
struct Surroundings<'a> {
    layer: &'a Layer,
    space: FreeSpace<'a>,
    /// 1 where y grows downwards, -1 otherwise.
    down: f64,
    spacing: f64,
    walks: bool,
}

impl FreeFlight {
    /// A flight that begins with the next step.
    pub fn begin(from: Vec2, velocity: Vec2) -> Self {
        let from = from.as_dvec2();
        Self::straight(
            from,
            DVec2::ZERO,
            0.0,
            FlightEnd::Continues(velocity.as_dvec2()),
        )
    }

    /// Whether the mesh proves that there is free space at a position or beside it.
    pub fn can_begin(from: Vec2, layer: &Layer) -> bool {
        let space = FreeSpace::new(layer, [&[], &[]]);
        let from = on_lines(from.as_dvec2(), layer);
        space.has_box(from, from) || space.nearest_known(from, |_| true).is_some()
    }

    /// Looks for its end again, from where it is: doors have closed or opened.
    pub fn retrace(&mut self) {
        let (from, velocity) = self.state();
        let velocity = match self.end {
            FlightEnd::IsOut => return,
            // A slide is no part of its velocity.
            FlightEnd::Continues(then) if self.acceleration == DVec2::ZERO => then,
            _ => velocity,
        };
        *self = Self::straight(from, DVec2::ZERO, 0.0, FlightEnd::Continues(velocity));
    }

    /// A motion without acceleration.
    fn straight(from: DVec2, velocity: DVec2, duration: f64, end: FlightEnd) -> Self {
        Self {
            from,
            velocity,
            acceleration: DVec2::ZERO,
            steady: 0.0,
            duration,
            elapsed: 0.0,
            end,
        }
    }

    /// A straight motion at a speed, which goes on with a velocity.
    pub fn slide(from: DVec2, to: DVec2, speed: f64, then: DVec2) -> Self {
        let velocity = (to - from).normalize_or_zero() * speed;
        let seconds = from.distance(to) / speed;
        Self::straight(from, velocity, seconds, FlightEnd::Continues(then))
    }

    /// The rest of a fall below the grid, until a body of some height is out of
    /// sight.
    pub fn out_of_the_level(&self, layer: &Layer, settings: &Settings) -> Self {
        let (from, velocity) = self.state();
        let down = f64::from(layer.grid().y_axis.down());
        // Not back up, where the ground of the level may be.
        let speed = (velocity.y * down).max(0.0);
        let mut flight = Self::falling(from, DVec2::new(0.0, speed * down), layer, settings);
        let left = way_out_of_sight(layer, from).max(0.0);
        flight.duration = settings.fall(layer).time_to(-speed, -left);
        flight.end = FlightEnd::IsOut;
        flight
    }

    /// A motion under gravity that does not end.
    fn falling(from: DVec2, velocity: DVec2, layer: &Layer, settings: &Settings) -> Self {
        let down = f64::from(layer.grid().y_axis.down());
        let fall = settings.fall(layer);
        let speed = (velocity.y * down).min(fall.max_speed);
        let velocity = DVec2::new(velocity.x, speed * down);
        Self {
            acceleration: DVec2::new(0.0, fall.gravity * down),
            steady: (fall.max_speed - speed) / fall.gravity,
            ..Self::straight(from, velocity, f64::INFINITY, FlightEnd::Rests)
        }
    }

    /// The next parabola of a body at a position with a velocity: under gravity,
    /// or, for an agent that catches itself in the air, braking.
    pub fn next(
        from: DVec2,
        velocity: DVec2,
        layer: &Layer,
        space: FreeSpace<'_>,
        settings: &Settings,
        brakes: bool,
    ) -> Self {
        let from = on_lines(from, layer);
        let around = Surroundings {
            layer,
            space: space.leaving(from.as_vec2()),
            down: f64::from(layer.grid().y_axis.down()),
            spacing: f64::from(layer.grid().spacing),
            walks: layer.profile().edges.walks(),
        };
        let profile = &settings.profile;
        if !around.space.has_box(from, from) {
            if !brakes && around.below_last_row(from) > PROBE {
                return Self::straight(from, velocity, 0.0, FlightEnd::FallsOut);
            }
            // Beside a wall, it is between a free column of vertices and a blocked one. A
            // body in mid-air falls there even where a door is closed.
            let contact = PROBE as f32 * layer.grid().spacing;
            let below = SnapTo::FloorBelow(contact);
            let mut known = around.space.nearest_known(from, |_| true);
            if known.is_none() && !brakes && layer.snap(from.as_vec2(), below).is_none() {
                known = around.doorless().nearest_known(from, |_| true);
            }
            return match known {
                Some(to) => Self::slide(from, to, profile.run_speed.into(), velocity),
                None if !brakes && is_in_bottomless_shaft(layer, from.as_vec2()) => {
                    let down = velocity * DVec2::Y;
                    Self::straight(from, down, 0.0, FlightEnd::FallsOut)
                }
                None => Self::straight(from, DVec2::ZERO, 0.0, FlightEnd::Rests),
            };
        }
        let mut flight = if brakes {
            let seconds = velocity.length() / f64::from(profile.deceleration);
            Self {
                acceleration: -velocity.normalize_or_zero() * f64::from(profile.deceleration),
                steady: seconds,
                ..Self::straight(from, velocity, seconds, FlightEnd::Rests)
            }
        } else {
            Self::falling(from, velocity, layer, settings)
        };
        around.trace(&mut flight, brakes);
        flight
    }

    /// Moves on by some seconds. The seconds that are left after its end, and
    /// what happens there; `None` while it lasts.
    pub fn advance(&mut self, seconds: f64) -> Option<(f64, FlightEnd)> {
        let elapsed = self.elapsed + seconds;
        self.elapsed = elapsed.min(self.duration);
        (elapsed >= self.duration).then_some((elapsed - self.duration, self.end))
    }

    /// Feet and velocity now.
    pub fn state(&self) -> (DVec2, DVec2) {
        (self.position(self.elapsed), self.velocity(self.elapsed))
    }

    fn position(&self, t: f64) -> DVec2 {
        let curved = t.min(self.steady);
        let bend = self.velocity * curved + self.acceleration * (0.5 * curved * curved);
        if t <= self.steady {
            return self.from + bend;
        }
        self.from + bend + self.velocity(self.steady) * (t - curved)
    }

    fn velocity(&self, t: f64) -> DVec2 {
        if self.acceleration == DVec2::ZERO {
            return self.velocity;
        }
        self.velocity + self.acceleration * t.min(self.steady)
    }

    /// The corners of a box around its part between two times, which are both
    /// before or both after `steady`.
    fn bounds(&self, begin: f64, end: f64) -> (DVec2, DVec2) {
        // A parabola lies in the triangle of its ends and the point where their tangents
        // meet.
        let (a, b) = (self.position(begin), self.position(end));
        let bend = a + self.velocity(begin) * (0.5 * (end - begin));
        (a.min(b).min(bend), a.max(b).max(bend))
    }

    /// The end of the next piece: about half a spacing long, without a change
    /// of direction along x or y.
    fn piece_end(&self, begin: f64, spacing: f64) -> f64 {
        let velocity = self.velocity(begin);
        let (speed, acceleration) = (velocity.length(), self.acceleration.length());
        let half = 0.5 * spacing;
        // At a constant acceleration, the time to cover the half spacing, in a form that
        // also holds without acceleration.
        let seconds = 2.0 * half / (speed + (speed * speed + 2.0 * acceleration * half).sqrt());
        // On an axis without acceleration this is infinite or NaN, and ends no piece.
        let apex = -velocity / self.acceleration;
        [apex.x + begin, apex.y + begin, self.steady, self.duration]
            .into_iter()
            .filter(|&knot| knot > begin)
            .fold(begin + seconds, f64::min)
    }
}

impl<'a> Surroundings<'a> {
    /// The space as it is without closed doors.
    fn doorless(&self) -> FreeSpace<'a> {
        FreeSpace::new(self.layer, [&[], &[]])
    }

    /// Finds the end of a flight.
    fn trace(&self, flight: &mut FreeFlight, brakes: bool) {
        let mut begin = 0.0;
        for _ in 0..MAX_PIECES {
            if begin >= flight.duration {
                return;
            }
            let end = flight.piece_end(begin, self.spacing);
            if end <= begin {
                // At rest, or so fast that time does not advance.
                break;
            }
            let times = [begin, end];
            let free = (self.space).free_until(times, HALVINGS, &|a, b| flight.bounds(a, b));
            let landing = self.landing(flight, [begin, free]);
            // A one-way wall may stand between here and where it lands.
            let in_air = landing.map_or(free, |(time, _)| time);
            if let Some(blocked) = self.barrier(flight, [begin, in_air]) {
                let velocity = flight.velocity(begin) * (DVec2::ONE - blocked);
                (flight.duration, flight.end) = (begin, FlightEnd::Continues(velocity));
                return;
            }
            if let Some((time, spot)) = landing {
                (flight.duration, flight.end) = (time, FlightEnd::Lands(spot));
                return;
            }
            if free < end {
                flight.duration = free;
                flight.end = self.collision(flight, free, brakes);
                return;
            }
            begin = end;
        }
        flight.duration = flight.duration.min(begin);
    }

    /// The first floor on which a piece of a flight comes down, and when.
    fn landing(&self, flight: &FreeFlight, [begin, end]: [f64; 2]) -> Option<(f64, FloorSpot)> {
        let (min, max) = flight.bounds(begin, end);
        if !self.walks || (flight.position(end).y - flight.position(begin).y) * self.down <= 0.0 {
            return None;
        }
        // Rounding may put feet on a floor slightly below it.
        let slack = self.spacing * 2e-3;
        let reach = Vec2::splat(slack as f32);
        let mut first: Option<(f64, FloorSpot)> = None;
        let (min, max) = (min.as_vec2() - reach, max.as_vec2() + reach);
        self.layer.floor_segments(min, max, |id, left, right| {
            let platform = self.layer.platform(id);
            let is_floor = platform.is_some_and(|p| p.kind == PlatformKind::Floor);
            if !is_floor || right.x <= left.x {
                return;
            }
            let (a, b) = (left.as_dvec2(), right.as_dvec2());
            let slope = (b.y - a.y) / (b.x - a.x);
            let below = |t: f64| {
                let p = flight.position(t);
                (p.y - a.y - slope * (p.x - a.x)) * self.down
            };
            if below(begin) > slack || below(end) <= 0.0 {
                return;
            }
            let time = if below(begin) > 0.0 {
                begin
            } else {
                last_time([begin, end], |t| below(t) <= 0.0)
            };
            let x = flight.position(time).x;
            if a.x <= x && x <= b.x && first.is_none_or(|(earliest, _)| time < earliest) {
                let position = platform.map_or(left, |p| p.clamp(x as f32));
                let spot = FloorSpot {
                    platform: id,
                    position,
                };
                first = Some((time, spot));
            }
        });
        first
    }

    /// The axes on which a one-way barrier stops a piece of a flight.
    fn barrier(&self, flight: &FreeFlight, times: [f64; 2]) -> Option<DVec2> {
        let barrier = self.space.stopper(|t| flight.position(t), times)?;
        Some(match barrier.pass {
            Direction::Down => DVec2::Y,
            Direction::Left | Direction::Right => DVec2::X,
        })
    }

    /// What happens to a body that is blocked at a time.
    fn collision(&self, flight: &FreeFlight, time: f64, brakes: bool) -> FlightEnd {
        let (at, velocity) = (flight.position(time), flight.velocity(time));
        let blocks = |axis: DVec2| {
            let to = at + (velocity * axis).normalize_or_zero() * (PROBE * self.spacing);
            !self.space.has_box(at.min(to), at.max(to))
        };
        let (across, along) = (blocks(DVec2::X), blocks(DVec2::Y));
        let is_falling = velocity.y * self.down > 0.0;
        if along && is_falling && !brakes {
            if self.below_last_row(at) >= -PROBE {
                return FlightEnd::FallsOut;
            }
            let here = at.as_vec2();
            return match self.way_down(at, 0) {
                Some(to) if to == at => FlightEnd::FallsThrough(velocity * DVec2::Y),
                Some(to) => FlightEnd::Slides(to),
                None if is_in_bottomless_shaft(self.layer, here) => FlightEnd::FallsOut,
                None if self.layer.snap(here, SnapTo::Rest).is_some() => FlightEnd::Rests,
                // Where ground was removed, the hole that the mesh knows is at most a body's
                // width away: farther off, something else would have held the body.
                None => {
                    let width = f64::from(self.layer.profile().body[0]);
                    let columns = (width / self.spacing).ceil() as u32;
                    let way = self.way_down(at, columns);
                    way.map_or(FlightEnd::Rests, FlightEnd::Slides)
                }
            };
        }
        FlightEnd::Continues(match (across, along) {
            (true, true) => DVec2::ZERO,
            (false, true) => velocity * DVec2::X,
            // At a corner only both axes together are blocked.
            _ => velocity * DVec2::Y,
        })
    }

    /// How far below the last row of vertices a position is, in spacings.
    fn below_last_row(&self, at: DVec2) -> f64 {
        let grid = self.layer.grid();
        let rows = (at.y - f64::from(grid.origin.y)) * self.down / self.spacing;
        rows - f64::from(grid.rows)
    }

    /// Where a falling body that is stopped can fall on: right there, if a closed door
    /// stops it; or beside, if it hangs on an edge, between a free column of vertices and
    /// a blocked one, or up to so many columns farther. A door in the way there does not hold
    /// it in the air either.
    fn way_down(&self, at: DVec2, columns: u32) -> Option<DVec2> {
        let deeper = DVec2::new(0.0, self.down * PROBE * self.spacing);
        let doorless = self.doorless();
        let [left, right] = self.space.columns(at);
        let asides = (0..=columns).map(|n| f64::from(n) * self.spacing);
        let beside = asides.flat_map(|aside| [left - aside, right + aside]);
        let places = beside.map(|x| DVec2::new(x, at.y)).chain([at]);
        [self.space, doorless].into_iter().find_map(|space| {
            let is_open = |to: &DVec2| {
                let below = *to + deeper;
                space.passes(at, *to)
                    && space.has_box(at.min(*to), at.max(*to))
                    && doorless.has_box(to.min(below), to.max(below))
            };
            let open = places.clone().filter(is_open);
            open.min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)))
        })
    }
}

/// Whether nothing but the walls of a shaft that is narrower than the spacing is below a
/// position, down to the end of the level, as far as that is known.
fn is_in_bottomless_shaft(layer: &Layer, at: Vec2) -> bool {
    let grid = layer.grid();
    let bottom = grid.row_y(grid.rows);
    let feet = grid.y_down(at).as_vec2();
    let half = 0.5 * layer.profile().body[0];
    let is_unknown = layer.hole_bottoms.iter().any(|bottom| {
        let [left, right] = [bottom[0].x - half, bottom[1].x + half];
        left < feet.x && feet.x < right && feet.y < bottom[0].y
    });
    // A body at the lip of a shaft may be just beyond the end of the floor that holds it.
    let lip = 1e-2 * grid.spacing;
    let mut places = [-lip, 0.0, lip]
        .map(|aside| at + Vec2::new(aside, 0.0))
        .into_iter();
    !is_unknown
        && places.all(|place| layer.floor_below(place, f32::INFINITY).is_none())
        && Columns::beside(layer, at).are_beside_a_shaft(bottom)
}

/// A position on the lines of vertices that it is close to: where something
/// blocked it, it is beyond them by the slack of [`FreeSpace`].
fn on_lines(at: DVec2, layer: &Layer) -> DVec2 {
    let grid = layer.grid();
    let spacing = f64::from(grid.spacing);
    let origin = grid.origin.as_dvec2();
    let offset = DVec2::new(0.5, 0.0);
    let line = origin + (((at - origin) / spacing - offset).round() + offset) * spacing;
    let is_on = (at - line).abs().cmplt(DVec2::splat(2e-4 * spacing));
    DVec2::select(is_on, line, at)
}
