//! The paths of env files and values, and the failure to use one.

use std::path::PathBuf;

use rustix::fs::Mode;
use wire::configuration::EnvFile;

use crate::{
    exit::Exit,
    failure::Failure,
    jail::{Escape, Jail},
};

/// Permissions for the owner alone.
pub(super) const PRIVATE: Mode = Mode::from_raw_mode(0o600);

#[derive(Debug)]
pub(crate) struct EnvPaths {
    pub(crate) workspace: PathBuf,
    /// The file in which values arrive.
    pub(crate) values: PathBuf,
}

impl EnvPaths {
    pub(super) fn jail(&self) -> Result<Jail, Failure> {
        Jail::new(&self.workspace).map_err(|error| {
            let message = format!("cannot open the workspace: {}", error.kind());
            Failure::usage(message).hint("WORKSPACE_DIR names it")
        })
    }
}

/// Returns the path of an env file below the workspace: the repository's folder, and the file below that.
pub(super) fn path_of(jail: &Jail, file: &EnvFile) -> Result<PathBuf, Failure> {
    let mut path = PathBuf::new();
    for part in [&file.workspace_path, &file.path] {
        if part.starts_with('/') {
            return Err(path_failure(part, &Escape::Outside));
        }
        path.push(
            jail.relative(part)
                .map_err(|escape| path_failure(part, &escape))?,
        );
    }
    Ok(path)
}

pub(super) fn path_failure(path: &str, escape: &Escape) -> Failure {
    let exit = match escape {
        Escape::Io(_) => Exit::Failed,
        _ => Exit::Usage,
    };
    Failure::new(exit, format!("{path}: {escape}"))
}
