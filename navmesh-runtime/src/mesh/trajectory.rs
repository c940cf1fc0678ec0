//! The motion of a link in closed form.

use glam::{DVec2, Vec2};

use super::Fall;

/// Most vertical launches in one arc.
pub const MAX_LAUNCHES: usize = 4;
/// Most horizontal legs in one arc.
pub const MAX_LEGS: usize = 4;

/// What a link stores of its arc; its two ends, the agent's gravity and this
/// give the whole motion ([`TrajectoryParams::arc`]).
///
/// The last leg is not stored: it takes the time that is left and the speed
/// that reaches the landing point, so an arc ends exactly where its link does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TrajectoryParams {
    launches: [[f32; 2]; MAX_LAUNCHES],
    legs: [[f32; 2]; MAX_LEGS - 1],
    launch_count: u8,
    leg_count: u8,
}

/// Why a program is not an arc between two points.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// A number is not finite, or a time runs backwards.
    #[error("the arc has a time or speed that is not a number in order")]
    Malformed,
    /// There is no launch, or there are more launches or legs than fit.
    #[error("the arc has {launches} launches and {legs} legs")]
    Count {
        /// Launches given.
        launches: usize,
        /// Legs given, the last one included.
        legs: usize,
    },
    /// The launch never rises to the landing height.
    #[error("the arc never reaches its landing height")]
    TooHigh,
    /// The stored legs take longer than the fall.
    #[error("the legs of the arc outlast it")]
    TooLong,
}

impl TrajectoryParams {
    /// A program from its launches `[time, upward speed]` and all its legs but
    /// the last, `[seconds, horizontal speed]`.
    ///
    /// # Errors
    /// When there is no launch, too many of either, a number is not finite,
    /// or launch times fall.
    pub fn new(launches: &[[f32; 2]], legs: &[[f32; 2]]) -> Result<Self, TrajectoryError> {
        if launches.is_empty() || launches.len() > MAX_LAUNCHES || legs.len() >= MAX_LEGS {
            return Err(TrajectoryError::Count {
                launches: launches.len(),
                legs: legs.len() + 1,
            });
        }
        let finite = launches.iter().chain(legs).flatten().all(|v| v.is_finite());
        let times = launches.iter().chain(legs).all(|r| r[0] >= 0.0);
        let ordered = launches.windows(2).all(|w| w[0][0] <= w[1][0]);
        if !(finite && times && ordered) {
            return Err(TrajectoryError::Malformed);
        }
        let mut this = Self {
            launch_count: launches.len() as u8,
            leg_count: legs.len() as u8,
            ..Self::default()
        };
        this.launches[..launches.len()].copy_from_slice(launches);
        this.legs[..legs.len()].copy_from_slice(legs);
        Ok(this)
    }

    /// What links that follow no arc store: the seconds they take.
    ///
    /// # Errors
    /// When the time is negative or not finite.
    pub fn steady(seconds: f32) -> Result<Self, TrajectoryError> {
        Self::new(&[[seconds, 0.0]], &[])
    }

    /// When the first launch happens: all the time that [`steady`](Self::steady)
    /// programs take.
    pub fn first_launch(&self) -> f32 {
        self.launches[0][0]
    }

    /// The launches: `[time, upward speed from then on]`.
    pub fn launches(&self) -> &[[f32; 2]] {
        &self.launches[..usize::from(self.launch_count)]
    }

    /// All legs but the last: `[seconds, horizontal speed]`.
    pub fn legs(&self) -> &[[f32; 2]] {
        &self.legs[..usize::from(self.leg_count)]
    }

    /// The motion from the origin to `dx` across and `dy` **up**; `fall` is
    /// how the body falls, or its gravity alone.
    ///
    /// The duration is the later time at which the feet, after the last
    /// launch, are at height `dy`: in free fall
    /// `T = t + (v + sqrt(v² − 2g·Δ)) / g` with `Δ` the height still to rise
    /// after that launch ([`Fall::time_to`]).
    ///
    /// # Errors
    /// When the last launch never reaches `dy`, or the legs outlast it.
    pub fn arc(
        &self,
        dx: f64,
        dy: f64,
        fall: impl Into<Fall>,
    ) -> Result<Trajectory, TrajectoryError> {
        let fall = fall.into();
        let gravity = fall.gravity;
        let mut arc = Trajectory {
            launches: [[0.0; 2]; MAX_LAUNCHES],
            launch_count: self.launch_count,
            legs: [[0.0; 2]; MAX_LEGS],
            leg_count: self.leg_count + 1,
            fall,
            duration: 0.0,
            end: DVec2::new(dx, dy),
        };
        for (to, from) in arc.launches.iter_mut().zip(self.launches()) {
            *to = from.map(f64::from);
        }
        for (to, from) in arc.legs.iter_mut().zip(self.legs()) {
            *to = from.map(f64::from);
        }
        let [time, speed] = arc.launches[usize::from(self.launch_count) - 1];
        let below = dy - arc.height_at_launch(usize::from(self.launch_count) - 1);
        // A landing at the very apex may miss it by the rounding of the
        // stored speed (half a unit in the last place of f32, squared).
        let square = speed * speed - 2.0 * gravity * below;
        if square < -speed * speed * 4e-7 || !square.is_finite() {
            return Err(TrajectoryError::TooHigh);
        }
        // At the very apex, where it was missed by rounding.
        let rise = below.min(0.5 * speed * speed / gravity);
        arc.duration = time + fall.time_to(speed, rise);
        let last = usize::from(self.leg_count);
        let (spent, covered) = arc.legs[..last]
            .iter()
            .fold((0.0, 0.0), |(s, c), [t, v]| (s + t, c + t * v));
        let left = arc.duration - spent;
        if left < 0.0 || (left == 0.0 && covered != dx) {
            return Err(TrajectoryError::TooLong);
        }
        let speed = if left > 0.0 {
            (dx - covered) / left
        } else {
            0.0
        };
        if !speed.is_finite() || !arc.duration.is_finite() {
            return Err(TrajectoryError::Malformed);
        }
        arc.legs[last] = [left, speed];
        Ok(arc)
    }

    /// [`arc`](Self::arc) between two points of the world, where `down` is
    /// what one unit downwards adds to y ([`super::YAxis::down`]).
    ///
    /// # Errors
    /// As [`arc`](Self::arc).
    pub fn between(
        &self,
        from: Vec2,
        to: Vec2,
        fall: impl Into<Fall>,
        down: f32,
    ) -> Result<Trajectory, TrajectoryError> {
        let delta = to.as_dvec2() - from.as_dvec2();
        self.arc(delta.x, -f64::from(down) * delta.y, fall)
    }
}

/// A motion through the air in closed form, relative to its take-off: x to
/// the right, y **up**, seconds.
///
/// *Launches* set the vertical speed; before the first one the body stays
/// level, after each it falls freely. *Legs* are stretches of constant
/// horizontal speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trajectory {
    launches: [[f64; 2]; MAX_LAUNCHES],
    legs: [[f64; 2]; MAX_LEGS],
    launch_count: u8,
    leg_count: u8,
    fall: Fall,
    duration: f64,
    end: DVec2,
}

impl Trajectory {
    /// Seconds from take-off to landing.
    #[inline]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Downward acceleration, a magnitude.
    pub fn gravity(&self) -> f64 {
        self.fall.gravity
    }

    /// How the body falls.
    pub fn fall(&self) -> Fall {
        self.fall
    }

    /// The launches: `[time, upward speed from then on]`.
    pub fn launches(&self) -> &[[f64; 2]] {
        &self.launches[..usize::from(self.launch_count)]
    }

    /// The legs: `[seconds, horizontal speed]`.
    pub fn legs(&self) -> &[[f64; 2]] {
        &self.legs[..usize::from(self.leg_count)]
    }

    /// Where the landing is, relative to take-off.
    pub fn end(&self) -> DVec2 {
        self.end
    }

    /// Greatest horizontal speed of any leg.
    pub fn top_speed(&self) -> f64 {
        self.legs().iter().fold(0.0, |top, [_, v]| v.abs().max(top))
    }

    /// Position at time `t`, clamped to the arc.
    pub fn offset(&self, t: f64) -> DVec2 {
        if t >= self.duration {
            return self.end;
        }
        let t = t.max(0.0);
        DVec2::new(self.x(t), self.y(t))
    }

    /// Velocity at time `t` (just after it, where it jumps), clamped to the
    /// arc.
    pub fn velocity(&self, t: f64) -> DVec2 {
        let t = t.clamp(0.0, self.duration);
        let mut begin = 0.0;
        let mut vx = 0.0;
        for &[seconds, speed] in self.legs() {
            vx = speed;
            begin += seconds;
            if t < begin {
                break;
            }
        }
        let vy = match self.launches().iter().rev().find(|l| l[0] <= t) {
            Some(&[at, speed]) => self.fall.speed(speed, t - at),
            None => 0.0,
        };
        DVec2::new(vx, vy)
    }

    /// Times inside the arc at which its formula changes: launches, ends of
    /// legs, apexes, and where the body has its greatest speed of fall.
    /// Between two of them x is linear and y a monotone piece of one parabola
    /// or a line. In order, from 0 to the duration, both included.
    pub fn knots(&self) -> Knots {
        let mut knots = Knots {
            times: [0.0; MAX_KNOTS],
            count: 0,
        };
        knots.push(0.0);
        let mut t = 0.0;
        for [seconds, _] in self.legs() {
            t += seconds;
            knots.push(t.min(self.duration));
        }
        let launches = self.launches();
        for (i, &[at, speed]) in launches.iter().enumerate() {
            knots.push(at.min(self.duration));
            let until = launches.get(i + 1).map_or(self.duration, |next| next[0]);
            for knot in [
                at + speed / self.fall.gravity,
                at + (speed + self.fall.max_speed) / self.fall.gravity,
            ] {
                if knot > at && knot < until {
                    knots.push(knot);
                }
            }
        }
        knots.push(self.duration);
        knots.times[..knots.count].sort_by(f64::total_cmp);
        knots
    }

    fn x(&self, t: f64) -> f64 {
        let (mut x, mut left) = (0.0, t);
        for &[seconds, speed] in self.legs() {
            let spent = left.min(seconds);
            x += spent * speed;
            left -= spent;
        }
        x
    }

    fn y(&self, t: f64) -> f64 {
        match self.launches().iter().rposition(|l| l[0] <= t) {
            Some(i) => {
                let [at, speed] = self.launches[i];
                self.height_at_launch(i) + self.fall.height(speed, t - at)
            }
            None => 0.0,
        }
    }

    /// The height at which launch `index` happens.
    fn height_at_launch(&self, index: usize) -> f64 {
        self.launches[..=index].windows(2).fold(0.0, |y, pair| {
            y + self.fall.height(pair[0][1], pair[1][0] - pair[0][0])
        })
    }
}

const MAX_KNOTS: usize = MAX_LEGS + 3 * MAX_LAUNCHES + 2;

/// The [`Trajectory::knots`] of an arc.
#[derive(Debug, Clone, Copy)]
pub struct Knots {
    times: [f64; MAX_KNOTS],
    count: usize,
}

impl Knots {
    fn push(&mut self, t: f64) {
        self.times[self.count] = t;
        self.count += 1;
    }
}

impl std::ops::Deref for Knots {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        &self.times[..self.count]
    }
}

#[cfg(test)]
#[path = "trajectory_test.rs"]
mod tests;
