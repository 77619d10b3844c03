//! Programs in a sandbox: ones that are waited for, and ones that go on by themselves and leave a log.

use std::time::Duration;

use bytes::Bytes;
use domain::limits::{SANDBOX_EXEC_OUTPUT_BYTES_MAX, SANDBOX_EXEC_TIMEOUT};

use crate::{Env, HomePath};

/// A program that is waited for.
#[derive(Debug, Clone)]
pub struct ExecRequest {
    /// Program and arguments; no shell looks at them.
    pub argv: Vec<String>,
    pub cwd: HomePath,
    /// On top of the sandbox's environment.
    pub env: Env,
    /// What it reads; nothing otherwise.
    pub stdin: Option<Bytes>,
    /// It is killed after this long.
    pub timeout: Duration,
    /// Bytes kept of stdout, and of stderr. What is beyond is counted and dropped.
    pub output_bytes_max: usize,
}

impl ExecRequest {
    pub fn new<T: Into<String>>(argv: impl IntoIterator<Item = T>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            cwd: HomePath::home(),
            env: Env::default(),
            stdin: None,
            timeout: SANDBOX_EXEC_TIMEOUT,
            output_bytes_max: SANDBOX_EXEC_OUTPUT_BYTES_MAX,
        }
    }

    /// A line for the shell.
    pub fn shell(line: impl Into<String>) -> Self {
        Self::new(["/bin/sh".to_owned(), "-c".to_owned(), line.into()])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Its own; a program that a signal ended has 128 and the signal's number, as in a shell.
    Code(i32),
    /// It was killed because its time was up.
    TimedOut,
}

/// The beginning of what a program wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    pub bytes: Bytes,
    /// Bytes that were written and are not here.
    pub dropped: u64,
}

impl Captured {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecResult {
    pub exit: Exit,
    pub stdout: Captured,
    pub stderr: Captured,
}

impl ExecResult {
    pub fn is_success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

/// A program that goes on by itself, also when the provider's process ends.
#[derive(Debug, Clone)]
pub struct ProcessSpec {
    /// Unique among the running ones of a sandbox: letters, digits, `-` and `_`. A program that has ended
    /// gives its name free, and its log goes when the name is used again.
    pub name: String,
    pub argv: Vec<String>,
    pub cwd: HomePath,
    pub env: Env,
}

impl ProcessSpec {
    pub fn new<T: Into<String>>(
        name: impl Into<String>,
        argv: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            name: name.into(),
            argv: argv.into_iter().map(Into::into).collect(),
            cwd: HomePath::home(),
            env: Env::default(),
        }
    }

    pub(crate) fn check_name(name: &str) -> crate::Result<()> {
        let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        if (1..=64).contains(&name.len()) && name.bytes().all(safe) {
            Ok(())
        } else {
            Err(crate::Error::invalid("not a name for a process"))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessState {
    Running,
    /// Without a code where it was killed before it could tell.
    Exited {
        code: Option<i32>,
    },
}

/// A piece of a log: stdout and stderr as they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogChunk {
    pub bytes: Bytes,
    /// Where to go on.
    pub next: u64,
    /// Bytes between what was asked for and what is here: the log was too long and its beginning is gone.
    pub lost: u64,
}
