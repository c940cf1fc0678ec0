//! One step of an agent: look, plan, move, report.

use glam::Vec2;

use super::agent::{Mode, NavAgent};
use super::{AgentEvent, Environment, Facing, IdleReason, PathLostReason, PathSource, Pose};
use crate::search::NoPath;

impl NavAgent {
    /// Moves on by `dt` seconds. A `dt` that is not a number above 0 moves
    /// nothing. In a layer baked for another agent, the agent is
    /// [`Stranded::WrongLayer`](super::Stranded::WrongLayer).
    pub fn step(&mut self, world: Environment<'_>, paths: &mut impl PathSource, dt: f32) -> Pose {
        self.events.clear();
        self.losses = 0;
        self.cancel_stale(paths);
        let body = self.body.take();
        if self.disabled {
            return self.pose();
        }
        if let Some(lost) = self.lost.take() {
            self.events.push(AgentEvent::PathLost(lost));
        }
        if !self.accept_layer(world.layer) {
            return self.pose();
        }
        if self.mode == Mode::Unplaced {
            self.enter(world);
        }
        self.look_at_doors(world);
        self.plan(world, paths);
        let seconds = if dt > 0.0 && dt.is_finite() {
            f64::from(dt)
        } else {
            0.0
        };
        let mut left = seconds;
        // Every turn takes time, ends a step, or begins one; a path lost on
        // the way is planned anew only a few times.
        for _ in 0..64 + 8 * self.route.len() {
            left = match self.mode {
                Mode::Ground(platform, runner) => self.run(world, platform, runner, left),
                Mode::Airborne(..) => self.fall(world, left),
                Mode::Climbing(climber) => self.climb(world, climber, left),
                Mode::Flying(flier) => self.fly(world, flier, left),
                Mode::InPortal(_) => self.pass_portal(left),
                Mode::Stranded(_) => 0.0,
                Mode::Unplaced => {
                    self.enter(world);
                    left
                }
            };
            self.plan(world, paths);
            if left <= 0.0 {
                break;
            }
        }
        self.update_pose(world);
        if let Some(body) = body {
            self.steer(body, seconds);
        }
        self.pose()
    }

    /// Wants the velocity that takes a body to where it should be: following
    /// the velocity at the end of each step would miss every curve by a little
    /// more. Through a portal, the engine moves the body itself.
    fn steer(&mut self, body: Vec2, seconds: f64) {
        let is_moved = |event: &AgentEvent| matches!(event, AgentEvent::Teleported { .. });
        if seconds > 0.0 && body.is_finite() && !self.events.iter().any(is_moved) {
            let way = self.position.as_dvec2() - body.as_dvec2();
            let velocity = (way / seconds).as_vec2();
            if velocity.is_finite() {
                self.velocity = velocity;
            }
        }
    }

    /// Gives up the present path, and plans another; or none, when that has
    /// happened too often at once.
    pub(super) fn lose(&mut self, why: PathLostReason) {
        self.events.push(AgentEvent::PathLost(why));
        self.forget_path();
        self.losses += 1;
        if self.losses < 4 {
            self.wants_path = self.goal.is_some();
        } else {
            self.wants_path = false;
            self.rest = IdleReason::CannotReach(NoPath::Exhausted);
            self.events.push(AgentEvent::CannotReach(NoPath::Exhausted));
        }
    }

    pub(super) fn cancel_stale(&mut self, paths: &mut impl PathSource) {
        if let Some(ticket) = self.stale.take() {
            paths.cancel(ticket);
        }
    }

    /// Works out position and velocity at the end of a step.
    fn update_pose(&mut self, world: Environment<'_>) {
        match &self.mode {
            Mode::Ground(platform, runner) => {
                if let Some(platform) = world.layer.platform(*platform) {
                    self.position = platform.clamp(runner.at as f32);
                    let vx = runner.velocity as f32;
                    self.velocity = Vec2::new(vx, vx * platform.slope_at(self.position.x, vx));
                }
            }
            Mode::Airborne(arc, ..) => {
                self.position = arc.position();
                self.velocity = arc.velocity();
            }
            Mode::Flying(flier) => {
                let (at, velocity) = match &flier.curve {
                    Some((curve, t)) => (curve.position(*t), curve.velocity(*t)),
                    None => (flier.at, flier.velocity),
                };
                self.position = at.as_vec2();
                self.velocity = velocity.as_vec2();
            }
            Mode::Climbing(climber) => {
                self.position = climber.at.as_vec2();
                self.velocity = climber.velocity.as_vec2();
            }
            Mode::InPortal(passage) => {
                self.position = passage.from;
                self.velocity = Vec2::ZERO;
            }
            Mode::Unplaced | Mode::Stranded(_) => self.velocity = Vec2::ZERO,
        }
        if self.velocity.x.abs() > 1e-3 {
            self.facing = if self.velocity.x < 0.0 {
                Facing::Left
            } else {
                Facing::Right
            };
        }
    }
}
