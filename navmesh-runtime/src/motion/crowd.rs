//! Keeping apart: what the agents of a level see of each other, and what that lets them do.
//!
//! Before its step, an agent looks at the others around it: how far it may go on its platform
//! to either side, whether the landing of its next link is free, and how fast it may fly.
//! After the step it notes where it is now.

use glam::Vec2;

use super::kinematics::{SpeedProfile, closing_speed};
use super::movement::{Climber, Movement};
use super::mover::Mover;
use crate::mesh::{Layer, Link, LinkId, Platform, PlatformId, PlatformKind};

/// Seconds that an agent waits for another one in its way before it passes through it.
pub const PATIENCE: f64 = 1.0;
/// The share of these seconds that count while the one before it waits, too, which it does
/// not face.
const IN_A_JAM: f64 = 0.25;
/// Seconds after which an agent that has not got on by half its width moves through all others
/// until it has: whatever they wait for, nothing stands for ever.
const LONGEST: f64 = 2.5;
/// Distance of the middles of two bodies in a line, compared with that of bodies that touch.
const GAP: f32 = 1.25;
/// Share of its height or width by which a body must be beside a line to be out of the way.
/// Bodies on two floors touch where the upper one is as high as they are.
const BESIDE: f32 = 0.9;
/// Seconds after which an agent that is not updated is not in the way any more.
const FORGOTTEN: f64 = 1.0;
/// Share of the run speed below which an agent stands.
const STANDS: f64 = 0.05;
/// Distance, world units, that an agent moves whoever is there: above the rounding of positions,
/// and too little to see.
const NEAR: f32 = 1e-3;
/// Extra cost, in seconds, of a link for each agent that takes it to the same target.
const SHARED: f32 = 1.0;
/// Greatest distance to a place to step aside to, in widths of the body.
const ASIDE: f32 = 20.0;
/// Seconds after which an agent that stepped aside goes on.
const ASIDE_TIME: f64 = 2.0;

/// How an agent moves where others of the level are in its way. Only agents that keep apart,
/// too, are in the way of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Avoidance {
    /// Moves through others.
    #[default]
    Overlap,
    /// Keeps a gap to the one before it, and takes a jump, a ladder or a portal when its end is
    /// free. After a second in front of one that does not let it by, it moves through it.
    Queue,
    /// As [`Queue`](Self::Queue), and makes way for one that comes towards it: for those that
    /// only queue, and for those that were in the level first.
    Yield,
}

/// What others leave to an agent in one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// The platform that the bounds are for.
    on: PlatformId,
    /// The smallest and the largest coordinate along it.
    bounds: [f64; 2],
    /// Whether the end of its next link is free.
    pub takes_link: bool,
    /// Where a body that rests inside another one moves to.
    aside: Option<f64>,
    /// The share of its time that a flier uses.
    pub pace: f64,
    /// Whether it stands because of another one.
    pub is_held: bool,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            on: PlatformId(u32::MAX),
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            takes_link: true,
            aside: None,
            pace: 1.0,
            is_held: false,
        }
    }
}

impl Room {
    /// How far a body may move towards a coordinate of a platform. `rest` is where it comes to
    /// rest if it brakes now: there at least, so that it does not turn back.
    pub fn limit(&self, on: PlatformId, at: f64, rest: f64, to: f64) -> f64 {
        let [low, high] = self.bounds;
        if on != self.on || (to - at).abs() <= f64::from(NEAR) {
            to
        } else if to > at {
            to.min(high.max(rest).max(at))
        } else {
            to.max(low.min(rest).min(at))
        }
    }

    /// Where a body that rests inside another one on a platform moves to.
    pub fn aside_on(&self, on: PlatformId) -> Option<f64> {
        self.aside.filter(|_| on == self.on)
    }
}

/// What an agent keeps for this from step to step.
#[derive(Debug, Clone)]
pub struct Apart {
    pub avoidance: Avoidance,
    pub spreads: bool,
    pub room: Room,
    /// The share of its time that it used in flight.
    pace: f64,
    /// Its number in the crowd, and its clock there.
    place: Option<(usize, f64)>,
    /// Seconds for which it was held.
    waited: f64,
    /// Whether it moves through those that do not let it by.
    passes: bool,
    /// Where it last got on, and the seconds since then.
    progress: (Vec2, f64),
    heading: Vec2,
    /// Whether it arrives where it is: its destination is taken.
    arrives: bool,
    aside: Option<Aside>,
    /// The least number of all in its line: those that came first have the right of way.
    rank: usize,
}

/// A place off the way of others, to which an agent steps aside.
#[derive(Debug, Clone, Copy)]
struct Aside {
    /// The platform that it left, the coordinate there, and the side it wants to go to.
    home: PlatformId,
    at: f32,
    side: f32,
    /// Seconds until it goes on in any case.
    left: f64,
}

impl Default for Apart {
    fn default() -> Self {
        Self {
            avoidance: Avoidance::Overlap,
            spreads: false,
            room: Room::default(),
            pace: 1.0,
            place: None,
            waited: 0.0,
            passes: false,
            progress: (Vec2::ZERO, 0.0),
            heading: Vec2::ZERO,
            arrives: false,
            aside: None,
            rank: 0,
        }
    }
}

/// What others see of an agent. Of one in a jump, they see where it lands.
#[derive(Debug, Clone, Copy)]
struct Neighbor {
    /// The end of its last step, seconds.
    clock: f64,
    /// The middle of the body, world units.
    at: Vec2,
    half: Vec2,
    velocity: Vec2,
    /// How far it moves until it can have come to rest.
    stop: Vec2,
    /// -1, 0 or 1 on each axis: where it wants to go.
    heading: Vec2,
    goal: Vec2,
    /// Seconds for which it was held; `None` for one that is not.
    waited: Option<f64>,
    is_aside: bool,
    /// The least number of all in its line.
    rank: usize,
    avoidance: Avoidance,
    layer: usize,
    /// The next and the last link of its path.
    links: [Option<LinkId>; 2],
}

/// The agents of a level that keep apart, in the order of their x.
#[derive(Debug, Default)]
pub struct Crowd {
    neighbors: Vec<Neighbor>,
    /// The middle of the body and the number of each.
    order: Vec<(Vec2, usize)>,
    /// The place of each in the order.
    ranks: Vec<usize>,
    /// The latest clock of all.
    clock: f64,
    /// Half the size of the largest body, with how far the fastest may come to either side.
    reach: Vec2,
}

/// Another agent that is near, where it will be at the end of the step.
#[derive(Clone, Copy)]
struct Other<'a> {
    number: usize,
    is: &'a Neighbor,
    at: Vec2,
}

/// An agent that looks.
#[derive(Clone, Copy)]
struct Viewer {
    number: usize,
    /// The end of its step.
    clock: f64,
    dt: f64,
    at: Vec2,
    half: Vec2,
}

impl Crowd {
    /// Removes an agent.
    pub fn forget(&mut self, apart: &mut Apart) {
        let known = apart.place.take().filter(|place| self.is_current(*place));
        if let Some(neighbor) = known.and_then(|(number, _)| self.neighbors.get_mut(number)) {
            neighbor.clock = f64::NEG_INFINITY;
        }
    }

    /// Whether a place is of an agent that was updated lately: not of one that was cloned.
    fn is_current(&self, (number, clock): (usize, f64)) -> bool {
        let known = self.neighbors.get(number);
        known.is_some_and(|known| known.clock == clock) && self.clock - clock < FORGOTTEN
    }

    /// The number of an agent, and its clock before the step.
    fn place_of(&mut self, apart: &Apart, at: Vec2, dt: f64) -> (usize, f64) {
        if let Some(place) = apart.place.filter(|place| self.is_current(*place)) {
            return place;
        }
        let clock = self.clock - dt;
        let mut known = self.neighbors.iter();
        let free = known.position(|known| self.clock - known.clock >= FORGOTTEN);
        let number = free.unwrap_or(self.neighbors.len());
        if free.is_none() {
            self.ranks.push(self.order.len());
            self.order.push((at, number));
            self.neighbors.push(Neighbor {
                clock,
                at,
                half: Vec2::ZERO,
                velocity: Vec2::ZERO,
                stop: Vec2::ZERO,
                heading: Vec2::ZERO,
                goal: at,
                waited: None,
                is_aside: false,
                rank: number,
                avoidance: Avoidance::Overlap,
                layer: 0,
                links: [None; 2],
            });
        }
        (number, clock)
    }

    /// The others whose bodies may touch a box.
    fn inside(&self, me: Viewer, low: Vec2, high: Vec2) -> impl Iterator<Item = Other<'_>> {
        let (low, high) = (low - self.reach, high + self.reach);
        let rank = self.ranks.get(me.number).copied().unwrap_or(0);
        let rank = rank.min(self.order.len());
        let (before, after) = self.order.split_at(rank);
        // From the place of the agent, because most of what it looks at is near.
        let before = before.iter().rev().skip_while(move |(at, _)| at.x > high.x);
        let after = after.iter().skip_while(move |(at, _)| at.x < low.x);
        (before.take_while(move |(at, _)| at.x >= low.x))
            .chain(after.take_while(move |(at, _)| at.x <= high.x))
            .filter(move |(at, _)| low.y <= at.y && at.y <= high.y)
            .filter_map(move |&(_, number)| {
                let is = self.neighbors.get(number)?;
                let is_there = number != me.number
                    && is.avoidance != Avoidance::Overlap
                    && me.clock - is.clock < FORGOTTEN;
                let lead = (me.clock - is.clock).clamp(0.0, me.dt) as f32;
                let at = is.at + is.velocity * lead;
                is_there.then_some(Other { number, is, at })
            })
    }

    fn note(&mut self, number: usize, neighbor: Neighbor) {
        self.clock = self.clock.max(neighbor.clock);
        let reach = neighbor.half + Vec2::new(neighbor.stop.x.abs(), 0.0);
        self.reach = self.reach.max(reach);
        let Some(known) = self.neighbors.get_mut(number) else {
            return;
        };
        *known = neighbor;
        let mut rank = self.ranks[number];
        self.order[rank].0 = neighbor.at;
        let x = neighbor.at.x;
        while rank > 0 && self.order[rank - 1].0.x > x {
            self.swap(rank - 1);
            rank -= 1;
        }
        while rank + 1 < self.order.len() && self.order[rank + 1].0.x < x {
            self.swap(rank);
            rank += 1;
        }
    }

    fn swap(&mut self, rank: usize) {
        self.order.swap(rank, rank + 1);
        self.ranks[self.order[rank].1] = rank;
        self.ranks[self.order[rank + 1].1] = rank + 1;
    }
}

/// One that keeps an agent from going on.
#[derive(Clone, Copy)]
struct Blocker<'a> {
    other: Other<'a>,
    /// The share of the time that counts while it waits, too; 0 for one that goes the same way
    /// on the same line.
    counts: f64,
}

impl Apart {
    pub fn is_overlapping(&self) -> bool {
        self.avoidance == Avoidance::Overlap && !self.spreads
    }

    /// Looks at the others before a step.
    pub fn look(&mut self, crowd: &mut Crowd, mover: &mut Mover<'_>, dt: f64) {
        let (layer, feet) = (mover.layer(), mover.body.position);
        let half = 0.5 * Vec2::from(layer.profile().body);
        let at = feet + lift(layer, half);
        let place = crowd.place_of(self, at, dt);
        self.place = Some(place);
        let (number, clock) = place;
        let clock = clock + dt;
        let me = Viewer {
            number,
            clock,
            dt,
            at,
            half,
        };
        (self.room, self.arrives) = (Room::default(), false);
        if self.spreads && self.aside.is_none() && mover.journey.needs_path() {
            share(crowd, me, mover);
        }
        if self.avoidance == Avoidance::Overlap {
            return;
        }
        let (last, seconds) = self.progress;
        let stays = mover.journey.route.current().is_some() && last.distance(at) < half.x;
        self.progress = if stays {
            (last, seconds + dt)
        } else {
            (at, 0.0)
        };
        self.end_aside(crowd, me, mover);
        if self.progress.1 >= LONGEST {
            if seconds < LONGEST {
                // It has to get on from here, wherever it came to a stand.
                self.progress.0 = at;
            }
            self.pace = 1.0;
            return;
        }
        let was_passing = std::mem::take(&mut self.passes);
        let (blocker, ignores) = match *mover.movement {
            Movement::Floor(on, _) | Movement::Climbing(Climber { on, .. }) => {
                self.pace = 1.0;
                let platform = layer.platform(on);
                platform.map_or((None, false), |platform| {
                    self.look_along(crowd, me, mover, platform, was_passing)
                })
            }
            Movement::Flying(_) => self.look_in_flight(crowd, me, mover, was_passing),
            _ => {
                self.pace = 1.0;
                self.passes = was_passing;
                return;
            }
        };
        self.room.pace = self.pace;
        self.room.is_held &= blocker.is_some();
        match blocker.filter(|_| self.room.is_held) {
            Some(Blocker { other, counts }) => {
                self.waited = match other.is.waited {
                    // The line passes with its first.
                    Some(waited) if counts == 0.0 && waited >= PATIENCE => waited,
                    None if counts > 0.0 => self.waited + dt,
                    _ => self.waited + counts * dt,
                };
                let is_settled = other.is.heading == Vec2::ZERO && other.is.stop == Vec2::ZERO;
                let goal = mover.journey.destination();
                let near = GAP * (half + other.is.half).x;
                self.arrives =
                    is_settled && goal.is_some_and(|g| g.distance(other.is.goal) <= near);
            }
            None if was_passing => {}
            None => self.waited = (self.waited - dt).max(0.0),
        }
        self.passes = self.waited >= PATIENCE && (!was_passing || ignores || blocker.is_some());
        if was_passing && !self.passes {
            self.waited = 0.0;
        }
    }

    /// Looks along its platform, and at the end of its next link. Returns what keeps it from
    /// going on, and whether it passes through another one.
    fn look_along<'a>(
        &mut self,
        crowd: &'a Crowd,
        me: Viewer,
        mover: &mut Mover<'_>,
        on: Platform<'_>,
        passes: bool,
    ) -> (Option<Blocker<'a>>, bool) {
        let axis = usize::from(on.kind.is_upright());
        let speeds = SpeedProfile::from(&mover.settings.profile);
        let link = mover.next_link(on.id);
        self.head_for(mover, on, link.map(|(_, link)| link));
        let heading = self.heading[axis];
        let reach = 4.0 * me.half[axis] + 2.0 * speeds.stopping_distance(speeds.speed) as f32;
        let feet = lift(mover.layer(), me.half);
        // A floor that is not level leads up and down; no agent walks where it is steeper than 2.
        let is_level = on.surface.len() == 2 && on.left().y == on.right().y;
        let around = match (axis, is_level) {
            (0, true) => Vec2::new(reach, me.half.y),
            (0, false) => Vec2::new(reach, me.half.y + 2.0 * reach),
            _ => Vec2::new(me.half.x, me.half.y + reach),
        };
        let (mut bounds, mut ignores) = ([f32::NEG_INFINITY, f32::INFINITY], false);
        let mut blocker = None;
        self.rank = me.number;
        for other in crowd.inside(me, me.at - around, me.at + around) {
            let Some(ahead) = beside(on, other, me, feet, axis).filter(|d| d.abs() <= reach) else {
                continue;
            };
            let (side, sum) = (ahead.signum(), (me.half + other.is.half)[axis]);
            let follows = other.is.heading[axis] * side;
            if other.is.heading[axis] == heading && heading != 0.0 {
                self.rank = self.rank.min(other.is.rank);
            }
            if passes && follows <= 0.0 {
                ignores |= side == heading;
                continue;
            }
            let bound = other.at[axis] + other.is.stop[axis] - side * GAP * sum;
            let at = &mut bounds[usize::from(side > 0.0)];
            if (*at - bound) * side > 0.0 {
                *at = bound;
                if side == heading {
                    let counts = if follows > 0.0 { 0.0 } else { 1.0 };
                    blocker = Some(Blocker { other, counts });
                }
            }
        }
        let offset = on.along(me.at - feet) - me.at[axis];
        self.room = Room {
            on: on.id,
            bounds: bounds.map(|bound| f64::from(bound + offset)),
            ..Room::default()
        };
        let speed = f64::from(mover.body.velocity[axis]).abs();
        let stands = speed <= STANDS * speeds.speed;
        let left = (bounds[usize::from(heading > 0.0)] - me.at[axis]) * heading;
        self.room.is_held =
            stands && left <= 0.25 * me.half[axis] && mover.journey.route.current().is_some();
        if let Some((id, link)) = link
            && (on.along(link.from) - on.along(me.at - feet)).abs() <= reach
            && let Some(at_end) = at_landing(crowd, me, mover, id, link)
        {
            if passes {
                ignores = true;
            } else {
                self.room.takes_link = false;
                if !self.room.is_held {
                    (self.room.is_held, blocker) = (stands, Some(at_end));
                }
            }
        }
        if heading == 0.0 && axis == 0 && mover.journey.route.current().is_none() {
            self.room.aside = clear_of_others(crowd, me, on, feet);
        }
        if self.avoidance == Avoidance::Yield && self.aside.is_none() && axis == 0 && !passes {
            let comes = blocker.filter(|b| b.other.is.heading.x * heading < 0.0);
            if let Some(Blocker { other, .. }) = comes
                && (other.is.avoidance == Avoidance::Queue
                    || other.is.is_aside && other.is.rank == self.rank
                    || (other.is.rank, other.number) < (self.rank, me.number))
            {
                self.step_aside(me, mover, on, other);
            }
        }
        (blocker, ignores)
    }

    /// Notes in which direction the next step of the route leads.
    fn head_for(&mut self, mover: &Mover<'_>, on: Platform<'_>, link: Option<&Link>) {
        let route = &mover.journey.route;
        let Some(step) = route.current() else {
            self.heading = Vec2::ZERO;
            return;
        };
        let axis = usize::from(on.kind.is_upright());
        let to = link.map_or(step.to, |link| link.from);
        let mut ahead = on.along(to) - on.along(mover.body.position);
        if ahead.abs() <= NEAR {
            ahead = link.map_or(0.0, |link| (link.to - link.from)[axis]);
        }
        let last = self.heading[axis];
        self.heading = Vec2::ZERO;
        self.heading[axis] = if ahead.abs() <= NEAR {
            last
        } else {
            ahead.signum()
        };
    }

    /// Looks ahead of a flier, and sets its pace.
    fn look_in_flight<'a>(
        &mut self,
        crowd: &'a Crowd,
        me: Viewer,
        mover: &Mover<'_>,
        passes: bool,
    ) -> (Option<Blocker<'a>>, bool) {
        let Movement::Flying(flier) = *mover.movement else {
            return (None, false);
        };
        let (at, velocity) = flier.state();
        let step = mover.journey.route.current();
        let ahead = step.map_or(Vec2::ZERO, |step| step.to - at.as_vec2());
        let mut planned = velocity.as_vec2();
        if planned.length() < 1.0 {
            planned = ahead;
        }
        let way = planned.normalize_or_zero();
        self.heading = way;
        let speeds = SpeedProfile::of_flight(&mover.settings.profile);
        let radius = me.half.max_element();
        let reach = 4.0 * radius + 2.0 * speeds.stopping_distance(speeds.speed) as f32;
        let (mut room, mut blocker, mut ignores) = (f32::INFINITY, None, false);
        for other in crowd.inside(me, me.at - reach, me.at + reach) {
            let off = other.at - me.at;
            let along = off.dot(way);
            let sum = GAP * (radius + other.is.half.max_element());
            let aside = off.length_squared() - along * along;
            if along <= 0.0 || along > reach || aside >= sum * sum {
                continue;
            }
            let flies_on = f64::from(other.is.velocity.dot(way)) > STANDS * speeds.speed;
            if passes && !flies_on {
                ignores = true;
                continue;
            }
            let stop = other.is.stop.dot(way);
            let left = along + stop - (sum * sum - aside).sqrt();
            if left < room {
                room = left;
                let follows = other.is.heading.dot(way) > 0.5;
                let counts = if follows { IN_A_JAM } else { 1.0 };
                blocker = Some(Blocker { other, counts });
            }
        }
        let slowest = 0.1 * speeds.speed;
        let planned = velocity.length().max(slowest);
        let closing = closing_speed(room.max(0.0).into(), 0.0, speeds.deceleration, me.dt);
        let change = speeds.deceleration * me.dt;
        let paced = (closing / planned).min(1.0) - self.pace;
        self.pace += paced.clamp(-change / planned, change / speeds.speed);
        self.room.is_held = self.pace <= STANDS && step.is_some();
        (blocker, ignores)
    }

    /// Goes to the nearest place off the way of another one that comes towards it: beyond where
    /// that one leaves the platform, or on a platform from which a link leads back.
    fn step_aside(
        &mut self,
        me: Viewer,
        mover: &mut Mover<'_>,
        on: Platform<'_>,
        comes: Other<'_>,
    ) {
        let layer = mover.layer();
        let (x, side) = (me.at.x, self.heading.x);
        let (width, speed) = (2.0 * me.half.x, mover.settings.profile.run_speed);
        // One that makes way leads to its own place.
        let same = comes.is.layer == layer.identity() && !comes.is.is_aside;
        let theirs = comes.is.links[0]
            .filter(|_| same)
            .and_then(|id| layer.link(id));
        let avoided = theirs.map(|link| link.to_platform);
        // Back, because the way ahead is taken.
        let is_free = |to: f32| (to - x) * side <= 0.5 * me.half.x;
        let mut best: Option<(f32, Vec2)> = None;
        if let Some(exit) =
            theirs.filter(|link| link.from_platform == on.id && is_free(link.from.x))
        {
            let wait = exit.from.x - 2.0 * side * width;
            if on.spans(wait) {
                best = Some(((wait - x).abs() / speed, on.clamp(wait)));
            }
        }
        let (first, links) = layer.links_from(on.id);
        let shared = &mut mover.memory.shared;
        shared.clear();
        for (id, link) in (first..).map(LinkId).zip(links) {
            if !is_free(link.from.x) {
                shared.push((id, ASIDE_TIME as f32));
            }
            let to = layer.platform(link.to_platform);
            let Some(to) = to.filter(|to| to.kind == PlatformKind::Floor && is_free(link.from.x))
            else {
                continue;
            };
            let mut back = layer.links_from(to.id).1.iter();
            if Some(to.id) == avoided
                || to.id == on.id
                || !back.any(|back| back.to_platform == on.id)
            {
                continue;
            }
            let seconds = (link.from.x - x).abs() / speed + link.duration;
            if seconds * speed > ASIDE * width || best.is_some_and(|(least, _)| least <= seconds) {
                continue;
            }
            // As far inside as there is room for others.
            let [low, high] = [to.left().x, to.right().x];
            let inside = if link.to.x - low > high - link.to.x {
                low
            } else {
                high
            };
            let far = 6.0 * width;
            let place = inside.clamp(link.to.x - far, link.to.x + far);
            if high - low >= width {
                best = Some((seconds, to.clamp(place)));
            }
        }
        if let Some((_, place)) = best {
            self.aside = Some(Aside {
                home: on.id,
                at: x,
                side,
                left: ASIDE_TIME,
            });
            mover.journey.detour = Some(place);
            mover.journey.replan();
        } else {
            mover.memory.shared.clear();
        }
    }

    /// Goes on to its destination when nobody comes towards it any more.
    fn end_aside(&mut self, crowd: &Crowd, me: Viewer, mover: &mut Mover<'_>) {
        let Some(aside) = &mut self.aside else {
            return;
        };
        aside.left -= me.dt;
        let aside = *aside;
        let layer = mover.layer();
        let is_there = mover.journey.route.current().is_none() && !mover.journey.needs_path();
        let comes = layer.platform(aside.home).is_some_and(|home| {
            let feet = lift(layer, me.half);
            let far = ASIDE * me.half.x;
            let viewer = Viewer {
                at: home.clamp(aside.at) + feet,
                ..me
            };
            let mut others = crowd.inside(viewer, viewer.at - far, viewer.at + far);
            others.any(|other| {
                other.is.heading.x * aside.side < 0.0
                    && beside(home, other, viewer, feet, 0).is_some_and(|ahead| ahead.abs() <= far)
            })
        });
        // Where there is no room for it, it goes on, too.
        let gives_up = aside.left <= 0.0 || self.passes || self.progress.1 >= LONGEST;
        if gives_up || is_there && !comes || mover.journey.detour.is_none() {
            self.aside = None;
            if aside.left <= 0.0 {
                (self.waited, self.passes) = (PATIENCE, true);
            }
            mover.memory.shared.clear();
            if mover.journey.detour.take().is_some() {
                mover.journey.replan();
            }
        }
    }

    /// Notes for others where the agent is after a step of `dt` seconds.
    pub fn note(&mut self, crowd: &mut Crowd, mover: &mut Mover<'_>, dt: f64) {
        let is_held = self.room.is_held;
        self.room = Room {
            is_held,
            ..Room::default()
        };
        let Some((number, clock)) = self.place else {
            return;
        };
        let (layer, profile) = (mover.layer(), &mover.settings.profile);
        let velocity = mover.body.velocity;
        if self.arrives {
            mover.journey.arrive(mover.body.position, mover.events);
            mover.journey.forget_path();
            if let Movement::Flying(flier) = *mover.movement {
                *mover.movement = Movement::hovering(flier.state().0.as_vec2());
            }
        }
        let half = 0.5 * Vec2::from(layer.profile().body);
        let is_physical = mover.is_driven && mover.movement.is_physical();
        let (feet, velocity) = match *mover.movement {
            Movement::Airborne(flight, ..) => (flight.to, Vec2::ZERO),
            // The engine moves the body in this step.
            _ if is_physical => (mover.body.position + velocity * dt as f32, velocity),
            _ => (mover.body.position, velocity),
        };
        let stops = matches!(mover.movement, Movement::Floor(..) | Movement::Flying(_));
        let stop = if stops {
            velocity * velocity.abs() / (2.0 * profile.deceleration)
        } else {
            Vec2::ZERO
        };
        if mover.journey.route.current().is_none() {
            self.heading = Vec2::ZERO;
        }
        let mut links = mover
            .journey
            .route
            .remaining()
            .iter()
            .filter_map(|step| step.link);
        let next = links.next();
        let last = if self.spreads {
            links.next_back().or(next)
        } else {
            None
        };
        let clock = clock + dt;
        self.place = Some((number, clock));
        crowd.note(
            number,
            Neighbor {
                clock,
                at: feet + lift(layer, half),
                half,
                velocity,
                stop,
                heading: self.heading,
                goal: mover.journey.destination().unwrap_or(feet),
                waited: is_held.then_some(self.waited),
                is_aside: self.aside.is_some(),
                rank: self.rank,
                avoidance: self.avoidance,
                layer: layer.identity(),
                links: [next, last],
            },
        );
    }
}

/// From the feet of a body to its middle.
fn lift(layer: &Layer, half: Vec2) -> Vec2 {
    Vec2::new(0.0, -layer.grid().y_axis.down() * half.y)
}

/// How far ahead on a platform another one is, if it is in the way there. Of two at the same
/// place, the one that came later is ahead.
fn beside(on: Platform<'_>, other: Other<'_>, me: Viewer, feet: Vec2, axis: usize) -> Option<f32> {
    let place = on.at(on.along(other.at - feet)) + feet;
    let off = (place - other.at)[1 - axis].abs();
    let ahead = other.at[axis] - me.at[axis];
    let is_in_way = off < BESIDE * (me.half + other.is.half)[1 - axis];
    let tie = if other.number > me.number {
        f32::MIN_POSITIVE
    } else {
        -f32::MIN_POSITIVE
    };
    is_in_way.then_some(if ahead == 0.0 { tie } else { ahead })
}

/// Where a body that rests inside of others that were there before it is clear of them.
fn clear_of_others(crowd: &Crowd, me: Viewer, on: Platform<'_>, feet: Vec2) -> Option<f64> {
    let reach = 6.0 * me.half.x;
    let before = || {
        let others = crowd.inside(me, me.at - reach, me.at + reach);
        let rests = others.filter(|other| other.number < me.number && other.is.stop == Vec2::ZERO);
        rests.filter(|other| beside(on, *other, me, feet, 0).is_some())
    };
    let is_clear =
        |x: f32| !before().any(|other| (other.at.x - x).abs() < 0.99 * (me.half + other.is.half).x);
    if is_clear(me.at.x) {
        return None;
    }
    let sides = before().flat_map(|other| {
        [-1.0, 1.0].map(|side| other.at.x + side * GAP * (me.half + other.is.half).x)
    });
    let free = sides.filter(|&x| on.spans(x) && is_clear(x));
    free.min_by(|a, b| (a - me.at.x).abs().total_cmp(&(b - me.at.x).abs()))
        .map(f64::from)
}

/// Who is where a link ends.
fn at_landing<'a>(
    crowd: &'a Crowd,
    me: Viewer,
    mover: &Mover<'_>,
    id: LinkId,
    link: &Link,
) -> Option<Blocker<'a>> {
    let layer = mover.layer();
    let to = layer.platform(link.to_platform)?;
    let landing = link.to + lift(layer, me.half);
    let mut steps = mover.journey.route.remaining().iter();
    let climbs = to.kind.is_upright() && link.kind.is_climb();
    let onward = steps
        .find(|step| step.link == Some(id))
        .and_then(|_| steps.next());
    let upward = onward.map_or(0.0, |step| (step.to.y - link.to.y).signum());
    let speeds = SpeedProfile::from(&mover.settings.profile);
    let slide = if link.kind.is_airborne() {
        (link.to.x - link.from.x).signum() * speeds.stopping_distance(speeds.speed) as f32
    } else {
        0.0
    };
    let gap = if link.kind.is_climb() { BESIDE } else { GAP };
    let (low, high) = to.extent();
    let height = if climbs { high - low } else { 0.0 };
    let around = Vec2::new(slide.abs(), height) + GAP * me.half;
    let found = crowd
        .inside(me, landing - around, landing + around)
        .find(|other| {
            let sum = me.half + other.is.half;
            let off = other.at + other.is.stop - landing;
            if climbs {
                // On a ladder: one after the other, and nobody towards another one.
                let on_it = off.x.abs() < BESIDE * sum.x
                    && other.is.heading.y != 0.0
                    && (low..=high).contains(&(other.at.y - lift(layer, me.half).y));
                let ahead = off.y * upward;
                return on_it
                    && ahead > -0.5 * sum.y
                    && (other.is.heading.y != upward || ahead < GAP * sum.y);
            }
            let beyond = (off.x - off.x.clamp(slide.min(0.0), slide.max(0.0))).abs();
            beyond < gap * sum.x && off.y.abs() < BESIDE * sum.y
        });
    found.map(|other| Blocker {
        other,
        counts: IN_A_JAM,
    })
}

/// Notes which links others take to the same target.
fn share(crowd: &Crowd, me: Viewer, mover: &mut Mover<'_>) {
    let shared = &mut mover.memory.shared;
    shared.clear();
    let Some(goal) = mover.journey.destination() else {
        return;
    };
    let layer = mover.environment.layer.identity();
    // Only those before it, so that two do not change their ways for each other.
    let before = crowd.neighbors.iter().take(me.number);
    for other in before.filter(|other| other.layer == layer) {
        let near = 4.0 * GAP * (me.half + other.half).max_element();
        if me.clock - other.clock < FORGOTTEN && other.goal.distance(goal) <= near {
            let [next, last] = other.links;
            shared.extend(next.map(|link| (link, SHARED)));
            shared.extend(last.filter(|_| last != next).map(|link| (link, SHARED)));
        }
    }
}
