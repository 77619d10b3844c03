//! Runs the binary with an environment of its own and nothing of ours.

use std::process::Stdio;

use serde_json::Value;
use tokio::{io::AsyncWriteExt as _, process::Command};

pub(crate) const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";
pub(crate) const TOKEN: &str = "sbx_secret-of-the-sandbox";

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// The one document on stdout.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Checks the exit code.
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Checks that stderr says something.
    pub(crate) fn said(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:?}");
        self
    }
}

/// A run that is being prepared.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
    stdin: Vec<u8>,
}

impl Program {
    /// With the environment of a sandbox, and quick.
    pub(crate) fn new(url: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proliferate-sandbox"));
        command.args(arguments).env_clear();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let program = Self {
            command,
            stdin: Vec::new(),
        };
        program
            .env("PROLIFERATE_GATEWAY_URL", url)
            .env("PROLIFERATE_SESSION_ID", SESSION)
            .env("SANDBOX_MCP_AUTH_TOKEN", TOKEN)
            .env("PROLIFERATE_CLI_POLL_MS", "20")
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Starts it, to be read while it runs.
    pub(crate) fn spawn(mut self) -> tokio::process::Child {
        self.command.kill_on_drop(true).spawn().unwrap()
    }

    /// Runs it. Whatever it prints, the token is not in it.
    pub(crate) async fn finish(mut self) -> Finished {
        let mut child = self.command.kill_on_drop(true).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let write = async {
            // A run that reads nothing may be gone before everything is written.
            let _ = input.write_all(&self.stdin).await;
            drop(input);
        };
        let ((), output) = tokio::join!(write, child.wait_with_output());
        let output = output.unwrap();
        let finished = Finished {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!finished.stdout.contains(TOKEN), "{finished:?}");
        assert!(!finished.stderr.contains(TOKEN), "{finished:?}");
        assert!(!finished.stderr.contains('\u{1b}'), "{finished:?}");
        finished
    }
}

/// `actions run` of a write, with more arguments.
pub(crate) fn run(url: &str, more: &[&str]) -> Program {
    let mut arguments = vec![
        "actions",
        "run",
        "--integration",
        "linear",
        "--action",
        "create_issue",
    ];
    arguments.extend(more);
    Program::new(url, &arguments)
}
