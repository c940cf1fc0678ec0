//! An agent: its commands, its state, and one step of it.

use glam::Vec2;

use super::airborne::Airborne;
use super::body::Body;
use super::environment::Environment;
use super::follower::Follower;
use super::free_flight::FreeFlight;
use super::movement::Movement;
use super::path_source::PathSource;
use super::pilot::{BodyCommand, BodyState, Pilot};
use super::pilot_memory::{HumanTiming, PilotMemory};
use super::plan::Plan;
use super::report::{Activity, AgentEvent, IdleReason, PathLostReason, Pose, Stranded};
use super::settings::Settings;
use crate::mesh::{AgentProfile, Layer, ProfileError};
use crate::search::{Doors, Filter, Query, QueryError, Step};

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
    body: Body,
    movement: Movement,
    plan: Plan,
    pilot: PilotMemory,
    /// The velocity with which it begins to fall where nothing is below, out of the
    /// level if need be. `None` for an agent that waits there to be moved.
    falls_with: Option<Vec2>,
    /// Whether it was disabled without a stun, so that its body does not fall.
    is_frozen: bool,
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
    /// in any other layer it is [`Stranded::WrongLayer`]. In the first step in
    /// another layer of its agent (the level was swapped or baked again) it
    /// finds its place there, and plans again for the destination it has.
    pub fn new(layer: &Layer, position: Vec2) -> Self {
        Self {
            agent: layer.profile().name.as_str().into(),
            layer: layer.identity(),
            settings: Settings::new(layer),
            body: Body::new(position),
            movement: Movement::Unplaced,
            plan: Plan::new(position),
            pilot: PilotMemory::new(layer.profile()),
            falls_with: None,
            is_frozen: false,
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
    pub(crate) fn query(&self, to: Vec2, doors: &Doors) -> Query {
        let mut query = Query::new(self.body.position, to);
        self.settings.apply_to(&mut query, doors);
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
        self.plan.replan();
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
        self.plan.replan();
    }

    /// Whether the agent goes to the reachable point nearest to its
    /// destination when the destination itself cannot be reached, as with
    /// [`Query::allow_partial_path`](crate::search::Query::allow_partial_path). The default is
    /// `false`.
    pub fn set_allow_partial_path(&mut self, allow: bool) {
        self.settings.allow_partial_path = allow;
    }

    /// Greatest distance between the planned position and the one reported by
    /// [`sync`](Self::sync), world units, at least 0. Half the grid's spacing
    /// for a new agent.
    pub fn set_tolerance(&mut self, tolerance: f32) {
        self.settings.tolerance = tolerance.max(0.0);
    }

    /// The destination it was given, whether or not it can get there. After a
    /// [`stop`](Self::stop), the place where it rests or will come to rest.
    pub fn destination(&self) -> Option<Vec2> {
        if self.plan.is_stopped {
            return Some(self.movement.end().unwrap_or(self.body.position));
        }
        self.plan.destination
    }

    /// Whether it follows a path, or waits for one.
    pub fn is_under_way(&self) -> bool {
        self.plan.is_under_way || self.plan.wants_path
    }

    /// Whether it waits for a path to its destination. It may follow the path
    /// before in the meantime.
    pub fn is_planning(&self) -> bool {
        self.plan.wants_path
    }

    /// What is left of its path, with the present step, but without a jump or
    /// drop that has begun.
    pub fn remaining_path(&self) -> &[Step] {
        self.plan.route.remaining()
    }

    /// What happened in the last step, in order.
    pub fn events(&self) -> &[AgentEvent] {
        &self.events
    }

    fn activity(&self) -> Activity {
        if self.settings.is_disabled {
            return Activity::Disabled;
        }
        let waits = self.plan.wants_path || self.plan.waits;
        let goes_on = !waits && self.plan.route.current().is_some();
        let idle = if waits {
            IdleReason::Waiting
        } else {
            self.plan.idle_reason
        };
        let activity = self.movement.activity(goes_on);
        activity.unwrap_or(Activity::Idle(idle))
    }

    /// Everything an engine needs to show it: what the last [`step`](Self::step)
    /// returned, with the commands since then.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.body.position,
            velocity: self.body.velocity,
            facing: self.body.facing,
            activity: self.activity(),
        }
    }

    /// Goes to another place (feet, world units): from where it is now on a
    /// floor and in flight, from the end of a jump, a drop or a portal.
    /// Nothing changes for an agent already on its way there. A position that
    /// is not finite is [`IdleReason::Rejected`].
    pub fn go_to(&mut self, destination: Vec2) {
        if destination.is_finite() {
            self.plan.go_to(destination);
        } else {
            self.plan.reject(IdleReason::Rejected(QueryError::Position));
            self.halt();
        }
    }

    /// Has no destination any more, without an arrival.
    pub fn give_up(&mut self) {
        self.plan.reject(IdleReason::NoDestination);
        self.halt();
    }

    /// Stops: at once on a floor and in flight, at the end of a jump, a drop, a
    /// launch or a portal. Its destination becomes the place where it comes to
    /// rest, so it [arrives](AgentEvent::Arrived) there.
    pub fn stop(&mut self) {
        self.plan.stop();
        self.halt();
    }

    fn halt(&mut self) {
        if self.movement.halt() {
            self.body.halt();
        }
    }

    /// Disables it: it stays where it is, even in mid-air, until it is
    /// [enabled](Self::enable). The destination is kept.
    ///
    /// [`stun`](Self::stun) does the same to an agent on the ground, and lets one
    /// in the air fall.
    pub fn disable(&mut self) {
        (self.settings.is_disabled, self.is_frozen) = (true, true);
        self.plan.suspend();
        self.movement = Movement::Unplaced;
        self.body.halt();
    }

    /// Stuns it until it is [enabled](Self::enable): on a floor it stops and
    /// lies where it is; in the air, also in flight or on a ladder, it falls
    /// with the velocity that it has, and lies where it lands. Between walls less
    /// than a spacing apart it first goes on with its jump. The destination is kept.
    ///
    /// Where there is nothing to land on it falls out of the level, and is
    /// [`Stranded::LeftLevel`].
    pub fn stun(&mut self) {
        if self.settings.is_disabled {
            return;
        }
        match self.movement {
            Movement::Floor(..) | Movement::Stranded(..) => self.halt(),
            // It falls from where it can: see `Follower::fall`.
            Movement::Airborne(..) => {}
            Movement::Flying(_) | Movement::Launched(_) => self.launch(self.body.velocity),
            Movement::Climbing(_) | Movement::InPortal(..) | Movement::Unplaced => {
                self.launch(Vec2::ZERO);
            }
        }
        self.settings.is_disabled = true;
        self.plan.suspend();
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
        let from = self.body.position;
        if velocity.is_finite() && from.is_finite() {
            self.restart_from(from);
            self.movement = Movement::Launched(FreeFlight::begin(from, velocity));
        }
    }

    /// Ends a stun: it finds its place, from mid-air by falling, and plans
    /// again for the destination it had. An agent that was held above nothing
    /// falls out of the level, and is [`Stranded::LeftLevel`].
    pub fn enable(&mut self) {
        self.is_frozen = false;
        if std::mem::take(&mut self.settings.is_disabled) {
            if self.movement.is_falling() {
                self.plan.restart();
            } else {
                self.restart_from(self.body.position);
                self.falls_with = Some(Vec2::ZERO);
            }
        }
    }

    /// Moves it to another position (feet, world units), where it finds its
    /// place and plans again for the destination it has.
    pub fn teleport(&mut self, position: Vec2) {
        self.restart_from(position);
    }

    /// Reports where its body is and how it moves (world units, units/s), in
    /// an engine that moves bodies itself. Call it before each step, with the
    /// velocity that the body had in the last one; 0 where it was stopped. The agent
    /// accelerates from this velocity.
    ///
    /// The agent carries on while the body is within the
    /// [tolerance](Self::set_tolerance) of the planned position: on a floor
    /// from where the body is, in jumps and in flight as planned. If the body
    /// is farther off, the agent finds its place there and plans again.
    ///
    /// [`Pose::velocity`] of the step that follows takes the body from there
    /// to where it should be at the end of the step.
    pub fn sync(&mut self, position: Vec2, velocity: Vec2) {
        if self.is_held() {
            self.body.teleport(position);
            return;
        }
        let tolerance = self.settings.tolerance;
        let movement = &mut self.movement;
        if !self.body.report(position, velocity, tolerance, movement) {
            if self.plan.is_under_way {
                self.body.has_drifted = true;
            }
            self.restart_from(position);
        }
    }

    /// Sets the greatest acceleration across of the body in the air (units/s²)
    /// for an agent that [drives](Self::drive_with) it, at least 0. A new agent has
    /// that of its profile, or an infinite one. The agent avoids jumps that such a
    /// body cannot follow.
    pub fn set_air_acceleration(&mut self, acceleration: f32) {
        self.pilot.forget();
        self.pilot.air_acceleration = f64::from(acceleration).max(0.0);
        self.plan.replan();
    }

    /// Lets an agent that [drives](Self::drive_with) its body act less exactly, as a
    /// person would: a body at rest begins to follow a path `reaction` seconds
    /// after the path is known, and takes off up to `jitter` seconds late, but
    /// never later than the tolerance of the link. The delays of a seed are always
    /// the same. Both are 0 for a new agent.
    pub fn set_human_timing(&mut self, reaction: f32, jitter: f32, seed: u64) {
        let [reaction, jitter] = [reaction, jitter].map(|s| f64::from(s).max(0.0));
        self.pilot.timing = HumanTiming {
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
            Movement::InPortal(portal, left) => Some((*left, portal.to)),
            _ => None,
        }
    }

    /// One step of an agent whose body is moved by the game's physics,
    /// instead of [`step`](Self::step). The game reports the body, and moves it
    /// by the command for `dt` seconds:
    ///
    /// ```
    /// # use glam::Vec2;
    /// # use navmesh_runtime::motion::{BodyState, Environment, NavAgent};
    /// # use navmesh_runtime::search::PathFinder;
    /// # struct Body { position: Vec2, velocity: Vec2, grounded: bool }
    /// # fn approach(from: f32, to: f32, change: f32) -> f32 { from + (to - from).clamp(-change, change) }
    /// fn fixed_step(agent: &mut NavAgent, environment: Environment<'_>, paths: &mut PathFinder, body: &mut Body) {
    ///     let dt = 1.0 / 60.0;
    ///     let Body { position, velocity, grounded } = *body;
    ///     let command = agent.drive_with(environment, paths, BodyState { position, velocity, grounded }, dt);
    ///     if command.exact {
    ///         // Without gravity and collisions.
    ///         body.velocity = command.velocity;
    ///         body.position += body.velocity * dt;
    ///         body.grounded = false;
    ///         return;
    ///     }
    ///     if let Some(jump) = command.jump {
    ///         body.velocity.y = jump.velocity.y;
    ///     }
    ///     // At least those of the profile, and its gravity.
    ///     let acceleration = if grounded { 900.0 } else { 720.0 };
    ///     body.velocity.x = approach(velocity.x, command.velocity.x, acceleration * dt);
    ///     body.velocity.y += 802.5 * dt;
    ///     // The physics engine moves the body by its velocity, until it collides.
    /// }
    /// ```
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
    /// - Agents that fly, climb or are in a portal follow their path as in
    ///   [`sync`](Self::sync): the velocity of the command leads to where the body
    ///   should be, and the command is [`exact`](BodyCommand::exact).
    /// - A push is made by the game: it changes the velocity of the body.
    /// - A [disabled](Self::disable) body, and one in the layer of another agent, does not
    ///   move: its commands are exact, without a velocity. A [stunned](Self::stun) one falls.
    ///
    /// With a `dt` or a position that is not finite, it does nothing.
    pub fn drive_with(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        body: BodyState,
        dt: f32,
    ) -> BodyCommand {
        self.begin_events();
        self.plan.begin_step(paths);
        let is_valid = dt > 0.0 && dt.is_finite();
        if !is_valid || !body.position.is_finite() || !body.velocity.is_finite() {
            return BodyCommand::default();
        }
        self.pilot.steps.begin(dt.into());
        let is_refused = !self.settings.is_disabled && !self.enter_layer(environment.layer, true);
        if self.settings.is_disabled || is_refused {
            self.movement = match self.movement {
                stranded @ Movement::Stranded(..) => stranded,
                _ => Movement::Unplaced,
            };
            (self.body.position, self.body.velocity) = (body.position, body.velocity);
            if self.is_frozen || is_refused {
                self.body.halt();
                return BodyCommand::exactly(Vec2::ZERO);
            }
            return self.pilot(environment, body).command();
        }
        let was_exact = std::mem::take(&mut self.pilot.was_exact);
        if self.movement.is_physical() {
            // A body that has climbed to a floor or a take-off still moves. With this speed it
            // would leave the floor or miss its flight, so it stops for a step.
            if was_exact
                && matches!(self.movement, Movement::Floor(..) | Movement::Airborne(..))
                && let Some((end, _)) = self.movement.state(environment.layer)
                && end.distance(body.position) <= self.pilot(environment, body).slop()
            {
                (self.body.position, self.body.velocity) = (body.position, Vec2::ZERO);
                return BodyCommand::exactly(Vec2::ZERO);
            }
            (self.body.position, self.body.velocity) = (body.position, body.velocity);
            self.pilot(environment, body).observe();
        } else {
            self.sync(body.position, body.velocity);
        }
        let at = self.body.position;
        self.follower(environment).check_doors(at);
        let door = AgentEvent::PathLost(PathLostReason::Door);
        if self.events.contains(&door) {
            // The way around the door may be longer than what was left.
            self.pilot.progress.left = f64::INFINITY;
        }
        // Each turn finds a link that the body cannot follow.
        for _ in 0..16 {
            self.settings.avoided.clear();
            self.settings.avoided.extend(self.pilot.avoided());
            self.follower(environment).request(paths);
            if !self.pilot(environment, body).refuses_route() {
                break;
            }
            self.plan.replan();
        }
        if self.movement.is_physical() {
            let command = self.pilot(environment, body).command();
            self.body.look_along(command.velocity);
            return command;
        }
        self.pilot.link = None;
        self.advance(environment, paths, f64::from(dt), Movement::is_physical);
        self.body.reported = None;
        self.body.follow(&self.movement, environment.layer);
        self.steer_from(body.position, dt.into());
        self.pilot.was_exact = true;
        BodyCommand::exactly(self.body.velocity)
    }

    fn follower<'a>(&'a mut self, environment: Environment<'a>) -> Follower<'a> {
        Follower {
            environment,
            settings: &self.settings,
            movement: &mut self.movement,
            plan: &mut self.plan,
            events: &mut self.events,
        }
    }

    fn pilot<'a>(&'a mut self, environment: Environment<'a>, body: BodyState) -> Pilot<'a> {
        Pilot {
            environment,
            settings: &self.settings,
            movement: &mut self.movement,
            plan: &mut self.plan,
            events: &mut self.events,
            seconds: self.pilot.steps.now,
            memory: &mut self.pilot,
            body,
        }
    }

    /// Takes back its request for a path and stops. Call it before an agent
    /// that shares a queue is dropped, so that the queue does not search for
    /// it.
    pub fn cancel_requests(&mut self, paths: &mut impl PathSource) {
        self.stop();
        self.plan.cancel_stale(paths);
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
        self.pilot.jumping = None;
        self.step_with_events(environment, paths, dt)
    }

    /// Plans at once, but does not move. What happens is reported with the events of
    /// the next step, so that a game that reads events after each step misses none.
    pub fn plan_now(&mut self, environment: Environment<'_>, paths: &mut impl PathSource) {
        std::mem::swap(&mut self.events, &mut self.later_events);
        self.step_with_events(environment, paths, 0.0);
        std::mem::swap(&mut self.events, &mut self.later_events);
    }

    /// Sends it to a position and plans at once, but does not move. Returns whether
    /// there is a path, or will be one; without one, it has no destination.
    pub(crate) fn start(
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

    fn step_with_events(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        dt: f32,
    ) -> Pose {
        self.plan.begin_step(paths);
        let reported = self.body.reported.take();
        if self.is_held() || !self.enter_layer(environment.layer, false) {
            return self.pose();
        }
        if std::mem::take(&mut self.body.has_drifted) {
            self.events
                .push(AgentEvent::PathLost(PathLostReason::Drift));
        }
        // A stunned agent that falls is held from here on when it has entered another
        // layer, where it has no place yet.
        if self.is_held() {
            return self.pose();
        }
        if self.movement == Movement::Unplaced {
            self.find_place(environment.layer);
        }
        let at = self.body.position;
        let mut follower = self.follower(environment);
        follower.check_doors(at);
        follower.request(paths);
        let is_valid = dt > 0.0 && dt.is_finite();
        let seconds = if is_valid { f64::from(dt) } else { 0.0 };
        self.advance(environment, paths, seconds, |_| false);
        self.body.follow(&self.movement, environment.layer);
        if let Some(reported) = reported {
            self.steer_from(reported, seconds);
        }
        self.pose()
    }

    /// Gives the body the velocity from where it was reported to where it should be.
    fn steer_from(&mut self, reported: Vec2, seconds: f64) {
        let is_teleported = |event: &AgentEvent| matches!(event, AgentEvent::Teleported { .. });
        // The engine itself moves a body through a portal.
        if !self.events.iter().any(is_teleported) {
            self.body.steer_from(reported, seconds);
        }
    }

    /// Goes on with the movement and begins others, for some seconds or until
    /// one begins that `ends` it.
    fn advance(
        &mut self,
        environment: Environment<'_>,
        paths: &mut impl PathSource,
        seconds: f64,
        ends: impl Fn(&Movement) -> bool,
    ) {
        let mut left = seconds;
        // Every turn takes time, or begins or ends a step of the route. Steps
        // that take no time (a link to a platform that touches) could go on
        // for ever only if a path led in a circle; 8 turns for each step are
        // more than any takes, and 64 more than the paths lost in one step.
        let turns = 64 + 8 * self.plan.route.steps.len();
        let mut follower = self.follower(environment);
        for _ in 0..turns {
            left = follower.advance(left);
            // A landing may be inside a closed door.
            if let Some((at, _)) = follower.movement.state(environment.layer) {
                follower.check_doors(at);
            }
            follower.request(paths);
            if left <= 0.0 || ends(follower.movement) {
                break;
            }
        }
    }

    /// Whether the layer was baked for this agent. A layer that is not that of
    /// the last step is another level, and the agent begins again there. In mid-air
    /// only an agent that moves itself flies on: the body of another one falls anyway.
    fn enter_layer(&mut self, layer: &Layer, is_driven: bool) -> bool {
        let is_refused = matches!(self.movement, Movement::Stranded(Stranded::WrongLayer, _));
        let is_new = layer.identity() != self.layer;
        if is_new && *layer.profile().name != *self.agent {
            if !is_refused {
                self.restart_from(self.body.position);
                self.movement = Movement::Stranded(Stranded::WrongLayer, self.body.position);
                self.events.push(AgentEvent::Stranded(Stranded::WrongLayer));
            }
            return false;
        }
        if is_new && self.plan.is_under_way {
            self.events
                .push(AgentEvent::PathLost(PathLostReason::Level));
        }
        if is_new || is_refused {
            self.layer = layer.identity();
            self.pilot.forget();
            if !self.settings.has_own_profile {
                self.settings.profile.clone_from(layer.profile());
            }
            let flies_on = self.movement.is_falling() && !is_driven;
            if flies_on && let Some(jump) = self.movement.in_layer(layer, &self.settings.profile) {
                self.plan.restart();
                self.movement = jump;
                return true;
            }
            let flight = self.movement.state(layer).filter(|_| flies_on);
            self.restart_from(self.body.position);
            self.falls_with = flight.map(|(_, velocity)| velocity);
        }
        true
    }

    /// Whether it is disabled, and stays where it is.
    fn is_held(&self) -> bool {
        self.settings.is_disabled && self.movement == Movement::Unplaced
    }

    fn find_place(&mut self, layer: &Layer) {
        let (at, falls_with) = (self.body.position, self.falls_with.take());
        self.movement = Movement::placed(layer, &self.settings, at, falls_with, &mut self.events);
    }

    /// Finds its place at a position in the next step, and plans from there.
    fn restart_from(&mut self, position: Vec2) {
        self.plan.restart();
        self.movement = Movement::Unplaced;
        self.falls_with = None;
        self.body.teleport(position);
    }
}
