//! The connectors of a session. On the path of every action: one statement.

use std::collections::HashMap;

use ::integrations::mcp::config::{self, Connector};
use domain::{
    action::redact::Fingerprints,
    id::{ConnectorId, OrganizationId, SessionId},
};
use store::ConnectorInUse;

use crate::{context::App, error::Result, secrets};

/// A connector that a session can use.
#[derive(Debug, Clone)]
pub struct SessionConnector {
    pub connector: Connector,
    /// Digests of the pinned definitions, by action.
    pub pins: HashMap<String, String>,
    /// Digests of those that read differently when they were seen last, by action.
    pub changed: HashMap<String, String>,
}

/// The organization's connectors and those of the session's configuration, without those that are off.
pub async fn list_for_session(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<SessionConnector>> {
    let found =
        store::connector_list_for_session(&mut app.db.read().await?, organization_id, session_id)
            .await?;
    Ok(found.into_iter().filter_map(usable).collect())
}

/// One of them.
pub async fn fetch_for_session(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    id: ConnectorId,
) -> Result<Option<SessionConnector>> {
    let found = store::connector_fetch_for_session(
        &mut app.db.read().await?,
        organization_id,
        session_id,
        id,
    )
    .await?;
    Ok(found.and_then(usable))
}

/// The secret that the gateway sends to a connector of the session, to be searched for.
pub(crate) async fn stored_fingerprints(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    id: ConnectorId,
) -> Result<Fingerprints> {
    let found = {
        let mut conn = app.db.read().await?;
        store::connector_fetch_for_session(&mut conn, organization_id, session_id, id).await?
    };
    // Also of one that is switched off: its secret is one all the same.
    let connector = found.and_then(|found| config::read(&found.config).ok());
    let secret = match connector.as_ref().and_then(|it| it.auth.secret_key()) {
        Some(key) => secrets::open(&app.db, &app.keyring, organization_id, key).await?,
        None => None,
    };
    Ok(Fingerprints::of(&secret))
}

/// One that cannot be read does not take the others with it.
fn usable(found: ConnectorInUse) -> Option<SessionConnector> {
    match config::read(&found.config) {
        Ok(connector) => connector.enabled.then_some(SessionConnector {
            connector,
            pins: found.pins,
            changed: found.changed,
        }),
        Err(wrong) => {
            tracing::error!(connector_id = %found.id, %wrong, "a stored connector cannot be read");
            None
        }
    }
}
