//! The contract, in the container provider's words.

use std::net::{Ipv4Addr, SocketAddr};

use async_trait::async_trait;
use bytes::Bytes;
use domain::limits::{
    SANDBOX_ANSWER_BYTES_MAX, SANDBOX_LIST_BYTES_MAX, SANDBOX_LIST_ENTRIES_MAX,
    SANDBOX_LOG_CHUNK_BYTES, SANDBOX_READ_BYTES_MAX,
};

use super::{
    Container, NAME, State,
    exec::check_command,
    inside::{Call, number},
    net,
};
use crate::{
    Collected, Destination, Endpoint, Entry, EntryKind, Error, ExecRequest, ExecResult, File,
    Handle, HomePath, Listed, Liveness, LogChunk, ProcessSpec, ProcessState, Provider, Result,
    SnapshotId, SnapshotRef, SnapshotRequest, Spec,
    unclaimed::{self, Maker as _},
};

#[async_trait]
impl Provider for Container {
    fn name(&self) -> &'static str {
        NAME
    }

    fn address_inside(&self, destination: &Destination) -> String {
        format!("{}:{}", destination.name, net::PORT)
    }

    async fn create(&self, spec: Spec) -> Result<Handle> {
        unclaimed::make(self, spec).await
    }

    async fn reattach(&self, handle: &Handle) -> Result<()> {
        let sandbox = self.living(handle).await?;
        self.open_doors(&handle.id, &sandbox.marks.destinations)?;
        match sandbox.state {
            State::Paused => self.wake(handle).await,
            State::Running | State::Ended => Ok(()),
        }
    }

    async fn liveness(&self, handle: &Handle) -> Liveness {
        self.is_alive(handle).await
    }

    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult> {
        let sandbox = self.awake(handle).await?;
        self.run(&sandbox, &request).await
    }

    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()> {
        ProcessSpec::check_name(&process.name)?;
        check_command(&process.argv)?;
        let sandbox = self.awake(handle).await?;
        let cwd = process.cwd.relative().to_string_lossy().into_owned();
        let mut args = vec![cwd, self.random(), process.name];
        args.extend(process.argv);
        let call = Call::new("start", args).with_env(&process.env);
        let what = process.cwd.to_string();
        self.ask(&sandbox.name, call, &what).await.map(drop)
    }

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState> {
        let max = SANDBOX_ANSWER_BYTES_MAX;
        let (head, _) = self.about("process", handle, name, &[], max).await?;
        match head.first().map(String::as_str) {
            Some("running") => Ok(ProcessState::Running),
            Some("exited") => Ok(ProcessState::Exited {
                code: i32::try_from(number(&head, 1)?).ok(),
            }),
            _ => Ok(ProcessState::Exited { code: None }),
        }
    }

    async fn stop(&self, handle: &Handle, name: &str) -> Result<()> {
        let max = SANDBOX_ANSWER_BYTES_MAX;
        self.about("stop", handle, name, &[], max).await.map(drop)
    }

    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk> {
        let more = [from.to_string(), SANDBOX_LOG_CHUNK_BYTES.to_string()];
        let max = SANDBOX_LOG_CHUNK_BYTES;
        let (head, bytes) = self.about("log", handle, name, &more, max).await?;
        let begin = number(&head, 0)?;
        Ok(LogChunk {
            next: begin + bytes.len() as u64,
            lost: begin.saturating_sub(from),
            bytes,
        })
    }

    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()> {
        let sandbox = self.awake(handle).await?;
        self.write_files(&sandbox.name, &files).await
    }

    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes> {
        let call = Call::new("read", [relative(path), SANDBOX_READ_BYTES_MAX.to_string()])
            .answered_in(usize::try_from(SANDBOX_READ_BYTES_MAX).unwrap_or(usize::MAX));
        let sandbox = self.awake(handle).await?;
        let (_, bytes) = self.ask(&sandbox.name, call, &path.to_string()).await?;
        Ok(bytes)
    }

    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>> {
        let max = SANDBOX_LIST_ENTRIES_MAX.to_string();
        let call = Call::new("list", [relative(path), max]).answered_in(SANDBOX_LIST_BYTES_MAX);
        let sandbox = self.awake(handle).await?;
        let (_, bytes) = self.ask(&sandbox.name, call, &path.to_string()).await?;
        Ok(entries(&bytes))
    }

    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()> {
        if paths.iter().any(HomePath::is_home) {
            return Err(Error::invalid("the home directory stays"));
        }
        let paths: Vec<String> = paths.iter().map(relative).collect();
        let call = Call::new::<String>("remove", []).with_body(paths.join("\0"));
        let sandbox = self.awake(handle).await?;
        self.ask(&sandbox.name, call, "a path").await.map(drop)
    }

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint> {
        self.living(handle).await?;
        Ok(Endpoint {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            address: self.open_port(&handle.id, port).await?,
        })
    }

    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef> {
        self.take_snapshot(handle, &request).await
    }

    async fn destroy(&self, handle: &Handle) -> Result<()> {
        match self.find(handle).await {
            Ok(_) => self.unmake(&handle.id).await,
            Err(Error::Gone) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn listed(&self) -> Result<Vec<Listed>> {
        self.listed_here().await
    }

    async fn collect(&self, live: &[SnapshotId]) -> Result<Collected> {
        self.collect_unused(live).await
    }
}

impl Container {
    /// Asks about a program that was started; the answer has at most `max` bytes.
    async fn about(
        &self,
        command: &'static str,
        handle: &Handle,
        name: &str,
        more: &[String],
        max: usize,
    ) -> Result<(Vec<String>, Bytes)> {
        ProcessSpec::check_name(name)?;
        let sandbox = self.awake(handle).await?;
        let call = Call::new(command, [&[name.to_owned()], more].concat()).answered_in(max);
        let what = format!("the process {name}");
        self.ask(&sandbox.name, call, &what).await
    }
}

fn relative(path: &HomePath) -> String {
    path.relative().to_string_lossy().into_owned()
}

/// What is in a directory, by name. The helper tells no more of it than is handed out; programs beside it can.
fn entries(told: &[u8]) -> Vec<Entry> {
    let records = told.split(|b| *b == 0).filter_map(entry);
    let mut entries: Vec<Entry> = records.take(SANDBOX_LIST_ENTRIES_MAX).collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries
}

/// `f 12 name`, as the helper tells it.
fn entry(record: &[u8]) -> Option<Entry> {
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
    fn no_more_entries_are_kept_than_are_handed_out() {
        let told = b"f 12 b\0d 0 a\0junk\0";
        let names = entries(told).into_iter().map(|entry| entry.name);
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
        let many = b"f 1 x\0".repeat(SANDBOX_LIST_ENTRIES_MAX + 5);
        assert!(many.len() < SANDBOX_LIST_BYTES_MAX);
        assert_eq!(entries(&many).len(), SANDBOX_LIST_ENTRIES_MAX);
    }
}
