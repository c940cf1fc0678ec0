//! Asking for a path, and taking it up. Features A6, A10.

use glam::Vec2;

use super::agent::{Mode, NavAgent};
use super::climb::Climber;
use super::doors::crosses_door;
use super::fly::{fly_step, pull_straight};
use super::{AgentEvent, Environment, IdleReason, PathLostReason, PathSource, Reply};
use crate::search::free_space::FreeSpace;
use crate::search::{Step, StepKind};

/// How far off still counts as there, in spacings.
const HAIR: f32 = 1e-2;

impl NavAgent {
    /// Asks for a path, if one is wanted and there is somewhere to go from.
    pub(super) fn plan(&mut self, world: Environment<'_>, paths: &mut impl PathSource) {
        // There is room to remember one question to take back.
        self.cancel_stale(paths);
        if !self.wants_path {
            return;
        }
        let Some(goal) = self.goal else {
            self.wants_path = false;
            return;
        };
        let layer = world.layer;
        let from = match &self.mode {
            Mode::Unplaced | Mode::Stranded(_) => return,
            // A jump is finished first (A6).
            Mode::Airborne(arc, ..) => arc.landing(),
            Mode::InPortal(passage) => passage.to,
            Mode::Climbing(climber) => climber.at.as_vec2(),
            Mode::Ground(platform, runner) => match layer.platform(*platform) {
                Some(platform) => platform.clamp(runner.at as f32),
                None => return,
            },
            Mode::Flying(flier) => match &flier.curve {
                Some((curve, t)) => curve.position(*t).as_vec2(),
                None => flier.at.as_vec2(),
            },
        };
        if self.ticket.is_none() {
            self.query.from = from;
            self.query.to = goal;
            self.query.or_nearest = self.or_nearest;
            self.query.filter.clone_from(&self.filter);
            self.query.filter.resolve = true;
            match &mut self.query.profile {
                Some(profile) => profile.clone_from(&self.profile),
                none => *none = Some(self.profile.clone()),
            }
            self.query.filter.close_doors(world.doors);
        } else if let Some(ticket) = self.ticket
            && self.query.to != goal
        {
            let asked = (self.query.from, self.query.to);
            (self.query.from, self.query.to) = (from, goal);
            if !paths.amend(ticket, &self.query) {
                (self.query.from, self.query.to) = asked;
            }
        }
        let reply = paths.ask(layer, &mut self.ticket, &self.query);
        // The destination that it had when it asked: a way towards that is
        // better than none until the next answer.
        let is_outdated = self.query.to != goal;
        let has_moved = self.query.from.distance(from) > layer.grid().spacing * HAIR;
        match reply {
            // Until there is another, the present path is kept.
            Reply::Pending => {}
            Reply::Path {
                start,
                steps,
                short,
                ..
            } => {
                self.ticket = None;
                if self.take_up(world, from, start, steps) {
                    if is_outdated {
                        return;
                    }
                    self.wants_path = false;
                    self.short = short;
                    if let Some(why) = short {
                        self.events.push(AgentEvent::CannotReach(why));
                    }
                } else {
                    // The answer is for somewhere else: ask again, and do not
                    // run away from the answer this time.
                    self.holds = true;
                }
            }
            Reply::NoPath(_) | Reply::Rejected(_) if is_outdated => self.ticket = None,
            Reply::NoPath(_) if has_moved => {
                // There was none from where it was: it asks again from here,
                // and stays until it knows.
                self.forget_path();
                self.halt();
            }
            Reply::NoPath(why) => {
                self.give_up(IdleReason::CannotReach(why));
                self.events.push(AgentEvent::CannotReach(why));
            }
            Reply::Rejected(error) => self.give_up(IdleReason::Rejected(error)),
        }
    }

    fn give_up(&mut self, rest: IdleReason) {
        self.ticket = None;
        self.forget_path();
        self.wants_path = false;
        self.rest = rest;
        self.halt();
    }

    /// Follows other steps from now on. `false` when they begin where the
    /// agent no longer is.
    fn take_up(&mut self, world: Environment<'_>, from: Vec2, start: Vec2, steps: &[Step]) -> bool {
        let layer = world.layer;
        let has_moved = self.query.from != from;
        let (mut lead, mut other_platform) = (None, None);
        match &self.mode {
            Mode::Ground(platform, _) | Mode::Climbing(Climber { on: platform, .. }) => {
                let begins_here = match steps.first() {
                    Some(step) if step.kind == StepKind::Fly => !has_moved,
                    Some(step) => step.platform == Some(*platform),
                    None => !has_moved,
                };
                if has_moved && !begins_here {
                    return false;
                }
                let first = steps.first().and_then(|step| step.platform);
                if let (false, Some(other)) = (begins_here, first)
                    && start.distance(from) <= layer.grid().spacing * HAIR
                {
                    // Where two platforms meet, it is on both.
                    other_platform = Some(other);
                }
            }
            Mode::Airborne(..) | Mode::InPortal(_) if has_moved => return false,
            Mode::Flying(_) => {
                let space = FreeSpace::new(layer, [world.doors.closed(), &self.filter.closed]);
                if has_moved && !space.sees(from, start) {
                    return false;
                }
                lead = (from != start).then(|| fly_step(from, start, self.profile.run_speed));
            }
            _ => {}
        }
        if let Some(other) = other_platform {
            self.hold(layer, other, start, f64::from(self.velocity.x));
        }
        self.forget_path();
        self.route.extend(lead);
        self.route.extend_from_slice(steps);
        self.under_way = true;
        self.rest = IdleReason::Waiting;
        if let Mode::Flying(flier) = &mut self.mode
            && let Some((curve, t)) = flier.curve.take()
        {
            flier.at = curve.position(t);
            flier.velocity = curve.velocity(t);
        }
        if self.filter.costs.is_empty() {
            let space = FreeSpace::new(layer, [world.doors.closed(), &self.filter.closed]);
            pull_straight(&mut self.route, &space);
        }
        true
    }

    /// Replans when a door has closed on the remaining path, or any has
    /// opened for an agent that could not get where it wants.
    pub(super) fn look_at_doors(&mut self, world: Environment<'_>) {
        if self.doors_seen == world.doors.version() {
            return;
        }
        self.doors_seen = world.doors.version();
        if self.short.is_some()
            || matches!(
                self.rest,
                IdleReason::CannotReach(_) | IdleReason::NearestReached(_)
            )
        {
            self.replan();
        }
        // What is left begins where these end.
        let airborne = matches!(self.mode, Mode::Airborne(..) | Mode::InPortal(_));
        let mut rest = self.route.get(self.cursor..).unwrap_or_default().iter();
        let first = rest.next().copied().map(|mut step| {
            if !airborne && step.link.is_none() {
                step.from = self.position;
            }
            step
        });
        let is_closed = first
            .iter()
            .chain(rest)
            .any(|s| crosses_door(world.doors, world.layer, &self.profile, s));
        if let Mode::Flying(flier) = &mut self.mode
            && let Some((curve, t)) = flier.curve
            && !curve.is_clear(&FreeSpace::new(world.layer, [world.doors.closed(), &[]]))
        {
            flier.at = curve.position(t);
            flier.velocity = curve.velocity(t);
            flier.curve = None;
        }
        if is_closed {
            self.lose(PathLostReason::Door);
        } else if self.ticket.is_some() {
            // The answer to come may lead through it.
            self.replan();
        }
    }

    /// The end of the route: says so, once.
    pub(super) fn arrive(&mut self, at: Vec2) {
        if !self.under_way || self.wants_path {
            return;
        }
        self.under_way = false;
        self.rest = if let Some(why) = self.short {
            IdleReason::NearestReached(why)
        } else {
            self.events.push(AgentEvent::Arrived { at });
            IdleReason::Arrived
        };
    }
}
