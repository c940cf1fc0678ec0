//! One path, as people and programs read it.

use std::io::{self, Write};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Grid, Layer, LinkId, LinkKind, Platform, PlatformId, Trajectory};
use serde::Serialize;

use super::facts::arc_of;
use super::json::{list, point};

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteOutcome {
    /// The steps lead to the goal.
    Found,
    /// The steps lead as near to the goal as one can get.
    Partial,
    /// There is no path.
    NoPath,
    /// The search was cut short.
    BudgetExhausted,
}

impl RouteOutcome {
    const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Partial => "partial",
            Self::NoPath => "no path",
            Self::BudgetExhausted => "budget exhausted",
        }
    }
}

/// What carries an agent from one end of a step to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The surface of a platform.
    Floor(PlatformId),
    /// A straight line through the air.
    Air,
    /// The arc of a link.
    Link(LinkId),
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteStep {
    /// The kind as `path --json` spells it: floor, fly, jump, drop, …
    pub kind: &'static str,
    /// Feet at its start, world units.
    pub from: Vec2,
    /// Feet at its end, world units.
    pub to: Vec2,
    /// Seconds it takes.
    pub duration: f64,
    /// What carries the agent.
    pub way: Way,
}

/// A path, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// How the search ended.
    pub outcome: RouteOutcome,
    /// Why there is no path, in words; empty when there is one.
    pub reason: String,
    /// Seconds the path takes.
    pub cost: f64,
    /// How many nodes the search expanded.
    pub expanded: u64,
    /// The steps, in order.
    pub steps: Vec<RouteStep>,
}

/// A moment of a motion: `[t, x, y]`, seconds and world units.
pub type Sample = [f64; 3];

#[derive(Serialize)]
struct StepJson {
    kind: &'static str,
    from: [f64; 2],
    to: [f64; 2],
    duration: f64,
}

impl Route {
    /// Whether the goal is reached.
    pub fn is_found(&self) -> bool {
        self.outcome == RouteOutcome::Found
    }

    /// The outcome in words.
    pub fn describe(&self) -> String {
        let name = self.outcome.name();
        if self.reason.is_empty() {
            name.to_string()
        } else {
            format!("{name}: {}", self.reason)
        }
    }

    /// Writes it for programs; samples too when there are any.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, samples: Option<&[Sample]>, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"outcome\": ")?;
        serde_json::to_writer(&mut *out, &self.outcome)?;
        if !self.reason.is_empty() {
            write!(out, ", \"reason\": ")?;
            serde_json::to_writer(&mut *out, &self.reason)?;
        }
        write!(out, ", \"cost\": ")?;
        serde_json::to_writer(&mut *out, &self.cost)?;
        write!(out, ", \"expanded\": {},\n \"steps\": ", self.expanded)?;
        let steps = self.steps.iter().map(|step| StepJson {
            kind: step.kind,
            from: point(step.from),
            to: point(step.to),
            duration: step.duration,
        });
        list(out, 2, steps)?;
        if let Some(samples) = samples {
            write!(out, ",\n \"samples\": ")?;
            list(out, 2, samples)?;
        }
        writeln!(out, "}}")
    }

    /// Writes it for people; samples too when there are any.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, samples: Option<&[Sample]>, out: &mut dyn Write) -> io::Result<()> {
        if self.steps.is_empty() && !self.is_found() {
            writeln!(out, "{}", self.describe())?;
        } else {
            writeln!(
                out,
                "{}: {:.3} s in {} steps ({} expanded)",
                self.describe(),
                self.cost,
                self.steps.len(),
                self.expanded
            )?;
        }
        for step in &self.steps {
            let ends = format!(
                "{},{} -> {},{}",
                step.from.x, step.from.y, step.to.x, step.to.y
            );
            writeln!(out, "  {:<6} {ends:<36} {:.3} s", step.kind, step.duration)?;
        }
        for [t, x, y] in samples.unwrap_or_default() {
            writeln!(out, "  at {t:.4} s: {x:.3},{y:.3}")?;
        }
        Ok(())
    }

    /// The line the feet follow, close enough together to draw.
    pub fn polyline(&self, layer: &Layer, grid: &Grid) -> Vec<Vec2> {
        const PIECES: u32 = 48;
        let mut line = Vec::new();
        for step in &self.steps {
            let motion = Motion::new(step, layer, grid);
            let pieces = match motion.path {
                Path::Straight => 1,
                Path::Surface(_) | Path::Trajectory(..) | Path::Portal => PIECES,
            };
            for i in 0..pieces {
                if let Path::Portal = motion.path {
                    line.push(portal_curve(step, grid, i as f32 / pieces as f32));
                    continue;
                }
                let t = step.duration * f64::from(i) / f64::from(pieces);
                line.push(motion.at(t).as_vec2());
            }
        }
        line.extend(self.steps.last().map(|step| step.to));
        line
    }
}

/// A point of the curve that stands for a way through a portal: it bows
/// upwards, as nobody walks there. It is part of the way along it.
fn portal_curve(step: &RouteStep, grid: &Grid, part: f32) -> Vec2 {
    let lift = (0.15 * (step.to.x - step.from.x).abs()).min(4.0 * grid.spacing);
    let up = lift * 4.0 * part * (1.0 - part);
    step.from.lerp(step.to, part) - Vec2::new(0.0, up * grid.y_axis.down())
}

/// Where the feet are at any time of a step.
struct Motion<'a> {
    from: DVec2,
    to: DVec2,
    duration: f64,
    path: Path<'a>,
}

enum Path<'a> {
    Straight,
    Surface(Platform<'a>),
    /// With what one unit upwards adds to y.
    Trajectory(Trajectory, f64),
    /// Waits at its start, and is at its end when the time is over.
    Portal,
}

impl<'a> Motion<'a> {
    fn new(step: &RouteStep, layer: &'a Layer, grid: &Grid) -> Self {
        let arc = |id| arc_of(layer.link(id)?, layer, grid);
        let path = match step.way {
            Way::Air => None,
            Way::Floor(id) => layer.platform(id).map(Path::Surface),
            Way::Link(id) if layer.link(id).is_some_and(|l| l.kind == LinkKind::Portal) => {
                Some(Path::Portal)
            }
            Way::Link(id) => {
                arc(id).map(|arc| Path::Trajectory(arc, -f64::from(grid.y_axis.down())))
            }
        };
        Self {
            from: step.from.as_dvec2(),
            to: step.to.as_dvec2(),
            duration: step.duration,
            path: path.unwrap_or(Path::Straight),
        }
    }

    fn at(&self, t: f64) -> DVec2 {
        let part = if self.duration > 0.0 {
            (t / self.duration).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let straight = self.from.lerp(self.to, part);
        match &self.path {
            Path::Straight => straight,
            Path::Portal if part < 1.0 => self.from,
            Path::Portal => self.to,
            Path::Surface(platform) => {
                let y = platform.clamp(straight.x as f32).y;
                DVec2::new(straight.x, f64::from(y))
            }
            Path::Trajectory(arc, up) => self.from + arc.offset(t) * DVec2::new(1.0, *up),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    /// Along the floor, over the gap, up the slope.
    fn route() -> Route {
        let mesh = sample::mesh();
        let link = mesh.layers()[0].links()[1];
        let floor = |platform, from: [f32; 2], to: [f32; 2]| RouteStep {
            kind: "floor",
            from: from.into(),
            to: to.into(),
            duration: f64::from((to[0] - from[0]).abs() / 90.0),
            way: Way::Floor(PlatformId(platform)),
        };
        let steps = vec![
            floor(0, [81.0, 96.0], [126.0, 96.0]),
            RouteStep {
                kind: "jump",
                from: link.from,
                to: link.to,
                duration: link.duration.into(),
                way: Way::Link(LinkId(1)),
            },
            floor(2, [154.0, 96.0], [204.0, 94.0]),
        ];
        Route {
            outcome: RouteOutcome::Found,
            reason: String::new(),
            cost: steps.iter().map(|s| s.duration).sum(),
            expanded: 3,
            steps,
        }
    }

    #[test]
    fn the_line_to_draw_touches_every_step() {
        let mesh = sample::mesh();
        let route = route();
        let line = route.polyline(&mesh.layers()[0], mesh.grid());
        for step in &route.steps {
            assert!(line.iter().any(|p| (*p - step.from).length() < 1e-3));
        }
        // The kink of the slope is followed, not cut.
        assert!(
            line.iter()
                .any(|p| (p.x - 199.0).abs() < 1.1 && p.y == 96.0)
        );
    }

    #[test]
    fn a_path_as_people_and_programs_read_it() {
        let written = |route: &Route, samples: Option<&[Sample]>| {
            let (mut text, mut json) = (Vec::new(), Vec::new());
            route.text(samples, &mut text).unwrap();
            route.json(samples, &mut json).unwrap();
            let text = String::from_utf8(text).unwrap();
            let json = String::from_utf8(json).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            format!("{text}\n{json}")
        };
        insta::assert_snapshot!(written(&route(), Some(&[[0.0, 81.0, 96.0]])));
        let none = Route {
            outcome: RouteOutcome::NoPath,
            reason: "the goal cannot be reached".into(),
            cost: 0.0,
            expanded: 0,
            steps: Vec::new(),
        };
        insta::assert_snapshot!(written(&none, None));
    }
}
