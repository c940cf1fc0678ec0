//! Trees as data: what a tree file holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Pace, Params, TurnRule, ValueKind};
use crate::coordination::Measure;

/// A tree as data: what a RON or JSON file holds. A
/// [`Registry`](super::Registry) makes a [`Tree`](super::Tree) of it, and
/// [`Tree::to_def`](super::Tree::to_def) turns one back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeDef {
    /// For people.
    #[serde(default)]
    pub name: String,
    /// The pace of sequences and selectors without their own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: Pace,
    /// Blackboard keys the game wants to exist, with their types. Those that
    /// tasks use need not be listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, ValueKind>,
    /// The root.
    pub root: NodeDef,
}

/// A task or composite of the registry, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TaskDef {
    /// Its name in the registry.
    pub task: String,
    /// Its parameters.
    pub params: Params,
}

/// A node as data. [`Builder`](super::Builder) says what each kind does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)] // fields are named as in the builder
pub enum NodeDef {
    /// A leaf of the registry.
    Task {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Its name in the registry.
        task: String,
        #[serde(default, skip_serializing_if = "Params::is_empty")]
        params: Params,
    },
    /// A composite or decorator of the registry.
    Composite {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Its name in the registry.
        composite: String,
        #[serde(default, skip_serializing_if = "Params::is_empty")]
        params: Params,
        children: Vec<NodeDef>,
    },
    /// In order, until one fails.
    Sequence {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        pace: Option<Pace>,
        children: Vec<NodeDef>,
    },
    /// In order, until one succeeds.
    Selector {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        pace: Option<Pace>,
        children: Vec<NodeDef>,
    },
    /// A sequence that begins anew each tick.
    ReactiveSequence {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        children: Vec<NodeDef>,
    },
    /// A selector that begins anew each tick.
    ReactiveSelector {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        children: Vec<NodeDef>,
    },
    /// All at once; the first to complete decides.
    Race {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        children: Vec<NodeDef>,
    },
    /// All at once; so many decide.
    Parallel {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// 0, or left out: all of them.
        #[serde(default, skip_serializing_if = "is_default")]
        success: u16,
        /// 0: all of them; left out: 1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        failure: u16,
        children: Vec<NodeDef>,
    },
    /// Again and again.
    Repeat {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// 0, or left out: for ever.
        #[serde(default, skip_serializing_if = "is_default")]
        count: u32,
        child: Box<NodeDef>,
    },
    /// Not longer than this.
    Timeout {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        seconds: f32,
        child: Box<NodeDef>,
    },
    /// Not again too soon.
    Cooldown {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        seconds: f32,
        child: Box<NodeDef>,
    },
    /// The opposite.
    Invert {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        child: Box<NodeDef>,
    },
    /// Success, whatever the child comes to.
    ForceSuccess {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule,
        child: Box<NodeDef>,
    },
    /// Failure, whatever the child comes to.
    ForceFailure {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule,
        child: Box<NodeDef>,
    },
    /// Success.
    AlwaysSucceed {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule,
    },
    /// Failure.
    AlwaysFail {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule,
    },
    /// While holding a token.
    WithToken {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        pool: String,
        /// Seconds; left out: for ever.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        wait: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        priority: Priority,
        child: Box<NodeDef>,
    },
    /// While holding a waypoint.
    WithWaypoint {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        pool: String,
        /// Seconds; left out: for ever.
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        wait: f32,
        utility: UtilityDef,
        #[serde(default, skip_serializing_if = "is_default")]
        no_repeat: bool,
        child: Box<NodeDef>,
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        fallback: Option<Box<NodeDef>>,
    },
}

/// How urgently a token is asked for: a number, or the name of a function of
/// the registry, such as `"on_screen"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Priority {
    /// Always this.
    Fixed(i32),
    /// What the registry's function of that name says.
    Named(String),
}

impl Default for Priority {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

/// A [`Score`](crate::coordination::Score) as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum UtilityDef {
    /// One of the built-in measures.
    Measure(Measure),
    /// The registry's function of that name.
    Named(String),
    /// The same everywhere.
    Constant(f32),
    /// 1 where the waypoint has the tag, else 0.
    Tagged(String),
    /// All added.
    Sum(Vec<UtilityDef>),
    /// All multiplied.
    Product(Vec<UtilityDef>),
    /// `score`, but never where `needs` is 0 or less.
    OnlyIf {
        /// The condition.
        needs: Box<UtilityDef>,
        /// The score where it holds.
        score: Box<UtilityDef>,
    },
    /// `score` times `weight`.
    Weighted {
        /// 0 or more.
        weight: f32,
        /// The score.
        score: Box<UtilityDef>,
    },
}

/// An option written as its bare value, or left out.
mod bare {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            // Left out by `skip_serializing_if`; here for completeness.
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn one() -> u16 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(value: &u16) -> bool {
    *value == 1
}

fn forever() -> f32 {
    f32::INFINITY
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_forever(value: &f32) -> bool {
    *value == f32::INFINITY
}
