//! What can be seen through the portals of the air.

use glam::DVec2;

use super::air::{Air, NONE};
use super::grid::Grid;

/// The part of a portal through which straight lines lead from a point behind it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gate {
    pub portal: u32,
    /// Whether the lines lead down.
    pub is_down: bool,
    /// Left and right end.
    pub x: [f64; 2],
    /// Whether they are those of the portal.
    pub is_end: [bool; 2],
}

/// What lies beyond a gate.
#[derive(Debug, Clone, Copy)]
pub struct View {
    pub cell: u32,
    /// Whether the point from which the lines lead is at the height of the gate. Then it
    /// sees all of the cell.
    pub is_level: bool,
    /// What can be seen of the far side of the cell; empty if the left end is greater.
    pub seen: [f64; 2],
    /// The ends of the gate, as they appear on the line of the far side.
    pub cast: [f64; 2],
}

impl Gate {
    /// On which side of the gate an x is: 0 if the gate is to its left, 1 if it is to its
    /// right.
    fn side_of(&self, x: f64, rounding: f64) -> Option<usize> {
        if self.x[1] < x - rounding {
            Some(0)
        } else if self.x[0] > x + rounding {
            Some(1)
        } else {
            None
        }
    }
}

impl Air {
    /// Distance below which two coordinates count as equal: above the rounding of `f64`.
    pub fn rounding(grid: &Grid) -> f64 {
        f64::from(grid.spacing) * 1e-7
    }

    /// All of a portal, as a gate that leads out of a cell.
    pub fn gate(&self, portal: u32, is_down: bool) -> Gate {
        Gate {
            portal,
            is_down,
            x: self.portals[portal as usize].x.map(f64::from),
            is_end: [true; 2],
        }
    }

    /// All gates that lead out of a cell.
    pub fn gates(&self, cell: u32) -> impl Iterator<Item = Gate> {
        [false, true].into_iter().flat_map(move |is_down| {
            let portals = self.portals_of(cell, is_down).iter();
            portals.map(move |&portal| self.gate(portal, is_down))
        })
    }

    /// The height of a gate.
    #[inline]
    pub fn height(&self, gate: &Gate) -> f64 {
        self.portals[gate.portal as usize].y.into()
    }

    /// The corner at an end of a gate, or [`NONE`].
    #[inline]
    pub fn corner(&self, gate: &Gate, end: usize) -> u32 {
        if gate.is_end[end] {
            self.portals[gate.portal as usize].corners[end]
        } else {
            NONE
        }
    }

    /// The cell beyond a gate.
    #[inline]
    pub fn cell_beyond(&self, gate: &Gate) -> u32 {
        self.portals[gate.portal as usize].cells[usize::from(gate.is_down)]
    }

    /// What a point sees through a gate.
    #[inline]
    pub fn view(&self, from: DVec2, gate: &Gate, rounding: f64) -> View {
        let portal = &self.portals[gate.portal as usize];
        let id = portal.cells[usize::from(gate.is_down)];
        let cell = &self.cells[id as usize];
        let (far_y, far) = if gate.is_down {
            (cell.bottom, cell.lower)
        } else {
            (cell.top, cell.upper)
        };
        let far = far.map(f64::from);
        let depth = f64::from(portal.y) - from.y;
        if depth.abs() <= rounding {
            return View {
                cell: id,
                is_level: true,
                seen: far,
                cast: far,
            };
        }
        let scale = (f64::from(far_y) - from.y) / depth;
        let cast = gate.x.map(|x| from.x + (x - from.x) * scale);
        let seen = [cast[0].max(far[0]), cast[1].min(far[1])];
        View {
            cell: id,
            is_level: false,
            seen,
            cast,
        }
    }

    /// Where the straight line between two points crosses the height of a gate.
    #[inline]
    pub fn crossing(&self, from: DVec2, gate: &Gate, to: DVec2, rounding: f64) -> f64 {
        let depth = self.height(gate) - from.y;
        if depth.abs() <= rounding || to.y == from.y {
            return from.x;
        }
        from.x + (to.x - from.x) * (depth / (to.y - from.y))
    }

    /// The part of a portal at the far side of a view that can be seen.
    #[inline]
    pub fn seen_gate(
        &self,
        view: &View,
        portal: u32,
        is_down: bool,
        rounding: f64,
    ) -> Option<Gate> {
        let whole = self.portals[portal as usize].x.map(f64::from);
        let x = [view.seen[0].max(whole[0]), view.seen[1].min(whole[1])];
        (x[0] <= x[1] + rounding).then(|| Gate {
            portal,
            is_down,
            x: [x[0].min(x[1]), x[1]],
            is_end: [
                view.seen[0] <= whole[0] + rounding,
                view.seen[1] >= whole[1] - rounding,
            ],
        })
    }

    /// Calls `see` with the corners that are visible from a point in a cell, and at which
    /// a shortest path from there can turn; some more than once. Returns whether a goal,
    /// given with its cell, is visible, and through how many gates it looked.
    pub fn look_around(
        &self,
        from: DVec2,
        cell: u32,
        goal: Option<(u32, DVec2)>,
        rounding: f64,
        stack: &mut Vec<Gate>,
        mut see: impl FnMut(u32),
    ) -> (bool, usize) {
        let mut gates = 0;
        let mut sees_goal = goal.is_some_and(|(at, _)| at == cell);
        stack.clear();
        stack.extend(self.gates(cell));
        while let Some(gate) = stack.pop() {
            gates += 1;
            let view = self.view(from, &gate, rounding);
            sees_goal |= goal.is_some_and(|(cell, at)| {
                cell == view.cell && self.shows(from, &gate, at, rounding)
            });
            let side = gate.side_of(from.x, rounding);
            for end in [0, 1] {
                let corner = self.corner(&gate, end);
                // Along a level line, the way past a portal turns at its near end.
                let turns = if view.is_level {
                    side == Some(1 - end) || (gate.x[end] - from.x).abs() <= rounding
                } else {
                    self.has_shadow(&gate, &view, end, rounding)
                };
                if turns && corner != NONE {
                    see(corner);
                }
            }
            if view.is_level && side.is_some() {
                continue;
            }
            let far = self.portals_of(view.cell, gate.is_down).iter();
            stack.extend(
                far.filter_map(|&portal| self.seen_gate(&view, portal, gate.is_down, rounding)),
            );
            if view.is_level {
                let beside = self.portals_of(view.cell, !gate.is_down).iter();
                let beside = beside.map(|&portal| self.gate(portal, !gate.is_down));
                stack.extend(beside.filter(|gate| gate.side_of(from.x, rounding).is_some()));
            }
        }
        (sees_goal, gates)
    }

    /// Whether the straight line from a point behind a gate to one in the cell beyond leads
    /// through the gate, or along its height.
    #[inline]
    pub fn shows(&self, from: DVec2, gate: &Gate, to: DVec2, rounding: f64) -> bool {
        let y = self.height(gate);
        let x = self.crossing(from, gate, to, rounding);
        let is_along = (from.y - y).abs() <= rounding && (to.y - y).abs() <= rounding;
        is_along || (gate.x[0] - rounding <= x && x <= gate.x[1] + rounding)
    }

    /// Whether a part of the cell beyond a gate is behind the corner at one of its ends.
    #[inline]
    pub fn has_shadow(&self, gate: &Gate, view: &View, end: usize, rounding: f64) -> bool {
        let cell = &self.cells[view.cell as usize];
        let (near, far) = if gate.is_down {
            (cell.upper, cell.lower)
        } else {
            (cell.lower, cell.upper)
        };
        let outwards = if end == 0 { -1.0 } else { 1.0 };
        let beyond = |x: f32, at: f64| (f64::from(x) - at) * outwards > rounding;
        beyond(near[end], gate.x[end]) || beyond(far[end], view.cast[end])
    }
}
