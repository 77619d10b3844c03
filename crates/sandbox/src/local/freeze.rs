//! Freezes, resumes and kills a sandbox without control groups: by signals to every process in its process namespace.
//!
//! Each program that was put into the namespace has a process outside that waits for it (`nsenter`), which
//! stops itself when its child is stopped, and has to be continued too.

use std::{fs, path::PathBuf, time::Duration};

use rustix::process::Signal;

use crate::{
    Error, Result,
    pid::{self, ProcessIdentity},
};

/// Looks at the waiting processes after a sandbox was continued. One that had not yet noticed the stop may
/// still stop itself.
const LOOKS: u32 = 4;
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The processes of a sandbox.
struct SandboxProcesses {
    /// Without the first process, which no signal stops.
    processes: Vec<ProcessIdentity>,
    /// Outside, waiting for one of them.
    waiting: Vec<ProcessIdentity>,
}

fn list_processes(init: ProcessIdentity) -> Result<SandboxProcesses> {
    let ours = namespace_of(init.pid).ok_or(Error::Gone)?;
    let all = pid::all();
    let inside = |pid: u32| namespace_of(pid).as_ref() == Some(&ours);
    let mut found = SandboxProcesses {
        processes: Vec::new(),
        waiting: Vec::new(),
    };
    for (pid, stat) in all {
        if pid == init.pid || !inside(pid) {
            continue;
        }
        found.processes.extend(ProcessIdentity::of(pid).ok());
        if stat.parent > 1 && !inside(stat.parent) {
            found.waiting.extend(ProcessIdentity::of(stat.parent).ok());
        }
    }
    Ok(found)
}

fn namespace_of(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/ns/pid")).ok()
}

/// Freezes everything: repeats until no new process is found, because what is not yet stopped may start others.
pub(super) fn freeze(init: ProcessIdentity) -> Result<()> {
    let mut seen: Vec<ProcessIdentity> = Vec::new();
    loop {
        let mut new = list_processes(init)?.processes;
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

pub(super) fn resume(init: ProcessIdentity) -> Result<()> {
    for number in 0..LOOKS {
        let found = list_processes(init)?;
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

/// Kills everything. The kernel ends a namespace with its first process, and that waits until all others were
/// waited for: the processes that should wait may be stopped.
pub(super) fn kill(init: ProcessIdentity) {
    let waiting = list_processes(init)
        .map(|found| found.waiting)
        .unwrap_or_default();
    init.signal(Signal::KILL);
    for process in waiting {
        process.signal(Signal::KILL);
    }
}
