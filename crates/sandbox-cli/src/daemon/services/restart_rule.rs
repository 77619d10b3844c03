//! Whether and when a service that ended by itself is started again. Pure. Not `backon`: the pauses depend on how long the
//! service ran.

use std::time::Duration;

use crate::{
    cli::Restart,
    daemon::keeper::ServiceEnd,
    limits::{RESTART_PAUSE_MAX, RESTARTS_IN_A_ROW_MAX, STABLE_AFTER},
};

/// What to do about a service that ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestartDecision {
    /// It ended as it should.
    Stay,
    /// It failed, and no restart was requested.
    Failed,
    RestartAfter(Duration),
    /// It failed too often in a row.
    GiveUp,
}

/// Decides, and counts the restarts in a row.
pub(super) fn decide(
    restart: Restart,
    end: ServiceEnd,
    ran_for: Duration,
    pause_first: Duration,
    in_a_row: &mut u32,
) -> RestartDecision {
    let is_good = end == ServiceEnd::Code(0);
    match restart {
        Restart::Never | Restart::OnFailure if is_good => return RestartDecision::Stay,
        Restart::Never => return RestartDecision::Failed,
        Restart::OnFailure | Restart::Always => {}
    }
    if ran_for >= STABLE_AFTER {
        *in_a_row = 0;
    }
    if *in_a_row >= RESTARTS_IN_A_ROW_MAX {
        return RestartDecision::GiveUp;
    }
    let pause = pause_first.saturating_mul(1 << (*in_a_row).min(16));
    *in_a_row += 1;
    RestartDecision::RestartAfter(pause.min(RESTART_PAUSE_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(500);

    #[test]
    fn a_service_is_started_again_by_its_rule() {
        let again = RestartDecision::RestartAfter(FIRST);
        for (restart, ended, expected) in [
            (Restart::Never, ServiceEnd::Code(0), RestartDecision::Stay),
            (Restart::Never, ServiceEnd::Code(1), RestartDecision::Failed),
            (
                Restart::Never,
                ServiceEnd::Signal(9),
                RestartDecision::Failed,
            ),
            (
                Restart::OnFailure,
                ServiceEnd::Code(0),
                RestartDecision::Stay,
            ),
            (Restart::OnFailure, ServiceEnd::Code(1), again),
            (Restart::OnFailure, ServiceEnd::Signal(11), again),
            (Restart::OnFailure, ServiceEnd::Unknown, again),
            (Restart::Always, ServiceEnd::Code(0), again),
        ] {
            let decision = decide(restart, ended, Duration::ZERO, FIRST, &mut 0);
            assert_eq!(decision, expected, "{restart:?} {ended:?}");
        }
    }

    #[test]
    fn pauses_grow_end_and_begin_anew_once_it_was_stable() {
        let mut in_a_row = 0;
        let mut crash = |ran_for| {
            decide(
                Restart::Always,
                ServiceEnd::Code(1),
                ran_for,
                FIRST,
                &mut in_a_row,
            )
        };
        let mut last = Duration::ZERO;
        for _ in 0..RESTARTS_IN_A_ROW_MAX {
            let RestartDecision::RestartAfter(pause) = crash(Duration::ZERO) else {
                panic!("it gave up too early");
            };
            assert!(pause >= last && pause <= RESTART_PAUSE_MAX);
            last = pause;
        }
        assert_eq!(crash(Duration::ZERO), RestartDecision::GiveUp);
        assert_eq!(crash(STABLE_AFTER), RestartDecision::RestartAfter(FIRST));
    }
}
