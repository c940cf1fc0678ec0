//! Doors that close before agents that move otherwise than baked, and doors
//! that are replaced by others.

use crate::levels;

use glam::Vec2;
use levels::{Dice, Level, gap, sent, walking, wide_floors, with_doors};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, LinkId};
use navmesh_runtime::motion::{Activity, AgentEvent, Airborne, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{NoPath, PathFinder, PathOutcome, Query, Rect};

const DT: f32 = 1.0 / 60.0;

/// Whether a body overlaps a door by more than 0.1 units.
fn overlaps(door: Rect, feet: Vec2) -> bool {
    feet.x + 5.9 > door.min.x
        && feet.x - 5.9 < door.max.x
        && feet.y - 0.1 > door.min.y
        && feet.y - 15.9 < door.max.y
}

/// A slow agent jumps higher than baked: a door may be on its trajectory and not
/// on the baked one.
#[test]
fn doors_are_checked_on_the_agents_own_trajectory() {
    let (mut shut, mut flown) = (0, 0);
    for seed in 0..24 {
        let level = Level::random(14, 10, walking(), &mut Dice(seed));
        let (layer, mut finder) = (level.layer(), PathFinder::new());
        let fast = layer.profile().clone();
        let slow = AgentProfile {
            run_speed: 0.5 * fast.run_speed,
            ..fast.clone()
        };
        for (link, id) in layer.links().iter().zip(0..) {
            let own = Airborne::along(link, layer, &slow);
            let baked = Airborne::along(link, layer, &fast);
            let (Some(mut own), Some(mut baked)) = (own, baked) else {
                continue;
            };
            // A door where its head is in the middle of the jump, and where no
            // part of a body on the baked trajectory is.
            own.advance(own.duration() / 2.0);
            let head = own.position() - Vec2::new(0.0, 16.0);
            let door = Rect::new(head - Vec2::new(2.0, 0.0), head + Vec2::new(2.0, 2.0));
            let mut is_met = overlaps(door, link.from) || overlaps(door, link.to);
            while baked.advance(0.005).is_none() {
                is_met |= overlaps(door, baked.position() + Vec2::new(0.0, 0.2));
            }
            // It has some distance to run.
            let floor = layer.platform(link.from_platform).unwrap();
            let inwards = 10.0 * (floor.left().x + floor.right().x - 2.0 * link.from.x).signum();
            let mut agent = NavAgent::new(layer, floor.clamp(link.from.x + inwards));
            agent.set_profile(slow.clone()).unwrap();
            agent.go_to(link.to);
            agent.step(Environment::new(layer), &mut finder, 0.0);
            let first = agent.remaining_path().iter().find_map(|step| step.link);
            if is_met || first != Some(LinkId(id)) || agent.pose().activity != Activity::Running {
                continue;
            }
            let mut doors = Doors::new();
            doors.close_region(door);
            shut += 1;
            for _ in 0..120 {
                let pose = agent.step(with_doors(layer, &doors), &mut finder, DT);
                let is_in_the_air = matches!(pose.activity, Activity::Jumping | Activity::Dropping);
                flown += u32::from(is_in_the_air);
                assert!(
                    !is_in_the_air || !overlaps(door, pose.position),
                    "seed {seed}: it jumps through the door: {pose:?}"
                );
            }
        }
    }
    assert!(shut > 10 && flown > 100, "{shut} {flown}");
}

/// The agent is out of the door before it can say whether there is a path.
#[test]
fn an_agent_that_lands_in_a_closed_door_has_not_lost_its_destination() {
    let level = wide_floors();
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut agent = sent(layer, [20.0, 144.0], [290.0, 144.0]);
    while !matches!(agent.pose().activity, Activity::Jumping) {
        agent.step(Environment::new(layer), &mut finder, DT);
    }
    let mut doors = Doors::new();
    doors.close_region(Rect::new(Vec2::new(180.0, 80.0), Vec2::new(220.0, 144.0)));
    let mut events = Vec::new();
    for _ in 0..300 {
        agent.step(with_doors(layer, &doors), &mut finder, DT);
        events.extend(agent.events().iter().map(AgentEvent::name));
    }
    assert_eq!(events, ["path_lost", "landed", "caught_in_door", "arrived"]);
}

/// Two sets of doors with the same number of changes.
#[test]
fn changed_doors_are_noticed_by_their_regions() {
    let level = Level::under_air(2, &["####################"], walking());
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let closed = |x: f32| {
        let mut doors = Doors::new();
        doors.close_region(Rect::new(Vec2::new(x, 0.0), Vec2::new(x + 8.0, 32.0)));
        doors
    };
    let behind = closed(0.0);
    let mut agent = sent(layer, [20.0, 32.0], [290.0, 32.0]);
    for _ in 0..20 {
        agent.step(with_doors(layer, &behind), &mut finder, DT);
    }
    let ahead = closed(150.0);
    for _ in 0..300 {
        let pose = agent.step(with_doors(layer, &ahead), &mut finder, DT);
        assert!(pose.position.x <= 144.0, "{pose:?}");
    }
    assert!(matches!(agent.pose().activity, Activity::Idle(_)));
    // A door that closes and opens between two steps is no change.
    let mut again = ahead.clone();
    let door = again.close_region(Rect::new(Vec2::new(50.0, 0.0), Vec2::new(58.0, 32.0)));
    again.open_region(door);
    agent.step(with_doors(layer, &again), &mut finder, DT);
    assert!(agent.events().is_empty());
}

/// A door closes on agents at rest and on the way, on floors and in the air.
#[test]
fn an_agent_caught_by_a_door_leaves_by_the_nearest_side() {
    let floor = Level::under_air(8, &["####################"], walking());
    let air = Level::under_air(8, &["####################"], EdgeSet::FLY);
    let door = Rect::new(Vec2::new(100.0, 0.0), Vec2::new(140.0, 128.0));
    let mut doors = Doors::new();
    doors.close_region(door);
    // The feet are outside at 94 and 146.
    for (x, to, ends) in [
        (110.0, None, 94.0),
        (130.0, None, 146.0),
        (130.0, Some(30.0), 146.0),
        (130.0, Some(300.0), 300.0),
        (110.0, Some(30.0), 30.0),
    ] {
        for level in [&floor, &air] {
            let (layer, mut finder) = (level.layer(), PathFinder::new());
            let open = Environment::new(layer);
            let at = |x: f32| {
                Vec2::new(
                    x,
                    if layer.profile().edges.walks() {
                        128.0
                    } else {
                        60.0
                    },
                )
            };
            let mut agent = NavAgent::new(layer, at(x));
            agent.step(open, &mut finder, DT);
            if let Some(to) = to {
                agent.go_to(at(to));
                agent.step(open, &mut finder, DT);
            }
            let shut = with_doors(open.layer, &doors);
            let mut caught = 0;
            for _ in 0..600 {
                agent.step(shut, &mut finder, DT);
                let is_caught =
                    |event: &&AgentEvent| matches!(event, AgentEvent::CaughtInDoor { .. });
                caught += agent.events().iter().filter(is_caught).count();
            }
            assert_eq!(caught, 1, "{x} {to:?}");
            let end = agent.pose().position;
            assert!((end.x - ends).abs() < 5.0, "{x} {to:?}: {end}");
            assert!(!overlaps(door, end));
        }
    }
}

/// Doors that touch, over the full height: the way out of the middle one leads through
/// others. And a door next to the nearest side: the other side is free.
#[test]
fn an_agent_enters_no_other_door_on_its_way_out_if_it_can() {
    let floor = Level::under_air(8, &["####################"], walking());
    let air = Level::under_air(8, &["####################"], EdgeSet::FLY);
    let row: &[[f32; 2]] = &[[120.0, 136.0], [136.0, 152.0], [152.0, 168.0]];
    // The end of the platform is at 6.
    let at_the_end: &[[f32; 2]] = &[[0.0, 20.0], [20.0, 30.0]];
    for (doors, x, ends, may_enter) in [
        (row, 145.0, 174.0, true),
        (row, 143.0, 114.0, true),
        (&[[100.0, 142.0], [152.0, 160.0]], 140.0, 94.0, false),
        (&[[152.0, 160.0], [100.0, 142.0]], 140.0, 94.0, false),
        // Inside another one.
        (&[[100.0, 172.0], [144.0, 148.0]], 137.0, 94.0, false),
        (at_the_end, 10.0, 36.0, true),
    ] {
        let regions = doors.iter().map(|&[left, right]| {
            let (top, bottom) = (Vec2::new(left, -99.0), Vec2::new(right, 200.0));
            Rect::new(top, bottom)
        });
        let mut doors = Doors::new();
        for region in regions.clone() {
            doors.close_region(region);
        }
        for (level, y) in [(&floor, 128.0), (&air, 60.0)] {
            let (layer, mut finder) = (level.layer(), PathFinder::new());
            let from = Vec2::new(x, y);
            let mut agent = NavAgent::new(layer, from);
            agent.step(Environment::new(layer), &mut finder, DT);
            let environment = with_doors(layer, &doors);
            let mut others: Vec<Rect> = regions.clone().collect();
            others.retain(|&door| !overlaps(door, from));
            for _ in 0..200 {
                let at = agent.step(environment, &mut finder, DT).position;
                let enters = others.iter().any(|&door| overlaps(door, at));
                assert!(may_enter || !enters, "{x}: {at}");
            }
            let end = agent.pose().position;
            assert!((end.x - ends).abs() < 5.0, "{x}: {end}");
            assert!(!regions.clone().any(|door| overlaps(door, end)), "{end}");
            // The vertex nearest to a flier may be inside the door.
            agent.go_to(Vec2::new(if ends > x { 290.0 } else { 30.0 }, y));
            for _ in 0..600 {
                agent.step(environment, &mut finder, DT);
            }
            let activity = agent.pose().activity;
            assert_eq!(activity, Activity::Idle(IdleReason::Arrived), "{x}");
        }
    }
}

/// A door closes on a flier at full speed, and the nearest side is behind it.
#[test]
fn a_flier_that_has_left_a_door_does_not_come_back() {
    let level = Level::under_air(8, &["####################"], EdgeSet::FLY);
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let open = Environment::new(layer);
    let mut left = 0;
    for frames in (20..120).step_by(7) {
        for behind in [8.0, 14.0, 20.0] {
            let mut agent = sent(layer, [20.0, 60.0], [290.0, 70.0]);
            for _ in 0..frames {
                agent.step(open, &mut finder, DT);
            }
            let at = agent.pose().position;
            let mut doors = Doors::new();
            let (min, max) = (Vec2::new(-behind, -40.0), Vec2::new(40.0, 30.0));
            let door = Rect::new(at + min, at + max);
            doors.close_region(door);
            let shut = with_doors(open.layer, &doors);
            let mut is_out = false;
            for _ in 0..600 {
                let at = agent.step(shut, &mut finder, DT).position;
                assert!(!is_out || !overlaps(door, at), "{frames} {behind}: {at}");
                is_out |= !overlaps(door, at);
            }
            left += u32::from(is_out);
        }
    }
    assert_eq!(left, 45);
}

/// A door closes on a flier at full speed that has only just touched it.
#[test]
fn a_flier_gets_no_deeper_into_the_door_that_it_touches() {
    let level = Level::under_air(8, &["####################"], EdgeSet::FLY);
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut agent = sent(layer, [20.0, 60.0], [290.0, 70.0]);
    for _ in 0..60 {
        agent.step(Environment::new(layer), &mut finder, DT);
    }
    let nose = agent.pose().position.x + 6.0;
    for overlap in [0.01, 0.5, 3.0] {
        let (min, max) = (Vec2::new(nose - overlap, 0.0), Vec2::new(nose + 2.0, 128.0));
        let mut doors = Doors::new();
        doors.close_region(Rect::new(min, max));
        let environment = with_doors(layer, &doors);
        let mut agent = agent.clone();
        for _ in 0..120 {
            let at = agent.step(environment, &mut finder, DT).position;
            assert!(at.x + 6.0 < nose + 1e-3, "{overlap}: {at}");
        }
        let end = agent.pose().position.x + 6.0;
        assert!(end <= min.x, "{overlap}: {end}");
    }
}

/// A jump that had begun ends inside the door.
#[test]
fn an_agent_that_lands_inside_a_door_leaves_it() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let open = Environment::new(level.layer());
    let mut agent = crate::commands::jumper(&level, &mut finder);
    let landing = agent.remaining_path().first().map(|step| step.from);
    let landing = landing.unwrap_or(Vec2::new(290.0, 144.0));
    let door = Rect::new(
        landing - Vec2::new(10.0, 40.0),
        landing + Vec2::new(10.0, 0.0),
    );
    let mut doors = Doors::new();
    doors.close_region(door);
    let mut events = Vec::new();
    for _ in 0..600 {
        agent.step(with_doors(open.layer, &doors), &mut finder, DT);
        events.extend_from_slice(agent.events());
    }
    let caught = events
        .iter()
        .filter(|e| matches!(e, AgentEvent::CaughtInDoor { .. }));
    assert_eq!(caught.count(), 1, "{events:?}");
    assert!(!overlaps(door, agent.pose().position), "{:?}", agent.pose());
}

/// Each door makes it plan again; only many in one step are too many.
#[test]
fn an_agent_does_not_give_up_after_some_doors() {
    let level = Level::under_air(2, &["####################"], walking());
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 32.0));
    agent.set_allow_partial_path(true);
    agent.go_to(Vec2::new(290.0, 32.0));
    let (open, mut shut) = (Doors::new(), Doors::new());
    shut.close_region(Rect::new(Vec2::new(200.0, 0.0), Vec2::new(208.0, 32.0)));
    let mut lost = 0;
    for frame in 0..600 {
        let doors = if frame < 24 && frame % 4 < 2 {
            &open
        } else {
            &shut
        };
        agent.step(Environment { layer, doors }, &mut finder, DT);
        let is_lost = |event: &&AgentEvent| matches!(event, AgentEvent::PathLost(_));
        lost += agent.events().iter().filter(is_lost).count();
    }
    assert_eq!(lost, 6);
    assert!((agent.pose().position.x - 194.0).abs() < 1.0, "{agent:?}");
}

#[test]
fn a_door_that_opens_lets_an_agent_through_on_its_way_to_the_nearest_point() {
    let level = Level::under_air(2, &["####################"], walking());
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut doors = Doors::new();
    let id = doors.close_region(Rect::new(Vec2::new(200.0, 0.0), Vec2::new(208.0, 32.0)));
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 32.0));
    agent.set_allow_partial_path(true);
    let to = Vec2::new(290.0, 32.0);
    agent.go_to(to);
    for frame in 0..600 {
        if frame == 20 {
            assert_eq!(agent.pose().activity, Activity::Running);
            doors.open_region(id);
        }
        let environment = with_doors(layer, &doors);
        agent.step(environment, &mut finder, DT);
    }
    assert_eq!(agent.pose().position, to);
}

#[test]
fn a_flier_caught_between_a_door_and_a_wall_leaves_by_the_other_side() {
    let row = "..........#.........";
    let mut rows = vec![row; 8];
    rows.push("####################");
    let level = Level::parse(&rows, EdgeSet::FLY);
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut agent = NavAgent::new(layer, Vec2::new(150.0, 60.0));
    agent.step(Environment::new(layer), &mut finder, DT);
    let mut doors = Doors::new();
    let door = Rect::new(Vec2::new(120.0, 0.0), Vec2::new(158.0, 128.0));
    doors.close_region(door);
    for _ in 0..300 {
        let environment = with_doors(layer, &doors);
        let at = agent.step(environment, &mut finder, DT).position;
        assert!(!level.is_blocked(at), "{at}");
    }
    let end = agent.pose().position;
    assert!(end.x < 114.0 && end.x > 100.0, "{end}");
}

/// A small door in a large one closes no less than the large one.
#[test]
fn doors_may_lie_in_other_doors() {
    let level = Level::under_air(2, &["####################"], walking());
    let (layer, mut finder) = (level.layer(), PathFinder::new());
    let mut doors = Doors::new();
    for [from, to] in [[100.0, 200.0], [120.0, 130.0]] {
        doors.close_region(Rect::new(Vec2::new(from, 0.0), Vec2::new(to, 32.0)));
    }
    let mut query = Query::new(Vec2::new(290.0, 32.0), Vec2::new(180.0, 32.0));
    query.filter.close_doors(&doors);
    let outcome = finder.find(layer, &query).unwrap();
    assert_eq!(outcome, PathOutcome::NoPath(NoPath::GoalClosed));
}
