//! Launches and stuns.

use crate::levels;
use crate::soak;

use glam::Vec2;
use levels::{Dice, Level, SPACING, gap, settle, walking, wall_and_gap, with_doors};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent, Stranded};
use navmesh_runtime::search::{Doors, PathFinder, Rect, SnapTo};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// An agent at rest at a place, with a destination.
fn agent(level: &Level, at: Vec2, to: Vec2, finder: &mut PathFinder) -> NavAgent {
    let mut agent = NavAgent::new(level.layer(), at);
    agent.step(Environment::new(level.layer()), finder, 0.0);
    agent.go_to(to);
    agent
}

#[test]
fn a_launched_agent_flies_a_parabola_lands_and_goes_on() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let (at, to) = (Vec2::new(20.0, 144.0), Vec2::new(30.0, 144.0));
    let mut agent = agent(&level, at, to, &mut finder);
    agent.launch(Vec2::new(60.0, -200.0));
    let mut time = 0.0;
    while time < 0.48 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        time += DT;
        let expected = at + Vec2::new(60.0, -200.0) * time + Vec2::new(0.0, 400.0) * time * time;
        assert!(
            pose.position.distance(expected) < 1e-2,
            "{pose:?} {expected}"
        );
        assert_eq!(pose.activity, Activity::Launched);
        let falls = Vec2::new(60.0, -200.0 + 800.0 * time);
        assert!(pose.velocity.distance(falls) < 1e-2, "{pose:?}");
    }
    let events = settle(&mut agent, &level, &mut finder);
    let landed = Vec2::new(20.0 + 60.0 * 0.5, 144.0);
    assert!(
        matches!(events[..], [AgentEvent::Landed { at }, AgentEvent::Arrived { at: there }]
            if at.distance(landed) < 1e-3 && there == to),
        "{events:?}"
    );
}

#[test]
fn walls_and_ceilings_stop_a_launched_agent() {
    let (level, mut finder) = (wall_and_gap(), PathFinder::new());
    let environment = Environment::new(level.layer());
    let at = Vec2::new(180.0, 96.0);
    // The wall begins at 224, so feet get no farther than 218.
    let mut one = agent(&level, at, at, &mut finder);
    one.launch(Vec2::new(400.0, -150.0));
    let mut farthest = 0.0_f32;
    while one.step(environment, &mut finder, DT).activity == Activity::Launched {
        farthest = farthest.max(one.pose().position.x);
    }
    assert!((218.0 - SPACING..=218.0).contains(&farthest), "{farthest}");
    // The top of the level is a ceiling.
    let mut one = agent(&level, at, at, &mut finder);
    one.launch(Vec2::new(0.0, -2000.0));
    let mut highest = f32::INFINITY;
    while one.step(environment, &mut finder, DT).activity == Activity::Launched {
        highest = highest.min(one.pose().position.y);
    }
    assert!((0.0..=2.0 * SPACING).contains(&highest), "{highest}");
    assert_eq!(one.pose().position, at);
}

/// Beside a wall, vertices do not show that the body is free. It is not inside the door
/// for that reason.
#[test]
fn an_agent_between_a_wall_and_a_door_is_not_launched_into_the_door() {
    let (level, mut finder) = (wall_and_gap(), PathFinder::new());
    let at = Vec2::new(217.0, 96.0);
    // The body reaches from 211 to 223.
    for right in [211.0, 209.0] {
        let mut doors = Doors::new();
        doors.close_region(Rect::new(Vec2::new(150.0, 0.0), Vec2::new(right, 96.0)));
        let environment = with_doors(level.layer(), &doors);
        for push in [Vec2::new(-300.0, -100.0), Vec2::new(0.0, -200.0)] {
            let mut agent = agent(&level, at, at, &mut finder);
            agent.launch(push);
            for _ in 0..120 {
                let pose = agent.step(environment, &mut finder, DT);
                assert!(pose.position.x > right + 5.9, "{push}: {pose:?}");
            }
            assert_eq!(agent.pose().position.y, at.y, "{push}");
        }
    }
}

#[test]
fn a_door_that_closes_before_a_launched_agent_stops_it() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let at = Vec2::new(20.0, 144.0);
    for is_stunned in [false, true] {
        let mut agent = agent(&level, at, at, &mut finder);
        if is_stunned {
            agent.stun();
        }
        agent.launch(Vec2::new(150.0, -200.0));
        let mut doors = Doors::new();
        for frame in 0..60 {
            if frame == 6 {
                doors.close_region(Rect::new(Vec2::new(56.0, 0.0), Vec2::new(64.0, 144.0)));
            }
            let environment = with_doors(level.layer(), &doors);
            let pose = agent.step(environment, &mut finder, DT);
            assert!(pose.position.x < 50.1, "{is_stunned}: {pose:?}");
        }
        assert_eq!(agent.pose().position.y, at.y, "{is_stunned}");
    }
}

/// A body that is partly inside a door can leave it by the nearest side, and is not
/// thrown through it.
#[test]
fn an_agent_is_not_thrown_through_the_door_that_it_overlaps() {
    let (level, mut finder) = (gap(), PathFinder::new());
    // The body reaches from 44 to 56.
    let at = Vec2::new(50.0, 144.0);
    for overlap in [0.01, 0.05, 1.0, 5.0] {
        let mut doors = Doors::new();
        let corners = [
            Vec2::new(56.0 - overlap, 0.0),
            Vec2::new(66.0 - overlap, 144.0),
        ];
        doors.close_region(Rect::new(corners[0], corners[1]));
        let environment = with_doors(level.layer(), &doors);
        for side in [1.0, -1.0] {
            let mut agent = agent(&level, at, at, &mut finder);
            agent.stun();
            agent.launch(Vec2::new(side * 100.0, -100.0));
            for _ in 0..60 {
                let pose = agent.step(environment, &mut finder, DT);
                assert!(pose.position.x < at.x + 0.01, "{overlap} {side}: {pose:?}");
            }
            let end = agent.pose().position;
            assert_eq!(end.y, at.y, "{overlap} {side}");
            assert!(side > 0.0 || end.x < at.x - 20.0, "{overlap} {side}: {end}");
        }
    }
}

#[test]
fn an_agent_launched_into_a_pit_leaves_the_level() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let environment = Environment::new(level.layer());
    let mut agent = agent(
        &level,
        Vec2::new(170.0, 144.0),
        Vec2::new(150.0, 144.0),
        &mut finder,
    );
    agent.launch(Vec2::new(90.0, -100.0));
    let mut speed = 0.0;
    for _ in 0..240 {
        let pose = agent.step(environment, &mut finder, DT);
        if pose.activity == Activity::Launched && pose.velocity.y > 0.0 {
            // Also below the level: one that leaves it at rest would hang there.
            assert!(pose.velocity.y > speed, "{pose:?}");
            speed = pose.velocity.y;
        }
    }
    assert_eq!(
        agent.pose().activity,
        Activity::Stranded(Stranded::LeftLevel)
    );
    assert!(
        agent.pose().position.y > level.size().y,
        "{}",
        agent.pose().position
    );
    agent.teleport(Vec2::new(60.0, 144.0));
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
}

/// A hit does not bring an agent back that is below the level already.
#[test]
fn an_agent_launched_below_the_level_falls_on() {
    for edges in [walking(), EdgeSet::FLY] {
        let level = Level::parse(&["...................."; 6], edges);
        let (bottom, mut finder) = (level.size().y, PathFinder::new());
        let environment = Environment::new(level.layer());
        let mut agent = NavAgent::new(level.layer(), Vec2::new(100.0, 40.0));
        agent.stun();
        let (mut lowest, mut is_hit) = (0.0, false);
        for _ in 0..240 {
            let pose = agent.step(environment, &mut finder, DT);
            assert!(pose.position.y >= lowest, "{edges:?}: {pose:?}");
            lowest = pose.position.y;
            if !is_hit && lowest > bottom + 2.0 {
                agent.launch(Vec2::new(50.0, 10.0));
                is_hit = true;
            }
        }
        assert!(is_hit && lowest > bottom + 20.0, "{edges:?}: {lowest}");
    }
}

#[test]
fn a_stunned_agent_falls_and_lies_where_it_lands() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let environment = Environment::new(level.layer());
    let to = Vec2::new(290.0, 144.0);
    let mut agent = agent(&level, Vec2::new(20.0, 144.0), to, &mut finder);
    for _ in 0..20 {
        agent.step(environment, &mut finder, DT);
    }
    // On a floor it stops at once.
    agent.stun();
    let at = agent.pose().position;
    for _ in 0..20 {
        let pose = agent.step(environment, &mut finder, DT);
        assert_eq!((pose.activity, pose.position), (Activity::Disabled, at));
    }
    agent.enable();
    while agent.step(environment, &mut finder, DT).activity != Activity::Jumping {}
    agent.step(environment, &mut finder, DT);
    // In a jump it goes on falling, and lies where it lands.
    agent.stun();
    let mut events = Vec::new();
    for _ in 0..120 {
        let pose = agent.step(environment, &mut finder, DT);
        assert_eq!(pose.activity, Activity::Disabled);
        assert!(!level.is_blocked(pose.position), "{pose:?}");
        events.extend_from_slice(agent.events());
    }
    assert!(
        matches!(events.last(), Some(AgentEvent::Landed { at }) if *at == agent.pose().position)
    );
    // A hit throws it, and it stays stunned.
    agent.launch(Vec2::new(0.0, -100.0));
    let pose = agent.step(environment, &mut finder, DT);
    assert_eq!(pose.activity, Activity::Disabled);
    assert!(pose.velocity.y < -80.0);
    agent.enable();
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().position, to);
}

#[test]
fn an_agent_held_above_a_pit_falls_out_of_the_level_when_it_is_enabled() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let environment = Environment::new(level.layer());
    let above_the_pit = Vec2::new(202.0, 100.0);
    for holds in [true, false] {
        let mut agent = agent(&level, Vec2::new(100.0, 144.0), above_the_pit, &mut finder);
        agent.disable();
        agent.teleport(above_the_pit);
        for _ in 0..60 {
            let pose = agent.step(environment, &mut finder, DT);
            assert_eq!(
                (pose.activity, pose.position),
                (Activity::Disabled, above_the_pit)
            );
        }
        if holds {
            agent.enable();
        } else {
            agent.launch(Vec2::ZERO);
        }
        for _ in 0..240 {
            agent.step(environment, &mut finder, DT);
        }
        assert!(
            agent.pose().position.y > level.size().y,
            "{:?}",
            agent.pose()
        );
        agent.enable();
        let pose = agent.step(environment, &mut finder, DT);
        assert_eq!(pose.activity.name(), "stranded", "{holds}");
    }
}

#[test]
fn an_agent_that_flies_catches_itself_and_falls_when_stunned() {
    let level = Level::under_air(12, &["####################"], EdgeSet::FLY);
    let environment = Environment::new(level.layer());
    let mut finder = PathFinder::new();
    let at = Vec2::new(100.0, 100.0);
    let mut agent = agent(&level, at, at, &mut finder);
    agent.launch(Vec2::new(300.0, 0.0));
    while agent.step(environment, &mut finder, DT).activity == Activity::Launched {
        assert_eq!(agent.pose().position.y, 100.0);
    }
    // At 300 units/s, braking at 900 units/s² takes 50 units.
    assert!(
        (agent.pose().position.x - 150.0).abs() < 0.1,
        "{:?}",
        agent.pose()
    );
    settle(&mut agent, &level, &mut finder);
    assert!(agent.pose().position.distance(at) < SPACING);
    agent.stun();
    for _ in 0..120 {
        agent.step(environment, &mut finder, DT);
    }
    assert!(
        (agent.pose().position.y - 192.0).abs() < 1e-2,
        "it lies on the ground"
    );
    agent.enable();
    settle(&mut agent, &level, &mut finder);
    assert!(agent.pose().position.distance(at) < SPACING);
}

/// Thrown about at random, an agent never enters geometry, its position is
/// continuous, and in the end it is at a legal place or out of the level.
fn throw_about(seed: u64) -> Result<(), TestCaseError> {
    let dice = &mut Dice(seed);
    let edges = [
        walking(),
        walking(),
        EdgeSet::FLY,
        EdgeSet::ALL - EdgeSet::CLIMB,
    ][dice.below(4) as usize];
    let level = Level::random(12 + dice.below(14), 8 + dice.below(6), edges, dice);
    let environment = Environment::new(level.layer());
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
    for _ in 0..12 {
        let mut before = agent.step(environment, &mut finder, 0.0);
        let push = Vec2::new(dice.between(-400.0, 400.0), dice.between(-400.0, 300.0));
        match dice.below(4) {
            0 => agent.stun(),
            1 => agent.go_to(level.somewhere(dice)),
            2 => agent.enable(),
            _ => agent.launch(push),
        }
        for _ in 0..dice.below(60) {
            let dt = dice.between(0.001, 0.05);
            let pose = agent.step(environment, &mut finder, dt);
            let fastest = pose
                .velocity
                .length()
                .max(before.velocity.length())
                .max(300.0)
                + push.length();
            prop_assert!(
                pose.position.distance(before.position) <= (fastest + 800.0 * dt) * dt + 3.0,
                "its position jumped: {:?} {:?}",
                before,
                pose
            );
            prop_assert!(
                !level.is_blocked(pose.position) || matches!(pose.activity, Activity::Stranded(_)),
                "it is inside geometry: {:?} {:?}",
                before,
                pose
            );
            before = pose;
        }
    }
    agent.enable();
    agent.stop();
    for _ in 0..600 {
        agent.step(environment, &mut finder, DT);
    }
    let at = agent.pose().position;
    let stands = level.layer().snap(at, SnapTo::FloorBelow(0.1)).is_some();
    let hovers = edges.contains(EdgeSet::FLY);
    prop_assert!(
        matches!(agent.pose().activity, Activity::Stranded(_)) || stands || hovers,
        "{:?}",
        agent
    );
    Ok(())
}

// In that case it is stunned in a gap as wide as half a spacing, between whose vertices
// nothing is known: it follows its trajectory until it is out of the gap.
#[test]
fn a_stunned_agent_stays_in_a_narrow_gap() {
    throw_about(1_526_220_345_654_846_924).unwrap();
}

proptest! {
    #![proptest_config(soak::cases(20))]

    #[test]
    fn a_launched_agent_never_enters_geometry(seed in any::<u64>()) {
        throw_about(seed)?;
    }

    /// Agents cannot stand on doors, and none hangs in the air while it is stunned.
    #[test]
    fn a_stunned_agent_lies_on_a_floor_whatever_doors_close(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let edges = [walking(), EdgeSet::FLY, EdgeSet::ALL - EdgeSet::CLIMB][dice.below(3) as usize];
        let level = Level::random(12 + dice.below(14), 8 + dice.below(6), edges, dice);
        let mut finder = PathFinder::new();
        for _ in 0..12 {
            let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
            agent.step(Environment::new(level.layer()), &mut finder, 0.0);
            agent.stun();
            agent.launch(Vec2::new(dice.between(-400.0, 400.0), dice.between(-400.0, 300.0)));
            let mut doors = Doors::new();
            for frame in 0..400 {
                if frame < 60 && dice.below(4) == 0 {
                    let corner = level.somewhere(dice);
                    let size = Vec2::new(dice.between(4.0, 40.0), dice.between(4.0, 60.0));
                    doors.close_region(Rect::new(corner, corner + size));
                }
                let environment = with_doors(level.layer(), &doors);
                let pose = agent.step(environment, &mut finder, DT);
                prop_assert!(!level.is_blocked(pose.position) , "{pose:?}");
            }
            let at = agent.pose().position;
            // At the end of a floor, the body overlaps it by less than the tiles show.
            let lies = level.layer().snap(at, SnapTo::FloorBelow(0.1)).is_some();
            let below = at + Vec2::new(0.0, 0.1);
            // Vertices do not show that a gap is free which is as narrow as the spacing.
            let (grid, blocked) = (level.layer().grid(), &level.layer().parts().blocked);
            let is_gap = [-0.5, 0.5].into_iter().all(|side| {
                let cell = grid.nearest_cell(at + SPACING * Vec2::new(side, 1.0));
                blocked.get(cell.column, cell.row)
            });
            let is_down = lies || level.is_blocked(below) || is_gap || at.y > level.size().y;
            prop_assert!(is_down, "{edges:?} {agent:?}");
        }
    }

    /// The length of steps does not change a launch.
    #[test]
    fn any_partition_of_a_launch_ends_in_the_same_place(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(20, 12, walking(), dice);
        let environment = Environment::new(level.layer());
        let mut finder = PathFinder::new();
        let mut whole = NavAgent::new(level.layer(), level.somewhere(dice));
        settle(&mut whole, &level, &mut finder);
        whole.launch(Vec2::new(dice.between(-300.0, 300.0), dice.between(-300.0, 100.0)));
        let mut parts = whole.clone();
        for _ in 0..10 {
            let a = whole.step(environment, &mut finder, 0.25);
            for _ in 0..16 {
                parts.step(environment, &mut finder, 0.015_625);
            }
            let b = parts.pose();
            prop_assert!(a.position.distance(b.position) < 1e-2, "{a:?} {b:?}");
        }
    }
}

/// A mesh does not show that the body can fall between an edge and a door.
#[test]
fn a_stunned_flier_does_not_hang_between_an_edge_and_a_door() {
    let rows = [
        "..............#####.",
        "....................",
        "####################",
    ];
    for edges in [EdgeSet::FLY, EdgeSet::ALL - EdgeSet::CLIMB] {
        let (level, mut finder) = (Level::under_air(5, &rows, edges), PathFinder::new());
        // The edge is at (224, 80): the body passes it at a distance of 3, and above it the
        // door closes on the body, or beside it is closed already.
        let beside_the_edge = (Vec2::new(215.0, 60.0), 76.0, 110.0);
        let beside_the_wall = (Vec2::new(217.0, 90.0), 0.0, 128.0);
        for (at, closes, bottom) in [beside_the_edge, beside_the_wall] {
            let mut agent = NavAgent::new(level.layer(), at);
            agent.stun();
            let mut doors = Doors::new();
            for _ in 0..120 {
                if doors.closed().is_empty() && agent.pose().position.y > closes {
                    doors.close_region(Rect::new(Vec2::new(186.0, 0.0), Vec2::new(211.0, bottom)));
                }
                let environment = with_doors(level.layer(), &doors);
                let pose = agent.step(environment, &mut finder, DT);
                assert!(!level.is_blocked(pose.position), "{edges:?} {at}: {pose:?}");
            }
            let end = agent.pose().position;
            assert!((end.y - 112.0).abs() < 1e-2, "{edges:?} {at}: {end}");
        }
    }
}

/// What the game has disabled it moves itself.
#[test]
fn a_stun_moves_no_disabled_agent() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let at = Vec2::new(20.0, 60.0);
    let mut agent = NavAgent::new(level.layer(), at);
    agent.disable();
    agent.stun();
    for _ in 0..30 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        assert_eq!((pose.position, pose.activity), (at, Activity::Disabled));
    }
}
