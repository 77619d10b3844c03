//! Control groups: count, bound, freeze and kill processes together. Version 2 alone, or beside version 1, which then has
//! the limits.
//!
//! A sandbox is one group with a subgroup for its first process and one for each program, so that a program
//! can be ended with all that it started.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use domain::limits::{SANDBOX_FREEZE_TIMEOUT, SANDBOX_KILLS_MAX, SANDBOX_POLL_EVERY};

use crate::{Error, Limits, Result, SandboxId};

/// The group above all sandboxes.
const PARENT: &str = "proliferate";
const CPU_PERIOD_US: u64 = 100_000;

/// The control groups of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CgroupHierarchy {
    /// Version 2 for everything.
    Unified { root: PathBuf },
    /// Version 2 to freeze and kill, version 1 to bound.
    Hybrid { unified: PathBuf, root: PathBuf },
}

/// The controllers of version 1 that bound a sandbox.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];

impl CgroupHierarchy {
    /// Finds the hierarchy and makes the group above all sandboxes.
    pub(super) fn find() -> io::Result<Self> {
        let root = PathBuf::from("/sys/fs/cgroup");
        let groups = if root.join("cgroup.controllers").exists() {
            Self::Unified { root }
        } else {
            let unified = root.join("unified");
            Self::Hybrid { unified, root }
        };
        for parent in groups.parents() {
            match fs::create_dir(&parent) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        if let Self::Unified { root } = &groups {
            let wanted = "+memory +pids +cpu";
            fs::write(root.join("cgroup.subtree_control"), wanted)?;
            fs::write(root.join(PARENT).join("cgroup.subtree_control"), wanted)?;
        }
        Ok(groups)
    }

    fn parents(&self) -> Vec<PathBuf> {
        match self {
            Self::Unified { root } => vec![root.join(PARENT)],
            Self::Hybrid { unified, root } => {
                let bounding = CONTROLLERS.iter().map(|name| root.join(name).join(PARENT));
                std::iter::once(unified.join(PARENT))
                    .chain(bounding)
                    .collect()
            }
        }
    }

    pub(super) fn group_of(&self, id: &SandboxId) -> SandboxCgroup {
        let dirs = self.parents();
        let mut dirs = dirs.iter().map(|parent| parent.join(id.as_str()));
        SandboxCgroup {
            main: dirs.next().unwrap_or_default(),
            bounding: dirs.collect(),
        }
    }

    /// Lists the sandboxes that have a group.
    pub(super) fn list_sandboxes(&self) -> Vec<SandboxId> {
        let mut ids = Vec::new();
        for parent in self.parents() {
            let entries = fs::read_dir(parent).into_iter().flatten().flatten();
            ids.extend(entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()));
        }
        ids.sort();
        ids.dedup();
        ids
    }
}

/// The groups of one sandbox.
#[derive(Debug, Clone)]
pub(super) struct SandboxCgroup {
    /// Of version 2.
    main: PathBuf,
    /// Of version 1.
    bounding: Vec<PathBuf>,
}

impl SandboxCgroup {
    pub(super) fn create(&self, limits: &Limits) -> io::Result<()> {
        fs::create_dir(&self.main)?;
        let quota = u64::from(limits.cpu_millis) * CPU_PERIOD_US / 1000;
        let (memory, processes) = (limits.memory_bytes, limits.processes);
        if self.bounding.is_empty() {
            let set = |name: &str, value: String| fs::write(self.main.join(name), value);
            set("memory.max", memory.to_string())?;
            set("pids.max", processes.to_string())?;
            set("cpu.max", format!("{quota} {CPU_PERIOD_US}"))?;
            // Absent where the kernel counts no swap.
            let _ = set("memory.swap.max", "0".to_owned());
            return Ok(());
        }
        for dir in &self.bounding {
            fs::create_dir(dir)?;
        }
        for (name, value) in [
            ("memory.limit_in_bytes", memory),
            ("pids.max", processes.into()),
            ("cpu.cfs_period_us", CPU_PERIOD_US),
            ("cpu.cfs_quota_us", quota),
        ] {
            let file = self.bounding.iter().map(|dir| dir.join(name));
            let file = file.into_iter().find(|file| file.exists());
            let file = file.ok_or_else(|| io::Error::other(format!("no {name}")))?;
            fs::write(file, value.to_string())?;
        }
        // With swap it would be no bound; absent where the kernel counts none.
        for dir in &self.bounding {
            let file = dir.join("memory.memsw.limit_in_bytes");
            if file.exists() {
                fs::write(file, memory.to_string())?;
            }
        }
        Ok(())
    }

    /// Makes a subgroup and returns the files that a process has to write itself into.
    pub(super) fn make_subgroup(&self, name: &str) -> io::Result<Vec<PathBuf>> {
        let dir = self.main.join(name);
        match fs::create_dir(&dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let dirs = std::iter::once(&dir).chain(&self.bounding);
        Ok(dirs.map(|dir| dir.join("cgroup.procs")).collect())
    }

    /// Kills everything in a subgroup.
    pub(super) fn kill_subgroup(&self, name: &str) {
        // It is not there when everything in it is gone.
        let _ = fs::write(self.main.join(name).join("cgroup.kill"), "1");
    }

    /// Removes a subgroup if nothing is left in it.
    pub(super) fn remove_subgroup(&self, name: &str) {
        let _ = fs::remove_dir(self.main.join(name));
    }

    pub(super) async fn set_frozen(&self, frozen: bool) -> Result<()> {
        const STEP: &str = "stopping the sandbox";
        let file = self.main.join("cgroup.freeze");
        fs::write(file, if frozen { "1" } else { "0" }).map_err(|error| gone_or(STEP, &error))?;
        let wanted = format!("frozen {}", u8::from(frozen));
        wait_until(STEP, SANDBOX_FREEZE_TIMEOUT, || {
            self.events().contains(&wanted)
        })
        .await
    }

    fn events(&self) -> String {
        fs::read_to_string(self.main.join("cgroup.events")).unwrap_or_default()
    }

    /// Kills everything and removes the groups. Groups that are not there are no error: another process may be
    /// removing them too.
    pub(super) async fn destroy(&self) -> Result<()> {
        const STEP: &str = "ending the sandbox";
        // The process that makes the sandbox may put another process in at any moment until the group is gone.
        let mut tries = 1;
        loop {
            let killed = ignore_missing(fs::write(self.main.join("cgroup.kill"), "1"));
            killed.map_err(|error| Error::failed(STEP, error))?;
            // Killed processes end also where they are frozen; they are counted until then.
            let empty = || !self.main.exists() || self.events().contains("populated 0");
            wait_until(STEP, SANDBOX_FREEZE_TIMEOUT, empty).await?;
            match self.remove() {
                Err(error) if is_busy(&error) && tries < SANDBOX_KILLS_MAX => tries += 1,
                removed => return removed.map_err(|error| Error::failed(STEP, error)),
            }
        }
    }

    fn remove(&self) -> io::Result<()> {
        let mut groups = self.bounding.iter().chain([&self.main]);
        groups.try_for_each(|dir| ignore_missing(remove_below(dir)))
    }
}

/// Ignores the failure to act on a missing group.
fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // A group that is being removed.
        Err(error) if error.raw_os_error() == Some(libc::ENODEV) => Ok(()),
        other => other,
    }
}

/// Whether a process is in the group.
fn is_busy(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EBUSY)
}

fn remove_below(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.path().is_dir() {
            ignore_missing(fs::remove_dir(entry.path()))?;
        }
    }
    // The last process leaves version 1 a moment after version 2.
    let mut left = 200;
    loop {
        match fs::remove_dir(dir) {
            Err(error) if is_busy(&error) && left > 0 => {
                left -= 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return other,
        }
    }
}

fn gone_or(step: &'static str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::Gone,
        _ => Error::failed(step, error),
    }
}

/// Polls until the condition holds.
pub(super) async fn wait_until(
    step: &'static str,
    max: Duration,
    holds: impl Fn() -> bool,
) -> Result<()> {
    let look = async {
        while !holds() {
            tokio::time::sleep(SANDBOX_POLL_EVERY).await;
        }
    };
    tokio::time::timeout(max, look)
        .await
        .map_err(|_| Error::TimedOut { step })
}
