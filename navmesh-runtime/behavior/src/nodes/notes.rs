//! Leaves that read and write the blackboard.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::blackboard::{NamedKey, Schema, Value};
use crate::context::Context;
use crate::node::{BindError, Node};
use crate::status::Outcome;
use crate::tick::Tick;

/// How a value of the blackboard compares with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// It is the same.
    Equal,
    /// It is another one.
    NotEqual,
    /// It is less. Positions are neither less nor greater than others.
    Less,
    /// It is less or the same.
    AtMost,
    /// It is greater.
    Greater,
    /// It is greater or the same.
    AtLeast,
}

impl Comparison {
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::AtMost => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}

/// The order of two values of the same type; `None` where they have none.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Entity(a), Value::Entity(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (a, b) => (a == b).then_some(Ordering::Equal),
    }
}

pub struct Set {
    pub key: NamedKey<Value>,
    pub value: Value,
}

impl<C: Context> Node<C> for Set {
    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        Ok(self.key.bind_as(schema, &mut self.value)?)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        tick.board.put(&self.key, self.value.clone());
        Outcome::SUCCESS
    }
}

pub struct Compare {
    pub key: NamedKey<Value>,
    pub is: Comparison,
    pub value: Value,
}

impl<C: Context> Node<C> for Compare {
    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        Ok(self.key.bind_as(schema, &mut self.value)?)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let Some(value) = tick.board.value_at(&self.key) else {
            tick.set_reason(|| "the key is not set");
            return Outcome::FAILURE;
        };
        self.is.holds(order(value, &self.value)).into()
    }
}

/// The form of a value in tree files: without its type.
pub mod literal {
    use glam::Vec2;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::blackboard::{Entity, Value};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Literal {
        Bool(bool),
        Int(i64),
        Float(f32),
        Vec2([f32; 2]),
        Entity { entity: u64 },
        Text(String),
    }

    pub fn serialize<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        let literal = match value {
            Value::Bool(value) => Literal::Bool(*value),
            Value::Int(value) => Literal::Int(*value),
            Value::Float(value) => Literal::Float(*value),
            Value::Vec2(value) => Literal::Vec2(value.to_array()),
            Value::Entity(Entity(entity)) => Literal::Entity { entity: *entity },
            Value::Text(value) => Literal::Text(value.to_string()),
        };
        literal.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        Ok(match Literal::deserialize(from)? {
            Literal::Bool(value) => Value::Bool(value),
            Literal::Int(value) => Value::Int(value),
            Literal::Float(value) => Value::Float(value),
            Literal::Vec2(value) => Value::Vec2(Vec2::from_array(value)),
            Literal::Entity { entity } => Value::Entity(Entity(entity)),
            Literal::Text(value) => Value::Text(value.into()),
        })
    }
}
