//! What must hold after every step.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent, Pose};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};

use super::InterruptedCrowd;
use super::interrupted_crowd::Member;
use crate::common::baked_level::Random;
use crate::common::{Geometry as _, Tiles, in_a_shaft};

/// Whether a body that moves a little leads through a one-way tile against its
/// direction by more than rounding. `turn` is how far aside it may have been
/// meanwhile.
fn comes_back(tiles: &Tiles, a: DVec2, b: DVec2, body: DVec2, turn: f64) -> bool {
    const HAIR: f64 = 0.1;
    tiles.one_ways().into_iter().any(|(way, min, max)| {
        let (from, to, line) = match way {
            '>' => (a.x, b.x, max.x + 0.5 * body.x),
            '<' => (-a.x, -b.x, -(min.x - 0.5 * body.x)),
            _ => (a.y, b.y, max.y + body.y),
        };
        if from < line || to >= line - HAIR {
            return false;
        }
        [a, b].into_iter().all(|at| {
            if way == 'v' {
                at.x + 0.5 * body.x - turn > min.x && at.x - 0.5 * body.x + turn < max.x
            } else {
                at.y - turn > min.y && at.y - body.y + turn < max.y
            }
        })
    })
}

impl InterruptedCrowd<'_> {
    pub(super) fn check(&mut self, i: usize, pose: Pose, dt: f32) {
        let (layer, tiles, size) = (self.layer(), self.tiles(), self.size());
        let mut is_blocked = self.is_blocked(pose.position);
        let spacing = f64::from(layer.grid().spacing);
        let member = &mut self.members[i];
        let before = member.before;
        let events = member.agent.events();
        let what = || {
            format!(
                "{}, member {i}, dt {dt}\n{before:?}\n{pose:?}\n{events:?}\n{:#?}\n{:#?}",
                self.what,
                member.agent,
                tiles.lines()
            )
        };
        assert!(
            pose.position.is_finite() && pose.velocity.is_finite(),
            "{}",
            what()
        );
        for event in events {
            if let AgentEvent::Dropped { from, .. } = event {
                member.fell_from = *from;
            }
        }
        if pose.activity == Activity::Dropping && pose.velocity.x == 0.0 {
            let from = member.fell_from.as_dvec2();
            is_blocked &= !in_a_shaft(tiles, from, size, spacing)
                || tiles.solid_at(pose.position.as_dvec2(), size, 2e-3);
        }
        let is_lost = matches!(pose.activity, Activity::Stranded(_) | Activity::Disabled);
        assert!(
            !is_blocked || is_lost && member.moved,
            "blocked: {}",
            what()
        );
        // Events match the motion.
        for event in events {
            match event {
                AgentEvent::Jumped { .. } | AgentEvent::Dropped { .. } => {
                    assert!(!member.is_in_the_air, "twice in the air: {}", what());
                    member.is_in_the_air = true;
                }
                AgentEvent::Landed { .. } => {
                    // In a level without the jump that it was in, it flies on as if thrown.
                    let flies = layer.profile().edges.contains(EdgeSet::FLY)
                        || before.activity == Activity::Launched;
                    assert!(member.is_in_the_air || flies, "landed twice: {}", what());
                    member.is_in_the_air = false;
                }
                _ => {}
            }
        }
        let flies_by = matches!(pose.activity, Activity::Jumping | Activity::Dropping);
        assert_eq!(flies_by, member.is_in_the_air, "in the air: {}", what());
        let arrivals = events
            .iter()
            .filter(|e| matches!(e, AgentEvent::Arrived { .. }));
        assert!(arrivals.count() <= 1, "{}", what());
        if let Activity::Idle(rest) = pose.activity
            && member.body.is_none()
        {
            assert_eq!(pose.velocity, Vec2::ZERO, "{}", what());
            if rest == IdleReason::Waiting {
                assert!(member.agent.is_under_way(), "waits for nothing: {}", what());
            }
        }
        let profile = layer.profile();
        let limits = member.agent.profile().clone();
        if !flies_by
            || has_event!(
                events,
                AgentEvent::Jumped { .. } | AgentEvent::Dropped { .. }
            )
        {
            member.limits.clone_from(&limits);
        }
        let gravity = limits.gravity.max(member.limits.gravity);
        let time_scale = (gravity / profile.gravity).sqrt().max(1.0);
        let fastest = before.velocity.length().max(pose.velocity.length());
        let most = profile.run_speed + time_scale * profile.jump_speed;
        let reach = (fastest.max(most) + gravity * dt) * dt;
        let nearest = layer.grid().nearest_cell(before.position);
        let was_inside = layer.parts().blocked.get(nearest.column, nearest.row);
        let snap = if member.moved {
            f32::INFINITY
        } else if was_inside || has_event!(events, AgentEvent::PathLost(_)) {
            2.0 * layer.grid().spacing
        } else if member.body.is_some() {
            layer.grid().spacing / 2.0 + profile.step_height
        } else {
            profile.step_height + 0.1
        };
        let teleported = has_event!(events, AgentEvent::Teleported { .. });
        assert!(
            teleported || pose.position.distance(before.position) <= reach + snap,
            "it leapt: {}",
            what()
        );
        let v = pose.velocity;
        if member.body.is_none() {
            match pose.activity {
                Activity::Running => {
                    assert!(v.x.abs() <= profile.run_speed * 1.0001, "{}", what());
                }
                Activity::Flying => {
                    assert!(v.length() <= profile.run_speed * 1.0005, "{}", what());
                }
                Activity::Climbing => {
                    assert!(v.length() <= profile.climb_speed * 1.001, "{}", what());
                }
                Activity::Jumping => assert!(
                    v.x.abs() <= member.limits.run_speed * 1.0005
                        && -v.y <= member.limits.jump_speed * 1.0005,
                    "{}",
                    what()
                ),
                _ => {}
            }
        }
        if !member.moved && dt < 0.03 && member.body.is_none() && snap < 5.0 {
            let (a, b) = (before.position.as_dvec2(), pose.position.as_dvec2());
            assert!(
                !comes_back(tiles, a, b, size, f64::from(fastest * dt) + 0.1),
                "through one-way: {}",
                what()
            );
        }
        member.moved &= pose.activity == Activity::Disabled;
        member.before = pose;
    }

    /// A step of any length ends in the same position as many short ones.
    pub(crate) fn cut_time(&self, random: &mut Random) {
        let world = Environment {
            layer: self.layer(),
            doors: &self.doors,
        };
        let mut finder = PathFinder::new();
        let who = random.below(self.members.len() as u32) as usize;
        let mut whole = self.members[who].agent.clone();
        whole.enable();
        // The copy uses a path finder of its own from now on.
        let destination = whole.destination();
        whole.cancel_requests(&mut finder);
        if let Some(destination) = destination {
            whole.go_to(destination);
        }
        let mut parts = whole.clone();
        for i in 0..30 {
            let one = whole.step(world, &mut finder, 0.125);
            let lost = |agent: &NavAgent| has_event!(agent.events(), AgentEvent::PathLost(_));
            let mut is_lost = lost(&whole);
            for _ in 0..16 {
                parts.step(world, &mut finder, 0.007_812_5);
                is_lost |= lost(&parts);
            }
            let other = parts.pose();
            assert!(
                is_lost || one.position.distance(other.position) < 2e-2,
                "{}, member {who}: after {i} steps of one agent {one:?}, of 16 parts {other:?}\n{whole:#?}",
                self.what
            );
            if is_lost {
                break;
            }
        }
    }

    /// Without interruptions, every agent comes to rest, at its goal if it can.
    pub(crate) fn settle(&mut self, random: &mut Random) -> u32 {
        let layer = self.layer();
        for member in &mut self.members {
            member.agent.enable();
            member.body = None;
        }
        let goal = self.goals[0];
        for member in &mut self.members {
            member.agent.go_to(goal);
        }
        // Enough budget for every path.
        self.budget = 400;
        let mut frames = 0;
        let mut rested = 0;
        while rested < 4 {
            frames += 1;
            assert!(
                frames < 60 * 120,
                "{}: they never rest: {:#?}",
                self.what,
                (self.members.iter())
                    .find(|m| m.agent.is_under_way())
                    .map(|m| &m.agent)
            );
            self.step(random, 1.0 / 60.0);
            let rests = |m: &Member| {
                let activity = m.agent.pose().activity;
                !activity.is_moving() && activity != Activity::Idle(IdleReason::Waiting)
            };
            rested = if self.members.iter().all(rests) {
                rested + 1
            } else {
                0
            };
        }
        self.budget = 12;
        let mut arrived = 0;
        for (i, member) in self.members.iter().enumerate() {
            let agent = &member.agent;
            if let Activity::Stranded(_) = agent.pose().activity {
                continue;
            }
            let mut query = Query::new(agent.pose().position, goal);
            query.filter.clone_from(agent.filter());
            query.filter.close_doors(&self.doors);
            let found = matches!(
                PathFinder::new().find(layer, &query).unwrap(),
                PathOutcome::Found(_)
            );
            let own = agent.profile() == layer.profile();
            let activity = agent.pose().activity;
            match activity {
                Activity::Idle(IdleReason::Arrived) => {
                    arrived += 1;
                    let off = agent.pose().position.distance(goal);
                    assert!(off < 40.0, "{} {i} {off}", self.what);
                }
                Activity::Idle(IdleReason::CannotReach(_) | IdleReason::NearestReached(_)) => {
                    assert!(
                        !(found && own),
                        "{} {i} {agent:#?}\n{:#?}",
                        self.what,
                        self.tiles().lines()
                    );
                }
                _ => panic!("{} {i}: {activity:?} {agent:#?}", self.what),
            }
        }
        arrived
    }
}
