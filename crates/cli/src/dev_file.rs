//! `dev.json`: how to reach the `dev` that runs on a data directory. Written by `dev`, read by the
//! client commands, by tests and by scripts of users against a local gateway. Its keys are a promise.

use std::{fs, io, path::Path};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::data_dir::write_private;

/// Address and tokens of the demo organization.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DevFile {
    pub(crate) url: String,
    pub(crate) owner: String,
    pub(crate) admin: String,
    pub(crate) member: String,
    pub(crate) service: String,
    pub(crate) organization_id: String,
    /// Where the demo's board is.
    pub(crate) board: String,
    /// Where sandboxes come in, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sandbox_url: Option<String>,
}

impl DevFile {
    /// `None` if there is none.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        serde_json::from_str(&text)
            .map(Some)
            .with_context(|| format!("{} is not what `proliferate dev` wrote", path.display()))
    }

    /// For its owner alone, from the first byte.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec_pretty(self).context("cannot write JSON")?;
        text.push(b'\n');
        write_private(path, &text)
    }

    /// Removes what an earlier run wrote: it may name a port that another process has by now.
    pub(crate) fn remove(path: &Path) -> anyhow::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// Where it is, and no token.
impl std::fmt::Debug for DevFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DevFile")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
