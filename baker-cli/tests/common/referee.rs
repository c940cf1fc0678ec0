//! Two referees that share no code with the baker: one replays what was
//! baked, the other works out what can be done.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, LinkKind, NavMesh};

use super::Tiles;

fn point(p: glam::Vec2) -> DVec2 {
    p.as_dvec2()
}

fn body_of(profile: &AgentProfile) -> DVec2 {
    DVec2::new(f64::from(profile.body[0]), f64::from(profile.body[1]))
}

/// Replays every link of a layer (levels with y down) in fine time steps
/// against the tiles, and lists what is wrong.
pub fn replay(world: &Tiles, mesh: &NavMesh, layer: &Layer) -> Vec<String> {
    const STEPS: u32 = 600;
    // f32 positions and speeds, and a hair for touching.
    const EPS: f64 = 1e-3;
    let profile = layer.profile();
    let body = body_of(profile);
    let gravity = f64::from(profile.gravity);
    let mut wrong = Vec::new();
    for (i, link) in layer.links().iter().enumerate() {
        let (from, to) = (point(link.from), point(link.to));
        let mut report =
            |what: String| wrong.push(format!("link {i} {:?} {from} -> {to}: {what}", link.kind));
        let arc = link
            .program
            .between(link.from, link.to, gravity, mesh.down())
            .unwrap();
        // Only the numbers of the arc are taken; the motion is worked out anew.
        let (launches, legs): (Vec<_>, Vec<_>) = (arc.launches().to_vec(), arc.legs().to_vec());
        let duration: f64 = legs.iter().map(|l| l[0]).sum();
        if (duration - f64::from(link.duration)).abs() > 1e-4 {
            report(format!("takes {duration}, not {}", link.duration));
        }
        if launches
            .iter()
            .any(|l| l[1] > f64::from(profile.jump_speed) * 1.000_01)
        {
            report(format!("launches too fast: {launches:?}"));
        }
        if legs
            .iter()
            .any(|l| l[1].abs() > f64::from(profile.run_speed) * 1.000_01)
        {
            report(format!("runs too fast: {legs:?}"));
        }
        if !profile.air_control && legs.len() != 1 {
            report(format!("changes speed in the air: {legs:?}"));
        }
        match link.kind {
            LinkKind::Drop if launches.iter().any(|l| l[1] > 0.0) => {
                report("a drop with a launch".into())
            }
            LinkKind::Jump if launches[0][1] <= 0.0 => report("a jump without one".into()),
            _ => {}
        }
        let limit = if link.kind == LinkKind::Drop {
            profile.max_drop
        } else {
            profile.max_jump
        };
        if (to.x - from.x).abs() > f64::from(limit[0]) + 1e-2
            || from.y - to.y > f64::from(profile.max_jump[1]) + 1e-2
            || to.y - from.y > f64::from(profile.max_drop[1]) + 1e-2
        {
            report("beyond the limits".into());
        }
        for (end, what) in [(from, "take-off"), (to, "landing")] {
            if !world.supported(end, body, 1e-2) {
                report(format!("{what} has no support"));
            }
        }
        let place = |t: f64| {
            let mut x = from.x;
            let mut left = t;
            for leg in &legs {
                x += leg[1] * left.min(leg[0]);
                left = (left - leg[0]).max(0.0);
            }
            let (mut y, mut speed, mut since) = (from.y, None, 0.0);
            for launch in &launches {
                if launch[0] > t {
                    break;
                }
                if let Some(v) = speed {
                    let s: f64 = launch[0] - since;
                    y -= v * s - 0.5 * gravity * s * s;
                }
                speed = Some(launch[1]);
                since = launch[0];
            }
            if let Some(v) = speed {
                let s = t - since;
                y -= v * s - 0.5 * gravity * s * s;
            }
            DVec2::new(x, y)
        };
        if (place(duration) - to).length() > EPS {
            report(format!("ends at {}", place(duration)));
        }
        if place(duration).y < place(duration - 1e-6).y - 1e-7 {
            report("lands while rising".into());
        }
        let mut before = from;
        for step in 0..=STEPS {
            let t = duration * f64::from(step) / f64::from(STEPS);
            let p = place(t);
            if world.blocked(p, body, EPS) {
                report(format!("blocked at {p}, {t} s of {duration}"));
                break;
            }
            // Falling through a one-way top: it was below the feet and is not.
            let side = f64::from(world.side);
            let top = (p.y / side).floor() * side;
            if before.y < top - EPS && p.y > top + EPS && step < STEPS {
                let (mut lo, mut hi) = (t - duration / f64::from(STEPS), t);
                for _ in 0..50 {
                    let middle = 0.5 * (lo + hi);
                    if place(middle).y < top {
                        lo = middle;
                    } else {
                        hi = middle;
                    }
                }
                let x = place(hi).x;
                let min = DVec2::new(x - 0.5 * body.x + EPS, top + EPS);
                let max = DVec2::new(x + 0.5 * body.x - EPS, top + 2.0 * EPS);
                if world.overlaps(min, max, |c| c == '-') {
                    report(format!("sinks through a one-way top at {x}, {top}"));
                    break;
                }
            }
            before = p;
        }
    }
    wrong
}

/// Ordered pairs of platforms, by number.
pub type Pairs = BTreeSet<(u32, u32)>;

/// How strict the second referee is where a time step hides something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// What it finds can certainly be done.
    Strict,
    /// What it does not find certainly cannot be done.
    Generous,
}

type Spans = Vec<(f64, f64)>;

/// What can be done: from each platform, for a fine set of take-offs and
/// launch speeds, the x-intervals the body can occupy under full air control
/// (or the speeds it can have, without), over small time steps; every platform
/// on which it can land.
pub fn can_do(
    world: &Tiles,
    layer: &Layer,
    take_off_step: f64,
    launches: u32,
    dt: f64,
    view: View,
) -> Pairs {
    let profile = layer.profile();
    let body = body_of(profile);
    let tops = tops(layer);
    let mut pairs = Pairs::new();
    let greatest = f64::from(profile.jump_speed);
    let speeds = |y: f64| {
        let even = (1..=launches).map(move |k| greatest * f64::from(k) / f64::from(launches));
        // And those that come to rest just at a row of tiles.
        let rows = (0..world.rows.len()).map(|r| y - r as f64 * f64::from(world.side));
        let touching = rows
            .filter(|rise| *rise > 0.0)
            .map(|rise| (2.0 * f64::from(profile.gravity) * rise).sqrt())
            .filter(move |speed| *speed <= greatest);
        even.chain(touching).collect::<Vec<f64>>()
    };
    for platform in layer.platforms().iter() {
        let (l, r) = (point(platform.left()), point(platform.right()));
        if view == View::Generous && profile.air_control {
            // Everywhere on a flat stretch at once.
            for &(y, a, b, id) in tops.iter().filter(|top| top.3 == platform.id().0) {
                for speed in speeds(y) {
                    let limit = f64::from(profile.max_jump[0]);
                    fly(
                        world,
                        profile,
                        body,
                        &tops,
                        id,
                        (a, b),
                        y,
                        speed,
                        limit,
                        dt,
                        view,
                        &mut pairs,
                    );
                }
            }
        }
        let mut xs = vec![l.x, r.x];
        let count = ((r.x - l.x) / take_off_step).floor() as u32;
        xs.extend((1..=count).map(|i| l.x + f64::from(i) * take_off_step));
        for x in xs {
            let y = f64::from(platform.height_at(x as f32).unwrap_or(platform.left().y));
            for speed in speeds(y) {
                let limit = f64::from(profile.max_jump[0]);
                fly(
                    world,
                    profile,
                    body,
                    &tops,
                    platform.id().0,
                    (x, x),
                    y,
                    speed,
                    limit,
                    dt,
                    view,
                    &mut pairs,
                );
            }
        }
        // Off both ends: just past the lip, nothing carries any more.
        let out = 2.0 / 256.0;
        for (lip, past) in [(l, l.x - out), (r, r.x + out)] {
            let p = DVec2::new(past, lip.y);
            if !world.blocked(p, body, 1e-9) && !world.supported(p, body, 1e-3) {
                let limit = f64::from(profile.max_drop[0]) + out;
                fly(
                    world,
                    profile,
                    body,
                    &tops,
                    platform.id().0,
                    (past, past),
                    lip.y,
                    0.0,
                    limit,
                    dt,
                    view,
                    &mut pairs,
                );
            }
        }
    }
    pairs
}

/// Flat tops: height to (left, right, platform).
fn tops(layer: &Layer) -> Vec<(f64, f64, f64, u32)> {
    let mut tops = Vec::new();
    for platform in layer.platforms().iter() {
        for pair in platform.surface().windows(2) {
            if pair[0].y == pair[1].y {
                tops.push((
                    f64::from(pair[0].y),
                    f64::from(pair[0].x),
                    f64::from(pair[1].x),
                    platform.id().0,
                ));
            }
        }
    }
    tops
}

#[allow(clippy::too_many_arguments)]
fn fly(
    world: &Tiles,
    profile: &AgentProfile,
    body: DVec2,
    tops: &[(f64, f64, f64, u32)],
    from: u32,
    start: (f64, f64),
    y0: f64,
    speed: f64,
    limit: f64,
    dt: f64,
    view: View,
    pairs: &mut Pairs,
) {
    let (gravity, run) = (f64::from(profile.gravity), f64::from(profile.run_speed));
    let height = |t: f64| y0 - (speed * t - 0.5 * gravity * t * t);
    let lowest = y0 + f64::from(profile.max_drop[1]);
    let highest = y0 - f64::from(profile.max_jump[1]);
    let width = world.columns() as f64 * f64::from(world.side);
    let window = ((start.0 - limit).max(0.0), (start.1 + limit).min(width));
    // With air control: places. Without: speeds, from which places follow.
    let mut set: Spans = if profile.air_control {
        vec![start]
    } else {
        vec![(-run, run)]
    };
    let slack = if view == View::Strict { 0.0 } else { 1e-3 };
    let mut t = 0.0;
    while !set.is_empty() {
        // Steps end where a platform is passed, so that landings are exact.
        let mut next = t + dt;
        let rows = (0..world.rows.len()).map(|r| r as f64 * f64::from(world.side));
        for top in tops.iter().map(|top| top.0).chain(rows) {
            let below = 2.0 * gravity * (top - y0) + speed * speed;
            if below >= 0.0 {
                let at = (speed + below.sqrt()) / gravity;
                if at > t + 1e-9 && at < next {
                    next = at;
                }
            }
        }
        let (y, y2) = (height(t), height(next));
        if y > lowest + 1e-6 {
            return;
        }
        let rows = match view {
            View::Strict => {
                let apex = if t < speed / gravity && next > speed / gravity {
                    height(speed / gravity)
                } else {
                    y.min(y2)
                };
                (apex.min(y).min(y2), y.max(y2))
            }
            View::Generous => (y2, y2),
        };
        let blocked = blocked_spans(world, body, rows, slack);
        set = if profile.air_control {
            let mut grown = Spans::new();
            for &(a, b) in &set {
                let (lo, hi) = (
                    (a - run * (next - t)).max(window.0 - slack),
                    (b + run * (next - t)).min(window.1 + slack),
                );
                // Inside what was free it may spread; through walls it may not.
                for (fa, fb) in complement(&blocked, window.0 - 1.0, window.1 + 1.0) {
                    if fb >= a - slack && fa <= b + slack && fa.max(lo) <= fb.min(hi) {
                        grown.push((fa.max(lo), fb.min(hi)));
                    }
                }
            }
            unite(grown)
        } else {
            let mut left = Spans::new();
            for &(a, b) in &set {
                let mut hits = Spans::new();
                for &(ba, bb) in &blocked {
                    let (ba, bb) = (ba - start.0, bb - start.0);
                    let times: &[f64] = if view == View::Strict {
                        &[t, next]
                    } else {
                        &[next]
                    };
                    let per = |d: f64, s: f64| {
                        if s > 0.0 {
                            d / s
                        } else if d > 0.0 {
                            f64::INFINITY
                        } else if d < 0.0 {
                            f64::NEG_INFINITY
                        } else {
                            0.0
                        }
                    };
                    let lo = times
                        .iter()
                        .map(|&s| per(ba, s))
                        .fold(f64::INFINITY, f64::min);
                    let hi = times
                        .iter()
                        .map(|&s| per(bb, s))
                        .fold(f64::NEG_INFINITY, f64::max);
                    hits.push((lo, hi));
                }
                for (fa, fb) in complement(&unite(hits), a, b) {
                    left.push((fa.max(a), fb.min(b)));
                }
            }
            unite(left.into_iter().filter(|s| s.0 <= s.1).collect())
        };
        let falling = next > speed / gravity - 1e-9;
        if falling && y2 >= highest - 1e-6 && y2 <= lowest + 1e-6 {
            for &(top, l, r, id) in tops {
                if (top - y2).abs() > 1e-6 || id == from {
                    continue;
                }
                let lands = set.iter().any(|&(a, b)| {
                    let (a, b) = if profile.air_control {
                        (a, b)
                    } else {
                        (start.0 + a * next, start.0 + b * next)
                    };
                    a.max(l).max(window.0) <= b.min(r).min(window.1) + slack
                });
                if lands {
                    pairs.insert((from, id));
                }
            }
        }
        // One-way tops stop what falls onto them.
        if falling {
            let side = f64::from(world.side);
            let row = (y2 / side).round();
            if (row * side - y2).abs() < 1e-6 {
                let holes: Spans = (0..world.columns())
                    .filter(|&c| world.is_one_way(c, row as usize))
                    .map(|c| {
                        (
                            c as f64 * side - 0.5 * body.x + slack,
                            (c + 1) as f64 * side + 0.5 * body.x - slack,
                        )
                    })
                    .collect();
                if !holes.is_empty() && profile.air_control {
                    let holes = unite(holes);
                    let mut left = Spans::new();
                    for &(a, b) in &set {
                        for (fa, fb) in complement(&holes, a, b) {
                            if fa.max(a) <= fb.min(b) {
                                left.push((fa.max(a), fb.min(b)));
                            }
                        }
                    }
                    set = left;
                }
            }
        }
        t = next;
        if t > 20.0 {
            return;
        }
    }
}

/// Feet x at which the body, with its feet anywhere in `rows`, overlaps
/// something: column by column.
fn blocked_spans(world: &Tiles, body: DVec2, rows: (f64, f64), slack: f64) -> Spans {
    let side = f64::from(world.side);
    let mut spans = Spans::new();
    for column in 0..world.columns() {
        let x = (column as f64 * side, (column + 1) as f64 * side);
        let min = DVec2::new(x.0 + 1e-6, rows.0 - body.y + slack + 1e-9);
        let max = DVec2::new(x.1 - 1e-6, rows.1 - slack - 1e-9);
        if min.y < max.y && world.overlaps(min, max, |c| c == '#' || c == '^') {
            spans.push((x.0 - 0.5 * body.x + slack, x.1 + 0.5 * body.x - slack));
        }
    }
    unite(spans)
}

fn unite(mut spans: Spans) -> Spans {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Spans = Vec::new();
    for span in spans {
        match out.last_mut() {
            // Open spans that touch leave a point between them.
            Some(last) if span.0 < last.1 => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}

fn complement(spans: &Spans, from: f64, to: f64) -> Spans {
    let mut out = Spans::new();
    let mut at = from;
    for &(a, b) in spans {
        if a >= at {
            out.push((at, a));
        }
        at = at.max(b);
    }
    if at <= to {
        out.push((at, to));
    }
    out
}

/// The pairs the bake links.
pub fn baked(layer: &Layer) -> Pairs {
    layer
        .links()
        .iter()
        .map(|l| (l.from_platform.0, l.to_platform.0))
        .collect()
}

/// Every pair joined by a chain of pairs.
pub fn closure(pairs: &Pairs) -> Pairs {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(a, b) in pairs {
        next.entry(a).or_default().push(b);
    }
    let mut out = Pairs::new();
    for &start in next.keys() {
        let mut seen = BTreeSet::new();
        let mut todo = vec![start];
        while let Some(at) = todo.pop() {
            for &to in next.get(&at).into_iter().flatten() {
                if seen.insert(to) {
                    todo.push(to);
                }
            }
        }
        out.extend(
            seen.into_iter()
                .filter(|to| *to != start)
                .map(|to| (start, to)),
        );
    }
    out
}
