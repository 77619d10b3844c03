//! From an agent's request to the change at the service, every part of it a process of its own.

use serde_json::{Value, json};
use testkit::{database::Backend, process::Finished, standin::Fault};

use super::desk::{Desk, document, issue, until};
use crate::api::Api;

testkit::on_both_databases!(
    an_agent_asks_a_person_decides_and_a_grant_spares_the_next,
    what_an_agent_hears_of_what_did_not_happen,
    an_agent_requests_a_grant_and_uses_it,
);

/// The id of the one invocation that waits, as the operator sees it.
async fn waiting(desk: &Desk, api: &Api) -> String {
    until("something pending", async || {
        let listed = ["action", "list", "--status", "pending"];
        let inbox = desk.operated(api, &listed).await;
        let id = inbox["invocations"].get(0)?["id"].as_str();
        id.map(str::to_owned)
    })
    .await
}

fn ended(finished: &Finished, code: i32) -> Value {
    assert_eq!(finished.code, Some(code), "{finished:?}");
    document(finished)
}

async fn an_agent_asks_a_person_decides_and_a_grant_spares_the_next(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let sandbox = agent.sandbox(api.url());

    let listed = sandbox.ends(0, &["list"]).await;
    let linear = &listed["integrations"][0];
    assert_eq!(linear["integration"], "linear", "{listed}");
    let guide = sandbox.ends(0, &["guide", "--integration", "linear"]).await;
    assert!(guide.to_string().contains("create_issue"), "{guide}");

    let read = sandbox.act("list_issues", &json!({}), &[]).await;
    let read = ended(&read, 0);
    assert_eq!(read["items"][0]["title"], "Log in fails on Safari");

    // The agent waits while an admin decides.
    let approve = async {
        let id = waiting(&desk, &api).await;
        let digest = desk.operated(&api, &["action", "show", &id]).await["callSha256"].clone();
        let call = digest.as_str().unwrap();
        let approve = [
            "action", "approve", &id, "--call", call, "--grant", "session",
        ];
        let approve = [&approve[..], &["--max-calls", "2", "-o", "json"]].concat();
        desk.operator(&api, &approve).await
    };
    let params = issue("Blank page");
    let write = sandbox.act("create_issue", &params, &["--wait", "60"]);
    let (written, approved) = tokio::join!(write, approve);
    // The admin who approves sees what.
    assert!(approved.stderr.contains("linear/create_issue (write)"));
    assert!(approved.stderr.contains("Blank page"), "{approved:?}");
    let approved = ended(&approved, 0);
    assert_eq!(ended(&written, 0)["issue"]["title"], "Blank page");
    assert_eq!(approved["grant"]["maxCalls"], 2, "{approved}");

    for title in ["second", "third"] {
        let written = sandbox.act("create_issue", &issue(title), &[]).await;
        assert_eq!(ended(&written, 0)["issue"]["title"], title);
    }
    assert_eq!(desk.linear.changes(), 3);
    let held = sandbox
        .act("create_issue", &issue("fourth"), &["--wait", "0"])
        .await;
    let held = ended(&held, 5);
    assert_eq!(held["invocation"]["status"], "pending");
    let id = held["invocation"]["id"].as_str().unwrap();
    let deny = ["action", "deny", id, "--reason", "no"];
    desk.operated(&api, &deny).await;
    let denied = sandbox.run(&["wait", id]).await;
    assert!(denied.stderr.contains("denied: no"), "{denied:?}");
    assert_eq!(ended(&denied, 3)["invocation"]["status"], "denied");
    assert_eq!(desk.linear.changes(), 3);

    let inbox = desk.operated(&api, &["action", "list"]).await;
    assert_eq!(inbox["total"], 5, "{inbox}");
    let all = inbox["invocations"].as_array().unwrap().iter();
    let all: Vec<_> = all
        .map(|one| (one["status"].as_str().unwrap(), &one["sessionTitle"]))
        .collect();
    let title = json!("Mend it");
    let completed = ("completed", &title);
    assert_eq!(
        all,
        [
            ("denied", &title),
            completed,
            completed,
            completed,
            completed
        ]
    );
}

async fn what_an_agent_hears_of_what_did_not_happen(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let sandbox = agent.sandbox(api.url());

    let danger = sandbox
        .act("delete_issue", &json!({"issueId": "ENG-1"}), &[])
        .await;
    assert_eq!(ended(&danger, 3)["invocation"]["status"], "denied");
    let wrong = sandbox
        .act("create_issue", &json!({"title": "x"}), &[])
        .await;
    assert_eq!(
        (wrong.code, wrong.stdout.as_str()),
        (Some(2), ""),
        "{wrong:?}"
    );
    assert!(wrong.stderr.contains("teamId"), "{wrong:?}");
    assert_eq!(desk.linear.requests().len(), 0);

    // No admin decides: it expires.
    let held = sandbox
        .act("create_issue", &issue("Blank page"), &["--wait", "0"])
        .await;
    let held = ended(&held, 5);
    let id = held["invocation"]["id"].as_str().unwrap().to_owned();
    let over = "UPDATE action_invocations SET expires_at = created_at WHERE status = 'pending'";
    desk.database.execute(over).await;
    let expired = sandbox.run(&["wait", &id]).await;
    assert_eq!(ended(&expired, 4)["invocation"]["status"], "expired");
    assert_eq!(desk.linear.requests().len(), 0);

    // It ran and failed; then it is unknown whether it ran.
    desk.grant(&api, 5).await;
    desk.linear.fail_next([Fault::Status(403)]);
    let failed = sandbox.act("create_issue", &issue("a"), &[]).await;
    let document = ended(&failed, 1);
    assert_eq!(document["invocation"]["status"], "failed");
    assert_eq!(document["invocation"]["outcomeUnknown"], false);
    desk.linear.fail_next([Fault::CutAfter]);
    let unknown = sandbox.act("create_issue", &issue("b"), &[]).await;
    assert!(
        unknown.stderr.contains("the outcome is unknown"),
        "{unknown:?}"
    );
    assert_eq!(ended(&unknown, 1)["invocation"]["outcomeUnknown"], true);
    assert_eq!(desk.linear.changes(), 1);

    let another = desk.agent(&api, &connection, "Another").await;
    let stranger = super::desk::Agent {
        session: agent.session.clone(),
        ..another
    };
    let refused = stranger.sandbox(api.url()).run(&["list"]).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
}

async fn an_agent_requests_a_grant_and_uses_it(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let sandbox = agent.sandbox(api.url());
    let grants = sandbox.ends(0, &["grants", "list"]).await;
    assert_eq!(grants["grants"], json!([]));
    let request = ["grant", "request", "--integration", "linear", "--action"];
    let requested = [&request[..], &["create_issue", "--max-calls", "1"]].concat();
    let requested = sandbox.ends(0, &requested).await;
    let id = requested["grantRequest"]["id"].as_str().unwrap();
    // A request allows nothing.
    let held = sandbox
        .act("create_issue", &issue("too early"), &["--wait", "0"])
        .await;
    assert_eq!(ended(&held, 5)["invocation"]["status"], "pending");
    let requests = desk.operated(&api, &["grant", "requests"]).await;
    assert_eq!(requests["items"][0]["id"], json!(id));
    let grant = ["grant", "grant-request", id];
    let grant = desk.operated(&api, &grant).await;
    let grants = sandbox.ends(0, &["grants", "list"]).await;
    assert_eq!(grants["grants"][0]["id"], grant["id"]);
    let written = sandbox.act("create_issue", &issue("granted"), &[]).await;
    assert_eq!(ended(&written, 0)["issue"]["title"], "granted");
    let held = sandbox
        .act("create_issue", &issue("one more"), &["--wait", "0"])
        .await;
    assert_eq!(ended(&held, 5)["invocation"]["status"], "pending");
    assert_eq!(desk.linear.changes(), 1);
}
