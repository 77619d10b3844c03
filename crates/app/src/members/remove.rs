//! Removes a member: what they own goes to a successor, what identifies them ends, in one transaction.

use domain::{
    id::{OrganizationId, UserId},
    invalid::Invalid,
    limits::MEMBERS_SHOWN_MAX,
    organization::Member,
    role::Role,
};
use store::{Succession, Tx};

use super::{check_others, revoke_invitations};
use crate::{
    access::Person,
    audit,
    context::App,
    error::{Error, Result},
    identity::access_changed,
};

/// What is said of a removal beside whom it concerns.
#[derive(Debug, Default)]
pub struct Removal {
    /// The admin or owner whom sessions and automations go to; the caller if absent, or an owner if the caller leaves.
    pub successor: Option<UserId>,
    /// Whether name and address of the user are erased, too.
    pub erase: bool,
}

/// What a removal did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedMember {
    pub successor: UserId,
    pub succession: Succession,
    /// Name and address are kept if the user is a member of another organization.
    pub is_erased: bool,
}

/// Removes a member, or the caller. Logins, API keys and one-time codes end with the row, streams right after the commit.
pub async fn remove(
    app: &App,
    person: &Person,
    user_id: &UserId,
    removal: Removal,
) -> Result<RemovedMember> {
    let organization_id = person.organization_id();
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    let found = check_rights(&mut tx, person, user_id, removal.erase).await?;
    check_others(&mut tx, organization_id, found.role, None).await?;
    let successor = find_successor(&mut tx, person, user_id, removal.successor).await?;
    let succession = store::member_succeed(&mut tx, organization_id, user_id, &successor).await?;
    let by = (person, person.user_id());
    revoke_invitations(&mut tx, app, by, user_id, None).await?;
    store::member_delete(&mut tx, organization_id, user_id).await?;
    let is_erased = removal.erase && erase(&mut tx, user_id).await?;
    let member = (user_id, found.role);
    audit::record_member_end(&mut tx, app, person, member, &successor).await?;
    if is_erased {
        audit::record_member_erasure(&mut tx, app, person, user_id).await?;
    }
    tx.commit().await?;
    access_changed(app, organization_id, Some(user_id));
    Ok(RemovedMember {
        successor,
        succession,
        is_erased,
    })
}

/// The member, if the caller may remove them. Rights are those of now, not of when the request came.
async fn check_rights(
    tx: &mut Tx,
    person: &Person,
    user_id: &UserId,
    erase: bool,
) -> Result<Member> {
    let organization_id = person.organization_id();
    let acting = store::member_fetch(tx, organization_id, person.user_id()).await?;
    let acting = acting.map(|member| member.role);
    let is_own = person.user_id() == user_id;
    if !is_own && !acting.is_some_and(Role::is_admin) {
        return Err(Error::Forbidden(
            "only an admin or owner may remove another member",
        ));
    }
    let found = store::member_fetch(tx, organization_id, user_id).await?;
    let found = found.ok_or(Error::NotFound("member"))?;
    if !is_own && found.role == Role::Owner && acting != Some(Role::Owner) {
        return Err(Error::Forbidden("only an owner may remove an owner"));
    }
    if erase && acting != Some(Role::Owner) {
        return Err(Error::Forbidden(
            "only an owner may erase the name and address of a member",
        ));
    }
    Ok(found)
}

async fn find_successor(
    tx: &mut Tx,
    person: &Person,
    removed: &UserId,
    named: Option<UserId>,
) -> Result<UserId> {
    let organization_id = person.organization_id();
    let successor = match named {
        Some(named) => named,
        None if person.user_id() != removed => person.user_id().clone(),
        None => first_owner(tx, organization_id, removed).await?,
    };
    let member = store::member_fetch(tx, organization_id, &successor).await?;
    if successor == *removed || !member.is_some_and(|member| member.role.is_admin()) {
        let message = "must be the user id of another admin or owner of the organization";
        return Err(Invalid::new("successor", message).into());
    }
    Ok(successor)
}

/// The owner, or else the admin, who joined first.
async fn first_owner(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    except: &UserId,
) -> Result<UserId> {
    let members = store::member_list(tx, organization_id, MEMBERS_SHOWN_MAX).await?;
    let others = members.into_iter().map(|(member, _)| member);
    let others = others.filter(|member| member.user_id != *except && member.role.is_admin());
    let first = others.min_by_key(|member| {
        let is_admin = member.role != Role::Owner;
        (is_admin, member.created_at, member.user_id.clone())
    });
    let first = first.ok_or_else(|| {
        Invalid::new(
            "successor",
            "must name an admin or owner: there is no other one",
        )
    })?;
    Ok(first.user_id)
}

/// Erases name, address and identities of a user who is a member of no organization any more.
///
/// INVARIANT: the audit log names users by their id alone, so it verifies as before.
async fn erase(tx: &mut Tx, user_id: &UserId) -> Result<bool> {
    let user = store::user_fetch(tx, user_id).await?;
    let user = user.ok_or(Error::NotFound("member"))?;
    if !store::user_erase(tx, user_id).await? {
        return Ok(false);
    }
    store::user_identity_delete_of_user(tx, user_id).await?;
    store::invitation_forget_addresses(tx, &user.email, user_id).await?;
    store::mail_delete_of_recipient(tx, &user.email).await?;
    Ok(true)
}
