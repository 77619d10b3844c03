//! The directories of calls that are executed. They hold what callers gave to their tools, so none outlives its call:
//! what a process that was killed left behind is removed by the next one.

use std::{io, path::PathBuf};

use domain::{id::RunId, limits::RUN_SWEEP_BATCH_MAX};
use tools::Failure;

use crate::{context::App, error::Result};

/// A directory of one call's own.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn of(app: &App, run_id: RunId) -> Self {
        Self(app.scratch.join(run_id.to_string()))
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.0
    }

    /// Where the tool works.
    pub(super) fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    pub(super) async fn create(&self) -> std::result::Result<(), Failure> {
        tokio::fs::create_dir_all(self.work())
            .await
            .map_err(|error| {
                tracing::error!(%error, "no room to work in");
                Failure::Unavailable {
                    hint: "the directory for work under way cannot be written".to_owned(),
                }
            })
    }

    /// Whether it is gone. A program that is just being ended may still write: it is tried again by the sweep.
    pub(super) async fn remove(&self) -> bool {
        match tokio::fs::remove_dir_all(&self.0).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, "a call's directory was not removed");
                false
            }
            _ => true,
        }
    }
}

/// Removes directories of calls that are over, and returns how many. A call that the database does not know was lost with the
/// power before its end was on the disk. Those of this process are left to their calls.
pub async fn sweep_scratch(app: &App) -> Result<usize> {
    let left = found(app).unwrap_or_else(|error| {
        tracing::warn!(%error, "the directories of calls cannot be listed");
        Vec::new()
    });
    if left.is_empty() {
        return Ok(0);
    }
    let standing = {
        let mut conn = app.db.read().await?;
        store::run_standing_list(&mut conn, &left).await?
    };
    let goes_on = |id: &RunId| {
        let mut standing = standing.iter();
        standing.any(|run| run.id == *id && !run.status.is_terminal())
    };
    let mut removed = 0;
    for id in left.into_iter().filter(|id| !goes_on(id)) {
        removed += usize::from(Scratch::of(app, id).remove().await);
    }
    Ok(removed)
}

/// The calls that have a directory and are not executed here, as many as one sweep looks at. Listing them takes no longer
/// than handing that to another thread.
fn found(app: &App) -> io::Result<Vec<RunId>> {
    let entries = match std::fs::read_dir(&app.scratch) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ids = names.filter_map(|name| name.parse::<RunId>().ok());
    let ids = ids.filter(|id| app.running_calls().get(*id).is_none());
    Ok(ids.take(RUN_SWEEP_BATCH_MAX as usize).collect())
}
