//! Files of the workspace over HTTP: list, read, write; and whole files of the daemon's own.

use std::{io, path::Path};

use bytes::Bytes;
use rustix::fs::{CWD, FileType, Mode, OFlags};
use serde_json::{Value, json};
use wire::problem::Code;

use super::refusal::Refusal;
use crate::{
    jail::{self, Escape, Jail},
    limits::{DIRECTORY_ENTRIES_MAX, FILE_BYTES_MAX},
};

/// Replaces a file of our own as a whole.
pub(super) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::openat(CWD, parent, flags, Mode::empty())?;
    jail::replace(
        &directory,
        Path::new(name),
        bytes,
        Mode::from_raw_mode(0o600),
    )
}

/// What is in a directory, by name. Links are named, not followed.
pub(super) fn list(jail: &Jail, asked: &str) -> Result<Value, Refusal> {
    let relative = jail.relative(asked).map_err(problem)?;
    let directory = jail.open_directory(&relative).map_err(problem)?;
    let read = rustix::fs::Dir::read_from(&directory).map_err(|error| problem(error.into()))?;
    let mut entries = Vec::new();
    let mut is_cut = false;
    for entry in read.flatten() {
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        if entries.len() == DIRECTORY_ENTRIES_MAX {
            is_cut = true;
            break;
        }
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
        let Ok(stat) = rustix::fs::statat(&directory, name, flags) else {
            continue;
        };
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => "file",
            FileType::Directory => "directory",
            FileType::Symlink => "link",
            _ => "other",
        };
        let name = name.to_string_lossy().into_owned();
        entries.push((name, kind, stat.st_size, stat.st_mtime));
    }
    entries.sort();
    let entries: Vec<Value> = entries
        .into_iter()
        .map(|(name, kind, size, modified)| {
            json!({"name": name, "type": kind, "size": size, "modifiedAt": modified * 1000})
        })
        .collect();
    Ok(json!({"path": relative, "entries": entries, "truncated": is_cut}))
}

pub(super) fn read(jail: &Jail, asked: &str) -> Result<Bytes, Refusal> {
    let relative = jail.relative(asked).map_err(problem)?;
    let bytes = jail.read(&relative, FILE_BYTES_MAX).map_err(problem)?;
    Ok(bytes.into())
}

/// Writes a whole file. One that was there keeps its permissions.
pub(super) fn write(jail: &Jail, asked: &str, bytes: &[u8]) -> Result<Value, Refusal> {
    let relative = jail.relative(asked).map_err(problem)?;
    let mode = jail
        .open_file(&relative)
        .ok()
        .and_then(|file| rustix::fs::fstat(&file).ok())
        .map_or(0o644, |stat| stat.st_mode & 0o777);
    let written = jail.write(&relative, bytes, Mode::from_raw_mode(mode));
    written.map_err(problem)?;
    Ok(json!({"path": relative, "size": bytes.len()}))
}

pub(super) fn problem(escape: Escape) -> Refusal {
    match escape {
        Escape::Outside => Refusal::new(Code::Forbidden, "The path is not below the workspace."),
        Escape::NotFound => Refusal::new(Code::NotFound, "There is no such file or directory."),
        Escape::WrongKind(why) => Refusal::new(
            Code::InvalidRequest,
            format!("The path cannot be used: {why}."),
        ),
        Escape::TooLarge => {
            let why = format!("The file has more than {FILE_BYTES_MAX} bytes.");
            Refusal::new(Code::PayloadTooLarge, why)
        }
        Escape::Io(error) => match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Refusal::new(Code::Forbidden, "This user may not use that path.")
            }
            kind => Refusal::new(Code::Internal, format!("The path cannot be used: {kind}.")),
        },
    }
}
