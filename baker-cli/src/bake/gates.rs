//! Stage 3a: floors with a one-way wall across them, cut in two that are
//! joined one way.

use navmesh_runtime::mesh::{self, PlatformKind};

use super::{Connection, Floor, Layout, Limits, Place};
use crate::geometry::{Band, BodySpace, Interval, OneWayBarrier, merge};
use crate::source::PassDirection;

/// A floor cut at a gate: the parts to its left and right.
struct Cut {
    left: usize,
    right: usize,
    pass: PassDirection,
}

/// Cuts floors at the one-way walls that stand on them. Returns the floors,
/// from left to right, then top to bottom, and the steps through the gates,
/// sorted by the platform they leave.
pub fn gates(
    space: &dyn BodySpace,
    floors: Vec<Floor>,
    layout: &Layout,
    limits: &Limits,
) -> (Vec<Floor>, Vec<Connection>) {
    let mut parts: Vec<Floor> = Vec::with_capacity(floors.len());
    let mut cuts: Vec<Cut> = Vec::new();
    for floor in floors {
        let mut rest = floor;
        for gate in gates_across(space, &rest) {
            let Some((left, right)) = split(&rest, &gate, layout) else {
                continue;
            };
            cuts.push(Cut {
                left: parts.len(),
                right: parts.len() + 1,
                pass: gate.pass,
            });
            parts.push(left);
            rest = right;
        }
        parts.push(rest);
    }
    if cuts.is_empty() {
        return (parts, Vec::new());
    }
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| {
        let (l, r) = (parts[a].left(), parts[b].left());
        l.x.total_cmp(&r.x)
            .then(l.y.total_cmp(&r.y))
            .then(a.cmp(&b))
    });
    let mut number = vec![0_u32; parts.len()];
    for (new, &old) in (0..).zip(&order) {
        number[old] = new;
    }
    let mut steps: Vec<Connection> = cuts
        .iter()
        .filter_map(|cut| {
            let (left, right) = (&parts[cut.left], &parts[cut.right]);
            let before = Place {
                x: left.right().x,
                y: left.right().y,
                floor: number[cut.left],
            };
            let after = Place {
                x: right.left().x,
                y: right.left().y,
                floor: number[cut.right],
            };
            let (from, to) = if cut.pass == PassDirection::Right {
                (before, after)
            } else {
                (after, before)
            };
            Connection::pass(from, to, limits)
        })
        .collect();
    steps.sort_by(|a, b| (a.from.floor.cmp(&b.from.floor)).then(a.to.floor.cmp(&b.to.floor)));
    let mut parts: Vec<Option<Floor>> = parts.into_iter().map(Some).collect();
    let sorted = order.into_iter().filter_map(|i| parts[i].take()).collect();
    (sorted, steps)
}

/// The gates of a level as the runtime needs them, for jumps that are made
/// another way than baked: those in one line that overlap are one. Sorted by
/// where they are, then by way; one unit downwards adds `down` to y.
pub fn world_gates(space: &dyn BodySpace, down: f32) -> Vec<mesh::OneWayBarrier> {
    let everywhere = Interval::new(f64::NEG_INFINITY, f64::INFINITY);
    let band = Band::new(f64::NEG_INFINITY, f64::INFINITY);
    let mut all = Vec::new();
    space.gates(everywhere, band, &mut |gate| {
        let pass = match gate.pass {
            PassDirection::Down => mesh::Direction::Down,
            PassDirection::Left => mesh::Direction::Left,
            PassDirection::Right => mesh::Direction::Right,
            // Feet rest on those; they are platforms.
            PassDirection::Up => return,
        };
        all.push((pass, gate));
    });
    let line = |&(pass, gate): &(mesh::Direction, OneWayBarrier)| (gate.at, pass);
    all.sort_by(|a, b| {
        let ((at, pass), (other_at, other_pass)) = (line(a), line(b));
        (at.total_cmp(&other_at))
            .then(pass.cmp(&other_pass))
            .then(a.1.span.lo.total_cmp(&b.1.span.lo))
    });
    let in_line = all.chunk_by(|a, b| line(a) == line(b));
    in_line
        .flat_map(|gates| {
            let mut spans: Vec<_> = gates.iter().map(|(_, gate)| gate.span).collect();
            merge(&mut spans);
            let first = gates.first().copied();
            spans
                .into_iter()
                .filter_map(move |span| Some((first?, span)))
        })
        .map(|((pass, gate), span)| {
            let (low, high) = (span.lo as f32, span.hi as f32);
            let at = gate.at as f32;
            if gate.is_upright() {
                let (low, high) = (low * down, high * down);
                mesh::OneWayBarrier {
                    pass,
                    at,
                    low: low.min(high),
                    high: low.max(high),
                }
            } else {
                mesh::OneWayBarrier {
                    pass,
                    at: at * down,
                    low,
                    high,
                }
            }
        })
        .collect()
}

/// The one-way walls that a walk along a floor meets, from left to right.
fn gates_across(space: &dyn BodySpace, floor: &Floor) -> Vec<OneWayBarrier> {
    let heights = floor.surface.iter().map(|p| p.y);
    let (top, bottom) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| {
        (a.min(y), b.max(y))
    });
    let x = Interval::new(floor.left().x, floor.right().x);
    let mut all = Vec::new();
    space.gates(x, Band::new(top, bottom), &mut |gate| {
        let y = floor.height_at(gate.at);
        // Feet on top of it, or a head just below it, only touch it.
        let across = gate.span.lo < y - space.skin() && y < gate.span.hi - space.skin();
        if gate.is_upright() && across && floor.kind == PlatformKind::Floor {
            all.push(gate);
        }
    });
    all.sort_by(|a, b| a.at.total_cmp(&b.at));
    all.dedup_by(|a, b| a.at == b.at && a.pass == b.pass);
    all
}

/// The parts of a floor before and after a gate; the point of the gate itself
/// belongs to the side from which the gate is closed. `None` when one of them
/// would be nothing.
fn split(floor: &Floor, gate: &OneWayBarrier, layout: &Layout) -> Option<(Floor, Floor)> {
    let (before, after) = match gate.pass {
        PassDirection::Right => (layout.ceil(gate.at) - layout.quantum, layout.ceil(gate.at)),
        _ => (
            layout.floor(gate.at),
            layout.floor(gate.at) + layout.quantum,
        ),
    };
    if before < floor.left().x || after > floor.right().x {
        return None;
    }
    let point =
        |x: f64| glam::DVec2::new(x, layout.floor(floor.height_at(x) + layout.quantum * 1e-3));
    let mut left = floor.clone();
    left.surface.retain(|p| p.x < before);
    left.surface.push(point(before));
    left.edge_right = None;
    let mut right = floor.clone();
    right.surface.retain(|p| p.x > after);
    right.surface.insert(0, point(after));
    right.edge_left = None;
    Some((left, right))
}
