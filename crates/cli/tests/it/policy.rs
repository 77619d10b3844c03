//! `proliferate policy`, as an operator meets it who is about to change one.

use std::{fs, path::Path};

use crate::{transcript::Transcript, workspace};

pub(crate) const FILES: [(&str, &str); 3] = [
    ("lanes.yaml", include_str!("../../../../policy/lanes.yaml")),
    ("roles.yaml", include_str!("../../../../policy/roles.yaml")),
    ("tools.yaml", include_str!("../../../../policy/tools.yaml")),
];

/// The built-in files in a directory, with texts of one of them replaced.
fn copy(directory: &Path, file: &str, edits: &[(&str, &str)]) {
    fs::create_dir(directory).unwrap();
    for (name, text) in FILES {
        let mut text = text.to_owned();
        for (from, to) in edits.iter().filter(|_| name == file) {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        fs::write(directory.join(name), text).unwrap();
    }
}

#[tokio::test]
async fn looking_at_the_built_in_policy() {
    let workspace = workspace();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["policy", "show"]).await;
    let intake = ["policy", "show", "--lane", "TOOL_DOCUMENT_INTAKE"];
    transcript.run(&intake).await;
    let admin = ["policy", "show", "--role", "ORGANIZATION_ADMIN"];
    transcript.run(&admin).await;
    let ocr = ["policy", "show", "--tool", "ocr.extract", "-o", "json"];
    transcript.run(&ocr).await;
    transcript
        .run(&["policy", "show", "--lane", "NOWHERE"])
        .await;
    transcript.run(&["policy", "who-can", "action.write"]).await;
    transcript.run(&["policy", "who-can", "record.write"]).await;
    transcript.run(&["policy", "who-can", "made.up"]).await;
    transcript.check("policy_show");
}

#[tokio::test]
async fn asking_why() {
    let workspace = workspace();
    let mut transcript = Transcript::new(&workspace);
    let ask = |role, lane, operation| {
        let flags = ["--role", role, "--lane", lane, "--operation", operation];
        [&["policy", "why"], &flags[..]].concat()
    };
    let mut allowed = ask("CASE_AGENT", "TOOL_DOCUMENT_INTAKE", "ocr.extract");
    transcript.run(&allowed).await;
    allowed.extend(["--scope", "case_id=CASE_1"]);
    transcript.run(&allowed).await;
    let mut write = ask("CASE_AGENT", "WRITE_CASE_RECORDS", "record.write");
    write.extend(["--scope", "case_id=CASE_1", "--write", "case_notes:append"]);
    transcript.run(&write).await;
    *write.last_mut().unwrap() = "case_notes:upsert";
    transcript.run(&write).await;
    let mut json = ask("PLATFORM_SERVICE", "TOOL_DOCUMENT_INTAKE", "action.read");
    json.extend(["-o", "json"]);
    transcript.run(&json).await;
    let mut typo = ask("SANDBOX_AGENT", "ACTION_READ", "action.read");
    typo.extend(["--scope", "session=1"]);
    transcript.run(&typo).await;
    transcript.check("policy_why");
}

#[tokio::test]
async fn changing_a_policy() {
    let workspace = workspace();
    let path = |name: &str| workspace.root().join(name);
    let disabled = [
        ("enabled: true", "enabled: false"),
        ("timeout_ms: 15000", "timeout_ms: 20000"),
    ];
    copy(&path("mine"), "tools.yaml", &disabled);
    let mistakes = [
        ("roles: [SANDBOX_AGENT]", "roles: [SANDBOX_AGENT, GHOST]"),
        ("required: true", "required: false"),
        ("external_export]", "external_exports]"),
    ];
    copy(&path("wrong"), "lanes.yaml", &mistakes);
    let (mine, wrong) = (path("mine"), path("wrong"));
    let (mine, wrong) = (mine.to_str().unwrap(), wrong.to_str().unwrap());
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["policy", "diff", "builtin", mine]).await;
    let json = ["policy", "diff", mine, "builtin", "-o", "json"];
    transcript.run(&json).await;
    let same = ["policy", "diff", "builtin", "builtin"];
    transcript.run(&same).await;
    let disabled = ["policy", "who-can", "save_snapshot", "--policy", mine];
    transcript.run(&disabled).await;
    transcript.run(&["policy", "check", wrong]).await;
    transcript
        .run(&["policy", "check", wrong, "-o", "json"])
        .await;
    let nowhere = path("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    transcript.run(&["policy", "check", nowhere]).await;
    transcript.check("policy_change");
    // Pins change with every edit of a file, so they are looked at apart.
    let checked = workspace
        .run(&["policy", "check", mine, "-o", "json"])
        .await;
    assert_eq!(checked.code, Some(0));
    let checked: serde_json::Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!(checked["ok"], true);
    assert_eq!(checked["lanes"], 12);
    let blob = checked["versions"]["tools"]["blob"].as_str().unwrap();
    assert_eq!(blob.len(), 40);
    assert_eq!(
        checked["versions"]["tools"]["commit"],
        serde_json::Value::Null
    );
}
