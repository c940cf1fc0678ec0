//! Chooses which of the agent's moves are kept as links.
//!
//! Moves are taken cheapest first. One is kept only when the links kept so far,
//! with walking to and from them, offer no route between the same two positions
//! at `link_stretch` times its cost or less: the greedy spanner (I. Althöfer et
//! al., "On sparse spanners of weighted graphs", 1993), per ordered pair of
//! platforms. Routes over a third platform do not count: they would need the
//! whole graph for every decision, and the result would depend on the order in
//! which threads work.

use rayon::prelude::*;

use crate::bake::agent_limits::AgentLimits;
use crate::bake::connection::{Connection, Endpoint};
use crate::bake::flight::funnel::FunnelGate;
use crate::bake::flight::moves::{Move, MoveFinder, SearchBuffers};
use crate::bake::flight::take_off::Departure;
use crate::bake::flight::tolerance::Tolerance;
use crate::bake::flight::trajectory_solver::{Solution, TrajectorySolver};
use crate::bake::layout::Layout;
use crate::bake::progress::Progress;
use crate::bake::surfaces::Surfaces;
use crate::geometry::ConfigurationSpace;

/// The links of an agent, sorted by the platform they leave: the steps of
/// `surfaces`, and the motions through the air that remain after thinning.
/// `stretch` is `link_stretch`.
pub(crate) fn find_links(
    surfaces: &Surfaces,
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
    stretch: f64,
    progress: &dyn Progress,
) -> Vec<Connection> {
    let platforms = &surfaces.platforms;
    let Some(slabs) = &surfaces.slabs else {
        progress.advance(platforms.len() as u64);
        return surfaces.steps.clone();
    };
    let finder = MoveFinder::new(limits, layout, slabs, platforms);
    let solver = TrajectorySolver {
        finder: &finder,
        space,
    };
    let steps = &surfaces.steps;
    let steps_from = |platform: usize| {
        let first = steps.partition_point(|s| (s.from.platform as usize) < platform);
        let end = steps.partition_point(|s| (s.from.platform as usize) <= platform);
        &steps[first..end]
    };
    (0..platforms.len())
        .into_par_iter()
        .map_init(Spanner::default, |spanner, platform| {
            let steps = steps_from(platform);
            let links = spanner.links_from(&solver, platform, steps, stretch);
            progress.advance(1);
            links
        })
        .flatten_iter()
        .collect()
}

/// The part of a kept link that thinning needs: the coordinates of its ends
/// along their platforms, and its cost.
#[derive(Debug, Clone, Copy)]
struct Kept {
    to_platform: u32,
    from: f64,
    to: f64,
    cost: f64,
}

/// Thins the links of one platform. Its memory is reused for the next platform.
#[derive(Default)]
struct Spanner {
    buffers: SearchBuffers,
    moves: Vec<Move>,
    gates: Vec<FunnelGate>,
    kept: Vec<Kept>,
}

impl Spanner {
    fn links_from(
        &mut self,
        solver: &TrajectorySolver<'_>,
        platform: usize,
        steps: &[Connection],
        stretch: f64,
    ) -> Vec<Connection> {
        let finder = solver.finder;
        self.moves.clear();
        self.kept.clear();
        finder.moves_from(&mut self.buffers, platform, &mut self.moves);
        self.moves.sort_unstable_by(|a, b| {
            a.duration
                .total_cmp(&b.duration)
                .then(a.from.cmp(&b.from))
                .then(a.to.platform.cmp(&b.to.platform))
                .then(a.to.x.total_cmp(&b.to.x))
                .then(a.to.y.total_cmp(&b.to.y))
        });
        let mut out = Vec::new();
        for step in steps {
            self.keep(finder, &mut out, *step);
        }
        for at in 0..self.moves.len() {
            if let Some(link) = self.link(solver, self.moves[at], stretch) {
                self.keep(finder, &mut out, link);
            }
        }
        self.drop_beaten(finder, &mut out);
        out.sort_by(|a, b| {
            a.from
                .x
                .total_cmp(&b.from.x)
                .then(a.from.y.total_cmp(&b.from.y))
                .then(a.to.platform.cmp(&b.to.platform))
                .then(a.to.x.total_cmp(&b.to.x))
                .then(a.to.y.total_cmp(&b.to.y))
        });
        out
    }

    fn keep(&mut self, finder: &MoveFinder<'_>, out: &mut Vec<Connection>, link: Connection) {
        self.kept.push(Kept {
            to_platform: link.to.platform,
            from: finder.along(&link.from),
            to: finder.along(&link.to),
            cost: link.duration,
        });
        out.push(link);
    }

    /// The link of a move, unless a route over kept links replaces it or no
    /// clear trajectory is found.
    fn link(
        &mut self,
        solver: &TrajectorySolver<'_>,
        candidate: Move,
        stretch: f64,
    ) -> Option<Connection> {
        let finder = solver.finder;
        let Move { to, take_off, .. } = candidate;
        let endpoint = candidate.from as usize;
        let from = finder.endpoints.all()[endpoint];
        // An agent can let go or drop through anywhere, and land anywhere
        // below. Without this allowance there would be as many such links as
        // pairs of endpoints.
        let detour = match take_off.departure {
            Departure::DropThrough | Departure::LetGo => {
                2.0 * finder.limits.body.x / finder.speed_on(&from)
            }
            Departure::WalkOffLeft | Departure::WalkOffRight | Departure::Jump(_) => 0.0,
        };
        let route = self.best_route(finder, &from, &to) - detour;
        // Checks the cheap bound first: no jump is faster than the direct one.
        if route <= stretch * solver.direct_duration(&from, &to) {
            return None;
        }
        let direct = match take_off.departure {
            Departure::Jump(_) if finder.limits.air_acceleration.is_none() => {
                solver.direct_jump(&self.buffers, endpoint, &to)
            }
            _ => None,
        };
        let shortest = direct.map_or(candidate.duration, |d| d.trajectory.duration);
        if route <= stretch * shortest {
            return None;
        }
        let (buffers, gates) = (&mut self.buffers, &mut self.gates);
        let direct = direct.map(|checked| Solution {
            to,
            take_off,
            checked,
            has_margins: true,
        });
        let solution =
            direct.or_else(|| solver.solution(buffers, gates, endpoint, &to, take_off, route))?;
        let (to, checked) = (solution.to, &solution.checked);
        let duration = checked.trajectory.duration;
        // A higher jump than the move's own can cost more than the route.
        if route <= duration {
            return None;
        }
        let tolerance = Tolerance {
            solver,
            buffers: &self.buffers,
            endpoint,
            solution: &solution,
        };
        Some(Connection {
            from,
            to,
            kind: solution.take_off.kind(),
            params: checked.params,
            duration,
            tolerance: tolerance.seconds(),
        })
    }

    /// Removes links that cost no less than a route over a link kept later.
    /// Links are kept in order of the duration of their moves, but the direct
    /// jump that is stored for a move can be faster than the move. `kept` and
    /// `out` have the same order.
    fn drop_beaten(&mut self, finder: &MoveFinder<'_>, out: &mut Vec<Connection>) {
        let mut order: Vec<usize> = (0..self.kept.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (&self.kept[a], &self.kept[b]);
            y.cost.total_cmp(&x.cost).then(a.cmp(&b))
        });
        for i in order.into_iter().filter(|&i| out[i].kind.is_airborne()) {
            let cost = self.kept[i].cost;
            // The link itself must not count as a route.
            self.kept[i].cost = f64::INFINITY;
            if self.best_route(finder, &out[i].from, &out[i].to) > cost {
                self.kept[i].cost = cost;
            }
        }
        let mut kept = self.kept.iter();
        out.retain(|_| kept.next().is_some_and(|k| k.cost.is_finite()));
    }

    /// The cost of the cheapest route over one kept link, with walking or
    /// climbing before and after it.
    fn best_route(&self, finder: &MoveFinder<'_>, from: &Endpoint, to: &Endpoint) -> f64 {
        let (before, after) = (finder.speed_on(from), finder.speed_on(to));
        let (start, end) = (finder.along(from), finder.along(to));
        self.kept
            .iter()
            .filter(|k| k.to_platform == to.platform)
            .map(|k| k.cost + (k.from - start).abs() / before + (k.to - end).abs() / after)
            .fold(f64::INFINITY, f64::min)
    }
}
