//! All 36 ordered pairs of the six states: 7 are moves, 29 are refused.

use super::*;
use crate::policy::{FilePin, PolicyVersions};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn policy() -> PolicyId {
    let pin = FilePin::of(b"policy", None);
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    versions.id()
}

fn error() -> RunError {
    RunError::new(RunErrorCode::ToolError, "it broke", false)
}

fn states() -> [RunState; 6] {
    let running = RunState::Created
        .start(at(1), policy(), Some(at(60)))
        .unwrap();
    [
        RunState::Created,
        running.clone(),
        running.clone().complete(at(2)).unwrap(),
        running.fail(at(2), error()).unwrap(),
        RunState::Created.deny(at(2), error()).unwrap(),
        RunState::Created.cancel(at(2)).unwrap(),
    ]
}

fn move_to(state: RunState, to: RunStatus) -> Moved {
    match to {
        // No move leads back to the initial state.
        RunStatus::Created => Err(state.cannot(RunStatus::Created)),
        RunStatus::Running => state.start(at(9), policy(), None),
        RunStatus::Completed => state.complete(at(9)),
        RunStatus::Failed => state.fail(at(9), error()),
        RunStatus::Denied => state.deny(at(9), error()),
        RunStatus::Cancelled => state.cancel(at(9)),
    }
}

#[test]
fn every_pair() {
    use RunStatus::{Cancelled, Completed, Created, Denied, Failed, Running};
    let legal = [
        (Created, Running),
        (Created, Denied),
        (Created, Cancelled),
        (Running, Completed),
        (Running, Failed),
        (Running, Denied),
        (Running, Cancelled),
    ];
    let (mut allowed, mut refused) = (0, 0);
    for (state, from) in states().into_iter().zip(RunStatus::ALL) {
        assert_eq!(state.status(), *from);
        for to in RunStatus::ALL {
            let moved = move_to(state.clone(), *to);
            if legal.contains(&(*from, *to)) {
                assert_eq!(moved.unwrap().status(), *to);
                allowed += 1;
            } else {
                assert_eq!(
                    moved,
                    Err(InvalidRunTransition {
                        from: *from,
                        to: *to
                    })
                );
                refused += 1;
            }
        }
    }
    assert_eq!((allowed, refused), (7, 29));
}

#[test]
fn pins_are_fixed_on_entering_running() {
    let completed = states()[2].clone();
    assert!(matches!(completed, RunState::Completed { policy: kept, .. } if kept == policy()));
}

#[test]
fn messages_are_bounded_and_harmless() {
    let error = RunError::new(RunErrorCode::ToolError, &"x\u{1b}[31m\n".repeat(1000), true);
    assert_eq!(error.message.chars().count(), REASON_LENGTH_MAX);
    assert!(!error.message.contains(char::is_control));
}
