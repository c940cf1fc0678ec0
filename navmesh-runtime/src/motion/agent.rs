//! An agent: its commands, its state, and one step of it.

use glam::Vec2;

use super::airborne::Airborne;
use super::body::{BodyCommand, BodyState};
use super::crowd::{Apart, Avoidance, Crowd, Room};
use super::free_flight::FreeFlight;
use super::memory::{BodyMemory, HumanTiming};
use super::movement::{Movement, Placing};
use super::mover::Mover;
use super::pilot::PATIENCE;
use super::plan::{Goal, Journey};
use super::queue::PathSource;
use super::report::{Activity, AgentEvent, Facing, IdleReason, PathLostReason, Pose, Stranded};
use super::settings::{Clock, Control, Environment, Settings};
use crate::mesh::{AgentProfile, Layer, LinkLine, ProfileError};
use crate::search::{Filter, Path, Query, QueryError, Step};

/// Share of its width by which a body moves back before it looks there: less than anyone sees
/// of a body that brakes a little beyond its goal and comes back.
const TURNING: f32 = 0.1;

/// An agent that follows paths. Plain values in, plain values out.
///
/// Commands take effect in the next [`step`](Self::step).
#[derive(Debug, Clone)]
pub struct NavAgent {
    /// The name of the agent that its layers are baked for.
    agent: Box<str>,
    /// The identity of the layer of the last step.
    layer: usize,
    settings: Settings,
    /// Feet, world units.
    position: Vec2,
    /// Units/s.
    velocity: Vec2,
    facing: Facing,
    /// The farthest x in this direction since it turned.
    farthest: f32,
    movement: Movement,
    journey: Journey,
    /// Of a body that it drives. Apart from the rest, as what is for other agents: most steps
    /// read little of it, and thousands of agents share the cache.
    memory: Box<BodyMemory>,
    apart: Box<Apart>,
    /// How it finds its place while its movement is [`Movement::Unplaced`].
    placing: Placing,
    /// Of the last step.
    events: Vec<AgentEvent>,
    /// Since then, for the next step.
    later_events: Vec<AgentEvent>,
}

impl NavAgent {
    /// An agent with the limits its layer was baked for, its feet at
    /// `position` (world units). The first step finds its place; in the air
    /// above a floor, it begins with a fall.
    ///
    /// It moves only in layers of this agent (the same
    /// [name](crate::mesh::AgentProfile::name)), of this or any other level;
    /// in any other layer it is [`Stranded::WrongLayer`]. In the first step in another layer
    /// of its agent (the level has changed, or is another one) it goes on with what it does
    /// as far as that is possible there, or else falls from where it is, and plans again for
    /// the destination it has.
    pub fn new(layer: &Layer, position: Vec2) -> Self {
        Self {
            agent: layer.profile().name.as_str().into(),
            layer: layer.identity(),
            settings: Settings::new(layer),
            position,
            velocity: Vec2::ZERO,
            facing: Facing::default(),
            farthest: position.x,
            movement: Movement::Unplaced,
            journey: Journey::new(position),
            memory: Box::new(BodyMemory::new(layer.profile())),
            apart: Box::default(),
            placing: Placing::default(),
            // More than any step of the tests reports; grows if need be.
            events: Vec::with_capacity(8),
            later_events: Vec::with_capacity(4),
        }
    }

    /// The name of the agent that its layers are baked for.
    pub fn name(&self) -> &str {
        &self.agent
    }

    /// The identity of the layer of the last step.
    pub(crate) fn layer_identity(&self) -> usize {
        self.layer
    }

    /// The query for a path from where it is, under its filter and limits.
    pub(crate) fn query(&self, to: Vec2, environment: Environment<'_>) -> Query {
        let mut query = Query::new(self.pose().position, to);
        self.settings
            .apply_to(&mut query, environment, self.memory.avoided());
        query
    }

    /// The limits of the agent: those of the layer it is in, unless others were
    /// [set](Self::set_profile).
    pub fn profile(&self) -> &AgentProfile {
        &self.settings.profile
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
        self.settings.profile = profile;
        self.settings.has_own_profile = true;
        self.journey.replan();
        Ok(())
    }

    /// The filter of its paths.
    pub fn filter(&self) -> &Filter {
        &self.settings.filter
    }

    /// Plans under another filter from now on. Close doors that concern all
    /// agents in the [`Environment`] instead.
    pub fn set_filter(&mut self, filter: Filter) {
        self.settings.filter = filter;
        self.journey.replan();
    }

    /// Whether the agent goes to the reachable point nearest to its
    /// destination when the destination itself cannot be reached, as with
    /// [`Query::allow_partial_path`](crate::search::Query::allow_partial_path). The default is
    /// `false`.
    pub fn set_allow_partial_path(&mut self, allow: bool) {
        self.settings.allow_partial_path = allow;
    }

    /// Lets its paths lead through closed doors that are breakable, for about `seconds` each;
    /// `None`, as for a new agent, if it breaks nothing. In front of such a door it stops and
    /// reports [`BlockedBy`](AgentEvent::BlockedBy). It goes on when the game has
    /// [opened](crate::search::Doors::open) the door: broken it. Less than 0 counts as 0.
    pub fn set_break_cost(&mut self, seconds: Option<f32>) {
        self.settings.break_cost = seconds.map(|seconds| seconds.max(0.0));
        self.journey.replan();
    }

    /// How it moves where other agents of its [`Navigator`](crate::Navigator) are in its way.
    /// The default is [`Avoidance::Overlap`].
    pub fn set_avoidance(&mut self, avoidance: Avoidance) {
        if avoidance == self.apart.avoidance {
            return;
        }
        (self.apart.avoidance, self.apart.room) = (avoidance, Room::default());
        self.memory.shared.clear();
        if self.journey.detour.take().is_some() {
            self.journey.replan();
        }
    }

    /// How it moves where others are in its way.
    pub fn avoidance(&self) -> Avoidance {
        self.apart.avoidance
    }

    /// Whether it takes another way to its destination than the agents that were in the level
    /// before it and go to about the same place, where that costs no more than a second for
    /// each of them. The default is `false`.
    pub fn set_spread(&mut self, spread: bool) {
        self.apart.spreads = spread;
    }

    /// Greatest distance between the planned position of a body that moves
    /// [exactly](BodyCommand::exact) and the one that it reports to
    /// [`drive_with`](Self::drive_with), world units, at least 0. Half the grid's spacing
    /// for a new agent. A body that is farther off finds its place and plans again.
    pub fn set_tolerance(&mut self, tolerance: f32) {
        self.settings.tolerance = tolerance.max(0.0);
    }

    /// The destination it was given, whether or not it can get there. After a
    /// [`stop`](Self::stop), the place where it rests or will come to rest.
    pub fn destination(&self) -> Option<Vec2> {
        match self.journey.goal {
            Goal::None => None,
            Goal::At(destination) => Some(destination),
            Goal::Rest => Some(self.movement.end().unwrap_or(self.position)),
        }
    }

    /// Whether it follows a path, or waits for one.
    pub fn is_under_way(&self) -> bool {
        self.journey.is_under_way() || self.is_planning()
    }

    /// Whether it waits for a path to its destination. It may follow the path
    /// before in the meantime.
    pub fn is_planning(&self) -> bool {
        self.journey.needs_path()
    }

    /// What is left of its path, with the present step, but without a jump or
    /// drop that has begun.
    pub fn remaining_path(&self) -> &[Step] {
        self.journey.route.remaining()
    }

    /// What happened in the last step, in order.
    pub fn events(&self) -> &[AgentEvent] {
        &self.events
    }

    fn activity(&self) -> Activity {
        if self.settings.is_disabled() {
            return Activity::Disabled;
        }
        let goes_on = !self.is_planning() && self.journey.route.current().is_some();
        let idle = if self.is_planning() {
            IdleReason::Waiting
        } else {
            self.journey.idle_reason()
        };
        let step = self.journey.route.current();
        let waits = self.velocity == Vec2::ZERO && step.is_some_and(|step| step.ride.is_some());
        let goes_on = goes_on && !waits && !self.apart.room.is_held;
        let activity = self.movement.activity(goes_on);
        activity.unwrap_or(Activity::Idle(idle))
    }

    /// Everything an engine needs to show it: what the last [`step`](Self::step)
    /// returned, with the commands since then.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.position,
            velocity: self.velocity,
            facing: self.facing,
            activity: self.activity(),
        }
    }

    /// Goes to another place (feet, world units): from where it is now on a
    /// floor and in flight, from the end of a jump, a drop or a portal.
    /// Nothing changes for an agent already on its way there. An agent that runs and cannot
    /// stop before a jump takes the jump first. A position that is not finite is [`IdleReason::Rejected`].
    pub fn go_to(&mut self, destination: Vec2) {
        if destination.is_finite() {
            self.journey.go_to(destination);
        } else {
            self.journey
                .reject(IdleReason::Rejected(QueryError::Position));
            self.brake();
        }
    }

    /// Has no destination any more, without an arrival: it brakes.
    pub fn give_up(&mut self) {
        self.journey.reject(IdleReason::NoDestination);
        self.brake();
    }

    /// Stops: at once on a floor and in flight, at the end of a jump, a drop, a
    /// launch or a portal. Its destination becomes the place where it comes to
    /// rest, so it [arrives](AgentEvent::Arrived) there.
    pub fn stop(&mut self) {
        self.journey.stop();
        self.halt();
    }

    fn brake(&mut self) {
        self.movement.brake();
        if let Movement::Climbing(_) = self.movement {
            self.velocity = Vec2::ZERO;
        }
    }

    fn halt(&mut self) {
        if self.movement.halt() {
            self.velocity = Vec2::ZERO;
        }
    }

    /// Disables it: it stays where it is, even in mid-air, until it is
    /// [enabled](Self::enable). The destination is kept.
    ///
    /// [`stun`](Self::stun) does the same to an agent on the ground, and lets one
    /// in the air fall.
    pub fn disable(&mut self) {
        self.settings.control = Control::Disabled;
        self.journey.suspend();
        if self.movement != Movement::Unplaced {
            self.placing.was_free = true;
        }
        self.movement = Movement::Unplaced;
        self.velocity = Vec2::ZERO;
    }

    /// Stuns it until it is [enabled](Self::enable): on a floor it stops and
    /// lies where it is; in the air, also in flight or on a ladder, it falls
    /// with the velocity that it has, and lies where it lands. Between walls less
    /// than a spacing apart it first goes on with its jump. The destination is kept.
    ///
    /// Where there is nothing to land on it falls out of the level, and is
    /// [`Stranded::LeftLevel`].
    pub fn stun(&mut self) {
        if self.settings.is_disabled() {
            return;
        }
        match self.movement {
            Movement::Floor(..) | Movement::Stranded(..) => self.halt(),
            // It falls from where it can: see `Mover::fall`.
            Movement::Airborne(..) => {}
            Movement::Flying(_) | Movement::Launched(_) => self.launch(self.velocity),
            Movement::Climbing(_)
            | Movement::InPortal(..)
            | Movement::Riding(_)
            | Movement::Unplaced => {
                self.launch(Vec2::ZERO);
            }
        }
        self.settings.control = Control::Stunned;
        self.journey.suspend();
    }

    /// Ends a [link that the game performs](AgentEvent::LinkStarted): in the next step the
    /// agent goes on from the end of the link. A body that it [drives](Self::drive_with) and
    /// that is elsewhere goes on from there. Does nothing in any other movement.
    pub fn finish_link(&mut self) {
        if let Movement::InPortal(_, left) = &mut self.movement {
            *left = f64::NEG_INFINITY;
        }
    }

    /// The line of the link that the game performs, if the agent is on one.
    pub fn link_line<'l>(&self, layer: &'l Layer) -> Option<&'l LinkLine> {
        match &self.movement {
            Movement::InPortal(link, _) => layer.line_of(link),
            _ => None,
        }
    }

    /// Throws it, for instance by an explosion or a hit: it leaves its path and
    /// flies with this velocity (units/s) under its gravity. It loses the part
    /// of the velocity that takes it into a wall or a ceiling. When it has
    /// landed, it plans again for the destination it had; a disabled or stunned
    /// agent lies there until it is enabled.
    ///
    /// - An agent that flies is slowed down by its deceleration instead of being
    ///   drawn down by gravity, and then flies on; stunned, it falls.
    /// - Closed doors and the borders of the level stop it like walls. Where
    ///   there is nothing to land on it falls out of the level, and is
    ///   [`Stranded::LeftLevel`].
    /// - The flight keeps to space that the mesh proves to be free, so it may
    ///   end up to a spacing before a wall. Beside a wall, an agent first moves
    ///   to the free vertices beside it.
    ///
    /// A velocity that is not finite does nothing.
    pub fn launch(&mut self, velocity: Vec2) {
        let from = self.position;
        if velocity.is_finite() && from.is_finite() {
            self.restart_from(from);
            self.movement = Movement::Launched(FreeFlight::begin(from, velocity));
        }
    }

    /// Ends a stun: it finds its place, from mid-air by falling, and plans
    /// again for the destination it had. An agent that was held above nothing
    /// falls out of the level, and is [`Stranded::LeftLevel`].
    pub fn enable(&mut self) {
        if !self.settings.is_disabled() {
            return;
        }
        self.settings.control = Control::Free;
        if self.movement.is_falling() {
            self.journey.restart();
        } else {
            let was_free = self.placing.was_free;
            self.restart_from(self.position);
            self.placing = Placing {
                was_free,
                falls_with: Some(Vec2::ZERO),
            };
        }
    }

    /// Makes it look in a direction, until it moves in the other one.
    pub fn face(&mut self, facing: Facing) {
        (self.facing, self.farthest) = (facing, self.position.x);
    }

    /// Moves it to another position (feet, world units), where it finds its
    /// place and plans again for the destination it has.
    pub fn teleport(&mut self, position: Vec2) {
        self.restart_from(position);
    }

    /// Sets the greatest acceleration across of the body in the air (units/s²)
    /// for an agent that [drives](Self::drive_with) it, at least 0. A new agent has
    /// that of its profile, or an infinite one. The agent avoids jumps that such a
    /// body cannot follow.
    pub fn set_air_acceleration(&mut self, acceleration: f32) {
        self.memory.forget();
        self.memory.air_acceleration = f64::from(acceleration).max(0.0);
        self.journey.replan();
    }

    /// Lets an agent that [drives](Self::drive_with) its body act less exactly, as a
    /// person would: a body at rest begins to follow a path `reaction` seconds
    /// after the path is known, and takes off up to `jitter` seconds late, but
    /// never later than the tolerance of the link. The delays of a seed are always
    /// the same. Both are 0 for a new agent.
    pub fn set_human_timing(&mut self, reaction: f32, jitter: f32, seed: u64) {
        let [reaction, jitter] = [reaction, jitter].map(|s| f64::from(s).max(0.0));
        self.memory.timing = HumanTiming {
            reaction,
            jitter,
            seed,
        };
    }

    /// The jump, drop or fall it is in: where its trajectory leads, its velocity,
    /// and the seconds since take-off.
    pub fn airborne(&self) -> Option<&Airborne> {
        match &self.movement {
            Movement::Airborne(airborne, ..) => Some(airborne),
            _ => None,
        }
    }

    /// The exit of the portal that it is in, and the seconds until it is there.
    pub fn portal_exit(&self) -> Option<(f64, Vec2)> {
        match &self.movement {
            Movement::InPortal(portal, left) => Some((left.max(0.0), portal.to)),
            _ => None,
        }
    }

    /// One step of an agent whose body is moved by the game's physics,
    /// instead of [`step`](Self::step). The game reports the body, and moves it
    /// by the command for `dt` seconds, as in
    /// [the loop of the guide](crate::guide::motion#bodies-that-a-physics-engine-moves):
    ///
    /// - A jump begins when the body has left the floor, and ends when it is
    ///   grounded. In between, the command may begin another jump in the air, and it steers
    ///   the body across with the acceleration of
    ///   [`set_air_acceleration`](Self::set_air_acceleration).
    /// - A body that comes down elsewhere reports
    ///   [`PathLost`](AgentEvent::PathLost), and the agent plans again from there.
    ///   A link that failed costs more for a while; after three failures it is left
    ///   out. An agent without progress reports [`Stuck`](AgentEvent::Stuck).
    /// - A body that stands where there is no floor and none below is
    ///   [`Stranded`](AgentEvent::Stranded) until it is moved to a floor.
    /// - On a link that the game performs, the command moves the body along its line. A game
    ///   that moves the body itself ignores it, and calls [`finish_link`](Self::finish_link);
    ///   without that call, the link is over when its time is, and the body at its end or
    ///   4 seconds late.
    /// - Agents that fly, climb, are in a portal or were launched follow their path as in
    ///   `step`: the command is [`exact`](BodyCommand::exact), and its velocity takes the
    ///   body from where it was reported to where it should be. A body that is off by more
    ///   than the [tolerance](Self::set_tolerance) reports `PathLost`.
    /// - While a platform that moves carries the body, the velocities of the body and of the
    ///   command are relative to the platform.
    /// - A push is made by the game: it changes the velocity of the body.
    /// - A [disabled](Self::disable) body, and one in the layer of another agent, does not
    ///   move: its commands are exact, without a velocity. A [stunned](Self::stun) one falls.
    ///
    /// With a `dt` or a position that is not finite, it does nothing.
    pub fn drive_with(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        mut body: BodyState,
        dt: f32,
    ) -> BodyCommand {
        self.begin_events();
        self.journey.begin_step(paths);
        let is_valid = dt > 0.0 && dt.is_finite();
        if !is_valid || !body.position.is_finite() || !body.velocity.is_finite() {
            return BodyCommand::default();
        }
        self.memory.steps.begin(dt.into());
        let is_disabled = self.settings.is_disabled();
        let is_refused = !is_disabled && !self.enter_layer(environment, true);
        if is_disabled || is_refused {
            return self.drive_disabled(environment, body);
        }
        let was_exact = std::mem::take(&mut self.memory.was_exact);
        let is_near = body.position.distance(self.position) <= self.settings.tolerance
            || self.link_line(environment.layer).is_some();
        if !self.movement.is_physical() && !is_near {
            if self.journey.is_under_way() {
                self.report(AgentEvent::PathLost(PathLostReason::Drift));
            }
            self.restart_from(body.position);
        }
        if self.movement.is_physical() {
            // A body that has climbed to a floor or a take-off still moves. With this speed it
            // would leave the floor or miss its flight, so it stops for a step.
            if was_exact
                && matches!(self.movement, Movement::Floor(..) | Movement::Airborne(..))
                && let Some((end, _)) = self.movement.state(environment.layer)
                && end.distance(body.position) <= self.driver(environment, body).slop()
            {
                (self.position, self.velocity) = (body.position, Vec2::ZERO);
                return BodyCommand::exactly(Vec2::ZERO);
            }
            (self.position, self.velocity) = (body.position, body.velocity);
            body = self.driver(environment, body).steadied();
            self.driver(environment, body).observe();
        }
        let at = self.position;
        let mut mover = self.driver(environment, body);
        mover.check_doors(at);
        mover.request(paths);
        if mover.movement.is_physical() {
            let command = mover.command();
            self.look_along(command.velocity);
            return command;
        }
        let was_finished = matches!(mover.movement, Movement::InPortal(_, left) if *left <= f64::from(dt) - PATIENCE);
        mover.memory.flight.link = None;
        mover.memory.was_exact = true;
        mover.until += f64::from(dt);
        mover.advance(paths, dt.into());
        self.take_over_movement(environment.layer);
        // The engine itself moves a body through a portal.
        let mut events = self.events.iter();
        if !events.any(|event| matches!(event, AgentEvent::Teleported { .. })) {
            // The velocity at the end of each step would miss every curve by a little more.
            let ahead = self.position.as_dvec2() - body.position.as_dvec2();
            let velocity = (ahead / f64::from(dt)).as_vec2();
            // In a step of almost no time, it may be infinite. A body that the game took to
            // the end of a link, or elsewhere, stays there.
            if velocity.is_finite() && !was_finished {
                self.velocity = velocity;
            }
        }
        BodyCommand::exactly(self.velocity)
    }

    /// The path on which it would [drive](Self::drive_with) a body to a position (feet, world
    /// units), in steps of `dt` seconds. A body avoids links that it probably cannot follow,
    /// where another way takes no more than 3 s longer for each of them, so the path may
    /// cost more than that of a [`PathFinder`](crate::search::PathFinder). Its cost is the
    /// time of its steps, without run-ups. `None` when there is no path, or none yet.
    pub fn driven_path(
        &self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        body: BodyState,
        to: Vec2,
        dt: f32,
    ) -> Option<Path> {
        let mut scout = self.clone();
        scout.journey = Journey::new(body.position);
        scout.go_to(to);
        scout.drive_with(environment, paths, body, dt);
        let steps = scout.remaining_path().to_vec();
        let has_arrived = scout.journey.idle_reason() == IdleReason::Arrived;
        if steps.is_empty() && !has_arrived {
            return None;
        }
        Some(Path {
            start: steps.first().map_or(body.position, |step| step.from),
            end: steps.last().map_or(body.position, |step| step.to),
            cost: steps.iter().map(|step| f64::from(step.duration)).sum(),
            steps,
            expanded: 0,
        })
    }

    /// The command for a body that cannot act. A stunned one falls.
    fn drive_disabled(&mut self, environment: Environment<'_>, body: BodyState) -> BodyCommand {
        if !matches!(self.movement, Movement::Stranded(..)) {
            self.movement = Movement::Unplaced;
        }
        self.placing = Placing::default();
        (self.position, self.velocity) = (body.position, body.velocity);
        if self.settings.control == Control::Stunned {
            return self.driver(environment, body).command();
        }
        self.velocity = Vec2::ZERO;
        BodyCommand::exactly(Vec2::ZERO)
    }

    /// One step among the other agents of a level.
    pub(crate) fn among<T>(
        &mut self,
        environment: Environment<'_>,
        crowd: &mut Crowd,
        body: Option<BodyState>,
        dt: f32,
        step: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let at = body.map_or(self.position, |body| body.position);
        let is_apart = !self.apart.is_overlapping() && at.is_finite() && dt > 0.0 && dt.is_finite();
        if !is_apart {
            crowd.forget(&mut self.apart);
            return step(self);
        }
        let mut apart = std::mem::take(&mut *self.apart);
        apart.look(crowd, &mut self.reported(environment, body), dt.into());
        *self.apart = apart;
        let result = step(self);
        let mut apart = std::mem::take(&mut *self.apart);
        apart.note(crowd, &mut self.reported(environment, body), dt.into());
        *self.apart = apart;
        result
    }

    /// As it is: with the body that the game reports while its physics moves it.
    fn reported<'a>(
        &'a mut self,
        environment: Environment<'a>,
        body: Option<BodyState>,
    ) -> Mover<'a> {
        match body.filter(|_| self.movement.is_physical()) {
            Some(body) => self.driver(environment, body),
            None => self.mover(environment),
        }
    }

    /// Is not seen by the other agents of a level any more.
    pub(crate) fn leave_crowd(&mut self, crowd: &mut Crowd) {
        crowd.forget(&mut self.apart);
    }

    fn driver<'a>(&'a mut self, environment: Environment<'a>, body: BodyState) -> Mover<'a> {
        Mover {
            body,
            is_driven: true,
            ..self.mover(environment)
        }
    }

    fn mover<'a>(&'a mut self, environment: Environment<'a>) -> Mover<'a> {
        let body = BodyState {
            position: self.position,
            velocity: self.velocity,
            grounded: false,
        };
        Mover {
            body,
            is_driven: false,
            environment,
            settings: &self.settings,
            movement: &mut self.movement,
            journey: &mut self.journey,
            events: &mut self.events,
            memory: &mut self.memory,
            room: self.apart.room,
            until: self.settings.clock.seconds().unwrap_or(0.0),
        }
    }

    /// Takes back its request for a path and stops. Call it before an agent
    /// that shares a queue is dropped, so that the queue does not search for
    /// it.
    pub fn cancel_requests(&mut self, paths: &mut impl PathSource) {
        self.stop();
        self.journey.cancel_stale(paths);
    }

    /// Moves on by `dt` seconds. A `dt` that is not a finite number above 0
    /// moves nothing. In a layer baked for another agent, the agent is
    /// [`Stranded::WrongLayer`].
    pub fn step(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        dt: f32,
    ) -> Pose {
        self.begin_events();
        // A body that is driven later has not begun a jump that was commanded before.
        self.memory.take_off.jump = None;
        self.move_exactly(environment, paths, dt)
    }

    /// Plans at once, but does not move. What happens is reported with the events of
    /// the next step, so that a game that reads events after each step misses none.
    pub fn plan_now(&mut self, environment: Environment<'_>, paths: &mut impl PathSource) {
        std::mem::swap(&mut self.events, &mut self.later_events);
        self.move_exactly(environment, paths, 0.0);
        std::mem::swap(&mut self.events, &mut self.later_events);
    }

    /// Sets the time of the platforms that move at the begin of the next step, in seconds, at
    /// most a year; with `None` or another number, as for a new agent, its paths do not lead over
    /// them.
    /// [`Navigator::set_clock`](crate::Navigator::set_clock) does this for all agents.
    pub fn set_clock(&mut self, seconds: Option<f64>) {
        let clock = seconds.map_or(Clock::NONE, Clock::new);
        if self.settings.clock.seconds().is_some() != clock.seconds().is_some() {
            self.journey.replan();
        }
        self.settings.clock = clock;
    }

    /// Sends it to a position and plans at once, but does not move. Returns whether
    /// there is a path; without one, it has no destination. With a
    /// [`PathQueue`](super::PathQueue) the path is found later, and the result is `true`.
    pub fn start(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        destination: Vec2,
    ) -> bool {
        self.go_to(destination);
        self.plan_now(environment, paths);
        let has_path = match self.activity() {
            Activity::Idle(reason) => matches!(reason, IdleReason::Arrived | IdleReason::Waiting),
            Activity::Stranded(_) | Activity::Disabled => false,
            // It follows the path, or it is in the air and has a path from
            // where it will land.
            _ => self.is_under_way(),
        };
        if !has_path {
            self.give_up();
        }
        has_path
    }

    fn begin_events(&mut self) {
        self.events.clear();
        self.events.append(&mut self.later_events);
    }

    fn report(&mut self, event: AgentEvent) {
        self.events.push(event);
    }

    fn move_exactly(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        dt: f32,
    ) -> Pose {
        self.journey.begin_step(paths);
        // A stunned agent that falls is held when it has entered another layer, where it
        // has no place yet.
        if self.is_held() || !self.enter_layer(environment, false) || self.is_held() {
            return self.pose();
        }
        if self.movement == Movement::Unplaced {
            let (at, placing) = (self.position, std::mem::take(&mut self.placing));
            let (layer, settings) = (environment.layer, &self.settings);
            self.movement = Movement::placed(layer, settings, at, placing, &mut self.events);
        }
        let at = self.position;
        let mut mover = self.mover(environment);
        mover.check_doors(at);
        mover.request(paths);
        let is_valid = dt > 0.0 && dt.is_finite();
        let seconds = if is_valid { dt.into() } else { 0.0 };
        mover.until += seconds;
        mover.advance(paths, seconds);
        self.take_over_movement(environment.layer);
        self.pose()
    }

    /// Moves the body to where the movement is now.
    fn take_over_movement(&mut self, layer: &Layer) {
        match self.movement.state(layer) {
            Some((position, velocity)) => {
                self.position = position;
                self.velocity = velocity * self.apart.room.pace as f32;
            }
            None => self.velocity = Vec2::ZERO,
        }
        self.look_along(self.velocity);
    }

    /// Looks where it moves, once it has come away from the farthest it got the other way.
    fn look_along(&mut self, velocity: Vec2) {
        let side = f32::from(i8::from(self.facing == Facing::Right) * 2 - 1);
        let room = TURNING * self.settings.profile.body[0];
        let (x, back) = (self.position.x, (self.farthest - self.position.x) * side);
        if back <= 0.0 {
            self.farthest = x;
        } else if velocity.x * side < 0.0 && back > room {
            self.face(match self.facing {
                Facing::Left => Facing::Right,
                Facing::Right => Facing::Left,
            });
        }
    }

    /// Whether the layer was baked for this agent. A layer that is not that of the last step
    /// is another version of the level. The agent goes on there if it can. If its floor or
    /// its jump has gone, it falls, as after a launch: the body of a driven one by itself.
    fn enter_layer(&mut self, environment: Environment<'_>, is_driven: bool) -> bool {
        let layer = environment.layer;
        let is_refused = matches!(self.movement, Movement::Stranded(Stranded::WrongLayer, _));
        let is_new = layer.identity() != self.layer;
        if is_new && *layer.profile().name != *self.agent {
            if !is_refused {
                self.restart_from(self.position);
                self.movement = Movement::Stranded(Stranded::WrongLayer, self.position);
                self.report(AgentEvent::Stranded(Stranded::WrongLayer));
            }
            return false;
        }
        if !is_new && !is_refused {
            return true;
        }
        self.layer = layer.identity();
        if !self.settings.has_own_profile {
            self.settings.profile.clone_from(layer.profile());
        }
        let at = self.position;
        let was_placed = !matches!(self.movement, Movement::Unplaced | Movement::Stranded(..));
        let mut mover = self.mover(environment);
        mover.is_driven = is_driven;
        if mover.goes_on(at) {
            return true;
        }
        if self.journey.is_under_way() {
            self.report(AgentEvent::PathLost(PathLostReason::Level));
        }
        self.memory.forget();
        let (velocity, placing) = (self.velocity, self.placing);
        self.restart_from(at);
        let flies_on = was_placed && !is_driven && FreeFlight::can_begin(at, layer);
        if flies_on {
            self.movement = Movement::Launched(FreeFlight::begin(at, velocity));
        } else if was_placed {
            self.placing.falls_with = Some(velocity);
        } else {
            self.placing = placing;
        }
        true
    }

    /// Whether it is disabled, and stays where it is.
    fn is_held(&self) -> bool {
        self.settings.is_disabled() && self.movement == Movement::Unplaced
    }

    /// Finds its place at a position in the next step, and plans from there.
    fn restart_from(&mut self, position: Vec2) {
        self.journey.restart();
        self.movement = Movement::Unplaced;
        self.placing = Placing::default();
        (self.position, self.velocity) = (position, Vec2::ZERO);
    }
}
