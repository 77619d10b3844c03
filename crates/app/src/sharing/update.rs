//! Who sees and steers a session.

use std::collections::BTreeMap;

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId, UserId},
    invalid::{Invalid, bounded_count},
    limits::SESSION_PEOPLE_MAX,
    organization::User,
    sharing::{NamedMember, NamedRight, SessionRight, Visibility},
};
use store::{Conn, Tx};

use crate::{
    access::{self, Insider, SessionAccess, SessionSharing},
    audit,
    context::App,
    error::Result,
    identity, news,
};

/// Which members see a session.
#[derive(Debug)]
pub struct SessionShares {
    pub visibility: Visibility,
    pub created_by: Option<UserId>,
    pub people: Vec<NamedUser>,
    /// What the caller may do with the session.
    pub rights: Vec<SessionRight>,
}

/// A member who is named for a session.
#[derive(Debug)]
pub struct NamedUser {
    pub named: NamedMember,
    pub user: User,
}

/// Reads who sees the session, for a caller that sees it.
pub async fn show(app: &App, insider: &Insider, id: SessionId) -> Result<SessionShares> {
    let mut conn = app.db.read().await?;
    read(&mut conn, insider, id).await
}

/// Replaces the visibility of a session and the members who are named for it.
pub async fn update(
    app: &App,
    insider: &Insider,
    id: SessionId,
    visibility: Visibility,
    people: &[NamedMember],
) -> Result<SessionShares> {
    validate_people(visibility, people)?;
    let now = app.now();
    let mut tx = app.db.write().await?;
    let (sharing, session) = SessionSharing::read(&mut tx, insider, id).await?;
    let organization_id = sharing.access().organization_id();
    let before = store::session_person_list(&mut tx, organization_id, id).await?;
    store::session_set_visibility(&mut tx, organization_id, id, visibility, now).await?;
    store::session_person_remove_all(&mut tx, organization_id, id).await?;
    insert_people(&mut tx, organization_id, id, people, now).await?;
    let change = (Some(session.visibility.as_str()), Some(visibility.as_str()));
    let target = format!("session_sharing/{id}");
    let operation = "session_sharing_update";
    audit::record_session_change(&mut tx, app, insider, id, (operation, target), change).await?;
    record_people(&mut tx, app, insider, id, &before, people).await?;
    let shares = read(&mut tx, insider, id).await?;
    tx.commit().await?;
    // Streams of members who lose it end at once.
    identity::access_changed(app, organization_id, None);
    // Subscribers that knew of the session before read their lists again, also those that lose it.
    let was_open = session.visibility == Visibility::Organization;
    news::publish_sharing_soon(app, organization_id, id, was_open);
    Ok(shares)
}

async fn read(conn: &mut Conn, insider: &Insider, id: SessionId) -> Result<SessionShares> {
    let (access, session) = SessionAccess::read(conn, insider, id).await?;
    let organization_id = access.organization_id();
    let mut people = Vec::new();
    for named in store::session_person_list(conn, organization_id, id).await? {
        if let Some(user) = store::user_fetch(conn, &named.user_id).await? {
            people.push(NamedUser { named, user });
        }
    }
    let rights = access::rights(conn, insider, &session).await?;
    Ok(SessionShares {
        visibility: session.visibility,
        created_by: session.created_by,
        people,
        rights,
    })
}

/// A list of names needs a visibility that has a use for it, and each member is in it once.
pub(crate) fn validate_people(visibility: Visibility, people: &[NamedMember]) -> Result<()> {
    bounded_count("people", people.len(), SESSION_PEOPLE_MAX)?;
    if visibility == Visibility::Private && !people.is_empty() {
        let message =
            "must be empty for a private session; the visibility `people` is for members by name";
        return Err(Invalid::new("people", message).into());
    }
    for (index, named) in people.iter().enumerate() {
        if people[..index]
            .iter()
            .any(|other| other.user_id == named.user_id)
        {
            return Err(Invalid::new(format!("people[{index}].userId"), "is given twice").into());
        }
    }
    Ok(())
}

/// Names members for a session. Each must be a member of the organization now.
pub(crate) async fn insert_people(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: SessionId,
    people: &[NamedMember],
    now: Timestamp,
) -> Result<()> {
    for (index, named) in people.iter().enumerate() {
        if store::member_fetch(tx, organization_id, &named.user_id)
            .await?
            .is_none()
        {
            let field = format!("people[{index}].userId");
            return Err(Invalid::new(field, "is not a member of the organization").into());
        }
        store::session_person_insert(tx, organization_id, id, named, now).await?;
    }
    Ok(())
}

/// One event for each member whose name was added, removed or changed.
async fn record_people(
    tx: &mut Tx,
    app: &App,
    insider: &Insider,
    id: SessionId,
    before: &[NamedMember],
    after: &[NamedMember],
) -> Result<()> {
    let mut changes: BTreeMap<&UserId, (Option<NamedRight>, Option<NamedRight>)> = BTreeMap::new();
    for named in before {
        changes.entry(&named.user_id).or_default().0 = Some(named.right);
    }
    for named in after {
        changes.entry(&named.user_id).or_default().1 = Some(named.right);
    }
    for (user_id, (from, to)) in changes {
        if from == to {
            continue;
        }
        let word = |right: Option<NamedRight>| right.map(NamedRight::as_str);
        let target = ("session_person_update", format!("session_person/{user_id}"));
        let change = (word(from), word(to));
        audit::record_session_change(tx, app, insider, id, target, change).await?;
    }
    Ok(())
}
