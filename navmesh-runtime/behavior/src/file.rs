//! The form of a tree file.

use std::collections::BTreeMap;

use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};

use super::blackboard::ValueKind;
use super::node::{NodeKind, Pace, Priority, TaskDef, Transitions, TurnRule};
use super::params::{Params, forever, is_forever};
use super::score::UtilityDef;

/// A tree as data: the content of a RON or JSON file.
///
/// [`Registry::build`](super::Registry::build) builds a [`Tree`](super::Tree)
/// from it; [`Tree::to_def`](super::Tree::to_def) converts back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeDef {
    /// A name for people.
    #[serde(default)]
    pub name: String,
    /// The pace of sequences and selectors without their own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: Pace,
    /// Blackboard keys that the game uses, with their types. Keys that tasks
    /// use need not be listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, ValueKind>,
    pub(crate) root: NodeDef,
}

/// A node as data.
///
/// In a file it is one entry, named after its kind, with the name, the settings
/// and the children together: `timeout(name: "patience", seconds: 2.0, child:
/// …)`. A node with exactly one child has it under `child`, `with_waypoint` has
/// its second child under `fallback`, and the others have `children`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "NodeForm")]
pub struct NodeDef {
    /// A name for people; may be empty.
    pub name: String,
    pub kind: NodeKind,
    pub children: Vec<NodeDef>,
}

/// Declares [`NodeForm`], a node as it stands in a file, and its conversions to
/// and from [`NodeDef`]. Each kind has the settings of its [`NodeKind`], then
/// the fields that hold its children.
macro_rules! forms {
    ($($kind:ident {
        $($(#[$setting_attribute:meta])* $setting:ident: $setting_type:ty),*
    } [
        $($(#[$child_attribute:meta])* $child:ident: $child_type:ty),*
    ])*) => {
        #[derive(Serialize, Deserialize)]
        #[serde(rename = "node", rename_all = "snake_case", deny_unknown_fields)]
        #[serde(expecting = "a node")]
        enum NodeForm {
            Task {
                #[serde(default, skip_serializing_if = "is_default")]
                name: String,
                task: String,
                #[serde(default, skip_serializing_if = "is_default")]
                params: Params,
            },
            Composite {
                #[serde(default, skip_serializing_if = "is_default")]
                name: String,
                composite: String,
                #[serde(default, skip_serializing_if = "is_default")]
                params: Params,
                children: Vec<NodeDef>,
            },
            $($kind {
                #[serde(default, skip_serializing_if = "is_default")]
                name: String,
                $($(#[$setting_attribute])* $setting: $setting_type,)*
                $($(#[$child_attribute])* $child: $child_type,)*
            },)*
        }

        impl From<NodeForm> for NodeDef {
            fn from(form: NodeForm) -> Self {
                let (name, kind, children) = match form {
                    NodeForm::Task { name, task, params } => {
                        let def = TaskDef { name: task, params };
                        (name, NodeKind::Task(def), Vec::new())
                    }
                    NodeForm::Composite { name, composite, params, children } => {
                        let def = TaskDef { name: composite, params };
                        (name, NodeKind::Composite(def), children)
                    }
                    $(NodeForm::$kind { name, $($setting,)* $($child),* } => {
                        let children = std::iter::empty()$(.chain($child))*.collect();
                        (name, NodeKind::$kind { $($setting),* }, children)
                    })*
                };
                Self { name, kind, children }
            }
        }

        impl From<NodeDef> for NodeForm {
            fn from(def: NodeDef) -> Self {
                let name = def.name;
                let mut children = def.children.into_iter();
                match def.kind {
                    NodeKind::Task(TaskDef { name: task, params }) => {
                        Self::Task { name, task, params }
                    }
                    NodeKind::Composite(TaskDef { name: composite, params }) => {
                        let children = children.collect();
                        Self::Composite { name, composite, params, children }
                    }
                    $(NodeKind::$kind { $($setting),* } => Self::$kind {
                        name,
                        $($setting,)*
                        $($child: forms!(@take $child, children),)*
                    },)*
                }
            }
        }
    };
    (@take children, $from:ident) => { $from.by_ref().collect() };
    (@take $child:ident, $from:ident) => { $from.next() };
}

forms! {
    Sequence {
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        pace: Option<Pace>
    } [children: Vec<NodeDef>]
    Selector {
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        pace: Option<Pace>
    } [children: Vec<NodeDef>]
    ReactiveSequence {} [children: Vec<NodeDef>]
    ReactiveSelector {} [children: Vec<NodeDef>]
    Race {} [children: Vec<NodeDef>]
    Parallel {
        #[serde(default, skip_serializing_if = "is_default")]
        success: u16,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        failure: u16
    } [children: Vec<NodeDef>]
    Repeat {
        #[serde(default, skip_serializing_if = "is_default")]
        count: u32
    } [#[serde(with = "bare")] child: Option<NodeDef>]
    Timeout { seconds: f32 } [#[serde(with = "bare")] child: Option<NodeDef>]
    Cooldown { seconds: f32 } [#[serde(with = "bare")] child: Option<NodeDef>]
    Invert {} [#[serde(with = "bare")] child: Option<NodeDef>]
    ForceSuccess {
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule
    } [#[serde(with = "bare")] child: Option<NodeDef>]
    ForceFailure {
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule
    } [#[serde(with = "bare")] child: Option<NodeDef>]
    AlwaysSucceed {
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule
    } []
    AlwaysFail {
        #[serde(default, skip_serializing_if = "is_default")]
        turn: TurnRule
    } []
    WithToken {
        pool: String,
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        wait: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        priority: Priority
    } [#[serde(with = "bare")] child: Option<NodeDef>]
    WithWaypoint {
        pool: String,
        #[serde(default = "forever", skip_serializing_if = "is_forever")]
        wait: f32,
        utility: UtilityDef,
        #[serde(default, skip_serializing_if = "is_default")]
        no_repeat: bool
    } [
        #[serde(with = "bare")] child: Option<NodeDef>,
        #[serde(default, with = "bare", skip_serializing_if = "Option::is_none")]
        fallback: Option<NodeDef>
    ]
    StateMachine {
        #[serde(default, deserialize_with = "unique::deserialize", skip_serializing_if = "is_default")]
        transitions: Transitions
    } [children: Vec<NodeDef>]
    Emit { signal: String } []
}

impl Serialize for NodeDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (least, most) = self.kind.children();
        let (name, count) = (self.kind.name(), self.children.len());
        if !(least..=most).contains(&count) {
            let message = format_args!("a {name} cannot have {count} children");
            return Err(S::Error::custom(message));
        }
        NodeForm::from(self.clone()).serialize(serializer)
    }
}

/// Values without the `Some` that RON would write around them.
mod bare {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes this type")]
    pub fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }
}

/// Transitions in which nothing is there twice: serde would keep the last.
mod unique {
    use std::collections::BTreeMap;
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Error, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer};

    use super::Transitions;

    struct Unique<V>(BTreeMap<String, V>);

    struct Rows<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Rows<V> {
        type Value = Unique<V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut rows = BTreeMap::new();
            while let Some((key, value)) = map.next_entry::<String, V>()? {
                if rows.contains_key(&key) {
                    return Err(A::Error::custom(format_args!("{key:?} is there twice")));
                }
                rows.insert(key, value);
            }
            Ok(Unique(rows))
        }
    }

    impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Rows(PhantomData))
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Transitions, D::Error> {
        let Unique(rows) = Unique::<Unique<String>>::deserialize(deserializer)?;
        let rows = rows.into_iter().map(|(state, Unique(row))| (state, row));
        Ok(rows.collect())
    }
}

fn one() -> u16 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_one(failure: &u16) -> bool {
    *failure == one()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
