//! Stage 8: the links that are kept.
//!
//! All moves that can be made are found first. They are then taken cheapest
//! first, and one is kept only when the links kept so far, with walking to
//! and from them, do not already offer a route between the same two places at
//! `link_stretch` times its cost: the greedy spanner (I. Althöfer et al., "On
//! sparse spanners of weighted graphs", 1993), per ordered pair of platforms.

use rayon::prelude::*;

use super::arcs::{Checked, Drawer};
use super::{Launch, Move, Place, Portal, Progress, Scratch, World};
use crate::geometry::BodySpace;

/// A link in the bake's own terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connection {
    /// The place it leaves.
    pub from: Place,
    /// The place it lands on.
    pub to: Place,
    /// Whether it has an upward launch.
    pub jump: bool,
    /// Its arc.
    pub checked: Checked,
    /// How forgiving it is, seconds.
    pub tolerance: f32,
}

/// A kept link as thinning sees it.
#[derive(Debug, Clone, Copy)]
struct Kept {
    floor: u32,
    from_x: f64,
    to_x: f64,
    cost: f64,
}

/// Finds the links of every platform, in order of the platform they leave.
pub fn links(
    world: &World<'_>,
    space: &dyn BodySpace,
    stretch: f64,
    progress: &dyn Progress,
) -> Vec<Connection> {
    let drawer = Drawer { world, space };
    (0..world.floors.len())
        .into_par_iter()
        .map_init(Work::default, |work, floor| {
            let links = work.links_from(&drawer, floor, stretch);
            progress.advance(1);
            links
        })
        .flatten_iter()
        .collect()
}

/// Reused from one platform to the next.
#[derive(Default)]
struct Work {
    scratch: Scratch,
    moves: Vec<Move>,
    portals: Vec<Portal>,
    kept: Vec<Kept>,
}

impl Work {
    fn links_from(&mut self, drawer: &Drawer<'_>, floor: usize, stretch: f64) -> Vec<Connection> {
        let world = drawer.world;
        let all = world.places.all();
        self.moves.clear();
        self.kept.clear();
        world.enter(&mut self.scratch, floor);
        for place in world.places.of_floor(floor) {
            world.moves_from(&mut self.scratch, place, &mut self.moves);
        }
        self.moves.sort_unstable_by(|a, b| {
            a.duration
                .total_cmp(&b.duration)
                .then(a.from.cmp(&b.from))
                .then(a.to.floor.cmp(&b.to.floor))
                .then(a.to.x.total_cmp(&b.to.x))
        });
        let mut out = Vec::new();
        for at in 0..self.moves.len() {
            let m = self.moves[at];
            let (p, q) = (&all[m.from as usize], &m.to);
            // The best that any jump could do, and what this one does.
            let least = drawer.direct_duration(p, q);
            let route = self.best_route(q.floor, p.x, q.x, world.limits.run_speed);
            if route <= stretch * least {
                continue;
            }
            let direct = match m.launch {
                Launch::Up(_) if world.limits.jumps() => {
                    drawer.direct_jump(&self.scratch, m.from as usize, q)
                }
                _ => None,
            };
            let shortest = direct.map_or(m.duration, |d| d.arc.duration());
            if route <= stretch * shortest {
                continue;
            }
            let Some(checked) = direct.or_else(|| {
                drawer.draw_or_higher(
                    &mut self.scratch,
                    &mut self.portals,
                    m.from as usize,
                    q,
                    m.launch,
                )
            }) else {
                continue;
            };
            // A higher launch than the move's own may cost more than a route.
            if route <= checked.arc.duration() {
                continue;
            }
            self.kept.push(Kept {
                floor: q.floor,
                from_x: p.x,
                to_x: q.x,
                cost: checked.arc.duration(),
            });
            out.push(Connection {
                from: *p,
                to: *q,
                jump: matches!(m.launch, Launch::Up(_)),
                checked,
                tolerance: drawer.tolerance(&self.scratch, m.from as usize, q, &checked),
            });
        }
        self.drop_beaten(&mut out, world.limits.run_speed);
        out.sort_by(|a, b| {
            let x = a.from.x.total_cmp(&b.from.x);
            x.then(a.to.floor.cmp(&b.to.floor))
                .then(a.to.x.total_cmp(&b.to.x))
        });
        out
    }

    /// Takes away kept links that others, kept later, beat outright: a direct
    /// arc can turn out cheaper than the move it was found by. Routes only
    /// get cheaper by it.
    fn drop_beaten(&mut self, out: &mut Vec<Connection>, speed: f64) {
        let mut order: Vec<usize> = (0..self.kept.len()).collect();
        order.sort_by(|&a, &b| {
            self.kept[b]
                .cost
                .total_cmp(&self.kept[a].cost)
                .then(a.cmp(&b))
        });
        for i in order {
            let Kept {
                floor,
                from_x,
                to_x,
                cost,
            } = self.kept[i];
            // Out of its own way.
            self.kept[i].cost = f64::INFINITY;
            if self.best_route(floor, from_x, to_x, speed) > cost {
                self.kept[i].cost = cost;
            }
        }
        let mut kept = self.kept.iter();
        out.retain(|_| kept.next().is_some_and(|k| k.cost.is_finite()));
    }

    /// The cheapest way over one kept link to `floor`, walking before and
    /// after it.
    fn best_route(&self, floor: u32, from_x: f64, to_x: f64, speed: f64) -> f64 {
        self.kept
            .iter()
            .filter(|k| k.floor == floor)
            .map(|k| k.cost + ((k.from_x - from_x).abs() + (k.to_x - to_x).abs()) / speed)
            .fold(f64::INFINITY, f64::min)
    }
}
