//! Chooses which of the agent's moves are links, for each platform.
//!
//! Moves are taken cheapest first. One is kept only when the links kept so far,
//! with walking to and from them, offer no route between the same two positions
//! at `link_stretch` times its cost or less: the greedy spanner (I. Althöfer et
//! al., "On sparse spanners of weighted graphs", 1993), per ordered pair of
//! platforms. A motion with a tolerance is compared only with routes over links with
//! one, because bodies that a physics engine moves cannot follow the rest. Routes
//! over a third platform do not count here, so that platforms can be thinned in
//! parallel: [`remove_bypassed`] removes the links that they replace.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint, FRAGILE, reading_order};
use crate::flight::moves::{Move, MoveFinder, SearchBuffers};
use crate::flight::take_off::Departure;
use crate::flight::trajectory_solver::{Effort, TrajectorySolver};
use crate::geometry::ConfigurationSpace;
use crate::layout::Layout;
use crate::links::bypass::{Decisions, LinkedPlatform, Need, PlatformLinks, remove_bypassed};
use crate::progress::Progress;
use crate::surfaces::Surfaces;

/// Moves between two platforms without a trajectory that has a tolerance, one after the other, after
/// which less is tried for the next ones. Without limits on jumps and drops, half
/// of a bake went to platforms that no trajectory of four legs joins. In a level
/// of 4,248 linked pairs, 16 loses none and a quarter of the time, 8 loses four.
const MAX_FAILURES: u32 = 16;

/// The links of an agent, sorted by the platform they leave: the steps of
/// `surfaces`, and the motions through the air that remain after thinning.
/// `stretch` is `link_stretch`.
pub fn find_links(
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
    let all: Vec<usize> = (0..platforms.len()).collect();
    let links = links_from(&solver, surfaces, &all, stretch, progress);
    let order: Vec<u32> = (0..platforms.len() as u32).collect();
    let platforms: Vec<_> = (platforms.iter().zip(&links))
        .map(|(line, links)| {
            let is_same = false;
            Some(LinkedPlatform {
                line,
                links,
                is_same,
            })
        })
        .collect();
    let decisions = &mut Decisions::default();
    remove_bypassed(&platforms, &order, limits, stretch, decisions)
}

/// The links of some platforms, as far as routes between the same two platforms do not
/// replace them.
pub fn links_from(
    solver: &TrajectorySolver<'_>,
    surfaces: &Surfaces,
    platforms: &[usize],
    stretch: f64,
    progress: &dyn Progress,
) -> Vec<PlatformLinks> {
    let spanners = Mutex::default();
    platforms
        .par_iter()
        .with_max_len(MAX_PLATFORMS)
        .map_init(
            || BorrowedSpanner::new(&spanners),
            |BorrowedSpanner { spanner, .. }, &platform| {
                if progress.is_cancelled() {
                    return PlatformLinks::default();
                }
                let steps = surfaces.steps_from(platform as u32);
                let links = spanner.links_from(solver, platform, steps, stretch);
                progress.advance(1);
                links
            },
        )
        .collect()
}

/// The links that leave one platform, without those onto platforms that touch it.
pub fn links_of(solver: &TrajectorySolver<'_>, platform: usize, stretch: f64) -> Vec<Connection> {
    let links = Spanner::default().links_from(solver, platform, &[], stretch);
    links.into_links()
}

/// Platforms that a thread takes at a time. Without a limit the last thread was
/// alone for a sixth of a bake with two.
const MAX_PLATFORMS: usize = 16;

/// A spanner that goes back to the `free` ones when it is dropped, so that the next
/// task uses the memory that it has allocated.
struct BorrowedSpanner<'a> {
    free: &'a Mutex<Vec<Spanner>>,
    spanner: Spanner,
}

impl<'a> BorrowedSpanner<'a> {
    fn new(free: &'a Mutex<Vec<Spanner>>) -> Self {
        let spanner = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let spanner = spanner.unwrap_or_default();
        Self { free, spanner }
    }
}

impl Drop for BorrowedSpanner<'_> {
    fn drop(&mut self) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.spanner));
    }
}

/// The part of a kept link that thinning needs: its place in the list of links,
/// the coordinates of its ends along their platforms, its cost, and whether a
/// body that is a little off can follow it.
#[derive(Debug, Clone, Copy)]
struct Kept {
    index: usize,
    from: f64,
    to: f64,
    cost: f64,
    is_tolerant: bool,
}

/// The costs of the cheapest routes over kept links.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Routes {
    /// Over a link that a body can follow when it is a little off.
    tolerant: f64,
    /// Over any link.
    any: f64,
}

impl Routes {
    /// The cost of the routes that can replace a link.
    fn instead_of(self, is_tolerant: bool) -> f64 {
        if is_tolerant { self.tolerant } else { self.any }
    }
}

/// The links kept of one platform, by the platform that they reach, sorted by
/// where they leave: floors can be as long as the level, with thousands of links.
#[derive(Debug, Default)]
struct KeptLinks {
    by_target: BTreeMap<u32, Vec<Kept>>,
}

impl KeptLinks {
    fn insert(&mut self, target: u32, kept: Kept) {
        let links = self.by_target.entry(target).or_default();
        let place = links.partition_point(|k| k.from <= kept.from);
        links.insert(place, kept);
    }

    fn reaches(&self, target: u32) -> bool {
        (self.by_target.get(&target)).is_some_and(|links| !links.is_empty())
    }

    fn remove(&mut self, target: u32, index: usize) {
        if let Some(links) = self.by_target.get_mut(&target) {
            links.retain(|k| k.index != index);
        }
    }

    /// The links to a platform, nearest first, each with the seconds to get to it.
    fn nearest_first(&self, ends: &RouteEnds) -> impl Iterator<Item = (f64, &Kept)> {
        let links = self.by_target.get(&ends.target);
        let links = links.map_or(&[][..], Vec::as_slice);
        let (left, right) = links.split_at(links.partition_point(|k| k.from <= ends.from));
        let way = |kept: &Kept| (kept.from - ends.from).abs() / ends.speed_before;
        let mut left = left.iter().rev().map(move |k| (way(k), k)).peekable();
        let mut right = right.iter().map(move |k| (way(k), k)).peekable();
        std::iter::from_fn(move || match (left.peek(), right.peek()) {
            (Some((to_left, _)), Some((to_right, _))) if to_left <= to_right => left.next(),
            (Some(_), None) => left.next(),
            _ => right.next(),
        })
    }
}

/// Where a route begins and ends: coordinates along the platforms, and the
/// speeds there.
struct RouteEnds {
    target: u32,
    from: f64,
    to: f64,
    speed_before: f64,
    speed_after: f64,
}

impl RouteEnds {
    fn new(finder: &MoveFinder<'_>, from: &Endpoint, to: &Endpoint) -> Self {
        Self {
            target: to.platform,
            from: finder.along(from),
            to: finder.along(to),
            speed_before: finder.speed_on(from),
            speed_after: finder.speed_on(to),
        }
    }

    /// That routes must go on to offer this, within a limit in seconds.
    fn need(&self, limit: f64, is_tolerant: bool) -> Need {
        Need::new(self.target, [self.from, self.to], limit, is_tolerant)
    }

    /// The costs of the cheapest routes over one of `links` but `except`, with
    /// walking or climbing before and after it. Links come nearest first; the
    /// search ends where the way to a link costs as much as the best routes.
    fn best_routes<'a>(
        &self,
        links: impl Iterator<Item = (f64, &'a Kept)>,
        except: Option<usize>,
    ) -> Routes {
        let mut best = Routes {
            tolerant: f64::INFINITY,
            any: f64::INFINITY,
        };
        for (before, kept) in links {
            if before >= best.tolerant {
                break;
            }
            if Some(kept.index) != except {
                let after = (kept.to - self.to).abs() / self.speed_after;
                let cost = kept.cost + before + after;
                best.any = best.any.min(cost);
                if kept.is_tolerant {
                    best.tolerant = best.tolerant.min(cost);
                }
            }
        }
        best
    }
}

/// Thins the links of one platform. Its memory is reused for the next platform.
#[derive(Default)]
struct Spanner {
    buffers: SearchBuffers,
    kept: KeptLinks,
    /// For each platform, how many moves to it in a row had no trajectory with a tolerance.
    failures: BTreeMap<u32, u32>,
    /// The moves that kept links replace.
    replaced: Vec<Need>,
}

impl Spanner {
    fn links_from(
        &mut self,
        solver: &TrajectorySolver<'_>,
        platform: usize,
        steps: &[Connection],
        stretch: f64,
    ) -> PlatformLinks {
        let finder = solver.finder;
        self.kept.by_target.clear();
        self.failures.clear();
        self.replaced.clear();
        let mut moves = finder.moves_from(&mut self.buffers, platform);
        moves.sort_unstable_by(|a, b| {
            a.duration
                .total_cmp(&b.duration)
                // Of those that take as long, the one that replaces more of a walk.
                .then(across(b).total_cmp(&across(a)))
                .then(a.endpoint.cmp(&b.endpoint))
                .then(a.to.platform.cmp(&b.to.platform))
                .then(reading_order(a.to.point(), b.to.point()))
        });
        let mut out = Vec::new();
        for step in steps {
            self.keep(finder, &mut out, *step);
        }
        for candidate in &moves {
            if let Some(link) = self.link(solver, candidate, stretch) {
                self.keep(finder, &mut out, link);
            }
        }
        if finder.limits.air_acceleration.is_some() {
            for candidate in &moves {
                if let Some(link) = self.last_resort(solver, candidate) {
                    self.keep(finder, &mut out, link);
                }
            }
        }
        self.drop_replaced(finder, &mut out, stretch);
        out.sort_by(|a, b| {
            reading_order(a.from.point(), b.from.point())
                .then(a.to.platform.cmp(&b.to.platform))
                .then(reading_order(a.to.point(), b.to.point()))
        });
        PlatformLinks::new(out, self.replaced.clone())
    }

    fn keep(&mut self, finder: &MoveFinder<'_>, out: &mut Vec<Connection>, link: Connection) {
        let kept = Kept {
            index: out.len(),
            from: finder.along(&link.from),
            to: finder.along(&link.to),
            cost: link.cost(),
            is_tolerant: link.is_tolerant(),
        };
        self.kept.insert(link.to.platform, kept);
        out.push(link);
    }

    /// The link of a move, unless a route over kept links replaces it or no
    /// clear trajectory is found.
    fn link(
        &mut self,
        solver: &TrajectorySolver<'_>,
        candidate: &Move,
        stretch: f64,
    ) -> Option<Connection> {
        let finder = solver.finder;
        let Move {
            from, to, take_off, ..
        } = *candidate;
        // An agent can let go or drop through anywhere, and land anywhere
        // below. Without this allowance there would be as many such links as
        // pairs of endpoints.
        let detour = match take_off.departure {
            Departure::DropThrough | Departure::LetGo => {
                2.0 * finder.limits.body.x / finder.speed_on(&from)
            }
            Departure::WalkOffLeft
            | Departure::WalkOffRight
            | Departure::Jump(_)
            | Departure::Thrown(_) => 0.0,
        };
        let ends = RouteEnds::new(finder, &from, &to);
        let routes = ends.best_routes(self.kept.nearest_first(&ends), None);
        // A link must take less time than this, to be kept with a tolerance and
        // without one.
        let longest = Routes {
            tolerant: (routes.tolerant - detour) / stretch,
            any: (routes.any - detour) / stretch / FRAGILE,
        };
        // Checks a cheap bound first. Where any route is short enough, none with a
        // tolerance is looked for: most of these searches would find nothing.
        let shortest = match finder.limits.air_acceleration {
            Some(_) => candidate.duration,
            // The direct jump can be faster than the move.
            None => solver.direct_duration(&from, &to),
        };
        let failures = self.failures.get(&to.platform).copied().unwrap_or(0);
        if longest.any <= shortest && longest.tolerant <= shortest {
            let limit = FRAGILE * shortest * stretch + detour;
            self.replaced.push(ends.need(limit, false));
            return None;
        }
        // Where routes with a tolerance are only somewhat longer, a higher jump is no better
        // than they are. To look for those took a fifth of a bake.
        let is_near = longest.any <= shortest && routes.tolerant.is_finite();
        let effort = if failures < MAX_FAILURES && !is_near {
            Effort::AnyTakeOff
        } else {
            Effort::OneTakeOff
        };
        let bounds = [longest.tolerant, longest.any];
        let found = solver.link(&mut self.buffers, candidate, bounds, effort);
        let succeeds = found.is_some_and(|link| link.is_tolerant());
        let failures = if succeeds { 0 } else { failures + 1 };
        self.failures.insert(to.platform, failures);
        let Some(found) = found else {
            // There may be a motion that takes longer, which the routes replace.
            for (limit, is_tolerant) in [(routes.any, false), (routes.tolerant, true)] {
                if limit.is_finite() {
                    self.replaced.push(ends.need(limit, is_tolerant));
                }
            }
            return None;
        };
        let limit = found.cost() * stretch + detour;
        if limit >= routes.instead_of(found.is_tolerant()) {
            self.replaced.push(ends.need(limit, found.is_tolerant()));
            return None;
        }
        Some(found)
    }

    /// The link of a move to a platform that no kept link reaches: an opening as wide as the
    /// body leaves no distance from walls. Tried after all other moves, so that each of these
    /// platforms gets one such link, and no others do.
    fn last_resort(
        &mut self,
        solver: &TrajectorySolver<'_>,
        candidate: &Move,
    ) -> Option<Connection> {
        let is_reached = self.kept.reaches(candidate.to.platform);
        let bounds = [f64::INFINITY; 2];
        (!is_reached)
            .then(|| solver.link(&mut self.buffers, candidate, bounds, Effort::LastResort))
            .flatten()
    }

    /// Removes links that cost no less than a route over a link kept later.
    /// Links are kept in order of the duration of their moves, but the direct
    /// jump that is stored for a move can be faster than the move.
    fn drop_replaced(&mut self, finder: &MoveFinder<'_>, out: &mut Vec<Connection>, stretch: f64) {
        let mut order: Vec<usize> = (0..out.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (&out[a], &out[b]);
            y.duration.total_cmp(&x.duration).then(a.cmp(&b))
        });
        let mut stays = vec![true; out.len()];
        for i in order.into_iter().filter(|&i| out[i].kind.is_airborne()) {
            let link = &out[i];
            let ends = RouteEnds::new(finder, &link.from, &link.to);
            // The link itself must not count as a route.
            let routes = ends.best_routes(self.kept.nearest_first(&ends), Some(i));
            if routes.instead_of(link.is_tolerant()) <= link.cost() {
                // Removed at once: of two links that replace each other, one must stay.
                self.kept.remove(link.to.platform, i);
                let limit = link.cost() * stretch;
                self.replaced.push(ends.need(limit, link.is_tolerant()));
                stays[i] = false;
            }
        }
        let mut stays = stays.into_iter();
        out.retain(|_| stays.next() == Some(true));
    }
}

fn across(candidate: &Move) -> f64 {
    (candidate.to.x - candidate.from.x).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links of a long floor to another one: one each 10 units, and there and
    /// back takes some time that differs.
    fn links(count: usize) -> KeptLinks {
        let mut kept = KeptLinks::default();
        for i in 0..count {
            // Not in the order of their places.
            let index = (i * 7) % count;
            let from = index as f64 * 10.0;
            let cost = 0.5 + (index % 5) as f64 * 0.3;
            let to = from + (index % 3) as f64 * 40.0;
            let link = Kept {
                index,
                from,
                to,
                cost,
                is_tolerant: !index.is_multiple_of(3),
            };
            kept.insert(1, link);
        }
        kept
    }

    fn ends(from: f64, to: f64) -> RouteEnds {
        RouteEnds {
            target: 1,
            from,
            to,
            speed_before: 100.0,
            speed_after: 50.0,
        }
    }

    #[test]
    fn the_best_route_is_that_of_all_links() {
        let mut kept = links(100);
        kept.remove(1, 40);
        let all = &kept.by_target[&1];
        assert_eq!(all.len(), 99);
        for at in 0..300 {
            let ends = ends(f64::from(at) * 3.7 - 20.0, f64::from(at * 89 % 1200));
            let except = Some(at as usize / 3);
            let cheapest = |tolerant_only: bool| {
                let others = all.iter().filter(|k| Some(k.index) != except);
                let allowed = others.filter(|k| k.is_tolerant || !tolerant_only);
                let costs = allowed.map(|k| {
                    let (before, after) = ((k.from - ends.from).abs(), (k.to - ends.to).abs());
                    k.cost + before / 100.0 + after / 50.0
                });
                costs.fold(f64::INFINITY, f64::min)
            };
            let expected = Routes {
                tolerant: cheapest(true),
                any: cheapest(false),
            };
            let routes = ends.best_routes(kept.nearest_first(&ends), except);
            assert_eq!(routes, expected);
        }
        let nowhere = RouteEnds {
            target: 2,
            ..ends(0.0, 0.0)
        };
        let links = kept.nearest_first(&nowhere);
        assert_eq!(nowhere.best_routes(links, None).any, f64::INFINITY);
    }

    /// A query looks at as many links on a floor that is twice as long.
    #[test]
    fn a_longer_floor_takes_no_longer() {
        let looked_at = |count: usize| {
            let kept = links(count);
            let middle = count as f64 * 5.0;
            let ends = ends(middle, middle + 30.0);
            let mut looked = 0;
            let links = kept.nearest_first(&ends).inspect(|_| looked += 1);
            assert!(ends.best_routes(links, None).tolerant.is_finite());
            looked
        };
        assert_eq!(looked_at(1500), looked_at(3000));
        assert!(looked_at(1500) < 40, "{}", looked_at(1500));
    }
}
