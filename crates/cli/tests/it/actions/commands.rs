//! `action` and `grant`: what a person reads, and how the commands end.

use serde_json::{Value, json};
use testkit::{
    database::Backend,
    process::Workspace,
    standin::{Fault, linear},
};

use super::desk::{Agent, Desk, invocation, issue};
use crate::{api::Api, transcript::Transcript};

/// Where a person works: the gateway and the token are in the environment.
fn office(url: &str, token: &str) -> Workspace {
    crate::workspace()
        .env("PROLIFERATE_URL", url)
        .env("PROLIFERATE_TOKEN", token)
}

/// Asks for an issue and returns the invocation's id.
async fn ask(agent: &Agent, api: &Api, title: &str) -> String {
    let body = invocation("create_issue", &issue(title));
    let at = agent.at(api.url());
    let (status, answer) = at.post(&agent.path("invoke"), title, &body).await;
    assert!([200, 202].contains(&status), "{answer}");
    answer["invocation"]["id"].as_str().unwrap().to_owned()
}

/// The digest of a call, as a person reads it before deciding.
async fn digest(office: &Workspace, id: &str) -> String {
    let shown = office.output(&["action", "show", id, "-o", "json"]).await;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    shown["callSha256"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_looks_and_decides() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let office = office(api.url(), &desk.token);
    let mut transcript = Transcript::new(&office);
    transcript.run(&["action", "list"]).await;
    let first = ask(&agent, &api, "Blank page").await;
    let second = ask(&agent, &api, "Second").await;
    let pending = ["action", "list", "--status", "pending", "--limit", "1"];
    transcript.run(&pending).await;
    let session = ["action", "list", "--session", &agent.session];
    transcript.run(&session).await;
    transcript.run(&["action", "show", &first]).await;
    // There is no terminal here: `--call` has to say which call is meant.
    transcript.run(&["action", "approve", &first]).await;
    let other = "0".repeat(64);
    for verb in ["approve", "deny"] {
        let wrong = ["action", verb, &first, "--call", &other];
        transcript.run(&wrong).await;
    }
    transcript.run(&["action", "show", &first, "--whole"]).await;
    let digest = digest(&office, &first).await;
    let approve = ["action", "approve", &first, "--call", &digest];
    transcript.run(&approve).await;
    transcript.run(&["action", "show", &first]).await;
    transcript.run(&approve).await;
    transcript.run(&["action", "show", &first, "--whole"]).await;
    let deny = ["action", "deny", &second, "--reason", "not today"];
    transcript.run(&deny).await;
    transcript.run(&deny).await;
    transcript.run(&["action", "explain", &second]).await;
    transcript.run(&["action", "list"]).await;
    let late = ask(&agent, &api, "Late").await;
    let over = "UPDATE action_invocations SET expires_at = created_at WHERE status = 'pending'";
    desk.database.execute(over).await;
    transcript.run(&["action", "approve", &late]).await;
    let broken = ask(&agent, &api, "Broken").await;
    desk.linear.fail_next([Fault::CutAfter]);
    let digest = self::digest(&office, &broken).await;
    transcript
        .run(&["action", "approve", &broken, "--call", &digest])
        .await;
    transcript.run(&["action", "show", &agent.session]).await;
    transcript.run(&["action", "approve", "x"]).await;
    let calls = ["action", "approve", &first, "--max-calls", "2"];
    transcript.run(&calls).await;
    transcript.check("action_life");
    assert_eq!(desk.linear.changes(), 2);
}

#[tokio::test]
async fn a_person_grants_and_revokes() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let office = office(api.url(), &desk.token);
    let mut transcript = Transcript::new(&office);
    transcript.run(&["grant", "list"]).await;
    let asked = ask(&agent, &api, "Blank page").await;
    let team = json!({"pointer": "/teamId", "equals": linear::TEAM}).to_string();
    let what = ["--integration", "linear", "--action", "create_issue"];
    let draft = [&what[..], &["--max-calls", "2", "--if", &team]].concat();
    let backtest = [&["grant", "backtest"], &draft[..]].concat();
    transcript.run(&backtest).await;
    let create = [&["grant", "create"], &draft[..], &["--ttl", "8h"]].concat();
    let grant = transcript.run(&create).await.stdout;
    let grant = grant.trim();
    let covered = ask(&agent, &api, "Covered").await;
    transcript.run(&["action", "explain", &covered]).await;
    transcript.run(&["grant", "list"]).await;
    transcript.run(&["grant", "show", grant]).await;
    let digest = digest(&office, &asked).await;
    let more = ["action", "approve", &asked, "--grant", "session"];
    transcript
        .run(&[&more[..], &["--call", &digest, "--max-calls", "3"]].concat())
        .await;
    transcript.run(&["grant", "revoke", grant]).await;
    transcript.run(&["grant", "list"]).await;

    let requests = [
        request_grant(&agent, &api, 5).await,
        request_grant(&agent, &api, 6).await,
    ];
    transcript.run(&["grant", "requests"]).await;
    let grant_it = ["grant", "grant-request", &requests[0]];
    transcript.run(&grant_it).await;
    transcript.run(&grant_it).await;
    let refuse = [
        "grant",
        "refuse-request",
        &requests[1],
        "--reason",
        "enough",
    ];
    transcript.run(&refuse).await;
    let pending = ["grant", "requests", "--status", "pending"];
    transcript.run(&pending).await;
    transcript.run(&["grant", "show", &requests[0]]).await;
    let nothing = ["grant", "create", "--integration", "Lin*", "--action", "x"];
    transcript.run(&nothing).await;
    let odd = [&create[..], &["--if", "{}"]].concat();
    transcript.run(&odd).await;
    transcript.check("grant_life");
}

async fn request_grant(agent: &Agent, api: &Api, max_calls: u32) -> String {
    let body = json!({"integration": "linear", "action": "add_comment", "maxCalls": max_calls});
    let key = max_calls.to_string();
    let at = agent.at(api.url());
    let (status, made) = at.post(&agent.path("grants"), &key, &body).await;
    assert_eq!(status, 202, "{made}");
    made["grantRequest"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_member_looks_and_decides_nothing() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let asked = ask(&agent, &api, "Blank page").await;
    let grant = desk.grant(&api, 1).await;
    let member = "UPDATE member SET role = 'member'";
    desk.database.execute(member).await;
    let office = office(api.url(), &desk.token);
    let show = ["action", "show", &asked, "-o", "json"];
    let shown: Value = serde_json::from_str(&office.output(&show).await).unwrap();
    assert_eq!(shown["params"]["title"], "Blank page");
    let what = ["--integration", "*", "--action", "*"];
    let call = shown["callSha256"].as_str().unwrap();
    for arguments in [
        &["action", "approve", &asked, "--call", call][..],
        &["action", "show", &asked, "--whole"],
        &["action", "deny", &asked],
        &["grant", "revoke", &grant],
        &[&["grant", "create"], &what[..]].concat(),
        &[&["grant", "backtest"], &what[..]].concat(),
    ] {
        let refused = office.run(arguments).await;
        assert_eq!(refused.code, Some(4), "{arguments:?}: {refused:?}");
        assert_eq!(refused.stdout, "");
    }
    assert_eq!(desk.linear.requests().len(), 0);
}
