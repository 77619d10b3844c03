//! The audit log over HTTP: who may look, what is found, and that what is given out verifies offline.

use app::audit::{
    self,
    verify::{TrustAnchor, VerificationReport, verify},
};
use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    case::{Case, CaseMember},
    clock::Clock as _,
    id::{OrganizationId, SessionId},
    merkle::{Hash, leaf_hash, verify_consistency, verify_inclusion},
    policy::{CaseId, FilePin, PolicyVersions, RoleClass},
};
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp},
    database::Backend,
};

testkit::on_both_databases!(
    filters_narrow_a_list_together,
    pages_neither_repeat_nor_skip,
    a_member_sees_their_case_and_nothing_else,
    checkpoints_and_proofs_verify,
    a_bundle_verifies_offline_and_is_recorded,
    case_58_a_bundle_of_one_case_has_no_byte_of_another,
    case_57_calls_without_a_caller_do_not_make_the_log_grow,
);

const EVENTS: &str = "/v1/audit/events";

fn event(app: &TestApp, ids: &audit::EventIds, number: usize, case: Option<&str>) -> Event {
    let pin = FilePin::of(b"policy", None);
    let actor = Actor {
        class: RoleClass::Agent,
        id: SafeText::new("actor_id", format!("agent-{}", number % 2)).unwrap(),
    };
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let outcomes = [Outcome::Allow, Outcome::Deny, Outcome::Success];
    let (action, outcome) = match number % 2 {
        0 => (ActionType::AuthzDecision, outcomes[number % 2]),
        _ => (ActionType::ToolCall, outcomes[2]),
    };
    let at = app.clock.now();
    let mut event = Event::new(ids.next(at), at, action, outcome, actor, versions);
    event.case_id = case.map(|case| CaseId::new(case).unwrap());
    event.run_id = Some(SafeText::new("run_id", format!("run-{}", number / 2)).unwrap());
    event
}

/// Twelve events a minute apart: those of `CASE_A` and `CASE_B` in turn, every third in the session.
async fn recorded(app: &TestApp, organization_id: &OrganizationId) -> SessionId {
    let session_id = SessionId::generate(app.clock.now(), &app.fixture.entropy);
    let instance = domain::id::InstanceId::generate(app.clock.now(), &app.fixture.entropy);
    let ids = audit::EventIds::new(instance);
    for number in 0..12 {
        let case = ["CASE_A", "CASE_B"][number / 2 % 2];
        let event = event(app, &ids, number, Some(case));
        let session_id = (number % 3 == 0).then_some(session_id);
        let mut tx = app.app.db.write().await.unwrap();
        audit::record(&mut tx, event, organization_id, session_id)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        app.clock.advance(std::time::Duration::from_mins(1));
    }
    audit::sign_pending(&app.app, organization_id)
        .await
        .unwrap();
    session_id
}

async fn found(client: &Client, query: &str) -> Vec<u64> {
    let page = client.get(&format!("{EVENTS}?{query}")).await.expect(200);
    let seq = |item: &Value| item["seq"].as_u64().unwrap();
    page["items"].as_array().unwrap().iter().map(seq).collect()
}

async fn filters_narrow_a_list_together(backend: Backend) {
    let app = TestApp::start(backend).await;
    let start = app.clock.now();
    let session = recorded(&app, &app.acme).await;
    recorded(&app, &app.other).await;
    let owner = app.owner();
    let minute = |n: u64| {
        let at = start.plus(std::time::Duration::from_mins(n));
        at.to_string().replace('+', "%2B")
    };
    let table = [
        (String::new(), vec![11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("caseId=CASE_A".into(), vec![9, 8, 5, 4, 1, 0]),
        (format!("sessionId={session}"), vec![9, 6, 3, 0]),
        (format!("sessionId={session}&caseId=CASE_A"), vec![9, 0]),
        ("runId=run-3".into(), vec![7, 6]),
        ("runId=run-3&actionType=tool_call".into(), vec![7]),
        (
            "actionType=authz_decision&caseId=CASE_B".into(),
            vec![10, 6, 2],
        ),
        ("outcome=deny".into(), vec![]),
        ("outcome=allow&actorId=agent-0&limit=2".into(), vec![10, 8]),
        (
            format!("from={}&to={}", minute(3), minute(6)),
            vec![5, 4, 3],
        ),
        (format!("caseId=CASE_B&from={}", minute(7)), vec![11, 10, 7]),
        ("caseId=CASE_Z".to_owned(), vec![]),
    ];
    for (query, expected) in table {
        assert_eq!(found(&owner, &query).await, expected, "{query}");
    }
    let first = owner.get(&format!("{EVENTS}?limit=1")).await.expect(200);
    let item = &first["items"][0];
    assert_eq!(item["record"]["ledger_id"], app.acme.as_str());
    assert_eq!(item["record"]["event"]["event_id"], item["eventId"]);
    owner
        .get(&format!("{EVENTS}?outcome=maybe"))
        .await
        .expect_problem(400, "INVALID_REQUEST");
    owner
        .get(&format!("{EVENTS}?caseId=x"))
        .await
        .expect_problem(400, "INVALID_REQUEST");
}

async fn pages_neither_repeat_nor_skip(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = recorded(&app, &app.acme).await;
    let filters = [
        String::new(),
        "caseId=CASE_A&".into(),
        "actionType=tool_call&".into(),
        format!("sessionId={session}&"),
    ];
    for filter in filters {
        let whole = found(&app.owner(), &filter).await;
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("{EVENTS}?{filter}limit=2{cursor}");
            let page = app.owner().get(&path).await.expect(200);
            let items = page["items"].as_array().unwrap();
            paged.extend(items.iter().map(|item| item["seq"].as_u64().unwrap()));
            let Some(next) = page["nextCursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(paged, whole, "{filter}");
    }
}

/// A case of acme's with its member.
async fn case(app: &TestApp, id: &str, member: Person) {
    let (id, now) = (CaseId::new(id).unwrap(), app.clock.now());
    let member = CaseMember::User(member.user_id());
    let mut tx = app.app.db.write().await.unwrap();
    let case = Case {
        id: id.clone(),
        organization_id: app.acme.clone(),
        title: None,
        created_at: now,
    };
    store::case_insert(&mut tx, &case).await.unwrap();
    let added = store::case_member_insert(&mut tx, &app.acme, &id, &member, now).await;
    assert!(added.unwrap());
    tx.commit().await.unwrap();
}

async fn a_member_sees_their_case_and_nothing_else(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = recorded(&app, &app.acme).await;
    case(&app, "CASE_A", Person::Member).await;
    case(&app, "CASE_B", Person::Owner).await;
    let member = app.member();
    assert_eq!(found(&member, "caseId=CASE_A").await, [9, 8, 5, 4, 1, 0]);
    let text = member
        .get("/v1/audit/bundle?case=CASE_A")
        .await
        .text()
        .to_owned();
    assert!(text.contains("\"end\""), "{text}");
    for path in [
        format!("{EVENTS}?caseId=CASE_B"),
        format!("{EVENTS}?caseId=CASE_NONE"),
        "/v1/audit/bundle?case=CASE_B".into(),
        "/v1/audit/bundle?case=CASE_NONE".into(),
    ] {
        member.get(&path).await.expect_problem(404, "NOT_FOUND");
    }
    for path in [
        EVENTS.to_owned(),
        format!("{EVENTS}?sessionId={session}"),
        format!("/v1/audit/bundle?session={session}"),
        "/v1/audit/checkpoint".into(),
        "/v1/audit/consistency?from=0".into(),
    ] {
        member.get(&path).await.expect_problem(403, "FORBIDDEN");
    }
    // Another organization's owner finds nothing, and learns nothing.
    let foreigner = app.foreigner();
    assert_eq!(found(&foreigner, "caseId=CASE_A").await, Vec::<u64>::new());
    foreigner
        .get("/v1/audit/bundle?case=CASE_A")
        .await
        .expect_problem(404, "NOT_FOUND");
}

fn hash(text: &Value) -> Hash {
    let bytes: Vec<u8> = (0..64)
        .step_by(2)
        .map(|at| u8::from_str_radix(&text.as_str().unwrap()[at..at + 2], 16).unwrap())
        .collect();
    bytes.try_into().unwrap()
}

fn hashes(list: &Value) -> Vec<Hash> {
    list.as_array().unwrap().iter().map(hash).collect()
}

fn trust(app: &TestApp, organization_id: &OrganizationId) -> TrustAnchor {
    let key = audit::SigningKey::of(&app.app.keyring, organization_id).unwrap();
    let key = key.verifier_key().parse().unwrap();
    TrustAnchor { key, from: None }
}

async fn checkpoints_and_proofs_verify(backend: Backend) {
    let app = TestApp::start(backend).await;
    let owner = app.owner();
    owner
        .get("/v1/audit/checkpoint")
        .await
        .expect_problem(404, "NOT_FOUND");
    recorded(&app, &app.acme).await;
    let checkpoint = owner.get("/v1/audit/checkpoint").await.expect(200);
    let key = trust(&app, &app.acme).key;
    assert_eq!(checkpoint["verifierKey"], key.to_string());
    let note = checkpoint["checkpoint"].as_str().unwrap();
    let opened = audit::verify::open(note, &key).unwrap();
    assert_eq!((opened.size, opened.root), (12, hash(&checkpoint["root"])));
    let plain = owner
        .get("/v1/audit/checkpoint")
        .header("accept", "text/plain")
        .await;
    assert_eq!(plain.text(), note);

    let events = owner.get(EVENTS).await.expect(200);
    for item in events["items"].as_array().unwrap() {
        let path = format!(
            "/v1/audit/proof?event={}",
            item["eventId"].as_str().unwrap()
        );
        let proof = owner.get(&path).await.expect(200);
        let record = domain::canonical::canonical_bytes(&proof["record"]);
        let (leaf, seq) = (leaf_hash(&record), proof["seq"].as_u64().unwrap());
        assert_eq!(leaf, hash(&proof["leaf"]));
        let path = hashes(&proof["proof"]);
        assert!(verify_inclusion(&leaf, seq, 12, &path, &opened.root));
        assert_eq!(proof["checkpoint"], note);
    }
    let unknown = "/v1/audit/proof?event=0192f0c1-2345-7abc-8def-0123456789ab";
    owner.get(unknown).await.expect_problem(404, "NOT_FOUND");
    owner
        .get("/v1/audit/proof?event=x")
        .await
        .expect_problem(400, "INVALID_REQUEST");
    app.foreigner()
        .get(&format!(
            "/v1/audit/proof?event={}",
            events["items"][0]["eventId"].as_str().unwrap()
        ))
        .await
        .expect_problem(404, "NOT_FOUND");

    let body = json!({ "name": "one more event" });
    owner.post("/v1/api-keys", body).await.expect(201);
    let last = audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap()
        .unwrap();
    let proof = owner.get("/v1/audit/consistency?from=12").await.expect(200);
    assert_eq!(proof["to"], 13);
    let (old, new) = ((12, &opened.root), (13, &hash(&last.root.into())));
    assert!(verify_consistency(old, new, &hashes(&proof["proof"])));
    for query in ["from=14", "from=0&to=14", "from=9&to=3"] {
        let path = format!("/v1/audit/consistency?{query}");
        owner
            .get(&path)
            .await
            .expect_problem(400, "INVALID_REQUEST");
    }
}

pub(crate) fn verified(app: &TestApp, bundle: &str) -> VerificationReport {
    verify(bundle.as_bytes(), &trust(app, &app.acme), |_| {}).unwrap()
}

async fn a_bundle_verifies_offline_and_is_recorded(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = recorded(&app, &app.acme).await;
    let owner = app.owner();
    let case = owner.get("/v1/audit/bundle?case=CASE_A").await;
    assert_eq!(case.header("content-type"), Some("application/jsonl"));
    let report = verified(&app, case.text());
    assert_eq!(
        (report.scope.as_str(), report.records, report.size),
        ("case CASE_A", 6, 12)
    );
    let session = owner
        .get(&format!("/v1/audit/bundle?session={session}"))
        .await;
    let report = verified(&app, session.text());
    assert_eq!((report.records, report.size), (4, 13));
    // What the first one caused is the last event of the case.
    let again = owner.get("/v1/audit/bundle?case=CASE_A").await;
    assert_eq!(verified(&app, again.text()).records, 7);
    assert!(again.text().contains("\"operation\":\"audit_bundle\""));
    // One byte, and it is not good any more.
    let changed = again.text().replacen("agent-0", "agent-9", 1);
    let error = verify(changed.as_bytes(), &trust(&app, &app.acme), |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 2:"), "{error}");
    for query in [
        "",
        "?case=CASE_A&session=0192f0c1-2345-7abc-8def-0123456789ab",
        "?case=..",
    ] {
        let path = format!("/v1/audit/bundle{query}");
        owner
            .get(&path)
            .await
            .expect_problem(400, "INVALID_REQUEST");
    }
}

async fn case_58_a_bundle_of_one_case_has_no_byte_of_another(backend: Backend) {
    let app = TestApp::start(backend).await;
    recorded(&app, &app.acme).await;
    let bundle = app.owner().get("/v1/audit/bundle?case=CASE_A").await;
    let text = bundle.text();
    assert_eq!(verified(&app, text).records, 6);
    let all = app
        .owner()
        .get(&format!("{EVENTS}?caseId=CASE_B"))
        .await
        .expect(200);
    let theirs = all["items"].as_array().unwrap();
    assert_eq!(theirs.len(), 6);
    assert!(!text.contains("CASE_B"));
    for item in theirs {
        let event = &item["record"]["event"];
        assert!(!text.contains(item["eventId"].as_str().unwrap()));
        assert!(!text.contains(event["timestamp_utc"].as_str().unwrap()));
        assert!(!text.contains(&format!("\"{}\"", event["run_id"].as_str().unwrap())));
    }
}

/// Unauthenticated requests are counted, not recorded: they belong to no organization's log.
async fn case_57_calls_without_a_caller_do_not_make_the_log_grow(backend: Backend) {
    let app = TestApp::start(backend).await;
    recorded(&app, &app.acme).await;
    for number in 0..100 {
        let stranger = app.with_token(format!("pk_{number:064x}"));
        for client in [app.anonymous(), stranger] {
            let path = ["/v1/sessions", EVENTS, "/v1/audit/bundle?case=CASE_A"][number % 3];
            client
                .get(path)
                .await
                .expect_problem(401, "UNAUTHENTICATED");
        }
    }
    let last = audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(last.size, 12);
}
