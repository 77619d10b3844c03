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
        keeper::{KeeperRecord, ServiceEnd},
        process::{pid, signal_group, watch_end},
    },
    env::TOKEN,
    limits::{ENDING_EVERY, KILL_WITHIN, LEFTOVERS_WITHIN, START_WITHIN},
    system::Deadline,
};

/// A keeper that is alive.
#[derive(Debug)]
pub(super) struct ServiceRun {
    path: PathBuf,
    pub(super) record: KeeperRecord,
    keeper: AsyncFd<OwnedFd>,
    /// Absent if an earlier daemon started it.
    child: Option<Child>,
    grace: Duration,
}

/// What is needed to start one.
#[derive(Debug)]
pub(super) struct ServiceLaunch<'a> {
    pub(super) record: &'a Path,
    pub(super) log: &'a Path,
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) grace: Duration,
}

impl ServiceRun {
    /// Starts a keeper and waits until it reports that the service was started.
    pub(super) async fn start(launch: ServiceLaunch<'_>) -> Result<Self, String> {
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
        let report = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            let read = output.map(|output| std::io::BufReader::new(output).read_line(&mut line));
            read.map(|_| line)
        });
        let report = tokio::time::timeout(START_WITHIN, report).await;
        let report = report
            .ok()
            .and_then(Result::ok)
            .flatten()
            .unwrap_or_default();
        if !report.contains("\"started\"") {
            let _ = child.kill();
            let _ = child.wait();
            let error = serde_json::from_str::<serde_json::Value>(&report).ok();
            let error = error.and_then(|report| report["error"].as_str().map(str::to_owned));
            return Err(error.unwrap_or_else(|| "it could not be started".to_owned()));
        }
        let record = KeeperRecord::read(launch.record).ok_or("its record cannot be read")?;
        // It was not waited for, so the number is its own even if it has ended by now.
        let number = i32::try_from(child.id())
            .ok()
            .and_then(pid)
            .ok_or("it has no number")?;
        let keeper = rustix::process::pidfd_open(number, PidfdFlags::empty())
            .map_err(std::io::Error::from)
            .and_then(watch_end)
            .map_err(|error| format!("it cannot be watched: {error}"))?;
        Ok(Self {
            path: launch.record.to_owned(),
            record,
            keeper,
            child: Some(child),
            grace: launch.grace,
        })
    }

    /// Finds the keeper of an earlier daemon. If it is gone, the error has the record that it left.
    pub(super) fn find(path: &Path, grace: Duration) -> Result<Self, Option<KeeperRecord>> {
        let record = KeeperRecord::read(path).ok_or(None)?;
        let Some(keeper) = record.keeper.handle() else {
            // Read again: it may have ended in between, and then the record says how.
            return Err(KeeperRecord::read(path).or(Some(record)));
        };
        let Ok(keeper) = watch_end(keeper) else {
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
    pub(super) async fn wait_for_end(&mut self) -> ServiceEnd {
        let _ = self.keeper.readable().await;
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
        let record = KeeperRecord::read(&self.path).unwrap_or_else(|| self.record.clone());
        end_orphan(&record).await
    }

    /// Has the service ended by its keeper, and without one if that does not answer.
    pub(super) async fn stop(&mut self) -> ServiceEnd {
        let _ = rustix::process::pidfd_send_signal(self.keeper.get_ref(), Signal::TERM);
        let patience = self.grace + KILL_WITHIN + LEFTOVERS_WITHIN;
        if let Ok(end) = tokio::time::timeout(patience, self.wait_for_end()).await {
            return end;
        }
        let _ = rustix::process::pidfd_send_signal(self.keeper.get_ref(), Signal::KILL);
        self.wait_for_end().await
    }
}

/// Returns how a service ended; ends a service whose keeper was killed.
pub(super) async fn end_orphan(record: &KeeperRecord) -> ServiceEnd {
    if let Some(ended) = record.ended {
        return ended;
    }
    let deadline = Deadline::after(KILL_WITHIN);
    while record.service.is_alive() && !deadline.left().is_zero() {
        // Known to be the same one a moment ago, and its group is named after it.
        let _ = signal_group(record.service.pid, Signal::KILL);
        tokio::time::sleep(ENDING_EVERY).await;
    }
    ServiceEnd::Unknown
}
