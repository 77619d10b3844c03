//! Every step of a migration with every result.

use super::*;

const FIRST: MigrationStep = MigrationStep::Snapshot {
    after: Duration::ZERO,
    tried: 0,
};

fn now() -> Timestamp {
    Timestamp::from_micros(1_000_000_000).unwrap()
}

fn in_(seconds: u64) -> Timestamp {
    now().plus(Duration::from_secs(seconds))
}

fn at(step: MigrationStep, left: Option<u64>, has_last_good: bool) -> Migration {
    Migration {
        step,
        ..Migration::begin(left.map(in_), has_last_good)
    }
}

fn next(
    step: MigrationStep,
    left: Option<u64>,
    has_last_good: bool,
    result: StepResult,
) -> Result<MigrationStep, MigrationEnd> {
    let after = at(step, left, has_last_good).after(result, now());
    after.map(|migration| migration.step)
}

fn again(tried: usize) -> MigrationStep {
    MigrationStep::Snapshot {
        after: MIGRATION_SNAPSHOT_PAUSES[tried - 1],
        tried,
    }
}

#[test]
fn when_all_goes_well_each_step_follows_the_one_before() {
    let mut migration = Migration::begin(Some(in_(300)), false);
    let mut steps = vec![migration.step];
    let end = loop {
        match migration.after(StepResult::Done, now()) {
            Ok(after) => migration = after,
            Err(end) => break end,
        }
        steps.push(migration.step);
    };
    let expected = [
        MigrationStep::Settle,
        MigrationStep::Quiesce,
        FIRST,
        MigrationStep::Boot(SuccessorOrigin::Now),
        MigrationStep::CutOver,
    ];
    assert_eq!(
        (steps.as_slice(), end),
        (&expected[..], MigrationEnd::Completed)
    );
    assert!(!migration.is_cut);
}

/// Every step with every result, with much time and with little.
#[test]
#[expect(clippy::too_many_lines, reason = "one table of every step and result")]
fn what_follows_from_what_is_seen() {
    let retried = MigrationEnd::Resumed {
        retry_at: Some(now().plus(MIGRATION_RETRY_AFTER)),
    };
    let over = MigrationEnd::Resumed { retry_at: None };
    let from_last = MigrationStep::Boot(SuccessorOrigin::LastGood);
    let (plenty, short, unending) = (Some(300), Some(120), None);
    let table = [
        // An agent that does not end its turn is stopped; the migration continues whether it
        // confirms or not.
        (
            MigrationStep::Settle,
            plenty,
            true,
            StepResult::Failed,
            Ok(MigrationStep::Cancel),
        ),
        (
            MigrationStep::Cancel,
            plenty,
            true,
            StepResult::Done,
            Ok(MigrationStep::Quiesce),
        ),
        (
            MigrationStep::Cancel,
            plenty,
            true,
            StepResult::Failed,
            Ok(MigrationStep::Quiesce),
        ),
        (
            MigrationStep::Quiesce,
            plenty,
            true,
            StepResult::Failed,
            Ok(FIRST),
        ),
        // Without time the step that waits for programs is skipped.
        (
            MigrationStep::Settle,
            Some(95),
            true,
            StepResult::Done,
            Ok(FIRST),
        ),
        // A snapshot is tried again while that fits.
        (FIRST, plenty, false, StepResult::Failed, Ok(again(1))),
        (again(1), plenty, false, StepResult::Failed, Ok(again(2))),
        (again(2), plenty, false, StepResult::Failed, Ok(again(3))),
        (again(1), Some(92), true, StepResult::Failed, Ok(from_last)),
        // With time for another migration no work is given up.
        (again(3), plenty, true, StepResult::Failed, Err(retried)),
        (again(3), unending, true, StepResult::Failed, Err(retried)),
        (again(3), plenty, false, StepResult::Failed, Err(retried)),
        // Without, an older snapshot is better than none, and an old sandbox better than that.
        (again(3), short, true, StepResult::Failed, Ok(from_last)),
        (again(3), short, false, StepResult::Failed, Err(over)),
        // A boot that fails leaves the session where it was.
        (
            MigrationStep::Boot(SuccessorOrigin::Now),
            plenty,
            true,
            StepResult::Failed,
            Err(retried),
        ),
        (
            MigrationStep::Boot(SuccessorOrigin::Now),
            unending,
            true,
            StepResult::Failed,
            Err(retried),
        ),
        (
            MigrationStep::Boot(SuccessorOrigin::Now),
            short,
            true,
            StepResult::Failed,
            Err(over),
        ),
        (from_last, short, true, StepResult::Failed, Err(over)),
        (
            MigrationStep::CutOver,
            plenty,
            true,
            StepResult::Failed,
            Err(retried),
        ),
        // A dead sandbox cannot be saved and cannot be resumed.
        (
            MigrationStep::Settle,
            plenty,
            true,
            StepResult::OldDied,
            Ok(from_last),
        ),
        (
            MigrationStep::Quiesce,
            plenty,
            false,
            StepResult::OldDied,
            Err(MigrationEnd::Stranded),
        ),
        (again(2), plenty, true, StepResult::OldDied, Ok(from_last)),
        (
            MigrationStep::Boot(SuccessorOrigin::Now),
            plenty,
            true,
            StepResult::OldDied,
            Err(MigrationEnd::Stranded),
        ),
    ];
    for (step, left, has_last_good, seen, expected) in table {
        let found = next(step, left, has_last_good, seen);
        assert_eq!(
            found, expected,
            "{step:?} {left:?} {has_last_good} {seen:?}"
        );
    }
}

#[test]
fn a_migration_without_its_lock_changes_nothing() {
    for step in [
        MigrationStep::Settle,
        MigrationStep::Cancel,
        MigrationStep::Quiesce,
        FIRST,
        MigrationStep::Boot(SuccessorOrigin::Now),
        MigrationStep::CutOver,
    ] {
        let lost = next(step, Some(300), true, StepResult::Unlocked);
        assert!(
            matches!(lost, Err(MigrationEnd::Resumed { .. })),
            "{step:?}: {lost:?}"
        );
        assert_eq!(
            next(step, None, true, StepResult::NotOurs),
            Err(MigrationEnd::LostSession)
        );
    }
}

#[test]
fn a_turn_that_was_cut_is_known_to_the_end() {
    let mut migration = at(MigrationStep::Cancel, None, false);
    while let Ok(after) = migration.after(StepResult::Done, now()) {
        migration = after;
        assert!(migration.is_cut, "{:?}", migration.step);
    }
}

#[test]
fn a_session_moves_five_minutes_before_its_sandbox_ends() {
    assert_eq!(due_at(in_(300)), now());
}
