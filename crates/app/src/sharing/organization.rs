//! Whether share links work in an organization.

use crate::{
    access::{Admin, Insider},
    audit,
    context::App,
    error::{Error, Result},
};

/// Whether members may make share links, and those that exist work.
pub async fn link_policy(app: &App, insider: &Insider) -> Result<bool> {
    let mut conn = app.db.read().await?;
    let allowed =
        store::organization_share_links_fetch(&mut conn, insider.organization_id()).await?;
    allowed.ok_or(Error::NotFound("organization"))
}

/// Allows share links, or switches them off: those that exist stop at once, and work again when they are allowed again
/// before they expire.
pub async fn set_link_policy(app: &App, admin: &Admin, allowed: bool) -> Result<bool> {
    let mut tx = app.db.write().await?;
    let organization_id = admin.organization_id();
    let before = store::organization_share_links_fetch(&mut tx, organization_id).await?;
    if !store::organization_share_links_set(&mut tx, organization_id, allowed).await? {
        return Err(Error::NotFound("organization"));
    }
    let word = |allowed: bool| if allowed { "allowed" } else { "off" };
    let target = (
        "organization_sharing_update",
        "organization_sharing".to_owned(),
    );
    let change = (before.map(word), Some(word(allowed)));
    audit::record_change(&mut tx, app, admin, target, change).await?;
    tx.commit().await?;
    Ok(allowed)
}
