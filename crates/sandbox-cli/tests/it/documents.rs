//! What commands about this sandbox print, word for word: agents and the gateway read it.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Takes out what is different each time.
fn steady(sandbox: &Sandbox, document: &Value) -> Value {
    let directory = sandbox.outside("");
    let text = document.to_string();
    let text = text.replace(directory.to_str().unwrap().trim_end_matches('/'), "[dir]");
    let mut document: Value = serde_json::from_str(&text).unwrap();
    clear(&mut document);
    document
}

fn clear(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match name.as_str() {
                    "pid" | "startedAt" => *member = json!(format!("[{name}]")),
                    _ => clear(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clear),
        Value::String(text) if text.starts_with("--- ") => {
            let (_, rest) = text.split_once(" started").unwrap();
            *text = format!("--- [ms] started{rest}");
        }
        _ => {}
    }
}

#[tokio::test]
async fn every_document() {
    let sandbox = Sandbox::start();
    std::fs::create_dir(sandbox.workspace().join("web")).unwrap();
    let spec = r#"[{"path": "web/.env", "keys": [{"key": "API_KEY", "required": true}]}]"#;
    let services = r#"[{"name": "db", "command": "exec sleep 300", "workspacePath": "web"}]"#;
    let start = [
        "--name",
        "web",
        "--command",
        "echo ready; exec sleep 300",
        "--cwd",
        "web",
    ];
    let start: Vec<&str> = ["services", "start"].into_iter().chain(start).collect();
    let commands: [&[&str]; 15] = [
        &["services", "list"],
        &start,
        &[
            "services",
            "start",
            "--restart",
            "always",
            "--spec",
            services,
        ],
        &["services", "logs", "--name", "web"],
        &["services", "restart", "--name", "db"],
        &["services", "stop", "--name", "db"],
        &["services", "expose", "--port", "3000"],
        &["services", "list"],
        &["env", "apply", "--spec", spec],
        &["env", "apply", "--values", r#"{"API_KEY": "a b"}"#],
        &["env", "apply", "--spec", spec],
        &["env", "get", "--name", "API_KEY"],
        &["env", "get"],
        &["env", "scrub", "--spec", spec],
        &["env", "get"],
    ];
    let mut seen = Vec::new();
    for command in commands {
        if command.contains(&"logs") {
            // Until it has said what it says.
            let log = sandbox.state().join("logs/web.log");
            crate::sandbox::soon("a line in the log", || {
                let text = std::fs::read_to_string(&log).ok()?;
                text.ends_with("\nready\n").then_some(())
            })
            .await;
        }
        let finished = sandbox.program(command).finish().await;
        let shown: Vec<&str> = command.iter().take(2).copied().collect();
        seen.push(json!({
            "command": shown.join(" "),
            "exit": finished.code,
            "stdout": steady(&sandbox, &finished.json()),
            "stderr": finished.stderr.lines().collect::<Vec<_>>(),
        }));
    }
    assert_json_snapshot!("documents", seen);
}
