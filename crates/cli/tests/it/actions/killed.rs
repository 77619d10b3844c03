//! `kill -9` of the process that does an action, wherever it hurts: nothing is done twice, and what is said of
//! it in the end is true.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{database::Backend, standin::Fault};

use super::desk::{Agent, Desk, invocation, issue, until};
use crate::api::Api;

testkit::on_both_databases!(
    killed_between_the_claim_and_the_effect,
    killed_between_the_effect_and_the_record,
    killed_with_a_read_under_way,
    killed_between_the_approval_and_the_claim,
);

/// Later than any test lasts.
const NEVER: Duration = Duration::from_hours(1);
const KEY: &str = "the-one-key";

async fn killed_between_the_claim_and_the_effect(backend: Backend) {
    cut_off(backend, Fault::Held, 0).await;
}

async fn killed_between_the_effect_and_the_record(backend: Backend) {
    cut_off(backend, Fault::Late(NEVER), 1).await;
}

/// A write under a grant, killed while Linear has the request: `effects` of it were had.
async fn cut_off(backend: Backend, fault: Fault, effects: usize) {
    let desk = Desk::open(backend).await;
    let (mut serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let grant = desk.grant(&api, 3).await;
    desk.linear.fail_next([fault]);
    let asking = tokio::spawn(ask(agent.at(api.url()), agent.path("invoke"), "Blank page"));
    desk.asked(1).await;
    serve.kill();
    assert!(
        asking.await.unwrap().is_err(),
        "no process was left to answer"
    );

    // Within its deadline it cannot be known that it was cut off, also not by a caller that asks again.
    let (mut serve, api) = desk.serve().await;
    let standing = only(&api).await;
    assert_eq!(standing["status"], "executing", "{standing}");
    assert_eq!(standing["authority"]["grantId"], json!(grant));
    let refused = decide(&api, &standing).await;
    assert_eq!(refused, 409);
    serve.kill();

    let (_serve, api) = after_the_deadline(&desk).await;
    let ended = becomes(&api, "failed").await;
    assert_eq!(ended["id"], standing["id"]);
    assert_eq!(ended["outcomeUnknown"], json!(true), "{ended}");
    let again = ask(agent.at(api.url()), agent.path("invoke"), "Blank page").await;
    let (status, again) = again.unwrap();
    assert_eq!((status, &again["invocation"]["id"]), (502, &ended["id"]));
    assert_eq!(desk.linear.changes(), effects, "the effect was had again");
    assert_eq!(desk.linear.requests().len(), 1);
    assert_eq!(spent(&api, &grant).await, 1);
    told(
        &desk,
        &ended,
        &[
            "authz_decision/allow/-",
            "tool_call/failure/outcome_unknown",
        ],
    )
    .await;

    // The next one runs, and the budget counts both.
    let (status, next) = api_invoke(&agent, &api, "another", "next").await;
    assert_eq!(status, 200, "{next}");
    assert_eq!(spent(&api, &grant).await, 2);
    assert_eq!(desk.linear.changes(), effects + 1);
}

async fn killed_with_a_read_under_way(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (mut serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    desk.linear.fail_next([Fault::Held]);
    let reader = agent.at(api.url());
    let path = agent.path("invoke");
    let asking = tokio::spawn(async move {
        let body = invocation("list_issues", &json!({}));
        reader.try_post(&path, KEY, &body).await
    });
    desk.asked(1).await;
    serve.kill();
    assert!(asking.await.unwrap().is_err());
    let (_serve, api) = after_the_deadline(&desk).await;
    let ended = becomes(&api, "failed").await;
    // Nothing can have happened: it may be read again.
    assert_eq!(ended["outcomeUnknown"], json!(false), "{ended}");
    assert_eq!(desk.linear.requests().len(), 1);
}

async fn killed_between_the_approval_and_the_claim(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (mut serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let (status, asked) = api_invoke(&agent, &api, KEY, "Blank page").await;
    assert_eq!(status, 202, "{asked}");
    // The claim takes longer than the process lives.
    desk.database.execute(slow_claim(backend)).await;
    let (approver, pending) = (api.clone(), asked["invocation"].clone());
    let approving = tokio::spawn(async move {
        let (path, key) = decision(&pending, "approve");
        let body = json!({"callSha256": pending["callSha256"]});
        approver.try_post(&path, &key, &body).await
    });
    becomes(&api, "approved").await;
    serve.kill();
    assert!(approving.await.unwrap().is_err());
    desk.database.execute(quick_claim(backend)).await;

    // No instance takes it up by itself, and a second approval is one too many.
    let (mut serve, api) = desk.serve().await;
    let standing = only(&api).await;
    assert_eq!(standing["status"], "approved", "{standing}");
    assert_eq!(decide(&api, &standing).await, 409);
    serve.kill();
    let over = "UPDATE action_invocations SET expires_at = created_at WHERE status = 'approved'";
    desk.database.execute(over).await;
    let (_serve, api) = desk.serve().await;
    let ended = becomes(&api, "expired").await;
    assert_eq!(ended["id"], asked["invocation"]["id"]);
    assert_eq!(decide(&api, &ended).await, 410);
    assert_eq!(desk.linear.requests().len(), 0);
}

/// A trigger that lets the instance that claims an invocation wait inside of the claim.
fn slow_claim(backend: Backend) -> &'static str {
    match backend {
        // Longer than it takes to kill a process, shorter than what comes after is waited for.
        Backend::Postgres => {
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$;
             CREATE TRIGGER dawdle BEFORE UPDATE ON action_invocations FOR EACH ROW
                 WHEN (NEW.status = 'executing') EXECUTE FUNCTION dawdle()"
        }
        // It has no way to sleep, so it counts.
        Backend::Sqlite => {
            "CREATE VIEW dawdle AS WITH RECURSIVE n(i) AS
                 (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) SELECT i FROM n;
             CREATE TRIGGER dawdling BEFORE UPDATE ON action_invocations
                 WHEN NEW.status = 'executing' BEGIN SELECT count(*) FROM dawdle; END"
        }
    }
}

fn quick_claim(backend: Backend) -> &'static str {
    match backend {
        Backend::Postgres => "DROP TRIGGER dawdle ON action_invocations; DROP FUNCTION dawdle()",
        Backend::Sqlite => "DROP TRIGGER dawdling; DROP VIEW dawdle",
    }
}

/// A gateway on the day after, for what runs.
async fn after_the_deadline(desk: &Desk) -> (testkit::process::Running, Api) {
    let late =
        "UPDATE runs SET deadline = started_at WHERE status = 'running' AND deadline IS NOT NULL";
    desk.database.execute(late).await;
    desk.serve().await
}

async fn ask(api: Api, path: String, title: &str) -> Result<(u16, Value), reqwest::Error> {
    let body = invocation("create_issue", &issue(title));
    api.try_post(&path, KEY, &body).await
}

async fn api_invoke(agent: &Agent, api: &Api, key: &str, title: &str) -> (u16, Value) {
    let body = invocation("create_issue", &issue(title));
    let agents = agent.at(api.url());
    agents.post(&agent.path("invoke"), key, &body).await
}

/// Where an invocation is decided, and a key.
fn decision(invocation: &Value, verb: &str) -> (String, String) {
    let text = |name: &str| invocation[name].as_str().unwrap();
    let (session, id) = (text("sessionId"), text("id"));
    let path = format!("/proliferate/{session}/actions/invocations/{id}/{verb}");
    (path, id.to_owned())
}

/// Approves it, and says how that was answered.
async fn decide(api: &Api, invocation: &Value) -> u16 {
    let (path, key) = decision(invocation, "approve");
    let body = json!({"callSha256": invocation["callSha256"]});
    api.post(&path, &key, &body).await.0
}

/// The only invocation there is.
async fn only(api: &Api) -> Value {
    let (status, inbox) = api.get("/v1/actions").await;
    assert_eq!((status, &inbox["total"]), (200, &json!(1)), "{inbox}");
    inbox["invocations"][0].clone()
}

async fn becomes(api: &Api, status: &str) -> Value {
    until(status, async || {
        let standing = only(api).await;
        (standing["status"] == status).then_some(standing)
    })
    .await
}

async fn spent(api: &Api, grant: &str) -> u64 {
    let (status, grant) = api.get(&format!("/v1/grants/{grant}")).await;
    assert_eq!(status, 200, "{grant}");
    grant["usedCalls"].as_u64().unwrap()
}

/// `action_type/outcome/outcome_reason` of the call's events, once each, oldest first.
async fn told(desk: &Desk, invocation: &Value, expected: &[&str]) {
    let run = invocation["runId"].as_str().unwrap();
    let why = ["policy", "why", run, "--org", "org_acme", "-o", "json"];
    let why: Value = serde_json::from_str(&desk.workspace.output(&why).await).unwrap();
    let events = why["events"].as_array().unwrap().iter();
    let word = |event: &Value, name: &str| event[name].as_str().unwrap_or("-").to_owned();
    let events: Vec<String> = events
        .map(|event| {
            let names = ["action_type", "outcome", "outcome_reason"];
            names.map(|name| word(event, name)).join("/")
        })
        .collect();
    assert_eq!(events, expected);
}
