//! The files a program writes: measured while it runs, and collected when it has ended.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use domain::{
    limits::{COMMAND_FILES_MAX, COMMAND_WATCH_EVERY},
    policy::{CommandSpec, OutputFile},
};

use crate::{Failure, Output, OutputContent};

/// The directories of one call.
#[derive(Debug)]
pub(super) struct Directories {
    pub(super) output: PathBuf,
    pub(super) work: PathBuf,
}

pub(super) const WROTE_TOO_MUCH: Failure = Failure::Tool {
    reason: "the tool wrote more than it may",
    retryable: false,
};
const LEFT_SOMETHING_ELSE: Failure = Failure::Tool {
    reason: "the tool left something that is not one of its outputs",
    retryable: false,
};
const LEFT_NOTHING: Failure = Failure::Tool {
    reason: "the tool left no output",
    retryable: false,
};
const UNREADABLE: Failure = Failure::Tool {
    reason: "what the tool left cannot be read",
    retryable: true,
};

impl Directories {
    /// Creates them, for the user the program runs as, and gives that user read access to the input. No
    /// other user has access: the scratch directory above is the gateway's alone.
    pub(super) fn make(scratch: &Path, user: u32, input: Option<&Path>) -> io::Result<Self> {
        let directories = Self {
            output: scratch.join("out"),
            work: scratch.join("work"),
        };
        for path in [&directories.output, &directories.work] {
            // Bubblewrap enters it before it becomes that user, without the capability to bypass
            // permissions.
            fs::DirBuilder::new().mode(0o711).create(path)?;
            if rustix::process::geteuid().is_root() {
                std::os::unix::fs::chown(path, Some(user), Some(user))?;
            }
        }
        if let Some(input) = input {
            fs::set_permissions(input, fs::Permissions::from_mode(0o444))?;
        }
        Ok(directories)
    }

    /// Returns when the tool has written more than it may.
    pub(super) async fn wait_for_overflow(&self, spec: &CommandSpec) {
        loop {
            tokio::time::sleep(COMMAND_WATCH_EVERY).await;
            if self.exceeds_limits(spec) {
                return;
            }
        }
    }

    fn exceeds_limits(&self, spec: &CommandSpec) -> bool {
        let mut files = 0;
        let output = directory_size(&self.output, &mut files);
        let work = directory_size(&self.work, &mut files);
        output > spec.output_bytes_max || work > spec.work_bytes_max || files > COMMAND_FILES_MAX
    }

    /// The outputs, if they match the policy: exactly these files.
    pub(super) fn collect(&self, spec: &CommandSpec) -> Result<Vec<Output>, Failure> {
        let mut found = BTreeMap::new();
        let mut bytes = 0;
        for entry in fs::read_dir(&self.output).map_err(|error| unreadable_failure(&error))? {
            let entry = entry.map_err(|error| unreadable_failure(&error))?;
            // Metadata of the entry itself: a link is not followed.
            let meta = entry
                .metadata()
                .map_err(|error| unreadable_failure(&error))?;
            let named = |output: &&OutputFile| entry.file_name() == output.file.as_str();
            let known = spec.outputs.iter().find(named);
            let Some(known) = known.filter(|_| meta.is_file() && meta.nlink() == 1) else {
                return Err(LEFT_SOMETHING_ELSE);
            };
            bytes += meta.len();
            if bytes > spec.output_bytes_max {
                return Err(WROTE_TOO_MUCH);
            }
            found.insert(&known.file, entry.path());
        }
        let mut outputs = Vec::new();
        for known in &spec.outputs {
            let path = found.remove(&known.file).ok_or(LEFT_NOTHING)?;
            outputs.push(Output {
                kind: known.kind.clone(),
                media_type: known.media_type.clone(),
                content: OutputContent::File(path),
            });
        }
        Ok(outputs)
    }
}

fn unreadable_failure(error: &io::Error) -> Failure {
    tracing::warn!(%error, "what a tool left cannot be read");
    UNREADABLE
}

/// Bytes in a directory, as deep as files are counted. Files removed meanwhile count as empty.
fn directory_size(directory: &Path, files: &mut usize) -> u64 {
    let mut bytes = 0;
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(directory) else {
            continue;
        };
        for entry in entries.flatten() {
            *files += 1;
            if *files > COMMAND_FILES_MAX {
                return bytes;
            }
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => bytes += meta.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
