//! Bodies that a fixed-step controller moves with [`NavAgent::drive_with`], on links
//! whose horizontal speed changes at once.

use crate::levels;
use crate::physics_body;

use glam::{DVec2, Vec2};
use levels::{Dice, Level, gap, walking, wide_floors};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{Activity, AgentEvent, BodyCommand, Environment, Stranded};
use navmesh_runtime::search::{Doors, PathFinder, PathOutcome, Query, Rect};
use physics_body::{Body, Character, Drive, Limits, Tiles, Trip};

fn tiles(level: &Level) -> Tiles {
    let tile = |solid: &bool| if *solid { b'#' } else { b'.' };
    let rows = level.rows.iter();
    Tiles {
        rows: rows.map(|row| row.iter().map(tile).collect()).collect(),
        side: f64::from(levels::TILE),
    }
}

/// A random point of a random platform.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let mut platforms = layer.platforms();
    let number = dice.below(platforms.len() as u32) as usize;
    let platform = platforms.nth(number).unwrap();
    let (low, high) = platform.extent();
    platform.at(dice.between(low, high))
}

/// Trips in percent: completed, and completed without planning again.
fn share(levels: &[Level], drive: Drive, hz: f64, air: f64) -> ([f64; 2], u32) {
    let (mut trips, mut completed, mut straight) = (0, 0, 0);
    for (seed, level) in levels.iter().enumerate() {
        let (layer, tiles) = (level.layer(), tiles(level));
        let dice = &mut Dice(seed as u64);
        for _ in 0..8 {
            let [from, to] = [(); 2].map(|()| somewhere(layer, dice));
            let mut finder = PathFinder::new();
            let found = finder.find(layer, &Query::new(from, to));
            if !matches!(found, Ok(PathOutcome::Found(_))) {
                continue;
            }
            let limits = Limits::new(layer, drive, air);
            let mut trip = Trip::new(layer, &tiles, limits, from, hz);
            trip.go(to, Body::step);
            trips += 1;
            completed += u32::from(trip.has_arrived());
            straight += u32::from(trip.has_arrived() && !trip.has_replanned());
        }
    }
    let percent = |n: u32| 100.0 * f64::from(n) / f64::from(trips);
    ([completed, straight].map(percent), trips)
}

/// The whole table: two drives, four rates, four accelerations.
#[test]
fn bodies_of_a_physics_engine_follow_paths_at_every_rate() {
    let levels: Vec<Level> = (0..30)
        .map(|seed| Level::random(24, 14, walking(), &mut Dice(seed)))
        .collect();
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0] {
            for air in [f64::INFINITY, 20.0, 8.0, 4.0] {
                let ([completed, straight], trips) = share(&levels, drive, hz, air);
                println!(
                    "{drive:?} {hz} Hz, {air} x: {trips} trips, {completed:.1} / {straight:.1}"
                );
                assert!(
                    completed >= least(hz)[0] && straight >= least(hz)[1] && trips > 100,
                    "{drive:?} {hz} Hz, {air} x: {completed} / {straight}"
                );
            }
        }
    }
}

/// Percent of trips that must be completed, and without planning again, at a
/// rate. At 30 steps a second, a body moves a quarter of its width in a step.
fn least(hz: f64) -> [f64; 2] {
    if hz < 50.0 {
        [70.0, 60.0]
    } else {
        [80.0, 70.0]
    }
}

/// It is the path that the agent follows, and takes at most 3 s longer than the shortest for
/// each link of that one.
#[test]
fn the_path_of_a_driven_body_is_known_before_it_moves() {
    let (mut paths, mut longer) = (0, 0);
    for seed in 0..30 {
        let level = Level::random(24, 14, walking(), &mut Dice(seed));
        let (layer, tiles) = (level.layer(), tiles(&level));
        let dice = &mut Dice(seed);
        for _ in 0..8 {
            let [from, to] = [(); 2].map(|()| somewhere(layer, dice));
            let mut finder = PathFinder::new();
            let found = finder.find(layer, &Query::new(from, to));
            let Ok(PathOutcome::Found(shortest)) = found else {
                continue;
            };
            let links = shortest
                .steps
                .iter()
                .filter(|step| step.link.is_some())
                .count();
            let most = shortest.cost + 3.0 * links as f64 + 1e-3;
            let cost = shortest.cost;
            let limits = Limits::new(layer, Drive::Gravity, 8.0);
            let mut trip = Trip::new(layer, &tiles, limits, from, 60.0);
            let (state, dt) = (trip.body.state(), trip.dt as f32);
            let path = trip
                .agent
                .driven_path(trip.environment, &mut finder, state, to, dt);
            let path = path.unwrap();
            assert!(
                path.cost <= most,
                "{seed}: {from} {to}: {} {most}",
                path.cost
            );
            trip.agent.go_to(to);
            trip.drive();
            assert_eq!(
                trip.agent.remaining_path(),
                path.steps,
                "{seed}: {from} {to}"
            );
            paths += 1;
            longer += u32::from(path.cost > 1.1 * cost);
        }
    }
    println!("{paths} paths, {longer} over 1.1 times the shortest");
    assert!(paths > 100 && longer > 0, "{paths} {longer}");
}

/// Games often begin a jump in the step after the one that asks for it.
#[test]
fn a_jump_one_step_late_still_lands() {
    let level = wide_floors();
    let tiles = tiles(&level);
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [50.0, 60.0, 144.0] {
            let limits = Limits::new(level.layer(), drive, 8.0);
            let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), hz);
            let mut late = BodyCommand::default();
            trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
                let BodyCommand {
                    jump, drop_through, ..
                } = std::mem::replace(&mut late, command);
                body.step(
                    BodyCommand {
                        jump,
                        drop_through,
                        ..command
                    },
                    dt,
                );
            });
            assert!(trip.has_arrived(), "{drive:?} {hz}: {:?}", trip.events);
            assert!(!trip.has_replanned(), "{drive:?} {hz}: {:?}", trip.events);
        }
    }
}

/// Character controllers report for single steps that a body does not stand.
#[test]
fn one_missing_report_of_the_floor_changes_nothing() {
    let level = wide_floors();
    let (layer, tiles) = (level.layer(), tiles(&level));
    let to = Vec2::new(290.0, 144.0);
    // Until the body jumps, with no such report in this step.
    let steps_to_jump = |trip: &mut Trip<'_, Character<'_>>, missing: Option<u32>| {
        trip.agent.go_to(to);
        for step in 0..300 {
            let grounded = trip.body.grounded;
            trip.body.grounded &= missing != Some(step);
            let command = trip.drive();
            trip.body.grounded = grounded;
            if command.jump.is_some() {
                return step;
            }
            trip.body.step(command, trip.dt);
        }
        panic!("no jump: {:?}", trip.events);
    };
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 60.0, 144.0] {
            for start in 0..20 {
                let from = Vec2::new(30.0 + 0.37 * start as f32, 144.0);
                let limits = Limits::new(layer, drive, 8.0);
                let trip = || Trip::new(layer, &tiles, limits, from, hz);
                let jump = steps_to_jump(&mut trip(), None);
                for missing in jump - 3..=jump {
                    let mut trip = trip();
                    assert_eq!(steps_to_jump(&mut trip, Some(missing)), jump);
                    travel(&mut trip, to, 6.0);
                    assert!(trip.has_arrived(), "{drive:?} {hz}: {:?}", trip.events);
                    assert!(!trip.has_replanned(), "{drive:?} {hz}: {:?}", trip.events);
                }
            }
        }
    }
}

/// An engine may take a body that hardly moves for one at rest, and would get the same
/// command again.
#[test]
fn no_command_is_too_slow_to_move_a_body() {
    let level = wide_floors();
    let (layer, tiles) = (level.layer(), tiles(&level));
    for hz in [30.0, 60.0, 144.0] {
        for start in 0..2000 {
            let limits = Limits::new(layer, Drive::Gravity, 8.0);
            let from = Vec2::new(130.0 + 0.018 * start as f32, 144.0);
            let mut trip = Trip::new(layer, &tiles, limits, from, hz);
            trip.agent.go_to(Vec2::new(290.0, 144.0));
            let command = trip.drive();
            let moves = command.jump.is_some() || command.velocity.x.abs() > 1.0;
            assert!(moves, "{from} {hz}: {command:?}");
        }
    }
}

/// An agent with human timing waits before it runs, and still gets there.
#[test]
fn human_timing_delays_and_arrives() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    for seed in 0..8 {
        let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
        trip.agent.set_human_timing(0.25, 0.1, seed);
        let mut waited = 0;
        trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
            body.step(command, dt);
            waited += u32::from(body.velocity.x == 0.0);
        });
        assert!(trip.has_arrived(), "{seed}: {:?}", trip.events);
        assert!((14..=17).contains(&waited), "{waited} steps");
    }
}

/// It reacts once to a target that moves on in every step, and then follows it.
#[test]
fn human_timing_does_not_keep_a_body_from_a_moving_target() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    trip.agent.set_human_timing(0.25, 0.0, 1);
    let mut waited = 0;
    for step in 0..60 {
        let to = Vec2::new(80.0 + 0.5 * step as f32, 144.0);
        trip.agent.go_to(to);
        let command = trip.drive();
        trip.body.step(command, trip.dt);
        waited += u32::from(trip.body.velocity.x == 0.0);
    }
    assert!((14..=17).contains(&waited), "{waited} steps");
}

/// A push in the middle of a jump: the body steers back, or plans again from
/// where it comes down.
#[test]
fn a_bumped_body_gets_there() {
    let level = gap();
    let tiles = tiles(&level);
    for push in [-60.0, -25.0, 25.0, 60.0] {
        for drive in [Drive::Servo, Drive::Gravity] {
            let limits = Limits::new(level.layer(), drive, 8.0);
            let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
            let mut since_take_off = 0;
            let to = Vec2::new(300.0, 144.0);
            let mut step = |body: &mut Character<'_>, command: BodyCommand, dt: f64| {
                since_take_off = if body.grounded { 0 } else { since_take_off + 1 };
                if since_take_off == 8 {
                    body.velocity.x += push;
                }
                body.step(command, dt);
            };
            for _ in 0..4 {
                trip.go(to, &mut step);
            }
            let at = trip.body.feet;
            let fell = at.y > 200.0;
            assert!(
                trip.has_arrived() || fell,
                "{push} {drive:?}: {at} {:?}",
                trip.events
            );
        }
    }
}

/// A gust carries the body back over the floor that it jumped from.
#[test]
fn a_body_that_lands_on_another_floor_has_not_arrived() {
    let level = wide_floors();
    let (layer, tiles) = (level.layer(), tiles(&level));
    for hz in [30.0, 60.0, 144.0] {
        let limits = Limits::new(layer, Drive::Gravity, 8.0);
        let mut trip = Trip::new(layer, &tiles, limits, Vec2::new(100.0, 144.0), hz);
        // The path ends with the jump.
        let mut links = layer.links().iter();
        let to = links.find(|link| link.from.x < 170.0).unwrap().to;
        trip.agent.go_to(to);
        let mut gusts = 0;
        for _ in 0..(9.0 * hz) as u32 {
            let command = trip.drive();
            if gusts == 0 && trip.body.velocity.y > 0.0 && !trip.body.grounded {
                let last = trip.agent.remaining_path().last();
                assert_eq!(last, None, "{hz}");
                trip.body.feet.x = 130.0;
                gusts += 1;
            }
            trip.body.step(command, trip.dt);
            let arrived = trip.has_arrived();
            assert!(
                !arrived || trip.body.feet.x > 180.0,
                "{hz}: {:?}",
                trip.events
            );
        }
        assert!(gusts == 1 && trip.has_arrived(), "{hz}: {:?}", trip.events);
    }
}

/// A ceiling that the mesh does not know stops a jump: the body falls from there,
/// also one that has the whole velocity of the command.
#[test]
fn a_body_that_bumps_its_head_falls() {
    const CEILING: f64 = 140.0;
    let level = wide_floors();
    let tiles = tiles(&level);
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 60.0, 144.0] {
            let limits = Limits::new(level.layer(), drive, 8.0);
            let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), hz);
            let (mut bumps, mut hangs) = (0, 0.0);
            trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
                body.step(command, dt);
                hangs = if body.feet.y <= CEILING {
                    hangs + dt
                } else {
                    0.0
                };
                if hangs > 0.0 {
                    bumps += 1;
                    body.feet.y = CEILING;
                    body.velocity.y = body.velocity.y.max(0.0);
                }
                assert!(hangs < 0.3, "{drive:?} {hz}: it hangs below the ceiling");
            });
            assert!(bumps > 0, "{drive:?} {hz}");
        }
    }
}

/// A body that something holds reports it, instead of running for ever.
#[test]
fn a_body_that_is_held_is_stuck() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    trip.agent.go_to(Vec2::new(290.0, 144.0));
    for _ in 0..60 * 6 {
        let command = trip.drive();
        trip.body.step(command, trip.dt);
        trip.body.feet.x = trip.body.feet.x.min(80.0);
    }
    assert!(trip.has(|e| matches!(e, AgentEvent::Stuck { .. })));
    // Also on the way to a target that moves.
    trip.events.clear();
    for step in 0..60 * 6 {
        let to = 250.0 + 40.0 * (step as f32 / 50.0).sin();
        trip.agent.go_to(Vec2::new(to, 144.0));
        let command = trip.drive();
        trip.body.step(command, trip.dt);
        trip.body.feet.x = trip.body.feet.x.min(80.0);
    }
    assert!(trip.has(|e| matches!(e, AgentEvent::Stuck { .. })));
    // Let go, it arrives.
    trip.go(Vec2::new(290.0, 144.0), |body, command, dt| {
        body.step(command, dt);
    });
    assert!(trip.has_arrived(), "{:?}", trip.events);
}

/// A game takes a body away where it should jump, and gives it back elsewhere, in the air.
#[test]
fn a_jump_that_was_commanded_before_other_steps_has_not_begun() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    let to = Vec2::new(290.0, 144.0);
    trip.agent.go_to(to);
    loop {
        let command = trip.drive();
        if command.jump.is_some() {
            break;
        }
        trip.body.step(command, trip.dt);
    }
    let (mut finder, dt) = (PathFinder::new(), trip.dt as f32);
    for _ in 0..600 {
        trip.agent.step(trip.environment, &mut finder, dt);
    }
    assert_eq!(trip.agent.pose().position, to);
    (trip.body.feet, trip.body.grounded) = (to.as_dvec2(), false);
    trip.body.velocity = DVec2::ZERO;
    trip.events.clear();
    trip.drive();
    assert_eq!(trip.events, []);
}

/// The tiles of a level, and a box that the mesh does not have: its column, its row,
/// its width and its height in half tiles.
fn with_box(level: &Level, [column, row, width, height]: [usize; 4]) -> Tiles {
    let Tiles { rows, side } = tiles(level);
    let half = |row: &Vec<u8>| row.iter().flat_map(|&tile| [tile; 2]).collect::<Vec<u8>>();
    let mut rows: Vec<Vec<u8>> = rows.iter().flat_map(|row| [half(row), half(row)]).collect();
    let empty = vec![b'.'; rows[0].len()];
    rows.resize(rows.len().max(row + height), empty);
    for row in &mut rows[row..row + height] {
        row[column..column + width].fill(b'#');
    }
    Tiles {
        rows,
        side: 0.5 * side,
    }
}

/// The path out of the door ends just beyond it. A body rests up to half its slop before
/// the end of other paths.
#[test]
fn a_body_that_a_door_closes_on_leaves_it_completely() {
    let level = wide_floors();
    let (layer, tiles) = (level.layer(), tiles(&level));
    for (x, hz) in [(70.0, 60.0), (75.0, 30.0), (78.0, 144.0), (85.0, 60.0)] {
        let limits = Limits::new(layer, Drive::Gravity, 8.0);
        let mut trip = Trip::new(layer, &tiles, limits, Vec2::new(x, 144.0), hz);
        let mut doors = Doors::new();
        doors.close_region(Rect::new(Vec2::new(72.0, 96.0), Vec2::new(80.0, 144.0)));
        let doors = &doors;
        trip.environment = Environment {
            doors,
            ..trip.environment
        };
        travel(&mut trip, Vec2::new(x, 144.0), 1.0);
        // Beyond the platform of the door.
        let to = Vec2::new(if x < 76.0 { 40.0 } else { 120.0 }, 144.0);
        travel(&mut trip, to, 4.0);
        let is_caught = |e: &&AgentEvent| matches!(e, AgentEvent::CaughtInDoor { .. });
        let caught = trip.events.iter().filter(is_caught).count();
        assert_eq!(caught, 1, "{x} {hz}: {:?}", trip.events);
        assert!(trip.has_arrived(), "{x} {hz}: {:?}", trip.events);
    }
}

/// Steps that the agent walks, and a controller that does not hold the body on the floor:
/// on its way down the body falls for some steps of the physics.
#[test]
fn a_body_that_walks_down_steps_keeps_its_path() {
    let level = wide_floors();
    let (layer, tiles) = (level.layer(), tiles(&level));
    for drive in [Drive::Gravity, Drive::Servo] {
        let limits = Limits::new(layer, drive, 8.0);
        let mut trip = Trip::new(layer, &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
        trip.agent.go_to(Vec2::new(120.0, 144.0));
        let mut least = f32::INFINITY;
        for step in 0..120 {
            if step == 30 {
                trip.body.feet.y -= 4.0;
                trip.body.grounded = false;
            }
            let command = trip.drive();
            if (20..40).contains(&step) {
                least = least.min(command.velocity.x);
            }
            trip.body.step(command, trip.dt);
        }
        assert!(trip.has_arrived(), "{drive:?}: {:?}", trip.events);
        assert!(!trip.has_replanned(), "{drive:?}: {:?}", trip.events);
        assert!(
            least >= layer.profile().run_speed - 0.1,
            "{drive:?}: {least}"
        );
    }
}

/// A body beside a gap goes back for its run-up. Where the target moves on the other
/// side it plans again all the time, and must not start again.
#[test]
fn a_run_up_goes_on_while_the_target_moves() {
    let level = Level::under_air(9, &["##########....###########"], walking());
    let slow = level.with(|parts| parts.profile.acceleration = 120.0);
    let (layer, tiles) = (&slow.layers()[0], tiles(&level));
    let mut run_ups = 0;
    for drive in [Drive::Gravity, Drive::Servo] {
        for start in 0..12 {
            let limits = Limits::new(layer, drive, 1.0);
            let from = Vec2::new(137.0 + 2.0 * start as f32, 144.0);
            // Seconds until it jumps, and how often it turns before.
            let jumps = |every: u32| {
                let mut trip = Trip::new(layer, &tiles, limits, from, 60.0);
                let (mut turns, mut last) = (0, 0.0);
                for step in 0..240 {
                    if step % every == 0 {
                        let to = Vec2::new(340.0 + 0.05 * step as f32, 144.0);
                        trip.agent.go_to(to);
                    }
                    let command = trip.drive();
                    if command.jump.is_some() {
                        return (step, turns);
                    }
                    trip.body.step(command, trip.dt);
                    let way = trip.body.velocity.x.signum();
                    if trip.body.velocity.x.abs() > 1.0 && way != last {
                        (turns, last) = (turns + 1, way);
                    }
                }
                panic!("{drive:?}, {from}: no jump after {turns} turns");
            };
            let ((still, least), (moving, turns)) = (jumps(1000), jumps(3));
            run_ups += u32::from(least > 1);
            assert!(
                turns <= least.max(2),
                "{drive:?}, {from}: {turns} turns, {least}"
            );
            assert!(
                moving <= still + 12,
                "{drive:?}, {from}: {moving} steps, {still}"
            );
        }
    }
    assert!(run_ups > 3, "{run_ups}");
}

/// Drives a body to a destination until it arrives, for some seconds at most.
fn travel(trip: &mut Trip<'_, Character<'_>>, to: Vec2, seconds: f64) {
    trip.agent.go_to(to);
    for _ in 0..(seconds / trip.dt) as u32 {
        if trip.has_arrived() {
            break;
        }
        let command = trip.drive();
        trip.body.step(command, trip.dt);
    }
}

/// The floor is at 144; a path can begin up to 16 above it.
#[test]
fn a_body_on_a_crate_walks_off_it_or_is_stuck() {
    let (level, to) = (wide_floors(), Vec2::new(290.0, 144.0));
    for (height, hz) in [(1, 30.0), (1, 60.0), (1, 144.0), (3, 60.0)] {
        let tiles = with_box(&level, [5, 18 - height, 4, height]);
        let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
        let from = Vec2::new(56.0, 144.0 - 8.0 * height as f32);
        let mut trip = Trip::new(level.layer(), &tiles, limits, from, hz);
        travel(&mut trip, to, 9.0);
        let is_stuck = |e: &&AgentEvent| matches!(e, AgentEvent::Stuck { .. });
        let stuck = trip.events.iter().filter(is_stuck).count();
        if height == 3 {
            // Once every four seconds, and nothing else. Pushed off, it goes on.
            assert_eq!([stuck, trip.events.len()], [2, 2], "{:?}", trip.events);
            trip.body.feet.x += 40.0;
            travel(&mut trip, to, 9.0);
        } else {
            assert_eq!(stuck, 0, "{:?}", trip.events);
        }
        assert!(trip.has_arrived(), "{height}: {:?}", trip.events);
    }
}

#[test]
fn a_body_in_a_long_fall_is_not_stuck() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits {
        max_fall: 20.0,
        ..Limits::new(level.layer(), Drive::Gravity, 8.0)
    };
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 24.0), 60.0);
    travel(&mut trip, Vec2::new(100.0, 144.0), 9.0);
    assert!(
        trip.has_arrived() && !trip.has_replanned(),
        "{:?}",
        trip.events
    );
}

/// It stands deep in the pit, where an agent has no place.
#[test]
fn a_body_where_no_floor_is_below_is_stranded_until_it_is_moved() {
    let (level, to) = (wide_floors(), Vec2::new(290.0, 144.0));
    let tiles = with_box(&level, [20, 22, 4, 2]);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(176.0, 176.0), 60.0);
    travel(&mut trip, to, 5.0);
    let why = Stranded::NothingBelow;
    assert_eq!(trip.events, [AgentEvent::Stranded(why)]);
    assert_eq!(trip.agent.pose().activity, Activity::Stranded(why));
    trip.body.feet = DVec2::new(30.0, 143.9);
    travel(&mut trip, to, 9.0);
    assert!(trip.has_arrived(), "{:?}", trip.events);
    // A lift or the game takes it back, and it stands all the time.
    trip.events.clear();
    trip.body.feet = DVec2::new(176.0, 176.0);
    assert!(trip.body.grounded);
    travel(&mut trip, to, 5.0);
    assert_eq!(trip.events, [AgentEvent::Stranded(why)]);
}

/// Once, as soon as it is out of sight. Back in the level, it goes on.
#[test]
fn a_body_that_falls_out_of_the_level_is_stranded() {
    let (level, to) = (wide_floors(), Vec2::new(290.0, 144.0));
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 8.0);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    // A push into the pit, whose bottom is at 160.
    trip.body.feet = DVec2::new(176.0, 140.0);
    travel(&mut trip, to, 1.5);
    let why = Stranded::LeftLevel;
    let stranded = |e: &&AgentEvent| matches!(e, AgentEvent::Stranded(_));
    let reports: Vec<_> = trip.events.iter().filter(stranded).collect();
    assert_eq!(reports, [&AgentEvent::Stranded(why)], "{:?}", trip.events);
    assert_eq!(trip.agent.pose().activity, Activity::Stranded(why));
    trip.body.feet = DVec2::new(30.0, 143.9);
    trip.body.velocity = DVec2::ZERO;
    travel(&mut trip, to, 9.0);
    assert!(trip.has_arrived(), "{:?}", trip.events);
}

/// The jump of the agent is the one the body is in: its time begins with the
/// launch of the body.
#[test]
fn the_arc_follows_the_body() {
    let level = wide_floors();
    let tiles = tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, f64::INFINITY);
    let mut trip = Trip::new(level.layer(), &tiles, limits, Vec2::new(30.0, 144.0), 60.0);
    trip.agent.go_to(Vec2::new(290.0, 144.0));
    let mut in_the_air = 0;
    for _ in 0..300 {
        let command = trip.drive();
        if let Some(arc) = trip.agent.airborne() {
            in_the_air += 1;
            let off = arc.position().as_dvec2() - trip.body.feet;
            assert!(off.y.abs() < 1.0 && off.x.abs() < 2.5, "{off} {arc:?}");
            assert!((arc.elapsed() - f64::from(in_the_air) * trip.dt).abs() < 1.5 * trip.dt);
            assert!((f64::from(arc.velocity().y) - trip.body.velocity.y).abs() < 20.0);
        }
        trip.body.step(command, trip.dt);
    }
    assert!(in_the_air > 10 && trip.has_arrived());
}
