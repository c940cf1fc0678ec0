//! Parameters of tasks in tree files, and reading typed ones out of them.

use std::collections::BTreeMap;

use serde::de::value::{
    Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer, StringDeserializer,
};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize};

/// The parameters of a task, by name.
pub type Params = BTreeMap<String, Param>;

/// A parameter as a tree file holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Param {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
    /// Several; a position is a list of two numbers.
    List(Vec<Param>),
    /// Several by name.
    Map(Params),
}

impl From<bool> for Param {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
impl From<f32> for Param {
    fn from(value: f32) -> Self {
        // Through its shortest decimal form: 0.1 stays 0.1 in the file.
        let shortest = value.to_string().parse();
        Self::Float(shortest.unwrap_or(f64::from(value)))
    }
}
impl From<&str> for Param {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}
impl From<glam::Vec2> for Param {
    fn from(value: glam::Vec2) -> Self {
        Self::List(vec![value.x.into(), value.y.into()])
    }
}

/// Reads a typed value out of parameters.
pub(super) fn read<P: DeserializeOwned>(params: &Params) -> Result<P, String> {
    P::deserialize(Param::Map(params.clone())).map_err(|error| error.to_string())
}

impl IntoDeserializer<'_, Error> for Param {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Param {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Int(value) => visitor.visit_i64(value),
            Self::Float(value) => visitor.visit_f64(value),
            Self::Text(value) => visitor.visit_string(value),
            Self::List(values) => {
                let mut values = SeqDeserializer::new(values.into_iter());
                let value = visitor.visit_seq(&mut values)?;
                values.end()?;
                Ok(value)
            }
            Self::Map(values) => {
                let mut values = MapDeserializer::new(values.into_iter());
                let value = visitor.visit_map(&mut values)?;
                values.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(variant) => {
                let variant: StringDeserializer<Error> = variant.into_deserializer();
                variant.deserialize_enum(name, variants, visitor)
            }
            Self::Map(values) => {
                let values = MapDeserializer::new(values.into_iter());
                visitor.visit_enum(MapAccessDeserializer::new(values))
            }
            other => other.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
