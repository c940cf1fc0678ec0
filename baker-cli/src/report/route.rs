//! A path as text, as JSON and as a line to draw.

use std::io::{self, Write};

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, StepKind};
use navmesh_runtime::search::Step;
use schemars::JsonSchema;
use serde::Serialize;

use super::format::{count, label, number, place_text, point, with_reason, write_json};
use super::links::curve;

/// A path, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Why there is no path, in words; empty when there is one.
    pub reason: String,
    /// Seconds the path takes.
    pub cost: f64,
    /// How many nodes the search expanded.
    pub expanded: u64,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// `path --json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PathJson<'a> {
    #[schemars(extend("enum" = ["found", "partial", "no_path", "budget_exhausted"]))]
    outcome: &'static str,
    /// Why there is no path.
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
    /// Seconds.
    cost: f64,
    expanded: u64,
    steps: Vec<PathStep>,
    /// Time, x, y; with --sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<&'a [Sample]>,
}

#[derive(Serialize, JsonSchema)]
struct PathStep {
    /// jump, drop, and kinds that may be added.
    #[schemars(regex(pattern = "^[a-z_]+$"))]
    kind: &'static str,
    from: [f64; 2],
    to: [f64; 2],
    /// Seconds.
    duration: f64,
}

/// A position at a time: `[t, x, y]`, seconds and world units.
pub type Sample = [f64; 3];

impl Route {
    /// Whether the goal is reached.
    pub fn is_found(&self) -> bool {
        self.reason.is_empty()
    }

    /// The outcome in `path --json`.
    fn outcome(&self) -> &'static str {
        if self.is_found() { "found" } else { "no_path" }
    }

    /// The outcome as text, with the reason when there is no path.
    pub fn describe(&self) -> String {
        with_reason(&label(self.outcome()), &self.reason)
    }

    /// The outcome, the cost and the size of the search in one line.
    pub fn headline(&self) -> String {
        let outcome = self.describe();
        if !self.is_found() {
            return outcome;
        }
        format!(
            "{outcome}: {:.3} s in {} ({} expanded)",
            self.cost,
            count(self.steps.len() as u64, "step", "steps"),
            count(self.expanded, "node", "nodes")
        )
    }

    /// Writes JSON, with the samples if there are any.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, samples: Option<&[Sample]>, out: &mut dyn Write) -> io::Result<()> {
        let steps = self.steps.iter().map(|step| PathStep {
            kind: step.kind.name(),
            from: point(step.from),
            to: point(step.to),
            duration: step.duration.into(),
        });
        let json = PathJson {
            outcome: self.outcome(),
            reason: &self.reason,
            cost: self.cost,
            expanded: self.expanded,
            steps: steps.collect(),
            samples,
        };
        write_json(&json, 2, out)
    }

    /// Writes text, with the samples if there are any.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, samples: Option<&[Sample]>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.headline())?;
        for step in &self.steps {
            writeln!(out, "  {}", step_line(step))?;
        }
        for [t, x, y] in samples.unwrap_or_default() {
            writeln!(out, "  at {t:.3} s: {},{}", number(*x), number(*y))?;
        }
        Ok(())
    }

    /// The line that the feet follow, with points close enough together to
    /// draw it.
    pub fn polyline(&self, layer: &Layer) -> Vec<Vec2> {
        let mut line = Vec::new();
        for step in &self.steps {
            line.push(step.from);
            let link = step.link.and_then(|id| layer.link(id));
            let surface = step.platform.and_then(|id| layer.platform(id));
            match (link, surface) {
                // A jump over 20 cells has about 50 pieces.
                (Some(link), _) => {
                    let curve = curve(link, layer, 0.5 * layer.grid().spacing, 64);
                    line.extend(&curve[1..curve.len() - 1]);
                }
                (None, Some(platform)) if step.kind == StepKind::Floor => {
                    let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
                    let first = line.len();
                    let surface = platform.surface.iter();
                    line.extend(surface.filter(|p| low < p.x && p.x < high));
                    if step.to.x < step.from.x {
                        line[first..].reverse();
                    }
                }
                // All other motion is straight.
                _ => {}
            }
        }
        line.extend(self.steps.last().map(|step| step.to));
        line
    }
}

/// A step in one line.
pub fn step_line(step: &Step) -> String {
    let ends = format!("{} -> {}", place_text(step.from), place_text(step.to));
    format!("{:<6} {ends:<36} {:.3} s", step.kind.name(), step.duration)
}
