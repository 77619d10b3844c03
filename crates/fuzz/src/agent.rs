//! What a program in a sandbox says in the agent's place: its stream of events, and its record.

use std::collections::BTreeMap;

use domain::limits::{
    AGENT_TEXT_BYTES_MAX, ERROR_MESSAGE_LENGTH_MAX, LIVE_TOOL_ARGS_BYTES_MAX,
    LIVE_TOOL_RESULT_BYTES_MAX,
};
use hub::opencode::{AgentEvent, AgentState, LiveEvent, SessionStatus, StoredMessage};
use wire::live::ServerMessage;

/// The session of the recorded streams.
const SESSION: &str = "ses_recorded";

/// A stream, an event on each line: the same twice, each thing told once, within its bounds.
pub(crate) fn agent_events(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let events: Vec<AgentEvent> = text.lines().filter_map(parsed).collect();
    let mut told = Told::default();
    let (mut state, mut other) = (prompted(), prompted());
    for event in &events {
        let shown = state.apply(event);
        assert_eq!(shown, other.apply(event), "the same events, another output");
        told.check(&shown, &state);
        if is_repeatable(event) {
            let again = state.apply(event);
            let news = again.iter().filter(|event| !is_question(event));
            assert_eq!(
                news.count(),
                0,
                "{event:?} came twice and was told twice: {again:?}"
            );
            other.apply(event);
        }
    }
    told.check(&state.abandon("gone"), &state);
    assert!(!state.is_busy() && state.running_tools().next().is_none());
}

/// The record as it is read after a connect, twice: the second reading tells nothing that ends for a second time.
pub(crate) fn agent_record(bytes: &[u8]) {
    let Ok(messages) = serde_json::from_slice::<Vec<StoredMessage>>(bytes) else {
        return;
    };
    let (mut state, mut told) = (prompted(), Told::default());
    for status in [
        SessionStatus::Busy,
        SessionStatus::Idle,
        SessionStatus::Idle,
    ] {
        let shown = state.apply_record(&messages, &status);
        told.check(&shown, &state);
    }
    told.check(&state.abandon("gone"), &state);
    assert!(!state.is_busy());
}

fn prompted() -> AgentState {
    let mut state = AgentState::new(SESSION, None, Vec::new());
    state.begin_prompt();
    state
}

/// What cannot be understood is said without its words.
fn parsed(line: &str) -> Option<AgentEvent> {
    match AgentEvent::parse(line) {
        Ok(event) => Some(event),
        Err(error) => {
            let said = error.to_string();
            assert!(said.len() < 200, "{said}");
            None
        }
    }
}

/// Pieces of text cannot be told apart from the same piece again; the agent's stream does not repeat them. A message
/// that is over at first sight is believed to be so when it is said again.
fn is_repeatable(event: &AgentEvent) -> bool {
    !matches!(
        event,
        AgentEvent::PartDelta { .. }
            | AgentEvent::MessageUpdated(_)
            | AgentEvent::PartRemoved { .. }
    )
}

fn is_question(event: &LiveEvent) -> bool {
    matches!(
        event,
        LiveEvent::Refetch | LiveEvent::Permission(_) | LiveEvent::Unanswered { .. }
    )
}

/// What was told so far.
#[derive(Default)]
struct Told {
    is_busy: Option<bool>,
    completed: BTreeMap<String, usize>,
    begun: BTreeMap<String, usize>,
    tools_begun: BTreeMap<String, std::collections::BTreeSet<String>>,
    tools_ended: BTreeMap<String, usize>,
    streamed: BTreeMap<(String, String), usize>,
}

impl Told {
    fn check(&mut self, events: &[LiveEvent], state: &AgentState) {
        for event in events {
            match event {
                LiveEvent::Busy => assert_ne!(self.is_busy.replace(true), Some(true), "busy twice"),
                LiveEvent::Idle => {
                    assert_ne!(self.is_busy.replace(false), Some(false), "idle twice");
                }
                LiveEvent::Show(message) => self.shown(message),
                _ => {}
            }
        }
        if events.last() == Some(&LiveEvent::Idle) {
            assert!(
                state.running_tools().next().is_none(),
                "idle while a tool runs"
            );
        }
    }

    fn shown(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Message(message) => {
                once(&mut self.begun, &message.id, "begun");
            }
            ServerMessage::MessageComplete(of) => {
                once(&mut self.completed, &of.message_id, "complete");
                assert!(
                    self.begun.contains_key(&of.message_id),
                    "complete before it began"
                );
            }
            ServerMessage::ToolStart(start) => {
                if !start.is_cut {
                    assert!(start.args.to_string().len() <= LIVE_TOOL_ARGS_BYTES_MAX);
                }
                let messages = self.tools_begun.entry(start.part_id.clone()).or_default();
                messages.extend(start.message_id.clone());
            }
            ServerMessage::ToolEnd(end) => {
                assert!(end.result.len() <= LIVE_TOOL_RESULT_BYTES_MAX);
                let ended = self.tools_ended.entry(end.part_id.clone()).or_default();
                *ended += 1;
                let begun = self.tools_begun.get(&end.part_id);
                // A part is one of its message; another message may have a part of the same id.
                assert!(
                    begun.is_some_and(|begun| *ended <= begun.len()),
                    "ended without a beginning, or twice"
                );
            }
            ServerMessage::Token(token) | ServerMessage::Thinking(token) => {
                let key = (token.message_id.clone(), token.part_id.clone());
                let so_far = self.streamed.entry(key).or_default();
                *so_far += token.token.len();
                assert!(*so_far <= AGENT_TEXT_BYTES_MAX, "a text without end");
            }
            ServerMessage::TextVoid(of) => {
                self.streamed
                    .remove(&(of.message_id.clone(), of.part_id.clone()));
            }
            ServerMessage::TextPartComplete(part) | ServerMessage::ThinkingComplete(part) => {
                assert!(part.text.len() <= AGENT_TEXT_BYTES_MAX + 100);
            }
            ServerMessage::Error(error) => {
                assert!(error.message.chars().count() <= ERROR_MESSAGE_LENGTH_MAX);
            }
            _ => {}
        }
    }
}

fn once(seen: &mut BTreeMap<String, usize>, id: &str, what: &str) {
    let count = seen.entry(id.to_owned()).or_default();
    *count += 1;
    assert_eq!(*count, 1, "{what} twice: {id}");
}
