//! `kill -9` between the effect of a call and its end: the effect is not had a second time, and what is not
//! known is said to be unknown.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::Workspace,
};
use tokio::{io::AsyncReadExt as _, net::TcpListener};

use crate::{api::Api, policy::FILES, with_secrets, workspace};

testkit::on_both_databases!(a_call_whose_process_was_killed_ends_as_unknown_and_is_not_repeated);

const CASE: &str = "CASE-2026-014";

/// A service that takes whatever it is sent and never answers. Counts what it took: those are the effects.
struct Service {
    address: String,
    taken: Arc<AtomicUsize>,
}

impl Service {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let taken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&taken);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let count = Arc::clone(&count);
                tokio::spawn(async move {
                    let mut bytes = [0; 4096];
                    // Nothing comes of a connection that is opened and not used.
                    if socket.read(&mut bytes).await.is_ok_and(|read| read > 0) {
                        count.fetch_add(1, Ordering::SeqCst);
                    }
                    // Held until the client goes away.
                    while socket.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
                });
            }
        });
        Self { address, taken }
    }

    fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }
}

/// The built-in policy with `document.text` done by that service, which may be asked only once.
fn write_policy(directory: &Path, address: &str) {
    fs::create_dir(directory).unwrap();
    for (name, text) in FILES {
        let text = match name {
            "tools.yaml" => with_service(text, address),
            _ => text.to_owned(),
        };
        fs::write(directory.join(name), text).unwrap();
    }
}

fn with_service(tools: &str, address: &str) -> String {
    let (before, rest) = tools.split_once("  - operation: document.text\n").unwrap();
    let (_, after) = rest.split_once("\n  - operation: ").unwrap();
    format!(
        "{before}  - operation: document.text
    version: \"1\"
    description: Ask a service.
    enabled: true
    executor: http
    timeout_ms: 600000
    idempotent: false
    external: false
    writes_shared: false
    accepts: []
    produces: [text]
    parameters: []
    http:
      url: http://{address}/text
      send: json
      output_bytes_max: 1000
      output: {{kind: text, media_types: [text/plain]}}

  - operation: {after}"
    )
}

fn call(parent: &Value) -> Value {
    json!({
        "tool_name": "document.text",
        "operation": "document.text",
        "lane_id": "TOOL_DOCUMENT_INTAKE",
        "case_id": CASE,
        "parent_run_id": parent,
    })
}

/// Asks until the run has this state.
async fn stands(api: &Api, run: &str, status: &str) -> Value {
    for _ in 0..3000 {
        let (_, shown) = api.get(&format!("/v1/runs/{run}")).await;
        if shown["status"] == status {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{run} never became {status}");
}

async fn a_call_whose_process_was_killed_ends_as_unknown_and_is_not_repeated(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let fixture = Fixture::default();
    fixture
        .organization(&database.db, "acme", Role::Owner)
        .await;
    let service = Service::start().await;
    let workspace = workspace();
    let policy = workspace.root().join("policy");
    write_policy(&policy, &service.address);
    let workspace = with_secrets(workspace)
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_POLICY_DIRECTORY", policy.to_str().unwrap())
        .env("PROLIFERATE_EGRESS_ALLOW", &service.address);
    let mint = ["token", "mint", "user", "user_acme_owner"];
    let token = workspace.output(&mint).await;

    let (mut serve, url) = workspace.serve(&["--with-worker"]).await;
    let api = Api::new(&url, &token);
    let (status, case) = api.post("/v1/cases", "c", &json!({"id": CASE})).await;
    assert_eq!(status, 201, "{case}");
    let (status, parent) = api
        .post("/v1/runs", "r", &json!({"run_kind": "agent"}))
        .await;
    assert_eq!(status, 201, "{parent}");
    let call = call(&parent["run_id"]);
    let path = "/v1/tool-calls?wait=0";
    let (status, begun) = api.post(path, "k1", &call).await;
    assert_eq!(
        (status, &begun["outcome"]),
        (202, &json!("allow")),
        "{begun}"
    );
    let run = begun["run_id"].as_str().unwrap();
    for _ in 0..3000 {
        if service.taken() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(service.taken(), 1);
    serve.kill();

    // Within its deadline it cannot be known that it was cut off: it stands as it stood, and asking again for
    // the same is told so.
    let (mut serve, url) = workspace.serve(&["--with-worker"]).await;
    let api = Api::new(&url, &token);
    stands(&api, run, "running").await;
    let (status, again) = api.post(path, "k1", &call).await;
    assert_eq!(
        (status, &again["run_id"]),
        (202, &begun["run_id"]),
        "{again}"
    );
    serve.kill();

    // Its deadline passes.
    let late =
        "UPDATE runs SET deadline = started_at WHERE status = 'running' AND deadline IS NOT NULL";
    database.execute(late).await;
    let (_serve, url) = workspace.serve(&["--with-worker"]).await;
    let api = Api::new(&url, &token);
    let ended = stands(&api, run, "failed").await;
    assert_eq!(ended["outcome_reason"], json!("outcome_unknown"), "{ended}");
    assert_eq!(ended["error"]["error_code"], json!("TOOL_ERROR"));
    assert_eq!(ended["error"]["retryable"], json!(false));
    let (status, again) = api.post(path, "k1", &call).await;
    assert_eq!(
        (status, &again["run_id"]),
        (502, &begun["run_id"]),
        "{again}"
    );
    assert_eq!(service.taken(), 1, "the effect was had again");
    let children = format!("/v1/runs/{}/children", parent["run_id"].as_str().unwrap());
    let (_, children) = api.get(&children).await;
    assert_eq!(children["items"].as_array().unwrap().len(), 1, "{children}");
    told(&workspace, run).await;
}

/// Both events of the call are in the log, once each, and the log verifies.
async fn told(workspace: &Workspace, run: &str) {
    let why = ["policy", "why", run, "--org", "org_acme", "-o", "json"];
    let why: Value = serde_json::from_str(&workspace.output(&why).await).unwrap();
    let events = why["events"].as_array().unwrap().iter();
    let events: Vec<_> = events
        .map(|event| {
            [
                &event["action_type"],
                &event["outcome"],
                &event["outcome_reason"],
            ]
        })
        .collect();
    let expected = [
        [&json!("authz_decision"), &json!("allow"), &Value::Null],
        [
            &json!("tool_call"),
            &json!("failure"),
            &json!("outcome_unknown"),
        ],
    ];
    assert_eq!(events, expected);
    let export = [
        "audit",
        "export",
        "--org",
        "org_acme",
        "--output",
        "log.jsonl",
    ];
    workspace.output(&export).await;
    let key = workspace
        .output(&["audit", "key", "--org", "org_acme"])
        .await;
    let verify = ["audit", "verify", "--bundle", "log.jsonl", "--key", &key];
    workspace.output(&verify).await;
}
