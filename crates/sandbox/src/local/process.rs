//! Background programs. Their output goes through a small loop inside the sandbox that keeps the last of it in files, so it
//! needs no process outside.
//!
//! Logs and exit codes come from inside: a sandbox could write any.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    process::Stdio,
};

use bytes::Bytes;
use domain::limits::{SANDBOX_LIST_ENTRIES_MAX, SANDBOX_LOG_CHUNK_BYTES, SANDBOX_LOG_FILES_MAX};
use rustix::fs::{Mode, OFlags};
use tokio::process::Command;

use super::launch::LOG_DIR;
use crate::{Error, LogChunk, ProcessState, Result, pid::ProcessIdentity};

/// Runs the rest of the command line. The log is in files named by the place of their first byte: one that is
/// being written and the one before it, each of at most 8 MB or 2,048 pieces.
const KEEP_LOG: &str = r#"log=$1; shift
rm -f "$log".*
{ "$@" 2>&1 </dev/null; echo $? > "$log.code" && mv "$log.code" "$log.exit"; } | {
  at=0; before=
  while :; do
    dd bs=4096 count=2048 status=none of="$log.$at"
    size=$(stat -c %s "$log.$at") && test "$size" -gt 0 || break
    test -z "$before" || rm -f "$log.$before"
    before=$at; at=$((at + size))
  done
}"#;

/// Returns the words that run a program with its log kept.
pub(super) fn log_keeping_words(name: &str) -> Vec<String> {
    let log = format!("{LOG_DIR}/{name}");
    ["/bin/sh", "-c", KEEP_LOG, "sh", &log]
        .map(str::to_owned)
        .into()
}

/// The file that names the process of a started program.
fn process_file(dir: &Path, name: &str) -> PathBuf {
    dir.join("processes").join(format!("{name}.json"))
}

pub(super) fn start(dir: &Path, name: &str, mut command: Command) -> Result<()> {
    const STEP: &str = "starting the program";
    let failed = |error: io::Error| Error::failed(STEP, error);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    drop(command);
    let pid = child.id().unwrap_or_default();
    let process = ProcessIdentity::of(pid).map_err(failed)?;
    let text = serde_json::to_vec(&process).map_err(|error| failed(error.into()))?;
    fs::create_dir_all(dir.join("processes")).map_err(failed)?;
    fs::write(process_file(dir, name), text).map_err(failed)?;
    tokio::spawn(async move {
        let _ = child.wait().await;
    });
    Ok(())
}

/// Finds the process outside that waits for a started program.
pub(super) fn find(dir: &Path, name: &str) -> Result<ProcessIdentity> {
    let text = fs::read(process_file(dir, name)).map_err(|_| Error::NotFound {
        what: format!("the process {name}"),
    })?;
    serde_json::from_slice(&text).map_err(|error| Error::failed("reading a process", error))
}

/// `logs` is the log directory as seen from outside.
pub(super) fn state(logs: &Path, process: ProcessIdentity, name: &str) -> ProcessState {
    let exit = read_part(&logs.join(format!("{name}.exit")), 0, 16);
    let code = exit.ok().and_then(|bytes| {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        text.parse().ok()
    });
    match (code, process.is_alive()) {
        (Some(code), _) => ProcessState::Exited { code: Some(code) },
        (None, Some(false)) => ProcessState::Exited { code: None },
        (None, _) => ProcessState::Running,
    }
}

pub(super) fn read_log(logs: &Path, name: &str, from: u64) -> Result<LogChunk> {
    let failed = |error: io::Error| Error::failed("reading the log", error);
    let starts = newest_starts(logs, name).map_err(failed)?;
    // The file that has the wanted byte, or the first one after it.
    let holds = starts.iter().rposition(|start| *start <= from);
    let mut lost = 0;
    for start in &starts[holds.unwrap_or(0)..] {
        let begin = from.max(*start);
        let bytes = match read_part(
            &logs.join(format!("{name}.{start}")),
            begin - start,
            SANDBOX_LOG_CHUNK_BYTES,
        ) {
            // It was replaced in between.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other.map_err(failed)?,
        };
        lost = begin - from;
        if !bytes.is_empty() {
            return Ok(LogChunk {
                next: begin + bytes.len() as u64,
                bytes,
                lost,
            });
        }
    }
    Ok(LogChunk {
        bytes: Bytes::new(),
        next: from + lost,
        lost,
    })
}

/// Where the newest files of a log begin. The sandbox can make any number of files with such names.
fn newest_starts(logs: &Path, name: &str) -> io::Result<Vec<u64>> {
    let mut newest = BTreeSet::new();
    for entry in fs::read_dir(logs)?.take(SANDBOX_LIST_ENTRIES_MAX).flatten() {
        let file = entry.file_name();
        let start: Option<u64> = file
            .to_str()
            .and_then(|file| file.strip_prefix(name)?.strip_prefix('.')?.parse().ok());
        newest.extend(start);
        if newest.len() > SANDBOX_LOG_FILES_MAX {
            newest.pop_first();
        }
    }
    Ok(newest.into_iter().collect())
}

/// A part of a plain file that the sandbox could have replaced by anything else.
fn read_part(path: &Path, from: u64, max: usize) -> io::Result<Bytes> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::open(path, flags, Mode::empty())?;
    let mut file = fs::File::from(fd);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(max as u64).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_files_of_a_log_are_read_however_many_there_are() {
        let dir = tempfile::TempDir::new().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("web.0", "zero");
        write("web.4", "four");
        write("web.exit", "0");
        write("webs.90", "of another program");
        let chunk = read_log(dir.path(), "web", 2).unwrap();
        assert_eq!(
            (&chunk.bytes[..], chunk.next, chunk.lost),
            (&b"ro"[..], 4, 0)
        );
        for start in 1..50 {
            write(&format!("web.{}", start * 4), "more");
        }
        assert_eq!(
            newest_starts(dir.path(), "web").unwrap(),
            [184, 188, 192, 196]
        );
        let chunk = read_log(dir.path(), "web", 2).unwrap();
        assert_eq!((chunk.next, chunk.lost), (188, 182));
        let last = read_log(dir.path(), "web", 198).unwrap();
        assert_eq!((&last.bytes[..], last.next), (&b"re"[..], 200));
    }
}
