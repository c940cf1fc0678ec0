//! A crowd, and random interruptions.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{AgentProfile, Layer};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, NavAgent, PathQueue, Pose,
};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::Rect;

use super::LevelStates;
use crate::common::baked_level::Random;
use crate::common::{Geometry as _, Tiles};

/// An agent of the crowd, and what is expected of it.
pub(super) struct Member {
    pub(super) agent: NavAgent,
    pub(super) before: Pose,
    /// Whether the next step may begin at another position.
    pub(super) moved: bool,
    /// Whether it jumped or dropped and has not landed.
    pub(super) is_in_the_air: bool,
    /// Where it last began to fall.
    pub(super) fell_from: Vec2,
    /// The limits that it took off with.
    pub(super) limits: AgentProfile,
    /// When an engine moves the body of an agent that flies or climbs: its position,
    /// velocity, and the part of each step that it lags behind.
    pub(super) body: Option<(Vec2, Vec2, f32)>,
}

pub(crate) struct InterruptedCrowd<'a> {
    pub(super) stage: &'a LevelStates,
    pub(super) on: usize,
    /// The state of the level in the last step. One that comes back before the next step
    /// was never gone for the agents.
    stepped_on: usize,
    pub(super) members: Vec<Member>,
    pub(super) queue: PathQueue,
    pub(super) doors: Doors,
    /// Goals that agents share.
    pub(super) goals: [Vec2; 2],
    /// Nodes that the queue may expand in a frame.
    pub(super) budget: u32,
    pub(crate) trace: u64,
    pub(super) what: String,
}

impl<'a> InterruptedCrowd<'a> {
    pub(crate) fn new(stage: &'a LevelStates, random: &mut Random, what: String) -> Self {
        let layer = &stage.states[0].1.layers()[0];
        let mut crowd = Self {
            stage,
            on: 0,
            stepped_on: 0,
            members: Vec::new(),
            queue: PathQueue::new(),
            doors: Doors::new(),
            goals: [Vec2::ZERO; 2],
            budget: 12,
            trace: 0,
            what,
        };
        crowd.goals = [0, 1].map(|_| crowd.somewhere(random));
        for _ in 0..20 {
            let mut agent = NavAgent::new(layer, crowd.somewhere(random));
            agent.set_allow_partial_path(random.chance(0.3));
            crowd.members.push(Member {
                before: agent.pose(),
                agent,
                moved: true,
                is_in_the_air: false,
                fell_from: Vec2::ZERO,
                limits: layer.profile().clone(),
                body: None,
            });
        }
        crowd
    }

    pub(super) fn tiles(&self) -> &'a Tiles {
        &self.stage.states[self.on].0
    }

    pub(super) fn layer(&self) -> &'a Layer {
        &self.stage.states[self.on].1.layers()[0]
    }

    pub(super) fn size(&self) -> DVec2 {
        DVec2::from(self.layer().profile().body.map(f64::from))
    }

    pub(super) fn is_blocked(&self, feet: Vec2) -> bool {
        self.tiles().blocked(feet.as_dvec2(), self.size(), 2e-3)
    }

    /// The same for one-way tiles, which are closed to fliers.
    pub(super) fn is_closed(&self, feet: Vec2) -> bool {
        let (feet, size) = (feet.as_dvec2(), self.size());
        let half = DVec2::new(0.5 * size.x - 2e-3, 0.0);
        let (top, bottom) = (DVec2::new(0.0, size.y - 2e-3), DVec2::new(0.0, 2e-3));
        let counts = |c| matches!(c, '#' | '^' | '<' | '>' | 'v');
        self.tiles()
            .overlaps(feet - half - top, feet + half - bottom, counts)
    }

    pub(super) fn somewhere(&self, random: &mut Random) -> Vec2 {
        let tiles = self.tiles();
        for _ in 0..1000 {
            let at = DVec2::new(
                random.between(6.0, tiles.columns() as f64 * 16.0 - 6.0),
                random.between(16.0, tiles.rows.len() as f64 * 16.0),
            );
            // A position between one-way tiles is not a valid spawn.
            let half = DVec2::new(8.0, 0.0);
            let near = tiles.overlaps(at - half - DVec2::new(0.0, 18.0), at + half, |c| {
                matches!(c, '<' | '>' | 'v')
            });
            if !near && !tiles.blocked(at, self.size(), -0.05) {
                return at.as_vec2();
            }
        }
        Vec2::new(6.0, -16.0)
    }

    pub(crate) fn interrupt(&mut self, random: &mut Random) {
        let who = random.below(self.members.len() as u32) as usize;
        let (somewhere, goal) = (self.somewhere(random), self.goals[random.below(2) as usize]);
        let baked = self.layer().profile().clone();
        let member = &mut self.members[who];
        match random.below(20) {
            0..=2 => member.agent.go_to(somewhere),
            3 => member.agent.go_to(goal),
            4 | 5 => {
                for member in &mut self.members {
                    member.agent.go_to(goal);
                }
            }
            6 => member.agent.stop(),
            7 => {
                member.agent.disable();
                member.is_in_the_air = false;
            }
            8 => {
                for member in &mut self.members {
                    member.agent.enable();
                }
            }
            9 => {
                member.agent.teleport(somewhere);
                member.moved = true;
                member.is_in_the_air = false;
                member.body = None;
            }
            10 | 11 => {
                let size = Vec2::new(random.between(4.0, 20.0) as f32, 40.0);
                if self.doors.closed().len() > 2 {
                    self.doors = Doors::new();
                } else {
                    self.doors
                        .close_region(Rect::new(somewhere, somewhere - size));
                }
            }
            12 | 13 => {
                let mut profile = baked;
                if random.chance(0.7) {
                    profile.run_speed *= random.between(0.3, 1.0) as f32;
                    profile.jump_speed *= random.between(0.6, 1.0) as f32;
                    profile.gravity *= random.between(0.5, 2.0) as f32;
                    profile.acceleration *= random.between(0.5, 2.0) as f32;
                }
                member.agent.set_profile(profile).unwrap();
            }
            14 => {
                let mut filter = member.agent.filter().clone();
                filter.caution = if random.chance(0.5) { 0.5 } else { 0.0 };
                member.agent.set_filter(filter);
                let mut profile = baked;
                if random.chance(0.5) {
                    profile.run_speed = profile.run_speed.min(40.0);
                }
                if random.chance(0.3) {
                    profile.max_drop = [60.0, 40.0];
                }
                member.agent.set_profile(profile).unwrap();
            }
            15 | 16 => {
                member.body = if member.body.is_some() {
                    None
                } else {
                    Some((
                        member.agent.pose().position,
                        member.agent.pose().velocity,
                        random.between(0.0, 0.2) as f32,
                    ))
                };
            }
            17 => {
                // Pushed farther than an agent accepts.
                if member.body.is_some() {
                    member.body = Some((somewhere, Vec2::ZERO, 0.0));
                    member.moved = true;
                }
            }
            _ => {
                self.on = 1 - self.on;
                if random.chance(0.5) {
                    self.queue = PathQueue::new();
                }
                self.goals = [0, 1].map(|_| self.somewhere(random));
                for i in 0..self.members.len() {
                    let aside = self.somewhere(random);
                    let is_blocked = self.is_closed(self.members[i].agent.pose().position);
                    let member = &mut self.members[i];
                    member.moved = true;
                    member.body = None;
                    // The game must move it where there is a wall now.
                    if is_blocked {
                        member.agent.teleport(aside);
                        member.is_in_the_air = false;
                    }
                }
            }
        }
    }

    pub(crate) fn step(&mut self, random: &mut Random, dt: f32) {
        let layer = self.layer();
        let is_other_level = std::mem::replace(&mut self.stepped_on, self.on) != self.on;
        for i in 0..self.members.len() {
            let world = Environment {
                layer,
                doors: &self.doors,
            };
            let member = &mut self.members[i];
            let tolerance = layer.grid().spacing / 2.0;
            let activity = member.agent.pose().activity;
            let is_exact = matches!(activity, Activity::Flying | Activity::Climbing);
            let body = member.body.filter(|_| is_exact && dt > 0.0);
            let pose = if let Some((body, velocity, _)) = body {
                if body.distance(member.agent.pose().position) > tolerance {
                    member.moved = true;
                }
                let state = BodyState {
                    position: body,
                    velocity,
                    grounded: false,
                };
                (member.agent).drive_with(world, &mut self.queue, state, dt);
                member.agent.pose()
            } else {
                member.agent.step(world, &mut self.queue, dt)
            };
            if is_other_level {
                // It finishes a jump that this level has too, or begins again.
                let events = member.agent.events();
                let flies_by = matches!(pose.activity, Activity::Jumping | Activity::Dropping)
                    || has_event!(events, AgentEvent::Landed { .. });
                member.is_in_the_air &= flies_by
                    && !has_event!(
                        events,
                        AgentEvent::Jumped { .. } | AgentEvent::Dropped { .. }
                    );
            }
            if let Some((body, velocity, lag)) = &mut member.body {
                *velocity = pose.velocity;
                *body += pose.velocity * dt * (1.0 - *lag);
                let teleported = has_event!(member.agent.events(), AgentEvent::Teleported { .. });
                // An engine steps at its own rate, and keeps bodies out of
                // walls. Another body is that of an agent that moves itself.
                if teleported || !is_exact || !(1e-3..=0.1).contains(&dt) {
                    *body = pose.position;
                }
            }
            self.check(i, pose, dt);
            let bits = [pose.position.x, pose.position.y].map(f32::to_bits);
            for word in bits {
                self.trace = (self.trace ^ u64::from(word)).wrapping_mul(0x100_0000_01B3);
            }
        }
        let budget = random.below(self.budget);
        assert!(self.queue.work(layer, budget) <= budget);
    }
}
