//! What a comparison of two bakes contributes to a drawing.

use std::collections::BTreeMap;

use glam::{DVec2, IVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Layer, Link, LinkId, NavMesh, PlatformId};

use super::list::{Mark, Shape, Size};
use super::palette::{ADDED, LOST, REMOVED, TRAP};
use super::scene::{in_cells, line_in_cells, rect};
use crate::report::connections::middle;
use crate::report::diff::{AgentDiff, Alignment, Diff, PlatformRecord, lost_platforms};

/// The changes for one agent. Numbers of removed things are those of the old
/// file, all others those of the new one.
pub struct Changes<'a> {
    pub old: &'a Layer,
    new: &'a Layer,
    diff: &'a AgentDiff,
    alignment: Alignment,
    pub links: BTreeMap<u32, LinkChange>,
}

/// In the order in which they are drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkChange {
    Removed,
    Changed,
    Added,
}

/// Where feet cannot be, in which of the two files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blocked {
    Both,
    OnlyOld,
    OnlyNew,
}

impl<'a> Changes<'a> {
    /// The changes of an agent that both meshes have; `diff` compares the two.
    pub fn of(diff: &'a Diff, agent: &str, old: &'a NavMesh, new: &'a NavMesh) -> Option<Self> {
        let changes = diff.agents.iter().find(|a| a.name == agent)?;
        let mut links = BTreeMap::new();
        links.extend((changes.links.changed.iter()).map(|c| (c.new.id, LinkChange::Changed)));
        links.extend((changes.links.added.iter()).map(|link| (link.id, LinkChange::Added)));
        Some(Self {
            old: old.layer_named(agent)?,
            new: new.layer_named(agent)?,
            diff: changes,
            alignment: Alignment::between(old, new),
            links,
        })
    }

    /// What is added to positions of the old file.
    pub fn shift(&self) -> DVec2 {
        self.alignment.shift
    }

    /// The links that only the old file has, with their numbers.
    pub fn links_removed(&self) -> impl Iterator<Item = (u32, &'a Link)> {
        let removed = self.diff.links.removed.iter();
        removed.filter_map(|link| Some((link.id, self.old.link(LinkId(link.id))?)))
    }

    /// The corners of both grids in cells of the new one.
    pub fn bounds(&self) -> [IVec2; 2] {
        let (old, new) = (self.old.grid(), self.new.grid());
        let corner = in_cells(new, self.alignment.place(old.origin)).as_dvec2();
        let size = DVec2::new(old.columns.into(), old.rows.into());
        let far = corner + size * (f64::from(old.spacing) / f64::from(new.spacing));
        let end = DVec2::new(new.columns.into(), new.rows.into());
        let least = corner.floor().min(DVec2::ZERO);
        [least.as_ivec2(), far.ceil().max(end).as_ivec2()]
    }

    /// Whether the cell of a vertex is blocked.
    pub fn blocked(&self, vertex: Vec2) -> Option<Blocked> {
        let before = (vertex.as_dvec2() - self.alignment.shift).as_vec2();
        match [(self.old, before), (self.new, vertex)].map(is_blocked) {
            // Cells that only one grid covers have not changed.
            [None | Some(true), Some(true)] | [Some(true), None] => Some(Blocked::Both),
            [_, Some(true)] => Some(Blocked::OnlyNew),
            [Some(true), _] => Some(Blocked::OnlyOld),
            _ => None,
        }
    }

    /// Bands along platforms that can no longer be reached or not be left, and
    /// the air that can no longer be reached.
    pub fn reach(&self) -> Vec<Shape> {
        let (grid, reach) = (self.new.grid(), &self.diff.reach);
        let parts = reach.air_lost.iter().flat_map(|cut| &cut.parts);
        let air: Vec<_> = parts
            .map(|part| rect([part.min, part.max].map(|end| in_cells(grid, end.into()))))
            .collect();
        let count = air.len();
        let air = Shape::areas("changes", LOST.faint(0.22), air);
        let mut shapes = vec![air.named("air no longer reachable", count)];
        let traps = reach.traps.iter().flat_map(|trap| &trap.platforms);
        for (ids, colour, name) in [
            (lost_platforms(self.diff), LOST, "no longer reachable"),
            (traps.map(|p| p.id).collect(), TRAP, "in a one-way trap"),
        ] {
            let (mut lines, mut middles) = (Vec::new(), Vec::new());
            for platform in ids
                .iter()
                .filter_map(|id| self.new.platform(PlatformId(*id)))
            {
                lines.push(line_in_cells(grid, platform.surface));
                middles.push(in_cells(grid, middle(&platform).as_dvec2()));
            }
            let (count, width) = (lines.len(), Size::new(1.0, 6.0, 20.0));
            let bands = Shape::lines("changes", colour.faint(0.4), lines, width);
            shapes.push(bands.named(name, count));
            // The cross can be seen without colours.
            if colour == LOST {
                let (paint, arm) = (colour.solid(), Size::new(0.3, 2.0, 6.0));
                shapes.push(Shape::marks("changes", paint, Mark::Cross, middles, arm));
            }
        }
        only_changes(shapes)
    }

    /// The parts of changed platforms that only one file has.
    pub fn floors(&self) -> Vec<Shape> {
        let (slack, grid) = (self.alignment.slack as f32, self.new.grid());
        let mut pieces = [Vec::new(), Vec::new()];
        let mut counts = [0, 0];
        for ids in self.replaced() {
            let old = surfaces(self.old, &ids[0], self.shift());
            let new = surfaces(self.new, &ids[1], DVec2::ZERO);
            for (side, own, other) in [(0, &old, &new), (1, &new, &old)] {
                pieces[side].extend(own.iter().flat_map(|line| alone(line, other, slack)));
                counts[side] += ids[side].len();
            }
        }
        let mut shapes = Vec::new();
        for (side, colour, name) in [(0, REMOVED, "floor before"), (1, ADDED, "floor now")] {
            let lines = pieces[side].iter().map(|piece| line_in_cells(grid, piece));
            let (lines, width) = (lines.collect(), Size::new(0.14, 1.8, 3.4));
            let shape = Shape::lines("changes", colour.solid(), lines, width);
            shapes.push(shape.named(name, counts[side]));
        }
        only_changes(shapes)
    }

    /// The numbers of platforms of the old file, and of those of the new one that replace them.
    fn replaced(&self) -> Vec<[Vec<u32>; 2]> {
        let platforms = &self.diff.platforms;
        let mut replaced = vec![[ids(&platforms.vanished), ids(&platforms.appeared)]];
        for pair in platforms.reshaped.iter().chain(&platforms.moved) {
            replaced.push([vec![pair.old.id], vec![pair.new.id]]);
        }
        for groups in [&platforms.split, &platforms.merged, &platforms.recut] {
            replaced.extend(groups.iter().map(|g| [ids(&g.old), ids(&g.new)]));
        }
        replaced
    }
}

/// Hides shapes while changes are hidden.
fn only_changes(mut shapes: Vec<Shape>) -> Vec<Shape> {
    for shape in &mut shapes {
        shape.plain = None;
    }
    shapes
}

fn ids(platforms: &[PlatformRecord]) -> Vec<u32> {
    platforms.iter().map(|platform| platform.id).collect()
}

/// The surfaces of platforms, moved by `shift`.
fn surfaces(layer: &Layer, ids: &[u32], shift: DVec2) -> Vec<Vec<Vec2>> {
    let platforms = ids.iter().filter_map(|id| layer.platform(PlatformId(*id)));
    let surfaces = platforms.map(|platform| {
        let points = platform.surface.iter();
        points.map(|p| (p.as_dvec2() + shift).as_vec2()).collect()
    });
    surfaces.collect()
}

/// Whether the cell of a vertex is blocked; `None` outside the grid.
fn is_blocked((layer, vertex): (&Layer, Vec2)) -> Option<bool> {
    let grid = layer.grid();
    // The middle of the cell: at its border, rounding would decide.
    let middle = vertex - Vec2::new(0.0, 0.5 * grid.spacing * grid.y_axis.down());
    let Cell { column, row } = grid.cell_at(middle)?;
    Some(layer.parts().blocked.get(column, row))
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
            if !others.iter().any(|other| is_on(middle, other, slack)) {
                pieces.push([a.lerp(b, cut[0]), a.lerp(b, cut[1])]);
            }
        }
    }
    pieces
}

/// Whether a line passes through a point.
fn is_on(point: Vec2, line: &[Vec2], slack: f32) -> bool {
    line.windows(2).any(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let along = b.x - a.x;
        let t = if along > 0.0 {
            (point.x - a.x) / along
        } else {
            0.0
        };
        let is_within = a.x - slack <= point.x && point.x <= b.x + slack;
        is_within && (a.lerp(b, t.clamp(0.0, 1.0)).y - point.y).abs() <= 2.0 * slack
    })
}
