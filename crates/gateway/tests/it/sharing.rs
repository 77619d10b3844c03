//! Sharing sessions: who sees what in lists and streams, and transcripts by link.

use std::time::Duration;

use axum::http::Method;
use domain::{id::SessionId, session_event::SessionEvent};
use hub::Hub;
use serde_json::{Value, json};
use testkit::{
    app::{Call, Client, Person, TestApp, TestResponse},
    database::Backend,
    standin::agent::Agent,
};
use tokio::time::timeout;

use crate::{
    live::client::{Events, Socket},
    support::{UNKNOWN_ID, create, id, ids, integration},
};

testkit::on_both_databases!(
    lists_and_news_leave_out_what_a_member_does_not_see,
    who_sees_and_steers_is_what_the_creator_says,
    a_member_who_loses_sight_loses_the_stream,
    snapshots_of_a_private_session_start_no_session_of_another_member,
    a_share_link_shows_the_transcript_until_it_ends,
    links_that_are_over_and_unknown_ones_get_one_answer,
    share_links_are_bounded_and_switched_off_at_once,
);

const HOUR: Duration = Duration::from_hours(1);
const SECRET: &str = "hunter2-hunter2-hunter2";

fn sharing(session: &str) -> String {
    format!("/v1/sessions/{session}/sharing")
}

fn links(session: &str) -> String {
    format!("/v1/sessions/{session}/share-links")
}

fn named(may: &str) -> Value {
    json!({"visibility": "people", "people": [{"userId": Person::Member.user_id().as_str(), "may": may}]})
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "callers write `json!({..})` in place"
)]
fn put(client: &Client, path: &str, body: Value) -> Call {
    client.call(Method::PUT, path).json(&body)
}

async fn sees(client: &Client, session: &str) -> bool {
    let answer = client.get(&format!("/v1/sessions/{session}")).await;
    let listed = client.get("/v1/sessions").await.expect(200);
    let is_listed = ids(&listed).contains(&session.to_owned());
    assert_eq!(answer.status == 200, is_listed, "{}", answer.text());
    if !is_listed {
        answer.expect_problem(404, "NOT_FOUND");
    }
    is_listed
}

async fn lists_and_news_leave_out_what_a_member_does_not_see(backend: Backend) {
    let app = TestApp::start(backend).await;
    let served = app.serve().await;
    let linear = integration(&app, Person::Owner, "t").await;
    let body = json!({"visibility": "private", "integrationIds": [linear]});
    let session = id(&create(&app, body).await);
    let (owner, member, admin) = (app.owner(), app.member(), app.person(Person::Admin));
    let url = served.url("/v1/events");
    let mut news = Events::open(&url, &app.user_token(Person::Member), None).await;
    news.next().await;

    let agent = app.sandbox(session.parse().unwrap()).await;
    let ask = json!({"integration": "linear", "action": "create_issue", "params": {"teamId": "t", "title": "x"}});
    let actions = format!("/proliferate/{session}/actions");
    let asked = agent
        .post(&format!("{actions}/invoke"), ask)
        .await
        .expect(202);
    let invocation = asked["invocation"]["id"].as_str().unwrap().to_owned();
    let wish = json!({"integration": "linear", "action": "create_issue"});
    agent
        .post(&format!("{actions}/grants"), wish)
        .await
        .expect(202);
    let secret =
        json!({"key": "TOKEN_OF_IT", "value": SECRET, "scope": {"kind": "session", "id": session}});
    owner.post("/v1/secrets", secret).await.expect(201);
    let grant =
        json!({"scope": "session", "sessionId": session, "integration": "linear", "action": "*"});
    owner.post("/v1/grants", grant).await.expect(201);

    let lists = [
        "/v1/sessions",
        "/v1/actions",
        "/v1/grants",
        "/v1/grant-requests",
        "/v1/secrets",
    ];
    for list in lists {
        let shown = |answer: Value| answer.to_string().contains(&session);
        assert!(!shown(member.get(list).await.expect(200)), "{list}");
        assert!(shown(admin.get(list).await.expect(200)), "{list}");
    }
    assert_eq!(member.get("/v1/actions").await.expect(200)["total"], 0);
    let show = format!("/v1/actions/{invocation}");
    member.get(&show).await.expect_problem(404, "NOT_FOUND");
    // The id of a grant says nothing of its session.
    let (_, first) = news.next().await;
    assert!(first.contains("grant_changed"), "{first}");
    // A session that the whole organization sees is the first that the member hears of.
    let open = id(&create(&app, json!({})).await);
    let (_, first) = news.next().await;
    assert!(
        first.contains(&open) && !first.contains("open\""),
        "{first}"
    );
    // Once the member is named, they hear of it and find it.
    put(&owner, &sharing(&session), named("see"))
        .await
        .expect(200);
    let (_, heard) = news.next().await;
    assert!(heard.contains(&session), "{heard}");
    for list in lists {
        let answer = member.get(list).await.expect(200);
        assert!(answer.to_string().contains(&session), "{list}: {answer}");
    }
    member.get(&show).await.expect(200);
    served.stop();
}

async fn who_sees_and_steers_is_what_the_creator_says(backend: Backend) {
    let mut app = TestApp::start(backend).await;
    let agent = Agent::start().await;
    app.live_in(Hub::with_runtimes(app.app.clone(), agent.runtimes()));
    let session = id(&create(&app, json!({})).await);
    let (owner, member, admin) = (app.owner(), app.member(), app.person(Person::Admin));
    let heartbeat = format!("/proliferate/{session}/heartbeat");
    let steers = async |client: &Client| client.call(Method::POST, &heartbeat).await.status;
    let rights = async |client: &Client| {
        let shown = client
            .get(&format!("/v1/sessions/{session}"))
            .await
            .expect(200);
        let shares = client.get(&sharing(&session)).await.expect(200);
        assert_eq!(shown["rights"], shares["rights"]);
        shown["rights"].clone()
    };
    assert_eq!(rights(&member).await, json!(["see"]));
    assert_eq!(
        rights(&owner).await,
        json!(["see", "steer", "order", "decide", "share"])
    );
    assert_eq!(
        rights(&admin).await,
        json!(["see", "order", "decide", "share"])
    );
    put(
        &member,
        &sharing(&session),
        json!({"visibility": "private"}),
    )
    .await
    .expect_problem(403, "FORBIDDEN");

    let private = json!({"visibility": "private"});
    put(&owner, &sharing(&session), private.clone())
        .await
        .expect(200);
    assert!(!sees(&member, &session).await && sees(&admin, &session).await);
    assert_eq!(steers(&member).await, 404);

    put(&owner, &sharing(&session), named("see"))
        .await
        .expect(200);
    assert!(sees(&member, &session).await);
    assert_eq!(
        (rights(&member).await, steers(&member).await),
        (json!(["see"]), 403)
    );

    let shares = put(&admin, &sharing(&session), named("steer"))
        .await
        .expect(200);
    assert_eq!(shares["people"][0]["may"], "steer");
    assert_eq!(rights(&member).await, json!(["see", "steer", "order"]));
    assert_eq!(steers(&member).await, 204);
    member
        .get(&links(&session))
        .await
        .expect_problem(403, "FORBIDDEN");

    // Refused as a whole, with the field that is wrong.
    let user = Person::Member.user_id();
    let wrong = [
        (
            json!({"visibility": "private", "people": [{"userId": user.as_str()}]}),
            "people",
        ),
        (
            json!({"visibility": "people", "people": [{"userId": "user_other_owner"}]}),
            "people[0].userId",
        ),
        (
            json!({"visibility": "people", "people": [{"userId": user.as_str()}, {"userId": user.as_str()}]}),
            "people[1].userId",
        ),
    ];
    for (body, field) in wrong {
        let refused = put(&owner, &sharing(&session), body.clone()).await;
        assert_eq!(refused.status, 400, "{body}");
        assert!(refused.text().contains(field), "{}", refused.text());
        let made = owner.post("/proliferate/sessions", body).await;
        assert_eq!(made.status, 400, "{}", made.text());
        assert!(sees(&member, &session).await);
    }

    // A name ends with the membership.
    let mut tx = app.database.db.write().await.unwrap();
    assert!(
        store::member_delete(&mut tx, &app.acme, &user)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    let shares = owner.get(&sharing(&session)).await.expect(200);
    assert_eq!(shares["people"], json!([]));
}

async fn a_member_who_loses_sight_loses_the_stream(backend: Backend) {
    let mut app = TestApp::start(backend).await;
    let agent = Agent::start().await;
    let hub = Hub::with_runtimes(app.app.clone(), agent.runtimes());
    app.live_in(hub.clone());
    let served = app.serve_hub(hub).await;
    let session = id(&create(&app, json!({})).await);
    let bearer = format!("Bearer {}", app.user_token(Person::Member));
    let headers = [("authorization", bearer.as_str())];
    let path = format!("/proliferate/{session}");
    let mut socket = Socket::open(served.address, &path, &headers).await.unwrap();
    socket.next_of("init").await;
    let mut kept = Socket::open(
        served.address,
        &path,
        &[(
            "authorization",
            &format!("Bearer {}", app.user_token(Person::Admin)),
        )],
    )
    .await
    .unwrap();
    kept.next_of("init").await;

    let private = json!({"visibility": "private"});
    put(&app.owner(), &sharing(&session), private)
        .await
        .expect(200);
    // Long before the streams look by themselves.
    let closed = timeout(Duration::from_secs(5), socket.closed()).await;
    let (_, code, _) = closed.expect("it ends at once");
    assert_eq!(code, 1008);
    let opened = Socket::open(served.address, &path, &headers).await;
    assert_eq!(opened.err(), Some(404));
    kept.send(json!({"type": "ping"})).await;
    kept.next_of("pong").await;
    served.stop();
}

async fn snapshots_of_a_private_session_start_no_session_of_another_member(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session: SessionId = id(&create(&app, json!({"visibility": "private"})).await)
        .parse()
        .unwrap();
    let snapshot = store::Snapshot {
        organization_id: app.acme.clone(),
        id: "snap_of_it".to_owned(),
        provider: "fake".to_owned(),
        session_id: session,
        parent_id: None,
        byte_size: 1,
        depth: 1,
        created_at: app.app.now(),
    };
    let mut tx = app.database.db.write().await.unwrap();
    store::snapshot_insert(&mut tx, &snapshot).await.unwrap();
    tx.commit().await.unwrap();
    let body = json!({"snapshotId": "snap_of_it"});
    let made = app
        .member()
        .post("/proliferate/sessions", body.clone())
        .await;
    made.expect_problem(404, "NOT_FOUND");
    let configuration = json!({"name": "x", "snapshotId": "snap_of_it"});
    let made = app.member().post("/v1/configurations", configuration).await;
    made.expect_problem(404, "NOT_FOUND");
    create(&app, body).await;
}

async fn tell(app: &TestApp, session: &str, events: &[(&str, Value)]) {
    let id: SessionId = session.parse().unwrap();
    let mut tx = app.database.db.write().await.unwrap();
    let first = store::session_event_last(&mut tx, &app.acme, id)
        .await
        .unwrap()
        + 1;
    let event = |(seq, (kind, payload)): (u64, &(&str, Value))| SessionEvent {
        seq,
        kind: (*kind).to_owned(),
        payload: payload.to_string(),
        created_at: app.app.now(),
    };
    let events: Vec<_> = (first..).zip(events).map(event).collect();
    let epoch = app.session(id).await.owner_epoch;
    let appended = store::session_event_append(&mut tx, &app.acme, id, epoch, &events).await;
    assert_eq!(appended.unwrap(), store::EventAppend::Appended);
    tx.commit().await.unwrap();
}

async fn read(app: &TestApp, code: &str) -> TestResponse {
    app.anonymous()
        .post("/v1/shared", json!({ "code": code }))
        .await
}

fn code(created: &Value) -> String {
    let url = created["url"].as_str().unwrap();
    let (page, code) = url.split_once('#').unwrap();
    assert!(page.ends_with("/shared"), "{url}");
    code.to_owned()
}

/// `operation actor_id` of the events about share links, oldest first.
async fn recorded(app: &TestApp) -> Vec<String> {
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let page = app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200);
    let events = page["items"].as_array().unwrap().iter().rev();
    let line = |item: &Value| {
        let event = &item["record"]["event"];
        let operation = event["target"]["operation"].as_str()?.to_owned();
        let actor = event["actor"]["actor_id"]
            .as_str()?
            .split(':')
            .next()?
            .to_owned();
        // A refusal is recorded too.
        let is_one = operation.starts_with("share_link") && event["outcome"] == "success";
        is_one.then(|| format!("{operation} {actor}"))
    };
    events.filter_map(line).collect()
}

async fn a_share_link_shows_the_transcript_until_it_ends(backend: Backend) {
    let app = TestApp::start(backend).await;
    let owner = app.owner();
    let body =
        json!({"title": "Fix the page", "visibility": "private", "envVars": {"API_KEY": SECRET}});
    let session = id(&create(&app, body).await);
    let said = format!("the key is {SECRET}");
    tell(&app, &session, &[
        ("message", json!({"id": "m1", "role": "user", "content": said, "isComplete": true, "createdAt": 1,
            "senderId": "user_acme_owner"})),
        ("token", json!({"messageId": "m2", "partId": "p", "token": &SECRET[..8]})),
        ("text_part_complete", json!({"messageId": "m2", "partId": "p", "text": "done"})),
        ("preview_url", json!({"url": "http://127.0.0.1:3000"})),
    ])
    .await;
    let created = owner
        .post(&links(&session), json!({"expiresInHours": 2}))
        .await
        .expect(201);
    let code = code(&created);

    let page = read(&app, &code).await;
    let text = page.text().to_owned();
    let page = page.expect(200);
    assert_eq!(page["title"], "Fix the page");
    let kinds: Vec<_> = page["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["type"].clone())
        .collect();
    assert_eq!(kinds, ["message", "text_part_complete"]);
    assert_eq!(page["next"], Value::Null);
    for hidden in ["hunter2", "user_acme_owner", "127.0.0.1", "org_acme"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    // The rest, by the place of the last event that was read.
    tell(
        &app,
        &session,
        &[("message_complete", json!({"messageId": "m2"}))],
    )
    .await;
    let body = json!({"code": code, "after": 4});
    let rest = app.anonymous().post("/v1/shared", body).await.expect(200);
    assert_eq!(rest["events"].as_array().unwrap().len(), 1);

    // The code is in nothing that is stored or listed; openings are recorded once an hour.
    let listed = owner.get(&links(&session)).await.expect(200);
    assert_eq!(listed["items"][0]["openings"], 1);
    assert!(!listed.to_string().contains(&code));
    assert_eq!(
        recorded(&app).await,
        [
            "share_link_create user_acme_owner",
            "share_link_open share_link"
        ]
    );
    app.clock.advance(HOUR);
    read(&app, &code).await.expect(200);
    assert_eq!(recorded(&app).await.len(), 3);
    assert_eq!(
        app.owner().get(&links(&session)).await.expect(200)["items"][0]["openings"],
        2
    );

    // Until then.
    app.clock.advance(HOUR);
    read(&app, &code).await.expect_problem(404, "NOT_FOUND");
}

async fn links_that_are_over_and_unknown_ones_get_one_answer(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&create(&app, json!({})).await);
    let hour = json!({"expiresInHours": 1});
    let created = app.owner().post(&links(&session), hour).await.expect(201);
    let code = code(&created);
    app.clock.advance(HOUR);
    let problem = |answer: TestResponse| {
        answer.expect_problem(404, "NOT_FOUND");
        let mut problem = answer.json();
        problem.as_object_mut().unwrap().remove("request_id");
        problem
    };
    let expired = problem(read(&app, &code).await);
    let unknown = problem(read(&app, &format!("shr_{}", "0".repeat(64))).await);
    assert_eq!(expired, unknown);
    assert_eq!(problem(read(&app, "x").await), unknown);
    let created = app
        .owner()
        .post(&links(&session), json!({}))
        .await
        .expect(201);
    let (second, link_path) = (
        self::code(&created),
        format!("{}/{}", links(&session), id(&created["link"])),
    );
    read(&app, &second).await.expect(200);
    let other = id(&create(&app, json!({})).await);
    let misplaced = format!("{}/{}", links(&other), id(&created["link"]));
    app.owner()
        .delete(&misplaced)
        .await
        .expect_problem(404, "NOT_FOUND");
    for _ in 0..2 {
        app.owner().delete(&link_path).await.expect(204);
    }
    assert_eq!(problem(read(&app, &second).await), unknown);
    let revoked = recorded(&app).await;
    assert_eq!(
        revoked
            .iter()
            .filter(|it| it.starts_with("share_link_revoke"))
            .count(),
        1
    );
    let unknown_link = format!("{}/{UNKNOWN_ID}", links(&session));
    app.owner()
        .delete(&unknown_link)
        .await
        .expect_problem(404, "NOT_FOUND");
}

async fn share_links_are_bounded_and_switched_off_at_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&create(&app, json!({})).await);
    let owner = app.owner();
    for hours in [0, 721] {
        let refused = owner
            .post(&links(&session), json!({"expiresInHours": hours}))
            .await;
        assert_eq!(refused.status, 400);
        assert!(
            refused.text().contains("expiresInHours"),
            "{}",
            refused.text()
        );
    }
    let created = owner.post(&links(&session), json!({})).await.expect(201);
    let code = code(&created);
    for _ in 1..domain::limits::SHARE_LINKS_LIVE_PER_SESSION_MAX {
        owner.post(&links(&session), json!({})).await.expect(201);
    }
    let full = owner.post(&links(&session), json!({})).await;
    full.expect_problem(409, "CONFLICT");

    let setting = "/v1/organization/sharing";
    put(&app.member(), setting, json!({"shareLinks": false}))
        .await
        .expect_problem(403, "FORBIDDEN");
    put(&owner, setting, json!({"shareLinks": false}))
        .await
        .expect(200);
    assert_eq!(
        app.member().get(setting).await.expect(200)["shareLinks"],
        false
    );
    read(&app, &code).await.expect_problem(404, "NOT_FOUND");
    let other = id(&create(&app, json!({})).await);
    owner
        .post(&links(&other), json!({}))
        .await
        .expect_problem(403, "FORBIDDEN");
    assert_eq!(
        owner.get(&links(&session)).await.expect(200)["allowed"],
        false
    );
    put(&owner, setting, json!({"shareLinks": true}))
        .await
        .expect(200);
    read(&app, &code).await.expect(200);

    // A client is slowed down, whatever it sends.
    for _ in 0..domain::limits::SHARED_READS_PER_CLIENT {
        read(&app, "x").await;
    }
    assert_eq!(read(&app, &code).await.status, 429);
}
