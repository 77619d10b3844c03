//! A tool call, from its start to its end.

use domain::{audit::Sha256Hex, limits::LIVE_TOOL_RESULT_BYTES_MAX};
use wire::live::{
    ServerMessage, ToolCallStatus, ToolCallView, ToolEnd, ToolMetadata, ToolMetadataBody,
    ToolStart, ToolSummary, ToolSummaryState,
};

use super::live_event::{LiveEvent, shown_title};
use crate::opencode::shapes::{TimeSpan, ToolInput, ToolProgress, ToolState, ToolStep};

#[derive(Debug, Clone)]
pub(super) struct TrackedTool {
    call_id: String,
    name: String,
    is_started: bool,
    has_args: bool,
    is_running: bool,
    /// The digest of the progress that was emitted last.
    progress: Option<Sha256Hex>,
}

impl TrackedTool {
    pub(super) fn new(call_id: &str, name: &str) -> Self {
        Self {
            call_id: call_id.to_owned(),
            name: name.to_owned(),
            is_started: false,
            has_args: false,
            is_running: false,
            progress: None,
        }
    }

    /// Continues a call whose start was emitted.
    pub(super) fn from_log(call: &ToolCallView) -> Self {
        Self {
            is_started: true,
            has_args: call.args.as_object().is_some_and(|args| !args.is_empty()),
            ..Self::new(&call.tool_call_id, &call.tool_name)
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(super) fn name(&self) -> (&str, &str) {
        (&self.call_id, &self.name)
    }

    /// Returns what is emitted, and whether the call is over.
    pub(super) fn update(
        &mut self,
        message: &str,
        part: &str,
        state: &ToolState,
    ) -> (Vec<LiveEvent>, bool) {
        let mut emitted = Vec::new();
        emitted.extend(self.start(message, part, state.input()));
        let end = match state {
            ToolState::Pending { .. } => None,
            ToolState::Running {
                title, metadata, ..
            } => {
                self.is_running = true;
                emitted.extend(self.progress(title.as_deref(), metadata));
                None
            }
            ToolState::Completed {
                output,
                title,
                metadata,
                time,
                ..
            } => {
                emitted.extend(self.progress(title.as_deref(), metadata));
                Some(self.over(part, output, *time, ToolCallStatus::Completed))
            }
            ToolState::Error { error, time, .. } => {
                Some(self.over(part, error, *time, ToolCallStatus::Error))
            }
        };
        let is_over = end.is_some();
        emitted.extend(end);
        (emitted, is_over)
    }

    /// Emits the start, and emits it again when the arguments are known.
    fn start(&mut self, message: &str, part: &str, input: &ToolInput) -> Option<LiveEvent> {
        let has_args = input.is_given();
        if self.is_started && (self.has_args || !has_args) {
            return None;
        }
        self.is_started = true;
        self.has_args = has_args;
        Some(LiveEvent::Show(ServerMessage::ToolStart(ToolStart {
            message_id: Some(message.to_owned()),
            part_id: part.to_owned(),
            tool_call_id: self.call_id.clone(),
            tool: self.name.clone(),
            args: input.args().clone(),
            is_cut: input.is_cut(),
        })))
    }

    /// Emits the progress of a sub-agent when it changes; the output of a command is not repeated here.
    fn progress(&mut self, title: Option<&str>, metadata: &ToolProgress) -> Option<LiveEvent> {
        let summary = metadata.steps.as_ref()?.iter().map(summary).collect();
        let session_id = metadata.session_id.clone();
        let next = ToolMetadata {
            tool_call_id: self.call_id.clone(),
            tool: self.name.clone(),
            title: title.map(shown_title),
            metadata: ToolMetadataBody {
                summary,
                session_id,
            },
        };
        let digest = serde_json::to_vec(&next).ok()?;
        let digest = Some(Sha256Hex::of(&digest));
        if self.progress == digest {
            return None;
        }
        self.progress = digest;
        Some(LiveEvent::Show(ServerMessage::ToolMetadata(next)))
    }

    fn over(&self, part: &str, result: &str, time: TimeSpan, status: ToolCallStatus) -> LiveEvent {
        let is_cut = result.len() > LIVE_TOOL_RESULT_BYTES_MAX;
        let shown = result.floor_char_boundary(LIVE_TOOL_RESULT_BYTES_MAX);
        LiveEvent::Show(ServerMessage::ToolEnd(ToolEnd {
            part_id: part.to_owned(),
            tool_call_id: self.call_id.clone(),
            tool: self.name.clone(),
            result: result[..shown].to_owned(),
            duration_ms: time.millis(),
            status,
            is_cut,
        }))
    }

    /// Ends a call that will not end by itself.
    pub(super) fn end(&self, part: &str, reason: &str) -> LiveEvent {
        self.over(part, reason, TimeSpan::default(), ToolCallStatus::Error)
    }
}

fn summary(step: &ToolStep) -> ToolSummary {
    ToolSummary {
        id: step.id.clone(),
        tool: step.tool.clone(),
        state: ToolSummaryState {
            status: step.status.clone(),
            title: step.title.clone(),
        },
    }
}
