//! `automation` and `budget`: what a person does with them from the terminal, and reads.

use serde_json::{Value, json};

use crate::{
    live::{Cleaned, with_sandboxes},
    transcript::Transcript,
    workspace,
};

#[tokio::test]
async fn an_automation_is_made_changed_and_removed() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, _) = workspace.dev().await;
    let file = workspace.root().join("task.md");
    std::fs::write(&file, "Look at yesterday's errors.").unwrap();
    let file = file.display().to_string();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["automation", "list"]).await;
    transcript.run(&["automation", "create", "Triage"]).await;
    let create = ["automation", "create", "Triage", "--instructions-file"];
    let made = [&create[..], &[file.as_str(), "--disabled"]].concat();
    let id = transcript.run(&made).await.stdout;
    let id = id.trim();
    let nowhere = [&create[..], &["nowhere.md"]].concat();
    transcript.run(&nowhere).await;
    transcript.run(&["automation", "list"]).await;
    transcript.run(&["automation", "show", id]).await;
    transcript.run(&["automation", "run", id]).await;
    transcript.run(&["automation", "update", id]).await;
    let update = ["automation", "update", id];
    let changes: [&[&str]; 3] = [
        &["--name", "Nightly triage", "--description", "For us"],
        &["--instructions", "Look again.", "--enable"],
        &["--description", "", "--configuration", "none"],
    ];
    for change in changes {
        transcript.run(&[&update[..], change].concat()).await;
    }
    transcript
        .run(&["automation", "update", id, "--enable", "--disable"])
        .await;
    transcript.run(&["automation", "runs", id]).await;
    transcript.run(&["automation", "remove", id]).await;
    transcript.run(&["automation", "show", id]).await;
    transcript.run(&["automation", "show-run", id]).await;
    transcript.check("automation_life");
}

#[tokio::test]
async fn a_budget_is_shown_set_and_taken_back() {
    let workspace = workspace().env("PROLIFERATE_MODEL_SESSION_BUDGET_USD", "2.50");
    let (_dev, dev) = workspace.dev().await;
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["budget", "show"]).await;
    transcript.run(&["budget", "set", "7"]).await;
    transcript.run(&["budget", "show", "-o", "json"]).await;
    transcript.run(&["budget", "set", "much"]).await;
    transcript.run(&["budget", "set", "default"]).await;
    let (url, member) = (
        dev["url"].as_str().unwrap(),
        dev["member"].as_str().unwrap(),
    );
    let as_member = ["--url", url, "--token", member];
    for arguments in [&["budget", "show"][..], &["budget", "set", "9"]] {
        let finished = workspace.run(&[arguments, &as_member].concat()).await;
        transcript.add(arguments, &finished);
    }
    transcript.check("budget");
}

mod real_agent {
    use super::*;

    #[tokio::test]
    async fn an_automation_is_set_to_work_and_waited_for() {
        let workspace = with_sandboxes();
        let _cleaned = Cleaned(&workspace);
        let (_dev, _) = workspace.dev().await;
        // The ids are in the prompt, below the instructions.
        let complete = json!({"run_id": "{{find `run_id`: ([0-9a-f-]{36})}}",
            "completion_id": "{{find `completion_id`: (run:[0-9a-f-]{36}:completion:v1)}}",
            "outcome": "succeeded", "summary_markdown": "All is well."});
        let task = format!("CALL automation_complete {complete}\nSAY It is over.");
        let create = [
            "automation",
            "create",
            "Triage",
            "--instructions",
            task.as_str(),
        ];
        let id = workspace.output(&create).await;
        let ran = workspace
            .run(&["automation", "run", &id, "--wait", "-o", "json"])
            .await;
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
        let run: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(run["status"], "succeeded");
        assert_eq!(run["completion"]["summaryMarkdown"], "All is well.");
        let listed = workspace
            .output(&["automation", "runs", &id, "-o", "json"])
            .await;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed["items"], json!([run]));
        let shown = ["automation", "show-run", run["id"].as_str().unwrap()];
        let shown = workspace.output(&shown).await;
        assert!(shown.contains("summary        All is well."), "{shown}");
    }
}
