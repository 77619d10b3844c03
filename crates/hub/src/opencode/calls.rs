//! What is kept of a tool call. Its arguments and its metadata are JSON of any shape, which takes many times its text once it
//! is parsed: what clients are not shown is dropped as it is read.

use domain::limits::{
    AGENT_ID_BYTES_MAX, AGENT_TITLE_LENGTH_MAX, LIVE_TOOL_ARGS_BYTES_MAX, LIVE_TOOL_ARGS_MEMORY_MAX,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sandbox_http;

/// How many steps of a sub-agent are shown: the last ones.
const STEPS_MAX: usize = 100;

/// The arguments of a call, as clients are shown them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Value")]
pub struct ToolInput {
    args: Value,
    is_cut: bool,
    memory: usize,
}

impl From<Value> for ToolInput {
    fn from(input: Value) -> Self {
        let text = input.to_string();
        let memory = sandbox_http::estimate_memory(text.as_bytes());
        let fits = memory.is_ok_and(|memory| memory <= LIVE_TOOL_ARGS_MEMORY_MAX);
        let is_cut = text.len() > LIVE_TOOL_ARGS_BYTES_MAX || !fits;
        let (args, memory) = match memory {
            Ok(memory) if !is_cut && input.is_object() => (input, memory),
            _ => (json!({}), 0),
        };
        Self {
            args,
            is_cut,
            memory,
        }
    }
}

impl Default for ToolInput {
    fn default() -> Self {
        Self::from(Value::Null)
    }
}

impl ToolInput {
    /// An object: empty if they are too large, or none.
    pub fn args(&self) -> &Value {
        &self.args
    }

    /// The arguments are too large to be shown.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The agent has sent the arguments.
    pub fn is_given(&self) -> bool {
        self.is_cut || self.args.as_object().is_some_and(|args| !args.is_empty())
    }

    /// The approximate memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }
}

/// The progress of a sub-agent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(from = "Value")]
pub struct ToolProgress {
    /// `None` if the call is no sub-agent's.
    pub steps: Option<Vec<ToolStep>>,
    pub session_id: Option<String>,
}

/// A call of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStep {
    pub id: String,
    pub tool: String,
    pub status: String,
    pub title: Option<String>,
}

impl From<Value> for ToolProgress {
    fn from(metadata: Value) -> Self {
        let Some(steps) = metadata["summary"].as_array() else {
            return Self::default();
        };
        let from = steps.len().saturating_sub(STEPS_MAX);
        Self {
            steps: Some(steps[from..].iter().filter_map(ToolStep::parse).collect()),
            session_id: metadata["sessionId"].as_str().map(bounded_name),
        }
    }
}

impl ToolProgress {
    /// The approximate memory that it takes.
    pub(super) fn memory(&self) -> usize {
        self.steps.iter().flatten().map(ToolStep::memory).sum()
    }
}

impl ToolStep {
    fn memory(&self) -> usize {
        let title = self.title.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.id.len() + self.tool.len() + self.status.len() + title
    }

    fn parse(step: &Value) -> Option<Self> {
        let title = |title: &str| title.chars().take(AGENT_TITLE_LENGTH_MAX).collect();
        Some(Self {
            id: bounded_name(step["id"].as_str()?),
            tool: bounded_name(step["tool"].as_str()?),
            status: bounded_name(step["state"]["status"].as_str()?),
            title: step["state"]["title"].as_str().map(title),
        })
    }
}

fn bounded_name(name: &str) -> String {
    name[..name.floor_char_boundary(AGENT_ID_BYTES_MAX)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(objects: usize) -> ToolInput {
        serde_json::from_value(json!({"a": vec![json!({"a": 0}); objects]})).unwrap()
    }

    #[test]
    fn arguments_that_take_much_once_they_are_parsed_are_cut() {
        let shown = wide(1_000);
        assert!(!shown.is_cut() && shown.is_given());
        assert!(shown.memory() > 700_000, "{}", shown.memory());
        // Ten times less text than what is shown of a file that is written.
        let cut = wide(3_000);
        assert!(cut.is_cut() && cut.is_given());
        assert_eq!((cut.args(), cut.memory()), (&json!({}), 0));
        let file = json!({"content": "x".repeat(LIVE_TOOL_ARGS_BYTES_MAX - 100)});
        assert!(!ToolInput::from(file).is_cut());
        let large = json!({"content": "x".repeat(LIVE_TOOL_ARGS_BYTES_MAX)});
        assert!(ToolInput::from(large).is_cut());
    }

    #[test]
    fn what_a_tool_notes_beside_its_steps_is_dropped() {
        let step =
            json!({"id": "1", "tool": "bash", "state": {"status": "running", "extra": [{}]}});
        let metadata =
            json!({"summary": vec![step; STEPS_MAX + 1], "sessionId": "ses_2", "diff": [{}]});
        let progress = ToolProgress::from(metadata);
        assert_eq!(progress.session_id.as_deref(), Some("ses_2"));
        assert!(progress.memory() > STEPS_MAX * size_of::<ToolStep>());
        assert_eq!(progress.steps.unwrap().len(), STEPS_MAX);
        assert_eq!(ToolProgress::from(json!({"output": "x"})).steps, None);
    }
}
