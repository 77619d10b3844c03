//! Opens the entries of a directory tree below their own directory and never through a link.

use std::{
    io,
    os::fd::{BorrowedFd, OwnedFd},
};

use rustix::{
    fs::{self as sys, AtFlags, FileType, Mode, OFlags, RawDir, Stat},
    io::Errno,
};

/// Makes a directory that its owner closed readable while it is walked. Root needs no such permission.
pub(super) struct ReadableDirectory<'a> {
    parent: BorrowedFd<'a>,
    name: &'a [u8],
    mode: Option<Mode>,
}

impl<'a> ReadableDirectory<'a> {
    pub(super) fn new(parent: BorrowedFd<'a>, name: &'a [u8], stat: &Stat) -> io::Result<Self> {
        let closed = stat.st_mode & 0o500 != 0o500 && !rustix::process::geteuid().is_root();
        let mode = closed.then(|| Mode::from_raw_mode(stat.st_mode & 0o7777));
        if let Some(mode) = mode {
            sys::chmodat(parent, name, mode | Mode::RWXU, AtFlags::empty())?;
        }
        Ok(Self { parent, name, mode })
    }
}

impl Drop for ReadableDirectory<'_> {
    fn drop(&mut self) {
        if let Some(mode) = self.mode {
            let _ = sys::chmodat(self.parent, self.name, mode, AtFlags::empty());
        }
    }
}

/// Lists the attributes that mean something in a layer.
pub(super) fn attribute_names(source: BorrowedFd<'_>) -> io::Result<Vec<Vec<u8>>> {
    let mut names = vec![0; 64 * 1024];
    let length = match sys::flistxattr(source, names.as_mut_slice()) {
        Err(Errno::OPNOTSUPP) => 0,
        other => other?,
    };
    let names = names[..length].split(|b| *b == 0);
    Ok(names
        .filter(|name| is_kept(name))
        .map(<[u8]>::to_vec)
        .collect())
}

/// Marks of the overlay that a layer needs, and attributes that users set. The overlay's other marks are
/// about the mount they were made in.
fn is_kept(name: &[u8]) -> bool {
    match name {
        b"trusted.overlay.opaque" | b"user.overlay.opaque" => true,
        _ => name.starts_with(b"user.") && !name.starts_with(b"user.overlay."),
    }
}

pub(super) fn open_below(dir: BorrowedFd<'_>, name: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match sys::openat(dir, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {}
        other => return Ok(other?),
    }
    // Without root's rights a file that its owner closed is opened for a moment. It is ours, and everything
    // that could notice stands still.
    let stat = sys::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
        return Err(Errno::LOOP.into());
    }
    let mode = Mode::from_raw_mode(stat.st_mode & 0o7777);
    sys::chmodat(dir, name, mode | Mode::RUSR | Mode::XUSR, AtFlags::empty())?;
    let opened = sys::openat(dir, name, flags, Mode::empty());
    sys::chmodat(dir, name, mode, AtFlags::empty())?;
    Ok(opened?)
}

/// Lists the names in a directory, sorted. Their number is bounded as they are read.
pub(super) fn sorted_names(
    dir: BorrowedFd<'_>,
    check_count: impl Fn(usize) -> io::Result<()>,
) -> io::Result<Vec<Vec<u8>>> {
    let fresh = open_below(dir, b".", OFlags::DIRECTORY)?;
    let mut buffer = Vec::with_capacity(32 * 1024);
    let mut found = Vec::new();
    let mut entries = RawDir::new(&fresh, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let name = entry?.file_name().to_bytes().to_vec();
        if !matches!(name.as_slice(), b"." | b"..") {
            found.push(name);
            check_count(found.len())?;
        }
    }
    found.sort();
    Ok(found)
}
