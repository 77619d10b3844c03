//! Finding sandboxes and removing abandoned ones.

use bollard::{
    models::{
        ContainerStateStatusEnum as Seen, ContainerSummary, ContainerSummaryStateEnum as Status,
    },
    query_parameters::ListContainersOptions,
};

use super::{
    Container, NAME, failed,
    labels::{self, Marks},
    making::Progress,
    name_of, settled, status,
};
use crate::{Handle, Listed, Liveness, Result, SandboxId, unclaimed::Maker as _};

/// A sandbox that has a container here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub id: SandboxId,
    pub label: String,
    pub liveness: Liveness,
}

impl Container {
    /// All sandboxes of this owner.
    pub async fn found(&self) -> Result<Vec<Found>> {
        let containers = self.containers("sandbox").await?;
        let found = containers.into_iter().filter_map(|one| {
            let marks = Marks::read(&one.labels?, &self.0.settings)?;
            Some(Found {
                liveness: self.liveness_of(&marks.id, one.state),
                id: marks.id,
                label: marks.label,
            })
        });
        Ok(found.collect())
    }

    /// The same with what each is acted on by.
    pub(super) async fn listed_here(&self) -> Result<Vec<Listed>> {
        let containers = self.containers("sandbox").await?;
        let listed = containers.into_iter().filter_map(|one| {
            let marks = Marks::read(&one.labels?, &self.0.settings)?;
            Some(Listed {
                liveness: self.liveness_of(&marks.id, one.state),
                handle: Handle {
                    provider: NAME.to_owned(),
                    id: marks.id,
                    incarnation: marks.incarnation,
                    expires_at: None,
                    tier: NAME.to_owned(),
                },
                label: marks.label,
            })
        });
        Ok(listed.collect())
    }

    /// One that its maker did not finish has never lived, whatever the engine says.
    fn liveness_of(&self, id: &SandboxId, state: Option<Status>) -> Liveness {
        match self.0.making.of(&name_of(id)) {
            Progress::UnderWay => Liveness::Unknown,
            Progress::Left => Liveness::Dead,
            Progress::Done => match state {
                Some(Status::RUNNING | Status::PAUSED) => Liveness::Alive,
                Some(Status::EXITED | Status::DEAD) => Liveness::Dead,
                // On its way up or down.
                _ => Liveness::Unknown,
            },
        }
    }

    /// Whether its creation was abandoned. Its creator marks it until it runs, so that is checked first.
    async fn is_left(&self, id: &SandboxId) -> Result<bool> {
        let name = name_of(id);
        let progress = self.0.making.of(&name);
        let seen = settled(|| self.docker().inspect_container(&name, None)).await;
        let state = match seen {
            Err(error) if status(&error) == Some(404) => return Ok(false),
            other => other.map_err(failed("looking at the container"))?.state,
        };
        let status = state.and_then(|state| state.status);
        let lives = matches!(status, Some(Seen::RUNNING | Seen::PAUSED));
        Ok(match progress {
            Progress::UnderWay => false,
            Progress::Left => true,
            Progress::Done => !lives,
        })
    }

    /// Removes containers that have ended or were not finished, and those that `unwanted` names, and what processes
    /// that were killed left of the making of templates and snapshots.
    pub async fn clean(&self, unwanted: impl Fn(&SandboxId) -> bool) -> Result<Vec<SandboxId>> {
        let mut cleaned = Vec::new();
        // Looked at before containers are: a sandbox that is whole by now has one.
        let mut directories = self.socket_directories();
        directories.retain(|id| self.0.making.of(&name_of(id)) != Progress::UnderWay);
        for one in self.found().await? {
            let lives = one.liveness == Liveness::Alive;
            if unwanted(&one.id) || (!lives && self.is_left(&one.id).await?) {
                self.unmake(&one.id).await?;
                cleaned.push(one.id);
            }
        }
        let found = self.found().await?;
        for id in directories {
            if !found.iter().any(|one| one.id == id) && !self.0.doors.has(&id) {
                self.close_doors(&id);
            }
        }
        for builder in self.containers("builder").await? {
            let names = builder.names.unwrap_or_default();
            let mut names = names.iter().map(|name| name.trim_start_matches('/'));
            let made = names.any(|name| self.0.making.of(name) == Progress::UnderWay);
            if let (false, Some(id)) = (made, builder.id) {
                self.remove_container(&id).await?;
            }
        }
        self.remove_drafts().await?;
        self.0.making.forget();
        Ok(cleaned)
    }

    /// Sandboxes that have a directory for their sockets.
    fn socket_directories(&self) -> Vec<SandboxId> {
        let names = std::fs::read_dir(&self.0.settings.directory);
        let id = |name: std::ffi::OsString| name.to_str()?.parse().ok();
        let names = names.into_iter().flatten().flatten();
        names.filter_map(|entry| id(entry.file_name())).collect()
    }

    /// Containers of ours, whatever their state.
    pub(super) async fn containers(&self, kind: &str) -> Result<Vec<ContainerSummary>> {
        let options = ListContainersOptions {
            all: true,
            filters: Some(self.ours()),
            ..ListContainersOptions::default()
        };
        let listed = settled(|| self.docker().list_containers(Some(options.clone()))).await;
        let mut listed = listed.map_err(failed("looking for containers"))?;
        listed.retain(|one| {
            let labels = one.labels.as_ref();
            labels.is_some_and(|labels| labels::is(labels, &self.0.settings, kind))
        });
        Ok(listed)
    }
}
