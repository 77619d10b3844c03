//! Files on their way into a sandbox, and what a directory in one holds.

use std::fmt;

use bytes::Bytes;

use crate::HomePath;

/// A file to be written. Directories above it are made.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    pub path: HomePath,
    pub bytes: Bytes,
    /// Permission bits.
    pub mode: u32,
}

impl File {
    pub fn new(path: HomePath, bytes: impl Into<Bytes>) -> Self {
        Self {
            path,
            bytes: bytes.into(),
            mode: 0o644,
        }
    }
}

/// Without the content, which may be secret.
impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.bytes.len();
        write!(f, "File({} {:o} {size} bytes)", self.path, self.mode)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    /// A symbolic link, which is never followed.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
    pub size: u64,
}
