//! That an integration's token is seen nowhere: every answer, the log at its finest, the audit bundle, what both
//! commands print, what webhooks are sent and every byte on the disk, while the service does its best to
//! give it away.

use serde_json::json;
use testkit::{
    database::Backend,
    standin::{Answer, Fault, hook, linear},
};

use super::desk::{Agent, Desk, issue, until};
use crate::{
    api::Api,
    seen::{Seen, forms, given_away},
};

testkit::on_both_databases!(no_byte_that_comes_out_holds_the_token);

/// Another user of the service writes the token into an issue, so that every read brings it back.
async fn written_at_linear(desk: &Desk) {
    let query = "mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success } }";
    let mut input = issue(&given_away(linear::TOKEN));
    input["description"] = json!(given_away(linear::TOKEN));
    let body = json!({"query": query, "variables": {"input": input}});
    let request = reqwest::Client::new()
        .post(&desk.linear.base_url)
        .bearer_auth(linear::TOKEN);
    let answer = request.json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

fn refusal() -> Fault {
    let error = json!({"message": given_away(linear::TOKEN), "extensions": {"code": "INPUT_ERROR",
        "userPresentableMessage": given_away(linear::TOKEN)}});
    Fault::Answer(Answer::json(200, json!({"errors": [error]})))
}

async fn no_byte_that_comes_out_holds_the_token(backend: Backend) {
    let hook = hook::start().await;
    let desk = Desk::open_with(backend, |workspace, linear| {
        let allowed = format!("{},{}", linear.address, hook.address);
        workspace
            .env("PROLIFERATE_EGRESS_ALLOW", allowed)
            .env("PROLIFERATE_LOG", "trace")
    })
    .await;
    let (serve, api) = desk.serve().await;
    let mut seen = Seen::default();
    let connection = desk.connect(&api).await;
    let (status, made) = api
        .post("/v1/webhooks", "hook", &json!({"url": hook.base_url}))
        .await;
    assert_eq!(status, 201, "{made}");
    let agent = desk.agent(&api, &connection, "Mend it").await;
    written_at_linear(&desk).await;

    let ids = ask_for_everything(&desk, &api, &agent, &mut seen).await;
    look_everywhere(&api, &agent, &ids, &mut seen).await;
    let export = ["audit", "export", "--org", "org_acme", "--output"];
    let export = [&export[..], &["bundle.jsonl"]].concat();
    desk.workspace.output(&export).await;
    let bundle = std::fs::read(desk.workspace.root().join("bundle.jsonl")).unwrap();
    assert!(bundle.len() > 1000);
    seen.add("the audit bundle", bundle);

    // Every subscriber received everything.
    until("webhooks", async || {
        (hook.requests().len() >= 9).then_some(())
    })
    .await;
    for request in hook.requests() {
        seen.add("a webhook", format!("{request:?}"));
        seen.add("a webhook's body", request.bytes);
    }
    let log = serve.stderr();
    assert!(log.contains("TRACE"), "the log is at its finest");
    seen.add("the log", log);
    seen.add("stdout of the gateway", serve.stdout());
    for (place, bytes) in desk.database.dump().await {
        seen.add(place, bytes);
    }
    seen.has_none_of(&forms(linear::TOKEN));
}

/// Every way an action can go, by both commands. Returns the ids of all.
async fn ask_for_everything(desk: &Desk, api: &Api, agent: &Agent, seen: &mut Seen) -> Vec<String> {
    let sandbox = agent.sandbox(api.url());
    for arguments in [&["list"][..], &["guide", "--integration", "linear"]] {
        seen.command("the agent's command", &sandbox.run(arguments).await);
    }
    let read = sandbox.act("list_issues", &json!({}), &[]).await;
    assert_eq!(read.code, Some(0), "{read:?}");
    assert!(read.stdout.contains("[redacted]"), "{read:?}");
    seen.command("a read", &read);
    let read = sandbox
        .act("get_issue", &json!({"issueId": "ENG-2"}), &[])
        .await;
    assert_eq!(read.code, Some(0), "{read:?}");
    seen.command("another read", &read);
    for fault in [
        refusal(),
        Fault::Status(403),
        Fault::Status(500),
        Fault::CutAfter,
        Fault::Malformed,
    ] {
        desk.linear.fail_next([fault]);
        let failed = sandbox.act("list_issues", &json!({}), &[]).await;
        assert_eq!(failed.code, Some(1), "{failed:?}");
        seen.command("a failed read", &failed);
    }
    // An agent that has found it elsewhere and repeats it.
    let told = issue(&format!("see {}", linear::TOKEN));
    for verb in ["approve", "deny"] {
        let held = sandbox.act("create_issue", &told, &["--wait", "0"]).await;
        assert_eq!(held.code, Some(5), "{held:?}");
        seen.command("a write that waits", &held);
        let id = super::desk::document(&held)["invocation"]["id"].clone();
        let id = id.as_str().unwrap();
        let whole = ["action", "show", id, "--whole"];
        let opened = desk.operator(api, &whole).await;
        assert_eq!(opened.code, Some(0), "{opened:?}");
        seen.command("action show --whole", &opened);
        let opened = desk.operated(api, &whole).await;
        assert_eq!(opened["leftOut"], 1, "{opened}");
        let call = opened["callSha256"].as_str().unwrap();
        for command in [&["show"][..], &["explain"], &[verb, "--call", call]] {
            let command = [&["action"], command, &[id]].concat();
            let decided = desk.operator(api, &command).await;
            assert_eq!(decided.code, Some(0), "{decided:?}");
            seen.command(&command.join(" "), &decided);
        }
        seen.command("waiting", &sandbox.run(&["wait", id]).await);
    }
    desk.grant(api, 9).await;
    for fault in [None, Some(refusal()), Some(Fault::CutAfter)] {
        desk.linear.fail_next(fault);
        let written = sandbox.act("create_issue", &told, &[]).await;
        seen.command("a write", &written);
    }
    // The last one: a token that is refused is not used again.
    desk.linear.fail_next([Fault::Status(401)]);
    let refused = sandbox.act("list_issues", &json!({}), &[]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    seen.command("a refused token", &refused);
    let expired = sandbox.act("list_issues", &json!({}), &[]).await;
    assert_eq!(expired.code, Some(2), "{expired:?}");
    seen.command("an expired connection", &expired);
    for arguments in [&["action", "list"][..], &["grant", "list"]] {
        seen.command("a list", &desk.operator(api, arguments).await);
    }
    let inbox = desk.operated(api, &["action", "list"]).await;
    let all = inbox["invocations"].as_array().unwrap().iter();
    all.map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Every route that says something of actions.
async fn look_everywhere(api: &Api, agent: &Agent, ids: &[String], seen: &mut Seen) {
    let inside = agent.at(api.url());
    for rest in ["available", "guide/linear", "invocations", "grants"] {
        for caller in [api, &inside] {
            seen.get(caller, &agent.path(rest)).await;
        }
    }
    for id in ids {
        let path = agent.path(&format!("invocations/{id}"));
        seen.get(&inside, &path).await;
        let shown = seen.get(api, &format!("/v1/actions/{id}")).await;
        seen.get(api, &format!("/v1/actions/{id}/explain")).await;
        let run = shown["invocation"]["runId"].as_str().unwrap();
        seen.get(api, &format!("/v1/runs/{run}")).await;
        if let Some(artifact) = shown["invocation"]["resultArtifactId"].as_str() {
            let path = format!("/v1/artifacts/{artifact}/content");
            seen.get(api, &path).await;
        }
    }
    for path in [
        "/v1/actions",
        "/v1/grants",
        "/v1/grant-requests",
        "/v1/integrations",
        "/v1/connectors",
        "/v1/audit/events",
        "/metrics",
    ] {
        seen.get(api, path).await;
    }
    let hooks = seen.get(api, "/v1/webhooks").await;
    let hook = hooks["items"][0]["id"].as_str().unwrap();
    seen.get(api, &format!("/v1/webhooks/{hook}/deliveries"))
        .await;
}
