//! The client of the helper inside a container (`inside.pl`): what a call sends, and what the first line of a reply means.
//!
//! INVARIANT: variables and content go over standard input alone. The engine keeps the words of a command,
//! and shows them to permitted callers.

use std::pin::Pin;

use bollard::{
    container::LogOutput,
    errors::Error as EngineError,
    exec::{CreateExecOptions, StartExecOptions, StartExecResults},
};
use bytes::Bytes;
use domain::limits::{
    SANDBOX_ANSWER_BYTES_MAX, SANDBOX_DRAIN, SANDBOX_ENGINE_LOOK_EVERY, SANDBOX_PROGRAM_TIMEOUT,
    SANDBOX_READ_BYTES_MAX,
};
use futures::{Stream, StreamExt as _};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    task::JoinHandle,
};

use super::{
    engine::Engine,
    names::sandbox_of_container,
    progress::Progress,
    response::{failed, retry_unreadable, status_code},
};
use crate::{Env, Error, File, Result};

const SCRIPT: &str = include_str!("inside.pl");
/// The user of every program in a container.
pub(super) const USER: &str = "1000:1000";
const STEP: &str = "joining the container";
/// Longest first line; it holds a word and some numbers, or a reason of the system.
const HEAD_BYTES_MAX: usize = 4096;

pub(super) type HelperOutput =
    Pin<Box<dyn Stream<Item = std::result::Result<LogOutput, EngineError>> + Send>>;
pub(super) type HelperInput = Pin<Box<dyn AsyncWrite + Send>>;

/// A request to the helper.
#[derive(Clone)]
pub(super) struct HelperCall {
    command: &'static str,
    args: Vec<String>,
    env: Vec<u8>,
    body: Bytes,
    /// Bytes after the first line of the reply.
    reply_bytes_max: usize,
}

impl HelperCall {
    pub(super) fn new<T: Into<String>>(
        command: &'static str,
        args: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            command,
            args: args.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            body: Bytes::new(),
            reply_bytes_max: SANDBOX_ANSWER_BYTES_MAX,
        }
    }

    /// Accepts a longer reply.
    pub(super) fn with_reply_max(mut self, bytes_max: usize) -> Self {
        self.reply_bytes_max = bytes_max;
        self
    }

    pub(super) fn with_env(mut self, env: &Env) -> Self {
        for (name, value) in env.exposed() {
            self.env.extend([name, "=", value, "\0"].concat().bytes());
        }
        self
    }

    pub(super) fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }
}

/// A helper at work.
pub(super) struct HelperSession {
    /// The engine's name for it.
    pub(super) exec: String,
    pub(super) output: HelperOutput,
    /// Returns the input once the whole call was written.
    pub(super) written: JoinHandle<HelperInput>,
    /// What came with the first line.
    pub(super) rest: Bytes,
    /// The words of the first line after `ok`.
    pub(super) head: Vec<String>,
}

/// Runs the helper in containers.
#[derive(Clone)]
pub(super) struct Helper {
    engine: Engine,
}

impl Helper {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// Starts the helper and reads its first line. `what` is what is missing if the helper says so.
    pub(super) async fn open_session(
        &self,
        container: &str,
        call: HelperCall,
        what: &str,
    ) -> Result<HelperSession> {
        let opening = self.open_unbounded(container, call, what);
        let opened = tokio::time::timeout(SANDBOX_PROGRAM_TIMEOUT, opening);
        let opened = self.unless_gone(container, opened).await?;
        opened.map_err(|_| Error::TimedOut { step: STEP })?
    }

    /// A request to a container that is removed meanwhile gets no response, and the engine need not report it.
    async fn unless_gone<T>(&self, container: &str, request: impl Future<Output = T>) -> Result<T> {
        let gone = async {
            loop {
                tokio::time::sleep(SANDBOX_ENGINE_LOOK_EVERY).await;
                let docker = self.engine.docker();
                let seen = retry_unreadable(|| docker.inspect_container(container, None)).await;
                if seen.is_err_and(|error| status_code(&error) == Some(404)) {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            response = request => Ok(response),
            () = gone => Err(Error::Gone),
        }
    }

    async fn open_unbounded(
        &self,
        container: &str,
        call: HelperCall,
        what: &str,
    ) -> Result<HelperSession> {
        let mut cmd = ["perl", "-e", SCRIPT, call.command]
            .map(str::to_owned)
            .to_vec();
        cmd.extend([call.env.len().to_string(), call.body.len().to_string()]);
        cmd.extend(call.args);
        let options = CreateExecOptions {
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(cmd),
            user: Some(USER.to_owned()),
            working_dir: Some("/".to_owned()),
            ..CreateExecOptions::default()
        };
        let (exec, started) = self.start_exec(container, options).await?;
        let StartExecResults::Attached { output, mut input } = started else {
            return Err(Error::failed(STEP, "the engine does not attach"));
        };
        // At the same time: a program may reply before it has read everything.
        let written = tokio::spawn(async move {
            // One that does not read it all is within its rights.
            let _ = input.write_all(&[&call.env, &call.body[..]].concat()).await;
            let _ = input.flush().await;
            input
        });
        let (head, rest, output) = read_first_line(output).await?;
        let head = parse_first_line(&head, what)?;
        Ok(HelperSession {
            exec,
            output,
            written,
            rest,
            head,
        })
    }

    /// Starts a program of the engine. A sandbox may have come to stand still for a snapshot since it was looked at: then this
    /// tries again when it goes on.
    async fn start_exec(
        &self,
        container: &str,
        options: CreateExecOptions<String>,
    ) -> Result<(String, StartExecResults)> {
        loop {
            let started = async {
                let exec = self.engine.docker().create_exec(container, options.clone());
                let exec = exec.await?.id;
                let start = Some(StartExecOptions::default());
                let started = self.engine.docker().start_exec(&exec, start).await?;
                Ok::<_, EngineError>((exec, started))
            };
            match started.await {
                Ok(started) => return Ok(started),
                Err(error)
                    if matches!(status_code(&error), Some(409 | 500))
                        && self.has_snapshot_under_way(container) =>
                {
                    tokio::time::sleep(SANDBOX_DRAIN / 4).await;
                }
                Err(error) => return Err(failed(STEP)(error)),
            }
        }
    }

    /// Whether a snapshot of it is made at this moment.
    fn has_snapshot_under_way(&self, container: &str) -> bool {
        sandbox_of_container(container)
            .is_some_and(|id| self.engine.notes().progress_of_snapshot(&id) == Progress::UnderWay)
    }

    /// Sends a call that has a short reply: returns the words of its first line, and what follows.
    pub(super) async fn call(
        &self,
        container: &str,
        call: HelperCall,
        what: &str,
    ) -> Result<(Vec<String>, Bytes)> {
        let max = call.reply_bytes_max;
        let calling = async {
            let session = self.open_unbounded(container, call, what).await?;
            let bytes = read_rest(session.output, session.rest, max).await?;
            Ok((session.head, bytes))
        };
        let called = tokio::time::timeout(2 * SANDBOX_PROGRAM_TIMEOUT, calling);
        let called = self.unless_gone(container, called).await?;
        called.map_err(|_| Error::TimedOut { step: STEP })?
    }

    pub(super) async fn write_files(&self, container: &str, files: &[File]) -> Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let mut body = Vec::new();
        for file in files {
            let path = file.path.relative().to_string_lossy();
            let head = format!("{}\0{}\0{path}\0", file.mode & 0o777, file.bytes.len());
            body.extend(head.bytes());
            body.extend(&file.bytes);
        }
        let call = HelperCall::new::<String>("write", []).with_body(body);
        let what = match files {
            [one] => one.path.to_string(),
            _ => "a file".to_owned(),
        };
        self.call(container, call, &what).await.map(drop)
    }
}

/// Reads a reply to its end. The helper keeps its own bound, but programs beside it are the same user and can write into
/// its output.
async fn read_rest(mut output: HelperOutput, begin: Bytes, max: usize) -> Result<Bytes> {
    let mut bytes = Vec::new();
    let mut next = Some(begin);
    loop {
        if let Some(message) = next {
            if bytes.len() + message.len() > max {
                return Err(Error::failed(STEP, "the answer is too large"));
            }
            bytes.extend(message);
        }
        next = match output.next().await {
            None => return Ok(bytes.into()),
            Some(piece) => match piece.map_err(failed(STEP))? {
                LogOutput::StdOut { message } => Some(message),
                _ => None,
            },
        };
    }
}

async fn read_first_line(mut output: HelperOutput) -> Result<(Vec<u8>, Bytes, HelperOutput)> {
    let (mut head, mut complaint) = (Vec::new(), Vec::new());
    while let Some(piece) = output.next().await {
        match piece.map_err(failed(STEP))? {
            LogOutput::StdOut { message } => {
                if let Some(end) = message.iter().position(|b| *b == b'\n') {
                    head.extend(&message[..end]);
                    return Ok((head, message.slice(end + 1..), output));
                }
                head.extend(message);
            }
            other => complaint.extend(other.into_bytes()),
        }
        if head.len() > HEAD_BYTES_MAX || complaint.len() > HEAD_BYTES_MAX {
            break;
        }
    }
    Err(Error::failed(STEP, String::from_utf8_lossy(&complaint)))
}

/// Returns the words after `ok`, or the error that the line reports.
fn parse_first_line(head: &[u8], what: &str) -> Result<Vec<String>> {
    let text = String::from_utf8_lossy(head);
    let (verdict, rest) = text.split_once(' ').unwrap_or((&text, ""));
    match verdict {
        "ok" => Ok(rest.split(' ').map(str::to_owned).collect()),
        "missing" => Err(Error::NotFound {
            what: what.to_owned(),
        }),
        "invalid" => Err(Error::invalid(format!("{what}: {rest}"))),
        "large" => Err(Error::TooLarge {
            what: "the file",
            max: SANDBOX_READ_BYTES_MAX,
        }),
        "failed" => Err(Error::failed("working in the container", rest)),
        _ => Err(Error::failed(STEP, "not an answer")),
    }
}

/// Reads a number in the first line of a reply.
pub(super) fn parse_number(head: &[String], at: usize) -> Result<u64> {
    let number = head.get(at).and_then(|word| word.parse().ok());
    number.ok_or_else(|| Error::failed(STEP, "not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_parsed() {
        assert_eq!(parse_first_line(b"ok 1 2", "x").unwrap(), ["1", "2"]);
        assert!(parse_first_line(b"ok", "x").unwrap().concat().is_empty());
        for (line, expected) in [
            (&b"missing"[..], "x is not there"),
            (b"invalid there is a link", "x: there is a link"),
            (b"large", "the file has more than 33554432 bytes"),
            (b"failed No space", "working in the container: No space"),
            (b"okay", "joining the container: not an answer"),
            (b"", "joining the container: not an answer"),
            (b"\xff\xfe", "joining the container: not an answer"),
        ] {
            let error = parse_first_line(line, "x").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[tokio::test]
    async fn a_reply_has_a_bound() {
        let output = |pieces: &[&'static [u8]]| -> HelperOutput {
            let piece = |bytes: &&'static [u8]| {
                let message = Bytes::from_static(bytes);
                Ok(LogOutput::StdOut { message })
            };
            let pieces: Vec<_> = pieces.iter().map(piece).collect();
            Box::pin(futures::stream::iter(pieces))
        };
        let begin = || Bytes::from_static(b"ab");
        let whole = read_rest(output(&[b"cd", b"e"]), begin(), 5).await.unwrap();
        assert_eq!(&whole[..], b"abcde");
        for (pieces, max) in [(&[&b"cd"[..], b"ef"][..], 5), (&[], 1)] {
            let refused = read_rest(output(pieces), begin(), max).await.unwrap_err();
            assert!(refused.to_string().contains("too large"), "{refused}");
        }
    }

    #[test]
    fn variables_are_kept_from_the_words_of_a_command() {
        let env = Env::of([("A", "s3cret\n=x")]).unwrap();
        let call = HelperCall::new("run", ["a"]).with_env(&env);
        assert_eq!(call.env, b"A=s3cret\n=x\0");
        assert!(!call.args.concat().contains("s3cret"));
    }
}
