//! Chasers follow a trail.

use glam::Vec2;
use navmesh_bots::steering::{Breadcrumbs, Danger, Steering, Surroundings};
use navmesh_runtime::motion::{Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

use crate::favours::LIMITS;
use crate::random::Dice;
use crate::world::{DT, Room, TILE, chase};

#[test]
fn crumbs_are_dropped_and_expire() {
    let mut trail = Breadcrumbs::new(10.0, 2.0);
    for tick in 0..100_u16 {
        trail.update(Vec2::new(f32::from(tick), 0.0), 0.1);
    }
    // Ten units a second: one crumb a second, the oldest of 2 s ago.
    let crumbs = |trail: &Breadcrumbs| {
        let mut crumbs = Vec::new();
        trail.freshest(|crumb| {
            crumbs.push(crumb.x);
            false
        });
        crumbs
    };
    assert_eq!(crumbs(&trail), [90.0, 80.0]);
    for _ in 0..10 {
        trail.update(Vec2::new(99.5, 0.0), 0.1);
    }
    trail.update(Vec2::NAN, 1.0);
    trail.update(Vec2::ZERO, f32::NAN);
    assert_eq!(crumbs(&trail), [90.0], "resting drops none");
    for _ in 0..30 {
        trail.update(Vec2::new(99.5, 0.0), 0.1);
    }
    assert_eq!(
        trail.freshest(|_| true),
        Some(Vec2::new(99.5, 0.0)),
        "one where it rests"
    );
    let empty = Breadcrumbs::new(10.0, 2.0);
    assert_eq!(empty.freshest(|_| true), None);
}

#[test]
fn a_warm_trail_allocates_nothing() {
    let mut trail = Breadcrumbs::new(10.0, 2.0);
    let mut run = |from: u16| {
        for tick in from..from + 200 {
            trail.update(Vec2::new(f32::from(tick), 0.0), 0.1);
        }
    };
    run(0);
    assert_eq!(allocation_counter::measure(|| run(200)).count_total, 0);
}

/// The target runs around corners, out of sight, and is found.
#[test]
fn a_chaser_that_lost_sight_follows_the_trail() {
    let room = Room::new(&[
        "####################",
        "#..................#",
        "#..................#",
        "#..................#",
        "#############......#",
        "#############......#",
        "#..................#",
        "#..................#",
        "#..................#",
        "#....###############",
        "#..................#",
        "#..................#",
        "#..................#",
        "####################",
    ]);
    let route = [
        (3.0, 2.0),
        (16.0, 2.0),
        (16.0, 7.0),
        (2.5, 7.0),
        (2.5, 11.0),
        (16.0, 11.0),
    ]
    .map(|(x, y)| Vec2::new(x + 0.5, y + 0.875) * TILE);
    let mut trail = Breadcrumbs::new(12.0, 20.0);
    let mut steering = Steering::new(16, LIMITS);
    steering.favours.push(chase(1.0, 20.0));
    steering.dangers.push(Danger::Walls { look_ahead: 32.0 });
    let (mut target, mut leg) = (route[0], 1);
    let (mut position, mut velocity) = (Vec2::new(40.0, 44.0), Vec2::ZERO);
    let (mut unseen, mut last) = (0, None);
    for tick in 0..1500 {
        // The target is quicker, and starts first.
        target = target.move_towards(route[leg], 110.0 * DT);
        if target == route[leg] {
            leg = (leg + 1).min(route.len() - 1);
        }
        trail.update(target, DT);
        if tick < 60 {
            continue;
        }
        let mut around = Surroundings::new(Environment::new(room.layer()), position);
        around.velocity = velocity;
        around.target = Some(target);
        if !around.can_fly_to(target) {
            unseen += 1;
            last = trail.freshest(|crumb| around.can_fly_to(crumb)).or(last);
            around.waypoint = last;
        }
        velocity = steering.update(&around, DT);
        position += velocity * DT;
        assert!(!room.touches(position));
    }
    assert!(unseen > 100, "the target was in sight all the time");
    let distance = position.distance(target);
    assert!(distance < 20.0, "{distance}");
}

/// A chaser by trail alone, as in the guide, hardly ever loses a target that flies around
/// corners with a head start of two seconds. One that goes only to crumbs to which it can
/// fly straight rests before corners, and catches it less often.
#[test]
fn a_chaser_follows_the_trail_around_corners() {
    let [[straight, _], [catches, losses]] = [0.0, 24.0].map(chases);
    println!("{straight} and {catches} catches, {losses} losses");
    assert!(
        catches > 100 && catches > straight && losses <= 5,
        "{straight} {catches} {losses}"
    );
}

/// Catches and losses in ten minutes, of a chaser that goes also to crumbs that are not
/// farther than `near`.
fn chases(near: f32) -> [u32; 2] {
    let (mut catches, mut losses) = (0, 0);
    for number in 0..10 {
        let dice = &mut Dice::case(number);
        // Pillars of two tiles, at least two tiles apart.
        let pillars: Vec<bool> = (0..6 * 15).map(|_| dice.chance(0.4)).collect();
        let text: Vec<String> = (0..12_usize)
            .map(|row| {
                let tile = |column: usize| {
                    let border = row == 0 || row == 11 || column == 0 || column == 29;
                    let (i, j) = (row / 2, column / 2);
                    let is_inside = i % 2 == 1 && j % 2 == 1 && row < 9 && column < 27;
                    if border || is_inside && pillars[i * 15 + j] {
                        '#'
                    } else {
                        '.'
                    }
                };
                (0..30).map(tile).collect()
            })
            .collect();
        let room = Room::new(&text.iter().map(String::as_str).collect::<Vec<_>>());
        let environment = Environment::new(room.layer());
        let mut somewhere = || loop {
            let at = Vec2::new(dice.between(16.0, 464.0), dice.between(16.0, 176.0));
            if Surroundings::new(environment, at).can_fly_to(at) {
                break at;
            }
        };
        let mut player = NavAgent::new(room.layer(), somewhere());
        let mut slower = room.layer().profile().clone();
        slower.run_speed = 0.8 * LIMITS.max_speed;
        player.set_profile(slower).unwrap();
        let (mut finder, mut trail) = (PathFinder::new(), Breadcrumbs::new(16.0, 8.0));
        let mut steering = Steering::new(16, LIMITS);
        steering.favours.push(chase(1.0, 20.0));
        steering.dangers.push(Danger::Walls { look_ahead: 40.0 });
        let (mut position, mut velocity) = (player.pose().position, Vec2::ZERO);
        let (mut since, mut begins) = (0.0, 2.0);
        for _ in 0..60 * 60 {
            if !player.pose().activity.is_moving() {
                player.go_to(somewhere());
            }
            let at = player.step(environment, &mut finder, DT).position;
            trail.update(at, DT);
            since += DT;
            if since < begins {
                continue;
            }
            let mut around = Surroundings::new(environment, position);
            around.velocity = velocity;
            let sees =
                |crumb: Vec2| around.can_fly_to(crumb) || crumb.distance(around.position) < near;
            let seen = Some(at).filter(|at| around.can_fly_to(*at));
            around.target = seen.or_else(|| trail.freshest(sees));
            velocity = steering.update(&around, DT);
            position += velocity * DT;
            assert!(!room.touches(position), "{position}");
            if position.distance(at) < 20.0 {
                catches += 1;
                (since, begins) = (0.0, 2.0);
            } else if since > 15.0 {
                losses += 1;
                (since, begins) = (0.0, 2.0);
                (position, velocity) = (at, Vec2::ZERO);
            }
        }
    }
    [catches, losses]
}
