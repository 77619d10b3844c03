//! The audit log from an event to a verified file.

use std::time::Duration;

use app::{
    access, api_keys, audit,
    audit::{
        EventIds,
        bundle::{ArtifactInclusion, Bundle, BundleScope},
        verify::{TrustAnchor, VerificationReport, VerifierKey, verify},
    },
    integrations, organizations, secrets,
};
use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText, Trail},
    clock::{Clock, Timestamp},
    id::{InstanceId, OrganizationId},
    policy::{CaseId, FilePin, PolicyVersions, RoleClass},
    secret::SecretScope,
};
use serde_json::Value;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};
use tokio_util::sync::CancellationToken;

testkit::on_both_databases!(
    what_people_do_is_recorded_and_verifies,
    case_55_a_clock_set_back_keeps_the_order,
    case_49_a_change_past_the_triggers_is_found,
    a_quiet_log_gives_a_sign_of_life_every_hour,
    case_59_what_is_deleted_elsewhere_leaves_the_log_whole,
    events_of_a_session_have_their_own_trail,
    a_rollback_records_nothing,
);

pub(crate) fn event_ids(test: &TestApp) -> EventIds {
    EventIds::new(InstanceId::generate(
        test.clock.now(),
        &test.fixture.entropy,
    ))
}

pub(crate) fn event(ids: &EventIds, at: Timestamp, case: Option<&str>) -> Event {
    let pin = FilePin::of(b"policy", None);
    let actor = Actor {
        class: RoleClass::Agent,
        id: SafeText::new("actor_id", "agent-1").unwrap(),
    };
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let (action, outcome) = (ActionType::ToolCall, Outcome::Success);
    Event {
        case_id: case.map(|case| CaseId::new(case).unwrap()),
        ..Event::new(ids.next(at), at, action, outcome, actor, versions)
    }
}

pub(crate) async fn record(test: &TestApp, organization_id: &OrganizationId, events: Vec<Event>) {
    let mut tx = test.app.db.write().await.unwrap();
    for event in events {
        audit::record(&mut tx, event, organization_id, None)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

pub(crate) async fn exported(test: &TestApp, organization_id: &OrganizationId) -> Vec<u8> {
    exported_scope(test, organization_id, BundleScope::Log).await
}

async fn exported_scope(
    test: &TestApp,
    organization_id: &OrganizationId,
    scope: BundleScope,
) -> Vec<u8> {
    let bundle = Bundle::open(
        &test.app,
        organization_id,
        scope,
        ArtifactInclusion::Include,
    );
    let mut bundle = bundle.await.unwrap();
    let mut bytes = Vec::new();
    while let Some(page) = bundle.next_page().await.unwrap() {
        bytes.extend(page);
    }
    bytes
}

pub(crate) fn key(test: &TestApp, organization_id: &OrganizationId) -> VerifierKey {
    let key = audit::SigningKey::of(&test.app.keyring, organization_id).unwrap();
    key.verifier_key().parse().unwrap()
}

pub(crate) fn trust(test: &TestApp, organization_id: &OrganizationId) -> TrustAnchor {
    TrustAnchor {
        key: key(test, organization_id),
        from: None,
    }
}

pub(crate) async fn verified(
    test: &TestApp,
    organization_id: &OrganizationId,
) -> (VerificationReport, Vec<Value>) {
    audit::sign_pending(&test.app, organization_id)
        .await
        .unwrap();
    let bytes = exported(test, organization_id).await;
    let report = verify(&bytes[..], &trust(test, organization_id), |_| {}).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n').skip(1);
    let records = lines
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .filter(|line: &Value| line.get("event").is_some());
    (report, records.collect())
}

async fn owner(test: &TestApp) -> access::Person {
    let user_id = Person::Owner.user_id();
    let caller = organizations::member_caller(&test.app, Some(&test.acme), &user_id);
    access::Person::of(&caller.await.unwrap()).unwrap()
}

async fn what_people_do_is_recorded_and_verifies(backend: Backend) {
    let test = TestApp::start(backend).await;
    let (app, person) = (&test.app, owner(&test).await);
    let admin = person.admin().unwrap();
    let new = secrets::NewSecret {
        scope: SecretScope::Organization,
        key: "TOKEN_OF_MINE".into(),
        value: "a hidden value".to_owned().into(),
        description: Some("words of a person".into()),
    };
    let secret = secrets::create(app, &person, new).await.unwrap();
    let change = secrets::SecretChange {
        value: Some("another value".to_owned().into()),
        description: None,
    };
    secrets::update(app, &person, secret.id, change)
        .await
        .unwrap();
    secrets::delete(app, &person, secret.id).await.unwrap();
    let skip = secrets::OnExisting::Skip;
    secrets::import(app, &person, SecretScope::Organization, "A=1\nB=2\n", skip)
        .await
        .unwrap();
    let new = integrations::NewIntegration {
        service: "linear".into(),
        display_name: None,
        credentials: integrations::NewCredentials::Token("a hidden token".into()),
        scopes: vec![],
    };
    let integration = integrations::create(app, &admin, new).await.unwrap();
    let change = integrations::IntegrationChange {
        display_name: Some("words of a person".into()),
        token: None,
        status: None,
    };
    integrations::update(app, &admin, integration.id, change)
        .await
        .unwrap();
    integrations::delete(app, &person, integration.id)
        .await
        .unwrap();
    let (api_key, _) = api_keys::create(app, &person, "words", None).await.unwrap();
    api_keys::revoke(app, &person, api_key.id).await.unwrap();
    // Nothing happens the second time, and nothing is recorded.
    api_keys::revoke(app, &person, api_key.id).await.unwrap();
    let path = "/proliferate/sessions";
    let created = test.owner().post(path, serde_json::json!({})).await;
    let id = created.expect(201)["sessionId"].clone();
    let path = format!("/v1/sessions/{}", id.as_str().unwrap());
    for _ in 0..2 {
        test.owner().delete(&path).await.expect(200);
    }

    let (report, records) = verified(&test, &test.acme).await;
    let operations: Vec<_> = records
        .iter()
        .map(|record| record["event"]["target"]["operation"].as_str().unwrap())
        .collect();
    let expected = [
        "secret_create",
        "secret_update",
        "secret_delete",
        "secret_import",
        "integration_create",
        "integration_update",
        "integration_delete",
        "api_key_create",
        "api_key_revoke",
        "session_create",
        "session_stop",
    ];
    assert_eq!(operations, expected);
    assert_eq!(report.size, expected.len() as u64);
    for record in &records {
        assert_eq!(record["event"]["actor"]["actor_type"], "human");
        assert_eq!(record["event"]["actor"]["actor_id"], "user_acme_owner");
        let text = record.to_string();
        for word in ["hidden", "TOKEN_OF_MINE", "words", "another"] {
            assert!(!text.contains(word), "{text}");
        }
    }
    let target = &records[0]["event"]["target"];
    assert_eq!(target["name"], format!("secret/{}", secret.id));
    assert_eq!(target["target_type"], "system");
    // The other organization has no log at all.
    let nothing = Bundle::open(
        app,
        &test.other,
        BundleScope::Log,
        ArtifactInclusion::Digests,
    );
    assert!(nothing.await.is_err());
}

async fn case_55_a_clock_set_back_keeps_the_order(backend: Backend) {
    let test = TestApp::start(backend).await;
    let (ids, now) = (event_ids(&test), test.clock.now());
    let hour = Duration::from_hours(1);
    for at in [now, now.plus(hour), now, now.plus(hour * 2)] {
        record(&test, &test.acme, vec![event(&ids, at, None)]).await;
        audit::sequence(&test.app, &test.acme).await.unwrap();
    }
    let (report, records) = verified(&test, &test.acme).await;
    let numbers: Vec<_> = records.iter().map(|r| r["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    assert_eq!(report.out_of_time, 1, "the record of the clock set back");
}

async fn case_49_a_change_past_the_triggers_is_found(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    let events = (0..5).map(|_| event(&ids, test.clock.now(), None));
    record(&test, &test.acme, events.collect()).await;
    verified(&test, &test.acme).await;
    let drop = match backend {
        Backend::Sqlite => "DROP TRIGGER audit_ledger_no_update",
        Backend::Postgres => "DROP TRIGGER audit_ledger_append_only ON audit_ledger",
    };
    let change =
        "UPDATE audit_ledger SET event = replace(event, 'success', 'failure') WHERE seq = 2";
    for sql in [drop, change] {
        test.database.execute(sql).await;
    }
    let bytes = exported(&test, &test.acme).await;
    let error = verify(&bytes[..], &trust(&test, &test.acme), |_| {}).unwrap_err();
    let audit::verify::Error::Bad(fault) = error else {
        panic!("{error}")
    };
    assert_eq!((fault.line, fault.seq), (4, Some(2)), "{fault}");
}

/// Stopped before it began: it still finishes what is there.
pub(crate) async fn one_round(test: &TestApp) {
    let stop = CancellationToken::new();
    stop.cancel();
    audit::run(test.app.clone(), stop).await;
}

async fn a_quiet_log_gives_a_sign_of_life_every_hour(backend: Backend) {
    let test = TestApp::start(backend).await;
    let ids = event_ids(&test);
    record(&test, &test.acme, vec![event(&ids, test.clock.now(), None)]).await;
    let hours = [59, 60, 61, 119, 120, 121, 500];
    let mut at = 0;
    for minutes in hours {
        test.clock.advance(Duration::from_mins(minutes - at));
        at = minutes;
        one_round(&test).await;
    }
    let (_, records) = verified(&test, &test.acme).await;
    let operations: Vec<_> = { records.iter() }
        .map(|record| record["event"]["target"]["operation"].as_str())
        .collect();
    let beat = Some("audit_heartbeat");
    assert_eq!(operations, [None, beat, beat, beat]);
    assert_eq!(records[1]["event"]["actor"]["actor_id"], "sequencer");
    // An organization without a log has nothing to be silent about.
    let log = Bundle::open(
        &test.app,
        &test.other,
        BundleScope::Log,
        ArtifactInclusion::Digests,
    );
    assert!(log.await.is_err());
}

async fn case_59_what_is_deleted_elsewhere_leaves_the_log_whole(backend: Backend) {
    let test = TestApp::start(backend).await;
    let created = test
        .owner()
        .post("/proliferate/sessions", serde_json::json!({}));
    created.await.expect(201);
    let ids = event_ids(&test);
    let events = (0..3).map(|_| event(&ids, test.clock.now(), Some("CASE_A")));
    record(&test, &test.acme, events.collect()).await;
    let (before, _) = verified(&test, &test.acme).await;
    test.database.execute("DELETE FROM organization").await;
    let (after, _) = verified(&test, &test.acme).await;
    assert_eq!((before.size, after), (4, before));
}

async fn events_of_a_session_have_their_own_trail(backend: Backend) {
    let test = TestApp::start(backend).await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let created = test
            .owner()
            .post("/proliferate/sessions", serde_json::json!({}));
        let id = created.await.expect(201)["sessionId"]
            .as_str()
            .unwrap()
            .to_owned();
        sessions.push(id);
    }
    for id in &sessions {
        test.owner()
            .delete(&format!("/v1/sessions/{id}"))
            .await
            .expect(200);
    }
    let (report, records) = verified(&test, &test.acme).await;
    assert_eq!((report.records, report.sessions), (4, 2));
    let of_first: Vec<_> = records
        .iter()
        .filter(|r| r["session_id"] == *sessions[0])
        .collect();
    let places: Vec<_> = of_first
        .iter()
        .map(|r| r["session_seq"].as_u64().unwrap())
        .collect();
    assert_eq!(places, [0, 1]);
    let trail = Trail::Session(sessions[0].parse().unwrap());
    let scope = BundleScope::Trail(trail);
    let bytes = exported_scope(&test, &test.acme, scope).await;
    let report = verify(&bytes[..], &trust(&test, &test.acme), |_| {}).unwrap();
    assert_eq!((report.records, report.size), (2, 4));
    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains(&sessions[1]), "nothing of the other session");
}

async fn a_rollback_records_nothing(backend: Backend) {
    let test = TestApp::start(backend).await;
    let person = owner(&test).await;
    let mut tx = test.app.db.write().await.unwrap();
    audit::record_operation(&mut tx, &test.app, &person, "secret_create", None)
        .await
        .unwrap();
    drop(tx);
    let settled = audit::sign_pending(&test.app, person.organization_id()).await;
    assert_eq!(settled.unwrap(), None);
}
