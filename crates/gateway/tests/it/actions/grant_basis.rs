//! A grant is for actions as they were defined when it was given.

use serde_json::{Value, json};
use testkit::{
    app::{TestApp, TestResponse},
    database::Backend,
    standin::mcp::{Knobs, McpServer},
};

use super::{
    connectors::{Place, trusted},
    desk::{Desk, issue},
};

testkit::on_both_databases!(
    a_tool_that_changed_is_asked_about_until_it_is_reviewed,
    a_wildcard_covers_no_tool_that_came_later,
    a_change_is_not_paid_for_however_many_call_at_once,
    an_approval_grants_the_definition_that_was_approved,
    a_wish_is_granted_for_what_the_tool_is_by_then,
    a_built_in_action_that_changed_is_granted_again,
    grants_of_before_are_for_the_actions_of_the_program_that_starts,
    a_grant_that_an_older_instance_made_meanwhile_is_not_bound_later,
    the_ledger_does_not_say_of_what_it_did_not_read_that_it_counts,
);

impl Place {
    async fn grant(&self, integration: &str, action: &str) -> Value {
        let body = json!({"scope": "org", "integration": integration, "action": action,
            "maxCalls": 5});
        self.app.owner().post("/v1/grants", body).await.expect(201)
    }

    /// The tools of the server read differently, and are listed anew.
    fn rewrite(&self, server: &McpServer, words: &str) {
        server.set(|knobs| {
            for tool in &mut knobs.tools {
                tool["description"] = words.into();
            }
        });
        self.forget();
    }

    async fn send(&self) -> TestResponse {
        self.invoke("send", json!({"text": "hello"})).await
    }

    async fn held(&self, grant: &Value, reason: &str) -> Value {
        let held = self.send().await.expect(202)["invocation"].clone();
        assert_eq!(held["suspendedGrant"]["grantId"], grant["id"], "{held}");
        assert_eq!(held["suspendedGrant"]["reason"], reason);
        held
    }

    /// What the ledger says of it.
    async fn ledger(&self, grant: &Value) -> Value {
        let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
        let member = self.app.member();
        let one = member.get(&path).await.expect(200);
        let all = member.get("/v1/grants").await.expect(200);
        let mut listed = all["items"].as_array().unwrap().iter();
        assert!(listed.any(|listed| *listed == one), "{all}");
        one
    }

    /// Accepts what the server says of `send`.
    async fn review(&self) {
        let id = self.integration.strip_prefix("connector:").unwrap();
        let path = format!("/v1/connectors/{id}");
        let owner = self.app.owner();
        let tools = owner.get(&format!("{path}/tools")).await.expect(200);
        let mut tools = tools["tools"].as_array().unwrap().iter();
        let send = tools.find(|tool| tool["name"] == "send").unwrap();
        let accepted = json!({"tools": [{"name": "send", "sha256": send["sha256"]}]});
        let reviewed = owner.post(&format!("{path}/review"), accepted).await;
        reviewed.expect(200);
    }

    async fn says(&self, invocation: &Value, grant: &Value) -> (bool, String) {
        let id = invocation["id"].as_str().unwrap();
        let path = format!("/v1/actions/{id}/explain");
        let why = self.app.member().get(&path).await.expect(200);
        let mut verdicts = why["grants"].as_array().unwrap().iter();
        let verdict = verdicts.find(|one| one["grantId"] == grant["id"]).unwrap();
        let reason = verdict["reason"].as_str().unwrap().to_owned();
        (verdict["applies"].as_bool().unwrap(), reason)
    }
}

async fn a_tool_that_changed_is_asked_about_until_it_is_reviewed(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let grant = place.grant(&place.integration, "send").await;
    assert_eq!(
        grant["suspended"],
        Value::Null,
        "it was listed to be granted"
    );
    place.send().await.expect(200);
    place.rewrite(&server, "Now also forwards everything to a stranger");
    let held = place.held(&grant, "tool_definition_changed").await;
    let ledger = place.ledger(&grant).await;
    assert_eq!(ledger["usedCalls"], 1, "nothing was spent on what waits");
    let suspended = &ledger["suspended"][0];
    assert_eq!(suspended["integration"], place.integration);
    assert_eq!(suspended["action"], "send");
    assert_eq!(suspended["givenForSha256"], grant["definitionSha256"]);
    assert_ne!(suspended["nowSha256"], grant["definitionSha256"]);
    let (applies, reason) = place.says(&held, &grant).await;
    assert!(
        !applies && reason.contains("definition changed"),
        "{reason}"
    );
    place.review().await;
    assert!(place.says(&held, &grant).await.0);
    assert_eq!(place.ledger(&grant).await["suspended"], Value::Null);
    place.send().await.expect(200);
    let shown = place.agent.get(&place.path("grants")).await.expect(200);
    assert_eq!(shown["grants"][0]["callsLeft"], 3);
    assert_eq!(server.effects().len(), 2);
}

async fn a_wildcard_covers_no_tool_that_came_later(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let of_server = place.grant(&place.integration, "*").await;
    place.send().await.expect(200);
    server.set(|knobs| {
        let mut tools = knobs.tools.iter();
        let mut later = tools.find(|tool| tool["name"] == "send").unwrap().clone();
        later["name"] = "send_all".into();
        knobs.tools.push(later);
    });
    place.forget();
    let asked = place.invoke("send_all", json!({"text": "x"})).await;
    let asked = asked.expect(202)["invocation"].clone();
    assert_eq!(asked["suspendedGrant"]["reason"], "tool_definition_new");
    let ledger = place.ledger(&of_server).await;
    let suspended = &ledger["suspended"];
    assert_eq!(suspended.as_array().unwrap().len(), 1, "{suspended}");
    assert_eq!(suspended[0]["action"], "send_all");
    assert_eq!(suspended[0]["givenForSha256"], Value::Null);
    // What was there is covered as before, and what is granted now is for both.
    place.send().await.expect(200);
    let of_all = place.grant("*", "*").await;
    let done = place.invoke("send_all", json!({"text": "x"})).await;
    let done = done.expect(200);
    assert_eq!(done["invocation"]["authority"]["grantId"], of_all["id"]);
    place.rewrite(&server, "Something else");
    place.held(&of_all, "tool_definition_changed").await;
    let ledger = place.ledger(&of_all).await;
    // The dangerous one and the one that reads are named too: they read differently.
    assert_eq!(ledger["suspended"].as_array().unwrap().len(), 4);
    place.review().await;
    place.send().await.expect(200);
    assert_eq!(server.effects().len(), 4);
}

async fn a_change_is_not_paid_for_however_many_call_at_once(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let grant = place.grant(&place.integration, "*").await;
    let second = TestApp::builder(backend).reach(&server.host());
    let second = second.beside(&place.app).await;
    let agents = [place.agent.clone(), second.sandbox(place.session).await];
    let all_at_once = async || {
        let path = place.path("invoke");
        let body = json!({"integration": place.integration, "action": "send",
            "params": {"text": "hello"}});
        let asks = (0..25).map(|number: usize| agents[number % 2].post(&path, body.clone()));
        let answers = futures::future::join_all(asks.map(IntoFuture::into_future)).await;
        answers.iter().filter(|answer| answer.status == 200).count()
    };
    place.rewrite(&server, "Something else");
    assert_eq!(all_at_once().await, 0);
    assert_eq!(place.ledger(&grant).await["usedCalls"], 0);
    place.review().await;
    assert_eq!(all_at_once().await, 5);
    assert_eq!(place.ledger(&grant).await["callsLeft"], 0);
    assert_eq!(server.effects().len(), 5);
}

async fn an_approval_grants_the_definition_that_was_approved(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let first = place.send().await.expect(202)["invocation"].clone();
    place.rewrite(&server, "Something else");
    let terms = json!({"mode": "grant", "grant": {"scope": "org"}});
    let approve = async |invocation: &Value| {
        let id = invocation["id"].as_str().unwrap();
        let path = place.path(&format!("invocations/{id}/approve"));
        let mut body = terms.clone();
        body["callSha256"] = invocation["callSha256"].clone();
        place.app.owner().post(&path, body).await
    };
    // What was looked at is not what the tool is by now: the call is asked about again, and so is the next.
    let returned = approve(&first).await.expect(202);
    let why = json!(["tool_definition_changed"]);
    assert_eq!(returned["invocation"]["returnedBecause"], why);
    let grants = place.app.owner().get("/v1/grants").await.expect(200);
    let stale = grants["items"][0].clone();
    let next = place.held(&stale, "tool_definition_changed").await;
    // This one was asked about as it is.
    approve(&next).await.expect(200);
    place.send().await.expect(200);
    // Back as it was: the older grant is for that.
    server.set(|knobs| knobs.tools = Knobs::default().tools);
    place.forget();
    let done = place.send().await.expect(200);
    assert_eq!(done["invocation"]["authority"]["grantId"], stale["id"]);
    assert_eq!(server.effects().len(), 3);
}

async fn a_wish_is_granted_for_what_the_tool_is_by_then(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let wish = json!({"integration": place.integration, "action": "send"});
    let wished = place.agent.post(&place.path("grants"), wish).await;
    let wished = wished.expect(202)["grantRequest"]["id"].clone();
    place.rewrite(&server, "Something else");
    let path = format!("/v1/grant-requests/{}/grant", wished.as_str().unwrap());
    let grant = place.app.owner().post(&path, json!({})).await.expect(201);
    // It was never listed before, so this is the first that is known of it.
    assert_eq!(grant["suspended"], Value::Null, "{grant}");
    place.send().await.expect(200);
    place.rewrite(&server, "A third");
    place.held(&grant, "tool_definition_changed").await;
    assert_eq!(server.effects().len(), 1);
}

async fn a_built_in_action_that_changed_is_granted_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(5)).await;
    desk.invoke("create_issue", issue("One")).await.expect(200);
    // As if it had been given to an earlier release, where the action took other parameters.
    let before = json!({"linear/create_issue": "0".repeat(64)});
    let sql = format!("UPDATE action_grants SET built_in = '{before}'");
    desk.app.database.execute(&sql).await;
    let held = desk.ask("Two").await;
    assert_eq!(held["suspendedGrant"]["grantId"], grant["id"], "{held}");
    assert_eq!(held["suspendedGrant"]["reason"], "action_changed");
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    let ledger = desk.app.member().get(&path).await.expect(200);
    assert_eq!(ledger["usedCalls"], 1);
    let suspended = &ledger["suspended"][0];
    assert_eq!(suspended["givenForSha256"], "0".repeat(64));
    assert_eq!(suspended["nowSha256"], grant["definitionSha256"]);
    // A start does not bind it anew.
    app::grants::bind_built_in(&desk.app.app).await.unwrap();
    desk.ask("Three").await;
    let again = desk.grant(Some(5)).await;
    let done = desk.invoke("create_issue", issue("Four")).await.expect(200);
    assert_eq!(done["invocation"]["authority"]["grantId"], again["id"]);
    assert_eq!(desk.linear.changes(), 2);
}

async fn grants_of_before_are_for_the_actions_of_the_program_that_starts(backend: Backend) {
    let desk = Desk::open(backend).await;
    let body = json!({"scope": "org", "integration": "*", "action": "*"});
    desk.app.owner().post("/v1/grants", body).await.expect(201);
    let sql = "UPDATE action_grants SET built_in = NULL, to_bind = TRUE";
    desk.app.database.execute(sql).await;
    let held = desk.ask("Not yet").await;
    assert_eq!(held["suspendedGrant"]["reason"], "action_new");
    app::grants::bind_built_in(&desk.app.app).await.unwrap();
    desk.invoke("create_issue", issue("Bound"))
        .await
        .expect(200);
    desk.invoke("delete_issue", json!({"issueId": "ENG-1"}))
        .await
        .expect(403);
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_grant_that_an_older_instance_made_meanwhile_is_not_bound_later(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(5)).await;
    // As an instance of the release before inserts it: it knows neither column.
    let sql = "UPDATE action_grants SET built_in = NULL, known_tools = 0";
    desk.app.database.execute(sql).await;
    app::grants::bind_built_in(&desk.app.app).await.unwrap();
    let held = desk.ask("Not for this program").await;
    assert_eq!(held["suspendedGrant"]["grantId"], grant["id"], "{held}");
    assert_eq!(held["suspendedGrant"]["reason"], "action_new");
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    let ledger = desk.app.member().get(&path).await.expect(200);
    let message = ledger["suspended"][0]["message"].as_str().unwrap();
    assert!(message.contains("an older release made"), "{message}");
    assert_eq!(desk.linear.changes(), 0);
}

async fn the_ledger_does_not_say_of_what_it_did_not_read_that_it_counts(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let oldest = place.grant(&place.integration, "send").await;
    place.rewrite(&server, "Something else");
    place.held(&oldest, "tool_definition_changed").await;
    let newest = place.grant("*", "*").await;
    // So many tools came later that the ledger does not read beyond the newest grant.
    let id = place.integration.strip_prefix("connector:").unwrap();
    let sql = format!(
        "INSERT INTO connector_tools (organization_id, connector_id, action, sha256, first_seen_at)
            WITH RECURSIVE later (number) AS
                (SELECT 1 UNION ALL SELECT number + 1 FROM later WHERE number < 1001)
            SELECT t.organization_id, t.connector_id, 'later_' || number, t.sha256, t.first_seen_at
            FROM later CROSS JOIN connector_tools t
            WHERE t.connector_id = '{id}' AND t.action = 'send'"
    );
    place.app.database.execute(&sql).await;
    let listed = async |grant: &Value| {
        let all = place.app.member().get("/v1/grants").await.expect(200);
        let mut items = all["items"].as_array().unwrap().iter();
        items.find(|one| one["id"] == grant["id"]).unwrap().clone()
    };
    assert_eq!(listed(&newest).await["suspendedTruncated"], true);
    assert_eq!(listed(&oldest).await["suspendedTruncated"], true);
    // What can no longer be used takes no room from what can.
    for finished in [
        "expires_at = created_at",
        "expires_at = NULL, max_calls = 1, used_calls = 1",
    ] {
        let newest = newest["id"].as_str().unwrap();
        let sql = format!("UPDATE action_grants SET {finished} WHERE id = '{newest}'");
        place.app.database.execute(&sql).await;
        let one = listed(&oldest).await;
        assert_eq!(one["suspendedTruncated"], Value::Null, "{one}");
        assert_eq!(one["suspended"][0]["action"], "send", "{one}");
    }
}
