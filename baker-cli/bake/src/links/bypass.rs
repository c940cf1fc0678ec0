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

    /// The same with other numbers of platforms.
    pub fn renumbered(self, number: impl Fn(u32) -> Option<u32>) -> Self {
        let links = self.links.into_iter();
        let replaced = self.replaced.into_iter().filter_map(|need| {
            let target = number(need.target)?;
            Some(Need { target, ..need })
        });
        Self::new(
            links.filter_map(|link| link.renumbered(&number)).collect(),
            replaced.collect(),
        )
    }
}

/// A link, as routes use it.
#[derive(Debug, Clone, Copy)]
struct Hop {
    /// Its number among the links of its platform, in the order in which they were found.
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

/// All links of an agent, numbered by platform and along it.
struct Hops<'a> {
    of: &'a [Vec<Hop>],
    /// The number of the first link of each platform.
    first: Vec<u32>,
    /// The platform of each link.
    sources: Vec<u32>,
    platforms: &'a [Option<LinkedPlatform<'a>>],
    limits: &'a AgentLimits,
}

/// The memory of a search for routes.
#[derive(Debug, Default)]
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

/// A link: its platform, and its place among the links along that.
type LinkPlace = (u32, u32);

/// What was decided about the links of the last bake of an agent, by platform.
#[derive(Debug, Default)]
pub struct Decisions {
    hops: Vec<Vec<Hop>>,
    of: Vec<Vec<Decision>>,
    /// The platforms with decisions that have seen the links of this one, and perhaps more.
    seers: Vec<Vec<u32>>,
    search: Search,
}

/// Whether routes replace a link, and what that depends on.
#[derive(Debug, Clone, Default)]
struct Decision {
    /// Whether they do if no other link is removed.
    is_candidate: bool,
    is_gone: bool,
    /// The links of the routes that replace it.
    routes: Vec<LinkPlace>,
    /// The links that are gone because of a route over this one.
    users: Vec<LinkPlace>,
    /// The platforms whose links were looked at.
    seen: Vec<u32>,
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
    if stretch > 1.0 {
        known.update(platforms, order, limits, stretch);
    }
    let mut links = Vec::new();
    let mut stays = Vec::new();
    for &number in order {
        let Some(platform) = platforms[number as usize] else {
            continue;
        };
        stays.clear();
        stays.resize(platform.links.links.len(), true);
        if let (Some(hops), Some(decisions)) = (
            known.hops.get(number as usize),
            known.of.get(number as usize),
        ) {
            for (hop, decision) in hops.iter().zip(decisions) {
                stays[hop.number] = !decision.is_gone;
            }
        }
        let all = platform.links.links.iter().zip(&stays);
        links.extend(all.filter(|(_, stays)| **stays).map(|(link, _)| *link));
    }
    links
}

/// Fewer searches than this are not worth a second thread.
const MIN_SEARCHES: usize = 1024;

/// The links to decide about, those that take longest first: quick ones make the routes for
/// them. The bits of costs, which are not negative, sort as they do.
type Queue = BinaryHeap<(u64, Reverse<u32>)>;

impl Decisions {
    /// Decides about all links.
    ///
    /// A decision depends on the links of the platforms that its searches have seen, and on
    /// what was decided of them before. Where neither has changed since the last bake, the
    /// decision is the same.
    fn update(
        &mut self,
        platforms: &[Option<LinkedPlatform<'_>>],
        order: &[u32],
        limits: &AgentLimits,
        stretch: f64,
    ) {
        let is_new: Vec<bool> = (platforms.iter())
            .map(|platform| platform.is_none_or(|platform| !platform.is_same))
            .collect();
        self.hops.resize_with(platforms.len(), Vec::new);
        self.of.resize_with(platforms.len(), Vec::new);
        self.seers.resize_with(platforms.len(), Vec::new);
        // Links over which fewer routes lead than before.
        let mut unused: Vec<LinkPlace> = Vec::new();
        // The platforms of links about which all must be decided again.
        let mut sources: Vec<u32> = Vec::new();
        for (number, platform) in (0..).zip(platforms).filter(|(n, _)| is_new[*n as usize]) {
            let gone = std::mem::take(&mut self.of[number as usize]);
            for (place, decision) in (0..).zip(gone) {
                self.leave((number, place), &decision.routes);
                unused.extend(decision.routes);
            }
            sources.push(number);
            sources.append(&mut self.seers[number as usize]);
            let hops = platform.map(|own| hops_of(platforms, &own, stretch));
            self.hops[number as usize] = hops.unwrap_or_default();
        }
        sources.sort_unstable();
        sources.dedup();
        let mut unknown: Vec<LinkPlace> = Vec::new();
        for source in sources {
            let count = self.hops[source as usize].len();
            let decisions = &mut self.of[source as usize];
            decisions.resize_with(count, Decision::default);
            let has_new = |decision: &Decision| {
                is_new[source as usize] || decision.seen.iter().any(|on| is_new[*on as usize])
            };
            let all = (0..).zip(&*decisions);
            unknown.extend(
                all.filter(|(_, decision)| has_new(decision))
                    .map(|(k, _)| (source, k)),
            );
        }
        let all_hops = std::mem::take(&mut self.hops);
        let mut search = std::mem::take(&mut self.search);
        let hops = Hops::new(&all_hops, platforms, order, limits);
        // To remove others makes no route shorter, so only these can go.
        let found: Vec<(bool, Vec<u32>)> = if unknown.len() < MIN_SEARCHES {
            let unknown = unknown.iter();
            unknown
                .map(|&link| hops.is_candidate(link, &mut search))
                .collect()
        } else {
            (unknown.par_iter().with_min_len(MIN_SEARCHES))
                .map_init(Search::default, |search, &link| {
                    hops.is_candidate(link, search)
                })
                .collect()
        };
        let mut queue = Queue::new();
        let mut changed: Vec<u32> = Vec::new();
        for (&link, (is_candidate, seen)) in unknown.iter().zip(found) {
            let decision = &mut self.of[link.0 as usize][link.1 as usize];
            decision.is_candidate = is_candidate;
            decision.seen.clear();
            if is_candidate {
                queue.push(hops.turn(link));
            } else if std::mem::take(&mut decision.is_gone) {
                let routes = std::mem::take(&mut decision.routes);
                self.leave(link, &routes);
                unused.extend(routes);
                changed.push(link.0);
            }
            self.add_seen(link, seen);
        }
        for link in unused {
            self.decide_again(link, &hops, None, &mut queue);
        }
        for platform in changed {
            self.decide_for_seers(platform, &hops, None, &mut queue);
        }
        let mut last = None;
        let mut used = Vec::new();
        while let Some(turn) = queue.pop() {
            // The same link may be in the queue several times.
            if last.replace(turn) != Some(turn) {
                self.decide(turn, &hops, &mut search, &mut used, &mut queue);
            }
        }
        drop(hops);
        (self.hops, self.search) = (all_hops, search);
    }

    /// Decides whether a link goes, after all that come before it.
    fn decide(
        &mut self,
        turn: (u64, Reverse<u32>),
        hops: &Hops<'_>,
        search: &mut Search,
        used: &mut Vec<u32>,
        queue: &mut Queue,
    ) {
        let id = turn.1.0;
        let link = hops.place(id);
        let decision = &self.of[link.0 as usize][link.1 as usize];
        let mut users = decision.users.iter();
        used.clear();
        let is_gone = !users.any(|&user| hops.turn(user) > turn)
            && hops.is_bypassed(
                id,
                search,
                |other| {
                    let (platform, place) = hops.place(other);
                    let decision = &self.of[platform as usize][place as usize];
                    other == id || decision.is_gone && hops.turn((platform, place)) > turn
                },
                |route| used.extend_from_slice(route),
            );
        let mut routes: Vec<LinkPlace> = Vec::new();
        if is_gone {
            routes.extend(used.iter().map(|&link| hops.place(link)));
            routes.sort_unstable();
            routes.dedup();
        }
        let seen = std::mem::take(&mut search.seen);
        self.add_seen(link, seen);
        let decision = &mut self.of[link.0 as usize][link.1 as usize];
        let was_gone = std::mem::replace(&mut decision.is_gone, is_gone);
        let old = std::mem::replace(&mut decision.routes, routes.clone());
        // Also where they are the same: a link of another bake in its place has no users.
        self.leave(link, &old);
        for &(platform, place) in &routes {
            self.of[platform as usize][place as usize].users.push(link);
        }
        if old != routes {
            for part in old.into_iter().chain(routes) {
                self.decide_again(part, hops, Some(turn), queue);
            }
        }
        if was_gone != is_gone {
            self.decide_for_seers(link.0, hops, Some(turn), queue);
        }
    }

    /// Takes back that routes lead over links instead of over a link that was gone.
    fn leave(&mut self, link: LinkPlace, routes: &[LinkPlace]) {
        for &(platform, place) in routes {
            let decisions = self.of.get_mut(platform as usize);
            if let Some(part) = decisions.and_then(|all| all.get_mut(place as usize)) {
                part.users.retain(|user| *user != link);
            }
        }
    }

    fn add_seen(&mut self, link: LinkPlace, mut seen: Vec<u32>) {
        let decision = &mut self.of[link.0 as usize][link.1 as usize];
        seen.sort_unstable();
        seen.dedup();
        for platform in seen {
            if let Err(at) = decision.seen.binary_search(&platform) {
                decision.seen.insert(at, platform);
                let seers = &mut self.seers[platform as usize];
                if !seers.contains(&link.0) {
                    seers.push(link.0);
                }
            }
        }
    }

    /// Puts a link into the queue, if it may go and its turn comes after another one.
    fn decide_again(
        &self,
        link: LinkPlace,
        hops: &Hops<'_>,
        after: Option<(u64, Reverse<u32>)>,
        queue: &mut Queue,
    ) {
        let decision = self.of[link.0 as usize].get(link.1 as usize);
        if decision.is_some_and(|decision| decision.is_candidate) {
            let turn = hops.turn(link);
            if after.is_none_or(|after| turn < after) {
                queue.push(turn);
            }
        }
    }

    /// The same for all links whose decisions have seen the links of a platform.
    fn decide_for_seers(
        &self,
        platform: u32,
        hops: &Hops<'_>,
        after: Option<(u64, Reverse<u32>)>,
        queue: &mut Queue,
    ) {
        for &seer in &self.seers[platform as usize] {
            for (place, decision) in (0..).zip(&self.of[seer as usize]) {
                if decision.seen.binary_search(&platform).is_ok() {
                    self.decide_again((seer, place), hops, after, queue);
                }
            }
        }
    }
}

/// The links of a platform, along it.
fn hops_of(
    platforms: &[Option<LinkedPlatform<'_>>],
    own: &LinkedPlatform<'_>,
    stretch: f64,
) -> Vec<Hop> {
    let along = |end: &Endpoint| {
        let platform = platforms[end.platform as usize];
        platform.map_or(0.0, |platform| platform.line.along(end.point()))
    };
    let links = own.links.links.iter().enumerate();
    let mut hops: Vec<Hop> = links
        .map(|(number, link)| Hop {
            number,
            source: link.from.platform,
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
        })
        .collect();
    hops.sort_by(|a, b| a.need.from.total_cmp(&b.need.from));
    hops
}

impl<'a> Hops<'a> {
    fn new(
        of: &'a [Vec<Hop>],
        platforms: &'a [Option<LinkedPlatform<'a>>],
        order: &[u32],
        limits: &'a AgentLimits,
    ) -> Self {
        let mut first = vec![0; of.len()];
        let mut sources = Vec::new();
        for &platform in order {
            first[platform as usize] = sources.len() as u32;
            let count = of[platform as usize].len();
            sources.extend(std::iter::repeat_n(platform, count));
        }
        Self {
            of,
            first,
            sources,
            platforms,
            limits,
        }
    }

    fn place(&self, link: u32) -> LinkPlace {
        let platform = self.sources[link as usize];
        (platform, link - self.first[platform as usize])
    }

    fn hop(&self, link: u32) -> &Hop {
        let (platform, place) = self.place(link);
        &self.of[platform as usize][place as usize]
    }

    /// When it is decided about a link: the largest first.
    fn turn(&self, (platform, place): LinkPlace) -> (u64, Reverse<u32>) {
        let hop = &self.of[platform as usize][place as usize];
        let id = self.first[platform as usize] + place;
        (hop.cost.to_bits(), Reverse(id))
    }

    /// Whether a link can go at all, and the platforms whose links were looked at.
    fn is_candidate(&self, (platform, place): LinkPlace, search: &mut Search) -> (bool, Vec<u32>) {
        let link = self.first[platform as usize] + place;
        let can_go = self.is_bypassed(link, search, |other| other == link, |_| {});
        (can_go, std::mem::take(&mut search.seen))
    }

    /// The links that leave a platform.
    fn of(&self, platform: u32) -> Range<u32> {
        let first = self.first[platform as usize];
        first..first + self.of[platform as usize].len() as u32
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
        link: u32,
        search: &mut Search,
        is_gone: impl Fn(u32) -> bool,
        mut use_route: impl FnMut(&[u32]),
    ) -> bool {
        let hop = self.hop(link);
        let own = &hop.need;
        let source = self.platforms[hop.source as usize];
        let replaced = source.map_or(&[][..], |source| &source.links.replaced);
        let first = replaced.partition_point(|need| need.target < own.target);
        let end = replaced.partition_point(|need| need.target <= own.target);
        let gone = self.of(hop.source).filter(|&other| is_gone(other));
        let gone = gone.map(|other| &self.hop(other).need);
        // Others have a link between the two platforms, or routes whose links stay.
        let others = gone.chain(&replaced[first..end]).filter(|need| {
            let before = self.walk(hop.source, need.from, own.from);
            let cost = before + hop.cost + self.walk(own.target, own.to, need.to);
            need.target == own.target && cost <= f64::from(need.limit)
        });
        hop.kind.is_airborne()
            && std::iter::once(own).chain(others).all(|need| {
                let is_found = search.find(self, hop.source, need, |other| {
                    !is_gone(other) && self.may_replace(self.hop(other), hop)
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
        may_use: impl Fn(u32) -> bool,
    ) -> bool {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.reached.resize(hops.sources.len(), Reached::default());
        self.round += 1;
        self.open.clear();
        self.route.clear();
        let mut end = self.leave(hops, (source, need.from), None, need, &may_use);
        while end.is_none()
            && let Some(Reverse((_, link))) = self.open.pop()
        {
            let Need { target, to, .. } = hops.hop(link).need;
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
        may_use: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let (round, limit) = (self.round, f64::from(need.limit));
        self.seen.push(platform);
        let landed = before.map_or(0.0, |link| self.reached[link as usize].cost);
        let goal_x = hops.x(need.target, need.to);
        // No motion is faster across.
        let fastest = hops.limits.run_speed.max(hops.limits.climb_speed);
        let all = hops.of(platform);
        let own = &hops.of[platform as usize];
        let middle = all.start + own.partition_point(|h| h.need.from < along) as u32;
        // Nearest first on either side, until the walk alone takes too long.
        let walked = |link: u32| {
            let hop = &own[(link - all.start) as usize];
            let cost = landed + hops.walk(platform, along, hop.need.from);
            (cost <= limit).then_some((link, cost))
        };
        let left = (all.start..middle).rev().map_while(walked);
        for (link, cost) in left.chain((middle..all.end).map_while(walked)) {
            let Hop {
                need: hop,
                cost: time,
                ..
            } = own[(link - all.start) as usize];
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
            let reached = &mut self.reached[link as usize];
            if cost + rest > limit || reached.round == round && reached.cost <= cost {
                continue;
            }
            *reached = Reached {
                round,
                before,
                cost,
            };
            if is_last {
                return Some(link);
            }
            // Costs are not negative, so their bits sort as they do.
            self.open.push(Reverse(((cost + rest).to_bits(), link)));
        }
        None
    }
}
