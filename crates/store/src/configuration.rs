//! Configurations with their repositories and connectors. A page of configurations and the parts of all of
//! them are two queries, never one per configuration. Connectors are written by their own file.

use std::collections::HashMap;

use domain::{
    configuration::{Configuration, ConfigurationRepo},
    id::{ConfigurationId, OrganizationId, RepoId, UserId},
    page::{Page, PageRequest},
};
use serde_json::Value;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    json,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, name, notes, type, status, error, snapshot_id, service_commands, \
         env_files, budget_micro_usd, user_id, local_path_hash, managed_key, created_by, created_at, \
         updated_at"
    };
}

statements! {
    /// Returns no row if a configuration for the same folder or set of repos exists.
    CONFIGURATION_INSERT = concat!("INSERT INTO configurations (", columns!(), ", connectors)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, '[]')
        ON CONFLICT DO NOTHING");
    CONFIGURATION_FETCH = concat!("SELECT ", columns!(), " FROM configurations
        WHERE organization_id = $1 AND id = $2");
    CONFIGURATION_FETCH_MANAGED = concat!("SELECT ", columns!(), " FROM configurations
        WHERE organization_id = $1 AND managed_key = $2");
    CONFIGURATION_FETCH_LOCAL = concat!("SELECT ", columns!(), " FROM configurations
        WHERE organization_id = $1 AND user_id = $2 AND local_path_hash = $3");
    CONFIGURATION_LIST = concat!("SELECT ", columns!(), " FROM configurations
        WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    CONFIGURATION_UPDATE = "UPDATE configurations SET name = $3, notes = $4, snapshot_id = $5,
        service_commands = $6, env_files = $7, budget_micro_usd = $8, status = $9, updated_at = $10
        WHERE organization_id = $1 AND id = $2";
    /// Only while no session refers to it: a session's record outlives what it started from.
    CONFIGURATION_DELETE_UNUSED = "DELETE FROM configurations WHERE organization_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE configuration_id = $2)
        AND NOT EXISTS (SELECT 1 FROM automations WHERE default_configuration_id = $2)";
    CONFIGURATION_REPO_INSERT = "INSERT INTO configuration_repos
        (organization_id, configuration_id, repo_id, workspace_path) VALUES ($1, $2, $3, $4)";
    CONFIGURATION_REPO_DELETE_ALL = "DELETE FROM configuration_repos
        WHERE organization_id = $1 AND configuration_id = $2";
    /// Repositories and connectors of many configurations at once; a row is one or the other.
    CONFIGURATION_PART_LIST = "SELECT configuration_id AS id, repo_id, workspace_path,
        NULL AS connector_id, NULL AS config FROM configuration_repos
        WHERE organization_id = $1 AND configuration_id >= $2 AND configuration_id <= $3
        UNION ALL SELECT configuration_id, NULL, NULL, id, config FROM connectors
        WHERE organization_id = $1 AND configuration_id >= $2 AND configuration_id <= $3
        ORDER BY workspace_path, repo_id, connector_id";
}

/// What may be changed about a configuration; the caller has applied the change already.
#[derive(Debug)]
pub struct ConfigurationPatch<'a> {
    pub configuration: &'a Configuration,
    /// Replaces the repositories, if given.
    pub repos: Option<&'a [ConfigurationRepo]>,
}

pub async fn configuration_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: ConfigurationId,
) -> Result<Option<Configuration>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("configurations", &CONFIGURATION_FETCH, values)
        .await?;
    configuration_with_parts(conn, organization_id, row).await
}

pub async fn configuration_fetch_managed(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    managed_key: &str,
) -> Result<Option<Configuration>> {
    let values = values![organization_id, managed_key];
    let row = conn
        .fetch_optional("configurations", &CONFIGURATION_FETCH_MANAGED, values)
        .await?;
    configuration_with_parts(conn, organization_id, row).await
}

pub async fn configuration_fetch_local(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
    local_path_hash: &str,
) -> Result<Option<Configuration>> {
    let values = values![organization_id, user_id, local_path_hash];
    let row = conn
        .fetch_optional("configurations", &CONFIGURATION_FETCH_LOCAL, values)
        .await?;
    configuration_with_parts(conn, organization_id, row).await
}

pub async fn configuration_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<ConfigurationId>,
) -> Result<Page<Configuration, ConfigurationId>> {
    let before = crate::session::cursor(page.before.map(ConfigurationId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("configurations", &CONFIGURATION_LIST, values)
        .await?;
    let found = rows.iter().map(configuration).collect::<Result<_>>()?;
    let mut page = page.page(found, |configuration: &Configuration| configuration.id);
    fill_parts(conn, organization_id, &mut page.items).await?;
    Ok(page)
}

async fn configuration_with_parts(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    row: Option<Row>,
) -> Result<Option<Configuration>> {
    let Some(row) = row else { return Ok(None) };
    let mut found = [configuration(&row)?];
    fill_parts(conn, organization_id, &mut found).await?;
    let [configuration] = found;
    Ok(Some(configuration))
}

/// Reads the parts of all `configurations`, which are sorted by id, newest first.
async fn fill_parts(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    configurations: &mut [Configuration],
) -> Result<()> {
    let (Some(newest), Some(oldest)) = (configurations.first(), configurations.last()) else {
        return Ok(());
    };
    let values = values![organization_id, oldest.id, newest.id];
    let rows = conn
        .fetch_all("configuration_repos", &CONFIGURATION_PART_LIST, values)
        .await?;
    let mut repos: HashMap<ConfigurationId, Vec<ConfigurationRepo>> = HashMap::new();
    let mut connectors: HashMap<ConfigurationId, Vec<Value>> = HashMap::new();
    for row in &rows {
        let id = row.id("id")?;
        match row.id_opt("repo_id")? {
            Some(repo_id) => repos.entry(id).or_default().push(ConfigurationRepo {
                repo_id,
                workspace_path: row.text("workspace_path")?,
            }),
            None => connectors.entry(id).or_default().push(row.json("config")?),
        }
    }
    for configuration in configurations {
        configuration.repos = repos.remove(&configuration.id).unwrap_or_default();
        configuration.connectors = connectors.remove(&configuration.id).unwrap_or_default();
    }
    Ok(())
}

/// Inserts it with its repositories and without connectors; `false` if one for the same folder or set of repos exists.
pub async fn configuration_insert(tx: &mut Tx, configuration: &Configuration) -> Result<bool> {
    let c = configuration;
    let values = values![
        c.id,
        &c.organization_id,
        &c.name,
        c.notes.as_ref(),
        c.configuration_type.as_str(),
        c.status.as_str(),
        c.error.as_ref(),
        c.snapshot_id.as_ref(),
        json::service_commands_to(&c.service_commands),
        json::env_files_to(&c.env_files),
        c.budget_micro_usd,
        c.user_id.as_ref(),
        c.local_path_hash.as_ref(),
        c.managed_key.as_ref(),
        c.created_by.as_ref(),
        c.created_at,
        c.updated_at,
    ];
    if tx.execute(&CONFIGURATION_INSERT, values).await? == 0 {
        return Ok(false);
    }
    configuration_repos_insert(tx, configuration, &configuration.repos).await?;
    Ok(true)
}

/// Returns whether the configuration exists.
pub async fn configuration_update(tx: &mut Tx, patch: ConfigurationPatch<'_>) -> Result<bool> {
    let c = patch.configuration;
    let values = values![
        &c.organization_id,
        c.id,
        &c.name,
        c.notes.as_ref(),
        c.snapshot_id.as_ref(),
        json::service_commands_to(&c.service_commands),
        json::env_files_to(&c.env_files),
        c.budget_micro_usd,
        c.status.as_str(),
        c.updated_at,
    ];
    if tx.execute(&CONFIGURATION_UPDATE, values).await? == 0 {
        return Ok(false);
    }
    if let Some(repos) = patch.repos {
        let values = values![&c.organization_id, c.id];
        tx.execute(&CONFIGURATION_REPO_DELETE_ALL, values).await?;
        configuration_repos_insert(tx, c, repos).await?;
    }
    Ok(true)
}

/// `false` if it is not there or a session refers to it.
pub async fn configuration_delete_unused(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: ConfigurationId,
) -> Result<bool> {
    let values = values![organization_id, id];
    Ok(tx.execute(&CONFIGURATION_DELETE_UNUSED, values).await? == 1)
}

async fn configuration_repos_insert(
    tx: &mut Tx,
    configuration: &Configuration,
    repos: &[ConfigurationRepo],
) -> Result<()> {
    for ConfigurationRepo {
        repo_id,
        workspace_path,
    } in repos
    {
        let repo_id: RepoId = *repo_id;
        let values = values![
            &configuration.organization_id,
            configuration.id,
            repo_id,
            workspace_path,
        ];
        tx.execute(&CONFIGURATION_REPO_INSERT, values).await?;
    }
    Ok(())
}

fn configuration(row: &Row) -> Result<Configuration> {
    let commands = row.json("service_commands")?;
    let env_files = row.json("env_files")?;
    Ok(Configuration {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        name: row.text("name")?,
        notes: row.text_opt("notes")?,
        configuration_type: row.parsed("type")?,
        status: row.parsed("status")?,
        error: row.text_opt("error")?,
        snapshot_id: row.text_opt("snapshot_id")?,
        service_commands: json::service_commands_from(&commands)
            .map_err(|reason| row.inconsistent("service_commands", &reason))?,
        env_files: json::env_files_from(&env_files)
            .map_err(|reason| row.inconsistent("env_files", &reason))?,
        budget_micro_usd: row.int_opt("budget_micro_usd")?,
        connectors: Vec::new(),
        user_id: row.parsed_opt("user_id")?,
        local_path_hash: row.text_opt("local_path_hash")?,
        managed_key: row.text_opt("managed_key")?,
        repos: Vec::new(),
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
