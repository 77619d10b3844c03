//! Programs that sessions work with. The gateway itself runs without them, so a missing one is a warning.

use std::{io, process::Stdio, time::Duration};

use tokio::process::Command;

use super::check::Check;

/// Asking a program for its version takes milliseconds; one that hangs must not hang us.
const ANSWER_MAX: Duration = Duration::from_secs(5);

pub(super) async fn check() -> Vec<Check> {
    let (git, node) = tokio::join!(
        version(
            "git",
            "git",
            "install git, for example with `apt-get install git`"
        ),
        version(
            "node",
            "node",
            "install Node.js from https://nodejs.org; the agent's tools use it"
        ),
    );
    vec![git, node]
}

async fn version(name: &'static str, program: &str, fix: &str) -> Check {
    match output(program, &["--version"]).await {
        Ok(version) => Check::ok(name, version),
        Err(Trouble::Missing) => Check::warn(name, format!("`{program}` was not found"), fix),
        Err(trouble) => Check::warn(
            name,
            format!("`{program} --version` does not work: {}", trouble.words()),
            fix,
        ),
    }
}

enum Trouble {
    Missing,
    Other(String),
}

impl Trouble {
    fn words(&self) -> &str {
        match self {
            Self::Missing => "not found",
            Self::Other(words) => words,
        }
    }
}

/// The first line a program prints, if it succeeds in time.
async fn output(program: &str, arguments: &[&str]) -> Result<String, Trouble> {
    let running = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = match tokio::time::timeout(ANSWER_MAX, running).await {
        Err(_) => return Err(Trouble::Other("no answer in time".to_owned())),
        Ok(Err(error)) if error.kind() == io::ErrorKind::NotFound => return Err(Trouble::Missing),
        Ok(Err(error)) => return Err(Trouble::Other(error.to_string())),
        Ok(Ok(output)) => output,
    };
    let first = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    if output.status.success() {
        Ok(first(&output.stdout))
    } else {
        let words = first(&output.stderr);
        Err(Trouble::Other(if words.is_empty() {
            output.status.to_string()
        } else {
            words
        }))
    }
}
