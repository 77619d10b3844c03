//! A budget stops a session's model where it is reached, and nothing else.

use std::sync::atomic::{AtomicUsize, Ordering};

use app::models::{self, OverBudget};
use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend};

use super::{COST, Provider, ask, asked, error, session, usage};
use crate::support::{create, id as id_of};

/// More than anything costs here.
const PLENTY: i64 = 1_000_000_000;

testkit::on_both_databases!(
    a_session_that_has_spent_its_budget_waits_for_an_admin,
    a_budget_is_exceeded_by_what_was_under_way_and_no_more,
    budgets_are_on_record,
    a_configuration_has_a_budget_for_its_sessions,
    an_organization_has_a_budget_where_nothing_nearer_says_one,
);

async fn give(app: &TestApp, id: SessionId, budget: Value) -> Value {
    let path = format!("/v1/sessions/{id}/budget");
    let call = app.owner().call("PUT".parse().unwrap(), &path);
    call.json(&json!({"budgetMicroUsd": budget}))
        .await
        .expect(200)
}

async fn a_session_that_has_spent_its_budget_waits_for_an_admin(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url);
    let app = app.session_budget(3 * COST).start().await;
    let (id, key) = session(&app).await;
    let (_, other) = session(&app).await;
    for n in 1..=3 {
        assert_eq!(
            models::over_budget(&app.app, &app.acme, id).await.unwrap(),
            None,
            "{n}"
        );
        asked(&app, &key, &ask()).await.expect(200);
    }
    let over = models::over_budget(&app.app, &app.acme, id)
        .await
        .unwrap()
        .unwrap();
    let reached = OverBudget::Session {
        spent_micro_usd: 3 * COST,
        budget_micro_usd: 3 * COST,
    };
    assert_eq!(over, reached);
    let refused = error(&asked(&app, &key, &ask()).await, 402);
    insta::assert_json_snapshot!("a_spent_budget", refused);
    assert_eq!(usage(&app, id).await["overBudget"], true);
    asked(&app, &other, &ask()).await.expect(200);
    assert_eq!(provider.requests().len(), 4);

    // More, then none, then less than it has spent.
    let raised = give(&app, id, json!(3 * COST + 1)).await;
    assert_eq!(raised["overBudget"], false);
    assert_eq!(raised["hasOwnBudget"], true);
    asked(&app, &key, &ask()).await.expect(200);
    error(&asked(&app, &key, &ask()).await, 402);
    assert_eq!(
        give(&app, id, Value::Null).await["budgetMicroUsd"],
        Value::Null
    );
    asked(&app, &key, &ask()).await.expect(200);
    give(&app, id, json!(0)).await;
    error(&asked(&app, &key, &ask()).await, 402);
    assert_eq!(provider.requests().len(), 6);

    for wrong in [json!(-1), json!(1_000_000_000_001_i64)] {
        let path = format!("/v1/sessions/{id}/budget");
        let call = app.owner().call("PUT".parse().unwrap(), &path);
        let answer = call.json(&json!({"budgetMicroUsd": wrong})).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "budgetMicroUsd");
    }
}

/// The bound that is documented: what was under way when the budget was reached.
async fn a_budget_is_exceeded_by_what_was_under_way_and_no_more(backend: Backend) {
    const AT_ONCE: usize = 4;
    // What the budget is for.
    const PAID: usize = 5;
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url);
    let app = app.session_budget(5 * COST).start().await;
    let (id, key) = session(&app).await;
    let refused = AtomicUsize::new(0);
    let worker = async || {
        for _ in 0..10 {
            match asked(&app, &key, &ask()).await.status {
                200 => {}
                402 => drop(refused.fetch_add(1, Ordering::Relaxed)),
                other => panic!("{other}"),
            }
        }
    };
    futures::future::join_all((0..AT_ONCE).map(|_| worker())).await;
    let made = provider.requests().len();
    let cost = COST * i64::try_from(made).unwrap();
    assert!((PAID..PAID + AT_ONCE).contains(&made), "{made}");
    assert_eq!(made + refused.into_inner(), 10 * AT_ONCE);
    let spent = &usage(&app, id).await["total"]["costMicroUsd"];
    assert_eq!(*spent, cost, "whatever was made is counted, once");
    assert_eq!(recorded(&app, "session_budget_reach").await, 1);
}

async fn budgets_are_on_record(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    give(&app, id, json!(COST)).await;
    asked(&app, &key, &ask()).await.expect(200);
    error(&asked(&app, &key, &ask()).await, 402);
    for operation in ["session_budget_update", "session_budget_reach"] {
        assert_eq!(recorded(&app, operation).await, 1, "{operation}");
    }
}

async fn a_configuration_has_a_budget_for_its_sessions(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url);
    let app = app.session_budget(3 * COST).start().await;
    let body = json!({"name": "shop", "budgetMicroUsd": COST});
    let owner = app.owner();
    let made = owner.post("/v1/configurations", body.clone()).await;
    let made = made.expect(201);
    assert_eq!(made["budgetMicroUsd"], COST);
    let path = format!("/v1/configurations/{}", id_of(&made));
    let session = create(&app, json!({"configurationId": made["id"]})).await;
    let id: SessionId = id_of(&session).parse().unwrap();
    let key = app.model_key(id).await;
    asked(&app, &key, &ask()).await.expect(200);
    error(&asked(&app, &key, &ask()).await, 402);
    let used = usage(&app, id).await;
    assert_eq!(
        (&used["budgetMicroUsd"], &used["hasOwnBudget"]),
        (&json!(COST), &json!(false))
    );

    // What is raised counts for sessions that are there; none of its own is the operator's; a session's own goes before.
    for budget in [json!(2 * COST), Value::Null] {
        let changed = owner.patch(&path, json!({"budgetMicroUsd": budget})).await;
        assert_eq!(changed.expect(200)["budgetMicroUsd"], budget);
        asked(&app, &key, &ask()).await.expect(200);
        error(&asked(&app, &key, &ask()).await, 402);
    }
    give(&app, id, json!(4 * COST)).await;
    asked(&app, &key, &ask()).await.expect(200);
    owner
        .patch(&path, json!({"budgetMicroUsd": 0}))
        .await
        .expect(200);
    assert_eq!(usage(&app, id).await["budgetMicroUsd"], 4 * COST);
    assert_eq!(recorded(&app, "configuration_budget_update").await, 4);

    // Members change everything else about it, and may say what it is already.
    let member = app.member();
    let refused = member.patch(&path, json!({"budgetMicroUsd": PLENTY})).await;
    refused.expect_problem(403, "FORBIDDEN");
    let refused = member.post("/v1/configurations", body).await;
    refused.expect_problem(403, "FORBIDDEN");
    let same = json!({"name": "store", "budgetMicroUsd": 0});
    assert_eq!(member.patch(&path, same).await.expect(200)["name"], "store");
    for wrong in [json!(-1), json!(1_000_000_000_001_i64)] {
        let answer = owner.patch(&path, json!({"budgetMicroUsd": wrong})).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "budgetMicroUsd");
    }
}

async fn an_organization_has_a_budget_where_nothing_nearer_says_one(backend: Backend) {
    const PATH: &str = "/v1/organization/budget";
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url);
    let app = app.session_budget(COST).start().await;
    let (id, key) = session(&app).await;
    let set = async |budget: Value| {
        let call = app.owner().call("PUT".parse().unwrap(), PATH);
        call.json(&json!({"budgetMicroUsd": budget})).await
    };
    let member = app.member();
    let shown = member.get(PATH).await.expect(200);
    assert_eq!(
        shown,
        json!({"budgetMicroUsd": null, "inForceMicroUsd": COST})
    );
    asked(&app, &key, &ask()).await.expect(200);
    error(&asked(&app, &key, &ask()).await, 402);

    // Raised, it counts for sessions that are there; the same again is no change; none is the operator's.
    for _ in 0..2 {
        let set = set(json!(2 * COST)).await.expect(200);
        assert_eq!(
            set,
            json!({"budgetMicroUsd": 2 * COST, "inForceMicroUsd": 2 * COST})
        );
    }
    assert_eq!(recorded(&app, "organization_budget_update").await, 1);
    let used = usage(&app, id).await;
    assert_eq!(
        (&used["budgetMicroUsd"], &used["hasOwnBudget"]),
        (&json!(2 * COST), &json!(false))
    );
    asked(&app, &key, &ask()).await.expect(200);
    error(&asked(&app, &key, &ask()).await, 402);
    set(Value::Null).await.expect(200);
    assert_eq!(usage(&app, id).await["budgetMicroUsd"], COST);

    // What is nearer to a session goes before.
    set(json!(0)).await.expect(200);
    let body = json!({"name": "shop", "budgetMicroUsd": PLENTY});
    let made = app.owner().post("/v1/configurations", body).await;
    let made = made.expect(201);
    let of_configuration = create(&app, json!({"configurationId": made["id"]})).await;
    let of_configuration: SessionId = id_of(&of_configuration).parse().unwrap();
    assert_eq!(
        usage(&app, of_configuration).await["budgetMicroUsd"],
        PLENTY
    );
    give(&app, id, json!(3 * COST)).await;
    asked(&app, &key, &ask()).await.expect(200);
    assert_eq!(usage(&app, id).await["budgetMicroUsd"], 3 * COST);

    let refused = member.call("PUT".parse().unwrap(), PATH);
    let refused = refused.json(&json!({"budgetMicroUsd": PLENTY})).await;
    refused.expect_problem(403, "FORBIDDEN");
    for wrong in [json!(-1), json!(1_000_000_000_001_i64)] {
        let problem = set(wrong).await;
        let problem = problem.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "budgetMicroUsd");
    }
    // Three changes, and the member's that was refused.
    assert_eq!(recorded(&app, "organization_budget_update").await, 4);
}

/// How often the log has it.
async fn recorded(app: &TestApp, operation: &str) -> usize {
    ::app::audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap();
    let events = app.owner().get("/v1/audit/events").await;
    events.expect(200);
    events.text().matches(&format!("\"{operation}\"")).count()
}
