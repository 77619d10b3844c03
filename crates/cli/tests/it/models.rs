//! The model of `dev`: scripted without a key, and asked the way an agent asks it.

use serde_json::{Value, json};
use testkit::process::Workspace;

use crate::{api::Api, workspace};

const MESSAGES: &str = "/llm/anthropic/v1/messages";

fn ask(prompt: &str) -> Value {
    json!({
        "model": "claude-opus-4-6", "max_tokens": 100,
        "messages": [{"role": "user", "content": prompt}],
        "tools": [{"name": "bash", "input_schema": {"type": "object"}}],
    })
}

/// What the model of a running `dev` says, and the session that asked.
async fn said(workspace: &Workspace, dev_file: &Value, prompt: &str) -> (u16, Value, String) {
    let session = workspace.output(&["session", "create"]).await;
    let key = workspace
        .output(&["token", "sandbox", &session, "--model"])
        .await;
    assert!(key.starts_with("mdl_"), "{key}");
    let agent = Api::new(dev_file["url"].as_str().unwrap(), &key);
    let (status, answer) = agent.post(MESSAGES, "unused", &ask(prompt)).await;
    (status, answer, session)
}

#[tokio::test]
async fn without_a_key_the_model_is_scripted_and_says_so() {
    let workspace = workspace();
    let (mut dev, dev_file) = workspace.dev().await;
    assert!(
        dev.stdout().contains("model    scripted"),
        "{}",
        dev.stdout()
    );
    let (status, answer, session) = said(&workspace, &dev_file, "SAY I am here.").await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["content"][0]["text"], "[scripted] I am here.");
    let path = format!("/v1/sessions/{session}/usage");
    let (_, usage) = Api::of(&dev_file, "member").get(&path).await;
    assert_eq!(usage["total"]["requests"], 1, "{usage}");
    assert_eq!(usage["models"][0]["modelId"], "claude-opus-4.6");
    dev.interrupt();
    assert_eq!(dev.wait().await.code(), Some(0));
}

#[tokio::test]
async fn a_script_is_followed_and_a_budget_from_the_settings_holds() {
    let workspace = workspace();
    let script = workspace.root().join("script.yaml");
    std::fs::write(
        &script,
        "scenes:\n  - prompt: hello\n    steps: [{say: Good day.}]\n",
    )
    .unwrap();
    let workspace = workspace
        .env("PROLIFERATE_MODEL_SCRIPTED", "on")
        .env("PROLIFERATE_MODEL_SCRIPT", script.to_str().unwrap())
        .env("PROLIFERATE_MODEL_SESSION_BUDGET_USD", "0.000001")
        .env("ANTHROPIC_API_KEY", "sk-ant-not-used-0123456789");
    let (_dev, dev_file) = workspace.dev().await;
    let (_, answer, session) = said(&workspace, &dev_file, "hello").await;
    assert_eq!(answer["content"][0]["text"], "[scripted] Good day.");
    let key = workspace
        .output(&["token", "sandbox", &session, "--model"])
        .await;
    let agent = Api::new(dev_file["url"].as_str().unwrap(), &key);
    let (status, refused) = agent.post(MESSAGES, "unused", &ask("hello")).await;
    assert_eq!(
        (status, &refused["error"]["type"]),
        (402, &json!("billing_error")),
        "{refused}"
    );
}

#[tokio::test]
async fn doctor_says_which_model_is_used() {
    let table = [
        (
            None,
            "warn",
            "scripted in `proliferate dev`; `proliferate serve` has none",
        ),
        (
            Some(("PROLIFERATE_MODEL_SCRIPTED", "on")),
            "ok",
            "scripted, as `model.scripted` says",
        ),
        (
            Some(("PROLIFERATE_MODEL_SCRIPTED", "off")),
            "warn",
            "none: agents have no model to ask",
        ),
        (
            Some(("ANTHROPIC_API_KEY", "sk-ant-planted-0123456789")),
            "ok",
            "https://api.anthropic.com with a key, as x-api-key",
        ),
        (
            Some(("PROLIFERATE_MODEL_UPSTREAM_URL", "http://litellm:4000")),
            "ok",
            "http://litellm:4000 without a key",
        ),
    ];
    for (variable, status, detail) in table {
        let mut workspace = workspace();
        if let Some((name, value)) = variable {
            workspace = workspace.env(name, value);
        }
        let told = workspace.run(&["doctor", "-o", "json"]).await.stdout;
        assert!(!told.contains("planted"), "{told}");
        let told: Value = serde_json::from_str(&told).unwrap();
        let checks = told["checks"].as_array().unwrap();
        let check = checks
            .iter()
            .find(|check| check["name"] == "model")
            .unwrap();
        assert_eq!(
            (&check["status"], &check["detail"]),
            (&json!(status), &json!(detail))
        );
    }
}
