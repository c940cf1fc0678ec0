//! The form of a tree file.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};
use serde::ser::{self, SerializeStructVariant as _, Serializer};
use serde::{Deserialize, Serialize};

use super::blackboard::ValueKind;
use super::node::{NodeKind, Pace, Priority, TaskDef, TurnRule};
use super::params::Params;
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
    /// The root node.
    pub root: NodeDef,
}

/// A node as data.
///
/// In a file it is one entry, named after its kind, with the name, the settings
/// and the children together: `timeout(name: "patience", seconds: 2.0, child:
/// …)`. A node with exactly one child has it under `child`, `with_waypoint` has
/// its second child under `fallback`, and the others have `children`.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeDef {
    /// A name for people; may be empty.
    pub name: String,
    /// What the node does, and its settings.
    pub kind: NodeKind,
    /// The children, in order.
    pub children: Vec<NodeDef>,
}

/// The kinds of nodes in a file, and the fields of each.
const KINDS: [(&str, &[&str]); 18] = [
    ("task", &["name", "task", "params"]),
    ("composite", &["name", "composite", "params", "children"]),
    ("sequence", &["name", "pace", "children"]),
    ("selector", &["name", "pace", "children"]),
    ("reactive_sequence", &["name", "children"]),
    ("reactive_selector", &["name", "children"]),
    ("race", &["name", "children"]),
    ("parallel", &["name", "success", "failure", "children"]),
    ("repeat", &["name", "count", "child"]),
    ("timeout", &["name", "seconds", "child"]),
    ("cooldown", &["name", "seconds", "child"]),
    ("invert", &["name", "child"]),
    ("force_success", &["name", "turn", "child"]),
    ("force_failure", &["name", "turn", "child"]),
    ("always_succeed", &["name", "turn"]),
    ("always_fail", &["name", "turn"]),
    ("with_token", &["name", "pool", "wait", "priority", "child"]),
    (
        "with_waypoint",
        &[
            "name",
            "pool",
            "wait",
            "utility",
            "no_repeat",
            "child",
            "fallback",
        ],
    ),
];

const NAMES: [&str; KINDS.len()] = {
    let mut names = [""; KINDS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = KINDS[i].0;
        i += 1;
    }
    names
};

/// The value of one field, while a node is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Field<'a> {
    Text(&'a str),
    Whole(u32),
    Number(f32),
    Flag(bool),
    Params(&'a Params),
    Pace(Pace),
    Turn(TurnRule),
    Priority(&'a Priority),
    Utility(&'a UtilityDef),
    Node(&'a NodeDef),
    Nodes(&'a [NodeDef]),
}

impl NodeDef {
    /// The fields as a file has them; those with their default value are left
    /// out.
    fn fields<'a>(&'a self) -> Vec<(&'static str, Field<'a>)> {
        let mut fields = Vec::new();
        let mut add = |is_default: bool, name: &'static str, field: Field<'a>| {
            if !is_default {
                fields.push((name, field));
            }
        };
        add(self.name.is_empty(), "name", Field::Text(&self.name));
        match &self.kind {
            NodeKind::Task(def) | NodeKind::Composite(def) => {
                add(false, self.kind.name(), Field::Text(&def.name));
                add(def.params.is_empty(), "params", Field::Params(&def.params));
            }
            NodeKind::Sequence { pace } | NodeKind::Selector { pace } => {
                add(
                    pace.is_none(),
                    "pace",
                    Field::Pace(pace.unwrap_or_default()),
                );
            }
            NodeKind::Parallel { success, failure } => {
                add(*success == 0, "success", Field::Whole((*success).into()));
                add(*failure == 1, "failure", Field::Whole((*failure).into()));
            }
            NodeKind::Repeat { count } => add(*count == 0, "count", Field::Whole(*count)),
            NodeKind::Timeout { seconds } | NodeKind::Cooldown { seconds } => {
                add(false, "seconds", Field::Number(*seconds));
            }
            NodeKind::ForceSuccess { turn }
            | NodeKind::ForceFailure { turn }
            | NodeKind::AlwaysSucceed { turn }
            | NodeKind::AlwaysFail { turn } => add(is_default(turn), "turn", Field::Turn(*turn)),
            NodeKind::WithToken {
                pool,
                wait,
                priority,
            } => {
                add(false, "pool", Field::Text(pool));
                add(*wait == f32::INFINITY, "wait", Field::Number(*wait));
                add(is_default(priority), "priority", Field::Priority(priority));
            }
            NodeKind::WithWaypoint {
                pool,
                wait,
                utility,
                no_repeat,
            } => {
                add(false, "pool", Field::Text(pool));
                add(*wait == f32::INFINITY, "wait", Field::Number(*wait));
                add(false, "utility", Field::Utility(utility));
                add(!no_repeat, "no_repeat", Field::Flag(*no_repeat));
            }
            NodeKind::ReactiveSequence
            | NodeKind::ReactiveSelector
            | NodeKind::Race
            | NodeKind::Invert => {}
        }
        if self.kind.children().1 == usize::MAX {
            add(false, "children", Field::Nodes(&self.children));
        } else {
            for (name, child) in ["child", "fallback"].into_iter().zip(&self.children) {
                add(false, name, Field::Node(child));
            }
        }
        fields
    }
}

impl Serialize for NodeDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.kind.name();
        if self.children.len() > self.kind.children().1 {
            let count = self.children.len();
            let message = format_args!("a {name} cannot have {count} children");
            return Err(ser::Error::custom(message));
        }
        let fields = self.fields();
        let index = NAMES.iter().position(|other| *other == name).unwrap_or(0);
        let mut variant =
            serializer.serialize_struct_variant("NodeDef", index as u32, name, fields.len())?;
        for (field, value) in &fields {
            variant.serialize_field(field, value)?;
        }
        variant.end()
    }
}

impl<'de> Deserialize<'de> for NodeDef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("NodeDef", &NAMES, NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = NodeDef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<NodeDef, A::Error> {
        let (Identifier(name), content) = data.variant()?;
        let kind = KINDS.iter().find(|(kind, _)| *kind == name);
        let (kind, fields) = kind.ok_or_else(|| de::Error::unknown_variant(&name, &NAMES))?;
        content.struct_variant(fields, FieldsVisitor { kind, fields })
    }
}

struct FieldsVisitor {
    kind: &'static str,
    fields: &'static [&'static str],
}

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = NodeDef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", self.kind)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeDef, A::Error> {
        let mut seen: Vec<&'static str> = Vec::new();
        let (mut name, mut def, mut children) = (String::new(), TaskDef::default(), Vec::new());
        let (mut pace, mut turn, mut count) = (None, TurnRule::default(), 0);
        let (mut success, mut failure, mut no_repeat) = (0, 1, false);
        let (mut seconds, mut wait) = (0.0, f32::INFINITY);
        let (mut pool, mut priority) = (String::new(), Priority::default());
        let mut utility = None;
        while let Some(Identifier(key)) = map.next_key()? {
            let field = self.fields.iter().copied().find(|field| *field == key);
            let field = field.ok_or_else(|| de::Error::unknown_field(&key, self.fields))?;
            if seen.contains(&field) {
                return Err(de::Error::duplicate_field(field));
            }
            seen.push(field);
            match field {
                "name" => name = map.next_value()?,
                "task" | "composite" => def.name = map.next_value()?,
                "params" => def.params = map.next_value()?,
                "pace" => pace = Some(map.next_value()?),
                "turn" => turn = map.next_value()?,
                "count" => count = map.next_value()?,
                "success" => success = map.next_value()?,
                "failure" => failure = map.next_value()?,
                "seconds" => seconds = map.next_value()?,
                "pool" => pool = map.next_value()?,
                "wait" => wait = map.next_value()?,
                "priority" => priority = map.next_value()?,
                "utility" => utility = Some(map.next_value()?),
                "no_repeat" => no_repeat = map.next_value()?,
                "children" => children = map.next_value()?,
                // The child comes first, wherever it stands in the file.
                "child" => children.insert(0, map.next_value()?),
                _ => children.push(map.next_value()?),
            }
        }
        let required = [
            "task",
            "composite",
            "seconds",
            "pool",
            "utility",
            "child",
            "children",
        ];
        let is_missing = |field: &&&str| self.fields.contains(*field) && !seen.contains(*field);
        if let Some(field) = required.iter().find(is_missing) {
            return Err(de::Error::missing_field(field));
        }
        let kind = match self.kind {
            "task" => NodeKind::Task(def),
            "composite" => NodeKind::Composite(def),
            "sequence" => NodeKind::Sequence { pace },
            "selector" => NodeKind::Selector { pace },
            "reactive_sequence" => NodeKind::ReactiveSequence,
            "reactive_selector" => NodeKind::ReactiveSelector,
            "race" => NodeKind::Race,
            "parallel" => NodeKind::Parallel { success, failure },
            "repeat" => NodeKind::Repeat { count },
            "timeout" => NodeKind::Timeout { seconds },
            "cooldown" => NodeKind::Cooldown { seconds },
            "invert" => NodeKind::Invert,
            "force_success" => NodeKind::ForceSuccess { turn },
            "force_failure" => NodeKind::ForceFailure { turn },
            "always_succeed" => NodeKind::AlwaysSucceed { turn },
            "always_fail" => NodeKind::AlwaysFail { turn },
            "with_token" => NodeKind::WithToken {
                pool,
                wait,
                priority,
            },
            _ => NodeKind::WithWaypoint {
                pool,
                wait,
                utility: utility.unwrap_or(UtilityDef::Constant(0.0)),
                no_repeat,
            },
        };
        Ok(NodeDef {
            name,
            kind,
            children,
        })
    }
}

/// The name of a kind or field.
struct Identifier(String);

impl<'de> Deserialize<'de> for Identifier {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Identifier;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Identifier, E> {
                Ok(Identifier(text.to_owned()))
            }
        }
        deserializer.deserialize_identifier(Text)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
