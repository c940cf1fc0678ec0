//! One tick of a tree: what the game passes, what the tasks see of it, and the state of
//! the agent that it changes.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::swap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use navmesh_behavior::{
    Blackboard, Context, CueStep, Navigation, Status, TaskContext, Tree, TreeState,
};
use navmesh_runtime::Navigator;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::LayerId;
use navmesh_runtime::motion::{Facing, NavAgent};
use navmesh_runtime::search::line_of_sight;

use crate::agent::{NbAgent, in_level};
use crate::border::{Error, NbVec2, Outcome, Shared, Versioned, amount, handle, place, text};
use crate::calls::{NbCall, NbCueFn, NbFaceFn, status};
use crate::mesh::layer_named;
use crate::navigator::{self, NbNav};

/// What one tick of a tree needs. Set all bytes to 0 first: fields that are 0 have
/// their default.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct NbTick {
    /// `sizeof(NbTick)`, set by the caller.
    pub size: u32,
    /// Seconds since the last tick, finite and not negative.
    pub seconds: f32,
    /// How far above its feet the agent looks from and is seen at.
    pub eye_height: f32,
    /// 1 if the agent has a target, otherwise 0.
    pub has_target: i32,
    /// The feet of the target.
    pub target: NbVec2,
    /// 1 or -1: where the agent looks, if the game turns it; 0 for where it moves.
    pub facing: i32,
    /// 1 if the player cannot see the agent. Agents on screen take tokens from others.
    pub off_screen: i32,
    /// Width and height of the target's body, with which the agent meets it at the
    /// nearest place, also next to a wall; 0 for a target as large as the agent.
    pub target_body: NbVec2,
    /// The agent.
    pub agent: *mut NbAgent,
    /// The level.
    pub nav: *mut NbNav,
    /// The agent in whose layer lines of sight are searched, one with a small body; null
    /// for the layer of the agent itself.
    pub sight_agent: *const c_char,
    /// For the functions of the game: usually the enemy.
    pub user: *mut c_void,
    /// Plays cues. Without it, tasks with cues fail.
    pub cue: NbCueFn,
    /// Turns the agent; may be null.
    pub face: NbFaceFn,
}

// SAFETY: repr(C); ten numbers of four bytes, then pointers, so there is no padding; numbers, raw
// pointers and optional functions as the contract of the header says.
unsafe impl Versioned for NbTick {
    const NAME: &'static str = "NbTick";
    const FIRST: usize = size_of::<Self>();
}

/// The context of the trees: [`View`] is what one tick sees.
pub(crate) enum Game {}

impl Context for Game {
    type View<'a> = View<'a>;
}

/// What one tick sees of the game. Its objects are locked only while the library
/// itself uses them, so functions of the game can use them too.
pub(crate) struct View<'a> {
    pub(crate) tick: NbTick,
    agent: &'a NbAgent,
    nav: &'a NbNav,
    /// The layer of `sight_agent`.
    sight: Option<LayerId>,
    /// For tasks of the game: the state that is being ticked, and its tree.
    pub(crate) state: &'a NbTreeState,
    pub(crate) tree: Arc<Tree<Game>>,
    /// The first thing that went wrong; the methods of the traits return no errors.
    error: RefCell<Option<Error>>,
}

impl<'a> View<'a> {
    /// Looks up the objects of a tick.
    ///
    /// # Safety
    /// The handles of the tick are null or valid for `'a`.
    pub(crate) unsafe fn new(
        tick: NbTick,
        (state, tree): (&'a NbTreeState, Arc<Tree<Game>>),
    ) -> Outcome<Self> {
        // SAFETY: null or valid: required of the caller. The objects are only ever
        // used by shared references.
        let (agent, nav) = unsafe { (tick.agent.as_ref(), tick.nav.as_ref()) };
        amount(tick.seconds, "time of the tick")?;
        let nav = handle(nav, "navigator of the tick")?;
        if tick.has_target != 0 {
            place(tick.target, "target of the tick")?;
        }
        let mut sight = None;
        if !tick.sight_agent.is_null() {
            // SAFETY: a text: the contract of the header.
            let name = unsafe { text(tick.sight_agent, "agent for lines of sight") }?;
            sight = Some(layer_named(navigator::lock(Some(nav))?.nav.mesh(), name)?);
        }
        Ok(Self {
            tick,
            agent: handle(agent, "agent of the tick")?,
            nav,
            sight,
            state,
            tree,
            error: RefCell::default(),
        })
    }

    /// Ends the tick: the first thing that went wrong.
    pub(crate) fn finish(self) -> Outcome<()> {
        self.error.into_inner().map_or(Ok(()), Err)
    }

    /// The value of a result; stores an error for the end of the tick.
    fn keep<T>(&self, result: Outcome<T>) -> Option<T> {
        result
            .inspect_err(|error| {
                let Error { result, message } = error;
                let mut first = self.error.borrow_mut();
                first.get_or_insert_with(|| Error::new(*result, message));
            })
            .ok()
    }

    fn with_agent<T>(&self, f: impl FnOnce(&mut NavAgent) -> T) -> Option<T> {
        let result = self.agent.0.lock("agent").map(|mut agent| f(&mut agent));
        self.keep(result)
    }

    fn in_level<T>(&self, f: impl FnOnce(&mut NavAgent, &mut Navigator) -> T) -> Option<T> {
        self.keep(in_level(Some(self.agent), Some(self.nav), f))
    }

    fn call_cue(&self, name: &str, call: NbCall) -> Status {
        let Some(cue) = self.tick.cue else {
            return Status::Failure;
        };
        // Names come from files, which may have a zero in them.
        let Ok(name) = CString::new(name) else {
            return Status::Failure;
        };
        // SAFETY: a function of the game with this signature, which returns: the
        // contract of the header. Nothing is locked but the state of the tree.
        status(unsafe { cue(self.tick.user, name.as_ptr(), call) })
    }
}

impl TaskContext for View<'_> {
    fn position(&self) -> Vec2 {
        self.with_agent(|agent| agent.pose().position)
            .unwrap_or_default()
    }

    fn target(&self) -> Option<Vec2> {
        (self.tick.has_target != 0).then(|| self.tick.target.into())
    }

    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        let sees = self.in_level(|agent, nav| {
            let eyes = Vec2::new(0.0, -nav.mesh().down() * self.tick.eye_height);
            let (from, to) = (from + eyes, to + eyes);
            match self.sight {
                Some(sight) => (nav.mesh().layer(sight))
                    .is_some_and(|layer| line_of_sight(layer, nav.doors(), from, to)),
                None => nav.line_of_sight(agent, from, to),
            }
        });
        sees.unwrap_or(false)
    }

    fn start_navigation(&mut self, to: Vec2) -> bool {
        let has_path = self.in_level(|agent, nav| agent.try_go_to(nav, to));
        has_path.unwrap_or(false)
    }

    fn stop_navigation(&mut self) {
        self.with_agent(NavAgent::stop);
    }

    fn navigation(&self) -> Navigation {
        self.with_agent(|agent| Navigation::from(&*agent))
            .unwrap_or(Navigation::Stopped)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let call = match step {
            CueStep::Begin | CueStep::Shout => NbCall::Begin,
            CueStep::Continue => NbCall::Continue,
            CueStep::End | CueStep::Cancel => NbCall::Abort,
        };
        self.call_cue(name, call)
    }

    fn target_body(&self) -> Option<[f32; 2]> {
        let NbVec2 { x, y } = self.tick.target_body;
        (x > 0.0 && y > 0.0).then_some([x, y])
    }

    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        self.in_level(|agent, nav| nav.place_of_target(agent, position, self.target_body()))?
    }

    fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        self.in_level(|agent, nav| nav.layer_of(agent)?.platform_ends(position))?
    }

    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        self.in_level(|_, nav| {
            let areas = nav.mesh().areas();
            let mut named = areas.filter(|found| found.marker.name == area).peekable();
            named.peek()?;
            Some(named.any(|found| found.contains(position)))
        })?
    }

    fn facing(&self) -> f32 {
        if self.tick.facing != 0 {
            return (self.tick.facing as f32).signum();
        }
        let facing = self.with_agent(|agent| agent.pose().facing);
        if facing == Some(Facing::Left) {
            -1.0
        } else {
            1.0
        }
    }

    fn face(&mut self, position: Vec2) {
        if let Some(face) = self.tick.face {
            // SAFETY: as in `call_cue`.
            unsafe { face(self.tick.user, position.x, position.y) }
        }
    }

    fn on_screen(&self) -> bool {
        self.tick.off_screen == 0
    }
}

/// What one agent is doing in its tree.
pub struct NbTreeState {
    pub(crate) state: Shared<TreeState<Game>>,
    pub(crate) lent: LentBoard,
}

impl NbTreeState {
    pub(crate) fn lock(&self) -> Outcome<MutexGuard<'_, TreeState<Game>>> {
        self.state.lock("state of the tree")
    }
}

/// Where the functions for blackboards find that of an agent while a task of the game is
/// called: the tick has locked the state of the tree then.
pub(crate) struct LentBoard(Mutex<Slot>);

pub(crate) struct Slot {
    /// The agent's blackboard while it is lent, otherwise one that is never read.
    pub(crate) board: Blackboard,
    /// The tree that is ticked, while the board is lent.
    pub(crate) tree: Option<Arc<Tree<Game>>>,
}

impl LentBoard {
    /// `spare` takes the place of the agent's board while that one is lent.
    pub(crate) fn new(spare: Blackboard) -> Self {
        Self(Mutex::new(Slot {
            board: spare,
            tree: None,
        }))
    }

    // Held only while a value is read or written, so no call waits for the game.
    pub(crate) fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exchange(&self, board: &mut Blackboard, tree: Option<Arc<Tree<Game>>>) {
        let mut slot = self.slot();
        swap(&mut slot.board, board);
        slot.tree = tree;
    }

    /// Lends the blackboard of a tick while a task of the game is called.
    pub(crate) fn during<T>(
        &self,
        board: &mut Blackboard,
        tree: &Arc<Tree<Game>>,
        task: impl FnOnce() -> T,
    ) -> T {
        self.exchange(board, Some(Arc::clone(tree)));
        let result = task();
        self.exchange(board, None);
        result
    }
}
