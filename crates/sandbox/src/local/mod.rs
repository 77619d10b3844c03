//! Sandboxes on this machine, made of what Linux has: bubblewrap's namespaces, overlay mounts, control
//! groups, a packet filter. Two tiers, by what the machine allows.
//!
//! This process can end at any time: sandboxes go on, everything about them is in their owner records and in
//! the kernel, and another process takes them over.

mod bwrap;
mod cgroup;
mod clean;
mod confine;
mod create;
mod exec;
mod freeze;
mod home;
mod join;
mod launch;
mod layout;
mod name;
mod network;
mod port;
mod probe;
mod process;
mod program;
mod provider;
mod record;
mod remove;
mod root_tier;
mod seccomp;
mod snapshot;
mod store;
mod tier;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::clock::Entropy;

pub use clean::CleanReport;
pub use name::NAME;
pub use network::Traffic;
pub use probe::{TierReport, missing_limits, probe};
pub use tier::Tier;

use self::{
    cgroup::{CgroupHierarchy, SandboxCgroup},
    home::SandboxHome,
    join::JoinCommand,
    layout::SandboxLayout,
    record::{RecordStore, SandboxRecord},
};
use crate::{
    Env, Error, ExecRequest, ExecResult, Handle, HomePath, Liveness, ProcessSpec, Result,
    SandboxId, SnapshotId,
    blocking::blocking,
    pid::{self, ProcessIdentity},
};

/// The provider: cheap to clone.
#[derive(Clone)]
pub struct Local(Arc<Inner>);

struct Inner {
    tier: Tier,
    directory: PathBuf,
    records: RecordStore,
    store: store::Store,
    /// In the root tier.
    groups: Option<CgroupHierarchy>,
    filters: seccomp::SeccompFilters,
    entropy: Arc<dyn Entropy>,
}

impl Local {
    /// A provider that keeps everything it has to keep in `directory`, which is made if it is not there.
    /// The tier is one that [`probe`] found.
    pub fn open(directory: &Path, tier: Tier, entropy: Arc<dyn Entropy>) -> Result<Self> {
        let failed = |error: io::Error| Error::failed("opening the local provider", error);
        std::fs::create_dir_all(directory).map_err(failed)?;
        let directory = directory.canonicalize().map_err(failed)?;
        // Names are parts of mount options.
        let safe =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'_' | b'-' | b' ');
        if tier == Tier::Rootless
            && !directory
                .as_os_str()
                .as_encoded_bytes()
                .iter()
                .all(|b| safe(*b))
        {
            return Err(Error::invalid(
                "the directory of sandboxes must have a plain name: letters, digits and `._- /`",
            ));
        }
        let groups = match tier {
            Tier::Root => Some(CgroupHierarchy::find().map_err(failed)?),
            Tier::Rootless => None,
        };
        Ok(Self(Arc::new(Inner {
            tier,
            records: RecordStore::open(&directory).map_err(failed)?,
            store: store::Store::open(&directory, tier, Arc::clone(&entropy)).map_err(failed)?,
            directory,
            groups,
            filters: seccomp::SeccompFilters::compile().map_err(failed)?,
            entropy,
        })))
    }

    /// Counts the connections that a sandbox began, in the root tier. For tests of the rules.
    pub async fn traffic(&self, handle: &Handle) -> Result<Traffic> {
        self.record(handle)?;
        network::traffic(&handle.id).await
    }

    /// Reads a snapshot again, all of it; [`Error::Damaged`] if it is not what was stored. For tests of the store.
    pub async fn verify(&self, id: &SnapshotId) -> Result<()> {
        let (store, id) = (self.0.store.clone(), id.clone());
        blocking(move || store.verify(&id)).await
    }

    fn record(&self, handle: &Handle) -> Result<SandboxRecord> {
        if handle.provider != NAME {
            return Err(Error::Gone);
        }
        let record = self.0.records.read(&handle.id)?;
        let same = record.incarnation == handle.incarnation.0 && record.tier == self.0.tier;
        same.then_some(record).ok_or(Error::Gone)
    }

    fn group(&self, id: &SandboxId) -> Option<SandboxCgroup> {
        self.0.groups.as_ref().map(|groups| groups.group_of(id))
    }

    fn layout(&self, id: &SandboxId) -> SandboxLayout {
        SandboxLayout::of(self.0.tier, id, &self.0.records.dir(id))
    }

    /// The log directory as seen from outside.
    fn logs(&self, record: &SandboxRecord) -> Result<PathBuf> {
        let (_, monitor) = record.running()?;
        Ok(self.layout(&record.id).disk_seen_by(monitor).join("log"))
    }

    fn home(&self, record: &SandboxRecord) -> Result<SandboxHome> {
        let owner = (self.0.tier == Tier::Root).then_some(root_tier::USER);
        SandboxHome::open(record.init()?, owner)
    }

    /// Acts on the files of a sandbox, on a thread for work that waits.
    async fn with_home<T: Send + 'static>(
        &self,
        handle: &Handle,
        act: impl FnOnce(&SandboxHome) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let home = self.home(&self.record(handle)?)?;
        blocking(move || act(&home)).await
    }

    /// Returns a command that runs inside, in a group of this name.
    async fn join_command(
        &self,
        record: &SandboxRecord,
        group: &str,
        argv: &[String],
        cwd: &HomePath,
        env: &Env,
    ) -> Result<tokio::process::Command> {
        let (init, monitor) = record.running()?;
        if argv.is_empty() || argv.iter().any(|word| word.contains('\0')) {
            return Err(Error::invalid("not a command"));
        }
        let (home, directory) = (self.home(record)?, cwd.clone());
        blocking(move || home.check_directory(&directory)).await?;
        let procs = match self.group(&record.id) {
            Some(of) => of
                .make_subgroup(group)
                .map_err(|error| Error::failed("joining the sandbox", error))?,
            None => Vec::new(),
        };
        let join = JoinCommand {
            tier: self.0.tier,
            init,
            monitor,
            procs: &procs,
            filters: &self.0.filters,
            cwd: &cwd.absolute(),
            env,
        };
        join.command(argv.iter().map(String::as_str))
    }

    async fn run(&self, record: &SandboxRecord, request: &ExecRequest) -> Result<ExecResult> {
        let random = hex::encode(domain::clock::random_bytes::<6>(self.0.entropy.as_ref()));
        let name = format!("exec-{random}");
        let command = self.join_command(record, &name, &request.argv, &request.cwd, &request.env);
        let command = command.await?;
        let group = self.group(&record.id);
        let result = exec::run(command, request, |process| match &group {
            Some(group) => group.kill_subgroup(&name),
            None => kill_tree(process),
        })
        .await;
        if let Some(group) = &group {
            group.remove_subgroup(&name);
        }
        if result.is_err() {
            record.running()?;
        }
        result
    }

    async fn start_process(&self, record: &SandboxRecord, spec: ProcessSpec) -> Result<()> {
        ProcessSpec::check_name(&spec.name)?;
        let dir = self.0.records.dir(&record.id);
        let logs = self.logs(record)?;
        if let Ok(process) = process::find(&dir, &spec.name)
            && process::state(&logs, process, &spec.name) == crate::ProcessState::Running
        {
            return Err(Error::invalid("a process of this name runs"));
        }
        let _ = std::fs::remove_file(logs.join(format!("{}.exit", spec.name)));
        let mut argv = process::log_keeping_words(&spec.name);
        argv.extend(spec.argv);
        let group = format!("process-{}", spec.name);
        let command = self
            .join_command(record, &group, &argv, &spec.cwd, &spec.env)
            .await?;
        process::start(&dir, &spec.name, command)
    }

    /// Freezes everything inside, or continues it.
    async fn set_frozen(&self, record: &SandboxRecord, frozen: bool) -> Result<()> {
        if let Some(group) = self.group(&record.id) {
            return group.set_frozen(frozen).await;
        }
        let init = record.init()?;
        blocking(move || {
            if frozen {
                freeze::freeze(init)
            } else {
                freeze::resume(init)
            }
        })
        .await
    }

    fn liveness_of(&self, handle: &Handle) -> Liveness {
        match self.record(handle) {
            Ok(record) => match record.running().map(|(init, _)| init.is_alive()) {
                Ok(Some(true)) => Liveness::Alive,
                Ok(None) => Liveness::Unknown,
                Ok(Some(false)) | Err(_) => Liveness::Dead,
            },
            Err(Error::Gone) => Liveness::Dead,
            Err(_) => Liveness::Unknown,
        }
    }
}

/// Kills a process with all that it started, unless its number was reused.
fn kill_tree(root: ProcessIdentity) {
    if root.is_alive() != Some(true) {
        return;
    }
    for pid in pid::tree(root.pid).into_iter().rev() {
        if let Ok(process) = ProcessIdentity::of(pid) {
            process.signal(rustix::process::Signal::KILL);
        }
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Local({} in {})",
            self.0.tier.as_str(),
            self.0.directory.display()
        )
    }
}
