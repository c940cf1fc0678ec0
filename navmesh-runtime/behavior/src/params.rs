//! Parameters of tasks in tree files: their form, and conversion to and from
//! the fields of a task.

use std::collections::BTreeMap;

use serde::de::value::{
    Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer, StringDeserializer,
};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::ser::{self, Error as _, Serializer};
use serde::{Deserialize, Serialize};

/// The parameters of a task, by name.
pub type Params = BTreeMap<String, Param>;

/// A parameter as a tree file holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Param {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A position is a list of two numbers.
    List(Vec<Param>),
    Map(Params),
}

/// The texts among parameters, in order.
pub fn texts(params: &Params) -> Vec<&str> {
    params.values().flat_map(Param::texts).collect()
}

impl Param {
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(values) => values.iter().flat_map(Self::texts).collect(),
            Self::Map(values) => texts(values),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => Vec::new(),
        }
    }
}

/// Reads a task, or its parameters, out of a tree file.
pub fn read<P: DeserializeOwned>(params: &Params) -> Result<P, String> {
    P::deserialize(Param::Map(params.clone())).map_err(|error| error.to_string())
}

/// Writes a task as parameters; `None` if it has no form as such.
pub fn write(task: &impl Serialize) -> Option<Param> {
    task.serialize(Writer).ok().flatten()
}

/// The default of a time that has no limit.
pub fn forever() -> f32 {
    f32::INFINITY
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub fn is_forever(seconds: &f32) -> bool {
    *seconds == forever()
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

/// Serializes a value to a [`Param`]; to `None` for `None` and `()`, which are
/// left out of a struct or map.
struct Writer;

type Written = Result<Option<Param>, Error>;

/// A list or map that is being serialized.
struct Collector {
    /// For a variant of an enum that has fields.
    variant: Option<&'static str>,
    list: Vec<Param>,
    map: Params,
    key: String,
}

impl Collector {
    fn new(variant: Option<&'static str>) -> Self {
        Self {
            variant,
            list: Vec::new(),
            map: Params::new(),
            key: String::new(),
        }
    }

    fn push(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.list.extend(value.serialize(Writer)?);
        Ok(())
    }

    fn insert(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let value = value.serialize(Writer)?;
        self.map.extend(value.map(|value| (key.to_owned(), value)));
        Ok(())
    }

    fn wrap(variant: Option<&'static str>, value: Param) -> Param {
        match variant {
            Some(variant) => Param::Map(Params::from([(variant.to_owned(), value)])),
            None => value,
        }
    }
}

macro_rules! collect {
    ($($trait:ident, $method:ident;)*) => {$(
        impl ser::$trait for Collector {
            type Ok = Option<Param>;
            type Error = Error;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.push(value)
            }
            fn end(self) -> Written {
                Ok(Some(Self::wrap(self.variant, Param::List(self.list))))
            }
        }
    )*};
}
collect! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

macro_rules! collect_fields {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Collector {
            type Ok = Option<Param>;
            type Error = Error;
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.insert(key, value)
            }
            fn end(self) -> Written {
                Ok(Some(Self::wrap(self.variant, Param::Map(self.map))))
            }
        }
    )*};
}
collect_fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Collector {
    type Ok = Option<Param>;
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        match key.serialize(Writer)? {
            Some(Param::Text(key)) => self.key = key,
            _ => return Err(Error::custom("a key must be text")),
        }
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.insert(&key, value)
    }
    fn end(self) -> Written {
        Ok(Some(Param::Map(self.map)))
    }
}

macro_rules! write_values {
    ($($method:ident($value:ident: $type:ty) => $param:expr;)*) => {$(
        fn $method(self, $value: $type) -> Written {
            Ok(Some($param))
        }
    )*};
}

macro_rules! collect_into {
    ($($method:ident($($argument:ident: $type:ty),*) => $variant:expr;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<Collector, Error> {
            Ok(Collector::new($variant))
        }
    )*};
}

fn int(value: impl TryInto<i64>) -> Result<Param, Error> {
    let value = value.try_into();
    value
        .map(Param::Int)
        .map_err(|_| Error::custom("an integer is too large"))
}

impl Serializer for Writer {
    type Ok = Option<Param>;
    type Error = Error;
    type SerializeSeq = Collector;
    type SerializeTuple = Collector;
    type SerializeTupleStruct = Collector;
    type SerializeTupleVariant = Collector;
    type SerializeMap = Collector;
    type SerializeStruct = Collector;
    type SerializeStructVariant = Collector;

    write_values! {
        serialize_bool(value: bool) => Param::Bool(value);
        serialize_i8(value: i8) => int(value)?;
        serialize_i16(value: i16) => int(value)?;
        serialize_i32(value: i32) => int(value)?;
        serialize_i64(value: i64) => int(value)?;
        serialize_u8(value: u8) => int(value)?;
        serialize_u16(value: u16) => int(value)?;
        serialize_u32(value: u32) => int(value)?;
        serialize_u64(value: u64) => int(value)?;
        // Through its shortest decimal form: 0.1 stays 0.1 in the file.
        serialize_f32(value: f32) =>
            Param::Float(value.to_string().parse().unwrap_or(f64::from(value)));
        serialize_f64(value: f64) => Param::Float(value);
        serialize_char(value: char) => Param::Text(value.to_string());
        serialize_str(value: &str) => Param::Text(value.to_owned());
        serialize_unit_struct(_name: &'static str) => Param::Map(Params::new());
    }

    collect_into! {
        serialize_seq(_len: Option<usize>) => None;
        serialize_tuple(_len: usize) => None;
        serialize_tuple_struct(_name: &'static str, _len: usize) => None;
        serialize_tuple_variant(
            _name: &'static str, _index: u32, variant: &'static str, _len: usize
        ) => Some(variant);
        serialize_map(_len: Option<usize>) => None;
        serialize_struct(_name: &'static str, _len: usize) => None;
        serialize_struct_variant(
            _name: &'static str, _index: u32, variant: &'static str, _len: usize
        ) => Some(variant);
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        value.serialize(self)
    }
    fn serialize_none(self) -> Written {
        Ok(None)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Written {
        Ok(None)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let value = value.serialize(self)?;
        Ok(value.map(|value| Collector::wrap(Some(variant), value)))
    }
}
