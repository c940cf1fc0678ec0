//! Finds out why an agent can or cannot move from one platform to another, with
//! the same stages that bake its links.

use std::borrow::Cow;
use std::fmt;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{AgentProfile, Fall, Link, PlatformId};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint, signed_point};
use crate::error::BakeError;
use crate::flight::moves::{MoveFinder, SearchBuffers};
use crate::flight::take_off::TakeOff;
use crate::flight::trajectory_solver::{Effort, TrajectorySolver};
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::{ConfigurationSpace, Motion};
use crate::layout::{Layout, units_per_pixel};
use crate::level::Level;
use crate::pipeline::agent_space;
use crate::settings::Settings;
use crate::surfaces::Surfaces;
use crate::world;

/// Greatest number of endpoints per platform, the nearest to the other platform
/// first, among which [`AgentMoves::between`] looks for the attempt that comes
/// closest. The time grows with the square of this number, times the number of
/// take-offs.
const MAX_ENDPOINTS: usize = 64;

/// The platforms of one agent, as a bake has them before it chooses links.
///
/// Platforms have the same ids as in the mesh that [`bake`](super::bake()) makes
/// of the same level and settings.
pub struct AgentMoves<'a> {
    level: Cow<'a, Level>,
    layout: Layout,
    limits: AgentLimits,
    space: Box<dyn ConfigurationSpace>,
    surfaces: Surfaces,
    /// 1 or -1, see [`YAxis::down`](navmesh_runtime::mesh::YAxis::down).
    down: f32,
    /// World units in a level pixel, in which all of these are but for `fall`.
    scale: f64,
    /// Gravity and greatest falling speed, world units.
    fall: Fall,
}

/// An attempt that fails.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMiss {
    /// Where it starts, world units.
    pub from: Vec2,
    /// Where it would end, world units.
    pub to: Vec2,
    /// Why it fails.
    pub reason: MissReason,
}

/// Why an attempt fails. Distances are in world units.
#[derive(Debug, Clone, PartialEq)]
pub enum MissReason {
    /// The agent cannot leave the platform through the air at all.
    NoTakeOff,
    /// The landing is further across than `max_jump` or `max_drop` allows.
    TooFar {
        /// Distance across.
        across: f64,
        /// The greatest distance that is allowed.
        limit: f64,
    },
    /// The landing is higher than `max_jump` allows (0 for agents that only
    /// drop).
    TooHigh {
        /// Distance upwards.
        rise: f64,
        /// The greatest distance that is allowed.
        limit: f64,
    },
    /// The landing is deeper than `max_drop` allows.
    TooDeep {
        /// Distance downwards.
        drop: f64,
        /// The greatest distance that is allowed.
        limit: f64,
    },
    /// The highest jump does not rise as high as the landing.
    JumpTooLow {
        /// Distance upwards.
        rise: f64,
        /// How high the agent's jump rises.
        apex: f64,
    },
    /// The longest flight is too short to cover the distance.
    FlightTooShort {
        /// Distance across.
        across: f64,
        /// The distance that the flight covers.
        covered: f64,
        /// Seconds in the air.
        seconds: f64,
    },
    /// Something is in the way. Other trajectories with up to three legs, which
    /// the bake also tries, do not reach the platform either.
    Blocked {
        /// Position of the feet where the trajectory is stopped, world units.
        at: Vec2,
        /// What stops it, and where it comes from in the level; `None` for a
        /// one-way surface.
        by: Option<String>,
        /// The share of the motion's duration that passes before it is stopped,
        /// from 0 to 1.
        done: f64,
    },
    /// None of the above: no motion with up to three legs was found.
    NoTrajectory,
}

impl MissReason {
    /// By how much the distances across and up exceed an agent's limits, all taken
    /// together, and the limit that they exceed most.
    pub fn beyond(profile: &AgentProfile, across: f64, rise: f64) -> (f64, Self) {
        Self::beyond_limits(&AgentLimits::of(profile), across, rise)
    }

    /// The same reason with its distances in units of which `factor` make one.
    fn scaled(mut self, factor: f64) -> Self {
        match &mut self {
            Self::TooFar {
                across: a,
                limit: b,
            }
            | Self::TooHigh { rise: a, limit: b }
            | Self::TooDeep { drop: a, limit: b }
            | Self::JumpTooLow { rise: a, apex: b }
            | Self::FlightTooShort {
                across: a,
                covered: b,
                ..
            } => {
                *a *= factor;
                *b *= factor;
            }
            Self::NoTakeOff | Self::Blocked { .. } | Self::NoTrajectory => {}
        }
        self
    }

    fn beyond_limits(limits: &AgentLimits, across: f64, rise: f64) -> (f64, Self) {
        // An agent that jumps may also walk off an end, which `max_drop` limits.
        let most = limits.reach(limits.jumps()).max(limits.reach(false));
        let (drop, deepest) = (-rise, limits.max_drop.y);
        let excess = [across - most.x, rise - most.y, drop - deepest];
        let [far, high, deep] = excess.map(|v| v.max(0.0));
        let reason = if far >= high && far >= deep {
            let limit = most.x;
            Self::TooFar { across, limit }
        } else if high >= deep {
            let limit = most.y;
            Self::TooHigh { rise, limit }
        } else {
            let limit = deepest;
            Self::TooDeep { drop, limit }
        };
        (far + high + deep, reason)
    }
}

/// A line for games and editors; the command `navbake explain` says more.
impl fmt::Display for MissReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTakeOff => f.write_str("the agent cannot jump or drop from there"),
            Self::TooFar { across, limit } => write!(f, "{across:.0} across, at most {limit:.0}"),
            Self::TooHigh { rise, limit } => write!(f, "{rise:.0} up, at most {limit:.0}"),
            Self::TooDeep { drop, limit } => write!(f, "{drop:.0} down, at most {limit:.0}"),
            Self::JumpTooLow { rise, apex } => write!(f, "{rise:.0} up, the jump rises {apex:.0}"),
            Self::FlightTooShort {
                across, covered, ..
            } => write!(f, "{across:.0} across, the flight covers {covered:.0}"),
            Self::Blocked { at, by, .. } => {
                let by = by.as_deref().unwrap_or("a one-way platform");
                write!(f, "{by} is in the way at {:.0}, {:.0}", at.x, at.y)
            }
            Self::NoTrajectory => f.write_str("no motion was found"),
        }
    }
}

/// A pair of endpoints, compared with other pairs to find the closest attempt.
struct Attempt {
    index: usize,
    from: Endpoint,
    to: Endpoint,
    /// Distance across.
    across: f64,
    /// Distance upwards; negative downwards.
    rise: f64,
}

/// The endpoints of a platform that are nearest to another one, and their indices.
fn nearest_endpoints(
    finder: &MoveFinder<'_>,
    platform: PlatformId,
    other: PlatformId,
) -> Vec<(usize, Endpoint)> {
    let other = &finder.platforms[other.0 as usize];
    let (left, right) = (other.start().x, other.end().x);
    let all = finder.endpoints.range(platform.0 as usize);
    let mut all: Vec<_> = all.map(|i| (i, finder.endpoints.items[i])).collect();
    all.sort_by(|(_, a), (_, b)| {
        let [a, b] = [a.x, b.x].map(|x| (left - x).max(x - right).max(0.0));
        a.total_cmp(&b)
    });
    all.truncate(MAX_ENDPOINTS);
    all
}

/// Every take-off that is tried for some attempts, and its vertical motion.
fn flights<'a>(
    finder: &'a MoveFinder<'_>,
    attempts: &'a [Attempt],
) -> impl Iterator<Item = (&'a Attempt, TakeOff, VerticalMotion)> {
    attempts.iter().flat_map(move |attempt| {
        let take_offs = finder.take_offs(attempt.index).into_iter();
        take_offs.map(move |take_off| {
            let motion = finder.vertical_motion(&attempt.from, take_off);
            (attempt, take_off, motion)
        })
    })
}

impl<'a> AgentMoves<'a> {
    /// Finds the platforms of an agent. `agent` must be one of
    /// [`Settings::agents`].
    ///
    /// # Errors
    /// As for [`bake`](super::bake()).
    pub fn new(
        level: &'a Level,
        settings: &Settings,
        agent: &AgentProfile,
    ) -> Result<Self, BakeError> {
        let layout = Layout::new(level, settings)?;
        let limits = layout.limits(agent);
        let placed = layout.place(level);
        let space = agent_space(&placed, None, &[], &layout, agent);
        let surfaces = Surfaces::find(space.as_ref(), &layout, &limits);
        Ok(Self {
            level: placed,
            layout,
            limits,
            space,
            surfaces,
            down: settings.units.y_axis.down(),
            scale: units_per_pixel(settings.units),
            fall: Fall::from(agent),
        })
    }

    /// The fastest link from one platform to another by one step, jump or drop. It
    /// stays within every limit and hits nothing. It is in the mesh unless links that
    /// are kept offer a route at `link_stretch` times its cost or less.
    ///
    /// # Errors
    /// When there is none: the attempt that comes closest. An unknown platform
    /// cannot be left or reached.
    pub fn between(&self, from: PlatformId, to: PlatformId) -> Result<Link, NearMiss> {
        let mut steps = self.surfaces.steps.iter();
        if let Some(step) = steps.find(|step| step.platforms() == (from.0, to.0)) {
            return Ok(self.link(*step));
        }
        let platforms = &self.surfaces.platforms;
        let are_known = [from, to]
            .iter()
            .all(|id| (id.0 as usize) < platforms.len());
        let Some(slabs) = self.surfaces.slabs.as_ref().filter(|_| are_known) else {
            return Err(NearMiss {
                from: Vec2::ZERO,
                to: Vec2::ZERO,
                reason: MissReason::NoTakeOff,
            });
        };
        let finder = MoveFinder::new(&self.limits, &self.layout, slabs, platforms);
        let solver = TrajectorySolver {
            finder: &finder,
            space: self.space.as_ref(),
        };
        (self.fastest(&solver, from, to)).ok_or_else(|| self.near_miss(&solver, from, to))
    }

    /// Converts a point of the bake (y down) to world units.
    fn world(&self, p: DVec2) -> Vec2 {
        world::point(signed_point(p, self.down), self.scale)
    }

    fn link(&self, connection: Connection) -> Link {
        let link = connection.to_link(self.down);
        world::link(&link, self.scale, self.fall, self.down).unwrap_or(link)
    }

    /// The fastest motion through the air between two platforms.
    fn fastest(
        &self,
        solver: &TrajectorySolver<'_>,
        from: PlatformId,
        to: PlatformId,
    ) -> Option<Link> {
        let mut buffers = SearchBuffers::default();
        let mut moves = solver.finder.moves_from(&mut buffers, from.0 as usize);
        moves.retain(|candidate| candidate.to.platform == to.0);
        // However long it takes: no link that is kept makes it unnecessary.
        let longest = [f64::INFINITY; 2];
        let links = (moves.iter())
            .filter_map(|made| solver.link(&mut buffers, made, longest, Effort::AnyTakeOff));
        let fastest = links.min_by(|a, b| a.duration.total_cmp(&b.duration));
        fastest.map(|link| self.link(link))
    }

    /// The attempt that comes closest. It is chosen by the first of these
    /// conditions that no attempt meets: there is a take-off, the distance is
    /// within the limits, a flight is high and long enough, nothing is in the
    /// way.
    fn near_miss(
        &self,
        solver: &TrajectorySolver<'_>,
        from: PlatformId,
        to: PlatformId,
    ) -> NearMiss {
        let attempts = Self::attempts(solver.finder, from, to);
        if flights(solver.finder, &attempts).next().is_none() {
            return self.miss(&attempts[0], MissReason::NoTakeOff);
        }
        self.beyond_limits(&attempts)
            .or_else(|| self.beyond_flight(solver.finder, &attempts))
            .or_else(|| self.blocked(solver, &attempts))
            // Every platform has an endpoint, so there is an attempt.
            .unwrap_or_else(|| self.miss(&attempts[0], MissReason::NoTrajectory))
    }

    fn miss(&self, attempt: &Attempt, reason: MissReason) -> NearMiss {
        NearMiss {
            from: self.world(attempt.from.point()),
            to: self.world(attempt.to.point()),
            reason: reason.scaled(self.scale),
        }
    }

    /// Every pair of the endpoints of each platform that are nearest to the
    /// other.
    fn attempts(finder: &MoveFinder<'_>, from: PlatformId, to: PlatformId) -> Vec<Attempt> {
        let landings = nearest_endpoints(finder, to, from);
        let starts = nearest_endpoints(finder, from, to).into_iter();
        let pairs = starts.flat_map(|(index, from)| {
            landings.iter().map(move |&(_, to)| Attempt {
                index,
                from,
                to,
                across: (to.x - from.x).abs(),
                rise: from.y - to.y,
            })
        });
        pairs.collect()
    }

    /// The attempt that exceeds the limits on distance least, if all exceed
    /// them.
    fn beyond_limits(&self, attempts: &[Attempt]) -> Option<NearMiss> {
        let excess = (attempts.iter())
            .map(|a| (a, MissReason::beyond_limits(&self.limits, a.across, a.rise)));
        let (nearest, (by, reason)) = excess.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))?;
        (by > self.layout.quantum).then(|| self.miss(nearest, reason))
    }

    /// The attempt whose flight comes closest to the landing, if all flights
    /// are too low or too short.
    fn beyond_flight(&self, finder: &MoveFinder<'_>, attempts: &[Attempt]) -> Option<NearMiss> {
        let mut lowest: Option<(f64, &Attempt)> = None;
        let mut shortest: Option<(f64, f64, &Attempt)> = None;
        for (attempt, _, motion) in flights(finder, attempts) {
            let apex = attempt.from.y - motion.last().apex();
            let missing = attempt.rise - apex;
            if missing > self.layout.quantum {
                if lowest.is_none_or(|(least, _)| missing < least) {
                    lowest = Some((missing, attempt));
                }
                continue;
            }
            let start = motion.first().start;
            let seconds = motion.last().falling_at(attempt.to.y) - start;
            // A body that walks off an end falls only where its support ends.
            let walked = (motion.x - attempt.from.x).abs();
            let missing = attempt.across - walked - self.limits.run_speed * seconds;
            if shortest.is_none_or(|(least, ..)| missing < least) {
                shortest = Some((missing, seconds, attempt));
            }
        }
        match (shortest, lowest) {
            (Some((missing, seconds, attempt)), _) => {
                let (across, covered) = (attempt.across, attempt.across - missing);
                let reason = MissReason::FlightTooShort {
                    across,
                    covered,
                    seconds,
                };
                (missing > self.layout.quantum).then(|| self.miss(attempt, reason))
            }
            (None, Some((missing, attempt))) => {
                let (rise, apex) = (attempt.rise, attempt.rise - missing);
                Some(self.miss(attempt, MissReason::JumpTooLow { rise, apex }))
            }
            (None, None) => None,
        }
    }

    /// The attempt with one leg that gets furthest before something stops it.
    fn blocked(&self, solver: &TrajectorySolver<'_>, attempts: &[Attempt]) -> Option<NearMiss> {
        let stopped = flights(solver.finder, attempts).filter_map(|(attempt, take_off, motion)| {
            let (from, to) = (attempt.from.point(), &attempt.to);
            let params = solver.one_leg(&attempt.from, to, &motion)?;
            let trajectory = solver.within_limits(from, to, params)?;
            let motion = Motion {
                space: solver.space,
                from,
                trajectory: &trajectory,
                through: take_off.drops_through(),
            };
            let (time, at) = motion.first_obstruction()?;
            Some((time / trajectory.duration, at, attempt))
        });
        // The first of those that get equally far.
        let (done, at, attempt) =
            stopped.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        let (by, at) = (self.blocker_near(at), self.world(at));
        Some(self.miss(attempt, MissReason::Blocked { at, by, done }))
    }

    /// What blocks the feet at a point or just beside it: a motion is stopped
    /// where it begins to overlap, and free space is less than a skin away from
    /// there.
    fn blocker_near(&self, p: DVec2) -> Option<String> {
        let aside = 4.0 * self.space.skin();
        let steps = [-1.0, 0.0, 1.0];
        let offsets = steps.iter().flat_map(|x| steps.map(|y| DVec2::new(*x, y)));
        let blocker = offsets
            .filter_map(|offset| self.space.blocker(p + offset * aside))
            .min_by_key(|blocker| blocker.hazard)?;
        let what = blocker.what();
        let origin = blocker.origin.map(|i| self.level.origins.get(i as usize));
        Some(match origin.flatten() {
            Some(origin) => format!("{what} ({origin})"),
            None => what.to_owned(),
        })
    }
}
