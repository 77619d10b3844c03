//! What a new client is shown beside the conversation: the steps of the last boot, and the values that the agent requests of
//! its users. A fold over the log, like the transcript.

use agent::tool::Tool;
use domain::limits::{ENV_REQUESTS_SHOWN_MAX, LIVE_TOOL_ARGS_MEMORY_MAX};
use wire::live::{
    BootStep, EnvRequest, MessageRole, ServerMessage, ToolCallStatus, ToolEnd, ToolStart,
};

use crate::sandbox_http;

/// A session without its conversation.
#[derive(Debug, Clone, Default)]
pub struct SessionOverview {
    timeline: Vec<BootStep>,
    env_requests: Vec<EnvRequest>,
}

impl SessionOverview {
    /// Applies the messages of the log, in order.
    pub fn apply(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::BootStep(step) => self.add_step(step),
            ServerMessage::ToolStart(start) => self.add_request(start),
            ServerMessage::ToolEnd(end) => self.end_request(end),
            // An answer comes as a message.
            ServerMessage::Message(said) if said.role == MessageRole::User => {
                self.env_requests.clear();
            }
            _ => {}
        }
    }

    /// Returns the steps of the last boot, in order.
    pub fn timeline(&self) -> &[BootStep] {
        &self.timeline
    }

    /// Returns what users were asked for and have not answered.
    pub fn env_requests(&self) -> &[EnvRequest] {
        &self.env_requests
    }

    /// A step that does not come after the last one is the first of another boot.
    fn add_step(&mut self, step: &BootStep) {
        if self
            .timeline
            .last()
            .is_some_and(|last| step.stage <= last.stage)
        {
            self.timeline.clear();
        }
        self.timeline.push(step.clone());
    }

    fn add_request(&mut self, start: &ToolStart) {
        if Tool::find(&start.tool) != Some(Tool::RequestEnvVariables) {
            return;
        }
        // Logs of earlier versions have arguments that take more than is kept.
        if sandbox_http::value_memory(&start.args) > LIVE_TOOL_ARGS_MEMORY_MAX {
            return;
        }
        // Logged again once the arguments are known.
        self.env_requests
            .retain(|request| request.tool_call_id != start.tool_call_id);
        if self.env_requests.len() == ENV_REQUESTS_SHOWN_MAX {
            self.env_requests.remove(0);
        }
        self.env_requests.push(EnvRequest {
            tool_call_id: start.tool_call_id.clone(),
            args: start.args.clone(),
        });
    }

    /// The call returns at once; one that failed requests nothing.
    fn end_request(&mut self, end: &ToolEnd) {
        if end.status == ToolCallStatus::Error {
            self.env_requests
                .retain(|request| request.tool_call_id != end.tool_call_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::live::BootStage;

    use super::*;

    fn told(values: &[Value]) -> SessionOverview {
        let mut overview = SessionOverview::default();
        for value in values {
            overview.apply(&serde_json::from_value(value.clone()).unwrap());
        }
        overview
    }

    fn call(id: &str, args: &Value) -> Value {
        json!({"type": "tool_start", "payload": {"partId": id, "toolCallId": id,
            "tool": "request_env_variables", "args": args}})
    }

    fn end(id: &str, status: &str) -> Value {
        json!({"type": "tool_end", "payload": {"partId": id, "toolCallId": id,
            "tool": "request_env_variables", "result": "", "durationMs": 1, "status": status}})
    }

    #[test]
    fn the_timeline_is_the_last_boots() {
        let step =
            |stage: &str| json!({"type": "boot_step", "payload": {"stage": stage, "startedAt": 1}});
        let overview = told(&[
            step("sandbox"),
            step("agent"),
            step("sandbox"),
            step("repo"),
        ]);
        let stages: Vec<BootStage> = overview.timeline().iter().map(|step| step.stage).collect();
        assert_eq!(stages, [BootStage::Sandbox, BootStage::Repo]);
    }

    #[test]
    fn a_request_waits_until_a_user_answers() {
        let mut seen = vec![
            call("a", &json!({})),
            call("a", &json!({"keys": [{"key": "A"}]})),
            end("a", "completed"),
            call("b", &json!({})),
            end("b", "error"),
            json!({"type": "tool_start", "payload": {"partId": "c", "toolCallId": "c", "tool": "bash", "args": {}}}),
        ];
        let overview = told(&seen);
        assert_eq!(
            serde_json::to_value(overview.env_requests()).unwrap(),
            json!([{"toolCallId": "a", "args": {"keys": [{"key": "A"}]}}])
        );
        seen.push(
            json!({"type": "message", "payload": {"id": "m", "role": "user", "content": "Done.",
            "isComplete": true, "createdAt": 1}}),
        );
        assert_eq!(told(&seen).env_requests(), []);
    }

    #[test]
    fn of_many_forms_the_oldest_go() {
        let calls: Vec<Value> = (0..ENV_REQUESTS_SHOWN_MAX + 2)
            .map(|n| call(&n.to_string(), &json!({})))
            .collect();
        let overview = told(&calls);
        assert_eq!(overview.env_requests().len(), ENV_REQUESTS_SHOWN_MAX);
        assert_eq!(overview.env_requests()[0].tool_call_id, "2");
    }
}
