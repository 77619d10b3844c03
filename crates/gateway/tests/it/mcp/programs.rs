//! Programs that the project did not write: the official client, and the conformance suite. `./test` installs
//! them from `test-support/mcp/package-lock.json`.

use std::path::Path;

use serde_json::{Value, json};
use testkit::{
    app::Served,
    database::Backend,
    process::{Running, Workspace},
    standin::linear,
};

use super::{Desk, path};

/// A program of `test-support/mcp`, by its path there.
fn program(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-support/mcp");
    let program = root.join(name).canonicalize();
    let missing = format!("{name} is not there; run ./test: it installs what tests need");
    program.expect(&missing).to_str().unwrap().to_owned()
}

async fn serve(desk: &Desk) -> (Served, String, String) {
    let served = desk.app.serve().await;
    let url = served.url(&path(desk));
    (served, url, desk.app.sandbox_token(desk.session).await)
}

fn steps(running: &Running) -> Vec<Value> {
    let stdout = running.stdout();
    let lines = stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn the_official_client_lists_calls_and_waits() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_served, url, token) = serve(&desk).await;
    program("node_modules/@modelcontextprotocol/sdk/package.json");
    let workspace = Workspace::new("node").env("TEAM", linear::TEAM);
    let mut running = workspace.spawn(&[&program("client.mjs"), &url, &token]);
    running.says("waiting: ").await;
    let pending = desk.path("invocations?status=pending");
    let pending = desk.agent.get(&pending).await.expect(200);
    desk.approve(&pending["invocations"][0], json!({}))
        .await
        .expect(200);
    let ended = running.wait().await;
    assert!(ended.success(), "{}", running.stderr());
    let steps = steps(&running);
    let step = |name: &str| {
        let found = steps.iter().find(|step| step["step"] == name);
        found.unwrap_or_else(|| panic!("no {name}: {steps:?}"))
    };
    assert_eq!(step("connected")["server"], "proliferate");
    let tools = step("listed")["tools"].as_array().unwrap();
    assert!(tools.contains(&json!("linear__create_issue")), "{tools:?}");
    assert_eq!(step("read")["isError"], false);
    assert_eq!(step("read")["structured"], "object");
    assert_eq!(step("wrong")["isError"], true);
    assert_eq!(step("written")["isError"], false);
    assert!(step("written")["heard"].as_u64() >= Some(1));
    assert!(
        step("written")["text"]
            .as_str()
            .unwrap()
            .contains("By the client")
    );
    assert_eq!(step("closed"), &json!({"step": "closed"}));
    assert_eq!(desk.linear.changes(), 1);
}

/// The suite compares with its baseline itself: it fails for what is not in the list, and for what is in the
/// list and passes.
#[tokio::test]
async fn the_conformance_suite_finds_what_its_baseline_explains_and_nothing_else() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_served, url, token) = serve(&desk).await;
    let workspace = Workspace::new("node");
    let mut between = workspace.spawn(&[&program("with-token.mjs"), &url, &token]);
    between.says("/mcp").await;
    let said = between.stderr();
    let address = said.trim().strip_prefix("listening on ").unwrap();
    let suite = program("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let (shim, baseline) = (
        program("older-node.mjs"),
        program("conformance-baseline.yml"),
    );
    let arguments = ["--import", &shim, &suite, "server", "--url", address];
    let expected = ["--expected-failures", &baseline];
    let finished = workspace
        .run(&[&arguments[..], &expected[..]].concat())
        .await;
    assert_eq!(
        finished.code,
        Some(0),
        "{}{}",
        finished.stdout,
        finished.stderr
    );
    assert!(
        finished.stdout.contains("server-initialize"),
        "{}",
        finished.stdout
    );
}
