//! The first referee: replays every baked link. Shares no code with the
//! baker but the numbers of the arcs.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, LinkKind, NavMesh};

use super::World;

const STEPS: u32 = 600;
// f32 positions and speeds, and a hair for touching.
const EPS: f64 = 1e-3;

pub fn point(p: glam::Vec2) -> DVec2 {
    p.as_dvec2()
}

pub fn body_of(profile: &AgentProfile) -> DVec2 {
    DVec2::new(f64::from(profile.body[0]), f64::from(profile.body[1]))
}

/// Replays every link of a layer (levels with y down) in fine time steps
/// against the tiles, and lists what is wrong.
pub fn replay(world: &dyn World, mesh: &NavMesh, layer: &Layer) -> Vec<String> {
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
                report("a drop with a launch".into());
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
        let motion = Motion {
            from,
            launches: &launches,
            legs: &legs,
            gravity,
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
        // As late as it says it may be, and hurrying after that.
        let late = f64::from(link.tolerance);
        if profile.air_control && late > 0.0 {
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
                .any(|l| l[0] > 0.0 && l[1].abs() > f64::from(profile.run_speed) * 1.000_01)
            {
                report(format!("cannot make up for {late} s: {hurried:?}"));
            }
            let motion = Motion {
                legs: &hurried,
                ..motion
            };
            if let Some(what) = hits(world, body, &motion, duration) {
                report(format!("{late} s late: {what}"));
            }
        }
    }
    wrong
}

/// A motion worked out from its numbers.
struct Motion<'a> {
    from: DVec2,
    launches: &'a [[f64; 2]],
    legs: &'a [[f64; 2]],
    gravity: f64,
}

impl Motion<'_> {
    fn at(&self, t: f64) -> DVec2 {
        let mut x = self.from.x;
        let mut left = t;
        for leg in self.legs {
            x += leg[1] * left.min(leg[0]);
            left = (left - leg[0]).max(0.0);
        }
        let (mut y, mut speed, mut since) = (self.from.y, None, 0.0);
        for launch in self.launches.iter().take_while(|l| l[0] <= t) {
            if let Some(v) = speed {
                let s: f64 = launch[0] - since;
                y -= v * s - 0.5 * self.gravity * s * s;
            }
            speed = Some(launch[1]);
            since = launch[0];
        }
        if let Some(v) = speed {
            let s = t - since;
            y -= v * s - 0.5 * self.gravity * s * s;
        }
        DVec2::new(x, y)
    }
}

/// What a motion bumps into, looked for in fine steps.
fn hits(world: &dyn World, body: DVec2, motion: &Motion<'_>, duration: f64) -> Option<String> {
    let heights = world.heights();
    let mut before = motion.from;
    for step in 0..=STEPS {
        let t = duration * f64::from(step) / f64::from(STEPS);
        let p = motion.at(t);
        if world.blocked(p, body, EPS) {
            return Some(format!("blocked at {p}, {t} s of {duration}"));
        }
        // Falling through a one-way top: it was below the feet and is not.
        let passed = heights
            .iter()
            .filter(|top| before.y < **top - EPS && p.y > **top + EPS);
        for &top in passed {
            if step == STEPS {
                break;
            }
            let (mut lo, mut hi) = (t - duration / f64::from(STEPS), t);
            for _ in 0..50 {
                let middle = 0.5 * (lo + hi);
                if motion.at(middle).y < top {
                    lo = middle;
                } else {
                    hi = middle;
                }
            }
            let x = motion.at(hi).x;
            if world
                .one_way_x(top, body, EPS)
                .iter()
                .any(|&(a, b)| a < x && x < b)
            {
                return Some(format!("sinks through a one-way top at {x}, {top}"));
            }
        }
        before = p;
    }
    None
}
