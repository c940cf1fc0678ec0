//! Replays links for bodies that are off their trajectories as far as a tolerance
//! allows: displaced, slower at take-off, and moved in steps, across before down.
//! Shares no code with the baker, only the parameters of the trajectories.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, Link, Platform, PlatformKind, StepKind};

use super::Geometry;
use super::replay::{Motion, body_of, hits, holds, point};
use super::spans::unite;

/// Seconds in a step of a game.
const TICK: f64 = 1.0 / 60.0;
/// How far a body may overlap something: positions and speeds are stored as f32.
const EPS: f64 = 1e-3;
/// How far a body moves between two checks.
const STRIDE: f64 = 0.5;
/// Seconds that a body may take longer than planned.
const LONGER: f64 = 0.5;

/// How a body moves.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// Along the curve.
    Curve,
    /// In steps, across and then up or down, of which the first ends after some seconds.
    Steps(f64),
}

/// What is wrong with a link that has a tolerance, for bodies that use it. `rows` are the
/// stretches of constant acceleration across, and `launches` times and upward speeds.
pub fn off_the_trajectory(
    world: &dyn Geometry,
    layer: &Layer,
    link: &Link,
    motion: &Motion<'_>,
    sides: &[f64],
) -> Vec<String> {
    let profile = layer.profile();
    let half_a_step = f64::from(profile.gravity) / 120.0;
    let tolerance = f64::from(link.tolerance);
    // The last stretch goes on.
    let mut rows = motion.rows.to_vec();
    if let Some(last) = rows.last_mut() {
        last[0] += LONGER;
    }
    let mut wrong = Vec::new();
    let mut asides = vec![0.0];
    asides.extend(
        sides
            .iter()
            .map(|side| side * tolerance * f64::from(profile.run_speed)),
    );
    let mut follow = |aside: f64, launches: &[[f64; 2]], ways: &[Way], what: &str| {
        let from = layer.platform(link.from_platform).unwrap();
        let mut begin = motion.from + DVec2::new(aside, 0.0);
        if from.kind == PlatformKind::Floor && aside != 0.0 {
            begin.y = height_of(&from, begin.x).unwrap_or(begin.y);
        }
        let motion = Motion {
            from: begin,
            launches,
            rows: &rows,
            ..*motion
        };
        for way in ways {
            if let Err(why) = lands(world, layer, link, &motion, *way) {
                wrong.push(format!("{aside} aside, {what}, {way:?}: {why}"));
            }
        }
    };
    let ways = [
        Way::Curve,
        Way::Steps(TICK),
        Way::Steps(0.6 * TICK),
        Way::Steps(0.2 * TICK),
    ];
    for aside in asides {
        let slower = if aside == 0.0 {
            &[0.0, half_a_step][..]
        } else {
            &[0.0]
        };
        for slower in slower.iter().copied() {
            let launches: Vec<_> = motion
                .launches
                .iter()
                .map(|l| [l[0], l[1] - slower])
                .collect();
            follow(aside, &launches, &ways, &format!("slower by {slower}"));
        }
    }
    for number in 1..motion.launches.len() {
        for by in [-0.5 * TICK, 0.5 * TICK] {
            let launches: Vec<_> = (motion.launches.iter().enumerate())
                .map(|(k, l)| [if k < number { l[0] } else { l[0] + by }, l[1]])
                .collect();
            follow(
                0.0,
                &launches,
                &ways[..1],
                &format!("jump {number} in the air late by {by}"),
            );
        }
    }
    wrong
}

/// Whether a body lands on the platform of its link without hitting anything.
fn lands(
    world: &dyn Geometry,
    layer: &Layer,
    link: &Link,
    motion: &Motion<'_>,
    way: Way,
) -> Result<(), String> {
    let profile = layer.profile();
    let (from, to) = (
        layer.platform(link.from_platform).unwrap(),
        layer.platform(link.to_platform).unwrap(),
    );
    // The ground lifts a body that walks uphill in the step in which it takes off.
    let begin = motion.at(0.0);
    let walked = match way {
        Way::Curve => begin.x,
        Way::Steps(_) => motion.at(TICK).x,
    };
    let ground = height_of(&from, walked).filter(|_| from.kind == PlatformKind::Floor);
    let is_lifted = link.kind == StepKind::Jump && motion.launches[0][0] == 0.0;
    let lift = ground.filter(|_| is_lifted);
    let lift = lift.map_or(0.0, |y| (y - begin.y).min(0.0));
    let at = |t: f64| motion.at(t) + DVec2::new(0.0, lift);
    let duration = f64::from(link.duration) + LONGER;
    // The ground itself is checked by the motion without deviations.
    let (mut time, mut before) = (
        0.0,
        DVec2::new(if lift < 0.0 { walked } else { begin.x }, begin.y + lift),
    );
    if lift < 0.0 && matches!(way, Way::Steps(first) if first < TICK) {
        // It takes off at the begin of a step.
        return Ok(());
    }
    let mut step = match way {
        Way::Curve => TICK / 16.0,
        Way::Steps(first) => first,
    };
    while time < duration {
        let next = time + step;
        let mut after = at(next);
        // A slope that rises to the end of the platform stops the body before that end.
        let (left, right) = (point(to.left()).x, point(to.right()).x);
        let last = after.x.clamp(left, right);
        let rises_to_end = height_of(&to, before.x).is_some()
            && height_of(&to, last).is_some_and(|ground| ground < before.y - EPS);
        let x = if rises_to_end { last } else { after.x };
        if after.y > before.y
            && let Some(ground) = height_of(&to, x)
            && before.y <= height_of(&to, before.x).map_or(ground, |y| y.max(ground)) + EPS
            && after.y >= ground - EPS
        {
            // Uphill, it comes down before the end of the step.
            after.x = x;
            let is_uphill = ground < before.y - EPS;
            let end = match way {
                Way::Steps(_) if is_uphill => DVec2::new(after.x, before.y),
                _ => after,
            };
            let is_above = |p: DVec2| height_of(&to, p.x).is_none_or(|ground| p.y < ground);
            let (mut above, mut below) = (0.0, 1.0);
            for _ in 0..40 {
                let middle = f64::midpoint(above, below);
                if is_uphill && is_above(before.lerp(end, middle)) {
                    above = middle;
                } else {
                    below = middle;
                }
            }
            if is_uphill {
                after = before.lerp(end, above);
            }
            after.y = height_of(&to, after.x).unwrap_or(ground);
            moves(world, profile, motion, way, [before, after])?;
            if !holds(world, profile, to.kind, after) {
                return Err(format!("no support at {after}"));
            }
            return match way {
                Way::Steps(_) => Ok(()),
                // One-way surfaces, in continuous time. The landing itself does not count.
                Way::Curve => hits(world, body_of(profile), motion, time).map_or(Ok(()), Err),
            };
        }
        moves(world, profile, motion, way, [before, after])?;
        (time, before) = (next, after);
        step = match way {
            Way::Curve => step,
            Way::Steps(_) => TICK,
        };
    }
    Err(format!("does not land: {before}"))
}

/// The height of a platform at an x over it.
fn height_of(platform: &Platform<'_>, x: f64) -> Option<f64> {
    let (left, right) = (point(platform.left()).x, point(platform.right()).x);
    let is_over = left - EPS <= x && x <= right + EPS;
    is_over.then(|| point(platform.at(x as f32)).y)
}

/// Whether nothing stops a body within a step.
fn moves(
    world: &dyn Geometry,
    profile: &AgentProfile,
    motion: &Motion<'_>,
    way: Way,
    [from, to]: [DVec2; 2],
) -> Result<(), String> {
    let body = body_of(profile);
    let corner = match way {
        Way::Curve => from,
        Way::Steps(_) => DVec2::new(to.x, from.y),
    };
    for [a, b] in [[from, corner], [corner, to]] {
        let parts = ((b - a).length() / STRIDE).ceil().max(1.0) as u32;
        for part in 1..=parts {
            let p = a.lerp(b, f64::from(part) / f64::from(parts));
            let is_blocked = if profile.ignores_hazards {
                world.solid_at(p, body, EPS)
            } else {
                world.blocked(p, body, EPS)
            };
            if is_blocked {
                return Err(format!("blocked at {p}"));
            }
        }
    }
    if matches!(way, Way::Steps(_)) && to.y > from.y {
        for top in world.heights() {
            let is_own = motion.drops_through && (motion.from.y - top).abs() < EPS;
            if is_own || top < from.y - EPS || top > to.y - EPS {
                continue;
            }
            let mut carried = world.one_way_x(top, body, EPS).into_iter();
            if carried.any(|(left, right)| left < to.x && to.x < right) {
                return Err(format!("carried by a one-way top at {}, {top}", to.x));
            }
        }
    }
    Ok(())
}

/// Least distance from the end of a one-way line at which a motion with a tolerance passes it.
const BESIDE: f64 = 1e-3;

/// Where a motion passes the line of something one-way so near to its end that a body which is
/// a little off is stopped.
pub fn beside_one_way(
    world: &dyn Geometry,
    motion: &Motion<'_>,
    duration: f64,
    to: DVec2,
) -> Vec<String> {
    let body = body_of(motion.profile);
    let mut lines = Vec::new();
    for top in world.heights() {
        // Where the link begins or ends, it is on the line.
        if [motion.from, to]
            .iter()
            .all(|end| (end.y - top).abs() > EPS)
        {
            let tops = unite(world.one_way_x(top, body, 0.0)).into_iter();
            lines.extend(tops.map(|span| (DVec2::Y, top, span)));
        }
    }
    for (way, min, max) in world.one_ways() {
        let (across, along) = (0.5 * body.x, (min.y, max.y + body.y));
        lines.push(match way {
            '>' => (DVec2::NEG_X, -(max.x + across), along),
            '<' => (DVec2::X, min.x - across, along),
            _ => (
                DVec2::NEG_Y,
                -(max.y + body.y),
                (min.x - across, max.x + across),
            ),
        });
    }
    let mut found = Vec::new();
    let parts = (duration * 2000.0).ceil();
    let mut before = motion.at(0.0);
    for part in 1..=parts as u32 {
        let after = motion.at(duration * f64::from(part) / parts);
        for &(against, at, (lo, hi)) in &lines {
            let [from, until] = [before, after].map(|p| against.dot(p) - at);
            if from <= 0.0 && until > 0.0 {
                let p = before.lerp(after, from / (from - until));
                let along = if against.x == 0.0 { p.x } else { p.y };
                if (along - lo).abs().min((along - hi).abs()) < BESIDE {
                    found.push(format!("passes the end of something one-way at {p}"));
                }
            }
        }
        before = after;
    }
    found
}
