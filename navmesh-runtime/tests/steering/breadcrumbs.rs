//! Chasers follow a trail (S4).

use glam::Vec2;
use navmesh_runtime::motion::Environment;
use navmesh_runtime::steering::{Breadcrumbs, Danger, Favour, Steering, Surroundings};

use crate::favours::LIMITS;
use crate::world::{DT, Room, TILE};

#[test]
fn crumbs_are_dropped_and_expire() {
    let mut trail = Breadcrumbs::new(10.0, 2.0);
    for tick in 0..100_u16 {
        trail.update(Vec2::new(f32::from(tick), 0.0), 0.1);
    }
    // Ten units a second: one crumb a second, the oldest of 2 s ago.
    let crumbs: Vec<_> = trail.iter().map(|crumb| crumb.x).collect();
    assert_eq!(crumbs, [80.0, 90.0]);
    for _ in 0..10 {
        trail.update(Vec2::new(99.5, 0.0), 0.1);
    }
    trail.update(Vec2::NAN, 1.0);
    trail.update(Vec2::ZERO, f32::NAN);
    assert_eq!(trail.iter().count(), 1, "resting drops none");
    assert_eq!(trail.freshest(|_| true), Some(Vec2::new(90.0, 0.0)));
    for _ in 0..30 {
        trail.update(Vec2::new(99.5, 0.0), 0.1);
    }
    assert_eq!(
        trail.freshest(|_| true),
        Some(Vec2::new(99.5, 0.0)),
        "one where it rests"
    );
    trail.clear();
    assert_eq!(trail.freshest(|_| true), None);
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
    steering.favours.push(Favour::Chase {
        weight: 1.0,
        arrive: 20.0,
    });
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
