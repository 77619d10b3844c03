//! Standing permissions.

use std::time::Duration;

use domain::clock::Clock as _;
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend};

use super::desk::{Desk, issue};

testkit::on_both_databases!(
    a_grant_spares_the_asking_until_it_is_used_up,
    two_hundred_at_once_spend_a_grant_of_five_five_times,
    an_approval_can_leave_a_grant,
    a_revoked_grant_covers_nothing,
    conditions_decide,
    no_grant_reaches_danger,
    a_repeated_call_is_spent_once,
    what_a_grant_would_have_allowed,
    an_agent_can_only_wish,
);

async fn a_grant_spares_the_asking_until_it_is_used_up(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(2)).await;
    for _ in 0..2 {
        let answer = desk
            .invoke("create_issue", issue("Blank page"))
            .await
            .expect(200);
        assert_eq!(answer["invocation"]["authority"]["grantId"], grant["id"]);
    }
    desk.ask("the third").await;
    assert_eq!(desk.linear.changes(), 2);
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    let ledger = desk.app.member().get(&path).await.expect(200);
    assert_eq!(
        (&ledger["usedCalls"], &ledger["callsLeft"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(ledger["lastUsedAt"], json!(desk.now().datetime()));
    let calls = desk
        .app
        .member()
        .get(&format!("{path}/calls"))
        .await
        .expect(200);
    assert_eq!(calls["items"].as_array().unwrap().len(), 2);
    let id = calls["items"][0]["id"].as_str().unwrap();
    let why = desk
        .app
        .member()
        .get(&format!("/v1/actions/{id}/explain"))
        .await
        .expect(200);
    assert_eq!(why["usedGrantId"], grant["id"]);
}

async fn two_hundred_at_once_spend_a_grant_of_five_five_times(backend: Backend) {
    let desk = Desk::open(backend).await;
    let second = desk.beside(TestApp::builder(backend)).await;
    desk.grant(Some(5)).await;
    let agents = [desk.agent.clone(), second.sandbox(desk.session).await];
    let path = desk.path("invoke");
    let asks = (0..200).map(|number| {
        let body = json!({"integration": "linear", "action": "create_issue",
            "params": issue(&format!("no. {number}"))});
        agents[number % 2].post(&path, body)
    });
    let answers = futures::future::join_all(asks.map(IntoFuture::into_future)).await;
    let count = |status: u16| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    assert_eq!(count(200), 5);
    assert_eq!(desk.linear.changes(), 5);
    assert_eq!(count(202) + count(429), 195);
    assert!(count(202) <= 10, "{}", count(202));
}

async fn an_approval_can_leave_a_grant(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let terms = json!({"mode": "grant", "grant": {"scope": "session", "maxCalls": 1}});
    let approved = desk.approve(&asked, terms).await.expect(200);
    assert_eq!(approved["grant"]["maxCalls"], 1);
    desk.invoke("create_issue", issue("Second"))
        .await
        .expect(200);
    desk.ask("third").await;
    assert_eq!(desk.linear.changes(), 2);
    let listed = desk.agent.get(&desk.path("grants")).await.expect(200);
    assert_eq!(listed["grants"], json!([]), "it is used up");
}

async fn a_revoked_grant_covers_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(None).await;
    desk.invoke("create_issue", issue("One")).await.expect(200);
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    desk.app
        .member()
        .delete(&path)
        .await
        .expect_problem(403, "FORBIDDEN");
    let revoked = desk.app.owner().delete(&path).await.expect(200);
    assert!(revoked["revokedAt"].is_string());
    desk.ask("two").await;
    assert_eq!(desk.linear.changes(), 1);
}

async fn conditions_decide(backend: Backend) {
    let desk = Desk::open(backend).await;
    let body = json!({"scope": "org", "integration": "linear", "action": "create_issue",
        "predicates": [{"pointer": "/title", "prefix": "[bot] "}]});
    desk.app.owner().post("/v1/grants", body).await.expect(201);
    desk.invoke("create_issue", issue("[bot] tidy up"))
        .await
        .expect(200);
    let asked = desk.ask("by hand").await;
    let path = format!("/v1/actions/{}/explain", asked["id"].as_str().unwrap());
    let why = desk.app.owner().get(&path).await.expect(200);
    assert_eq!(why["usedGrantId"], Value::Null);
    assert_eq!(why["grants"][0]["applies"], false);
}

async fn no_grant_reaches_danger(backend: Backend) {
    let desk = Desk::open(backend).await;
    let body = json!({"scope": "org", "integration": "*", "action": "*"});
    desk.app.owner().post("/v1/grants", body).await.expect(201);
    desk.invoke("delete_issue", json!({"issueId": "ENG-1"}))
        .await
        .expect(403);
    desk.invoke("create_issue", issue("One")).await.expect(200);
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_repeated_call_is_spent_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(5)).await;
    let at_once = (0..8).map(|_| desk.ask_once("One"));
    for answer in futures::future::join_all(at_once).await {
        assert!([200, 202].contains(&answer.status), "{}", answer.text());
    }
    desk.ask_once("One").await.expect(200);
    let other = desk.ask_once("Two").await;
    other.expect_problem(409, "IDEMPOTENCY_CONFLICT");
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    let ledger = desk.app.owner().get(&path).await.expect(200);
    assert_eq!(ledger["usedCalls"], 1);
    assert_eq!(desk.linear.changes(), 1);
}

async fn what_a_grant_would_have_allowed(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.ask("[bot] one").await;
    desk.ask("by hand").await;
    desk.invoke("list_issues", json!({})).await.expect(200);
    desk.invoke("delete_issue", json!({"issueId": "ENG-1"}))
        .await
        .expect(403);
    let body = json!({"scope": "org", "integration": "linear", "action": "*", "maxCalls": 5,
        "predicates": [{"pointer": "/title", "prefix": "[bot] "}]});
    let member = desk
        .app
        .member()
        .post("/v1/grants/backtest", body.clone())
        .await;
    member.expect_problem(403, "FORBIDDEN");
    let tested = desk
        .app
        .owner()
        .post("/v1/grants/backtest", body)
        .await
        .expect(200);
    assert_eq!(tested["allowed"], 1);
    let calls = tested["calls"].as_array().unwrap();
    let mut reasons: Vec<_> = calls
        .iter()
        .map(|call| call["reason"].as_str().unwrap())
        .collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [
            "/title must begin as granted",
            "danger is denied whatever is granted",
            "it would have been allowed",
            "reads need no grant",
        ]
    );
    // One for a minute says what it would have done in the last minute.
    let minute = Duration::from_mins(1);
    desk.app.clock.advance(minute * 2);
    desk.ask("[bot] two").await;
    desk.app.clock.advance(minute / 2);
    let end = desk.app.clock.now().plus(minute);
    let body = json!({"scope": "org", "integration": "linear", "action": "*",
        "expiresAt": end.to_string()});
    let tested = desk.app.owner().post("/v1/grants/backtest", body).await;
    let tested = tested.expect(200);
    assert_eq!(tested["allowed"], 1);
    assert_eq!(tested["calls"].as_array().unwrap().len(), 1);
    let page = desk.app.owner().get("/v1/grants").await.expect(200);
    assert_eq!(page["items"], json!([]), "nothing is saved");
}

async fn an_agent_can_only_wish(backend: Backend) {
    let desk = Desk::open(backend).await;
    let wish = json!({"integration": "linear", "action": "create_issue", "maxCalls": 3});
    let wished = desk
        .agent
        .post(&desk.path("grants"), wish.clone())
        .await
        .expect(202);
    assert_eq!(wished["grantRequest"]["status"], "pending");
    desk.ask("nothing is granted yet").await;
    let person = desk.app.owner().post(&desk.path("grants"), wish).await;
    person.expect_problem(403, "FORBIDDEN");
    let list = desk
        .app
        .member()
        .get("/v1/grant-requests?status=pending")
        .await
        .expect(200);
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/grant-requests/{id}/grant");
    desk.app
        .member()
        .post(&path, json!({}))
        .await
        .expect_problem(403, "FORBIDDEN");
    let grant = desk.app.owner().post(&path, json!({})).await.expect(201);
    assert_eq!(grant["maxCalls"], 3);
    desk.invoke("create_issue", issue("granted"))
        .await
        .expect(200);
    desk.app
        .owner()
        .post(&path, json!({}))
        .await
        .expect_problem(409, "CONFLICT");
}
