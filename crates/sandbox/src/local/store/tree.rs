//! Directory trees: copied, and hashed on the way. A tree's digest covers all that a sandbox can see of it
//! but times of directories and links: names, kinds, permissions, owners, contents, links, and what the
//! overlay keeps in attributes.
//!
//! Trees come from sandboxes. Nothing in them is followed: every name is opened below its own directory,
//! and only if it is what it was seen to be.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
};

use aws_lc_rs::digest::{Context, SHA256};
use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags, Stat, Timestamps};

use super::entry::{Opened, attribute_names, names, open_below};

/// Directories within one another. Deeper ones cannot be named by most programs.
const DEPTH_MAX: usize = 1024;
const CHUNK: usize = 128 * 1024;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// What was copied or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Summary {
    /// Hexadecimal.
    pub(super) digest: String,
    pub(super) bytes: u64,
    pub(super) entries: u64,
}

/// Who owns what is copied, if not whoever owned it.
pub(super) type Owner = Option<u32>;

/// Copies the tree `from` into the new directory `to`.
pub(super) fn copy(from: &Path, to: &Path, owner: Owner) -> io::Result<Summary> {
    std::fs::create_dir(to)?;
    walk(from, Some(to), owner)
}

/// Reads a tree that is there.
pub(super) fn digest(tree: &Path) -> io::Result<Summary> {
    walk(tree, None, None)
}

/// Copies one plain file. The directory above the target must be there.
pub(super) fn copy_file(from: &Path, to: &Path, owner: u32) -> io::Result<()> {
    let source = File::open(from)?;
    let stat = sys::fstat(&source)?;
    let mut walker = Walker::new(None, Some(owner));
    let target = File::create_new(to)?;
    walker.content(source, Some(&target))?;
    walker.dress(target.as_fd(), &stat)
}

fn walk(from: &Path, to: Option<&Path>, owner: Owner) -> io::Result<Summary> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let open = |path: &Path| sys::open(path, flags, Mode::empty());
    let source = open(from)?;
    let target = to.map(open).transpose()?;
    let root = target.as_ref().map(OwnedFd::try_clone).transpose()?;
    let mut walker = Walker::new(root, owner);
    let stat = sys::fstat(&source)?;
    walker.header(b'd', b"", &stat);
    walker.attributes(source.as_fd(), target.as_ref().map(AsFd::as_fd))?;
    walker.directory(
        source.as_fd(),
        target.as_ref().map(AsFd::as_fd),
        &mut Vec::new(),
        0,
    )?;
    if let Some(target) = &target {
        walker.dress(target.as_fd(), &stat)?;
    }
    Ok(Summary {
        digest: hex::encode(walker.hash.finish()),
        bytes: walker.bytes,
        entries: walker.entries,
    })
}

struct Walker {
    hash: Context,
    bytes: u64,
    entries: u64,
    owner: Owner,
    /// The target's root, below which links are made.
    root: Option<OwnedFd>,
    /// Where a file with several names was seen first.
    links: HashMap<(u64, u64), Vec<u8>>,
    buffer: Vec<u8>,
}

type Target<'a> = Option<BorrowedFd<'a>>;

impl Walker {
    fn new(root: Option<OwnedFd>, owner: Owner) -> Self {
        Self {
            hash: Context::new(&SHA256),
            bytes: 0,
            entries: 0,
            owner,
            root,
            links: HashMap::new(),
            buffer: vec![0; CHUNK],
        }
    }

    fn directory(
        &mut self,
        source: BorrowedFd<'_>,
        target: Target<'_>,
        path: &mut Vec<u8>,
        depth: usize,
    ) -> io::Result<()> {
        if depth > DEPTH_MAX {
            return Err(io::Error::other("directories are too deep"));
        }
        for name in names(source)? {
            let length = path.len();
            if length > 0 {
                path.push(b'/');
            }
            path.extend(&name);
            self.entry(source, target, &name, path, depth)?;
            path.truncate(length);
        }
        Ok(())
    }

    fn entry(
        &mut self,
        source: BorrowedFd<'_>,
        target: Target<'_>,
        name: &[u8],
        path: &mut Vec<u8>,
        depth: usize,
    ) -> io::Result<()> {
        let stat = sys::statat(source, name, AtFlags::SYMLINK_NOFOLLOW)?;
        self.entries += 1;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.file(source, target, name, path, &stat),
            FileType::Directory => {
                self.header(b'd', path, &stat);
                let _opened = Opened::new(source, name, &stat)?;
                let source = open_below(source, name, OFlags::DIRECTORY)?;
                let target = match target {
                    Some(target) => {
                        sys::mkdirat(target, name, Mode::RWXU)?;
                        Some(open_below(target, name, OFlags::DIRECTORY)?)
                    }
                    None => None,
                };
                let below = target.as_ref().map(AsFd::as_fd);
                self.attributes(source.as_fd(), below)?;
                self.directory(source.as_fd(), below, path, depth + 1)?;
                below.map_or(Ok(()), |target| self.dress(target, &stat))
            }
            FileType::Symlink => {
                let to = sys::readlinkat(source, name, Vec::new())?;
                self.header(b'l', path, &stat);
                self.part(to.as_bytes());
                if let Some(target) = target {
                    sys::symlinkat(&to, target, name)?;
                    self.own(target, name, &stat)?;
                }
                Ok(())
            }
            // What the overlay leaves where something was removed; and pipes, which cost nothing to keep.
            kind @ (FileType::CharacterDevice | FileType::Fifo)
                if kind == FileType::Fifo || stat.st_rdev == 0 =>
            {
                let mark = if kind == FileType::Fifo { b'p' } else { b'w' };
                self.header(mark, path, &stat);
                if let Some(target) = target {
                    let mode = Mode::from_raw_mode(stat.st_mode);
                    sys::mknodat(target, name, kind, mode, 0)?;
                    self.own(target, name, &stat)?;
                }
                Ok(())
            }
            // Sockets belong to processes that a snapshot does not have; devices cannot be in a sandbox.
            _ => {
                self.entries -= 1;
                Ok(())
            }
        }
    }

    fn file(
        &mut self,
        source: BorrowedFd<'_>,
        target: Target<'_>,
        name: &[u8],
        path: &[u8],
        stat: &Stat,
    ) -> io::Result<()> {
        if stat.st_nlink > 1 {
            let key = (stat.st_dev, stat.st_ino);
            if let Some(first) = self.links.get(&key).cloned() {
                self.header(b'h', path, stat);
                self.part(&first);
                if let (Some(target), Some(root)) = (target, &self.root) {
                    sys::linkat(root, first.as_slice(), target, name, AtFlags::empty())?;
                }
                return Ok(());
            }
            self.links.insert(key, path.to_vec());
        }
        self.header(b'f', path, stat);
        self.part(&stat.st_mtime.to_le_bytes());
        self.part(&stat.st_mtime_nsec.to_le_bytes());
        let source = open_below(source, name, OFlags::NONBLOCK)?;
        let target = match target {
            Some(target) => {
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                Some(File::from(sys::openat(
                    target,
                    name,
                    flags,
                    Mode::RUSR | Mode::WUSR,
                )?))
            }
            None => None,
        };
        self.attributes(source.as_fd(), target.as_ref().map(AsFd::as_fd))?;
        self.content(source.into(), target.as_ref())?;
        target.map_or(Ok(()), |target| self.dress(target.as_fd(), stat))
    }

    /// Reads a file to its end; long runs of zeros become holes in the copy.
    fn content(&mut self, mut source: File, target: Option<&File>) -> io::Result<()> {
        let mut size = 0_u64;
        loop {
            let read = source.read(&mut self.buffer)?;
            if read == 0 {
                break;
            }
            let chunk = &self.buffer[..read];
            self.hash.update(chunk);
            size += read as u64;
            if let Some(mut target) = target {
                if *chunk == ZEROS[..read] {
                    target.seek(SeekFrom::Current(i64::try_from(read).unwrap_or(0)))?;
                } else {
                    target.write_all(chunk)?;
                }
            }
        }
        self.hash.update(&size.to_le_bytes());
        self.bytes += size;
        target.map_or(Ok(()), |target| target.set_len(size))
    }

    /// Kind, name, permissions and owner of an entry.
    fn header(&mut self, kind: u8, path: &[u8], stat: &Stat) {
        self.hash.update(&[kind]);
        self.part(path);
        let (uid, gid) = self.owner_of(stat);
        for number in [stat.st_mode & 0o7777, uid, gid] {
            self.hash.update(&number.to_le_bytes());
        }
    }

    /// With its length, so that two parts cannot be read as others.
    fn part(&mut self, bytes: &[u8]) {
        self.hash.update(&(bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }

    fn owner_of(&self, stat: &Stat) -> (u32, u32) {
        self.owner.map_or((stat.st_uid, stat.st_gid), |id| (id, id))
    }

    /// Attributes that mean something in a layer.
    fn attributes(&mut self, source: BorrowedFd<'_>, target: Target<'_>) -> io::Result<()> {
        let mut kept: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for name in attribute_names(source)? {
            let mut value = vec![0; 64 * 1024];
            let length = sys::fgetxattr(source, name.as_slice(), value.as_mut_slice())?;
            value.truncate(length);
            kept.push((name, value));
        }
        kept.sort();
        for (name, value) in kept {
            self.part(&name);
            self.part(&value);
            if let Some(target) = target {
                sys::fsetxattr(target, name.as_slice(), &value, sys::XattrFlags::empty())?;
            }
        }
        Ok(())
    }

    /// Owner, permissions and time of something that was copied; last, because writing changes them.
    fn dress(&self, target: BorrowedFd<'_>, stat: &Stat) -> io::Result<()> {
        let (uid, gid) = self.owner_of(stat);
        if rustix::process::geteuid().is_root() {
            let (uid, gid) = (sys::Uid::from_raw(uid), sys::Gid::from_raw(gid));
            sys::fchown(target, Some(uid), Some(gid))?;
        }
        sys::fchmod(target, Mode::from_raw_mode(stat.st_mode & 0o7777))?;
        let at = |sec, nsec: u64| sys::Timespec {
            tv_sec: sec,
            tv_nsec: i64::try_from(nsec).unwrap_or(0),
        };
        let times = Timestamps {
            last_access: at(stat.st_mtime, stat.st_mtime_nsec),
            last_modification: at(stat.st_mtime, stat.st_mtime_nsec),
        };
        Ok(sys::futimens(target, &times)?)
    }

    fn own(&self, target: BorrowedFd<'_>, name: &[u8], stat: &Stat) -> io::Result<()> {
        if !rustix::process::geteuid().is_root() {
            return Ok(());
        }
        let (uid, gid) = self.owner_of(stat);
        let (uid, gid) = (sys::Uid::from_raw(uid), sys::Gid::from_raw(gid));
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        Ok(sys::chownat(target, name, Some(uid), Some(gid), flags)?)
    }
}
