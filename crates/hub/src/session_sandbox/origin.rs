//! What a session's sandbox is made from: the session's own snapshot, else its configuration's, else the template alone.

use domain::{
    configuration::{Configuration, EnvFile, ServiceCommand},
    session::Session,
};
use sandbox::{Origin, SnapshotRef};
use store::Snapshot;

use super::{
    failure::{never, store_unavailable},
    record::SandboxRecord,
};
use crate::{
    runtime::{Checkout, Machine, Remote},
    session::BootError,
};

/// The origin of one boot.
#[derive(Debug)]
pub(crate) struct SandboxOrigin {
    pub(super) origin: Origin,
    snapshot: Option<Snapshot>,
    configuration: Option<Configuration>,
    pub(super) repos: Vec<Checkout>,
}

impl SandboxOrigin {
    /// Finds the origin of the session's next sandbox.
    ///
    /// INVARIANT: a snapshot of another organization is not found, even by its id.
    pub(crate) async fn load(
        record: &SandboxRecord,
        machine: &Machine,
        session: &Session,
    ) -> Result<Self, BootError> {
        let configuration = record.load_configuration(session).await?;
        let repos = load_checkouts(record, session, configuration.as_ref()).await?;
        let configured = configuration.as_ref();
        let configured = configured.and_then(|one| one.snapshot_id.as_ref());
        let Some(id) = session.snapshot_id.as_ref().or(configured) else {
            return Ok(Self {
                origin: Origin::Template,
                snapshot: None,
                configuration,
                repos,
            });
        };
        let mut conn = record.app.db.read().await.map_err(store_unavailable)?;
        let found = store::snapshot_fetch(&mut conn, &session.organization_id, id).await;
        let snapshot = found.map_err(store_unavailable)?;
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
        Ok(Self {
            origin: Origin::Snapshot(from),
            snapshot: Some(snapshot),
            configuration,
            repos,
        })
    }

    /// Whether the snapshot contains the conversation of another session.
    pub(super) fn has_foreign_conversation(&self, session: &Session) -> bool {
        let snapshot = self.snapshot.as_ref();
        snapshot.is_some_and(|snapshot| snapshot.session_id != session.id)
    }

    pub(super) fn env_files(&self) -> Vec<EnvFile> {
        let configuration = self.configuration.as_ref();
        configuration.map_or_else(Vec::new, |one| one.env_files.clone())
    }

    /// Returns the services to start: none without a snapshot, since nothing that they need is installed.
    pub(super) fn services(&self) -> Vec<ServiceCommand> {
        match (&self.snapshot, &self.configuration) {
            (Some(_), Some(configuration)) => configuration.service_commands.clone(),
            _ => Vec::new(),
        }
    }

    /// Tells clients what a sandbox that replaces a lost one is made from.
    pub(crate) fn describe(&self) -> String {
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

/// Returns the repositories of the configuration, each with its folder. One that was removed since is left out.
async fn load_checkouts(
    record: &SandboxRecord,
    session: &Session,
    configuration: Option<&Configuration>,
) -> Result<Vec<Checkout>, BootError> {
    let placed = configuration.map_or(&[][..], |one| &one.repos);
    let mut conn = record.app.db.read().await.map_err(store_unavailable)?;
    let mut repos = Vec::with_capacity(placed.len());
    for place in placed {
        let found = store::repo_fetch(&mut conn, &session.organization_id, place.repo_id).await;
        let Some(repo) = found.map_err(store_unavailable)? else {
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
