//! Why the gateway does not use a schema.

use domain::limits::{SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX};

/// Why a schema is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    #[error("the schema has more than {SCHEMA_BYTES_MAX} bytes")]
    TooLong,
    #[error("the schema is nested more than {SCHEMA_DEPTH_MAX} levels deep")]
    TooDeep,
    #[error("the schema refers to itself so often that checking against it might not end")]
    TooHeavy,
    #[error("the schema is not one of an object")]
    NotAnObject,
    #[error("the schema refers outside itself, or in a way that is not supported: `{0}`")]
    Reference(String),
    #[error("the schema is no JSON Schema: {0}")]
    Invalid(String),
}
