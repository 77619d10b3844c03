//! JSON in which no object names a member twice: of two values one would silently be lost.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

const TWICE: &str = "an object names a member twice";

/// One document, or what is wrong with it and where.
pub(crate) fn parse(text: &[u8]) -> Result<Value, String> {
    let parsed = serde_json::from_slice::<Strict>(text);
    parsed.map(|strict| strict.0).map_err(|error| {
        let what = if error.is_data() {
            TWICE
        } else if error.is_eof() {
            "it ends too early"
        } else {
            "unexpected character, or too deep"
        };
        format!("{what} (line {}, column {})", error.line(), error.column())
    })
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if object.insert(name, value).is_some() {
                return Err(Error::custom(TWICE));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_what_the_plain_reader_reads() {
        let text = r#"{"a":[1,-2,0.5,true,null,"\u00e9"],"b":{"a":{}},"c":18446744073709551615}"#;
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), plain);
    }

    #[test]
    fn a_member_twice_is_refused_at_any_depth() {
        for bad in [r#"{"a":1,"a":1}"#, r#"{"x":[{"a":1,"a":2}]}"#] {
            assert!(
                parse(bad.as_bytes()).unwrap_err().starts_with(TWICE),
                "{bad}"
            );
        }
        assert!(parse(br#"[{"a":1},{"a":1}]"#).is_ok());
        let deep = "[".repeat(10_000);
        assert!(parse(deep.as_bytes()).is_err());
    }
}
