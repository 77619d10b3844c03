//! The members of a case. Its members may change the list, and so may admins, who may also add themselves: each
//! change is recorded.

use domain::{case::CaseMember, invalid::Invalid, limits::CASE_MEMBERS_MAX, policy::CaseId};
use store::Tx;

use super::done;
use crate::{
    access::{Person, SessionAccess},
    context::App,
    error::{Error, Result},
};

/// Makes a user or service a member of the case. Doing it again changes nothing and succeeds.
pub async fn member_add(
    app: &App,
    person: &Person,
    id: &CaseId,
    member: &CaseMember,
) -> Result<()> {
    let organization_id = person.organization_id();
    let mut tx = app.db.write().await?;
    may_change(&mut tx, person, id).await?;
    is_of_organization(&mut tx, person, member).await?;
    store::case_lock(&mut tx, organization_id, id).await?;
    let added = store::case_member_insert(&mut tx, organization_id, id, member, app.now());
    if !added.await? {
        return Ok(());
    }
    if store::case_member_count(&mut tx, organization_id, id).await? > i64::from(CASE_MEMBERS_MAX) {
        return Err(Error::LimitReached(format!(
            "a case has at most {CASE_MEMBERS_MAX} members"
        )));
    }
    done(
        &mut tx,
        app,
        person,
        "case_member_add",
        id,
        member.to_string(),
    )
    .await?;
    Ok(tx.commit().await?)
}

/// Ends a membership. The last member may leave; an admin can add a member again.
pub async fn member_remove(
    app: &App,
    person: &Person,
    id: &CaseId,
    member: &CaseMember,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    may_change(&mut tx, person, id).await?;
    if !store::case_member_delete(&mut tx, person.organization_id(), id, member).await? {
        return Err(Error::NotFound("member"));
    }
    done(
        &mut tx,
        app,
        person,
        "case_member_remove",
        id,
        member.to_string(),
    )
    .await?;
    Ok(tx.commit().await?)
}

async fn may_change(tx: &mut Tx, person: &Person, id: &CaseId) -> Result<()> {
    let organization_id = person.organization_id();
    let own = CaseMember::User(person.user_id().clone());
    let seen = if person.admin().is_ok() {
        store::case_fetch(tx, organization_id, id).await?
    } else {
        store::case_fetch_for(tx, organization_id, id, &own).await?
    };
    seen.map(drop).ok_or(Error::NotFound("case"))
}

/// Rejects users and sessions of another organization. Services are in no list.
async fn is_of_organization(tx: &mut Tx, person: &Person, member: &CaseMember) -> Result<()> {
    let organization_id = person.organization_id();
    let known = match member {
        CaseMember::User(user_id) => store::member_fetch(tx, organization_id, user_id)
            .await?
            .is_some(),
        CaseMember::Session(session_id) => {
            match SessionAccess::read(tx, person, *session_id).await {
                Ok(_) => true,
                Err(Error::NotFound(_)) => false,
                Err(error) => return Err(error),
            }
        }
        CaseMember::Service(_) => true,
    };
    if known {
        Ok(())
    } else {
        Err(Invalid::new("member", "is not of this organization").into())
    }
}
