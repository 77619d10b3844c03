//! Many secrets from the text of a .env file, all or nothing.

use domain::{clock::Timestamp, dotenv, secret::SecretScope, startup_variable};
use secrecy::SecretString;
use store::Tx;

use super::{
    may_write,
    write::{NewSecret, insert, must_have_room, seal},
};
use crate::{
    access::{Inside as _, Person},
    audit,
    context::App,
    error::Result,
};

/// What to do with a key the scope has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExisting {
    Skip,
    Update,
}

/// The keys, by what became of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportResult {
    pub created: Vec<String>,
    pub updated: Vec<String>,
    pub skipped: Vec<String>,
}

/// What came of storing a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretPut {
    Created,
    Updated,
    Skipped,
}

/// Sets a secret, whether or not the scope has it.
async fn put(
    app: &App,
    tx: &mut Tx,
    person: &Person,
    new: &NewSecret,
    on_existing: OnExisting,
    now: Timestamp,
) -> Result<SecretPut> {
    if insert(app, tx, person, new, now).await?.is_some() {
        return Ok(SecretPut::Created);
    }
    let existing =
        store::secret_fetch_key(tx, person.organization_id(), new.scope, &new.key).await?;
    match (on_existing, existing) {
        (OnExisting::Update, Some(mut secret)) => {
            secret.updated_at = now;
            if new.description.is_some() {
                secret.description.clone_from(&new.description);
            }
            let sealed = seal(app, &secret, &new.value)?;
            store::secret_update(tx, &secret, Some(&sealed)).await?;
            Ok(SecretPut::Updated)
        }
        _ => Ok(SecretPut::Skipped),
    }
}

/// Sets all of them, in the place of those that the scope has. Checked by the caller, as values; what is said of each
/// is whether it was there.
pub(crate) async fn replace_all(
    app: &App,
    tx: &mut Tx,
    person: &Person,
    scope: SecretScope,
    all: &[NewSecret],
) -> Result<Vec<SecretPut>> {
    may_write(tx, person, scope).await?;
    let held = store::secret_list_keys(tx, person.organization_id(), scope).await?;
    let more = all.iter().filter(|new| !held.contains(&new.key)).count();
    must_have_room(tx, person, scope, more).await?;
    let (now, mut put_all) = (app.now(), Vec::with_capacity(all.len()));
    for new in all {
        put_all.push(put(app, tx, person, new, OnExisting::Update, now).await?);
    }
    Ok(put_all)
}

pub async fn import(
    app: &App,
    person: &Person,
    scope: SecretScope,
    text: &str,
    on_existing: OnExisting,
) -> Result<ImportResult> {
    let variables = dotenv::parse("text", text)?;
    for (key, _) in &variables {
        startup_variable::refuse("text", key, person.is_admin())?;
    }
    let mut tx = app.db.write().await?;
    may_write(&mut tx, person, scope).await?;
    let held = store::secret_list_keys(&mut tx, person.organization_id(), scope).await?;
    let new = variables
        .iter()
        .filter(|(key, _)| !held.contains(key))
        .count();
    must_have_room(&mut tx, person, scope, new).await?;
    let now = app.now();
    let mut imported = ImportResult::default();
    for (key, value) in variables {
        let new = NewSecret {
            scope,
            key,
            value: SecretString::from(value),
            description: None,
        };
        match put(app, &mut tx, person, &new, on_existing, now).await? {
            SecretPut::Created => imported.created.push(new.key),
            SecretPut::Updated => imported.updated.push(new.key),
            SecretPut::Skipped => imported.skipped.push(new.key),
        }
    }
    audit::record_operation(&mut tx, app, person, "secret_import", None).await?;
    tx.commit().await?;
    Ok(imported)
}
