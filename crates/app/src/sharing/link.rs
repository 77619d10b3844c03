//! Share links of a session.

use domain::{
    id::{SessionId, ShareLinkId},
    limits::{
        SHARE_LINK_RETENTION, SHARE_LINK_SWEEP_MAX, SHARE_LINKS_LIVE_PER_SESSION_MAX,
        SHARE_LINKS_PER_SESSION_MAX,
    },
    sharing::{ShareLink, ShareLinkText, share_link_hash},
};

use crate::{
    access::{Insider, SessionSharing},
    audit,
    context::App,
    error::{Error, Result},
};

/// A link that was made.
#[derive(Debug)]
pub struct CreatedLink {
    pub link: ShareLink,
    /// For the member who made it; it is not stored.
    pub text: ShareLinkText,
}

const OFF: Error = Error::Forbidden(
    "the organization allows no share links; an admin can allow them in its settings",
);

/// Makes a link to the transcript of a session that lasts for so many hours.
pub async fn create_link(
    app: &App,
    insider: &Insider,
    id: SessionId,
    hours: Option<u32>,
) -> Result<CreatedLink> {
    let life = ShareLink::life("expiresInHours", hours)?;
    let now = app.now();
    let mut tx = app.db.write().await?;
    let (sharing, session) = SessionSharing::read(&mut tx, insider, id).await?;
    let organization_id = sharing.access().organization_id();
    if store::organization_share_links_fetch(&mut tx, organization_id).await? != Some(true) {
        return Err(OFF);
    }
    let created_by = insider.user_id().cloned();
    let created_by = created_by.ok_or(Error::Forbidden("a share link is made by a member"))?;
    let (all, live) = store::share_link_count(&mut tx, organization_id, id, now).await?;
    if live >= SHARE_LINKS_LIVE_PER_SESSION_MAX {
        return Err(Error::Conflict(format!(
            "the session has {SHARE_LINKS_LIVE_PER_SESSION_MAX} share links that work; revoke one first"
        )));
    }
    if all >= SHARE_LINKS_PER_SESSION_MAX {
        return Err(Error::Conflict(format!(
            "the session has had {SHARE_LINKS_PER_SESSION_MAX} share links; those that expired are removed after 90 days"
        )));
    }
    let text = ShareLinkText::generate(&*app.entropy);
    let link = ShareLink {
        id: ShareLinkId::generate(now, &*app.entropy),
        organization_id: session.organization_id,
        session_id: id,
        created_by,
        created_at: now,
        expires_at: now.plus(life),
        revoked_at: None,
        opened_at: None,
        openings: 0,
    };
    store::share_link_insert(&mut tx, &link, &share_link_hash(text.expose())).await?;
    let target = ("share_link_create", format!("share_link/{}", link.id));
    audit::record_session_change(&mut tx, app, insider, id, target, (None, None)).await?;
    tx.commit().await?;
    Ok(CreatedLink { link, text })
}

/// The links of a session, newest first, those that are over included.
pub async fn list_links(app: &App, insider: &Insider, id: SessionId) -> Result<Vec<ShareLink>> {
    let mut conn = app.db.read().await?;
    let (sharing, _) = SessionSharing::read(&mut conn, insider, id).await?;
    let organization_id = sharing.access().organization_id();
    let limit = SHARE_LINKS_PER_SESSION_MAX;
    Ok(store::share_link_list(&mut conn, organization_id, id, limit).await?)
}

/// Revokes a link: it shows nothing from now on. Revoking it again changes nothing.
pub async fn revoke_link(
    app: &App,
    insider: &Insider,
    id: SessionId,
    link_id: ShareLinkId,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    let (sharing, _) = SessionSharing::read(&mut tx, insider, id).await?;
    let organization_id = sharing.access().organization_id();
    let revoked =
        store::share_link_revoke(&mut tx, organization_id, id, link_id, app.now()).await?;
    if revoked.is_none() {
        let limit = SHARE_LINKS_PER_SESSION_MAX;
        let links = store::share_link_list(&mut tx, organization_id, id, limit).await?;
        let is_there = links.iter().any(|link| link.id == link_id);
        return if is_there {
            Ok(())
        } else {
            Err(Error::NotFound("share link"))
        };
    }
    let target = ("share_link_revoke", format!("share_link/{link_id}"));
    audit::record_session_change(&mut tx, app, insider, id, target, (None, None)).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes links that expired long ago.
pub async fn sweep_links(app: &App) -> Result<usize> {
    let mut tx = app.db.write().await?;
    let expired_by = app.now().minus(SHARE_LINK_RETENTION);
    let removed = store::share_link_sweep(&mut tx, expired_by, SHARE_LINK_SWEEP_MAX).await?;
    tx.commit().await?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}
