//! What a reader with a share link gets: the transcript as it was recorded, a page at a time.
//!
//! INVARIANT: a link that expired, was revoked, was switched off or never existed gets one answer. Nothing is live: a
//! reader attaches to no hub and starts nothing.

use std::net::IpAddr;

use agent::tool::Tool;
use coord::Admission;
use domain::{
    action::redact::Fingerprints,
    clock::Timestamp,
    lease::RateKey,
    limits::{
        LIVE_EVENTS_PAGE_MAX, SHARE_LINK_OPENING_EVERY, SHARED_READS_PER_CLIENT,
        SHARED_READS_PER_LINK, SHARED_READS_WINDOW,
    },
    secret::associated_data,
    session_event::SessionEvent,
    sharing::{ShareLinkText, share_link_hash},
};

use crate::{
    access::{AuditedActor as _, ShareReader},
    audit,
    context::App,
    error::{Error, Result},
};

/// A page of a transcript.
#[derive(Debug)]
pub struct SharedPage {
    pub title: Option<String>,
    pub created_at: Timestamp,
    /// Until when the link works.
    pub expires_at: Timestamp,
    /// In their order; what of them is shown is for the gateway to select.
    pub events: Vec<SessionEvent>,
    /// Where the next page begins; `None` at the end of what was recorded.
    pub next: Option<u64>,
    /// Values of the secrets that the session has: wherever one is in the transcript, it is left out.
    pub secrets: Fingerprints,
}

const GONE: Error = Error::NotFound("share link that works: it may have expired or been revoked");

/// The reader of a code, unless they ask too often.
pub async fn open_shared(app: &App, code: &str, client: IpAddr) -> Result<ShareReader> {
    admit(app, RateKey::SharedReads(client), SHARED_READS_PER_CLIENT).await?;
    if !ShareLinkText::looks_like_one(code) {
        return Err(GONE);
    }
    let link = {
        let mut conn = app.db.read().await?;
        store::share_link_fetch_by_hash(&mut conn, &share_link_hash(code), app.now()).await?
    };
    let link = link.ok_or(GONE)?;
    admit(app, RateKey::ShareLink(link.id), SHARED_READS_PER_LINK).await?;
    Ok(ShareReader::of(link))
}

/// The page of the transcript after an event. The first opening within an hour is recorded before it is answered.
pub async fn read_shared(app: &App, reader: &ShareReader, after: u64) -> Result<SharedPage> {
    record_opening(app, reader).await?;
    let (organization_id, id) = (reader.organization_id(), reader.session_id());
    let mut conn = app.db.read().await?;
    let session = store::session_fetch(&mut conn, organization_id, id).await?;
    let session = session.ok_or(GONE)?;
    let limit = LIVE_EVENTS_PAGE_MAX;
    let events = store::session_event_list(&mut conn, organization_id, id, after, limit).await?;
    let last = store::session_event_last(&mut conn, organization_id, id).await?;
    let sealed = store::secret_list_sealed_for_session(&mut conn, organization_id, id).await?;
    drop(conn);
    let mut secrets = Vec::with_capacity(sealed.len());
    for sealed in sealed {
        let secret = sealed.secret;
        let associated = associated_data(organization_id, secret.scope, &secret.key);
        // One that cannot be opened is no reason to show the others.
        secrets.push(app.keyring.open(&associated, &sealed.sealed_value)?);
    }
    let next = events.last().map(|event| event.seq);
    Ok(SharedPage {
        title: session.title,
        created_at: session.created_at,
        expires_at: reader.link().expires_at,
        next: next.filter(|next| *next < last),
        events,
        secrets: Fingerprints::of(&secrets),
    })
}

/// The name of the agent's tool that asks users for values: what it suggests is not shared.
pub fn env_form_tool() -> &'static str {
    Tool::RequestEnvVariables.as_str()
}

async fn record_opening(app: &App, reader: &ShareReader) -> Result<()> {
    let (now, link) = (app.now(), reader.link());
    let before = now.minus(SHARE_LINK_OPENING_EVERY);
    if link.opened_at.is_some_and(|opened_at| opened_at > before) {
        return Ok(());
    }
    let mut tx = app.db.write().await?;
    // Of readers at the same moment, one is recorded.
    if store::share_link_record_opening(&mut tx, link.id, now, before).await? {
        let target = ("share_link_open", format!("share_link/{}", link.id));
        let id = reader.session_id();
        audit::record_session_change(&mut tx, app, reader, id, target, (None, None)).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn admit(app: &App, key: RateKey, limit: u32) -> Result<()> {
    let admission = app
        .rate_limiter()
        .check(key, SHARED_READS_WINDOW, u64::from(limit));
    match admission.await {
        Admission::Limited { retry_after, .. } => Err(Error::RateLimited {
            message: "shared transcripts are read too often from here",
            retry_after,
        }),
        Admission::Allowed { .. } | Admission::Degraded => Ok(()),
    }
}
