//! The keeper, a process that supervises one service: its parent, the writer of its log, and the process that ends it. It
//! outlives the daemon, so that a daemon that dies takes no service with it and loses no exit code.
//!
//! INVARIANT: the group is signalled only while its leader has not been waited for, so that its number
//! cannot have been reused.

use std::{
    io::Write as _,
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{PidfdFlags, Signal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::{
    files::replace_file,
    log,
    process::{
        ProcessIdentity, descendants, group_members, pid, reap_orphans, signal_group, watch_end,
    },
};
use crate::{
    cli::KeeperArgs,
    exit::Exit,
    failure::Failure,
    limits::{ENDING_EVERY, KILL_WITHIN, LEFTOVERS_WITHIN, LOG_BYTES_MAX, LOG_DRAIN_WITHIN},
    system::{self, Deadline},
};

/// What a keeper leaves on disk about its service.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeeperRecord {
    pub(crate) keeper: ProcessIdentity,
    pub(crate) service: ProcessIdentity,
    pub(crate) started_at_ms: u64,
    /// Absent while it runs.
    pub(crate) ended: Option<ServiceEnd>,
}

/// How a service ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ServiceEnd {
    Code(i32),
    Signal(i32),
    /// It was not observed.
    Unknown,
}

impl KeeperRecord {
    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        replace_file(path, json!(self).to_string().as_bytes())
    }
}

pub(crate) fn run(args: &KeeperArgs) -> Result<(), Failure> {
    let failed = |what: &str, error: &std::io::Error| {
        Failure::new(Exit::Failed, format!("cannot {what}: {error}"))
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| failed("start", &error))?;
    let kept = runtime.block_on(keep(args));
    if let Err(error) = &kept {
        // The daemon reads one line, and this is it.
        let _ = writeln!(std::io::stdout(), "{}", json!({"error": error.to_string()}));
    }
    kept.map_err(|error| failed("run the service", &error))
}

async fn keep(args: &KeeperArgs) -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut child_ended = signal(SignalKind::child())?;
    // A terminal that goes away is no reason to end.
    let _hangup = signal(SignalKind::hangup())?;
    // Whatever leaves the group stays below this process, and can be ended with it.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // A daemon that died meanwhile does not know of this service; the next one starts its own.
    let parent = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get());
    if parent != Some(args.daemon) {
        return Err(std::io::ErrorKind::ConnectionAborted.into());
    }
    let (mut service, log) = start(args)?;
    let leader = i32::try_from(service.id()).unwrap_or_default();
    let mut record = KeeperRecord {
        keeper: own_identity()?,
        service: ProcessIdentity::of(leader).ok_or(std::io::ErrorKind::NotFound)?,
        started_at_ms: system::now_ms(),
        ended: None,
    };
    if let Err(error) = record.write(&args.record) {
        let _ = signal_group(leader, Signal::KILL);
        let _ = service.wait();
        return Err(error);
    }
    let _ = writeln!(std::io::stdout(), "{}", json!({"started": true}));
    let handle = pid(leader).ok_or(std::io::ErrorKind::NotFound)?;
    let handle = rustix::process::pidfd_open(handle, PidfdFlags::empty())?;
    let handle = watch_end(handle)?;
    loop {
        tokio::select! {
            ended = handle.readable() => {
                drop(ended?);
                end_group(leader, LEFTOVERS_WITHIN, false).await;
                break;
            }
            _ = terminate.recv() => {
                end_group(leader, Duration::from_millis(args.grace_ms), true).await;
                break;
            }
            _ = child_ended.recv() => reap_orphans(leader),
        }
    }
    let status = service.wait()?;
    record.ended = Some(match (status.code(), status.signal()) {
        (Some(code), _) => ServiceEnd::Code(code),
        (None, Some(signal)) => ServiceEnd::Signal(signal),
        (None, None) => ServiceEnd::Unknown,
    });
    // The log first: a reader of its end wants to see its last output. Something that left the
    // group may hold the pipe for ever.
    let _ = tokio::time::timeout(LOG_DRAIN_WITHIN, log).await;
    record.write(&args.record)
}

fn own_identity() -> std::io::Result<ProcessIdentity> {
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    Ok(ProcessIdentity::of(own).ok_or(std::io::ErrorKind::NotFound)?)
}

/// Starts the service in a group of its own, with its output in the log.
fn start(args: &KeeperArgs) -> std::io::Result<(Child, tokio::sync::oneshot::Receiver<()>)> {
    let mut writer = log::LogWriter::open(&args.log, LOG_BYTES_MAX)?;
    let banner = format!("--- {} started: {}\n", system::now_ms(), args.command);
    writer.write(banner.as_bytes())?;
    let (output, input) = std::io::pipe()?;
    let service = Command::new("bash")
        .args(["-c", &args.command])
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(input.try_clone()?)
        .stderr(input)
        .spawn()?;
    let (done, drained) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        writer.pump(output);
        let _ = done.send(());
    });
    Ok((service, drained))
}

/// Ends the group, and everything below this process if `with_descendants`: first with TERM, then with KILL.
async fn end_group(leader: i32, grace: Duration, with_descendants: bool) {
    let left = || {
        let mut left = group_members(leader);
        if with_descendants {
            left.extend(descendants(
                i32::try_from(std::process::id()).unwrap_or_default(),
            ));
        }
        left
    };
    let signal_all = |signal: Signal| {
        let _ = signal_group(leader, signal);
        for one in left() {
            // Looked at again, because the list is a moment old.
            if let Some(handle) = ProcessIdentity::of(one).and_then(|one| one.handle()) {
                let _ = rustix::process::pidfd_send_signal(&handle, signal);
            }
        }
    };
    let _ = signal_group(leader, Signal::TERM);
    if with_descendants {
        signal_all(Signal::TERM);
    }
    for (within, is_last) in [(grace, false), (KILL_WITHIN, true)] {
        let deadline = Deadline::after(within);
        loop {
            if left().is_empty() {
                return;
            }
            if is_last {
                signal_all(Signal::KILL);
            }
            if deadline.left().is_zero() {
                break;
            }
            tokio::time::sleep(ENDING_EVERY.min(within)).await;
        }
    }
}
