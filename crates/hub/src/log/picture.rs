//! What else a client that comes new is shown: how the sandbox came up, and what the agent asked people to fill in. Folds
//! over what was told, as the transcript is.

use agent::tool::Tool;
use domain::limits::{ENV_REQUESTS_SHOWN_MAX, LIVE_TOOL_ARGS_MEMORY_MAX};
use wire::live::{
    BootStep, EnvRequest, MessageRole, ServerMessage, ToolCallStatus, ToolEnd, ToolStart,
};

use crate::inside;

/// The session beside its conversation.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    timeline: Vec<BootStep>,
    asked: Vec<EnvRequest>,
}

impl Picture {
    /// Takes what was told, in its order.
    pub fn apply(&mut self, told: &ServerMessage) {
        match told {
            ServerMessage::BootStep(step) => self.step(step),
            ServerMessage::ToolStart(start) => self.ask(start),
            ServerMessage::ToolEnd(end) => self.end(end),
            // An answer comes as a message.
            ServerMessage::Message(message) if message.role == MessageRole::User => {
                self.asked.clear();
            }
            _ => {}
        }
    }

    /// The steps of the last boot, in their order.
    pub fn timeline(&self) -> &[BootStep] {
        &self.timeline
    }

    /// What people were asked for and did not answer yet.
    pub fn asked(&self) -> &[EnvRequest] {
        &self.asked
    }

    /// A step that does not come after the last one is the first of another boot.
    fn step(&mut self, step: &BootStep) {
        if self
            .timeline
            .last()
            .is_some_and(|last| step.stage <= last.stage)
        {
            self.timeline.clear();
        }
        self.timeline.push(step.clone());
    }

    fn ask(&mut self, start: &ToolStart) {
        if Tool::find(&start.tool) != Some(Tool::RequestEnvVariables) {
            return;
        }
        // Logs of earlier versions have arguments that take more than is kept.
        if inside::weight(&start.args) > LIVE_TOOL_ARGS_MEMORY_MAX {
            return;
        }
        // Told again once the arguments are known.
        self.asked
            .retain(|asked| asked.tool_call_id != start.tool_call_id);
        if self.asked.len() == ENV_REQUESTS_SHOWN_MAX {
            self.asked.remove(0);
        }
        self.asked.push(EnvRequest {
            tool_call_id: start.tool_call_id.clone(),
            args: start.args.clone(),
        });
    }

    /// The call returns at once; one that failed asked nobody.
    fn end(&mut self, end: &ToolEnd) {
        if end.status == ToolCallStatus::Error {
            self.asked
                .retain(|asked| asked.tool_call_id != end.tool_call_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::live::BootStage;

    use super::*;

    fn told(values: &[Value]) -> Picture {
        let mut picture = Picture::default();
        for value in values {
            picture.apply(&serde_json::from_value(value.clone()).unwrap());
        }
        picture
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
        let picture = told(&[
            step("sandbox"),
            step("agent"),
            step("sandbox"),
            step("repo"),
        ]);
        let stages: Vec<BootStage> = picture.timeline().iter().map(|step| step.stage).collect();
        assert_eq!(stages, [BootStage::Sandbox, BootStage::Repo]);
    }

    #[test]
    fn what_was_asked_for_waits_until_somebody_answers() {
        let mut seen = vec![
            call("a", &json!({})),
            call("a", &json!({"keys": [{"key": "A"}]})),
            end("a", "completed"),
            call("b", &json!({})),
            end("b", "error"),
            json!({"type": "tool_start", "payload": {"partId": "c", "toolCallId": "c", "tool": "bash", "args": {}}}),
        ];
        let picture = told(&seen);
        assert_eq!(
            serde_json::to_value(picture.asked()).unwrap(),
            json!([{"toolCallId": "a", "args": {"keys": [{"key": "A"}]}}])
        );
        seen.push(
            json!({"type": "message", "payload": {"id": "m", "role": "user", "content": "Done.",
            "isComplete": true, "createdAt": 1}}),
        );
        assert_eq!(told(&seen).asked(), []);
    }

    #[test]
    fn of_many_forms_the_oldest_go() {
        let calls: Vec<Value> = (0..ENV_REQUESTS_SHOWN_MAX + 2)
            .map(|n| call(&n.to_string(), &json!({})))
            .collect();
        let picture = told(&calls);
        assert_eq!(picture.asked().len(), ENV_REQUESTS_SHOWN_MAX);
        assert_eq!(picture.asked()[0].tool_call_id, "2");
    }
}
