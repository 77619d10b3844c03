//! `session`: what a person sees, what a program gets, and an exit code for each kind of refusal.

use serde_json::{Value, json};
use testkit::process::Workspace;

use crate::{transcript::Transcript, workspace};

async fn create(workspace: &Workspace, arguments: &[&str]) -> String {
    let mut all = vec!["session", "create"];
    all.extend(arguments);
    workspace.output(&all).await
}

#[tokio::test]
async fn from_creation_to_end() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, _) = workspace.dev().await;
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["session", "list"]).await;
    let arguments = [
        "session",
        "create",
        "--title",
        "Fix the login page",
        "--prompt",
        "It is blank.",
        "--type",
        "coding",
        "--env",
        "NODE_ENV=test",
        "--idempotency-key",
        "k1",
    ];
    let id = transcript.run(&arguments).await.stdout;
    let id = id.trim();
    transcript.run(&arguments).await;
    transcript.run(&["session", "list"]).await;
    transcript.run(&["session", "show", id]).await;
    transcript.run(&["session", "stop", id]).await;
    transcript.run(&["session", "stop", id]).await;
    transcript
        .run(&["session", "list", "--status", "running"])
        .await;
    transcript
        .run(&["session", "create", "--provisioning", "immediate"])
        .await;
    transcript.check("session_life");
}

#[tokio::test]
async fn programs_get_the_shapes_of_the_api() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    let created = create(&workspace, &["--title", "one", "-o", "json"]).await;
    let created: Value = serde_json::from_str(&created).unwrap();
    assert_eq!(created["alreadyExisted"], json!(false));
    let id = created["sessionId"].as_str().unwrap();

    let shown = workspace
        .output(&["session", "show", id, "-o", "json"])
        .await;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["title"], json!("one"));
    assert_eq!(shown["clientType"], json!("cli"));
    assert_eq!(shown["integrationIds"], json!([]));

    let stopped = workspace
        .output(&["-o", "json", "session", "stop", id])
        .await;
    let stopped: Value = serde_json::from_str(&stopped).unwrap();
    assert_eq!(stopped["status"], json!("stopped"));
}

#[tokio::test]
async fn lists_are_read_page_after_page() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.insert(0, create(&workspace, &[]).await);
    }
    let list = async |arguments: &[&str]| -> Value {
        let mut all = vec!["session", "list", "-o", "json"];
        all.extend(arguments);
        serde_json::from_str(&workspace.output(&all).await).unwrap()
    };
    let found = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = list(&["--limit", "2"]).await;
    assert_eq!(found(&first), ids[..2]);
    let second = list(&["--cursor", first["nextCursor"].as_str().unwrap()]).await;
    assert_eq!(found(&second), ids[2..]);
    assert_eq!(second["nextCursor"], Value::Null);
    assert_eq!(found(&list(&["--all"]).await), ids);
}

#[tokio::test]
async fn each_refusal_has_its_words_and_its_exit_code() {
    let workspace = workspace();
    let (dev, dev_file) = workspace.dev().await;
    let url = dev_file["url"].as_str().unwrap();
    let mut transcript = Transcript::new(&workspace);
    let unknown = "0192f0c1-2345-7abc-8def-0123456789ab";
    transcript.run(&["session", "show", unknown]).await;
    transcript.run(&["session", "show", "nonsense"]).await;
    transcript
        .run(&["session", "list", "--status", "asleep"])
        .await;
    transcript
        .run(&["session", "list", "--token", "forged"])
        .await;
    transcript.run(&["session", "list", "--url", url]).await;
    transcript
        .run(&["session", "create", "--model", "gpt-0"])
        .await;
    create(&workspace, &["--idempotency-key", "k1"]).await;
    let other = [
        "session",
        "create",
        "--idempotency-key",
        "k1",
        "--title",
        "x",
    ];
    transcript.run(&other).await;
    drop(dev);
    transcript.run(&["session", "list"]).await;
    std::fs::remove_file(workspace.data_dir().join("dev.json")).unwrap();
    transcript.run(&["session", "list"]).await;
    transcript.check("session_refusals");
}
