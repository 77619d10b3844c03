//! Repositories: create, read, change, delete.

use domain::{
    id::RepoId,
    page::{Page, PageRequest},
    repo::{Repo, RepoDraft, RepoPush},
};

use crate::{
    access::Insider,
    audit,
    context::App,
    error::{Error, Result},
};

pub async fn create(app: &App, insider: &Insider, draft: RepoDraft) -> Result<Repo> {
    draft.validate()?;
    if draft.push != RepoPush::Never {
        insider.admin()?;
    }
    let now = app.now();
    let repo = Repo {
        id: RepoId::generate(now, &*app.entropy),
        organization_id: insider.organization_id().clone(),
        name: draft.name,
        url: draft.url,
        default_branch: draft.default_branch,
        source: draft.source,
        push: draft.push,
        service_commands: draft.service_commands,
        is_orphaned: false,
        created_by: insider.user_id().cloned(),
        created_at: now,
        updated_at: now,
    };
    let mut tx = app.db.write().await?;
    store::repo_insert(&mut tx, &repo)
        .await
        .map_err(|error| name_taken(error, &repo.name))?;
    audit::record_operation(&mut tx, app, insider, "repo_create", Some(repo.id.uuid())).await?;
    tx.commit().await?;
    Ok(repo)
}

pub async fn fetch(app: &App, insider: &Insider, id: RepoId) -> Result<Repo> {
    let repo = store::repo_fetch(&mut app.db.read().await?, insider.organization_id(), id).await?;
    repo.ok_or(Error::NotFound("repo"))
}

pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<RepoId>,
) -> Result<Page<Repo, RepoId>> {
    Ok(store::repo_list(&mut app.db.read().await?, insider.organization_id(), page).await?)
}

/// Applies `change` to what is stored now; reading and writing are one transaction.
pub async fn update(
    app: &App,
    insider: &Insider,
    id: RepoId,
    change: impl FnOnce(RepoDraft) -> RepoDraft + Send,
) -> Result<Repo> {
    let mut tx = app.db.write().await?;
    let repo = store::repo_fetch(&mut tx, insider.organization_id(), id).await?;
    let repo = repo.ok_or(Error::NotFound("repo"))?;
    let draft = change(RepoDraft {
        name: repo.name,
        url: repo.url.clone(),
        default_branch: repo.default_branch.clone(),
        source: repo.source,
        push: repo.push,
        service_commands: repo.service_commands,
    });
    draft.validate()?;
    // Where pushes may go is an administrator's word: neither it nor what it was said of changes without one.
    let is_same_place = (&draft.url, &draft.default_branch) == (&repo.url, &repo.default_branch);
    let may_push = draft.push != RepoPush::Never && !is_same_place;
    if draft.push != repo.push || may_push {
        insider.admin()?;
    }
    let repo = Repo {
        name: draft.name,
        url: draft.url,
        default_branch: draft.default_branch,
        source: draft.source,
        push: draft.push,
        service_commands: draft.service_commands,
        updated_at: app.now(),
        ..repo
    };
    let changed = store::repo_update(&mut tx, &repo)
        .await
        .map_err(|error| name_taken(error, &repo.name))?;
    if !changed {
        return Err(Error::NotFound("repo"));
    }
    audit::record_operation(&mut tx, app, insider, "repo_update", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(repo)
}

/// Removes it from the configurations that use it, too.
pub async fn delete(app: &App, insider: &Insider, id: RepoId) -> Result<()> {
    let mut tx = app.db.write().await?;
    if !store::repo_delete(&mut tx, insider.organization_id(), id).await? {
        return Err(Error::NotFound("repo"));
    }
    audit::record_operation(&mut tx, app, insider, "repo_delete", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(())
}

fn name_taken(error: store::Error, name: &str) -> Error {
    match error {
        store::Error::Conflict { .. } => {
            Error::Conflict(format!("the organization has a repo named `{name}`"))
        }
        other => other.into(),
    }
}
