//! One start of a service, seen from the daemon: a keeper that is alive, started now or found again.

use std::{
    io::BufRead as _,
    os::fd::OwnedFd,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{PidfdFlags, Signal};
use tokio::io::unix::AsyncFd;

use crate::{
    daemon::{
        keeper::{Ended, Record},
        process::{pid, signal_group, watched},
    },
    env::TOKEN,
    limits::{ENDING_EVERY, KILL_WITHIN, LEFTOVERS_WITHIN, START_WITHIN},
    system::Deadline,
};

/// A service that runs.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    pub(super) record: Record,
    keeper: AsyncFd<OwnedFd>,
    /// Absent if an earlier daemon started it.
    child: Option<Child>,
    grace: Duration,
}

/// What is needed to start one.
#[derive(Debug)]
pub(super) struct Launch<'a> {
    pub(super) record: &'a Path,
    pub(super) log: &'a Path,
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) grace: Duration,
}

impl Run {
    /// Starts a keeper and waits until it says that the service was started.
    pub(super) async fn start(launch: Launch<'_>) -> Result<Self, String> {
        // What an earlier start left must not be taken for this one's.
        let _ = std::fs::remove_file(launch.record);
        let mut command = Command::new("/proc/self/exe");
        command
            .arg0("proliferate")
            .args(["keeper", "--command", launch.command])
            .arg("--record")
            .arg(launch.record)
            .arg("--log")
            .arg(launch.log)
            .args(["--grace-ms", &launch.grace.as_millis().to_string()])
            .args(["--daemon", &std::process::id().to_string()])
            .current_dir(launch.cwd)
            .env_remove(TOKEN)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot start: {error}"))?;
        let output = child.stdout.take();
        let said = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            let read = output.map(|output| std::io::BufReader::new(output).read_line(&mut line));
            read.map(|_| line)
        });
        let said = tokio::time::timeout(START_WITHIN, said).await;
        let said = said.ok().and_then(Result::ok).flatten().unwrap_or_default();
        if !said.contains("\"started\"") {
            let _ = child.kill();
            let _ = child.wait();
            let error = serde_json::from_str::<serde_json::Value>(&said).ok();
            let error = error.and_then(|said| said["error"].as_str().map(str::to_owned));
            return Err(error.unwrap_or_else(|| "it could not be started".to_owned()));
        }
        let record = Record::read(launch.record).ok_or("its record cannot be read")?;
        // It was not waited for, so the number is its own even if it has ended by now.
        let number = i32::try_from(child.id())
            .ok()
            .and_then(pid)
            .ok_or("it has no number")?;
        let keeper = rustix::process::pidfd_open(number, PidfdFlags::empty())
            .map_err(std::io::Error::from)
            .and_then(watched)
            .map_err(|error| format!("it cannot be watched: {error}"))?;
        Ok(Self {
            path: launch.record.to_owned(),
            record,
            keeper,
            child: Some(child),
            grace: launch.grace,
        })
    }

    /// Finds the keeper of an earlier daemon; if it is gone, what it left.
    pub(super) fn of(path: &Path, grace: Duration) -> Result<Self, Option<Record>> {
        let record = Record::read(path).ok_or(None)?;
        let Some(keeper) = record.keeper.handle() else {
            // Read again: it may have ended in between, and then it says how.
            return Err(Record::read(path).or(Some(record)));
        };
        let Ok(keeper) = watched(keeper) else {
            return Err(Some(record));
        };
        Ok(Self {
            path: path.to_owned(),
            record,
            keeper,
            child: None,
            grace,
        })
    }

    /// Waits until the service has ended.
    pub(super) async fn ended(&mut self) -> Ended {
        let _ = self.keeper.readable().await;
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
        let record = Record::read(&self.path).unwrap_or_else(|| self.record.clone());
        orphaned(&record).await
    }

    /// Has the service ended by its keeper, and without one if that does not answer.
    pub(super) async fn stop(&mut self) -> Ended {
        let _ = rustix::process::pidfd_send_signal(self.keeper.get_ref(), Signal::TERM);
        let patience = self.grace + KILL_WITHIN + LEFTOVERS_WITHIN;
        if let Ok(ended) = tokio::time::timeout(patience, self.ended()).await {
            return ended;
        }
        let _ = rustix::process::pidfd_send_signal(self.keeper.get_ref(), Signal::KILL);
        self.ended().await
    }
}

/// How it ended; a service whose keeper was killed is ended here.
pub(super) async fn orphaned(record: &Record) -> Ended {
    if let Some(ended) = record.ended {
        return ended;
    }
    let deadline = Deadline::after(KILL_WITHIN);
    while record.service.is_alive() && !deadline.left().is_zero() {
        // Known to be the same one a moment ago, and its group is named after it.
        let _ = signal_group(record.service.pid, Signal::KILL);
        tokio::time::sleep(ENDING_EVERY).await;
    }
    Ended::Unknown
}
