//! Behaviour trees from files: `Tree` and `Brains`.

use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;

use js_sys::{Array, Function, JSON, Object};
use navmesh_behavior::{
    Actor, Context, CueStep, Node, Outcome, Pools, Registry, Status, TaskContext, Tick, TokenPool,
    Tree as SharedTree, TreeDef, TreeState,
};
use navmesh_runtime::Navigator as Runtime;
use navmesh_runtime::glam::Vec2;
use serde::Deserialize as _;
use serde_value::ValueDeserializer;
use wasm_bindgen::prelude::*;

use crate::runtime::{Agent, Navigator, World};
use crate::{JsTexts, texts};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Which call of a task or cue this is. `end`: its aim is reached; `cancel`: it was running and is abandoned; `shout`: the tree does not wait for its end. */
export type TaskStep = "begin" | "continue" | "end" | "cancel" | "shout";

/** What a task says: `true` and nothing are `success`, `false` is `failure`. */
export type TaskResult = "running" | "success" | "failure" | boolean | void;

/**
 * Tasks and cues by name. `me` is what `Brains.add` got for the agent, `params` are those of the tree file.
 * It is called in each tick until it returns another result than `running`.
 */
export type Tasks = Record<string, (me: any, params: any, step: TaskStep, seconds: number) => TaskResult>;
"#;

#[wasm_bindgen]
extern "C" {
    /// An object `Tasks`.
    #[wasm_bindgen(extends = Object, typescript_type = "Tasks")]
    pub type JsTasks;
}

/// Names the view of one tick.
struct Js;

impl Context for Js {
    type View<'a> = View<'a>;
}

/// What a tick sees. While a function of JavaScript runs, the world is not borrowed: it may
/// call agents and the navigator.
struct View<'a> {
    world: &'a RefCell<World>,
    borrowed: Option<RefMut<'a, World>>,
    index: usize,
    serial: u32,
    target: Option<Vec2>,
    me: &'a JsValue,
    functions: &'a BTreeMap<String, Function>,
    /// What the first function that failed has thrown.
    error: Option<JsValue>,
}

impl View<'_> {
    fn call(&mut self, function: &Function, params: &JsValue, step: &str, dt: f32) -> Status {
        self.borrowed = None;
        let result = function.call4(
            &JsValue::UNDEFINED,
            self.me,
            params,
            &step.into(),
            &dt.into(),
        );
        self.borrowed = Some(self.world.borrow_mut());
        let problem = match result {
            Ok(value) => {
                let is_success = value.is_undefined() || value.is_truthy();
                let word = value.as_string();
                match word
                    .as_deref()
                    .unwrap_or(if is_success { "success" } else { "failure" })
                {
                    "running" => return Status::Running,
                    "success" => return Status::Success,
                    "failure" => return Status::Failure,
                    other => JsError::new(&format!("{other:?} is no result of a task")).into(),
                }
            }
            Err(thrown) => thrown,
        };
        self.error.get_or_insert(problem);
        Status::Failure
    }
}

impl TaskContext for View<'_> {
    fn actor(&self) -> Option<(&Actor, &Runtime)> {
        let World { nav, slots, .. } = self.borrowed.as_deref()?;
        let slot = slots.get(self.index)?.as_ref()?;
        (slot.serial == self.serial).then_some((&slot.body, nav))
    }

    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Runtime)> {
        let World { nav, slots, .. } = self.borrowed.as_deref_mut()?;
        let slot = slots.get_mut(self.index)?.as_mut()?;
        (slot.serial == self.serial).then_some((&mut slot.body, nav))
    }

    fn target(&self) -> Option<Vec2> {
        self.target
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let Some(function) = self.functions.get(name) else {
            let error = JsError::new(&format!("no function is named {name:?}, for a cue"));
            self.error.get_or_insert(error.into());
            return Status::Failure;
        };
        let step = match step {
            CueStep::Begin => "begin",
            CueStep::Continue => "continue",
            CueStep::End => "end",
            CueStep::Cancel => "cancel",
            CueStep::Shout => "shout",
        };
        self.call(function, &JsValue::UNDEFINED, step, 0.0)
    }
}

/// A task of the game. It remembers whether it has begun.
struct Task {
    function: Function,
    params: JsValue,
}

impl Node<Js> for Task {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, Js>) -> Outcome {
        let step = if tick.recall(0) { "continue" } else { "begin" };
        tick.remember(0, true);
        let dt = tick.dt;
        let status = tick.context.call(&self.function, &self.params, step, dt);
        status.into()
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Js>) {
        (tick.context).call(&self.function, &self.params, "cancel", 0.0);
    }
}

/// A behaviour tree or state machine, which any number of agents run.
#[wasm_bindgen]
pub struct Tree {
    tree: std::sync::Arc<SharedTree<Js>>,
    functions: Rc<BTreeMap<String, Function>>,
}

#[wasm_bindgen]
impl Tree {
    /// Reads a tree: the JSON of a tree file. `tasks` has the functions that it names as tasks and
    /// cues, besides the ready-made tasks.
    ///
    /// Throws an error that says which node is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str, tasks: &JsTasks) -> Result<Tree, JsError> {
        let value = serde_json::from_str::<serde_value::Value>(json)?;
        let def = TreeDef::deserialize(ValueDeserializer::<serde::de::value::Error>::new(value))?;
        let mut functions = BTreeMap::new();
        let mut registry = Registry::<Js>::with_agent_tasks();
        for entry in Object::entries(tasks).iter() {
            let entry = Array::from(&entry);
            let name = entry.get(0).as_string().unwrap_or_default();
            let function: Function = (entry.get(1).dyn_into())
                .map_err(|_| JsError::new(&format!("{name:?} is no function")))?;
            functions.insert(name.clone(), function.clone());
            registry.task(&name, move |params: serde_json::Value| Task {
                function: function.clone(),
                params: JSON::parse(&params.to_string()).unwrap_or(JsValue::NULL),
            });
        }
        Ok(Self {
            tree: registry.build(&def)?,
            functions: Rc::new(functions),
        })
    }
}

/// The tree of one agent, and where it is in it.
struct Brain {
    serial: u32,
    state: TreeState<Js>,
    functions: Rc<BTreeMap<String, Function>>,
    me: JsValue,
    target: Option<Vec2>,
}

/// The trees that the agents of a level run, and the pools that these share.
#[wasm_bindgen]
pub struct Brains {
    world: Rc<RefCell<World>>,
    pools: RefCell<Pools>,
    /// By the index of the agent, the order in which they are ticked.
    by_index: RefCell<BTreeMap<usize, Brain>>,
}

#[wasm_bindgen]
impl Brains {
    /// For the agents of a level. Its waypoints are the pools that their `pool` names.
    #[wasm_bindgen(constructor)]
    pub fn new(nav: &Navigator) -> Brains {
        let pools = Pools::from(&**nav.0.borrow().nav.mesh());
        Self {
            world: Rc::clone(&nav.0),
            pools: pools.into(),
            by_index: RefCell::default(),
        }
    }

    /// A pool of tokens: how many agents may do something at once.
    #[wasm_bindgen(js_name = setTokens)]
    pub fn set_tokens(&self, pool: &str, limit: u32) {
        let mut pools = self.pools.borrow_mut();
        match pools.tokens.get(pool) {
            Some(tokens) => tokens.set_limit(limit),
            None => {
                pools.tokens.insert(pool.to_owned(), TokenPool::new(limit));
            }
        }
    }

    /// How many tokens of a pool agents hold.
    #[wasm_bindgen(js_name = tokensHeld)]
    pub fn tokens_held(&self, pool: &str) -> u32 {
        let pools = self.pools.borrow();
        pools.tokens.get(pool).map_or(0, TokenPool::held)
    }

    /// Lets an agent run a tree from its start. `me` is what its tasks get, for instance the
    /// game's own object for the agent.
    ///
    /// Throws an error when the tree names a pool that does not exist.
    pub fn add(&self, agent: &Agent, tree: &Tree, me: JsValue) -> Result<(), JsError> {
        let mut state = tree.tree.state(&self.pools.borrow())?;
        // Random nodes of several agents do not do the same.
        state.seed = agent.index as u64;
        let brain = Brain {
            serial: agent.serial,
            state,
            functions: Rc::clone(&tree.functions),
            me,
            target: None,
        };
        self.by_index.borrow_mut().insert(agent.index, brain);
        Ok(())
    }

    /// Ends the tree of an agent: what runs in it is cancelled. That also happens, without a
    /// call of its tasks, to the tree of an agent that was removed.
    pub fn delete(&self, agent: &Agent) -> Result<(), JsValue> {
        let brain = self.by_index.borrow_mut().remove(&agent.index);
        match brain.filter(|brain| brain.serial == agent.serial) {
            Some(mut brain) => self.run(agent.index, &mut brain, |state, view| state.reset(view)),
            None => Ok(()),
        }
    }

    /// Sets where the target of an agent has its feet; without numbers, it has none.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(&self, agent: &Agent, x: Option<f32>, y: Option<f32>) {
        if let Some(brain) = self.by_index.borrow_mut().get_mut(&agent.index) {
            brain.target = x.zip(y).map(Vec2::from);
        }
    }

    /// Ticks all trees, once in each frame after `Navigator.update`.
    ///
    /// Throws what the first task that fails has thrown; the other agents are ticked, too.
    pub fn tick(&self, seconds: f32) -> Result<(), JsValue> {
        let all: Vec<usize> = self.by_index.borrow().keys().copied().collect();
        let mut result = Ok(());
        for index in all {
            // Its tasks may add and end trees.
            let Some(mut brain) = self.by_index.borrow_mut().remove(&index) else {
                continue;
            };
            let slot_serial =
                (self.world.borrow().slots.get(index)).and_then(|slot| Some(slot.as_ref()?.serial));
            if slot_serial != Some(brain.serial) {
                continue;
            }
            let ticked = self.run(index, &mut brain, |state, view| {
                state.tick(view, seconds);
            });
            result = result.and(ticked);
            self.by_index.borrow_mut().entry(index).or_insert(brain);
        }
        result
    }

    /// The innermost nodes of an agent's tree that are running, as paths: `fight/shoot`.
    pub fn running(&self, agent: &Agent) -> JsTexts {
        let brains = self.by_index.borrow();
        let brain = brains.get(&agent.index);
        texts(brain.map_or(Vec::new(), |brain| brain.state.running_paths())).unchecked_into()
    }
}

impl Brains {
    fn run(
        &self,
        index: usize,
        brain: &mut Brain,
        f: impl FnOnce(&mut TreeState<Js>, &mut View<'_>),
    ) -> Result<(), JsValue> {
        let mut view = View {
            world: &self.world,
            borrowed: Some(self.world.borrow_mut()),
            index,
            serial: brain.serial,
            target: brain.target,
            me: &brain.me,
            functions: &brain.functions,
            error: None,
        };
        f(&mut brain.state, &mut view);
        view.error.map_or(Ok(()), Err)
    }
}
