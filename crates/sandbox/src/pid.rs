//! Processes of this machine by number and start: a number that was reused in between is
//! never taken for the process it was.

use std::{fs, io};

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProcessIdentity {
    pub(crate) pid: u32,
    /// In ticks since this machine's boot.
    start: u64,
}

/// What `/proc` says of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessStat {
    state: u8,
    pub(crate) parent: u32,
    start: u64,
}

impl ProcessIdentity {
    /// The process that has this number now.
    pub(crate) fn of(pid: u32) -> io::Result<Self> {
        let start = stat(pid)?.start;
        Ok(Self { pid, start })
    }

    /// As a part of a file's name.
    pub(crate) fn name(self) -> String {
        format!("{}-{}", self.pid, self.start)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        Some(Self {
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
        })
    }

    /// `None` if `/proc` cannot be read.
    pub(crate) fn is_alive(self) -> Option<bool> {
        match stat(self.pid) {
            Ok(now) => Some(now.start == self.start && !matches!(now.state, b'Z' | b'X')),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(false),
            // The process ended between opening and reading.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Some(false),
            Err(_) => None,
        }
    }

    /// Reads the environment that it was started with: variables, each ended by a NUL. Empty while the process executes
    /// another program.
    pub(crate) fn environment(self) -> io::Result<Vec<u8>> {
        fs::read(format!("/proc/{}/environ", self.pid))
    }

    /// Whether it executes this program and has its environment.
    pub(crate) fn is_running_program(self, program: &str) -> bool {
        let name = fs::read_to_string(format!("/proc/{}/comm", self.pid));
        name.is_ok_and(|name| name.trim_end() == program)
            && self.environment().is_ok_and(|all| !all.is_empty())
    }

    pub(crate) fn signal(self, signal: Signal) {
        if self.is_alive() == Some(true)
            && let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw)
        {
            // It may have ended by now.
            let _ = kill_process(pid, signal);
        }
    }
}

pub(crate) fn stat(pid: u32) -> io::Result<ProcessStat> {
    let text = fs::read(format!("/proc/{pid}/stat"))?;
    parse(&text).ok_or_else(|| io::Error::other("/proc has another format than expected"))
}

/// Lists all processes, with what is known of them.
pub(crate) fn all() -> Vec<(u32, ProcessStat)> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let pids = entries.filter_map(|entry| entry.ok().and_then(number));
    pids.filter_map(|pid| Some((pid, stat(pid).ok()?)))
        .collect()
}

/// Lists a process and everything it started that has not been reparented.
pub(crate) fn tree(root: u32) -> Vec<u32> {
    let all = all();
    let mut found = vec![root];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        at += 1;
        let children = all
            .iter()
            .filter(|(pid, stat)| stat.parent == parent && !found.contains(pid));
        let children: Vec<u32> = children.map(|(pid, _)| *pid).collect();
        found.extend(children);
    }
    found
}

/// The name is in brackets and may hold anything, brackets too.
fn parse(text: &[u8]) -> Option<ProcessStat> {
    let end = text.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(text.get(end + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(ProcessStat {
        state: *fields.first()?.as_bytes().first()?,
        parent: fields.get(1)?.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
    })
}

/// Changes with every boot of the machine.
pub(crate) fn boot_id() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_pretend_to_be_fields() {
        let text = b"7 (a) S 1 (b) R 42 7 7 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 987 1 2";
        let stat = parse(text).unwrap();
        assert_eq!((stat.state, stat.parent, stat.start), (b'R', 42, 987));
        assert_eq!(parse(b"7 (a) S"), None);
        assert_eq!(parse(b""), None);
    }

    #[test]
    fn another_process_with_the_same_number_is_another() {
        let me = ProcessIdentity::of(std::process::id()).unwrap();
        assert_eq!(me.is_alive(), Some(true));
        let earlier = ProcessIdentity {
            start: me.start + 1,
            ..me
        };
        assert_eq!(earlier.is_alive(), Some(false));
        assert!(tree(std::process::id()).contains(&me.pid));
    }
}
