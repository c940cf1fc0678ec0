//! Each body has the ways that it fits through: there is no fixed padding (S6).

use glam::Vec2;
use navmesh_runtime::motion::Environment;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use navmesh_runtime::steering::{Danger, Favour, Steering, Surroundings};

use crate::favours::LIMITS;
use crate::world::{DT, Room, TILE};

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
        steering.favours.push(Favour::Chase {
            weight: 1.0,
            arrive: 20.0,
        });
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
