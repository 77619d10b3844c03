//! The provider: opens the parts it is made of, and implements the contract with them.

use std::{
    fmt,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    clock::Entropy,
    limits::{
        SANDBOX_ANSWER_BYTES_MAX, SANDBOX_LIST_BYTES_MAX, SANDBOX_LIST_ENTRIES_MAX,
        SANDBOX_LOG_CHUNK_BYTES, SANDBOX_READ_BYTES_MAX,
    },
};

use super::{
    containers::{ContainerState, Containers},
    engine::Engine,
    exec::{Programs, check_command},
    helper::{Helper, HelperCall, parse_number},
    outbound,
    settings::{NAME, Settings},
    snapshot_images::SnapshotImages,
    snapshots::Snapshots,
    support::EngineSupport,
    templates::Templates,
    tunnels::Tunnels,
};
use crate::{
    Collected, Destination, Endpoint, Entry, EntryKind, Error, ExecRequest, ExecResult, File,
    Handle, HomePath, ListedSandbox, Liveness, LogChunk, ProcessSpec, ProcessState, Provider,
    Result, SnapshotId, SnapshotRef, SnapshotRequest, Spec,
    unclaimed::{self, SandboxMaker as _},
};

/// Cheap to clone.
#[derive(Clone)]
pub struct ContainerProvider(Arc<Parts>);

/// What the provider is made of. Each part knows only those above it.
pub(super) struct Parts {
    pub(super) engine: Engine,
    pub(super) containers: Containers,
    pub(super) helper: Helper,
    pub(super) programs: Programs,
    pub(super) tunnels: Tunnels,
    pub(super) templates: Templates,
    pub(super) images: SnapshotImages,
    pub(super) snapshots: Snapshots,
}

impl ContainerProvider {
    /// Asks the engine what it can do. The image must be there.
    pub async fn open(settings: Settings, entropy: Arc<dyn Entropy>) -> Result<Self> {
        let engine = Engine::connect(settings, entropy).await?;
        let containers = Containers::new(engine.clone());
        let helper = Helper::new(engine.clone());
        let programs = Programs::new(engine.clone(), helper.clone());
        let images = SnapshotImages::new(engine.clone());
        Ok(Self(Arc::new(Parts {
            tunnels: Tunnels::new(engine.clone(), helper.clone()),
            templates: Templates::new(engine.clone()),
            snapshots: Snapshots::new(
                engine.clone(),
                containers.clone(),
                programs.clone(),
                images.clone(),
            ),
            engine,
            containers,
            helper,
            programs,
            images,
        })))
    }

    pub fn engine_support(&self) -> EngineSupport {
        self.0.engine.support()
    }

    /// Reads a snapshot again, all of it; [`Error::Damaged`] if it is not what was stored.
    pub async fn verify(&self, id: &SnapshotId) -> Result<()> {
        self.0.images.verify(id).await
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.0
    }

    /// Asks the helper about a program that was started; the reply has at most `max` bytes.
    async fn call_about(
        &self,
        command: &'static str,
        handle: &Handle,
        name: &str,
        more: &[String],
        max: usize,
    ) -> Result<(Vec<String>, Bytes)> {
        ProcessSpec::check_name(name)?;
        let sandbox = self.0.containers.find_running(handle).await?;
        let call =
            HelperCall::new(command, [&[name.to_owned()], more].concat()).with_reply_max(max);
        let what = format!("the process {name}");
        self.0.helper.call(&sandbox.name, call, &what).await
    }
}

#[async_trait]
impl Provider for ContainerProvider {
    fn name(&self) -> &'static str {
        NAME
    }

    fn address_inside(&self, destination: &Destination) -> String {
        outbound::address_inside(destination)
    }

    async fn create(&self, spec: Spec) -> Result<Handle> {
        unclaimed::make_sandbox(self, spec).await
    }

    async fn reattach(&self, handle: &Handle) -> Result<()> {
        let sandbox = self.0.containers.find_living(handle).await?;
        self.0
            .tunnels
            .open_outbound(&handle.id, &sandbox.labels.destinations)?;
        match sandbox.state {
            ContainerState::Paused => self.0.containers.resume_after_snapshot(handle).await,
            ContainerState::Running | ContainerState::Ended => Ok(()),
        }
    }

    async fn liveness(&self, handle: &Handle) -> Liveness {
        self.0.containers.liveness(handle).await
    }

    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult> {
        let sandbox = self.0.containers.find_running(handle).await?;
        self.0.programs.run(&sandbox, &request).await
    }

    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()> {
        ProcessSpec::check_name(&process.name)?;
        check_command(&process.argv)?;
        let sandbox = self.0.containers.find_running(handle).await?;
        let cwd = process.cwd.relative().to_string_lossy().into_owned();
        let mut args = vec![cwd, self.0.engine.generate_name(), process.name];
        args.extend(process.argv);
        let call = HelperCall::new("start", args).with_env(&process.env);
        let what = process.cwd.to_string();
        self.0
            .helper
            .call(&sandbox.name, call, &what)
            .await
            .map(drop)
    }

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState> {
        let max = SANDBOX_ANSWER_BYTES_MAX;
        let (head, _) = self.call_about("process", handle, name, &[], max).await?;
        match head.first().map(String::as_str) {
            Some("running") => Ok(ProcessState::Running),
            Some("exited") => Ok(ProcessState::Exited {
                code: i32::try_from(parse_number(&head, 1)?).ok(),
            }),
            _ => Ok(ProcessState::Exited { code: None }),
        }
    }

    async fn stop(&self, handle: &Handle, name: &str) -> Result<()> {
        let max = SANDBOX_ANSWER_BYTES_MAX;
        self.call_about("stop", handle, name, &[], max)
            .await
            .map(drop)
    }

    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk> {
        let more = [from.to_string(), SANDBOX_LOG_CHUNK_BYTES.to_string()];
        let max = SANDBOX_LOG_CHUNK_BYTES;
        let (head, bytes) = self.call_about("log", handle, name, &more, max).await?;
        let begin = parse_number(&head, 0)?;
        Ok(LogChunk {
            next: begin + bytes.len() as u64,
            lost: begin.saturating_sub(from),
            bytes,
        })
    }

    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()> {
        let sandbox = self.0.containers.find_running(handle).await?;
        self.0.helper.write_files(&sandbox.name, &files).await
    }

    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes> {
        let call = HelperCall::new("read", [relative(path), SANDBOX_READ_BYTES_MAX.to_string()])
            .with_reply_max(usize::try_from(SANDBOX_READ_BYTES_MAX).unwrap_or(usize::MAX));
        let sandbox = self.0.containers.find_running(handle).await?;
        let (_, bytes) = self
            .0
            .helper
            .call(&sandbox.name, call, &path.to_string())
            .await?;
        Ok(bytes)
    }

    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>> {
        let max = SANDBOX_LIST_ENTRIES_MAX.to_string();
        let call =
            HelperCall::new("list", [relative(path), max]).with_reply_max(SANDBOX_LIST_BYTES_MAX);
        let sandbox = self.0.containers.find_running(handle).await?;
        let (_, bytes) = self
            .0
            .helper
            .call(&sandbox.name, call, &path.to_string())
            .await?;
        Ok(parse_entries(&bytes))
    }

    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()> {
        if paths.iter().any(HomePath::is_home) {
            return Err(Error::invalid("the home directory stays"));
        }
        let paths: Vec<String> = paths.iter().map(relative).collect();
        let call = HelperCall::new::<String>("remove", []).with_body(paths.join("\0"));
        let sandbox = self.0.containers.find_running(handle).await?;
        self.0
            .helper
            .call(&sandbox.name, call, "a path")
            .await
            .map(drop)
    }

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint> {
        self.0.containers.find_living(handle).await?;
        Ok(Endpoint {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            address: self.0.tunnels.open_inbound(&handle.id, port).await?,
        })
    }

    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef> {
        self.0.snapshots.take(handle, &request).await
    }

    async fn destroy(&self, handle: &Handle) -> Result<()> {
        match self.0.containers.find(handle).await {
            Ok(_) => self.remove_sandbox(&handle.id).await,
            Err(Error::Gone) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list_sandboxes(&self) -> Result<Vec<ListedSandbox>> {
        self.list_all().await
    }

    async fn collect_snapshots(&self, live: &[SnapshotId]) -> Result<Collected> {
        self.0.images.collect(live).await
    }
}

impl fmt::Debug for ContainerProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { socket, owner, .. } = self.0.engine.settings();
        write!(f, "ContainerProvider({owner} at {})", socket.display())
    }
}

fn relative(path: &HomePath) -> String {
    path.relative().to_string_lossy().into_owned()
}

/// Parses the list of a directory, by name. The helper lists no more than is returned; programs beside it can.
fn parse_entries(reply: &[u8]) -> Vec<Entry> {
    let records = reply.split(|b| *b == 0).filter_map(parse_entry);
    let mut entries: Vec<Entry> = records.take(SANDBOX_LIST_ENTRIES_MAX).collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries
}

/// Parses `f 12 name`.
fn parse_entry(record: &[u8]) -> Option<Entry> {
    let text = String::from_utf8_lossy(record);
    let (kind, rest) = text.split_once(' ')?;
    let (size, name) = rest.split_once(' ')?;
    let kind = match kind {
        "f" => EntryKind::File,
        "d" => EntryKind::Directory,
        "l" => EntryKind::Link,
        _ => EntryKind::Other,
    };
    Some(Entry {
        name: name.to_owned(),
        kind,
        size: size.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_entries_are_kept_than_are_returned() {
        let reply = b"f 12 b\0d 0 a\0junk\0";
        let names = parse_entries(reply).into_iter().map(|entry| entry.name);
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
        let many = b"f 1 x\0".repeat(SANDBOX_LIST_ENTRIES_MAX + 5);
        assert!(many.len() < SANDBOX_LIST_BYTES_MAX);
        assert_eq!(parse_entries(&many).len(), SANDBOX_LIST_ENTRIES_MAX);
    }
}
