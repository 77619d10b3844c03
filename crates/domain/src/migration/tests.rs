//! Every step of a migration with every result.

use super::*;

const FIRST: Step = Step::Snapshot {
    after: Duration::ZERO,
    tried: 0,
};

fn now() -> Timestamp {
    Timestamp::from_micros(1_000_000_000).unwrap()
}

fn in_(seconds: u64) -> Timestamp {
    now().plus(Duration::from_secs(seconds))
}

fn at(step: Step, left: Option<u64>, has_last_good: bool) -> Migration {
    Migration {
        step,
        ..Migration::begin(left.map(in_), has_last_good)
    }
}

fn next(step: Step, left: Option<u64>, has_last_good: bool, seen: Seen) -> Result<Step, End> {
    let after = at(step, left, has_last_good).after(seen, now());
    after.map(|migration| migration.step)
}

fn again(tried: usize) -> Step {
    Step::Snapshot {
        after: MIGRATION_SNAPSHOT_PAUSES[tried - 1],
        tried,
    }
}

#[test]
fn when_all_goes_well_each_step_follows_the_one_before() {
    let mut migration = Migration::begin(Some(in_(300)), false);
    let mut steps = vec![migration.step];
    let end = loop {
        match migration.after(Seen::Done, now()) {
            Ok(after) => migration = after,
            Err(end) => break end,
        }
        steps.push(migration.step);
    };
    let expected = [
        Step::Settle,
        Step::Quiesce,
        FIRST,
        Step::Boot(From::Now),
        Step::CutOver,
    ];
    assert_eq!((steps.as_slice(), end), (&expected[..], End::Completed));
    assert!(!migration.is_cut);
}

/// Every step with every result, with much time and with little.
#[test]
fn what_follows_from_what_is_seen() {
    let retried = End::Resumed {
        retry_at: Some(now().plus(MIGRATION_RETRY_AFTER)),
    };
    let over = End::Resumed { retry_at: None };
    let from_last = Step::Boot(From::LastGood);
    let (plenty, short, unending) = (Some(300), Some(120), None);
    let table = [
        // An agent that does not end its turn is stopped; the migration continues whether it
        // confirms or not.
        (Step::Settle, plenty, true, Seen::Failed, Ok(Step::Cancel)),
        (Step::Cancel, plenty, true, Seen::Done, Ok(Step::Quiesce)),
        (Step::Cancel, plenty, true, Seen::Failed, Ok(Step::Quiesce)),
        (Step::Quiesce, plenty, true, Seen::Failed, Ok(FIRST)),
        // Without time the step that waits for programs is skipped.
        (Step::Settle, Some(95), true, Seen::Done, Ok(FIRST)),
        // A snapshot is tried again while that fits.
        (FIRST, plenty, false, Seen::Failed, Ok(again(1))),
        (again(1), plenty, false, Seen::Failed, Ok(again(2))),
        (again(2), plenty, false, Seen::Failed, Ok(again(3))),
        (again(1), Some(92), true, Seen::Failed, Ok(from_last)),
        // With time for another migration no work is given up.
        (again(3), plenty, true, Seen::Failed, Err(retried)),
        (again(3), unending, true, Seen::Failed, Err(retried)),
        (again(3), plenty, false, Seen::Failed, Err(retried)),
        // Without, an older snapshot is better than none, and an old sandbox better than that.
        (again(3), short, true, Seen::Failed, Ok(from_last)),
        (again(3), short, false, Seen::Failed, Err(over)),
        // A boot that fails leaves the session where it was.
        (
            Step::Boot(From::Now),
            plenty,
            true,
            Seen::Failed,
            Err(retried),
        ),
        (
            Step::Boot(From::Now),
            unending,
            true,
            Seen::Failed,
            Err(retried),
        ),
        (Step::Boot(From::Now), short, true, Seen::Failed, Err(over)),
        (from_last, short, true, Seen::Failed, Err(over)),
        (Step::CutOver, plenty, true, Seen::Failed, Err(retried)),
        // A dead sandbox cannot be saved and cannot be resumed.
        (Step::Settle, plenty, true, Seen::OldDied, Ok(from_last)),
        (
            Step::Quiesce,
            plenty,
            false,
            Seen::OldDied,
            Err(End::Stranded),
        ),
        (again(2), plenty, true, Seen::OldDied, Ok(from_last)),
        (
            Step::Boot(From::Now),
            plenty,
            true,
            Seen::OldDied,
            Err(End::Stranded),
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
        Step::Settle,
        Step::Cancel,
        Step::Quiesce,
        FIRST,
        Step::Boot(From::Now),
        Step::CutOver,
    ] {
        let lost = next(step, Some(300), true, Seen::Unlocked);
        assert!(
            matches!(lost, Err(End::Resumed { .. })),
            "{step:?}: {lost:?}"
        );
        assert_eq!(next(step, None, true, Seen::NotOurs), Err(End::LetGo));
    }
}

#[test]
fn a_turn_that_was_cut_is_known_to_the_end() {
    let mut migration = at(Step::Cancel, None, false);
    while let Ok(after) = migration.after(Seen::Done, now()) {
        migration = after;
        assert!(migration.is_cut, "{:?}", migration.step);
    }
}

#[test]
fn a_session_moves_five_minutes_before_its_sandbox_ends() {
    assert_eq!(due_at(in_(300)), now());
}
