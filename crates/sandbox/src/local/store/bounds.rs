//! Bounds of a walk through a sandbox's home directory: files, apparent bytes, data. The sandbox is frozen meanwhile, and its
//! programs decide what is there. The caller can stop a walk.

use std::{fmt, io};

use domain::limits::{
    SANDBOX_TREE_BYTES_MAX, SANDBOX_TREE_DATA_BYTES_MAX, SANDBOX_TREE_ENTRIES_MAX,
    SANDBOX_TREE_LINK_BYTES_MAX,
};

use crate::stop::StopSignal;

/// The bound that a tree exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExceededBound {
    Entries,
    Bytes,
    Data,
    Links,
}

impl fmt::Display for ExceededBound {
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

impl std::error::Error for ExceededBound {}

fn bound_error(exceeded: ExceededBound) -> io::Error {
    io::Error::other(exceeded)
}

/// Returns the bound that an error is about, if it is about one.
pub(super) fn exceeded_bound(error: &io::Error) -> Option<ExceededBound> {
    error.get_ref()?.downcast_ref().copied()
}

/// Counts what was walked through so far.
#[derive(Debug, Default)]
pub(super) struct WalkTally {
    pub(super) entries: u64,
    /// As files say, with their holes.
    pub(super) bytes: u64,
    /// What a copy takes.
    pub(super) stored: u64,
    /// What was read.
    data: u64,
    links: u64,
    stop: StopSignal,
}

impl WalkTally {
    pub(super) fn new(stop: &StopSignal) -> Self {
        Self {
            stop: stop.clone(),
            ..Self::default()
        }
    }

    pub(super) fn count_entry(&mut self) -> io::Result<()> {
        self.entries += 1;
        self.check(
            self.entries,
            SANDBOX_TREE_ENTRIES_MAX,
            ExceededBound::Entries,
        )
    }

    /// Checks the number of names that are held at once, before they are entries.
    pub(super) fn check_names(&self, count: usize) -> io::Result<()> {
        let count = self.entries + count as u64;
        self.check(count, SANDBOX_TREE_ENTRIES_MAX, ExceededBound::Entries)
    }

    pub(super) fn count_file(&mut self, size: u64) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(size);
        self.check(self.bytes, SANDBOX_TREE_BYTES_MAX, ExceededBound::Bytes)
    }

    pub(super) fn count_read(&mut self, bytes: usize) -> io::Result<()> {
        self.data += bytes as u64;
        self.check(self.data, SANDBOX_TREE_DATA_BYTES_MAX, ExceededBound::Data)
    }

    pub(super) fn check_stopped(&self) -> io::Result<()> {
        self.stop.check()
    }

    pub(super) fn count_link(&mut self, path: &[u8]) -> io::Result<()> {
        self.links += path.len() as u64;
        self.check(
            self.links,
            SANDBOX_TREE_LINK_BYTES_MAX,
            ExceededBound::Links,
        )
    }

    fn check(&self, count: u64, max: u64, why: ExceededBound) -> io::Result<()> {
        self.stop.check()?;
        if count > max {
            return Err(bound_error(why));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_has_a_sentence_that_says_what_to_do() {
        let mut tally = WalkTally::default();
        assert!(tally.count_file(SANDBOX_TREE_BYTES_MAX).is_ok());
        for (error, expected) in [
            (
                tally.count_file(1),
                "1099511627776 bytes in its files, holes included",
            ),
            (
                tally.check_names(10_000_000),
                "2000000 files and directories",
            ),
            (
                WalkTally::default().count_read(usize::MAX / 2),
                "34359738368 bytes in its files; remove",
            ),
            (
                WalkTally::default().count_link(&vec![0; 64 * 1024 * 1024 + 1]),
                "67108864 bytes in the paths of files with several names",
            ),
        ] {
            let error = error.unwrap_err();
            assert!(exceeded_bound(&error).is_some());
            let text = error.to_string();
            assert!(
                text.contains(expected) && text.contains("try again"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_caller_can_stop_it() {
        let stop = StopSignal::default();
        let mut tally = WalkTally::new(&stop);
        assert!(tally.count_entry().is_ok());
        stop.stop();
        let error = tally.count_read(1).unwrap_err();
        assert_eq!(error.to_string(), "it was stopped");
        assert_eq!(exceeded_bound(&error), None);
    }
}
