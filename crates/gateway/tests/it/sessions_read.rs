//! Sessions once they exist: shown, listed, named, stopped, swept.

use std::time::Duration;

use domain::{
    clock::Clock,
    limits::SESSION_STARTING_MAX,
    session::{Session, SessionState},
};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::support::{SESSIONS, configuration, ids};

testkit::on_both_databases!(
    every_state_has_its_status,
    filters_narrow_a_list_together,
    pages_neither_repeat_nor_skip,
    a_title_is_set_and_taken_away,
    stopping_twice_is_stopping_once,
    a_session_that_starts_for_ever_is_failed_by_the_sweeper,
);

/// A session of acme's in this state, stored.
async fn in_state(app: &TestApp, state: SessionState) -> Session {
    let mut session = app.fixture.session(&app.acme);
    session.state = state;
    app.insert_session(&session).await;
    session
}

async fn every_state_has_its_status(backend: Backend) {
    let app = TestApp::start(backend).await;
    let now = app.clock.now();
    let moment = "2026-01-01T00:00:00Z";
    let reason = "because".to_owned();
    let table = [
        (
            SessionState::Pending,
            json!({"state": "running", "status": "pending"}),
        ),
        (
            SessionState::Starting { since: now },
            json!({"state": "running", "status": "starting"}),
        ),
        (
            SessionState::Running { started_at: now },
            json!({"state": "running", "status": "running"}),
        ),
        (
            SessionState::Paused {
                started_at: now,
                paused_at: now,
                reason: reason.clone(),
            },
            json!({"state": "running", "status": "paused", "reason": "because"}),
        ),
        (
            SessionState::Stopped {
                ended_at: now,
                reason: reason.clone(),
            },
            json!({"state": "terminated", "status": "stopped", "terminatedAt": moment, "reason": "because"}),
        ),
        (
            SessionState::Failed {
                ended_at: now,
                reason,
            },
            json!({"state": "terminated", "status": "failed", "terminatedAt": moment, "reason": "because"}),
        ),
    ];
    for (state, expected) in table {
        let session = in_state(&app, state).await;
        let path = format!("/proliferate/sessions/{}/status", session.id);
        assert_eq!(app.owner().get(&path).await.expect(200), expected);
        let shown = app
            .owner()
            .get(&format!("/v1/sessions/{}", session.id))
            .await;
        assert_eq!(shown.expect(200)["status"], expected["status"]);
    }
}

async fn filters_narrow_a_list_together(backend: Backend) {
    let app = TestApp::start(backend).await;
    let configuration = configuration(&app, json!({"name": "web"})).await;
    let bodies = [
        (Person::Owner, json!({"clientType": "slack"})),
        (
            Person::Owner,
            json!({"sessionType": "setup", "configurationId": configuration}),
        ),
        (Person::Member, json!({"provisioning": "immediate"})),
        (
            Person::Member,
            json!({"clientType": "cli", "configurationId": configuration}),
        ),
    ];
    let mut made = vec![];
    for (person, body) in bodies {
        app.clock.advance(Duration::from_secs(1));
        let created = app.person(person).post(SESSIONS, body).await.expect(201);
        made.push(created["sessionId"].as_str().unwrap().to_owned());
    }
    app.foreigner().post(SESSIONS, json!({})).await.expect(201);

    let of_configuration = format!("configurationId={configuration}");
    let both = format!("createdBy=user_acme_member&{of_configuration}");
    let table: [(&str, &[usize]); 9] = [
        ("", &[3, 2, 1, 0]),
        ("status=pending", &[3, 1, 0]),
        ("status=running", &[2]),
        ("status=failed", &[]),
        ("sessionType=setup", &[1]),
        ("clientType=slack", &[0]),
        ("createdBy=user_acme_member", &[3, 2]),
        (&of_configuration, &[3, 1]),
        (&both, &[3]),
    ];
    for (query, expected) in table {
        let page = app
            .owner()
            .get(&format!("/v1/sessions?{query}"))
            .await
            .expect(200);
        let expected: Vec<_> = expected.iter().map(|at| made[*at].clone()).collect();
        assert_eq!(ids(&page), expected, "{query}");
        assert_eq!(page.get("nextCursor"), None);
    }
}

async fn pages_neither_repeat_nor_skip(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut made = vec![];
    for _ in 0..5 {
        app.clock.advance(Duration::from_secs(1));
        let created = app.owner().post(SESSIONS, json!({})).await.expect(201);
        made.insert(0, created["sessionId"].as_str().unwrap().to_owned());
    }
    let (mut seen, mut path) = (vec![], "/v1/sessions?limit=2".to_owned());
    loop {
        let page = app.owner().get(&path).await.expect(200);
        seen.extend(ids(&page));
        // What arrives in between belongs before the pages that follow.
        app.clock.advance(Duration::from_secs(1));
        app.owner().post(SESSIONS, json!({})).await.expect(201);
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("/v1/sessions?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen, made);
}

async fn a_title_is_set_and_taken_away(backend: Backend) {
    let app = TestApp::start(backend).await;
    let created = app
        .owner()
        .post(SESSIONS, json!({"title": "a"}))
        .await
        .expect(201);
    let path = format!("/v1/sessions/{}", created["sessionId"].as_str().unwrap());
    let table = [
        (json!({}), json!("a")),
        (json!({"title": "b"}), json!("b")),
        (json!({"title": "ünïcode ✓"}), json!("ünïcode ✓")),
        (json!({"title": null}), Value::Null),
    ];
    for (change, title) in table {
        app.clock.advance(Duration::from_secs(1));
        let changed = app.owner().patch(&path, change).await.expect(200);
        assert_eq!(changed["title"], title);
        assert_eq!(app.owner().get(&path).await.expect(200)["title"], title);
    }
    let long = "x".repeat(201);
    let answer = app.owner().patch(&path, json!({"title": long})).await;
    answer.expect_problem(400, "INVALID_REQUEST");
}

async fn stopping_twice_is_stopping_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let now = app.clock.now();
    let states = [
        SessionState::Pending,
        SessionState::Starting { since: now },
        SessionState::Running { started_at: now },
        SessionState::Failed {
            ended_at: now,
            reason: "it broke".to_owned(),
        },
    ];
    for state in states {
        let session = in_state(&app, state).await;
        let path = format!("/v1/sessions/{}", session.id);
        let admin = app.person(Person::Admin);
        let stopped = admin.delete(&path).await.expect(200);
        assert_eq!(stopped["status"], "stopped");
        assert_eq!(stopped["reason"], "stopped by user_acme_admin");
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(app.owner().delete(&path).await.expect(200), stopped);
    }
    let service = app.with_token(app.service_token(&app.acme));
    let session = in_state(&app, SessionState::Pending).await;
    let path = format!("/v1/sessions/{}", session.id);
    let stopped = service.delete(&path).await.expect(200);
    assert_eq!(stopped["reason"], "stopped by a service");
}

async fn a_session_that_starts_for_ever_is_failed_by_the_sweeper(backend: Backend) {
    let app = TestApp::start(backend).await;
    let stuck = in_state(
        &app,
        SessionState::Starting {
            since: app.clock.now(),
        },
    )
    .await;
    let waiting = in_state(&app, SessionState::Pending).await;
    app.clock.advance(SESSION_STARTING_MAX);
    let young = in_state(
        &app,
        SessionState::Starting {
            since: app.clock.now(),
        },
    )
    .await;
    assert_eq!(
        app::sessions::sweep_stuck(&app.app).await.unwrap(),
        0,
        "not yet"
    );
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(app::sessions::sweep_stuck(&app.app).await.unwrap(), 1);
    assert_eq!(
        app::sessions::sweep_stuck(&app.app).await.unwrap(),
        0,
        "once"
    );
    let expected = [(stuck, "failed"), (waiting, "pending"), (young, "starting")];
    for (session, status) in expected {
        let path = format!("/v1/sessions/{}", session.id);
        let shown = app.owner().get(&path).await.expect(200);
        assert_eq!(shown["status"], status);
        let explained = shown["reason"].is_string();
        assert_eq!(explained, status == "failed");
    }
}
