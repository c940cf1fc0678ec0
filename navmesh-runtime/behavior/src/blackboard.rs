//! An agent's blackboard: typed values under names.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A reference to an object of the game, by a number that the game chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entity(pub u64);

/// A value on a blackboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A flag.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A position or direction.
    Vec2(Vec2),
    /// An object of the game.
    Entity(Entity),
    /// A text; to set one does not allocate.
    Text(#[serde(with = "text")] Arc<str>),
}

mod text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

/// The type of a value on a blackboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    Bool,
    Int,
    Float,
    Vec2,
    Entity,
    Text,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("{self:?}");
        f.write_str(&name.to_ascii_lowercase())
    }
}

/// A type that a blackboard can hold.
pub trait BoardValue: Clone + Into<Value> {
    const KIND: ValueKind;
    fn of(value: &Value) -> Option<Self>;
}

macro_rules! board_value {
    ($($type:ty => $kind:ident),* $(,)?) => {
        impl Value {
            pub(crate) const fn kind(&self) -> ValueKind {
                match self {
                    $(Self::$kind(_) => ValueKind::$kind,)*
                }
            }
        }

        $(
            impl From<$type> for Value {
                #[inline]
                fn from(value: $type) -> Self {
                    Self::$kind(value)
                }
            }

            impl BoardValue for $type {
                const KIND: ValueKind = ValueKind::$kind;

                #[inline]
                fn of(value: &Value) -> Option<Self> {
                    match value {
                        Value::$kind(value) => Some(value.clone()),
                        _ => None,
                    }
                }
            }
        )*
    };
}
board_value! {
    bool => Bool, i64 => Int, f32 => Float, Vec2 => Vec2, Entity => Entity, Arc<str> => Text,
}

/// A typed key of one tree's blackboard: of a `bool`, `i64`, `f32`, [`Vec2`], [`Entity`]
/// or `Arc<str>`. It is looked up by name once, when
/// the tree is built; reading and writing with it is an array access.
pub struct Key<T> {
    slot: u16,
    of: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    pub(crate) const fn at(slot: u16) -> Self {
        Self {
            slot,
            of: PhantomData,
        }
    }
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

/// The keys of a tree's blackboard: the name and type of each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    keys: Vec<(Arc<str>, ValueKind)>,
}

impl Schema {
    /// The key of that name. It is added if it does not exist yet.
    pub(crate) fn intern(&mut self, name: &str, asked: ValueKind) -> Result<u16, BoardError> {
        if let Some(slot) = self.slot(name) {
            let (key, was) = self.keys[slot].clone();
            return if was == asked {
                Ok(slot as u16)
            } else {
                Err(BoardError::WrongType { key, was, asked })
            };
        }
        let slot = u16::try_from(self.keys.len()).map_err(|_| BoardError::Full(name.into()))?;
        self.keys.push((name.into(), asked));
        Ok(slot)
    }

    /// The key of that name, if it exists and has that type.
    pub(crate) fn find<T: BoardValue>(&self, name: &str) -> Option<Key<T>> {
        self.slot_of(name, T::KIND).map(|slot| Key::at(slot as u16))
    }

    fn slot_of(&self, name: &str, kind: ValueKind) -> Option<usize> {
        let slot = self.slot(name);
        slot.filter(|slot| self.keys[*slot].1 == kind)
    }

    /// Every name and its type, in the order in which they were added.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&str, ValueKind)> {
        self.keys.iter().map(|(name, kind)| (&**name, *kind))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|(key, _)| **key == *name)
    }
}

/// Errors of the blackboard. In the `Result` of an action, such an error is a
/// failure with a traced reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The key belongs to another tree.
    #[error("blackboard key number {0} does not exist: the key belongs to another tree")]
    Unknown(u16),
    /// The key was never set.
    #[error("blackboard key {0:?} is not set")]
    Missing(Arc<str>),
    /// The key has another type.
    #[error("blackboard key {key:?} holds {was}, not {asked}")]
    WrongType {
        /// The key's name.
        key: Arc<str>,
        /// The type it has.
        was: ValueKind,
        /// The type that was asked for.
        asked: ValueKind,
    },
    /// The tree has more keys than a blackboard can hold.
    #[error("blackboard key {0:?} is one more than the 65536 a tree may have")]
    Full(Arc<str>),
}

impl BoardError {
    /// How the text of [`Missing`](Self::Missing) begins and ends.
    pub(crate) const PREFIX: &str = "blackboard key ";
    pub(crate) const MISSING: &str = " is not set";
}

/// An agent's own notes. Its keys are fixed when the tree is built.
///
/// It survives reset and restart: it belongs to the agent, not to a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Blackboard {
    schema: Arc<Schema>,
    slots: Box<[Option<Value>]>,
}

impl Blackboard {
    pub(crate) fn new(schema: Arc<Schema>) -> Self {
        let slots = vec![None; schema.keys.len()].into_boxed_slice();
        Self { schema, slots }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If the key was never set, or belongs to another tree.
    #[inline]
    pub fn get<T: BoardValue>(&self, key: impl Into<Key<T>>) -> Result<T, BoardError> {
        let key = key.into();
        match self.slots.get(usize::from(key.slot)) {
            Some(Some(value)) => T::of(value).ok_or_else(|| self.wrong(key)),
            _ => Err(self.wrong(key)),
        }
    }

    /// Writes a value. `None` removes it: the key is not set any more.
    ///
    /// # Errors
    /// If the key belongs to another tree.
    #[inline]
    pub fn set<T: BoardValue>(
        &mut self,
        key: impl Into<Key<T>>,
        value: impl Into<Option<T>>,
    ) -> Result<(), BoardError> {
        let key = key.into();
        let slot = usize::from(key.slot);
        match self.schema.keys.get(slot) {
            Some((_, kind)) if *kind == T::KIND => {
                self.slots[slot] = value.into().map(Into::into);
                Ok(())
            }
            _ => Err(self.wrong(key)),
        }
    }

    /// Writes a value under a name, for names and types that are not known before.
    /// Returns whether the tree has a key of that name and type.
    pub fn set_value(&mut self, name: &str, value: Value) -> bool {
        let slot = self.schema.slot_of(name, value.kind());
        if let Some(slot) = slot {
            self.slots[slot] = Some(value);
        }
        slot.is_some()
    }

    /// The values that are set, by name.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        let values = self.schema.keys.iter().zip(&self.slots);
        values.filter_map(|((name, _), value)| Some((&**name, value.as_ref()?)))
    }

    /// The value under a key of any type.
    pub(crate) fn value_at(&self, key: &NamedKey<Value>) -> Option<&Value> {
        self.slots.get(usize::from(key.key.slot))?.as_ref()
    }

    /// Writes a value of the type that the key was bound with.
    pub(crate) fn put(&mut self, key: &NamedKey<Value>, value: Value) {
        if let Some(slot) = self.slots.get_mut(usize::from(key.key.slot)) {
            *slot = Some(value);
        }
    }

    /// Reads a value by its name; `None` without a key of that name, or if it was never set.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.slots.get(self.schema.slot(name)?)?.as_ref()
    }

    /// Copies the values whose name and type this board has too.
    pub(crate) fn adopt(&mut self, old: &Self) {
        for ((name, kind), value) in old.schema.keys.iter().zip(&old.slots) {
            if let Some(slot) = self.schema.slot_of(name, *kind) {
                self.slots[slot].clone_from(value);
            }
        }
    }

    #[cold]
    fn wrong<T: BoardValue>(&self, key: Key<T>) -> BoardError {
        match self.schema.keys.get(usize::from(key.slot)) {
            None => BoardError::Unknown(key.slot),
            Some((name, was)) if *was == T::KIND => BoardError::Missing(name.clone()),
            Some((name, was)) => BoardError::WrongType {
                key: name.clone(),
                was: *was,
                asked: T::KIND,
            },
        }
    }
}

/// A blackboard key by name, for nodes whose parameters come from tree files.
/// The node calls [`bind`](Self::bind) in [`Node::bind`](crate::Node::bind), once per
/// tree; a blackboard then takes a reference to it in place of a [`Key`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct NamedKey<T> {
    name: Box<str>,
    #[serde(skip, default = "unbound")]
    key: Key<T>,
}

/// The last key that a tree can have, so in practice none.
const fn unbound<T>() -> Key<T> {
    Key::at(u16::MAX)
}

impl<T> PartialEq for NamedKey<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<T> From<&str> for NamedKey<T> {
    fn from(name: &str) -> Self {
        let (name, key) = (name.into(), unbound());
        Self { name, key }
    }
}

impl<T> From<&NamedKey<T>> for Key<T> {
    fn from(named: &NamedKey<T>) -> Self {
        named.key
    }
}

impl<T: BoardValue> NamedKey<T> {
    /// Looks up the key in the tree's blackboard, or adds it.
    ///
    /// # Errors
    /// If the name is in use with another type.
    pub fn bind(&mut self, schema: &mut Schema) -> Result<(), BoardError> {
        self.key = Key::at(schema.intern(&self.name, T::KIND)?);
        Ok(())
    }
}

/// A key of the type of the value that it is used with.
impl NamedKey<Value> {
    /// Looks up the key, or adds it with the type of `value`. A whole number becomes
    /// a fraction if the key has that type.
    pub(crate) fn bind_as(
        &mut self,
        schema: &mut Schema,
        value: &mut Value,
    ) -> Result<(), BoardError> {
        if let Value::Int(int) = *value
            && schema.slot_of(&self.name, ValueKind::Float).is_some()
        {
            *value = Value::Float(int as f32);
        }
        self.key = Key::at(schema.intern(&self.name, value.kind())?);
        Ok(())
    }
}
