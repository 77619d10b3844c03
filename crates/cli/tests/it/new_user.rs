//! As a new user: a file goes into a case, a tool reads it, the trail of the case proves what happened, and
//! one changed byte shows. Real processes, real engines.

use std::fs;

use serde_json::{Value, json};
use testkit::{
    process::Workspace,
    sample::{pdf, picture, speech},
};

use crate::workspace;

const CASE: &str = "CASE-2026-014";

/// Calls a tool with a file and returns the text it left in the answer's directory.
async fn read(workspace: &Workspace, arguments: &[&str], file: (&str, &[u8])) -> (Value, String) {
    let (name, bytes) = file;
    fs::write(workspace.root().join(name), bytes).unwrap();
    let out = format!("{name}.out");
    let mut all = vec!["call"];
    all.extend(arguments);
    all.extend(["--case", CASE, "--input", name, "--out", &out, "-o", "json"]);
    let answer: Value = serde_json::from_str(&workspace.output(&all).await).unwrap();
    assert_eq!(answer["outcome"], json!("success"), "{answer}");
    let outputs = answer["output_artifacts"].as_array().unwrap();
    assert_eq!(outputs.len(), 1, "{answer}");
    let kind = outputs[0]["artifact_kind"].as_str().unwrap();
    let file = workspace.root().join(out).join(format!("{kind}.txt"));
    let text = fs::read_to_string(file).unwrap();
    (answer, text.trim().to_owned())
}

async fn verify(workspace: &Workspace, key: &str) -> (Option<i32>, Value) {
    // With a data directory that is not there: the file and the key are all it needs.
    let arguments = [
        "--data-dir",
        "nowhere",
        "audit",
        "verify",
        "--bundle",
        "trail.jsonl",
        "--key",
        key,
        "-o",
        "json",
    ];
    let finished = workspace.run(&arguments).await;
    let report = serde_json::from_str(&finished.stdout);
    (finished.code, report.expect(&finished.stderr))
}

#[tokio::test]
async fn a_picture_is_read_and_one_changed_byte_of_its_trail_shows() {
    let workspace = workspace();
    let (mut dev, _) = workspace.dev().await;
    workspace.output(&["case", "create", CASE]).await;
    let words = "THE WHALE FAMILY WILL HEAL";
    let ocr = ["ocr.extract", "--lane", "TOOL_DOCUMENT_INTAKE"];
    let (answer, text) = read(&workspace, &ocr, ("letter.png", &picture(words))).await;
    assert_eq!(text, words);
    let artifact = answer["output_artifacts"][0]["artifact_id"].as_str();
    let again = workspace
        .output(&["artifact", "get", artifact.unwrap()])
        .await;
    assert_eq!(again.trim(), words);

    let fetch = ["audit", "fetch", "--case", CASE, "--output", "trail.jsonl"];
    workspace.output(&fetch).await;
    let key = workspace.output(&["audit", "key"]).await;
    dev.interrupt();
    dev.wait().await;
    let (code, report) = verify(&workspace, &key).await;
    assert_eq!((code, &report["ok"]), (Some(0), &json!(true)), "{report}");
    assert_eq!(report["artifacts"], json!(2), "{report}");
    assert_eq!(report["policyFilesMissing"], json!(0), "{report}");

    let path = workspace.root().join("trail.jsonl");
    let trail = fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = trail.split_inclusive(|byte| *byte == b'\n').collect();
    let is_record = |line: &&[u8]| line.starts_with(b"{\"case_prev\"");
    let records: Vec<usize> = (0..lines.len())
        .filter(|at| is_record(&lines[*at]))
        .collect();
    // The case, the upload, the decision and the call.
    assert_eq!(records.len(), 4, "{}", String::from_utf8_lossy(&trail));
    for at in records {
        let before: usize = lines[..at].iter().map(|line| line.len()).sum();
        let mut changed = trail.clone();
        changed[before + lines[at].len() / 2] ^= 1;
        fs::write(&path, changed).unwrap();
        let (code, found) = verify(&workspace, &key).await;
        assert_eq!(code, Some(1), "{found}");
        assert_eq!(
            (&found["ok"], &found["line"]),
            (&json!(false), &json!(at + 1))
        );
    }
}

#[tokio::test]
async fn speech_and_a_document_are_read() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    workspace.output(&["case", "create", CASE]).await;
    let meeting = workspace.output(&["case", "add-meeting", CASE]).await;
    let said = "the president of the united states said yesterday";
    let scope = format!("client_session_id={meeting}");
    let transcribe = [
        "transcription.run",
        "--lane",
        "TOOL_INTERVIEW_CAPTURE",
        "--scope",
        &scope,
    ];
    let (_, text) = read(&workspace, &transcribe, ("interview.wav", &speech(said))).await;
    assert_eq!(text, said);
    let document = ["document.text", "--lane", "TOOL_DOCUMENT_INTAKE"];
    let signed = "The witness signed on Monday";
    let (_, text) = read(&workspace, &document, ("statement.pdf", &pdf(signed))).await;
    assert_eq!(text, signed);
}

#[tokio::test]
async fn who_is_no_member_is_denied_and_on_record() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    workspace.output(&["case", "create", CASE]).await;
    let text = |name: &str| dev_file[name].as_str().unwrap();
    let (url, member) = (text("url"), text("member"));
    let call = [
        "call",
        "ocr.extract",
        "--lane",
        "TOOL_DOCUMENT_INTAKE",
        "--case",
        CASE,
        "--url",
        url,
        "--token",
        member,
        "-o",
        "json",
    ];
    let denied = workspace.run(&call).await;
    assert_eq!(denied.code, Some(7), "{}", denied.stderr);
    let answer: Value = serde_json::from_str(&denied.stdout).unwrap();
    assert_eq!(answer["outcome"], json!("deny"));
    assert_eq!(answer["error"]["error_code"], json!("POLICY_DENIED"));
    let run = answer["run_id"].as_str().unwrap();
    let why = workspace.run(&["policy", "why", run, "-o", "json"]).await;
    assert_eq!(why.code, Some(1), "{}", why.stderr);
    let why: Value = serde_json::from_str(&why.stdout).unwrap();
    assert_eq!(why["rule"], json!("scope_not_verified"));
    let events = why["events"].as_array().unwrap().iter();
    let told: Vec<_> = events
        .map(|event| (&event["action_type"], &event["outcome"], &event["case_id"]))
        .collect();
    let deny = json!("deny");
    let expected = [
        (&json!("authz_decision"), &deny, &json!(CASE)),
        (&json!("tool_call"), &deny, &json!(CASE)),
    ];
    assert_eq!(told, expected);
}
