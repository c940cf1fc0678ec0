//! What is passed to each tick and to each judgement of a waypoint.

use std::marker::PhantomData;

/// What a tree, or a score, is given by the game each time.
///
/// Every sized type is its own context: in `Tree<Game>`, ticks are given a
/// `&mut Game`. There is nothing to implement.
///
/// A context that *borrows* the game's state has another lifetime each frame,
/// and a tree that outlives the frame cannot name it. Such a tree is given the
/// family of contexts, as [`Borrowed`].
pub trait Context {
    /// The type itself, in a frame `'a`.
    type In<'a>;
}

impl<C> Context for C {
    type In<'a> = C;
}

/// A family of contexts that borrow: one type for each lifetime. See [`Borrowed`].
pub trait ContextFamily {
    /// The context that borrows for `'a`.
    type Context<'a>;
}

/// Stands for contexts that borrow, where a tree wants one type:
/// `Tree<Borrowed<Family>>` is ticked with a `Family::Context<'_>` of whatever
/// lifetime.
///
/// The tree is made once and shared; each frame makes a context of references.
///
/// ```
/// use navmesh_runtime::behavior::{ContextFamily, Borrowed, Tree};
///
/// /// One enemy's view, made anew each time.
/// struct View<'a> {
///     player: &'a f32,
///     position: &'a mut f32,
/// }
///
/// /// The views of all lifetimes. Never made: it is only a name for them.
/// enum Views {}
///
/// impl ContextFamily for Views {
///     type Context<'a> = View<'a>;
/// }
///
/// let tree = Tree::<Borrowed<Views>>::builder("chaser")
///     .condition("far away", |tick| tick.context.player != tick.context.position)
///     .build()?;
///
/// let (player, mut enemies) = (3.0, [1.0, 3.0]);
/// let mut states = enemies.map(|_| tree.state());
/// for frame in 0..2 {
///     for (state, position) in states.iter_mut().zip(&mut enemies) {
///         let mut view = View { player: &player, position };
///         state.tick(&tree, &mut view, 1.0 / 60.0);
///     }
/// }
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
///
/// `Borrowed` is unsized, which is how the compiler tells it from types that are
/// their own context; there are no values of it.
pub struct Borrowed<L> {
    of: PhantomData<fn() -> L>,
    #[expect(dead_code, reason = "makes the type unsized")]
    unsized_tail: [()],
}

impl<L: ContextFamily> Context for Borrowed<L> {
    type In<'a> = L::Context<'a>;
}
