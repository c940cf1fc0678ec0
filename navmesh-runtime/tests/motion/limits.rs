//! Agents with tighter limits than their layer was baked for.

use crate::levels;
use crate::soak;

use glam::Vec2;
use levels::{Dice, Level, gap, sent, settle, walking, wall_and_gap, wide_floors};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, StepKind};
use navmesh_runtime::motion::{
    Activity, AgentEvent, Airborne, Environment, IdleReason, NavAgent, PathLostReason,
};
use navmesh_runtime::search::{Filter, NoPath, PathFinder, PathOutcome, Query, QueryError};
use navmesh_runtime::shared::{PathSource, Ticket};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// Runs an agent until it rests. Returns its greatest horizontal speed and the
/// number of its jumps.
fn run(agent: &mut NavAgent, level: &Level) -> (f32, usize) {
    let mut finder = PathFinder::new();
    let (mut fastest, mut jumps) = (0.0_f32, 0);
    for _ in 0..2000 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        fastest = fastest.max(pose.velocity.x.abs());
        jumps += (agent.events().iter())
            .filter(|e| matches!(e, AgentEvent::Jumped { .. }))
            .count();
        if !pose.activity.is_moving() {
            break;
        }
    }
    (fastest, jumps)
}

#[test]
fn filter_and_profile_shape_the_search_and_the_motion() {
    let level = wall_and_gap();
    let (from, to) = (Vec2::new(20.0, 96.0), Vec2::new(180.0, 96.0));
    let sent = |filter: Filter, profile: &AgentProfile| {
        let mut agent = NavAgent::new(level.layer(), from);
        agent.set_filter(filter);
        agent.set_profile(profile.clone()).unwrap();
        agent.go_to(to);
        let (fastest, jumps) = run(&mut agent, &level);
        (agent.pose().activity, fastest, jumps)
    };
    let arrived = Activity::Idle(IdleReason::Arrived);
    let baked = level.layer().profile();
    assert_eq!(sent(Filter::default(), baked), (arrived, 90.0, 1));
    let mut no_jumps = Filter::default();
    no_jumps.edges = EdgeSet::ALL - EdgeSet::JUMP;
    let mut jumps_short = baked.clone();
    jumps_short.max_jump = [10.0, 50.0];
    let mut jumps_never = baked.clone();
    jumps_never.edges = baked.edges - EdgeSet::JUMP;
    for (filter, profile) in [
        (no_jumps, baked),
        (Filter::default(), &jumps_short),
        (Filter::default(), &jumps_never),
    ] {
        let (activity, _, jumps) = sent(filter, profile);
        assert!(matches!(
            activity,
            Activity::Idle(IdleReason::CannotReach(_))
        ));
        assert_eq!(jumps, 0);
    }
    // A slow agent jumps too, in a higher trajectory where it has to.
    let mut slow = baked.clone();
    slow.run_speed = 50.0;
    let (activity, fastest, jumps) = sent(Filter::default(), &slow);
    assert_eq!((activity, jumps), (arrived, 1));
    assert!((49.9..50.01).contains(&fastest), "{fastest}");
}

#[test]
fn another_gravity_keeps_the_curve_and_tighter_limits_bind() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let layer = level.layer();
    let baked = layer.profile().clone();
    let link = layer
        .links()
        .iter()
        .find(|l| l.kind == StepKind::Jump)
        .unwrap();
    let light = AgentProfile {
        gravity: 200.0,
        ..baked.clone()
    };
    let (mut slow, mut fast) = (
        Airborne::along(link, layer, &light).unwrap(),
        Airborne::along(link, layer, &baked).unwrap(),
    );
    assert!((slow.duration() - 2.0 * fast.duration()).abs() < 1e-6);
    for _ in 0..10 {
        slow.advance(0.02);
        fast.advance(0.01);
        assert!(slow.position().distance(fast.position()) < 1e-4);
        assert!((slow.velocity() * 2.0).distance(fast.velocity()) < 1e-2);
    }
    let weak = AgentProfile {
        jump_speed: 1.0,
        ..baked.clone()
    };
    assert!(Airborne::along(link, layer, &weak).is_none());
    // The search leaves out what the agent cannot jump.
    let mut agent = NavAgent::new(layer, Vec2::new(40.0, 144.0));
    agent.set_profile(weak.clone()).unwrap();
    agent.go_to(Vec2::new(290.0, 144.0));
    let events = settle(&mut agent, &level, &mut finder);
    assert!(
        matches!(events[..], [AgentEvent::CannotReach(_)]),
        "{events:?}"
    );
    agent.set_profile(light.clone()).unwrap();
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    let broken = AgentProfile {
        gravity: -1.0,
        ..baked.clone()
    };
    assert_eq!(agent.set_profile(broken).unwrap_err().parameter, "gravity");
}

/// Limits that get tighter in a jump bind from the landing on.
#[test]
fn an_agent_slowed_in_a_jump_lands_within_its_limits() {
    let (level, mut finder) = (wide_floors(), PathFinder::new());
    let mut agent = sent(level.layer(), [100.0, 144.0], [290.0, 144.0]);
    while agent.pose().activity != Activity::Jumping {
        agent.step(Environment::new(level.layer()), &mut finder, DT);
    }
    let most = 0.5 * agent.pose().velocity.x;
    let slow = AgentProfile {
        run_speed: most,
        ..level.layer().profile().clone()
    };
    agent.set_profile(slow).unwrap();
    while agent.pose().activity == Activity::Jumping {
        assert!(agent.pose().velocity.x > most);
        agent.step(Environment::new(level.layer()), &mut finder, 0.002);
    }
    for _ in 0..100 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, 0.002);
        assert!(pose.velocity.x.abs() <= most, "{pose:?}");
    }
}

/// A source whose paths the agent cannot follow: they are for the limits of the layer.
struct StrongPaths(PathFinder);

impl PathSource for StrongPaths {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        _: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        let mut query = query.clone();
        query.profile = None;
        self.0.find(layer, &query)
    }

    fn cancel(&mut self, _: Ticket) {}
}

#[test]
fn an_agent_that_cannot_follow_any_path_gives_up() {
    let level = gap();
    let layer = level.layer();
    let mut paths = StrongPaths(PathFinder::new());
    let mut agent = NavAgent::new(layer, Vec2::new(40.0, 144.0));
    let weak = AgentProfile {
        jump_speed: 1.0,
        ..layer.profile().clone()
    };
    agent.set_profile(weak).unwrap();
    agent.go_to(Vec2::new(290.0, 144.0));
    let mut events = Vec::new();
    for _ in 0..300 {
        agent.step(Environment::new(layer), &mut paths, DT);
        events.extend_from_slice(agent.events());
    }
    let lost = AgentEvent::PathLost(PathLostReason::Limits);
    let gave_up = AgentEvent::CannotReach(NoPath::Exhausted);
    assert_eq!(events, [lost, lost, lost, lost, gave_up]);
    let why = IdleReason::CannotReach(NoPath::Exhausted);
    assert_eq!(agent.pose().activity, Activity::Idle(why));
}

proptest! {
    #![proptest_config(soak::cases(14))]

    /// Under any limits, a trajectory keeps to them, ends where the link ends,
    /// touches nothing, and a drop stays a drop.
    #[test]
    fn other_trajectories_keep_to_limits_and_geometry(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let baked = layer.profile().clone();
        for link in layer.links() {
            let profile = AgentProfile {
                run_speed: baked.run_speed * dice.between(0.3, 1.0),
                jump_speed: baked.jump_speed * dice.between(0.6, 1.0),
                gravity: baked.gravity * dice.between(0.5, 2.0),
                ..baked.clone()
            };
            let Some(mut arc) = Airborne::along(link, layer, &profile) else {
                continue;
            };
            let dt = arc.duration() / 300.0;
            prop_assert_eq!(arc.position(), link.from);
            let mut highest = f32::NEG_INFINITY;
            loop {
                let (at, v) = (arc.position(), arc.velocity());
                prop_assert!(!level.is_blocked(at), "{:?} {:?}", link, profile);
                prop_assert!(v.x.abs() <= profile.run_speed * 1.001);
                prop_assert!(-v.y <= profile.jump_speed * 1.001);
                highest = highest.max(-v.y);
                if arc.advance(dt).is_some() {
                    break;
                }
            }
            prop_assert_eq!(arc.position(), link.to);
            prop_assert!(link.kind != StepKind::Drop || highest <= 0.0);
        }
    }

    /// An agent can follow its paths, in the times that they give.
    #[test]
    fn paths_of_a_slow_agent_have_only_links_it_can_use(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let mut finder = PathFinder::new();
        let mut slow = layer.profile().clone();
        slow.run_speed *= dice.between(0.4, 1.0);
        slow.jump_speed *= dice.between(0.7, 1.0);
        if dice.chance(0.5) {
            slow.gravity *= dice.between(0.4, 2.5);
        }
        let mut query = Query::new(level.somewhere(dice), level.somewhere(dice));
        query.profile = Some(slow.clone());
        query.filter.replace_jumps = true;
        if let Ok(PathOutcome::Found(path)) = finder.find(layer, &query) {
            let mut sum = 0.0;
            for step in &path.steps {
                sum += f64::from(step.duration);
                let duration = f64::from(step.duration);
                if let Some(link) = step.link.and_then(|id| layer.link(id)) {
                    let arc = Airborne::along(link, layer, &slow).unwrap();
                    prop_assert!((arc.duration() - duration).abs() < 1e-4);
                } else {
                    let walk = f64::from((step.to.x - step.from.x).abs() / slow.run_speed);
                    prop_assert!((walk - duration).abs() < 1e-4);
                }
            }
            prop_assert!((sum - path.cost).abs() < 1e-3, "{} {}", sum, path.cost);
        }
        let environment = Environment::new(layer);
        let mut agent = NavAgent::new(layer, query.from);
        agent.set_profile(slow.clone()).unwrap();
        for _ in 0..40 {
            agent.step(environment, &mut finder, 0.1);
        }
        if matches!(agent.pose().activity, Activity::Stranded(_)) {
            return Ok(());
        }
        query.from = agent.pose().position;
        let is_found = matches!(finder.find(layer, &query), Ok(PathOutcome::Found(_)));
        agent.go_to(query.to);
        for _ in 0..1000 {
            let pose = agent.step(environment, &mut finder, 0.05);
            prop_assert!(!level.is_blocked(pose.position), "{:?}", pose);
            if !pose.activity.is_moving() {
                break;
            }
        }
        let arrived = agent.pose().activity == Activity::Idle(IdleReason::Arrived);
        prop_assert_eq!(arrived, is_found, "{:?}", agent);
    }
}

/// Counts the links that a slower agent can use with and without other
/// trajectories: they are worth their cost.
#[test]
fn most_links_are_in_reach_of_a_slower_agent() {
    let dice = &mut Dice(3);
    let (mut all, mut baked_ones, mut resolved) = (0, 0, 0);
    for _ in 0..12 {
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let slow = AgentProfile {
            run_speed: 60.0,
            ..layer.profile().clone()
        };
        for link in layer.links() {
            let arc = link.params.between(link.from, link.to, 800.0, 1.0).unwrap();
            all += 1;
            if arc.top_speed() <= 60.0 {
                baked_ones += 1;
            } else {
                resolved += usize::from(Airborne::along(link, layer, &slow).is_some());
            }
        }
    }
    println!("{all} links: {baked_ones} as baked, {resolved} with another trajectory");
    assert!(resolved * 5 > all - baked_ones, "{resolved} of {all}");
}

#[test]
fn filters_keep_baked_trajectories_by_default() {
    assert!(!Filter::default().replace_jumps);
}

/// The limits that a game has set remain in other layers.
#[test]
fn own_limits_remain_in_another_level() {
    let levels = [1, 2].map(|seed| Level::random(24, 12, walking(), &mut Dice(seed)));
    let mut finder = PathFinder::new();
    for has_own in [true, false] {
        let mut agent = NavAgent::new(levels[0].layer(), Vec2::new(20.0, 100.0));
        let mut slow = agent.profile().clone();
        slow.run_speed *= 0.5;
        if has_own {
            agent.set_profile(slow.clone()).unwrap();
        }
        for level in &levels {
            agent.step(Environment::new(level.layer()), &mut finder, 0.1);
            assert_eq!(agent.profile() == &slow, has_own);
        }
    }
}
