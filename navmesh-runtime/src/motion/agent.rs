//! An agent: what it is told, and what it remembers.

use glam::{DVec2, Vec2};

use super::climb::Climber;
use super::portal::Passage;
use super::{
    Activity, AgentEvent, Ballistic, Cubic, Facing, IdleReason, PathLostReason, PathSource, Pose,
    Runner, Stranded, Ticket,
};
use crate::mesh::{AgentProfile, Layer, LinkId, PlatformId, ProfileError};
use crate::search::{Filter, NoPath, Query, QueryError, Step, StepKind};

/// How an agent is where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// It has to find its place (A7).
    Unplaced,
    /// On a platform; the runner's line is x.
    Ground(PlatformId, Runner),
    /// In a jump or a drop, to a platform.
    Airborne(Ballistic, StepKind, PlatformId),
    /// Flying or hovering.
    Flying(Flier),
    /// Holding on to something.
    Climbing(Climber),
    /// In a portal.
    InPortal(Passage),
    /// Nowhere.
    Stranded(Stranded),
}

/// An agent in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Flier {
    pub(super) at: DVec2,
    pub(super) velocity: DVec2,
    /// The present curve, and seconds since its beginning.
    pub(super) curve: Option<(Cubic, f64)>,
}

impl Flier {
    pub(super) fn hover(at: Vec2) -> Self {
        Self {
            at: at.as_dvec2(),
            velocity: DVec2::ZERO,
            curve: None,
        }
    }
}

/// An agent that follows paths. Plain values in, plain values out.
///
/// What it is told takes effect in the next [`step`](Self::step).
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, and no two of them make a state"
)]
pub struct NavAgent {
    /// The name of the agent whose layers it may be stepped in.
    pub(super) layer_agent: Box<str>,
    /// The last layer whose agent was compared with that name.
    pub(super) layer_identity: usize,
    pub(super) profile: AgentProfile,
    /// Whether the profile was set by the game; otherwise it is the layer's.
    pub(super) has_own_profile: bool,
    pub(super) filter: Filter,
    pub(super) or_nearest: bool,
    pub(super) tolerance: f32,
    pub(super) mode: Mode,
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    /// Where the engine reported the body to be, since the last step.
    pub(super) body: Option<Vec2>,
    pub(super) facing: Facing,
    pub(super) disabled: bool,
    pub(super) goal: Option<Vec2>,
    pub(super) route: Vec<Step>,
    /// The step of the route it is on.
    pub(super) cursor: usize,
    /// The next link of the route, and the velocity across with which it is
    /// taken, once that is known.
    pub(super) take_off: Option<(LinkId, f64)>,
    /// Whether the route is to end in an arrival.
    pub(super) under_way: bool,
    /// Why the route ends short of the goal, if it does.
    pub(super) short: Option<NoPath>,
    pub(super) rest: IdleReason,
    pub(super) wants_path: bool,
    /// Whether it waits before the next jump or flight: an answer came too
    /// late to be of use.
    pub(super) holds: bool,
    pub(super) query: Query,
    pub(super) ticket: Option<Ticket>,
    /// A question no longer of interest.
    pub(super) stale: Option<Ticket>,
    /// Paths lost in the present step.
    pub(super) losses: u8,
    /// What to report in the next step.
    pub(super) lost: Option<PathLostReason>,
    pub(super) doors_seen: u64,
    pub(super) events: Vec<AgentEvent>,
}

impl NavAgent {
    /// An agent with the limits its layer was baked for, its feet at
    /// `position` (world units). Where it can be is found in the first step:
    /// in the air above floor, it begins with a fall.
    ///
    /// It moves only in layers of this agent (the same
    /// [name](crate::mesh::AgentProfile::name)), of this or any other level;
    /// in any other layer it is [`Stranded::WrongLayer`]. In the first step in
    /// another layer of its agent (the level was swapped or baked again) it
    /// finds its place there and plans again for the destination it has.
    pub fn new(layer: &Layer, position: Vec2) -> Self {
        Self {
            layer_agent: layer.profile().name.as_str().into(),
            layer_identity: layer.identity(),
            profile: layer.profile().clone(),
            has_own_profile: false,
            filter: Filter::default(),
            or_nearest: false,
            tolerance: layer.grid().spacing / 2.0,
            mode: Mode::Unplaced,
            position,
            velocity: Vec2::ZERO,
            body: None,
            facing: Facing::default(),
            disabled: false,
            goal: None,
            route: Vec::with_capacity(8),
            cursor: 0,
            take_off: None,
            under_way: false,
            short: None,
            rest: IdleReason::NoDestination,
            wants_path: false,
            holds: false,
            query: Query::new(position, position),
            ticket: None,
            stale: None,
            losses: 0,
            lost: None,
            doors_seen: 0,
            events: Vec::with_capacity(8),
        }
    }

    /// The limits of the agent: those of the layer it is in, unless others were
    /// [set](Self::set_profile).
    pub fn profile(&self) -> &AgentProfile {
        &self.profile
    }

    /// Sets other limits than the layer was baked for, for instance those of a
    /// wounded agent. Edges, speeds, accelerations, gravity and the reach of
    /// jumps and drops apply at once, except to a jump that has begun; the agent
    /// plans again. The size of the body and the floors it can walk on remain
    /// those of the layer. The limits remain in other layers too.
    ///
    /// ```
    /// # use navmesh_runtime::{mesh::ProfileError, motion::NavAgent};
    /// # fn wound(agent: &mut NavAgent) -> Result<(), ProfileError> {
    /// let mut wounded = agent.profile().clone();
    /// wounded.run_speed *= 0.5;
    /// agent.set_profile(wounded)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a value is out of range; nothing changes then.
    pub fn set_profile(&mut self, profile: AgentProfile) -> Result<(), ProfileError> {
        profile.validate()?;
        self.profile = profile;
        self.has_own_profile = true;
        self.replan();
        Ok(())
    }

    /// What its paths leave out or make dearer.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Plans under another filter from now on. Doors that all agents share
    /// are better put in the [`Environment`](super::Environment).
    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.replan();
    }

    /// Whether the agent goes to the reachable point nearest to its
    /// destination when the destination itself cannot be reached, as with
    /// [`Query::or_nearest`]. The default is `false`.
    pub fn set_or_nearest(&mut self, or_nearest: bool) {
        self.or_nearest = or_nearest;
    }

    /// How far from where it should be the body may be reported by
    /// [`sync`](Self::sync), world units. At first half the grid's spacing.
    pub fn set_tolerance(&mut self, tolerance: f32) {
        self.tolerance = tolerance.max(0.0);
    }

    /// Feet, world units.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// Units/s.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Where it is to go, whether or not it can.
    pub fn destination(&self) -> Option<Vec2> {
        self.goal
    }

    /// Whether it has a path to follow, or waits for the answer to a question
    /// for one.
    pub fn is_under_way(&self) -> bool {
        self.under_way || self.wants_path
    }

    /// What is left of its path, the present step included; a jump or drop
    /// under way not.
    pub fn remaining_path(&self) -> &[Step] {
        self.route.get(self.cursor..).unwrap_or_default()
    }

    /// What happened in the last step, in order.
    pub fn events(&self) -> &[AgentEvent] {
        &self.events
    }

    /// What it is doing, and if it does not move, why.
    pub fn activity(&self) -> Activity {
        if self.disabled {
            return Activity::Disabled;
        }
        match &self.mode {
            Mode::Stranded(why) => Activity::Stranded(*why),
            Mode::Airborne(_, StepKind::Jump, _) => Activity::Jumping,
            Mode::Airborne(..) => Activity::Dropping,
            Mode::InPortal(_) => Activity::InPortal,
            Mode::Flying(flier) if flier.curve.is_some() => Activity::Flying,
            Mode::Ground(_, runner) if runner.velocity != 0.0 => Activity::Running,
            Mode::Climbing(climber) if climber.velocity != DVec2::ZERO => Activity::Climbing,
            _ if self.wants_path || self.holds => Activity::Idle(IdleReason::Waiting),
            Mode::Ground(..) if self.cursor < self.route.len() => Activity::Running,
            Mode::Climbing(_) if self.cursor < self.route.len() => Activity::Climbing,
            Mode::Flying(_) if self.cursor < self.route.len() => Activity::Flying,
            _ => Activity::Idle(self.rest),
        }
    }

    /// Everything an engine needs to show it.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.position,
            velocity: self.velocity,
            facing: self.facing,
            activity: self.activity(),
        }
    }

    /// Goes somewhere else (A6): on floor or in flight from where it is now,
    /// in a jump, a drop or a portal from where that ends. An agent that already is on
    /// its way to exactly there carries on.
    pub fn set_destination(&mut self, destination: Vec2) {
        if !destination.is_finite() {
            self.stop();
            self.rest = IdleReason::Rejected(QueryError::Position);
            return;
        }
        let is_same = self.goal == Some(destination);
        if is_same && (self.under_way || self.wants_path) {
            return;
        }
        self.goal = Some(destination);
        if self.ticket.is_some() {
            // Whoever changes its mind faster than it is answered would
            // otherwise be sent to the end of the queue for ever.
            self.wants_path = true;
        } else {
            self.replan();
        }
    }

    /// Stops (A9): at once, on floor and in flight; a jump, drop or portal is
    /// finished first. It has no destination then.
    pub fn stop(&mut self) {
        self.goal = None;
        self.forget_path();
        self.wants_path = false;
        self.rest = IdleReason::NoDestination;
        self.halt();
    }

    /// Stuns it (A8): it stays where it is, even in mid-air, until it is
    /// enabled. The destination is kept.
    pub fn disable(&mut self) {
        self.disabled = true;
        self.forget_path();
        self.wants_path = false;
        self.mode = Mode::Unplaced;
        self.velocity = Vec2::ZERO;
    }

    /// Ends a stun: it finds its place (A7), from mid-air by falling, and
    /// plans anew for the destination it had.
    pub fn enable(&mut self) {
        if self.disabled {
            self.disabled = false;
            self.enter_anew();
        }
    }

    /// Puts it somewhere else. The destination is kept; it finds its place
    /// (A7) and plans anew.
    pub fn teleport(&mut self, position: Vec2) {
        self.position = position;
        self.enter_anew();
    }

    /// Tells it where its body really is, in an engine that moves bodies
    /// itself: to be called before each step. As long as that is no farther
    /// from where it should be than the [tolerance](Self::set_tolerance),
    /// it carries on: on floor from there, in jumps and flight as planned. If
    /// the body is farther off, it finds its place anew (A7) and replans.
    ///
    /// In the step that follows, [`Pose::velocity`] is the one that takes the
    /// body from there to where it should be when the step is over.
    pub fn sync(&mut self, position: Vec2, velocity: Vec2) {
        self.body = Some(position);
        let drift = position.distance(self.position);
        if drift <= self.tolerance && !self.disabled {
            if let Mode::Ground(_, runner) = &mut self.mode {
                runner.at = f64::from(position.x);
                if velocity.x.is_finite() {
                    // A body that does what it is told, runs as planned.
                    runner.velocity += f64::from(velocity.x) - f64::from(self.velocity.x);
                    self.velocity.x = velocity.x;
                }
                self.position = position;
            }
            return;
        }
        self.position = position;
        if !self.disabled {
            if self.under_way {
                self.lost = Some(PathLostReason::Drift);
            }
            self.enter_anew();
        }
    }

    /// Takes back what it asked of a path source; to be called before it is
    /// thrown away, when that is a queue.
    pub fn cancel_requests(&mut self, paths: &mut impl PathSource) {
        self.stop();
        self.cancel_stale(paths);
    }

    /// Asks for a path to the destination, if it has one.
    pub(super) fn replan(&mut self) {
        self.take_off = None;
        self.stale = self.stale.or(self.ticket.take());
        self.wants_path = self.goal.is_some();
    }

    /// Stops at once, unless in a jump or drop.
    pub(super) fn halt(&mut self) {
        match &mut self.mode {
            Mode::Ground(_, runner) => runner.velocity = 0.0,
            Mode::Flying(flier) => {
                if let Some((curve, t)) = flier.curve.take() {
                    flier.at = curve.position(t);
                }
                flier.velocity = DVec2::ZERO;
            }
            Mode::Climbing(climber) => climber.velocity = DVec2::ZERO,
            Mode::Unplaced | Mode::Airborne(..) | Mode::InPortal(_) | Mode::Stranded(_) => return,
        }
        self.velocity = Vec2::ZERO;
    }

    pub(super) fn forget_path(&mut self) {
        self.stale = self.stale.or(self.ticket.take());
        self.route.clear();
        self.cursor = 0;
        self.take_off = None;
        self.under_way = false;
        self.short = None;
        self.holds = false;
    }

    pub(super) fn enter_anew(&mut self) {
        self.forget_path();
        self.mode = Mode::Unplaced;
        self.velocity = Vec2::ZERO;
        self.wants_path = self.goal.is_some();
    }
}
