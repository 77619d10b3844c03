//! What screens show of many things at once.

use std::time::Duration;

use domain::{
    id::SessionId,
    model_usage::{Tokens, Usage},
    session_event::SessionEvent,
};
use serde_json::{Value, json};
use store::{EventAppend, Snapshot};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::support::{UNKNOWN_ID, configuration, create, id, ids, integration};

testkit::on_both_databases!(
    sessions_are_found_by_their_titles,
    a_list_of_sessions_tells_what_waits_and_what_it_cost,
    an_open_form_counts_as_waiting,
    many_are_denied_each_by_itself,
    a_configuration_has_its_snapshots_and_those_of_its_sessions,
);

async fn sessions_are_found_by_their_titles(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut made = Vec::new();
    for title in ["Fix the Login page", "login: 100% done", "Write_docs"] {
        app.clock.advance(Duration::from_millis(1));
        made.push(id(&create(&app, json!({ "title": title })).await));
    }
    create(&app, json!({})).await;
    let found = async |search: &str| {
        let path = format!("/v1/sessions?search={search}");
        ids(&app.member().get(&path).await.expect(200))
    };
    assert_eq!(found("login").await, [made[1].as_str(), &made[0]]);
    assert_eq!(found("LOGIN%20PAGE").await, [made[0].as_str()]);
    // Letters that mean something in a pattern mean themselves.
    assert_eq!(found("100%25").await, [made[1].as_str()]);
    assert_eq!(found("e_d").await, [made[2].as_str()]);
    assert!(found("%25%25").await.is_empty());
    assert!(found("!").await.is_empty());
    let path = format!(
        "/v1/sessions?search=login&status=stopped&cursor={}",
        made[1]
    );
    let page = app.member().get(&path).await.expect(200);
    assert!(ids(&page).is_empty());
    for bad in [String::new(), "x".repeat(201)] {
        let path = format!("/v1/sessions?search={bad}");
        let problem = app.member().get(&path).await;
        let problem = problem.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "search");
    }
}

/// A session of acme's whose agent waits for this many approvals, and the actions.
async fn waiting(app: &TestApp, times: usize) -> (SessionId, Vec<String>) {
    app.clock.advance(Duration::from_millis(1));
    let linear = integration(app, Person::Owner, "t").await;
    let made = create(app, json!({ "integrationIds": [linear] })).await;
    let session: SessionId = id(&made).parse().unwrap();
    let agent = app.sandbox(session).await;
    let mut actions = Vec::new();
    for number in 0..times {
        let ask = json!({ "integration": "linear", "action": "create_issue",
            "params": { "teamId": "t", "title": format!("issue {number}") } });
        let path = format!("/proliferate/{session}/actions/invoke");
        let asked = agent.post(&path, ask).await.expect(202);
        actions.push(asked["invocation"]["id"].as_str().unwrap().to_owned());
    }
    (session, actions)
}

async fn a_list_of_sessions_tells_what_waits_and_what_it_cost(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (one, _) = waiting(&app, 2).await;
    let (two, actions) = waiting(&app, 1).await;
    app.clock.advance(Duration::from_millis(1));
    let three: SessionId = id(&create(&app, json!({})).await).parse().unwrap();
    let mut tx = app.database.db.write().await.unwrap();
    for (session, model, cost_micro_usd) in [(one, "a", 5), (one, "b", 7), (three, "a", 1)] {
        let usage = Usage {
            requests: 1,
            estimated: 0,
            tokens: Tokens::default(),
            cost_micro_usd,
        };
        let added =
            store::model_usage_add(&mut tx, &app.acme, session, model, &usage, app.app.now());
        added.await.unwrap();
    }
    tx.commit().await.unwrap();
    let deny = json!({ "ids": actions });
    app.owner().post("/v1/actions/deny", deny).await.expect(200);
    let page = app.member().get("/v1/sessions").await.expect(200);
    let seen: Vec<_> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let number = |name: &str| item[name].as_u64().unwrap();
            (id(item), number("needsYou"), number("costMicroUsd"))
        })
        .collect();
    let expected = [(three, 0, 1), (two, 0, 0), (one, 2, 12)];
    let expected = expected.map(|(id, waits, cost)| (id.to_string(), waits, cost));
    assert_eq!(seen, expected);
    // An expired request does not count as waiting, swept or not.
    app.clock.advance(Duration::from_hours(24));
    let page = app.owner().get("/v1/sessions").await.expect(200);
    let items = page["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["needsYou"] == 0), "{page}");
}

async fn an_open_form_counts_as_waiting(backend: Backend) {
    let app = TestApp::start(backend).await;
    let form = |call: &str, status: &str| {
        format!(
            r#"{{"toolCallId":"{call}","tool":"request_env_variables","result":"","durationMs":1,"status":"{status}"}}"#
        )
    };
    let (one, two) = (form("a", "completed"), form("b", "completed"));
    let fails = form("c", "error");
    let quoted = r#"{"toolCallId":"d","tool":"bash","result":"\"tool\":\"request_env_variables\"","status":"completed"}"#;
    let user = r#"{"id":"u","role":"user","content":"here"}"#;
    let agent = r#"{"id":"m","role":"assistant","content":"\"role\":\"user\""}"#;
    let starts = r#"{"messageId":"m","toolCallId":"a","tool":"request_env_variables","args":{}}"#;
    let table: [(&[(&str, &str)], u64); 7] = [
        (&[], 0),
        (&[("message", user), ("tool_end", quoted)], 0),
        (
            &[
                ("tool_start", starts),
                ("tool_start", starts),
                ("tool_end", &one),
                ("message", agent),
            ],
            1,
        ),
        (&[("tool_end", &one), ("tool_end", &two)], 2),
        (&[("tool_end", &one), ("tool_end", &fails)], 1),
        (&[("tool_end", &one), ("message", user)], 0),
        (
            &[("tool_end", &one), ("message", user), ("tool_end", &two)],
            1,
        ),
    ];
    let mut made = Vec::new();
    for (told, _) in &table {
        app.clock.advance(Duration::from_millis(1));
        let session: SessionId = id(&create(&app, json!({})).await).parse().unwrap();
        let events: Vec<_> = (1..)
            .zip(*told)
            .map(|(seq, (kind, payload))| SessionEvent {
                seq,
                kind: (*kind).to_owned(),
                payload: (*payload).to_owned(),
                created_at: app.app.now(),
            })
            .collect();
        let mut tx = app.database.db.write().await.unwrap();
        let appended = store::session_event_append(&mut tx, &app.acme, session, 0, &events);
        assert_eq!(appended.await.unwrap(), EventAppend::Appended);
        tx.commit().await.unwrap();
        made.push(session.to_string());
    }
    let waits = async || {
        let page = app.member().get("/v1/sessions").await.expect(200);
        let items = page["items"].as_array().unwrap().iter().rev();
        let items = items.map(|item| (id(item), item["needsYou"].as_u64().unwrap()));
        items.collect::<Vec<_>>()
    };
    let expected = made.iter().cloned().zip(table.map(|(_, waits)| waits));
    assert_eq!(waits().await, expected.collect::<Vec<_>>());
    // A session that has ended does not count as waiting.
    let path = format!("/v1/sessions/{}", made[2]);
    app.owner().delete(&path).await.expect(200);
    assert_eq!(waits().await[2].1, 0);
}

async fn many_are_denied_each_by_itself(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (_, first) = waiting(&app, 1).await;
    let (_, second) = waiting(&app, 2).await;
    let asked =
        json!({ "ids": [first[0], UNKNOWN_ID, second[0], first[0]], "reason": "not today" });
    let answer = app.member().post("/v1/actions/deny", asked.clone()).await;
    answer.expect_problem(403, "FORBIDDEN");
    let answer = app
        .person(Person::Admin)
        .post("/v1/actions/deny", asked)
        .await;
    let items = answer.expect(200)["items"].clone();
    let outcome = |at: usize| (items[at]["denied"].clone(), items[at]["code"].clone());
    assert_eq!(outcome(0), (json!(true), Value::Null));
    assert_eq!(outcome(1), (json!(false), json!("NOT_FOUND")));
    assert_eq!(outcome(2), (json!(true), Value::Null));
    assert_eq!(outcome(3), (json!(false), json!("CONFLICT")));
    assert!(items[3]["message"].is_string());
    let path = format!("/v1/actions/{}", first[0]);
    let shown = app.owner().get(&path).await.expect(200).to_string();
    assert!(
        shown.contains("denied") && shown.contains("not today"),
        "{shown}"
    );
    // Others' are not there.
    let foreign = json!({ "ids": [second[1]] });
    let answer = app.foreigner().post("/v1/actions/deny", foreign).await;
    assert_eq!(answer.expect(200)["items"][0]["code"], "NOT_FOUND");
    let many: Vec<_> = (0..101).map(|_| UNKNOWN_ID).collect();
    for ids in [json!([]), json!(many)] {
        let answer = app.owner().post("/v1/actions/deny", json!({ "ids": ids }));
        let problem = answer.await.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "ids");
    }
}

async fn a_configuration_has_its_snapshots_and_those_of_its_sessions(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mine = configuration(&app, json!({ "name": "web" })).await;
    let other = configuration(&app, json!({ "name": "api" })).await;
    let session = create(&app, json!({ "configurationId": mine })).await;
    let elsewhere = create(&app, json!({ "configurationId": other })).await;
    let (session, elsewhere) = (id(&session), id(&elsewhere));
    let mut tx = app.database.db.write().await.unwrap();
    for (name, of, parent) in [
        ("first", &session, None),
        ("second", &session, Some("first")),
        ("foreign", &elsewhere, None),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let snapshot = Snapshot {
            organization_id: app.acme.clone(),
            id: name.to_owned(),
            provider: "fake".to_owned(),
            session_id: of.parse().unwrap(),
            parent_id: parent.map(ToOwned::to_owned),
            byte_size: 7,
            depth: u32::from(parent.is_some()),
            created_at: app.app.now(),
        };
        store::snapshot_insert(&mut tx, &snapshot).await.unwrap();
    }
    tx.commit().await.unwrap();
    let path = format!("/v1/configurations/{mine}");
    let start = json!({ "snapshotId": "first" });
    app.owner().patch(&path, start).await.expect(200);
    let listed = app.member().get(&format!("{path}/snapshots")).await;
    let listed = listed.expect(200);
    let items = listed["items"].as_array().unwrap();
    let seen: Vec<_> = items
        .iter()
        .map(|item| (item["id"].as_str().unwrap(), item["isDefault"] == true))
        .collect();
    assert_eq!(seen, [("second", false), ("first", true)]);
    assert_eq!(items[0]["parentId"], "first");
    assert_eq!(items[0]["sessionId"], session);
    assert_eq!(items[0]["byteSize"], 7);
    let of_session = format!("/v1/sessions/{session}/snapshots");
    let listed = app.member().get(&of_session).await.expect(200);
    let items = listed["items"].as_array().unwrap();
    assert!(
        items.iter().all(|item| item["sessionId"] == session),
        "{listed}"
    );
    assert!(
        items.iter().any(|item| item["isDefault"] == true),
        "{listed}"
    );
}

#[tokio::test]
async fn the_audit_key_is_the_one_that_checkpoints_name() {
    let app = TestApp::start(Backend::Sqlite).await;
    let key = app.member().get("/v1/audit/key").await.expect(200);
    assert_eq!(key["algorithm"], "Ed25519");
    assert_eq!(key["name"], "proliferate/audit/org_acme");
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    create(&app, json!({})).await;
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let checkpoint = app.owner().get("/v1/audit/checkpoint").await.expect(200);
    assert_eq!(checkpoint["verifierKey"], key["verifierKey"]);
    let verifier = key["verifierKey"].as_str().unwrap();
    assert!(verifier.starts_with("proliferate/audit/org_acme+"));
    let other = app.foreigner().get("/v1/audit/key").await.expect(200);
    assert_ne!(other["publicKey"], key["publicKey"]);
}
