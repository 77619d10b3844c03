//! How events get their places in the log: from the sequencer, or at once.

use std::{collections::BTreeSet, time::Duration};

use app::{
    audit,
    audit::verify::{Comparison, compare, verify},
};
use domain::{
    audit::Event,
    clock::Clock,
    id::OrganizationId,
    limits::{AUDIT_CHECKPOINT_EVENTS, AUDIT_PLACED_AT_ONCE_MIN, AUDIT_SEQUENCE_BATCH_MAX},
};
use testkit::{app::TestApp, database::Backend};
use tokio_util::sync::CancellationToken;

use crate::audit::{event, event_ids, exported, key, one_round, record, trust, verified};

testkit::on_both_databases!(
    events_get_gapless_places_in_batches,
    two_sequencers_at_once_lose_nothing,
    the_loop_places_and_signs,
    many_at_once_are_put_behind_those_that_wait,
    the_loop_signs_a_log_as_soon_as_it_has_grown,
    a_broken_log_keeps_no_other_waiting,
);

async fn events_get_gapless_places_in_batches(backend: Backend) {
    let test = TestApp::start(backend).await;
    let (ids, count) = (event_ids(&test), AUDIT_SEQUENCE_BATCH_MAX as usize + 7);
    let cases = [None, Some("CASE_A"), Some("CASE_B")];
    let events = (0..count)
        .map(|n| event(&ids, test.clock.now(), cases[n % 3]))
        .collect();
    record(&test, &test.acme, events).await;
    let theirs = event(&ids, test.clock.now(), Some("CASE_A"));
    record(&test, &test.other, vec![theirs]).await;

    let placed = audit::sequence(&test.app, &test.acme).await.unwrap();
    assert_eq!(placed, AUDIT_SEQUENCE_BATCH_MAX as usize);
    let first = audit::checkpoint(&test.app, &test.acme, 1).await.unwrap();
    let first = first.unwrap();
    assert_eq!(first.size, i64::from(AUDIT_SEQUENCE_BATCH_MAX));
    let (report, records) = verified(&test, &test.acme).await;
    assert_eq!((report.size, report.cases), (count as u64, 2));
    // Each line is canonical and in the order in which the events were made.
    let ids: Vec<_> = records
        .iter()
        .map(|r| r["event"]["event_id"].as_str())
        .collect();
    assert!(ids.is_sorted());
    // Once more changes nothing.
    assert_eq!(audit::sequence(&test.app, &test.acme).await.unwrap(), 0);
    assert_eq!(
        audit::checkpoint(&test.app, &test.acme, 1).await.unwrap(),
        None
    );
    let last = audit::sign_pending(&test.app, &test.acme)
        .await
        .unwrap()
        .unwrap();
    let compared = compare(&first.note, &last.note, &key(&test, &test.acme));
    assert_eq!(compared, Ok(Comparison::Older));
    let (theirs, _) = verified(&test, &test.other).await;
    assert_eq!(theirs.size, 1);
}

async fn two_sequencers_at_once_lose_nothing(backend: Backend) {
    let test = TestApp::start(backend).await;
    let beside = test.beside().await;
    let (ids, count) = (event_ids(&test), 40);
    for _ in 0..count {
        let event = event(&ids, test.clock.now(), Some("CASE_A"));
        record(&test, &test.acme, vec![event]).await;
        let (one, other) = tokio::join!(
            audit::sign_pending(&test.app, &test.acme),
            audit::sign_pending(&beside.app, &test.acme),
        );
        one.unwrap();
        other.unwrap();
    }
    // More than a batch has: the slower sequencer does not stop before all have their places.
    let more = 2 * u64::from(AUDIT_SEQUENCE_BATCH_MAX) + 1;
    let events = (0..more).map(|_| event(&ids, test.clock.now(), Some("CASE_A")));
    record(&test, &test.acme, events.collect()).await;
    let (one, other) = tokio::join!(
        audit::sign_pending(&test.app, &test.acme),
        audit::sign_pending(&beside.app, &test.acme),
    );
    let count = count + more;
    for settled in [one, other] {
        assert_eq!(settled.unwrap().unwrap().size.cast_unsigned(), count);
    }
    let (report, records) = verified(&test, &test.acme).await;
    assert_eq!(report.size, count);
    let distinct: BTreeSet<_> = records
        .iter()
        .map(|r| r["event"]["event_id"].as_str())
        .collect();
    assert_eq!(distinct.len() as u64, count);
}

async fn the_loop_places_and_signs(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    for organization_id in [&test.acme, &test.other] {
        let event = event(&ids, test.clock.now(), None);
        record(&test, organization_id, vec![event]).await;
    }
    one_round(&test).await;
    for organization_id in [&test.acme, &test.other] {
        let bytes = exported(&test, organization_id).await;
        let report = verify(&bytes[..], &trust(&test, organization_id), |_| {}).unwrap();
        assert_eq!(report.size, 1);
    }
}

async fn many_at_once_are_put_behind_those_that_wait(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    let events = |count: usize| {
        let event = || event(&ids, test.clock.now(), Some("CASE_A"));
        std::iter::repeat_with(event).take(count)
    };
    let (enough, few) = (AUDIT_PLACED_AT_ONCE_MIN, AUDIT_PLACED_AT_ONCE_MIN - 1);
    let backlog = AUDIT_SEQUENCE_BATCH_MAX as usize;
    let mut count = 0;
    // How many come, and how many wait then where one writes at a time; where many do, all of them wait.
    let steps = [
        (few, few),
        (enough, 0),
        (few, few),
        (backlog, 0),
        (few, few),
    ];
    for (come, wait) in steps {
        record_at_once(&test, events(come)).await;
        count += come;
        let all = backend == Backend::Postgres;
        let wait = if all { count } else { wait };
        assert_eq!(waiting(&test).await as usize, wait, "after {come}");
    }
    // More than the sequencer takes at once: it goes first.
    record(&test, &test.acme, events(backlog).collect()).await;
    let before = waiting(&test).await as usize;
    record_at_once(&test, events(enough)).await;
    assert_eq!(waiting(&test).await as usize, before + enough);
    let (report, records) = verified(&test, &test.acme).await;
    assert_eq!(report.size, (count + backlog + enough) as u64);
    let ids = records.iter().map(|r| r["event"]["event_id"].as_str());
    assert!(ids.is_sorted(), "in the order they came in");
}

async fn the_loop_signs_a_log_as_soon_as_it_has_grown(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    let stop = CancellationToken::new();
    let running = tokio::spawn(audit::run(test.app.clone(), stop.clone()));
    let events = || std::iter::repeat_with(|| event(&ids, test.clock.now(), None));
    // Its clock stands still: nothing is signed because a minute has passed.
    record_at_once(&test, events().take(AUDIT_PLACED_AT_ONCE_MIN)).await;
    let grown = usize::try_from(AUDIT_CHECKPOINT_EVENTS).unwrap();
    record_at_once(&test, events().take(grown)).await;
    let is_signed = async {
        while signed(&test, &test.acme).await < AUDIT_CHECKPOINT_EVENTS.cast_signed() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_mins(1), is_signed).await;
    assert!(in_time.is_ok());
    stop.cancel();
    running.await.unwrap();
    verified(&test, &test.acme).await;
}

async fn a_broken_log_keeps_no_other_waiting(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    record(&test, &test.acme, vec![event(&ids, test.clock.now(), None)]).await;
    one_round(&test).await;
    // An event that has its place waits again, and more often than a batch is long.
    let columns = "organization_id, event_id, action_type, outcome, created_at, event";
    let again =
        |table| format!("INSERT INTO audit_pending ({columns}) SELECT {columns} FROM {table}");
    test.database.execute(&again("audit_ledger")).await;
    while waiting(&test).await <= AUDIT_SEQUENCE_BATCH_MAX {
        test.database.execute(&again("audit_pending")).await;
    }
    let stuck = waiting(&test).await;
    for organization_id in [&test.other, &test.acme] {
        let event = event(&ids, test.clock.now(), None);
        record(&test, organization_id, vec![event]).await;
    }
    one_round(&test).await;
    assert_eq!(signed(&test, &test.other).await, 1);
    assert_eq!(signed(&test, &test.acme).await, 1, "nothing twice");
    assert_eq!(waiting(&test).await, stuck + 1, "and nothing lost");
}

/// How many events wait.
async fn waiting(test: &TestApp) -> u32 {
    let mut conn = test.app.db.read().await.unwrap();
    let waiting = store::audit_pending_list(&mut conn, None, 0, 1_000)
        .await
        .unwrap();
    u32::try_from(waiting.len()).unwrap()
}

/// How many records of the log are signed, as its last checkpoint says.
async fn signed(test: &TestApp, organization_id: &OrganizationId) -> i64 {
    let mut conn = test.app.db.read().await.unwrap();
    let last = store::audit_checkpoint_last(&mut conn, organization_id)
        .await
        .unwrap();
    last.map_or(0, |checkpoint| checkpoint.size)
}

/// Records events as those of calls that are committed together are.
async fn record_at_once(test: &TestApp, events: impl Iterator<Item = Event>) {
    let prepared = events.map(|event| audit::prepare(event, &test.acme, None).unwrap());
    let mut tx = test.app.db.write().await.unwrap();
    let grown = audit::record_batch(&mut tx, prepared.collect()).await;
    tx.commit().await.unwrap();
    grown.unwrap().committed(&test.app);
}
