//! The blackboards of agents.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use navmesh_behavior::{Blackboard, Entity, Tree};
use navmesh_runtime::glam::Vec2;

use crate::border::{Error, NbResult, NbVec2, Outcome, guard, handle, place, put, put_text, text};
use crate::tick::{Game, NbTreeState, Slot};

/// A key of an agent's blackboard, by its name.
struct Named<'a> {
    board: &'a mut Blackboard,
    tree: &'a Tree<Game>,
    name: &'a str,
}

/// The value of a key, if the tree has it with this type.
macro_rules! read {
    ($named:ident, $type:ty) => {
        $named
            .tree
            .key::<$type>($named.name)
            .map(|key| $named.board.get(key).map_err(Error::unknown))
    };
}

/// Stores a value, if the tree has the key with this type, which files call `$kind`. `None`
/// is a value that the type does not hold.
macro_rules! write {
    ($named:ident, $type:ty, $kind:expr, $value:expr) => {
        $named.tree.key::<$type>($named.name).map(|key| {
            let value = $value.ok_or_else(|| {
                Error::argument(format_args!(
                    "the key {:?} of type {} does not hold that number",
                    $named.name, $kind
                ))
            });
            value.and_then(|value| $named.board.set(key, value).map_err(Error::unknown))
        })
    };
}

/// Uses a key of an agent's blackboard. `f` returns `None` if the tree has it with none
/// of the types.
///
/// # Safety
/// `key` is null or a text.
unsafe fn with_key<T>(
    state: Option<&NbTreeState>,
    key: *const c_char,
    kinds: &[&str],
    f: impl FnOnce(Named<'_>) -> Option<Outcome<T>>,
) -> Outcome<T> {
    // SAFETY: required of the caller.
    let name = unsafe { text(key, "key") }?;
    let state = handle(state, "state of the tree")?;
    let mut slot = state.lent.slot();
    let Slot { board, tree } = &mut *slot;
    let used = if let Some(tree) = tree {
        f(Named { board, tree, name })
    } else {
        let state = &mut *state.lock()?;
        let tree = &Arc::clone(state.tree());
        let board = &mut state.board;
        f(Named { board, tree, name })
    };
    used.unwrap_or_else(|| {
        let kinds = kinds.join(" or ");
        Err(Error::unknown(format_args!(
            "the tree has no blackboard key {name:?} of type {kinds}; list it under `keys` of \
             the file"
        )))
    })
}

/// Stores a position on the agent's blackboard, under a key of the tree. A task of the
/// game may use the blackboard of the state that is being ticked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_set_position(
    state: Option<&NbTreeState>,
    key: *const c_char,
    position: NbVec2,
) -> NbResult {
    guard(|| {
        let value = Some(place(position, "position")?);
        // SAFETY: a text: the contract of the header.
        unsafe {
            with_key(state, key, &["vec2"], |key| {
                write!(key, Vec2, "vec2", value)
            })
        }
    })
}

/// Reads a position from the agent's blackboard. As with numbers and texts, the result is
/// `NB_RESULT_ERROR_UNKNOWN` if the key was never set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_position(
    state: Option<&NbTreeState>,
    key: *const c_char,
    position: Option<&mut MaybeUninit<NbVec2>>,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let found = unsafe { with_key(state, key, &["vec2"], |key| read!(key, Vec2)) }?;
        put(position, found.into())
    })
}

const NUMBERS: [&str; 4] = ["float", "int", "bool", "entity"];

/// The first number that is too great for `i64`.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// Stores a number on the agent's blackboard, under a key of type `float`, `int`, `bool`
/// or `entity` of the tree. Numbers for `int` are rounded towards 0; for `bool`, 0 is
/// false; those of entities are whole. A number that the type does not hold is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_set_number(
    state: Option<&NbTreeState>,
    key: *const c_char,
    number: f64,
) -> NbResult {
    let (float, whole) = (number as f32, number.trunc());
    // Infinity is a `float`. A number that only becomes infinite by rounding is none.
    let float = (float.is_finite() || !number.is_finite()).then_some(float);
    let int = (-TWO_TO_63..TWO_TO_63).contains(&whole);
    let int = int.then_some(whole as i64);
    let flag = (!number.is_nan()).then_some(number != 0.0);
    let is_entity = whole.total_cmp(&number).is_eq() && (0.0..2.0 * TWO_TO_63).contains(&number);
    #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
    let entity = is_entity.then_some(Entity(whole as u64));
    let write = |key: Named<'_>| {
        write!(key, f32, "float", float)
            .or_else(|| write!(key, i64, "int", int))
            .or_else(|| write!(key, bool, "bool", flag))
            .or_else(|| write!(key, Entity, "entity", entity))
    };
    // SAFETY: a text: the contract of the header.
    guard(|| unsafe { with_key(state, key, &NUMBERS, write) })
}

/// Reads a number from the agent's blackboard, of one of these types; for `bool`, 1 or 0.
/// Those of `int` and `entity` are exact up to 2^53.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_number(
    state: Option<&NbTreeState>,
    key: *const c_char,
    number: Option<&mut MaybeUninit<f64>>,
) -> NbResult {
    guard(|| {
        let read = |key: Named<'_>| {
            let float = read!(key, f32).map(|found| found.map(f64::from));
            float
                .or_else(|| Some(read!(key, i64)?.map(|int| int as f64)))
                .or_else(|| Some(read!(key, bool)?.map(f64::from)))
                .or_else(|| Some(read!(key, Entity)?.map(|entity| entity.0 as f64)))
        };
        // SAFETY: a text: the contract of the header.
        let found = unsafe { with_key(state, key, &NUMBERS, read) }?;
        put(number, found)
    })
}

/// Stores a text on the agent's blackboard, under a key of type `text` of the tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_set_text(
    state: Option<&NbTreeState>,
    key: *const c_char,
    value: *const c_char,
) -> NbResult {
    guard(|| {
        // SAFETY: texts: the contract of the header.
        unsafe {
            let value = Some(Arc::<str>::from(text(value, "text")?));
            with_key(state, key, &["text"], |key| {
                write!(key, Arc<str>, "text", value)
            })
        }
    })
}

/// Reads a text from the agent's blackboard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_text(
    state: Option<&NbTreeState>,
    key: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        // SAFETY: a text, and a buffer of that capacity: the contract of the header.
        unsafe {
            let found = with_key(state, key, &["text"], |key| read!(key, Arc<str>))?;
            put_text(&found, buffer, capacity, length)
        }
    })
}
