//! Agents that climb, drop through, pass barriers and jump in the air, on a
//! baked level.

use crate::common;

use common::fixtures::baked_as_configured;
use glam::{DVec2, Vec2};
use navmesh_bake::Level;
use navmesh_bake::tools::{Body, configuration_space};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh, PlatformKind, StepKind};
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, NavAgent};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};

fn movement() -> (Level, NavMesh) {
    baked_as_configured("movement.tmx")
}

/// A point of a platform, chosen by two numbers.
fn spot(layer: &Layer, pick: u32, along: u32) -> Vec2 {
    let count = layer.platforms().len() as u32;
    let platform = layer.platforms().nth((pick % count) as usize);
    let platform = platform.unwrap();
    let (low, high) = platform.extent();
    platform.at(low + (high - low) * (along % 101) as f32 / 100.0)
}

/// On any path, the agent arrives, is never inside anything, and keeps its
/// speed limit.
#[test]
fn agents_arrive_by_every_kind_of_movement() {
    let (level, mesh) = movement();
    let mut steps_made = Vec::new();
    for layer in mesh.layers() {
        let profile = layer.profile();
        let shape = Body {
            size: DVec2::from(profile.body.map(f64::from)),
            skin: 1e-3,
            ignores_hazards: profile.ignores_hazards,
            ..Body::default()
        };
        let space = configuration_space(&level, None, &[], shape);
        let mut finder = PathFinder::new();
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        let (mut found, mut stuns) = (0, 0);
        for _ in 0..120 {
            let (from, to) = (spot(layer, next(), next()), spot(layer, next(), next()));
            let query = Query::new(from, to);
            let cost = match finder.find(layer, &query).unwrap() {
                PathOutcome::Found(path) => {
                    steps_made.extend(path.steps.iter().map(|s| (profile.name.clone(), s.kind)));
                    path.cost
                }
                _ => continue,
            };
            found += 1;
            let mut agent = NavAgent::new(layer, from);
            agent.step(Environment::new(layer), &mut finder, 0.0);
            agent.go_to(to);
            let dt = 1.0 / (20.0 + (next() % 100) as f32);
            let limit = 3.0 * cost + 4.0;
            let mut time = 0.0;
            let mut before = agent.pose().position;
            let stun_at = (next() % 3 == 0).then_some(0.4 * cost);
            loop {
                if stun_at.is_some_and(|at| time <= at && at < time + f64::from(dt)) {
                    // An agent that climbs still holds on after a stun.
                    let climbed = agent.pose().activity == Activity::Climbing;
                    agent.disable();
                    agent.enable();
                    agent.step(Environment::new(layer), &mut finder, 0.0);
                    if climbed {
                        stuns += 1;
                        assert_eq!(agent.pose().position, before, "{}", profile.name);
                    }
                    // From the air it may fall to where no path leads on.
                    if matches!(
                        agent.pose().activity,
                        Activity::Dropping | Activity::Launched | Activity::Stranded(_)
                    ) {
                        break;
                    }
                }
                let pose = agent.step(Environment::new(layer), &mut finder, dt);
                time += f64::from(dt);
                let p = pose.position;
                let feet = DVec2::new(f64::from(p.x), f64::from(p.y));
                assert!(!space.blocked(feet), "{} at {p}: {pose:?}", profile.name);
                let moved = (p - before).abs();
                assert!(
                    moved.x <= profile.run_speed * dt * 1.01 + 1e-2,
                    "{}: {moved} in {dt} s",
                    profile.name
                );
                if pose.activity == Activity::Climbing {
                    let speed = pose.velocity.length();
                    assert!(speed <= profile.climb_speed * 1.001, "{speed}");
                }
                before = p;
                if has_event!(agent.events(), AgentEvent::Arrived { .. }) {
                    assert!(p.distance(to) < 1.0, "{}: {p}, not {to}", profile.name);
                    break;
                }
                let lost = matches!(pose.activity, Activity::Idle(_)) && time > 1.0;
                assert!(
                    time < limit && !lost,
                    "{}: {from} to {to}: {pose:?} after {time} s, path of {cost} s",
                    profile.name
                );
            }
        }
        assert!(found > 20, "{}: {found}", profile.name);
        let climbs = layer.platforms().any(|p| p.kind != PlatformKind::Floor);
        assert_eq!(climbs, profile.edges & EdgeSet::CLIMB != EdgeSet::NONE);
        assert!(!climbs || stuns > 0, "no agent was stunned while climbing");
    }
    for (agent, kind) in [
        ("diver", StepKind::DropThrough),
        ("fireman", StepKind::Ladder),
        ("gecko", StepKind::WallClimb),
        ("gecko", StepKind::CeilingClimb),
        ("acrobat", StepKind::Jump),
        ("ghost", StepKind::Drop),
    ] {
        let made = steps_made.iter().any(|(a, k)| a == agent && *k == kind);
        assert!(made, "no {agent} went by {kind:?}");
    }
}

/// Where a jump ends, two platforms may meet, for instance a ladder and the floor at its
/// top. A path to a new destination may begin on either.
#[test]
fn a_new_destination_in_a_jump_loses_no_path() {
    let (_, mesh) = movement();
    let mut jumps = 0;
    for layer in mesh.layers() {
        let mut finder = PathFinder::new();
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        let mut agent = NavAgent::new(layer, spot(layer, next(), next()));
        let mut was_in_the_air = false;
        for _ in 0..30_000 {
            let pose = agent.step(Environment::new(layer), &mut finder, 1.0 / 60.0);
            let lost = has_event!(agent.events(), AgentEvent::PathLost(_));
            assert!(!lost, "{}: {pose:?}", layer.profile().name);
            let is_in_the_air = matches!(pose.activity, Activity::Jumping | Activity::Dropping);
            let begins = is_in_the_air && !was_in_the_air;
            jumps += u32::from(begins);
            if begins || !pose.activity.is_moving() {
                agent.go_to(spot(layer, next(), next()));
            }
            was_in_the_air = is_in_the_air;
        }
    }
    assert!(jumps > 500, "{jumps}");
}

/// A slow agent takes longer on floors, through barriers, and on and off what
/// it climbs; the search expects that.
#[test]
fn a_slow_agent_takes_longer_for_every_step() {
    let (_, mesh) = movement();
    let mut finder = PathFinder::new();
    let (mut passed, mut climbed_on) = (0, 0);
    for layer in mesh.layers() {
        let speed = 0.4 * layer.profile().run_speed;
        let climb_speed = speed.min(layer.profile().climb_speed);
        for (a, b) in (0..60).map(|i| (i * 7 + 1, i * 13 + 5)) {
            let mut query = Query::new(spot(layer, a, b * 31), spot(layer, b, a * 17));
            query.profile = Some(AgentProfile {
                run_speed: speed,
                climb_speed,
                ..layer.profile().clone()
            });
            query.filter.replace_jumps = true;
            let PathOutcome::Found(path) = finder.find(layer, &query).unwrap() else {
                continue;
            };
            let mut sum = 0.0;
            for step in &path.steps {
                sum += f64::from(step.duration);
                let seconds = match step.kind {
                    StepKind::Floor => (step.to.x - step.from.x).abs() / speed,
                    StepKind::Ladder | StepKind::WallClimb | StepKind::CeilingClimb => {
                        step.from.distance(step.to) / climb_speed
                    }
                    _ => continue,
                };
                assert!((seconds - step.duration).abs() < 1e-4, "{seconds} {step:?}");
                if step.link.is_some() {
                    *(if step.kind == StepKind::Floor {
                        &mut passed
                    } else {
                        &mut climbed_on
                    }) += 1;
                }
            }
            assert!((sum - path.cost).abs() < 1e-3, "{sum} {}", path.cost);
        }
    }
    assert!(passed > 0 && climbed_on > 0, "{passed} {climbed_on}");
}

/// As in the guide `motion.md`: a new agent at the last position at which it had a hold
/// arrives where the saved one does. At its position in a jump over a pit it would not.
#[test]
fn saved_agents_arrive_after_loading() {
    let mut saves = 0;
    for level in ["ledges.tmx", "movement.tmx", "portals.tmx"] {
        let (_, mesh) = baked_as_configured(level);
        for layer in mesh.layers() {
            let (environment, mut finder) = (Environment::new(layer), PathFinder::new());
            for (a, b) in (0..12).map(|i| (i * 7 + 1, i * 13 + 5)) {
                let query = Query::new(spot(layer, a, b * 31), spot(layer, b, a * 17));
                let PathOutcome::Found(path) = finder.find(layer, &query).unwrap() else {
                    continue;
                };
                let (start, end, cost) = (path.start, path.end, path.cost);
                let mut agent = NavAgent::new(layer, start);
                agent.go_to(end);
                let mut held = start;
                for step in 0..(60.0 * cost) as u32 {
                    let pose = agent.step(environment, &mut finder, 1.0 / 60.0);
                    if let Activity::Idle(_)
                    | Activity::Running
                    | Activity::Climbing
                    | Activity::Flying = pose.activity
                    {
                        held = pose.position;
                    } else if step % 5 == 0 {
                        let mut loaded = NavAgent::new(layer, held);
                        loaded.go_to(end);
                        for _ in 0..(90.0 * cost) as u32 + 60 {
                            loaded.step(environment, &mut finder, 1.0 / 60.0);
                        }
                        let pose = loaded.pose();
                        let is_there = pose.position.distance(end) < 1e-2;
                        assert!(is_there, "{level}: {pose:?} from {held} to {end}");
                        saves += 1;
                    }
                }
            }
        }
    }
    assert!(saves > 100, "{saves}");
}
