//! A server's tools. A tool that cannot be used is left out with a note: nothing disappears silently, and one bad
//! definition does not affect the others.

use std::{collections::HashSet, sync::Arc};

use domain::limits::{
    CONNECTOR_ACTION_NAME_LENGTH_MAX, CONNECTOR_LIST_BYTES_MAX, CONNECTOR_NOTES_MAX,
    CONNECTOR_TOOL_BYTES_MAX, CONNECTOR_TOOL_NAME_LENGTH_MAX, CONNECTOR_TOOLS_MAX,
};
use serde_json::{Map, Value, json};

use super::{annotations::Annotations, names::action_name, pin::definition_digest};

/// A tool as its server defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The server's name for it.
    pub name: String,
    /// The name of the action.
    pub action: String,
    pub title: Option<String>,
    pub description: Option<String>,
    /// Whole, for validation.
    pub input_schema: Map<String, Value>,
    pub output_schema: Option<Map<String, Value>>,
    pub annotations: Annotations,
    /// Identifies the definition; see [`definition_digest`].
    pub digest: String,
}

impl Tool {
    /// Everything that the digest covers, for an admin to read.
    pub fn definition(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.annotations.json(),
        })
    }
}

/// What a server offered when it was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolList {
    pub tools: Vec<Arc<Tool>>,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// The version of the protocol that was spoken.
    pub protocol_version: String,
    /// About how much memory it takes.
    pub bytes: usize,
}

impl ToolList {
    pub fn by_action(&self, action: &str) -> Option<&Arc<Tool>> {
        self.tools.iter().find(|tool| tool.action == action)
    }
}

/// A tool before it is known whether it can be used.
#[derive(Debug)]
pub(crate) struct OfferedTool {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Map<String, Value>,
    pub(crate) output_schema: Option<Map<String, Value>>,
    pub(crate) annotations: Annotations,
}

/// Gathers the pages of a listing within their bounds.
#[derive(Debug, Default)]
pub(crate) struct ToolCollector {
    list: ToolList,
    actions: HashSet<String>,
    notes_dropped: usize,
}

impl ToolCollector {
    /// Adds a tool, or a note why it is left out. Returns false when there is no room for more.
    pub(crate) fn add(&mut self, offered: OfferedTool) -> bool {
        if self.list.tools.len() >= CONNECTOR_TOOLS_MAX {
            self.note(format!(
                "there are more than {CONNECTOR_TOOLS_MAX} tools; the others are left out"
            ));
            return false;
        }
        let bytes = offered.bytes();
        if self.list.bytes.saturating_add(bytes) > CONNECTOR_LIST_BYTES_MAX {
            self.note("the definitions are too large together; the others are left out".into());
            return false;
        }
        let shown = shortened(&offered.name, CONNECTOR_ACTION_NAME_LENGTH_MAX);
        match self.usable(offered, bytes) {
            Ok(tool) => {
                self.list.bytes += bytes;
                self.list.tools.push(Arc::new(tool));
            }
            Err(reason) => self.note(format!("`{shown}` is left out: {reason}")),
        }
        true
    }

    pub(crate) fn note(&mut self, note: String) {
        if self.list.notes.len() < CONNECTOR_NOTES_MAX {
            self.list.notes.push(note);
        } else {
            self.notes_dropped += 1;
        }
    }

    pub(crate) fn finish(mut self, protocol_version: String) -> ToolList {
        if self.notes_dropped > 0 {
            let note = format!("and {} more remarks", self.notes_dropped);
            self.list.notes.push(note);
        }
        self.list.protocol_version = protocol_version;
        self.list
    }

    fn usable(&mut self, offered: OfferedTool, bytes: usize) -> Result<Tool, &'static str> {
        if bytes > CONNECTOR_TOOL_BYTES_MAX {
            return Err("its definition is too large");
        }
        let length = offered.name.chars().count();
        if !(1..=CONNECTOR_TOOL_NAME_LENGTH_MAX).contains(&length) {
            return Err("its name is empty or too long");
        }
        let schemas = [Some(&offered.input_schema), offered.output_schema.as_ref()];
        if schemas
            .into_iter()
            .flatten()
            .any(|schema| schema.values().any(leads_away))
        {
            return Err("its schema refers to another document");
        }
        let digest = definition_digest(
            &offered.name,
            offered.description.as_deref(),
            &offered.input_schema,
            offered.output_schema.as_ref(),
            &offered.annotations,
        );
        let digest = digest.ok_or("its definition cannot be told from others by a digest")?;
        let action = action_name(&offered.name);
        if !self.actions.insert(action.clone()) {
            return Err("another tool has this name");
        }
        Ok(Tool {
            name: offered.name,
            action,
            title: offered.title,
            description: offered.description,
            input_schema: offered.input_schema,
            output_schema: offered.output_schema,
            annotations: offered.annotations,
            digest,
        })
    }
}

impl OfferedTool {
    /// About how much it takes; exact where it is large.
    fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let schema = |schema: &Map<String, Value>| {
            schema
                .iter()
                .map(|(key, value)| key.len() + value_bytes(value))
                .sum::<usize>()
        };
        self.name.len()
            + text(&self.title)
            + text(&self.description)
            + text(&self.annotations.title)
            + schema(&self.input_schema)
            + self.output_schema.as_ref().map_or(0, schema)
    }
}

/// Bytes of a value, without writing it down. The parser has bounded the depth.
pub(crate) fn value_bytes(value: &Value) -> usize {
    /// What a value takes that has no text.
    const SMALL: usize = 8;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => SMALL,
        Value::String(text) => SMALL + text.len(),
        Value::Array(items) => SMALL + items.iter().map(value_bytes).sum::<usize>(),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| key.len() + value_bytes(value);
            SMALL + members.iter().map(member).sum::<usize>()
        }
    }
}

/// Whether a schema names another document. The gateway fetches none to find out what a parameter means.
fn leads_away(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| match value {
            Value::String(target) => {
                matches!(key.as_str(), "$ref" | "$dynamicRef") && !target.starts_with('#')
            }
            inner => leads_away(inner),
        }),
        Value::Array(items) => items.iter().any(leads_away),
        _ => false,
    }
}

/// Cuts a text to so many characters, marks the cut, and removes control characters.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    let clean = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let mut short: String = text.chars().take(max).map(clean).collect();
    if text.chars().nth(max).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offered(name: &str, input_schema: Value) -> OfferedTool {
        let Value::Object(input_schema) = input_schema else {
            panic!("a schema is an object")
        };
        OfferedTool {
            name: name.to_owned(),
            title: None,
            description: Some("x".into()),
            input_schema,
            output_schema: None,
            annotations: Annotations::default(),
        }
    }

    #[test]
    fn case_44_what_cannot_be_used_is_left_out_with_a_remark() {
        let mut collector = ToolCollector::default();
        let huge = json!({"description": "d".repeat(CONNECTOR_TOOL_BYTES_MAX)});
        let mut deep = json!({});
        for _ in 0..100 {
            deep = json!({"items": deep});
        }
        for bad in [
            offered("", json!({})),
            offered(&"n".repeat(129), json!({})),
            offered("huge", huge),
            offered(
                "network",
                json!({"properties": {"a": [{"$ref": "https://example.com/s"}]}}),
            ),
            offered("vague", json!({"maximum": 9_007_199_254_740_993_u64})),
            offered("deep", deep),
        ] {
            assert!(collector.add(bad));
        }
        assert!(collector.add(offered("good", json!({"$ref": "#/$defs/x"}))));
        assert!(collector.add(offered("good", json!({}))));
        let list = collector.finish("2025-11-25".into());
        let names: Vec<_> = list.tools.iter().map(|tool| tool.action.as_str()).collect();
        assert_eq!(names, ["good"]);
        assert_eq!(list.notes.len(), 7, "{:?}", list.notes);
        assert_eq!(
            list.notes[6],
            "`good` is left out: another tool has this name"
        );
        assert!(list.notes.iter().all(|note| note.len() < 300));
    }

    #[test]
    fn case_44_a_hundred_thousand_tools_end_at_the_bound() {
        let mut collector = ToolCollector::default();
        let mut taken = 0;
        while taken < 100_000 && collector.add(offered(&format!("t{taken}"), json!({}))) {
            taken += 1;
        }
        let list = collector.finish(String::new());
        assert_eq!(list.tools.len(), CONNECTOR_TOOLS_MAX);
        assert_eq!(
            list.notes,
            ["there are more than 512 tools; the others are left out"]
        );
    }

    #[test]
    fn case_44_definitions_are_bounded_together() {
        let mut collector = ToolCollector::default();
        let large = || json!({"description": "d".repeat(CONNECTOR_TOOL_BYTES_MAX - 1000)});
        let mut taken = 0;
        while collector.add(offered(&format!("t{taken}"), large())) {
            taken += 1;
        }
        let list = collector.finish(String::new());
        assert!(list.bytes <= CONNECTOR_LIST_BYTES_MAX);
        assert!((10..30).contains(&list.tools.len()), "{}", list.tools.len());
        assert_eq!(list.notes.len(), 1);
    }

    #[test]
    fn remarks_are_bounded_too() {
        let mut collector = ToolCollector::default();
        for _ in 0..100 {
            collector.add(offered("", json!({})));
        }
        let notes = collector.finish(String::new()).notes;
        assert_eq!(notes.len(), CONNECTOR_NOTES_MAX + 1);
        assert_eq!(notes[CONNECTOR_NOTES_MAX], "and 80 more remarks");
    }
}
