//! Stopping and continuing a sandbox without control groups: by signals to every process in its process
//! namespace.
//!
//! Each program that was put into the namespace has a process outside that waits for it (`nsenter`), which
//! stops itself when its child is stopped, and has to be continued too.

use std::{fs, path::PathBuf, time::Duration};

use rustix::process::Signal;

use super::pid::{self, Process};
use crate::{Error, Result};

/// Looks at the waiting processes after a sandbox was continued. One that had not yet noticed the stop may
/// still stop itself.
const LOOKS: u32 = 4;
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What there is of a sandbox.
struct Inside {
    /// Without the first process, which no signal stops.
    processes: Vec<Process>,
    /// Outside, waiting for one of them.
    waiting: Vec<Process>,
}

fn look(init: Process) -> Result<Inside> {
    let ours = space(init.pid).ok_or(Error::Gone)?;
    let all = pid::all();
    let inside = |pid: u32| space(pid).as_ref() == Some(&ours);
    let mut found = Inside {
        processes: Vec::new(),
        waiting: Vec::new(),
    };
    for (pid, stat) in all {
        if pid == init.pid || !inside(pid) {
            continue;
        }
        found.processes.extend(Process::of(pid).ok());
        if stat.parent > 1 && !inside(stat.parent) {
            found.waiting.extend(Process::of(stat.parent).ok());
        }
    }
    Ok(found)
}

fn space(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/ns/pid")).ok()
}

/// Stops everything: again until nothing new is found, because what is not yet stopped may start others.
pub(super) fn stop(init: Process) -> Result<()> {
    let mut seen: Vec<Process> = Vec::new();
    loop {
        let mut new = look(init)?.processes;
        new.retain(|process| !seen.contains(process));
        if new.is_empty() {
            return Ok(());
        }
        for process in &new {
            process.signal(Signal::STOP);
        }
        seen.extend(new);
    }
}

pub(super) fn go_on(init: Process) -> Result<()> {
    for number in 0..LOOKS {
        let found = look(init)?;
        for process in found.processes.iter().chain(&found.waiting) {
            process.signal(Signal::CONT);
        }
        if found.waiting.is_empty() {
            break;
        }
        if number + 1 < LOOKS {
            std::thread::sleep(LOOK_EVERY);
        }
    }
    Ok(())
}

/// Ends everything. The kernel ends a namespace with its first process, and that waits until all others were
/// waited for: the processes that should wait may be stopped.
pub(super) fn end(init: Process) {
    let waiting = look(init).map(|found| found.waiting).unwrap_or_default();
    init.signal(Signal::KILL);
    for process in waiting {
        process.signal(Signal::KILL);
    }
}
