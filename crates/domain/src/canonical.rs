//! One byte sequence per JSON value (RFC 8785), so that equal values have equal digests and different
//! values have different ones.
//!
//! The second half is the hard one: ordinary JSON parsers lose differences before the value is
//! hashed. [`parse`] therefore refuses what would collide or be read differently by another parser:
//! integers a double cannot hold exactly, numbers beyond its range, a key given twice, lone
//! surrogates, unbounded depth, a byte order mark. What is hashed and what is passed on come from the
//! same parsed value.

use std::fmt;

use serde::{
    Serialize,
    de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

use crate::limits::JSON_DEPTH_MAX;

/// The greatest integer every JSON parser reads as itself.
const INTEGER_MAX: u64 = (1 << 53) - 1;

/// JSON that cannot be hashed safely; the text names the reason and, where known, the location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotCanonical(pub String);

/// Reads JSON strictly.
pub fn parse(bytes: &[u8]) -> Result<Value, NotCanonical> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let refused = |error: serde_json::Error| NotCanonical(error.to_string());
    let value = Strict { depth: 0 }
        .deserialize(&mut reader)
        .map_err(refused)?;
    reader.end().map_err(refused)?;
    Ok(value)
}

/// Checks a value that was made in memory rather than parsed; repeated keys cannot occur there.
pub fn check(value: &Value) -> Result<(), NotCanonical> {
    check_at(value, 0)
}

/// The canonical bytes of a value that [`parse`] or [`check`] has passed.
///
/// Cannot fail: such a value holds only what RFC 8785 can write down.
pub fn canonical_bytes(value: &Value) -> Vec<u8> {
    let bytes = if is_plain(value) {
        serde_json::to_vec(value).ok()
    } else {
        serde_json_canonicalizer::to_vec(value).ok()
    };
    bytes.unwrap_or_default()
}

/// The canonical bytes of something that writes its members in order, and whose values are texts, whole numbers,
/// booleans and more of the same: as they are written. Caller-supplied values qualify only if they are [`is_plain`].
pub(crate) fn in_order(written: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(written).unwrap_or_default()
}

/// Whether ordinary JSON serialization gives the canonical form: no fractions, and keys in the same
/// order in every comparison. Nearly every hashed value is plain, and is written several times faster.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => !number.is_f64(),
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(members) => are_plain(members),
    }
}

/// The same for an object.
pub(crate) fn are_plain(members: &Map<String, Value>) -> bool {
    let mut each = members.iter();
    members.keys().is_sorted() && each.all(|(key, value)| key.is_ascii() && is_plain(value))
}

/// SHA-256 as lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn check_at(value: &Value, depth: usize) -> Result<(), NotCanonical> {
    let deeper = || -> Result<usize, NotCanonical> {
        if depth >= JSON_DEPTH_MAX {
            Err(NotCanonical(too_deep()))
        } else {
            Ok(depth + 1)
        }
    };
    match value {
        Value::Number(number) => check_number(number).map_err(NotCanonical),
        Value::Array(items) => {
            let depth = deeper()?;
            items.iter().try_for_each(|item| check_at(item, depth))
        }
        Value::Object(members) => {
            let depth = deeper()?;
            members
                .values()
                .try_for_each(|member| check_at(member, depth))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

fn check_number(number: &Number) -> Result<(), String> {
    let integer = match (number.as_i64(), number.as_u64()) {
        (Some(signed), _) => Some(signed.unsigned_abs()),
        (None, unsigned) => unsigned,
    };
    match (integer, number.as_f64()) {
        (Some(magnitude), _) if magnitude <= INTEGER_MAX => Ok(()),
        (Some(_), _) => Err(inexact()),
        // Written with a fraction or an exponent, yet a whole number a double cannot tell from its
        // neighbours: as ambiguous as the integer would be.
        (None, Some(double)) if double.fract() == 0.0 && double.abs() > MAX_SAFE => Err(inexact()),
        (None, Some(double)) if double.is_finite() => Ok(()),
        _ => Err("a number is out of range".to_owned()),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "2^53 - 1 is exact by definition"
)]
const MAX_SAFE: f64 = INTEGER_MAX as f64;

fn inexact() -> String {
    "a number is too large to be exact; send it as text".to_owned()
}

fn too_deep() -> String {
    format!("nested more than {JSON_DEPTH_MAX} deep")
}

/// Builds a [`Value`] and rejects ambiguous input on the way.
#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= JSON_DEPTH_MAX {
            return Err(E::custom(too_deep()));
        }
        Ok(Self {
            depth: self.depth + 1,
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Value, E> {
        checked(number.into())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        checked(number.into())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        let number =
            Number::from_f64(number).ok_or_else(|| E::custom("a number is out of range"))?;
        checked(number)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let seed = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(seed)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let seed = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom("a key is given twice"));
            }
            let value = members.next_value_seed(seed)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

fn checked<E: serde::de::Error>(number: Number) -> Result<Value, E> {
    check_number(&number).map_err(E::custom)?;
    Ok(Value::Number(number))
}

#[cfg(test)]
mod numbers;
#[cfg(test)]
mod tests;
