//! What the daemon remembers about services across its own restarts: one JSON file, replaced as a whole.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    cli::Restart,
    daemon::{files::replace_file, keeper::ServiceEnd},
};

/// The whole file. The order of services is the order in which they were first started.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SavedServices {
    pub(super) services: Vec<Service>,
    pub(super) exposed_port: Option<u16>,
}

/// One service as it was requested, and its last known status.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Service {
    pub(super) name: String,
    pub(super) command: String,
    pub(super) cwd: PathBuf,
    pub(super) restart: Restart,
    pub(super) status: ServiceStatus,
    /// Restarts since it was started on request.
    pub(super) restarts: u32,
    /// Restarts in a row, without it having been stable in between.
    pub(super) in_a_row: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
pub(super) enum ServiceStatus {
    Starting,
    #[serde(rename_all = "camelCase")]
    Running {
        pid: i32,
        started_at_ms: u64,
    },
    /// Between two starts.
    Restarting {
        ended: ServiceEnd,
    },
    /// On request, or because it ended by itself.
    Stopped {
        ended: Option<ServiceEnd>,
    },
    Error {
        ended: Option<ServiceEnd>,
        reason: String,
    },
}

impl ServiceStatus {
    /// Whether a daemon that starts has to run it.
    pub(super) fn is_wanted(&self) -> bool {
        matches!(
            self,
            Self::Starting | Self::Running { .. } | Self::Restarting { .. }
        )
    }
}

impl SavedServices {
    /// What an earlier daemon left, and whether that could be read.
    pub(super) fn read(path: &Path) -> (Self, bool) {
        match std::fs::read(path) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(saved) => (saved, true),
                Err(_) => (Self::default(), false),
            },
            Err(error) => (Self::default(), error.kind() == io::ErrorKind::NotFound),
        }
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        replace_file(path, json!(self).to_string().as_bytes())
    }
}
