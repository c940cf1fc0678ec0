//! Removes links that routes over third platforms replace.
//!
//! The spanner of a platform compares a move with routes over one link between the
//! same two platforms. This stage sees all links. It removes a link if routes over any
//! kept links, with walking between them, cost at most `link_stretch` times as much,
//! and if such routes also remain for the moves that the spanner left out because of
//! this link. So `link_stretch` bounds what any move costs, however it was replaced.
//! No link of such a route leads farther than the one that is removed, because agents
//! may have tighter limits than baked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use navmesh_runtime::mesh::{PlatformKind, StepKind};
use rayon::prelude::*;

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint};
use crate::surfaces::platform_line::PlatformLine;

/// A move that routes must offer. Its numbers are f32, because there are ten times as
/// many as links; positions on the lattice are exact in f32.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// The platform on which it lands.
    target: u32,
    /// Where it begins and ends, along the platforms.
    from: f32,
    to: f32,
    /// Most seconds that a route may take.
    limit: f32,
    /// Whether a route must be one that a body can follow when it is a little off.
    is_tolerant: bool,
}

impl Need {
    /// `from` and `to` are coordinates along the platforms.
    pub fn new(target: u32, [from, to]: [f64; 2], limit: f64, is_tolerant: bool) -> Self {
        Self {
            target,
            from: from as f32,
            to: to as f32,
            // A route may cost exactly as much as the limit.
            limit: (limit as f32).next_up(),
            is_tolerant,
        }
    }
}

/// The links that the spanner keeps of one platform.
#[derive(Debug, Clone, Default)]
pub struct PlatformLinks {
    links: Vec<Connection>,
    /// The moves that these links replace, sorted by target.
    replaced: Vec<Need>,
}

impl PlatformLinks {
    pub fn new(links: Vec<Connection>, mut replaced: Vec<Need>) -> Self {
        replaced.sort_by_key(|need| need.target);
        Self { links, replaced }
    }

    pub fn into_links(self) -> Vec<Connection> {
        self.links
    }

    /// The same with the numbers that platforms have in `slots`.
    pub fn renumbered(self, slots: &[u32]) -> Self {
        let number = |platform: u32| slots.get(platform as usize).copied();
        let links = self.links.into_iter();
        let replaced = self.replaced.into_iter().filter_map(|need| {
            let target = number(need.target)?;
            Some(Need { target, ..need })
        });
        Self::new(
            links.filter_map(|link| link.renumbered(number)).collect(),
            replaced.collect(),
        )
    }
}

/// A link, as routes use it.
#[derive(Debug, Clone, Copy)]
struct Hop {
    /// Its number among all that were found.
    number: usize,
    /// The platform that it leaves.
    source: u32,
    /// What routes must offer instead of it.
    need: Need,
    cost: f64,
    kind: StepKind,
    /// How far it leads across, and up.
    across: f64,
    rise: f64,
}

impl Hop {
    /// Whether this link is of the same kind as another or a drop instead of a jump, and
    /// leads no farther across, up or down.
    fn demands_no_more_than(&self, other: &Self) -> bool {
        let heights = other.rise.min(0.0)..=other.rise.max(0.0);
        let is_smaller = self.across <= other.across && heights.contains(&self.rise);
        let is_no_harder =
            self.kind == other.kind || self.kind == StepKind::Drop && other.kind == StepKind::Jump;
        !self.kind.is_airborne() || is_no_harder && is_smaller
    }
}

/// A platform and the links that leave it.
#[derive(Debug, Clone, Copy)]
pub struct LinkedPlatform<'a> {
    pub line: &'a PlatformLine,
    pub links: &'a PlatformLinks,
    /// Whether they are those of the last bake.
    pub is_same: bool,
}

/// All links of an agent.
struct Hops<'a> {
    /// By platform, and along it.
    all: Vec<Hop>,
    /// The links of each platform.
    of: Vec<Range<usize>>,
    platforms: &'a [Option<LinkedPlatform<'a>>],
    limits: &'a AgentLimits,
}

/// The memory of a search for routes.
#[derive(Default)]
struct Search {
    reached: Vec<Reached>,
    round: u32,
    /// The bits of the least cost of a route over each link, and the link.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The links of the route that was found, the last one first.
    route: Vec<u32>,
    /// The platforms whose links were looked at.
    seen: Vec<u32>,
}

/// The end of a link that a search has reached.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    round: u32,
    /// The link before it.
    before: Option<u32>,
    cost: f64,
}

/// What was decided about the links of the last bake of an agent.
#[derive(Debug, Default)]
pub struct Decisions {
    /// Those about the links of each platform, along it.
    of: Vec<Vec<Decision>>,
}

/// Whether routes replace a link, and what that depends on.
#[derive(Debug, Clone, Default)]
struct Decision {
    /// Whether they do if no other link is removed.
    is_candidate: bool,
    /// Whether a link that was removed before is replaced by a route over this one.
    is_used: bool,
    is_gone: bool,
    /// The links of the routes that replace it, as platforms and numbers among their links.
    routes: Vec<(u32, u32)>,
    /// The platforms whose links were looked at.
    seen: Vec<u32>,
}

impl Decision {
    fn add_seen(&mut self, seen: &mut Vec<u32>) {
        self.seen.append(seen);
        self.seen.sort_unstable();
        self.seen.dedup();
    }
}

/// The links that stay, in order. With a stretch of 1, all do. `platforms` has the platforms
/// by their numbers, which stay as long as a platform stays the same, and `order` these
/// numbers in the order of platforms. `known` has the decisions of the last bake, and
/// receives these.
pub fn remove_bypassed(
    platforms: &[Option<LinkedPlatform<'_>>],
    order: &[u32],
    limits: &AgentLimits,
    stretch: f64,
    known: &mut Decisions,
) -> Vec<Connection> {
    let in_order = order
        .iter()
        .filter_map(|&number| platforms[number as usize]);
    let links = in_order.flat_map(|platform| platform.links.links.iter().copied());
    let mut links: Vec<Connection> = links.collect();
    if stretch > 1.0 {
        let hops = Hops::new(platforms, order, limits, stretch);
        let mut stays = hops.not_bypassed(known).into_iter();
        links.retain(|_| stays.next() != Some(false));
    }
    links
}

impl<'a> Hops<'a> {
    fn new(
        platforms: &'a [Option<LinkedPlatform<'a>>],
        order: &[u32],
        limits: &'a AgentLimits,
        stretch: f64,
    ) -> Self {
        let mut this = Self {
            all: Vec::new(),
            of: vec![0..0; platforms.len()],
            platforms,
            limits,
        };
        let along = |end: &Endpoint| {
            let platform = platforms[end.platform as usize];
            platform.map_or(0.0, |platform| platform.line.along(end.point()))
        };
        for &source in order {
            let first = this.all.len();
            let links = platforms[source as usize].map_or(&[][..], |own| &own.links.links);
            this.all
                .extend((first..).zip(links).map(|(number, link)| Hop {
                    number,
                    source,
                    need: Need::new(
                        link.to.platform,
                        [along(&link.from), along(&link.to)],
                        link.cost() * stretch,
                        link.is_tolerant(),
                    ),
                    cost: link.cost(),
                    kind: link.kind,
                    across: (link.to.x - link.from.x).abs(),
                    rise: link.from.y - link.to.y,
                }));
            this.all[first..].sort_by(|a, b| a.need.from.total_cmp(&b.need.from));
            this.of[source as usize] = first..this.all.len();
        }
        this
    }

    /// Whether each link stays, in the order in which they were found.
    ///
    /// A decision depends on the links of the platforms that its searches have seen, and on
    /// what was decided of them before. Where neither has changed since the last bake, the
    /// decision is the same.
    fn not_bypassed(&self, known: &mut Decisions) -> Vec<bool> {
        let count = self.all.len();
        // Platforms whose links, or decisions about them, are not those of the last bake.
        let platforms = self.platforms.iter();
        let mut is_new: Vec<bool> = platforms
            .map(|platform| platform.is_none_or(|platform| !platform.is_same))
            .collect();
        let (mut decisions, was_gone) = self.known_decisions(known, &is_new);
        // To remove others makes no route shorter, so only these can go.
        let unknown: Vec<usize> = (0..count)
            .filter(|&link| decisions[link].is_none())
            .collect();
        let found =
            unknown
                .par_iter()
                .with_min_len(1024)
                .map_init(Search::default, |search, &link| {
                    let is_candidate =
                        self.is_bypassed(link, search, |other| other == link, |_| {});
                    let mut decision = Decision {
                        is_candidate,
                        ..Decision::default()
                    };
                    decision.add_seen(&mut search.seen);
                    decision
                });
        let found: Vec<Decision> = found.collect();
        let mut is_known = vec![true; count];
        for (&link, decision) in unknown.iter().zip(found) {
            is_known[link] = false;
            is_new[self.all[link].source as usize] |= was_gone[link] && !decision.is_candidate;
            decisions[link] = Some(decision);
        }
        let mut decisions: Vec<Decision> = decisions.into_iter().flatten().collect();
        let mut candidates: Vec<usize> = (0..count)
            .filter(|&link| decisions[link].is_candidate)
            .collect();
        // Those that take longest first: quick ones make the routes for them.
        candidates.sort_by(|&a, &b| {
            let [x, y] = [a, b].map(|link| self.all[link].cost);
            y.total_cmp(&x).then(a.cmp(&b))
        });
        let mut search = Search::default();
        let (mut is_gone, mut is_used) = (vec![false; count], vec![false; count]);
        let mut used = Vec::new();
        for link in candidates {
            let decision = &mut decisions[link];
            let is_same = |platform: &u32| !is_new[*platform as usize];
            if !is_known[link]
                || decision.is_used != is_used[link]
                || !decision.seen.iter().all(is_same)
            {
                used.clear();
                decision.is_used = is_used[link];
                is_gone[link] = !is_used[link];
                decision.is_gone = is_gone[link]
                    && self.is_bypassed(
                        link,
                        &mut search,
                        |link| is_gone[link],
                        |route| used.extend_from_slice(route),
                    );
                decision.add_seen(&mut search.seen);
                decision.routes.clear();
                decision.routes.extend(used.iter().map(|&link| {
                    let source = self.all[link as usize].source;
                    (source, link - self.of[source as usize].start as u32)
                }));
            }
            is_gone[link] = decision.is_gone;
            is_new[self.all[link].source as usize] |= decision.is_gone != was_gone[link];
            if decision.is_gone {
                for &(platform, number) in &decision.routes {
                    is_used[self.of(platform).start + number as usize] = true;
                }
            }
        }
        known.of.resize_with(self.of.len(), Vec::new);
        let mut decisions = decisions.into_iter();
        for hops in self.all.chunk_by(|a, b| a.source == b.source) {
            known.of[hops[0].source as usize].extend(decisions.by_ref().take(hops.len()));
        }
        let mut stays = vec![true; count];
        for (hop, is_gone) in self.all.iter().zip(is_gone) {
            stays[hop.number] = !is_gone;
        }
        stays
    }

    /// The decision about each link if all platforms that it depends on have the links that
    /// they had before, and whether it was removed. Leaves none in `known`.
    fn known_decisions(
        &self,
        known: &mut Decisions,
        is_new: &[bool],
    ) -> (Vec<Option<Decision>>, Vec<bool>) {
        let mut decisions = vec![None; self.all.len()];
        let mut was_gone = vec![false; self.all.len()];
        for (platform, known) in known.of.iter_mut().enumerate() {
            let known = std::mem::take(known);
            if is_new[platform] {
                continue;
            }
            for (link, decision) in self.of(platform as u32).zip(known) {
                was_gone[link] = decision.is_gone;
                let used = decision.routes.iter().map(|(platform, _)| platform);
                let mut all = decision.seen.iter().chain(used);
                if !all.any(|platform| is_new[*platform as usize]) {
                    decisions[link] = Some(decision);
                }
            }
        }
        (decisions, was_gone)
    }

    /// The links that leave a platform.
    fn of(&self, platform: u32) -> Range<usize> {
        self.of[platform as usize].clone()
    }

    /// The time from one coordinate along a platform to another.
    fn walk(&self, platform: u32, from: f32, to: f32) -> f64 {
        let speed = self.limits.speed_on(self.kind(platform));
        (f64::from(from) - f64::from(to)).abs() / speed
    }

    fn x(&self, platform: u32, along: f32) -> f64 {
        let line = self.platforms[platform as usize].map(|platform| platform.line);
        match line.filter(|line| line.kind.is_upright()) {
            Some(line) => line.start().x,
            None => f64::from(along),
        }
    }

    fn kind(&self, platform: u32) -> PlatformKind {
        let platform = self.platforms[platform as usize];
        platform.map_or(PlatformKind::Floor, |platform| platform.line.kind)
    }

    /// Whether routes over links that are not gone replace a link through the air, and
    /// all moves that it replaces. Calls `use_route` with the routes over several links.
    fn is_bypassed(
        &self,
        link: usize,
        search: &mut Search,
        is_gone: impl Fn(usize) -> bool,
        mut use_route: impl FnMut(&[u32]),
    ) -> bool {
        let hop = &self.all[link];
        let own = &hop.need;
        let source = self.platforms[hop.source as usize];
        let replaced = source.map_or(&[][..], |source| &source.links.replaced);
        let first = replaced.partition_point(|need| need.target < own.target);
        let end = replaced.partition_point(|need| need.target <= own.target);
        let gone = self.of(hop.source).filter(|&other| is_gone(other));
        let gone = gone.map(|other| &self.all[other].need);
        // Others have a link between the two platforms, or routes whose links stay.
        let others = gone.chain(&replaced[first..end]).filter(|need| {
            let before = self.walk(hop.source, need.from, own.from);
            let cost = before + hop.cost + self.walk(own.target, own.to, need.to);
            need.target == own.target && cost <= f64::from(need.limit)
        });
        hop.kind.is_airborne()
            && std::iter::once(own).chain(others).all(|need| {
                let is_found = search.find(self, hop.source, need, |other| {
                    !is_gone(other) && self.may_replace(&self.all[other], hop)
                });
                if search.route.len() > 1 {
                    use_route(&search.route);
                }
                is_found
            })
    }

    /// Whether a link may be part of a route that replaces another one. Not every agent
    /// climbs.
    fn may_replace(&self, part: &Hop, hop: &Hop) -> bool {
        let mut ends = [part.source, part.need.target].into_iter();
        let are_open = ends.all(|platform| {
            let is_floor = self.kind(platform) == PlatformKind::Floor;
            is_floor || platform == hop.source || platform == hop.need.target
        });
        are_open && part.demands_no_more_than(hop)
    }
}

impl Search {
    /// Finds a route that is short enough for a move from a platform.
    fn find(
        &mut self,
        hops: &Hops<'_>,
        source: u32,
        need: &Need,
        may_use: impl Fn(usize) -> bool,
    ) -> bool {
        self.reached.resize(hops.all.len(), Reached::default());
        self.round += 1;
        self.open.clear();
        self.route.clear();
        let mut end = self.leave(hops, (source, need.from), None, need, &may_use);
        while end.is_none()
            && let Some(Reverse((_, link))) = self.open.pop()
        {
            let Need { target, to, .. } = hops.all[link as usize].need;
            end = self.leave(hops, (target, to), Some(link), need, &may_use);
        }
        let is_found = end.is_some();
        while let Some(link) = end {
            self.route.push(link);
            end = self.reached[link as usize].before;
        }
        is_found
    }

    /// Takes all links that can come next, after one that lands at a position. Returns
    /// the one that completes a route.
    fn leave(
        &mut self,
        hops: &Hops<'_>,
        (platform, along): (u32, f32),
        before: Option<u32>,
        need: &Need,
        may_use: impl Fn(usize) -> bool,
    ) -> Option<u32> {
        let (round, limit) = (self.round, f64::from(need.limit));
        self.seen.push(platform);
        let landed = before.map_or(0.0, |link| self.reached[link as usize].cost);
        let goal_x = hops.x(need.target, need.to);
        // No motion is faster across.
        let fastest = hops.limits.run_speed.max(hops.limits.climb_speed);
        let all = hops.of(platform);
        let middle = all.start + hops.all[all.clone()].partition_point(|h| h.need.from < along);
        // Nearest first on either side, until the walk alone takes too long.
        let walked = |link: usize| {
            let cost = landed + hops.walk(platform, along, hops.all[link].need.from);
            (cost <= limit).then_some((link, cost))
        };
        let left = (all.start..middle).rev().map_while(walked);
        for (link, cost) in left.chain((middle..all.end).map_while(walked)) {
            let Hop {
                need: hop,
                cost: time,
                ..
            } = hops.all[link];
            let is_last = hop.target == need.target;
            // A body that physics moves would miss one of several such links more often.
            let is_safe = hop.is_tolerant || !need.is_tolerant && is_last && before.is_none();
            if !may_use(link) || !is_safe {
                continue;
            }
            let cost = cost + time;
            let rest = if is_last {
                hops.walk(hop.target, hop.to, need.to)
            } else {
                (hops.x(hop.target, hop.to) - goal_x).abs() / fastest
            };
            let reached = &mut self.reached[link];
            if cost + rest > limit || reached.round == round && reached.cost <= cost {
                continue;
            }
            *reached = Reached {
                round,
                before,
                cost,
            };
            if is_last {
                return Some(link as u32);
            }
            // Costs are not negative, so their bits sort as they do.
            self.open
                .push(Reverse(((cost + rest).to_bits(), link as u32)));
        }
        None
    }
}
