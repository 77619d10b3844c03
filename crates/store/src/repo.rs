//! Repositories.

use domain::{
    id::{OrganizationId, RepoId},
    page::{Page, PageRequest},
    repo::Repo,
};

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
        "id, organization_id, name, url, default_branch, source, push, service_commands, \
         is_orphaned, created_by, created_at, updated_at"
    };
}

statements! {
    REPO_INSERT = concat!("INSERT INTO repos (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)");
    REPO_FETCH = concat!("SELECT ", columns!(), " FROM repos WHERE organization_id = $1 AND id = $2");
    REPO_LIST = concat!("SELECT ", columns!(), " FROM repos WHERE organization_id = $1 AND id < $2
        ORDER BY id DESC LIMIT $3");
    REPO_UPDATE = "UPDATE repos SET name = $3, url = $4, default_branch = $5, source = $6,
        push = $7, service_commands = $8, updated_at = $9 WHERE organization_id = $1 AND id = $2";
    REPO_DELETE = "DELETE FROM repos WHERE organization_id = $1 AND id = $2";
}

pub async fn repo_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RepoId,
) -> Result<Option<Repo>> {
    let row = conn
        .fetch_optional("repos", &REPO_FETCH, values![organization_id, id])
        .await?;
    row.map(|row| repo(&row)).transpose()
}

pub async fn repo_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<RepoId>,
) -> Result<Page<Repo, RepoId>> {
    let before = crate::session::cursor(page.before.map(RepoId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn.fetch_all("repos", &REPO_LIST, values).await?;
    let repos = rows.iter().map(repo).collect::<Result<_>>()?;
    Ok(page.page(repos, |repo: &Repo| repo.id))
}

/// `Error::Conflict` if the organization has a repo of that name.
pub async fn repo_insert(tx: &mut Tx, repo: &Repo) -> Result<()> {
    let values = values![
        repo.id,
        &repo.organization_id,
        &repo.name,
        repo.url.as_ref(),
        &repo.default_branch,
        repo.source.as_str(),
        repo.push.as_str(),
        json::service_commands_to(&repo.service_commands),
        repo.is_orphaned,
        repo.created_by.as_ref(),
        repo.created_at,
        repo.updated_at,
    ];
    tx.execute(&REPO_INSERT, values).await?;
    Ok(())
}

/// Returns whether the repo exists.
pub async fn repo_update(tx: &mut Tx, repo: &Repo) -> Result<bool> {
    let values = values![
        &repo.organization_id,
        repo.id,
        &repo.name,
        repo.url.as_ref(),
        &repo.default_branch,
        repo.source.as_str(),
        repo.push.as_str(),
        json::service_commands_to(&repo.service_commands),
        repo.updated_at,
    ];
    Ok(tx.execute(&REPO_UPDATE, values).await? == 1)
}

pub async fn repo_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: RepoId,
) -> Result<bool> {
    Ok(tx
        .execute(&REPO_DELETE, values![organization_id, id])
        .await?
        == 1)
}

fn repo(row: &Row) -> Result<Repo> {
    let commands = row.json("service_commands")?;
    Ok(Repo {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        name: row.text("name")?,
        url: row.text_opt("url")?,
        default_branch: row.text("default_branch")?,
        source: row.parsed("source")?,
        push: row.parsed("push")?,
        service_commands: json::service_commands_from(&commands)
            .map_err(|reason| row.inconsistent("service_commands", &reason))?,
        is_orphaned: row.bool("is_orphaned")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
