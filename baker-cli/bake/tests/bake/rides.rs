//! Motions onto and off platforms that move, repeated in small steps that share no code with
//! the bake, at every tick at which they may begin; and at the ticks at which they may not,
//! searched by brute force.

use crate::common::{Noise, rows};
use crate::physics_body::{Body, Carrier, Character, Drive, Limits, Tiles};
use crate::random_cases::times;

use std::sync::Arc;

use glam::{DVec2, Vec2};
use navmesh_bake::{Level, LevelMarker, NoProgress, Rect, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, MovingPlatform, NavMesh, Transfer};
use navmesh_runtime::motion::AgentEvent;
use navmesh_runtime::search::{PathFinder, Query};
use navmesh_runtime::{Navigator, asset};

const TILE: f64 = 16.0;

/// An overlap that counts in the simulation, pixels: more than a body moves in a step.
const EPS: f64 = 0.1;

/// A level with one platform that moves.
struct Case {
    rows: Vec<String>,
    area: Rect,
    line: Vec<DVec2>,
    speed: f64,
    pause: f64,
    one_way: bool,
    is_loop: bool,
}

impl Case {
    fn level(&self) -> Level {
        let rows: Vec<&str> = self.rows.iter().map(String::as_str).collect();
        let mut level = rows::level("rides", TILE as u32, &rows);
        let points = self.line.iter().map(|p| format!("{},{}", p.x, p.y));
        let points = points.collect::<Vec<_>>().join(" ");
        let text = |key: &str, value: String| (key.to_owned(), value);
        level.markers.push(LevelMarker {
            class: "platform_path".into(),
            name: "way".into(),
            area: Rect::around(self.line.iter().copied()).unwrap(),
            properties: vec![text("points", points)],
        });
        let mode = if self.is_loop { "loop" } else { "ping_pong" };
        level.markers.push(LevelMarker {
            class: "Moving_Platform".into(),
            name: "ferry".into(),
            area: self.area,
            properties: vec![
                text("mode", mode.to_owned()),
                text("one_way", self.one_way.to_string()),
                text("path", "way".to_owned()),
                text("pause", self.pause.to_string()),
                text("speed", self.speed.to_string()),
            ],
        });
        level
    }

    fn bake(&self) -> NavMesh {
        let smooth = AgentProfile::ground("smooth", TILE as f32);
        let free = AgentProfile {
            name: "free".into(),
            air_acceleration: None,
            ..smooth.clone()
        };
        let settings = Settings::for_agents(vec![smooth, free]);
        bake(&self.level(), &settings, &NoProgress).unwrap()
    }

    fn random(seed: u64) -> Self {
        // The noise of two seeds that differ in the last bit is the same.
        let mut noise = Noise::new(2 * seed);
        let mut tiles = vec![vec!['.'; 24]; 14];
        for _ in 0..7 {
            let (row, column) = (4 + noise.below(9), noise.below(20));
            let end = (column + 2 + noise.below(5)).min(24);
            tiles[row][column..end].fill('#');
        }
        tiles[13][..7].fill('#');
        tiles[13][16..].fill('#');
        let min = DVec2::new(
            40.0 + noise.below(200) as f64,
            80.0 + noise.below(100) as f64,
        );
        let size = DVec2::new([24.0, 32.0, 48.0][noise.below(3)], 8.0);
        let far = 32.0 + noise.below(80) as f64;
        let ways = [
            DVec2::X,
            -DVec2::X,
            DVec2::Y,
            -DVec2::Y,
            DVec2::new(0.6, 0.8),
        ];
        let mut line = vec![min, min + ways[noise.below(5)] * far];
        let is_loop = noise.below(3) == 0;
        if is_loop {
            line.push(line[1] + ways[noise.below(4)] * 32.0);
        }
        let case = Self {
            rows: Vec::new(),
            area: Rect::new(min, min + size),
            line,
            speed: 24.0 + noise.below(50) as f64,
            pause: [0.0, 0.5, 1.0][noise.below(3)],
            one_way: noise.below(2) == 0,
            is_loop,
        };
        // Most platforms have room above them.
        let is_free = noise.below(4) > 0;
        for (row, line) in tiles.iter_mut().enumerate() {
            for (column, tile) in line.iter_mut().enumerate() {
                let at = DVec2::new(column as f64, row as f64) * TILE;
                let passed = (0..case.period()).any(|tick| {
                    let min = case.at(f64::from(tick)) - DVec2::new(0.0, 20.0);
                    let max = min + size + DVec2::new(0.0, 20.0);
                    at.cmplt(max).all() && (at + TILE).cmpgt(min).all()
                });
                if is_free && passed {
                    *tile = '.';
                }
            }
        }
        let rows = tiles.iter().map(String::from_iter).collect();
        Self { rows, ..case }
    }

    /// The stops of a cycle, and the tick at which it comes to each and leaves it.
    fn stops(&self) -> Vec<(DVec2, u32, u32)> {
        let mut line = self.line.clone();
        if self.is_loop {
            line.push(line[0]);
        } else {
            line.extend(self.line.iter().rev().skip(1));
        }
        let (mut tick, mut stops) = (0, Vec::new());
        for (i, &point) in line.iter().enumerate() {
            if i > 0 {
                let seconds = point.distance(line[i - 1]) / self.speed;
                tick += (seconds * 60.0).round() as u32;
            }
            let waits = if i + 1 < line.len() {
                (self.pause * 60.0) as u32
            } else {
                0
            };
            let offset = point - line[0];
            stops.push((self.area.min + offset, tick, tick + waits));
            tick += waits;
        }
        stops
    }

    fn period(&self) -> u32 {
        self.stops().last().unwrap().1
    }

    /// The left top corner at a tick.
    fn at(&self, tick: f64) -> DVec2 {
        let stops = self.stops();
        let tick = tick % f64::from(self.period());
        let next = stops
            .iter()
            .position(|stop| f64::from(stop.1) > tick)
            .unwrap();
        let ((from, _, left), (to, comes, _)) = (stops[next - 1], stops[next]);
        let part = (tick - f64::from(left)) / f64::from(comes - left);
        from + (to - from) * part.max(0.0)
    }

    /// Where it is, `1 / STEPS` of a tick apart.
    fn places(&self) -> Vec<DVec2> {
        let steps = 0..self.period() as usize * STEPS;
        steps
            .map(|step| self.at(step as f64 / STEPS as f64))
            .collect()
    }

    fn solid(&self) -> Vec<Rect> {
        let mut found = Vec::new();
        for (row, line) in self.rows.iter().enumerate() {
            let mut column = 0;
            for run in line.as_bytes().chunk_by(|a, b| a == b) {
                let min = DVec2::new(column as f64, row as f64) * TILE;
                column += run.len();
                let max = DVec2::new(column as f64, row as f64 + 1.0) * TILE;
                found.extend((run[0] == b'#').then_some(Rect::new(min, max)));
            }
        }
        found
    }
}

/// Whether two boxes overlap by more than a depth.
fn overlap(a: Rect, b: Rect, depth: f64) -> bool {
    (a.min + depth).cmplt(b.max).all() && (b.min + depth).cmplt(a.max).all()
}

fn body_at(feet: DVec2, profile: &AgentProfile) -> Rect {
    let [width, height] = profile.body.map(f64::from);
    let half = DVec2::new(0.5 * width, 0.0);
    Rect::new(feet - half - DVec2::new(0.0, height), feet + half)
}

/// The end of a flight.
#[derive(Debug, Clone, Copy)]
struct Landing {
    /// From the left end of the platform; `None` on the level.
    on: Option<f64>,
    at: DVec2,
    ticks: f64,
}

/// How a flight goes on, and how it ends.
struct Simulation<'a> {
    case: &'a Case,
    solid: &'a [Rect],
    /// Positions of the platform, `1 / STEPS` of a tick apart.
    places: &'a [DVec2],
    profile: &'a AgentProfile,
}

/// Steps of a tick.
const STEPS: usize = 16;

impl Simulation<'_> {
    fn place(&self, step: usize) -> DVec2 {
        self.places[step % self.places.len()]
    }

    /// The feet, some seconds after a take-off.
    fn feet(&self, from: DVec2, motion: &Transfer, time: f64) -> DVec2 {
        let (across, ramp, run) = (
            f64::from(motion.across),
            f64::from(motion.ramp),
            f64::from(motion.run),
        );
        let x = if ramp == 0.0 {
            across * time
        } else if time < ramp {
            0.5 * across / ramp * time * time
        } else {
            across * (time - 0.5 * ramp)
        };
        let falls = (time - run).max(0.0);
        let gravity = f64::from(self.profile.gravity);
        let up = f64::from(motion.launch.unwrap()) * falls - 0.5 * gravity * falls * falls;
        from + DVec2::new(x, -up)
    }

    /// Where a flight from `from`, which begins at a tick, ends on the platform, from its left
    /// end, or on the level; `None` if it hits something before.
    fn fly(&self, from: DVec2, motion: &Transfer, tick: u32) -> Option<Landing> {
        let size = self.case.area.size();
        let mut before = from;
        for step in 1..6 * 60 * STEPS {
            let feet = self.feet(from, motion, step as f64 / (60 * STEPS) as f64);
            let body = body_at(feet, self.profile);
            let begin = tick as usize * STEPS + step;
            let (last, place) = (self.place(begin - 1), self.place(begin));
            let falls = feet.y - before.y > place.y - last.y;
            let comes_down = before.y <= last.y + 1e-9 && feet.y > place.y && falls;
            // Between two steps, a body moves beside the platform by more than EPS.
            let [above, below] = [before - last, feet - place];
            let part = above.y / (above.y - below.y);
            let x = above.lerp(below, part.clamp(0.0, 1.0)).x;
            // One that touches a corner with less than a thousandth of a pixel passes it.
            let half = 0.5 * (body.max.x - body.min.x) - 1e-3;
            if comes_down && -half < x && x < size.x + half {
                let on = Some(x);
                let ticks = step as f64 / STEPS as f64;
                return Some(Landing {
                    on,
                    at: feet,
                    ticks,
                });
            }
            let on = Rect::new(place, place + size);
            if !self.case.one_way && overlap(body, on, EPS) {
                return None;
            }
            let lands = (self.solid.iter()).find(|solid| overlap(body, **solid, 0.0));
            if let Some(solid) = lands.filter(|_| feet.y > before.y) {
                let is_top = before.y <= solid.min.y + 1e-9;
                let at = DVec2::new(feet.x, solid.min.y);
                let ticks = step as f64 / STEPS as f64;
                return is_top.then_some(Landing {
                    on: None,
                    at,
                    ticks,
                });
            }
            if self.solid.iter().any(|solid| overlap(body, *solid, EPS)) || feet.y > 400.0 {
                return None;
            }
            before = feet;
        }
        None
    }

    /// Whether a walk from one place to another, which begins at a tick, ends while the
    /// platform stands beside the floor.
    fn walks(&self, on: &MovingPlatform, motion: &Transfer, tick: u32) -> bool {
        let (at, floor) = (self.case.at(f64::from(tick)), motion.floor.as_dvec2());
        let to = at + DVec2::new(motion.deck.into(), 0.0);
        let ticks = (to.x - floor.x).abs() / f64::from(self.profile.run_speed) * 60.0;
        let stays = (0..=(ticks * 8.0) as u32)
            .all(|i| self.case.at(f64::from(tick) + f64::from(i) / 8.0) == at);
        // Half of the body is on the floor when the platform is under its other half.
        let beside = if floor.x < at.x {
            at.x - floor.x
        } else {
            floor.x - at.x - f64::from(on.size.x)
        };
        stays && at.y == floor.y && beside <= 0.5 * f64::from(self.profile.body[0]) + 1e-3
    }
}

/// Whether a tick is in a window and checked: the ends of each, and every third tick.
fn is_checked(motion: &Transfer, tick: u32) -> bool {
    let is_end = motion.windows.iter().flatten().any(|end| *end == tick);
    is_end || tick.is_multiple_of(3) && is_open(motion, tick)
}

fn is_open(motion: &Transfer, tick: u32) -> bool {
    motion
        .windows
        .iter()
        .any(|window| (window[0]..=window[1]).contains(&tick))
}

/// Checks all motions of a layer at all ticks. Returns how many windows are right, and of how
/// many flights onto the platform from how many floors and ticks there is none.
fn check(case: &Case, layer: &Layer) -> [usize; 3] {
    let solid = case.solid();
    let places = case.places();
    let simulation = Simulation {
        case,
        solid: &solid,
        places: &places,
        profile: layer.profile(),
    };
    let [on] = layer.moving_platforms() else {
        return [0; 3];
    };
    assert_eq!(on.schedule.period(), case.period());
    let mut counts = [0; 3];
    let [low, high] = on.deck.map(f64::from);
    check_crossings(&simulation, layer, on);
    if on.boards.is_empty() {
        return counts;
    }
    for tick in 0..case.period() {
        let at = case.at(f64::from(tick));
        assert!(at.distance(on.schedule.state(tick.into()).0) < 1e-2);
        for x in [low, 0.5 * (low + high), high] {
            let body = body_at(at + DVec2::new(x, 0.0), layer.profile());
            assert!(
                !solid.iter().any(|solid| overlap(body, *solid, EPS)),
                "tick {tick}"
            );
        }
    }
    for motion in &on.boards {
        for tick in (0..case.period()).filter(|&tick| is_checked(motion, tick)) {
            counts[0] += 1;
            if motion.launch.is_none() {
                assert!(simulation.walks(on, motion, tick), "{motion:?} at {tick}");
                continue;
            }
            let landing = simulation.fly(motion.floor.as_dvec2(), motion, tick);
            let x = landing.and_then(|landing| landing.on);
            let x = x.unwrap_or_else(|| panic!("{motion:?} at {tick}: {landing:?}"));
            assert!(
                (low - EPS..=high + EPS).contains(&x),
                "{motion:?} at {tick}: {x}"
            );
        }
    }
    for motion in on.exits.iter().filter(|own| !own.crosses()) {
        for tick in (0..case.period()).filter(|&tick| is_checked(motion, tick)) {
            counts[0] += 1;
            if motion.launch.is_none() {
                assert!(simulation.walks(on, motion, tick), "{motion:?} at {tick}");
                continue;
            }
            let from = case.at(f64::from(tick)) + DVec2::new(motion.deck.into(), 0.0);
            let landing = simulation.fly(from, motion, tick);
            let at = landing.filter(|landing| landing.on.is_none());
            let at = at
                .unwrap_or_else(|| panic!("{motion:?} at {tick}: {landing:?}"))
                .at;
            let floor = layer.platform(motion.platform).unwrap();
            let on_floor = floor.clamp(at.x as f32);
            assert!(
                on_floor.distance(at.as_vec2()) < 0.5,
                "{motion:?} at {tick}: {at}"
            );
        }
    }
    let grunt = layer.profile();
    for floor in layer.platforms() {
        let boards: Vec<&Transfer> = on
            .boards
            .iter()
            .filter(|own| own.platform == floor.id)
            .collect();
        for tick in (0..case.period()).step_by(17) {
            if boards.iter().any(|motion| is_open(motion, tick)) {
                counts[1] += 1;
                continue;
            }
            let mut x = floor.left().x;
            while x <= floor.right().x {
                let from = floor.clamp(x);
                if flight_onto(&simulation, grunt, from, tick, [low, high]) {
                    counts[1] += 1;
                    counts[2] += 1;
                    break;
                }
                x += 12.0;
            }
        }
    }
    counts
}

impl Simulation<'_> {
    /// How deep the body is in the platform on a walk that begins at a tick, at most.
    fn depth_on_walk(&self, from: DVec2, to: DVec2, tick: u32) -> f64 {
        let ticks = from.distance(to) / f64::from(self.profile.run_speed) * 60.0;
        let steps = 0..=(ticks * STEPS as f64) as usize;
        let depths = steps.map(|step| {
            let part = (step as f64 / STEPS as f64 / ticks).min(1.0);
            let body = body_at(from.lerp(to, part), self.profile);
            assert!(!self.solid.iter().any(|solid| overlap(body, *solid, EPS)));
            let min = self.place(tick as usize * STEPS + step);
            let max = min + self.case.area.size();
            (body.max - min).min(max - body.min).min_element()
        });
        depths.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Checks the motions across the way of a platform: walks at all ticks, whether it is in the way
/// or not.
fn check_crossings(simulation: &Simulation<'_>, layer: &Layer, on: &MovingPlatform) {
    let Simulation { case, .. } = simulation;
    for motion in on.exits.iter().filter(|own| own.crosses()) {
        let (platform, start) = motion.start.unwrap();
        let floor = layer.platform(platform).unwrap();
        assert!(floor.clamp(start.x).distance(start) < 1e-3);
        let from = start.as_dvec2();
        for tick in 0..case.period() {
            if motion.launch.is_none() {
                let depth = simulation.depth_on_walk(from, motion.floor.as_dvec2(), tick);
                // One that is passed through carries nothing that walks.
                let is_free = case.one_way || depth <= 0.0;
                assert!(
                    is_free == is_open(motion, tick) || case.one_way || depth.abs() < EPS,
                    "{motion:?} at {tick}: {depth}"
                );
            } else if is_checked(motion, tick) {
                let landing = simulation.fly(from, motion, tick).unwrap();
                let floor = layer.platform(motion.platform).unwrap();
                let on_floor = floor.clamp(landing.at.x as f32);
                assert!(
                    landing.on.is_none() && on_floor.distance(landing.at.as_vec2()) < 0.5,
                    "{motion:?} at {tick}: {landing:?}"
                );
            }
        }
    }
}

/// Whether any flight from a place at a tick ends well on the platform.
fn flight_onto(
    simulation: &Simulation<'_>,
    grunt: &AgentProfile,
    from: Vec2,
    tick: u32,
    [low, high]: [f64; 2],
) -> bool {
    (2..=4).any(|up| {
        (-4..=4).any(|part| {
            let across = grunt.run_speed * part as f32 / 4.0;
            let most = grunt.air_acceleration;
            let motion = Transfer {
                platform: navmesh_runtime::mesh::PlatformId(0),
                floor: from,
                deck: 0.0,
                launch: Some(grunt.jump_speed * up as f32 / 4.0),
                across,
                ramp: most.map_or(0.0, |most| across.abs() / (0.9 * most)),
                run: 0.0,
                windows: Vec::new(),
                start: None,
            };
            let reach = f64::from(grunt.max_jump[0]);
            let place = simulation.case.at(f64::from(tick));
            if (place.x - f64::from(from.x)).abs() > 3.0 * reach {
                return false;
            }
            let landing = simulation.fly(from.as_dvec2(), &motion, tick);
            landing.is_some_and(|landing| {
                let is_near = (landing.at.x - f64::from(from.x)).abs() <= reach;
                let is_on = |x: f64| low + EPS < x && x < high - EPS;
                is_near && landing.on.is_some_and(is_on)
            })
        })
    })
}

#[test]
fn random_platforms_have_the_windows_of_a_simulation() {
    let mut sum = [0; 3];
    let mut with_rides = 0;
    for seed in 0..u64::from(times(60)) {
        let case = Case::random(seed);
        let mesh = case.bake();
        for layer in mesh.layers() {
            let counts = check(&case, layer);
            with_rides += usize::from(counts[0] > 0);
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    println!("{with_rides} layers with rides; {sum:?}");
    assert!(with_rides > 10, "{with_rides} layers with rides");
    assert!(
        100 * sum[2] <= sum[1],
        "{} of {} are missing",
        sum[2],
        sum[1]
    );
}

fn rows_of(rows: [&str; 12]) -> Vec<String> {
    rows.map(str::to_owned).to_vec()
}

/// A ferry over a pit that is too wide for a jump.
fn ferry() -> Case {
    let mut rows = ["........................"; 12];
    (rows[9], rows[10], rows[11]) = (
        "########........########",
        "########........########",
        "########........########",
    );
    Case {
        rows: rows_of(rows),
        area: Rect::new(DVec2::new(136.0, 144.0), DVec2::new(168.0, 152.0)),
        line: vec![DVec2::ZERO, DVec2::new(48.0, 0.0)],
        speed: 40.0,
        pause: 0.0,
        one_way: false,
        is_loop: false,
    }
}

/// A lift in a shaft as wide as itself, from the ground to a floor that is too high for a jump.
fn lift() -> Case {
    let mut rows = ["........##.............."; 12];
    (rows[9], rows[10]) = ("........................", "........................");
    (rows[4], rows[11]) = ("........##..############", "##########..############");
    Case {
        rows: rows_of(rows),
        area: Rect::new(DVec2::new(160.0, 176.0), DVec2::new(192.0, 184.0)),
        line: vec![DVec2::ZERO, DVec2::new(0.0, -112.0)],
        speed: 48.0,
        pause: 1.0,
        one_way: false,
        is_loop: false,
    }
}

/// A block that goes up and down in a corridor.
fn press() -> Case {
    let mut rows = ["########################"; 12];
    for row in &mut rows[4..9] {
        *row = "#......................#";
    }
    Case {
        rows: rows_of(rows),
        area: Rect::new(DVec2::new(160.0, 64.0), DVec2::new(208.0, 80.0)),
        line: vec![DVec2::ZERO, DVec2::new(0.0, 64.0)],
        speed: 120.0,
        pause: 1.0,
        one_way: false,
        is_loop: false,
    }
}

/// A block that goes up and down in a pit that can be jumped over.
fn piston() -> Case {
    let mut rows = ["........................"; 12];
    for row in &mut rows[9..] {
        *row = "##########...###########";
    }
    Case {
        rows: rows_of(rows),
        area: Rect::new(DVec2::new(178.0, 180.0), DVec2::new(190.0, 300.0)),
        line: vec![DVec2::ZERO, DVec2::new(0.0, -120.0)],
        speed: 120.0,
        pause: 1.0,
        one_way: false,
        is_loop: false,
    }
}

/// Agents pass through the way of a platform while it is elsewhere.
#[test]
fn agents_cross_the_way_of_a_platform() {
    for case in [press(), piston()] {
        cross(&case, Vec2::new(40.0, 144.0), Vec2::new(340.0, 144.0));
    }
}

fn cross(case: &Case, from: Vec2, to: Vec2) {
    let mesh = Arc::new(case.bake());
    let mut trips = Trips::default();
    for layer in mesh.layers() {
        check(case, layer);
        let [on] = layer.moving_platforms() else {
            panic!("nothing crosses the way");
        };
        let windows = on.exits.iter().filter(|own| own.crosses());
        let ticks = windows
            .flat_map(|own| &own.windows)
            .map(|own| own[1] - own[0] + 1);
        let ticks: u32 = ticks.sum();
        assert!(ticks > 100, "{ticks}");
        for number in 0..12 {
            let rate = [50.0, 60.0, 144.0][number % 3];
            let begin = 0.377 * number as f64;
            for drive in [Drive::Servo, Drive::Gravity] {
                let clock = [rate, begin];
                trips.travel(case, (&mesh, layer), (from, &[to, from]), drive, clock);
            }
            let mut nav = Navigator::new(Arc::clone(&mesh));
            let mut agent = nav.agent(&layer.profile().name, from).unwrap();
            let mut has_arrived = false;
            agent.go_to(to);
            for frame in 0..(20.0 * rate) as u32 {
                nav.set_clock(begin + f64::from(frame) / rate);
                let pose = agent.update(&mut nav, (1.0 / rate) as f32);
                let place = case.at((begin + f64::from(frame + 1) / rate) * 60.0);
                let on = Rect::new(place, place + case.area.size());
                let body = body_at(pose.position.as_dvec2(), layer.profile());
                assert!(!overlap(body, on, EPS), "{number}: {pose:?}");
                let mut events = agent.events().iter();
                has_arrived |= events.any(|event| matches!(event, AgentEvent::Arrived { .. }));
            }
            assert!(has_arrived, "{number}: {:?}", agent.pose());
        }
    }
    println!("{trips:#?}");
    assert_eq!((trips.crushed, trips.completed), (0, trips.all));
}

/// Each level, with the feet of a start and of a goal that only a ride joins.
fn trips() -> [(Case, [Vec2; 2]); 2] {
    [
        (ferry(), [Vec2::new(40.0, 144.0), Vec2::new(330.0, 144.0)]),
        (lift(), [Vec2::new(40.0, 176.0), Vec2::new(330.0, 64.0)]),
    ]
}

#[test]
fn a_ferry_and_a_lift_have_the_windows_of_a_simulation() {
    for (case, _) in trips() {
        let mesh = case.bake();
        let bytes = asset::encode(&mesh);
        assert_eq!(asset::decode(&bytes).unwrap(), mesh);
        for layer in mesh.layers() {
            let counts = check(&case, layer);
            assert!(counts[0] > 50 && 20 * counts[2] <= counts[1], "{counts:?}");
        }
    }
}

/// Seconds that a walk from rest to rest takes more than at full speed.
fn rest(profile: &AgentProfile) -> f64 {
    let rates = [profile.acceleration, profile.deceleration].map(f64::from);
    0.5 * f64::from(profile.run_speed) * (1.0 / rates[0] + 1.0 / rates[1])
}

/// Seconds from a departure to the earliest arrival, of all ticks at which motions may begin.
fn earliest(case: &Case, layer: &Layer, [from, to]: [Vec2; 2], departure: f64) -> f64 {
    let profile = layer.profile();
    let [on] = layer.moving_platforms() else {
        panic!("no platform");
    };
    let (speed, start) = (f64::from(profile.run_speed), departure * 60.0);
    let rest = rest(profile);
    let solid = case.solid();
    let places = case.places();
    let simulation = Simulation {
        case,
        solid: &solid,
        places: &places,
        profile,
    };
    let period = case.period();
    let mut best = f64::INFINITY;
    let is_on = |motion: &&Transfer, at: Vec2| {
        let floor = layer.platform(motion.platform).unwrap();
        floor.clamp(at.x).distance(at) < 1.0
    };
    let boards = on.boards.iter().filter(|board| is_on(board, from));
    let landings = boards.flat_map(|board| {
        let way = f64::from((board.floor.x - from.x).abs());
        let comes = start + (way / speed + rest) * 60.0;
        let ticks = (comes.ceil() as u32..).take(2 * period as usize);
        ticks
            .filter(|tick| is_open(board, tick % period))
            .map(|tick| {
                let (after, x) = simulation.boards(board, tick);
                (f64::from(tick) + after, x)
            })
            .collect::<Vec<_>>()
    });
    let landings: Vec<(f64, f64)> = landings.collect();
    for exit in on
        .exits
        .iter()
        .filter(|exit| !exit.crosses() && is_on(exit, to))
    {
        for (landing, x) in &landings {
            let ready = landing + (x - f64::from(exit.deck)).abs() / speed * 60.0;
            let mut ticks = (ready.ceil() as u32..).take(2 * period as usize);
            let Some(tick) = ticks.find(|tick| is_open(exit, tick % period)) else {
                continue;
            };
            let (after, at) = simulation.exits(exit, tick);
            let walk = (at - f64::from(to.x)).abs() / speed * 60.0;
            best = best.min(f64::from(tick) + after + walk);
        }
    }
    (best - start) / 60.0
}

impl Simulation<'_> {
    /// Ticks until a motion onto the platform ends, and where on it.
    fn boards(&self, motion: &Transfer, tick: u32) -> (f64, f64) {
        let at = self.case.at(f64::from(tick));
        if motion.launch.is_none() {
            let way = at.x + f64::from(motion.deck) - f64::from(motion.floor.x);
            return (
                way.abs() / f64::from(self.profile.run_speed) * 60.0,
                motion.deck.into(),
            );
        }
        let landing = self.fly(motion.floor.as_dvec2(), motion, tick).unwrap();
        (landing.ticks, landing.on.unwrap())
    }

    /// Ticks until a motion off the platform ends, and at which x.
    fn exits(&self, motion: &Transfer, tick: u32) -> (f64, f64) {
        let from = self.case.at(f64::from(tick)) + DVec2::new(motion.deck.into(), 0.0);
        if motion.launch.is_none() {
            let way = (from.x - f64::from(motion.floor.x)).abs();
            return (
                way / f64::from(self.profile.run_speed) * 60.0,
                motion.floor.x.into(),
            );
        }
        let landing = self.fly(from, motion, tick).unwrap();
        (landing.ticks, landing.at.x)
    }
}

#[test]
fn paths_arrive_as_early_as_any_choice_of_ticks() {
    let mut finder = PathFinder::new();
    for (case, [from, to]) in trips() {
        let mesh = case.bake();
        for layer in mesh.layers() {
            let without = finder.find(layer, &Query::new(from, to)).unwrap();
            assert!(without.path().is_none());
            for number in 0..12 {
                let departure = 0.731 * f64::from(number);
                let query = Query {
                    departure: Some(departure),
                    ..Query::new(from, to)
                };
                let found = finder.find(layer, &query).unwrap();
                let path = found.path().unwrap();
                let expected = earliest(&case, layer, [from, to], departure);
                assert!(
                    (path.cost - expected).abs() < 0.03,
                    "{} {expected}",
                    path.cost
                );
                let kinds: Vec<&str> = path.steps.iter().map(|step| step.kind.name()).collect();
                assert!(kinds.contains(&"ride"), "{kinds:?}");
            }
        }
    }
}

#[test]
fn agents_ride_and_stay_out_of_geometry() {
    for (case, [from, to]) in trips() {
        let mesh = Arc::new(case.bake());
        let solid = case.solid();
        for layer in mesh.layers() {
            for number in 0..25 {
                let (rate, begin) = ([50.0, 60.0, 144.0][number % 3], 0.377 * number as f64);
                let mut nav = Navigator::new(Arc::clone(&mesh));
                let mut agent = nav.agent(&layer.profile().name, from).unwrap();
                let mut way = [from, to];
                let (mut events, mut trips) = (Vec::new(), 0);
                agent.go_to(to);
                for frame in 0..(90.0 * rate) as u32 {
                    nav.set_clock(begin + f64::from(frame) / rate);
                    let pose = agent.update(&mut nav, (1.0 / rate) as f32);
                    let body = body_at(pose.position.as_dvec2(), layer.profile());
                    let tick = (begin + f64::from(frame + 1) / rate) * 60.0;
                    let place = case.at(tick);
                    let on = Rect::new(place, place + case.area.size());
                    let is_in = solid
                        .iter()
                        .chain([&on])
                        .any(|own| overlap(body, *own, EPS));
                    assert!(!is_in, "{number}: {pose:?} at {tick}");
                    for event in agent.events() {
                        events.push(event.name());
                        if let AgentEvent::Arrived { at } = event {
                            assert!(at.distance(way[1]) < 1.0);
                            trips += 1;
                            way.reverse();
                        }
                    }
                    if trips == 2 {
                        break;
                    }
                    agent.go_to(way[1]);
                }
                assert_eq!(trips, 2, "{number}: {events:?}");
                for name in ["boarded", "got_off"] {
                    assert_eq!(
                        events.iter().filter(|own| **own == name).count(),
                        2,
                        "{events:?}"
                    );
                }
                assert!(!events.contains(&"path_lost"), "{events:?}");
            }
        }
    }
}

/// A game may set the clock to anything, at any time.
#[test]
fn any_time_of_the_clock_leaves_agents_in_the_level() {
    let odd = [
        f64::NAN,
        f64::INFINITY,
        -1.0,
        1e300,
        5e7,
        1e-300,
        12.5,
        3.0,
        0.0,
    ];
    for (case, [from, to]) in trips() {
        let mesh = Arc::new(case.bake());
        for layer in mesh.layers() {
            let mut nav = Navigator::new(Arc::clone(&mesh));
            let mut agent = nav.agent(&layer.profile().name, from).unwrap();
            let mut noise = Noise::new(1);
            for frame in 0..6000_u32 {
                // It mostly goes on, and jumps now and then.
                if noise.below(40) == 0 {
                    nav.set_clock(odd[noise.below(9)]);
                } else if frame % 100 > 30 {
                    nav.set_clock(f64::from(frame) / 60.0);
                }
                agent.go_to(if frame / 900 % 2 == 0 { to } else { from });
                let position = agent.update(&mut nav, 1.0 / 60.0).position;
                let is_inside = case.level().bounds;
                let at = position.as_dvec2();
                assert!(
                    at.cmpge(is_inside.min).all() && at.cmple(is_inside.max).all(),
                    "frame {frame}: {at}"
                );
            }
        }
    }
}

/// Seconds from a departure to the earliest moment at an x of the platform.
fn earliest_aboard(case: &Case, layer: &Layer, [from, deck]: [f64; 2], departure: f64) -> f64 {
    let profile = layer.profile();
    let (solid, places) = (case.solid(), case.places());
    let simulation = Simulation {
        case,
        solid: &solid,
        places: &places,
        profile,
    };
    let (speed, start) = (f64::from(profile.run_speed), departure * 60.0);
    let (period, mut best) = (case.period(), f64::INFINITY);
    for board in &layer.moving_platforms()[0].boards {
        let floor = layer.platform(board.platform).unwrap();
        if floor.clamp(from as f32).x != from as f32 {
            continue;
        }
        let way = (f64::from(board.floor.x) - from).abs();
        let comes = start + (way / speed + rest(profile)) * 60.0;
        for tick in (comes.ceil() as u32..).take(2 * period as usize) {
            if is_open(board, tick % period) {
                let (after, x) = simulation.boards(board, tick);
                best = best.min(f64::from(tick) + after + (x - deck).abs() / speed * 60.0);
            }
        }
    }
    (best - start) / 60.0
}

/// A target that rides is a destination on its platform, from which the agent gets off again.
#[test]
fn agents_go_to_a_target_that_rides_and_come_back() {
    for (case, [from, to]) in trips() {
        let mesh = Arc::new(case.bake());
        for layer in mesh.layers() {
            let middle = 0.5 * case.area.size().x;
            for number in 0..8 {
                let begin = 0.731 * f64::from(number);
                let target = |time: f64| (case.at(time * 60.0) + DVec2::new(middle, 0.0)).as_vec2();
                let query = Query {
                    departure: Some(begin),
                    ..Query::new(from, target(begin) - Vec2::new(0.0, 20.0))
                };
                let mut finder = PathFinder::new();
                let found = finder.find(layer, &query).unwrap();
                let cost = found.path().unwrap().cost;
                let expected = earliest_aboard(&case, layer, [from.x.into(), middle], begin);
                assert!((cost - expected).abs() < 0.03, "{cost} {expected}");

                let mut nav = Navigator::new(Arc::clone(&mesh));
                let mut agent = nav.agent(&layer.profile().name, from).unwrap();
                let (mut goals, mut frame) = (vec![from, to], 0);
                let (mut is_aboard, mut trips) = (false, 0);
                while trips < 3 {
                    let now = begin + f64::from(frame) / 60.0;
                    nav.set_clock(now);
                    // Towards a target, games plan again every half second.
                    if !is_aboard && frame % 30 == 0 {
                        agent.go_to(target(now));
                    } else if is_aboard {
                        agent.go_to(*goals.last().unwrap());
                    }
                    let position = agent.update(&mut nav, 1.0 / 60.0).position;
                    frame += 1;
                    assert!(frame < 7200, "{number}: {:?}", agent.pose());
                    for event in agent.events() {
                        if let AgentEvent::Arrived { at } = event {
                            trips += 1;
                            if is_aboard {
                                let goal = goals.pop().unwrap();
                                assert!(at.distance(goal) < 1.0);
                            } else {
                                assert!(position.distance(target(now + 1.0 / 60.0)) < 2.0);
                            }
                            is_aboard = !is_aboard;
                        }
                    }
                }
                // One that appears on the platform rides.
                let mut rider = nav.agent(&layer.profile().name, target(begin)).unwrap();
                for frame in 0..600 {
                    let now = begin + f64::from(frame) / 60.0;
                    nav.set_clock(now);
                    let at = rider.update(&mut nav, 1.0 / 60.0).position;
                    assert!(at.distance(target(now + 1.0 / 60.0)) < 0.01, "{at}");
                }
            }
        }
    }
}

/// How bodies did that a controller moves.
#[derive(Debug, Default)]
struct Trips {
    all: usize,
    completed: usize,
    crushed: u32,
    failures: Vec<String>,
}

impl Trips {
    /// Lets a body go to some places, one after the other, from a time of the clock on.
    fn travel(
        &mut self,
        case: &Case,
        (mesh, layer): (&Arc<NavMesh>, &Layer),
        (from, goals): (Vec2, &[Vec2]),
        drive: Drive,
        [hz, begin]: [f64; 2],
    ) {
        let tiles = Tiles::parse(&case.rows, TILE);
        let (name, dt) = (&layer.profile().name, 1.0 / hz);
        let air = layer.profile().air_acceleration.map_or(1e6, f64::from);
        let limits = Limits::new(layer, drive, air / f64::from(layer.profile().run_speed));
        let mut body = Character::new(&tiles, limits, from.as_dvec2());
        let mut nav = Navigator::new(Arc::clone(mesh));
        let mut agent = nav.agent(name, from).unwrap();
        agent.set_air_acceleration(air as f32);
        let (solid, size) = (case.solid(), case.area.size());
        let (mut events, mut arrived) = (Vec::new(), 0);
        for frame in 0..(90.0 * hz) as u32 {
            let now = begin + f64::from(frame) * dt;
            let [before, at] = [now - dt, now].map(|time| case.at(time.max(0.0) * 60.0));
            nav.set_clock(now);
            agent.go_to(goals[arrived]);
            let command = agent.drive(&mut nav, body.state(), dt as f32);
            for event in agent.events() {
                events.push(format!("{now:.2} {event:?}"));
                if let AgentEvent::Arrived { .. } = event {
                    arrived += 1;
                }
            }
            if arrived == goals.len() {
                break;
            }
            body.carrier = Some(Carrier {
                min: at,
                size,
                by: at - before,
                one_way: case.one_way,
            });
            body.step(command, dt);
            let own = body_at(body.feet, layer.profile());
            let moved = case.at((now + dt) * 60.0);
            let side = Rect::new(moved, moved + size);
            // The platform goes on by at most this, and carries it in the next step.
            let depth = 0.1 + (moved - at).abs().max_element();
            let is_crushed = solid.iter().any(|wall| overlap(own, *wall, 0.1))
                || !case.one_way && overlap(own, side, depth);
            if is_crushed {
                self.crushed += 1;
                self.failures
                    .push(format!("crushed at {now}: {own:?} {side:?} {events:?}"));
                break;
            }
        }
        self.all += goals.len();
        self.completed += arrived;
        let is_lost = events.iter().any(|event| event.contains("PathLost"));
        if arrived < goals.len() || is_lost {
            let end = body.feet;
            self.failures.push(format!(
                "{name} {drive:?} {hz} {begin} {from} {goals:?} {end}: {events:#?}"
            ));
        }
    }
}

#[test]
fn bodies_of_a_controller_ride() {
    let mut trips = Trips::default();
    let rates = [50.0, 60.0, 144.0];
    let drives = [Drive::Servo, Drive::Gravity];
    for (case, [from, to]) in self::trips() {
        let mesh = Arc::new(case.bake());
        for layer in mesh.layers() {
            for number in 0..12 {
                let rate = [rates[number % 3], 0.377 * number as f64];
                for drive in drives {
                    trips.travel(&case, (&mesh, layer), (from, &[to, from]), drive, rate);
                }
            }
        }
    }
    let long = trips.all;
    for seed in 0..u64::from(times(60)) {
        let case = Case::random(seed);
        let mesh = Arc::new(case.bake());
        for layer in mesh.layers() {
            for on in layer.moving_platforms() {
                if on.boards.is_empty() {
                    continue;
                }
                let board = &on.boards[seed as usize % on.boards.len()];
                let exit = &on.exits[seed as usize % on.exits.len()];
                let [from, to] = [board, exit].map(|motion| {
                    let floor = layer.platform(motion.platform).unwrap();
                    floor.clamp(motion.floor.x)
                });
                for (number, drive) in drives.into_iter().enumerate() {
                    let rate = [rates[(seed as usize + number) % 3], 0.731 * seed as f64];
                    trips.travel(&case, (&mesh, layer), (from, &[to]), drive, rate);
                }
            }
        }
    }
    println!("{trips:#?}");
    assert!(trips.all > long + 10);
    assert_eq!(trips.crushed, 0);
    assert!(1000 * trips.completed >= 995 * trips.all);
}
