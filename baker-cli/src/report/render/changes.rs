//! What a comparison of two bakes contributes to a drawing.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, IVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Layer, Link, LinkId, NavMesh, PlatformId};

use super::list::{Mark, Shape, Size};
use super::palette::{ADDED, LOST, REMOVED, TRAP};
use super::scene::{in_cells, line_in_cells, rect};
use crate::report::diff::{AgentDiff, Alignment, Diff, PlatformRecord, lost_platforms};

/// The changes for one agent. Numbers of removed things are those of the old
/// file, all others those of the new one.
pub struct Changes<'a> {
    pub old: &'a Layer,
    new: &'a Layer,
    alignment: Alignment,
    pub links: BTreeMap<u32, LinkChange>,
    links_removed: Vec<u32>,
    /// Platforms that can no longer be reached.
    lost: BTreeSet<u32>,
    /// Platforms that can be entered but not left.
    trapped: BTreeSet<u32>,
    /// Corners of parts of the air that can no longer be reached.
    air_lost: Vec<[DVec2; 2]>,
    /// Platforms of the old file, and those of the new one that replace them.
    replaced: Vec<[Vec<u32>; 2]>,
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
    pub fn of(diff: &Diff, agent: &str, old: &'a NavMesh, new: &'a NavMesh) -> Option<Self> {
        let changes = diff.agents.iter().find(|a| a.name == agent)?;
        let AgentDiff {
            reach,
            links,
            platforms,
            ..
        } = changes;
        let changed = links
            .changed
            .iter()
            .map(|c| (c.new.id, LinkChange::Changed));
        let added = links.added.iter().map(|l| (l.id, LinkChange::Added));
        let mut replaced = vec![[ids(&platforms.vanished), ids(&platforms.appeared)]];
        for pair in platforms.reshaped.iter().chain(&platforms.moved) {
            replaced.push([vec![pair.old.id], vec![pair.new.id]]);
        }
        for groups in [&platforms.split, &platforms.merged, &platforms.recut] {
            replaced.extend(groups.iter().map(|g| [ids(&g.old), ids(&g.new)]));
        }
        let parts = reach.air_lost.iter().flat_map(|cut| &cut.parts);
        let traps = reach.traps.iter().flat_map(|trap| &trap.platforms);
        Some(Self {
            old: old.layer_named(agent)?,
            new: new.layer_named(agent)?,
            alignment: Alignment::between(old, new),
            links: changed.chain(added).collect(),
            links_removed: links.removed.iter().map(|link| link.id).collect(),
            lost: lost_platforms(changes),
            trapped: traps.map(|platform| platform.id).collect(),
            air_lost: parts
                .map(|part| [part.min.into(), part.max.into()])
                .collect(),
            replaced,
        })
    }

    /// What is added to positions of the old file.
    pub fn shift(&self) -> DVec2 {
        self.alignment.shift
    }

    /// The links that only the old file has, with their numbers.
    pub fn links_removed(&self) -> impl Iterator<Item = (u32, &'a Link)> {
        let ids = self.links_removed.iter();
        ids.filter_map(|id| Some((*id, self.old.link(LinkId(*id))?)))
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
        let grid = self.new.grid();
        let air = self.air_lost.iter();
        let air: Vec<_> = air
            .map(|ends| rect(ends.map(|end| in_cells(grid, end))))
            .collect();
        let count = air.len();
        let air = Shape::areas("changes", LOST.faint(0.22), air);
        let mut shapes = vec![air.named("air no longer reachable", count)];
        for (platforms, colour, name) in [
            (&self.lost, LOST, "no longer reachable"),
            (&self.trapped, TRAP, "in a one-way trap"),
        ] {
            let platforms = platforms
                .iter()
                .filter_map(|id| self.new.platform(PlatformId(*id)));
            let (lines, middles): (Vec<_>, Vec<Vec2>) = platforms
                .map(|platform| {
                    let (first, last) = platform.extent();
                    let middle = platform.at(f32::midpoint(first, last)).as_dvec2();
                    (
                        line_in_cells(grid, platform.surface),
                        in_cells(grid, middle),
                    )
                })
                .unzip();
            let arm = Size::new(0.3, 2.0, 6.0);
            let (count, width) = (lines.len(), Size::new(1.0, 6.0, 20.0));
            let bands = Shape::lines("changes", colour.faint(0.4), lines, width);
            shapes.push(bands.named(name, count));
            // The cross can be seen without colours.
            if colour == LOST {
                shapes.push(Shape::marks(
                    "changes",
                    colour.solid(),
                    Mark::Cross,
                    middles,
                    arm,
                ));
            }
        }
        only_changes(shapes)
    }

    /// The parts of changed platforms that only one file has.
    pub fn floors(&self) -> Vec<Shape> {
        let (slack, grid) = (self.alignment.slack as f32, self.new.grid());
        let mut pieces = [Vec::new(), Vec::new()];
        for [old, new] in &self.replaced {
            let old = surfaces(self.old, old, self.shift());
            let new = surfaces(self.new, new, DVec2::ZERO);
            pieces[0].extend(old.iter().flat_map(|line| alone(line, &new, slack)));
            pieces[1].extend(new.iter().flat_map(|line| alone(line, &old, slack)));
        }
        let mut shapes = Vec::new();
        for (side, colour, name) in [(0, REMOVED, "floor before"), (1, ADDED, "floor now")] {
            let lines = pieces[side].iter().map(|piece| line_in_cells(grid, piece));
            let (lines, width) = (lines.collect(), Size::new(0.14, 1.8, 3.4));
            let count: usize = self.replaced.iter().map(|group| group[side].len()).sum();
            shapes.push(Shape::lines("changes", colour.solid(), lines, width).named(name, count));
        }
        only_changes(shapes)
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
