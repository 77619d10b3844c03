//! Where a policy comes from: the files built into the binary, or a directory with three files of the
//! same names.

use std::{
    io,
    path::{Path, PathBuf},
};

use domain::limits::POLICY_FILE_BYTES_MAX;
use tokio::io::AsyncReadExt as _;

use super::{
    files::{FileBytes, PolicyFiles},
    git::{self, Commit},
    load::{Policy, load},
    problem::{PolicyFile, Problem, Problems},
};

/// Where to read the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicySource {
    BuiltIn,
    Directory(PathBuf),
}

/// A policy, and what its operator should know about where it came from.
#[derive(Debug)]
pub struct LoadedPolicy {
    pub policy: Policy,
    pub warnings: Vec<String>,
}

impl PolicySource {
    /// Reads and checks the policy.
    pub async fn load(&self) -> Result<LoadedPolicy, Problems> {
        let (files, warnings) = match self {
            Self::BuiltIn => (PolicyFiles::built_in(), Vec::new()),
            Self::Directory(directory) => read_directory(directory).await?,
        };
        let policy = load(files)?;
        Ok(LoadedPolicy { policy, warnings })
    }
}

async fn read_directory(directory: &Path) -> Result<(PolicyFiles, Vec<String>), Problems> {
    let mut problems = Vec::new();
    let mut files = Vec::new();
    for file in PolicyFile::ALL {
        match read_file(&directory.join(file.as_str())).await {
            Ok(bytes) => files.push(FileBytes::from(&*bytes)),
            Err(error) => problems.push(Problem {
                file: *file,
                line: None,
                reason: format!("cannot be read: {error}"),
            }),
        }
    }
    let Ok([mut lanes, mut roles, mut tools]) = <[FileBytes; 3]>::try_from(files) else {
        return Err(Problems::new(problems));
    };
    let mut warnings = Vec::new();
    if git::is_in_work_tree(directory) {
        for (file, content) in [
            (PolicyFile::Lanes, &mut lanes),
            (PolicyFile::Roles, &mut roles),
            (PolicyFile::Tools, &mut tools),
        ] {
            match git::commit_of(directory, file.as_str(), &content.bytes).await {
                Commit::Is(commit) => content.commit = Some(commit),
                Commit::Unknown(why) => {
                    warnings.push(format!("{file} is pinned without a commit: {why}"));
                }
            }
        }
    }
    let files = PolicyFiles {
        lanes,
        roles,
        tools,
    };
    Ok((files, warnings))
}

/// At most one byte more than is allowed, so that too large a file is refused and not read.
async fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or a device would keep us waiting, or never end.
    if !tokio::fs::metadata(path).await?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut bytes = Vec::new();
    let bound = POLICY_FILE_BYTES_MAX as u64 + 1;
    let file = tokio::fs::File::open(path).await?;
    file.take(bound).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
