//! Finding sandboxes and removing what nobody will.

use bollard::{
    models::{ContainerSummary, ContainerSummaryStateEnum as Status},
    query_parameters::ListContainersOptions,
};

use super::{
    Container, NAME, failed,
    labels::{self, Marks},
};
use crate::{Handle, Listed, Liveness, Result, SandboxId};

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
            let lives = matches!(one.state, Some(Status::RUNNING | Status::PAUSED));
            Some(Found {
                id: marks.id,
                label: marks.label,
                liveness: if lives {
                    Liveness::Alive
                } else {
                    Liveness::Dead
                },
            })
        });
        Ok(found.collect())
    }

    /// The same with what each is acted on by.
    pub(super) async fn listed_here(&self) -> Result<Vec<Listed>> {
        let containers = self.containers("sandbox").await?;
        let listed = containers.into_iter().filter_map(|one| {
            let marks = Marks::read(&one.labels?, &self.0.settings)?;
            let liveness = match one.state {
                Some(Status::RUNNING | Status::PAUSED) => Liveness::Alive,
                Some(Status::EXITED | Status::DEAD) => Liveness::Dead,
                // On its way up or down.
                _ => Liveness::Unknown,
            };
            Some(Listed {
                handle: Handle {
                    provider: NAME.to_owned(),
                    id: marks.id,
                    incarnation: marks.incarnation,
                    expires_at: None,
                    tier: NAME.to_owned(),
                },
                label: marks.label,
                liveness,
            })
        });
        Ok(listed.collect())
    }

    /// Removes containers that have ended or were not finished, and those that `unwanted` names, and what a
    /// process that was killed left of the making of templates.
    pub async fn clean(&self, unwanted: impl Fn(&SandboxId) -> bool) -> Result<Vec<SandboxId>> {
        let mut cleaned = Vec::new();
        for one in self.found().await? {
            if one.liveness == Liveness::Dead || unwanted(&one.id) {
                self.unmake(&one.id).await?;
                cleaned.push(one.id);
            }
        }
        let found = self.found().await?;
        for id in self.socket_directories() {
            if !found.iter().any(|one| one.id == id) && !self.0.doors.has(&id) {
                self.close_doors(&id);
            }
        }
        // Who is making a template in this process goes on.
        let _none = self.0.building.lock().await;
        for builder in self.containers("builder").await? {
            if let Some(id) = builder.id {
                self.remove_container(&id).await?;
            }
        }
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
        let listed = self.docker().list_containers(Some(options)).await;
        let mut listed = listed.map_err(failed("looking for containers"))?;
        listed.retain(|one| {
            let labels = one.labels.as_ref();
            labels.is_some_and(|labels| labels::is(labels, &self.0.settings, kind))
        });
        Ok(listed)
    }
}
