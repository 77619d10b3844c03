//! JSON Schema: the one check of an action's params, for the sources here and for tools of MCP servers.
//!
//! INVARIANT: reading any schema, and checking params against it, is bounded in time, makes no request and does not
//! recurse deeper than the stack allows.

pub(crate) mod build;
mod error;
mod terms;
mod weight;

use std::{fmt, sync::Arc};

use domain::limits::{
    PARAMS_DEPTH_MAX, PARAMS_PROBLEMS_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX,
    SCHEMA_PATTERN_BYTES_MAX, SCHEMA_WORK_MAX,
};
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

pub use self::error::SchemaError;

/// A parsed schema; cheap to clone.
#[derive(Clone)]
pub struct Schema(Arc<ParsedSchema>);

struct ParsedSchema {
    document: Value,
    /// What checking one value can cost.
    weight: u64,
    validator: Validator,
}

/// What is wrong with params, without the values that are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Mismatch(Vec<String>);

impl Schema {
    /// Reads a schema of an object.
    pub fn read(document: Value) -> Result<Self, SchemaError> {
        if !is_within(&document, SCHEMA_DEPTH_MAX) {
            return Err(SchemaError::TooDeep);
        }
        if document.to_string().len() > SCHEMA_BYTES_MAX {
            return Err(SchemaError::TooLong);
        }
        if document["type"] != "object" {
            return Err(SchemaError::NotAnObject);
        }
        let weight = weight::weigh(&document)?;
        // The one of two engines whose time is linear in the length of the text.
        let patterns = PatternOptions::regex().size_limit(SCHEMA_PATTERN_BYTES_MAX);
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(patterns)
            .build(&document)
            .map_err(|error| SchemaError::Invalid(short(&error.masked().to_string())))?;
        Ok(Self(Arc::new(ParsedSchema {
            document,
            weight,
            validator,
        })))
    }

    /// The document as it was given.
    pub fn document(&self) -> &Value {
        &self.0.document
    }

    /// The schema without its descriptions: schemas with the same terms accept the same.
    pub fn terms(&self) -> Value {
        terms::terms(&self.0.document)
    }

    /// Checks params. Returns the place and the kind of the first few mistakes.
    pub fn check(&self, params: &Map<String, Value>) -> Result<(), Mismatch> {
        let below = PARAMS_DEPTH_MAX - 1;
        if !params.values().all(|value| is_within(value, below)) {
            let problem = format!("params are nested more than {PARAMS_DEPTH_MAX} levels deep");
            return Err(Mismatch(vec![problem]));
        }
        let params = Value::Object(params.clone());
        if count(&params).saturating_mul(self.0.weight) > SCHEMA_WORK_MAX {
            let problem = "params have more parts than can be checked".to_owned();
            return Err(Mismatch(vec![problem]));
        }
        let problems: Vec<String> = self
            .0
            .validator
            .iter_errors(&params)
            .take(PARAMS_PROBLEMS_MAX)
            .map(|error| {
                let path = error.instance_path().as_str().trim_start_matches('/');
                let problem = short(&error.masked().to_string());
                match path {
                    "" => problem,
                    path => format!("{}: {problem}", short(path)),
                }
            })
            .collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(Mismatch(problems))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({})", self.0.document)
    }
}

/// Whether objects and lists are nested at most this deep.
fn is_within(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return !value.is_object() && !value.is_array();
    };
    match value {
        Value::Object(members) => members.values().all(|member| is_within(member, below)),
        Value::Array(items) => items.iter().all(|item| is_within(item, below)),
        _ => true,
    }
}

/// How many values there are.
fn count(value: &Value) -> u64 {
    let below: u64 = match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    };
    below + 1
}

/// A library's sentence may hold a whole list of allowed values.
fn short(text: &str) -> String {
    const LENGTH_MAX: usize = 200;
    match text.char_indices().nth(LENGTH_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
