//! The built-in nodes, and how nodes stand in tree files.
//!
//! A kind of node is a row of the table in this file: its name, its settings, its children
//! and the [`Node`] that it makes, which the module of the kind has.

pub mod composites;
pub mod decorators;
pub mod machine;
pub mod notes;
pub mod random;
pub mod sharing;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::blackboard::{NamedKey, Value};
use crate::context::Context;
use crate::error::require;
use crate::node::{BindError, Node};
use crate::params::Params;
use crate::params::default::{forever, is_default, is_forever};
use crate::score::UtilityDef;
use crate::status::Status;
use composites::{Ordered, Pace, Parallel, Race, Reactive};
use decorators::{Again, Always, Cooldown, Delay, Force, Invert, Subtree, Timeout, TurnRule};
use machine::{Emit, StateMachine, Transitions};
use notes::{Compare, Comparison, Set, literal};
use random::{RandomWait, Shuffled};
use sharing::{Priority, TokenNode};

/// A node as data.
///
/// In a file it is one entry, named after its kind, with the name, the settings and the
/// children together: `timeout(name: "patience", seconds: 2.0, child: …)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct NodeDef {
    /// A name for people; may be empty.
    pub name: String,
    pub kind: NodeKind,
    pub children: Vec<NodeDef>,
}

const MANY: usize = usize::MAX;

macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $name:literal
        { $($(#[$field_doc:meta])* $field:ident: $value:ty $([$($serde:meta),*])?),* }
        $least:literal..=$most:tt
        { $($(#[$in_file:meta])* $child:ident),* }
        $(=> $node:expr)?;
    )*) => {
        /// A built-in node and its settings, for [`Builder::node`](crate::Builder::node). In
        /// tree files it is an entry with the name in small letters and the same settings.
        #[derive(Debug, Clone, PartialEq)]
        pub enum NodeKind {
            $(
                $(#[$doc])*
                $kind { $($(#[$field_doc])* $field: $value),* },
            )*
        }

        impl NodeKind {
            /// The kind's name in tree files, paths, traces and errors.
            pub(crate) const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $name,)*
                }
            }

            /// How many children a node of this kind may have.
            pub(crate) const fn children(&self) -> RangeInclusive<usize> {
                match self {
                    $(Self::$kind { .. } => $least..=$most,)*
                }
            }

            /// The node; `None` for kinds that need more than their settings.
            #[allow(unused_variables, reason = "most nodes use all settings")]
            pub(crate) fn node<C: Context>(&self) -> Option<Box<dyn Node<C>>> {
                match self.clone() {
                    $(Self::$kind { $($field),* } => kinds!(@node $($node)?),)*
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
                    $($($(#[$serde])*)? $field: $value,)*
                    $($(#[$in_file])* $child: Vec<NodeDef>,)*
                },
            )*
        }

        impl From<Form> for NodeDef {
            fn from(form: Form) -> Self {
                match form {
                    $(Form::$kind { name, $($field,)* $($child),* } => Self {
                        name,
                        kind: NodeKind::$kind { $($field),* },
                        children: Vec::<NodeDef>::new().into_iter() $(.chain($child))* .collect(),
                    },)*
                }
            }
        }

        impl From<NodeDef> for Form {
            fn from(NodeDef { name, kind, children }: NodeDef) -> Self {
                let mut _children = children.into_iter();
                match kind {
                    $(NodeKind::$kind { $($field),* } => Self::$kind {
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
    (@node $node:expr) => { Some(Box::new($node)) };
    (@node) => { None };
}

impl NodeKind {
    /// The name in the registry and the parameters of a task or composite.
    pub(crate) fn registered(&self) -> Option<(&str, &Params)> {
        match self {
            Self::Task { task: name, params }
            | Self::Composite {
                composite: name,
                params,
            } => Some((name, params)),
            _ => None,
        }
    }

    /// The name in the registry and all texts among the parameters.
    pub(crate) fn texts(&self) -> Option<(&str, Vec<&str>)> {
        let (name, params) = self.registered()?;
        Some((name, params.texts()))
    }
}

// In each row: the name, the settings and their form in files, how many children, the fields
// that hold them, and the node. The registry makes those that have names of its own.
kinds! {
    // Inside a tree, an empty name marks a task or composite that was made in code and has
    // no form in a tree file.
    #[doc(hidden)]
    Task "task" {
        task: String,
        params: Params [serde(default, skip_serializing_if = "is_default")]
    } 0..=0 {};
    #[doc(hidden)]
    Composite "composite" {
        composite: String,
        params: Params [serde(default, skip_serializing_if = "is_default")]
    } 0..=MANY { #[serde(default)] children };
    /// Ticks its children in order, fails with the first that fails, and succeeds when all
    /// have succeeded. A running child is resumed. Without children it succeeds.
    Sequence "sequence" {
        /// The tree's pace if there is none.
        pace: Option<Pace> [serde(with = "some", default, skip_serializing_if = "is_default")]
    } 0..=MANY { #[serde(default)] children } => Ordered { pace, onward: Status::Success };
    /// Ticks its children in order, succeeds with the first that succeeds, and fails when
    /// all have failed. A running child is resumed. Without children it fails.
    Selector "selector" {
        /// The tree's pace if there is none.
        pace: Option<Pace> [serde(with = "some", default, skip_serializing_if = "is_default")]
    } 0..=MANY { #[serde(default)] children } => Ordered { pace, onward: Status::Failure };
    /// A sequence that starts at its first child in every tick. If it does not reach the
    /// child that was running, it aborts that child, after it has ticked the others.
    ReactiveSequence "reactive_sequence" {} 0..=MANY { #[serde(default)] children }
        => Reactive { onward: Status::Success };
    /// A selector that starts at its first child in every tick. When an earlier child takes
    /// over, the child that was running is aborted, after the tick of the earlier one.
    ReactiveSelector "reactive_selector" {} 0..=MANY { #[serde(default)] children }
        => Reactive { onward: Status::Failure };
    /// Ticks every child in every tick. The first child to complete decides (in a tie, the
    /// first in order); the others are aborted.
    Race "race" {} 1..=MANY { #[serde(default)] children } => Race;
    /// In each tick, ticks every child that has not completed. It also fails when all have
    /// completed without success. When it completes, the others are aborted.
    Parallel "parallel" {
        /// How many children must succeed for success; 0 stands for all.
        success: u16 [serde(default, skip_serializing_if = "is_default")],
        /// How many children must fail for failure; 0 stands for all.
        failure: u16 [serde(default = "one", skip_serializing_if = "is_one")]
    } 1..=MANY { #[serde(default)] children } => Parallel { success, failure };
    /// Starts its child again whenever that completes, at most once per tick.
    Repeat "repeat" {
        /// How often the child completes before the node succeeds; 0 stands for never.
        count: u32 [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 { #[serde(with = "child")] child }
        => Again { until: None, count, at_last: Status::Success };
    /// Starts its child again when that fails, at most once per tick, and succeeds with it.
    Retry "retry" {
        /// How often the child fails before the node fails; 0 stands for never.
        count: u32 [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 { #[serde(with = "child")] child }
        => Again { until: Some(Status::Success), count, at_last: Status::Failure };
    /// Starts its child again until it succeeds, at most once per tick, and succeeds then.
    UntilSuccess "until_success" {} 1..=1 { #[serde(with = "child")] child }
        => Again { until: Some(Status::Success), count: 0, at_last: Status::Failure };
    /// Starts its child again until it fails, at most once per tick, and succeeds then.
    UntilFailure "until_failure" {} 1..=1 { #[serde(with = "child")] child }
        => Again { until: Some(Status::Failure), count: 0, at_last: Status::Failure };
    /// A selector that ticks its children in a random order, which is a new one in each run.
    RandomSelector "random_selector" {
        /// The weights of the children, 0 for never; 1 for those without a weight.
        weights: Vec<f32> [serde(default, skip_serializing_if = "is_default")]
    } 1..=64 { #[serde(default)] children } => Shuffled { weights, onward: Status::Failure };
    /// A sequence that ticks its children in a random order, which is a new one in each run.
    RandomSequence "random_sequence" {
        /// The weights of the children, 0 for never; 1 for those without a weight.
        weights: Vec<f32> [serde(default, skip_serializing_if = "is_default")]
    } 1..=64 { #[serde(default)] children } => Shuffled { weights, onward: Status::Success };
    /// Is running for some time, and then ticks its child.
    Delay "delay" {
        /// Seconds after the first tick.
        seconds: f32
    } 1..=1 { #[serde(with = "child")] child } => Delay { seconds };
    /// A leaf that is running for a random time, then succeeds.
    RandomWait "random_wait" {
        /// The least number of seconds.
        least: f32,
        /// The greatest number of seconds.
        most: f32
    } 0..=0 {} => RandomWait { least, most };
    /// A leaf that writes a value to the blackboard, and succeeds.
    Set "set" {
        /// The key. If no other node has set its type, it has that of the value.
        key: NamedKey<Value>,
        /// The value.
        value: Value [serde(with = "literal")]
    } 0..=0 {} => Set { key, value };
    /// A leaf that succeeds if a value of the blackboard compares as given with another
    /// one. It fails where the key is not set.
    Compare "compare" {
        /// The key. If no other node has set its type, it has that of the value.
        key: NamedKey<Value>,
        /// How the value under the key compares with the other one.
        is: Comparison,
        /// The other value.
        value: Value [serde(with = "literal")]
    } 0..=0 {} => Compare { key, is, value };
    /// Ticks its child. A child that is still running when the time is over is aborted, and
    /// the node fails.
    Timeout "timeout" {
        /// Seconds after the first tick.
        seconds: f32
    } 1..=1 { #[serde(with = "child")] child } => Timeout { seconds };
    /// After its child has succeeded, it fails at once for some time. A failure starts no
    /// cooldown. Survives reset.
    Cooldown "cooldown" {
        /// Seconds after the success.
        seconds: f32,
        /// The blackboard key of a cooldown that several nodes share; a number that the
        /// nodes write.
        shared: Option<NamedKey<i64>> [
            serde(with = "some", default, skip_serializing_if = "is_default")
        ]
    } 1..=1 { #[serde(with = "child")] child } => Cooldown { seconds, shared };
    /// Success becomes failure, and failure success.
    Invert "invert" {} 1..=1 { #[serde(with = "child")] child } => Invert;
    /// Succeeds when its child completes, either way.
    ForceSuccess "force_success" {
        /// Whether that ends the turn.
        turn: TurnRule [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 { #[serde(with = "child")] child } => Force { status: Status::Success, turn };
    /// Fails when its child completes, either way.
    ForceFailure "force_failure" {
        /// Whether that ends the turn.
        turn: TurnRule [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 { #[serde(with = "child")] child } => Force { status: Status::Failure, turn };
    /// A leaf that succeeds.
    AlwaysSucceed "always_succeed" {
        /// Whether that ends the turn.
        turn: TurnRule [serde(default, skip_serializing_if = "is_default")]
    } 0..=0 {} => Always { status: Status::Success, turn };
    /// A leaf that fails.
    AlwaysFail "always_fail" {
        /// Whether that ends the turn.
        turn: TurnRule [serde(default, skip_serializing_if = "is_default")]
    } 0..=0 {} => Always { status: Status::Failure, turn };
    /// Runs its child while it holds a token of a pool. It requests one in each tick, and is
    /// running while it gets none. The token is returned when the child completes or is
    /// interrupted. When a higher priority takes it, the child is aborted and the node fails.
    WithToken "with_token" {
        /// The name of the pool.
        pool: String,
        /// Seconds after the first tick until it fails without a token; may be infinite.
        wait: f32 [serde(default = "forever", skip_serializing_if = "is_forever")],
        /// An agent with a higher priority may take the token of one with a lower.
        priority: Priority [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 { #[serde(with = "child")] child } => TokenNode { wait, rank: priority.fixed() };
    // Its second child is the fallback.
    #[doc(hidden)]
    WithWaypoint "with_waypoint" {
        pool: String,
        wait: f32 [serde(default = "forever", skip_serializing_if = "is_forever")],
        utility: UtilityDef,
        no_repeat: bool [serde(default, skip_serializing_if = "is_default")]
    } 1..=2 {
        #[serde(with = "child")] child,
        #[serde(with = "child", default, skip_serializing_if = "Vec::is_empty")] fallback
    };
    // A part of the file, with its parameters. Its child is made of that part.
    #[doc(hidden)]
    Subtree "subtree" {
        subtree: String,
        params: Params [serde(default, skip_serializing_if = "is_default")]
    } 1..=1 {} => Subtree;
    // Its children are its states, and one of them runs.
    #[doc(hidden)]
    StateMachine "state_machine" {
        transitions: Transitions [serde(default, skip_serializing_if = "is_default")]
    } 1..=MANY { #[serde(default)] children } => StateMachine { transitions };
    /// A leaf that emits a signal to the state machine around it, which then leaves the
    /// state; until then the leaf is running.
    Emit "emit" {
        /// The signal.
        signal: String
    } 0..=0 {} => Emit { signal };
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

/// Checks a time of a node.
pub fn check_seconds(what: &str, seconds: f32) -> Result<(), BindError> {
    let expected = "a number of seconds, 0 or more";
    Ok(require(seconds >= 0.0, what, seconds, expected)?)
}

/// Checks a setting that counts children.
pub fn check_most(what: &str, most: usize, children: usize) -> Result<(), String> {
    if most <= children {
        return Ok(());
    }
    Err(format!(
        ": {what} {most}, but must be at most {children}, the number of children"
    ))
}
