//! Many secrets from the text of a .env file, all or nothing.

use domain::{dotenv, secret::SecretScope};
use secrecy::SecretString;

use super::{
    may_write, scope_must_exist,
    write::{NewSecret, insert, must_have_room, seal},
};
use crate::{access::Person, audit, context::App, error::Result};

/// What to do with a key the scope has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExisting {
    Skip,
    Update,
}

/// The keys, by what became of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Imported {
    pub created: Vec<String>,
    pub updated: Vec<String>,
    pub skipped: Vec<String>,
}

pub async fn import(
    app: &App,
    person: &Person,
    scope: SecretScope,
    text: &str,
    on_existing: OnExisting,
) -> Result<Imported> {
    let variables = dotenv::parse("text", text)?;
    may_write(person, scope)?;
    let mut tx = app.db.write().await?;
    scope_must_exist(&mut tx, person, scope).await?;
    let held = tx.secret_list_keys(person.organization_id(), scope).await?;
    let new = variables
        .iter()
        .filter(|(key, _)| !held.contains(key))
        .count();
    must_have_room(&mut tx, person, scope, new).await?;
    let now = app.now();
    let mut imported = Imported::default();
    for (key, value) in variables {
        let new = NewSecret {
            scope,
            key,
            value: SecretString::from(value),
            description: None,
        };
        if insert(app, &mut tx, person, &new, now).await?.is_some() {
            imported.created.push(new.key);
            continue;
        }
        let existing = tx
            .secret_fetch_key(person.organization_id(), scope, &new.key)
            .await?;
        match (on_existing, existing) {
            (OnExisting::Update, Some(mut secret)) => {
                secret.updated_at = now;
                let sealed = seal(app, &secret, &new.value)?;
                tx.secret_update(&secret, Some(&sealed)).await?;
                imported.updated.push(new.key);
            }
            _ => imported.skipped.push(new.key),
        }
    }
    audit::done(&mut tx, app, person, "secret_import", None).await?;
    tx.commit().await?;
    Ok(imported)
}
