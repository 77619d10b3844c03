//! Whether and when a service that ended by itself is started again. Pure. Not `backon`: the pauses depend on how long the
//! service ran.

use std::time::Duration;

use crate::{
    cli::Restart,
    daemon::keeper::Ended,
    limits::{RESTART_PAUSE_MAX, RESTARTS_IN_A_ROW_MAX, STABLE_AFTER},
};

/// What to do about a service that ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It ended as it should.
    Stay,
    /// It failed, and no restart was requested.
    Failed,
    Again(Duration),
    /// It failed too often in a row.
    GiveUp,
}

/// Decides, and counts the restarts in a row.
pub(super) fn next(
    restart: Restart,
    ended: Ended,
    ran_for: Duration,
    pause_first: Duration,
    in_a_row: &mut u32,
) -> Next {
    let is_good = ended == Ended::Code(0);
    match restart {
        Restart::Never | Restart::OnFailure if is_good => return Next::Stay,
        Restart::Never => return Next::Failed,
        Restart::OnFailure | Restart::Always => {}
    }
    if ran_for >= STABLE_AFTER {
        *in_a_row = 0;
    }
    if *in_a_row >= RESTARTS_IN_A_ROW_MAX {
        return Next::GiveUp;
    }
    let pause = pause_first.saturating_mul(1 << (*in_a_row).min(16));
    *in_a_row += 1;
    Next::Again(pause.min(RESTART_PAUSE_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(500);

    #[test]
    fn who_is_started_again() {
        let again = Next::Again(FIRST);
        for (restart, ended, expected) in [
            (Restart::Never, Ended::Code(0), Next::Stay),
            (Restart::Never, Ended::Code(1), Next::Failed),
            (Restart::Never, Ended::Signal(9), Next::Failed),
            (Restart::OnFailure, Ended::Code(0), Next::Stay),
            (Restart::OnFailure, Ended::Code(1), again),
            (Restart::OnFailure, Ended::Signal(11), again),
            (Restart::OnFailure, Ended::Unknown, again),
            (Restart::Always, Ended::Code(0), again),
        ] {
            let next = next(restart, ended, Duration::ZERO, FIRST, &mut 0);
            assert_eq!(next, expected, "{restart:?} {ended:?}");
        }
    }

    #[test]
    fn pauses_grow_end_and_begin_anew_once_it_was_stable() {
        let mut in_a_row = 0;
        let mut crash = |ran_for| {
            next(
                Restart::Always,
                Ended::Code(1),
                ran_for,
                FIRST,
                &mut in_a_row,
            )
        };
        let mut last = Duration::ZERO;
        for _ in 0..RESTARTS_IN_A_ROW_MAX {
            let Next::Again(pause) = crash(Duration::ZERO) else {
                panic!("it gave up too early");
            };
            assert!(pause >= last && pause <= RESTART_PAUSE_MAX);
            last = pause;
        }
        assert_eq!(crash(Duration::ZERO), Next::GiveUp);
        assert_eq!(crash(STABLE_AFTER), Next::Again(FIRST));
    }
}
