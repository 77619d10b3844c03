//! The local provider's implementation of the contract.

use std::{collections::BTreeSet, net::SocketAddr};

use async_trait::async_trait;
use bytes::Bytes;

use domain::limits::SANDBOX_FREEZE_TIMEOUT;

use super::{
    Local, cgroup::wait_until, home::SandboxHome, kill_tree, name::NAME, network, port, process,
    tier::Tier,
};
use crate::{
    Collected, Destination, Endpoint, Entry, Error, ExecRequest, ExecResult, File, Handle,
    HomePath, ListedSandbox, Liveness, LogChunk, ProcessSpec, ProcessState, Provider, Result,
    SnapshotId, SnapshotRef, SnapshotRequest, Spec,
    blocking::blocking,
    unclaimed::{self, SandboxMaker as _},
};

#[async_trait]
impl Provider for Local {
    fn name(&self) -> &'static str {
        NAME
    }

    fn address_inside(&self, destination: &Destination) -> String {
        match self.0.tier {
            Tier::Root => network::address_inside(destination),
            Tier::Rootless => destination.address.to_string(),
        }
    }

    async fn create(&self, spec: Spec) -> Result<Handle> {
        unclaimed::make_sandbox(self, spec).await
    }

    async fn reattach(&self, handle: &Handle) -> Result<()> {
        let record = self.record(handle)?;
        record.running()?;
        // A process that died while it took a snapshot left the sandbox frozen.
        self.set_frozen(&record, false).await
    }

    async fn liveness(&self, handle: &Handle) -> Liveness {
        self.liveness_of(handle)
    }

    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult> {
        self.run(&self.record(handle)?, &request).await
    }

    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()> {
        self.start_process(&self.record(handle)?, process).await
    }

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState> {
        ProcessSpec::check_name(name)?;
        let record = self.record(handle)?;
        let (logs, dir) = (self.logs(&record)?, self.0.records.dir(&record.id));
        let name = name.to_owned();
        blocking(move || Ok(process::state(&logs, process::find(&dir, &name)?, &name))).await
    }

    async fn stop(&self, handle: &Handle, name: &str) -> Result<()> {
        ProcessSpec::check_name(name)?;
        let record = self.record(handle)?;
        record.running()?;
        let started = process::find(&self.0.records.dir(&record.id), name)?;
        let group = self.group(&record.id);
        let ended = || {
            // Again each time: it may still have been on its way in.
            match &group {
                Some(group) => group.kill_subgroup(&format!("process-{name}")),
                None => kill_tree(started),
            }
            started.is_alive() != Some(true)
        };
        wait_until("ending the program", SANDBOX_FREEZE_TIMEOUT, ended).await
    }

    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk> {
        ProcessSpec::check_name(name)?;
        let record = self.record(handle)?;
        let (logs, dir) = (self.logs(&record)?, self.0.records.dir(&record.id));
        let name = name.to_owned();
        blocking(move || {
            process::find(&dir, &name)?;
            process::read_log(&logs, &name, from)
        })
        .await
    }

    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()> {
        let write = move |home: &SandboxHome| files.iter().try_for_each(|file| home.write(file));
        self.with_home(handle, write).await
    }

    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes> {
        let path = path.clone();
        self.with_home(handle, move |home| home.read(&path)).await
    }

    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>> {
        let path = path.clone();
        self.with_home(handle, move |home| home.list(&path)).await
    }

    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()> {
        let remove = move |home: &SandboxHome| paths.iter().try_for_each(|path| home.remove(path));
        self.with_home(handle, remove).await
    }

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint> {
        let record = self.record(handle)?;
        record.running()?;
        let (records, id) = (self.0.records.clone(), record.id.clone());
        match self.0.tier {
            Tier::Root => {
                let pair = network::addresses_of(&id).ok_or(Error::Gone)?;
                Ok(Endpoint {
                    listen: SocketAddr::from(([0, 0, 0, 0], port)),
                    address: SocketAddr::from((pair.inside, port)),
                })
            }
            Tier::Rootless => blocking(move || port::endpoint(&records.dir(&id), port)).await,
        }
    }

    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef> {
        self.take_snapshot(&self.record(handle)?, &request).await
    }

    async fn destroy(&self, handle: &Handle) -> Result<()> {
        match self.record(handle) {
            // A record that cannot be read is still one that something may be left of.
            Ok(_) | Err(Error::Failed { .. }) => self.remove_sandbox(&handle.id).await,
            Err(Error::Gone) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list_sandboxes(&self) -> Result<Vec<ListedSandbox>> {
        let local = self.clone();
        blocking(move || Ok(local.list_recorded())).await
    }

    async fn collect_snapshots(&self, live: &[SnapshotId]) -> Result<Collected> {
        let (inner, live) = (std::sync::Arc::clone(&self.0), live.to_vec());
        blocking(move || {
            // Copies whose makers died, of whichever process.
            inner.store.clean();
            let _lock = inner.store.lock(true)?;
            let mut used = BTreeSet::new();
            for id in inner.records.ids() {
                match inner.records.read(&id) {
                    Ok(record) => {
                        used.extend(record.layers);
                        used.insert(record.template);
                    }
                    Err(Error::Gone) => {}
                    Err(error) => return Err(error),
                }
            }
            inner.store.collect(&live, &used)
        })
        .await
    }
}
