//! The fake's implementation of the contract.

use std::{collections::BTreeMap, net::SocketAddr};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{caller::Incarnation, limits::SANDBOX_LOG_CHUNK_BYTES};

use super::{Fake, FakeSandbox, NAME, Operation, files::Files, programs};
use crate::{
    Collected, Destination, Endpoint, Entry, EntryKind, Error, ExecRequest, ExecResult, File,
    Handle, HomePath, ListedSandbox, Liveness, LogChunk, Origin, ProcessSpec, ProcessState,
    Provider, Result, SandboxId, SnapshotId, SnapshotRef, SnapshotRequest, Spec,
};

#[async_trait]
impl Provider for Fake {
    fn name(&self) -> &'static str {
        NAME
    }

    fn address_inside(&self, destination: &Destination) -> String {
        destination.address.to_string()
    }

    async fn create(&self, spec: Spec) -> Result<Handle> {
        self.begin_operation(Operation::Create, None).await?;
        let mut state = self.state();
        let (parent, mut files) = match spec.origin {
            Origin::Template => (None, Files::new()),
            Origin::Snapshot(from) => {
                let found = state.snapshots.get(&from.id);
                let (snapshot, files) = found.ok_or_else(|| Error::NoSnapshot {
                    id: from.id.to_string(),
                })?;
                (Some(snapshot.clone()), files.clone())
            }
        };
        for file in spec.files {
            files.insert(file.path, (file.bytes, file.mode));
        }
        let id = SandboxId::generate(self.entropy.as_ref());
        let sandbox = FakeSandbox {
            label: spec.label,
            incarnation: spec.incarnation,
            env: spec.env,
            files,
            processes: BTreeMap::new(),
            parent,
            endpoints: state.endpoints.clone(),
        };
        state.sandboxes.insert(id.clone(), sandbox);
        Ok(Handle {
            expires_at: spec.expires_at,
            ..handle(id, spec.incarnation)
        })
    }

    async fn reattach(&self, handle: &Handle) -> Result<()> {
        self.begin_operation(Operation::Reattach, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            let same = sandbox.incarnation == handle.incarnation;
            same.then_some(()).ok_or(Error::Gone)
        })
    }

    async fn liveness(&self, handle: &Handle) -> Liveness {
        if self
            .begin_operation(Operation::Liveness, Some(&handle.id))
            .await
            .is_err()
        {
            return Liveness::Unknown;
        }
        let lie = self.state().knobs.liveness;
        let truth = self.with(handle, |_| Ok(()));
        lie.unwrap_or(if truth.is_ok() {
            Liveness::Alive
        } else {
            Liveness::Dead
        })
    }

    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult> {
        self.begin_operation(Operation::Exec, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            if request.cwd != HomePath::workspace() {
                list(&sandbox.files, &request.cwd)?;
            }
            Ok(())
        })?;
        self.run(handle, &request).await
    }

    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()> {
        self.begin_operation(Operation::Start, Some(&handle.id))
            .await?;
        ProcessSpec::check_name(&process.name)?;
        let keep_running = self.state().knobs.keep_running.clone();
        self.with(handle, |sandbox| {
            let running = (ProcessState::Running, Bytes::new());
            if let Some((ProcessState::Running, _)) = sandbox.processes.get(&process.name) {
                return Err(Error::invalid("a process of this name runs"));
            }
            let ended = if keep_running.contains(&process.name.as_str()) {
                None
            } else {
                programs::start(&process, &sandbox.env, &mut sandbox.files)
            };
            let (state, log) = ended.unwrap_or(running);
            sandbox.processes.insert(process.name, (state, log));
            Ok(())
        })
    }

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState> {
        self.begin_operation(Operation::Process, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| Ok(process(sandbox, name)?.0))
    }

    async fn stop(&self, handle: &Handle, name: &str) -> Result<()> {
        self.begin_operation(Operation::Stop, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            let process = process(sandbox, name)?;
            if process.0 == ProcessState::Running {
                process.0 = ProcessState::Exited { code: None };
            }
            Ok(())
        })
    }

    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk> {
        self.begin_operation(Operation::Log, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            let log = &process(sandbox, name)?.1;
            let start = usize::try_from(from).unwrap_or(usize::MAX).min(log.len());
            let end = (start + SANDBOX_LOG_CHUNK_BYTES).min(log.len());
            Ok(LogChunk {
                bytes: log.slice(start..end),
                next: end as u64,
                lost: 0,
            })
        })
    }

    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()> {
        self.begin_operation(Operation::Write, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            for file in files {
                sandbox.files.insert(file.path, (file.bytes, file.mode));
            }
            Ok(())
        })
    }

    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes> {
        self.begin_operation(Operation::Read, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            let found = sandbox.files.get(path);
            let found = found.ok_or_else(|| Error::NotFound {
                what: path.to_string(),
            });
            Ok(found?.0.clone())
        })
    }

    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>> {
        self.begin_operation(Operation::List, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| list(&sandbox.files, path))
    }

    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()> {
        self.begin_operation(Operation::Remove, Some(&handle.id))
            .await?;
        self.with(handle, |sandbox| {
            let gone = |path: &HomePath| {
                let below = |of: &HomePath| path.relative().starts_with(of.relative());
                paths.iter().any(below)
            };
            sandbox.files.retain(|path, _| !gone(path));
            Ok(())
        })
    }

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint> {
        self.begin_operation(Operation::Endpoint, Some(&handle.id))
            .await?;
        let known = self.with(handle, |sandbox| Ok(sandbox.endpoints.get(&port).copied()))?;
        let address = known.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], port)));
        Ok(Endpoint {
            listen: address,
            address,
        })
    }

    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef> {
        self.with(handle, |_| Ok(()))?;
        let mut taken = match &request.before {
            Some(before) => self
                .run(handle, before)
                .await
                .and_then(SnapshotRequest::check_before),
            None => Ok(()),
        };
        if taken.is_ok() {
            taken = self
                .begin_operation(Operation::Snapshot, Some(&handle.id))
                .await;
        }
        let taken = taken.and_then(|()| self.save_snapshot(handle));
        if let Some(after) = &request.after {
            self.run(handle, after).await?;
        }
        taken
    }

    async fn destroy(&self, handle: &Handle) -> Result<()> {
        self.begin_operation(Operation::Destroy, Some(&handle.id))
            .await?;
        let mut state = self.state();
        state.sandboxes.remove(&handle.id);
        state.dead.remove(&handle.id);
        Ok(())
    }

    async fn list_sandboxes(&self) -> Result<Vec<ListedSandbox>> {
        self.begin_operation(Operation::ListSandboxes, None).await?;
        let state = self.state();
        let living = state
            .sandboxes
            .iter()
            .map(|(id, one)| (id, &one.label, one.incarnation, Liveness::Alive));
        let dead = state
            .dead
            .iter()
            .map(|(id, (label, incarnation))| (id, label, *incarnation, Liveness::Dead));
        let listed = living
            .chain(dead)
            .map(|(id, label, incarnation, liveness)| ListedSandbox {
                handle: handle(id.clone(), incarnation),
                label: label.clone(),
                liveness,
            });
        Ok(listed.collect())
    }

    async fn collect_snapshots(&self, live: &[SnapshotId]) -> Result<Collected> {
        self.begin_operation(Operation::Collect, None).await?;
        let mut state = self.state();
        let used = |one: &FakeSandbox| one.parent.as_ref().map(|parent| parent.id.clone());
        let in_use: Vec<SnapshotId> = state.sandboxes.values().filter_map(used).collect();
        let before = state.snapshots.len();
        state
            .snapshots
            .retain(|id, _| live.contains(id) || in_use.contains(id));
        let removed = before - state.snapshots.len();
        Ok(Collected {
            snapshots: removed,
            layers: removed,
            bytes: 0,
        })
    }
}

fn handle(id: SandboxId, incarnation: Incarnation) -> Handle {
    Handle {
        provider: NAME.to_owned(),
        id,
        incarnation,
        expires_at: None,
        tier: "none".to_owned(),
    }
}

fn process<'a>(sandbox: &'a mut FakeSandbox, name: &str) -> Result<&'a mut (ProcessState, Bytes)> {
    let found = sandbox.processes.get_mut(name);
    found.ok_or_else(|| Error::NotFound {
        what: format!("the process {name}"),
    })
}

fn list(files: &Files, path: &HomePath) -> Result<Vec<Entry>> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    for (file, (bytes, _)) in files {
        let Ok(rest) = file.relative().strip_prefix(path.relative()) else {
            continue;
        };
        let mut parts = rest.iter();
        let Some(name) = parts.next() else {
            continue;
        };
        let name = name.to_string_lossy().into_owned();
        let is_file = parts.next().is_none();
        let entry = Entry {
            name: name.clone(),
            kind: if is_file {
                EntryKind::File
            } else {
                EntryKind::Directory
            },
            size: if is_file { bytes.len() as u64 } else { 0 },
        };
        entries.insert(name, entry);
    }
    if entries.is_empty() && !path.is_home() {
        return Err(Error::NotFound {
            what: path.to_string(),
        });
    }
    Ok(entries.into_values().collect())
}
