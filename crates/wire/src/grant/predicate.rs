//! Conditions of a grant on the parameters of a call.

use domain::{
    Invalid,
    action::{Condition, JsonPointer, Predicate as Domain},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::action::present;

/// A location in the parameters and its required value: one of `equals`, `oneOf` and `prefix`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"pointer": "/teamId", "oneOf": ["ENG", "OPS"]}))]
pub struct Predicate {
    /// A JSON Pointer (RFC 6901).
    #[schema(max_length = 200)]
    pub pointer: String,
    /// Any JSON, `null` included.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Object>)]
    pub equals: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<Object>>, max_items = 50)]
    pub one_of: Option<Vec<Value>>,
    /// For a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 1000)]
    pub prefix: Option<String>,
}

impl TryFrom<Predicate> for Domain {
    type Error = Invalid;

    fn try_from(given: Predicate) -> Result<Self, Invalid> {
        let pointer = JsonPointer::new("pointer", given.pointer)?;
        let condition = match (given.equals, given.one_of, given.prefix) {
            (Some(value), None, None) => Condition::Equals(value),
            (None, Some(values), None) => Condition::OneOf(values),
            (None, None, Some(prefix)) => Condition::Prefix(prefix),
            _ => {
                let message = "needs exactly one of `equals`, `oneOf` and `prefix`";
                return Err(Invalid::new("pointer", message));
            }
        };
        Self::new(pointer, condition)
    }
}

impl From<&Domain> for Predicate {
    fn from(predicate: &Domain) -> Self {
        let pointer = predicate.pointer().as_str().to_owned();
        let bare = Self {
            pointer,
            ..Self::default()
        };
        match predicate.condition().clone() {
            Condition::Equals(value) => Self {
                equals: Some(value),
                ..bare
            },
            Condition::OneOf(values) => Self {
                one_of: Some(values),
                ..bare
            },
            Condition::Prefix(prefix) => Self {
                prefix: Some(prefix),
                ..bare
            },
        }
    }
}
