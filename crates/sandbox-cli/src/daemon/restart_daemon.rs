//! `daemon --supervise`: runs the daemon as a child, and starts it again whenever it dies. Does nothing else, so that
//! little in it can fail.

use std::{process::ExitStatus, time::Duration};

use tokio::{
    process::{Child, Command},
    signal::unix::{SignalKind, signal},
};

use crate::{
    exit::Exit,
    failure::Failure,
    limits::{DAEMON_PAUSE_MAX, RESTART_PAUSE_FIRST, STABLE_AFTER, STOP_GRACE},
    system,
};

use super::{
    complain::complain,
    process::{pid, reap_orphans},
};

pub(super) async fn run(pause_ms: Option<u64>) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new(Exit::Failed, format!("cannot start: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut child_ended = signal(SignalKind::child()).map_err(failed)?;
    // Keepers of a daemon that died come here. Process 1 of a sandbox may not reap its children.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let first = pause_ms.map_or(RESTART_PAUSE_FIRST, Duration::from_millis);
    // Not `backon`: a daemon that ran for long enough begins with the first pause again.
    let mut pause = first;
    loop {
        let began = system::now_ms();
        let mut daemon = start().map_err(failed)?;
        let number = daemon.id().and_then(|id| i32::try_from(id).ok());
        let status = loop {
            tokio::select! {
                status = daemon.wait() => break status.map_err(failed)?,
                _ = terminate.recv() => return end(daemon).await,
                _ = interrupt.recv() => return end(daemon).await,
                _ = child_ended.recv() => reap_orphans(number.unwrap_or_default()),
            }
        };
        if is_hopeless(status) {
            return Err(Failure::usage("the daemon cannot be started like this"));
        }
        if system::now_ms().saturating_sub(began)
            >= u64::try_from(STABLE_AFTER.as_millis()).unwrap_or(u64::MAX)
        {
            pause = first;
        }
        complain(&format!(
            "the daemon ended ({status}) and is started again in {pause:?}"
        ));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = terminate.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
        }
        pause = (pause * 2).min(DAEMON_PAUSE_MAX);
    }
}

/// The same command without the flag.
fn start() -> std::io::Result<Child> {
    let arguments = std::env::args_os().skip(1);
    Command::new("/proc/self/exe")
        .arg0("proliferate")
        .args(arguments.filter(|argument| argument != "--supervise"))
        .spawn()
}

/// Whether it would end the same way again.
fn is_hopeless(status: ExitStatus) -> bool {
    status.code() == Some(i32::from(Exit::Usage.code()))
}

/// Lets the daemon end; services go on.
async fn end(mut daemon: Child) -> Result<(), Failure> {
    let number = daemon.id().and_then(|id| i32::try_from(id).ok());
    if let Some(number) = number.and_then(pid) {
        let _ = rustix::process::kill_process(number, rustix::process::Signal::TERM);
    }
    if tokio::time::timeout(STOP_GRACE, daemon.wait())
        .await
        .is_err()
    {
        let _ = daemon.kill().await;
    }
    Ok(())
}
