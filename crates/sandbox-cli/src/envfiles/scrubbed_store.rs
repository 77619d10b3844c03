//! What scrubbing removed, stored beside the values until it is restored: outside the home directory, so that no
//! snapshot has it, and on the sandbox's own disk, so that it is restored even if a process dies in between.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::paths::{EnvPaths, PRIVATE, path_failure};
use crate::{
    dotenv::DotenvDocument,
    failure::Failure,
    jail::{Escape, Jail},
    limits::{ENV_BYTES_MAX, HELD_BYTES_MAX},
};

const WHAT: &str = "the file of what was scrubbed";

/// A file as it was, and as scrubbing left it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ScrubbedFile {
    /// Below the workspace.
    pub(super) path: PathBuf,
    before: String,
    left: Option<String>,
}

impl ScrubbedFile {
    pub(super) fn new(path: PathBuf, before: &[u8], left: Option<&[u8]>) -> Self {
        Self {
            path,
            before: STANDARD.encode(before),
            left: left.map(|left| STANDARD.encode(left)),
        }
    }

    /// Returns the file with everything that was removed, also if the file changed since.
    fn restored(&self, now: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
        let damaged = |_| Failure::usage(format!("{WHAT} is damaged"));
        let before = STANDARD.decode(&self.before).map_err(damaged)?;
        let left = self.left.as_ref().map(|left| STANDARD.decode(left));
        let left = left.transpose().map_err(damaged)?;
        Ok(match now {
            Some(now) if Some(now) != left.as_deref() => {
                DotenvDocument::read(now).restore(&DotenvDocument::read(&before))
            }
            _ => before,
        })
    }
}

/// The file of everything that is stored.
#[derive(Debug)]
pub(super) struct ScrubbedStore {
    jail: Jail,
    file: PathBuf,
}

impl ScrubbedStore {
    pub(super) fn open(paths: &EnvPaths) -> Result<Self, Failure> {
        let unusable = || Failure::usage("the path of the values is no path of a file");
        let parent = paths.values.parent().ok_or_else(unusable)?;
        let name = PathBuf::from(paths.values.file_name().ok_or_else(unusable)?);
        Ok(Self {
            jail: Jail::new(parent).map_err(|_| unusable())?,
            file: name.with_extension("held.json"),
        })
    }

    pub(super) fn write(&self, held: &[ScrubbedFile]) -> Result<(), Failure> {
        let written = self
            .jail
            .write(&self.file, json!(held).to_string().as_bytes(), PRIVATE);
        written.map_err(|escape| path_failure(WHAT, &escape))
    }

    /// Restores everything, under the caller's lock. Returns the files that were changed.
    pub(super) fn restore_all(&self, paths: &EnvPaths) -> Result<Vec<String>, Failure> {
        let bytes = match self.jail.read(&self.file, HELD_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(Escape::NotFound) => return Ok(Vec::new()),
            Err(escape) => return Err(path_failure(WHAT, &escape)),
        };
        let held: Vec<ScrubbedFile> = serde_json::from_slice(&bytes)
            .map_err(|_| Failure::usage(format!("{WHAT} is damaged")))?;
        let jail = paths.jail()?;
        let mut restored = Vec::new();
        for file in &held {
            let shown = file.path.display().to_string();
            let now = match jail.read(&file.path, ENV_BYTES_MAX) {
                Ok(now) => Some(now),
                Err(Escape::NotFound) => None,
                Err(escape) => return Err(path_failure(&shown, &escape)),
            };
            let whole = file.restored(now.as_deref())?;
            let written = jail.write(&file.path, &whole, PRIVATE);
            written.map_err(|escape| path_failure(&shown, &escape))?;
            restored.push(shown);
        }
        // Last: after a crash before it the same is put back again.
        let removed = self.jail.remove(&self.file);
        removed.map_err(|escape| path_failure(WHAT, &escape))?;
        Ok(restored)
    }
}
