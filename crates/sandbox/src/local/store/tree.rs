//! Copies directory trees, and hashes them on the way. A tree's digest covers all that a sandbox can see of it
//! but times of directories and links: names, kinds, permissions, owners, contents, links, and what the
//! overlay keeps in attributes. How much of one is walked through is in `bounds`.
//!
//! Trees come from sandboxes. Nothing in them is followed: every name is opened below its own directory,
//! and only if it is what it was seen to be.

use std::{
    collections::HashMap,
    fs::File,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
};

use aws_lc_rs::digest::{Context, SHA256};
use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags, Stat, Timestamps};

use super::{
    bounds::WalkTally,
    content::{self, CHUNK, DigestScheme},
    directory_entry::{ReadableDirectory, attribute_names, open_below, sorted_names},
};
use crate::stop::StopSignal;

/// Directories within one another. Deeper ones cannot be named by most programs.
const DEPTH_MAX: usize = 1024;
/// Bytes of all attributes of one file: some names and short values.
const ATTRIBUTE_BYTES_MAX: usize = 1024 * 1024;

/// What was copied or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeSummary {
    /// Hexadecimal.
    pub(super) digest: String,
    /// As files say, with their holes.
    pub(super) bytes: u64,
    /// What a copy takes.
    pub(super) stored: u64,
    pub(super) entries: u64,
}

/// The owner of the copies, if not the original one.
pub(super) type Owner = Option<u32>;

/// Copies the tree `from` into the new directory `to`.
pub(super) fn copy_tree(
    from: &Path,
    to: &Path,
    owner: Owner,
    stop: &StopSignal,
) -> io::Result<TreeSummary> {
    std::fs::create_dir(to)?;
    walk(
        from,
        Some(to),
        TreeWalker::new(owner, DigestScheme::DataOnly, stop),
    )
}

/// Hashes an existing tree.
pub(super) fn hash_tree(
    tree: &Path,
    scheme: DigestScheme,
    stop: &StopSignal,
) -> io::Result<TreeSummary> {
    walk(tree, None, TreeWalker::new(None, scheme, stop))
}

/// Copies one plain file. The directory above the target must be there.
pub(super) fn copy_file(from: &Path, to: &Path, owner: u32) -> io::Result<()> {
    let source = File::open(from)?;
    let stat = sys::fstat(&source)?;
    let mut walker = TreeWalker::new(Some(owner), DigestScheme::DataOnly, &StopSignal::default());
    let target = File::create_new(to)?;
    walker.copy_content(&source, Some(&target))?;
    walker.apply_metadata(target.as_fd(), &stat)
}

fn walk(from: &Path, to: Option<&Path>, mut walker: TreeWalker) -> io::Result<TreeSummary> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let open = |path: &Path| sys::open(path, flags, Mode::empty());
    let source = open(from)?;
    let target = to.map(open).transpose()?;
    walker.root = target.as_ref().map(OwnedFd::try_clone).transpose()?;
    let stat = sys::fstat(&source)?;
    walker.hash_header(b'd', b"", &stat);
    walker.copy_attributes(source.as_fd(), target.as_ref().map(AsFd::as_fd))?;
    walker.walk_directory(
        source.as_fd(),
        target.as_ref().map(AsFd::as_fd),
        &mut Vec::new(),
        0,
    )?;
    if let Some(target) = &target {
        walker.apply_metadata(target.as_fd(), &stat)?;
    }
    Ok(TreeSummary {
        digest: hex::encode(walker.hash.finish()),
        bytes: walker.tally.bytes,
        stored: walker.tally.stored,
        entries: walker.tally.entries,
    })
}

struct TreeWalker {
    hash: Context,
    scheme: DigestScheme,
    tally: WalkTally,
    owner: Owner,
    /// The target's root, below which links are made.
    root: Option<OwnedFd>,
    /// Where a file with several names was seen first.
    links: HashMap<(u64, u64), Vec<u8>>,
    buffer: Vec<u8>,
}

type Target<'a> = Option<BorrowedFd<'a>>;

impl TreeWalker {
    fn new(owner: Owner, scheme: DigestScheme, stop: &StopSignal) -> Self {
        let mut hash = Context::new(&SHA256);
        if scheme == DigestScheme::DataOnly {
            // What is hashed otherwise has another digest, whatever it is.
            hash.update(b"data");
        }
        Self {
            hash,
            scheme,
            tally: WalkTally::new(stop),
            owner,
            root: None,
            links: HashMap::new(),
            buffer: vec![0; CHUNK],
        }
    }

    fn walk_directory(
        &mut self,
        source: BorrowedFd<'_>,
        target: Target<'_>,
        path: &mut Vec<u8>,
        depth: usize,
    ) -> io::Result<()> {
        if depth > DEPTH_MAX {
            return Err(io::Error::other("directories are too deep"));
        }
        for name in sorted_names(source, |count| self.tally.check_names(count))? {
            let length = path.len();
            if length > 0 {
                path.push(b'/');
            }
            path.extend(&name);
            self.walk_entry(source, target, &name, path, depth)?;
            path.truncate(length);
        }
        Ok(())
    }

    fn walk_entry(
        &mut self,
        source: BorrowedFd<'_>,
        target: Target<'_>,
        name: &[u8],
        path: &mut Vec<u8>,
        depth: usize,
    ) -> io::Result<()> {
        let stat = sys::statat(source, name, AtFlags::SYMLINK_NOFOLLOW)?;
        self.tally.count_entry()?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.walk_file(source, target, name, path, &stat),
            FileType::Directory => {
                self.hash_header(b'd', path, &stat);
                let _opened = ReadableDirectory::new(source, name, &stat)?;
                let source = open_below(source, name, OFlags::DIRECTORY)?;
                let target = match target {
                    Some(target) => {
                        sys::mkdirat(target, name, Mode::RWXU)?;
                        Some(open_below(target, name, OFlags::DIRECTORY)?)
                    }
                    None => None,
                };
                let below = target.as_ref().map(AsFd::as_fd);
                self.copy_attributes(source.as_fd(), below)?;
                self.walk_directory(source.as_fd(), below, path, depth + 1)?;
                below.map_or(Ok(()), |target| self.apply_metadata(target, &stat))
            }
            FileType::Symlink => {
                let to = sys::readlinkat(source, name, Vec::new())?;
                self.hash_header(b'l', path, &stat);
                self.hash_part(to.as_bytes());
                if let Some(target) = target {
                    sys::symlinkat(&to, target, name)?;
                    self.set_owner(target, name, &stat)?;
                }
                Ok(())
            }
            // What the overlay leaves where something was removed; and pipes, which cost nothing to keep.
            kind @ (FileType::CharacterDevice | FileType::Fifo)
                if kind == FileType::Fifo || stat.st_rdev == 0 =>
            {
                let mark = if kind == FileType::Fifo { b'p' } else { b'w' };
                self.hash_header(mark, path, &stat);
                if let Some(target) = target {
                    let mode = Mode::from_raw_mode(stat.st_mode);
                    sys::mknodat(target, name, kind, mode, 0)?;
                    self.set_owner(target, name, &stat)?;
                }
                Ok(())
            }
            // Sockets belong to processes that a snapshot does not have; devices cannot be in a sandbox.
            _ => {
                self.tally.entries -= 1;
                Ok(())
            }
        }
    }

    fn walk_file(
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
                self.hash_header(b'h', path, stat);
                self.hash_part(&first);
                if let (Some(target), Some(root)) = (target, &self.root) {
                    sys::linkat(root, first.as_slice(), target, name, AtFlags::empty())?;
                }
                return Ok(());
            }
            self.tally.count_link(path)?;
            self.links.insert(key, path.to_vec());
        }
        self.hash_header(b'f', path, stat);
        self.hash_part(&stat.st_mtime.to_le_bytes());
        self.hash_part(&stat.st_mtime_nsec.to_le_bytes());
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
        self.copy_attributes(source.as_fd(), target.as_ref().map(AsFd::as_fd))?;
        self.copy_content(&source.into(), target.as_ref())?;
        target.map_or(Ok(()), |target| self.apply_metadata(target.as_fd(), stat))
    }

    /// Reads a file to its end; long runs of zeros become holes in the copy.
    fn copy_content(&mut self, source: &File, target: Option<&File>) -> io::Result<()> {
        let (hash, tally, buffer) = (&mut self.hash, &mut self.tally, &mut self.buffer);
        match self.scheme {
            DigestScheme::EveryByte => content::hash_every_byte(source, hash, tally, buffer),
            DigestScheme::DataOnly => content::hash_data(source, target, hash, tally, buffer),
        }
    }

    /// Hashes kind, name, permissions and owner of an entry.
    fn hash_header(&mut self, kind: u8, path: &[u8], stat: &Stat) {
        self.hash.update(&[kind]);
        self.hash_part(path);
        let (uid, gid) = self.owner_of(stat);
        for number in [stat.st_mode & 0o7777, uid, gid] {
            self.hash.update(&number.to_le_bytes());
        }
    }

    /// Hashes bytes with their length, so that two parts cannot be read as others.
    fn hash_part(&mut self, bytes: &[u8]) {
        self.hash.update(&(bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }

    fn owner_of(&self, stat: &Stat) -> (u32, u32) {
        self.owner.map_or((stat.st_uid, stat.st_gid), |id| (id, id))
    }

    /// Copies and hashes the attributes that mean something in a layer.
    fn copy_attributes(&mut self, source: BorrowedFd<'_>, target: Target<'_>) -> io::Result<()> {
        let (mut kept, mut bytes): (Vec<(Vec<u8>, Vec<u8>)>, _) = (Vec::new(), 0);
        let mut value = vec![0; 64 * 1024];
        for name in attribute_names(source)? {
            let length = sys::fgetxattr(source, name.as_slice(), value.as_mut_slice())?;
            bytes += name.len() + length;
            if bytes > ATTRIBUTE_BYTES_MAX {
                return Err(io::Error::other("a file has too many attributes"));
            }
            kept.push((name, value[..length].to_vec()));
        }
        kept.sort();
        for (name, value) in kept {
            self.hash_part(&name);
            self.hash_part(&value);
            if let Some(target) = target {
                sys::fsetxattr(target, name.as_slice(), &value, sys::XattrFlags::empty())?;
            }
        }
        Ok(())
    }

    /// Sets owner, permissions and time of a copy; last, because writing changes them.
    fn apply_metadata(&self, target: BorrowedFd<'_>, stat: &Stat) -> io::Result<()> {
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

    fn set_owner(&self, target: BorrowedFd<'_>, name: &[u8], stat: &Stat) -> io::Result<()> {
        if !rustix::process::geteuid().is_root() {
            return Ok(());
        }
        let (uid, gid) = self.owner_of(stat);
        let (uid, gid) = (sys::Uid::from_raw(uid), sys::Gid::from_raw(gid));
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        Ok(sys::chownat(target, name, Some(uid), Some(gid), flags)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A digest as it was made when there were no others: of every byte, in the order of names.
    fn earlier(tree: &Path) -> String {
        use std::os::unix::fs::MetadataExt as _;
        let mut bytes = Vec::new();
        let part = |bytes: &mut Vec<u8>, part: &[u8]| {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        for (kind, path) in [(b'd', ""), (b'f', "holes")] {
            let meta = tree.join(path).metadata().unwrap();
            bytes.push(kind);
            part(&mut bytes, path.as_bytes());
            for number in [meta.mode() & 0o7777, meta.uid(), meta.gid()] {
                bytes.extend(number.to_le_bytes());
            }
            if kind == b'f' {
                part(&mut bytes, &meta.mtime().to_le_bytes());
                part(
                    &mut bytes,
                    &(meta.mtime_nsec().unsigned_abs()).to_le_bytes(),
                );
                let content = std::fs::read(tree.join(path)).unwrap();
                bytes.extend(&content);
                bytes.extend((content.len() as u64).to_le_bytes());
            }
        }
        hex::encode(aws_lc_rs::digest::digest(&SHA256, &bytes))
    }

    #[test]
    fn digests_of_earlier_versions_are_still_known_and_those_of_copies_are_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("tree");
        std::fs::create_dir(&tree).unwrap();
        let file = File::create(tree.join("holes")).unwrap();
        file.set_len(1_000_000).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"one", 700_000).unwrap();
        let stop = StopSignal::default();
        let read = hash_tree(&tree, DigestScheme::EveryByte, &stop).unwrap();
        assert_eq!(read.digest, earlier(&tree));
        let known = hash_tree(&tree, DigestScheme::DataOnly, &stop).unwrap();
        assert_ne!(known.digest, read.digest);
        assert_eq!((known.bytes, known.stored), (1_000_000, CHUNK as u64));
        let copied = copy_tree(&tree, &dir.path().join("copy"), None, &stop).unwrap();
        assert_eq!(copied, known);
        let again = hash_tree(&dir.path().join("copy"), DigestScheme::DataOnly, &stop).unwrap();
        assert_eq!(again, known);
    }

    #[test]
    fn a_walk_stops_when_its_signal_says_so() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("tree/a/b")).unwrap();
        let stop = StopSignal::default();
        stop.stop();
        let stopped =
            hash_tree(&dir.path().join("tree"), DigestScheme::DataOnly, &stop).unwrap_err();
        assert_eq!(stopped.to_string(), "it was stopped");
    }
}
