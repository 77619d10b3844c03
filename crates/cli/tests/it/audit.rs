//! `audit`: what happened under a real `dev` is exported, verified offline, and not when tampered with.

use std::fs;

use serde_json::{Value, json};

use crate::{transcript::Transcript, workspace};

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one story, each step on the files of the last"
)]
async fn a_log_is_exported_and_verified_and_tampering_is_named() {
    let workspace = workspace();
    let (mut dev, _) = workspace.dev().await;
    let session = workspace.output(&["session", "create"]).await;
    workspace.output(&["session", "stop", &session]).await;
    let mint = [
        "token",
        "mint",
        "api-key",
        "--user",
        "user_demo_member",
        "--name",
        "words",
    ];
    workspace.output(&mint).await;

    // The trail of the session from the gateway, and what it signed, to be kept.
    let fetch = [
        "audit",
        "fetch",
        "--session",
        &session,
        "--output",
        "trail.jsonl",
    ];
    workspace.output(&fetch).await;
    let kept = workspace.output(&["audit", "checkpoint"]).await;
    fs::write(workspace.root().join("kept"), format!("{kept}\n")).unwrap();

    // Beside the running process, and again after it.
    let export = ["audit", "export", "--output", "log.jsonl"];
    workspace.output(&export).await;
    dev.interrupt();
    dev.wait().await;
    workspace.output(&export).await;
    let path = workspace.root().join("log.jsonl");
    let log = fs::read_to_string(&path).unwrap();
    let records = log.lines().filter(|line| line.contains("\"event\""));
    assert_eq!(
        records.count(),
        5,
        "a link to log in with, three and the fetching: {log}"
    );
    assert!(!log.contains("words"), "{log}");
    assert_eq!(workspace.output(&["audit", "export"]).await, log.trim_end());

    let key = workspace.output(&["audit", "key"]).await;
    fs::write(workspace.root().join("log.key"), &key).unwrap();
    let verify = [
        "audit",
        "verify",
        "--bundle",
        "log.jsonl",
        "--key",
        &key,
        "-o",
        "json",
    ];
    let report: Value = serde_json::from_str(&workspace.output(&verify).await).unwrap();
    assert_eq!(
        (&report["ok"], &report["records"]),
        (&json!(true), &json!(5))
    );
    let trail = [
        "audit",
        "verify",
        "--bundle",
        "trail.jsonl",
        "--key",
        &key,
        "-o",
        "json",
    ];
    let report: Value = serde_json::from_str(&workspace.output(&trail).await).unwrap();
    assert_eq!(
        (&report["ok"], &report["records"]),
        (&json!(true), &json!(2))
    );
    // The log goes on from what was kept, and the trail proves it too.
    for bundle in ["log.jsonl", "trail.jsonl"] {
        let verify = [
            "audit", "verify", "--bundle", bundle, "--key", &key, "--from", "kept",
        ];
        workspace.output(&verify).await;
    }
    let ocsf = workspace.output(&["audit", "export", "--as", "ocsf"]).await;
    assert_eq!(ocsf.lines().count(), 5);
    assert!(ocsf.lines().all(|line| line.contains("\"class_uid\":6003")));

    let line = log.lines().position(|line| line.contains("session_stop"));
    let line = line.unwrap();
    fs::write(&path, log.replacen("session_stop", "session_keep", 1)).unwrap();
    let tampered = workspace.run(&verify).await;
    let found: Value = serde_json::from_str(&tampered.stdout).unwrap();
    assert_eq!(tampered.code, Some(1));
    assert_eq!(
        (&found["line"], &found["seq"]),
        (&json!(line + 1), &json!(2)),
        "{found}"
    );

    let mut transcript = Transcript::new(&workspace);
    let by_file = [
        "audit",
        "verify",
        "--bundle",
        "log.jsonl",
        "--key-file",
        "log.key",
    ];
    transcript.run(&by_file).await;
    let cut = log.lines().take(2).map(|line| format!("{line}\n"));
    fs::write(&path, cut.collect::<String>()).unwrap();
    transcript.run(&by_file).await;
    fs::write(&path, "{}\n").unwrap();
    transcript.run(&by_file).await;
    fs::remove_file(&path).unwrap();
    transcript.run(&by_file).await;
    transcript
        .run(&[
            "audit",
            "verify",
            "--bundle",
            "log.jsonl",
            "--key",
            "nonsense",
        ])
        .await;
    transcript
        .run(&["audit", "verify", "--bundle", "log.jsonl"])
        .await;
    transcript.run(&["audit", "export", "--org", "other"]).await;
    transcript.check("audit_verify");
}
