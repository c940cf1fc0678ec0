//! Replays every baked link. Shares no code with the baker, only the parameters
//! of the trajectories.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, Link, NavMesh, PlatformKind, StepKind};

use super::loose_replay::{beside_one_way, off_the_trajectory};
use super::{Geometry, Spans};

const STEPS: u32 = 600;
// For positions and speeds stored as f32.
const EPS: f64 = 1e-3;

pub fn point(p: glam::Vec2) -> DVec2 {
    p.as_dvec2()
}

pub fn body_of(profile: &AgentProfile) -> DVec2 {
    DVec2::new(f64::from(profile.body[0]), f64::from(profile.body[1]))
}

/// Replays every link of a layer (levels with y down) in fine time steps
/// against the tiles, and lists what is wrong.
pub fn replay(world: &dyn Geometry, mesh: &NavMesh, layer: &Layer) -> Vec<String> {
    let profile = layer.profile();
    let body = body_of(profile);
    let hair = f64::from(mesh.grid().spacing) / f64::from(1 << 18);
    let mut wrong = Vec::new();
    for (i, link) in layer.links().iter().enumerate() {
        let (from, to) = (point(link.from), point(link.to));
        let mut report =
            |what: String| wrong.push(format!("link {i} {:?} {from} -> {to}: {what}", link.kind));
        let edge = link.kind.of_step().name();
        if profile.edges.names().all(|name| name != edge) {
            report("is not an edge of this agent".into());
        }
        for (end, platform, what) in [
            (from, link.from_platform, "take-off"),
            (to, link.to_platform, "landing"),
        ] {
            let kind = layer.platform(platform).unwrap().kind;
            if !holds(world, profile, kind, end) {
                report(format!("{what} has no support"));
            }
        }
        if link.kind == StepKind::Portal {
            continue;
        }
        if !link.kind.is_airborne() {
            let motion = Motion {
                from,
                launches: &[],
                rows: &[[1.0, to.x - from.x, 0.0]],
                profile,
                drops_through: false,
                hair,
            };
            if (to - from).abs().max_element() > 1e-2 {
                report("is no step".into());
            }
            if let Some(what) = hits(world, body, &motion, 1.0) {
                report(what);
            }
            let holds = matches!(link.kind, StepKind::WallClimb | StepKind::CeilingClimb);
            if holds && !profile.edges.contains(EdgeSet::DROP_THROUGH) {
                let passed = |top: &f64| from.y <= *top && *top < to.y;
                let tops = world.heights().into_iter().filter(passed);
                let mut tops = tops.flat_map(|top| world.one_way_x(top, body, EPS));
                if tops.any(|(left, right)| left < to.x && to.x < right) {
                    report("climbs down through a one-way top".into());
                }
            }
            continue;
        }
        // Only the parameters are used; the motion is computed independently.
        let arc = link.trajectory(profile, mesh.down()).unwrap();
        let launches: Vec<_> = arc.launches().iter().map(|l| [l.time, l.speed]).collect();
        let legs: Vec<_> = arc.legs().iter().map(|l| [l.duration, l.speed]).collect();
        let duration: f64 = legs.iter().map(|l| l[0]).sum();
        let rows = rows_of(&legs, link.params.start_speed());
        if (duration - f64::from(link.duration)).abs() > 1e-4 {
            report(format!("takes {duration}, not {}", link.duration));
        }
        if launches
            .iter()
            .any(|l| l[1] > f64::from(profile.jump_speed) * 1.000_01)
        {
            report(format!("launches too fast: {launches:?}"));
        }
        if launches.len() > 1 + usize::from(profile.air_jumps) {
            report(format!("launches too often: {launches:?}"));
        }
        let run = f64::from(profile.run_speed) * 1.000_01;
        if rows
            .iter()
            .any(|r| r[1].abs().max((r[1] + r[2] * r[0]).abs()) > run)
        {
            report(format!("runs too fast: {rows:?}"));
        }
        if let Some(most) = profile.air_acceleration.filter(|_| profile.air_control) {
            for what in not_smooth(layer, link, &rows, f64::from(most)) {
                report(format!("{what}: {rows:?}"));
            }
        }
        if !profile.air_control && legs.len() != 1 {
            report(format!("changes speed in the air: {legs:?}"));
        }
        let rises = launches.iter().any(|l| l[1] > 0.0);
        if rises != (link.kind == StepKind::Jump) {
            report("has launches of another kind".into());
        }
        let limit = if rises {
            profile.max_jump
        } else {
            profile.max_drop
        };
        if (to.x - from.x).abs() > f64::from(limit[0]) + 1e-2
            || from.y - to.y > f64::from(profile.max_jump[1]) + 1e-2
            || to.y - from.y > f64::from(profile.max_drop[1]) + 1e-2
        {
            report("beyond the limits".into());
        }
        let motion = Motion {
            from,
            launches: &launches,
            rows: &rows,
            profile,
            drops_through: link.kind == StepKind::DropThrough,
            hair,
        };
        let place = |t: f64| motion.at(t);
        if (place(duration) - to).length() > EPS {
            report(format!("ends at {}", place(duration)));
        }
        if place(duration).y < place(duration - 1e-6).y - 1e-7 {
            report("lands while rising".into());
        }
        if let Some(what) = hits(world, body, &motion, duration) {
            report(what);
        }
        let left = f64::from(mesh.grid().origin.x);
        let right = left + f64::from(mesh.grid().columns) * f64::from(mesh.grid().spacing);
        let inside = left - EPS..=right + EPS;
        let mut times = (0..=STEPS).map(|k| duration * f64::from(k) / f64::from(STEPS));
        if let Some(time) = times.find(|time| !inside.contains(&place(*time).x)) {
            report(format!("leaves the level at {}", place(time)));
        }
        if layer.platform(link.to_platform).unwrap().kind == PlatformKind::Ladder
            && let Some(t) = passes_the_ladder(layer, link, &motion, duration)
        {
            report(format!("passes its ladder at {}", place(t)));
        }
        // As late as the tolerance allows, and faster after that.
        let late = f64::from(link.tolerance);
        if link.params.start_speed().is_some() {
            // As far aside as the tolerance allows; outwards for a body that
            // walks off an end, and away from a wall that it leaves.
            let kind = layer.platform(link.from_platform).unwrap().kind;
            let walks_off = launches[0][1] <= 0.0
                && link.kind != StepKind::DropThrough
                && kind == PlatformKind::Floor;
            let mut sides = if walks_off {
                vec![rows[0][1].signum()]
            } else {
                vec![-1.0, 1.0]
            };
            if kind == PlatformKind::Wall {
                let beside = |side: f64| from + DVec2::new(side * NEAR, 0.0);
                sides.retain(|side| !world.solid_at(beside(*side), body, 1e-4));
                if sides.is_empty() && late > 0.0 {
                    report(format!("{late} s aside between two walls"));
                }
            }
            if late > 0.0 {
                let found = off_the_trajectory(world, layer, link, &motion, &sides);
                found.into_iter().for_each(&mut report);
                let found = beside_one_way(world, &motion, duration, to);
                found.into_iter().for_each(&mut report);
            }
        } else if profile.air_control && late > 0.0 {
            let level = launches[0][0];
            let faster = (duration - level) / (duration - level - late);
            let mut hurried = vec![[level, legs[0][1]], [late, 0.0]];
            let mut skip = level;
            for [seconds, speed] in &legs {
                let passed = seconds.min(skip);
                skip -= passed;
                hurried.push([(seconds - passed) / faster, speed * faster]);
            }
            if hurried
                .iter()
                .any(|l| l[0] > 1e-6 && l[1].abs() > f64::from(profile.run_speed) * 1.000_01)
            {
                report(format!("cannot make up for {late} s: {hurried:?}"));
            }
            let hurried = rows_of(&hurried, None);
            let motion = Motion {
                rows: &hurried,
                ..motion
            };
            if let Some(what) = hits(world, body, &motion, duration) {
                report(format!("{late} s late: {what}"));
            }
        }
    }
    wrong
}

/// When a falling body crosses the line of the ladder on which its link lands, or is on
/// it, before it lands. A body of a game holds on there.
fn passes_the_ladder(
    layer: &Layer,
    link: &Link,
    motion: &Motion<'_>,
    duration: f64,
) -> Option<f64> {
    let (low, high) = layer.platform(link.to_platform).unwrap().extent();
    let line = f64::from(link.to.x);
    let steps = (0..STEPS).map(|k| [k, k + 1].map(|k| duration * f64::from(k) / f64::from(STEPS)));
    let mut steps = steps.map(|times| (times[1], times.map(|t| motion.at(t))));
    let found = steps.find(|(_, [before, after])| {
        let is_inside = f64::from(low) <= after.y && after.y <= f64::from(high);
        let crosses = (before.x - line) * (after.x - line) < 0.0
            || (before.x - line).abs().max((after.x - line).abs()) < 1e-6;
        let lands = (*after - point(link.to)).length() < 1.0;
        after.y > before.y && is_inside && crosses && !lands
    });
    found.map(|(t, _)| t)
}

/// How near a body is to what it touches.
const NEAR: f64 = 1e-2;

/// Whether a body can be at rest at `p` on a platform of this kind.
pub fn holds(world: &dyn Geometry, profile: &AgentProfile, kind: PlatformKind, p: DVec2) -> bool {
    let body = body_of(profile);
    let near = |v: f64, of: f64| (v - of).abs() <= NEAR;
    match kind {
        PlatformKind::Floor => {
            let on_ladder = world.ladders().iter().any(|(min, max)| {
                near(p.y, min.y)
                    && p.x - 0.5 * body.x < max.x
                    && p.x + 0.5 * body.x > min.x
                    && profile.edges.contains(EdgeSet::LADDER)
            });
            on_ladder || world.supported(p, body, NEAR)
        }
        PlatformKind::Ladder => world.ladders().iter().any(|(min, max)| {
            // Ladders side by side are one ladder with one middle line.
            p.x > min.x - NEAR && p.x < max.x + NEAR && p.y >= min.y - NEAR && p.y <= max.y + NEAR
        }),
        PlatformKind::Wall => [-NEAR, NEAR].iter().any(|aside| {
            let beside = p + DVec2::new(*aside, 0.0);
            world.solid_at(beside, body, 1e-4) && !world.solid_at(p, body, 1e-4)
        }),
        PlatformKind::Ceiling => {
            let above = p - DVec2::new(0.0, NEAR);
            world.solid_at(above, body, 1e-4) && !world.solid_at(p, body, 1e-4)
        }
        _ => false,
    }
}

/// A motion computed from its parameters.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    pub from: DVec2,
    pub launches: &'a [[f64; 2]],
    /// Stretches of constant acceleration across: seconds, speed at the start,
    /// acceleration.
    pub rows: &'a [[f64; 3]],
    pub profile: &'a AgentProfile,
    /// Whether it falls through the top on which it starts.
    pub drops_through: bool,
    /// Differences below this count as 0.
    pub hair: f64,
}

impl Motion<'_> {
    pub fn at(&self, t: f64) -> DVec2 {
        let mut x = self.from.x;
        let mut left = t;
        for row in self.rows {
            let spent = left.min(row[0]);
            x += row[1] * spent + 0.5 * row[2] * spent * spent;
            left = (left - row[0]).max(0.0);
        }
        let (mut y, mut speed, mut since) = (self.from.y, None, 0.0);
        for launch in self.launches.iter().take_while(|l| l[0] <= t) {
            if let Some(v) = speed {
                y -= self.rise(v, launch[0] - since);
            }
            speed = Some(launch[1]);
            since = launch[0];
        }
        if let Some(v) = speed {
            y -= self.rise(v, t - since);
        }
        DVec2::new(x, y)
    }

    /// The height above the launch after some seconds: the integral of a speed
    /// that decreases evenly, down to the greatest speed of fall.
    fn rise(&self, v: f64, seconds: f64) -> f64 {
        let gravity = f64::from(self.profile.gravity);
        let Some(most) = self.profile.max_fall_speed.map(f64::from) else {
            return v * seconds - 0.5 * gravity * seconds * seconds;
        };
        let free = ((v + most) / gravity).clamp(0.0, seconds);
        v * free - 0.5 * gravity * free * free - most * (seconds - free)
    }
}

/// Stretches of constant acceleration: legs at their speed, or, from a speed at
/// take-off, legs at their mean speed.
fn rows_of(legs: &[[f64; 2]], start: Option<f64>) -> Vec<[f64; 3]> {
    let mut next = start;
    let row = |leg: &[f64; 2]| {
        let [seconds, mean] = *leg;
        let speed = next.unwrap_or(mean);
        next = next.map(|speed| 2.0 * mean - speed);
        let acceleration = match 2.0 * (mean - speed) / seconds {
            a if a.is_finite() => a,
            _ => 0.0,
        };
        [seconds, speed, acceleration]
    };
    legs.iter().map(row).collect()
}

/// What a body of bounded acceleration cannot do in a flight: jumps of speed,
/// more acceleration, a take-off faster than its run-up, a landing too fast to
/// stop without a word of it.
fn not_smooth(layer: &Layer, link: &Link, rows: &[[f64; 3]], most: f64) -> Vec<String> {
    let profile = layer.profile();
    let mut wrong = Vec::new();
    if link.params.start_speed().is_none() {
        wrong.push("changes speed at once".into());
    }
    // Small steps at the greatest acceleration, from the speed at take-off.
    let mut speed = rows[0][1];
    for &[seconds, wanted, acceleration] in rows {
        if (wanted - speed).abs() > 1e-2 {
            wrong.push(format!("jumps from {speed} to {wanted}"));
        }
        speed = wanted;
        let step = seconds / 50.0;
        for _ in 0..50 {
            let change = acceleration * step;
            speed += change.clamp(-most * step, most * step);
        }
        if (speed - (wanted + acceleration * seconds)).abs() > 1e-3 * most.min(1.0) {
            wrong.push(format!("accelerates by {acceleration}"));
        }
    }
    // v² = 2·a·d: from rest at the end of the platform behind it, to rest at
    // the end ahead.
    let room = |id, x: f32, speed: f64, behind: bool| {
        let platform = layer.platform(id).unwrap();
        let floor = platform.kind == PlatformKind::Floor;
        let end = if (speed > 0.0) == behind {
            platform.left().x
        } else {
            platform.right().x
        };
        floor.then(|| (f64::from(end) - f64::from(x)).abs() + 1e-2)
    };
    let start = rows[0][1];
    let (d, a) = (
        room(link.from_platform, link.from.x, start, true),
        profile.acceleration,
    );
    if start * start > 2.001 * f64::from(a) * d.unwrap_or(0.0) + 1e-6 {
        wrong.push(format!("takes off at {start}"));
    }
    let (d, a) = (
        room(link.to_platform, link.to.x, speed, false),
        profile.deceleration,
    );
    let stops = d.is_none_or(|d| speed * speed <= 2.001 * f64::from(a) * d + 1e-6);
    if !stops && link.tolerance > 0.0 {
        wrong.push(format!("lands at {speed}"));
    }
    // A launch slower by the gravity of half a step still reaches the landing.
    let launches: Vec<f64> = link.params.launches().map(|l| l.speed).collect();
    if let (StepKind::Jump, &[launch]) = (link.kind, launches.as_slice()) {
        let gravity = f64::from(profile.gravity);
        let over = 0.5 * launch * launch / gravity - f64::from(link.from.y - link.to.y);
        if over < 0.999 * launch / 120.0 - 1e-3 && link.tolerance > 0.0 {
            wrong.push(format!("rises only {over} above its landing"));
        }
    }
    wrong
}

/// What a motion hits, in fine steps.
pub fn hits(
    world: &dyn Geometry,
    body: DVec2,
    motion: &Motion<'_>,
    duration: f64,
) -> Option<String> {
    let one_ways = world.one_ways();
    let time = |step: u32| duration * f64::from(step) / f64::from(STEPS);
    let places: Vec<DVec2> = (0..=STEPS).map(|k| motion.at(time(k))).collect();
    for (step, &p) in (0..).zip(&places) {
        let t = time(step);
        let blocked = if motion.profile.ignores_hazards {
            world.solid_at(p, body, EPS)
        } else {
            world.blocked(p, body, EPS)
        };
        if blocked {
            return Some(format!("blocked at {p}, {t} s of {duration}"));
        }
        for (way, min, max) in &one_ways {
            let since = (t - duration / f64::from(STEPS)).max(0.0);
            if against(*way, *min, *max, body, motion, [since, t]) {
                return Some(format!("goes against {way} at {min}, {t} s of {duration}"));
            }
        }
    }
    let gravity = f64::from(motion.profile.gravity);
    let apexes = motion
        .launches
        .iter()
        .map(|l| (l[0] + l[1] / gravity).min(duration));
    let apexes = apexes.map(|t| motion.at(t).y);
    let highest = apexes
        .chain(places.iter().map(|p| p.y))
        .fold(f64::INFINITY, f64::min);
    for top in world.heights() {
        // A wall ends one lattice point below a ladder's top beside it, so a body
        // may hold on, and jump, just below the top without ever being on it.
        if highest > top + motion.hair {
            continue;
        }
        // The last step at which the feet were on or above this height, unless
        // the motion ends there.
        let above = places.iter().rposition(|p| p.y <= top + EPS);
        let Some(last) = above.filter(|k| *k < STEPS as usize) else {
            continue;
        };
        let mut carried = world.one_way_x(top, body, EPS);
        if motion.profile.edges.contains(EdgeSet::LADDER) {
            carried.extend(ladder_tops(world, top, body));
        }
        if let Some(x) = slips_under(motion, top, [time(last as u32), duration], &carried) {
            return Some(format!("sinks through a one-way top at {x}, {top}"));
        }
    }
    None
}

/// How far below a one-way top a body that was on or above it must have fallen
/// before it may be beneath it: the fall of a twentieth of a second from rest.
/// Any sooner, and an engine would put it back onto the top.
pub fn top_depth(profile: &AgentProfile) -> f64 {
    (f64::from(profile.gravity) / 800.0).min(0.25 * f64::from(profile.body[1]))
}

/// Where a falling body is beneath a one-way top, by less than [`top_depth`],
/// that it was on or above just after `since`.
fn slips_under(
    motion: &Motion<'_>,
    top: f64,
    [since, duration]: [f64; 2],
    carried: &Spans,
) -> Option<f64> {
    let launches = motion.launches;
    let is_own = motion.drops_through && (motion.from.y - top).abs() < EPS;
    if carried.is_empty() || is_own {
        return None;
    }
    // x and y rise or fall all the way between these moments.
    let gravity = f64::from(motion.profile.gravity);
    let mut turns = vec![since, duration];
    let mut end = 0.0;
    for row in motion.rows {
        turns.extend((row[2] != 0.0).then(|| end - row[1] / row[2]));
        end += row[0];
        turns.push(end);
    }
    turns.extend(launches.iter().flat_map(|l| [l[0], l[0] + l[1] / gravity]));
    turns.retain(|t| since <= *t && *t <= duration);
    turns.sort_by(f64::total_cmp);
    let deep = top + top_depth(motion.profile) - EPS;
    for pair in turns.windows(2) {
        let (from, until) = (motion.at(pair[0]), motion.at(pair[1]));
        if until.y <= from.y {
            continue;
        }
        // When a height is passed; the end of the piece nearest to it if none.
        let crossing = |y: f64| {
            let (mut lo, mut hi) = (pair[0], pair[1]);
            for _ in 0..60 {
                let middle = 0.5 * (lo + hi);
                if motion.at(middle).y <= y {
                    lo = middle;
                } else {
                    hi = middle;
                }
            }
            hi
        };
        if until.y > top + EPS && from.y < deep {
            let (a, b) = (
                motion.at(crossing(top + EPS)).x,
                motion.at(crossing(deep)).x,
            );
            let (lo, hi) = (a.min(b), a.max(b));
            if carried.iter().any(|&(left, right)| left < hi && lo < right) {
                return Some(0.5 * (a + b));
            }
        }
        if until.y >= deep {
            return None;
        }
    }
    None
}

/// Feet x, open, at which the upper end of a ladder at height `y` carries.
pub fn ladder_tops(world: &dyn Geometry, y: f64, body: DVec2) -> Spans {
    let ladders = world.ladders();
    let tops = ladders.iter().filter(|(min, max)| {
        let goes_on = |(a, b): &(DVec2, DVec2)| a.x < max.x && b.x > min.x && b.y == min.y;
        (min.y - y).abs() < 1e-6 && !ladders.iter().any(goes_on)
    });
    tops.map(|(min, max)| (min.x - 0.5 * body.x + EPS, max.x + 0.5 * body.x - EPS))
        .collect()
}

/// Whether a body, between two moments, comes back in through the side of a
/// one-way tile by which bodies leave it.
fn against(
    way: char,
    min: DVec2,
    max: DVec2,
    body: DVec2,
    motion: &Motion<'_>,
    [start, end]: [f64; 2],
) -> bool {
    // The depth to which the baker lets a trajectory touch an obstacle.
    let hair = motion.hair;
    let half = 0.5 * body.x;
    // How far it is outside that side.
    let out = |p: DVec2| match way {
        '>' => p.x - half - max.x,
        '<' => min.x - (p.x + half),
        _ => p.y - body.y - max.y,
    };
    let (from, to) = (motion.at(start), motion.at(end));
    if out(from) < -hair || out(to) >= -hair {
        return false;
    }
    let (mut lo, mut hi) = (start, end);
    for _ in 0..50 {
        let middle = 0.5 * (lo + hi);
        if out(motion.at(middle)) >= -hair {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    let p = motion.at(lo);
    if way == 'v' {
        p.x + half > min.x + EPS && p.x - half < max.x - EPS
    } else {
        p.y > min.y + EPS && p.y - body.y < max.y - EPS
    }
}
