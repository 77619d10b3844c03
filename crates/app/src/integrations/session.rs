//! The connections of a session: those it was created with, and no others of its organization.

use domain::{
    id::{OrganizationId, SessionId},
    integration::Integration,
};

use crate::{context::App, error::Result};

/// The active connection through which a session uses a source, such as `linear`; the newest if there are
/// several.
pub async fn for_source(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    source: &str,
) -> Result<Option<Integration>> {
    let mut conn = app.db.read().await?;
    let found = store::integration_fetch_of_session(&mut conn, organization_id, session_id, source);
    Ok(found.await?)
}

/// Every connection of a session, newest first, also those that cannot be used now.
pub async fn list_for_session(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<Integration>> {
    let mut conn = app.db.read().await?;
    let found = store::integration_list_of_session(&mut conn, organization_id, session_id);
    Ok(found.await?)
}
