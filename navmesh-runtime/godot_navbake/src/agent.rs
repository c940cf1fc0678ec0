//! An agent that moves a `CharacterBody2D`.

use godot::classes::character_body_2d::PlatformOnLeave;
use godot::classes::{CharacterBody2D, CollisionShape2D, INode2D, Node2D};
use godot::prelude::*;
use navmesh_behavior::Actor;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::MarkerId;
use navmesh_runtime::motion::{Activity, Avoidance, BodyCommand, BodyState, IdleReason};
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{AgentEvent, Layer, NavAgent};

use crate::overlay;
use crate::region::NavbakeRegion2D;
use crate::{Complaint, from_godot, to_godot};

/// How far a body is moved down to drop through a one-way platform, pixels: more than the
/// margin in which Godot still catches it (`one_way_collision_margin`, 1 by default).
const DROP: f32 = 2.0;

/// How far from the floor of the mesh a body is on it, pixels. Bodies rest 0.01 to 0.1 above;
/// a capsule sinks farther where it begins to slip off an end.
const LEVEL: f32 = 0.5;

/// How much lower than a box a round body stands on a slope, as a share of its width: on 45°,
/// if it is a tenth narrower than the box, (tan - 0.9 (1 / cos - 1)) / 2.
const SINK: f32 = 0.32;

/// Steps in a row in which a body was moved by something else, after which that is said.
const MOVED_BY_OTHERS: u8 = 30;

/// Moves the `CharacterBody2D` that it is a child of, to a position or after another node.
#[derive(GodotClass)]
#[class(init, base = Node2D)]
pub struct NavbakeAgent2D {
    /// The profile that it moves by.
    #[export]
    #[init(val = "ground".into())]
    agent_name: GString,
    /// The level; without one, the first region of the scene.
    #[export]
    region: Option<Gd<NavbakeRegion2D>>,
    /// A node to follow.
    #[export]
    follow: Option<Gd<Node2D>>,
    /// Where to go: feet, global.
    #[var(set = set_target_position)]
    target_position: Vector2,
    /// Moves the body with `move_and_slide`. If not, the game calls `drive` and moves the body.
    #[export]
    #[init(val = true)]
    drive_body: bool,
    /// Goes to the nearest point that it can reach, if it cannot reach the target.
    #[export]
    #[init(val = true)]
    allow_partial_path: bool,
    /// Keeps a gap to other agents that avoid, and makes way for them.
    #[export]
    avoidance_enabled: bool,
    /// Seconds to break a door of class `breakable`; 0 for an agent that breaks none.
    #[export(range = (0.0, 60.0, or_greater, suffix = "s"))]
    break_cost: f32,
    /// Draws the rest of the path.
    #[export]
    debug_enabled: bool,
    /// The agent, and where it looks; a tree takes it out while it is ticked.
    pub actor: Option<Actor>,
    complaint: Complaint,
    body: Option<Gd<CharacterBody2D>>,
    /// From global positions to the level's, in this step.
    to_level: Transform2D,
    /// The settings above that the agent has: partial paths, the break cost, and avoidance.
    settings: Option<(bool, f32, bool)>,
    /// Where the jump or drop that it is in lands.
    landing: Option<Vec2>,
    /// Whether it was put on a floor, which Godot may not report.
    is_on_floor: bool,
    /// Whether it was moved without `move_and_slide`: Godot's report of the floor is old.
    is_carried: bool,
    /// From the origin of the body to its feet, in this step.
    feet: Vector2,
    /// The y of the velocity after the last step. If it is less then, the game throws the body.
    left_velocity: f32,
    /// Whether the last command was exact: it flies, climbs or is in a portal.
    is_exact: bool,
    /// Where it left the body, and the steps in a row in which it found it elsewhere.
    left: (Vector2, u8),
    /// Whether it was thrown, and did not land since.
    pub is_thrown: bool,
    /// The last position of the path, and the number of its steps.
    path: Option<(usize, Vec2)>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for NavbakeAgent2D {
    fn enter_tree(&mut self) {
        let parent = self.base().get_parent();
        self.body = parent.and_then(|parent| parent.try_cast().ok());
    }

    fn exit_tree(&mut self) {
        self.body = None;
        let actor = self.actor.take();
        if let (Some(mut actor), Some(mut region)) = (actor, self.level())
            && let Some(nav) = &mut region.bind_mut().navigator
        {
            nav.forget(&mut actor.agent);
        }
    }

    fn physics_process(&mut self, delta: f64) {
        if self.drive_body {
            self.move_body(delta);
        }
        if self.debug_enabled {
            self.base_mut().queue_redraw();
        }
    }

    fn draw(&mut self) {
        if !self.debug_enabled {
            return;
        }
        let points = self.get_current_navigation_path();
        let mut canvas = self.to_gd().upcast::<Node2D>();
        let points = points.as_slice().iter().map(|&at| canvas.to_local(at));
        let points: Vec<Vector2> = points.collect();
        overlay::draw_line(&mut canvas, points, Color::YELLOW, 1.5);
    }
}

#[godot_api]
impl NavbakeAgent2D {
    /// It is at its target.
    #[signal]
    pub fn target_reached();

    /// It has stopped: at its target, as near as it gets, or because no path leads there.
    #[signal]
    pub fn navigation_finished();

    /// It has another path.
    #[signal]
    pub fn path_changed();

    /// It begins a link of its path: `type` is `jumped`, `dropped`, `thrown`, `entered_portal`
    /// or `link_started`; `position`, `link_entry_position` and `link_exit_position` are global
    /// positions of the feet; `name` is the marker of a link that the game performs.
    #[signal]
    pub fn link_reached(details: VarDictionary);

    /// It stands in front of a closed door that it may break.
    #[signal]
    pub fn door_reached(name: GString);

    /// It takes off.
    #[signal]
    pub fn jumped();

    /// It lands.
    #[signal]
    pub fn landed();

    /// It plans again, because a door closed, the body was pushed, or the level changed.
    #[signal]
    pub fn path_lost(reason: GString);

    /// It makes no progress, or is in a place without floor.
    #[signal]
    pub fn stuck();

    #[func]
    pub fn set_target_position(&mut self, target: Vector2) {
        self.target_position = target;
        let at = self.local(target);
        if let Some(agent) = self.agent_in_level() {
            agent.go_to(at);
        }
    }

    /// Stops, and has no target any more.
    #[func]
    fn stop(&mut self) {
        self.follow = None;
        self.order(NavAgent::stop);
    }

    /// Whether it has no way to go: it is at its target, or has none, or cannot reach it.
    #[func]
    fn is_navigation_finished(&self) -> bool {
        match self.activity() {
            Some(Activity::Idle(reason)) => reason != IdleReason::Waiting,
            other => other.is_none(),
        }
    }

    /// Whether a path leads to the target, as far as it has planned.
    #[func]
    fn is_target_reachable(&self) -> bool {
        use IdleReason::{CannotReach, NearestReached};
        match self.activity() {
            None | Some(Activity::Stranded(_)) => false,
            Some(Activity::Idle(why)) => !matches!(why, CannotReach(_) | NearestReached(_)),
            Some(_) => true,
        }
    }

    /// Whether it is at its target.
    #[func]
    fn is_target_reached(&self) -> bool {
        self.activity() == Some(Activity::Idle(IdleReason::Arrived))
    }

    /// From its feet to the target.
    #[func]
    fn distance_to_target(&self) -> f32 {
        self.get_feet_position().distance_to(self.target_position)
    }

    /// What it does: `idle`, `running`, `jumping`, `dropping`, `flying`, `climbing`,
    /// `launched`, `in_portal`, `stranded` or `disabled`.
    #[func]
    fn get_activity(&self) -> GString {
        self.activity().map_or("idle", Activity::name).into()
    }

    /// Where its path ends: the target, or the nearest point to it, or else where it is.
    #[func]
    fn get_final_position(&mut self) -> Vector2 {
        let path = self.get_current_navigation_path();
        let end = path.as_slice().last().copied();
        end.unwrap_or_else(|| self.get_feet_position())
    }

    /// The rest of its path, global positions of the feet.
    #[func]
    fn get_current_navigation_path(&mut self) -> PackedVector2Array {
        let points = self.with_layer(|layer, agent| {
            let steps = agent.remaining_path();
            let mut points = vec![to_godot(agent.pose().position)];
            for step in steps {
                match step.link.and_then(|id| layer.link(id)) {
                    Some(link) => points.extend(overlay::link_points(layer, link)),
                    None => points.push(to_godot(step.to)),
                }
            }
            points.split_off(usize::from(steps.is_empty()))
        });
        let transform = self.level().map(|region| region.get_global_transform());
        let transform = transform.unwrap_or_default();
        let points = points.unwrap_or_default().into_iter();
        points.map(|at| transform * at).collect()
    }

    /// The feet of its body, global.
    #[func]
    fn get_feet_position(&self) -> Vector2 {
        let body = self.body.clone();
        body.map_or(Vector2::ZERO, |body| {
            body.get_global_position() + feet_of(&body)
        })
    }

    /// Throws it: it flies with this velocity, lands, and plans again.
    #[func]
    fn launch(&mut self, velocity: Vector2) {
        let is_exact = self.is_exact;
        if let Some(agent) = self.agent_mut().filter(|_| is_exact) {
            agent.launch(from_godot(velocity));
        } else if let Some(mut body) = self.body.clone() {
            body.set_velocity(velocity);
            // Godot's floor would hold it for a step.
            (self.is_carried, self.is_on_floor) = (true, false);
        }
        self.is_thrown = true;
    }

    /// It lies where it is, or falls, until `enable`.
    #[func]
    fn stun(&mut self) {
        self.order(NavAgent::stun);
    }

    /// Ends a stun.
    #[func]
    fn enable(&mut self) {
        self.order(NavAgent::enable);
    }

    /// Ends a link that the game performs, to whose end the game has moved the body.
    #[func]
    fn finish_link(&mut self) {
        self.order(NavAgent::finish_link);
    }

    /// What the body should do in this physics frame, for games that move it themselves:
    /// `velocity`, `jump` (whether to jump now, with the y of `jump_velocity`), `jump_velocity`,
    /// `drop_through`, and `exact` (move by `velocity` without gravity and collisions).
    #[func]
    fn drive(&mut self, delta: f64) -> VarDictionary {
        self.left_velocity = f32::NEG_INFINITY;
        let body = self.body.clone();
        let command = body.and_then(|body| self.command(&body, delta as f32));
        let (command, _) = command.unwrap_or_default();
        vdict! {
            "velocity" => to_godot(command.velocity),
            "jump" => command.jump.is_some(),
            "jump_velocity" => to_godot(command.jump.unwrap_or_default()),
            "drop_through" => command.drop_through,
            "exact" => command.exact,
        }
    }

    /// Moves the body for a physics frame, as `drive_body` does.
    #[func]
    fn move_body(&mut self, delta: f64) {
        let Some(mut body) = self.body.clone() else {
            return self.fail("it must be the child of a CharacterBody2D".to_owned());
        };
        let (dt, was_exact) = (delta as f32, self.is_exact);
        let Some((command, was_grounded)) = self.command(&body, dt) else {
            return;
        };
        // Jumps are baked without the velocity of a platform that moves.
        body.set_platform_on_leave(PlatformOnLeave::DO_NOTHING);
        let mut position = body.get_global_position();
        let (left, moved) = self.left;
        let is_moved = position.distance_to(left) > LEVEL;
        self.left.1 = u8::from(is_moved) * moved.saturating_add(1);
        if moved == MOVED_BY_OTHERS {
            self.fail("something else moves its body, for instance a script".to_owned());
        }
        if command.exact {
            self.is_on_floor = false;
            body.set_velocity(to_godot(command.velocity));
            self.left_velocity = command.velocity.y;
            self.left.0 = position + to_godot(command.velocity) * dt;
            body.set_global_position(self.left.0);
            return;
        }
        let Some(agent) = self.agent() else { return };
        let profile = agent.profile();
        // One that has climbed to a floor is not known to Godot.
        let activity = agent.pose().activity;
        let rests = was_exact && matches!(activity, Activity::Idle(_) | Activity::Running);
        let is_grounded = (was_grounded || rests) && command.jump.is_none();
        let change = if is_grounded {
            profile.acceleration.max(profile.deceleration)
        } else if self.is_thrown {
            0.0
        } else {
            profile.air_acceleration.unwrap_or(f32::INFINITY)
        };
        let mut velocity = body.get_velocity();
        velocity.x += (command.velocity.x - velocity.x).clamp(-change * dt, change * dt);
        if let Some(jump) = command.jump {
            velocity.y = jump.y;
        }
        // Where a floor leads down as steeply as it may, a step ends this far above it.
        let steepest = f64::from(profile.max_slope).to_radians().tan() as f32;
        let snap = 1.0 + profile.run_speed * dt * steepest;
        if body.get_floor_snap_length() < snap {
            body.set_floor_snap_length(snap);
        }
        if is_grounded {
            // Gravity on the floor cancels slow movement with `floor_stop_on_slope`.
            velocity.y = 0.0;
        } else {
            let fastest = profile.max_fall_speed.unwrap_or(f32::INFINITY);
            velocity.y = (velocity.y + profile.gravity * dt).min(fastest);
        }
        // A drop from a ladder may begin just below a one-way top.
        let drops_off = was_exact && activity == Activity::Dropping;
        if command.drop_through || drops_off {
            position.y += DROP;
            body.set_global_position(position);
            body.reset_physics_interpolation();
        }
        if command.jump.is_some() && was_grounded && !command.drop_through {
            self.raise(&mut body);
            position = body.get_global_position();
        }
        // Godot moves a body up a slope by the part of its movement that is along the slope.
        let normal = body.get_floor_normal();
        let is_uphill = is_grounded && velocity.x * normal.x < 0.0 && normal.y < 0.0;
        let climb = if is_uphill && !body.is_floor_constant_speed_enabled() {
            1.0 / (normal.y * normal.y).max(0.25)
        } else {
            1.0
        };
        body.set_velocity(Vector2::new(velocity.x * climb, velocity.y));
        let from = self.feet_in_level(position);
        body.move_and_slide();
        let moved = body.get_velocity();
        body.set_velocity(Vector2::new(moved.x / climb, moved.y));
        self.is_on_floor = false;
        let to = from + from_godot(velocity) * dt;
        if is_grounded || velocity.y >= 0.0 && command.jump.is_none() {
            self.carry(&mut body, from, to, is_grounded);
        }
        self.left_velocity = if self.is_on_floor { 0.0 } else { moved.y };
        self.left.0 = body.get_global_position();
    }

    /// What to save of it.
    #[func]
    fn get_state(&self) -> VarDictionary {
        let Some(agent) = self.agent() else {
            return VarDictionary::new();
        };
        let mut state = vdict! { "stunned" => agent.pose().activity == Activity::Disabled };
        if let Some(target) = agent.destination() {
            state.set("target", to_godot(target));
        }
        state
    }

    /// Sets it to a state that was saved; its body is where the game has put it.
    #[func]
    fn set_state(&mut self, state: VarDictionary) {
        self.actor = None;
        let target = state
            .get("target")
            .and_then(|at| at.try_to::<Vector2>().ok());
        let is_stunned = state.get("stunned").is_some_and(|value| value.booleanize());
        if let Some(agent) = self.agent_in_level() {
            if let Some(target) = target {
                agent.go_to(from_godot(target));
            }
            if is_stunned {
                agent.stun();
            }
        }
    }
}

impl NavbakeAgent2D {
    /// The feet in the level, in this step, of a body whose origin is at a global position.
    fn feet_in_level(&self, origin: Vector2) -> Vec2 {
        from_godot(self.to_level * (origin + self.feet))
    }

    pub fn level(&mut self) -> Option<Gd<NavbakeRegion2D>> {
        let known = self.region.as_ref();
        if !known.is_some_and(Gd::is_instance_valid) {
            self.region = NavbakeRegion2D::of_tree(&self.to_gd().upcast());
        }
        self.region.clone()
    }

    pub fn local(&mut self, at: Vector2) -> Vec2 {
        from_godot(self.level().map_or(at, |region| region.to_local(at)))
    }

    fn fail(&mut self, error: String) {
        self.complaint.print(&self.base().get_path(), error);
    }

    /// The agent, which begins where the body is.
    fn agent_in_level(&mut self) -> Option<&mut NavAgent> {
        if self.actor.is_none() {
            let body = self.body.clone()?;
            let feet = self.local(body.get_global_position() + feet_of(&body));
            let mut region = self.level()?;
            let name = self.agent_name.to_string();
            let mut level = region.bind_mut();
            let nav = level.navigator.as_mut();
            let found = nav.map(|nav| nav.agent(&name, feet));
            drop(level);
            match found? {
                Ok(agent) => {
                    self.actor = Some(Actor::from(agent));
                    self.settings = None;
                }
                Err(error) => self.fail(error.to_string()),
            }
        }
        self.agent_mut()
    }

    fn activity(&self) -> Option<Activity> {
        self.agent().map(|agent| agent.pose().activity)
    }

    fn agent(&self) -> Option<&NavAgent> {
        self.actor.as_ref().map(|actor| &actor.agent)
    }

    fn order(&mut self, order: impl FnOnce(&mut NavAgent)) {
        if let Some(agent) = self.agent_mut() {
            order(agent);
        }
    }

    fn agent_mut(&mut self) -> Option<&mut NavAgent> {
        self.actor.as_mut().map(|actor| &mut actor.agent)
    }

    /// One step of the agent, with the body's state, and whether that was on the ground.
    fn command(&mut self, body: &Gd<CharacterBody2D>, dt: f32) -> Option<(BodyCommand, bool)> {
        self.agent_in_level()?;
        let mut region = self.level()?;
        self.to_level = region.get_global_transform().affine_inverse();
        self.feet = feet_of(body);
        let velocity = body.get_velocity();
        let is_thrown = velocity.y < self.left_velocity - 1.0;
        let state = BodyState {
            position: self.feet_in_level(body.get_global_position()),
            velocity: from_godot(velocity),
            grounded: !is_thrown && (self.is_on_floor || !self.is_carried && body.is_on_floor()),
        };
        // A freed node must not even be cloned.
        let followed = self.follow.as_ref().filter(|node| node.is_instance_valid());
        let followed = followed.cloned().map(|node| {
            let (at, size) = place_of(&node);
            (from_godot(self.to_level * at), size)
        });
        let (partial, avoids) = (self.allow_partial_path, self.avoidance_enabled);
        let (cost, settings) = (self.break_cost, (partial, self.break_cost, avoids));
        let mut level = region.bind_mut();
        let nav = level.navigator.as_mut()?;
        let is_other = self.settings.replace(settings) != Some(settings);
        let agent = self.agent_mut()?;
        if is_other {
            agent.set_allow_partial_path(partial);
            agent.set_break_cost(Some(cost).filter(|cost| *cost > 0.0));
            agent.set_avoidance([Avoidance::Overlap, Avoidance::Yield][usize::from(avoids)]);
        }
        if let Some((target, size)) = followed {
            // Itself if it flies, else the place nearest to its body.
            if let Some(place) = nav.place_of_target(agent, target, size) {
                agent.go_to(place);
            }
        }
        let command = agent.drive(nav, state, dt);
        let flies_on = command.exact && agent.pose().activity != Activity::Launched;
        self.is_thrown &= !(state.grounded || flies_on);
        (self.is_carried, self.is_exact) = (command.exact, command.exact);
        drop(level);
        if is_other && let Some(error) = self.misfit(body) {
            self.fail(error);
        }
        self.report(&region);
        Some((command, state.grounded))
    }

    /// Why it would get stuck where the profile does not.
    fn misfit(&self, body: &Gd<CharacterBody2D>) -> Option<String> {
        let [width, height] = size_of(body)?;
        let [wide, high] = self.agent()?.profile().body;
        if (self.to_level.scale() - Vector2::ONE).length() > 1e-3 {
            return Some("its region is scaled: scale the tiles instead".to_owned());
        }
        let is_larger = width > wide + LEVEL || height > high + LEVEL;
        let error =
            format!("its shape is {width} × {height}, larger than the baked {wide} × {high}");
        is_larger.then_some(error)
    }

    /// Emits what happened in the last step.
    fn report(&mut self, region: &Gd<NavbakeRegion2D>) {
        let Some(agent) = self.agent() else { return };
        let path = agent.remaining_path();
        let path = path.last().map(|step| (path.len(), step.to));
        let has_more = path.map(|(steps, _)| steps) > self.path.map(|(steps, _)| steps);
        let is_other = has_more || path.map(|(_, end)| end) != self.path.map(|(_, end)| end);
        let events: Vec<AgentEvent> = agent.events().to_vec();
        self.path = path;
        if is_other {
            self.signals().path_changed().emit();
        }
        let transform = self.to_level.affine_inverse();
        for event in events {
            match event {
                AgentEvent::Arrived { .. } => {
                    self.signals().target_reached().emit();
                    self.signals().navigation_finished().emit();
                }
                AgentEvent::CannotReach(_) => self.signals().navigation_finished().emit(),
                AgentEvent::Jumped { from, to }
                | AgentEvent::Dropped { from, to }
                | AgentEvent::Thrown { from, to }
                | AgentEvent::EnteredPortal { from, to }
                | AgentEvent::LinkStarted { from, to, .. } => {
                    self.landing = Some(to);
                    let from = transform * to_godot(from);
                    let mut details = vdict! {
                        "type" => event.name(),
                        "position" => from,
                        "link_entry_position" => from,
                        "link_exit_position" => transform * to_godot(to),
                    };
                    if let AgentEvent::LinkStarted { marker, .. } = event {
                        details.set("name", &marker_name(region, marker));
                    }
                    self.signals().link_reached().emit(&details);
                    if matches!(event, AgentEvent::Jumped { .. }) {
                        self.signals().jumped().emit();
                    }
                }
                AgentEvent::Teleported { to, .. } => {
                    if let Some(mut body) = self.body.clone() {
                        let feet = feet_of(&body);
                        body.set_global_position(transform * to_godot(to) - feet);
                        body.reset_physics_interpolation();
                    }
                }
                AgentEvent::Landed { .. } => {
                    self.landing = None;
                    self.signals().landed().emit();
                }
                AgentEvent::BlockedBy { marker, .. } => {
                    let name = marker_name(region, marker);
                    self.signals().door_reached().emit(&name);
                }
                AgentEvent::PathLost(reason) => {
                    let reason = GString::from(&reason.to_string());
                    self.signals().path_lost().emit(&reason);
                }
                AgentEvent::Stuck { .. } | AgentEvent::Stranded(_) => self.signals().stuck().emit(),
                _ => {}
            }
        }
    }

    /// Lifts a round body that jumps from a slope to where a box stands: the baked take-off.
    fn raise(&mut self, body: &mut Gd<CharacterBody2D>) {
        let feet = self.feet_in_level(body.get_global_position());
        let within = SnapTo::FloorWithin {
            above: SINK * size_of(body).map_or(0.0, |[width, _]| width),
            below: 0.0,
        };
        let floor = self
            .with_layer(|layer, _| layer.snap(feet, within))
            .flatten();
        if let Some(floor) = floor {
            put(body, floor.position - feet);
        }
    }

    /// Puts the body on the floor of the mesh that Godot did not catch it on in a step between
    /// two positions: on the one where it should land, or the one that it walks on. Godot
    /// catches bodies on one-way shapes only when they overlap them by some part of the step,
    /// and lets round and narrow ones slip off the ends, on which a box stands. Ladders are no
    /// floor for it.
    fn carry(&mut self, body: &mut Gd<CharacterBody2D>, from: Vec2, to: Vec2, is_grounded: bool) {
        let feet = self.feet_in_level(body.get_global_position());
        let landing = self.landing;
        let floor = self.with_layer(|layer, _| {
            let ([x, y], width) = ([to.x, from.y], layer.profile().body[0]);
            let floor = if is_grounded {
                let within = SnapTo::FloorWithin {
                    above: LEVEL,
                    below: LEVEL,
                };
                layer.snap(Vec2::new(x, y), within)
            } else {
                let planned = layer.snap(landing?, SnapTo::FloorBelow(1.0))?;
                let below = SnapTo::FloorBelow((feet.y - y).max(to.y - y));
                let floors = [x, feet.x].map(|x| layer.snap(Vec2::new(x, y), below));
                let mut floors = floors.into_iter().flatten();
                floors.find(|floor| floor.platform == planned.platform)
            };
            let floor = floor?;
            let on = layer.platform(floor.platform?)?;
            let is_at_end = (x - on.left().x).min(on.right().x - x) <= 0.5 * width;
            let sunk = feet.y - floor.position.y;
            let is_level = (on.at(x - LEVEL).y - on.at(x + LEVEL).y).abs() < 0.01;
            let may_sink = if !is_level {
                SINK * width
            } else if body.is_on_floor() {
                LEVEL
            } else {
                -LEVEL
            };
            let hold = SnapTo::NearestHold(width);
            let is_left = sunk > may_sink
                && (!is_grounded || is_at_end || layer.snap(floor.position, hold).is_some());
            is_left.then_some(floor.position)
        });
        let Some(floor) = floor.flatten() else {
            return;
        };
        put(body, floor - feet);
        let across = body.get_velocity().x;
        body.set_velocity(Vector2::new(across, 0.0));
        if !is_grounded {
            body.apply_floor_snap();
        }
        self.is_on_floor = true;
    }

    /// What a function finds in the agent's layer.
    fn with_layer<T>(&mut self, find: impl FnOnce(&Layer, &NavAgent) -> T) -> Option<T> {
        let mut region = self.level()?;
        let level = region.bind_mut();
        let agent = self.agent()?;
        Some(find(level.navigator.as_ref()?.layer_of(agent)?, agent))
    }
}

fn marker_name(region: &Gd<NavbakeRegion2D>, marker: MarkerId) -> GString {
    let region = region.bind();
    let nav = region.navigator.as_ref();
    let marker = nav.and_then(|nav| nav.mesh().marker(marker));
    marker.map_or_else(GString::new, |marker| GString::from(&marker.name))
}

/// Moves a body by a part of a step.
fn put(body: &mut Gd<CharacterBody2D>, by: Vec2) {
    let at = body.get_global_position();
    body.set_global_position(at + to_godot(by));
}

/// The first collision shape of a body.
fn shape_of(body: &Gd<CharacterBody2D>) -> Option<Gd<CollisionShape2D>> {
    let mut children = (0..body.get_child_count()).filter_map(|i| body.get_child(i));
    children.find_map(|child| child.try_cast::<CollisionShape2D>().ok())
}

/// From the origin of a body to its feet: the bottom of its shape, and Godot's margin.
fn feet_of(body: &Gd<CharacterBody2D>) -> Vector2 {
    let bottom = shape_of(body).and_then(|node| {
        let rect = node.get_shape()?.get_rect();
        let scale = node.get_scale();
        let bottom = Vector2::new(0.0, (rect.position.y + rect.size.y) * scale.y);
        Some(node.get_position() + bottom)
    });
    bottom.unwrap_or(Vector2::ZERO) + Vector2::new(0.0, body.get_safe_margin())
}

/// The global feet of a node, and its size if it is a body.
pub fn place_of(node: &Gd<Node2D>) -> (Vector2, Option<[f32; 2]>) {
    let at = node.get_global_position();
    match node.clone().try_cast::<CharacterBody2D>() {
        Ok(body) => (at + feet_of(&body), size_of(&body)),
        Err(_) => (at, None),
    }
}

/// Width and height of a body.
fn size_of(body: &Gd<CharacterBody2D>) -> Option<[f32; 2]> {
    let node = shape_of(body)?;
    let size = node.get_shape()?.get_rect().size * node.get_scale().abs();
    Some([size.x, size.y])
}
