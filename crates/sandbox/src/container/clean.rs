//! Lists sandboxes and removes abandoned ones.

use bollard::models::{
    ContainerStateStatusEnum as InspectedStatus, ContainerSummaryStateEnum as ListedStatus,
};

use super::{
    labels::SandboxLabels,
    names::container_name,
    progress::Progress,
    provider::ContainerProvider,
    response::{failed, retry_unreadable, status_code},
    settings::NAME,
};
use crate::{Handle, ListedSandbox, Liveness, Result, SandboxId, unclaimed::SandboxMaker as _};

impl ContainerProvider {
    /// Lists all sandboxes of this installation.
    pub(super) async fn list_all(&self) -> Result<Vec<ListedSandbox>> {
        let engine = &self.parts().engine;
        let containers = engine.list_containers("sandbox").await?;
        let listed = containers.into_iter().filter_map(|one| {
            let labels = SandboxLabels::read(&one.labels?, engine.settings())?;
            Some(ListedSandbox {
                liveness: self.liveness_of(&labels.id, one.state),
                handle: Handle {
                    provider: NAME.to_owned(),
                    id: labels.id,
                    incarnation: labels.incarnation,
                    expires_at: None,
                    tier: NAME.to_owned(),
                },
                label: labels.label,
            })
        });
        Ok(listed.collect())
    }

    /// A sandbox that its maker did not finish has never lived, whatever the engine says.
    fn liveness_of(&self, id: &SandboxId, status: Option<ListedStatus>) -> Liveness {
        let notes = self.parts().engine.notes();
        match notes.progress_of(&container_name(id)) {
            Progress::UnderWay => Liveness::Unknown,
            Progress::Abandoned => Liveness::Dead,
            Progress::Done => match status {
                Some(ListedStatus::RUNNING | ListedStatus::PAUSED) => Liveness::Alive,
                Some(ListedStatus::EXITED | ListedStatus::DEAD) => Liveness::Dead,
                // On its way up or down.
                _ => Liveness::Unknown,
            },
        }
    }

    /// Whether the sandbox has ended or its creation was abandoned. Its creator notes it until it runs, so the note is
    /// checked first.
    async fn is_abandoned(&self, id: &SandboxId) -> Result<bool> {
        let engine = &self.parts().engine;
        let name = container_name(id);
        let progress = engine.notes().progress_of(&name);
        let docker = engine.docker();
        let seen = retry_unreadable(|| docker.inspect_container(&name, None)).await;
        let state = match seen {
            Err(error) if status_code(&error) == Some(404) => return Ok(false),
            other => other.map_err(failed("looking at the container"))?.state,
        };
        let status = state.and_then(|state| state.status);
        let lives = matches!(
            status,
            Some(InspectedStatus::RUNNING | InspectedStatus::PAUSED)
        );
        Ok(match progress {
            Progress::UnderWay => false,
            Progress::Abandoned => true,
            Progress::Done => !lives,
        })
    }

    /// Removes containers that have ended or were not finished, and those that `unwanted` names, and what processes
    /// that were killed left of the making of templates and snapshots.
    pub async fn clean(&self, unwanted: impl Fn(&SandboxId) -> bool) -> Result<Vec<SandboxId>> {
        let parts = self.parts();
        let notes = parts.engine.notes();
        let mut cleaned = Vec::new();
        // Looked at before containers are: a sandbox that is whole by now has one.
        let mut directories = self.socket_directories();
        directories.retain(|id| notes.progress_of(&container_name(id)) != Progress::UnderWay);
        for one in self.list_all().await? {
            let id = one.handle.id;
            let lives = one.liveness == Liveness::Alive;
            if unwanted(&id) || (!lives && self.is_abandoned(&id).await?) {
                self.remove_sandbox(&id).await?;
                cleaned.push(id);
            }
        }
        let left = self.list_all().await?;
        for id in directories {
            if !left.iter().any(|one| one.handle.id == id) && !parts.tunnels.is_open(&id) {
                parts.tunnels.close(&id);
            }
        }
        for builder in parts.engine.list_containers("builder").await? {
            let names = builder.names.unwrap_or_default();
            let mut names = names.iter().map(|name| name.trim_start_matches('/'));
            let is_used = names.any(|name| notes.progress_of(name) == Progress::UnderWay);
            if let (false, Some(id)) = (is_used, builder.id) {
                parts.engine.remove_container(&id).await?;
            }
        }
        parts.images.remove_drafts().await?;
        notes.remove_abandoned();
        Ok(cleaned)
    }

    /// Lists the sandboxes that have a directory for their sockets.
    fn socket_directories(&self) -> Vec<SandboxId> {
        let names = std::fs::read_dir(&self.parts().engine.settings().directory);
        let id = |name: std::ffi::OsString| name.to_str()?.parse().ok();
        let names = names.into_iter().flatten().flatten();
        names.filter_map(|entry| id(entry.file_name())).collect()
    }
}
