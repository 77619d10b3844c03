//! What was told, without what differs from run to run: ids are numbered, pieces of a text are one line.

use std::collections::BTreeMap;

use hub::opencode::LiveEvent;
use wire::live::ServerMessage;

/// One line for each thing told.
#[derive(Default)]
pub(crate) struct Outline {
    names: BTreeMap<String, String>,
    lines: Vec<String>,
    streamed: String,
}

/// An outline without what depends on who was quicker, the agent or the test that broke its connection.
pub(crate) fn loosened(outline: &str, scene: &str) -> Vec<String> {
    let mut lines: Vec<String> = outline.lines().map(ToOwned::to_owned).collect();
    match scene {
        // How much of the first try was heard, and what the agent calls the break.
        "drop" | "drop_call" => {
            let retry = lines.iter().position(|line| line.contains("trying again"));
            lines.drain(..=retry.expect("it was tried again"));
            lines.retain(|line| !line.contains("Tool execution aborted"));
            for line in &mut lines {
                *line = line.replace("toolu2", "toolu1");
            }
        }
        // What a command that was stopped says.
        "abort_tool" => lines.iter_mut().for_each(|line| {
            let end = line.find('"').unwrap_or(line.len());
            line.truncate(end);
        }),
        "parallel" => lines.sort(),
        _ => {}
    }
    lines
}

impl Outline {
    pub(crate) fn of(events: &[LiveEvent], scene: &str) -> String {
        let mut outline = Self::default();
        for event in events {
            outline.take(event);
        }
        outline.flush();
        let mut lines = outline.lines;
        match scene {
            // What runs at once may start in any order.
            "parallel" => {
                let is_start = |line: &String| line.starts_with("tool_start");
                let from = lines.iter().position(is_start).expect("a call");
                let count = lines[from..]
                    .iter()
                    .take_while(|line| is_start(line))
                    .count();
                lines[from..from + count].sort();
            }
            // How far a text got before it was stopped is not promised.
            "abort_text" => {
                for line in &mut lines {
                    let end = line.find('"').unwrap_or(line.len());
                    line.truncate(end);
                }
            }
            _ => {}
        }
        lines.join("\n")
    }

    fn name(&mut self, id: &str) -> String {
        let prefix: String = id.chars().take_while(char::is_ascii_alphabetic).collect();
        let count = self
            .names
            .keys()
            .filter(|known| known.starts_with(&prefix))
            .count();
        let fresh = || format!("{prefix}{}", count + 1);
        self.names
            .entry(id.to_owned())
            .or_insert_with(fresh)
            .clone()
    }

    fn flush(&mut self) {
        if !self.streamed.is_empty() {
            let streamed = std::mem::take(&mut self.streamed);
            self.lines.push(format!("streamed {streamed:?}"));
        }
    }

    fn take(&mut self, event: &LiveEvent) {
        let LiveEvent::Show(message) = event else {
            self.flush();
            let line = match event {
                LiveEvent::Unanswered { .. } => "Unanswered".to_owned(),
                other => format!("{other:?}"),
            };
            self.lines.push(line);
            return;
        };
        if let ServerMessage::Token(token) | ServerMessage::Thinking(token) = message {
            self.streamed.push_str(&token.token);
            return;
        }
        self.flush();
        let line = self.line(message);
        self.lines.push(line);
    }

    fn line(&mut self, message: &ServerMessage) -> String {
        let kind = message.kind();
        match message {
            ServerMessage::Message(message) => format!("{kind} {}", self.name(&message.id)),
            ServerMessage::TextPartComplete(part) | ServerMessage::ThinkingComplete(part) => {
                format!("{kind} {} {:?}", self.name(&part.message_id), part.text)
            }
            ServerMessage::TextVoid(part) => format!("{kind} {}", self.name(&part.message_id)),
            ServerMessage::MessageComplete(of) => format!("{kind} {}", self.name(&of.message_id)),
            ServerMessage::MessageCancelled(of) => {
                let id = of.message_id.as_deref().unwrap_or_default();
                format!("{kind} {}", self.name(id))
            }
            ServerMessage::ToolStart(start) => {
                let id = self.name(&start.tool_call_id);
                format!("{kind} {id} {} {}", start.tool, start.args)
            }
            ServerMessage::ToolEnd(end) => {
                let id = self.name(&end.tool_call_id);
                format!("{kind} {id} {} {:?} {:?}", end.tool, end.status, end.result)
            }
            ServerMessage::Error(error) => {
                format!(
                    "{kind} {:?} retryable={} {:?}",
                    error.code, error.retryable, error.message
                )
            }
            other => serde_json::to_string(other).expect("it is JSON"),
        }
    }
}
