//! Conditions of a grant on the parameters of a call: a location and the value it must have. A value that
//! is missing or of another type does not fulfil a condition.

use std::fmt;

use serde_json::Value;

use crate::{
    canonical::{self, canonical_bytes},
    invalid::{Invalid, bounded_count, bounded_text},
    limits::{
        GRANT_PREDICATES_MAX, PREDICATE_POINTER_LENGTH_MAX, PREDICATE_VALUE_BYTES_MAX,
        PREDICATE_VALUES_MAX,
    },
};

/// A JSON pointer (RFC 6901).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPointer(String);

impl JsonPointer {
    pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
        let text = text.into();
        bounded_text(field, &text, 0, PREDICATE_POINTER_LENGTH_MAX)?;
        if !text.is_empty() && !text.starts_with('/') {
            return Err(Invalid::new(field, "must be empty or start with `/`"));
        }
        let escapes = |rest: &str| rest.starts_with(['0', '1']);
        if !text.split('~').skip(1).all(escapes) {
            return Err(Invalid::new(
                field,
                "`~` must be written `~0`, and `/` in a name `~1`",
            ));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The value required at the location.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    Equals(Value),
    OneOf(Vec<Value>),
    /// Text with this prefix. It is compared as text: for a path, note that `a/` is also a prefix of
    /// `a/../b`.
    Prefix(String),
}

/// One condition of a grant.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    pointer: JsonPointer,
    condition: Condition,
}

impl Predicate {
    pub fn new(pointer: JsonPointer, condition: Condition) -> Result<Self, Invalid> {
        match &condition {
            Condition::Equals(value) => check_value("equals", value)?,
            Condition::OneOf(values) => {
                bounded_count("oneOf", values.len(), PREDICATE_VALUES_MAX)?;
                if values.is_empty() {
                    return Err(Invalid::new("oneOf", "must not be empty"));
                }
                for (index, value) in values.iter().enumerate() {
                    check_value(&format!("oneOf[{index}]"), value)?;
                }
            }
            // An empty prefix would match every text while looking like a condition.
            Condition::Prefix(prefix) => {
                bounded_text("prefix", prefix, 1, PREDICATE_VALUE_BYTES_MAX)?;
            }
        }
        Ok(Self { pointer, condition })
    }

    pub fn pointer(&self) -> &JsonPointer {
        &self.pointer
    }

    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Whether these parameters fulfil it.
    pub fn holds(&self, params: &Value) -> bool {
        let Some(found) = params.pointer(&self.pointer.0) else {
            return false;
        };
        match &self.condition {
            Condition::Equals(wanted) => same(wanted, found),
            Condition::OneOf(wanted) => wanted.iter().any(|wanted| same(wanted, found)),
            Condition::Prefix(prefix) => {
                found.as_str().is_some_and(|text| text.starts_with(prefix))
            }
        }
    }
}

/// The form shown to users. Values are left out: they may be confidential, such as a list of
/// customers.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.pointer.as_str() {
            "" => "the parameters",
            place => place,
        };
        match &self.condition {
            Condition::Equals(_) => write!(f, "{place} must be as granted"),
            Condition::OneOf(values) => {
                write!(f, "{place} must be one of {} granted values", values.len())
            }
            Condition::Prefix(_) => write!(f, "{place} must begin as granted"),
        }
    }
}

/// Checks how many conditions there are.
pub fn check_predicates(field: &str, predicates: &[Predicate]) -> Result<(), Invalid> {
    bounded_count(field, predicates.len(), GRANT_PREDICATES_MAX)
}

fn check_value(field: &str, value: &Value) -> Result<(), Invalid> {
    canonical::check(value).map_err(|error| Invalid::new(field, error.to_string()))?;
    if canonical_bytes(value).len() > PREDICATE_VALUE_BYTES_MAX {
        let message = format!("must have at most {PREDICATE_VALUE_BYTES_MAX} bytes as JSON");
        return Err(Invalid::new(field, message));
    }
    Ok(())
}

/// Equal as JSON: `1` and `1.0` are, whatever the order of members; `1` and `"1"` are not.
fn same(wanted: &Value, found: &Value) -> bool {
    wanted == found
        || std::mem::discriminant(wanted) == std::mem::discriminant(found)
            && !wanted.is_string()
            && canonical_bytes(wanted) == canonical_bytes(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn predicate(pointer: &str, condition: Condition) -> Result<Predicate, Invalid> {
        Predicate::new(JsonPointer::new("pointer", pointer)?, condition)
    }

    #[test]
    fn pointers_follow_rfc_6901() {
        for good in [
            "", "/", "/a", "/a/0/b", "/a~1b", "/m~0n", "/ ", "/a//b", "/é",
        ] {
            assert!(JsonPointer::new("pointer", good).is_ok(), "{good:?}");
        }
        for bad in [
            "a",
            "a/b",
            "/~",
            "/~2",
            "/a~",
            "#/a",
            "/a\u{0}",
            &"/x".repeat(101),
        ] {
            assert!(JsonPointer::new("pointer", bad).is_err(), "{bad:?}");
        }
    }

    /// The examples of the RFC's section 5, and what it says of arrays.
    #[test]
    fn a_pointer_finds_what_the_rfc_says() {
        let document = json!({
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
            "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
        });
        let table = [
            ("/foo", json!(["bar", "baz"])),
            ("/foo/0", json!("bar")),
            ("/", json!(0)),
            ("/a~1b", json!(1)),
            ("/c%d", json!(2)),
            ("/e^f", json!(3)),
            ("/g|h", json!(4)),
            ("/i\\j", json!(5)),
            ("/k\"l", json!(6)),
            ("/ ", json!(7)),
            ("/m~0n", json!(8)),
            ("", document.clone()),
        ];
        for (pointer, value) in table {
            let found = predicate(pointer, Condition::Equals(value)).unwrap();
            assert!(found.holds(&document), "{pointer}");
        }
        for missing in [
            "/foo/2", "/foo/-", "/foo/00", "/foo/+0", "/foo/0/x", "/nope", "/m~01n",
        ] {
            let sought = predicate(missing, Condition::Equals(Value::Null)).unwrap();
            assert!(!sought.holds(&document), "{missing}");
        }
    }

    #[test]
    fn values_are_compared_as_json() {
        let table = [
            (json!(1), json!(1.0), true),
            (json!(1), json!("1"), false),
            (json!(0), json!(-0.0), true),
            (json!(null), json!(null), true),
            (json!(null), json!(false), false),
            (json!("a"), json!("A"), false),
            (json!("é"), json!("e\u{301}"), false),
            (json!({"a": 1, "b": [2.0]}), json!({"b": [2], "a": 1}), true),
            (json!([1, 2]), json!([2, 1]), false),
            (json!("true"), json!(true), false),
        ];
        for (wanted, found, equal) in table {
            let params = json!({ "x": found });
            for condition in [
                Condition::Equals(wanted.clone()),
                Condition::OneOf(vec![json!("other"), wanted.clone()]),
            ] {
                let predicate = predicate("/x", condition).unwrap();
                assert_eq!(predicate.holds(&params), equal, "{wanted} {params}");
            }
        }
    }

    #[test]
    fn a_prefix_is_of_text_only() {
        let starts = |prefix: &str| predicate("/x", Condition::Prefix(prefix.to_owned())).unwrap();
        assert!(starts("proj-").holds(&json!({"x": "proj-1"})));
        assert!(starts("proj-").holds(&json!({"x": "proj-"})));
        for other in [
            json!("proj"),
            json!("Proj-1"),
            json!(["proj-1"]),
            json!(null),
            json!(1),
        ] {
            assert!(!starts("proj-").holds(&json!({ "x": other })), "{other}");
        }
        assert!(!starts("1").holds(&json!({"x": 12})));
        assert!(!starts("a").holds(&json!({})));
    }

    #[test]
    fn conditions_are_bounded_and_say_where_they_are_wrong() {
        let long = "x".repeat(PREDICATE_VALUE_BYTES_MAX);
        let table = [
            (Condition::Equals(json!(long)), "equals"),
            (
                Condition::Equals(json!(9_007_199_254_740_993_u64)),
                "equals",
            ),
            (Condition::OneOf(vec![]), "oneOf"),
            (Condition::OneOf(vec![Value::Null; 51]), "oneOf"),
            (Condition::OneOf(vec![json!(1), json!(long)]), "oneOf[1]"),
            (Condition::Prefix(String::new()), "prefix"),
            (Condition::Prefix("x".repeat(1001)), "prefix"),
        ];
        for (condition, field) in table {
            assert_eq!(predicate("/x", condition).unwrap_err().field, field);
        }
        let one = predicate("/x", Condition::Equals(Value::Null)).unwrap();
        assert!(check_predicates("predicates", &vec![one.clone(); 10]).is_ok());
        assert!(check_predicates("predicates", &vec![one; 11]).is_err());
    }
}
