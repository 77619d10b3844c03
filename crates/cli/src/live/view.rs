//! A session as lines: who says something, what a tool was asked and gave, what waits for a person. The same over
//! a pipe as in a terminal of 80 columns, but for colours.
//!
//! INVARIANT: every row of the screen begins with a margin of ours, so that no text from elsewhere looks like an
//! approval or like another speaker: lines are broken before the terminal would.

use std::{collections::HashSet, fmt::Write as _, sync::Arc, time::Duration};

use domain::clock::Clock;
use serde_json::Value;
use wire::{
    live::{
        BootStep, Init, LiveMessage, LiveStatus, MessagePart, MessageRole, MigrationState,
        MigrationUpdate, ServerMessage, StatusUpdate, ToolCallStatus, ToolEnd, ToolStart,
    },
    notice::{ActionCompleted, ApprovalResult},
};

use super::PendingCall;
use crate::{
    printer::{Printer, Tone, printable, printable_lines, printable_prose},
    screen_rows,
};

/// Lines of a result that are shown; the rest is counted.
const RESULT_LINES_MAX: usize = 8;
/// Characters of a line that are shown.
const LINE_LENGTH_MAX: usize = 160;
/// Width of the word that says who speaks.
const MARGIN: usize = 9;
/// Width of what says when it was said, where that is asked for.
const TIME_WIDTH: usize = 10;

/// Shows a session.
#[derive(Debug)]
pub(crate) struct View {
    printer: Printer,
    /// Columns of the terminal, as it is when it is asked.
    columns: fn() -> usize,
    /// Calls whose arguments were shown.
    shown: HashSet<String>,
    /// Since when, for who wants to know how long it took.
    timed: Option<(Arc<dyn Clock>, Duration)>,
}

impl View {
    pub(crate) fn new(printer: Printer) -> Self {
        Self {
            printer,
            columns: screen_rows::columns,
            shown: HashSet::new(),
            timed: None,
        }
    }

    /// Says beside each line how long after now it came.
    pub(crate) fn timed(mut self, clock: Arc<dyn Clock>) -> Self {
        let began = clock.monotonic();
        self.timed = Some((clock, began));
        self
    }

    /// Lines for a message, none for what only programs need.
    pub(crate) fn lines(&mut self, message: &ServerMessage) -> Vec<String> {
        match message {
            ServerMessage::Init(init) => self.init(init),
            ServerMessage::Message(message) if message.role == MessageRole::User => {
                self.said("you", Tone::Strong, &message.content)
            }
            ServerMessage::TextPartComplete(part) => self.said("agent", Tone::Good, &part.text),
            ServerMessage::ToolStart(start) => self.tool_start(start),
            ServerMessage::ToolEnd(end) => self.tool_end(end),
            ServerMessage::Status(status) => self.status(status),
            ServerMessage::BootStep(step) => self.boot_step(step),
            ServerMessage::Migration(update) => self.migration(update),
            ServerMessage::Error(error) => self.said("error", Tone::Bad, &error.message),
            ServerMessage::MessageCancelled(_) => self.said("", Tone::Plain, "(cancelled)"),
            ServerMessage::SnapshotResult(result) => {
                let text = match (&result.snapshot_id, &result.error) {
                    (Some(id), None) => format!("saved as {id}"),
                    (_, why) => {
                        format!("not saved: {}", why.as_deref().unwrap_or("no reason given"))
                    }
                };
                self.said("snapshot", Tone::Plain, &text)
            }
            ServerMessage::TitleUpdate(update) => self.said("title", Tone::Plain, &update.title),
            ServerMessage::PreviewUrl(preview) => self.said("preview", Tone::Plain, &preview.url),
            ServerMessage::ActionApprovalResult(result) => {
                let word = match result.status {
                    ApprovalResult::Approved => "approved",
                    ApprovalResult::Denied => "denied",
                    ApprovalResult::Expired => "the time to decide ended without a decision",
                };
                let who = result.approved_by.as_ref().map(|who| format!(" by {who}"));
                let text = format!(
                    "{}/{} {word}{}",
                    result.integration,
                    result.action,
                    who.unwrap_or_default()
                );
                self.said("decision", Tone::Plain, &text)
            }
            ServerMessage::ActionCompleted(completed) => self.completed(completed),
            ServerMessage::Gap(gap) => {
                let text = format!("events {} to {} are no longer kept", gap.from, gap.to);
                self.said("gap", Tone::Warning, &text)
            }
            _ => Vec::new(),
        }
    }

    /// The conversation so far. What waits for a person has a label: see [`Self::asked`].
    fn init(&mut self, init: &Init) -> Vec<String> {
        let messages = init.messages.iter();
        messages.flat_map(|message| self.message(message)).collect()
    }

    /// A whole message.
    pub(crate) fn message(&mut self, message: &LiveMessage) -> Vec<String> {
        let (who, tone) = match message.role {
            MessageRole::User => ("you", Tone::Strong),
            MessageRole::Assistant => ("agent", Tone::Good),
        };
        let has_text = message
            .parts
            .iter()
            .any(|part| matches!(part, MessagePart::Text { .. }));
        let mut lines = Vec::new();
        if !has_text && !message.content.is_empty() {
            lines.extend(self.said(who, tone, &message.content));
        }
        for part in &message.parts {
            match part {
                MessagePart::Text { text } => lines.extend(self.said(who, tone, text)),
                MessagePart::Image { .. } => lines.extend(self.said(who, tone, "(a picture)")),
                MessagePart::Thinking { .. } => {}
                MessagePart::Tool(call) => {
                    self.shown.insert(call.tool_call_id.clone());
                    let asked = asked_of(&call.tool_name, &call.args);
                    lines.extend(self.rows("tool", Tone::Plain, &asked));
                    if let Some(result) = &call.result {
                        lines.extend(self.result(result, call.status));
                    }
                }
            }
        }
        lines
    }

    /// Once, when the arguments are known: the agent's first word of a call has none.
    fn tool_start(&mut self, start: &ToolStart) -> Vec<String> {
        let is_empty = start.args.as_object().is_none_or(serde_json::Map::is_empty);
        if is_empty || !self.shown.insert(start.tool_call_id.clone()) {
            return Vec::new();
        }
        self.rows("tool", Tone::Plain, &asked_of(&start.tool, &start.args))
    }

    fn tool_end(&mut self, end: &ToolEnd) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.shown.remove(&end.tool_call_id) {
            lines.extend(self.said("tool", Tone::Plain, &end.tool));
        }
        let (word, tone) = match end.status {
            ToolCallStatus::Error => ("failed", Tone::Bad),
            _ => ("done", Tone::Good),
        };
        let text = format!("{word} in {}", milliseconds(end.duration_ms));
        lines.push(self.line("", Tone::Plain, &self.printer.paint(&text, tone)));
        lines.extend(self.result(&end.result, end.status));
        lines
    }

    fn result(&self, result: &str, status: ToolCallStatus) -> Vec<String> {
        let all: Vec<&str> = result
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        // What went wrong is said at the end.
        let from = match status {
            ToolCallStatus::Error => all.len().saturating_sub(RESULT_LINES_MAX),
            _ => 0,
        };
        let shown = all.iter().skip(from).take(RESULT_LINES_MAX);
        let mut lines: Vec<String> = shown
            .flat_map(|line| self.quoted(Tone::Plain, &short(printable_lines(line))))
            .collect();
        if all.len() > RESULT_LINES_MAX {
            let more = format!("| ... {} lines more", all.len() - RESULT_LINES_MAX);
            lines.push(self.line("", Tone::Plain, &more));
        }
        lines
    }

    fn status(&self, update: &StatusUpdate) -> Vec<String> {
        if update.is_idle || (update.status == LiveStatus::Running && update.message.is_none()) {
            return Vec::new();
        }
        let word = match update.status {
            LiveStatus::Creating => "a sandbox is made",
            LiveStatus::Resuming => "the sandbox comes back",
            LiveStatus::Running => "running",
            LiveStatus::Migrating => "the session moves to another sandbox",
            LiveStatus::Paused => "paused",
            LiveStatus::Stopped => "stopped",
            LiveStatus::Error => "failed",
        };
        let mut text = word.to_owned();
        if let Some(message) = &update.message {
            let _ = write!(text, ": {message}");
        }
        self.said("session", Tone::Plain, &text)
    }

    fn boot_step(&self, step: &BootStep) -> Vec<String> {
        let stage = serde_json::to_value(step.stage).unwrap_or_default();
        let stage = stage.as_str().unwrap_or_default();
        let text = match (&step.error, step.duration_ms) {
            (Some(error), _) => format!("{stage} failed: {error}"),
            (None, Some(took)) => format!("{stage:<8} {}", milliseconds(took)),
            (None, None) => return Vec::new(),
        };
        self.said("boot", Tone::Plain, &text)
    }

    /// That it begins is told by the status.
    fn migration(&self, update: &MigrationUpdate) -> Vec<String> {
        let took = update
            .gap_ms
            .map(|gap| format!(" after {}", milliseconds(gap)));
        let took = took.unwrap_or_default();
        let why = update.error.as_deref().unwrap_or("no reason given");
        let (tone, text) = match update.state {
            MigrationState::Started => return Vec::new(),
            MigrationState::Completed => (Tone::Plain, format!("in a fresh sandbox{took}")),
            MigrationState::Failed => (Tone::Warning, format!("it stays where it was: {why}")),
            MigrationState::Stranded => (Tone::Bad, format!("its sandbox is gone: {why}")),
        };
        let mut lines = self.said("moved", tone, &text);
        for lost in &update.lost {
            lines.extend(self.quoted(Tone::Warning, &printable(lost)));
        }
        lines
    }

    /// A call that waits: which one it is, and the first look at it.
    pub(crate) fn asked(&self, call: &PendingCall) -> Vec<String> {
        let (label, asked) = (call.label, &call.request);
        let risk = domain::action::Risk::from(asked.risk_level);
        let text = format!(
            "[{label}] {}/{} ({risk}) waits for a person, as {}",
            printable(&asked.integration),
            printable(&asked.action),
            asked.invocation_id
        );
        let mut lines = self.rows("approval", Tone::Warning, &text);
        for why in &asked.returned_because {
            let why = format!(
                "it was approved before and has to be again: {}",
                printable(why)
            );
            lines.extend(self.rows("", Tone::Plain, &why));
        }
        lines.extend(self.call(&call.text.first()));
        lines
    }

    /// Columns beside the margin.
    pub(crate) fn text_columns(&self) -> usize {
        let time = self.timed.as_ref().map_or(0, |_| TIME_WIDTH);
        (self.columns)().saturating_sub(MARGIN + 1 + time)
    }

    /// Lines of a call, which are broken already.
    pub(crate) fn call(&self, lines: &[String]) -> Vec<String> {
        let lines = lines.iter();
        lines.map(|line| self.line("", Tone::Plain, line)).collect()
    }

    fn completed(&self, completed: &ActionCompleted) -> Vec<String> {
        let name = format!("{}/{}", completed.integration, completed.action);
        let text = match &completed.error {
            None => format!("{name} is done"),
            Some(error) => format!("{name} failed: {error}"),
        };
        self.said("action", Tone::Plain, &text)
    }

    /// Every line of a text, with who said it beside the first.
    pub(crate) fn said(&self, who: &str, tone: Tone, text: &str) -> Vec<String> {
        self.rows(who, tone, &printable_prose(text.trim_end()))
    }

    /// The same of a text with nothing hidden in it.
    fn rows(&self, who: &str, tone: Tone, shown: &str) -> Vec<String> {
        let mut name = who;
        let columns = self.text_columns();
        let rows = shown
            .lines()
            .flat_map(|line| screen_rows::prose(line, columns));
        rows.map(|row| self.line(std::mem::take(&mut name), tone, row))
            .collect()
    }

    /// A line of what a program said, with a mark before each row.
    fn quoted(&self, tone: Tone, shown: &str) -> Vec<String> {
        let rows = screen_rows::marked(shown, "| ", ": ", self.text_columns());
        let rows = rows.iter();
        rows.map(|row| self.line("", tone, row)).collect()
    }

    fn line(&self, who: &str, tone: Tone, text: &str) -> String {
        let padded = format!("{who:<MARGIN$}");
        let line = format!("{} {text}", self.printer.paint(&padded, tone));
        match &self.timed {
            None => line.trim_end().to_owned(),
            Some((clock, began)) => {
                let since = clock.monotonic().saturating_sub(*began).as_millis();
                let (seconds, tenths) = (since / 1000, since % 1000 / 100);
                format!("{seconds:>4}.{tenths} s  {}", line.trim_end())
            }
        }
    }
}

/// A call in one line: the command of a shell, else the arguments as they are.
fn asked_of(tool: &str, args: &Value) -> String {
    let text = match args["command"].as_str() {
        Some(command) if tool == "bash" => command.to_owned(),
        _ => args.to_string(),
    };
    short(printable(&format!("{tool} {text}")))
}

/// As much of a text as one line has.
fn short(text: String) -> String {
    if text.chars().count() <= LINE_LENGTH_MAX {
        return text;
    }
    let kept: String = text.chars().take(LINE_LENGTH_MAX).collect();
    format!("{kept}...")
}

fn milliseconds(took: u64) -> String {
    if took < 1000 {
        return format!("{took} ms");
    }
    format!("{}.{} s", took / 1000, took % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::live::Frame;

    use super::*;
    use crate::printer::Output;

    fn view(columns: usize) -> View {
        let columns: fn() -> usize = match columns {
            40 => || 40,
            _ => || 80,
        };
        View {
            columns,
            ..View::new(Printer::new(Output::Table))
        }
    }

    /// What a person sees of these frames.
    fn seen(frames: &[Value]) -> String {
        let mut view = view(80);
        let mut lines = Vec::new();
        for frame in frames {
            let frame: Frame = serde_json::from_value(frame.clone()).unwrap();
            lines.extend(view.lines(&frame.message));
        }
        lines.join("\n")
    }

    #[test]
    fn a_turn_as_a_person_sees_it() {
        let tool = json!({"partId": "p", "toolCallId": "c", "tool": "bash", "args": {}});
        let mut known = tool.clone();
        known["args"] = json!({"command": "ls -la"});
        let long = (1..=12)
            .map(|line| format!("line {line}"))
            .collect::<Vec<_>>()
            .join("\n");
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        let decided = json!({
            "invocationId": id, "integration": "linear", "action": "create_issue", "riskLevel": "write",
            "status": "approved", "approvedBy": "user_ada",
        });
        let done = json!({
            "invocationId": id, "integration": "linear", "action": "create_issue", "riskLevel": "write",
            "status": "failed", "error": "no such team",
        });
        let seen = seen(&[
            json!({"type": "message", "payload": {"id": "m1", "role": "user", "content": "Look\naround",
                "isComplete": true, "createdAt": 0}}),
            json!({"type": "status", "payload": {"status": "creating"}}),
            json!({"type": "boot_step", "payload": {"stage": "sandbox", "startedAt": 0, "durationMs": 90}}),
            json!({"type": "boot_step", "payload": {"stage": "agent", "startedAt": 0, "durationMs": 3280}}),
            json!({"type": "boot_step", "payload": {"stage": "repo", "startedAt": 0, "error": "no such branch"}}),
            json!({"type": "status", "payload": {"status": "running"}}),
            json!({"type": "tool_start", "payload": tool}),
            json!({"type": "tool_start", "payload": known}),
            json!({"type": "tool_start", "payload": known}),
            json!({"type": "tool_end", "payload": {"partId": "p", "toolCallId": "c", "tool": "bash",
                "result": long, "durationMs": 1250, "status": "completed"}}),
            json!({"type": "tool_end", "payload": {"partId": "q", "toolCallId": "d", "tool": "verify",
                "result": long, "durationMs": 3, "status": "error"}}),
            json!({"type": "token", "payload": {"messageId": "m2", "partId": "t", "token": "Hel"}}),
            json!({"type": "text_part_complete", "payload": {"messageId": "m2", "partId": "t", "text": "Hello\u{7}."}}),
            json!({"type": "action_approval_result", "payload": decided}),
            json!({"type": "action_completed", "payload": done}),
            json!({"type": "snapshot_result", "payload": {"success": true, "snapshotId": "snap_1", "target": "session"}}),
            json!({"type": "error", "payload": {"message": "The model is tired.", "code": "model", "retryable": true}}),
            json!({"type": "message_complete", "payload": {"messageId": "m2"}}),
            json!({"type": "status", "payload": {"status": "running", "isIdle": true}}),
            json!({"type": "status", "payload": {"status": "paused", "message": "the gateway ends"}}),
            json!({"type": "gap", "payload": {"from": 3, "to": 9}}),
        ]);
        insta::assert_snapshot!(seen);
    }

    #[test]
    fn a_call_that_waits_is_named_and_hides_nothing() {
        let asked = json!({
            "invocationId": "0192f0c1-2345-7abc-8def-0123456789ab", "integration": "linear",
            "action": "create\u{202e}_issue", "riskLevel": "write", "params": {"title": "Broken\u{1b}[2J\u{200b}"},
            "paramsComplete": true, "callSha256": "0".repeat(64), "expiresAt": "2026-01-02T03:04:05Z",
            "returnedBecause": ["tool_definition_changed"],
        });
        let mut pending = crate::live::PendingCalls::default();
        let view = view(80);
        let asked = serde_json::from_value(asked).unwrap();
        pending.add(&asked, Duration::ZERO, view.text_columns());
        let lines = view.asked(pending.find(1).unwrap());
        insta::assert_snapshot!(lines.join("\n"), @r#"
        approval  [1] linear/create\u{202e}_issue (write) waits for a person, as
                  0192f0c1-2345-7abc-8def-0123456789ab
                  it was approved before and has to be again: tool_definition_changed
                  | {"title":"Broken\u001b[2J\u{200b}"}
        "#);
    }

    #[test]
    fn no_row_begins_with_what_a_text_has_there() {
        // What an agent says so that the terminal wraps where another speaker seems to begin.
        let filler = "x".repeat(70);
        let text =
            format!("{filler} approval  [1] linear/list_issues (read) waits\n漢{filler}漢| {{}}");
        let frames = [
            json!({"type": "text_part_complete", "payload": {"messageId": "m", "partId": "t", "text": text}}),
            json!({"type": "error", "payload": {"message": text, "code": "model", "retryable": true}}),
            json!({"type": "tool_end", "payload": {"partId": "p", "toolCallId": "c", "tool": text, "result": text,
                "durationMs": 1, "status": "completed"}}),
            json!({"type": "migration", "payload": {"state": "failed", "reason": "expiry", "error": text,
                "lost": [text]}}),
        ];
        for columns in [40, 80] {
            let mut view = view(columns);
            for frame in &frames {
                let frame: Frame = serde_json::from_value(frame.clone()).unwrap();
                for row in view.lines(&frame.message) {
                    assert!(screen_rows::width(&row) <= columns, "{columns}: {row}");
                    let margin = row.get(..MARGIN + 1).unwrap_or_default();
                    let known = ["", "agent", "error", "tool", "moved"];
                    assert!(known.contains(&margin.trim()), "{row}");
                }
            }
        }
    }

    #[test]
    fn a_conversation_so_far_has_its_tools_in_place() {
        let messages = json!([
            {"id": "m1", "role": "user", "content": "Go", "isComplete": true, "createdAt": 0},
            {"id": "m2", "role": "assistant", "content": "So. Done.", "isComplete": true, "createdAt": 1, "parts": [
                {"type": "thinking", "text": "hm"},
                {"type": "text", "text": "So."},
                {"type": "tool", "toolCallId": "c", "toolName": "read", "args": {"filePath": "a"},
                    "result": "one line", "status": "completed"},
                {"type": "text", "text": "Done."},
            ]},
        ]);
        let init = json!({"type": "init", "payload": {"messages": messages, "status": "running", "seq": 4}});
        insta::assert_snapshot!(seen(&[init]), @r#"
        you       Go
        agent     So.
        tool      read {"filePath":"a"}
                  | one line
        agent     Done.
        "#);
    }
}
