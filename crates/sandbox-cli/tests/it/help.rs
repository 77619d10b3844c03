//! The help texts, word for word: agents read them.

use std::fmt::Write as _;

use crate::program::Program;

#[tokio::test]
async fn every_help_text() {
    let mut transcript = String::new();
    for command in [
        "--help",
        "actions --help",
        "actions list --help",
        "actions guide --help",
        "actions run --help",
        "actions wait --help",
        "actions grant request --help",
        "actions grants list --help",
        "services --help",
        "services list --help",
        "services start --help",
        "services stop --help",
        "services restart --help",
        "services logs --help",
        "services expose --help",
        "env --help",
        "env apply --help",
        "env scrub --help",
        "env restore --help",
        "env get --help",
        "daemon --help",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let finished = Program::new("http://127.0.0.1:1", &arguments)
            .finish()
            .await;
        let finished = finished.ended(0);
        assert_eq!(finished.stderr, "");
        let text: Vec<&str> = finished.stdout.lines().map(str::trim_end).collect();
        let text = text.join("\n");
        let _ = writeln!(transcript, "$ proliferate {command}\n{}\n", text.trim_end());
    }
    insta::assert_snapshot!("help", transcript.trim_end());
}

#[tokio::test]
async fn nothing_and_nonsense_are_usage() {
    for arguments in [
        &[][..],
        &["actions"],
        &["nonsense"],
        &["actions", "run"],
        &["actions", "run", "--integration", "linear"],
        &["services"],
        &["services", "start", "--name", "web"],
        &["services", "start", "--name", "web", "--spec", "[]"],
        &["env", "apply"],
        &["env", "get", "--raw"],
    ] {
        let finished = Program::new("http://127.0.0.1:1", arguments).finish().await;
        let finished = finished.ended(2);
        assert_eq!(finished.stdout, "", "{arguments:?}");
        finished.said("Usage: proliferate");
    }
    for (arguments, said) in [
        (
            &["services", "logs", "--name", "web", "--bytes", "0"][..],
            "--bytes",
        ),
        (&["services", "stop", "--name", " "], "is not a name"),
        (&["daemon", "--listen", "nowhere"], "--listen"),
    ] {
        let finished = Program::new("http://127.0.0.1:1", arguments).finish().await;
        finished.ended(2).said(said);
    }
}
