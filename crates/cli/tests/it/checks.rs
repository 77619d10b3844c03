//! `doctor`, `config check`, `migrate`, `openapi`, `completions`: what they say and how they end.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use testkit::process::Workspace;

use crate::{transcript::Transcript, with_secrets, workspace};

/// Without programs, sandboxes and the agent, so that a transcript is the same on every machine.
fn bare() -> Workspace {
    let workspace = workspace()
        .env("PATH", "/nonexistent")
        .env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let nothing = workspace.root().join("nothing").display().to_string();
    workspace.env("PROLIFERATE_AGENT_DIRECTORY", &nothing)
}

#[tokio::test]
async fn the_doctor_tries_sandboxes_and_cleans_up_after_a_gateway() {
    let workspace = workspace();
    let clean = workspace.run(&["doctor", "--clean", "-o", "json"]).await;
    assert_eq!(clean.code, Some(0), "{}", clean.stderr);
    assert!(clean.stderr.contains("no sandbox was ever made here"));
    let report: Value = serde_json::from_str(&clean.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let said = |name: &str| -> Vec<&str> {
        let named = checks.iter().filter(|check| check["name"] == name);
        named.filter_map(|check| check["detail"].as_str()).collect()
    };
    assert!(said("agent")[0].starts_with("OpenCode 1."), "{report}");
    assert!(said("sandbox")[0].starts_with("local, "), "{report}");
    assert!(
        said("sandbox")[1].starts_with("does not protect: "),
        "{report}"
    );
    let (mut dev, _) = workspace.dev().await;
    std::fs::create_dir_all(workspace.data_dir().join("sandboxes")).unwrap();
    let refused = workspace.run(&["doctor", "--clean"]).await;
    assert_ne!(refused.code, Some(0), "a gateway runs");
    dev.interrupt();
    dev.wait().await;
}

#[tokio::test]
async fn the_doctor_on_a_machine_with_nothing() {
    let workspace = bare();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["doctor"]).await;
    transcript.check("doctor_fresh");

    let finished = workspace.run(&["doctor", "-o", "json"]).await;
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((finished.code, &report["ok"]), (Some(0), &json!(true)));
    assert!(!workspace.data_dir().exists(), "the doctor made something");
}

#[tokio::test]
async fn the_doctor_after_a_start_and_with_something_broken() {
    let workspace = bare();
    let (mut dev, _) = workspace.dev().await;
    dev.interrupt();
    dev.wait().await;
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["doctor"]).await;
    let database = workspace.root().join("empty.db");
    std::fs::write(&database, "").unwrap();
    let url = format!("sqlite:{}", database.display());
    let redis = "redis://127.0.0.1:1";
    transcript
        .run(&[
            "doctor",
            "--database-url",
            &url,
            "--coordination-url",
            redis,
        ])
        .await;
    transcript.check("doctor_broken");
}

#[tokio::test]
async fn settings_are_shown_with_their_sources() {
    let workspace = with_secrets(workspace()).env("PROLIFERATE_LISTEN", "127.0.0.1:0");
    let file = workspace.root().join("proliferate.toml");
    std::fs::write(
        &file,
        "version = 1\n\n[server]\nrequest_timeout = \"20s\"\n",
    )
    .unwrap();
    let mut transcript = Transcript::new(&workspace);
    // Relative paths, so that the width of a column does not depend on where the test runs.
    transcript
        .run(&[
            "config",
            "check",
            "--config",
            "proliferate.toml",
            "--data-dir",
            "data",
            "--log-filter",
            "warn",
        ])
        .await;
    transcript.check("config_check");
}

#[tokio::test]
async fn mistakes_in_settings_are_listed_together() {
    let workspace = workspace()
        .env("PROLIFERATE_LISTEN", "here")
        .env("PROLIFERATE_USER_TOKEN_SECRET", "short")
        .env("PROLIFERATE_DATABASE_URL", "mysql://u:hunter2@h/db");
    let file = workspace.root().join("proliferate.toml");
    std::fs::write(&file, "version = 1\n\n[server]\nlissten = \"x\"\n").unwrap();
    let mut transcript = Transcript::new(&workspace);
    let config = file.display().to_string();
    let finished = transcript
        .run(&["config", "check", "--config", &config])
        .await;
    assert!(!finished.stderr.contains("hunter2"));
    transcript.check("config_check_mistakes");

    let finished = workspace
        .run(&["config", "check", "-o", "json", "--config", &config])
        .await;
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((finished.code, &report["ok"]), (Some(1), &json!(false)));
    assert_eq!(report["problems"].as_array().unwrap().len(), 4, "{report}");
}

#[tokio::test]
async fn migrating_says_from_where_to_where() {
    let workspace = workspace();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["migrate", "--check"]).await;
    transcript.run(&["migrate"]).await;
    transcript.run(&["migrate"]).await;
    transcript.run(&["migrate", "--check"]).await;
    transcript.check("migrate");
}

#[tokio::test]
async fn documents_go_to_stdout_or_to_a_file() {
    let workspace = workspace();
    let printed = workspace.output(&["openapi"]).await;
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    workspace.output(&["openapi", "--output", "api.json"]).await;
    let written = std::fs::read_to_string(workspace.root().join("api.json")).unwrap();
    assert_eq!(written.trim_end(), printed);
    for shell in ["bash", "zsh", "fish"] {
        let script = workspace.output(&["completions", shell]).await;
        assert!(script.contains("proliferate"), "{shell}");
    }
}

#[tokio::test]
async fn a_wrong_command_line_exits_two() {
    let workspace = workspace();
    for arguments in [
        &["no-such-command"][..],
        &["dev", "--no-such-flag"],
        &["token", "mint", "user"],
        &["session", "list", "--all", "--limit", "3"],
    ] {
        let finished = workspace.run(arguments).await;
        assert_eq!(finished.code, Some(2), "{arguments:?}");
        assert_eq!(finished.stdout, "", "{arguments:?}");
    }
    assert!(
        workspace
            .output(&["--version"])
            .await
            .starts_with("proliferate 0.")
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_proliferate"))
        .arg("openapi")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[tokio::test]
async fn the_doctor_looks_at_the_policy_that_is_configured() {
    let workspace = workspace();
    let doctor = ["doctor", "-o", "json", "--safety-lock", "on"];
    let line = |report: &Value, name: &str| -> Value {
        let checks = report["checks"].as_array().unwrap().iter();
        let found = checks.filter(|check| check["name"] == name).cloned();
        found.collect()
    };
    let report: Value = serde_json::from_str(&workspace.output(&doctor).await).unwrap();
    assert_eq!(line(&report, "policy")[0]["status"], json!("warn"));
    let directory = workspace.root().join("policy");
    std::fs::create_dir(&directory).unwrap();
    for (name, text) in crate::policy::FILES {
        let text = text.replace("enabled: true", "enabled: false");
        std::fs::write(directory.join(name), text).unwrap();
    }
    let doctor = ["doctor", "-o", "json", "--policy-directory", "policy"];
    let report: Value = serde_json::from_str(&workspace.output(&doctor).await).unwrap();
    // A tool that is disabled needs no engine.
    assert_eq!(line(&report, "tool"), json!([]));
    assert_eq!(
        line(&report, "policy")[0]["status"],
        json!("ok"),
        "{report}"
    );
    std::fs::remove_file(directory.join("roles.yaml")).unwrap();
    let finished = workspace.run(&doctor).await;
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(finished.code, Some(1));
    assert_eq!(line(&report, "policy")[0]["status"], json!("fail"));
}
