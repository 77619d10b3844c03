//! API keys: made once and shown once; a member manages their own, an admin those of all members.

mod operator;

use std::time::Duration;

use domain::{
    api_key::{ApiKey, ApiKeyText, key_hash},
    clock::Timestamp,
    id::ApiKeyId,
    invalid::{Invalid, bounded_text},
    limits::{API_KEYS_PER_USER_MAX, NAME_LENGTH_MAX, TOKEN_TTL_MAX},
    page::{Page, PageRequest},
};
use store::Tx;

use crate::{
    access::Person,
    audit,
    context::App,
    error::{Error, Result},
    identity::access_changed,
};

pub use operator::{list_all, revoke_any};

/// The record, and the key itself for the only time.
pub async fn create(
    app: &App,
    person: &Person,
    name: &str,
    ttl: Option<Duration>,
) -> Result<(ApiKey, ApiKeyText)> {
    bounded_text("name", name, 1, NAME_LENGTH_MAX)?;
    if ttl.is_some_and(|ttl| ttl.is_zero() || ttl > TOKEN_TTL_MAX) {
        let message = format!("must be between 1 and {}", TOKEN_TTL_MAX.as_secs());
        return Err(Invalid::new("expiresInSeconds", message).into());
    }
    let end = ttl.map(|ttl| app.now().plus(ttl));
    let mut tx = app.db.write().await?;
    let made = insert(&mut tx, app, person, name, end).await?;
    tx.commit().await?;
    Ok(made)
}

/// Makes a key in the transaction of what it is made for. Its name was checked.
pub(crate) async fn insert(
    tx: &mut Tx,
    app: &App,
    person: &Person,
    name: &str,
    end: Option<Timestamp>,
) -> Result<(ApiKey, ApiKeyText)> {
    let now = app.now();
    let text = ApiKeyText::generate(&*app.entropy);
    let key = ApiKey {
        id: ApiKeyId::generate(now, &*app.entropy),
        organization_id: person.organization_id().clone(),
        user_id: person.user_id().clone(),
        name: name.to_owned(),
        prefix: text.shown_prefix().to_owned(),
        created_at: now,
        expires_at: end,
        revoked_at: None,
    };
    require_room(tx, person, now).await?;
    store::api_key_insert(tx, &key, &key_hash(text.expose())).await?;
    audit::record_operation(tx, app, person, "api_key_create", Some(key.id.uuid())).await?;
    Ok((key, text))
}

/// Fails if the user has as many keys as a user may have.
pub(crate) async fn require_room(tx: &mut Tx, person: &Person, now: Timestamp) -> Result<()> {
    let live =
        store::api_key_count_live(tx, person.organization_id(), person.user_id(), now).await?;
    if live >= i64::from(API_KEYS_PER_USER_MAX) {
        let message = format!("a user has at most {API_KEYS_PER_USER_MAX} live API keys");
        return Err(Error::LimitReached(message));
    }
    Ok(())
}

/// Lists the keys of all members for an admin, the caller's own otherwise.
pub async fn list(
    app: &App,
    person: &Person,
    page: PageRequest<ApiKeyId>,
) -> Result<Page<ApiKey, ApiKeyId>> {
    let only = person.admin().is_err().then(|| person.user_id());
    Ok(store::api_key_list(
        &mut app.db.read().await?,
        person.organization_id(),
        only,
        page,
    )
    .await?)
}

/// Revoking a revoked key changes nothing and succeeds, so that a retry is safe.
pub async fn revoke(app: &App, person: &Person, id: ApiKeyId) -> Result<ApiKey> {
    let organization_id = person.organization_id();
    let mut tx = app.db.write().await?;
    let found = store::api_key_fetch(&mut tx, organization_id, id)
        .await?
        .ok_or(Error::NotFound("API key"))?;
    if found.user_id != *person.user_id() && person.admin().is_err() {
        // A member does not learn whether another member's key exists.
        return Err(Error::NotFound("API key"));
    }
    let revoked = store::api_key_revoke(&mut tx, organization_id, id, app.now()).await?;
    if revoked.is_some() {
        audit::record_operation(&mut tx, app, person, "api_key_revoke", Some(id.uuid())).await?;
    }
    tx.commit().await?;
    access_changed(app, organization_id, Some(&found.user_id));
    Ok(revoked.unwrap_or(found))
}
