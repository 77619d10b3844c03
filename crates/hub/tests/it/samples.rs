//! Streams of the real agent, recorded by `real_agent`, and what is told of them.

use hub::opencode::{AgentEvent, AgentState, LiveEvent};

use crate::outline::Outline;

pub(crate) const SESSION: &str = "ses_recorded";

/// What is told of a recorded stream.
pub(crate) fn told(sample: &str) -> (Vec<LiveEvent>, AgentState) {
    let mut state = AgentState::new(SESSION, None, Vec::new());
    state.begin_prompt();
    let mut told = Vec::new();
    for line in sample.lines() {
        told.extend(state.apply(&AgentEvent::parse(line).unwrap()));
    }
    (told, state)
}

fn samples() -> Vec<(&'static str, &'static str)> {
    vec![
        ("say", include_str!("samples/say.jsonl")),
        ("think", include_str!("samples/think.jsonl")),
        ("tool", include_str!("samples/tool.jsonl")),
        ("tool_error", include_str!("samples/tool_error.jsonl")),
        ("parallel", include_str!("samples/parallel.jsonl")),
        ("drop", include_str!("samples/drop.jsonl")),
        ("drop_call", include_str!("samples/drop_call.jsonl")),
        ("overloaded", include_str!("samples/overloaded.jsonl")),
        ("refused", include_str!("samples/refused.jsonl")),
        ("abort_text", include_str!("samples/abort_text.jsonl")),
        ("abort_tool", include_str!("samples/abort_tool.jsonl")),
    ]
}

#[test]
fn what_is_told_of_recorded_streams() {
    for (name, sample) in samples() {
        let (told, state) = told(sample);
        insta::assert_snapshot!(name, Outline::of(&told, name));
        assert!(!state.is_busy(), "{name}");
        assert_eq!(state.running_tools().count(), 0, "{name}");
    }
}

#[test]
fn idle_is_told_once_and_nothing_is_missed() {
    for (name, sample) in samples() {
        let (told, _) = told(sample);
        let count = |wanted: &LiveEvent| told.iter().filter(|event| *event == wanted).count();
        assert_eq!(count(&LiveEvent::Idle), 1, "{name}");
        assert_eq!(count(&LiveEvent::Refetch), 0, "{name}");
    }
}

#[test]
fn events_that_come_twice_are_told_once() {
    for (name, sample) in samples() {
        // Pieces of text cannot be told apart; the agent's stream does not repeat them.
        let once: Vec<&str> = sample
            .lines()
            .filter(|line| !line.contains("message.part.delta"))
            .collect();
        let twice: Vec<&str> = once.iter().flat_map(|line| [*line, *line]).collect();
        let (once, _) = told(&once.join("\n"));
        let (twice, _) = told(&twice.join("\n"));
        assert_eq!(once, twice, "{name}");
    }
}

#[test]
fn events_of_another_session_are_not_told() {
    for (name, sample) in samples() {
        let mut state = AgentState::new("ses_another", None, Vec::new());
        for line in sample.lines() {
            assert_eq!(state.apply(&AgentEvent::parse(line).unwrap()), [], "{name}");
        }
    }
}

#[test]
fn after_a_break_only_whole_texts_are_told() {
    let sample = include_str!("samples/say.jsonl");
    let mut state = AgentState::new(SESSION, None, Vec::new());
    state.begin_prompt();
    let mut told = Vec::new();
    let mut pieces = 0;
    for line in sample.lines() {
        if line.contains("message.part.delta") {
            pieces += 1;
            if pieces == 2 {
                state.mark_stream_broken();
            }
            // The third was missed.
            if pieces == 3 {
                continue;
            }
        }
        told.extend(state.apply(&AgentEvent::parse(line).unwrap()));
    }
    assert!(pieces > 4);
    insta::assert_snapshot!("torn", Outline::of(&told, "torn"));
}
