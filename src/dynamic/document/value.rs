//! Whatever serde reads, in the order in which it came.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value. Numbers are kept as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Nothing,
    Truth(bool),
    Number(String),
    Text(String),
    List(Vec<Value>),
    Fields(Vec<(String, Value)>),
}

impl Value {
    /// What it is, as an error says it.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Truth(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Fields(_) => "fields",
        }
    }

    /// A number or a text, as it is written.
    pub(super) fn scalar(&self) -> Option<String> {
        match self {
            Self::Truth(truth) => Some(truth.to_string()),
            Self::Number(text) | Self::Text(text) => Some(text.clone()),
            Self::Nothing | Self::List(_) | Self::Fields(_) => None,
        }
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy document")
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Truth(truth))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = seq.next_element()? {
            all.push(value);
        }
        Ok(Value::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(field) = map.next_entry()? {
            all.push(field);
        }
        Ok(Value::Fields(all))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_unit(),
            Self::Truth(truth) => serializer.serialize_bool(*truth),
            Self::Number(text) => match (text.parse::<u64>(), text.parse::<f64>()) {
                (Ok(whole), _) => serializer.serialize_u64(whole),
                (_, Ok(number)) => serializer.serialize_f64(number),
                _ => serializer.serialize_str(text),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(all) => {
                let mut seq = serializer.serialize_seq(Some(all.len()))?;
                all.iter().try_for_each(|value| seq.serialize_element(value))?;
                seq.end()
            }
            Self::Fields(all) => {
                let mut map = serializer.serialize_map(Some(all.len()))?;
                all.iter()
                    .try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}
