//! Favours and dangers, each by what the agent then does.

use glam::Vec2;
use navmesh_bots::steering::{Danger, Favour, Obstacle, Steering, SteeringLimits, Surroundings};
use navmesh_runtime::motion::Environment;

use crate::random::Dice;
use crate::world::{DT, Room, chase};

pub(crate) const LIMITS: SteeringLimits = SteeringLimits {
    max_speed: 90.0,
    max_acceleration: 600.0,
    turn_rate: 8.0,
};

fn hall() -> Room {
    let mut rows = vec!["#".repeat(40)];
    rows.extend(vec![format!("#{}#", ".".repeat(38)); 28]);
    rows.push("#".repeat(40));
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    Room::new(&rows)
}

const MIDDLE: Vec2 = Vec2::new(320.0, 240.0);

/// The positions of an agent, frame by frame.
fn run(
    favours: &[Favour],
    dangers: &[Danger],
    start: Vec2,
    seconds: f32,
    see: impl Fn(&mut Surroundings<'_>, f32),
) -> Vec<Vec2> {
    let room = hall();
    let mut steering = Steering::new(16, LIMITS);
    steering.favours.extend_from_slice(favours);
    steering.dangers.push(Danger::Walls { look_ahead: 40.0 });
    steering.dangers.extend_from_slice(dangers);
    let (mut position, mut velocity) = (start, Vec2::ZERO);
    (0..(seconds / DT) as u32)
        .map(|tick| {
            let mut around = Surroundings::new(Environment::new(room.layer()), position);
            around.velocity = velocity;
            around.target = Some(MIDDLE);
            see(&mut around, tick as f32 * DT);
            let next = steering.update(&around, DT);
            assert!(next.length() <= LIMITS.max_speed * 1.001);
            let change = next.distance(velocity) / DT;
            assert!(change <= LIMITS.max_acceleration * 1.001, "{change}");
            velocity = next;
            position += velocity * DT;
            assert!(!room.touches(position), "{position}");
            position
        })
        .collect()
}

fn distances(path: &[Vec2]) -> Vec<f32> {
    path.iter().map(|at| at.distance(MIDDLE)).collect()
}

#[test]
fn chase_arrives_and_rests() {
    let chase = chase(1.0, 30.0);
    let path = run(&[chase], &[], Vec2::new(60.0, 60.0), 8.0, |_, _| {});
    let ends = distances(&path);
    assert!(ends[ends.len() - 60..].iter().all(|d| *d < 1.0), "{ends:?}");
    let length: f32 = path.windows(2).map(|w| w[0].distance(w[1])).sum();
    let straight = path[0].distance(MIDDLE);
    assert!(length < 1.05 * straight, "{length} instead of {straight}");
}

#[test]
fn flee_keeps_the_distance() {
    let flee = Favour::Flee {
        weight: 2.0,
        within: 120.0,
    };
    let path = run(&[flee], &[], MIDDLE + Vec2::new(20.0, 5.0), 6.0, |_, _| {});
    let last = distances(&path).pop().expect("a path");
    assert!((90.0..=121.0).contains(&last), "{last}");
}

#[test]
fn circle_keeps_its_radius_and_direction() {
    for (reverse, sign) in [(false, 1.0), (true, -1.0)] {
        let circle = Favour::Circle {
            weight: 1.0,
            radius: 80.0,
            reverse,
        };
        let path = run(
            &[circle],
            &[],
            MIDDLE - Vec2::new(150.0, 0.0),
            14.0,
            |_, _| {},
        );
        let late = &path[240..];
        let (least, most) = distances(late)
            .iter()
            .fold((f32::MAX, 0.0_f32), |(a, b), d| (a.min(*d), b.max(*d)));
        assert!(least > 65.0 && most < 100.0, "{least} to {most}");
        let turned: f32 = late
            .windows(2)
            .map(|w| (w[0] - MIDDLE).angle_to(w[1] - MIDDLE))
            .sum();
        // 10 s at 90 around a circle of 500: nearly twice.
        assert!(-sign * turned > 8.0, "{turned}");
    }
}

#[test]
fn dart_goes_in_and_out() {
    let dart = Favour::Dart {
        weight: 1.0,
        near: 25.0,
        far: 120.0,
    };
    let path = run(
        &[dart],
        &[],
        MIDDLE - Vec2::new(100.0, 0.0),
        12.0,
        |_, _| {},
    );
    let distances = distances(&path);
    let (mut ins, mut outs, mut was_in) = (0, 0, false);
    for distance in distances {
        if !was_in && distance < 25.0 {
            (was_in, ins) = (true, ins + 1);
        } else if was_in && distance > 120.0 {
            (was_in, outs) = (false, outs + 1);
        }
        assert!(distance < 160.0);
    }
    assert!(ins >= 4 && outs >= 3, "{ins} in, {outs} out");
}

#[test]
fn items_are_sought_the_nearest_first() {
    static ITEMS: [Vec2; 2] = [Vec2::new(410.0, 240.0), Vec2::new(260.0, 240.0)];
    let seek = Favour::SeekItems {
        weight: 1.0,
        within: 200.0,
    };
    let path = run(&[seek], &[], MIDDLE, 3.0, |around, _| around.items = &ITEMS);
    let at = |item: Vec2| path.iter().position(|at| at.distance(item) < 10.0);
    assert!(at(ITEMS[1]).is_some(), "the near one");
    assert_eq!(at(ITEMS[0]), None);
}

/// Items all around, between which an agent could go round without an end.
#[test]
fn an_agent_between_items_goes_to_one() {
    let seek = Favour::SeekItems {
        weight: 1.0,
        within: 300.0,
    };
    let mut dice = Dice::case(1);
    let mut anywhere = || Vec2::new(dice.between(160.0, 480.0), dice.between(140.0, 340.0));
    for case in 0..300 {
        let items: &[Vec2] = (0..3 + case % 4)
            .map(|_| anywhere())
            .collect::<Vec<_>>()
            .leak();
        let path = run(&[seek], &[], anywhere(), 10.0, |around, _| {
            around.items = items;
        });
        let is_at_item = |at: &Vec2| items.iter().any(|item| at.distance(*item) < 10.0);
        assert!(path.iter().any(is_at_item), "{case}: {items:?}");
    }
}

#[test]
fn favours_add_up() {
    // Away from the target, but not out of the room's middle.
    let flee = Favour::Flee {
        weight: 1.0,
        within: 400.0,
    };
    let middle = Favour::Middle {
        weight: 1.0,
        min: Vec2::new(16.0, 16.0),
        max: Vec2::new(624.0, 464.0),
    };
    let target =
        |around: &mut Surroundings<'_>, _: f32| around.target = Some(Vec2::new(100.0, 240.0));
    let alone = run(&[flee], &[], Vec2::new(200.0, 240.0), 8.0, target);
    let both = run(&[flee, middle], &[], Vec2::new(200.0, 240.0), 8.0, target);
    let (alone, both) = (alone[alone.len() - 1].x, both[both.len() - 1].x);
    assert!(alone > 440.0, "{alone}");
    assert!((340.0..430.0).contains(&both), "{both}");
}

#[test]
fn a_moving_hazard_and_the_target_are_kept_away_from() {
    let chase = chase(1.0, 0.0);
    let radius = 30.0;
    let hazards = Danger::Hazards { look_ahead: 60.0 };
    let rolling = |time: f32| Obstacle {
        position: Vec2::new(320.0, 40.0 + 80.0 * time),
        velocity: Vec2::new(0.0, 80.0),
        radius,
    };
    // It comes down in front of the target as the agent arrives.
    let see = |around: &mut Surroundings<'_>, _: f32| {
        around.target = Some(Vec2::new(560.0, 240.0));
    };
    let crossing = |dangers: &[Danger]| {
        let room = hall();
        let mut steering = Steering::new(16, LIMITS);
        steering.favours.push(chase);
        steering.dangers.extend_from_slice(dangers);
        let (mut position, mut velocity) = (Vec2::new(100.0, 240.0), Vec2::ZERO);
        let mut nearest = f32::INFINITY;
        for tick in 0..480 {
            let hazard = [rolling(tick as f32 * DT)];
            let mut around = Surroundings::new(Environment::new(room.layer()), position);
            around.velocity = velocity;
            around.hazards = &hazard;
            see(&mut around, 0.0);
            velocity = steering.update(&around, DT);
            position += velocity * DT;
            nearest = nearest.min(position.distance(hazard[0].position));
        }
        (nearest, position.distance(Vec2::new(560.0, 240.0)))
    };
    let (blind, _) = crossing(&[]);
    assert!(blind < radius, "the test would show nothing: {blind}");
    let (careful, end) = crossing(&[hazards]);
    assert!(careful > radius && end < 20.0, "{careful}, {end}");
    // The target's own danger: it comes near, and no nearer.
    let keep = Danger::Target {
        radius: 40.0,
        look_ahead: 60.0,
    };
    let path = run(&[chase], &[keep], Vec2::new(100.0, 200.0), 8.0, |_, _| {});
    let nearest = distances(&path).into_iter().fold(f32::MAX, f32::min);
    assert!((40.0..80.0).contains(&nearest), "{nearest}");
}

#[test]
fn an_anchor_holds_the_agent_back() {
    let chase = chase(1.0, 0.0);
    let leash = Danger::TooFar { distance: 100.0 };
    let home = Vec2::new(100.0, 240.0);
    let path = run(&[chase], &[leash], home, 6.0, |around, _| {
        around.anchor = Some(home);
    });
    let farthest = path.iter().map(|at| at.distance(home)).fold(0.0, f32::max);
    assert!((70.0..=101.0).contains(&farthest), "{farthest}");
}
