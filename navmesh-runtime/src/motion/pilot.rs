//! Bodies that a physics engine moves: when they jump, and how they steer.
//!
//! The body decides where the agent is. On a floor the agent follows its route
//! from the place that the body reports. It tells the body to jump, and a jump
//! begins only when the body has left the floor, and ends only when the body
//! stands again.

use glam::{DVec2, Vec2};

use super::air_course::closing_speed;
use super::airborne::Airborne;
use super::environment::Environment;
use super::free_flight::way_out_of_sight;
use super::kinematics::{Runner, SpeedProfile};
use super::movement::Movement;
use super::pilot_memory::{PilotMemory, Progress};
use super::plan::Plan;
use super::report::{AgentEvent, PathLostReason, Stranded};
use super::settings::Settings;
use crate::mesh::{Launch, Layer, Link, LinkId, LinkKind, Platform, PlatformId, PlatformKind};
use crate::search::{SnapTo, StepKind};

/// Share of the body's height that a body may be off the floor it stands on,
/// and off its trajectory before the time of the trajectory follows the body.
const SLOP: f32 = 0.05;
/// Share of the body's width by which it may be lower than the floor that it stands on:
/// the bottom of a capsule is round, so it sinks at the end of a platform, and on slopes.
const SINK: f32 = 0.25;
/// Seconds for which a jump is repeated to a body that does not leave the floor, and
/// a rise to a body that something stops in the air. Games often need two steps, and
/// some keep a jump for a tenth of a second.
pub const JUMP_WAIT: f64 = 0.15;
/// Seconds after it passed the height of its landing at which a body has missed
/// its floor.
const MISSED: f64 = 0.1;
/// Seconds without progress after which an agent is stuck.
const PATIENCE: f64 = 4.0;
/// The share of a usual step below which the mean of the steps of a rise hardly ever is:
/// of rises in frames of 8 to 33 ms, mixed, 0.6 % have a lower one, and 3 % if every tenth
/// frame of a game is twice as long.
const SHORTER: f64 = 0.8;

/// What a game reports of a body that its physics moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Feet, world units.
    pub position: Vec2,
    /// Units/s.
    pub velocity: Vec2,
    /// Whether the body stands on something.
    pub grounded: bool,
}

/// What a body that is moved by physics should do in the next step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyCommand {
    /// The velocity that the body should have in this step, units/s. On floors
    /// and in jumps, a body with its own gravity uses the x only.
    pub velocity: Vec2,
    /// A jump to begin now, from the floor or in the air. One from the floor is
    /// repeated in every step until the body has left the floor.
    pub jump: Option<BodyJump>,
    /// Whether the body should move by exactly this velocity, without gravity and
    /// collisions: the agent flies, climbs, is in a portal or disabled, also while it
    /// rests there and in the step that ends on a floor.
    pub exact: bool,
}

impl BodyCommand {
    pub(crate) fn without_jump(velocity: Vec2) -> Self {
        Self {
            velocity,
            ..Self::default()
        }
    }

    pub(crate) fn exactly(velocity: Vec2) -> Self {
        Self {
            exact: true,
            ..Self::without_jump(velocity)
        }
    }
}

/// A jump of a body, or a drop through the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyJump {
    /// The link that it follows.
    pub link: LinkId,
    /// A jump, or a drop through the one-way platform below.
    pub kind: StepKind,
    /// The velocity to have in this step, units/s. It is for a body to whose
    /// velocity the engine adds gravity before it moves the body: the launch of
    /// the link and the half step of gravity that this takes away. It is a little
    /// less below a ceiling, where steps differ.
    pub velocity: Vec2,
}

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

/// Steers a body along a route, in one step.
pub struct Pilot<'a> {
    pub environment: Environment<'a>,
    pub settings: &'a Settings,
    pub movement: &'a mut Movement,
    pub plan: &'a mut Plan,
    pub events: &'a mut Vec<AgentEvent>,
    pub memory: &'a mut PilotMemory,
    pub body: BodyState,
    pub seconds: f64,
}

impl<'a> Pilot<'a> {
    pub fn layer(&self) -> &'a Layer {
        self.environment.layer
    }

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

    /// Seconds of the steps after this one, as far as is known.
    pub fn usual_step(&self) -> f64 {
        self.memory.steps.usual
    }

    /// The body on its floor.
    fn runner(&self) -> Runner {
        Runner {
            at: self.x(),
            velocity: self.speed(),
        }
    }

    /// Greatest distance of a body from the floor that it stands on.
    pub fn slop(&self) -> f32 {
        let layer = self.layer();
        (SLOP * layer.profile().body[1]).max(1e-2 * layer.grid().spacing)
    }

    /// Greatest depth of a body below the floor that it stands on.
    fn sink(&self) -> f32 {
        (SINK * self.layer().profile().body[0]).max(self.slop())
    }

    /// The nearest x to another one that is at least a share of the slop inside the
    /// ends of a platform. A body that stands at the very end slips off: engines often
    /// leave a little of it outside of its shape.
    pub fn inside(&self, on: Platform<'_>, x: f64, share: f64) -> f64 {
        self.within([on.left().x.into(), on.right().x.into()], x, share)
    }

    /// [`inside`](Self::inside) between two edges.
    pub fn within(&self, [left, right]: [f64; 2], x: f64, share: f64) -> f64 {
        let margin = (share * f64::from(self.slop())).min(0.25 * (right - left));
        x.clamp(left + margin, right - margin)
    }

    /// Whether the body moves up.
    pub fn rises(&self) -> bool {
        f64::from(self.body.velocity.y) * self.down() < -1.0
    }

    /// The floor that the body stands on; the expected one where there are two.
    fn floor(&self, expected: Option<PlatformId>) -> Option<PlatformId> {
        let (layer, at, slop) = (self.layer(), self.body.position, self.slop());
        let expected = expected.and_then(|id| layer.platform(id));
        let holds = |p: &Platform<'_>| {
            let (low, high) = (p.left().x - slop, p.right().x + slop);
            low <= at.x && at.x <= high && (p.clamp(at.x).y - at.y).abs() <= slop
        };
        let found = expected.filter(holds).map(|p| p.id);
        let within = SnapTo::FloorWithin {
            above: slop,
            below: slop,
        };
        let below = || layer.snap(at, within)?.platform;
        let beside = || layer.snap(at, SnapTo::NearestFloor(slop))?.platform;
        let sunk = || expected.filter(|p| self.has_sunk(*p)).map(|p| p.id);
        found.or_else(below).or_else(beside).or_else(sunk)
    }

    /// Whether the body stands on a platform, lower than a box would.
    fn has_sunk(&self, on: Platform<'_>) -> bool {
        let at = self.body.position;
        let depth = f64::from(at.y - on.clamp(at.x).y) * self.down();
        let sink = f64::from(self.sink());
        self.body.grounded && (0.0..=sink).contains(&depth) && on.spans(at.x)
    }

    /// Takes over what the body did in the last step.
    pub fn observe(&mut self) {
        match *self.movement {
            Movement::Floor(platform, _) => self.observe_floor(platform),
            Movement::Airborne(airborne, kind, platform) => {
                self.observe_flight(airborne, kind, platform);
            }
            _ => {}
        }
        if matches!(self.movement, Movement::Unplaced | Movement::Stranded(..)) {
            self.find_place();
        }
    }

    fn observe_floor(&mut self, platform: PlatformId) {
        let has_left = !self.body.grounded || self.rises();
        if let Some((link, airborne, _)) = self.memory.jumping
            && has_left
        {
            self.leave_floor(link, airborne);
            return;
        }
        let off = self.memory.off.saturating_add(1);
        self.memory.off = if has_left { off } else { 0 };
        if has_left
            && let Some((id, link)) = self.next_link(platform)
            && link.walks_off()
            && let Some(on) = self.layer().platform(platform)
            && self.has_walked_off(on, link)
        {
            if let Some(airborne) = self.flight(id, link) {
                self.leave_floor(id, airborne);
            } else {
                self.fall_off(PathLostReason::Limits);
            }
            return;
        }
        let (layer, at) = (self.layer(), self.body.position);
        let spacing = layer.grid().spacing;
        let own = layer.platform(platform);
        let below = own.map(|p| p.clamp(at.x) - at);
        // A body that no controller holds on the floor falls a little where it walks down a
        // step or a slope.
        let sink = f64::from(self.sink());
        let is_walking_down = below.is_some_and(|to| {
            let depth = f64::from(to.y) * self.down();
            has_left && to.x == 0.0 && (-sink..=f64::from(spacing)).contains(&depth)
        });
        // It may also lose contact for a step, for instance at the seam of two boxes.
        let stands = (self.memory.off < 2 || is_walking_down) && !self.rises();
        // One that stands, but not on a floor, is on something that the mesh does not
        // have, for instance a crate: the agent goes on along its platform, as far as a
        // search would begin on it.
        let is_near = below.is_some_and(|to| to.length() <= 2.0 * spacing);
        let kept = (!has_left && is_near || is_walking_down).then_some(platform);
        // At the lower end of a slope, a round body also touches the floor below.
        let sunk = own.filter(|on| self.has_sunk(*on)).map(|on| on.id);
        let on = sunk.or_else(|| self.floor(Some(platform))).or(kept);
        match on.filter(|_| stands) {
            Some(on) => {
                self.step_over(platform, on);
                *self.movement = Movement::Floor(on, self.runner());
            }
            None => self.fall_off(PathLostReason::Drift),
        }
    }

    /// A body that stands on the next platform of its route has taken the link to it
    /// without a flight: controllers let bodies walk down and up steps.
    fn step_over(&mut self, from: PlatformId, on: PlatformId) {
        if let Some((id, link)) = self.next_link(from)
            && from != on
            && link.to_platform == on
        {
            self.plan.route.advance_past(id);
            (self.memory.jumping, self.memory.run_up) = (None, None);
            (self.memory.next, self.memory.late) = (None, None);
        }
    }

    /// Whether a body that has left the floor did so at the end where a link begins. One
    /// that nothing holds on a slope leaves the floor before it gets there.
    fn has_walked_off(&self, on: Platform<'_>, link: &Link) -> bool {
        let (at, slop) = (self.body.position, self.slop());
        let off = (at.x - link.from.x).abs();
        let depth = (at.y - on.clamp(at.x).y) * self.layer().grid().y_axis.down();
        if at.x < on.left().x || on.right().x < at.x {
            f64::from(off) < self.window() + f64::from(slop)
        } else {
            off <= slop && depth > 0.5 * slop
        }
    }

    /// How far from its take-off a body may be that jumped in the last step.
    fn window(&self) -> f64 {
        f64::from(self.settings.profile.run_speed) * self.memory.steps.last
    }

    /// The link that the route takes next, from this platform.
    pub fn next_link(&self, platform: PlatformId) -> Option<(LinkId, &'a Link)> {
        let layer = self.layer();
        let route = &self.plan.route;
        let mut steps = route.current().into_iter().chain(route.following());
        let id = steps.find_map(|step| step.link)?;
        let link = layer.link(id)?;
        (link.from_platform == platform).then_some((id, link))
    }

    /// Begins a flight: the body has left the floor.
    fn leave_floor(&mut self, id: LinkId, mut airborne: Airborne) {
        (self.memory.jumping, self.memory.run_up) = (None, None);
        (self.memory.next, self.memory.late) = (None, None);
        (self.memory.run_ups, self.memory.off, self.memory.stopped) = (0, 0, 0.0);
        self.memory.hangs = false;
        let Some(link) = self.layer().link(id) else {
            return;
        };
        self.plan.route.advance_past(id);
        self.memory.link = Some(id);
        self.memory.launches = jumps(&airborne).take_while(|l| l.time < 1e-3).count();
        let (from, to) = (self.body.position, link.to);
        let kind = StepKind::from(link.kind);
        self.events.push(AgentEvent::of_take_off(kind, from, to));
        // It has left the floor in the last step.
        let begins = airborne.launches().next().map_or(0.0, |launch| launch.time);
        airborne.seek(begins + self.memory.steps.last);
        let _ = self.follow_height(&mut airborne);
        *self.movement = Movement::Airborne(airborne, kind, link.to_platform);
    }

    /// Whether the body is not at the height of its trajectory, after the last jump
    /// of it. That may be due since the last step, in which it was too early.
    pub fn is_off_height(&self, airborne: &Airborne) -> bool {
        let off = f64::from(self.body.position.y - airborne.position().y);
        let last = airborne.launches().last().map_or(0.0, |launch| launch.time);
        let has_jumped = jumps(airborne).count() <= self.memory.launches;
        off.abs() > f64::from(self.slop()) && airborne.elapsed() >= last && has_jumped
    }

    /// Where the body is not at the height of its trajectory, takes the time at
    /// which it will be at the height of the landing. Returns whether there is
    /// one.
    fn follow_height(&self, airborne: &mut Airborne) -> bool {
        if !self.is_off_height(airborne) {
            return true;
        }
        let down = self.down();
        let height = |at: Vec2| -f64::from(at.y) * down;
        let fall = self.settings.fall(self.layer());
        // The reported velocity is half a step of gravity ahead of the position.
        let up = -f64::from(self.body.velocity.y) * down - 0.5 * fall.gravity * self.usual_step();
        let rise = height(airborne.to) - height(self.body.position);
        let left = fall.time_to(up, rise);
        if left >= 0.0 {
            airborne.seek(airborne.duration() - left);
        }
        left > -MISSED
    }

    /// Begins a flight from a ladder, wall or ceiling, where the body is at rest.
    fn leave_hold(&mut self, airborne: &Airborne) {
        let id = self.plan.route.previous().and_then(|step| step.link);
        let link = id.and_then(|id| self.layer().link(id));
        if link.is_none_or(|link| [link.from, link.to] != [airborne.from, airborne.to]) {
            self.fall_off(PathLostReason::Drift);
            return;
        }
        (self.memory.link, self.memory.launches) = (id, 0);
        (self.memory.off, self.memory.stopped) = (0, 0.0);
    }

    fn observe_flight(&mut self, mut airborne: Airborne, kind: StepKind, to: PlatformId) {
        if self.memory.link.is_none() && airborne.elapsed() == 0.0 {
            self.leave_hold(&airborne);
            return;
        }
        let elapsed = airborne.elapsed() + self.memory.steps.last;
        airborne.seek(elapsed);
        // A ladder, wall or ceiling does not ground a body, and one that is not solid does
        // not stop it: in a step it may pass by.
        let (layer, at) = (self.layer(), self.body.position);
        let hold = layer.platform(to).filter(|p| p.kind != PlatformKind::Floor);
        let spot = hold.map(|hold| hold.at(hold.along(at)));
        let reach = self.slop() + 0.5 * self.window() as f32;
        if let Some(spot) = spot.filter(|spot| spot.distance(at) <= reach) {
            *self.movement = Movement::on_platform(layer, to, spot, 0.0);
            self.events.push(AgentEvent::Landed { at: spot });
            (self.memory.link, self.memory.run_ups) = (None, 0);
            return;
        }
        if self.body.grounded && !self.rises() {
            self.land(to);
            return;
        }
        if self.follow_height(&mut airborne) {
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
        self.memory.run_ups = 0;
        if on != to {
            self.note_failure();
            self.lose(PathLostReason::Drift);
        }
        self.memory.link = None;
    }

    /// The body does not come down where it should.
    fn miss(&mut self) {
        self.note_failure();
        self.fall_off(PathLostReason::Drift);
    }

    fn note_failure(&mut self) {
        if let Some(link) = self.memory.link.take() {
            self.memory.fail(link, 1);
        }
    }

    pub fn lose(&mut self, why: PathLostReason) {
        (self.memory.run_up, self.memory.jumping) = (None, None);
        if self.plan.is_under_way {
            self.plan.lose(why, self.events);
        }
    }

    /// Falls without a path.
    fn fall_off(&mut self, why: PathLostReason) {
        self.lose(why);
        *self.movement = Movement::Unplaced;
    }

    /// Finds the place of a body that stands, holds on to something or flies.
    fn find_place(&mut self) {
        let (layer, at) = (self.layer(), self.body.position);
        // A body may be held by less of its edge than the mesh counts as support.
        if self.body.grounded
            && layer.profile().edges.walks()
            && let Some(on) = self.floor(None)
        {
            *self.movement = Movement::on_platform(layer, on, at, self.speed());
            return;
        }
        let grounded = self.body.grounded;
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

    /// What the body should do in this step.
    pub fn command(&mut self) -> BodyCommand {
        self.memory.clock += self.seconds;
        let command = match *self.movement {
            Movement::Floor(on, _) => self.run(on),
            Movement::Airborne(airborne, kind, to) => self.steer_in_air(airborne, kind, to),
            _ => self.drop_down(),
        };
        self.watch();
        self.memory.at = self.body.position;
        command
    }

    /// Falls without a path, and stops across.
    pub fn drop_down(&self) -> BodyCommand {
        let down = self.down();
        let fall = self.settings.fall(self.layer());
        let speed = f64::from(self.body.velocity.y) * down + fall.gravity * self.seconds;
        let change = self.memory.air_acceleration * self.seconds;
        let across = self.speed() - self.speed().clamp(-change, change);
        let velocity = DVec2::new(across, speed.min(fall.max_speed) * down);
        BodyCommand::without_jump(velocity.as_vec2())
    }

    /// A jump with an upward speed. `launch` is the one of the flight that it begins.
    pub fn jump(
        &self,
        link: LinkId,
        kind: StepKind,
        (flight, launch): (&Airborne, Launch),
        [across, up]: [f64; 2],
    ) -> BodyJump {
        let gravity = self.settings.fall(self.layer()).gravity;
        let half = match kind {
            StepKind::Jump => 0.5 * gravity * self.launch_step(flight, launch),
            _ => 0.0,
        };
        BodyJump {
            link,
            kind,
            velocity: DVec2::new(across, -(up + half) * self.down()).as_vec2(),
        }
    }

    /// The step of whose gravity a launch gets half. In steps that differ, those of the
    /// rise may be shorter than usual, and the body rises higher than planned. Where the
    /// mesh does not prove that there is room for that, the step is shorter: a body that
    /// meets a ceiling comes down much too early.
    fn launch_step(&self, flight: &Airborne, launch: Launch) -> f64 {
        let (usual, shorter) = (self.usual_step(), SHORTER * self.usual_step());
        let (layer, down) = (self.layer(), self.down());
        let mut apex = *flight;
        apex.seek(launch.time + launch.speed / self.settings.fall(layer).gravity);
        // Above the first row there is nothing but what reaches down to it.
        let top = f64::from(layer.grid().row_y(0)) * down;
        let [low, high] = [0.0, launch.speed * (usual - shorter)].map(|rise| {
            let at = apex.position().as_dvec2();
            DVec2::new(at.x, (at.y * down - rise).max(top) * down)
        });
        let space = self.settings.free_space(self.environment);
        let has_room = || space.has_box(low.min(high), low.max(high));
        if self.memory.steps.is_steady() || has_room() {
            usual
        } else {
            shorter
        }
    }

    /// The velocity towards an x of the floor, to have a speed there.
    pub fn towards(&self, on: Platform<'_>, x: f64, end: f64) -> Vec2 {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let (ahead, dt) = (x - self.x(), self.seconds);
        let closing = closing_speed(ahead.abs(), end, speeds.deceleration, dt);
        let wanted = ahead.signum() * closing.min(speeds.speed);
        let now = self.speed();
        let speeds_up = wanted * now >= 0.0 && wanted.abs() > now.abs();
        let rate = if speeds_up {
            speeds.acceleration
        } else {
            speeds.deceleration
        };
        let across = (now + (wanted - now).clamp(-rate * dt, rate * dt)) as f32;
        if !self.body.grounded {
            return Vec2::new(across, self.drop_down().velocity.y);
        }
        let slope = on.slope_at(self.body.position.x, across);
        Vec2::new(across, across * slope)
    }

    pub fn still(&self, on: Platform<'_>) -> BodyCommand {
        BodyCommand::without_jump(self.towards(on, self.x(), 0.0))
    }

    /// Follows the route along a floor.
    fn run(&mut self, on: PlatformId) -> BodyCommand {
        let layer = self.layer();
        let Some(platform) = layer.platform(on) else {
            return BodyCommand::default();
        };
        if let Some((_, x)) = self.memory.run_up {
            if (x - self.x()).abs() > 0.25 * f64::from(self.slop()) {
                return BodyCommand::without_jump(self.towards(platform, x, 0.0));
            }
            self.memory.run_up = None;
        }
        // Each turn ends a step of the route, which has few that end at once.
        for _ in 0..8 {
            let Some(&step) = self.plan.route.current() else {
                self.plan.arrive(self.body.position, self.events);
                return self.still(platform);
            };
            if self.plan.waits || self.memory.clock < self.memory.reacts {
                return self.still(platform);
            }
            if let Some((id, link)) = self.next_link(on) {
                if link.kind.is_airborne() {
                    return self.approach(platform, id, link);
                }
                let slop = f64::from(self.slop());
                if link.kind == LinkKind::OneWayStep {
                    // The platforms touch: beyond its own, the body is on the other one.
                    let beyond = f64::from(link.from.x) + 2.0 * slop * side_of(platform, link);
                    let speed = self.settings.profile.run_speed.into();
                    return BodyCommand::without_jump(self.towards(platform, beyond, speed));
                }
                if (f64::from(link.from.x) - self.x()).abs() > slop {
                    let velocity = self.towards(platform, link.from.x.into(), 0.0);
                    return BodyCommand::without_jump(velocity);
                }
                // Its movement needs no physics.
                self.plan.route.advance_past(id);
                *self.movement = Movement::through(link, self.layer(), self.speed(), self.events);
                return self.still(platform);
            }
            let is_here = step.kind == StepKind::Floor && step.platform == Some(on);
            if !is_here {
                if step.kind == StepKind::Fly {
                    *self.movement = Movement::hovering(self.body.position);
                    let from = self.body.position;
                    self.events.push(AgentEvent::TookOff { from });
                } else {
                    self.lose(PathLostReason::Drift);
                }
                return self.still(platform);
            }
            let is_last = self.plan.route.following().is_none();
            let near = f64::from(self.slop()) * if is_last { 0.5 } else { 1.0 };
            // Short of the way out of a door, the body would still be in it.
            let beyond = if self.plan.is_leaving {
                near.copysign((step.to.x - step.from.x).into())
            } else {
                0.0
            };
            let x = self.inside(platform, f64::from(step.to.x) + beyond, 0.5);
            if (x - self.x()).abs() > near {
                return BodyCommand::without_jump(self.towards(platform, x, 0.0));
            }
            self.plan.route.advance();
        }
        self.still(platform)
    }

    /// Reports an agent that makes no progress.
    fn watch(&mut self) {
        let now = self.memory.clock;
        let falls = !self.body.grounded && f64::from(self.body.velocity.y) * self.down() > 1.0;
        let has_no_place = *self.movement == Movement::Unplaced
            && self.plan.wants_path
            && !self.settings.is_disabled
            && !falls;
        let (at, destination) = (self.body.position, self.plan.destination);
        self.memory.rests |= !self.plan.is_under_way && self.speed().abs() < 1.0;
        let none = Progress::none(now, at);
        if !(self.plan.is_under_way || has_no_place) {
            self.memory.progress = none;
            self.memory.destination = destination;
            return;
        }
        // The path from where it finds a place may be longer than the one before.
        let left = if has_no_place {
            f64::INFINITY
        } else {
            self.seconds_left()
        };
        let last = &mut self.memory.progress;
        if has_no_place || self.memory.destination != destination {
            last.left = left;
        }
        // Towards a target that moves on, only the body shows that it gets on.
        let spacing = self.environment.layer.grid().spacing;
        let has_moved = self.memory.destination != destination && at.distance(last.at) > spacing;
        self.memory.destination = destination;
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
        let mut steps = self.plan.route.remaining().iter();
        let current = steps.next().map_or(0.0, |step| {
            let length = f64::from(step.from.distance(step.to)).max(1e-6);
            let ahead = f64::from(self.body.position.distance(step.to));
            f64::from(step.duration) * (ahead / length).min(4.0)
        });
        current + steps.map(|step| f64::from(step.duration)).sum::<f64>()
    }
}
