//! What an action is, as clients and agents see it. The list of params is derived from the schema that
//! checks them, so that what is shown is what is checked.

use domain::action::Risk;
use serde_json::Value;

use crate::schema::Schema;

/// One thing a source can do.
#[derive(Debug, Clone)]
pub struct Action {
    pub name: &'static str,
    pub description: &'static str,
    pub risk: Risk,
    /// What its params must be like.
    pub schema: Schema,
    /// The same, for display.
    pub params: Vec<Param>,
}

/// One param, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub kind: ParamType,
    pub required: bool,
    pub description: Option<String>,
}

domain::text_enum! {
    /// The type of a param as it is shown.
    ParamType {
        String = "string",
        Number = "number",
        Boolean = "boolean",
        /// Objects, lists, and values of several types.
        Object = "object",
    }
}

impl Param {
    /// The params that a schema of an object describes: the required ones in the order in which it requires
    /// them, then the others by name.
    pub fn of(schema: &Value) -> Vec<Self> {
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut params: Vec<Self> = schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, property)| Self {
                name: name.clone(),
                kind: ParamType::of(property),
                required: required.contains(&name.as_str()),
                description: property["description"].as_str().map(str::to_owned),
            })
            .collect();
        let place = |param: &Self| required.iter().position(|name| *name == param.name);
        params.sort_by_key(|param| {
            let place = place(param).unwrap_or(usize::MAX);
            (place, param.name.clone())
        });
        params
    }
}

impl ParamType {
    fn of(property: &Value) -> Self {
        let single = |name: &str| match name {
            "string" => Self::String,
            "number" | "integer" => Self::Number,
            "boolean" => Self::Boolean,
            _ => Self::Object,
        };
        match &property["type"] {
            Value::String(name) => single(name),
            // `null` beside one other type means that the param may be emptied.
            Value::Array(names) => {
                let mut names = names.iter().filter_map(Value::as_str);
                let mut others = names.by_ref().filter(|name| *name != "null");
                match (others.next(), others.next()) {
                    (Some(name), None) => single(name),
                    _ => Self::Object,
                }
            }
            _ => Self::Object,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Param, ParamType};

    #[test]
    fn params_are_read_from_the_schema() {
        let schema = json!({
            "type": "object",
            "required": ["title", "count"],
            "properties": {
                "count": {"type": "integer", "description": "How many."},
                "flag": {"type": "boolean"},
                "labels": {"type": "array", "items": {"type": "string"}},
                "either": {"type": ["string", "number"]},
                "anything": {},
                "note": {"type": ["string", "null"]},
                "title": {"type": "string"},
            },
        });
        let shown: Vec<(String, ParamType, bool)> = Param::of(&schema)
            .into_iter()
            .map(|param| (param.name, param.kind, param.required))
            .collect();
        let expected = [
            ("title", ParamType::String, true),
            ("count", ParamType::Number, true),
            ("anything", ParamType::Object, false),
            ("either", ParamType::Object, false),
            ("flag", ParamType::Boolean, false),
            ("labels", ParamType::Object, false),
            ("note", ParamType::String, false),
        ];
        let expected = expected.map(|(name, kind, required)| (name.to_owned(), kind, required));
        assert_eq!(shown, expected);
        assert_eq!(
            Param::of(&schema)[1].description.as_deref(),
            Some("How many.")
        );
    }

    #[test]
    fn a_schema_that_says_nothing_shows_nothing() {
        for schema in [json!(true), json!({}), json!({"properties": []}), json!(7)] {
            assert!(Param::of(&schema).is_empty(), "{schema}");
        }
    }
}
