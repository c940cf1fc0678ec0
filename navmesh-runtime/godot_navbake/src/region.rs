//! The level that agents move in.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use godot::classes::{AnimatableBody2D, Engine, InputEvent, InputEventMouseButton, Node2D};
use godot::global::MouseButton;
use godot::prelude::*;
use navmesh_bake::{Level, LiveLevel, NoProgress, Progress, Settings, SharedProgress};
use navmesh_behavior::Pools;
use navmesh_runtime::mesh::{AgentProfile, Schedule, TICKS};
use navmesh_runtime::search::{Doors, Rect};
use navmesh_runtime::{Layer, NavMesh, Navigator, Path};

use crate::mesh::NavbakeMesh;
use crate::profile::{NavbakeProfile, project_gravity};
use crate::scene::{HOME, Reader};
use crate::{explain, from_godot, in_background, overlay, to_godot};

/// The group of all regions, in which agents look for theirs.
pub const REGIONS: &str = "_navbake_regions";

/// The group of bodies that move by a schedule.
const MOVING: &str = "navbake_moving_platform";

type Baked = Result<LiveLevel, String>;

/// The body of a platform, and from the left end of its top to its origin.
struct MovingBody {
    body: Gd<AnimatableBody2D>,
    schedule: Schedule,
    origin: Vector2,
}

/// Bakes the collision of the scene below it, and is the level that agents move in.
///
/// Read are `TileMapLayer`s, `StaticBody2D`s, and as markers nodes in groups such as
/// `navbake_spawn`, with their metadata as properties. The guide has all groups.
#[derive(GodotClass)]
#[class(tool, init, base = Node2D)]
pub struct NavbakeRegion2D {
    /// The kinds of agents to bake for.
    #[export]
    profiles: Array<Gd<NavbakeProfile>>,
    /// The baked level.
    #[var(set = set_navmesh)]
    #[export]
    navmesh: Option<Gd<NavbakeMesh>>,
    /// Bakes when the game starts, if there is no baked level.
    #[export]
    #[init(val = true)]
    bake_on_ready: bool,
    /// The group whose nodes are read; empty for the nodes below the region.
    #[export]
    source_geometry_group_name: StringName,
    /// Index of the physics layer of tile sets.
    #[export]
    physics_layer: i32,
    /// Static bodies on one of these layers of physics are read.
    #[export(flags_2d_physics)]
    #[init(val = 1)]
    parsed_collision_mask: u32,
    /// The level's extent in pixels of the region; without an area, that of the collision.
    #[export]
    baking_rect: Rect2,
    /// Links are left out if a detour takes at most so many times longer; 1 keeps all.
    #[export(range = (1.0, 3.0))]
    #[init(val = 1.25)]
    link_stretch: f32,
    /// Draws platforms and links.
    #[var(set = set_debug_enabled)]
    #[export]
    debug_enabled: bool,
    /// The agent whose platforms and links are drawn; empty for the first one.
    #[export]
    debug_agent: GString,
    /// Seconds of the level, by which platforms move: save it, and set it after loading.
    #[var]
    level_time: f64,
    platforms: Vec<MovingBody>,
    /// The level in play; a tree takes it out while it is ticked.
    pub navigator: Option<Navigator>,
    /// How many levels were taken over.
    pub version: u64,
    /// The waypoints of the last one.
    waypoints: Option<Pools>,
    /// What the overlay explains: where a path begins and ends, global, and the text.
    explained: Option<((Vector2, Option<Vector2>), GString)>,
    /// What the last bake found, from which the next one takes what has not changed.
    live: Option<LiveLevel>,
    /// The bake on another thread, and where it sends its result.
    job: Option<(Arc<SharedProgress>, Receiver<Baked>)>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for NavbakeRegion2D {
    fn enter_tree(&mut self) {
        self.base_mut().add_to_group(REGIONS);
        // Platforms move after the bodies that ride on them.
        self.base_mut().set_physics_process_priority(1);
    }

    fn exit_tree(&mut self) {
        self.end_job();
    }

    fn ready(&mut self) {
        self.load();
        if self.bake_on_ready && self.navigator.is_none() && !Engine::singleton().is_editor_hint() {
            self.bake(false);
        }
    }

    fn physics_process(&mut self, delta: f64) {
        self.level_time += delta;
        let clock = self.level_time;
        let has_platforms = !self.platforms.is_empty();
        if let Some(nav) = self.navigator.as_mut().filter(|_| has_platforms) {
            nav.set_clock(clock);
        }
        let transform = self.base().get_global_transform();
        for on in self
            .platforms
            .iter_mut()
            .filter(|on| on.body.is_instance_valid())
        {
            let at = on.schedule.state(clock * TICKS).0.as_vec2();
            on.body
                .set_global_position(transform * to_godot(at) + on.origin);
        }
    }

    fn process(&mut self, _delta: f64) {
        let Some((_, job)) = &self.job else { return };
        let result = match job.try_recv() {
            Err(TryRecvError::Empty) => return,
            received => received.unwrap_or_else(|_| Err("the bake has ended".to_owned())),
        };
        self.job = None;
        self.finish(result);
    }

    fn unhandled_input(&mut self, event: Gd<InputEvent>) {
        let local = self.base().make_input_local(&event);
        let Some(Ok(click)) = local.map(Gd::try_cast::<InputEventMouseButton>) else {
            return;
        };
        let is_click = click.is_pressed() && click.is_alt_pressed();
        if self.debug_enabled && is_click && click.get_button_index() == MouseButton::LEFT {
            let at = self.base().to_global(click.get_position());
            self.explain_click(at);
        }
    }

    fn draw(&mut self) {
        if !self.debug_enabled {
            return;
        }
        let name = self.debug_layer().to_string();
        let mesh = self.navigator.as_ref().map(|nav| Arc::clone(nav.mesh()));
        let mut canvas = self.to_gd().upcast::<Node2D>();
        if let Some(layer) = mesh.as_ref().and_then(|mesh| mesh.layer_named(&name)) {
            overlay::draw_layer(&mut canvas, layer);
        }
        if let Some((ends, text)) = &self.explained {
            let ends = [Some(ends.0), ends.1].map(|at| at.map(|at| canvas.to_local(at)));
            overlay::draw_explained(&mut canvas, ends, text);
        }
    }
}

#[godot_api]
impl NavbakeRegion2D {
    /// A bake has ended; without success the reason is in the console.
    #[signal]
    pub fn bake_finished(success: bool);

    /// The level is another one.
    #[signal]
    pub fn navmesh_changed();

    /// Bakes the scene, at once or on another thread. `bake_finished` follows. A later bake takes
    /// a part of the time, because it searches only around what has changed.
    #[func]
    pub fn bake(&mut self, #[opt(default = true)] on_thread: bool) {
        let (level, settings) = match self.read() {
            Ok(read) => read,
            Err(error) => return self.finish(Err(error)),
        };
        let live = self.live.take();
        if !on_thread {
            return self.finish(bake_again(live, level, settings, &NoProgress));
        }
        self.end_job();
        let (sender, receiver) = channel();
        let job = Arc::new(SharedProgress::default());
        self.job = Some((Arc::clone(&job), receiver));
        in_background(move || {
            // The region may have left the game meanwhile.
            let _ = sender.send(bake_again(live, level, settings, &*job));
        });
    }

    /// Whether a bake is under way on another thread.
    #[func]
    fn is_baking(&self) -> bool {
        self.job.is_some()
    }

    /// What the bake on another thread is doing: `ground: links 40 %`.
    #[func]
    fn get_bake_progress(&self) -> GString {
        let text = self.job.as_ref().map(|(job, _)| job.text());
        GString::from(&text.unwrap_or_default())
    }

    /// Ends the bake that is under way; `bake_finished` follows with `false`.
    #[func]
    fn cancel_bake(&mut self) {
        if self.end_job() {
            self.signals().bake_finished().emit(false);
        }
    }

    #[func]
    fn set_navmesh(&mut self, navmesh: Option<Gd<NavbakeMesh>>) {
        self.navmesh = navmesh;
        if self.base().is_inside_tree() {
            self.load();
        }
    }

    #[func]
    fn set_debug_enabled(&mut self, enabled: bool) {
        self.debug_enabled = enabled;
        self.base_mut().queue_redraw();
    }

    /// Takes out everything solid in a rectangle of the world, at once. Agents on it fall, and
    /// others plan again. It should contain all of what is gone. What can be walked and jumped
    /// only now is known after the next bake, which ends the removal.
    #[func]
    fn remove(&mut self, rect: Rect2) {
        let rect = self.rect_in_region(rect);
        if let Some(nav) = &mut self.navigator {
            nav.remove(rect);
        }
        self.base_mut().queue_redraw();
    }

    /// Puts back what `remove` took out of a rectangle. Returns false if it was not removed.
    #[func]
    fn restore(&mut self, rect: Rect2) -> bool {
        let rect = self.rect_in_region(rect);
        let nav = self.navigator.as_mut();
        let is_restored = nav.is_some_and(|nav| nav.restore(rect));
        self.base_mut().queue_redraw();
        is_restored
    }

    /// Closes a door. Returns false, with a warning, if there is no door of this name.
    #[func]
    fn close_door(&mut self, name: GString) -> bool {
        self.set_door(&name, true)
    }

    /// Opens a door. Returns false, with a warning, if there is no door of this name.
    #[func]
    fn open_door(&mut self, name: GString) -> bool {
        self.set_door(&name, false)
    }

    /// Whether a door is closed.
    #[func]
    fn is_door_closed(&self, name: GString) -> bool {
        let nav = self.navigator.as_ref();
        nav.is_some_and(|nav| nav.doors().is_closed(&name.to_string()).unwrap_or(false))
    }

    /// The ends of the steps of the cheapest path between two global positions; none without.
    #[func]
    fn find_path(&mut self, agent_name: GString, from: Vector2, to: Vector2) -> PackedVector2Array {
        let to_global = self.base().get_global_transform();
        let path = self.path(&agent_name, from, to);
        let points = path.iter().flat_map(|path| {
            let starts = path.steps.iter().map(|step| step.from);
            starts.chain(path.steps.last().map(|step| step.to))
        });
        points.map(|at| to_global * to_godot(at)).collect()
    }

    /// Seconds of the cheapest path between two global positions; infinite without one.
    #[func]
    fn get_path_cost(&mut self, agent_name: GString, from: Vector2, to: Vector2) -> f64 {
        (self.path(&agent_name, from, to)).map_or(f64::INFINITY, |path| path.cost)
    }

    /// The links of the path between two global positions, or what is in the way of a link.
    #[func]
    fn explain(&mut self, agent_name: GString, from: Vector2, to: Vector2) -> GString {
        if let Some(path) = self.path(&agent_name, from, to) {
            return GString::from(&explain::of_path(&path));
        }
        let ends = [from, to].map(|at| from_godot(self.base().to_local(at)));
        let text = self.read().and_then(|read| {
            let mesh = self.navigator.as_ref().map(|nav| Arc::clone(nav.mesh()));
            let mesh = mesh.ok_or("there is no baked level")?;
            let layer = mesh.layer_named(&agent_name.to_string());
            explain::of_miss(layer.ok_or("there is no such agent")?, &read, ends)
        });
        GString::from(&text.unwrap_or_else(|error| error))
    }

    /// Explains and draws: the first click is where a path begins, the next one where it ends.
    #[func]
    fn explain_click(&mut self, at: Vector2) {
        let ends = match self.explained.take() {
            Some(((from, None), _)) => (from, Some(at)),
            _ => (at, None),
        };
        let text = ends
            .1
            .map(|to| self.explain(self.debug_layer(), ends.0, to));
        let text = text.unwrap_or_default();
        self.explained = Some((ends, text));
        self.base_mut().queue_redraw();
    }

    /// The global positions of markers of a class, such as `spawn`; with a name, only those.
    #[func]
    fn get_markers(&self, class: GString, name: GString) -> PackedVector2Array {
        let [class, name] = [class, name].map(|text| text.to_string());
        let transform = self.base().get_global_transform();
        let mesh = self.navigator.as_ref().map(Navigator::mesh);
        let markers = mesh.iter().flat_map(|mesh| mesh.markers());
        let markers = markers.filter(|own| own.class == class);
        let markers = markers.filter(|own| name.is_empty() || own.name == name);
        let centers = markers.map(|own| transform * to_godot(own.position + own.size * 0.5));
        centers.collect()
    }
}

impl NavbakeRegion2D {
    /// The region that agents of a tree use: the first one.
    pub fn of_tree(node: &Gd<Node>) -> Option<Gd<Self>> {
        let found = node.get_tree().get_first_node_in_group(REGIONS)?;
        found.try_cast::<Self>().ok()
    }

    /// The pools of the level's waypoints, which all trees share.
    pub fn waypoint_pools(&mut self) -> Pools {
        let mesh = self.navmesh.as_mut().map(|mesh| mesh.bind_mut().decoded());
        let pools = self.waypoints.get_or_insert_with(|| match mesh {
            Some(Ok(mesh)) => Pools::from(&*mesh),
            _ => Pools::default(),
        });
        pools.clone()
    }

    /// Cancels the bake on another thread. Returns whether there was one.
    fn end_job(&mut self) -> bool {
        self.job.take().map(|(job, _)| job.cancel()).is_some()
    }

    /// The bodies of the level's platforms, which have the names of their markers.
    fn moving_bodies(&self, mesh: &NavMesh) -> Vec<MovingBody> {
        let transform = self.base().get_global_transform();
        let tree = self.base().get_tree_or_null();
        let nodes = tree.map(|tree| tree.get_nodes_in_group(MOVING));
        let nodes = nodes.unwrap_or_default();
        let bodies = nodes.iter_shared().filter_map(|node| {
            let mut body = node.try_cast::<AnimatableBody2D>().ok()?;
            let name = body.get_name().to_string();
            let mut moving = mesh.layers().iter().flat_map(Layer::moving_platforms);
            let (corner, schedule) = moving.find_map(|on| {
                let marker = mesh.marker(on.marker)?;
                (marker.name == name).then(|| (marker.position, on.schedule.clone()))
            })?;
            if !body.has_meta(HOME) {
                let here = body.get_global_position();
                body.set_meta(HOME, &here.to_variant());
            }
            let origin = body.get_meta(HOME).to::<Vector2>() - transform * to_godot(corner);
            Some(MovingBody {
                body,
                schedule,
                origin,
            })
        });
        bodies.collect()
    }

    fn path(&mut self, agent_name: &GString, from: Vector2, to: Vector2) -> Option<Path> {
        let [from, to] = [from, to].map(|at| from_godot(self.base().to_local(at)));
        let nav = self.navigator.as_mut()?;
        let agent = nav.agent(&agent_name.to_string(), from).ok()?;
        let outcome = nav.find_path(&agent, to)?.ok()?;
        outcome.path().cloned()
    }

    fn debug_layer(&self) -> GString {
        let mesh = self.navigator.as_ref().map(Navigator::mesh);
        let first = mesh.and_then(|mesh| mesh.layers().first());
        match first {
            Some(layer) if self.debug_agent.is_empty() => GString::from(&layer.profile().name),
            _ => self.debug_agent.clone(),
        }
    }

    fn rect_in_region(&self, rect: Rect2) -> Rect {
        let to_region = self.base().get_global_transform().affine_inverse();
        let Rect2 { position, size } = to_region * rect;
        Rect::new(from_godot(position), from_godot(position + size))
    }

    /// Takes over the level of the resource. Agents keep their destinations.
    fn load(&mut self) {
        let decoded = self.navmesh.as_mut().map(|mesh| mesh.bind_mut().decoded());
        let mesh = match decoded {
            None => return self.navigator = None,
            Some(Err(error)) => return godot_error!("{}: {error}", self.base().get_path()),
            Some(Ok(mesh)) => mesh,
        };
        match &mut self.navigator {
            Some(nav) => nav.set_mesh(mesh),
            None => self.navigator = Some(Navigator::new(mesh)),
        }
        self.version += 1;
        self.waypoints = None;
        if let Some(nav) = &self.navigator
            && !Engine::singleton().is_editor_hint()
        {
            let mesh = Arc::clone(nav.mesh());
            self.platforms = self.moving_bodies(&mesh);
            in_background(move || {
                for layer in mesh.layers() {
                    layer.index_routes();
                }
            });
        }
        self.base_mut().queue_redraw();
        self.signals().navmesh_changed().emit();
    }

    fn finish(&mut self, result: Baked) {
        let success = result.is_ok();
        match result {
            Ok(live) => {
                self.navmesh = Some(NavbakeMesh::baked(Arc::clone(live.mesh())));
                // The editor has no need of it, and scenes stay open for long.
                self.live = Some(live).filter(|_| !Engine::singleton().is_editor_hint());
                // What was removed is not in the scene any more.
                if let Some(nav) = &mut self.navigator {
                    while let Some(&rect) = nav.removed().first() {
                        nav.restore(rect);
                    }
                }
                self.load();
            }
            Err(error) => godot_error!("{}: {error}", self.base().get_path()),
        }
        self.signals().bake_finished().emit(success);
    }

    /// The level and the settings of a bake.
    fn read(&mut self) -> Result<(Level, Settings), String> {
        let mut reader = Reader {
            physics_layer: self.physics_layer,
            collision_mask: self.parsed_collision_mask,
            bounds: self.baking_rect,
            to_region: self.base().get_global_transform().affine_inverse(),
            ..Reader::default()
        };
        if self.source_geometry_group_name.is_empty() {
            reader.read(&self.to_gd().upcast());
        } else {
            let group = &self.source_geometry_group_name;
            let nodes = self.base().get_tree().get_nodes_in_group(group);
            for node in nodes.iter_shared() {
                reader.read(&node);
            }
        }
        for warning in &reader.warnings {
            godot_warn!("{warning}");
        }
        let gravity = project_gravity();
        let profiles = self.profiles.iter_shared();
        let agents = profiles.map(|profile| profile.bind().agent(gravity));
        let agents: Vec<AgentProfile> = agents.collect();
        if agents.is_empty() {
            return Err("it has no profiles: add a NavbakeProfile".to_owned());
        }
        let rooms = agents.iter().map(|agent| agent.body[1] + agent.jump_height);
        let room = rooms.fold(0.0, f32::max);
        let level = reader.level(self.base().get_name().to_string(), room.into())?;
        let mut settings = Settings::for_agents(agents);
        settings.link_stretch = self.link_stretch;
        Ok((level, settings))
    }

    fn set_door(&mut self, name: &GString, close: bool) -> bool {
        let path = self.base().get_path();
        let Some(nav) = &mut self.navigator else {
            return false;
        };
        let set = if close { Doors::close } else { Doors::open };
        let result = set(nav.doors_mut(), &name.to_string());
        let result = result.inspect_err(|error| godot_warn!("{path}: {error}"));
        result.is_ok()
    }
}

/// Bakes a level, with what an earlier bake with the same settings found.
fn bake_again(
    live: Option<LiveLevel>,
    level: Level,
    settings: Settings,
    progress: &dyn Progress,
) -> Baked {
    let bake = || match live.filter(|live| *live.settings() == settings) {
        None => LiveLevel::with_progress(level, settings, progress),
        Some(mut live) => {
            live.set_level(level);
            live.update().map(|_| live)
        }
    };
    // The threads of rayon's own pool would outlive the library, and crash.
    let pool = rayon::ThreadPoolBuilder::new();
    let result = pool.build_scoped(rayon::ThreadBuilder::run, |pool| pool.install(bake));
    let result = result.map_err(|error| error.to_string())?;
    let live = result.map_err(|error| error.to_string())?;
    // All agents search again in the frame in which they get the level.
    for layer in live.mesh().layers() {
        layer.index_routes();
    }
    Ok(live)
}
