//! Levels in play: `Navigator` and `Agent`.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Float32Array};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{Layer, Link, Marker, MarkerId, NavMesh, TICKS, YAxis};
use navmesh_runtime::motion::{Activity, Avoidance, BodyState, Facing};
use navmesh_runtime::search::{Doors, Rect, Step};
use navmesh_runtime::{AgentEvent, Navigator as Runtime, PathOutcome, asset};
use wasm_bindgen::prelude::*;

use crate::{JsTexts, object, points, texts};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What an agent is doing. `Activities[code]` is the name of the code in `Navigator.poses`. */
export type Activity =
  | "idle" | "running" | "jumping" | "dropping" | "flying" | "climbing"
  | "launched" | "in_portal" | "stranded" | "disabled" | "riding";

export interface Point { x: number; y: number }

/** An agent at one moment. Positions are those of the feet. */
export interface Pose extends Point { vx: number; vy: number; facing: -1 | 1; activity: Activity }

/** Something that happened to an agent in its last step. */
export type AgentEvent =
  | { type: "arrived" | "landed" | "caught_in_door" | "stuck"; at: Point }
  | { type: "jumped" | "dropped" | "thrown" | "entered_portal" | "teleported"; from: Point; to: Point }
  | { type: "link_started"; link: string; from: Point; to: Point }
  | { type: "link_finished"; link: string; to: Point }
  | { type: "blocked_by"; door: string; at: Point }
  | { type: "boarded" | "got_off"; platform: string; at: Point }
  | { type: "took_off"; from: Point }
  | { type: "path_lost" | "cannot_reach" | "stranded"; reason: string };

/** A step of a path. */
export interface PathStep { kind: string; from: Point; to: Point; duration: number }

/** A path, or why there is none. */
export type PathResult =
  | { found: true; cost: number; steps: PathStep[] }
  | { found: false; reason: string; /** To the nearest place that can be reached; see `setAllowPartialPath`. */ nearest?: PathStep[] };

/** The body of an agent that a physics engine moves. */
export interface BodyState extends Point { vx: number; vy: number; grounded: boolean }

/** What such a body should do in the next step. */
export interface BodyCommand {
  /** The velocity that it should have, units/s. On floors and in jumps, a body with its own gravity uses vx only. */
  vx: number; vy: number;
  /** The velocity with which to begin a jump or a drop now. */
  jump?: { vx: number; vy: number };
  /** Let the body through the one-way platform below. */
  dropThrough: boolean;
  /** Move by exactly this velocity, without gravity and collisions. */
  exact: boolean;
}

/** A named place of the level. */
export interface Marker extends Point {
  class: string; name: string; width: number; height: number; properties: Record<string, string>;
}

/** A platform that moves: the left end of its top, and its velocity. */
export interface MovingPlatform extends Point { name: string; vx: number; vy: number; width: number; height: number }

/** A line on which feet can move: x, y, x, y, … */
export interface Platform { kind: string; points: Float32Array }

/** A baked move. `points` is the line of the feet; `tolerance` is in seconds. */
export interface Link { kind: string; points: Float32Array; duration: number; tolerance: number }
"#;

#[wasm_bindgen]
extern "C" {
    /// An object `Pose`.
    #[wasm_bindgen(typescript_type = "Pose")]
    pub type JsPose;
    /// A list of `AgentEvent`.
    #[wasm_bindgen(typescript_type = "AgentEvent[]")]
    pub type JsEvents;
    /// An object `PathResult`.
    #[wasm_bindgen(typescript_type = "PathResult")]
    pub type JsPath;
    /// A list of `PathStep`.
    #[wasm_bindgen(typescript_type = "PathStep[]")]
    pub type JsSteps;
    /// An object `BodyState`.
    #[wasm_bindgen(typescript_type = "BodyState")]
    pub type JsBody;
    #[wasm_bindgen(method, getter)]
    fn x(this: &JsBody) -> f32;
    #[wasm_bindgen(method, getter)]
    fn y(this: &JsBody) -> f32;
    #[wasm_bindgen(method, getter)]
    fn vx(this: &JsBody) -> f32;
    #[wasm_bindgen(method, getter)]
    fn vy(this: &JsBody) -> f32;
    #[wasm_bindgen(method, getter)]
    fn grounded(this: &JsBody) -> bool;
    /// An object `BodyCommand`.
    #[wasm_bindgen(typescript_type = "BodyCommand")]
    pub type JsCommand;
    /// An object `Point`, or nothing.
    #[wasm_bindgen(typescript_type = "Point | undefined")]
    pub type JsPoint;
    /// A list of `Marker`.
    #[wasm_bindgen(typescript_type = "Marker[]")]
    pub type JsMarkers;
    /// A list of `Platform`.
    #[wasm_bindgen(typescript_type = "Platform[]")]
    pub type JsPlatforms;
    /// A list of `MovingPlatform`.
    #[wasm_bindgen(typescript_type = "MovingPlatform[]")]
    pub type JsMovingPlatforms;
    /// A list of `Link`.
    #[wasm_bindgen(typescript_type = "Link[]")]
    pub type JsLinks;
}

/// How many numbers `poses` has for each agent: x, y, vx, vy, facing (−1 or 1), activity.
const STRIDE: usize = 6;

/// The activities, by their codes in `poses`.
const ACTIVITIES: [&str; 11] = [
    "idle",
    "running",
    "jumping",
    "dropping",
    "flying",
    "climbing",
    "launched",
    "in_portal",
    "stranded",
    "disabled",
    "riding",
];

/// The codes of `poses`: `activities()[code]` is a name.
#[wasm_bindgen]
pub fn activities() -> JsTexts {
    texts(ACTIVITIES).unchecked_into()
}

fn activity_code(activity: Activity) -> f32 {
    let at = ACTIVITIES.iter().position(|name| *name == activity.name());
    at.map_or(0.0, |at| at as f32)
}

fn facing(facing: Facing) -> f32 {
    match facing {
        Facing::Left => -1.0,
        Facing::Right => 1.0,
    }
}

/// An agent. With trees, it has what their tasks keep for it.
#[cfg(feature = "behavior")]
type Body = navmesh_behavior::Actor;
#[cfg(not(feature = "behavior"))]
pub struct Body {
    pub agent: navmesh_runtime::NavAgent,
}

#[cfg(not(feature = "behavior"))]
impl From<navmesh_runtime::NavAgent> for Body {
    fn from(agent: navmesh_runtime::NavAgent) -> Self {
        Self { agent }
    }
}

pub struct Slot {
    pub body: Body,
    /// The number of the agent, since an index is used again.
    pub serial: u32,
    /// A physics engine moves it: `update` leaves it out.
    is_driven: bool,
}

pub struct World {
    pub nav: Runtime,
    /// Agents by their index; `None` where one was removed.
    pub slots: Vec<Option<Slot>>,
    /// How many agents there were.
    agents: u32,
    poses: Vec<f32>,
    /// The array over `poses` that JavaScript has. Memory that grows detaches it.
    view: Float32Array,
}

impl World {
    fn write_pose(&mut self, index: usize) {
        let Some(pose) = self.poses.get_mut(index * STRIDE..(index + 1) * STRIDE) else {
            return;
        };
        let Some(slot) = self.slots.get(index).and_then(Option::as_ref) else {
            return pose.fill(f32::NAN);
        };
        let now = slot.body.agent.pose();
        pose.copy_from_slice(&[
            now.position.x,
            now.position.y,
            now.velocity.x,
            now.velocity.y,
            facing(slot.body.agent.pose().facing),
            activity_code(now.activity),
        ]);
    }

    fn poses(&mut self) -> Float32Array {
        let start = self.poses.as_ptr() as usize as u32;
        let is_current = self.view.length() as usize == self.poses.len()
            && self.view.byte_offset() == start
            // A detached array has no bytes.
            && self.view.byte_length() > 0;
        if !is_current {
            let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
            let length = self.poses.len() as u32;
            self.view =
                Float32Array::new_with_byte_offset_and_length(&memory.buffer(), start, length);
        }
        self.view.clone()
    }

    fn layer(&self, agent: &str) -> Result<&Layer, JsError> {
        let mesh = self.nav.mesh();
        mesh.layer_named(agent).ok_or_else(|| {
            let known: Vec<_> = mesh
                .layers()
                .iter()
                .map(|layer| &*layer.profile().name)
                .collect();
            JsError::new(&format!(
                "the level was not baked for an agent {agent:?}, but for {}",
                known.join(", ")
            ))
        })
    }
}

/// A level in play: its mesh, its doors, and its agents.
#[wasm_bindgen]
pub struct Navigator(#[wasm_bindgen(skip)] pub Rc<RefCell<World>>);

#[wasm_bindgen]
impl Navigator {
    /// Reads the bytes of a baked file. `load` also loads the module.
    ///
    /// Throws an error when they are not a valid file.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Navigator, JsError> {
        let nav = Runtime::new(asset::decode(bytes)?);
        nav.index_routes();
        Ok(Self(Rc::new(RefCell::new(World {
            nav,
            slots: Vec::new(),
            agents: 0,
            poses: Vec::new(),
            view: Float32Array::new_with_length(0),
        }))))
    }

    /// Replaces the level by another version, for instance after an edit. Agents go on where they are.
    #[wasm_bindgen(js_name = setMesh)]
    pub fn set_mesh(&self, bytes: &[u8]) -> Result<(), JsError> {
        let mesh = asset::decode(bytes)?;
        self.0.borrow_mut().nav.set_mesh(mesh);
        Ok(())
    }

    /// Adds an agent with its feet at a position. `name` is one of `agentNames`.
    pub fn agent(&self, name: &str, x: f32, y: f32) -> Result<Agent, JsError> {
        let mut world = self.0.borrow_mut();
        let body = world.nav.agent(name, Vec2::new(x, y))?.into();
        world.agents += 1;
        let serial = world.agents;
        let slot = Some(Slot {
            body,
            serial,
            is_driven: false,
        });
        let free = world.slots.iter().position(Option::is_none);
        let index = free.unwrap_or(world.slots.len());
        if index == world.slots.len() {
            world.slots.push(slot);
            let length = world.slots.len() * STRIDE;
            world.poses.resize(length, f32::NAN);
        } else {
            world.slots[index] = slot;
        }
        world.write_pose(index);
        drop(world);
        let world = Rc::clone(&self.0);
        Ok(Agent {
            world,
            index,
            serial,
        })
    }

    /// Moves all agents on by `dt` seconds, except those that `drive` moves. Returns how many of
    /// all agents have events.
    pub fn update(&self, dt: f32) -> u32 {
        let mut world = self.0.borrow_mut();
        let World { nav, slots, .. } = &mut *world;
        let mut with_events = 0;
        for slot in slots.iter_mut().flatten() {
            if !slot.is_driven {
                slot.body.agent.update(nav, dt);
            }
            with_events += u32::from(!slot.body.agent.events().is_empty());
        }
        for index in 0..world.slots.len() {
            world.write_pose(index);
        }
        with_events
    }

    /// The poses of all agents, six numbers each, by `Agent.index`: x, y, vx, vy, facing (−1 or 1),
    /// and the code of the activity; NaN for agents that were removed. It is a view of
    /// the module's memory: read it again in each frame. That makes no garbage.
    #[wasm_bindgen(getter)]
    pub fn poses(&self) -> Float32Array {
        self.0.borrow_mut().poses()
    }

    /// The names of the agents that the level was baked for.
    #[wasm_bindgen(getter, js_name = agentNames)]
    pub fn agent_names(&self) -> JsTexts {
        let world = self.0.borrow();
        let layers = world.nav.mesh().layers().iter();
        texts(layers.map(|layer| &layer.profile().name)).unchecked_into()
    }

    /// The width and height of the body of an agent.
    pub fn body(&self, agent: &str) -> Result<Vec<f32>, JsError> {
        Ok(self.0.borrow().layer(agent)?.profile().body.to_vec())
    }

    /// Level pixels in a world unit; negative when y grows upwards.
    #[wasm_bindgen(getter, js_name = pixelsPerUnit)]
    pub fn pixels_per_unit(&self) -> f32 {
        let units = self.0.borrow().nav.mesh().units();
        match units.y_axis {
            YAxis::Down => units.pixels_per_unit,
            YAxis::Up => -units.pixels_per_unit,
        }
    }

    /// The spawns, doors, waypoints and other named places of the level.
    pub fn markers(&self) -> JsMarkers {
        let world = self.0.borrow();
        let markers = world.nav.mesh().markers().iter();
        markers.map(marker).collect::<Array>().unchecked_into()
    }

    /// The lines on which an agent can move, to draw them.
    pub fn platforms(&self, agent: &str) -> Result<JsPlatforms, JsError> {
        let world = self.0.borrow();
        let platforms = world.layer(agent)?.platforms().map(|platform| {
            JsValue::from(object([
                ("kind", platform.kind.name().into()),
                (
                    "points",
                    points(platform.surface.iter().map(Vec2::to_array)),
                ),
            ]))
        });
        Ok(platforms.collect::<Array>().unchecked_into())
    }

    /// The baked moves of an agent, to draw them.
    pub fn links(&self, agent: &str) -> Result<JsLinks, JsError> {
        let world = self.0.borrow();
        let layer = world.layer(agent)?;
        let links = layer.links().iter().map(|link| {
            JsValue::from(object([
                ("kind", link.kind.name().into()),
                ("points", points(curve(layer, link))),
                ("duration", link.duration.into()),
                ("tolerance", link.tolerance.into()),
            ]))
        });
        Ok(links.collect::<Array>().unchecked_into())
    }

    /// Gives the level the time, in seconds at the begin of the next step: agents ride on platforms
    /// that move. Without a number, as in the beginning, they do not.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&self, seconds: Option<f64>) {
        self.0.borrow_mut().nav.set_clock(seconds);
    }

    /// The platforms on which agents ride, where they are at a time in seconds. Move those of the
    /// game there at the end of a step.
    #[wasm_bindgen(js_name = movingPlatforms)]
    pub fn moving_platforms(&self, seconds: f64) -> JsMovingPlatforms {
        let world = self.0.borrow();
        let mesh = world.nav.mesh();
        let platforms = mesh.moving_platforms().map(|on| {
            let (at, velocity) = on.schedule.state(seconds * TICKS);
            JsValue::from(object([
                ("name", marker_name(mesh, on.marker)),
                ("x", at.x.into()),
                ("y", at.y.into()),
                ("vx", velocity.x.into()),
                ("vy", velocity.y.into()),
                ("width", on.size.x.into()),
                ("height", on.size.y.into()),
            ]))
        });
        platforms.collect::<Array>().unchecked_into()
    }

    /// Closes every door of a name. Agents plan again around it.
    #[wasm_bindgen(js_name = closeDoor)]
    pub fn close_door(&self, name: &str) -> Result<(), JsError> {
        self.set_door(name, Doors::close)
    }

    /// Opens every door of a name.
    #[wasm_bindgen(js_name = openDoor)]
    pub fn open_door(&self, name: &str) -> Result<(), JsError> {
        self.set_door(name, Doors::open)
    }

    /// Whether a door of that name is closed; `undefined` without such a door.
    #[wasm_bindgen(js_name = isDoorClosed)]
    pub fn is_door_closed(&self, name: &str) -> Option<bool> {
        self.0.borrow().nav.doors().is_closed(name)
    }

    /// Takes everything solid in a rectangle out of the level: ground that crumbles. Agents on it fall.
    pub fn remove(&self, x: f32, y: f32, width: f32, height: f32) {
        self.0.borrow_mut().nav.remove(rect(x, y, width, height));
    }

    /// Puts back what `remove` took out with the same numbers. `false` when it was not removed.
    pub fn restore(&self, x: f32, y: f32, width: f32, height: f32) -> bool {
        self.0.borrow_mut().nav.restore(rect(x, y, width, height))
    }

    /// Bounds the path searches of a frame; see `work`. 2,000 nodes take a few milliseconds.
    /// Without a number, as in the beginning, agents get their paths at once.
    #[wasm_bindgen(js_name = setBudget)]
    pub fn set_budget(&self, nodes: Option<u32>) {
        self.0.borrow_mut().nav.set_budget(nodes);
    }

    /// Answers waiting requests within the budget. Call it once in each frame.
    pub fn work(&self) -> u32 {
        self.0.borrow_mut().nav.work()
    }
}

impl Navigator {
    fn set_door<T, E>(
        &self,
        name: &str,
        set: impl FnOnce(&mut Doors, &str) -> Result<T, E>,
    ) -> Result<(), JsError>
    where
        E: std::error::Error + 'static,
    {
        set(self.0.borrow_mut().nav.doors_mut(), name)?;
        Ok(())
    }
}

fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
    let corner = Vec2::new(x, y);
    Rect::new(corner, corner + Vec2::new(width, height))
}

/// The line of the feet along a link, in pieces of 1/30 s.
fn curve(layer: &Layer, link: &Link) -> Vec<[f32; 2]> {
    let down = layer.grid().y_axis.down();
    let Ok(trajectory) = link.trajectory(layer.profile(), down) else {
        return vec![link.from.to_array(), link.to.to_array()];
    };
    let pieces = (link.duration * 30.0).ceil().clamp(1.0, 300.0) as u32;
    let duration = f64::from(link.duration);
    let times = (0..=pieces).map(|i| duration * f64::from(i) / f64::from(pieces));
    times
        .map(|t| trajectory.position(link.from, down, t).as_vec2().to_array())
        .collect()
}

fn marker(marker: &Marker) -> JsValue {
    let properties = js_sys::Object::new();
    for (name, value) in &marker.properties {
        let _ = js_sys::Reflect::set(&properties, &name.into(), &value.into());
    }
    object([
        ("class", (&marker.class).into()),
        ("name", (&marker.name).into()),
        ("x", marker.position.x.into()),
        ("y", marker.position.y.into()),
        ("width", marker.size.x.into()),
        ("height", marker.size.y.into()),
        ("properties", properties.into()),
    ])
    .into()
}

fn point(at: Vec2) -> JsValue {
    object([("x", at.x.into()), ("y", at.y.into())]).into()
}

fn steps(steps: &[Step]) -> Array {
    let steps = steps.iter().map(|step| {
        JsValue::from(object([
            ("kind", step.kind.name().into()),
            ("from", point(step.from)),
            ("to", point(step.to)),
            ("duration", step.duration.into()),
        ]))
    });
    steps.collect()
}

fn reason(why: &impl std::fmt::Display) -> (&'static str, JsValue) {
    ("reason", why.to_string().into())
}

fn marker_name(mesh: &NavMesh, marker: MarkerId) -> JsValue {
    let marker = mesh.marker(marker);
    marker.map_or(JsValue::NULL, |marker| marker.name.as_str().into())
}

fn event(event: &AgentEvent, mesh: &NavMesh) -> JsValue {
    let name = ("type", event.name().into());
    match event {
        AgentEvent::Arrived { at }
        | AgentEvent::Landed { at }
        | AgentEvent::CaughtInDoor { at }
        | AgentEvent::Stuck { at } => object([name, ("at", point(*at))]),
        AgentEvent::Jumped { from, to }
        | AgentEvent::Dropped { from, to }
        | AgentEvent::Thrown { from, to }
        | AgentEvent::EnteredPortal { from, to }
        | AgentEvent::Teleported { from, to } => {
            object([name, ("from", point(*from)), ("to", point(*to))])
        }
        AgentEvent::LinkStarted { marker, from, to } => object([
            name,
            ("link", marker_name(mesh, *marker)),
            ("from", point(*from)),
            ("to", point(*to)),
        ]),
        AgentEvent::LinkFinished { marker, to } => object([
            name,
            ("link", marker_name(mesh, *marker)),
            ("to", point(*to)),
        ]),
        AgentEvent::BlockedBy { marker, at } => object([
            name,
            ("door", marker_name(mesh, *marker)),
            ("at", point(*at)),
        ]),
        AgentEvent::Boarded { marker, at } | AgentEvent::GotOff { marker, at } => object([
            name,
            ("platform", marker_name(mesh, *marker)),
            ("at", point(*at)),
        ]),
        AgentEvent::TookOff { from } => object([name, ("from", point(*from))]),
        AgentEvent::PathLost(why) => object([name, reason(why)]),
        AgentEvent::CannotReach(why) => object([name, reason(why)]),
        AgentEvent::Stranded(why) => object([name, reason(why)]),
        _ => object([name]),
    }
    .into()
}

/// An agent of a `Navigator`.
#[wasm_bindgen]
pub struct Agent {
    world: Rc<RefCell<World>>,
    #[wasm_bindgen(skip)]
    pub index: usize,
    #[wasm_bindgen(skip)]
    pub serial: u32,
}

impl Agent {
    /// Calls `f` for the agent; a removed agent has the default result.
    fn with<T: Default>(&self, f: impl FnOnce(&mut Slot, &mut Runtime) -> T) -> T {
        let mut world = self.world.borrow_mut();
        let World { nav, slots, .. } = &mut *world;
        match slots.get_mut(self.index).and_then(Option::as_mut) {
            Some(slot) if slot.serial == self.serial => f(slot, nav),
            _ => T::default(),
        }
    }
}

#[wasm_bindgen]
impl Agent {
    /// Its place in `Navigator.poses`: six numbers from `6 * index`.
    #[wasm_bindgen(getter)]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Sends it to a position (feet). It plans in its next step.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&self, x: f32, y: f32) {
        self.with(|slot, _| slot.body.agent.go_to(Vec2::new(x, y)));
    }

    /// The place on a platform that is nearest to a target with feet at a position: where to send an
    /// agent that chases something in the air. `undefined` without any platform.
    #[wasm_bindgen(js_name = placeOfTarget)]
    pub fn place_of_target(&self, x: f32, y: f32) -> JsPoint {
        let place =
            self.with(|slot, nav| nav.place_of_target(&slot.body.agent, Vec2::new(x, y), None));
        place.map_or(JsValue::UNDEFINED, point).unchecked_into()
    }

    /// Stops at the next place where it can.
    pub fn stop(&self) {
        self.with(|slot, _| slot.body.agent.stop());
    }

    /// Whether it goes as near as it can when no path leads to its destination.
    #[wasm_bindgen(js_name = setAllowPartialPath)]
    pub fn set_allow_partial_path(&self, allow: bool) {
        self.with(|slot, _| slot.body.agent.set_allow_partial_path(allow));
    }

    /// Where it is and what it does, as an object. `Navigator.poses` makes none.
    #[wasm_bindgen(getter)]
    pub fn pose(&self) -> JsPose {
        let pose = self.with(|slot, _| Some(slot.body.agent.pose()));
        let pose = pose.map(|pose| {
            object([
                ("x", pose.position.x.into()),
                ("y", pose.position.y.into()),
                ("vx", pose.velocity.x.into()),
                ("vy", pose.velocity.y.into()),
                ("facing", facing(pose.facing).into()),
                ("activity", pose.activity.name().into()),
            ])
        });
        JsValue::from(pose).unchecked_into()
    }

    /// Where it goes.
    #[wasm_bindgen(getter)]
    pub fn destination(&self) -> JsPoint {
        let to = self.with(|slot, _| slot.body.agent.destination());
        to.map_or(JsValue::UNDEFINED, point).unchecked_into()
    }

    /// What happened in its last step.
    pub fn events(&self) -> JsEvents {
        let events = self.with(|slot, nav| {
            let events = slot.body.agent.events().iter();
            events.map(|own| event(own, nav.mesh())).collect::<Array>()
        });
        events.unchecked_into()
    }

    /// Reports that the game has moved it along the link of its last `link_started`.
    #[wasm_bindgen(js_name = finishLink)]
    pub fn finish_link(&self) {
        self.with(|slot, _| slot.body.agent.finish_link());
    }

    /// What breaking a door costs it, seconds; nothing for an agent that breaks none.
    #[wasm_bindgen(js_name = setBreakCost)]
    pub fn set_break_cost(&self, seconds: Option<f32>) {
        self.with(|slot, _| slot.body.agent.set_break_cost(seconds));
    }

    /// How it moves where others are in its way: 0 through them, as a new agent; 1 keeps a
    /// gap; 2 also makes way for one that comes towards it.
    #[wasm_bindgen(js_name = setAvoidance)]
    pub fn set_avoidance(&self, avoidance: u8) -> Result<(), JsError> {
        let avoidance = match avoidance {
            0 => Avoidance::Overlap,
            1 => Avoidance::Queue,
            2 => Avoidance::Yield,
            _ => return Err(JsError::new("the avoidance is above 2")),
        };
        self.with(|slot, _| slot.body.agent.set_avoidance(avoidance));
        Ok(())
    }

    /// The path to a position, or why there is none.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(&self, x: f32, y: f32) -> Result<JsPath, JsError> {
        let found = self.with(|slot, nav| {
            let found = nav.find_path(&slot.body.agent, Vec2::new(x, y))?;
            Some(found.map(|outcome| match outcome {
                PathOutcome::Found(path) => object([
                    ("found", true.into()),
                    ("cost", path.cost.into()),
                    ("steps", steps(&path.steps).into()),
                ]),
                PathOutcome::Nearest(path, why) => object([
                    ("found", false.into()),
                    ("reason", why.to_string().into()),
                    ("nearest", steps(&path.steps).into()),
                ]),
                PathOutcome::NoPath(why) => {
                    object([("found", false.into()), ("reason", why.to_string().into())])
                }
                _ => object([("found", false.into()), ("reason", "not done".into())]),
            }))
        });
        Ok(
            JsValue::from(found.ok_or_else(|| JsError::new("the agent was removed"))??)
                .unchecked_into(),
        )
    }

    /// The steps of its path that are left.
    #[wasm_bindgen(js_name = remainingPath)]
    pub fn remaining_path(&self) -> JsSteps {
        self.with(|slot, _| steps(slot.body.agent.remaining_path()))
            .unchecked_into()
    }

    /// One step of `dt` seconds of an agent whose body a physics engine moves: the game passes the
    /// body and moves it by the command. `Navigator.update` leaves the agent out from then on.
    pub fn drive(&self, body: &JsBody, dt: f32) -> JsCommand {
        let state = BodyState {
            position: Vec2::new(body.x(), body.y()),
            velocity: Vec2::new(body.vx(), body.vy()),
            grounded: body.grounded(),
        };
        let command = self.with(|slot, nav| {
            slot.is_driven = true;
            slot.body.agent.drive(nav, state, dt)
        });
        self.world.borrow_mut().write_pose(self.index);
        let made = object([
            ("vx", command.velocity.x.into()),
            ("vy", command.velocity.y.into()),
            ("dropThrough", command.drop_through.into()),
            ("exact", command.exact.into()),
        ]);
        if let Some(jump) = command.jump {
            let jump = object([("vx", jump.x.into()), ("vy", jump.y.into())]);
            let _ = js_sys::Reflect::set(&made, &"jump".into(), &jump);
        }
        JsValue::from(made).unchecked_into()
    }

    /// Puts it somewhere else.
    pub fn teleport(&self, x: f32, y: f32) {
        self.with(|slot, _| slot.body.agent.teleport(Vec2::new(x, y)));
    }

    /// Throws it with a velocity, units/s, for instance after a hit.
    pub fn launch(&self, vx: f32, vy: f32) {
        self.with(|slot, _| slot.body.agent.launch(Vec2::new(vx, vy)));
    }

    /// Makes it do nothing until `enable`; it may still fall.
    pub fn stun(&self) {
        self.with(|slot, _| slot.body.agent.stun());
    }

    /// Ends a stun.
    pub fn enable(&self) {
        self.with(|slot, _| slot.body.agent.enable());
    }

    /// Takes it out of the level. Its index is used again.
    pub fn remove(&self) {
        let mut world = self.world.borrow_mut();
        let World { nav, slots, .. } = &mut *world;
        let slot = slots.get_mut(self.index);
        let own = slot.and_then(|slot| slot.take_if(|slot| slot.serial == self.serial));
        if let Some(mut own) = own {
            nav.forget(&mut own.body.agent);
            world.write_pose(self.index);
        }
    }
}
