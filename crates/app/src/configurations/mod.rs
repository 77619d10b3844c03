//! Configurations: create, read, change, delete.

use ::integrations::mcp::config::{self, Connector};
use domain::{
    configuration::{
        Configuration, ConfigurationRepo, ConfigurationStatus, ConfigurationType, EnvFile,
        ServiceCommand,
    },
    id::{ConfigurationId, OrganizationId, RepoId},
    invalid::{Invalid, bounded_count, bounded_text},
    limits,
    model_usage::Budget,
    page::{Page, PageRequest},
    repo::workspace_path,
};
use store::{ConfigurationPatch, Conn, Snapshot};

use crate::{
    access::{Inside as _, Insider},
    audit, connectors,
    context::App,
    error::{Error, Result},
    models,
    sessions::check_snapshot,
};

/// The fields of a configuration that members and admins set.
#[derive(Debug, Clone)]
pub struct ConfigurationDraft {
    pub name: String,
    pub notes: Option<String>,
    pub snapshot_id: Option<String>,
    pub service_commands: Vec<ServiceCommand>,
    pub env_files: Vec<EnvFile>,
    /// For admins to change: a member who could raise it would have no budget.
    pub budget_micro_usd: Option<i64>,
    /// For admins to change; `None` leaves them as they are.
    pub connectors: Option<Vec<Connector>>,
    /// `None` leaves the repositories as they are.
    pub repo_ids: Option<Vec<RepoId>>,
}

impl ConfigurationDraft {
    fn validate(&self) -> Result<()> {
        bounded_text("name", &self.name, 1, limits::NAME_LENGTH_MAX)?;
        if let Some(notes) = &self.notes {
            bounded_text("notes", notes, 1, limits::NOTES_LENGTH_MAX)?;
        }
        if let Some(snapshot_id) = &self.snapshot_id {
            bounded_text("snapshotId", snapshot_id, 1, limits::SNAPSHOT_ID_LENGTH_MAX)?;
        }
        ServiceCommand::validate_all(&self.service_commands)?;
        EnvFile::validate_all(&self.env_files)?;
        Budget::from(self.budget_micro_usd).validate("budgetMicroUsd")?;
        if let Some(repo_ids) = &self.repo_ids {
            bounded_count("repoIds", repo_ids.len(), limits::CONFIGURATION_REPOS_MAX)?;
        }
        Ok(())
    }
}

pub async fn create(
    app: &App,
    insider: &Insider,
    draft: ConfigurationDraft,
) -> Result<Configuration> {
    draft.validate()?;
    EnvFile::refuse_startup_variables(&draft.env_files, &[], insider.is_admin())?;
    let now = app.now();
    let mut tx = app.db.write().await?;
    check_snapshot(&mut tx, insider, draft.snapshot_id.as_deref(), None).await?;
    let repo_ids = draft.repo_ids.as_deref().unwrap_or_default();
    let repos = place_repos(&mut tx, insider.organization_id(), "repoIds", repo_ids).await?;
    // With a snapshot a session can start from it as it is; without one a setup session comes first.
    let ready = draft.snapshot_id.is_some();
    let mut configuration = Configuration {
        id: ConfigurationId::generate(now, &*app.entropy),
        organization_id: insider.organization_id().clone(),
        name: draft.name,
        notes: draft.notes,
        configuration_type: ConfigurationType::Manual,
        status: if ready {
            ConfigurationStatus::Ready
        } else {
            ConfigurationStatus::Pending
        },
        error: None,
        snapshot_id: draft.snapshot_id,
        service_commands: draft.service_commands,
        env_files: draft.env_files,
        budget_micro_usd: draft.budget_micro_usd,
        connectors: Vec::new(),
        user_id: None,
        local_path_hash: None,
        managed_key: None,
        repos,
        created_by: insider.user_id().cloned(),
        created_at: now,
        updated_at: now,
    };
    store::configuration_insert(&mut tx, &configuration).await?;
    let id = Some(configuration.id.uuid());
    audit::record_operation(&mut tx, app, insider, "configuration_create", id).await?;
    if configuration.budget_micro_usd.is_some() {
        let (admin, id) = (insider.admin()?, configuration.id);
        let change = [None, configuration.budget_micro_usd];
        models::configuration_budget_changed(&mut tx, app, &admin, id, change).await?;
    }
    if let Some(connectors) = draft.connectors.filter(|connectors| !connectors.is_empty()) {
        let admin = insider.admin()?;
        connectors::replace_within(&mut tx, app, &admin, configuration.id, &connectors).await?;
        configuration.connectors = written(&connectors);
    }
    tx.commit().await?;
    Ok(configuration)
}

pub async fn fetch(app: &App, insider: &Insider, id: ConfigurationId) -> Result<Configuration> {
    let mut conn = app.db.read().await?;
    let found = store::configuration_fetch(&mut conn, insider.organization_id(), id).await?;
    found.ok_or(Error::NotFound("configuration"))
}

pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<ConfigurationId>,
) -> Result<Page<Configuration, ConfigurationId>> {
    Ok(
        store::configuration_list(&mut app.db.read().await?, insider.organization_id(), page)
            .await?,
    )
}

/// Applies `change` to what is stored now; reading and writing are one transaction.
/// The configuration, and its snapshots with those of its sessions, newest first.
pub async fn snapshots(
    app: &App,
    insider: &Insider,
    id: ConfigurationId,
) -> Result<(Configuration, Vec<Snapshot>)> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let found = store::configuration_fetch(&mut conn, organization_id, id).await?;
    let found = found.ok_or(Error::NotFound("configuration"))?;
    let viewer = insider.viewer();
    let snapshots = store::snapshot_list(
        &mut conn,
        organization_id,
        viewer,
        id,
        limits::SNAPSHOTS_SHOWN_MAX,
    );
    Ok((found, snapshots.await?))
}

pub async fn update(
    app: &App,
    insider: &Insider,
    id: ConfigurationId,
    change: impl FnOnce(ConfigurationDraft) -> ConfigurationDraft + Send,
) -> Result<Configuration> {
    let mut tx = app.db.write().await?;
    let found = store::configuration_fetch(&mut tx, insider.organization_id(), id).await?;
    let found = found.ok_or(Error::NotFound("configuration"))?;
    let (env_files, published) = (found.env_files.clone(), found.snapshot_id.clone());
    let draft = change(ConfigurationDraft {
        name: found.name,
        notes: found.notes,
        snapshot_id: found.snapshot_id,
        service_commands: found.service_commands,
        env_files: found.env_files,
        budget_micro_usd: found.budget_micro_usd,
        connectors: None,
        repo_ids: None,
    });
    draft.validate()?;
    EnvFile::refuse_startup_variables(&draft.env_files, &env_files, insider.is_admin())?;
    let wanted = draft.snapshot_id.as_deref();
    check_snapshot(&mut tx, insider, wanted, published.as_deref()).await?;
    let repos = match &draft.repo_ids {
        Some(ids) => Some(place_repos(&mut tx, insider.organization_id(), "repoIds", ids).await?),
        None => None,
    };
    let mut configuration = Configuration {
        name: draft.name,
        notes: draft.notes,
        snapshot_id: draft.snapshot_id,
        service_commands: draft.service_commands,
        env_files: draft.env_files,
        budget_micro_usd: draft.budget_micro_usd,
        repos: repos.clone().unwrap_or(found.repos),
        updated_at: app.now(),
        ..found
    };
    let patch = ConfigurationPatch {
        configuration: &configuration,
        repos: repos.as_deref(),
    };
    if !store::configuration_update(&mut tx, patch).await? {
        return Err(Error::NotFound("configuration"));
    }
    let operation = "configuration_update";
    audit::record_operation(&mut tx, app, insider, operation, Some(id.uuid())).await?;
    if configuration.budget_micro_usd != found.budget_micro_usd {
        // Only an admin may, and it is on record, like the budget of a session.
        let admin = insider.admin()?;
        let change = [found.budget_micro_usd, configuration.budget_micro_usd];
        models::configuration_budget_changed(&mut tx, app, &admin, id, change).await?;
    }
    let mut changed = Vec::new();
    if let Some(connectors) = draft.connectors {
        let admin = insider.admin()?;
        changed = connectors::replace_within(&mut tx, app, &admin, id, &connectors).await?;
        configuration.connectors = written(&connectors);
    }
    tx.commit().await?;
    for id in changed {
        app.connectors().forget(insider.organization_id(), id);
    }
    Ok(configuration)
}

/// As they are stored: by id.
fn written(connectors: &[Connector]) -> Vec<serde_json::Value> {
    let mut sorted: Vec<&Connector> = connectors.iter().collect();
    sorted.sort_by_key(|connector| connector.id);
    sorted.into_iter().map(config::write).collect()
}

pub async fn delete(app: &App, insider: &Insider, id: ConfigurationId) -> Result<()> {
    let organization_id = insider.organization_id();
    let mut tx = app.db.write().await?;
    if store::configuration_delete_unused(&mut tx, organization_id, id).await? {
        audit::record_operation(
            &mut tx,
            app,
            insider,
            "configuration_delete",
            Some(id.uuid()),
        )
        .await?;
        tx.commit().await?;
        return Ok(());
    }
    match store::configuration_fetch(&mut tx, organization_id, id).await? {
        None => Err(Error::NotFound("configuration")),
        Some(_) => Err(Error::Conflict(
            "sessions or automations refer to this configuration".to_owned(),
        )),
    }
}

/// Each repository with its folder below the workspace.
pub(crate) async fn place_repos(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    field: &str,
    repo_ids: &[RepoId],
) -> Result<Vec<ConfigurationRepo>> {
    let mut placed: Vec<ConfigurationRepo> = Vec::with_capacity(repo_ids.len());
    for (index, id) in repo_ids.iter().enumerate() {
        let repo = store::repo_fetch(conn, organization_id, *id)
            .await?
            .ok_or(Error::NotFound("repo"))?;
        let path = workspace_path(&repo.name, repo_ids.len() == 1);
        let clash = placed
            .iter()
            .any(|other| other.repo_id == *id || other.workspace_path == path);
        if clash {
            let message = format!("`{path}` would be the folder of two repos");
            return Err(Invalid::new(format!("{field}[{index}]"), message).into());
        }
        placed.push(ConfigurationRepo {
            repo_id: *id,
            workspace_path: path,
        });
    }
    Ok(placed)
}
