//! What a new session starts from: its configuration, found or made, and the integrations whose
//! credentials check out.

use std::collections::BTreeSet;

use domain::{
    clock::Timestamp,
    configuration::{
        Configuration, ConfigurationRepo, ConfigurationStatus, ConfigurationType, managed_key,
    },
    id::{ConfigurationId, IntegrationId, RepoId},
    invalid::{Invalid, bounded_count, bounded_text},
    limits::{
        CONFIGURATION_REPOS_MAX, LOCAL_PATH_HASH_LENGTH_MAX, NAME_LENGTH_MAX,
        TOKEN_CHECKS_AT_ONCE_MAX,
    },
    page::PageRequest,
    session::{ConfigurationChoice, IntegrationWarning},
};
use futures::StreamExt;
use store::{Conn, Tx};

use crate::{
    access::Insider,
    audit,
    configurations::place_repos,
    context::App,
    error::{Error, Result},
    integrations,
};

/// The configuration a session will have.
pub(super) enum ResolvedConfiguration {
    Scratch,
    Existing(Box<Configuration>),
    /// Not there yet: inserted together with the session.
    New(Box<Configuration>),
}

impl ResolvedConfiguration {
    pub(super) fn configuration(&self) -> Option<&Configuration> {
        match self {
            Self::Scratch => None,
            Self::Existing(configuration) | Self::New(configuration) => Some(configuration),
        }
    }
}

/// Finds the chosen configuration, or drafts it.
pub(super) async fn configuration(
    app: &App,
    insider: &Insider,
    choice: &ConfigurationChoice,
    now: Timestamp,
) -> Result<ResolvedConfiguration> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    match choice {
        ConfigurationChoice::Scratch => Ok(ResolvedConfiguration::Scratch),
        ConfigurationChoice::Existing(id) => {
            let found = store::configuration_fetch(&mut conn, organization_id, *id).await?;
            let found = found.ok_or(Error::NotFound("configuration"))?;
            Ok(ResolvedConfiguration::Existing(Box::new(found)))
        }
        ConfigurationChoice::Managed { repo_ids } => {
            let repos = managed_repos(&mut conn, insider, repo_ids.as_deref()).await?;
            let ids: Vec<_> = repos.iter().map(|repo| repo.repo_id).collect();
            let key = managed_key(&ids);
            if let Some(found) =
                store::configuration_fetch_managed(&mut conn, organization_id, &key).await?
            {
                return Ok(ResolvedConfiguration::Existing(Box::new(found)));
            }
            let mut draft = draft(app, insider, ConfigurationType::Managed, "Managed", now);
            draft.managed_key = Some(key);
            draft.repos = repos;
            Ok(ResolvedConfiguration::New(Box::new(draft)))
        }
        ConfigurationChoice::Cli {
            local_path_hash,
            display_name,
        } => {
            local(
                app,
                insider,
                &mut conn,
                local_path_hash,
                display_name.as_deref(),
                now,
            )
            .await
        }
    }
}

async fn local(
    app: &App,
    insider: &Insider,
    conn: &mut Conn,
    local_path_hash: &str,
    display_name: Option<&str>,
    now: Timestamp,
) -> Result<ResolvedConfiguration> {
    bounded_text(
        "cliConfiguration.localPathHash",
        local_path_hash,
        1,
        LOCAL_PATH_HASH_LENGTH_MAX,
    )?;
    let name = display_name.unwrap_or("Local folder");
    bounded_text("cliConfiguration.displayName", name, 1, NAME_LENGTH_MAX)?;
    let user_id = insider.user_id().ok_or(Error::Forbidden(
        "a folder belongs to a person, not a service",
    ))?;
    let organization_id = insider.organization_id();
    let found =
        store::configuration_fetch_local(conn, organization_id, user_id, local_path_hash).await?;
    if let Some(found) = found {
        return Ok(ResolvedConfiguration::Existing(Box::new(found)));
    }
    let mut draft = draft(app, insider, ConfigurationType::Cli, name, now);
    draft.user_id = Some(user_id.clone());
    draft.local_path_hash = Some(local_path_hash.to_owned());
    Ok(ResolvedConfiguration::New(Box::new(draft)))
}

/// Inserts a drafted configuration; if another request inserted the same one meanwhile, returns that one.
pub(super) async fn insert(
    tx: &mut Tx,
    app: &App,
    insider: &Insider,
    resolved: ResolvedConfiguration,
) -> Result<ResolvedConfiguration> {
    let ResolvedConfiguration::New(draft) = resolved else {
        return Ok(resolved);
    };
    if store::configuration_insert(tx, &draft).await? {
        audit::record_operation(
            tx,
            app,
            insider,
            "configuration_create",
            Some(draft.id.uuid()),
        )
        .await?;
        return Ok(ResolvedConfiguration::New(draft));
    }
    let organization_id = &draft.organization_id;
    let found = match (&draft.managed_key, &draft.user_id, &draft.local_path_hash) {
        (Some(key), ..) => store::configuration_fetch_managed(tx, organization_id, key).await?,
        (None, Some(user), Some(hash)) => {
            store::configuration_fetch_local(tx, organization_id, user, hash).await?
        }
        _ => None,
    };
    // Deleted again in between: the caller may simply try again.
    let found =
        found.ok_or_else(|| Error::Conflict("the configuration changed; try again".into()))?;
    Ok(ResolvedConfiguration::Existing(Box::new(found)))
}

async fn managed_repos(
    conn: &mut Conn,
    insider: &Insider,
    repo_ids: Option<&[RepoId]>,
) -> Result<Vec<ConfigurationRepo>> {
    let field = "managedConfiguration.repoIds";
    let organization_id = insider.organization_id();
    let mut ids = if let Some(ids) = repo_ids {
        ids.to_vec()
    } else {
        let page = PageRequest::new(None, None)?;
        let repos = store::repo_list(conn, organization_id, page).await?.items;
        repos.iter().map(|repo| repo.id).collect()
    };
    if ids.is_empty() {
        return Err(Invalid::new(field, "there is no repo to start from; add one first").into());
    }
    ids.sort();
    ids.dedup();
    bounded_count(field, ids.len(), CONFIGURATION_REPOS_MAX)?;
    place_repos(conn, organization_id, field, &ids).await
}

fn draft(
    app: &App,
    insider: &Insider,
    configuration_type: ConfigurationType,
    name: &str,
    now: Timestamp,
) -> Configuration {
    Configuration {
        id: ConfigurationId::generate(now, &*app.entropy),
        organization_id: insider.organization_id().clone(),
        name: name.to_owned(),
        notes: None,
        configuration_type,
        status: ConfigurationStatus::Pending,
        error: None,
        snapshot_id: None,
        service_commands: vec![],
        env_files: vec![],
        budget_micro_usd: None,
        connectors: Vec::new(),
        user_id: None,
        local_path_hash: None,
        managed_key: None,
        repos: vec![],
        created_by: insider.user_id().cloned(),
        created_at: now,
        updated_at: now,
    }
}

/// Splits the wanted integrations into those that can be used and those that cannot, with why.
pub(super) async fn integrations(
    app: &App,
    insider: &Insider,
    wanted: BTreeSet<IntegrationId>,
) -> Result<(Vec<IntegrationId>, Vec<IntegrationWarning>)> {
    let checks = wanted.into_iter().map(|id| async move {
        (
            id,
            integrations::check_token(app, insider.organization_id(), id).await,
        )
    });
    let mut checked = futures::stream::iter(checks).buffered(TOKEN_CHECKS_AT_ONCE_MAX);
    let (mut usable, mut warnings) = (Vec::new(), Vec::new());
    while let Some((integration_id, check)) = checked.next().await {
        match check? {
            Ok(()) => usable.push(integration_id),
            Err(message) => warnings.push(IntegrationWarning {
                integration_id,
                message,
            }),
        }
    }
    Ok((usable, warnings))
}
