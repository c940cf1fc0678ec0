//! Each body has the ways that it fits through: there is no fixed padding.

use glam::Vec2;
use navmesh_bots::steering::{Danger, Steering, Surroundings};
use navmesh_runtime::motion::Environment;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};

use crate::favours::LIMITS;
use crate::random::Dice;
use crate::world::{DT, Room, TILE, chase};

/// From left to right: through a gap of one tile, or around by a wide one.
const ROOM: [&str; 13] = [
    "####################",
    "#.........#........#",
    "#.........#........#",
    "#..................#",
    "#.........#........#",
    "#.........#........#",
    "#.........#........#",
    "#..................#",
    "#..................#",
    "#..................#",
    "#.........#........#",
    "#.........#........#",
    "####################",
];
const NARROW: f32 = 3.0;

#[test]
fn two_bodies_take_different_ways() {
    let bodies = [[12.0, 12.0], [28.0, 28.0]];
    let from = Vec2::new(5.0, 4.0) * TILE;
    let to = Vec2::new(15.5, 4.0) * TILE;
    let mut crossed = Vec::new();
    for layer in 0..2 {
        // The first body is the one that `touches` tests.
        let mut order = bodies;
        order.rotate_left(layer);
        let room = Room::for_bodies(&ROOM, &order);
        let mut finder = PathFinder::new();
        let mut path = Vec::new();
        match finder.find(room.layer(), &Query::new(from, to)) {
            Ok(PathOutcome::Found(found)) => path.extend(found.steps.iter().map(|step| step.to)),
            other => panic!("{other:?}"),
        }
        // Steering along the path: to the farthest corner that the body can fly to.
        let mut steering = Steering::new(16, LIMITS);
        steering.favours.push(chase(1.0, 20.0));
        steering.dangers.push(Danger::Walls { look_ahead: 24.0 });
        let (mut position, mut velocity) = (from, Vec2::ZERO);
        let mut gap = None;
        for _ in 0..900 {
            let mut around = Surroundings::new(Environment::new(room.layer()), position);
            around.velocity = velocity;
            around.target = Some(to);
            around.waypoint = path.iter().rev().copied().find(|at| around.can_fly_to(*at));
            velocity = steering.update(&around, DT);
            let next = position + velocity * DT;
            if position.x < 10.5 * TILE && next.x >= 10.5 * TILE {
                gap = Some((next.y / TILE - 0.01).floor());
            }
            position = next;
            assert!(!room.touches(position), "{position}");
        }
        assert!(position.distance(to) < 10.0, "{position}");
        crossed.push(gap.expect("it is on the other side"));
    }
    assert_eq!(crossed[0], NARROW, "the thin one");
    assert!(
        (7.0..=9.0).contains(&crossed[1]),
        "the fat one: {crossed:?}"
    );
}

/// A room of scattered blocks: most ways lead through gaps of one tile, in which there is
/// one row of free vertices.
fn cluttered_room(dice: &mut Dice) -> Room {
    let text: Vec<String> = (0..12)
        .map(|row| {
            let tile = |column: u32| {
                let border = row == 0 || row == 11 || column == 0 || column == 29;
                if border || dice.chance(0.14) {
                    '#'
                } else {
                    '.'
                }
            };
            (0..30).map(tile).collect()
        })
        .collect();
    Room::new(&text.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Steering does not stop before a gap, with any danger of walls and at any frame rate.
#[test]
fn agents_pass_gaps_with_one_free_row() {
    let dice = &mut Dice::case(6);
    let mut trips = 0;
    for number in 0..80 {
        let room = cluttered_room(dice);
        let environment = Environment::new(room.layer());
        let mut somewhere = |low: f32, high: f32| loop {
            let at = Vec2::new(dice.between(low, high), dice.between(16.0, 176.0));
            if Surroundings::new(environment, at).can_fly_to(at) {
                break at;
            }
        };
        let (from, to) = (somewhere(16.0, 120.0), somewhere(360.0, 460.0));
        let mut finder = PathFinder::new();
        let Ok(PathOutcome::Found(path)) = finder.find(room.layer(), &Query::new(from, to)) else {
            continue;
        };
        let length: f32 = path
            .steps
            .iter()
            .map(|step| step.from.distance(step.to))
            .sum();
        let mut steering = Steering::new([8, 16, 24][number % 3], LIMITS);
        steering.favours.push(chase(1.0, 20.0));
        let look_ahead = [0.0, 24.0, 40.0, 60.0][number % 4];
        steering.dangers.push(Danger::Walls { look_ahead });
        let (mut position, mut velocity, mut seconds) = (from, Vec2::ZERO, 0.0);
        // The last point of the path is a vertex.
        while position.distance(to) > 12.0 {
            let mut around = Surroundings::new(environment, position);
            around.velocity = velocity;
            around.target = Some(to);
            let points = path
                .steps
                .iter()
                .rev()
                .flat_map(|step| [step.to, step.from]);
            around.waypoint = points.into_iter().find(|at| around.can_fly_to(*at));
            let dt = dice.between(0.008, 0.033);
            velocity = steering.update(&around, dt);
            position += velocity * dt;
            seconds += dt;
            assert!(!room.touches(position), "{position}");
            let limit = 1.5 * length / LIMITS.max_speed + 3.0;
            assert!(seconds < limit, "{position} to {to}: {around:?}");
        }
        trips += 1;
    }
    println!("{trips} trips");
    assert!(trips > 20, "{trips}");
}
