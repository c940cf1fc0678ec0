//! The built-in nodes, and how nodes stand in tree files.
//!
//! A kind of node is declared by [`kind!`] in one file, together with what it does (its
//! [`Composite`](crate::Composite)) and the method of [`Builder`](crate::Builder) that adds
//! it. The list at the end of this file has all of them.

pub mod custom;
pub mod decorators;
pub mod every;
pub mod machine;
pub mod sharing;
pub mod walk;

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::{EnumAccess, Error as _, MapAccess, VariantAccess, Visitor};
use serde::ser::{SerializeStructVariant, Serializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::context::Context;
use crate::registry::Registry;
use crate::task::Composite;
use custom::{RegisteredComposite, RegisteredTask};
use decorators::{
    AlwaysFail, AlwaysSucceed, Cooldown, ForceFailure, ForceSuccess, Invert, Repeat, Timeout,
};
use every::{Parallel, Race};
use machine::{Emit, StateMachine};
use sharing::{WithToken, WithWaypoint};
use walk::{ReactiveSelector, ReactiveSequence, Selector, Sequence};

/// A node that was made from its settings, or what is wrong; that continues its path.
pub type Made<C> = Result<Box<dyn Composite<C>>, String>;

/// The settings of a kind of node, which read and write themselves.
pub trait Kind: Sized {
    /// The kind's name in tree files, paths, traces and errors.
    const NAME: &'static str;
    /// All fields in tree files: the name, the settings, and those that hold children.
    const FIELDS: &'static [&'static str];

    /// The least number of children of a node that has them under `children`.
    const LEAST: usize = 0;

    /// Reads the settings; `common` takes the other fields.
    fn read<'de, A: MapAccess<'de>>(common: &mut Common, map: A) -> Result<Self, A::Error>;

    /// Writes the settings that differ from their defaults.
    fn write<S: SerializeStructVariant>(&self, form: &mut S) -> Result<(), S::Error>;

    /// Makes the node.
    fn make<C: Context>(&self, registry: &Registry<C>) -> Made<C>;

    /// What is wrong with its numbers.
    fn mistake(&self) -> Option<String> {
        None
    }

    /// Whether a running node goes on when its tree is replaced by one in which it has
    /// the settings `new`.
    fn continues(&self, new: &Self) -> bool {
        let _ = new;
        true
    }
}

/// Declares the settings of a kind of node: its name in files, the struct with its
/// settings and their defaults, and the fields that hold its children. The settings are
/// the node itself, unless a function of the registry makes it. More methods of [`Kind`]
/// may follow.
macro_rules! kind {
    (
        $(#[$meta:meta])*
        $name:literal: $type:ident { $($field:ident: $value:ty $(= $default:expr)?),* }
        [$($child:ident),*] $(by $make:ident)?
        $(; $($more:item)*)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $type {
            $(pub $field: $value),*
        }

        impl $crate::nodes::Kind for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] =
                &["name", $(stringify!($field),)* $(stringify!($child)),*];

            fn read<'de, A: serde::de::MapAccess<'de>>(
                common: &mut $crate::nodes::Common,
                mut map: A,
            ) -> Result<Self, A::Error> {
                $(let mut $field: Option<$value> = None;)*
                while let Some($crate::nodes::Identifier::Name(key)) = map.next_key()? {
                    match key.as_str() {
                        $(stringify!($field) => {
                            $crate::nodes::once(&mut $field, stringify!($field), &mut map)?;
                        })*
                        key => common.read(key, Self::FIELDS, &mut map)?,
                    }
                }
                Ok(Self {
                    $($field: $field.or_else(|| kind!(@default $($default)?)).ok_or_else(
                        || <A::Error as serde::de::Error>::missing_field(stringify!($field)),
                    )?),*
                })
            }

            fn write<S: serde::ser::SerializeStructVariant>(
                &self,
                form: &mut S,
            ) -> Result<(), S::Error> {
                let _ = &form;
                $(
                    let default: Option<$value> = kind!(@default $($default)?);
                    if default.as_ref() != Some(&self.$field) {
                        form.serialize_field(stringify!($field), &self.$field)?;
                    }
                )*
                Ok(())
            }

            fn make<C: $crate::Context>(
                &self,
                registry: &$crate::registry::Registry<C>,
            ) -> $crate::nodes::Made<C> {
                kind!(@make self registry $($make)?)
            }

            $($($more)*)?
        }
    };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
    (@make $self:tt $registry:ident) => {{
        let _ = $registry;
        Ok(Box::new($self.clone()))
    }};
    (@make $self:tt $registry:ident $make:ident) => { $registry.$make($self) };
}
use kind;

/// A node as data.
///
/// In a file it is one entry, named after its kind, with the name, the settings and the
/// children together: `timeout(name: "patience", seconds: 2.0, child: …)`. A node with
/// exactly one child has it under `child`, `with_waypoint` has its second child under
/// `fallback`, and the others have `children`.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeDef {
    /// A name for people; may be empty.
    pub name: String,
    pub settings: Settings,
    pub children: Vec<NodeDef>,
}

/// The fields that many kinds have, while a node is read.
#[derive(Default)]
pub struct Common {
    name: Option<String>,
    child: Option<NodeDef>,
    fallback: Option<NodeDef>,
    children: Option<Vec<NodeDef>>,
}

impl Common {
    /// Reads the field `key`, if the kind has it.
    pub fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        fields: &'static [&'static str],
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            _ if !fields.contains(&key) => Err(A::Error::unknown_field(key, fields)),
            "child" => once(&mut self.child, "child", map),
            "fallback" => once(&mut self.fallback, "fallback", map),
            "children" => once(&mut self.children, "children", map),
            _ => once(&mut self.name, "name", map),
        }
    }
}

/// Reads the value of a field that may be there once.
pub fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    value: &mut Option<T>,
    field: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if value.replace(map.next_value()?).is_some() {
        return Err(A::Error::duplicate_field(field));
    }
    Ok(())
}

/// The name of a field or variant, which is not quoted in RON.
#[derive(Deserialize)]
#[serde(field_identifier)]
pub enum Identifier {
    Name(String),
}

/// Visits the fields of a node of the kind `K`; with `()`, a whole node.
struct Form<K>(PhantomData<K>);

impl<'de, K: Kind + Into<Settings>> Visitor<'de> for Form<K> {
    type Value = NodeDef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NodeDef, A::Error> {
        let mut common = Common::default();
        let settings = K::read(&mut common, map)?;
        let mut children = common.children.unwrap_or_default();
        for field in K::FIELDS {
            let child = match *field {
                "child" => common.child.take(),
                "fallback" => common.fallback.take(),
                _ => continue,
            };
            if child.is_none() && *field == "child" {
                return Err(A::Error::missing_field(field));
            }
            children.extend(child);
        }
        Ok(NodeDef {
            name: common.name.unwrap_or_default(),
            settings: settings.into(),
            children,
        })
    }
}

struct AnyKind;

impl<'de> Visitor<'de> for AnyKind {
    type Value = NodeDef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, node: A) -> Result<NodeDef, A::Error> {
        let (Identifier::Name(kind), form) = node.variant()?;
        Settings::read(&kind, form)
    }
}

impl<'de> Deserialize<'de> for NodeDef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("node", Settings::KINDS, AnyKind)
    }
}

impl Serialize for NodeDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.settings.write(self, serializer)
    }
}

impl NodeDef {
    /// Writes a node with these settings, which are its own.
    fn write<K: Kind, S: Serializer>(&self, kind: &K, serializer: S) -> Result<S::Ok, S::Error> {
        let index = Settings::KINDS.iter().position(|name| *name == K::NAME);
        let (index, fields) = (index.unwrap_or(0) as u32, K::FIELDS.len());
        let mut form = serializer.serialize_struct_variant("node", index, K::NAME, fields)?;
        if !self.name.is_empty() {
            form.serialize_field("name", &self.name)?;
        }
        kind.write(&mut form)?;
        let mut children = self.children.iter();
        for field in K::FIELDS {
            match *field {
                "children" => form.serialize_field("children", &self.children)?,
                "child" | "fallback" => {
                    if let Some(child) = children.next() {
                        form.serialize_field(field, child)?;
                    }
                }
                _ => {}
            }
        }
        form.end()
    }
}

macro_rules! kinds {
    ($($kind:ident($type:ident),)*) => {
        /// What a node does, with its settings.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Settings {
            $($kind($type),)*
        }

        impl Settings {
            const KINDS: &'static [&'static str] = &[$($type::NAME),*];

            fn read<'de, A: VariantAccess<'de>>(kind: &str, form: A) -> Result<NodeDef, A::Error> {
                match kind {
                    $(<$type as Kind>::NAME => {
                        form.struct_variant($type::FIELDS, Form::<$type>(PhantomData))
                    })*
                    _ => Err(A::Error::unknown_variant(kind, Self::KINDS)),
                }
            }

            fn write<S: Serializer>(&self, def: &NodeDef, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$kind(kind) => def.write(kind, serializer),)*
                }
            }

            /// The kind's name in tree files, paths, traces and errors.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $type::NAME,)*
                }
            }

            /// How many children a node of this kind has, if it is built in.
            pub fn children(&self) -> RangeInclusive<usize> {
                let (fields, least) = match self {
                    $(Self::$kind(_) => ($type::FIELDS, $type::LEAST),)*
                };
                match fields.last() {
                    Some(&"children") => least..=usize::MAX,
                    Some(&"fallback") => 1..=2,
                    Some(&"child") => 1..=1,
                    _ => 0..=0,
                }
            }

            /// Makes the node.
            pub fn make<C: Context>(&self, registry: &Registry<C>) -> Made<C> {
                match self {
                    $(Self::$kind(kind) => kind.make(registry),)*
                }
            }

            /// What is wrong with its numbers.
            pub fn mistake(&self) -> Option<String> {
                match self {
                    $(Self::$kind(kind) => kind.mistake(),)*
                }
            }

            /// Whether a running node goes on when its tree is replaced by one in which
            /// it has the settings `new`.
            pub fn continues(&self, new: &Self) -> bool {
                match (self, new) {
                    $((Self::$kind(old), Self::$kind(new)) => old.continues(new),)*
                    _ => false,
                }
            }
        }

        $(impl From<$type> for Settings {
            fn from(kind: $type) -> Self {
                Self::$kind(kind)
            }
        })*
    };
}
kinds! {
    Task(RegisteredTask),
    Composite(RegisteredComposite),
    Sequence(Sequence),
    Selector(Selector),
    ReactiveSequence(ReactiveSequence),
    ReactiveSelector(ReactiveSelector),
    Race(Race),
    Parallel(Parallel),
    Repeat(Repeat),
    Timeout(Timeout),
    Cooldown(Cooldown),
    Invert(Invert),
    ForceSuccess(ForceSuccess),
    ForceFailure(ForceFailure),
    AlwaysSucceed(AlwaysSucceed),
    AlwaysFail(AlwaysFail),
    WithToken(WithToken),
    WithWaypoint(WithWaypoint),
    StateMachine(StateMachine),
    Emit(Emit),
}

/// What is wrong with a time of a node.
pub fn not_seconds(what: &str, seconds: f32) -> Option<String> {
    let is_bad = seconds.is_nan() || seconds < 0.0;
    let expected = "but must be a number of seconds, 0 or more";
    is_bad.then(|| format!("{what} is {seconds}, {expected}"))
}
