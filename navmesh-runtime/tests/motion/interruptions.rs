//! Agents in random levels, interrupted at random times: they never enter
//! geometry, move continuously, keep to their limits, and reach what can be
//! reached.

use crate::levels;
use crate::soak;
use crate::worlds::portal;

use glam::Vec2;
use levels::{Dice, Level, SPACING, walking, with_doors};
use navmesh_runtime::mesh::{EdgeSet, Layer};
use navmesh_runtime::motion::{
    Activity, AgentEvent, Environment, IdleReason, NavAgent, PathQueue, Pose,
};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, QueryError, Rect, SnapTo};
use navmesh_runtime::shared::{PathSource, Ticket};
use proptest::prelude::*;

/// Paths at once, or from a queue with a small budget for each frame.
enum Paths {
    Finder(Box<PathFinder>),
    Queue(Box<PathQueue>),
}

impl PathSource for Paths {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        match self {
            Self::Finder(finder) => finder.ask(layer, ticket, query),
            Self::Queue(queue) => queue.ask(layer, ticket, query),
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Self::Queue(queue) = self {
            queue.cancel(ticket);
        }
    }
}

impl Paths {
    fn work(&mut self, layer: &Layer, budget: u32) {
        if let Self::Queue(queue) = self {
            queue.work(layer, budget);
        }
    }
}

/// Whether a body overlaps a closed door by more than 0.1 units.
fn is_in_a_door(doors: &Doors, feet: Vec2) -> bool {
    doors.closed().iter().any(|door| {
        feet.x + 5.9 > door.min.x
            && feet.x - 5.9 < door.max.x
            && feet.y - 0.1 > door.min.y
            && feet.y - 15.9 < door.max.y
    })
}

fn edges(dice: &mut Dice) -> EdgeSet {
    [
        walking(),
        walking(),
        EdgeSet::FLY,
        EdgeSet::ALL - EdgeSet::CLIMB,
    ][dice.below(4) as usize]
}

/// A level of so many columns, and dice for what happens in it.
fn random_level(seed: u64, columns: u32) -> (Dice, Level) {
    let mut dice = Dice(seed);
    let edges = edges(&mut dice);
    let level = Level::random(columns, 12, edges, &mut dice);
    (dice, level)
}

/// The greatest distance between one pose and the next.
fn reach(before: Pose, after: Pose, dt: f32) -> f32 {
    let fastest = before.velocity.length().max(after.velocity.length());
    (fastest.max(283.0 + 90.0) + 800.0 * dt) * dt + 0.05
}

/// Whether a body may stay where it is.
fn is_legal(level: &Level, agent: &NavAgent) -> bool {
    let layer = level.layer();
    let on_floor = layer
        .snap(agent.pose().position, SnapTo::FloorBelow(0.1))
        .is_some();
    let hovers = layer.profile().edges.contains(EdgeSet::FLY);
    (on_floor || hovers) && !level.is_blocked(agent.pose().position)
}

proptest! {
    #![proptest_config(soak::cases(12))]

    #[test]
    fn every_interruption_ends_in_a_legal_place(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let edges = edges(dice);
        let (columns, rows) = (12 + dice.below(14), 8 + dice.below(6));
        let mut level = Level::random(columns, rows, edges, dice);
        let mut finder = PathFinder::new();
        let mut paths = if dice.chance(0.5) {
            Paths::Finder(Box::default())
        } else {
            Paths::Queue(Box::default())
        };
        let mut doors = Doors::new();
        let mut closed = None;
        let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
        agent.set_allow_partial_path(dice.chance(0.3));
        // Spawning may move it, to a free vertex for instance.
        let environment = Environment::new(level.layer());
        let mut before = agent.step(environment, &mut paths, 0.0);
        let mut moved_by_hand = false;
        for _ in 0..40 {
            match dice.below(9) {
                0..=3 => agent.go_to(level.somewhere(dice)),
                4 => agent.stop(),
                5 => agent.disable(),
                6 => {
                    agent.teleport(level.somewhere(dice));
                    moved_by_hand = true;
                }
                7 => {
                    if let Some(door) = closed.take() {
                        doors.open_region(door);
                    } else {
                        let at = level.somewhere(dice);
                        closed = Some(doors.close_region(Rect::new(at, at + Vec2::new(8.0, -40.0))));
                    }
                }
                _ => {
                    level = Level::random(columns, rows, edges, dice);
                    if let Paths::Queue(queue) = &mut paths {
                        **queue = PathQueue::new();
                    }
                    // The game moves bodies out of the walls of a new level.
                    if level.is_blocked(agent.pose().position) {
                        agent.teleport(level.somewhere(dice));
                    }
                    moved_by_hand = true;
                }
            }
            let ticks = dice.below(40);
            for tick in 0..=ticks {
                if tick == ticks && dice.chance(0.8) {
                    agent.enable();
                }
                let dt = dice.between(0.001, 0.06);
                // An agent whose nearest vertex is blocked may be put beside
                // it, when there is nothing below to fall on.
                let nearest = level.mesh.grid().nearest_cell(before.position);
                let was_inside = level.layer().parts().blocked.get(nearest.column, nearest.row);
                let environment = with_doors(level.layer(), &doors);
                let pose = agent.step(environment, &mut paths, dt);
                let budget = dice.below(4);
                paths.work(level.layer(), budget);
                prop_assert!(pose.position.is_finite() && pose.velocity.is_finite());
                let stranded = matches!(pose.activity, Activity::Stranded(_));
                let snap = if moved_by_hand { f32::INFINITY } else if was_inside { 2.0 * SPACING } else if edges == EdgeSet::FLY { 0.01 } else { 0.1 };
                prop_assert!(
                    pose.position.distance(before.position) <= reach(before, pose, dt) + snap,
                    "its position jumped: {before:?} {pose:?} {:?}", agent.events()
                );
                prop_assert!(
                    stranded || !level.is_blocked(pose.position),
                    "it is inside geometry: {before:?} {pose:?}"
                );
                if matches!(pose.activity, Activity::Running | Activity::Flying)
                    && pose.activity == before.activity
                    && !moved_by_hand
                {
                    prop_assert!(
                        is_in_a_door(&doors, before.position) || !is_in_a_door(&doors, pose.position),
                        "it goes through a door: {before:?} {pose:?}"
                    );
                }
                match pose.activity {
                    Activity::Running => prop_assert!(pose.velocity.x.abs() <= 90.001),
                    Activity::Flying => prop_assert!(pose.velocity.length() <= 90.05),
                    Activity::Idle(_) => prop_assert!(is_legal(&level, &agent), "{pose:?}"),
                    _ => {}
                }
                // A stunned agent finds its place when it is enabled.
                moved_by_hand &= pose.activity == Activity::Disabled;
                before = pose;
            }
        }
        // Without interruptions it comes to rest, at its destination if possible.
        agent.enable();
        let goal = level.somewhere(dice);
        agent.go_to(goal);
        let environment = with_doors(level.layer(), &doors);
        let mut rested = 0;
        for _ in 0..60 * 60 {
            let pose = agent.step(environment, &mut paths, 1.0 / 60.0);
            paths.work(level.layer(), 5);
            rested = if pose.activity.is_moving() || pose.activity == Activity::Idle(IdleReason::Waiting) { 0 } else { rested + 1 };
            if rested > 3 {
                break;
            }
        }
        prop_assert!(rested > 3, "it never rests: {:?}", agent.pose());
        let activity = agent.pose().activity;
        if let Activity::Stranded(_) = activity {
            return Ok(());
        }
        prop_assert!(is_legal(&level, &agent));
        let mut query = Query::new(agent.pose().position, goal);
        query.filter.close_doors(&doors);
        match finder.find(level.layer(), &query).unwrap() {
            PathOutcome::Found(path) => prop_assert!(
                activity == Activity::Idle(IdleReason::Arrived) && agent.pose().position.distance(path.end) < SPACING,
                "{activity:?} {path:?} {agent:?}"
            ),
            _ => prop_assert!(matches!(
                activity, Activity::Idle(IdleReason::CannotReach(_) | IdleReason::NearestReached(_) | IdleReason::Arrived)
            ), "{activity:?}"),
        }
    }

    /// A stopped agent rests at its destination: at once on a floor, after the
    /// landing in the air.
    #[test]
    fn a_stop_at_any_time_ends_in_an_arrival(seed in any::<u64>()) {
        let (dice, level) = &mut random_level(seed, 24);
        let mut finder = PathFinder::new();
        let environment = Environment::new(level.layer());
        let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
        for _ in 0..8 {
            agent.go_to(level.somewhere(dice));
            if dice.chance(0.3) {
                agent.launch(Vec2::new(dice.between(-200.0, 200.0), dice.between(-300.0, 0.0)));
            }
            for _ in 0..dice.below(90) {
                agent.step(environment, &mut finder, 1.0 / 60.0);
            }
            let before = agent.pose();
            agent.stop();
            for _ in 0..600 {
                if !agent.step(environment, &mut finder, 1.0 / 60.0).activity.is_moving() {
                    break;
                }
            }
            let after = agent.pose();
            if let Activity::Stranded(_) = after.activity {
                return Ok(());
            }
            prop_assert_eq!(after.activity, Activity::Idle(IdleReason::Arrived), "{:?}", before);
            let destination = agent.destination().unwrap_or(Vec2::INFINITY);
            prop_assert_eq!(destination, after.position, "{:?} {:?}", before, agent);
            prop_assert!(is_legal(level, &agent), "{:?}", after);
            if before.activity == Activity::Running {
                prop_assert_eq!(after.position, before.position);
            }
        }
    }

    /// Without interruptions, agents keep to their acceleration except at
    /// take-offs and landings, and arrive once.
    #[test]
    fn undisturbed_agents_keep_to_their_acceleration(seed in any::<u64>()) {
        let (dice, level) = &mut random_level(seed, 24);
        let mut finder = PathFinder::new();
        let environment = Environment::new(level.layer());
        let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
        while agent.step(environment, &mut finder, 0.1).activity.is_moving() {}
        agent.go_to(level.somewhere(dice));
        let dt = 1.0 / 120.0;
        let mut before = agent.pose();
        let mut arrived = 0;
        let mut since_landing = 1000;
        for _ in 0..60 * 120 {
            let pose = agent.step(environment, &mut finder, dt);
            let running = |p: Pose| matches!(p.activity, Activity::Running | Activity::Flying | Activity::Idle(_));
            if running(pose) && running(before) && agent.events().iter().all(|e| matches!(e, AgentEvent::Arrived { .. })) {
                let change = (pose.velocity - before.velocity).length();
                // Speed that is left between a landing and the end of its
                // step is lost at once.
                let stops = pose.velocity == Vec2::ZERO && since_landing < 20;
                prop_assert!(stops || change <= 900.0 * dt * 1.01 + 0.01, "{before:?} {pose:?}");
            }
            since_landing = if agent.events().iter().any(|e| matches!(e, AgentEvent::Landed { .. })) { 0 } else { since_landing + 1 };
            arrived += agent.events().iter().filter(|e| matches!(e, AgentEvent::Arrived { .. })).count();
            before = pose;
            if !pose.activity.is_moving() {
                break;
            }
        }
        prop_assert!(!before.activity.is_moving());
        prop_assert_eq!(arrived == 1, before.activity == Activity::Idle(IdleReason::Arrived));
    }

    /// The length of steps does not change the motion.
    #[test]
    fn any_partition_of_time_ends_in_the_same_place(seed in any::<u64>()) {
        let (dice, level) = &mut random_level(seed, 24);
        let mut finder = PathFinder::new();
        let environment = Environment::new(level.layer());
        let (spawn, goal) = (level.somewhere(dice), level.somewhere(dice));
        let mut whole = NavAgent::new(level.layer(), spawn);
        let mut parts = whole.clone();
        for agent in [&mut whole, &mut parts] {
            agent.go_to(goal);
            // Planning begins at rest: the end of a fall is rounded.
            for _ in 0..20 {
                agent.step(environment, &mut finder, 0.125);
            }
            agent.teleport(agent.pose().position);
            agent.step(environment, &mut finder, 0.0);
        }
        for _ in 0..20 {
            let a = whole.step(environment, &mut finder, 0.25);
            for _ in 0..16 {
                parts.step(environment, &mut finder, 0.015_625);
            }
            let b = parts.pose();
            prop_assert!(a.position.distance(b.position) < 1e-2, "{a:?} {b:?}");
        }
    }

    /// Where y grows upwards, an agent with the same commands does the same,
    /// mirrored.
    #[test]
    fn interrupted_motion_is_mirrored_where_y_grows_upwards(seed in any::<u64>()) {
        let (dice, level) = &mut random_level(seed, 20);
        let mirror = level.upwards();
        let flip = Vec2::new(1.0, -1.0);
        let spawn = level.somewhere(dice);
        let mut finders = [PathFinder::new(), PathFinder::new()];
        let mut a = NavAgent::new(level.layer(), spawn);
        let mut b = NavAgent::new(mirror.layer(), spawn * flip);
        let [mut doors, mut mirrored_doors] = [Doors::new(), Doors::new()];
        for _ in 0..20 {
            let at = level.somewhere(dice);
            match dice.below(10) {
                0..=4 => {
                    a.go_to(at);
                    b.go_to(at * flip);
                }
                5 => {
                    a.stop();
                    b.stop();
                }
                6 => {
                    a.stun();
                    b.stun();
                }
                7 => {
                    a.teleport(at);
                    b.teleport(at * flip);
                }
                8 => {
                    let speed = Vec2::new(dice.between(-250.0, 250.0), dice.between(-300.0, 100.0));
                    a.launch(speed);
                    b.launch(speed * flip);
                }
                _ => {
                    let to = at + Vec2::new(8.0, -40.0);
                    doors = Doors::new();
                    doors.close_region(Rect::new(at, to));
                    mirrored_doors = Doors::new();
                    mirrored_doors.close_region(Rect::new(at * flip, to * flip));
                }
            }
            for tick in 0..dice.below(60) {
                let here = with_doors(level.layer(), &doors);
                let there = with_doors(mirror.layer(), &mirrored_doors);
                let p = a.step(here, &mut finders[0], 1.0 / 60.0);
                let q = b.step(there, &mut finders[1], 1.0 / 60.0);
                prop_assert!(
                    p.position.distance(q.position * flip) < 1e-3
                        && p.velocity.distance(q.velocity * flip) < 1e-2
                        && p.activity == q.activity
                        && p.facing == q.facing,
                    "{p:?} {q:?}"
                );
                prop_assert_eq!(a.events().len(), b.events().len(), "{:?} {:?}", a, b);
                if tick == 30 {
                    a.enable();
                    b.enable();
                }
            }
        }
    }

    /// An agent that is saved and loaded as the guide says arrives where the saved
    /// one arrives.
    #[test]
    fn a_loaded_agent_arrives_where_the_saved_one_does(seed in any::<u64>()) {
        let (dice, level) = &mut random_level(seed, 24);
        let (layer, mut finder) = (level.layer(), PathFinder::new());
        let environment = Environment::new(layer);
        let mut agent = NavAgent::new(layer, level.somewhere(dice));
        let mut hold = agent.pose().position;
        for _ in 0..12 {
            agent.go_to(level.somewhere(dice));
            for _ in 0..dice.below(60) {
                let pose = agent.step(environment, &mut finder, 1.0 / 60.0);
                if let Activity::Idle(_) | Activity::Running | Activity::Flying = pose.activity {
                    hold = pose.position;
                }
            }
            let mut loaded = NavAgent::new(layer, hold);
            if let Some(destination) = agent.destination() {
                loaded.go_to(destination);
            }
            let [end, other] = [&mut agent.clone(), &mut loaded].map(|agent| {
                levels::settle(agent, level, &mut finder);
                agent.pose()
            });
            if end.activity == Activity::Idle(IdleReason::Arrived) {
                prop_assert_eq!((other.activity, other.position), (end.activity, end.position), "{:?}", hold);
            }
        }
    }

    /// A position changes at once only in portals, from an entrance to its exit,
    /// and after the time of the portal. Nothing else loses or repeats a crossing.
    #[test]
    fn interrupted_agents_pass_portals_whole(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 12, walking() | EdgeSet::PORTAL, dice);
        let seconds = [0.0, 0.01, 0.4][dice.below(3) as usize];
        let places: Vec<_> = level.layer().platforms().map(|p| (p.id, p.clamp(dice.between(p.left().x, p.right().x)))).collect();
        let mut ends = Vec::new();
        let mesh = level.with(|layer| {
            for _ in 0..4 {
                let [a, b] = [(); 2].map(|()| places[dice.below(places.len() as u32) as usize]);
                if a.0 != b.0 {
                    ends.push((a.1, b.1));
                    layer.links.push(portal(a, b, seconds));
                }
            }
            layer.links.sort_by_key(|link| link.from_platform);
        });
        let (layer, mut finder) = (&mesh.layers()[0], PathFinder::new());
        let mut doors = Doors::new();
        let mut agent = NavAgent::new(layer, level.somewhere(dice));
        let mut before = agent.step(Environment::new(layer), &mut finder, 0.0);
        // The least and the most that it can have been inside: it enters during a step.
        let ([mut least, mut most], mut entered) = ([0.0, 0.0], None);
        let mut by_hand = false;
        for _ in 0..40 {
            match dice.below(12) {
                0..=4 => agent.go_to(level.somewhere(dice)),
                // Right at a portal.
                5 | 6 if !ends.is_empty() => {
                    let (from, to) = ends[dice.below(ends.len() as u32) as usize];
                    agent.go_to(if dice.chance(0.5) { from } else { to });
                }
                7 => agent.stop(),
                8 => agent.disable(),
                9 => {
                    agent.teleport(level.somewhere(dice));
                    by_hand = true;
                }
                10 => {
                    agent.launch(Vec2::new(dice.between(-200.0, 200.0), dice.between(-300.0, 0.0)));
                }
                _ => {
                    let at = level.somewhere(dice);
                    doors = Doors::new();
                    doors.close_region(Rect::new(at, at + Vec2::new(8.0, -40.0)));
                }
            }
            for tick in 0..dice.below(80) {
                let dt = dice.between(0.001, 0.06);
                let pose = agent.step(Environment { layer, doors: &doors }, &mut finder, dt);
                let mut leapt = 0.0;
                least += dt;
                most += dt;
                for event in agent.events() {
                    match *event {
                        AgentEvent::EnteredPortal { from, to } => {
                            prop_assert!(ends.contains(&(from, to)), "{event:?} {ends:?}");
                            (entered, least, most) = (Some((from, to)), 0.0, dt);
                        }
                        AgentEvent::Teleported { from, to } if !by_hand => {
                            prop_assert_eq!(entered.take(), Some((from, to)), "{:?}", agent);
                            prop_assert!(most > seconds - 1e-4, "after {most} s");
                            leapt += from.distance(to);
                        }
                        _ => {}
                    }
                }
                if pose.activity == Activity::InPortal {
                    prop_assert!(least < seconds + 1e-4, "for {least} s");
                    prop_assert_eq!(entered.map(|(from, _)| from), Some(pose.position));
                } else if pose.activity != Activity::Disabled {
                    entered = None;
                }
                let nearest = layer.grid().nearest_cell(before.position);
                let was_inside = layer.parts().blocked.get(nearest.column, nearest.row);
                let snap = if was_inside { 2.0 * SPACING } else { 0.1 };
                prop_assert!(
                    by_hand || pose.position.distance(before.position) <= reach(before, pose, dt) + snap + leapt,
                    "its position jumped: {before:?} {pose:?} {:?}", agent.events()
                );
                by_hand &= pose.activity == Activity::Disabled;
                before = pose;
                if tick == 20 {
                    agent.enable();
                }
            }
        }
    }
}

/// Whether a body that runs on a floor can stop before the end of its platform.
fn has_room_to_stop(layer: &Layer, pose: Pose) -> bool {
    let braking = pose.velocity.x * pose.velocity.x.abs() / (2.0 * layer.profile().deceleration);
    let on = layer.snap(pose.position, SnapTo::FloorBelow(0.1));
    let on = on.and_then(|spot| layer.platform(spot.platform?));
    on.is_some_and(|on| {
        let stop = pose.position.x + braking;
        (on.left().x - 0.01..=on.right().x + 0.01).contains(&stop)
    })
}

/// Sent elsewhere at random times, to places behind it, just ahead of it, beyond a jump or
/// out of reach: on a floor its speed never changes by more than its limits allow.
#[test]
fn an_agent_that_is_sent_elsewhere_changes_its_speed_within_its_limits() {
    let (mut steps, mut wrong, mut worst) = (0, 0, 0.0_f32);
    for seed in 0..40 {
        let dice = &mut Dice(seed);
        let level = Level::random(26, 12, walking(), dice);
        let (layer, mut finder) = (level.layer(), PathFinder::new());
        let limit = layer
            .profile()
            .acceleration
            .max(layer.profile().deceleration);
        let mut agent = NavAgent::new(layer, level.somewhere(dice));
        let mut before = agent.step(Environment::new(layer), &mut finder, 0.0);
        let (mut can_stop, mut left) = (true, 0);
        for _ in 0..3000 {
            if left == 0 {
                left = 1 + dice.below(40);
                let near = before.position + Vec2::new(dice.between(-12.0, 12.0), 0.0);
                match dice.below(8) {
                    0 | 1 => agent.go_to(near),
                    2 if has_room_to_stop(layer, before) => agent.give_up(),
                    _ => agent.go_to(level.somewhere(dice)),
                }
            }
            left -= 1;
            let dt = dice.between(0.004, 0.03);
            let after = agent.step(Environment::new(layer), &mut finder, dt);
            let is_walk =
                |pose: Pose| matches!(pose.activity, Activity::Running | Activity::Idle(_));
            let has_landed = |event: &AgentEvent| matches!(event, AgentEvent::Landed { .. });
            if agent.events().iter().any(has_landed) {
                // The links of these levels need no room to stop.
                can_stop = has_room_to_stop(layer, after);
            } else if is_walk(before) && is_walk(after) {
                let change = (after.velocity.x - before.velocity.x).abs();
                if can_stop {
                    worst = worst.max(change / (limit * dt));
                    steps += 1;
                    wrong += usize::from(change > limit * dt * 1.001 + 0.01);
                }
                can_stop |= after.velocity.x == 0.0;
            }
            before = after;
        }
    }
    assert!(steps > 50_000, "{steps}");
    assert_eq!(wrong, 0, "of {steps}, with up to {worst} times the limit");
}
