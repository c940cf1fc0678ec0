//! Whatever an agent wants, it touches no wall; and updates allocate nothing.

use glam::Vec2;
use navmesh_bots::steering::{Danger, Favour, Obstacle, Steering, SteeringLimits, Surroundings};
use navmesh_runtime::motion::Environment;
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::Rect;

use crate::random::Dice;
use crate::world::{Room, TILE, chase};

fn random_room(dice: &mut Dice) -> Room {
    let text: Vec<String> = (0..12)
        .map(|row| {
            let tile = |column: u32| {
                let border = row == 0 || row == 11 || column == 0 || column == 19;
                if border || dice.chance(0.15) {
                    '#'
                } else {
                    '.'
                }
            };
            (0..20).map(tile).collect()
        })
        .collect();
    Room::new(&text.iter().map(String::as_str).collect::<Vec<_>>())
}

fn somewhere(room: &Room, dice: &mut Dice) -> Vec2 {
    let size = room.size();
    loop {
        let at = Vec2::new(dice.between(0.0, size.x), dice.between(0.0, size.y));
        // Not in the space beside a wall that counts as blocked in the mesh, either.
        let around = Surroundings::new(Environment::new(room.layer()), at);
        if !room.touches(at) && around.can_fly_to(at) {
            return at;
        }
    }
}

/// Without any danger, at any speed and frame time, straight at the walls.
#[test]
fn no_wall_is_touched_by_an_agent_that_fears_none() {
    let dice = &mut Dice::case(3);
    let (mut travelled, mut pressed) = (0.0, 0);
    for _ in 0..60 {
        let room = random_room(dice);
        let limits = SteeringLimits {
            max_speed: dice.between(20.0, 500.0),
            max_acceleration: dice.between(50.0, 3000.0),
            turn_rate: dice.between(1.0, 60.0),
        };
        let mut steering = Steering::new(4 + dice.below(20) as usize, limits);
        steering.favours.push(chase(5.0, 0.0));
        let mut position = somewhere(&room, dice);
        let (mut velocity, mut target) = (Vec2::ZERO, position);
        for tick in 0..400 {
            if tick % 50 == 0 {
                target = Vec2::new(dice.between(-100.0, 400.0), dice.between(-100.0, 300.0));
            }
            let dt = dice.between(0.001, 0.1);
            let mut around = Surroundings::new(Environment::new(room.layer()), position);
            around.velocity = velocity;
            around.target = Some(target);
            velocity = steering.update(&around, dt);
            pressed += u32::from(velocity.length() < 0.5 * limits.max_speed);
            let next = position + velocity * dt;
            for k in 0..=8 {
                let at = position.lerp(next, k as f32 / 8.0);
                assert!(!room.touches(at), "{position} to {next}, {limits:?}");
            }
            travelled += position.distance(next);
            position = next;
        }
    }
    assert!(
        travelled > 10_000.0 && pressed > 1000,
        "{travelled} {pressed}"
    );
}

/// In the mesh, less than a spacing beside a wall counts as blocked.
#[test]
fn an_agent_that_is_put_beside_a_wall_comes_away_from_it() {
    let dice = &mut Dice::case(4);
    let mut put = 0;
    for _ in 0..400 {
        let room = random_room(dice);
        let mut steering = Steering::new(16, crate::favours::LIMITS);
        steering.favours.push(chase(1.0, 0.0));
        let sees = |at: Vec2| Surroundings::new(Environment::new(room.layer()), at).can_fly_to(at);
        let size = room.size();
        let mut position = Vec2::new(dice.between(0.0, size.x), dice.between(0.0, size.y));
        // In a gap as wide as the body there is no free vertex.
        let near = TILE * 0.5;
        let is_near = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
            .map(|(x, y)| position + near * Vec2::new(x, y));
        if room.touches(position) || sees(position) || !is_near.into_iter().any(sees) {
            continue;
        }
        put += 1;
        let (mut velocity, dt) = (Vec2::ZERO, dice.between(0.005, 0.05));
        let ticks = (1.0 / dt) as u32;
        let is_away = (0..ticks).any(|_| {
            let mut around = Surroundings::new(Environment::new(room.layer()), position);
            around.velocity = velocity;
            around.target = Some(0.5 * size);
            velocity = steering.update(&around, dt);
            position += velocity * dt;
            assert!(!room.touches(position), "{position}");
            sees(position)
        });
        assert!(is_away, "{position}");
    }
    assert!(put > 15, "{put}");
}

/// Space above a slope is free down to it, however steep it is.
#[test]
fn an_agent_flies_along_a_slope_without_a_halt() {
    let dice = &mut Dice::case(7);
    let limits = SteeringLimits {
        max_speed: 90.0,
        max_acceleration: 600.0,
        turn_rate: 8.0,
    };
    let mut near = 0;
    for (left, right) in [(60.0, 150.0), (20.0, 300.0), (310.0, 30.0), (250.0, 90.0)] {
        let mesh = Room::slope(left, right);
        let environment = Environment::new(&mesh.layers()[0]);
        let floor = |x: f32| left + (right - left) * x / 320.0;
        let mut steering = Steering::new(16, limits);
        steering.favours.push(chase(1.0, 0.0));
        let mut position = Vec2::new(160.0, floor(160.0) - 20.0);
        let (mut velocity, mut target) = (Vec2::ZERO, position);
        for tick in 0..6000 {
            if tick % 60 == 0 {
                let x = dice.between(20.0, 300.0);
                target = Vec2::new(x, floor(x) + dice.between(-20.0, 4.0));
            }
            let dt = dice.between(0.005, 0.04);
            let mut around = Surroundings::new(environment, position);
            around.velocity = velocity;
            around.target = Some(target);
            let next = steering.update(&around, dt);
            let change = next.distance(velocity);
            assert!(change < 600.0 * dt + 1e-3, "{position}: {velocity} {next}");
            velocity = next;
            position += velocity * dt;
            assert!(position.y < floor(position.x) + 1e-2, "{position}");
            near += u32::from(position.y > floor(position.x) - 4.0);
        }
    }
    assert!(near > 1000, "{near}");
}

/// A shaft as wide as the body, between columns of vertices.
#[test]
fn an_agent_that_is_pushed_out_of_a_narrow_shaft_comes_back() {
    let mesh = Room::shaft();
    let mut steering = Steering::new(16, crate::favours::LIMITS);
    steering.favours.push(chase(1.0, 0.0));
    let mut around = Surroundings::new(Environment::new(&mesh.layers()[0]), Vec2::new(71.3, 80.0));
    around.target = Some(Vec2::new(70.0, 140.0));
    assert!(!around.can_fly_to(around.position));
    for _ in 0..240 {
        around.velocity = steering.update(&around, crate::world::DT);
        around.position += around.velocity * crate::world::DT;
    }
    assert!(
        around.position.distance(Vec2::new(70.0, 140.0)) < 1.0,
        "{}",
        around.position
    );
}

/// In a corner, only the vertex across from it is free, of the four around the agent.
#[test]
fn an_agent_that_is_put_into_a_corner_comes_out_of_it() {
    let room = Room::new(&["####", "#..#", "#..#", "####"]);
    let environment = Environment::new(room.layer());
    let mut put = 0;
    // The feet of a body that touches the walls of each corner, and positions near to it.
    for corner in [(22.0, 28.0), (42.0, 28.0), (22.0, 48.0), (42.0, 48.0)].map(Vec2::from) {
        for (x, y) in (0..16).map(|i| (0.3 + 0.4 * (i % 4) as f32, 0.3 + 0.4 * (i / 4) as f32)) {
            let inwards = (Vec2::splat(2.0 * TILE) - corner).signum() * Vec2::new(x, y);
            let mut around = Surroundings::new(environment, corner + inwards);
            if around.can_fly_to(around.position) {
                continue;
            }
            put += 1;
            let mut steering = Steering::new(16, crate::favours::LIMITS);
            let is_out = (0..60).any(|_| {
                around.velocity = steering.update(&around, crate::world::DT);
                around.position += around.velocity * crate::world::DT;
                assert!(!room.touches(around.position), "{}", around.position);
                around.can_fly_to(around.position)
            });
            assert!(is_out, "{corner} {inwards}: {}", around.position);
        }
    }
    assert_eq!(put, 64);
}

#[test]
fn a_closed_door_is_a_wall() {
    let room = Room::new(&[
        "####################",
        "#..................#",
        "#..................#",
        "#..................#",
        "####################",
    ]);
    let mut doors = Doors::new();
    let door = Rect::new(Vec2::new(9.0, 1.0) * TILE, Vec2::new(10.0, 4.0) * TILE);
    let id = doors.close_region(door);
    let mut steering = Steering::new(16, crate::favours::LIMITS);
    steering.favours.push(chase(1.0, 20.0));
    steering.dangers.push(Danger::Walls { look_ahead: 40.0 });
    let (mut position, mut velocity) = (Vec2::new(40.0, 46.0), Vec2::ZERO);
    for tick in 0..600 {
        if tick == 300 {
            assert!(position.x + 6.0 < door.min.x, "it waits: {position}");
            doors.open_region(id);
        }
        let environment = Environment {
            layer: room.layer(),
            doors: &doors,
        };
        let mut around = Surroundings::new(environment, position);
        around.velocity = velocity;
        around.target = Some(Vec2::new(280.0, 46.0));
        velocity = steering.update(&around, crate::world::DT);
        position += velocity * crate::world::DT;
    }
    assert!(position.x > 270.0, "{position}");
}

#[test]
fn odd_numbers_stop_the_agent() {
    let room = random_room(&mut Dice::case(1));
    let at = somewhere(&room, &mut Dice::case(2));
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, -1e30] {
        for which in 0..8 {
            let mut limits = crate::favours::LIMITS;
            let mut around = Surroundings::new(Environment::new(room.layer()), at);
            let mut dt = crate::world::DT;
            around.target = Some(at + 50.0);
            let obstacle = [Obstacle {
                position: at + bad,
                velocity: Vec2::splat(bad),
                radius: bad,
            }];
            match which {
                0 => around.position.x = bad,
                1 => around.velocity.y = bad,
                2 => around.target = Some(Vec2::splat(bad)),
                3 => dt = bad,
                4 => limits.max_speed = bad,
                5 => limits.max_acceleration = bad,
                6 => limits.turn_rate = bad,
                _ => around.hazards = &obstacle,
            }
            let mut steering = Steering::new(8, limits);
            steering.favours.push(chase(1.0, bad));
            steering.dangers.push(Danger::Walls { look_ahead: 40.0 });
            steering.dangers.push(Danger::Hazards { look_ahead: 40.0 });
            let velocity = steering.update(&around, dt);
            assert!(velocity.is_finite(), "{which} {bad}: {velocity}");
        }
    }
}

#[test]
fn warm_updates_allocate_nothing() {
    let dice = &mut Dice::case(9);
    let room = random_room(dice);
    let mut steering = Steering::new(16, crate::favours::LIMITS);
    steering.favours.extend([
        chase(1.0, 0.0),
        Favour::SeekItems {
            weight: 0.5,
            within: 100.0,
        },
    ]);
    steering.dangers.extend([
        Danger::Walls { look_ahead: 40.0 },
        Danger::Allies { look_ahead: 24.0 },
        Danger::Hazards { look_ahead: 24.0 },
        Danger::TooFar { distance: 200.0 },
    ]);
    let places: Vec<_> = (0..20).map(|_| somewhere(&room, dice)).collect();
    let obstacles: Vec<_> = (places.iter())
        .map(|position| Obstacle {
            position: *position,
            velocity: Vec2::X,
            radius: 12.0,
        })
        .collect();
    let swap = [Favour::Flee {
        weight: 1.0,
        within: 100.0,
    }];
    let counted = allocation_counter::measure(|| {
        for (i, place) in places.iter().enumerate() {
            let mut around = Surroundings::new(Environment::new(room.layer()), *place);
            around.target = Some(places[0]);
            around.items = &places;
            around.allies = &obstacles;
            around.hazards = &obstacles;
            steering.update(&around, 0.1);
            if i == 10 {
                steering.favours.clear();
                steering.favours.extend_from_slice(&swap);
            }
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// It begins to brake where its acceleration still stops it.
#[test]
fn an_agent_brakes_before_a_wall_as_hard_as_it_can_and_not_harder() {
    let room = Room::new(&[
        "####################",
        "#..................#",
        "#..................#",
        "#..................#",
        "####################",
    ]);
    let mut steering = Steering::new(16, crate::favours::LIMITS);
    steering.favours.push(chase(1.0, 0.0));
    let dt = crate::world::DT;
    let most = steering.limits.max_acceleration * dt;
    let (mut position, mut velocity) = (Vec2::new(40.0, 46.0), Vec2::ZERO);
    let mut fastest = 0.0_f32;
    for _ in 0..600 {
        let mut around = Surroundings::new(Environment::new(room.layer()), position);
        around.velocity = velocity;
        around.target = Some(Vec2::new(900.0, 46.0));
        let next = steering.update(&around, dt);
        assert!(
            next.distance(velocity) <= most * 1.001,
            "{velocity} {next} at {position}"
        );
        fastest = fastest.max(velocity.x);
        velocity = next;
        position += velocity * dt;
    }
    assert!(fastest > 0.8 * steering.limits.max_speed, "{fastest}");
    assert!(velocity.length() < 1.0, "{velocity}");
}

/// Whatever the game passes, its body gets a velocity that it can be moved by.
#[test]
fn velocities_are_finite_for_any_numbers() {
    const ODD: [f32; 8] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        1e30,
        -1.0,
        0.0,
        50.0,
    ];
    let dice = &mut Dice::case(9);
    let room = random_room(dice);
    for _ in 0..4000 {
        let mut odd = || ODD[dice.below(8) as usize];
        let limits = SteeringLimits {
            max_speed: odd(),
            max_acceleration: odd(),
            turn_rate: odd(),
        };
        let (weight, look_ahead) = (odd(), odd());
        let mut steering = Steering::new(8, limits);
        steering.favours = vec![
            Favour::Chase {
                weight,
                arrive: odd(),
            },
            Favour::Flee {
                weight,
                within: odd(),
            },
            Favour::SeekItems {
                weight,
                within: odd(),
            },
        ];
        steering.dangers = vec![
            Danger::Walls { look_ahead },
            Danger::Allies { look_ahead },
            Danger::Target {
                radius: odd(),
                look_ahead,
            },
        ];
        let mut at = || Vec2::new(odd(), odd());
        let mut around = Surroundings::new(Environment::new(room.layer()), at());
        (around.velocity, around.target) = (at(), Some(at()));
        (around.waypoint, around.anchor) = (Some(at()), Some(at()));
        let items = [at(), at()];
        let allies = [Obstacle {
            position: at(),
            velocity: at(),
            radius: odd(),
        }];
        (around.items, around.allies) = (&items, &allies);
        let dt = odd();
        let velocity = steering.update(&around, dt);
        assert!(velocity.is_finite(), "{velocity} of {limits:?} {around:?}");
    }
}
