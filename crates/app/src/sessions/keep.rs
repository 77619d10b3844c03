//! Values that users gave to a session's sandbox, stored for its next one.

use std::collections::BTreeMap;

use domain::{
    id::SecretId,
    limits::SESSION_ENV_VARS_MAX,
    secret::{Secret, SecretScope, associated_data, validate_key, validate_value},
    session::Session,
    startup_variable,
};
use secrecy::{ExposeSecret as _, SecretString};
use store::SealedSecret;

use super::environment;
use crate::{context::App, error::Result};

/// Seals what the session's environment does not have yet, for this session alone. Gives the names of values that
/// cannot be kept.
pub async fn keep_environment(
    app: &App,
    session: &Session,
    values: BTreeMap<String, SecretString>,
) -> Result<Vec<String>> {
    let known = environment(app, session).await?.variables;
    let is_known = |key: &str, value: &SecretString| {
        let known = known.get(key);
        known.is_some_and(|known| known.expose_secret() == value.expose_secret())
    };
    let mut left_out = Vec::new();
    let (now, scope) = (app.now(), SecretScope::Session(session.id));
    let mut tx = app.db.write().await?;
    let organization_id = &session.organization_id;
    let mut count = store::secret_list_keys(&mut tx, organization_id, scope)
        .await?
        .len();
    for (key, value) in values {
        if is_known(&key, &value) {
            continue;
        }
        let good = validate_key("key", &key)
            .and(validate_value("value", value.expose_secret()))
            // Programs inside may have put it there. What an admin gave is known already.
            .and(startup_variable::refuse("key", &key, false));
        if good.is_err() || count >= SESSION_ENV_VARS_MAX {
            left_out.push(key);
            continue;
        }
        let associated = associated_data(organization_id, scope, &key);
        let sealed_value = app
            .keyring
            .seal(&*app.entropy, &associated, value.expose_secret())?;
        if let Some(mut secret) =
            store::secret_fetch_key(&mut tx, organization_id, scope, &key).await?
        {
            secret.updated_at = now;
            store::secret_update(&mut tx, &secret, Some(&sealed_value)).await?;
            continue;
        }
        let secret = Secret {
            id: SecretId::generate(now, &*app.entropy),
            organization_id: organization_id.clone(),
            scope,
            key,
            description: None,
            created_by: None,
            created_at: now,
            updated_at: now,
        };
        count += 1;
        store::secret_insert(
            &mut tx,
            &SealedSecret {
                secret,
                sealed_value,
            },
        )
        .await?;
    }
    tx.commit().await?;
    Ok(left_out)
}
