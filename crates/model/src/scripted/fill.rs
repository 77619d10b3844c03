//! Placeholders in a script's texts, filled from the conversation: `{{prompt}}`, `{{find REGEX}}` (the first
//! group of a match in the prompt), `{{result}}` and `{{result/json/pointer}}`. A placeholder without a value
//! is kept as it is written, so that it is visible.

use regex::Regex;
use serde_json::Value;

use super::{conversation::Done, program::ToolCall};

/// The values for placeholders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) prompt: &'a str,
    pub(super) last: Option<&'a Done>,
}

impl Scope<'_> {
    pub(super) fn in_text(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            filled.push_str(before);
            let Some((name, tail)) = after.split_once("}}") else {
                filled.push_str("{{");
                rest = after;
                continue;
            };
            match self.value(name.trim()) {
                Some(Value::String(text)) => filled.push_str(&text),
                Some(other) => filled.push_str(&other.to_string()),
                None => {
                    filled.push_str("{{");
                    filled.push_str(name);
                    filled.push_str("}}");
                }
            }
            rest = tail;
        }
        filled.push_str(rest);
        filled
    }

    pub(super) fn in_call(&self, call: &ToolCall) -> ToolCall {
        let input = call.input.iter();
        ToolCall {
            tool: call.tool.clone(),
            input: input
                .map(|(key, value)| (key.clone(), self.in_json(value)))
                .collect(),
        }
    }

    /// A text that is exactly one placeholder becomes the value itself, a number for instance.
    fn in_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let whole = text
                    .strip_prefix("{{")
                    .and_then(|rest| rest.strip_suffix("}}"))
                    .filter(|name| !name.contains("{{"));
                whole
                    .and_then(|name| self.value(name.trim()))
                    .unwrap_or_else(|| Value::String(self.in_text(text)))
            }
            Value::Array(items) => items.iter().map(|item| self.in_json(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), self.in_json(value)))
                .collect(),
            other => other.clone(),
        }
    }

    fn value(&self, name: &str) -> Option<Value> {
        if name == "prompt" {
            return Some(self.prompt.into());
        }
        if let Some(pattern) = name.strip_prefix("find ") {
            let found = Regex::new(pattern.trim()).ok()?.captures(self.prompt)?;
            return Some(found.get(1).or(found.get(0))?.as_str().into());
        }
        let pointer = name.strip_prefix("result")?;
        let last = self.last?;
        match pointer {
            "" => Some(last.text.clone().into()),
            pointer => last.json().pointer(pointer).cloned(),
        }
    }
}
