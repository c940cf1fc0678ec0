//! Stage 8: the links that are kept.
//!
//! All moves that can be made are found first. They are then taken cheapest
//! first, and one is kept only when the links kept so far, with walking to
//! and from them, do not already offer a route between the same two places at
//! `link_stretch` times its cost: the greedy spanner (I. Althöfer et al., "On
//! sparse spanners of weighted graphs", 1993), per ordered pair of platforms.
//! A way of letting go or of dropping through may also be replaced by one that
//! takes as much longer as walking or climbing twice the body's width does.

use navmesh_runtime::mesh::{LinkKind, TrajectoryParams};
use rayon::prelude::*;

use super::arcs::ArcSolver;
use super::{FunnelGate, Launch, Leave, Limits, Move, Place, Progress, Scratch, World};
use crate::geometry::BodySpace;

/// A link in the bake's own terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connection {
    /// The place it leaves.
    pub from: Place,
    /// The place it lands on.
    pub to: Place,
    /// What kind of motion it is.
    pub kind: LinkKind,
    /// Its motion.
    pub program: TrajectoryParams,
    /// Seconds it takes.
    pub duration: f64,
    /// How forgiving it is, seconds.
    pub tolerance: f32,
}

impl Connection {
    /// Walking on from one floor to another without a way back. `None` when
    /// it takes no time that a program can hold.
    pub fn pass(from: Place, to: Place, limits: &Limits) -> Option<Self> {
        // Walking takes its time across, as along a floor.
        let seconds = ((to.x - from.x).abs() / limits.run_speed) as f32;
        Some(Self {
            from,
            to,
            kind: LinkKind::OneWayStep,
            program: TrajectoryParams::steady(seconds).ok()?,
            duration: f64::from(seconds),
            tolerance: 0.25,
        })
    }
}

/// A kept link as thinning sees it.
#[derive(Debug, Clone, Copy)]
struct Kept {
    floor: u32,
    /// Where it leaves and lands, along its platforms.
    from: f64,
    to: f64,
    cost: f64,
}

/// Finds the links of every platform, in order of the platform they leave.
/// `steps` are those that lead from one platform onto another without a
/// flight, in the same order: they are kept, and count as routes.
pub fn links(
    world: &World<'_>,
    space: &dyn BodySpace,
    steps: &[Connection],
    stretch: f64,
    progress: &dyn Progress,
) -> Vec<Connection> {
    let drawer = ArcSolver { world, space };
    let steps_from = |floor: usize| {
        let first = steps.partition_point(|s| (s.from.floor as usize) < floor);
        let end = steps.partition_point(|s| (s.from.floor as usize) <= floor);
        &steps[first..end]
    };
    (0..world.floors.len())
        .into_par_iter()
        .map_init(Work::default, |work, floor| {
            let links = work.links_from(&drawer, floor, steps_from(floor), stretch);
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
    portals: Vec<FunnelGate>,
    kept: Vec<Kept>,
}

impl Work {
    fn links_from(
        &mut self,
        drawer: &ArcSolver<'_>,
        floor: usize,
        steps: &[Connection],
        stretch: f64,
    ) -> Vec<Connection> {
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
                .then(a.to.y.total_cmp(&b.to.y))
        });
        let mut out = steps.to_vec();
        self.kept.extend(steps.iter().map(|s| Kept {
            floor: s.to.floor,
            from: world.along(&s.from),
            to: world.along(&s.to),
            cost: s.duration,
        }));
        for at in 0..self.moves.len() {
            let m = self.moves[at];
            let (p, q) = (&all[m.from as usize], &m.to);
            // The best that any jump could do, and what this one does.
            let least = drawer.direct_duration(p, q);
            let route = self.best_route(world, p, q);
            // One can let go or drop through anywhere, and to anywhere below:
            // a short way to another such place is no detour.
            let aside = match m.launch.leave {
                Leave::Through | Leave::LetGo => {
                    2.0 * world.limits.body.x / world.speed_on(p.floor)
                }
                Leave::OffLeft | Leave::OffRight | Leave::Up(_) => 0.0,
            };
            let route = route - aside;
            if route <= stretch * least {
                continue;
            }
            let direct = match m.launch {
                Launch {
                    leave: Leave::Up(_),
                    ..
                } => drawer.direct_jump(&self.scratch, m.from as usize, q),
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
                from: world.along(p),
                to: world.along(q),
                cost: checked.arc.duration(),
            });
            out.push(Connection {
                from: *p,
                to: *q,
                kind: m.launch.kind(),
                program: checked.program,
                duration: checked.arc.duration(),
                tolerance: drawer.tolerance(&self.scratch, m.from as usize, q, &checked),
            });
        }
        self.drop_beaten(world, &mut out);
        out.sort_by(|a, b| {
            let x = a.from.x.total_cmp(&b.from.x);
            x.then(a.from.y.total_cmp(&b.from.y))
                .then(a.to.floor.cmp(&b.to.floor))
                .then(a.to.x.total_cmp(&b.to.x))
                .then(a.to.y.total_cmp(&b.to.y))
        });
        out
    }

    /// Takes away kept links that others, kept later, beat outright: a direct
    /// arc can turn out cheaper than the move it was found by. Routes only
    /// get cheaper by it.
    fn drop_beaten(&mut self, world: &World<'_>, out: &mut Vec<Connection>) {
        let mut order: Vec<usize> = (0..self.kept.len()).collect();
        order.sort_by(|&a, &b| {
            self.kept[b]
                .cost
                .total_cmp(&self.kept[a].cost)
                .then(a.cmp(&b))
        });
        for i in order {
            if !out[i].kind.is_airborne() {
                continue;
            }
            let cost = self.kept[i].cost;
            // Out of its own way.
            self.kept[i].cost = f64::INFINITY;
            if self.best_route(world, &out[i].from, &out[i].to) > cost {
                self.kept[i].cost = cost;
            }
        }
        let mut kept = self.kept.iter();
        out.retain(|_| kept.next().is_some_and(|k| k.cost.is_finite()));
    }

    /// The cheapest way over one kept link from a place to another, walking
    /// or climbing before and after it.
    fn best_route(&self, world: &World<'_>, from: &Place, to: &Place) -> f64 {
        let (before, after) = (world.speed_on(from.floor), world.speed_on(to.floor));
        let (start, end) = (world.along(from), world.along(to));
        self.kept
            .iter()
            .filter(|k| k.floor == to.floor)
            .map(|k| k.cost + (k.from - start).abs() / before + (k.to - end).abs() / after)
            .fold(f64::INFINITY, f64::min)
    }
}
