//! The environment of a session: secrets of the organization, its repositories, its configuration
//! and its own, the narrowest scope winning.

use domain::{
    secret::{GIT_CREDENTIAL, associated_data, resolve_environment},
    session::Session,
};

use super::hooks::Environment;
use crate::{context::App, error::Result};

/// Opens the variables of a session.
pub async fn environment(app: &App, session: &Session) -> Result<Environment> {
    let organization_id = &session.organization_id;
    let mut conn = app.db.read().await?;
    let sealed =
        store::secret_list_sealed_for_session(&mut conn, organization_id, session.id).await?;
    drop(conn);
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    for sealed in sealed {
        let secret = sealed.secret;
        if secret.key == GIT_CREDENTIAL {
            continue;
        }
        let associated = associated_data(organization_id, secret.scope, &secret.key);
        match app.keyring.open(&associated, &sealed.sealed_value) {
            Ok(value) => found.push((secret.scope, secret.key, value)),
            Err(error) => {
                tracing::error!(secret_id = %secret.id, %error, "a secret could not be opened");
                unreadable.push(secret.key);
            }
        }
    }
    Ok(Environment {
        variables: resolve_environment(found),
        unreadable,
    })
}
