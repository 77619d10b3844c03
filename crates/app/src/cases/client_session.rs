//! Meetings with the client of a case.

use domain::{
    case::ClientSession,
    clock::random_bytes,
    limits::CASE_CLIENT_SESSIONS_MAX,
    policy::{CaseId, ClientSessionId},
};

use super::{done, member_of};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// Adds a meeting; an absent id is made up.
pub async fn client_session_create(
    app: &App,
    insider: &Insider,
    case_id: &CaseId,
    id: Option<ClientSessionId>,
) -> Result<ClientSession> {
    let organization_id = insider.organization_id();
    let member = member_of(insider)?;
    let mut tx = app.db.write().await?;
    let case = store::case_fetch_for(&mut tx, organization_id, case_id, &member).await?;
    let case = case.ok_or(Error::NotFound("case"))?;
    let meeting = ClientSession {
        id: id.map_or_else(|| made_up(app), Ok)?,
        case_id: case.id,
        organization_id: organization_id.clone(),
        created_at: app.now(),
    };
    store::case_lock(&mut tx, organization_id, case_id).await?;
    if !store::case_client_session_insert(&mut tx, &meeting).await? {
        return Err(Error::Conflict(
            "the case has a client session of this id".to_owned(),
        ));
    }
    let count = store::case_client_session_count(&mut tx, organization_id, case_id).await?;
    if count > i64::from(CASE_CLIENT_SESSIONS_MAX) {
        return Err(Error::LimitReached(format!(
            "a case has at most {CASE_CLIENT_SESSIONS_MAX} client sessions"
        )));
    }
    let target = format!("client_session/{}", meeting.id);
    done(
        &mut tx,
        app,
        insider,
        "case_client_session_create",
        case_id,
        target,
    )
    .await?;
    tx.commit().await?;
    Ok(meeting)
}

fn made_up(app: &App) -> Result<ClientSessionId> {
    let id = format!("meeting-{}", hex::encode(random_bytes::<10>(&*app.entropy)));
    ClientSessionId::new(id).map_err(|_| Error::NotFound("client session"))
}
