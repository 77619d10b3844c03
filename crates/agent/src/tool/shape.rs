//! The shape of a tool's arguments: few constructs, so that one table yields a schema for models, a
//! module in TypeScript, a documentation page and the gateway's check.

use serde_json::{Map, Value, json};

/// A member of a record.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    /// The description for the model.
    pub description: &'static str,
    pub presence: Presence,
    pub shape: Shape,
}

/// Whether a member must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    /// `null` counts as absent.
    Optional,
    /// An absent member has this text, or this truth value.
    Default(Fallback),
}

/// What an absent member means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    Text(&'static str),
    Flag(bool),
}

/// What a value may be.
#[derive(Debug)]
pub enum Shape {
    Text {
        min: usize,
        max: usize,
        rule: Rule,
    },
    Flag,
    OneOf(&'static [&'static str]),
    List {
        of: &'static Shape,
        min: usize,
        max: usize,
    },
    Record(&'static [Field]),
}

/// The rule of a text besides its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Free,
    /// Below the workspace: relative, without `..`.
    RelativePath,
    /// The name of an environment variable that is not the platform's own.
    EnvName,
}

/// The names that the rule of environment variables allows, as a pattern.
pub(crate) const ENV_NAME_PATTERN: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// Text without a rule.
pub(crate) const fn text(min: usize, max: usize) -> Shape {
    Shape::Text {
        min,
        max,
        rule: Rule::Free,
    }
}

/// A path below the workspace.
pub(crate) const fn path(max: usize) -> Shape {
    Shape::Text {
        min: 1,
        max,
        rule: Rule::RelativePath,
    }
}

impl Fallback {
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Flag(flag) => flag.into(),
        }
    }
}

impl Field {
    /// The description for the model. A default is described in words: a schema that has it as a
    /// keyword makes some tools treat the member as required.
    pub fn full_description(&self) -> String {
        match self.presence {
            Presence::Default(Fallback::Text(text)) => {
                format!("{} Default: `{text}`.", self.description)
            }
            Presence::Default(Fallback::Flag(flag)) => {
                format!("{} Default: {flag}.", self.description)
            }
            Presence::Required | Presence::Optional => self.description.to_owned(),
        }
    }
}

impl Shape {
    /// As JSON Schema. Rules beyond a pattern are only in the check.
    pub fn schema(&self) -> Value {
        match self {
            Self::Text { min, max, rule } => {
                let mut schema = json!({"type": "string", "maxLength": max});
                if *min > 0 {
                    schema["minLength"] = json!(min);
                }
                if *rule == Rule::EnvName {
                    schema["pattern"] = json!(ENV_NAME_PATTERN);
                }
                schema
            }
            Self::Flag => json!({"type": "boolean"}),
            Self::OneOf(words) => json!({"type": "string", "enum": words}),
            Self::List { of, min, max } => {
                let mut schema = json!({"type": "array", "items": of.schema(), "maxItems": max});
                if *min > 0 {
                    schema["minItems"] = json!(min);
                }
                schema
            }
            Self::Record(fields) => record_schema(fields),
        }
    }
}

/// The schema of an object with these members and no others.
pub(crate) fn record_schema(fields: &[Field]) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let mut schema = field.shape.schema();
        schema["description"] = json!(field.full_description());
        properties.insert(field.name.to_owned(), schema);
    }
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.name)
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}
