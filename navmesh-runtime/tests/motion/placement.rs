//! Finding a place to be: falls, and layers of other levels and agents.

use crate::commands::jumper;
use crate::levels;

use glam::Vec2;
use levels::{Dice, Level, SPACING, gap, sent, settle, walking, wall_and_gap};
use navmesh_runtime::mesh::{Direction, EdgeSet, Layer, OneWayBarrier, Platforms};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, IdleReason, NavAgent, PathLostReason, Stranded,
};
use navmesh_runtime::search::{PathFinder, SnapTo};

const DT: f32 = 1.0 / 60.0;

#[test]
fn an_agent_in_the_air_falls_to_a_floor_or_is_stranded() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(40.0, 30.0));
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(pose.activity, Activity::Dropping);
    let fallen = 0.5 * 800.0 * DT * DT;
    assert!((pose.position.y - 30.0 - fallen).abs() < 1e-4);
    let events = settle(&mut agent, &level, &mut finder);
    assert_eq!(
        events,
        [AgentEvent::Landed {
            at: Vec2::new(40.0, 80.0)
        }]
    );
    assert_eq!(
        agent.pose().activity,
        Activity::Idle(IdleReason::NoDestination)
    );

    // Over the pit there is nothing.
    agent.teleport(Vec2::new(202.0, 100.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(
        agent.pose().activity,
        Activity::Stranded(Stranded::NothingBelow)
    );
    assert_eq!(
        agent.events(),
        [AgentEvent::Stranded(Stranded::NothingBelow)]
    );
    // A new destination does not help, a teleport does.
    agent.go_to(Vec2::new(20.0, 144.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(
        agent.pose().activity,
        Activity::Stranded(Stranded::NothingBelow)
    );
    agent.teleport(Vec2::new(60.0, 144.0));
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    agent.teleport(Vec2::new(f32::NAN, 0.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(
        agent.pose().activity,
        Activity::Stranded(Stranded::NotFinite)
    );
}

#[test]
fn a_fall_beside_a_wall_avoids_the_wall() {
    let level = wall_and_gap();
    let mut finder = PathFinder::new();
    let environment = Environment::new(level.layer());
    // Touching the wall on either side, and away from it.
    for (x, moves) in [(217.9, true), (246.1, true), (180.0, false), (183.0, false)] {
        let at = Vec2::new(x, 70.0);
        assert!(!level.is_blocked(at));
        let mut agent = NavAgent::new(level.layer(), at);
        loop {
            let pose = agent.step(environment, &mut finder, 0.004);
            assert!(!level.is_blocked(pose.position), "{pose:?}");
            if !pose.activity.is_moving() {
                break;
            }
        }
        let end = agent.pose().position;
        assert_eq!(end.y, 96.0);
        assert_eq!((end.x - x).abs() > 1e-3, moves, "{end}");
        assert!((end.x - x).abs() <= SPACING);
    }
}

/// The nearest column that is free all the way down is behind the one-way wall.
#[test]
fn a_fall_beside_a_wall_passes_no_one_way_wall_against_its_direction() {
    let rows = ["....................", "#####..............."];
    let text = [rows.as_slice(), &["####################"]].concat();
    let level = Level::under_air(4, &text, walking());
    // Columns of vertices are at 84, which the wall blocks below, and at 92.
    let at = Vec2::new(87.0, 60.0);
    let fall = |layer: &Layer| {
        let rest = layer.snap(at, SnapTo::Rest).unwrap();
        (rest.fall_x.unwrap(), rest.position)
    };
    let [on_wall, beside] = [Vec2::new(84.0, 80.0), Vec2::new(92.0, 96.0)];
    assert_eq!(fall(level.layer()), (beside.x, beside));
    for (pass, to) in [(Direction::Left, on_wall), (Direction::Right, beside)] {
        let mesh = level.with(|layer| {
            layer.barriers.push(OneWayBarrier {
                pass,
                at: 90.0,
                low: 0.0,
                high: 96.0,
            });
        });
        assert_eq!(fall(&mesh.layers()[0]), (to.x, to), "{pass:?}");
    }
}

/// The bake splits a floor at a one-way wall. A body above the split lands on the side
/// of the wall that it is on.
#[test]
fn a_fall_onto_a_floor_that_is_split_at_a_one_way_wall_ends_before_the_wall() {
    let level = Level::under_air(4, &["####################"], walking());
    let [low, split, high] = [6.0, 100.0, 314.0];
    // The parts end 0.002 apart; the wall is in the middle.
    for (pass, aside) in [(Direction::Left, -5e-4), (Direction::Right, 5e-4)] {
        let mesh = level.with(|layer| {
            let floor = |left: f32, right: f32| [left, right].map(|x| Vec2::new(x, 64.0)).to_vec();
            let floors = [floor(low, split - 1e-3), floor(split + 1e-3, high)];
            layer.platforms = Platforms::new(&floors).unwrap();
            layer.barriers.push(OneWayBarrier {
                pass,
                at: split,
                low: 0.0,
                high: 64.0,
            });
        });
        let at = Vec2::new(split + aside, 30.0);
        let found = mesh.layers()[0].snap(at, SnapTo::Rest).unwrap();
        let is_fall = found.fall_x == Some(at.x);
        let end = found.position.x;
        assert!(
            is_fall && (end - split) * aside > 0.0,
            "{pass:?}: {found:?}"
        );
    }
}

/// In a gap narrower than the grid's spacing, below the floors on both sides.
#[test]
fn an_agent_in_a_narrow_gap_falls() {
    let floors = ["#####.####", "..........", "#####.####", "#####.####"];
    let text = [floors.as_slice(), &["..........", "##########"]].concat();
    let level = Level::under_air(2, &text, walking());
    let (layer, bottom) = (level.layer(), 112.0);
    for x in [86.5, 88.0, 89.5] {
        for step in 0..30 {
            // Less deep, it stands on the floor beside it.
            let at = Vec2::new(x, 32.0 + 0.3 * SPACING + 1.7 * step as f32);
            assert!(!level.is_blocked(at));
            let beside = layer.snap(at, SnapTo::NearestFloor(0.26 * SPACING));
            let Some(rest) = layer.snap(at, SnapTo::Rest) else {
                panic!("nothing below {at}");
            };
            let Some(beside) = beside else {
                assert_eq!(rest.fall_x, Some(x), "{at}: {rest:?}");
                assert_eq!(rest.position, Vec2::new(x, bottom));
                continue;
            };
            assert_eq!(rest, beside);
        }
    }
    // Inside the floor there is no gap.
    let inside = layer.snap(Vec2::new(40.0, 38.0), SnapTo::Rest).unwrap();
    assert_eq!(inside.position, Vec2::new(40.0, 32.0));
}

/// However thick the floor is, and whatever room is below it.
#[test]
fn feet_deep_inside_a_floor_are_moved_to_its_top() {
    let mut inside = 0;
    for seed in 0..10 {
        let down = Level::random(24, 14, walking(), &mut Dice(seed));
        let up = down.upwards();
        let is_solid = |column: usize, row: usize| down.rows[row][column];
        let is_floor = |column, row| is_solid(column, row) && !is_solid(column, row - 1);
        for (row, column) in (1..14).flat_map(|row| (1..23).map(move |column| (row, column))) {
            if !(column - 1..=column + 1).all(|column| is_floor(column, row)) {
                continue;
            }
            let top = row as f32 * levels::TILE;
            for (aside, depth) in (0..16).map(|i| (i as f32 + 0.3, 0.2 + 0.98 * i as f32)) {
                let x = column as f32 * levels::TILE + aside;
                for (level, sign) in [(&down, 1.0), (&up, -1.0)] {
                    let at = Vec2::new(x, sign * (top + depth));
                    let found = level.layer().snap(at, SnapTo::Rest).unwrap().position;
                    let off = found.distance(Vec2::new(x, sign * top));
                    assert!(off < 1e-3, "{seed}: {at} is moved to {found}");
                    inside += 1;
                }
            }
        }
    }
    assert!(inside > 2000, "{inside}");
}

#[test]
fn a_swapped_level_is_entered_at_the_present_position() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let other = Level::under_air(10, &["####################"], walking());
    let mut agent = jumper(&level, &mut finder);
    let pose = agent.step(Environment::new(other.layer()), &mut finder, DT);
    assert_eq!(
        agent.events()[0],
        AgentEvent::PathLost(PathLostReason::Level)
    );
    // It keeps its velocity.
    assert_eq!(pose.activity, Activity::Launched);
    settle(&mut agent, &other, &mut finder);
    assert_eq!(agent.pose().position, Vec2::new(290.0, 160.0));
}

/// The level is baked again while the agent is above the pit, where no fall ends.
#[test]
fn an_agent_in_a_jump_over_a_pit_flies_on_in_another_level() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let copy = level.of_agent("agent");
    let to = Vec2::new(290.0, 144.0);
    let mut above_nothing = 0;
    for frames in 0..300 {
        let mut agent = sent(level.layer(), [150.0, 144.0], to);
        for _ in 0..frames {
            agent.step(Environment::new(level.layer()), &mut finder, DT);
        }
        let mut before = agent.pose();
        if level.layer().snap(before.position, SnapTo::Rest).is_some() {
            continue;
        }
        above_nothing += 1;
        for _ in 0..600 {
            let pose = agent.step(Environment::new(&copy.layers()[0]), &mut finder, DT);
            let moved = (pose.position - before.position).abs();
            let farthest = before.velocity.abs().max(pose.velocity.abs()) * DT;
            assert!((moved - farthest).max_element() < 0.1, "{frames}: {pose:?}");
            before = pose;
        }
        assert_eq!(before.activity, Activity::Idle(IdleReason::Arrived));
        assert_eq!(before.position, to, "{frames}");
    }
    assert!(above_nothing > 3, "{above_nothing}");
}

#[test]
fn an_agent_refuses_layers_of_other_agents() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let other = level.of_agent("another");
    let other = Environment::new(&other.layers()[0]);
    let mut agent = sent(level.layer(), [20.0, 144.0], [100.0, 144.0]);
    let before = agent.step(Environment::new(level.layer()), &mut finder, DT);
    for (step, agent_moved) in [(0, false), (1, false), (2, true)] {
        if agent_moved {
            agent.teleport(before.position);
        }
        let pose = agent.step(other, &mut finder, DT);
        assert_eq!(pose.position, before.position);
        assert_eq!(pose.activity, Activity::Stranded(Stranded::WrongLayer));
        let reported = agent.events() == [AgentEvent::Stranded(Stranded::WrongLayer)];
        assert_eq!(reported, step != 1, "an event when it begins");
    }
    // Its body does not fall either.
    let body = BodyState {
        position: before.position,
        velocity: before.velocity,
        grounded: false,
    };
    let command = agent.clone().drive_with(other, &mut finder, body, DT);
    assert!(command.exact && command.velocity == Vec2::ZERO);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    // A copy of the level is another layer of the same agent.
    let copy = level.of_agent("agent");
    let pose = agent.step(Environment::new(&copy.layers()[0]), &mut finder, DT);
    assert_eq!(pose.activity, Activity::Idle(IdleReason::Arrived));
}

/// Where physics engines let bodies rest: slightly inside the floor or the wall.
#[test]
fn feet_slightly_inside_a_floor_or_a_wall_are_moved_out_and_stand() {
    let level = wall_and_gap();
    let mut finder = PathFinder::new();
    let environment = Environment::new(level.layer());
    // On the floor at 96, whose wall begins at 224; its left end is at 139.
    for (x, y) in [
        (180.0, 96.1),
        (180.0, 97.9),
        (183.0, 96.5),
        (218.1, 96.0),
        (219.5, 96.0),
        (218.1, 96.1),
        (139.0, 97.0),
    ] {
        let at = Vec2::new(x, y);
        let found = level.layer().snap(at, SnapTo::Rest).unwrap();
        assert!(found.position.distance(at) <= 2.0, "{at} {found:?}");
        let mut agent = NavAgent::new(level.layer(), at);
        let pose = agent.step(environment, &mut finder, DT);
        assert_eq!(
            pose.activity,
            Activity::Idle(IdleReason::NoDestination),
            "{at}"
        );
        assert_eq!(pose.position, found.position);
        assert!(!level.is_blocked(pose.position));
        assert_eq!(agent.events(), []);
    }
}

/// Not to the nearest vertex, which is up to half a spacing to the side.
#[test]
fn an_agent_that_flies_is_moved_straight_out_of_a_floor() {
    let level = Level::under_air(12, &["####################"], EdgeSet::FLY);
    for (x, inside) in [(101.5, 0.001), (98.0, 0.1), (102.0, 1.9)] {
        let at = Vec2::new(x, 192.0 + inside);
        let found = level.layer().snap(at, SnapTo::Rest).unwrap();
        assert_eq!(
            (found.position, found.platform),
            (Vec2::new(x, 192.0), None),
            "{inside}"
        );
    }
}

/// The function and the agent agree everywhere.
#[test]
fn an_agent_goes_where_its_placement_says() {
    let mut finder = PathFinder::new();
    for (edges, seeds) in [(walking(), 6), (EdgeSet::FLY, 3)] {
        for seed in 0..seeds {
            let level = Level::random(14, 9, edges, &mut Dice(seed));
            let dice = &mut Dice(seed + 99);
            for _ in 0..200 {
                let size = level.size();
                let at = Vec2::new(dice.between(0.0, size.x), dice.between(0.0, size.y));
                let rest = level.layer().snap(at, SnapTo::Rest);
                let mut agent = NavAgent::new(level.layer(), at);
                settle(&mut agent, &level, &mut finder);
                let activity = agent.pose().activity;
                match rest {
                    Some(rest) => assert_eq!(rest.position, agent.pose().position, "{at}"),
                    None => assert!(matches!(activity, Activity::Stranded(_)), "{at}"),
                }
            }
        }
    }
}

/// How far a body must be moved to be free, up to a limit, found by trying places around
/// it.
fn depth_inside(level: &Level, at: Vec2, limit: f32) -> Option<f32> {
    const STEP: f32 = 0.5;
    let count = (limit / STEP) as i32;
    let offsets = (-count..=count).flat_map(|row| {
        (-count..=count).map(move |column| STEP * Vec2::new(column as f32, row as f32))
    });
    let free = offsets.filter(|&by| by.length() <= limit && !level.is_blocked(at + by));
    free.map(Vec2::length).min_by(f32::total_cmp)
}

/// Whether a body that is free at a position lands on something.
fn has_floor_below(level: &Level, at: Vec2) -> bool {
    let size = level.size();
    let below = (0..size.y as u32).map(|i| at + Vec2::new(0.0, i as f32));
    let mut below = below.take_while(|at| at.y <= size.y);
    (0.0..size.x).contains(&at.x) && below.any(|at| level.is_blocked(at))
}

/// Bodies that a level or an engine has put inside a wall, a ceiling or a floor, at most a
/// spacing deep: slightly inside by up to a quarter of it, or deeper.
#[test]
fn a_body_inside_geometry_is_first_moved_out_of_it() {
    let (mut probes, mut falls, mut stranded, mut far) = ([0; 2], [0; 2], [0; 2], [0; 2]);
    let (mut frames, mut finder) = (0, PathFinder::new());
    for seed in 0..40 {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 14, walking(), dice);
        let (layer, size) = (level.layer(), level.size());
        let environment = Environment::new(layer);
        for _ in 0..200 {
            let at = Vec2::new(
                dice.between(24.0, size.x - 24.0),
                dice.between(16.0, size.y),
            );
            let Some(depth) = depth_inside(&level, at, SPACING).filter(|depth| *depth > 0.0) else {
                continue;
            };
            let sides = [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y];
            let is_deep = usize::from(depth > 0.25 * SPACING);
            let lands = sides.iter().any(|&side| {
                let to = at + SPACING * side;
                !level.is_blocked(to) && has_floor_below(&level, to)
            });
            if !lands {
                continue;
            }
            probes[is_deep] += 1;
            let mut agent = NavAgent::new(layer, at);
            let first = agent.step(environment, &mut finder, DT).position;
            let reach = if is_deep == 1 { 2.0 } else { 1.0 } * SPACING;
            far[is_deep] += usize::from(first.distance(at) > depth + reach + 1.0);
            let mut inside = 0;
            for _ in 0..300 {
                inside += usize::from(level.is_blocked(agent.pose().position));
                if !agent
                    .step(environment, &mut finder, DT)
                    .activity
                    .is_moving()
                {
                    break;
                }
            }
            frames += inside;
            let is_stranded = matches!(agent.pose().activity, Activity::Stranded(_));
            stranded[is_deep] += usize::from(is_stranded);
            falls[is_deep] += usize::from(inside > 0 && !is_stranded);
        }
    }
    println!(
        "probes {probes:?} fall inside {falls:?} stranded {stranded:?} far {far:?} frames {frames}"
    );
    assert_eq!(
        (falls, stranded, far),
        ([0; 2], [0; 2], [0; 2]),
        "of {probes:?}"
    );
}
