//! Agents on baked levels, interrupted at random moments. Geometry that shares
//! no code with baker or runtime checks that they are never blocked, never
//! leap, keep their limits, and arrive where they can.

use crate::common;
use crate::random_cases;

use common::baked_level::{BakedLevel, Kind, Random};
use common::tiles;
use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Link, StepKind};
use navmesh_runtime::motion::{
    Activity, AgentEvent, Airborne, Environment, IdleReason, NavAgent, Pose,
};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, Rect};
use proptest::prelude::*;

const KINDS: [Kind; 3] = [Kind::Ground, Kind::Air, Kind::Both];

/// An agent on a baked level, and what is asserted at every step.
struct Play<'a> {
    stages: [&'a BakedLevel; 2],
    on: usize,
    agent: NavAgent,
    finder: PathFinder,
    doors: Doors,
    before: Pose,
    /// Whether the next step may begin at another position.
    moved: bool,
    /// Where it last began to fall.
    fell_from: Vec2,
    /// The limits that it took off with.
    limits: AgentProfile,
    /// Whether the next step finds a place for it: it is disabled, or was launched.
    is_placed: bool,
}

impl<'a> Play<'a> {
    fn new(stages: [&'a BakedLevel; 2], at: Vec2) -> Self {
        let mut agent = NavAgent::new(stages[0].layer(), at);
        let before = agent.step(
            Environment::new(stages[0].layer()),
            &mut PathFinder::new(),
            0.0,
        );
        Self {
            stages,
            on: 0,
            agent,
            finder: PathFinder::new(),
            doors: Doors::new(),
            before,
            moved: true,
            fell_from: at,
            limits: stages[0].layer().profile().clone(),
            is_placed: false,
        }
    }

    fn stage(&self) -> &'a BakedLevel {
        self.stages[self.on]
    }

    /// Interrupts the agent at random.
    fn interrupt(&mut self, random: &mut Random) {
        let somewhere = self.stage().somewhere(random);
        let kind = random.below(17);
        self.is_placed |= matches!(kind, 6 | 13..=15);
        match kind {
            0..=4 => self.agent.go_to(somewhere),
            5 => self.agent.stop(),
            6 => self.agent.disable(),
            7 => self.agent.enable(),
            8 => {
                self.agent.teleport(somewhere);
                self.moved = true;
            }
            9 | 10 => {
                let size = Vec2::new(random.between(4.0, 20.0) as f32, 40.0);
                let last = self.doors.closed().len();
                if last > 1 {
                    self.doors = Doors::new();
                } else {
                    self.doors
                        .close_region(Rect::new(somewhere, somewhere - size));
                }
            }
            11 | 12 => {
                // Slower, weaker, lighter or heavier; or as baked again.
                let mut profile = self.stage().layer().profile().clone();
                if random.chance(0.7) {
                    profile.run_speed *= random.between(0.4, 1.0) as f32;
                    profile.jump_speed *= random.between(0.7, 1.0) as f32;
                    profile.gravity *= random.between(0.5, 2.0) as f32;
                }
                self.agent.set_profile(profile).unwrap();
            }
            13 => self.agent.stun(),
            14 | 15 => {
                let across = random.between(-300.0, 300.0);
                let along = random.between(-350.0, 150.0);
                self.agent.launch(Vec2::new(across as f32, along as f32));
            }
            _ => {
                self.on = 1 - self.on;
                self.moved = true;
                // The game must move it where there is a wall now.
                if self.stage().is_blocked(self.agent.pose().position) {
                    self.agent.teleport(self.stage().somewhere(random));
                }
            }
        }
    }

    /// Whether the body overlaps a closed door by more than 0.1 units.
    fn is_in_a_door(&self, feet: Vec2) -> bool {
        let [width, height] = self.stage().layer().profile().body;
        self.doors.closed().iter().any(|door| {
            feet.x + 0.5 * width - 0.1 > door.min.x
                && feet.x - 0.5 * width + 0.1 < door.max.x
                && feet.y - 0.1 > door.min.y
                && feet.y - height + 0.1 < door.max.y
        })
    }

    fn step(&mut self, dt: f32) -> Result<Pose, TestCaseError> {
        let stage = self.stage();
        let layer = stage.layer();
        let world = Environment {
            layer,
            doors: &self.doors,
        };
        let before = self.before;
        let pose = self.agent.step(world, &mut self.finder, dt);
        let events = self.agent.events();
        let what = || {
            format!(
                "dt {dt}\n{before:?}\n{pose:?}\n{events:?}\n{:?}",
                self.agent.remaining_path()
            )
        };
        prop_assert!(
            pose.position.is_finite() && pose.velocity.is_finite(),
            "{}",
            what()
        );
        for event in events {
            if let AgentEvent::Dropped { from, .. } = event {
                self.fell_from = *from;
            }
        }
        let falls = pose.activity == Activity::Dropping && pose.velocity.x == 0.0;
        let is_lost = matches!(pose.activity, Activity::Stranded(_) | Activity::Disabled);
        prop_assert!(
            is_lost && self.moved
                || !stage.is_blocked(pose.position)
                || falls && stage.may_fall_to(pose.position, self.fell_from),
            "blocked: {}",
            what()
        );
        // Agents do not stand on doors: it falls through a door below it.
        let falls_straight = pose.velocity.x == 0.0 && pose.velocity.y > 0.0;
        if pose.activity == Activity::Launched && !self.moved && !falls_straight {
            prop_assert!(
                self.is_in_a_door(before.position) || !self.is_in_a_door(pose.position),
                "thrown into a door: {}",
                what()
            );
        }
        // No farther than it can have moved, and a step of floor. An agent
        // whose vertices say that it is inside geometry is moved beside it.
        let profile = layer.profile();
        let limits = self.agent.profile().clone();
        if !matches!(pose.activity, Activity::Jumping | Activity::Dropping)
            || has_event!(
                events,
                AgentEvent::Jumped { .. } | AgentEvent::Dropped { .. }
            )
        {
            self.limits.clone_from(&limits);
        }
        let gravity = limits.gravity.max(self.limits.gravity);
        let fastest = before.velocity.length().max(pose.velocity.length());
        let reach = (fastest.max(profile.run_speed + profile.jump_speed) + gravity * dt) * dt;
        let nearest = layer.grid().nearest_cell(before.position);
        let snap = if self.moved {
            f32::INFINITY
        } else if has_event!(events, AgentEvent::PathLost(_))
            || self.is_placed && layer.parts().blocked.get(nearest.column, nearest.row)
        {
            2.0 * layer.grid().spacing
        } else {
            profile.step_height + 0.1
        };
        prop_assert!(
            pose.position.distance(before.position) <= reach + snap,
            "it leapt: {}",
            what()
        );
        let v = pose.velocity;
        match pose.activity {
            Activity::Running => {
                prop_assert!(v.x.abs() <= profile.run_speed * 1.0001, "{}", what());
            }
            Activity::Flying => {
                prop_assert!(v.length() <= profile.run_speed * 1.0005, "{}", what());
            }
            Activity::Jumping => prop_assert!(
                v.x.abs() <= self.limits.run_speed * 1.0005
                    && -v.y <= self.limits.jump_speed * 1.0005,
                "{}",
                what()
            ),
            Activity::Idle(_) => {
                let hovers = profile.edges.contains(navmesh_runtime::mesh::EdgeSet::FLY);
                prop_assert!(
                    hovers || stage.is_supported(pose.position),
                    "it stands on nothing: {}",
                    what()
                );
            }
            _ => {}
        }
        self.moved &= pose.activity == Activity::Disabled;
        self.is_placed &= pose.activity == Activity::Disabled;
        self.before = pose;
        Ok(pose)
    }

    /// Sends it to a goal without interruptions: it arrives in about the time
    /// that the path takes, without turning back and forth.
    fn leave_alone(&mut self, random: &mut Random) -> Result<(), TestCaseError> {
        self.agent.enable();
        let stage = self.stage();
        let goal = stage.somewhere(random);
        // It must be on a platform first.
        for _ in 0..600 {
            let pose = self.step(1.0 / 60.0)?;
            if !pose.activity.is_moving() {
                break;
            }
        }
        if let Activity::Stranded(_) = self.agent.pose().activity {
            return Ok(());
        }
        // It stops at once at any speed.
        self.agent.stop();
        self.before = self.agent.pose();
        self.agent.go_to(goal);
        let mut query = Query::new(self.agent.pose().position, goal);
        query.filter.close_doors(&self.doors);
        query.profile = Some(self.agent.profile().clone());
        query.filter.replace_jumps = true;
        let mut finder = PathFinder::new();
        let found = match finder.find(stage.layer(), &query).unwrap() {
            PathOutcome::Found(path) => Some((path.end, path.cost, path.steps.len())),
            _ => None,
        };
        let (end, cost, steps) = found.unwrap_or_default();
        // Every step may begin and end at rest.
        let patience = |cost: f64, steps: usize| 2.0 * cost + 1.0 + 0.5 * steps as f64;
        let mut longest = patience(cost, steps);
        let profile = stage.layer().profile();
        let (mut seconds, mut turns, mut leaps, mut landed) = (0.0, 0, 0, 1.0);
        loop {
            let before = self.before;
            let dt = random.between(0.004, 0.03) as f32;
            let pose = self.step(dt)?;
            let events = self.agent.events();
            if seconds == 0.0 && found.is_none() {
                // A flier also has a path where it sees another vertex than the nearest.
                let path = self.agent.remaining_path();
                let cost = path.iter().map(|step| f64::from(step.duration)).sum();
                longest = patience(cost, path.len());
            }
            seconds += f64::from(dt);
            turns += u32::from(pose.facing != before.facing);
            leaps += events
                .iter()
                .filter(|e| matches!(e, AgentEvent::Jumped { .. } | AgentEvent::Dropped { .. }))
                .count();
            landed = if has_event!(events, AgentEvent::Landed { .. }) {
                0.0
            } else {
                landed + dt
            };
            let runs = |p: Pose| {
                matches!(
                    p.activity,
                    Activity::Running | Activity::Flying | Activity::Idle(_)
                )
            };
            let quiet = events
                .iter()
                .all(|e| matches!(e, AgentEvent::Arrived { .. }));
            if quiet && runs(before) && runs(pose) {
                let change = match pose.activity {
                    Activity::Flying => (pose.velocity - before.velocity).length(),
                    _ => (pose.velocity.x - before.velocity.x).abs(),
                };
                let most = profile.acceleration.max(profile.deceleration) * dt * 1.01 + 0.05;
                // A speed that it cannot reduce between a landing and the end
                // of its step is lost at once.
                prop_assert!(
                    change <= most || landed < 0.2,
                    "too sudden: dt {dt}\n{before:?}\n{pose:?}\n{:?}",
                    self.agent
                );
            }
            if !pose.activity.is_moving() {
                break;
            }
            prop_assert!(
                seconds < longest + 5.0,
                "it does not rest: {pose:?} {:?}",
                self.agent.remaining_path()
            );
        }
        if found.is_none() {
            let activity = self.agent.pose().activity;
            prop_assert!(
                matches!(
                    activity,
                    Activity::Idle(IdleReason::CannotReach(_) | IdleReason::Arrived)
                ),
                "{activity:?}"
            );
            return Ok(());
        }
        prop_assert_eq!(
            self.agent.pose().activity,
            Activity::Idle(IdleReason::Arrived),
            "{:?} {:?}",
            goal,
            self.agent
        );
        // On the edge of a step, either height is correct.
        // A flight goes on from the last vertex of its path to the goal.
        let off = (self.agent.pose().position - end).abs();
        let flies = profile.edges.contains(EdgeSet::FLY);
        prop_assert!(
            off.x < 1e-2 && off.y < 1e-2 + profile.step_height
                || flies && self.agent.pose().position == goal,
            "{off}"
        );
        prop_assert!(
            seconds <= longest,
            "{seconds} s for a path of {cost} s, {steps} steps"
        );
        prop_assert!(
            leaps <= steps && turns as usize <= 2 * steps + 2,
            "{leaps} leaps, {turns} turns, {steps} steps"
        );
        Ok(())
    }
}

fn play(stages: [&BakedLevel; 2], random: &mut Random, rounds: u32) -> Result<(), TestCaseError> {
    let mut play = Play::new(stages, stages[0].somewhere(random));
    for _ in 0..rounds {
        for _ in 0..=random.below(12) {
            play.interrupt(random);
            for _ in 0..random.below(30) {
                let dt = if random.chance(0.05) {
                    0.25
                } else {
                    random.between(0.001, 0.05)
                };
                play.step(dt as f32)?;
            }
        }
        play.leave_alone(random)?;
    }
    Ok(())
}

/// An agent moves on the baked trajectory of a link, at any dt, to 1e-4 units.
fn arcs_are_exact(stage: &BakedLevel, random: &mut Random) -> Result<(), TestCaseError> {
    let layer = stage.layer();
    let gravity = f64::from(layer.profile().gravity);
    let walked = |link: &&Link| link.kind == StepKind::OneWayStep;
    for link in layer.links().iter().filter(|link| !walked(link)) {
        let arc = link
            .params
            .between(link.from, link.to, gravity, 1.0)
            .unwrap();
        let mut motion = Airborne::along(link, layer, layer.profile()).unwrap();
        let mut t = 0.0;
        loop {
            let dt = random.between(0.0005, 0.2);
            t += dt;
            let landed = motion.advance(dt).is_some();
            let offset = arc.offset(t);
            let at = link.from.as_dvec2() + glam::DVec2::new(offset.x, -offset.y);
            prop_assert!((motion.position().as_dvec2() - at).length() < 1e-4);
            if landed {
                prop_assert_eq!(motion.position(), link.to);
                break;
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random_cases::cases(8))]

    #[test]
    fn agents_in_tiles(
        a in tiles(10..22, 7..12, 16),
        b in tiles(10..22, 7..12, 16),
        kind in prop::sample::select(&KINDS),
        air_control in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let stages = [&a, &b].map(|tiles| BakedLevel::tiles(tiles, kind, air_control));
        let random = &mut Random(seed);
        arcs_are_exact(&stages[0], random)?;
        play([&stages[0], &stages[1]], random, 6)?;
    }

    #[test]
    fn agents_on_hills(kind in prop::sample::select(&KINDS), air_control in any::<bool>(), seed in any::<u64>()) {
        let random = &mut Random(seed);
        let stages = [0, 1].map(|_| BakedLevel::hills(random, kind, air_control));
        arcs_are_exact(&stages[0], random)?;
        play([&stages[0], &stages[1]], random, 6)?;
    }
}

/// A few at random, and those that once found a defect: a flier flew straight to the
/// end of a walk, or through the corner of a step.
#[test]
fn agents_in_the_fixtures() {
    let some = 0..u64::from(random_cases::times(6));
    let seeds = some.map(|seed| seed + random_cases::offset());
    let seeds: Vec<u64> = seeds
        .chain([300_000_011, 302_000_023, 400_000_003])
        .collect();
    for kind in KINDS {
        let stages =
            ["ledges.tmx", "organic.png"].map(|name| BakedLevel::fixture(name, kind, true));
        for &seed in &seeds {
            let random = &mut Random(seed);
            let result = play(
                [&stages[seed as usize % 2], &stages[1 - seed as usize % 2]],
                random,
                8,
            );
            assert!(result.is_ok(), "{kind:?}, seed {seed}: {result:?}");
        }
        arcs_are_exact(&stages[1], &mut Random(1)).unwrap();
    }
}

// On slopes, steps and one-way tops too.
#[test]
fn bodies_put_slightly_inside_a_floor_stand() {
    let random = &mut Random(3 + random_cases::offset());
    let mut stood = 0;
    for _ in 0..random_cases::times(6) {
        let stage = BakedLevel::hills(random, Kind::Ground, true);
        let layer = stage.layer();
        let tolerance = 0.25 * layer.grid().spacing;
        for platform in layer.platforms() {
            let (low, high) = platform.extent();
            for _ in 0..5 {
                let on = platform.at(random.between(low.into(), high.into()) as f32);
                let depth = random.between(0.0, 0.99) as f32 * tolerance;
                let at = on + Vec2::new(0.0, depth);
                let mut agent = NavAgent::new(layer, at);
                let pose = agent.step(Environment::new(layer), &mut PathFinder::new(), 0.02);
                assert_eq!(
                    pose.activity,
                    Activity::Idle(IdleReason::NoDestination),
                    "{at}"
                );
                assert!(agent.events().is_empty(), "{at}: {:?}", agent.events());
                let is_legal =
                    stage.is_supported(pose.position) && !stage.is_blocked(pose.position);
                assert!(is_legal, "{at}: {pose:?}");
                assert!(
                    pose.position.distance(at) <= tolerance * 1.01,
                    "{at}: {pose:?}"
                );
                stood += 1;
            }
        }
    }
    assert!(stood > random_cases::share(200), "{stood}");
}
