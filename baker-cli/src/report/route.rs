//! A path as text, as JSON and as a line to draw.

use std::fmt;
use std::io::{self, Write};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Grid, Layer, LinkId, LinkKind, Platform, PlatformId, Trajectory};
use serde::Serialize;

use super::format::{list, point};
use super::links::trajectory_of;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteOutcome {
    /// The steps lead to the goal.
    Found,
    /// The steps lead as near to the goal as possible.
    Partial,
    /// There is no path.
    NoPath,
    /// The search stopped at its budget.
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

/// What the feet follow from one end of a step to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepShape {
    /// The surface of a platform.
    Floor(PlatformId),
    /// A straight line.
    Straight,
    /// The trajectory of a link.
    Link(LinkId),
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteStep {
    /// The name of its kind in `path --json`.
    pub kind: &'static str,
    /// Feet at its start, world units.
    pub from: Vec2,
    /// Feet at its end, world units.
    pub to: Vec2,
    /// Seconds it takes.
    pub duration: f64,
    /// What the feet follow.
    pub shape: StepShape,
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

/// A position at a time: `[t, x, y]`, seconds and world units.
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

    /// The outcome as text, with the reason when there is no path.
    pub fn describe(&self) -> String {
        let name = self.outcome.name();
        if self.reason.is_empty() {
            name.to_string()
        } else {
            format!("{name}: {}", self.reason)
        }
    }

    /// The outcome, the cost and the size of the search in one line.
    pub fn headline(&self) -> String {
        let outcome = self.describe();
        if self.steps.is_empty() && !self.is_found() {
            return outcome;
        }
        format!(
            "{outcome}: {:.3} s in {} steps ({} expanded)",
            self.cost,
            self.steps.len(),
            self.expanded
        )
    }

    /// Writes JSON, with the samples if there are any.
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

    /// Writes text, with the samples if there are any.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, samples: Option<&[Sample]>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.headline())?;
        for step in &self.steps {
            writeln!(out, "  {step}")?;
        }
        for [t, x, y] in samples.unwrap_or_default() {
            writeln!(out, "  at {t:.4} s: {x:.3},{y:.3}")?;
        }
        Ok(())
    }

    /// The line that the feet follow, with points close enough together to
    /// draw it.
    pub fn polyline(&self, layer: &Layer) -> Vec<Vec2> {
        // A jump over 20 cells then has pieces of less than half a cell.
        const PIECES: u32 = 48;
        let grid = layer.grid();
        let mut line = Vec::new();
        for step in &self.steps {
            let motion = Motion::new(step, layer);
            let pieces = match motion.path {
                MotionPath::Straight => 1,
                MotionPath::Surface(_) | MotionPath::Trajectory(..) | MotionPath::Portal => PIECES,
            };
            for i in 0..pieces {
                if let MotionPath::Portal = motion.path {
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

impl fmt::Display for RouteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from, self.to);
        let ends = format!("{},{} -> {},{}", from.x, from.y, to.x, to.y);
        write!(f, "{:<6} {ends:<36} {:.3} s", self.kind, self.duration)
    }
}

/// A point of the curve that represents a portal, at a share of its length. The
/// curve bends upwards, to differ from a walk.
fn portal_curve(step: &RouteStep, grid: &Grid, part: f32) -> Vec2 {
    let lift = (0.15 * (step.to.x - step.from.x).abs()).min(4.0 * grid.spacing);
    let up = lift * 4.0 * part * (1.0 - part);
    step.from.lerp(step.to, part) - Vec2::new(0.0, up * grid.y_axis.down())
}

/// The position of the feet at any time of a step.
struct Motion<'a> {
    from: DVec2,
    to: DVec2,
    duration: f64,
    path: MotionPath<'a>,
}

enum MotionPath<'a> {
    Straight,
    Surface(Platform<'a>),
    /// A trajectory, and what one unit upwards adds to y.
    Trajectory(Trajectory, f64),
    /// The feet stay at the start until the time is over.
    Portal,
}

impl<'a> Motion<'a> {
    fn new(step: &RouteStep, layer: &'a Layer) -> Self {
        let path = match step.shape {
            StepShape::Straight => None,
            StepShape::Floor(id) => layer.platform(id).map(MotionPath::Surface),
            StepShape::Link(id) => layer.link(id).and_then(|link| {
                if link.kind == LinkKind::Portal {
                    return Some(MotionPath::Portal);
                }
                let up = -f64::from(layer.grid().y_axis.down());
                let trajectory = trajectory_of(link, layer)?;
                Some(MotionPath::Trajectory(trajectory, up))
            }),
        };
        Self {
            from: step.from.as_dvec2(),
            to: step.to.as_dvec2(),
            duration: step.duration,
            path: path.unwrap_or(MotionPath::Straight),
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
            MotionPath::Straight => straight,
            MotionPath::Portal if part < 1.0 => self.from,
            MotionPath::Portal => self.to,
            MotionPath::Surface(platform) => {
                let y = platform.clamp(straight.x as f32).y;
                DVec2::new(straight.x, f64::from(y))
            }
            MotionPath::Trajectory(trajectory, up) => {
                self.from + trajectory.offset(t) * DVec2::new(1.0, *up)
            }
        }
    }
}
