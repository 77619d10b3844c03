//! Reads cases.

use domain::{
    case::{Case, CaseCursor, CaseMember},
    page::{Page, PageRequest},
    policy::{CaseId, ClientSessionId},
};

use super::member_of;
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// A case with its members and meetings.
#[derive(Debug)]
pub struct CaseWithMembers {
    pub case: Case,
    pub members: Vec<CaseMember>,
    pub client_sessions: Vec<ClientSessionId>,
}

pub async fn fetch(app: &App, insider: &Insider, id: &CaseId) -> Result<CaseWithMembers> {
    let organization_id = insider.organization_id();
    let member = member_of(insider)?;
    let mut conn = app.db.read().await?;
    let case = store::case_fetch_for(&mut conn, organization_id, id, &member).await?;
    Ok(CaseWithMembers {
        case: case.ok_or(Error::NotFound("case"))?,
        members: store::case_member_list(&mut conn, organization_id, id).await?,
        client_sessions: store::case_client_session_list(&mut conn, organization_id, id).await?,
    })
}

/// The cases the caller is a member of.
pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<CaseCursor>,
) -> Result<Page<Case, CaseCursor>> {
    let member = member_of(insider)?;
    let mut conn = app.db.read().await?;
    Ok(store::case_list_for(&mut conn, insider.organization_id(), &member, page).await?)
}
