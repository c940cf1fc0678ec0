//! The ways to leave a platform into the air, and which of them are tried.

use navmesh_runtime::mesh::{AgentProfile, PlatformKind, StepKind};

use crate::agent_limits::AgentLimits;
use crate::connection::Endpoint;
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::Interval;
use crate::space::slabs::Slabs;
use crate::surfaces::platform_line::PlatformLine;

/// How a platform is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Departure {
    /// Walking off its left end.
    WalkOffLeft,
    /// Walking off its right end.
    WalkOffRight,
    /// Falling through a one-way platform.
    DropThrough,
    /// Letting go of a ladder, wall or ceiling.
    LetGo,
    /// Jumping with this upward speed.
    Jump(f32),
    /// Thrown by a spring with this upward speed.
    Thrown(f32),
}

/// A jump in the air.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AirJump {
    /// Seconds after the body left the platform.
    pub after: f32,
    /// Upward speed.
    pub speed: f32,
}

/// How a platform is left, and the jumps in the air that follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakeOff {
    pub departure: Departure,
    air_jumps: [AirJump; AgentProfile::MAX_AIR_JUMPS as usize],
    air_jump_count: u8,
}

impl TakeOff {
    /// A take-off without jumps in the air.
    pub fn new(departure: Departure) -> Self {
        Self {
            departure,
            air_jumps: [AirJump::default(); AgentProfile::MAX_AIR_JUMPS as usize],
            air_jump_count: 0,
        }
    }

    pub fn air_jumps(&self) -> &[AirJump] {
        &self.air_jumps[..usize::from(self.air_jump_count)]
    }

    /// Adds a jump in the air; ignored when there is no room for more.
    #[must_use]
    pub fn then(mut self, jump: AirJump) -> Self {
        if let Some(slot) = self.air_jumps.get_mut(usize::from(self.air_jump_count)) {
            *slot = jump;
            self.air_jump_count += 1;
        }
        self
    }

    /// Whether the body jumps, from the platform or in the air.
    pub fn jumps(&self) -> bool {
        let leaves = matches!(self.departure, Departure::Jump(_) | Departure::Thrown(_));
        self.air_jump_count > 0 || leaves
    }

    /// Whether the body drops through the one-way platform it starts on.
    pub fn drops_through(&self) -> bool {
        self.departure == Departure::DropThrough
    }

    /// The upward speed at which the body leaves the platform; 0 unless it
    /// jumps from there.
    pub fn speed(&self) -> f32 {
        match self.departure {
            Departure::Jump(speed) | Departure::Thrown(speed) => speed,
            _ => 0.0,
        }
    }

    /// The kind of a link that begins with this take-off.
    pub fn kind(&self) -> StepKind {
        match self.departure {
            Departure::Thrown(_) => StepKind::Spring,
            _ if self.jumps() => StepKind::Jump,
            Departure::DropThrough => StepKind::DropThrough,
            _ => StepKind::Drop,
        }
    }
}

/// Number of jump speeds that are tried: `k / JUMP_SPEEDS` of the greatest
/// speed, so that flight times are evenly spaced. Speeds whose apex touches a
/// cut are added. Compared with an exhaustive search on 21 levels, 16 speeds
/// link 99.1 % of the platform pairs directly and the others over several
/// links; the greatest speed alone reaches only 93 %. Baking time grows in
/// proportion to the number.
const JUMP_SPEEDS: u32 = 16;

/// The same for bodies without air control, which cannot correct in the air
/// for a speed that does not fit exactly.
const JUMP_SPEEDS_WITHOUT_AIR_CONTROL: u32 = 64;

/// The same for jumps in the air, each of which is tried at several times
/// after several first jumps.
const AIR_JUMP_SPEEDS: u32 = 8;

/// When more corners than this lie within a jump's height (past curves, and in
/// bitmaps, where every row of pixels is one), speeds are added only for the lowest
/// ceilings. The evenly spaced speeds come near those of all others.
const MAX_CORNERS: usize = 24;

/// Number of these ceilings. A body that hops onto a step under a low ceiling needs a
/// speed within a few percent, far less than the lowest of the evenly spaced speeds
/// are apart.
const MAX_CEILINGS: usize = 4;

/// When a fall passes more cuts than this, no jumps just before them are tried:
/// each cut would add at least [`AIR_JUMP_SPEEDS`] take-offs.
const MAX_AIR_CUTS: usize = 12;

/// Seconds between a jump in the air and the moment at which the feet would
/// pass a cut: far more than the rounding of f32, far less than a frame.
const BEFORE_CUT: f64 = 1e-5;

/// Least seconds between leaving a platform and a jump in the air: two steps of a
/// game at 60 Hz, of which the first is the one in which the body leaves. A jump
/// sooner hardly differs from one off the platform.
const MIN_WAIT: f64 = 1.0 / 30.0;

/// Two speeds whose relative difference is smaller than this count as equal:
/// ten times the rounding of f32.
const SAME_SPEED: f32 = 1e-6;

/// The speed of a jump whose apex is just below a height.
pub fn touching_speed(gravity: f64, height: f64) -> f32 {
    ((2.0 * gravity * height).sqrt() as f32).next_down()
}

/// The inputs that determine which take-offs are tried from an endpoint.
pub struct TakeOffChoice<'a> {
    pub limits: &'a AgentLimits,
    pub slabs: &'a Slabs,
    pub platform: &'a PlatformLine,
    pub from: Endpoint,
    /// Two heights closer together than this count as equal.
    pub tolerance: f64,
}

impl TakeOffChoice<'_> {
    /// The take-offs: shortest flights first, those with jumps in the air last.
    pub fn list(&self) -> Vec<TakeOff> {
        let mut out = Vec::new();
        let (limits, platform) = (self.limits, self.platform);
        let mut add = |departure| out.push(TakeOff::new(departure));
        if limits.drops() {
            if platform.kind != PlatformKind::Floor {
                add(Departure::LetGo);
            }
            if platform.edge_left.is_some() && self.from.x == platform.start().x {
                add(Departure::WalkOffLeft);
            }
            if platform.edge_right.is_some() && self.from.x == platform.end().x {
                add(Departure::WalkOffRight);
            }
        }
        if limits.drops_through() && self.stands_on_one_way() {
            add(Departure::DropThrough);
        }
        if !limits.jumps() {
            return out;
        }
        // Ladders and ceilings are left by letting go only.
        if matches!(platform.kind, PlatformKind::Floor | PlatformKind::Wall) {
            let count = if limits.air_control {
                JUMP_SPEEDS
            } else {
                JUMP_SPEEDS_WITHOUT_AIR_CONTROL
            };
            let mut speeds = self.jump_speeds(self.from.y, count);
            self.add_speeds_below_ceilings(&mut speeds);
            speeds.sort_unstable_by(f32::total_cmp);
            speeds.dedup_by(|a, b| *a - *b < *a * SAME_SPEED);
            out.extend(speeds.into_iter().map(|v| TakeOff::new(Departure::Jump(v))));
        }
        if limits.air_jumps > 0 {
            self.add_air_jumps(&mut out);
        }
        out
    }

    /// Jump speeds from a height: `count` evenly spaced ones, and those whose
    /// apex just touches a corner.
    fn jump_speeds(&self, y: f64, count: u32) -> Vec<f32> {
        let (greatest, gravity) = (self.limits.jump_speed, self.limits.fall.gravity);
        let even = (1..=count).map(|k| (greatest * (f64::from(k) / f64::from(count))) as f32);
        let mut speeds: Vec<f32> = even.collect();
        // The longest flight that stays below an obstacle has its apex at the
        // corner where the obstacle begins.
        let corners = self.corners_above(y);
        if corners.len() <= MAX_CORNERS {
            let touching = |at: &f64| touching_speed(gravity, y - at);
            speeds.extend(corners.iter().map(touching));
        }
        speeds
    }

    /// The corners within a jump's height above a height.
    fn corners_above(&self, y: f64) -> &[f64] {
        let (greatest, gravity) = (self.limits.jump_speed, self.limits.fall.gravity);
        let highest = y - 0.5 * greatest * greatest / gravity;
        self.slabs.corners_between(highest, y - self.tolerance)
    }

    /// Adds the speeds whose apex just touches one of the lowest ceilings, if
    /// [`jump_speeds`](Self::jump_speeds) has no speeds for corners.
    fn add_speeds_below_ceilings(&self, speeds: &mut Vec<f32>) {
        let (y, gravity) = (self.from.y, self.limits.fall.gravity);
        let corners = self.corners_above(y);
        if corners.len() <= MAX_CORNERS {
            return;
        }
        let upwards = corners.iter().rev();
        let heights = upwards
            .map(|at| y - at)
            .filter(|height| self.is_ceiling(*height));
        let lowest = heights.take(MAX_CEILINGS);
        speeds.extend(lowest.map(|height| touching_speed(gravity, height)));
    }

    /// Whether an obstacle begins at this height above the endpoint, where a flight with
    /// its apex there can come.
    fn is_ceiling(&self, height: f64) -> bool {
        let (slabs, limits) = (self.slabs, self.limits);
        let Some(cut) = slabs.cut_at(self.from.y - height, 0.0) else {
            return false;
        };
        let seconds = 2.0 * (2.0 * height / limits.fall.gravity).sqrt();
        let x = Interval::at(self.from.x).grown(limits.run_speed * seconds);
        let mut begins = false;
        slabs.free_within(cut + 1, x, |free| {
            begins |= !slabs.is_free(cut, free.intersection(&x));
        });
        begins
    }

    /// The cuts between two heights or, where they are too many, the corners, or none. Slopes
    /// elsewhere in the level add cuts at all of their heights, but only two corners.
    fn few_cuts(&self, top: f64, bottom: f64) -> &[f64] {
        let cuts = self.slabs.cuts_between(top, bottom);
        let corners = self.slabs.corners_between(top, bottom);
        let mut sets = [cuts, corners].into_iter();
        sets.find(|set| set.len() <= MAX_AIR_CUTS)
            .unwrap_or_default()
    }

    /// Adds jumps in the air to a few of the take-offs in `out`. They happen at
    /// the apex, after falls of several depths, and just before a cut is passed
    /// on the way down (the latest jump above an obstacle, and so the longest
    /// way over it). Third and later jumps happen at the apex of the jump
    /// before, at the greatest speed.
    fn add_air_jumps(&self, out: &mut Vec<TakeOff>) {
        let limits = self.limits;
        let greatest = limits.jump_speed;
        let height = 0.5 * greatest * greatest / limits.fall.gravity;
        // Only the quarters of the greatest speed, to limit the number of
        // combinations. They are among the evenly spaced speeds.
        let is_first = |take_off: &TakeOff| match take_off.departure {
            Departure::Jump(speed) => (1..=4).any(|k| {
                let part = greatest * f64::from(k) / 4.0;
                (f64::from(speed) - part).abs() < part * 1e-5
            }),
            Departure::WalkOffLeft | Departure::WalkOffRight | Departure::LetGo => true,
            Departure::DropThrough | Departure::Thrown(_) => false,
        };
        let firsts: Vec<TakeOff> = out.iter().copied().filter(is_first).collect();
        for first in firsts {
            let motion = VerticalMotion::new(first, &self.from, self.platform, limits);
            let flight = *motion.first();
            let mut times = vec![flight.apex_at()];
            let falls = [0.0, 0.5 * height, height, 2.0 * height].into_iter();
            let falls = falls.filter(|fall| *fall < limits.max_drop.y);
            times.extend(falls.map(|fall| flight.falling_at(flight.y + fall)));
            let deepest = flight.y + height.min(limits.max_drop.y);
            let cuts = self.few_cuts(flight.apex() + self.tolerance, deepest);
            times.extend(cuts.iter().map(|cut| flight.falling_at(*cut) - BEFORE_CUT));
            times.retain(|time| *time >= flight.start + MIN_WAIT);
            for time in times {
                let after = (time - flight.start) as f32;
                let y = flight.height_at(flight.start + f64::from(after));
                for speed in self.jump_speeds(y, AIR_JUMP_SPEEDS) {
                    let mut take_off = first.then(AirJump { after, speed });
                    out.push(take_off);
                    if f64::from(speed) < greatest * (1.0 - 1e-5) {
                        continue;
                    }
                    for _ in 1..limits.air_jumps {
                        let rise = (greatest / limits.fall.gravity) as f32;
                        let last = take_off.air_jumps().last().map_or(0.0, |jump| jump.after);
                        take_off = take_off.then(AirJump {
                            after: last + rise,
                            speed: greatest as f32,
                        });
                        out.push(take_off);
                    }
                }
            }
        }
    }

    /// Whether nothing but a one-way platform carries the body.
    fn stands_on_one_way(&self) -> bool {
        let (slabs, x) = (self.slabs, self.from.x);
        self.platform.kind == PlatformKind::Floor
            && slabs
                .cut_at(self.from.y, self.tolerance)
                .is_some_and(|cut| {
                    let one_way = slabs.one_way_tops.get(cut);
                    slabs.free_around(cut + 1, x).is_some()
                        && one_way.iter().any(|top| top.lo < x && x < top.hi)
                })
    }
}
