//! Bodies that a fixed-step controller moves along baked paths, with own gravity
//! or a servo and bounded acceleration in the air. The controller shares no code
//! with baker or runtime.

use crate::common::rows;
use crate::physics_body;
use crate::trips;

use glam::Vec2;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, StepKind};
use navmesh_runtime::motion::{AgentEvent, Airborne, Environment, NavAgent, PathLostReason};
use navmesh_runtime::search::{Doors, PathFinder, PathOutcome, Query, QueryError, Rect, SnapTo};
use navmesh_runtime::shared::{PathSource, Ticket};
use physics_body::{Body, Character, Drive, FRAMES, Limits, Tiles, Trip};
use trips::{Report, Stage, double_jump_stages, stages, travel, with_all_links};

/// Percent of trips that must be completed, and without planning again. Bodies do less well
/// that cannot turn as sharply as the links, that take off in the nearest of unequal steps,
/// or whose steps are long. Most of the others need a jump into a gap as high as the body.
fn least(hz: f64, factor: f32) -> [f64; 2] {
    match factor {
        f32::INFINITY if hz < 50.0 => [99.1, 93.3],
        f32::INFINITY => [99.0, 97.3],
        _ if hz == FRAMES => [99.5, 98.6],
        _ if hz < 50.0 => [99.5, 99.1],
        _ => [99.9, 99.5],
    }
}

/// The same for bodies that jump again in the air, in the step that is nearest to
/// the moment of the link: half a step too early or too late.
fn least_with_air_jumps(_: f64, _: f32) -> [f64; 2] {
    [99.9, 99.2]
}

fn assert_trips(stages: &[Stage], factor: f32, least: fn(f64, f32) -> [f64; 2]) {
    let mut report = Report::default();
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0, FRAMES] {
            let score = travel(stages, |_, stage, from| {
                let layer = stage.layer();
                let limits = Limits::new(layer, drive, factor.into());
                Trip::new(layer, &stage.tiles, limits, from, hz)
            });
            let rate = if hz == FRAMES {
                "frames of 8 to 33 ms".to_owned()
            } else {
                format!("{hz} Hz")
            };
            let row = format!("{drive:?} {rate}, {factor} x");
            report.add(&row, score, least(hz, factor));
        }
    }
    report.assert();
}

#[test]
fn bodies_complete_trips_at_8_times_run_speed() {
    assert_trips(&stages(8.0), 8.0, least);
}

#[test]
fn bodies_complete_trips_at_20_times_run_speed() {
    assert_trips(&stages(20.0), 20.0, least);
}

#[test]
fn bodies_complete_trips_at_4_times_run_speed() {
    assert_trips(&stages(4.0), 4.0, least);
}

#[test]
fn bodies_that_jump_again_in_the_air_complete_trips() {
    assert_trips(&double_jump_stages(8.0), 8.0, least_with_air_jumps);
}

/// An agent slower than baked keeps to its acceleration in the air.
#[test]
fn slower_agents_jump_smoothly() {
    let (mut links, mut taken) = (0, 0);
    for stage in &stages(8.0) {
        let layer = stage.layer();
        let mut slow = layer.profile().clone();
        slow.run_speed *= 0.7;
        slow.gravity *= 0.9;
        let most = f64::from(slow.air_acceleration.unwrap());
        for link in layer.links().iter().filter(|l| l.kind.is_airborne()) {
            links += 1;
            let Some(mut flight) = Airborne::along(link, layer, &slow) else {
                continue;
            };
            taken += 1;
            let dt = flight.duration() / 256.0;
            for _ in 0..256 {
                let before = f64::from(flight.velocity().x);
                let _ = flight.advance(dt);
                let after = f64::from(flight.velocity().x);
                let change = (after - before).abs();
                assert!(change <= most * dt * 1.001 + 1e-3, "{link:?}: {change}");
                assert!(after.abs() <= f64::from(slow.run_speed) * 1.001, "{link:?}");
            }
        }
    }
    println!("{taken} of {links} links");
    assert!(4 * taken > links, "{taken} of {links}");
}

/// The tolerance of a link whose speed changes at once is of time only. Where the
/// gap at the landing is as high as the body, it enters at a single height.
#[test]
fn no_jump_into_a_gap_as_high_as_the_body_has_a_tolerance() {
    let mut gaps = 0;
    for stage in &stages(f32::INFINITY) {
        let mesh = with_all_links(stage);
        let [width, height] = stage.layer().profile().body;
        let jumps = mesh.layers()[0].links().iter();
        for jump in jumps.filter(|link| link.kind == StepKind::Jump) {
            let corners = [-0.4, 0.4].map(|x| jump.to + Vec2::new(x * width, -height - 0.02));
            if corners.iter().any(|corner| stage.tiles.is_solid(*corner)) {
                gaps += 1;
                assert_eq!(jump.tolerance, 0.0, "{jump:?}");
            }
        }
    }
    println!("{gaps} jumps");
    assert!(gaps > 20, "{gaps}");
}

/// Links whose speed changes at once, for bodies that can do so.
#[test]
fn bodies_complete_trips_without_a_limit() {
    assert_trips(&stages(f32::INFINITY), f32::INFINITY, least);
}

/// Finds paths as if no link cost more than its duration. Where every link of them
/// can be followed, only run-ups make a difference.
struct WithoutRunUps(PathFinder);

impl PathSource for WithoutRunUps {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        _: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        self.0.find(layer, &Query::new(query.from, query.to))
    }

    fn cancel(&mut self, _: Ticket) {}
}

/// Steps until a body arrives on ice, if it does within 90 seconds, on one path.
fn steps_on_ice(stage: &Stage, [from, to]: [Vec2; 2], paths: &mut impl PathSource) -> Option<u32> {
    const DT: f32 = 1.0 / 60.0;
    let layer = stage.layer();
    let limits = Limits::new(layer, Drive::Gravity, 8.0);
    let mut body = Character::new(&stage.tiles, limits, from.as_dvec2());
    let mut agent = NavAgent::new(layer, from);
    agent.go_to(to);
    let mut is_lost = false;
    let steps = (0..5400).find(|_| {
        let command = agent.drive_with(Environment::new(layer), paths, body.state(), DT);
        body.step(command, DT.into());
        is_lost |= has_event!(agent.events(), AgentEvent::PathLost(_));
        has_event!(agent.events(), AgentEvent::Arrived { .. })
    });
    steps.filter(|_| !is_lost)
}

/// Where run-ups take long, a body chooses links that need none.
#[test]
fn bodies_count_run_ups() {
    let (mut counted, mut not_counted, mut trips) = (0, 0, 0);
    for (number, stage) in trips::icy_stages().iter().enumerate() {
        let routes = trips::routes(stage.layer(), number as u64).into_iter();
        for route in routes.filter(|route| trips::has_tolerances(stage.layer(), *route)) {
            let with = steps_on_ice(stage, route, &mut PathFinder::new());
            let without = steps_on_ice(stage, route, &mut WithoutRunUps(PathFinder::new()));
            // The others say nothing about the time.
            if let (Some(with), Some(without)) = (with, without) {
                trips += 1;
                counted += with;
                not_counted += without;
            }
        }
    }
    let seconds = [counted, not_counted].map(|steps| f64::from(steps) / 60.0);
    println!("{trips} trips: {seconds:.0?} s");
    assert!(
        trips > 400 && seconds[0] < 0.99 * seconds[1],
        "{trips} {seconds:?}"
    );
}

/// A body that stands where it has to walk off goes back for a run-up, without
/// which it would fall short.
#[test]
fn bodies_take_a_run_up_to_walk_off() {
    let rows = ["", "", "####", "", "......####"];
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.edges = EdgeSet::FLOOR | EdgeSet::DROP;
    agent.air_acceleration = Some(2.0 * agent.run_speed);
    let level = rows::level("gap", 16, &rows);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let tiles = Tiles::parse(&rows.map(str::to_owned), 16.0);
    let lip = layer.platforms().next().unwrap().right();
    let mut trips = 0;
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0] {
            for before in [0.5, 1.0, 2.0, 4.0, 8.0] {
                let limits = Limits::new(layer, drive, 2.0);
                let from = lip - Vec2::new(before, 0.0);
                let mut trip = Trip::new(layer, &tiles, limits, from, hz);
                trip.go(Vec2::new(130.0, 64.0), Body::step);
                assert!(trip.has_arrived(), "{before}: {:?}", trip.events);
                assert!(!trip.has_replanned(), "{before}: {:?}", trip.events);
                trips += 1;
            }
        }
    }
    assert_eq!(trips, 40);
}

/// In a level with a ladder, `act` gets a body of this agent at a position, at several
/// rates. `tiles` are what carries the body: also the upper end of the ladder.
fn on_ladder(agent: AgentProfile, from: Vec2, act: impl Fn(&mut Trip<'_, Character<'_>>)) {
    let rows = [
        "",
        "",
        "",
        "####H####",
        "....H",
        "....H",
        "....H",
        "#########",
    ];
    let level = rows::level("ladder", 16, &rows);
    let tiles = ["", "", "", "####-####", "", "", "", "#########"];
    let tiles = Tiles::parse(&tiles.map(str::to_owned), 16.0);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0, FRAMES] {
            let limits = Limits::new(layer, drive, 8.0);
            act(&mut Trip::new(layer, &tiles, limits, from, hz));
        }
    }
}

fn climber() -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.edges = agent.edges | EdgeSet::LADDER;
    agent.climb_speed = 36.0;
    agent
}

/// A second without a new command leaves a body that has arrived where it is.
fn assert_rests_at(trip: &mut Trip<'_, Character<'_>>, at: Vec2) {
    assert!(trip.has_arrived(), "{:?}", trip.events);
    assert!(!trip.has_replanned(), "{:?}", trip.events);
    for _ in 0..60 {
        let command = trip.drive();
        trip.body.step(command, trip.dt);
    }
    let off = trip.body.feet.as_vec2().distance(at);
    assert!(off < 0.5, "{off} from {at}: {:?}", trip.events);
}

/// A body that reaches the upper end of a ladder moves up as it climbs. It goes on along
/// the floor there without leaving it.
#[test]
fn bodies_climb_a_ladder_onto_a_floor() {
    on_ladder(climber(), Vec2::new(20.0, 112.0), |trip| {
        let up = Vec2::new(130.0, 48.0);
        trip.go(up, Body::step);
        assert_rests_at(trip, up);
    });
}

#[test]
fn bodies_rest_on_a_ladder() {
    on_ladder(climber(), Vec2::new(20.0, 112.0), |trip| {
        let middle = Vec2::new(72.0, 80.0);
        trip.go(middle, Body::step);
        assert_rests_at(trip, middle);
    });
}

#[test]
fn bodies_that_fly_rest_in_the_air() {
    let flier = AgentProfile::air("air", 16.0);
    on_ladder(flier, Vec2::new(20.0, 40.0), |trip| {
        let above = Vec2::new(120.0, 24.0);
        trip.go(above, Body::step);
        assert_rests_at(trip, above);
    });
}

/// A ladder, wall or ceiling does not ground a body: it holds on where its flight ends,
/// and begins the next one there, at rest.
#[test]
fn bodies_jump_and_drop_between_walls_and_ceilings() {
    let rows = [
        "####################",
        "#..................#",
        "#..................#",
        "#.......####.......#",
        "#.......####.......#",
        "#..................#",
        "#....#........#....#",
        "#....#........#....#",
        "####################",
    ];
    let mut agent = AgentProfile::ground("gecko", 16.0);
    agent.edges = agent.edges | EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB;
    agent.climb_speed = 60.0;
    let level = rows::level("cave", 16, &rows);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let tiles = Tiles::parse(&rows.map(str::to_owned), 16.0);
    let middles = || layer.platforms().map(|p| p.left().midpoint(p.right()));
    let is_floor = |at: &Vec2| layer.snap(*at, SnapTo::FloorBelow(1.0)).is_some();
    let (mut trips, mut arrived, mut lost) = (0, 0, Vec::new());
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0, FRAMES] {
            for from in middles().filter(is_floor) {
                let limits = Limits::new(layer, drive, 8.0);
                let mut trip = Trip::new(layer, &tiles, limits, from, hz);
                // To each platform and back.
                for to in middles().flat_map(|to| [to, from]) {
                    trip.events.clear();
                    trip.go(to, Body::step);
                    trips += 1;
                    arrived += usize::from(trip.has_arrived());
                    if trip.has_replanned() {
                        lost.push((drive, hz, from, to, trip.events.clone()));
                    }
                }
            }
        }
    }
    println!("{arrived} of {trips} trips, {} lost", lost.len());
    assert!(lost.len() * 400 < trips, "{lost:?}");
    // A body that plans again may be late.
    assert!(trips > 1000 && arrived + lost.len() >= trips);
}

/// A body that is frozen in the air or on a ladder stays there, and a stunned one falls.
#[test]
fn frozen_bodies_stay_and_stunned_ones_fall() {
    let flier = (AgentProfile::air("air", 16.0), Vec2::new(120.0, 24.0));
    for (agent, to) in [flier, (climber(), Vec2::new(72.0, 80.0))] {
        on_ladder(agent, Vec2::new(20.0, 40.0), |trip| {
            trip.go(to, Body::step);
            let rest = |trip: &mut Trip<'_, Character<'_>>| {
                let from = trip.body.feet;
                for _ in 0..60 {
                    let command = trip.drive();
                    trip.body.step(command, trip.dt);
                }
                trip.body.feet.y - from.y
            };
            trip.agent.disable();
            assert_eq!(rest(trip), 0.0);
            trip.agent.enable();
            assert!(rest(trip).abs() < 0.5);
            trip.agent.stun();
            assert!(rest(trip) > 10.0);
        });
    }
}

/// A closed door makes the way longer, so for some seconds the rest of it is longer than
/// what was left before. A body that runs all the time is not stuck.
#[test]
fn a_detour_around_a_door_is_no_standstill() {
    let upper = format!("....{}", "#".repeat(50));
    let rows = ["", "", "", "", "", "", &upper, "", "", &"#".repeat(60)];
    let level = rows::level("detour", 16, &rows);
    let settings = Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)]);
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let mut doors = Doors::new();
    doors.close_region(Rect::new(Vec2::new(800.0, 112.0), Vec2::new(816.0, 144.0)));
    let tiles = Tiles::parse(&rows.map(str::to_owned), 16.0);
    let limits = Limits::new(layer, Drive::Gravity, 8.0);
    let mut trip = Trip::new(layer, &tiles, limits, Vec2::new(20.0, 144.0), 60.0);
    trip.agent.go_to(Vec2::new(930.0, 144.0));
    for _ in 0..2400 {
        let command = trip.drive();
        trip.body.step(command, trip.dt);
        if trip.body.feet.x > 700.0 {
            trip.environment.doors = &doors;
        }
    }
    assert!(trip.has_arrived(), "{:?}", trip.events);
    let door = AgentEvent::PathLost(PathLostReason::Door);
    let lost = trip.events.iter().filter(|event| **event == door).count();
    assert_eq!(lost, 1, "{:?}", trip.events);
    assert!(!trip.has(|event| matches!(event, AgentEvent::Stuck { .. })));
}

/// A step down that is hardly longer than a body is wide, whose link ends at its far
/// end: there is room to land nearer.
#[test]
fn bodies_that_walk_off_land_inside_a_short_step() {
    let rows = ["", "", "..####", ".######", "", "", "", "########"];
    let agent = AgentProfile::ground("ground", 16.0);
    let level = rows::level("steps", 16, &rows);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let tiles = Tiles::parse(&rows.map(str::to_owned), 16.0);
    let lip = Vec2::new(26.0, 32.0);
    let mut trips = 0;
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0] {
            for before in (10..70).step_by(3) {
                let limits = Limits::new(layer, drive, 8.0);
                let from = lip + Vec2::new(before as f32, 0.0);
                let mut trip = Trip::new(layer, &tiles, limits, from, hz);
                trip.go(lip + Vec2::new(-12.4, 16.0), Body::step);
                assert!(trip.has_arrived(), "{before} {hz}: {:?}", trip.events);
                assert!(!trip.has_replanned(), "{before} {hz}: {:?}", trip.events);
                trips += 1;
            }
        }
    }
    assert_eq!(trips, 160);
}

/// A body that stands at the very end of a platform is held by less than its skin, and
/// slips off.
#[test]
fn bodies_sent_to_the_end_of_a_platform_stay_on_it() {
    let mut ends = 0;
    for stage in stages(8.0).iter().take(6) {
        let layer = stage.layer();
        for platform in layer.platforms() {
            let from = platform.at(platform.left().x.midpoint(platform.right().x));
            let rates = [30.0, 60.0, FRAMES, FRAMES];
            let drives = [Drive::Servo, Drive::Gravity].into_iter().cycle();
            for (run, (drive, hz)) in drives.zip(rates).enumerate() {
                let end = [platform.left(), platform.right()][run % 2];
                let limits = Limits::new(layer, drive, 8.0);
                let mut trip = Trip::new(layer, &stage.tiles, limits, from, hz);
                trip.go(end, Body::step);
                assert!(trip.has_arrived(), "{end}: {:?}", trip.events);
                // It comes to rest.
                for _ in 0..20 {
                    let command = trip.drive();
                    trip.body.step(command, trip.dt);
                }
                let off = trip.body.feet.as_vec2().distance(end);
                assert!(off < 0.1 * layer.profile().body[0], "{off} from {end}");
                assert!(!trip.has_replanned(), "{end}: {:?}", trip.events);
                ends += 1;
            }
        }
    }
    assert!(ends > 120, "{ends}");
}

/// Bodies that begin next to each other complete the trip to one destination at all
/// these rates, without planning again. Returns the number of trips.
fn assert_trips_from(
    rows: &[&str],
    agent: AgentProfile,
    rates: &[f64],
    starts: &(impl Iterator<Item = Vec2> + Clone),
    to: Vec2,
) -> u32 {
    let level = rows::level("level", 16, rows);
    let air = agent.air_acceleration.map_or(8.0, |a| a / agent.run_speed);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let rows: Vec<_> = rows.iter().map(|row| (*row).to_owned()).collect();
    let tiles = Tiles::parse(&rows, 16.0);
    let mut trips = 0;
    for drive in [Drive::Servo, Drive::Gravity] {
        for &hz in rates {
            for from in starts.clone() {
                let limits = Limits::new(layer, drive, air.into());
                let mut trip = Trip::new(layer, &tiles, limits, from, hz);
                trip.go(to, Body::step);
                let is_straight = trip.has_arrived() && !trip.has_replanned();
                assert!(is_straight, "{drive:?} {hz} {from}: {:?}", trip.events);
                trips += 1;
            }
        }
    }
    trips
}

/// A body that reaches a take-off too slowly and too fast to stop before the end of the
/// platform jumps all the same: short steps after a long one brake less than equal ones.
#[test]
fn bodies_jump_before_they_slip_off() {
    let agent = trips::agent(1.6, 8.0);
    let rows = ["....", ".......####", "....", "####", ""];
    let starts = (0..258).map(|i| Vec2::new(57.0 + 0.05 * i as f32, 48.0));
    let trips = assert_trips_from(&rows, agent, &[FRAMES], &starts, Vec2::new(150.0, 16.0));
    assert_eq!(trips, 516);
}

/// The apex of the jump is as high as the ceiling lets it. A body that rises higher, because
/// the steps of its rise are shorter than those before, meets the ceiling and falls short.
#[test]
fn bodies_that_jump_below_a_ceiling_do_not_meet_it() {
    let agent = trips::agent(0.6, 8.0);
    let rows = ["############", "", "", "", "", "#####...##", ""];
    let starts = (0..100).map(|i| Vec2::new(30.0 + 0.25 * i as f32, 80.0));
    let trips = assert_trips_from(&rows, agent, &[FRAMES], &starts, Vec2::new(140.0, 80.0));
    assert_eq!(trips, 200);
}

/// The first jump ends at the take-off of the second. A body that has landed a little beyond
/// it is slow, but can land all the same: it need not go back for a run-up, for which there
/// is no time.
#[test]
fn bodies_jump_on_from_where_they_have_landed() {
    let agent = trips::agent(1.6, 4.0);
    let rows = [
        "",
        ".................###",
        "",
        ".............##",
        "...........####",
        "",
    ];
    let starts = (0..100).map(|i| Vec2::new(171.0 + 0.25 * i as f32, 64.0));
    let trips = assert_trips_from(&rows, agent, &[FRAMES], &starts, Vec2::new(310.0, 16.0));
    assert_eq!(trips, 200);
}

/// A second jump that begins half a step too late, from lower than planned, is faster.
#[test]
fn bodies_jump_again_as_high_as_planned() {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_jumps = 1;
    let rows = ["", "", "####......##", "", "", ""];
    let starts = (0..200).map(|i| Vec2::new(10.0 + 0.25 * i as f32, 32.0));
    let trips = assert_trips_from(&rows, agent, &[FRAMES], &starts, Vec2::new(170.0, 32.0));
    assert_eq!(trips, 400);
}

/// A jump ends near the far end of a platform. A body comes down up to a step later than
/// its trajectory, and has to stop all the same.
#[test]
fn bodies_slow_down_before_they_land_near_an_end() {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_jumps = 1;
    let rows = [
        ".............#####..",
        "......##............",
        "#####....##.........",
        ".....####...........",
        "..................##",
        ".......#####.....###",
        "....................",
        "....................",
        "###.................",
        "..................##",
        "..........####.....#",
        "...........#........",
        "#...................",
        "####.###############",
    ];
    let starts = (0..90).map(|i| Vec2::new(62.0 + 0.25 * i as f32, 32.0));
    let rates = [30.0, 50.0, 60.0, 144.0];
    let trips = assert_trips_from(&rows, agent, &rates, &starts, Vec2::new(40.0, 128.0));
    assert_eq!(trips, 720);
}
