//! Two bakes in one picture: what was added, what was removed, and what can no
//! longer be reached.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Grid, Layer, Link, NavMesh, PlatformId};

use super::canvas::{Canvas, Colour};
use super::layer::tint_run;
use super::legend::{Legend, Mark};
use super::markers::diamond;
use super::palette::{BACKGROUND, TEXT};
use super::projection::{Projection, highest};
use crate::report::counts::runs;
use crate::report::diff::{
    AgentDiff, Alignment, Diff, PlatformRecord, Replaced, Trap, in_direction_of, lost_platforms,
};
use crate::report::format::grouped;
use crate::report::links::curve;

/// Unchanged.
const SAME: Colour = Colour::hex(0x78_8292);
const SOLID: Colour = Colour::hex(0x23_2830);
// Blue and orange can be distinguished without seeing red and green.
const ADDED: Colour = Colour::hex(0x35_c9ff);
const REMOVED: Colour = Colour::hex(0xff_8a3d);
const CHANGED: Colour = Colour::hex(0xb5_8cff);
const LOST: Colour = Colour::hex(0xff_2f6d);
const TRAP: Colour = Colour::hex(0xff_e14d);

/// Draws the layers of one agent in the coordinates of the new file. `old` and
/// `new` are the meshes that `diff` compares. `None` when only one of them has
/// the agent.
pub fn compare(old: &NavMesh, new: &NavMesh, diff: &Diff, agent: &str) -> Option<image::RgbImage> {
    let changes = diff.agents.iter().find(|a| a.name == agent)?;
    let old = &*in_direction_of(old, new);
    let sides = Sides {
        old: old.layer_named(agent)?,
        new: new.layer_named(agent)?,
        alignment: Alignment::between(old, new),
    };
    let grid = sides.union();
    let above = highest(&grid, sides.new).max(highest(new.grid(), sides.new));
    let view = Projection::new(&grid, above);
    let [width, height] = view.size();
    let legend = legend(diff, changes, width);
    let mut canvas = Canvas::new(width, height + legend.height(), BACKGROUND);
    terrain(&mut canvas, &view, &sides);
    reached(&mut canvas, &view, changes);
    links(&mut canvas, &view, &sides, changes);
    platforms(&mut canvas, &view, &sides, changes);
    for marker in new.markers() {
        if marker.class.eq_ignore_ascii_case("spawn") {
            diamond(&mut canvas, &view, marker.position, TEXT);
        }
    }
    legend.draw(&mut canvas, height);
    Some(canvas.into_image())
}

struct Sides<'a> {
    old: &'a Layer,
    new: &'a Layer,
    alignment: Alignment,
}

impl Sides<'_> {
    /// The new grid, extended by the cells that the old one covers.
    fn union(&self) -> Grid {
        let (old, new) = (self.old.grid(), self.new.grid());
        let down = DVec2::new(1.0, f64::from(new.y_axis.down()));
        let spacing = f64::from(new.spacing);
        let corner = (self.alignment.place(old.origin) - new.origin.as_dvec2()) * down / spacing;
        let cells = |grid: &Grid| DVec2::new(f64::from(grid.columns), f64::from(grid.rows));
        let scale = f64::from(old.spacing) / spacing;
        let least = corner.floor().min(DVec2::ZERO);
        let most = (corner + cells(old) * scale).ceil().max(cells(new));
        let size = most - least;
        Grid {
            origin: (new.origin.as_dvec2() + least * spacing * down).as_vec2(),
            columns: size.x as u32,
            rows: size.y as u32,
            ..*new
        }
    }

    fn old_place(&self, p: Vec2) -> Vec2 {
        self.alignment.place(p).as_vec2()
    }
}

/// Tints the cells where the feet cannot be, in both files or in one.
fn terrain(canvas: &mut Canvas, view: &Projection<'_>, sides: &Sides<'_>) {
    let grid = view.grid;
    for row in 0..grid.rows {
        let colour = |column| ground(sides, grid.position(Cell { column, row }));
        for (run, colour) in runs(grid.columns, colour) {
            if let Some(colour) = colour {
                tint_run(canvas, view, run, row, colour);
            }
        }
    }
}

/// The colour of the cell of a vertex.
fn ground(sides: &Sides<'_>, at: Vec2) -> Option<Colour> {
    let blocked = |layer: &Layer, p: Vec2| {
        // The middle of the cell: at its border, rounding would decide.
        let grid = layer.grid();
        let middle = p - Vec2::new(0.0, 0.5 * grid.spacing * grid.y_axis.down());
        let cell = grid.cell_at(middle);
        cell.map(|cell| layer.parts().blocked.get(cell.column, cell.row))
    };
    let before = (at.as_dvec2() - sides.alignment.shift).as_vec2();
    match (blocked(sides.old, before), blocked(sides.new, at)) {
        // Cells that only one grid covers have not changed.
        (None | Some(true), Some(true)) | (Some(true), None) => Some(SOLID),
        (_, Some(true)) => Some(ADDED.alpha(0.28)),
        (Some(true), _) => Some(REMOVED.alpha(0.28)),
        _ => None,
    }
}

/// Bands over platforms that can no longer be reached, or not be left.
fn reached(canvas: &mut Canvas, view: &Projection<'_>, changes: &AgentDiff) {
    let reach = &changes.reach;
    for place in reach.lost.iter().flat_map(|cut| &cut.platforms) {
        band(canvas, view, place, LOST);
    }
    for place in reach.traps.iter().flat_map(|trap: &Trap| &trap.platforms) {
        band(canvas, view, place, TRAP);
    }
    for part in reach.air_lost.iter().flat_map(|cut| &cut.parts) {
        let [a, b] = [part.min, part.max].map(|p| view.point(DVec2::from(p).as_vec2()));
        canvas.rect(a.min(b), a.max(b), LOST.alpha(0.22));
    }
}

fn band(canvas: &mut Canvas, view: &Projection<'_>, place: &PlatformRecord, colour: Colour) {
    let [left, right] = [place.left, place.right].map(|p| view.point(DVec2::from(p).as_vec2()));
    let high = view.width(1.0, 6.0, 20.0);
    let min = Vec2::new(left.x - 2.0, left.y.min(right.y) - high);
    let max = Vec2::new(right.x + 2.0, left.y.max(right.y));
    canvas.rect(min, max, colour.alpha(0.4));
    // The cross can be seen without colours.
    if colour == LOST {
        let width = view.width(0.1, 1.2, 2.5);
        canvas.cross((min + max) * 0.5, high * 0.3, width, colour);
    }
}

fn links(canvas: &mut Canvas, view: &Projection<'_>, sides: &Sides<'_>, changes: &AgentDiff) {
    let mut draw = |line: &[Vec2], colour: Colour, is_dashed: bool| {
        let (line, width) = (view.line(line), view.width(0.08, 1.0, 1.8));
        if is_dashed {
            canvas.dashes(&line, view.width(0.4, 4.0, 8.0), width, colour);
        } else {
            canvas.stroke(&line, width, colour);
        }
        canvas.arrow_head(&line, view.width(0.32, 2.5, 8.0), colour);
    };
    let line = |layer: &Layer, link: &Link| curve(link, layer, layer.grid().spacing, 12);
    let changed = changes.links.changed.iter().map(|c| (c.new.id, CHANGED));
    let added = changes.links.added.iter().map(|link| (link.id, ADDED));
    let colours: BTreeMap<u32, Colour> = changed.chain(added).collect();
    let faint = SAME.alpha(view.width(0.02, 0.12, 0.3));
    for (id, link) in (0..).zip(sides.new.links()) {
        if !colours.contains_key(&id) {
            draw(&line(sides.new, link), faint, false);
        }
    }
    for record in &changes.links.removed {
        let line = line(sides.old, &sides.old.links()[record.id as usize]).into_iter();
        let line: Vec<Vec2> = line.map(|p| sides.old_place(p)).collect();
        draw(&line, REMOVED, true);
    }
    for (id, colour) in colours {
        let link = &sides.new.links()[id as usize];
        draw(&line(sides.new, link), colour, false);
    }
}

/// Unchanged platforms, and the parts of changed ones that only one file has.
fn platforms(canvas: &mut Canvas, view: &Projection<'_>, sides: &Sides<'_>, changes: &AgentDiff) {
    let width = view.width(0.14, 1.8, 3.4);
    let surfaces = |layer: &Layer, records: &[PlatformRecord], place: &dyn Fn(Vec2) -> Vec2| {
        let platforms = records
            .iter()
            .filter_map(|p| layer.platform(PlatformId(p.id)));
        let lines = platforms.map(|p| p.surface.iter().map(|point| place(*point)).collect());
        lines.collect::<Vec<Vec<Vec2>>>()
    };
    let mut stroke = |line: &[Vec2], colour| canvas.stroke(&view.line(line), width, colour);
    for platform in sides.new.platforms() {
        stroke(platform.surface, SAME);
    }
    let p = &changes.platforms;
    let pairs = p.reshaped.iter().chain(&p.moved);
    let pairs = pairs.map(|pair| (vec![pair.old], vec![pair.new]));
    let groups = [&p.split, &p.merged, &p.recut].into_iter().flatten();
    let groups = groups.map(|g| (g.old.clone(), g.new.clone()));
    let single = [(p.vanished.clone(), p.appeared.clone())];
    let slack = sides.alignment.slack as f32;
    for (old, new) in pairs.chain(groups).chain(single) {
        let old = surfaces(sides.old, &old, &|p| sides.old_place(p));
        let new = surfaces(sides.new, &new, &|p| p);
        for (lines, others, colour) in [(&old, &new, REMOVED), (&new, &old, ADDED)] {
            for piece in lines.iter().flat_map(|line| alone(line, others, slack)) {
                stroke(&piece, colour);
            }
        }
    }
}

/// The pieces of a line that do not lie on any other line.
fn alone(line: &[Vec2], others: &[Vec<Vec2>], slack: f32) -> Vec<[Vec2; 2]> {
    let mut pieces = Vec::new();
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let mut cuts = vec![0.0, 1.0];
        let wide = b.x - a.x;
        if wide > 0.0 {
            let inside = others.iter().flatten().map(|p| (p.x - a.x) / wide);
            cuts.extend(inside.filter(|t| 0.0 < *t && *t < 1.0));
        }
        cuts.sort_by(f32::total_cmp);
        for cut in cuts.windows(2) {
            let middle = a.lerp(b, 0.5 * (cut[0] + cut[1]));
            let is_shared = others.iter().any(|other| {
                other.windows(2).any(|o| {
                    let along = o[1].x - o[0].x;
                    let within = o[0].x - slack <= middle.x && middle.x <= o[1].x + slack;
                    let t = (along > 0.0).then(|| (middle.x - o[0].x) / along);
                    let t = t.unwrap_or(0.0).clamp(0.0, 1.0);
                    within && (o[0].lerp(o[1], t).y - middle.y).abs() <= 2.0 * slack
                })
            });
            if !is_shared {
                pieces.push([a.lerp(b, cut[0]), a.lerp(b, cut[1])]);
            }
        }
    }
    pieces
}

fn legend(diff: &Diff, changes: &AgentDiff, width: u32) -> Legend {
    let title = format!("{}  agent {}: old and new", diff.new.source, changes.name);
    let mut entries = Vec::new();
    let mut add = |mark, colour, name: &str, count: usize| {
        if count > 0 {
            entries.push((mark, colour, format!("{name} {}", grouped(count as u64))));
        }
    };
    let (reach, links, floor) = (&changes.reach, &changes.links, &changes.platforms);
    let lost = lost_platforms(changes).len();
    add(Mark::Dot, LOST, "no longer reachable", lost);
    let parts = reach.air_lost.iter().map(|cut| cut.parts.len()).sum();
    add(Mark::Dot, LOST, "air no longer reachable", parts);
    let traps = reach.traps.iter().map(|t| t.platforms.len()).sum();
    add(Mark::Dot, TRAP, "in a one-way trap", traps);
    add(Mark::Arrow, REMOVED, "links removed", links.removed.len());
    add(Mark::Arrow, ADDED, "links added", links.added.len());
    add(Mark::Arrow, CHANGED, "links changed", links.changed.len());
    let regrouped = |of: fn(&Replaced<Vec<PlatformRecord>>) -> usize| -> usize {
        let groups = [&floor.split, &floor.merged, &floor.recut];
        groups.into_iter().flatten().map(of).sum()
    };
    let both = floor.moved.len() + floor.reshaped.len();
    let gone = floor.vanished.len() + both + regrouped(|g| g.old.len());
    let come = floor.appeared.len() + both + regrouped(|g| g.new.len());
    add(Mark::Line, REMOVED, "floor before", gone);
    add(Mark::Line, ADDED, "floor now", come);
    entries.push((Mark::Line, SAME, "unchanged".to_string()));
    Legend::new(title, entries, width, width)
}
