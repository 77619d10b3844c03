//! Tickets for the preview of what a session's agent built. A page from a sandbox runs without an origin of ours, so that
//! the browser sends no cookie with its requests: the address identifies the user.
//!
//! INVARIANT: a ticket opens one port of one session, for a while, and nothing else: no route but the preview's takes
//! one. The user it was made for must still be a member. The page can read the ticket, and learns nothing from it.

use domain::{
    caller::Credential,
    clock::Timestamp,
    id::{OrganizationId, SessionId, UserId},
    limits::{PREVIEW_TICKET_BYTES_MAX, PREVIEW_TICKET_LIFE},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::authenticate::{Intent, member_caller};
use crate::{
    access::{Insider, Person, SessionAccess},
    audit,
    context::App,
    error::{Error, Result},
};

/// A ticket that was made.
#[derive(Debug)]
pub struct PreviewTicket {
    pub text: SecretString,
    pub expires_at: Timestamp,
}

/// The content of a ticket. Sealed, so that its holder learns nothing from it.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    organization: String,
    user: String,
    port: u16,
    expires_at: i64,
}

const NOT_GOOD: Error = Error::Unauthenticated("the preview is open no longer; open it again");

/// Makes a ticket for a port of a session. Whether a program listens there shows when the preview is opened.
pub async fn preview_ticket(
    app: &App,
    person: &Person,
    id: SessionId,
    port: u16,
) -> Result<PreviewTicket> {
    SessionAccess::of(app, person, id).await?;
    let expires_at = app.now().plus(PREVIEW_TICKET_LIFE);
    let claims = Claims {
        organization: person.organization_id().to_string(),
        user: person.user_id().to_string(),
        port,
        expires_at: expires_at.micros(),
    };
    let plain =
        serde_json::to_string(&claims).map_err(|_| Error::Sealed("it cannot be written"))?;
    let text = app.keyring.seal(&*app.entropy, &place(id), &plain)?;
    let mut tx = app.db.write().await?;
    audit::record_operation(
        &mut tx,
        app,
        person,
        "session_preview_open",
        Some(id.uuid()),
    )
    .await?;
    tx.commit().await?;
    Ok(PreviewTicket {
        text: text.into(),
        expires_at,
    })
}

/// Returns the caller of a ticket, and the port of the session that it opens.
pub async fn authenticate_preview(
    app: &App,
    id: SessionId,
    ticket: &str,
) -> Result<(Insider, u16)> {
    if ticket.len() > PREVIEW_TICKET_BYTES_MAX {
        return Err(NOT_GOOD);
    }
    let plain = app.keyring.open(&place(id), ticket).map_err(|_| NOT_GOOD)?;
    let claims: Claims = serde_json::from_str(plain.expose_secret()).map_err(|_| NOT_GOOD)?;
    if app.now().micros() >= claims.expires_at {
        return Err(NOT_GOOD);
    }
    let organization_id: OrganizationId = claims.organization.parse().map_err(|_| NOT_GOOD)?;
    let user_id: UserId = claims.user.parse().map_err(|_| NOT_GOOD)?;
    let mut conn = app.db.read().await?;
    let identified = member_caller(
        &mut conn,
        &user_id,
        Some(&organization_id),
        Credential::Token,
    );
    // A program in the sandbox answers.
    let caller = identified.await?.admit(Intent::Change)?;
    Ok((Insider::of(&caller)?, claims.port))
}

/// INVARIANT: a ticket of one session is none of another.
fn place(id: SessionId) -> String {
    format!("preview_ticket:{id}")
}
