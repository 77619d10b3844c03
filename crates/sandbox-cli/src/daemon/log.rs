//! Logs of services: written by the service's keeper, in two files of bounded size, and read from the
//! end by the daemon.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek as _, SeekFrom, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, RenameFlags};

/// The path of the older file.
fn older_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    name.into()
}

/// Writes a log and rotates it when it is full.
///
/// INVARIANT: the two files together have at most twice the bound.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: File,
    size: u64,
    bytes_max: u64,
}

impl LogWriter {
    pub(crate) fn open(path: &Path, bytes_max: u64) -> io::Result<Self> {
        let file = append(path)?;
        let size = file.metadata()?.len();
        Ok(Self {
            path: path.to_owned(),
            file,
            size,
            bytes_max,
        })
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.size >= self.bytes_max {
                self.file = rotate(&self.path)?;
                self.size = 0;
            }
            let room = usize::try_from(self.bytes_max - self.size).unwrap_or(usize::MAX);
            let (now, later) = bytes.split_at(bytes.len().min(room));
            self.file.write_all(now)?;
            self.size += u64::try_from(now.len()).unwrap_or(u64::MAX);
            bytes = later;
        }
        Ok(())
    }

    /// Copies the source to its end. What cannot be written is dropped: a full disk must not stop
    /// the service.
    pub(crate) fn pump(&mut self, mut source: impl Read) {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => drop(self.write(&buffer[..count])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }
}

/// Renames a full file and begins an empty one. The two change places in one step, so that a reader
/// finds a log at any moment; a file system that cannot do that leaves a moment without one.
fn rotate(path: &Path) -> io::Result<File> {
    let mut next = path.as_os_str().to_owned();
    next.push(".next");
    let next = Path::new(&next);
    let file = append(next)?;
    let exchanged = rustix::fs::renameat_with(CWD, next, CWD, path, RenameFlags::EXCHANGE);
    if exchanged.is_ok() {
        fs::rename(next, older_path(path))?;
    } else {
        fs::rename(path, older_path(path))?;
        fs::rename(next, path)?;
    }
    Ok(file)
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
}

/// The end of a log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogTail {
    pub(crate) bytes: Vec<u8>,
    /// Whether there is more in front of it, or was.
    pub(crate) is_cut: bool,
}

/// Reads on from the end of a log.
#[derive(Debug)]
pub(crate) struct LogReader {
    path: PathBuf,
    file: File,
}

impl LogReader {
    /// The end of the log, and a reader of what comes after it.
    pub(crate) fn open(path: &Path, bytes: u64) -> io::Result<(LogTail, Self)> {
        let (mut file, older) = open_both(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(bytes)))?;
        let mut end = Vec::new();
        Read::by_ref(&mut file).take(bytes).read_to_end(&mut end)?;
        let missing = bytes.saturating_sub(size);
        let before = match older {
            Some(file) if missing > 0 => read_last(file, missing)?,
            Some(_) => LogTail {
                bytes: Vec::new(),
                is_cut: true,
            },
            None => LogTail {
                bytes: Vec::new(),
                is_cut: size > bytes,
            },
        };
        let bytes = [before.bytes, end].concat();
        let reader = Self {
            path: path.to_owned(),
            file,
        };
        Ok((
            LogTail {
                bytes,
                is_cut: before.is_cut,
            },
            reader,
        ))
    }

    /// Reads what was written since, at most so much; also returns whether something was lost because the log was rotated
    /// twice.
    pub(crate) fn read_more(&mut self, bytes_max: usize) -> io::Result<(Vec<u8>, bool)> {
        let limit = u64::try_from(bytes_max).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        Read::by_ref(&mut self.file)
            .take(limit)
            .read_to_end(&mut bytes)?;
        if !bytes.is_empty() {
            return Ok((bytes, false));
        }
        let Ok(now) = fs::metadata(&self.path) else {
            return Ok((bytes, false));
        };
        let mine = self.file.metadata()?;
        if now.ino() == mine.ino() && now.dev() == mine.dev() {
            return Ok((bytes, false));
        }
        // Put aside: once more to its end, because that may have come after the look above.
        Read::by_ref(&mut self.file)
            .take(limit)
            .read_to_end(&mut bytes)?;
        if !bytes.is_empty() {
            return Ok((bytes, false));
        }
        let is_gone = self.file.metadata()?.nlink() == 0;
        self.file = File::open(&self.path)?;
        Ok((bytes, is_gone))
    }
}

/// Both files of a log as they were at one moment.
fn open_both(path: &Path) -> io::Result<(File, Option<File>)> {
    let mut tries_left = 10;
    loop {
        let newer = File::open(path);
        let older = File::open(older_path(path)).ok();
        tries_left -= 1;
        match (newer, older) {
            // It was rotated in between: the same file twice, or none.
            (Ok(newer), Some(older)) if tries_left > 0 => {
                if newer.metadata()?.ino() != older.metadata()?.ino() {
                    return Ok((newer, Some(older)));
                }
            }
            (Err(_), Some(_)) if tries_left > 0 => {}
            (newer, older) => return Ok((newer?, older)),
        }
    }
}

fn read_last(mut file: File, bytes: u64) -> io::Result<LogTail> {
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    // Something may have been in front of it that is gone for good.
    Ok(LogTail {
        bytes: end,
        is_cut: true,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sizes(path: &Path) -> u64 {
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        size(path) + size(&older_path(path))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_log_is_bounded_and_its_end_is_what_came_last(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..40),
            asked in 1_u64..80,
        ) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("log");
            let mut writer = LogWriter::open(&path, 32).unwrap();
            for piece in &pieces {
                writer.write(piece).unwrap();
                prop_assert!(sizes(&path) <= 64);
            }
            let all = pieces.concat();
            let (tail, _) = LogReader::open(&path, asked).unwrap();
            prop_assert!(all.ends_with(&tail.bytes));
            prop_assert!(tail.bytes.len() as u64 <= asked);
            // A whole half is always there.
            prop_assert!(tail.bytes.len() as u64 >= asked.min(32).min(all.len() as u64));
            prop_assert!(tail.is_cut || tail.bytes == all);
        }
    }

    #[test]
    fn a_follower_goes_on_in_the_next_file_and_is_told_what_it_missed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let mut writer = LogWriter::open(&path, 4).unwrap();
        writer.write(b"ab").unwrap();
        let (tail, mut reader) = LogReader::open(&path, 10).unwrap();
        assert_eq!(
            tail,
            LogTail {
                bytes: b"ab".to_vec(),
                is_cut: false
            }
        );
        writer.write(b"cdef").unwrap();
        assert_eq!(reader.read_more(10).unwrap(), (b"cd".to_vec(), false));
        assert_eq!(reader.read_more(10).unwrap(), (Vec::new(), false));
        assert_eq!(reader.read_more(10).unwrap(), (b"ef".to_vec(), false));
        writer.write(b"0123456789").unwrap();
        assert_eq!(reader.read_more(10).unwrap(), (b"01".to_vec(), false));
        assert_eq!(reader.read_more(10).unwrap(), (Vec::new(), true));
        assert_eq!(reader.read_more(10).unwrap(), (b"6789".to_vec(), false));
    }
}
