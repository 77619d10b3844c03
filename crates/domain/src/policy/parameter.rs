//! Parameters of a tool: a closed list, each with its allowed values. A value that is not explicitly
//! allowed does not reach the tool, and nothing is converted: `"3"` is not a number.

use std::{collections::BTreeMap, fmt, str::FromStr};

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::name::{ChoiceName, ParameterName};
use crate::limits::{TOOL_PARAMETER_LENGTH_MAX, TOOL_PATTERN_BYTES_MAX, TOOL_PATTERN_LENGTH_MAX};

crate::text_enum! {
    /// The type of a parameter.
    ParameterType {
        Boolean = "boolean",
        Choice = "choice",
        Integer = "integer",
        Text = "text",
    }
}

/// The allowed values of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    Boolean,
    Choice(Vec<ChoiceName>),
    Integer { min: i64, max: i64 },
    Text(ParameterPattern),
}

/// A parameter of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterSpec {
    pub name: ParameterName,
    pub kind: ParameterKind,
    /// The value if the call gives none. `None`: the parameter is required.
    pub default: Option<ParameterValue>,
}

/// A checked value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterValue {
    Boolean(bool),
    Integer(i64),
    Text(String),
}

/// Checked values by name: every parameter of the tool, and nothing else.
pub type ParameterValues = BTreeMap<ParameterName, ParameterValue>;

/// What a whole text must match. Matching takes time in proportion to the text.
#[derive(Clone)]
pub struct ParameterPattern {
    text: String,
    regex: Regex,
}

/// A value that is not allowed. The message names the parameter and never contains the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidParameter(String);

impl InvalidParameter {
    pub(super) fn about(name: &ParameterName, rule: &str) -> Self {
        Self(format!("parameter {name} {rule}"))
    }
}

impl ParameterSpec {
    /// Returns the value if this parameter may have it.
    pub fn check(&self, value: &Value) -> Result<ParameterValue, InvalidParameter> {
        let name = &self.name;
        let wrong = |rule: String| InvalidParameter(format!("parameter {name} must be {rule}"));
        match &self.kind {
            ParameterKind::Boolean => value
                .as_bool()
                .map(ParameterValue::Boolean)
                .ok_or_else(|| wrong("true or false".into())),
            ParameterKind::Integer { min, max } => value
                .as_i64()
                .filter(|number| (min..=max).contains(&number))
                .map(ParameterValue::Integer)
                .ok_or_else(|| wrong(format!("a whole number from {min} to {max}"))),
            ParameterKind::Choice(choices) => value
                .as_str()
                .filter(|text| choices.iter().any(|choice| choice.as_str() == *text))
                .map(|text| ParameterValue::Text(text.to_owned()))
                .ok_or_else(|| {
                    let known: Vec<&str> = choices.iter().map(ChoiceName::as_str).collect();
                    wrong(format!("one of {}", known.join(", ")))
                }),
            ParameterKind::Text(pattern) => value
                .as_str()
                .filter(|text| pattern.matches(text))
                .map(|text| ParameterValue::Text(text.to_owned()))
                .ok_or_else(|| wrong(format!("text that matches {pattern}"))),
        }
    }
}

/// Checks the parameters of a call: all of them known, all required ones present, each with an
/// allowed value.
pub fn check_parameters(
    specs: &[ParameterSpec],
    given: &Map<String, Value>,
) -> Result<ParameterValues, InvalidParameter> {
    for name in given.keys() {
        if !specs.iter().any(|spec| spec.name.as_str() == name) {
            // A valid name is repeated in the message; other text of a caller is not.
            let shown = ParameterName::new(name.clone());
            let shown = shown.map_or_else(|_| String::new(), |name| format!(" {name}"));
            return Err(InvalidParameter(format!(
                "the tool takes no parameter{shown}"
            )));
        }
    }
    let mut values = ParameterValues::new();
    for spec in specs {
        let value = match (given.get(spec.name.as_str()), &spec.default) {
            (Some(value), _) => spec.check(value)?,
            (None, Some(default)) => default.clone(),
            (None, None) => {
                let name = &spec.name;
                return Err(InvalidParameter(format!("parameter {name} is missing")));
            }
        };
        values.insert(spec.name.clone(), value);
    }
    Ok(values)
}

impl ParameterKind {
    pub const fn parameter_type(&self) -> ParameterType {
        match self {
            Self::Boolean => ParameterType::Boolean,
            Self::Choice(_) => ParameterType::Choice,
            Self::Integer { .. } => ParameterType::Integer,
            Self::Text(_) => ParameterType::Text,
        }
    }
}

impl fmt::Display for ParameterSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.kind {
            ParameterKind::Boolean => f.write_str("boolean")?,
            ParameterKind::Choice(choices) => {
                let known: Vec<&str> = choices.iter().map(ChoiceName::as_str).collect();
                write!(f, "one of {}", known.join(", "))?;
            }
            ParameterKind::Integer { min, max } => write!(f, "integer from {min} to {max}")?,
            ParameterKind::Text(pattern) => write!(f, "text {pattern}")?,
        }
        match &self.default {
            Some(default) => write!(f, ", default {default}"),
            None => f.write_str(", required"),
        }
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl From<&ParameterValue> for Value {
    fn from(value: &ParameterValue) -> Self {
        match value {
            ParameterValue::Boolean(value) => Self::from(*value),
            ParameterValue::Integer(value) => Self::from(*value),
            ParameterValue::Text(value) => Self::from(value.as_str()),
        }
    }
}

impl ParameterPattern {
    /// Whether the whole text matches. Control characters never do: a NUL would cut an argument short.
    pub fn matches(&self, text: &str) -> bool {
        text.chars().count() <= TOOL_PARAMETER_LENGTH_MAX
            && !text.chars().any(char::is_control)
            && self.regex.is_match(text)
    }
}

impl FromStr for ParameterPattern {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.len() > TOOL_PATTERN_LENGTH_MAX {
            let max = TOOL_PATTERN_LENGTH_MAX;
            return Err(format!("not a valid pattern: 1 to {max} characters"));
        }
        // Compiled alone first: `a)(b` would become valid inside the brackets.
        let build = |text: &str| {
            let mut builder = RegexBuilder::new(text);
            builder.size_limit(TOOL_PATTERN_BYTES_MAX).build()
        };
        let invalid = |_| "not a valid pattern: no regular expression, or too large".to_owned();
        build(text).map_err(invalid)?;
        let regex = build(&format!(r"\A(?:{text})\z")).map_err(invalid)?;
        let text = text.to_owned();
        Ok(Self { text, regex })
    }
}

impl PartialEq for ParameterPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for ParameterPattern {}

impl fmt::Display for ParameterPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for ParameterPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[path = "parameter_tests.rs"]
mod tests;
