//! Bodies that a physics engine moves: what they did in the last step, and whether they
//! get on.
//!
//! The body decides where the agent is. On a floor the agent follows its route
//! from the place that the body reports. It commands the body to jump, and a jump
//! begins only when the body has left the floor, and ends only when the body
//! stands again.

use super::airborne::Airborne;
use super::body::BodyState;
use super::free_flight::way_out_of_sight;
use super::kinematics::Runner;
use super::memory::{BodyFlight, Progress, TakeOff};
use super::movement::Movement;
use super::mover::Mover;
use super::report::{AgentEvent, PathLostReason, Stranded};
use super::riding::Riding;
use crate::mesh::{Launch, Link, LinkId, Platform, PlatformId, PlatformKind, StepKind};
use crate::search::SnapTo;

/// Share of the body's height that a body may be off the floor it stands on,
/// and off its trajectory before the time of the trajectory follows the body.
const SLOP: f32 = 0.05;
/// Share of the body's width that it keeps from the ends of platforms. Bodies of engines are up
/// to a tenth narrower than baked, so they leave the floor up to a twentieth before its end.
/// With more, links of the least tolerance cannot be taken from there.
const EDGE: f64 = 0.052;
/// Share of the body's width before the end of a platform from which a capsule slips off, where
/// it is so steep below the capsule as no agent walks: (1 - sin 50°) / 2.
const ROUND_EDGE: f64 = 0.117;
/// Seconds after it passed the height of its landing at which a body has missed
/// its floor.
const MISSED: f64 = 0.1;
/// Seconds without progress after which an agent is stuck.
pub const PATIENCE: f64 = 4.0;

/// The launches of a flight that push the body up.
pub fn jumps(airborne: &Airborne) -> impl Iterator<Item = Launch> + use<'_> {
    airborne.launches().filter(|launch| launch.speed > 0.0)
}

/// -1 for a link that begins at the left end of its platform, 1 for one at the right.
pub fn side_of(on: Platform<'_>, link: &Link) -> f64 {
    if (link.from.x - on.left().x).abs() < (link.from.x - on.right().x).abs() {
        -1.0
    } else {
        1.0
    }
}

/// What the body did.
impl<'a> Mover<'a> {
    pub fn x(&self) -> f64 {
        self.body.position.x.into()
    }

    pub fn speed(&self) -> f64 {
        self.body.velocity.x.into()
    }

    /// 1 where y grows downwards, -1 otherwise.
    pub fn down(&self) -> f64 {
        self.layer().grid().y_axis.down().into()
    }

    /// Seconds of this step.
    pub fn seconds(&self) -> f64 {
        self.memory.steps.now
    }

    /// Seconds of the steps after this one, as far as is known.
    pub fn usual_step(&self) -> f64 {
        self.memory.steps.usual
    }

    /// Gravity on the agent, units/s².
    pub fn gravity(&self) -> f64 {
        self.settings.fall(self.layer()).gravity
    }

    /// Greatest distance of a body from the floor that it stands on.
    pub fn slop(&self) -> f32 {
        let layer = self.layer();
        (SLOP * layer.profile().body[1]).max(1e-2 * layer.grid().spacing)
    }

    /// How near its take-off a body has to be where the link has no tolerance: somewhat more
    /// than the tenth of the slop that bodies keep from the ends of platforms.
    pub fn precision(&self) -> f64 {
        0.15 * f64::from(self.slop())
    }

    /// Distance from the ends of platforms at which a body takes off, lands and stops.
    pub fn edge(&self) -> f64 {
        EDGE * f64::from(self.layer().profile().body[0])
    }

    /// Distance from the ends of platforms at which a round body still stands.
    pub fn round_edge(&self) -> f64 {
        ROUND_EDGE * f64::from(self.layer().profile().body[0])
    }

    /// Greatest depth of a body below the floor that it stands on.
    ///
    /// On a slope a box rests on a corner, and a capsule beside its middle, which is lower,
    /// above all if it is a tenth narrower than the box. At the end of a platform a capsule
    /// sinks, by less.
    fn sink(&self) -> f64 {
        let profile = self.layer().profile();
        let half = 0.5 * f64::from(profile.body[0]);
        let slope = f64::from(profile.max_slope).to_radians();
        let sink = half * (slope.tan() - 0.9 * (1.0 / slope.cos() - 1.0));
        sink.max(self.slop().into())
    }

    /// How far below a floor the body is.
    pub fn depth_below(&self, on: Platform<'_>) -> f64 {
        let at = self.body.position;
        f64::from(at.y - on.clamp(at.x).y) * self.down()
    }

    /// How fast the body moves up, units/s.
    fn upward_speed(&self) -> f64 {
        -f64::from(self.body.velocity.y) * self.down()
    }

    /// Whether the body moves up.
    pub fn rises(&self) -> bool {
        self.upward_speed() > 1.0
    }

    /// How fast a body with this velocity across moves up along its platform, where it is
    /// or was before the last step, units/s; 0 if it moves down.
    fn walking_rise(&self, on: Platform<'_>) -> f64 {
        let across = self.body.velocity.x;
        let [now, before] = [self.body.position.x, self.memory.at.x]
            .map(|x| -f64::from(across * on.slope_at(x, across)) * self.down());
        now.max(before).max(0.0)
    }

    /// The body as it is taken for: grounded also where it rests on its platform although
    /// the engine reports that it does not, which controllers do for single steps.
    pub fn steadied(&self) -> BodyState {
        let body = self.body;
        let Movement::Floor(on, _) = *self.movement else {
            return body;
        };
        let layer = self.layer();
        // A body that drops through its platform begins at rest.
        let jump = self.memory.take_off.jump;
        let drops = jump.and_then(|(id, ..)| layer.link(id));
        let drops = drops.is_some_and(|link| link.kind == StepKind::DropThrough);
        let rests = !drops
            && layer.platform(on).is_some_and(|on| {
                let along =
                    f64::from(body.velocity.x * on.slope_at(body.position.x, body.velocity.x));
                let off = f64::from(body.velocity.y) - along;
                // One that falls is faster after a step.
                on.spans(body.position.x)
                    && self.depth_below(on).abs() <= f64::from(self.slop())
                    && off.abs() < 0.5 * self.gravity() * self.memory.steps.last
            });
        BodyState {
            grounded: body.grounded || rests,
            ..body
        }
    }

    /// The link that the route takes next, from this platform.
    pub fn next_link(&self, platform: PlatformId) -> Option<(LinkId, &'a Link)> {
        let layer = self.layer();
        let route = &self.journey.route;
        let mut steps = route.current().into_iter().chain(route.following());
        let id = steps.find_map(|step| step.link)?;
        let link = layer.link(id)?;
        (link.from_platform == platform).then_some((id, link))
    }

    /// The floor that the body stands on; the expected one where there are two.
    fn floor(&self, expected: Option<PlatformId>) -> Option<PlatformId> {
        let (layer, at, slop) = (self.layer(), self.body.position, self.slop());
        if let Some(on) = expected.and_then(|id| layer.platform(id)) {
            let across = on.left().x - slop..=on.right().x + slop;
            if across.contains(&at.x) && (on.clamp(at.x).y - at.y).abs() <= slop {
                return expected;
            }
        }
        let within = SnapTo::FloorWithin {
            above: slop,
            below: slop,
        };
        let snap = |to| layer.snap(at, to)?.platform;
        snap(within)
            .or_else(|| snap(SnapTo::NearestFloor(slop)))
            .or_else(|| expected.filter(|id| self.has_sunk(*id)))
    }

    /// Whether the body stands on a platform, lower than a box would.
    fn has_sunk(&self, on: PlatformId) -> bool {
        let on = self.layer().platform(on).filter(|_| self.body.grounded);
        on.is_some_and(|on| {
            (0.0..=self.sink()).contains(&self.depth_below(on)) && on.spans(self.body.position.x)
        })
    }

    /// Takes over what the body did in the last step.
    pub fn observe(&mut self) {
        match *self.movement {
            Movement::Floor(platform, _) => self.observe_floor(platform),
            Movement::Airborne(airborne, kind, to) => self.observe_flight(airborne, kind, to),
            Movement::Riding(riding) => self.observe_ride(riding),
            _ => {}
        }
        if matches!(self.movement, Movement::Unplaced | Movement::Stranded(..)) {
            self.find_place();
        }
    }

    fn observe_floor(&mut self, platform: PlatformId) {
        let (layer, at) = (self.layer(), self.body.position);
        let own = layer.platform(platform);
        // Only a body that was told to jump rises from its floor; others are lifted, or walk
        // up a slope or a step.
        let jumps = self.memory.take_off.jump.is_some()
            && own.is_none_or(|on| self.upward_speed() > self.walking_rise(on) + 1.0);
        let has_left = !self.body.grounded || jumps;
        if let Some((link, airborne, _)) = self.memory.take_off.jump
            && has_left
        {
            self.leave_floor(link, airborne);
            return;
        }
        let off = self.memory.off.saturating_add(1);
        self.memory.off = if has_left { off } else { 0 };
        let walks_off = (self.next_link(platform)).filter(|(_, link)| link.walks_off());
        if has_left
            && let Some((id, link)) = walks_off
            && own.is_some_and(|on| self.has_walked_off(on, link))
        {
            match self.flight(id, link) {
                Some((airborne, _)) => self.leave_floor(id, airborne),
                None => self.fall_off(PathLostReason::Limits),
            }
            return;
        }
        let spacing = layer.grid().spacing;
        let floor = own.map(|on| on.clamp(at.x));
        // A body that no controller holds on the floor falls a little where it walks down a
        // step or a slope.
        let is_walking_down = floor.is_some_and(|floor| {
            let height = f64::from(floor.y - at.y) * self.down();
            has_left && floor.x == at.x && (-self.sink()..=spacing.into()).contains(&height)
        });
        // It may also lose contact for a step, for instance at the seam of two boxes.
        let stands = !has_left || (self.memory.off < 2 || is_walking_down) && !self.rises();
        // One that stands, but not on a floor, is on something that the mesh does not
        // have, for instance a crate: the agent goes on along its platform, as far as a
        // search would begin on it.
        let is_near = floor.is_some_and(|floor| floor.distance(at) <= 2.0 * spacing);
        let is_kept = !has_left && is_near || is_walking_down;
        let on = if self.has_sunk(platform) {
            // At the lower end of a slope, a round body also touches the floor below.
            Some(platform)
        } else {
            let found = self.floor(Some(platform));
            // A controller may hold the body on steep ground beside the end where it should
            // fall, and on short floors there.
            let passes = walks_off
                .is_some_and(|(_, link)| found != Some(link.to_platform) && self.is_beside(link));
            let found = found.filter(|_| !passes);
            found.or((is_kept || passes).then_some(platform))
        };
        match on.filter(|_| stands) {
            Some(on) => {
                self.step_over(platform, on);
                let (at, velocity) = (self.x(), self.speed());
                *self.movement = Movement::Floor(on, Runner { at, velocity });
            }
            None => self.fall_off(PathLostReason::Drift),
        }
    }

    /// A body that stands on a later platform of its route has taken the links to it
    /// without a flight: controllers let bodies walk down and up steps.
    fn step_over(&mut self, from: PlatformId, on: PlatformId) {
        let layer = self.layer();
        let links = self.journey.route.remaining().iter();
        let mut links = links.filter_map(|step| step.link).rev();
        if from != on
            && let Some(id) = links.find(|id| layer.link(*id).is_some_and(|l| l.to_platform == on))
        {
            self.journey.route.advance_past(id);
            self.memory.take_off = TakeOff::default();
        }
    }

    /// Whether a body that has left the floor did so at the end where a link begins. One
    /// that nothing holds on a slope leaves the floor before it gets there.
    fn has_walked_off(&self, on: Platform<'_>, link: &Link) -> bool {
        let (at, slop) = (self.body.position, self.slop());
        let off = (at.x - link.from.x).abs();
        // Engines report up to two steps later that a body touches the area of a spring.
        let is_thrown = link.kind == StepKind::Spring && self.rises();
        let steps = if is_thrown { 3.0 } else { 1.0 };
        if is_thrown || at.x < on.left().x || on.right().x < at.x {
            f64::from(off) < steps * self.window() + f64::from(slop) || self.is_beside(link)
        } else {
            // Before the end, it may only have lost contact for some steps.
            off <= slop && self.depth_below(on) > f64::from(0.5 * slop)
        }
    }

    /// Whether the body is between the ends of a drop.
    fn is_beside(&self, link: &Link) -> bool {
        let at = self.body.position;
        let [low, high] = [link.from.min(link.to), link.from.max(link.to)];
        link.kind == StepKind::Drop
            && at.cmpge(low - self.slop()).all()
            && at.cmple(high + self.slop()).all()
    }

    /// How far from its take-off a body may be that jumped in the last step.
    fn window(&self) -> f64 {
        f64::from(self.settings.profile.run_speed) * self.memory.steps.last
    }

    /// Begins a flight: the body has left the floor.
    fn leave_floor(&mut self, id: LinkId, mut airborne: Airborne) {
        self.memory.take_off = TakeOff::default();
        (self.memory.run_ups, self.memory.off) = (0, 0);
        self.memory.flight = BodyFlight::default();
        let Some(link) = self.layer().link(id) else {
            return;
        };
        self.journey.route.advance_past(id);
        self.memory.flight.link = Some(id);
        self.memory.flight.launches = jumps(&airborne).take_while(|l| l.time < 1e-3).count();
        let (from, to) = (self.body.position, link.to);
        let kind = link.kind;
        self.events.push(AgentEvent::of_take_off(kind, from, to));
        // It has left the floor in the last step, or has fallen for longer.
        let begins = airborne.launches().next().map_or(0.0, |launch| launch.time);
        let fall = self.settings.fall(self.layer());
        let depth = f64::from(from.y - airborne.from.y) * self.down();
        let falls = link.walks_off() && link.kind != StepKind::Spring;
        let fallen = if falls && depth > 0.0 {
            fall.time_to(0.0, -depth)
        } else {
            0.0
        };
        airborne.seek(begins + fallen.max(self.memory.steps.last));
        let _ = self.follow_height(&mut airborne);
        *self.movement = Movement::Airborne(airborne, kind, link.to_platform);
    }

    /// Whether the body is not at the height of its trajectory, after the last jump
    /// of it. That may be due since the last step, in which it was too early.
    pub fn is_off_height(&self, airborne: &Airborne) -> bool {
        let off = f64::from(self.body.position.y - airborne.position().y);
        let last = airborne.launches().last().map_or(0.0, |launch| launch.time);
        let has_jumped = jumps(airborne).count() <= self.memory.flight.launches;
        off.abs() > f64::from(self.slop()) && airborne.elapsed() >= last && has_jumped
    }

    /// Where the body is not at the height of its trajectory, takes the time at
    /// which it will be at the height of the landing. Returns whether there is
    /// one.
    pub fn follow_height(&self, airborne: &mut Airborne) -> bool {
        if !self.is_off_height(airborne) {
            return true;
        }
        let down = self.down();
        let fall = self.settings.fall(self.layer());
        // The reported velocity is half a step of gravity ahead of the position.
        let up = -f64::from(self.body.velocity.y) * down - 0.5 * fall.gravity * self.usual_step();
        let [landing, height] = [airborne.to, self.body.position].map(|p| -f64::from(p.y) * down);
        let left = fall.time_to(up, landing - height);
        if left >= 0.0 {
            airborne.seek(airborne.duration() - left);
        }
        left > -MISSED
    }

    /// Begins a flight from a ladder, wall or ceiling, where the body is at rest.
    fn leave_hold(&mut self, airborne: &Airborne) {
        let id = self.journey.route.previous().and_then(|step| step.link);
        let link = id.and_then(|id| self.layer().link(id));
        if link.is_none_or(|link| [link.from, link.to] != [airborne.from, airborne.to]) {
            self.fall_off(PathLostReason::Drift);
            return;
        }
        self.memory.flight = BodyFlight {
            link: id,
            ..BodyFlight::default()
        };
        self.memory.off = 0;
    }

    fn observe_flight(&mut self, mut airborne: Airborne, kind: StepKind, to: PlatformId) {
        if self.memory.flight.link.is_none() && airborne.elapsed() == 0.0 {
            self.leave_hold(&airborne);
            return;
        }
        airborne.seek(airborne.elapsed() + self.memory.steps.last);
        // A ladder, wall or ceiling does not ground a body, and one that is not solid does
        // not stop it: in a step it may pass by.
        let (layer, at) = (self.layer(), self.body.position);
        let hold = layer.platform(to).filter(|p| p.kind != PlatformKind::Floor);
        let spot = hold.map(|hold| hold.at(hold.along(at)));
        let reach = self.slop() + 0.5 * self.window() as f32;
        if let Some(spot) = spot.filter(|spot| spot.distance(at) <= reach) {
            *self.movement = Movement::on_platform(layer, to, spot, 0.0);
            self.events.push(AgentEvent::Landed { at: spot });
            (self.memory.flight.link, self.memory.run_ups) = (None, 0);
        } else if self.body.grounded && !self.rises() {
            self.land(to);
        } else if self.follow_height(&mut airborne) {
            *self.movement = Movement::Airborne(airborne, kind, to);
        } else {
            self.miss();
        }
    }

    fn land(&mut self, to: PlatformId) {
        let at = self.body.position;
        let Some(on) = self.floor(Some(to)) else {
            self.miss();
            return;
        };
        *self.movement = Movement::on_platform(self.layer(), on, at, self.speed());
        self.events.push(AgentEvent::Landed { at });
        if let Some(marker) = self.memory.flight.rode.take() {
            self.events.push(AgentEvent::GotOff { marker, at });
        }
        self.memory.run_ups = 0;
        if on != to {
            self.note_failure();
            self.lose(PathLostReason::Drift);
        }
        self.memory.flight.link = None;
    }

    /// The body does not come down where it should.
    fn miss(&mut self) {
        self.note_failure();
        self.fall_off(PathLostReason::Drift);
    }

    fn note_failure(&mut self) {
        if let Some(link) = self.memory.flight.link.take() {
            self.memory.fail(link, 1);
        }
    }

    pub fn lose(&mut self, why: PathLostReason) {
        (self.memory.take_off.run_up, self.memory.take_off.jump) = (None, None);
        if self.journey.is_under_way() {
            self.journey.lose(why, self.events);
        }
    }

    /// Falls without a path.
    pub fn fall_off(&mut self, why: PathLostReason) {
        self.lose(why);
        *self.movement = Movement::Unplaced;
    }

    /// Finds the place of a body that stands, holds on to something or flies.
    fn find_place(&mut self) {
        let (layer, at, grounded) = (self.layer(), self.body.position, self.body.grounded);
        let seconds = self.settings.clock.seconds();
        if let Some(riding) = Riding::standing(layer, at, seconds).filter(|_| grounded) {
            *self.movement = Movement::Riding(riding);
            return;
        }
        // A body may be held by less of its edge than the mesh counts as support.
        if grounded
            && layer.profile().edges.walks()
            && let Some(on) = self.floor(None)
        {
            *self.movement = Movement::on_platform(layer, on, at, self.speed());
            return;
        }
        let kind = |platform: PlatformId| layer.platform(platform).map(|p| p.kind);
        let rest = layer.snap(at, SnapTo::Rest);
        let place = match rest.and_then(|rest| Some((rest.platform?, rest.position))) {
            Some((platform, position))
                if rest.is_some_and(|rest| rest.fall_x.is_none())
                    && (grounded || kind(platform).is_some_and(PlatformKind::is_upright)) =>
            {
                Some((platform, position))
            }
            // It stands on something that the mesh does not have, for instance a crate:
            // it walks off from where a path from here begins.
            _ if grounded => (layer.snap(at, SnapTo::PathEnd))
                .and_then(|end| Some((end.platform?, end.position)))
                .filter(|(platform, _)| kind(*platform) == Some(PlatformKind::Floor)),
            _ => (layer.snap(at, SnapTo::NearestHold(self.slop())))
                .and_then(|hold| Some((hold.platform?, hold.position))),
        };
        let rest = rest.ok_or_else(|| match Stranded::at(layer, at) {
            Stranded::NothingBelow if way_out_of_sight(layer, at.as_dvec2()) < 0.0 => {
                Stranded::LeftLevel
            }
            why => why,
        });
        *self.movement = match (rest, place) {
            (Ok(rest), _) if rest.platform.is_none() => Movement::hovering(rest.position),
            (_, Some((platform, position))) => {
                Movement::on_platform(layer, platform, position, self.speed())
            }
            (Err(why), None) if grounded || why != Stranded::NothingBelow => {
                if !matches!(self.movement, Movement::Stranded(known, _) if *known == why) {
                    self.events.push(AgentEvent::Stranded(why));
                }
                Movement::Stranded(why, at)
            }
            // Too high above its floor: `watch` reports it.
            _ if grounded => Movement::Unplaced,
            // It falls.
            _ => return,
        };
    }

    /// Reports an agent that makes no progress.
    pub fn watch(&mut self) {
        let (now, at) = (self.memory.clock, self.body.position);
        let (destination, is_under_way) = (self.journey.destination(), self.journey.is_under_way());
        let falls = !self.body.grounded && f64::from(self.body.velocity.y) * self.down() > 1.0;
        let has_no_place = *self.movement == Movement::Unplaced
            && self.journey.needs_path()
            && !self.settings.is_disabled()
            && !falls;
        self.memory.rests |= !is_under_way && self.speed().abs() < 1.0;
        let is_same = std::mem::replace(&mut self.memory.destination, destination) == destination;
        let none = Progress::none(now, at);
        if !is_under_way && !has_no_place {
            self.memory.progress = none;
            return;
        }
        // The path from where it finds a place may be longer than the one before.
        let left = if has_no_place {
            f64::INFINITY
        } else {
            self.seconds_left()
        };
        let spacing = self.layer().grid().spacing;
        let waits = self.room.is_held || self.is_with_platform();
        let last = &mut self.memory.progress;
        if waits {
            last.since = now;
        }
        if has_no_place || !is_same {
            last.left = left;
        }
        // Towards a target that moves on, only the body shows that it gets on.
        let has_moved = !is_same && at.distance(last.at) > spacing;
        // Less than this is no progress, but a body that is pushed about.
        if left < last.left - 0.05 || has_moved {
            *last = Progress { left, ..none };
        } else if now - last.since > PATIENCE {
            *last = none;
            self.events.push(AgentEvent::Stuck { at });
            let on = self.movement.platform();
            if let Some((id, _)) = on.and_then(|on| self.next_link(on)) {
                self.memory.fail(id, 1);
            }
            self.lose(PathLostReason::Drift);
        }
    }

    /// Seconds that the rest of the route takes from where the body is.
    fn seconds_left(&self) -> f64 {
        let mut steps = self.journey.route.remaining().iter();
        let current = steps.next().map_or(0.0, |step| {
            let length = f64::from(step.from.distance(step.to)).max(1e-6);
            let ahead = f64::from(self.body.position.distance(step.to));
            f64::from(step.duration) * (ahead / length).min(4.0)
        });
        current + steps.map(|step| f64::from(step.duration)).sum::<f64>()
    }
}
