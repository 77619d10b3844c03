//! What a reader with a share link gets of an event: what was said and done, redacted as records are.
//!
//! INVARIANT: an event is left out unless it is named here, so that a new kind of event is not shared before it was looked
//! at. Texts are shown whole or not at all: of a text in pieces a secret could be split between two of them.

use app::sharing::env_form_tool;
use domain::{
    action::redact::{Fingerprints, redact, redact_text},
    session_event::SessionEvent,
};
use serde_json::{Value, json};
use wire::{
    live::{Frame, LiveMessage, MessagePart, ServerMessage, TextPart, ToolCallView},
    notice::{ActionApprovalRequest, ActionApprovalResult, ActionCompleted},
};

/// The event as it is shared; `None` for one that is not.
pub(super) fn shown(event: &SessionEvent, secrets: &Fingerprints) -> Option<Frame> {
    let payload: Value = serde_json::from_str(&event.payload).ok()?;
    let message = json!({ "type": event.kind, "payload": payload });
    let message = serde_json::from_value(message).ok()?;
    Some(Frame {
        seq: Some(event.seq),
        message: select(message, secrets)?,
    })
}

fn select(message: ServerMessage, secrets: &Fingerprints) -> Option<ServerMessage> {
    use ServerMessage as M;
    let clean = |text: String| redact_text(&text, secrets);
    let part = |part: TextPart| TextPart {
        text: clean(part.text),
        ..part
    };
    Some(match message {
        M::Message(message) => M::Message(Box::new(live_message(*message, secrets))),
        M::TextPartComplete(text) => M::TextPartComplete(part(text)),
        M::ThinkingComplete(text) => M::ThinkingComplete(part(text)),
        M::MessageComplete(done) => M::MessageComplete(done),
        M::MessageCancelled(cancelled) => M::MessageCancelled(cancelled),
        M::ToolStart(mut start) => {
            start.args = arguments(&start.tool, &start.args, secrets);
            M::ToolStart(start)
        }
        M::ToolEnd(mut end) => {
            end.result = clean(end.result);
            M::ToolEnd(end)
        }
        M::Error(mut error) => {
            error.message = clean(error.message);
            M::Error(error)
        }
        M::TitleUpdate(mut title) => {
            title.title = clean(title.title);
            M::TitleUpdate(title)
        }
        M::ActionApprovalRequest(request) => M::ActionApprovalRequest(approval(request)),
        M::ActionApprovalResult(result) => M::ActionApprovalResult(ActionApprovalResult {
            approved_by: None,
            reason: None,
            ..result
        }),
        M::ActionCompleted(done) => M::ActionCompleted(ActionCompleted {
            result: None,
            error: done.error.map(clean),
            ..done
        }),
        // Live, of the sandbox, for one client, or in pieces.
        M::Init(_)
        | M::Token(_)
        | M::TextSnapshot(_)
        | M::TextVoid(_)
        | M::Thinking(_)
        | M::ToolMetadata(_)
        | M::Status(_)
        | M::PreviewUrl(_)
        | M::SnapshotResult(_)
        | M::AutoStartOutput(_)
        | M::GitStatus(_)
        | M::GitResult(_)
        | M::BootStep(_)
        | M::Migration(_)
        | M::Presence(_)
        | M::Gap(_)
        | M::SessionPaused
        | M::SessionResumed
        | M::Pong => return None,
    })
}

/// Without its sender, and without images, in which no secret can be found.
fn live_message(message: LiveMessage, secrets: &Fingerprints) -> LiveMessage {
    let part = |part| match part {
        MessagePart::Text { text } => MessagePart::Text {
            text: redact_text(&text, secrets),
        },
        MessagePart::Thinking { text } => MessagePart::Thinking {
            text: redact_text(&text, secrets),
        },
        MessagePart::Image { .. } => MessagePart::Text {
            text: "(an image, which is not shared)".to_owned(),
        },
        MessagePart::Tool(call) => MessagePart::Tool(tool_call(call, secrets)),
    };
    LiveMessage {
        content: redact_text(&message.content, secrets),
        sender_id: None,
        tool_calls: message
            .tool_calls
            .into_iter()
            .map(|call| tool_call(call, secrets))
            .collect(),
        parts: message.parts.into_iter().map(part).collect(),
        ..message
    }
}

fn tool_call(call: ToolCallView, secrets: &Fingerprints) -> ToolCallView {
    ToolCallView {
        args: arguments(&call.tool_name, &call.args, secrets),
        result: call.result.map(|text| redact_text(&text, secrets)),
        ..call
    }
}

/// A form for values may suggest some.
fn arguments(tool: &str, args: &Value, secrets: &Fingerprints) -> Value {
    if tool == env_form_tool() {
        return json!({});
    }
    redact(args, secrets).value
}

/// That an approval was asked for, and for what; not the parameters, which are for admins who decide.
fn approval(request: ActionApprovalRequest) -> ActionApprovalRequest {
    ActionApprovalRequest {
        params: json!({}),
        params_complete: false,
        call_sha256: String::new(),
        returned_because: Vec::new(),
        ..request
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Timestamp;
    use secrecy::SecretString;

    use super::*;

    fn event(kind: &str, payload: &Value) -> SessionEvent {
        SessionEvent {
            seq: 7,
            kind: kind.to_owned(),
            payload: payload.to_string(),
            created_at: Timestamp::from_micros(1).unwrap(),
        }
    }

    fn text(kind: &str, payload: &Value) -> Option<String> {
        let secret = SecretString::from("hunter2-hunter2-hunter2");
        let frame = shown(&event(kind, payload), &Fingerprints::of([&secret]))?;
        assert_eq!(frame.seq, Some(7));
        Some(serde_json::to_string(&frame).unwrap())
    }

    #[test]
    fn a_secret_of_the_session_is_left_out_wherever_it_is() {
        let said = "it is hunter2-hunter2-hunter2, remember";
        let part = json!({"messageId": "m", "partId": "p", "text": said});
        let message = json!({"id": "m", "role": "user", "content": said, "isComplete": true, "createdAt": 1,
            "senderId": "user_ada", "parts": [{"type": "text", "text": said},
                {"type": "image", "image": "data:image/png;base64,AAAA"}]});
        let start =
            json!({"partId": "p", "toolCallId": "c", "tool": "bash", "args": {"command": said}});
        let end = json!({"partId": "p", "toolCallId": "c", "tool": "bash", "result": said, "durationMs": 1,
            "status": "completed"});
        let table = [
            ("text_part_complete", part),
            ("message", message),
            ("tool_start", start),
            ("tool_end", end),
        ];
        for (kind, payload) in table {
            let shown = text(kind, &payload).unwrap();
            assert!(!shown.contains("hunter2"), "{shown}");
            assert!(shown.contains("[redacted]"), "{shown}");
            assert!(
                !shown.contains("user_ada") && !shown.contains("base64"),
                "{shown}"
            );
        }
    }

    #[test]
    fn an_approval_is_shown_without_its_parameters_and_a_form_without_its_suggestions() {
        let request = json!({"invocationId": "0192f0c1-2345-7abc-8def-0123456789ab", "integration": "linear",
            "action": "create_issue", "riskLevel": "write", "params": {"title": "quiet"}, "paramsComplete": true,
            "callSha256": "0".repeat(64), "expiresAt": "2026-01-05T09:35:00Z"});
        let shown = text("action_approval_request", &request).unwrap();
        assert!(
            shown.contains("create_issue") && !shown.contains("quiet"),
            "{shown}"
        );
        assert!(!shown.contains(&"0".repeat(64)), "{shown}");
        let form = json!({"partId": "p", "toolCallId": "c", "tool": env_form_tool(),
            "args": {"keys": [{"key": "A", "suggestion": "quiet"}]}});
        assert!(!text("tool_start", &form).unwrap().contains("quiet"));
    }

    #[test]
    fn what_is_live_or_in_pieces_is_not_shown() {
        let piece = json!({"messageId": "m", "partId": "p", "token": "hunter2-"});
        assert_eq!(text("token", &piece), None);
        assert_eq!(text("preview_url", &json!({"url": "http://x"})), None);
        assert_eq!(text("not_known_yet", &json!({})), None);
    }
}
