//! What a removed member leaves: sessions and automations go to another member, seats in cases end.

use domain::{
    case::CaseMember,
    id::{OrganizationId, UserId},
};

use crate::{conn::Tx, error::Result, statement::statements, value::values};

statements! {
    SESSION_SUCCEED = "UPDATE sessions SET created_by = $3 WHERE organization_id = $1 AND created_by = $2";
    AUTOMATION_SUCCEED = "UPDATE automations SET created_by = $3 WHERE organization_id = $1 AND created_by = $2";
    CASE_MEMBER_DELETE_ALL = "DELETE FROM case_members WHERE organization_id = $1 AND member = $2";
}

/// How much went to the successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Succession {
    pub sessions: u64,
    pub automations: u64,
}

/// Gives the sessions and automations of one member to another, and ends the former's seats in cases. Cases go to no member:
/// they exist for their members.
pub async fn member_succeed(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    from: &UserId,
    to: &UserId,
) -> Result<Succession> {
    let values = || values![organization_id, from, to];
    let sessions = tx.execute(&SESSION_SUCCEED, values()).await?;
    let automations = tx.execute(&AUTOMATION_SUCCEED, values()).await?;
    let member = CaseMember::User(from.clone()).to_string();
    let values = values![organization_id, member];
    tx.execute(&CASE_MEMBER_DELETE_ALL, values).await?;
    Ok(Succession {
        sessions,
        automations,
    })
}
