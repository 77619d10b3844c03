//! The audit log's tables: an event lives or dies with its change, has one place, and stays.

use domain::{
    audit::Trail,
    id::{OrganizationId, SessionId},
    merkle::Subtree,
    page::PageRequest,
    policy::CaseId,
    role::Role,
};
use store::{
    AuditCheckpoint, AuditFilter, AuditPosition, Db, Error, NewAuditEvent, PendingAuditEvent,
    TrailPosition,
};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};
use uuid::Uuid;

testkit::on_both_databases!(
    an_event_waits_gets_its_place_and_is_listed,
    an_event_and_its_change_are_one,
    case_51_what_is_written_stays_written,
    case_51_an_event_is_not_lost_on_the_way_to_its_place,
    two_sequencers_cannot_take_the_same_place,
    no_deletion_reaches_the_log,
    what_can_be_asked_of_an_older_log_is_the_same,
);

pub(crate) fn organization(name: &str) -> OrganizationId {
    OrganizationId::new(name).unwrap()
}

fn event(fixture: &Fixture, organization_id: &OrganizationId, case: Option<&str>) -> NewAuditEvent {
    fixture.clock.advance(std::time::Duration::from_millis(1));
    let id = SessionId::generate(fixture.now(), &fixture.entropy).uuid();
    NewAuditEvent {
        id,
        organization_id: organization_id.clone(),
        case_id: case.map(|id| CaseId::new(id).unwrap()),
        session_id: None,
        run_id: None,
        actor_id: Some("agent-1".into()),
        action_type: "system".into(),
        outcome: "success".into(),
        event: format!("{{\"event_id\":\"{id}\"}}"),
        created_at: fixture.now(),
    }
}

async fn insert(db: &Db, event: &NewAuditEvent) {
    let mut tx = db.write().await.unwrap();
    store::audit_event_insert(&mut tx, event).await.unwrap();
    tx.commit().await.unwrap();
}

/// Events that wait, in the order they came in.
async fn waiting(db: &Db, organization_id: &OrganizationId) -> Vec<PendingAuditEvent> {
    let mut conn = db.read().await.unwrap();
    let listed = store::audit_pending_list(&mut conn, Some(organization_id), 0, 10).await;
    listed.unwrap()
}

/// The event's place in the log, and the one in its case's trail if it has a case.
fn place(seq: i64, event: &PendingAuditEvent, case_seq: i64) -> AuditPosition {
    let hash = |digit: &str| digit.repeat(64);
    AuditPosition {
        arrival: Some(event.arrival),
        event: event.event.clone(),
        seq,
        prev: hash("0"),
        case: event.event.case_id.as_ref().map(|_| TrailPosition {
            seq: case_seq,
            prev: hash("1"),
        }),
        session: None,
        clock_regression: false,
        leaf: hash("2"),
    }
}

async fn put(db: &Db, places: &[AuditPosition]) -> Result<(), Error> {
    let mut tx = db.write().await?;
    store::audit_position_insert_all(&mut tx, places).await?;
    tx.commit().await
}

async fn an_event_waits_gets_its_place_and_is_listed(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, other) = (organization("acme"), organization("other"));
    let (first, second) = (
        event(&fixture, &acme, None),
        event(&fixture, &acme, Some("CASE_1")),
    );
    let theirs = event(&fixture, &other, Some("CASE_1"));
    for event in [&first, &theirs, &second] {
        insert(&test.db, event).await;
    }
    let mut conn = test.db.read().await.unwrap();
    let pending = waiting(&test.db, &acme).await;
    let ids: Vec<_> = pending.iter().map(|event| event.event.id).collect();
    assert_eq!(ids, [first.id, second.id]);
    // Of all organizations, and from one on.
    let all = store::audit_pending_list(&mut conn, None, 0, 10)
        .await
        .unwrap();
    let ids: Vec<_> = all.iter().map(|event| event.event.id).collect();
    assert_eq!(ids, [first.id, theirs.id, second.id]);
    let arrival = all[0].arrival;
    let later = store::audit_pending_list(&mut conn, None, arrival, 1)
        .await
        .unwrap();
    assert_eq!(later, all[1..2]);
    assert_eq!(store::audit_end(&mut conn, &acme).await.unwrap(), None);

    let places = [place(0, &pending[0], 0), place(1, &pending[1], 0)];
    put(&test.db, &places).await.unwrap();

    assert_eq!(waiting(&test.db, &acme).await, []);
    let left = store::audit_pending_list(&mut conn, None, 0, 10)
        .await
        .unwrap();
    assert_eq!(left, all[1..2], "between them came another's, and stays");
    let logs = store::audit_organization_next(&mut conn, None)
        .await
        .unwrap();
    assert_eq!(logs, Some(acme.clone()));
    let more = store::audit_organization_next(&mut conn, Some(&acme))
        .await
        .unwrap();
    assert_eq!(more, None);
    let leaves = store::audit_leaf_list(&mut conn, &acme, 0, 10)
        .await
        .unwrap();
    let numbers: Vec<_> = leaves.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(numbers, [0, 1]);
    assert_eq!(
        store::audit_end(&mut conn, &acme)
            .await
            .unwrap()
            .unwrap()
            .seq,
        1
    );
    let trail = Trail::Case(CaseId::new("CASE_1").unwrap());
    let end = store::audit_end_of_trail(&mut conn, &acme, &trail)
        .await
        .unwrap();
    assert_eq!(end.unwrap().seq, 0);
    let end = store::audit_end_of_trail(&mut conn, &other, &trail)
        .await
        .unwrap();
    assert_eq!(end, None);
    let records = store::audit_record_list(&mut conn, &acme, 0, 10)
        .await
        .unwrap();
    let found: Vec<_> = records.iter().map(|r| (r.seq, &r.event)).collect();
    assert_eq!(found, [(0, &first.event), (1, &second.event)]);
    assert_eq!(
        store::audit_record_list(&mut conn, &acme, 1, 10)
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        store::audit_record_list(&mut conn, &other, 0, 10)
            .await
            .unwrap(),
        []
    );
    let filter = AuditFilter {
        case_id: Some(CaseId::new("CASE_1").unwrap()),
        ..AuditFilter::default()
    };
    let page = PageRequest {
        before: None,
        limit: 10,
    };
    let page = store::audit_record_page(&mut conn, &acme, &filter, page)
        .await
        .unwrap();
    assert_eq!(page.items, [records[1].clone()]);
}

async fn an_event_and_its_change_are_one(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&acme);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::audit_event_insert(&mut tx, &event(&fixture, &acme, None))
        .await
        .unwrap();
    drop(tx);
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::session_fetch(&mut conn, &acme, session.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(waiting(&test.db, &acme).await, []);
}

/// One event with its place and a checkpoint.
pub(crate) async fn a_log_of_one(test: &TestDatabase, fixture: &Fixture, acme: &OrganizationId) {
    let event = event(fixture, acme, None);
    insert(&test.db, &event).await;
    let pending = waiting(&test.db, acme).await;
    let mut tx = test.db.write().await.unwrap();
    store::audit_position_insert_all(&mut tx, &[place(0, &pending[0], 0)])
        .await
        .unwrap();
    let checkpoint = AuditCheckpoint {
        size: 1,
        root: "2".repeat(64),
        frontier: "2".repeat(64),
        note: "a note".into(),
        created_at: fixture.now(),
    };
    store::audit_checkpoint_insert(&mut tx, acme, &checkpoint)
        .await
        .unwrap();
    let node = Subtree {
        height: 8,
        index: 0,
    };
    let nodes = [(node, "2".repeat(64))];
    store::audit_node_insert_all(&mut tx, acme, &nodes)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn case_51_what_is_written_stays_written(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let acme = organization("acme");
    a_log_of_one(&test, &fixture, &acme).await;
    insert(&test.db, &event(&fixture, &acme, None)).await;
    let tables = [
        "audit_pending",
        "audit_ledger",
        "audit_checkpoints",
        "audit_nodes",
    ];
    for table in tables {
        let mut statements = vec![
            format!("UPDATE {table} SET organization_id = 'other'"),
            format!("DELETE FROM {table}"),
        ];
        if backend == Backend::Postgres {
            statements.push(format!("TRUNCATE {table}"));
        }
        for sql in statements {
            let error = test.try_execute(&sql).await.unwrap_err();
            let error = error.to_string();
            assert!(error.contains("append-only"), "{sql}: {error}");
        }
    }
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::audit_record_list(&mut conn, &acme, 0, 10)
            .await
            .unwrap()
            .len(),
        1
    );
    let checkpoint = store::audit_checkpoint_last(&mut conn, &acme)
        .await
        .unwrap();
    assert_eq!(checkpoint.unwrap().note, "a note");
    assert_eq!(waiting(&test.db, &acme).await.len(), 1);
}

/// What waits is removed where the log has it, and only if it has the same words.
async fn case_51_an_event_is_not_lost_on_the_way_to_its_place(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let acme = organization("acme");
    insert(&test.db, &event(&fixture, &acme, None)).await;
    let pending = waiting(&test.db, &acme).await;
    let mut changed = pending[0].clone();
    changed.event.event = changed.event.event.replace("event_id", "other_id");
    let refused = put(&test.db, &[place(0, &changed, 0)]).await.unwrap_err();
    assert!(!matches!(refused, Error::Conflict { .. }), "{refused:?}");
    assert_eq!(waiting(&test.db, &acme).await, pending);
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::audit_record_list(&mut conn, &acme, 0, 10)
            .await
            .unwrap(),
        []
    );
    put(&test.db, &[place(0, &pending[0], 0)]).await.unwrap();
    assert_eq!(waiting(&test.db, &acme).await, []);
}

async fn two_sequencers_cannot_take_the_same_place(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let acme = organization("acme");
    for _ in 0..2 {
        insert(&test.db, &event(&fixture, &acme, None)).await;
    }
    let pending = waiting(&test.db, &acme).await;
    let again = test.open_again().await;
    let (first, second) = ([place(0, &pending[0], 0)], [place(0, &pending[1], 0)]);
    let outcomes = tokio::join!(put(&test.db, &first), put(&again.db, &second));
    let (left, lost) = match outcomes {
        (Ok(()), Err(error)) => (&pending[1], error),
        (Err(error), Ok(())) => (&pending[0], error),
        both => panic!("one place, one winner: {both:?}"),
    };
    assert!(matches!(lost, Error::Conflict { .. }), "{lost:?}");
    let waits = waiting(&test.db, &acme).await;
    assert_eq!(waits, std::slice::from_ref(left), "the loser's still waits");
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::audit_record_list(&mut conn, &acme, 0, 10)
            .await
            .unwrap()
            .len(),
        1
    );

    // And no second place for the winner's.
    let won = pending.iter().find(|event| *event != left).unwrap();
    let error = put(&test.db, &[place(1, won, 0)]).await.unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error:?}");
}

async fn no_deletion_reaches_the_log(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    a_log_of_one(&test, &fixture, &acme).await;
    insert(&test.db, &event(&fixture, &acme, None)).await;
    test.execute("DELETE FROM organization").await;
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::organization_fetch(&mut conn, &acme).await.unwrap(),
        None
    );
    assert_eq!(
        store::audit_record_list(&mut conn, &acme, 0, 10)
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(waiting(&test.db, &acme).await.len(), 1);
    assert!(
        store::audit_checkpoint_last(&mut conn, &acme)
            .await
            .unwrap()
            .is_some()
    );
}

/// Since version 20 what can be asked of records stands with their places, since 21 their events do; before both stood
/// in a table of their own.
async fn what_can_be_asked_of_an_older_log_is_the_same(backend: Backend) {
    let test = TestDatabase::create_empty(backend).await;
    test.db.migrate_to(19).await.unwrap();
    let (first, second, third) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
    test.execute(&placed_before(backend, 0, first, "allow", "'run-1'"))
        .await;
    test.execute(&placed_before(backend, 1, second, "deny", "NULL"))
        .await;
    let waits = Uuid::from_u128(4);
    test.execute(&recorded_before(backend, waits, 7, "allow", "NULL"))
        .await;
    test.db.migrate().await.unwrap();
    let pending = waiting(&test.db, &organization("acme")).await;
    let found: Vec<_> = pending.iter().map(|event| event.event.id).collect();
    assert_eq!(found, [waits], "what waited still does");
    assert_eq!(pending[0].event.event, r#"{"actor":"agent-7"}"#);
    // Of several instances one may be of before for a while; a file has one process, which is not.
    let late = placed_before(backend, 2, third, "failure", "'run-1'");
    let late = test.try_execute(&late).await.is_ok();
    assert_eq!(late, backend == Backend::Postgres);
    let with_late = |mut ids: Vec<Uuid>| {
        if late {
            ids.insert(0, third);
        }
        ids
    };
    let acme = organization("acme");
    let mut conn = test.db.read().await.unwrap();
    let all = AuditFilter::default();
    let asked = [
        (all.clone(), with_late(vec![second, first])),
        (
            AuditFilter {
                outcome: Some("deny"),
                ..all.clone()
            },
            vec![second],
        ),
        (
            AuditFilter {
                actor_id: Some("agent-0".to_owned()),
                action_type: Some("tool_call"),
                ..all.clone()
            },
            vec![first],
        ),
        (
            AuditFilter {
                run_id: Some("run-1".to_owned()),
                ..all.clone()
            },
            with_late(vec![first]),
        ),
        (
            AuditFilter {
                case_id: Some(CaseId::new("CASE_1").unwrap()),
                outcome: Some("allow"),
                ..all
            },
            vec![first],
        ),
    ];
    for (filter, expected) in asked {
        let page = store::audit_record_page(
            &mut conn,
            &acme,
            &filter,
            PageRequest::new(None, None).unwrap(),
        )
        .await
        .unwrap();
        let found: Vec<_> = page.items.iter().map(|record| record.event_id).collect();
        assert_eq!(found, expected, "{filter:?}");
    }
    let records = store::audit_record_list(&mut conn, &acme, 0, 1)
        .await
        .unwrap();
    assert_eq!(records[0].event, r#"{"actor":"agent-0"}"#);
    if late {
        // It goes on with what waits, too.
        test.execute(&place_before(3, waits)).await;
        assert_eq!(waiting(&test.db, &acme).await, []);
        let records = store::audit_record_list(&mut conn, &acme, 3, 1)
            .await
            .unwrap();
        assert_eq!(records[0].event, pending[0].event.event);
    }
    let end = store::audit_end(&mut conn, &acme).await.unwrap().unwrap();
    let last = if late { 3 } else { 1 };
    assert_eq!((end.seq, end.leaf), (last, format!("leaf-{last}")));
    for sql in [
        "UPDATE audit_ledger SET outcome = 'allow'",
        "DELETE FROM audit_ledger",
    ] {
        assert!(test.try_execute(sql).await.is_err(), "{sql}");
    }
}

/// What version 19 writes down of an event and its place.
fn placed_before(backend: Backend, seq: i64, id: Uuid, outcome: &str, run: &str) -> String {
    let recorded = recorded_before(backend, id, seq, outcome, run);
    format!("{recorded}; {}", place_before(seq, id))
}

fn recorded_before(backend: Backend, id: Uuid, agent: i64, outcome: &str, run: &str) -> String {
    let at = match backend {
        Backend::Sqlite => "0",
        Backend::Postgres => "to_timestamp(0)",
    };
    let session = Uuid::from_u128(9);
    format!(
        "INSERT INTO audit_events (id, organization_id, case_id, session_id, run_id, actor_id, action_type, outcome,
            event, created_at) VALUES ('{id}', 'acme', 'CASE_1', '{session}', {run}, 'agent-{agent}', 'tool_call',
            '{outcome}', '{{\"actor\":\"agent-{agent}\"}}', {at})"
    )
}

fn place_before(seq: i64, id: Uuid) -> String {
    let (zero, session) = ("0".repeat(64), Uuid::from_u128(9));
    format!(
        "INSERT INTO audit_ledger (organization_id, seq, event_id, prev, case_id, case_seq, case_prev, session_id,
            session_seq, session_prev, clock_regression, leaf) VALUES ('acme', {seq}, '{id}', '{zero}', 'CASE_1', {seq},
            '{zero}', '{session}', {seq}, '{zero}', FALSE, 'leaf-{seq}');
         DELETE FROM audit_pending WHERE organization_id = 'acme' AND event_id IN
            (SELECT event_id FROM audit_ledger WHERE organization_id = 'acme' AND seq >= {seq})"
    )
}
