//! The providers that keep their sandboxes on this machine, as cases see them that hold on each: who makes sandboxes
//! there, and what can be seen of them from outside.

use std::{fs, path::Path, sync::Arc};

use sandbox::{
    ExecRequest, Handle, Liveness, Provider, SandboxId, SnapshotId,
    container::ContainerProvider,
    local::{Local, Tier},
};

use crate::{
    conformance::until,
    engine::Engine,
    leftovers::{named, processes_of, run},
    support::{Machine, entropy},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Root,
    Rootless,
    Podman,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Rootless => "rootless",
            Self::Podman => "podman",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Root, Self::Rootless, Self::Podman];
        all.into_iter().find(|kind| kind.as_str() == name)
    }

    fn tier(self) -> Tier {
        match self {
            Self::Root => Tier::Root,
            Self::Rootless | Self::Podman => Tier::Rootless,
        }
    }
}

/// A provider as one process has it.
#[derive(Clone)]
pub(crate) enum Maker {
    Local(Local),
    Container(ContainerProvider),
}

impl Maker {
    /// Another process on the same directory.
    pub(crate) async fn open(kind: Kind, directory: &Path) -> Self {
        if kind == Kind::Podman {
            let opening = ContainerProvider::open(Engine::settings(directory), entropy());
            return Self::Container(Box::pin(opening).await.unwrap());
        }
        Self::Local(Local::open(directory, kind.tier(), entropy()).unwrap())
    }

    pub(crate) fn provider(&self) -> Arc<dyn Provider> {
        match self {
            Self::Local(local) => Arc::new(local.clone()),
            Self::Container(container) => Arc::new(container.clone()),
        }
    }

    pub(crate) async fn found(&self) -> Vec<(Handle, Liveness)> {
        let listed = self.provider().list_sandboxes().await.unwrap();
        let found = listed.into_iter().map(|one| (one.handle, one.liveness));
        found.collect()
    }

    /// What `doctor --clean` does, or without the sandboxes that live.
    pub(crate) async fn clean(&self, living_too: bool) -> Vec<SandboxId> {
        match self {
            Self::Local(local) => local.clean(|_| living_too).await.unwrap().sandboxes,
            Self::Container(container) => container.clean(|_| living_too).await.unwrap(),
        }
    }

    pub(crate) async fn verify(&self, id: &SnapshotId) {
        match self {
            Self::Local(local) => local.verify(id).await.unwrap(),
            Self::Container(container) => container.verify(id).await.unwrap(),
        }
    }

    pub(crate) async fn output(&self, handle: &Handle, line: &str) -> String {
        let result = self.provider().exec(handle, ExecRequest::shell(line)).await;
        let result = result.unwrap();
        assert!(result.is_success(), "{line}: {result:?}");
        result.stdout.text()
    }
}

/// Where a test makes sandboxes; all of it goes with it.
pub(crate) enum Yard {
    Local(Kind, Machine),
    Podman(Engine),
}

impl Yard {
    pub(crate) async fn open(kind: Kind) -> Self {
        match kind {
            Kind::Podman => Self::Podman(Engine::open(entropy()).await),
            local => Self::Local(local, Machine::new(local.tier())),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Local(kind, _) => *kind,
            Self::Podman(_) => Kind::Podman,
        }
    }

    pub(crate) fn directory(&self) -> std::path::PathBuf {
        match self {
            Self::Local(_, machine) => machine.dir.path().join("state"),
            Self::Podman(engine) => engine.directory().to_owned(),
        }
    }

    pub(crate) async fn again(&self) -> Maker {
        Maker::open(self.kind(), &self.directory()).await
    }

    /// Snapshots that look whole.
    pub(crate) fn snapshots(&self) -> Vec<SnapshotId> {
        let names: Vec<String> = match self {
            Self::Local(..) => {
                let entries = fs::read_dir(self.directory().join("store/snapshots")).unwrap();
                let names = entries.map(|entry| entry.unwrap().file_name());
                let names = names.map(|name| name.to_string_lossy().into_owned());
                names
                    .map(|name| name.strip_suffix(".json").unwrap().to_owned())
                    .collect()
            }
            Self::Podman(engine) => {
                let words = [
                    "images",
                    "--quiet",
                    "--no-trunc",
                    "localhost/proliferate-snapshot",
                ];
                let ids = engine.podman(&words);
                let ids = ids.lines().map(|line| line.trim_start_matches("sha256:"));
                ids.map(str::to_owned).collect()
            }
        };
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    /// Waits until no process is there for a sandbox. What a killed process had just started ends by itself when it
    /// notices.
    pub(crate) async fn until_it_is_empty(&self) {
        if let Self::Local(..) = self {
            until(|| async { processes_of(&self.directory()).is_empty() }).await;
        }
    }

    /// Everything else on this machine that is there for these sandboxes, or for what was being made, but for snapshots.
    pub(crate) fn traces(&self, ids: &[SandboxId]) -> Vec<String> {
        match self {
            Self::Local(kind, _) => {
                // The other tier has nothing in the kernel that has a name.
                let ids = if *kind == Kind::Root { ids } else { &[] };
                let mut all = if ids.is_empty() {
                    Vec::new()
                } else {
                    named(ids)
                };
                all.extend(names_in(&self.directory().join("store/tmp")));
                all.extend(names_in(&self.directory().join("sandboxes")));
                all
            }
            Self::Podman(engine) => traces_of(engine, ids),
        }
    }
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

fn traces_of(engine: &Engine, ids: &[SandboxId]) -> Vec<String> {
    let here = engine.directory().to_string_lossy().into_owned();
    let mut all = names_in(&engine.directory().join("sandboxes"));
    for words in [
        &["ps", "--all", "--external", "--quiet"][..],
        &["volume", "ls", "--quiet"],
        &["images", "--quiet", "localhost/proliferate-draft"],
        &["images", "--quiet", "--filter", "dangling=true"],
    ] {
        all.extend(engine.podman(words).lines().map(str::to_owned));
    }
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let of_containers = |line: &&str| {
        line.contains(&here) && (line.contains("/merged") || line.contains("/userdata"))
    };
    all.extend(mounts.lines().filter(of_containers).map(str::to_owned));
    let groups = run(
        "find",
        &["/sys/fs/cgroup", "-type", "d", "-name", "*libpod*"],
    );
    let names = run("ip", &["netns", "list"]) + &run("nft", &["list", "tables"]) + &groups;
    let mine = |line: &&str| ids.iter().any(|id| line.contains(id.as_str()));
    all.extend(names.lines().filter(mine).map(str::to_owned));
    all
}
