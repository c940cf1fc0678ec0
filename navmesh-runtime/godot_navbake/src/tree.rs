//! Behaviour trees that decide what agents do.

use std::sync::Arc;

use godot::classes::{Node2D, ThemeDb};
use godot::global::str_to_var;
use godot::prelude::*;
use navmesh_behavior::{
    Actor, Blackboard, Context, CueStep, Node as TreeNode, Outcome, Pools, Status, TaskContext,
    Tick, Trace, TreeState, Value,
};
use navmesh_runtime::Navigator;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::motion::Activity;
use serde_json::{Map, Value as Json};

use crate::agent::{NavbakeAgent2D, place_of};
use crate::region::NavbakeRegion2D;
use crate::tree_file::{NavbakePool, NavbakeTreeFile};
use crate::{Complaint, from_godot, to_godot};

/// Decides what the `NavbakeAgent2D` that it is a child of does, by a behaviour tree.
///
/// In each physics frame the tree is ticked after the agent has moved. The tasks and cues of
/// the file are the ready-made ones, and callables that `set_task` gave a name. A stunned or
/// thrown agent leaves its tree, and begins it again afterwards.
#[derive(GodotClass)]
#[class(init, base = Node2D)]
pub struct NavbakeTree {
    /// The tree.
    #[var(set = set_file)]
    #[export]
    file: Option<Gd<NavbakeTreeFile>>,
    /// The node that tasks such as `pursue` and `sees_target` are about.
    #[export]
    target: Option<Gd<Node2D>>,
    /// The pools of tokens that the tree names. Those of waypoints come from the level.
    #[export]
    pools: Array<Gd<NavbakePool>>,
    /// Whether it is ticked. If not, the game calls `tick`.
    #[export]
    #[init(val = true)]
    enabled: bool,
    /// Draws the names of the running nodes above the agent.
    #[export]
    debug_enabled: bool,
    tasks: VarDictionary,
    state: Option<TreeState<Game>>,
    /// The version of the level that the state's waypoints are from.
    version: u64,
    /// The values of the blackboard while the state is ticked.
    board: Option<Blackboard>,
    /// Values that were set and are not on the blackboard yet.
    values: Vec<(String, Value)>,
    complaint: Complaint,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for NavbakeTree {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        if this.bind().debug_enabled {
            this.clone().queue_redraw();
        }
        if this.bind().enabled {
            Self::tick(this, delta);
        }
    }

    fn draw(&mut self) {
        let font = ThemeDb::singleton().get_fallback_font();
        let Some(font) = font.filter(|_| self.debug_enabled) else {
            return;
        };
        let names = self.get_running();
        let name = names.as_slice().last().cloned().unwrap_or_default();
        let (canvas, at) = (self.base_mut(), Vector2::new(-20.0, -28.0));
        canvas.draw_string_ex(&font, at, &name).font_size(8).done();
    }
}

#[godot_api]
impl NavbakeTree {
    /// What callables return: `true`, nothing or `SUCCESS`; `false` or `FAILURE`; `RUNNING` to
    /// be called again in the next tick.
    #[constant]
    const SUCCESS: i64 = 0;
    #[constant]
    const FAILURE: i64 = 1;
    #[constant]
    const RUNNING: i64 = 2;

    /// A task or cue that was running is abandoned.
    #[signal]
    pub fn task_aborted(name: GString);

    #[func]
    fn set_file(&mut self, file: Option<Gd<NavbakeTreeFile>>) {
        self.file = file;
        self.state = None;
    }

    /// Adds a task, and a cue, which is called with a dictionary: the parameters in the file.
    #[func]
    fn set_task(&mut self, name: GString, task: Callable) {
        self.tasks.set(&name, &task);
        self.state = None;
    }

    /// Writes a key of the tree: a bool, int, float, String or Vector2 (a global position).
    #[func]
    fn set_value(&mut self, name: GString, value: Variant) {
        let at = value.try_to::<Vector2>().map(|at| self.to_level(at));
        let Some(value) = at.map_or_else(|_| value_of(&value), |at| Some(at.into())) else {
            return self.complain(format!("{name}: a blackboard does not hold {value}"));
        };
        if let Some(board) = &mut self.board {
            board.set_value(&name.to_string(), value.clone());
        }
        self.values.push((name.to_string(), value));
        if let Some(mut state) = self.state.take() {
            self.store_values(&mut state.board);
            self.state = Some(state);
        }
    }

    /// A value of the blackboard; null if it is not set.
    #[func]
    fn get_value(&mut self, name: GString) -> Variant {
        let name = name.to_string();
        let board = self.state.as_ref().map(|state| &state.board);
        let set = self.values.iter().rev().find(|(other, _)| *other == name);
        let value = board.or(self.board.as_ref());
        let value = value.and_then(|board| board.value(&name));
        match value.or(set.map(|(_, value)| value)).cloned() {
            None => Variant::nil(),
            Some(Value::Bool(value)) => value.to_variant(),
            Some(Value::Int(value)) => value.to_variant(),
            Some(Value::Float(value)) => value.to_variant(),
            Some(Value::Text(value)) => GString::from(&*value).to_variant(),
            Some(Value::Entity(entity)) => (entity.0 as i64).to_variant(),
            Some(Value::Vec2(at)) => {
                let region = self.agent().and_then(|mut agent| agent.bind_mut().level());
                let transform = region.map(|region| region.get_global_transform());
                (transform.unwrap_or_default() * to_godot(at)).to_variant()
            }
        }
    }

    /// The names of the nodes that are running, from the root down.
    #[func]
    fn get_running(&self) -> PackedStringArray {
        let state = self.state.iter().flat_map(TreeState::running);
        state.map(|(_, name)| GString::from(name)).collect()
    }

    /// A line for each node after the last tick: its status and why. The first call begins it.
    #[func]
    fn get_trace(&mut self) -> GString {
        let Some(state) = &mut self.state else {
            return GString::new();
        };
        let tree = Arc::clone(state.tree());
        let trace = state.trace.get_or_insert_with(|| Box::new(Trace::new(1)));
        GString::from(&trace.text(&tree))
    }

    /// Begins again at the root with the next tick. Values and cooldowns are kept.
    #[func(gd_self)]
    fn reset(this: Gd<Self>) {
        Self::with_state(&this, TreeState::reset);
    }

    /// Ticks the tree once.
    #[func(gd_self)]
    fn tick(this: Gd<Self>, delta: f64) {
        Self::with_state(&this, |state, view| {
            let pose = view.actor.as_ref().map(|actor| actor.agent.pose());
            let is_held = view.agent.bind().is_thrown
                || pose.is_none_or(|pose| {
                    matches!(pose.activity, Activity::Disabled | Activity::Stranded(_))
                });
            if is_held {
                state.reset(view);
                state.now += delta;
            } else {
                state.tick(view, delta as f32);
            }
        });
    }
}

impl NavbakeTree {
    fn agent(&self) -> Option<Gd<NavbakeAgent2D>> {
        self.base().get_parent()?.try_cast().ok()
    }

    fn complain(&mut self, error: String) {
        self.complaint.print(&self.base().get_path(), error);
    }

    fn to_level(&self, at: Vector2) -> Vec2 {
        let agent = self.agent();
        agent.map_or(from_godot(at), |mut agent| agent.bind_mut().local(at))
    }

    /// Moves values that were set to the blackboard.
    fn store_values(&mut self, board: &mut Blackboard) {
        for (name, value) in std::mem::take(&mut self.values) {
            if !board.set_value(&name, value) {
                self.complain(format!("the tree has no key {name:?} of this type"));
            }
        }
    }

    /// Calls a function with the state; callables of the game may use all nodes meanwhile.
    fn with_state(this: &Gd<Self>, run: impl FnOnce(&mut TreeState<Game>, &mut View)) {
        let mut this = this.clone();
        let Some(mut view) = View::open(&this) else {
            return;
        };
        let taken = this.bind_mut().take_state(&mut view);
        if let Some((mut state, pools)) = taken {
            if let Some(pools) = pools {
                rebind(&mut state, &pools, &mut view);
            }
            run(&mut state, &mut view);
            if this.is_instance_valid() {
                let mut tree = this.bind_mut();
                tree.board = None;
                tree.store_values(&mut state.board);
                // A callable may have set another file or task.
                if tree.is_current(&state) {
                    tree.state = Some(state);
                }
            }
        }
        view.give_back();
    }

    fn is_current(&mut self, state: &TreeState<Game>) -> bool {
        let tree = self.tree();
        tree.is_ok_and(|tree| Arc::ptr_eq(&tree, state.tree()))
    }

    fn tree(&mut self) -> Result<Arc<navmesh_behavior::Tree<Game>>, String> {
        let names = self.tasks.keys_array();
        let mut names: Vec<String> = names.iter_shared().map(|name| name.to_string()).collect();
        names.sort();
        let file = self.file.as_mut().ok_or("it has no file")?;
        file.bind_mut().tree(names)
    }

    /// The state, and the pools to bind it to if the level is another one.
    fn take_state(&mut self, view: &mut View) -> Option<(TreeState<Game>, Option<Pools>)> {
        let version = view.region.bind().version;
        let is_other = std::mem::replace(&mut self.version, version) != version;
        let state = self.state.take();
        let mut pools = None;
        if state.is_none() || is_other {
            let mut found = view.region.bind_mut().waypoint_pools();
            for mut pool in self.pools.iter_shared() {
                let (name, tokens) = pool.bind_mut().shared();
                found.tokens.insert(name, tokens);
            }
            pools = Some(found);
        }
        let mut state = match (state, &pools) {
            (None, Some(pools)) => match self.new_state(pools) {
                Ok(state) => state,
                Err(error) => {
                    self.complain(error);
                    return None;
                }
            },
            (state, _) => state?,
        };
        self.store_values(&mut state.board);
        self.board = Some(state.board.clone());
        Some((state, pools.filter(|_| is_other)))
    }

    fn new_state(&mut self, pools: &Pools) -> Result<TreeState<Game>, String> {
        let tree = self.tree()?;
        tree.state(pools).map_err(|error| error.to_string())
    }
}

/// Binds a state to the pools of another version of the level, from the root.
fn rebind(state: &mut TreeState<Game>, pools: &Pools, view: &mut View) {
    let tree = Arc::clone(state.tree());
    state.reset(view);
    // A pool of waypoints that the level has no more leaves the state with its old ones.
    let _ = state.migrate(&tree, pools, view);
}

fn value_of(value: &Variant) -> Option<Value> {
    Some(match value.get_type() {
        VariantType::BOOL => value.to::<bool>().into(),
        VariantType::INT => value.to::<i64>().into(),
        VariantType::FLOAT => value.to::<f32>().into(),
        VariantType::STRING | VariantType::STRING_NAME => {
            Arc::<str>::from(value.stringify().to_string()).into()
        }
        _ => return None,
    })
}

/// The context of trees in Godot.
pub enum Game {}

impl Context for Game {
    type View<'a> = View;
}

/// The agent and the level, taken out of their nodes but while a callable of the game runs.
pub struct View {
    tree: Gd<NavbakeTree>,
    agent: Gd<NavbakeAgent2D>,
    region: Gd<NavbakeRegion2D>,
    actor: Option<Actor>,
    nav: Option<Navigator>,
    /// The feet and the size of the target.
    target: Option<(Vec2, Option<[f32; 2]>)>,
}

impl View {
    /// `None` while the agent or the level is not there, or is ticked already.
    fn open(tree: &Gd<NavbakeTree>) -> Option<Self> {
        let mut agent = tree.bind().agent()?;
        let region = agent.bind_mut().level()?;
        // A freed node must not even be cloned.
        let tree_node = tree.bind();
        let target = (tree_node.target.as_ref()).filter(|target| target.is_instance_valid());
        let target = target.map(|target| {
            let (at, size) = place_of(target);
            (from_godot(region.to_local(at)), size)
        });
        let mut this = Self {
            tree: tree.clone(),
            agent,
            region,
            actor: None,
            nav: None,
            target,
        };
        this.take();
        let is_whole = this.actor.is_some() && this.nav.is_some();
        if !is_whole {
            this.give_back();
        }
        is_whole.then_some(this)
    }

    fn take(&mut self) {
        if self.agent.is_instance_valid() && self.region.is_instance_valid() {
            self.actor = self.agent.bind_mut().actor.take();
            self.nav = self.region.bind_mut().navigator.take();
        }
    }

    fn give_back(&mut self) {
        if let Some(actor) = self.actor.take()
            && self.agent.is_instance_valid()
        {
            self.agent.bind_mut().actor = Some(actor);
        }
        if let Some(nav) = self.nav.take()
            && self.region.is_instance_valid()
        {
            self.region.bind_mut().navigator = Some(nav);
        }
    }

    fn call(&mut self, name: &str, params: &Variant) -> Result<Status, String> {
        let task = self.tree.bind().tasks.get(name);
        let task = task.and_then(|task| task.try_to::<Callable>().ok());
        let task = task.ok_or_else(|| format!("no task {name:?} was set"))?;
        self.give_back();
        let result = task.call(std::slice::from_ref(params));
        self.take();
        let code = match result.get_type() {
            VariantType::NIL => NavbakeTree::SUCCESS,
            VariantType::BOOL => i64::from(!result.to::<bool>()),
            _ => result.try_to::<i64>().unwrap_or(-1),
        };
        match code {
            NavbakeTree::SUCCESS => Ok(Status::Success),
            NavbakeTree::FAILURE => Ok(Status::Failure),
            NavbakeTree::RUNNING => Ok(Status::Running),
            _ => Err(format!("the task {name:?} returned {result}")),
        }
    }

    fn abort(&mut self, name: &str) {
        self.give_back();
        if self.tree.is_instance_valid() {
            let name = GString::from(name);
            self.tree.signals().task_aborted().emit(&name);
        }
        self.take();
    }
}

impl TaskContext for View {
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        self.actor.as_ref().zip(self.nav.as_ref())
    }

    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        self.actor.as_mut().zip(self.nav.as_mut())
    }

    fn target(&self) -> Option<Vec2> {
        self.target.map(|(at, _)| at)
    }

    fn target_body(&self) -> Option<[f32; 2]> {
        self.target?.1
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        if step == CueStep::Cancel {
            self.abort(name);
            return Status::Failure;
        }
        let called = self.call(name, &VarDictionary::new().to_variant());
        called.unwrap_or_else(|error| {
            self.tree.bind_mut().complain(error);
            Status::Failure
        })
    }
}

/// A task that calls the game.
pub struct CallTask {
    name: String,
    /// A JSON object, which is also a dictionary in Godot's own notation.
    params: String,
}

impl CallTask {
    pub fn new(name: &str, params: Map<String, Json>) -> Self {
        let (name, params) = (name.to_owned(), Json::Object(params).to_string());
        Self { name, params }
    }
}

impl TreeNode<Game> for CallTask {
    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> Outcome {
        let params = str_to_var(&GString::from(&self.params));
        let mut tree = tick.context.tree.clone();
        tree.bind_mut().board = Some(tick.board.clone());
        let result = tick.context.call(&self.name, &params);
        if tree.is_instance_valid() {
            tree.bind_mut().store_values(tick.board);
        }
        match result {
            Ok(status) => status.into(),
            Err(error) => {
                tick.set_reason(|| error);
                Outcome::FAILURE
            }
        }
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Game>) {
        tick.context.abort(&self.name);
    }
}
