//! Limits of an organization: two levels of which the smaller is in force, and what is refused at them.

use std::time::Duration;

use axum::http::Method;
use domain::limits::STORAGE_COUNT_EVERY;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use crate::{
    actions::desk::Desk,
    models::{COST, MESSAGES, Provider, ask, asked, session},
    support::id,
};

const OWN: &str = "/v1/organization/limits";
const CEILING: &str = "/v1/organizations/org_acme/limits";
const SESSIONS: &str = "/proliferate/sessions";

testkit::on_both_databases!(
    the_smaller_of_both_levels_is_in_force,
    a_value_above_the_ceiling_names_the_field_and_the_ceiling,
    bad_input_names_the_field_and_changes_nothing,
    a_session_that_would_start_at_once_is_refused_at_the_limit,
    of_many_created_at_once_as_many_start_as_may,
    stored_bytes_are_refused_above_the_limit,
    of_many_uploads_at_once_as_many_are_kept_as_may,
    what_a_sweep_counts_is_what_is_there,
    a_model_is_refused_when_the_day_is_spent_and_answers_on_the_next,
    each_share_of_a_limit_is_noticed_once,
    an_action_waits_as_long_as_the_organization_chose,
);

fn limits(of: &Value) -> Value {
    let mut all = json!({"liveSessions": null, "sandboxes": null, "storageBytes": null,
        "spendDayMicroUsd": null, "spendMonthMicroUsd": null, "approvalSeconds": null});
    for (name, value) in of.as_object().unwrap() {
        all[name] = value.clone();
    }
    all
}

async fn put(client: &Client, path: &str, of: Value) -> TestResponse {
    client.call(Method::PUT, path).json(&limits(&of)).await
}

async fn own(app: &TestApp, of: Value) -> Value {
    put(&app.owner(), OWN, of).await.expect(200)
}

async fn shown(app: &TestApp) -> Value {
    app.member().get(OWN).await.expect(200)
}

/// Events of an operation in the log of the organization.
async fn recorded(app: &TestApp, operation: &str) -> usize {
    recorded_as_seen_by(app, &app.owner(), operation).await
}

async fn recorded_as_seen_by(app: &TestApp, client: &Client, operation: &str) -> usize {
    for organization_id in [&app.acme, &app.other] {
        ::app::audit::sign_pending(&app.app, organization_id)
            .await
            .unwrap();
    }
    let events = client.get("/v1/audit/events").await;
    events.expect(200);
    events.text().matches(&format!("\"{operation}\"")).count()
}

async fn the_smaller_of_both_levels_is_in_force(backend: Backend) {
    let app = TestApp::start(backend).await;
    let nothing = shown(&app).await;
    assert_eq!(nothing["inForce"], limits(&json!({})));
    assert_eq!(nothing["used"]["liveSessions"], 0);
    own(&app, json!({"liveSessions": 5, "sandboxes": 3})).await;
    put(
        &app.person(Person::Admin),
        CEILING,
        json!({"liveSessions": 4, "storageBytes": 7}),
    )
    .await
    .expect(200);
    let found = shown(&app).await;
    assert_eq!(found["organizationId"], "org_acme");
    assert_eq!(found["operator"]["liveSessions"], 4);
    assert_eq!(found["organization"]["liveSessions"], 5);
    let expected = json!({"liveSessions": 4, "sandboxes": 3, "storageBytes": 7});
    assert_eq!(found["inForce"], limits(&expected));
    assert_eq!(recorded(&app, "organization_limits_update").await, 1);
    assert_eq!(recorded(&app, "organization_ceiling_update").await, 1);
    // The same again changes nothing, and is no change on record.
    own(&app, json!({"liveSessions": 4, "sandboxes": 3})).await;
    own(&app, json!({"liveSessions": 4, "sandboxes": 3})).await;
    assert_eq!(recorded(&app, "organization_limits_update").await, 2);
    // Another organization has limits of its own, and an operator sets them.
    let other = "/v1/organizations/org_other/limits";
    put(&app.person(Person::Admin), other, json!({"sandboxes": 1}))
        .await
        .expect(200);
    let theirs = app.person(Person::Admin).get(other).await.expect(200);
    assert_eq!(theirs["inForce"], limits(&json!({"sandboxes": 1})));
    assert_eq!(recorded(&app, "organization_ceiling_update").await, 2);
    let there = recorded_as_seen_by(&app, &app.foreigner(), "organization_ceiling_update").await;
    assert_eq!(
        there, 1,
        "in the log of the organization that it was done to"
    );
    let nowhere = "/v1/organizations/org_nowhere/limits";
    app.person(Person::Admin)
        .get(nowhere)
        .await
        .expect_problem(404, "NOT_FOUND");
    let refused = put(&app.person(Person::Admin), nowhere, json!({})).await;
    refused.expect_problem(404, "NOT_FOUND");
}

async fn a_value_above_the_ceiling_names_the_field_and_the_ceiling(backend: Backend) {
    let app = TestApp::start(backend).await;
    let ceiling = json!({"liveSessions": 4, "spendDayMicroUsd": 2_500_000});
    put(&app.person(Person::Admin), CEILING, ceiling)
        .await
        .expect(200);
    let wanted = json!({"liveSessions": 5, "sandboxes": 9, "spendDayMicroUsd": 3_000_000});
    let refused = put(&app.owner(), OWN, wanted).await;
    let problem = refused.expect_problem(400, "INVALID_REQUEST");
    let end = "the ceiling that the operator of this installation set";
    let expected = json!([
        {"field": "liveSessions", "message": format!("must be at most 4 (4 live sessions), {end}")},
        {"field": "spendDayMicroUsd", "message": format!("must be at most 2500000 ($2.50), {end}")},
    ]);
    assert_eq!(problem["errors"], expected);
    assert_eq!(shown(&app).await["organization"], limits(&json!({})));
}

async fn bad_input_names_the_field_and_changes_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    for (name, wrong) in [
        ("liveSessions", json!(-1)),
        ("sandboxes", json!(100_001)),
        ("storageBytes", json!(1_000_000_000_000_001_i64)),
        ("spendMonthMicroUsd", json!(1_000_000_000_001_i64)),
        ("approvalSeconds", json!(0)),
        ("approvalSeconds", json!(86_401)),
    ] {
        for (client, path) in [(app.owner(), OWN), (app.person(Person::Admin), CEILING)] {
            let refused = put(&client, path, json!({ name: wrong })).await;
            let problem = refused.expect_problem(400, "INVALID_REQUEST");
            assert_eq!(problem["errors"][0]["field"], name, "{wrong}");
        }
    }
    // One that is left out is not taken for none.
    let mut lacking = limits(&json!({}));
    lacking.as_object_mut().unwrap().remove("sandboxes");
    let refused = app.owner().call(Method::PUT, OWN).json(&lacking).await;
    let problem = refused.expect_problem(400, "INVALID_REQUEST");
    assert!(problem.to_string().contains("sandboxes"), "{problem}");
    assert_eq!(recorded(&app, "organization_limits_update").await, 0);
}

async fn a_session_that_would_start_at_once_is_refused_at_the_limit(backend: Backend) {
    let app = TestApp::start(backend).await;
    own(&app, json!({"liveSessions": 1})).await;
    let at_once = json!({"provisioning": "immediate"});
    let first = app
        .owner()
        .post(SESSIONS, at_once.clone())
        .await
        .expect(201);
    let refused = app.owner().post(SESSIONS, at_once.clone()).await;
    let problem = refused.expect_problem(409, "LIMIT_REACHED");
    assert_eq!(
        problem["detail"],
        "the organization has 1 live session and may have at most 1 live session: an admin of the organization can raise it"
    );
    let list = app.owner().get("/v1/sessions").await.expect(200);
    assert_eq!(
        list["items"].as_array().unwrap().len(),
        1,
        "nothing is half made"
    );
    // One that starts at its first use does not count yet.
    app.owner().post(SESSIONS, json!({})).await.expect(201);
    let path = format!("/v1/sessions/{}", id(&first));
    app.owner().delete(&path).await.expect(200);
    app.owner().post(SESSIONS, at_once).await.expect(201);
}

async fn of_many_created_at_once_as_many_start_as_may(backend: Backend) {
    const MAY: usize = 3;
    let app = TestApp::start(backend).await;
    let beside = TestApp::builder(backend).beside(&app).await;
    own(&app, json!({"liveSessions": MAY})).await;
    let owners = [app.owner(), beside.owner()];
    let calls = (0..12).map(|number| {
        let call = owners[number % 2].post(SESSIONS, json!({"provisioning": "immediate"}));
        async move { call.await.status }
    });
    let statuses = futures::future::join_all(calls).await;
    let made = statuses.iter().filter(|status| **status == 201).count();
    let refused = statuses.iter().filter(|status| **status == 409).count();
    assert_eq!((made, refused), (MAY, 12 - MAY), "{statuses:?}");
    assert_eq!(shown(&app).await["used"]["liveSessions"], MAY);
}

async fn upload(client: &Client, session: &str, bytes: usize, fill: u8) -> TestResponse {
    let path = format!("/v1/artifacts?sessionId={session}&kind=document");
    let call = client.call(Method::POST, &path);
    call.body("text/plain", vec![fill; bytes]).await
}

async fn stored_bytes_are_refused_above_the_limit(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&app.owner().post(SESSIONS, json!({})).await.expect(201));
    own(&app, json!({"storageBytes": 100})).await;
    upload(&app.owner(), &session, 60, 1).await.expect(201);
    assert_eq!(shown(&app).await["used"]["storageBytes"], 60);
    let refused = upload(&app.owner(), &session, 41, 2).await;
    let problem = refused.expect_problem(409, "LIMIT_REACHED");
    assert_eq!(
        problem["detail"],
        "the organization uses 60 bytes of storage and may have at most 100 bytes of storage: an admin of the \
         organization can raise it"
    );
    assert_eq!(shown(&app).await["used"]["storageBytes"], 60);
    // The same bytes again are the same artifact.
    upload(&app.owner(), &session, 60, 1).await.expect(200);
    upload(&app.owner(), &session, 40, 3).await.expect(201);
    let refused = upload(&app.owner(), &session, 1, 4).await;
    refused.expect_problem(409, "LIMIT_REACHED");
    own(&app, json!({})).await;
    upload(&app.owner(), &session, 1, 4).await.expect(201);
}

async fn of_many_uploads_at_once_as_many_are_kept_as_may(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&app.owner().post(SESSIONS, json!({})).await.expect(201));
    own(&app, json!({"storageBytes": 35})).await;
    let owner = app.owner();
    let uploads = (0..8).map(|number| upload(&owner, &session, 10, number));
    let answers = futures::future::join_all(uploads).await;
    let kept = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(kept, 3);
    assert_eq!(shown(&app).await["used"]["storageBytes"], 30);
}

async fn what_a_sweep_counts_is_what_is_there(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&app.owner().post(SESSIONS, json!({})).await.expect(201));
    upload(&app.owner(), &session, 60, 1).await.expect(201);
    assert_eq!(shown(&app).await["used"]["storageCountedAt"], Value::Null);
    // Of a time before there was a sum.
    app.database
        .execute("UPDATE organization_storage SET byte_size = 1, evidence_byte_size = 5")
        .await;
    let counted = ::app::organization_limits::sweep_storage(&app.app)
        .await
        .unwrap();
    assert_eq!(counted, 2, "both organizations");
    let used = &shown(&app).await["used"];
    assert_eq!(used["storageBytes"], 65);
    assert!(used["storageCountedAt"].is_string());
    assert_eq!(
        ::app::organization_limits::sweep_storage(&app.app)
            .await
            .unwrap(),
        0
    );
    app.clock
        .advance(STORAGE_COUNT_EVERY + Duration::from_secs(1));
    assert_eq!(
        ::app::organization_limits::sweep_storage(&app.app)
            .await
            .unwrap(),
        2
    );
}

async fn a_model_is_refused_when_the_day_is_spent_and_answers_on_the_next(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    own(&app, json!({"spendDayMicroUsd": 2 * COST})).await;
    let (_, key) = session(&app).await;
    let (_, other) = session(&app).await;
    asked(&app, &key, &ask()).await.expect(200);
    asked(&app, &other, &ask()).await.expect(200);
    let found = shown(&app).await;
    assert_eq!(found["used"]["spendDayMicroUsd"], 2 * COST);
    assert_eq!(found["used"]["spendMonthMicroUsd"], 2 * COST);
    assert_eq!(
        found["noticed"],
        json!({"dayPercent": 100, "monthPercent": 0})
    );
    for key in [&key, &other] {
        let refused = asked(&app, key, &ask()).await;
        assert_eq!(refused.status, 402);
        let message = refused.json()["error"]["message"].to_string();
        assert!(message.contains("its organization has spent"), "{message}");
    }
    app.clock.advance(Duration::from_hours(24));
    asked(&app, &key, &ask()).await.expect(200);
    let used = &shown(&app).await["used"];
    assert_eq!(used["spendDayMicroUsd"], COST);
    // A month's limit holds where the day's does not.
    own(&app, json!({"spendMonthMicroUsd": COST})).await;
    let refused = asked(&app, &key, &ask()).await;
    assert_eq!(refused.status, 402, "{MESSAGES}");
    own(&app, json!({})).await;
    asked(&app, &key, &ask()).await.expect(200);
}

async fn each_share_of_a_limit_is_noticed_once(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    own(&app, json!({"spendDayMicroUsd": 5 * COST})).await;
    let (_, key) = session(&app).await;
    let near = async || recorded(&app, "organization_spend_limit_near").await;
    let reached = async || recorded(&app, "organization_spend_limit_reach").await;
    for expected in [(0, 0), (0, 0), (0, 0), (1, 0), (1, 1)] {
        asked(&app, &key, &ask()).await.expect(200);
        assert_eq!((near().await, reached().await), expected);
    }
    // Raised and reached again on the same day: that was said.
    own(&app, json!({"spendDayMicroUsd": 6 * COST})).await;
    asked(&app, &key, &ask()).await.expect(200);
    assert_eq!((near().await, reached().await), (1, 1));
    // A limit that is set below what was spent is reached at once.
    own(&app, json!({"spendMonthMicroUsd": COST})).await;
    assert_eq!((near().await, reached().await), (2, 2));
    let noticed = &shown(&app).await["noticed"];
    assert_eq!(*noticed, json!({"dayPercent": 100, "monthPercent": 100}));
    app.clock.advance(Duration::from_hours(24));
    assert_eq!(shown(&app).await["noticed"]["dayPercent"], 0);
}

async fn an_action_waits_as_long_as_the_organization_chose(backend: Backend) {
    let desk = Desk::open(backend).await;
    let usual = desk.ask("Usual").await;
    own(&desk.app, json!({"approvalSeconds": 7200})).await;
    let longer = desk.ask("Longer").await;
    desk.later(300);
    assert_eq!(desk.show(&usual).await["status"], "expired");
    desk.later(6899);
    assert_eq!(desk.show(&longer).await["status"], "pending");
    // What was held keeps its time when the choice changes.
    put(
        &desk.app.person(Person::Admin),
        CEILING,
        json!({"approvalSeconds": 60}),
    )
    .await
    .expect(200);
    let shorter = desk.ask("Shorter").await;
    desk.later(1);
    assert_eq!(desk.show(&longer).await["status"], "expired");
    assert_eq!(desk.show(&shorter).await["status"], "pending");
    desk.later(59);
    assert_eq!(desk.show(&shorter).await["status"], "expired");
}
