//! One tick of a tree: what the game passes, what the tasks see of it, and the state of
//! the agent that it changes.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::{offset_of, swap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use navmesh_behavior::{
    Blackboard, Context, CueStep, Navigation, Perception, Status, TaskContext, Tree, TreeState,
};
use navmesh_runtime::Navigator;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::LayerId;
use navmesh_runtime::motion::{Facing, NavAgent};
use navmesh_runtime::search::line_of_sight;

use crate::agent::{NbAgent, in_level};
use crate::border::{
    Error, NbVec2, Outcome, Shared, Versioned, amount, handle, place, read_struct, text,
    write_struct,
};
use crate::calls::{NbCall, NbCueFn, NbFaceFn, status};
use crate::mesh::layer_named;
use crate::navigator::{self, NbNav};

/// What an agent perceives of its target: it sees it in a cone ahead, hears it when it is near,
/// and knows where it was until it forgets. Keep one for each enemy.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct NbPerception {
    /// `sizeof(NbPerception)`, set by the caller.
    pub size: u32,
    /// How far it sees, world units.
    pub range: f32,
    /// How far from straight ahead it sees, degrees; 180 is all around.
    pub angle: f32,
    /// How near it hears the target, also through walls and behind it, world units.
    pub hearing: f32,
    /// Seconds after which it forgets the target.
    pub memory: f32,
    /// Seconds since it perceived the target; 0 while it does.
    pub age: f32,
    /// 1 if it knows where the target was; 0 at first, and when it has forgotten it.
    pub knows: i32,
    /// 1 if it sees the target now.
    pub sees: i32,
    /// Where it perceived the target last.
    pub known: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbPerception {
    const NAME: &'static str = "NbPerception";
    const FIRST: usize = size_of::<Self>();
}

impl NbPerception {
    fn checked(&self) -> Outcome<Perception> {
        let known = place(self.known, "known position of the target")?;
        Ok(Perception {
            range: amount(self.range, "range of sight")?,
            angle: amount(self.angle, "angle of sight")?,
            hearing: amount(self.hearing, "range of hearing")?,
            memory: amount(self.memory, "time of memory")?,
            age: amount(self.age, "age of what is known")?,
            known: (self.knows != 0).then_some(known),
            sees: self.sees != 0,
        })
    }
}

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
    /// What the agent perceives of the target, which `nb_state_tick` updates first; null for an
    /// agent that always knows where its target is.
    pub perception: *mut NbPerception,
}

// SAFETY: repr(C); ten numbers of four bytes, then pointers, so there is no padding; numbers, raw
// pointers and optional functions as the contract of the header says.
unsafe impl Versioned for NbTick {
    const NAME: &'static str = "NbTick";
    const FIRST: usize = offset_of!(Self, perception);
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
    perception: Option<Perception>,
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
        let mut perception = None;
        if !tick.perception.is_null() {
            // SAFETY: a struct of its size: the contract of the header.
            perception = Some(unsafe { read_struct(tick.perception) }?.checked()?);
        }
        Ok(Self {
            tick,
            agent: handle(agent, "agent of the tick")?,
            nav,
            sight,
            perception,
            state,
            tree,
            error: RefCell::default(),
        })
    }

    /// Perceives the target, before the tree is ticked.
    pub(crate) fn perceive(&mut self) -> Outcome<()> {
        let Some(mut own) = self.perception else {
            return Ok(());
        };
        own.update(self, self.tick.seconds);
        self.perception = Some(own);
        let value = NbPerception {
            size: 0,
            range: own.range,
            angle: own.angle,
            hearing: own.hearing,
            memory: own.memory,
            age: own.age,
            knows: own.known.is_some().into(),
            sees: own.sees.into(),
            known: own.known.unwrap_or_default().into(),
        };
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(self.tick.perception, &value) }
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

    fn perception(&self) -> Option<Perception> {
        self.perception
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
