//! The few programs that the fake understands, as far as the conformance suite uses them.

use std::time::Duration;

use bytes::Bytes;

use super::files::Files;
use crate::{Captured, Env, ExecRequest, ExecResult, Exit, HomePath, ProcessSpec, ProcessState};

struct ProgramOutput {
    code: i32,
    stdout: Vec<u8>,
    takes: Duration,
}

/// Runs a program; also returns how long it takes.
pub(super) fn run(request: &ExecRequest, env: &Env, files: &mut Files) -> (ExecResult, Duration) {
    let answer = output_of(request, env, files);
    let exit = if answer.takes > request.timeout {
        Exit::TimedOut
    } else {
        Exit::Code(answer.code)
    };
    let kept = answer.stdout.len().min(request.output_bytes_max);
    let stdout = Captured {
        dropped: (answer.stdout.len() - kept) as u64,
        bytes: Bytes::from(answer.stdout).slice(..kept),
    };
    let result = ExecResult {
        exit,
        stdout,
        stderr: Captured::default(),
    };
    (result, answer.takes)
}

/// Starts a program. Returns its end, if it ends at once.
pub(super) fn start(
    process: &ProcessSpec,
    env: &Env,
    files: &mut Files,
) -> Option<(ProcessState, Bytes)> {
    let mut request = ExecRequest::new(process.argv.clone());
    request.env = process.env.clone();
    request.cwd = process.cwd.clone();
    let answer = output_of(&request, env, files);
    let ended = ProcessState::Exited {
        code: Some(answer.code),
    };
    (answer.takes.is_zero()).then(|| (ended, answer.stdout.into()))
}

fn output_of(request: &ExecRequest, env: &Env, files: &mut Files) -> ProgramOutput {
    let words: Vec<&str> = request.argv.iter().map(String::as_str).collect();
    let path = |text: &str| {
        let absolute = text.starts_with('/');
        let whole = if absolute {
            HomePath::new(text)
        } else {
            request.cwd.join(text)
        };
        whole.unwrap_or_default()
    };
    let value = |name: &str| {
        let own = request.env.exposed().find(|(key, _)| *key == name);
        let found = own.or_else(|| env.exposed().find(|(key, _)| *key == name));
        found.map(|(_, value)| format!("{value}\n").into_bytes())
    };
    let mut takes = Duration::ZERO;
    let stdout = match words.as_slice() {
        ["true", ..] => Some(Vec::new()),
        ["echo", rest @ ..] => Some(format!("{}\n", rest.join(" ")).into_bytes()),
        ["pwd"] => Some(format!("{}\n", request.cwd).into_bytes()),
        ["printenv", name] => value(name),
        ["cat"] => Some(request.stdin.clone().unwrap_or_default().to_vec()),
        ["cat", file] => files.get(&path(file)).map(|(bytes, _)| bytes.to_vec()),
        ["cp", from, to] => {
            let copy = files.get(&path(from)).cloned();
            copy.map(|copy| drop(files.insert(path(to), copy)))
                .map(|()| Vec::new())
        }
        ["rm", file] => files.remove(&path(file)).map(|_| Vec::new()),
        ["head", "-c", count, "/dev/zero"] => count.parse().ok().map(|count| vec![0; count]),
        ["sleep", seconds] => seconds.parse().ok().map(|seconds| {
            takes = Duration::from_secs(seconds);
            Vec::new()
        }),
        _ => None,
    };
    ProgramOutput {
        code: i32::from(stdout.is_none()),
        stdout: stdout.unwrap_or_default(),
        takes,
    }
}
