//! Environment values in the sandbox: the file they arrive in, the dotenv files of the workspace that they
//! are written to, and that they leave the disk before a snapshot.
//!
//! INVARIANT: every change happens under one lock, and a file changes as a whole or not at all. A message
//! never quotes a value.

pub(crate) mod apply;
mod exclude;
pub(crate) mod get;
pub(crate) mod hold;
mod input;
mod lock;
pub(crate) mod scrub;
mod values;

use std::path::PathBuf;

use rustix::fs::Mode;
use wire::configuration::EnvFile;

use crate::{
    exit::Exit,
    failure::Failure,
    jail::{Escape, Jail},
};

/// For the owner alone.
const PRIVATE: Mode = Mode::from_raw_mode(0o600);

/// Where things are.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) workspace: PathBuf,
    /// The file in which values arrive.
    pub(crate) values: PathBuf,
}

impl Places {
    fn jail(&self) -> Result<Jail, Failure> {
        Jail::new(&self.workspace).map_err(|error| {
            let message = format!("cannot open the workspace: {}", error.kind());
            Failure::usage(message).hint("WORKSPACE_DIR names it")
        })
    }
}

/// The path of an env file below the workspace: the repository's folder, and the file below that.
fn path_of(jail: &Jail, file: &EnvFile) -> Result<PathBuf, Failure> {
    let mut path = PathBuf::new();
    for part in [&file.workspace_path, &file.path] {
        if part.starts_with('/') {
            return Err(failed(part, &Escape::Outside));
        }
        path.push(
            jail.relative(part)
                .map_err(|escape| failed(part, &escape))?,
        );
    }
    Ok(path)
}

fn failed(path: &str, escape: &Escape) -> Failure {
    let exit = match escape {
        Escape::Io(_) => Exit::Failed,
        _ => Exit::Usage,
    };
    Failure::new(exit, format!("{path}: {escape}"))
}
