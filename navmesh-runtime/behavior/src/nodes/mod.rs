//! The built-in nodes, and how nodes stand in tree files.
//!
//! A kind of node is a row of the table at the end of this file: its name, its settings and
//! its children. The module of the kind has what it does (its [`Node`]) and the method of
//! [`Builder`](crate::Builder) that adds it.

pub mod composites;
pub mod decorators;
pub mod machine;
pub mod sharing;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::node::Node;
use crate::params::Params;
use crate::params::default::{forever, is_default, is_forever};
use crate::score::UtilityDef;
use composites::Pace;
use decorators::TurnRule;
use machine::Transitions;
use sharing::Priority;

/// A node as data.
///
/// In a file it is one entry, named after its kind, with the name, the settings and the
/// children together: `timeout(name: "patience", seconds: 2.0, child: …)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct NodeDef {
    /// A name for people; may be empty.
    pub name: String,
    pub settings: Settings,
    pub children: Vec<NodeDef>,
}

const MANY: usize = usize::MAX;

macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $name:literal
        { $($(#[$serde:meta])* $field:ident: $value:ty),* }
        $least:literal..=$most:tt
        { $($(#[$in_file:meta])* $child:ident),* }
        $($made:ident)?;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq)]
            pub struct $kind {
                $(pub $field: $value),*
            }

            impl From<$kind> for Settings {
                fn from(kind: $kind) -> Self {
                    Self::$kind(kind)
                }
            }
        )*

        /// The settings of a node of any kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Settings {
            $($kind($kind),)*
        }

        impl Settings {
            /// The kind's name in tree files, paths, traces and errors.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)*
                }
            }

            /// How many children a node of this kind may have.
            pub const fn children(&self) -> RangeInclusive<usize> {
                match self {
                    $(Self::$kind(_) => $least..=$most,)*
                }
            }

            /// The node; `None` for kinds that need the registry.
            pub fn node<C: Context>(&self) -> Option<Box<dyn Node<C>>> {
                match self {
                    $(Self::$kind(_kind) => kinds!(@node _kind $($made)?),)*
                }
            }
        }

        /// A node as files have it.
        #[derive(Serialize, Deserialize)]
        #[serde(rename = "node", expecting = "a node", deny_unknown_fields)]
        enum Form {
            $(
                #[serde(rename = $name)]
                $kind {
                    #[serde(default, skip_serializing_if = "String::is_empty")]
                    name: String,
                    $($(#[$serde])* $field: $value,)*
                    $($(#[$in_file])* $child: Vec<NodeDef>,)*
                },
            )*
        }

        impl From<Form> for NodeDef {
            fn from(form: Form) -> Self {
                match form {
                    $(Form::$kind { name, $($field,)* $($child),* } => Self {
                        name,
                        settings: $kind { $($field),* }.into(),
                        children: Vec::<NodeDef>::new().into_iter() $(.chain($child))* .collect(),
                    },)*
                }
            }
        }

        impl From<NodeDef> for Form {
            fn from(NodeDef { name, settings, children }: NodeDef) -> Self {
                let mut _children = children.into_iter();
                match settings {
                    $(Settings::$kind($kind { $($field),* }) => Self::$kind {
                        name,
                        $($field,)*
                        $($child: match stringify!($child) {
                            "children" => _children.by_ref().collect(),
                            _ => _children.by_ref().take(1).collect(),
                        }),*
                    },)*
                }
            }
        }
    };
    (@node $kind:ident) => { Some(Box::new($kind.clone())) };
    (@node $kind:ident $made:ident) => { None };
}

impl Settings {
    /// The name in the registry and the parameters of a task or composite.
    pub fn registered(&self) -> Option<(&str, &Params)> {
        match self {
            Self::Task(Task { task: name, params })
            | Self::Composite(Composite {
                composite: name,
                params,
            }) => Some((name, params)),
            _ => None,
        }
    }
}

// In each row: the name, the settings, how many children, and the fields that hold them;
// `made` stands for kinds that `Registry` makes.
kinds! {
    /// A leaf of the registry. Inside a tree, an empty name marks one that was made in
    /// code and has no form in a tree file.
    Task "task" {
        task: String,
        #[serde(default, skip_serializing_if = "is_default")] params: Params
    } 0..=0 {} made;
    /// A composite or decorator of the registry; as with a task, its name may be empty.
    Composite "composite" {
        composite: String,
        #[serde(default, skip_serializing_if = "is_default")] params: Params
    } 0..=MANY { #[serde(default)] children } made;
    /// Succeeds when all children have.
    Sequence "sequence" {
        #[serde(with = "some", default, skip_serializing_if = "is_default")] pace: Option<Pace>
    } 0..=MANY { #[serde(default)] children };
    /// Succeeds with the first child that does.
    Selector "selector" {
        #[serde(with = "some", default, skip_serializing_if = "is_default")] pace: Option<Pace>
    } 0..=MANY { #[serde(default)] children };
    /// A sequence that starts at its first child in every tick.
    ReactiveSequence "reactive_sequence" {} 0..=MANY { #[serde(default)] children };
    /// A selector that starts at its first child in every tick.
    ReactiveSelector "reactive_selector" {} 0..=MANY { #[serde(default)] children };
    /// The first child to complete decides.
    Race "race" {} 1..=MANY { #[serde(default)] children };
    /// How many children must succeed, or fail; 0 for all.
    Parallel "parallel" {
        #[serde(default, skip_serializing_if = "is_default")] success: u16,
        #[serde(default = "one", skip_serializing_if = "is_one")] failure: u16
    } 1..=MANY { #[serde(default)] children };
    /// Succeeds when its child has completed so often; 0 for never.
    Repeat "repeat" {
        #[serde(default, skip_serializing_if = "is_default")] count: u32
    } 1..=1 { #[serde(with = "child")] child };
    /// Fails when its child takes too long.
    Timeout "timeout" { seconds: f32 } 1..=1 { #[serde(with = "child")] child };
    /// Fails for some time after its child has succeeded.
    Cooldown "cooldown" { seconds: f32 } 1..=1 { #[serde(with = "child")] child };
    /// Success becomes failure, and failure success.
    Invert "invert" {} 1..=1 { #[serde(with = "child")] child };
    /// Succeeds when its child completes.
    ForceSuccess "force_success" {
        #[serde(default, skip_serializing_if = "is_default")] turn: TurnRule
    } 1..=1 { #[serde(with = "child")] child };
    /// Fails when its child completes.
    ForceFailure "force_failure" {
        #[serde(default, skip_serializing_if = "is_default")] turn: TurnRule
    } 1..=1 { #[serde(with = "child")] child };
    /// A leaf that succeeds.
    AlwaysSucceed "always_succeed" {
        #[serde(default, skip_serializing_if = "is_default")] turn: TurnRule
    } 0..=0 {};
    /// A leaf that fails.
    AlwaysFail "always_fail" {
        #[serde(default, skip_serializing_if = "is_default")] turn: TurnRule
    } 0..=0 {};
    /// Runs its child with a token.
    WithToken "with_token" {
        pool: String,
        #[serde(default = "forever", skip_serializing_if = "is_forever")] wait: f32,
        #[serde(default, skip_serializing_if = "is_default")] priority: Priority
    } 1..=1 { #[serde(with = "child")] child } made;
    /// Runs its child at a waypoint; its second child is the fallback.
    WithWaypoint "with_waypoint" {
        pool: String,
        #[serde(default = "forever", skip_serializing_if = "is_forever")] wait: f32,
        utility: UtilityDef,
        #[serde(default, skip_serializing_if = "is_default")] no_repeat: bool
    } 1..=2 {
        #[serde(with = "child")] child,
        #[serde(with = "child", default, skip_serializing_if = "Vec::is_empty")] fallback
    } made;
    /// Its children are its states, and one of them runs.
    StateMachine "state_machine" {
        #[serde(default, skip_serializing_if = "is_default")] transitions: Transitions
    } 1..=MANY { #[serde(default)] children };
    /// A leaf that emits a signal.
    Emit "emit" { signal: String } 0..=0 {};
}

/// The form of a field with one child.
mod child {
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::NodeDef;

    pub fn serialize<S: Serializer>(child: &[NodeDef], to: S) -> Result<S::Ok, S::Error> {
        let child = child.first();
        child
            .ok_or_else(|| S::Error::custom("a child is missing"))?
            .serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<NodeDef>, D::Error> {
        Ok(vec![NodeDef::deserialize(from)?])
    }
}

/// The form of a field that is left out for `None`, without a word for `Some`.
mod some {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(to),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
}

const fn one() -> u16 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_one(count: &u16) -> bool {
    *count == 1
}

/// What is wrong with a time of a node.
pub fn not_seconds(what: &str, seconds: f32) -> Option<String> {
    let is_bad = seconds.is_nan() || seconds < 0.0;
    let expected = "but must be a number of seconds, 0 or more";
    is_bad.then(|| format!("{what} is {seconds}, {expected}"))
}
