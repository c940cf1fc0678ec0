//! A path as text, as JSON and as a line to draw.

use std::fmt;
use std::io::{self, Write};

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, LinkId, LinkKind, PlatformId};
use serde::Serialize;

use super::format::{count, list, number, place_text, point};
use super::links::{curve, portal_arc};

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
            "{outcome}: {:.3} s in {} ({} expanded)",
            self.cost,
            count(self.steps.len() as u64, "step", "steps"),
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
            writeln!(out, "  at {t:.3} s: {},{}", number(*x), number(*y))?;
        }
        Ok(())
    }

    /// The line that the feet follow, with points close enough together to
    /// draw it.
    pub fn polyline(&self, layer: &Layer) -> Vec<Vec2> {
        let grid = layer.grid();
        let mut line = Vec::new();
        for step in &self.steps {
            line.push(step.from);
            match step.shape {
                StepShape::Straight => {}
                StepShape::Floor(id) => {
                    let platform = layer.platform(id);
                    let surface = platform.map_or(&[][..], |platform| platform.surface);
                    let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
                    let inside = surface.iter().filter(|p| low < p.x && p.x < high);
                    let first = line.len();
                    line.extend(inside);
                    if step.to.x < step.from.x {
                        line[first..].reverse();
                    }
                }
                StepShape::Link(id) => match layer.link(id) {
                    Some(link) if link.kind == LinkKind::Portal => {
                        let (lift, down) = (4.0 * grid.spacing, grid.y_axis.down());
                        let ends = [step.from, step.to];
                        line.extend((1..48).map(|i| portal_arc(ends, lift, down, i as f32 / 48.0)));
                    }
                    // A jump over 20 cells has about 50 pieces.
                    Some(link) => {
                        let curve = curve(link, layer, 0.5 * grid.spacing, 64);
                        line.extend(&curve[1..curve.len() - 1]);
                    }
                    None => {}
                },
            }
        }
        line.extend(self.steps.last().map(|step| step.to));
        line
    }
}

impl fmt::Display for RouteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = format!("{} -> {}", place_text(self.from), place_text(self.to));
        write!(f, "{:<6} {ends:<36} {:.3} s", self.kind, self.duration)
    }
}
