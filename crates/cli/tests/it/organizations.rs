//! `setup` and `org` in a terminal: from an empty database to an organization, and to its end.

use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    process::Workspace,
};

use crate::{api::Api, with_secrets, workspace};

async fn installation(backend: Backend) -> (TestDatabase, Workspace) {
    let database = TestDatabase::create(backend).await;
    let server = with_secrets(workspace())
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    (database, server)
}

fn code_of(text: &str) -> String {
    let (_, code) = text.split_once("/setup?code=").expect(text);
    code.split_whitespace().next().unwrap().to_owned()
}

/// What a browser sends.
async fn post(url: &str, path: &str, body: Value) -> (u16, Value) {
    let client = reqwest::Client::new();
    let answer = client
        .post(format!("{url}{path}"))
        .json(&body)
        .send()
        .await
        .unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

#[tokio::test]
async fn serve_prints_a_setup_link_and_setup_a_new_one() {
    let (_database, server) = installation(Backend::Postgres).await;
    let (mut serve, url) = server.serve(&[]).await;
    serve.says("/setup?code=").await;
    let first = code_of(&serve.stderr());
    let inspect = async |code: &str| {
        post(&url, "/v1/setup/inspect", json!({ "code": code }))
            .await
            .1
    };
    assert_eq!(inspect(&first).await["valid"], true);
    let second = code_of(&server.output(&["setup"]).await);
    assert_eq!(inspect(&first).await["valid"], false);
    let body = json!({ "code": second, "organizationName": "Acme", "ownerName": "Ada",
        "ownerEmail": "ada@example.com" });
    let (status, me) = post(&url, "/v1/setup", body).await;
    assert_eq!((status, &me["operatesFleet"]), (200, &json!(true)), "{me}");
    let refused = server.run(&["setup"]).await;
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("has an organization already"),
        "{}",
        refused.stderr
    );

    // Its owner operates the installation: the checks of `doctor` of the running gateway.
    let user = me["userId"].as_str().unwrap();
    let token = server.output(&["token", "mint", "user", user]).await;
    let checks = reqwest::Client::new().post(format!("{url}/v1/installation/checks"));
    let checks = checks.bearer_auth(&token).send().await.unwrap();
    assert_eq!(checks.status(), 200);
    let checks: Value = checks.json().await.unwrap();
    let named = |name: &str| {
        let all = checks["checks"].as_array().unwrap();
        all.iter()
            .find(|check| check["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(named("database")["state"], "ok", "{checks}");
    assert_eq!(named("sandbox")["state"], "warning", "{checks}");
    assert!(named("sandbox")["remedy"].is_string(), "{checks}");
    assert!(!checks.to_string().contains("user-secret"), "{checks}");
    serve.terminate();
    serve.wait().await;
    let (mut again, _) = server.serve(&[]).await;
    again.terminate();
    again.wait().await;
    assert!(
        !again.stderr().contains("/setup?code="),
        "{}",
        again.stderr()
    );
}

#[tokio::test]
async fn an_organization_from_its_beginning_to_its_end() {
    let (database, server) = installation(Backend::Sqlite).await;
    let create = [
        "org",
        "create",
        "Acme",
        "--owner-name",
        "Ada",
        "--owner-email",
        "ada@example.com",
    ];
    let link = server.output(&create).await;
    assert!(link.contains("/login/dev?code=otc_"), "{link}");
    server.output(&["org", "rename", "acme", "Acme Two"]).await;
    let bad = server
        .run(&["org", "suspend", "acme", "--reason", ""])
        .await;
    assert_ne!(bad.code, Some(0));
    assert!(bad.stderr.contains("reason"), "{}", bad.stderr);

    let (_serve, url) = server.serve(&["--with-worker"]).await;
    let listed: Value =
        serde_json::from_str(&server.output(&["org", "list", "-o", "json"]).await).unwrap();
    assert_eq!(listed["items"][0]["operates"], true);
    let key = server.output(&["audit", "key", "--org", "acme"]).await;
    let service = server
        .output(&["token", "mint", "service", "worker", "--org", "acme"])
        .await;
    let api = Api::new(&url, &service);
    let create = async |key: &str| api.post("/proliferate/sessions", key, &json!({})).await.0;
    assert_eq!(create("key-1").await, 201);
    server
        .output(&["org", "suspend", "acme", "--reason", "unpaid"])
        .await;
    assert_eq!(create("key-2").await, 403);
    server.output(&["org", "resume", "acme"]).await;
    assert_eq!(create("key-3").await, 201);

    let export = server.root().join("log.jsonl");
    let export = export.to_str().unwrap();
    let purge = [
        "org",
        "purge",
        "acme",
        "--export",
        export,
        "--yes",
        "--confirm",
        "Acme Two",
    ];
    let early = server.run(&purge).await;
    assert_eq!(early.code, Some(5), "{}", early.stderr);
    assert!(
        early.stderr.contains("is not being deleted"),
        "{}",
        early.stderr
    );
    let unasked = server.run(&["org", "delete", "acme"]).await;
    assert!(
        unasked.stderr.contains("--yes --confirm NAME"),
        "{}",
        unasked.stderr
    );
    let wrong = server
        .run(&["org", "delete", "acme", "--yes", "--confirm", "Acme"])
        .await;
    assert!(wrong.stderr.contains("confirm"), "{}", wrong.stderr);
    server
        .output(&["org", "delete", "acme", "--yes", "--confirm", "Acme Two"])
        .await;
    server.output(&["org", "restore", "acme"]).await;
    assert_eq!(create("key-4").await, 201);
    server
        .output(&["org", "delete", "acme", "--yes", "--confirm", "Acme Two"])
        .await;
    let early = server.run(&purge).await;
    assert!(
        early.stderr.contains("can still be taken back"),
        "{}",
        early.stderr
    );
    assert_eq!(api.get("/v1/sessions").await.0, 200, "nothing was removed");

    let now: Vec<&str> = purge.iter().copied().chain(["--now"]).collect();
    server.output(&now).await;
    let verify = ["audit", "verify", "--bundle", export, "--key", &key];
    assert!(
        server.run(&verify).await.code == Some(0),
        "the export verifies offline"
    );
    let text = std::fs::read_to_string(export).unwrap();
    assert!(
        text.contains("organization_purge"),
        "the log says who removed it"
    );
    assert_eq!(api.get("/v1/sessions").await.0, 401);
    let listed = server.output(&["org", "list", "-o", "json"]).await;
    assert!(!listed.contains("acme"), "{listed}");
    assert_eq!(database.tables_with_rows_of("acme"), [] as [String; 0]);
}
