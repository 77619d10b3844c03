//! What a session's sandbox begins with: the session's own snapshot, else its configuration's, else nothing but the
//! template.

use domain::{
    configuration::{Configuration, EnvFile, ServiceCommand},
    session::Session,
};
use sandbox::{Origin, SnapshotRef};
use store::Snapshot;

use super::{
    failure::{never, unavailable},
    runtime::SessionRuntime,
};
use crate::{
    runtime::{Checkout, Machine, Remote},
    session::BootError,
};

#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) origin: Origin,
    snapshot: Option<Snapshot>,
    configuration: Option<Configuration>,
    pub(super) repos: Vec<Checkout>,
}

impl SessionRuntime {
    /// The configuration as it is now.
    pub(super) async fn configuration(
        &self,
        session: &Session,
    ) -> Result<Option<Configuration>, BootError> {
        let Some(id) = session.configuration_id else {
            return Ok(None);
        };
        let mut conn = self.0.app.db.read().await.map_err(unavailable)?;
        let found = conn.configuration_fetch(&session.organization_id, id);
        found.await.map_err(unavailable)
    }

    /// INVARIANT: a snapshot of another organization is none, whoever knows its id.
    pub(super) async fn beginning(
        &self,
        machine: &Machine,
        session: &Session,
    ) -> Result<Beginning, BootError> {
        let configuration = self.configuration(session).await?;
        let repos = self.repos(session, configuration.as_ref()).await?;
        let of_configuration = configuration.as_ref();
        let of_configuration = of_configuration.and_then(|one| one.snapshot_id.as_ref());
        let Some(id) = session.snapshot_id.as_ref().or(of_configuration) else {
            return Ok(Beginning {
                origin: Origin::Template,
                snapshot: None,
                configuration,
                repos,
            });
        };
        let mut conn = self.0.app.db.read().await.map_err(unavailable)?;
        let found = conn.snapshot_fetch(&session.organization_id, id).await;
        let snapshot = found.map_err(unavailable)?;
        let snapshot =
            snapshot.ok_or_else(|| never("the snapshot that it starts from is not there"))?;
        if snapshot.provider != machine.provider.name() {
            let message = "the snapshot that it starts from is of another kind of sandbox";
            return Err(never(message));
        }
        let damaged = |_| never("the snapshot that it starts from has no proper name");
        let from = SnapshotRef {
            provider: snapshot.provider.clone(),
            id: snapshot.id.parse().map_err(damaged)?,
            parent: snapshot.parent_id.as_ref().and_then(|id| id.parse().ok()),
            size: snapshot.byte_size,
            depth: snapshot.depth,
        };
        Ok(Beginning {
            origin: Origin::Snapshot(from),
            snapshot: Some(snapshot),
            configuration,
            repos,
        })
    }

    /// The repositories of the configuration, in their folders. One that was removed meanwhile is none of it any more.
    async fn repos(
        &self,
        session: &Session,
        configuration: Option<&Configuration>,
    ) -> Result<Vec<Checkout>, BootError> {
        let placed = configuration.map_or(&[][..], |one| &one.repos);
        let mut conn = self.0.app.db.read().await.map_err(unavailable)?;
        let mut repos = Vec::with_capacity(placed.len());
        for place in placed {
            let found = conn
                .repo_fetch(&session.organization_id, place.repo_id)
                .await;
            let Some(repo) = found.map_err(unavailable)? else {
                continue;
            };
            let repo_id = repo.id;
            repos.push(Checkout {
                name: repo.name,
                folder: place.workspace_path.clone(),
                remote: repo.url.map(|url| Remote { repo_id, url }),
                branch: Some(repo.default_branch),
            });
        }
        Ok(repos)
    }
}

impl Beginning {
    /// Whether the conversation in it is another session's.
    pub(super) fn is_of_another(&self, session: &Session) -> bool {
        let snapshot = self.snapshot.as_ref();
        snapshot.is_some_and(|snapshot| snapshot.session_id != session.id)
    }

    pub(super) fn env_files(&self) -> Vec<EnvFile> {
        let configuration = self.configuration.as_ref();
        configuration.map_or_else(Vec::new, |one| one.env_files.clone())
    }

    /// Without a snapshot nothing that they need is installed.
    pub(super) fn services(&self) -> Vec<ServiceCommand> {
        match (&self.snapshot, &self.configuration) {
            (Some(_), Some(configuration)) => configuration.service_commands.clone(),
            _ => Vec::new(),
        }
    }

    /// For people whose sandbox is gone.
    pub(super) fn goes_on_from(&self) -> String {
        match &self.snapshot {
            Some(snapshot) => format!(
                "It goes on from the snapshot of {}; whatever was not in it is lost.",
                snapshot
                    .created_at
                    .datetime()
                    .format("%Y-%m-%d %H:%M:%S UTC")
            ),
            None => {
                "It begins anew: there was no snapshot, and the files it had are lost.".to_owned()
            }
        }
    }
}
