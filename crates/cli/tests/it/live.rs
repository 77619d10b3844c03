//! A live session from the terminal, with the real agent in a real sandbox.

use std::{path::Path, time::Duration};

use serde_json::{Value, json};
use testkit::process::{Finished, Workspace};

use crate::workspace;

/// Removes what a test's sandboxes left, also when it fails.
pub(crate) struct Cleaned<'a>(pub(crate) &'a Workspace);

impl Drop for Cleaned<'_> {
    fn drop(&mut self) {
        let cleaned = std::process::Command::new(env!("CARGO_BIN_EXE_proliferate"))
            .args(["doctor", "--clean"])
            .env("PROLIFERATE_DATA_DIR", self.0.data_dir())
            .env("PROLIFERATE_SANDBOX_PROVIDER", "rootless")
            .output();
        if std::thread::panicking() {
            return;
        }
        let cleaned = cleaned.unwrap();
        let left = inhabitants(&self.0.data_dir());
        assert!(
            left.is_empty(),
            "a sandbox is left: {left:#?}\n{}{}",
            String::from_utf8_lossy(&cleaned.stdout),
            String::from_utf8_lossy(&cleaned.stderr)
        );
    }
}

/// The processes that stand in this directory, as those do who hold a sandbox; the last ones get a moment to end.
fn inhabitants(directory: &Path) -> Vec<String> {
    let inside = |process: std::fs::DirEntry| {
        let place = std::fs::read_link(process.path().join("cwd")).ok()?;
        place.starts_with(directory).then(|| {
            let told =
                |file| std::fs::read_to_string(process.path().join(file)).unwrap_or_default();
            format!("{} {}", told("stat"), told("cmdline").replace('\0', " "))
        })
    };
    let mut left = Vec::new();
    for _ in 0..100 {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        left = processes.filter_map(inside).collect();
        if left.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    left
}

pub(crate) fn with_sandboxes() -> Workspace {
    // The weaker tier works wherever the tests do.
    workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "rootless")
}

fn must_end_well(finished: &Finished) {
    assert_eq!(
        finished.code,
        Some(0),
        "{}\n{}",
        finished.stdout,
        finished.stderr
    );
}

#[tokio::test]
async fn an_agent_that_is_not_installed_is_final_and_named_with_the_command() {
    let workspace = with_sandboxes();
    let nowhere = workspace.root().join("nowhere");
    let modules = nowhere.join("node_modules").display().to_string();
    let workspace = workspace.env("PROLIFERATE_AGENT_DIRECTORY", modules);
    let (_dev, _) = workspace.dev().await;
    let id = workspace.output(&["session", "create"]).await;
    let sent = workspace
        .run(&["session", "send", &id, "--wait", "SAY hello"])
        .await;
    assert_ne!(sent.code, Some(0), "{}", sent.stdout);
    let command = format!("run `npm install --prefix {}", nowhere.display());
    assert!(sent.stderr.contains(&command), "{}", sent.stderr);
    let said = format!("{}{}", sent.stdout, sent.stderr);
    assert!(!said.contains("tried again in"), "{said}");
}

/// What was printed as if no line had been broken where a row was full, without its spaces: a row may end with one.
pub(crate) fn unbroken(printed: &str) -> String {
    let rows = printed.lines();
    let text = rows.map(|row| {
        let time = row.find(" s  ").filter(|at| *at < 8);
        let row = time.map_or(row, |at| &row[at + 4..]).trim_start();
        row.strip_prefix(": ").unwrap_or(row)
    });
    text.flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .collect()
}

mod real_agent {
    use super::*;

    #[tokio::test]
    async fn the_demo_plays_to_its_end_and_is_proved() {
        let workspace = with_sandboxes();
        let _cleaned = Cleaned(&workspace);
        let (mut dev, _) = workspace.dev().await;
        let demo = workspace.run(&["demo"]).await;
        must_end_well(&demo);
        for part in [
            "| Hello, stranger.",
            "| Hello, world.",
            "The greeting has no name",
            "create_issue (write) waits for a person",
            "create_issue approved by user_demo_owner",
            "tool      verify",
            "snapshot  saved as",
            "[scripted] All done.",
        ] {
            assert!(
                unbroken(&demo.stdout).contains(&unbroken(part)),
                "no {part:?} in\n{}",
                demo.stdout
            );
        }
        assert!(demo.stderr.contains("each once"), "{}", demo.stderr);
        dev.interrupt();
        assert_eq!(dev.wait().await.code(), Some(0));
    }

    #[tokio::test]
    async fn a_session_is_talked_to_over_a_pipe() {
        let workspace = with_sandboxes();
        let _cleaned = Cleaned(&workspace);
        let (_dev, _) = workspace.dev().await;
        let id = workspace.output(&["session", "create"]).await;
        let id = id.as_str();
        let input = "SAY one\nCALL bash {\"command\": \"echo $((40 + 2))\"}\n";
        let attached = workspace.run_on(input, &["session", "attach", id]).await;
        must_end_well(&attached);
        for part in ["you       SAY one", "agent     [scripted] one", "| 42"] {
            assert!(
                attached.stdout.contains(part),
                "no {part:?} in\n{}",
                attached.stdout
            );
        }
        let sent = workspace
            .run(&["session", "send", id, "--wait", "-o", "json", "SAY two"])
            .await;
        must_end_well(&sent);
        let frames: Vec<Value> = sent
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(frames[0]["type"], "init");
        let last = frames.last().unwrap();
        assert_eq!(
            last["payload"],
            json!({"status": "running", "isIdle": true})
        );
        let logs = workspace.output(&["session", "logs", id]).await;
        let said: Vec<&str> = logs
            .lines()
            .filter(|line| line.starts_with("agent"))
            .collect();
        assert_eq!(said.first(), Some(&"agent     [scripted] one"), "{logs}");
        assert_eq!(said.last(), Some(&"agent     [scripted] two"), "{logs}");
        workspace.output(&["session", "cancel", id]).await;
        workspace.output(&["session", "stop", id]).await;
    }

    #[tokio::test]
    async fn what_changed_is_shown_and_values_are_given() {
        let workspace = with_sandboxes();
        let _cleaned = Cleaned(&workspace);
        let (_dev, _) = workspace.dev().await;
        let id = workspace.output(&["session", "create"]).await;
        let id = id.as_str();
        let asleep = workspace.run(&["session", "diff", id]).await;
        assert_ne!(asleep.code, Some(0));
        assert!(asleep.stderr.contains("is not up"), "{}", asleep.stderr);
        let work = "CALL bash {\"command\": \"echo hi > a.txt && git add a.txt\"}\nSAY done";
        let sent = workspace
            .run(&["session", "send", id, "--wait", work])
            .await;
        must_end_well(&sent);
        let diff = workspace.output(&["session", "diff", id]).await;
        assert!(diff.contains("+hi"), "{diff}");
        let one = workspace.output(&["session", "diff", id, "b.txt"]).await;
        assert_eq!(one, "");
        let given = workspace
            .run_on("GREETING='hello there'\n", &["session", "env", id])
            .await;
        must_end_well(&given);
        assert_eq!(given.stdout, "GREETING\n");
        workspace.output(&["session", "stop", id]).await;
    }
}

#[tokio::test]
async fn without_sandboxes_a_prompt_fails_and_says_why() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, _) = workspace.dev().await;
    let id = workspace.output(&["session", "create"]).await;
    let sent = workspace
        .run(&["session", "send", &id, "--wait", "SAY hi"])
        .await;
    assert_eq!(sent.code, Some(1), "{}", sent.stdout);
    assert!(
        sent.stderr.contains("sandboxes are switched off"),
        "{}",
        sent.stderr
    );
}

#[tokio::test]
async fn there_is_nothing_to_watch_where_there_is_no_session() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    let id = "0192f0c1-2345-7abc-8def-0123456789ab";
    for command in ["attach", "logs", "cancel", "diff"] {
        let finished = workspace.run(&["session", command, id]).await;
        assert_eq!(finished.code, Some(3), "{command}: {}", finished.stderr);
    }
}
