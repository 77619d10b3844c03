//! The mapping on made-up events; recorded ones are in tests/it.

use serde_json::{Value, json};
use wire::live::ServerMessage;

use super::*;
use crate::opencode::shapes::StoredMessage;

const SESSION: &str = "ses_1";

fn event(kind: &str, properties: &Value) -> AgentEvent {
    let text = json!({"id": "evt_1", "type": kind, "properties": properties}).to_string();
    AgentEvent::parse(&text).unwrap()
}

fn info(id: &str, role: &str, more: &Value) -> Value {
    let mut info = json!({"id": id, "sessionID": SESSION, "role": role, "time": {"created": 1}});
    for (name, value) in more.as_object().unwrap() {
        info[name] = value.clone();
    }
    info
}

fn message(id: &str, role: &str, more: &Value) -> AgentEvent {
    event("message.updated", &json!({"info": info(id, role, more)}))
}

fn tool(status: &str) -> Value {
    json!({
        "id": "prt_1", "messageID": "msg_2", "sessionID": SESSION, "type": "tool", "tool": "bash",
        "callID": "call_1", "state": {"status": status, "input": {"command": "ls"}, "output": "x"},
    })
}

fn part(part: &Value) -> AgentEvent {
    event("message.part.updated", &json!({"part": part}))
}

fn idle() -> AgentEvent {
    event("session.idle", &json!({"sessionID": SESSION}))
}

fn fault(name: &str, text: &str) -> AgentEvent {
    let error = json!({"name": name, "data": {"message": text}});
    event(
        "session.error",
        &json!({"sessionID": SESSION, "error": error}),
    )
}

/// The kinds of what is told, in their order.
fn kinds(told: &[LiveEvent]) -> Vec<&'static str> {
    told.iter()
        .map(|event| match event {
            LiveEvent::Show(message) => message.kind(),
            LiveEvent::Busy => "Busy",
            LiveEvent::Idle => "Idle",
            LiveEvent::Refetch => "Refetch",
            LiveEvent::Unanswered { .. } => "Unanswered",
            LiveEvent::Exceeded(_) => "Exceeded",
            LiveEvent::Permission(_) => "Permission",
        })
        .collect()
}

fn prompted() -> AgentState {
    let mut state = AgentState::new(SESSION, None, Vec::new());
    state.begin_prompt();
    state
}

fn stored(id: &str, role: &str, more: &Value, parts: &Value) -> StoredMessage {
    serde_json::from_value(json!({"info": info(id, role, more), "parts": parts})).unwrap()
}

#[test]
fn idle_waits_for_a_running_tool() {
    let mut state = prompted();
    state.apply(&message("msg_2", "assistant", &json!({})));
    state.apply(&part(&tool("running")));
    assert_eq!(state.apply(&idle()), []);
    assert!(state.is_busy());
    let told = state.apply(&part(&tool("completed")));
    assert_eq!(kinds(&told), ["tool_end", "message_complete", "Idle"]);
    assert_eq!(state.apply(&idle()), []);
}

#[test]
fn an_error_after_idle_is_told_and_the_same_twice_is_not() {
    let mut state = prompted();
    assert_eq!(kinds(&state.apply(&idle())), ["Idle"]);
    let broken = fault("UnknownError", "Cannot find package");
    assert_eq!(kinds(&state.apply(&broken)), ["error"]);
    assert_eq!(state.apply(&broken), []);
    state.begin_prompt();
    assert_eq!(kinds(&state.apply(&broken)), ["error"]);
    let error = event(
        "session.error",
        &json!({"sessionID": "ses_2", "error": {"name": "X"}}),
    );
    assert_eq!(state.apply(&error), []);
}

#[test]
fn an_abort_is_told_once_as_such() {
    let mut state = prompted();
    state.apply(&message("msg_2", "assistant", &json!({})));
    let told = state.apply(&fault("MessageAbortedError", "aborted"));
    let LiveEvent::Show(ServerMessage::MessageCancelled(cancelled)) = &told[0] else {
        panic!("{told:?}");
    };
    assert_eq!(cancelled.message_id.as_deref(), Some("msg_2"));
    let again = json!({"error": {"name": "MessageAbortedError", "data": {}}, "time": {"created": 1, "completed": 2}});
    let told = state.apply(&message("msg_2", "assistant", &again));
    assert_eq!(kinds(&told), ["message_complete"]);
}

#[test]
fn what_belongs_to_nothing_known_is_fetched() {
    let mut state = prompted();
    assert_eq!(state.apply(&part(&tool("running"))), [LiveEvent::Refetch]);
    let delta = json!({"sessionID": SESSION, "messageID": "msg_2", "partID": "prt_9", "field": "text", "delta": "x"});
    let delta = event("message.part.delta", &delta);
    assert_eq!(state.apply(&delta), [LiveEvent::Refetch]);
    state.apply(&message("msg_2", "assistant", &json!({})));
    assert_eq!(state.apply(&delta), [LiveEvent::Refetch]);
    let mut known = AgentState::new(SESSION, Some("msg_5".into()), Vec::new());
    assert_eq!(known.apply(&delta), []);
    assert_eq!(known.apply(&part(&tool("running"))), []);
    assert_eq!(known.apply(&message("msg_2", "assistant", &json!({}))), []);
}

#[test]
fn catching_up_tells_what_was_missed_by_what_the_agent_is_at() {
    let over = json!({"time": {"created": 1, "completed": 2}, "finish": "stop"});
    let user = || stored("msg_1", "user", &json!({}), &json!([]));
    let answer = |more: &Value, parts: &Value| stored("msg_2", "assistant", more, parts);
    let text = json!({"id": "prt_0", "messageID": "msg_2", "sessionID": SESSION, "type": "text",
        "text": "hi", "time": {"start": 1, "end": 2}});
    let busy = SessionStatus::Busy;
    let rest = SessionStatus::Idle;
    let table: [(&str, Vec<StoredMessage>, &SessionStatus, &[&str]); 6] = [
        ("unanswered", vec![user()], &rest, &["Unanswered"]),
        ("at work", vec![user()], &busy, &[]),
        (
            "answered",
            vec![user(), answer(&over, &json!([text]))],
            &rest,
            &["message", "text_part_complete", "message_complete", "Idle"],
        ),
        (
            "dead in a tool",
            vec![user(), answer(&json!({}), &json!([tool("running")]))],
            &rest,
            &[
                "message",
                "tool_start",
                "tool_end",
                "error",
                "message_complete",
                "Idle",
            ],
        ),
        (
            "a tool at work",
            vec![user(), answer(&json!({}), &json!([tool("running")]))],
            &busy,
            &["message", "tool_start"],
        ),
        (
            "dead between two steps",
            vec![
                user(),
                answer(
                    &json!({"finish": "tool-calls", "time": {"created": 1, "completed": 2}}),
                    &json!([]),
                ),
            ],
            &rest,
            &["message", "message_complete", "error", "Idle"],
        ),
    ];
    for (name, messages, status, expected) in table {
        let mut state = prompted();
        let told = state.apply_record(&messages, status);
        assert_eq!(kinds(&told), expected, "{name}");
        // Again, as after another break: nothing is new but a question that stays open.
        state.mark_stream_broken();
        let again = state.apply_record(&messages, status);
        let expected: &[&str] = if name == "unanswered" { expected } else { &[] };
        assert_eq!(kinds(&again), expected, "{name} again");
    }
}

#[test]
fn a_gone_agent_ends_everything_with_the_reason() {
    let mut state = prompted();
    state.apply(&message("msg_2", "assistant", &json!({})));
    state.apply(&part(&tool("running")));
    let told = state.abandon("The sandbox is gone.");
    assert_eq!(
        kinds(&told),
        ["tool_end", "message_complete", "error", "Idle"]
    );
    assert_eq!(state.abandon("again"), []);
}

#[test]
fn a_long_turn_is_followed_within_its_bound() {
    use domain::limits::AGENT_PARTS_TRACKED_MAX;
    let mut state = prompted();
    let over = json!({"time": {"created": 1, "completed": 2}});
    let mut told = 0;
    for step in 0..2 * AGENT_PARTS_TRACKED_MAX {
        for more in [&json!({}), &over] {
            let said = message(&format!("msg_{step:06}"), "assistant", more);
            told += state.apply(&said).len();
        }
    }
    assert_eq!(told, 4 * AGENT_PARTS_TRACKED_MAX);
    assert!(state.messages.len() <= AGENT_PARTS_TRACKED_MAX);
}

/// A whole text of so many bytes in a message.
fn large(state: &mut AgentState, message_id: &str, part_id: &str, bytes: usize) -> Vec<LiveEvent> {
    let time = json!({"start": 1, "end": 2});
    let text = PartKind::Text {
        text: "x".repeat(bytes),
        synthetic: false,
        ignored: false,
        time: serde_json::from_value(time).unwrap(),
    };
    let part = Part {
        id: part_id.to_owned(),
        message_id: message_id.to_owned(),
        session_id: SESSION.to_owned(),
        kind: text,
    };
    state.apply(&AgentEvent::PartUpdated(Box::new(part)))
}

#[test]
fn much_that_is_over_is_no_excess_and_much_that_is_not_is_one() {
    use domain::limits::{AGENT_MESSAGE_BYTES_MAX, AGENT_OPEN_BYTES_MAX};
    let over = json!({"time": {"created": 1, "completed": 2}});
    for is_over in [true, false] {
        let mut state = prompted();
        let mut last = Vec::new();
        let steps = 2 * AGENT_OPEN_BYTES_MAX / 1_000_000;
        for step in 0..steps {
            let id = format!("msg_{step:06}");
            state.apply(&message(&id, "assistant", &json!({})));
            last = large(&mut state, &id, &format!("prt_{step:06}"), 1_000_000);
            if is_over {
                state.apply(&message(&id, "assistant", &over));
            }
        }
        let expected: &[_] = if is_over {
            &["text_part_complete"]
        } else {
            &["text_part_complete", "Exceeded"]
        };
        assert_eq!(kinds(&last), expected);
        assert_eq!(state.open_bytes <= AGENT_OPEN_BYTES_MAX, is_over);
    }
    let mut state = prompted();
    state.apply(&message("msg_1", "assistant", &json!({})));
    let parts = AGENT_MESSAGE_BYTES_MAX / 1_000_000 + 1;
    let told = (0..parts).map(|part| large(&mut state, "msg_1", &format!("prt_{part}"), 1_000_000));
    let told: Vec<_> = told
        .map(|told| kinds(&told).contains(&"Exceeded"))
        .collect();
    assert_eq!(
        told.iter().position(|is_excess| *is_excess),
        Some(parts - 1)
    );
}

/// The owner of a session may be gone at any point of a turn; the next owner emits the rest.
#[test]
fn a_turn_that_is_gone_on_with_is_told_once() {
    let over = json!({"time": {"created": 1, "completed": 2}, "finish": "stop"});
    let text = |whole: bool| {
        let time = if whole {
            json!({"start": 1, "end": 2})
        } else {
            json!({"start": 1})
        };
        let words = if whole { "I look." } else { "" };
        json!({"id": "prt_0", "messageID": "msg_2", "sessionID": SESSION, "type": "text",
            "text": words, "time": time})
    };
    let delta = json!({"sessionID": SESSION, "messageID": "msg_2", "partID": "prt_0", "field": "text",
        "delta": "I lo"});
    let turn = [
        message("msg_1", "user", &json!({})),
        message("msg_2", "assistant", &json!({})),
        part(&text(false)),
        event("message.part.delta", &delta),
        part(&text(true)),
        part(&tool("running")),
        part(&tool("completed")),
        message("msg_2", "assistant", &over),
        idle(),
    ];
    let record = [
        stored("msg_1", "user", &json!({}), &json!([])),
        stored(
            "msg_2",
            "assistant",
            &over,
            &json!([text(true), tool("completed")]),
        ),
    ];
    for cut in 0..=turn.len() {
        let mut first = prompted();
        let mut told: Vec<LiveEvent> = turn[..cut]
            .iter()
            .flat_map(|event| first.apply(event))
            .collect();
        let mut transcript = crate::log::Transcript::default();
        for event in &told {
            if let LiveEvent::Show(message) = event {
                transcript.apply(message);
            }
        }
        let settled = transcript.settled().map(ToOwned::to_owned);
        let mut next = AgentState::new(SESSION, settled, transcript.unsettled());
        told.extend(next.apply_record(&record, &SessionStatus::Idle));
        let told = kinds(&told);
        for kind in [
            "message",
            "text_part_complete",
            "tool_start",
            "tool_end",
            "message_complete",
        ] {
            let times = told.iter().filter(|it| **it == kind).count();
            assert_eq!(times, 1, "{kind} when cut at {cut}: {told:?}");
        }
        assert!(!told.contains(&"error"), "cut at {cut}: {told:?}");
        assert!(!next.is_busy());
    }
}

#[test]
fn what_an_agent_without_memory_was_at_is_told_to_be_over() {
    let mut first = prompted();
    let begun = [
        message("msg_2", "assistant", &json!({})),
        part(&tool("running")),
    ];
    let mut transcript = crate::log::Transcript::default();
    for event in begun.iter().flat_map(|event| first.apply(event)) {
        if let LiveEvent::Show(message) = event {
            transcript.apply(&message);
        }
    }
    let mut next = AgentState::new(SESSION, None, transcript.unsettled());
    let told = next.apply_record(&[], &SessionStatus::Idle);
    assert_eq!(
        kinds(&told),
        ["tool_end", "error", "message_complete", "Idle"]
    );
}

#[test]
fn a_message_that_is_over_at_first_sight_is_told_so_after_its_parts() {
    let over = json!({"time": {"created": 1, "completed": 2}, "finish": "stop"});
    let mut state = prompted();
    let begun = state.apply(&message("msg_2", "assistant", &over));
    assert_eq!(kinds(&begun), ["message"]);
    state.apply(&part(&tool("completed")));
    let told = state.apply(&message("msg_2", "assistant", &over));
    assert_eq!(kinds(&told), ["message_complete"]);
    let mut silent = prompted();
    silent.apply(&message("msg_2", "assistant", &over));
    assert_eq!(kinds(&silent.apply(&idle())), ["message_complete", "Idle"]);
}
