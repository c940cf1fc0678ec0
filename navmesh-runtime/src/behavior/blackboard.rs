//! An agent's own notes: typed values by interned keys.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A thing of the game, by a number of the game's choosing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entity(pub u64);

/// A value on a blackboard.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A position or direction.
    Vec2(Vec2),
    /// A thing of the game.
    Entity(Entity),
    /// Text. Setting one that is already an `Arc<str>` allocates nothing.
    Text(Arc<str>),
}

/// The type of a [`Value`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// [`Value::Bool`]
    Bool,
    /// [`Value::Int`]
    Int,
    /// [`Value::Float`]
    Float,
    /// [`Value::Vec2`]
    Vec2,
    /// [`Value::Entity`]
    Entity,
    /// [`Value::Text`]
    Text,
}

impl Value {
    /// Its type.
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Bool(_) => ValueKind::Bool,
            Self::Int(_) => ValueKind::Int,
            Self::Float(_) => ValueKind::Float,
            Self::Vec2(_) => ValueKind::Vec2,
            Self::Entity(_) => ValueKind::Entity,
            Self::Text(_) => ValueKind::Text,
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Vec2 => "vec2",
            Self::Entity => "entity",
            Self::Text => "text",
        })
    }
}

/// A type a blackboard can hold: `bool`, `i64`, `f32`, [`Vec2`], [`Entity`],
/// `Arc<str>`.
pub trait BoardValue: Clone + sealed::Sealed {
    /// Its kind.
    const KIND: ValueKind;
    /// Takes it out of a value of its kind.
    fn from_value(value: &Value) -> Option<Self>;
    /// Makes a value of it.
    fn into_value(self) -> Value;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! board_value {
    ($($type:ty => $kind:ident),* $(,)?) => {$(
        impl sealed::Sealed for $type {}
        impl BoardValue for $type {
            const KIND: ValueKind = ValueKind::$kind;
            #[inline]
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$kind(value) => Some(value.clone()),
                    _ => None,
                }
            }
            #[inline]
            fn into_value(self) -> Value {
                Value::$kind(self)
            }
        }
    )*};
}
board_value! {
    bool => Bool, i64 => Int, f32 => Float, Vec2 => Vec2, Entity => Entity, Arc<str> => Text,
}

/// A name on a blackboard, interned when the tree was built: reading one is an
/// array access.
pub struct Key<T> {
    slot: u16,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Key<T> {}
impl<T> fmt::Debug for Key<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.slot)
    }
}

/// The keys of a tree: each name and its type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    keys: Vec<(Arc<str>, ValueKind)>,
}

/// A name is used with two types, or there are too many names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Two uses disagree about the type.
    #[error("blackboard key {key:?} holds {was}, but is used here as {now}")]
    Type {
        /// The name.
        key: String,
        /// The type it has.
        was: ValueKind,
        /// The type it was asked for.
        now: ValueKind,
    },
    /// More names than a blackboard can have.
    #[error("blackboard key {0:?} is one more than the 65536 a tree may have")]
    TooMany(String),
}

impl Schema {
    /// The key of that name, made when it is new.
    ///
    /// # Errors
    /// When the name is in use with another type.
    pub fn key<T: BoardValue>(&mut self, name: &str) -> Result<Key<T>, SchemaError> {
        let slot = self.intern(name, T::KIND)?;
        Ok(Key {
            slot,
            of: PhantomData,
        })
    }

    pub(super) fn intern(&mut self, name: &str, kind: ValueKind) -> Result<u16, SchemaError> {
        if let Some(slot) = self.slot(name) {
            let was = self.keys[slot].1;
            if was != kind {
                return Err(SchemaError::Type {
                    key: name.to_owned(),
                    was,
                    now: kind,
                });
            }
            return Ok(slot as u16);
        }
        let slot =
            u16::try_from(self.keys.len()).map_err(|_| SchemaError::TooMany(name.to_owned()))?;
        self.keys.push((name.into(), kind));
        Ok(slot)
    }

    /// The key of that name, if it exists and has that type.
    pub fn find<T: BoardValue>(&self, name: &str) -> Option<Key<T>> {
        let slot = self.slot(name)?;
        (self.keys[slot].1 == T::KIND).then_some(Key {
            slot: slot as u16,
            of: PhantomData,
        })
    }

    /// Every name and its type, in the order they were interned.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = (&str, ValueKind)> {
        self.keys.iter().map(|(name, kind)| (&**name, *kind))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|(key, _)| **key == *name)
    }
}

/// Why a value cannot be read or written. As the error of an action's
/// `Result` it is a failure with a traced reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The key belongs to another tree.
    #[error("blackboard key number {0} does not exist: the key belongs to another tree")]
    Unknown(u16),
    /// Nothing was written there.
    #[error("blackboard key {0:?} is not set")]
    Missing(Arc<str>),
    /// It holds another type.
    #[error("blackboard key {key:?} holds {was}, not {asked}")]
    WrongType {
        /// The name.
        key: Arc<str>,
        /// The type it has.
        was: ValueKind,
        /// The type it was asked for.
        asked: ValueKind,
    },
}

/// An agent's own notes. What it can hold was fixed when its tree was built.
///
/// It survives reset and restart: it belongs to the agent, not to a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Blackboard {
    schema: Arc<Schema>,
    slots: Box<[Option<Value>]>,
}

impl Blackboard {
    pub(super) fn new(schema: Arc<Schema>) -> Self {
        let slots = vec![None; schema.keys.len()].into_boxed_slice();
        Self { schema, slots }
    }

    /// The keys it has.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Reads a value.
    ///
    /// # Errors
    /// When nothing was written there, or the key is another tree's.
    #[inline]
    pub fn get<T: BoardValue>(&self, key: Key<T>) -> Result<T, BoardError> {
        match self.slots.get(usize::from(key.slot)) {
            Some(Some(value)) => T::from_value(value).ok_or_else(|| self.wrong(key)),
            Some(None) if self.schema.keys[usize::from(key.slot)].1 == T::KIND => {
                let name = &self.schema.keys[usize::from(key.slot)].0;
                Err(BoardError::Missing(name.clone()))
            }
            _ => Err(self.wrong(key)),
        }
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When the key is another tree's.
    #[inline]
    pub fn set<T: BoardValue>(&mut self, key: Key<T>, value: T) -> Result<(), BoardError> {
        let slot = usize::from(key.slot);
        match self.schema.keys.get(slot) {
            Some((_, kind)) if *kind == T::KIND => {
                self.slots[slot] = Some(value.into_value());
                Ok(())
            }
            _ => Err(self.wrong(key)),
        }
    }

    /// Forgets a value.
    pub fn clear<T>(&mut self, key: Key<T>) {
        if let Some(slot) = self.slots.get_mut(usize::from(key.slot)) {
            *slot = None;
        }
    }

    /// Forgets everything.
    pub fn clear_all(&mut self) {
        self.slots.fill(None);
    }

    /// Everything that is set, by name.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        let names = self.schema.keys.iter().map(|(name, _)| &**name);
        names
            .zip(&self.slots)
            .filter_map(|(name, slot)| Some((name, slot.as_ref()?)))
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Takes over the values whose name and type this board has too.
    pub(super) fn adopt(&mut self, old: &Self) {
        for ((name, kind), value) in old.schema.keys.iter().zip(&old.slots) {
            let slot = self.schema.slot(name);
            if let Some(slot) = slot.filter(|slot| self.schema.keys[*slot].1 == *kind) {
                self.slots[slot].clone_from(value);
            }
        }
    }

    #[cold]
    fn wrong<T: BoardValue>(&self, key: Key<T>) -> BoardError {
        match self.schema.keys.get(usize::from(key.slot)) {
            None => BoardError::Unknown(key.slot),
            Some((name, was)) => BoardError::WrongType {
                key: name.clone(),
                was: *was,
                asked: T::KIND,
            },
        }
    }
}
