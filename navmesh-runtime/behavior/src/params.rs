//! Parameters of tasks in tree files.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer};
use serde::{Deserialize, Serialize};
use serde_value::{Value, ValueDeserializer};

/// The parameters of a task, by name. Integers are `I64` where they fit and other numbers
/// `F64`, so parameters of a file and those of a task in code can be compared.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Params(BTreeMap<Value, Value>);

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let params = BTreeMap::<String, Value>::deserialize(deserializer)?.into_iter();
        let given = params.filter_map(|(name, value)| Some((Value::String(name), uniform(value)?)));
        Ok(Self(given.collect()))
    }
}

impl Params {
    /// The fields of a task; `None` if it has no form as parameters.
    pub fn of(task: &impl Serialize) -> Option<Self> {
        match serde_value::to_value(task).ok().map(uniform)? {
            // A task without fields.
            None => Some(Self::default()),
            Some(Value::Map(fields)) => {
                let has_names = fields.keys().all(|key| matches!(key, Value::String(_)));
                has_names.then_some(Self(fields))
            }
            Some(_) => None,
        }
    }

    /// The variant of an enum of tasks and its fields.
    pub fn of_variant(task: &impl Serialize) -> Option<(String, Self)> {
        match Self::of(task)?.0.pop_first()? {
            (Value::String(name), fields) => Some((name, Self::of(&fields)?)),
            _ => None,
        }
    }

    /// Reads a task, or its parameters.
    pub fn read<P: DeserializeOwned>(&self) -> Result<P, String> {
        read(Value::Map(self.0.clone()))
    }

    /// Reads a variant of an enum of tasks.
    pub fn read_variant<P: DeserializeOwned>(&self, name: &str) -> Result<P, String> {
        let variant = (Value::String(name.to_owned()), Value::Map(self.0.clone()));
        read(Value::Map([variant].into()))
    }

    /// A part of a tree file in which each text `$name` is replaced by the parameter of that
    /// name.
    pub fn put_into<T: Serialize + DeserializeOwned>(&self, part: &T) -> Result<T, String> {
        let mut part = serde_value::to_value(part).map_err(|error| error.to_string())?;
        self.replace(&mut part)?;
        read(part)
    }

    fn replace(&self, value: &mut Value) -> Result<(), String> {
        match value {
            Value::String(text) => {
                if let Some(name) = text.strip_prefix('$') {
                    let given = self.0.get(&Value::String(name.to_owned()));
                    *value = given
                        .ok_or_else(|| format!("no parameter {name:?} is given"))?
                        .clone();
                }
                Ok(())
            }
            Value::Seq(values) => values.iter_mut().try_for_each(|value| self.replace(value)),
            Value::Map(values) => values
                .values_mut()
                .try_for_each(|value| self.replace(value)),
            Value::Option(Some(value)) | Value::Newtype(value) => self.replace(value),
            _ => Ok(()),
        }
    }

    /// The numbers among the parameters, by name.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, f32)> {
        self.0
            .iter()
            .filter_map(|(name, value)| match (name, value) {
                (Value::String(name), Value::F64(number)) => Some((name.as_str(), *number as f32)),
                _ => None,
            })
    }

    /// The texts among the parameters, in order.
    pub fn texts(&self) -> Vec<&str> {
        self.0.values().flat_map(texts).collect()
    }
}

fn read<P: DeserializeOwned>(value: Value) -> Result<P, String> {
    let deserializer = ValueDeserializer::<Error>::new(value);
    P::deserialize(deserializer).map_err(|error| error.to_string())
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Seq(values) => values.iter().flat_map(texts).collect(),
        Value::Map(values) => values.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The names of the variants of an enum in files.
pub fn variants<T: DeserializeOwned>() -> &'static [&'static str] {
    // No variant has an empty name, so the error lists all.
    let read = T::deserialize("".into_deserializer());
    read.map_or_else(|Variants(names)| names, |_| &[])
}

/// An error that keeps the names of variants.
#[derive(Debug, thiserror::Error)]
#[error("no such variant")]
struct Variants(&'static [&'static str]);

impl serde::de::Error for Variants {
    fn custom<T: Display>(_: T) -> Self {
        Self(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}

/// The value with uniform numbers, without wrappers; `None` for none, which is left out.
fn uniform(value: Value) -> Option<Value> {
    Some(match value {
        Value::U8(value) => Value::I64(value.into()),
        Value::U16(value) => Value::I64(value.into()),
        Value::U32(value) => Value::I64(value.into()),
        Value::U64(value) => i64::try_from(value).map_or(Value::U64(value), Value::I64),
        Value::I8(value) => Value::I64(value.into()),
        Value::I16(value) => Value::I64(value.into()),
        Value::I32(value) => Value::I64(value.into()),
        // Through its shortest decimal form: 0.1 stays 0.1 in the file.
        Value::F32(value) => Value::F64(value.to_string().parse().unwrap_or(value.into())),
        Value::Char(value) => Value::String(value.into()),
        Value::Unit | Value::Option(None) => return None,
        Value::Option(Some(value)) | Value::Newtype(value) => uniform(*value)?,
        Value::Seq(values) => Value::Seq(values.into_iter().filter_map(uniform).collect()),
        Value::Map(values) => {
            let values = values.into_iter();
            let values = values.filter_map(|(key, value)| Some((key, uniform(value)?)));
            Value::Map(values.collect())
        }
        value => value,
    })
}

/// Defaults of fields in tree files.
pub mod default {
    /// Whether a field can be left out of a file.
    pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
        *value == T::default()
    }

    pub const fn yes() -> bool {
        true
    }

    pub const fn second() -> f32 {
        1.0
    }

    pub const fn forever() -> f32 {
        f32::INFINITY
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    pub fn is_forever(seconds: &f32) -> bool {
        *seconds == forever()
    }
}
