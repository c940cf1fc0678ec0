//! The motion of a jump or drop in closed form.

use glam::{DVec2, Vec2};

use super::error::MeshError;
use super::fall::Fall;

const MAX_LAUNCHES: usize = TrajectoryParams::MAX_LAUNCHES;
const MAX_LEGS: usize = TrajectoryParams::MAX_LEGS;

/// A launch: from `time` on, the body moves up with `speed` and then falls.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Launch {
    /// Seconds after take-off.
    pub time: f64,
    /// Upward speed, units/s.
    pub speed: f64,
}

/// A stretch of constant horizontal speed; in a
/// [smooth](TrajectoryParams::with_start_speed) motion, of constant horizontal
/// acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Leg {
    /// Seconds.
    pub duration: f64,
    /// Mean horizontal speed, units/s; positive to the right.
    pub speed: f64,
}

/// A stretch of constant horizontal acceleration: what
/// [`Trajectory::accelerations`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Acceleration {
    /// Seconds.
    pub duration: f64,
    /// Horizontal speed at its start, units/s; positive to the right.
    pub speed: f64,
    /// Horizontal acceleration, units/s²; positive to the right.
    pub acceleration: f64,
}

impl Acceleration {
    /// Horizontal speed after some seconds.
    pub(crate) fn speed_after(&self, seconds: f64) -> f64 {
        self.speed + self.acceleration * seconds
    }

    /// Distance to the right after some seconds.
    pub(crate) fn distance_after(&self, seconds: f64) -> f64 {
        (self.speed + 0.5 * self.acceleration * seconds) * seconds
    }
}

/// The parameters of a motion that a link stores. Together with its two ends
/// and the agent's [`Fall`] it gives the whole [`Trajectory`].
///
/// The last leg is not stored: it takes the time that is left and has the
/// speed that reaches the landing point, so that a trajectory ends exactly
/// where its link does.
///
#[cfg_attr(feature = "write", doc = "```")]
#[cfg_attr(not(feature = "write"), doc = "```text")]
/// use navmesh_runtime::mesh::{Launch, TrajectoryParams};
///
/// // Jump with 100 units/s and land 60 units to the right, 8 units higher.
/// let params = TrajectoryParams::new(&[Launch { time: 0.0, speed: 100.0 }], &[])?;
/// let jump = params.trajectory(60.0, 8.0, 400.0)?;
/// assert_eq!(jump.offset(jump.duration).to_array(), [60.0, 8.0]);
/// assert_eq!(jump.legs().len(), 1);
/// # Ok::<(), navmesh_runtime::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TrajectoryParams {
    // Single precision, as in the asset: half the memory of every link.
    launches: [[f32; 2]; MAX_LAUNCHES],
    legs: [[f32; 2]; MAX_LEGS - 1],
    launch_count: u8,
    leg_count: u8,
    /// Horizontal speed at take-off of a smooth motion.
    start_speed: Option<f32>,
}

const MALFORMED: MeshError =
    MeshError::new("a launch or leg has a number that is not finite, or a time out of order");
const TOO_HIGH: MeshError = MeshError::new("the trajectory never reaches its landing height");
const TOO_LONG: MeshError = MeshError::new("the legs of the trajectory take longer than its fall");

impl TrajectoryParams {
    /// Most launches in one trajectory: one from the floor and three in the
    /// air.
    ///
    /// The asset stores the count in two bits ([`MAX_LEGS`](Self::MAX_LEGS)
    /// likewise), so a larger value needs a new version of the format.
    pub const MAX_LAUNCHES: usize = 4;
    /// Most horizontal legs in one trajectory, the last one included.
    pub const MAX_LEGS: usize = 4;

    /// Parameters from launches, in order of time, and all legs but the last.
    /// Every number is rounded to single precision.
    ///
    /// # Errors
    /// When there is no launch, there are too many launches or legs, a number
    /// is not finite, a time is negative, or launch times decrease.
    pub fn new(launches: &[Launch], legs: &[Leg]) -> Result<Self, MeshError> {
        let counts = (launches.len(), legs.len());
        if counts.0 == 0 || counts.0 > MAX_LAUNCHES || counts.1 >= MAX_LEGS {
            return Err(format!(
                "a trajectory has 1 to {MAX_LAUNCHES} launches and 1 to {MAX_LEGS} legs, \
                 not {} and {}",
                counts.0,
                counts.1 + 1
            )
            .into());
        }
        let mut this = Self::default();
        let rows = this.rows_mut(counts.0, counts.1);
        for (row, launch) in rows.0.iter_mut().zip(launches) {
            *row = [launch.time as f32, launch.speed as f32];
        }
        for (row, leg) in rows.1.iter_mut().zip(legs) {
            *row = [leg.duration as f32, leg.speed as f32];
        }
        let is_finite = |row: &[f32; 2]| row[0] >= 0.0 && row.iter().all(|n| n.is_finite());
        let are_sound = rows.0.iter().chain(rows.1.iter()).all(is_finite);
        if are_sound && rows.0.is_sorted_by(|a, b| a[0] <= b[0]) {
            Ok(this)
        } else {
            Err(MALFORMED)
        }
    }

    /// Sets the numbers of launches and stored legs, at most the greatest there can be, and
    /// returns where their numbers go: times and speeds, durations and speeds. The caller
    /// sees to it that all are finite, no time is below 0, and launches are in order. In
    /// place, because copying parameters takes a fifth of the time to load a link.
    #[inline]
    pub(crate) fn rows_mut(
        &mut self,
        launches: usize,
        legs: usize,
    ) -> (&mut [[f32; 2]], &mut [[f32; 2]]) {
        let (launches, legs) = (launches.min(MAX_LAUNCHES), legs.min(MAX_LEGS - 1));
        (self.launch_count, self.leg_count) = (launches as u8, legs as u8);
        (&mut self.launches[..launches], &mut self.legs[..legs])
    }

    /// The same parameters for a smooth motion: it starts at a horizontal speed,
    /// positive to the right, each leg has constant acceleration, and the speed
    /// does not jump where legs meet. The speed of a [`Leg`] is then its mean
    /// speed, so each leg ends at the speed `2 · mean − speed at its start`.
    ///
    /// # Errors
    /// When the speed is not finite.
    pub fn with_start_speed(mut self, speed: f64) -> Result<Self, MeshError> {
        let speed = speed as f32;
        if !speed.is_finite() {
            return Err(MALFORMED);
        }
        self.start_speed = Some(speed);
        Ok(self)
    }

    /// [`with_start_speed`](Self::with_start_speed) in place. The speed is finite.
    pub(crate) fn set_start_speed(&mut self, speed: Option<f32>) {
        self.start_speed = speed;
    }

    /// The horizontal speed at take-off of a
    /// [smooth](Self::with_start_speed) motion; `None` for a motion whose
    /// horizontal speed changes at once.
    pub fn start_speed(&self) -> Option<f64> {
        self.start_speed.map(f64::from)
    }

    /// Parameters of a link that is not [airborne](super::StepKind::is_airborne):
    /// only the seconds it takes.
    ///
    /// # Errors
    /// When the time is negative or not finite.
    pub fn steady(seconds: f32) -> Result<Self, MeshError> {
        let launch = Launch {
            time: seconds.into(),
            speed: 0.0,
        };
        Self::new(&[launch], &[])
    }

    /// The launches, in order of time.
    pub fn launches(&self) -> impl ExactSizeIterator<Item = Launch> + use<'_> {
        let rows = self.launches[..usize::from(self.launch_count)].iter();
        rows.map(|&[time, speed]| Launch {
            time: time.into(),
            speed: speed.into(),
        })
    }

    /// All legs but the last.
    pub fn legs(&self) -> impl ExactSizeIterator<Item = Leg> + use<'_> {
        let rows = self.legs[..usize::from(self.leg_count)].iter();
        rows.map(|&[duration, speed]| Leg {
            duration: duration.into(),
            speed: speed.into(),
        })
    }

    /// Seconds a [`steady`](Self::steady) link takes; `None` when these are
    /// the parameters of a flight.
    pub(crate) fn steady_seconds(&self) -> Option<f32> {
        let steady = self.launch_count == 1 && self.leg_count == 0 && self.start_speed.is_none();
        steady.then_some(self.launches[0][0])
    }

    /// The greatest speed of a launch; and the greatest horizontal speed, as a magnitude,
    /// at take-off, of a stored leg, or where smooth legs meet.
    pub(crate) fn top_speeds(&self) -> (f32, f64) {
        // Rows past the counts are zero and change nothing; their numbers are hard to predict.
        // Compares itself, because `max` of floats takes several times as long for NaN.
        let mut launch = 0.0;
        for [_, speed] in self.launches {
            if speed > launch {
                launch = speed;
            }
        }
        let mut speed = f64::from(self.start_speed.unwrap_or(0.0));
        let mut across = speed.abs();
        for [_, mean] in self.legs {
            let mean = f64::from(mean);
            // Legs of constant acceleration join at the same speed.
            speed = if self.start_speed.is_some() {
                2.0 * mean - speed
            } else {
                mean
            };
            for magnitude in [mean.abs(), speed.abs()] {
                if magnitude > across {
                    across = magnitude;
                }
            }
        }
        (launch, across)
    }

    /// The motion from the origin to a landing `dx` to the right and `dy`
    /// **up**. `fall` is a [`Fall`], or the gravity alone for free fall.
    ///
    /// The body lands at the later of the two times at which it is at height
    /// `dy` after its last launch: in free fall
    /// `T = t + (v + sqrt(v² − 2g·Δ)) / g`, where `Δ` is the height still to
    /// rise after that launch.
    ///
    /// # Errors
    /// When the last launch never reaches `dy`, or the legs take longer than
    /// the fall.
    pub fn trajectory(
        &self,
        dx: f64,
        dy: f64,
        fall: impl Into<Fall>,
    ) -> Result<Trajectory, MeshError> {
        let fall = fall.into();
        let end = DVec2::new(dx, dy);
        let (duration, [last, length]) = self.solve(end, fall)?;
        let last = Leg {
            duration: last,
            speed: if last > 0.0 { length / last } else { 0.0 },
        };
        let mut this = Trajectory {
            launches: [Launch::default(); MAX_LAUNCHES],
            launch_count: self.launch_count,
            legs: [Leg::default(); MAX_LEGS],
            leg_count: self.leg_count + 1,
            start_speed: self.start_speed(),
            fall,
            duration,
            end,
        };
        for (to, from) in this.launches.iter_mut().zip(self.launches()) {
            *to = from;
        }
        for (to, from) in this.legs.iter_mut().zip(self.legs().chain([last])) {
            *to = from;
        }
        Ok(this)
    }

    /// The duration of the [`trajectory`](Self::trajectory) to a landing at `end`, and
    /// the duration and the length of its last leg.
    #[inline]
    fn solve(&self, end: DVec2, fall: Fall) -> Result<(f64, [f64; 2]), MeshError> {
        let [mut time, mut speed] = self.launches[0].map(f64::from);
        let mut height = 0.0;
        for next in self.launches().skip(1) {
            height += fall.height(speed, next.time - time);
            (time, speed) = (next.time, next.speed);
        }
        let below = end.y - height;
        // Speeds are rounded to f32, by up to 6e-8 of their value, so a landing
        // exactly at the apex may be missed by 1.2e-7 of the squared speed.
        // Three times that is accepted; more would hide jumps that are too low.
        let square = speed * speed - 2.0 * fall.gravity * below;
        if square < -speed * speed * 4e-7 || !square.is_finite() {
            return Err(TOO_HIGH);
        }
        let seconds = if square > speed * speed * 1e-9 {
            fall.time_with(speed, below, square)
        } else {
            // Above the apex only by rounding.
            fall.time_to(speed, below.min(0.5 * speed * speed / fall.gravity))
        };
        let all = time + seconds;
        let (mut spent, mut covered) = (0.0, 0.0);
        // Of all rows: those past the count are zero, and their number is hard to predict.
        for [duration, speed] in self.legs.map(|leg| leg.map(f64::from)) {
            spent += duration;
            covered += duration * speed;
        }
        let (duration, length) = (all - spent, end.x - covered);
        if duration < 0.0 || (duration == 0.0 && length != 0.0) {
            return Err(TOO_LONG);
        }
        // Whether the speed is finite, without the division for it.
        if all.is_finite() && length.abs() <= f64::MAX * duration {
            Ok((all, [duration, length]))
        } else {
            Err(MALFORMED)
        }
    }

    /// [`trajectory`](Self::trajectory) between two world positions. `down` is
    /// the change of y when a point moves down by one unit
    /// ([`YAxis::down`](super::YAxis::down)).
    ///
    /// # Errors
    /// As [`trajectory`](Self::trajectory).
    pub fn between(
        &self,
        from: Vec2,
        to: Vec2,
        fall: impl Into<Fall>,
        down: f32,
    ) -> Result<Trajectory, MeshError> {
        let DVec2 { x, y } = offset(from, to, down);
        self.trajectory(x, y, fall)
    }

    /// The duration of the motion [`between`](Self::between) two positions, which
    /// is cheaper than the motion.
    pub(crate) fn duration(
        &self,
        from: Vec2,
        to: Vec2,
        fall: Fall,
        down: f32,
    ) -> Result<f64, MeshError> {
        Ok(self.solve(offset(from, to, down), fall)?.0)
    }
}

/// One position as seen from another: to the right, and up.
fn offset(from: Vec2, to: Vec2, down: f32) -> DVec2 {
    let delta = to.as_dvec2() - from.as_dvec2();
    DVec2::new(delta.x, -f64::from(down) * delta.y)
}

/// A motion through the air in closed form, relative to its take-off: x to
/// the right, y **up**, in seconds.
///
/// Before its first [`Launch`] the body stays level; after each launch it
/// falls. Its horizontal motion is a sequence of [`Leg`]s, and as exactly one of
/// [`Acceleration`]s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trajectory {
    launches: [Launch; MAX_LAUNCHES],
    legs: [Leg; MAX_LEGS],
    launch_count: u8,
    leg_count: u8,
    start_speed: Option<f64>,
    /// The gravity and the greatest falling speed of the body.
    pub fall: Fall,
    /// Seconds from take-off to landing.
    pub duration: f64,
    /// The landing point, relative to take-off.
    pub end: DVec2,
}

impl Trajectory {
    /// The launches, in order of time; at least one.
    pub fn launches(&self) -> &[Launch] {
        &self.launches[..usize::from(self.launch_count)]
    }

    /// The legs, the last one included; their durations add up to the
    /// trajectory's.
    pub fn legs(&self) -> &[Leg] {
        &self.legs[..usize::from(self.leg_count)]
    }

    /// The stretches of constant horizontal acceleration, one for each leg. In a
    /// motion whose speed changes at once, all accelerations are 0; otherwise
    /// each begins at the speed at which the one before it ends.
    pub fn accelerations(&self) -> impl Iterator<Item = Acceleration> + use<'_> {
        let mut next = self.start_speed;
        self.legs().iter().map(move |leg| {
            let speed = next.unwrap_or(leg.speed);
            let change = 2.0 * (leg.speed - speed);
            next = next.map(|speed| speed + change);
            let acceleration = if change == 0.0 || leg.duration <= 0.0 {
                0.0
            } else {
                change / leg.duration
            };
            Acceleration {
                duration: leg.duration,
                speed,
                acceleration,
            }
        })
    }

    /// Whether the horizontal speed never jumps.
    pub fn is_smooth(&self) -> bool {
        self.start_speed.is_some()
    }

    /// Greatest horizontal speed, as a magnitude.
    pub fn top_speed(&self) -> f64 {
        let rows = self.accelerations();
        let speeds = rows.map(|row| row.speed.abs().max(row.speed_after(row.duration).abs()));
        speeds.fold(0.0, f64::max)
    }

    /// Greatest horizontal acceleration, as a magnitude. Speeds that change at once
    /// do not count.
    pub(crate) fn top_acceleration(&self) -> f64 {
        let rows = self.accelerations();
        rows.fold(0.0, |most, row| most.max(row.acceleration.abs()))
    }

    /// Position at time `t`; times outside the motion give its ends.
    pub fn offset(&self, t: f64) -> DVec2 {
        if t >= self.duration {
            return self.end;
        }
        let t = t.max(0.0);
        DVec2::new(self.x(t), self.y(t))
    }

    /// Feet at time `t` of the motion from a world position. `down` is the change
    /// of y when a point moves down by one unit.
    #[doc(hidden)]
    pub fn position(&self, from: Vec2, down: f32, t: f64) -> DVec2 {
        let offset = self.offset(t);
        from.as_dvec2() + DVec2::new(offset.x, -f64::from(down) * offset.y)
    }

    /// Velocity at time `t`, clamped to the motion. Where the velocity jumps,
    /// the one just after `t`.
    pub fn velocity(&self, t: f64) -> DVec2 {
        let t = t.clamp(0.0, self.duration);
        let mut begin = 0.0;
        let mut vx = 0.0;
        for row in self.accelerations() {
            vx = row.speed_after((t - begin).min(row.duration));
            begin += row.duration;
            if t < begin {
                break;
            }
        }
        let last = self.launches().iter().rev().find(|l| l.time <= t);
        let vy = last.map_or(0.0, |launch| self.fall.speed(launch.speed, t - launch.time));
        DVec2::new(vx, vy)
    }

    /// The times at which the formula of the motion changes, in order, from 0
    /// to the duration: launches, ends of legs, apexes, turns, and the times at
    /// which the body reaches its greatest falling speed. Between two of them
    /// each of x and y is a monotone piece of one parabola or a line; x is a
    /// line unless the motion [is smooth](Self::is_smooth).
    pub fn knots(&self) -> Knots {
        let mut knots = Knots {
            times: [0.0; MAX_KNOTS],
            count: 0,
        };
        knots.push(0.0);
        let mut t = 0.0;
        for row in self.accelerations() {
            let turn = -row.speed / row.acceleration;
            if turn > 0.0 && turn < row.duration {
                knots.push((t + turn).min(self.duration));
            }
            t += row.duration;
            knots.push(t.min(self.duration));
        }
        let launches = self.launches();
        for (i, &Launch { time, speed }) in launches.iter().enumerate() {
            knots.push(time.min(self.duration));
            let until = launches.get(i + 1).map_or(self.duration, |next| next.time);
            for knot in [
                time + speed / self.fall.gravity,
                time + (speed + self.fall.max_speed) / self.fall.gravity,
            ] {
                if knot > time && knot < until {
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
        for row in self.accelerations() {
            let spent = left.min(row.duration);
            x += row.distance_after(spent);
            left -= spent;
        }
        x
    }

    fn y(&self, t: f64) -> f64 {
        let last = self.launches().iter().rposition(|l| l.time <= t);
        last.map_or(0.0, |i| {
            let Launch { time, speed } = self.launches[i];
            let before = self.launches[..=i].windows(2).fold(0.0, |y, pair| {
                y + self.fall.height(pair[0].speed, pair[1].time - pair[0].time)
            });
            before + self.fall.height(speed, t - time)
        })
    }
}

/// The last time until which a condition holds that holds at `begin` and changes
/// once until `end`.
pub fn last_time([begin, end]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    let (mut before, mut after) = (begin, end);
    // 48 halvings: below that, times of a few seconds have no bits left in f64.
    for _ in 0..48 {
        let middle = f64::midpoint(before, after);
        if holds(middle) {
            before = middle;
        } else {
            after = middle;
        }
    }
    before
}

/// Both ends, the end of each leg and where it turns, and for each launch its
/// time, its apex and the time of its greatest falling speed.
const MAX_KNOTS: usize = 2 * MAX_LEGS + 3 * MAX_LAUNCHES + 2;

/// The [`Trajectory::knots`], as a slice without an allocation.
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
mod tests {
    use super::*;

    fn motion(
        launches: &[[f64; 2]],
        legs: &[[f64; 2]],
        [dx, dy]: [f64; 2],
    ) -> Result<Trajectory, MeshError> {
        let launches: Vec<_> = launches
            .iter()
            .map(|&[time, speed]| Launch { time, speed })
            .collect();
        let legs: Vec<_> = legs
            .iter()
            .map(|&[duration, speed]| Leg { duration, speed })
            .collect();
        TrajectoryParams::new(&launches, &legs)?.trajectory(dx, dy, 400.0)
    }

    #[test]
    fn a_jump_follows_the_parabola_and_ends_at_its_landing_point() {
        let jump = motion(&[[0.0, 100.0]], &[[0.25, 0.0]], [60.0, 8.0]).unwrap();
        assert!((jump.offset(0.25).y - (25.0 - 12.5)).abs() < 1e-9);
        assert!(jump.offset(0.25).x.abs() < 1e-9);
        assert_eq!(jump.offset(jump.duration), DVec2::new(60.0, 8.0));
        let before = jump.offset(jump.duration - 1e-9);
        assert!((before - jump.end).length() < 1e-5, "{before}");
        assert!(jump.velocity(jump.duration).y <= 0.0);
    }

    #[test]
    fn a_walk_off_stays_level_until_its_launch() {
        let drop = motion(&[[0.1, 0.0]], &[], [30.0, -50.0]).unwrap();
        assert_eq!(drop.offset(0.1).y, 0.0);
        assert!((drop.duration - (0.1 + 0.5)).abs() < 1e-6);
        assert_eq!(drop.velocity(0.05).y, 0.0);
    }

    #[test]
    fn a_second_launch_starts_at_the_height_reached() {
        let double = motion(&[[0.0, 100.0], [0.5, 100.0]], &[], [0.0, 0.0]).unwrap();
        // Back at 0 after half a second, so the second jump repeats the first.
        assert!((double.duration - 1.0).abs() < 1e-9);
        assert!((double.offset(0.75).y - 12.5).abs() < 1e-9);
        let knots = [0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.0];
        assert_eq!(double.knots().to_vec(), knots);
    }

    #[test]
    fn speeds_join_in_a_smooth_motion() {
        // From 40 units/s down to 0 in half a second, then up to 60.
        let jump = Launch {
            time: 0.0,
            speed: 200.0,
        };
        let brake = Leg {
            duration: 0.5,
            speed: 20.0,
        };
        let params = TrajectoryParams::new(&[jump], &[brake]).unwrap();
        let smooth = params.with_start_speed(40.0).unwrap();
        let smooth = smooth.trajectory(25.0, 0.0, 400.0).unwrap();
        let rows = smooth.accelerations().map(|row| row.acceleration);
        assert_eq!(rows.collect::<Vec<_>>(), [-80.0, 120.0]);
        for (t, x, speed) in [(0.25, 7.5, 20.0), (0.5, 10.0, 0.0), (0.75, 13.75, 30.0)] {
            assert!((smooth.offset(t).x - x).abs() < 1e-9);
            assert!((smooth.velocity(t).x - speed).abs() < 1e-9);
        }
        assert_eq!(smooth.offset(1.0).x, 25.0);
        assert_eq!(smooth.top_speed(), 60.0);
        assert!(params.with_start_speed(f64::NAN).is_err());

        // Past the landing and back.
        let params = TrajectoryParams::new(&[jump], &[]).unwrap();
        let back = params.with_start_speed(100.0).unwrap();
        let back = back.trajectory(0.0, 0.0, 400.0).unwrap();
        assert_eq!(back.knots().to_vec(), [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
        assert_eq!(back.offset(0.5).x, 25.0);
    }

    #[test]
    fn impossible_parameters_say_what_is_wrong() {
        let at_home = [0.0, 0.0];
        for (result, error) in [
            (motion(&[[0.0, 100.0]], &[], [0.0, 13.0]), TOO_HIGH),
            (motion(&[[0.0, 100.0]], &[[2.0, 1.0]], at_home), TOO_LONG),
            (motion(&[[0.0, f64::NAN]], &[], at_home), MALFORMED),
            (motion(&[[0.2, 1.0], [0.1, 1.0]], &[], at_home), MALFORMED),
        ] {
            assert_eq!(result, Err(error));
        }
        let error = motion(&[], &[], at_home).unwrap_err();
        assert!(error.to_string().ends_with("not 0 and 1"), "{error}");
    }
}
