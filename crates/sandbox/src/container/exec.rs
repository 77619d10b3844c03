//! A program inside that is waited for: what it prints is kept up to a bound, and it ends when its time is up.

use bollard::container::LogOutput;
use domain::limits::{SANDBOX_DRAIN, SANDBOX_ENGINE_LOOK_EVERY, SANDBOX_PROGRAM_TIMEOUT};
use futures::StreamExt as _;
use tokio::time::timeout;

use super::{
    containers::SandboxContainer,
    engine::Engine,
    helper::{Helper, HelperCall, HelperSession, parse_number},
    response::failed,
};
use crate::{Captured, Error, ExecRequest, ExecResult, Exit, Result};

const STEP: &str = "running the command";

/// What a program has printed so far, up to a bound.
#[derive(Default)]
struct BoundedOutput {
    bytes: Vec<u8>,
    dropped: u64,
}

impl BoundedOutput {
    fn add(&mut self, piece: &[u8], max: usize) {
        let room = max.saturating_sub(self.bytes.len()).min(piece.len());
        self.bytes.extend(&piece[..room]);
        self.dropped += (piece.len() - room) as u64;
    }

    fn into_captured(self) -> Captured {
        Captured {
            bytes: self.bytes.into(),
            dropped: self.dropped,
        }
    }
}

/// Ends a program when its caller no longer waits.
struct EndOnDrop {
    helper: Helper,
    /// The container, and the call that ends the program there.
    call: Option<(String, HelperCall)>,
}

impl EndOnDrop {
    async fn end(&mut self) -> Result<()> {
        match self.call.take() {
            Some((name, call)) => self.helper.call(&name, call, STEP).await.map(drop),
            None => Ok(()),
        }
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        let (Some((name, call)), Ok(runtime)) =
            (self.call.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let helper = self.helper.clone();
        runtime.spawn(async move {
            if let Err(error) = helper.call(&name, call, STEP).await {
                tracing::warn!(container = name, %error, "a command was not ended");
            }
        });
    }
}

/// Runs programs that are waited for.
#[derive(Clone)]
pub(super) struct Programs {
    engine: Engine,
    helper: Helper,
}

impl Programs {
    pub(super) fn new(engine: Engine, helper: Helper) -> Self {
        Self { engine, helper }
    }

    pub(super) async fn run(
        &self,
        sandbox: &SandboxContainer,
        request: &ExecRequest,
    ) -> Result<ExecResult> {
        check_command(&request.argv)?;
        let (mark, cwd) = (
            self.engine.generate_name(),
            request.cwd.relative().to_string_lossy(),
        );
        let mut args = vec![cwd.into_owned(), mark.clone()];
        args.extend(request.argv.iter().cloned());
        let body = request.stdin.clone().unwrap_or_default();
        let call = HelperCall::new("run", args)
            .with_env(&request.env)
            .with_body(body);
        let cwd = request.cwd.to_string();
        let session = self.helper.open_session(&sandbox.name, call, &cwd).await?;
        let pid = parse_number(&session.head, 0)?;
        let began = parse_number(&session.head, 1)?;
        let end = HelperCall::new("end", [pid.to_string(), began.to_string(), mark]);
        let mut ending = EndOnDrop {
            helper: self.helper.clone(),
            call: Some((sandbox.name.clone(), end)),
        };
        let (mut stdout, mut stderr) = (BoundedOutput::default(), BoundedOutput::default());
        stdout.add(&session.rest, request.output_bytes_max);
        let mut keep = |piece: LogOutput| match piece {
            LogOutput::StdErr { message } => stderr.add(&message, request.output_bytes_max),
            other => stdout.add(&other.into_bytes(), request.output_bytes_max),
        };
        let ended = timeout(request.timeout, self.follow(session, &mut keep)).await;
        let exit = if let Ok(code) = ended {
            ending.call = None;
            Exit::Code(code?)
        } else {
            ending.end().await?;
            Exit::TimedOut
        };
        Ok(ExecResult {
            exit,
            stdout: stdout.into_captured(),
            stderr: stderr.into_captured(),
        })
    }

    /// Reads to the end of the output. What the program left running may hold it open: a moment after the
    /// program's end the pipe is not read any more.
    async fn follow(
        &self,
        mut session: HelperSession,
        keep: &mut impl FnMut(LogOutput),
    ) -> Result<i32> {
        let mut looks = tokio::time::interval(SANDBOX_ENGINE_LOOK_EVERY);
        looks.tick().await;
        let mut over = false;
        loop {
            let piece = tokio::select! {
                piece = session.output.next() => piece,
                _ = looks.tick() => {
                    if over {
                        break;
                    }
                    over = self.exit_code(&session.exec).await?.is_some();
                    continue;
                }
            };
            match piece {
                Some(piece) => keep(piece.map_err(failed(STEP))?),
                None => break,
            }
        }
        // The engine may notice the end after the output's.
        let code = async {
            loop {
                if let Some(code) = self.exit_code(&session.exec).await? {
                    return Ok(code);
                }
                tokio::time::sleep(SANDBOX_DRAIN / 20).await;
            }
        };
        let code = timeout(SANDBOX_PROGRAM_TIMEOUT, code).await;
        code.map_err(|_| Error::TimedOut { step: STEP })?
    }

    /// Returns none while the program runs.
    async fn exit_code(&self, exec: &str) -> Result<Option<i32>> {
        let seen = self.engine.docker().inspect_exec(exec).await;
        let seen = seen.map_err(failed(STEP))?;
        if seen.running == Some(true) {
            return Ok(None);
        }
        Ok(seen.exit_code.and_then(|code| i32::try_from(code).ok()))
    }
}

/// Checks the words of a command.
pub(super) fn check_command(argv: &[String]) -> Result<()> {
    if argv.is_empty() || argv.iter().any(|word| word.contains('\0')) {
        return Err(Error::invalid("not a command"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn the_beginning_is_kept_and_the_rest_counted() {
        let mut kept = BoundedOutput::default();
        for piece in [&b"abc"[..], b"def", b"ghi"] {
            kept.add(piece, 5);
        }
        let captured = kept.into_captured();
        assert_eq!(captured.bytes, Bytes::from_static(b"abcde"));
        assert_eq!(captured.dropped, 4);
    }
}
