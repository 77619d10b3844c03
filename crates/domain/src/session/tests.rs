//! The whole state machine as a table: every state against every move.

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn states() -> Vec<SessionState> {
    vec![
        SessionState::Pending,
        SessionState::Starting { since: at(1) },
        SessionState::Running { started_at: at(2) },
        SessionState::Paused {
            started_at: at(2),
            paused_at: at(3),
            reason: "idle".into(),
        },
        SessionState::Stopped {
            ended_at: at(4),
            reason: "user".into(),
        },
        SessionState::Failed {
            ended_at: at(5),
            reason: "boot".into(),
        },
    ]
}

#[test]
fn every_state_and_every_move() {
    use SessionStatus::{Failed, Paused, Running, Starting, Stopped};
    let table = [
        // from, start, run, pause, stop, fail
        ("pending", Some(Starting), None, None, Some(Stopped), None),
        (
            "starting",
            None,
            Some(Running),
            None,
            Some(Stopped),
            Some(Failed),
        ),
        (
            "running",
            None,
            None,
            Some(Paused),
            Some(Stopped),
            Some(Failed),
        ),
        (
            "paused",
            Some(Starting),
            Some(Running),
            None,
            Some(Stopped),
            Some(Failed),
        ),
        ("stopped", None, None, None, None, None),
        ("failed", Some(Starting), None, None, Some(Stopped), None),
    ];
    assert_eq!(table.len(), SessionStatus::ALL.len());
    for (state, (name, start, run, pause, stop, fail)) in states().into_iter().zip(table) {
        assert_eq!(state.status().as_str(), name);
        let to = |moved: Moved| moved.ok().map(|state| state.status());
        assert_eq!(to(state.clone().start(at(9))), start, "{name} start");
        assert_eq!(to(state.clone().run(at(9))), run, "{name} run");
        assert_eq!(to(state.clone().pause(at(9), "r")), pause, "{name} pause");
        assert_eq!(to(state.clone().stop(at(9), "r")), stop, "{name} stop");
        assert_eq!(to(state.clone().fail(at(9), "r")), fail, "{name} fail");
    }
}

#[test]
fn resuming_keeps_the_moment_of_the_first_start() {
    let paused = SessionState::Running { started_at: at(2) }
        .pause(at(5), "idle")
        .unwrap();
    assert_eq!(
        paused.run(at(9)),
        Ok(SessionState::Running { started_at: at(2) })
    );
}

#[test]
fn a_refused_move_says_what_was_wrong() {
    let error = states().remove(4).pause(at(9), "idle").unwrap_err();
    assert_eq!(error.to_string(), "a stopped session cannot pause");
}

#[test]
fn reasons_are_bounded_and_free_of_control_characters() {
    let long = format!("a\u{1b}b{}", "x".repeat(REASON_LENGTH_MAX * 2));
    let stopped = SessionState::Pending.stop(at(1), &long).unwrap();
    let reason = stopped.reason().unwrap();
    assert_eq!(reason.chars().count(), REASON_LENGTH_MAX);
    assert!(reason.starts_with("abx"));
}

#[test]
fn a_session_that_is_made_at_once_begins_by_starting() {
    assert_eq!(
        SessionState::initial(Provisioning::Deferred, at(1)),
        SessionState::Pending
    );
    assert_eq!(
        SessionState::initial(Provisioning::Immediate, at(1)),
        SessionState::Starting { since: at(1) }
    );
}
