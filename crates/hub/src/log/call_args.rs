//! The arguments of tool calls in a transcript, bounded by the memory that they take. Parsed JSON takes many times its text,
//! and logs of earlier versions bounded the text alone.

use domain::limits::{AGENT_MESSAGE_BYTES_MAX, LIVE_TOOL_ARGS_MEMORY_MAX};
use serde_json::{Value, json};
use wire::live::ToolCallView;

use crate::sandbox_http;

/// Sets the arguments of a call in a message that takes `bytes`, or empty ones if they take too much. Returns by how much
/// the message grows.
pub(super) fn set(call: &mut ToolCallView, args: &Value, bytes: usize) -> isize {
    let before = memory_of(call);
    let room = AGENT_MESSAGE_BYTES_MAX.saturating_sub(bytes);
    call.args = if sandbox_http::value_memory(args) <= room.min(LIVE_TOOL_ARGS_MEMORY_MAX) {
        args.clone()
    } else {
        json!({})
    };
    memory_of(call).cast_signed() - before.cast_signed()
}

/// Returns what a call takes without its result: nothing before its arguments are set.
fn memory_of(call: &ToolCallView) -> usize {
    if call.args.is_null() {
        return 0;
    }
    call.tool_call_id.len() + call.tool_name.len() + sandbox_http::value_memory(&call.args)
}

#[cfg(test)]
mod tests {
    use wire::live::ToolCallStatus;

    use super::*;

    fn call() -> ToolCallView {
        ToolCallView {
            tool_call_id: "c".to_owned(),
            tool_name: "bash".to_owned(),
            args: Value::Null,
            result: None,
            status: ToolCallStatus::Running,
        }
    }

    fn wide(objects: usize) -> Value {
        json!({"a": vec![json!({"a": 0}); objects]})
    }

    #[test]
    fn what_is_kept_counts_as_what_it_takes_and_once() {
        let mut call = call();
        let empty = set(&mut call, &json!({}), 0);
        let wide = set(&mut call, &wide(1_000), 0);
        assert!(wide > 700_000, "{wide}");
        assert_eq!(set(&mut call, &json!({}), 0), -wide);
        assert_eq!(set(&mut call, &json!({}), 0), 0);
        assert!((100..1_000).contains(&empty), "{empty}");
    }

    #[test]
    fn what_an_older_log_has_of_too_much_is_not_kept() {
        let mut call = call();
        // A quarter of a megabyte of text.
        assert!(set(&mut call, &wide(31_000), 0) < 1_000);
        assert_eq!(call.args, json!({}));
        set(&mut call, &wide(1_000), 0);
        assert_eq!(call.args, wide(1_000));
        // The same where the message has much already.
        set(&mut call, &wide(1_000), AGENT_MESSAGE_BYTES_MAX);
        assert_eq!(call.args, json!({}));
    }
}
