//! Transcripts: commands with their exit codes and what they printed, with everything that differs
//! from run to run replaced.

use testkit::process::{Finished, Workspace};

/// What replaces what, in order.
const FILTERS: &[(&str, &str)] = &[
    (r"http://127\.0\.0\.1:\d+", "[URL]"),
    (r"127\.0\.0\.1:[1-9]\d*", "[ADDRESS]"),
    (r"eyJ[\w-]+\.[\w-]+\.[\w-]+", "[TOKEN]"),
    (r"sbx_[\w.-]+", "[TOKEN]"),
    (r"pk_[0-9a-f]{64}", "[KEY]"),
    (r"pk_[0-9a-f]{8}", "[PREFIX]"),
    (
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "[ID]",
    ),
    // Checkpoints stand between the records of a log, wherever they were signed.
    (r"\(line \d+, event", "(line [LINE], event"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "[TIME]"),
    // Pins change with every edit of a policy.
    (r"\b[0-9a-f]{40}\b", "[BLOB]"),
    // What a grant is given for changes with the action.
    (r"(given for +)[0-9a-f]{64}", "$1[SHA256]"),
    // A call has the id of its session in it.
    (r"(digest +|--call )[0-9a-f]{64}\b", "$1[DIGEST]"),
    (r"\(process \d+\)", "(process [PID])"),
    // Each migration would change them.
    (r"schema version [1-9]\d*", "schema version [N]"),
    (r"needs \d+", "needs [N]"),
    (r"(schema version \S+) to \d+", "$1 to [N]"),
    (r"\d+\.\d GB free", "[SIZE] free"),
    // What engines say of themselves.
    (r"(ok    tool          \S+): .*", "$1: [VERSION]"),
    // Columns follow the width of what was replaced.
    (r"(\[(?:ID|TIME|PREFIX|ROOT)\]\S*) {2,}", "$1  "),
    (r"\bTIME {2,}", "TIME  "),
];

pub(crate) struct Transcript<'a> {
    workspace: &'a Workspace,
    text: String,
}

impl<'a> Transcript<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            text: String::new(),
        }
    }

    /// Runs a command and writes down what came of it.
    pub(crate) async fn run(&mut self, arguments: &[&str]) -> Finished {
        let finished = self.workspace.run(arguments).await;
        self.add(arguments, &finished);
        finished
    }

    pub(crate) fn add(&mut self, arguments: &[&str], finished: &Finished) {
        let code = finished
            .code
            .map_or_else(|| "(killed)".to_owned(), |code| code.to_string());
        let quoted: Vec<String> = arguments
            .iter()
            .map(|argument| {
                if argument.contains(' ') {
                    format!("'{argument}'")
                } else {
                    (*argument).to_owned()
                }
            })
            .collect();
        let mut lines = vec![format!("$ proliferate {}", quoted.join(" "))];
        for (name, stream) in [("stdout", &finished.stdout), ("stderr", &finished.stderr)] {
            if !stream.is_empty() {
                lines.push(format!("--- {name}\n{}", stream.trim_end()));
            }
        }
        lines.push(format!("--- exit {code}\n\n"));
        self.text.push_str(&lines.join("\n"));
    }

    /// Compares with the recorded one.
    pub(crate) fn check(self, name: &str) {
        let root = self.workspace.root().display().to_string();
        let text = self.text.replace(&root, "[ROOT]");
        insta::with_settings!({filters => FILTERS.to_vec(), omit_expression => true}, {
            insta::assert_snapshot!(name, text.trim_end());
        });
    }
}
