//! Asking the helper inside a container (`inside.pl`): what goes in, and what its first line means.
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

use super::{Container, failed, making::Progress, settled, status};
use crate::{Env, Error, Result, SandboxId};

const SCRIPT: &str = include_str!("inside.pl");
/// Who works in a container.
pub(super) const USER: &str = "1000:1000";
const STEP: &str = "joining the container";
/// Longest first line; it holds a word and some numbers, or a reason of the system.
const HEAD_BYTES_MAX: usize = 4096;

pub(super) type Output =
    Pin<Box<dyn Stream<Item = std::result::Result<LogOutput, EngineError>> + Send>>;
pub(super) type Input = Pin<Box<dyn AsyncWrite + Send>>;

/// What the helper is asked.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) command: &'static str,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<u8>,
    pub(super) body: Bytes,
    /// Bytes after the first line of the answer.
    answer_bytes_max: usize,
}

impl Call {
    pub(super) fn new<T: Into<String>>(
        command: &'static str,
        args: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            command,
            args: args.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            body: Bytes::new(),
            answer_bytes_max: SANDBOX_ANSWER_BYTES_MAX,
        }
    }

    /// Accepts a longer answer.
    pub(super) fn answered_in(mut self, bytes_max: usize) -> Self {
        self.answer_bytes_max = bytes_max;
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
pub(super) struct Session {
    /// The engine's name for it.
    pub(super) exec: String,
    pub(super) output: Output,
    /// Gives back where to write once everything has been handed over.
    pub(super) given: JoinHandle<Input>,
    /// What came with the first line.
    pub(super) rest: Bytes,
    /// The words of the first line after `ok`.
    pub(super) head: Vec<String>,
}

impl Container {
    /// Starts the helper and reads its first line. `what` is what is not there if it says so.
    pub(super) async fn begin(&self, container: &str, call: Call, what: &str) -> Result<Session> {
        let begin = self.begin_slowly(container, call, what);
        let begun = tokio::time::timeout(SANDBOX_PROGRAM_TIMEOUT, begin);
        let begun = self.unless_gone(container, begun).await?;
        begun.map_err(|_| Error::TimedOut { step: STEP })?
    }

    /// A request to a container that is removed meanwhile gets no response, and the engine need not report it.
    async fn unless_gone<T>(&self, container: &str, asked: impl Future<Output = T>) -> Result<T> {
        let gone = async {
            loop {
                tokio::time::sleep(SANDBOX_ENGINE_LOOK_EVERY).await;
                let seen = settled(|| self.docker().inspect_container(container, None)).await;
                if seen.is_err_and(|error| status(&error) == Some(404)) {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            answer = asked => Ok(answer),
            () = gone => Err(Error::Gone),
        }
    }

    async fn begin_slowly(&self, container: &str, call: Call, what: &str) -> Result<Session> {
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
        let (exec, started) = self.join(container, options).await?;
        let StartExecResults::Attached { output, mut input } = started else {
            return Err(Error::failed(STEP, "the engine does not attach"));
        };
        // At the same time: a program may answer before it has read everything.
        let given = tokio::spawn(async move {
            // One that does not read it all is within its rights.
            let _ = input.write_all(&[&call.env, &call.body[..]].concat()).await;
            let _ = input.flush().await;
            input
        });
        let (head, rest, output) = first_line(output).await?;
        let head = understand(&head, what)?;
        Ok(Session {
            exec,
            output,
            given,
            rest,
            head,
        })
    }

    /// Starts it. A sandbox may have come to stand still for a snapshot since it was looked at: then it is tried again
    /// when it goes on.
    async fn join(
        &self,
        container: &str,
        options: CreateExecOptions<String>,
    ) -> Result<(String, StartExecResults)> {
        loop {
            let joined = async {
                let exec = self.docker().create_exec(container, options.clone());
                let exec = exec.await?.id;
                let start = Some(StartExecOptions::default());
                let started = self.docker().start_exec(&exec, start).await?;
                Ok::<_, EngineError>((exec, started))
            };
            match joined.await {
                Ok(joined) => return Ok(joined),
                Err(error)
                    if matches!(status(&error), Some(409 | 500))
                        && self.stands_still(container) =>
                {
                    tokio::time::sleep(SANDBOX_DRAIN / 4).await;
                }
                Err(error) => return Err(failed(STEP)(error)),
            }
        }
    }

    /// Whether a snapshot is made of it at this moment.
    fn stands_still(&self, container: &str) -> bool {
        let id = container.strip_prefix("proliferate-");
        let Some(Ok(id)) = id.map(str::parse::<SandboxId>) else {
            return false;
        };
        self.0.making.of_snapshot(&id) == Progress::UnderWay
    }

    /// Asks something that has a short answer: the words of its first line, and what follows.
    pub(super) async fn ask(
        &self,
        container: &str,
        call: Call,
        what: &str,
    ) -> Result<(Vec<String>, Bytes)> {
        let max = call.answer_bytes_max;
        let asked = async {
            let session = self.begin_slowly(container, call, what).await?;
            let bytes = the_rest(session.output, session.rest, max).await?;
            Ok((session.head, bytes))
        };
        let answered = tokio::time::timeout(2 * SANDBOX_PROGRAM_TIMEOUT, asked);
        let answered = self.unless_gone(container, answered).await?;
        answered.map_err(|_| Error::TimedOut { step: STEP })?
    }
}

/// Reads an answer to its end. The helper keeps its own bound, but programs beside it are the same user and can write into
/// its output.
async fn the_rest(mut output: Output, begin: Bytes, max: usize) -> Result<Bytes> {
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

async fn first_line(mut output: Output) -> Result<(Vec<u8>, Bytes, Output)> {
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

/// The words after `ok`, or what went wrong.
fn understand(head: &[u8], what: &str) -> Result<Vec<String>> {
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

/// A number that the helper told.
pub(super) fn number(head: &[String], at: usize) -> Result<u64> {
    let number = head.get(at).and_then(|word| word.parse().ok());
    number.ok_or_else(|| Error::failed(STEP, "not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_understood() {
        assert_eq!(understand(b"ok 1 2", "x").unwrap(), ["1", "2"]);
        assert!(understand(b"ok", "x").unwrap().concat().is_empty());
        for (line, expected) in [
            (&b"missing"[..], "x is not there"),
            (b"invalid there is a link", "x: there is a link"),
            (b"large", "the file has more than 33554432 bytes"),
            (b"failed No space", "working in the container: No space"),
            (b"okay", "joining the container: not an answer"),
            (b"", "joining the container: not an answer"),
            (b"\xff\xfe", "joining the container: not an answer"),
        ] {
            let error = understand(line, "x").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[tokio::test]
    async fn an_answer_has_a_bound() {
        let output = |pieces: &[&'static [u8]]| -> Output {
            let piece = |bytes: &&'static [u8]| {
                let message = Bytes::from_static(bytes);
                Ok(LogOutput::StdOut { message })
            };
            let pieces: Vec<_> = pieces.iter().map(piece).collect();
            Box::pin(futures::stream::iter(pieces))
        };
        let begin = || Bytes::from_static(b"ab");
        let whole = the_rest(output(&[b"cd", b"e"]), begin(), 5).await.unwrap();
        assert_eq!(&whole[..], b"abcde");
        for (pieces, max) in [(&[&b"cd"[..], b"ef"][..], 5), (&[], 1)] {
            let refused = the_rest(output(pieces), begin(), max).await.unwrap_err();
            assert!(refused.to_string().contains("too large"), "{refused}");
        }
    }

    #[test]
    fn variables_are_kept_from_the_words_of_a_command() {
        let env = Env::of([("A", "s3cret\n=x")]).unwrap();
        let call = Call::new("run", ["a"]).with_env(&env);
        assert_eq!(call.env, b"A=s3cret\n=x\0");
        assert!(!call.args.concat().contains("s3cret"));
    }
}
