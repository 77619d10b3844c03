//! Setting, replacing and removing one secret.

use domain::{
    clock::Timestamp,
    id::SecretId,
    invalid::bounded_text,
    limits::{NOTES_LENGTH_MAX, SECRETS_PER_ORGANIZATION_MAX, SESSION_ENV_VARS_MAX},
    secret::{Secret, SecretScope, associated_data, validate_key, validate_value},
    startup_variable,
};
use secrecy::{ExposeSecret, SecretString};
use store::{SealedSecret, Tx};

use super::may_write;
use crate::{
    access::{Inside as _, Person},
    audit,
    context::App,
    error::{Error, Result},
};

#[derive(Debug)]
pub struct NewSecret {
    pub scope: SecretScope,
    pub key: String,
    pub value: SecretString,
    pub description: Option<String>,
}

/// `None` leaves as it is.
#[derive(Debug)]
pub struct SecretChange {
    pub value: Option<SecretString>,
    pub description: Option<Option<String>>,
}

/// `Error::Conflict` if the scope has the key: replacing a value is said, not guessed.
pub async fn create(app: &App, person: &Person, new: NewSecret) -> Result<Secret> {
    validate_key("key", &new.key)?;
    validate_value("value", new.value.expose_secret())?;
    validate_description(new.description.as_deref())?;
    startup_variable::refuse("key", &new.key, person.is_admin())?;
    let mut tx = app.db.write().await?;
    may_write(&mut tx, person, new.scope).await?;
    must_have_room(&mut tx, person, new.scope, 1).await?;
    let now = app.now();
    let Some(secret) = insert(app, &mut tx, person, &new, now).await? else {
        return Err(Error::Conflict(format!(
            "`{}` exists in this scope; update it",
            new.key
        )));
    };
    let id = secret.id.uuid();
    audit::record_operation(&mut tx, app, person, "secret_create", Some(id)).await?;
    tx.commit().await?;
    Ok(secret)
}

pub async fn update(
    app: &App,
    person: &Person,
    id: SecretId,
    change: SecretChange,
) -> Result<Secret> {
    if let Some(value) = &change.value {
        validate_value("value", value.expose_secret())?;
    }
    if let Some(description) = &change.description {
        validate_description(description.as_deref())?;
    }
    let mut tx = app.db.write().await?;
    let secret = store::secret_fetch(&mut tx, person.organization_id(), id).await?;
    let mut secret = secret.ok_or(Error::NotFound("secret"))?;
    if change.value.is_some() {
        // Its name may be reserved since it was stored: no session gets the value.
        validate_key("key", &secret.key)?;
    }
    startup_variable::refuse("key", &secret.key, person.is_admin())?;
    may_change(&mut tx, person, secret.scope).await?;
    if let Some(description) = change.description {
        secret.description = description;
    }
    secret.updated_at = app.now();
    let sealed = change
        .value
        .map(|value| seal(app, &secret, &value))
        .transpose()?;
    let changed = store::secret_update(&mut tx, &secret, sealed.as_deref()).await?;
    if changed {
        audit::record_operation(&mut tx, app, person, "secret_update", Some(id.uuid())).await?;
    }
    tx.commit().await?;
    if changed {
        Ok(secret)
    } else {
        Err(Error::NotFound("secret"))
    }
}

pub async fn delete(app: &App, person: &Person, id: SecretId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let secret = store::secret_fetch(&mut tx, person.organization_id(), id).await?;
    let secret = secret.ok_or(Error::NotFound("secret"))?;
    startup_variable::refuse("key", &secret.key, person.is_admin())?;
    may_change(&mut tx, person, secret.scope).await?;
    let deleted = store::secret_delete(&mut tx, person.organization_id(), id).await?;
    if deleted {
        audit::record_operation(&mut tx, app, person, "secret_delete", Some(id.uuid())).await?;
    }
    tx.commit().await?;
    if deleted {
        Ok(())
    } else {
        Err(Error::NotFound("secret"))
    }
}

/// [`may_write`] for a secret that is there: one of a session that the caller does not see is not.
async fn may_change(tx: &mut Tx, person: &Person, scope: SecretScope) -> Result<()> {
    match may_write(tx, person, scope).await {
        Err(Error::NotFound(_)) => Err(Error::NotFound("secret")),
        other => other,
    }
}

/// Inserts it; `None` if the scope has the key.
pub(super) async fn insert(
    app: &App,
    tx: &mut Tx,
    person: &Person,
    new: &NewSecret,
    now: Timestamp,
) -> Result<Option<Secret>> {
    let secret = Secret {
        id: SecretId::generate(now, &*app.entropy),
        organization_id: person.organization_id().clone(),
        scope: new.scope,
        key: new.key.clone(),
        description: new.description.clone(),
        created_by: Some(person.user_id().clone()),
        created_at: now,
        updated_at: now,
    };
    let sealed_value = seal(app, &secret, &new.value)?;
    let sealed = SealedSecret {
        secret,
        sealed_value,
    };
    Ok(store::secret_insert(tx, &sealed)
        .await?
        .then_some(sealed.secret))
}

pub(super) fn seal(app: &App, secret: &Secret, value: &SecretString) -> Result<String> {
    let associated = associated_data(&secret.organization_id, secret.scope, &secret.key);
    app.keyring
        .seal(&*app.entropy, &associated, value.expose_secret())
}

pub(super) async fn must_have_room(
    tx: &mut Tx,
    person: &Person,
    scope: SecretScope,
    more: usize,
) -> Result<()> {
    let organization_id = person.organization_id();
    let (held, max, whose) = match scope {
        SecretScope::Session(_) => {
            let held = store::secret_list_keys(tx, organization_id, scope)
                .await?
                .len();
            (held, SESSION_ENV_VARS_MAX, "a session")
        }
        SecretScope::Organization | SecretScope::Repo(_) | SecretScope::Configuration(_) => {
            let held = store::secret_count(tx, organization_id).await?;
            let held = usize::try_from(held).unwrap_or(usize::MAX);
            let max = SECRETS_PER_ORGANIZATION_MAX as usize;
            (held, max, "an organization")
        }
    };
    if more > 0 && held.saturating_add(more) > max {
        let message = format!("{whose} has at most {max} secrets");
        return Err(Error::LimitReached(message));
    }
    Ok(())
}

fn validate_description(description: Option<&str>) -> Result<()> {
    if let Some(description) = description {
        bounded_text("description", description, 1, NOTES_LENGTH_MAX)?;
    }
    Ok(())
}
