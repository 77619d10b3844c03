//! Processes as the kernel lists them, and which of them is which: a number alone may be another process's
//! by now, so a process is known by its number, the tick it was started at, and the boot of the machine.

use std::{collections::BTreeSet, fs, io, os::fd::OwnedFd};

use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};
use serde::{Deserialize, Serialize};
use tokio::io::{Interest, unix::AsyncFd};

/// A process as `/proc` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) state: char,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    pub(crate) start_ticks: u64,
}

impl Process {
    pub(crate) fn of(pid: i32) -> Option<Self> {
        parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Lists all processes that this one can see.
    pub(crate) fn all() -> Vec<Self> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(Self::of).collect()
    }

    /// Whether it still runs; one that ended and was not waited for does not.
    pub(crate) fn is_alive(&self) -> bool {
        !matches!(self.state, 'Z' | 'X' | 'x')
    }
}

fn parse(stat: &str) -> Option<Process> {
    let (pid, _) = stat.split_once(' ')?;
    // The name stands in parentheses and may hold anything, parentheses too.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let mut number = || fields.next()?.parse().ok();
    let (parent, group, session) = (number()?, number()?, number()?);
    Some(Process {
        pid: pid.parse().ok()?,
        state,
        parent,
        group,
        session,
        // The 22nd field of all, and six are gone by here.
        start_ticks: fields.nth(15)?.parse().ok()?,
    })
}

/// Lists everything alive that descends from a process, without the process.
pub(crate) fn descendants(of: i32) -> Vec<i32> {
    let all = Process::all();
    let mut found = BTreeSet::from([of]);
    loop {
        let before = found.len();
        found.extend(
            all.iter()
                .filter(|one| found.contains(&one.parent))
                .map(|one| one.pid)
                .collect::<Vec<_>>(),
        );
        if found.len() == before {
            break;
        }
    }
    let alive = all.iter().filter(|one| one.is_alive() && one.pid != of);
    alive
        .map(|one| one.pid)
        .filter(|pid| found.contains(pid))
        .collect()
}

/// Lists everything alive in a process group.
pub(crate) fn group_members(group: i32) -> Vec<i32> {
    let all = Process::all().into_iter();
    let members = all.filter(|one| one.group == group && one.is_alive());
    members.map(|one| one.pid).collect()
}

/// A process that is not mistaken for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessIdentity {
    pub(crate) pid: i32,
    start_ticks: u64,
    boot: String,
}

impl ProcessIdentity {
    /// Of a process that cannot have ended unnoticed: this one, or a child that was not waited for.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        Some(Self {
            pid,
            start_ticks: Process::of(pid)?.start_ticks,
            boot: boot(),
        })
    }

    /// A handle on the process, if it is there and is the same one.
    pub(crate) fn handle(&self) -> Option<OwnedFd> {
        let handle = rustix::process::pidfd_open(pid(self.pid)?, PidfdFlags::empty()).ok()?;
        // INVARIANT: looked at after the handle was made. If it is the same one now, the handle is on it.
        self.is_alive().then_some(handle)
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.boot == boot()
            && Process::of(self.pid)
                .is_some_and(|now| now.start_ticks == self.start_ticks && now.is_alive())
    }
}

/// Returns a handle that becomes readable when its process ends.
#[expect(
    deprecated,
    reason = "unsound for types that give out numbers they do not own, which this is not; what is there \
              instead is unsafe to call"
)]
pub(crate) fn watch_end(handle: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(handle, Interest::READABLE)
}

fn boot() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().to_owned()
}

/// A process id as the kernel's interface takes it; 0 and what is negative mean something else there.
pub(crate) fn pid(number: i32) -> Option<Pid> {
    if number <= 0 {
        None
    } else {
        Pid::from_raw(number)
    }
}

/// Waits for what lost its parent and was given to this process, but not for its own child.
pub(crate) fn reap_orphans(own_child: i32) {
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let all = Process::all().into_iter();
    for one in all.filter(|one| one.parent == own && !one.is_alive() && one.pid != own_child) {
        let _ = rustix::process::waitpid(pid(one.pid), WaitOptions::NOHANG);
    }
}

/// Signals a whole group. One that is gone is no error.
pub(crate) fn signal_group(group: i32, signal: Signal) -> io::Result<()> {
    // Group 1 would be everything there is.
    let Some(group) = pid(group).filter(|group| group.as_raw_nonzero().get() > 1) else {
        return Ok(());
    };
    match rustix::process::kill_process_group(group, signal) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_confuses_nothing() {
        let stat = "42 (a) b) c) S 7 42 41 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2";
        let process = parse(stat).unwrap();
        assert_eq!(
            (process.pid, process.parent, process.group, process.session),
            (42, 7, 42, 41)
        );
        assert_eq!((process.state, process.start_ticks), ('S', 987_654));
        for bad in ["", "1", "1 (a", "1 (a) S", "x (a) S 1 1 1"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_number_that_belongs_to_another_process_is_not_taken_for_the_first() {
        let mut child = Command::new("sleep")
            .arg("60")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let identity = ProcessIdentity::of(pid).unwrap();
        assert!(identity.is_alive() && identity.handle().is_some());
        let other_start = ProcessIdentity {
            start_ticks: identity.start_ticks + 1,
            ..identity.clone()
        };
        let other_boot = ProcessIdentity {
            boot: "another".to_owned(),
            ..identity.clone()
        };
        assert!(other_start.handle().is_none() && other_boot.handle().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!identity.is_alive() && identity.handle().is_none());
    }

    #[test]
    fn a_special_number_signals_no_process() {
        for number in [0, 1, -1, i32::MIN] {
            signal_group(number, Signal::TERM).unwrap();
        }
        assert!(pid(0).is_none() && pid(-5).is_none());
    }
}
