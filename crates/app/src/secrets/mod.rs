//! Secrets: written and replaced, never shown again. The gateway opens one for the environment of a session, for a
//! connector that names it (`stored.rs`), and for the server of a repository (`git/place.rs`).

mod import;
pub(crate) mod stored;
mod write;

use domain::{
    id::SecretId,
    page::{Page, PageRequest},
    secret::{Secret, SecretScope},
};

pub use import::{ImportResult, OnExisting, import};
pub(crate) use import::{SecretPut, replace_all};
pub(crate) use stored::open;
pub use write::{NewSecret, SecretChange, create, delete, update};

use crate::{
    access::{Inside as _, Insider, Person, SessionAccess, Steering},
    context::App,
    error::{Error, Result},
};

pub async fn list(
    app: &App,
    insider: &Insider,
    scope: Option<SecretScope>,
    page: PageRequest<SecretId>,
) -> Result<Page<Secret, SecretId>> {
    Ok(store::secret_list(
        &mut app.db.read().await?,
        insider.organization_id(),
        insider.viewer(),
        scope,
        page,
    )
    .await?)
}

/// Which of the keys the scope has, in the order asked.
pub async fn check(
    app: &App,
    insider: &Insider,
    scope: SecretScope,
    keys: Vec<String>,
) -> Result<Vec<(String, bool)>> {
    let mut conn = app.db.read().await?;
    if let SecretScope::Session(id) = scope {
        SessionAccess::read(&mut conn, insider, id).await?;
    }
    let held = store::secret_list_keys(&mut conn, insider.organization_id(), scope).await?;
    Ok(keys
        .into_iter()
        .map(|key| {
            let exists = held.contains(&key);
            (key, exists)
        })
        .collect())
}

/// A secret of the whole organization reaches every session: only an admin may set one. One of a session is for
/// callers that may steer it. The scope's row must be the organization's own.
async fn may_write(conn: &mut store::Conn, person: &Person, scope: SecretScope) -> Result<()> {
    let organization_id = person.organization_id();
    let found = match scope {
        SecretScope::Organization => return person.admin().map(drop),
        SecretScope::Repo(id) => store::repo_fetch(conn, organization_id, id)
            .await?
            .is_some(),
        SecretScope::Configuration(id) => store::configuration_fetch(conn, organization_id, id)
            .await?
            .is_some(),
        SecretScope::Session(id) => {
            return Steering::read(conn, person, id).await.map(drop);
        }
    };
    if found {
        Ok(())
    } else {
        Err(Error::NotFound(scope.kind().as_str()))
    }
}
