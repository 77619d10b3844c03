//! Bounds of a walk through a sandbox's home directory: files, apparent bytes, data. The sandbox is frozen meanwhile, and its
//! programs decide what is there. The caller can stop a walk.

use std::{fmt, io};

use domain::limits::{
    SANDBOX_TREE_BYTES_MAX, SANDBOX_TREE_DATA_BYTES_MAX, SANDBOX_TREE_ENTRIES_MAX,
    SANDBOX_TREE_LINK_BYTES_MAX,
};

use crate::stop::Stop;

/// Why a tree is not walked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Entries,
    Bytes,
    Data,
    Links,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, max) = match self {
            Self::Entries => ("files and directories", SANDBOX_TREE_ENTRIES_MAX),
            Self::Bytes => ("bytes in its files, holes included", SANDBOX_TREE_BYTES_MAX),
            Self::Data => ("bytes in its files", SANDBOX_TREE_DATA_BYTES_MAX),
            Self::Links => (
                "bytes in the paths of files with several names",
                SANDBOX_TREE_LINK_BYTES_MAX,
            ),
        };
        write!(
            f,
            "the home directory has more than {max} {what}; remove what is not needed and try again"
        )
    }
}

impl std::error::Error for Refusal {}

fn refused(refusal: Refusal) -> io::Error {
    io::Error::other(refusal)
}

/// Why, if it was for one of these reasons.
pub(super) fn refusal(error: &io::Error) -> Option<Refusal> {
    error.get_ref()?.downcast_ref().copied()
}

/// What was walked through so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) entries: u64,
    /// As files say, with their holes.
    pub(super) bytes: u64,
    /// What a copy takes.
    pub(super) stored: u64,
    /// What was read.
    data: u64,
    links: u64,
    stop: Stop,
}

impl Tally {
    pub(super) fn new(stop: &Stop) -> Self {
        Self {
            stop: stop.clone(),
            ..Self::default()
        }
    }

    pub(super) fn entry(&mut self) -> io::Result<()> {
        self.entries += 1;
        self.bound(self.entries, SANDBOX_TREE_ENTRIES_MAX, Refusal::Entries)
    }

    /// Names that are held at once, before they are entries.
    pub(super) fn names(&self, count: usize) -> io::Result<()> {
        let count = self.entries + count as u64;
        self.bound(count, SANDBOX_TREE_ENTRIES_MAX, Refusal::Entries)
    }

    pub(super) fn file(&mut self, size: u64) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(size);
        self.bound(self.bytes, SANDBOX_TREE_BYTES_MAX, Refusal::Bytes)
    }

    pub(super) fn read(&mut self, bytes: usize) -> io::Result<()> {
        self.data += bytes as u64;
        self.bound(self.data, SANDBOX_TREE_DATA_BYTES_MAX, Refusal::Data)
    }

    pub(super) fn goes_on(&self) -> io::Result<()> {
        self.stop.check()
    }

    pub(super) fn link(&mut self, path: &[u8]) -> io::Result<()> {
        self.links += path.len() as u64;
        self.bound(self.links, SANDBOX_TREE_LINK_BYTES_MAX, Refusal::Links)
    }

    fn bound(&self, count: u64, max: u64, why: Refusal) -> io::Result<()> {
        self.stop.check()?;
        if count > max {
            return Err(refused(why));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_has_a_sentence_that_says_what_to_do() {
        let mut tally = Tally::default();
        assert!(tally.file(SANDBOX_TREE_BYTES_MAX).is_ok());
        for (error, expected) in [
            (
                tally.file(1),
                "1099511627776 bytes in its files, holes included",
            ),
            (tally.names(10_000_000), "2000000 files and directories"),
            (
                Tally::default().read(usize::MAX / 2),
                "34359738368 bytes in its files; remove",
            ),
            (
                Tally::default().link(&vec![0; 64 * 1024 * 1024 + 1]),
                "67108864 bytes in the paths of files with several names",
            ),
        ] {
            let error = error.unwrap_err();
            assert!(refusal(&error).is_some());
            let text = error.to_string();
            assert!(
                text.contains(expected) && text.contains("try again"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_caller_can_stop_it() {
        let stop = Stop::default();
        let mut tally = Tally::new(&stop);
        assert!(tally.entry().is_ok());
        stop.stop();
        let error = tally.read(1).unwrap_err();
        assert_eq!(error.to_string(), "it was stopped");
        assert_eq!(refusal(&error), None);
    }
}
