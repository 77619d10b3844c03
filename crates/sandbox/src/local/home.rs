//! Reads and writes the files of a sandbox from outside.
//!
//! INVARIANT: no name is resolved by following a link, leaving the home directory or crossing a mount: the
//! kernel is told so with every name (`openat2`), and a sandbox that changes things meanwhile changes nothing
//! about that. What is opened is read only if it is a plain file.

use std::{
    ffi::OsStr,
    fs::File as OsFile,
    io::{self, Read as _, Write as _},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use domain::limits::{SANDBOX_LIST_ENTRIES_MAX, SANDBOX_READ_BYTES_MAX};
use rustix::{
    fs::{self as sys, AtFlags, FileType, Mode, OFlags, RawDir, ResolveFlags},
    io::Errno,
};

use crate::{Entry, EntryKind, Error, File, HOME, HomePath, Result, pid::ProcessIdentity};

/// The home directory of a sandbox that runs.
pub(super) struct SandboxHome {
    root: OwnedFd,
    /// The owner of what is written, where this process may change owners.
    owner: Option<u32>,
}

impl SandboxHome {
    pub(super) fn open(init: ProcessIdentity, owner: Option<u32>) -> Result<Self> {
        let path = format!("/proc/{}/root{HOME}", init.pid);
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = sys::open(path, flags, Mode::empty()).map_err(|_| Error::Gone)?;
        // Another process may have got the number before we opened it.
        if init.is_alive() == Some(false) {
            return Err(Error::Gone);
        }
        Ok(Self { root, owner })
    }

    pub(super) fn check_directory(&self, path: &HomePath) -> Result<()> {
        self.resolve(path, OFlags::PATH | OFlags::DIRECTORY)
            .map(drop)
    }

    fn resolve(&self, path: &HomePath, flags: OFlags) -> Result<OwnedFd> {
        open_below(self.root.as_fd(), path.relative(), flags)
            .map_err(|errno| path_error(path, errno))
    }

    pub(super) fn read(&self, path: &HomePath) -> Result<Bytes> {
        // Without waiting for a writer of a pipe.
        let fd = self.resolve(path, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let file = OsFile::from(fd);
        let failed = |error: io::Error| Error::failed("reading a file", error);
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(Error::invalid(format!("{path} is not a plain file")));
        }
        let mut bytes = Vec::new();
        let mut limited = file.take(SANDBOX_READ_BYTES_MAX + 1);
        limited.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > SANDBOX_READ_BYTES_MAX {
            return Err(Error::TooLarge {
                what: "the file",
                max: SANDBOX_READ_BYTES_MAX,
            });
        }
        Ok(bytes.into())
    }

    pub(super) fn list(&self, path: &HomePath) -> Result<Vec<Entry>> {
        let dir = self.resolve(path, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let failed = |error: Errno| Error::failed("reading a directory", error);
        let mut entries = Vec::new();
        for name in names(dir.as_fd(), SANDBOX_LIST_ENTRIES_MAX).map_err(failed)? {
            let Ok(stat) = sys::statat(&dir, name.as_slice(), AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            let kind = match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => EntryKind::File,
                FileType::Directory => EntryKind::Directory,
                FileType::Symlink => EntryKind::Link,
                _ => EntryKind::Other,
            };
            entries.push(Entry {
                name: String::from_utf8_lossy(&name).into_owned(),
                kind,
                size: u64::try_from(stat.st_size).unwrap_or(0),
            });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Writes a file whole or not at all: under another name first.
    pub(super) fn write(&self, file: &File) -> Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let path = &file.path;
        let wrong = || Error::invalid(format!("{path} is not a name for a file"));
        let name = path.relative().file_name().ok_or_else(wrong)?;
        let parent = path.relative().parent().unwrap_or(Path::new(""));
        let dir = self
            .make_directories(parent)
            .map_err(|errno| path_error(path, errno))?;
        // Several may be written at once.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let scratch = format!(".proliferate-{}-{number}.new", std::process::id());
        let written = self.write_new(dir.as_fd(), &scratch, file);
        let placed = written.and_then(|()| Ok(sys::renameat(&dir, &scratch, &dir, name)?));
        placed.map_err(|error| {
            let _ = sys::unlinkat(&dir, &scratch, AtFlags::empty());
            match error.raw_os_error() {
                Some(libc::EISDIR) => wrong(),
                _ => Error::failed("writing a file", error),
            }
        })
    }

    fn write_new(&self, dir: BorrowedFd<'_>, name: &str, file: &File) -> io::Result<()> {
        let _ = sys::unlinkat(dir, name, AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let fd = sys::openat(dir, name, flags | OFlags::NOFOLLOW, Mode::RUSR | Mode::WUSR)?;
        let mut new = OsFile::from(fd);
        new.write_all(&file.bytes)?;
        self.set_owner(new.as_fd())?;
        // After the owner: a change of owner takes bits away.
        sys::fchmod(&new, Mode::from_raw_mode(file.mode & 0o777))?;
        Ok(())
    }

    fn make_directories(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        let mut dir = open_below(self.root.as_fd(), Path::new("."), flags)?;
        for part in path {
            let next = match open_below(dir.as_fd(), Path::new(part), flags) {
                Err(Errno::NOENT) => {
                    match sys::mkdirat(&dir, part, Mode::from_raw_mode(0o755)) {
                        Ok(()) | Err(Errno::EXIST) => {}
                        Err(errno) => return Err(errno),
                    }
                    let made = open_below(
                        dir.as_fd(),
                        Path::new(part),
                        OFlags::RDONLY | OFlags::DIRECTORY,
                    )?;
                    self.set_owner(made.as_fd())?;
                    made
                }
                other => other?,
            };
            dir = next;
        }
        Ok(dir)
    }

    fn set_owner(&self, to: BorrowedFd<'_>) -> rustix::io::Result<()> {
        let Some(owner) = self.owner else {
            return Ok(());
        };
        let (uid, gid) = (sys::Uid::from_raw(owner), sys::Gid::from_raw(owner));
        sys::fchown(to, Some(uid), Some(gid))
    }

    pub(super) fn remove(&self, path: &HomePath) -> Result<()> {
        let parent = path.relative().parent();
        let (Some(parent), Some(name)) = (parent, path.relative().file_name()) else {
            return Err(Error::invalid("the home directory stays"));
        };
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        let removed = open_below(
            self.root.as_fd(),
            parent,
            OFlags::RDONLY | OFlags::DIRECTORY,
        )
        .and_then(|dir| remove_tree(dir.as_fd(), name.as_encoded_bytes(), 0));
        match removed {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(path_error(path, errno)),
        }
    }
}

fn path_error(path: &HomePath, errno: Errno) -> Error {
    match errno {
        Errno::NOENT => Error::NotFound {
            what: path.to_string(),
        },
        Errno::LOOP | Errno::XDEV => Error::invalid(format!("there is a link in {path}")),
        Errno::NOTDIR => Error::invalid(format!("{path} is not a directory, or in none")),
        // What cannot be opened: a socket, a pipe without a reader.
        Errno::NXIO => Error::invalid(format!("{path} is not a plain file")),
        other => Error::failed("opening a file", other),
    }
}

/// Opens a path below the directory without following links.
fn open_below(dir: BorrowedFd<'_>, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() {
        OsStr::new(".")
    } else {
        path.as_os_str()
    };
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The kernel asks to try again when directories were moved meanwhile.
    let mut left = 16;
    loop {
        match sys::openat2(dir, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) if left > 0 => left -= 1,
            other => return other,
        }
    }
}

fn names(dir: BorrowedFd<'_>, max: usize) -> rustix::io::Result<Vec<Vec<u8>>> {
    let mut buffer = Vec::with_capacity(32 * 1024);
    let mut entries = RawDir::new(dir, buffer.spare_capacity_mut());
    let mut found = Vec::new();
    while let Some(entry) = entries.next() {
        let name = entry?.file_name().to_bytes().to_vec();
        if !matches!(name.as_slice(), b"." | b"..") {
            found.push(name);
        }
        if found.len() == max {
            break;
        }
    }
    Ok(found)
}

/// Removes an entry with everything below.
fn remove_tree(dir: BorrowedFd<'_>, name: &[u8], depth: usize) -> rustix::io::Result<()> {
    match sys::unlinkat(dir, name, AtFlags::empty()) {
        Err(Errno::ISDIR) if depth < 512 => {}
        other => return other,
    }
    let inner = open_below(
        dir,
        Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)),
        OFlags::RDONLY | OFlags::DIRECTORY,
    )?;
    for name in names(inner.as_fd(), usize::MAX)? {
        remove_tree(inner.as_fd(), &name, depth + 1)?;
    }
    sys::unlinkat(dir, name, AtFlags::REMOVEDIR)
}
