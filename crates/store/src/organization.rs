//! Organizations, users and memberships.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, UserId},
    model_usage::Budget,
    organization::{
        Member, Organization, OrganizationState, OrganizationStatus, OrganizationSuspension, User,
    },
    role::Role,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! state {
    () => {
        "o.status, o.suspended_at, o.suspension_reason, o.deletion_requested_at, o.deletion_due_at, o.purge_begun_at"
    };
}

macro_rules! organization {
    () => {
        concat!(
            "SELECT o.id, o.name, o.slug, o.created_at, o.operates, ",
            state!(),
            " FROM organization o "
        )
    };
}

statements! {
    ORGANIZATION_INSERT = "INSERT INTO organization (id, name, slug, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING";
    /// `FALSE` also where another organization has the slug, or operates.
    ORGANIZATION_CREATE = "INSERT INTO organization (id, name, slug, created_at, operates)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    ORGANIZATION_FETCH = concat!(organization!(), "WHERE o.id = $1");
    /// Waits for changes of the state that are under way, and holds them up until the commit.
    ORGANIZATION_HOLD = concat!("SELECT ", state!(), " FROM organization o WHERE o.id = $1"), pg: " FOR SHARE";
    ORGANIZATION_LIST = concat!(organization!(), "ORDER BY o.name, o.id LIMIT $1");
    ORGANIZATION_LIST_INACTIVE = "SELECT id FROM organization WHERE status <> 'active' ORDER BY id LIMIT $1";
    ORGANIZATION_EXISTS = "SELECT COUNT(*) AS n FROM (SELECT 1 FROM organization LIMIT 1) AS one";
    ORGANIZATION_OPERATES = "SELECT COUNT(*) AS n FROM organization WHERE id = $1 AND operates";
    ORGANIZATION_RENAME = "UPDATE organization SET name = $2 WHERE id = $1";
    ORGANIZATION_STATE_SET = "UPDATE organization SET status = $2, suspended_at = $3, suspension_reason = $4,
        deletion_requested_at = $5, deletion_due_at = $6, purge_begun_at = $7 WHERE id = $1";
    MEMBER_STANDING = "SELECT m.organization_id, m.user_id, m.role, m.created_at, o.status
        FROM member m JOIN organization o ON o.id = m.organization_id
        WHERE m.organization_id = $1 AND m.user_id = $2";
    /// As [`MEMBER_FETCH_FIRST`].
    MEMBER_STANDING_FIRST = "SELECT m.organization_id, m.user_id, m.role, m.created_at, o.status
        FROM member m JOIN organization o ON o.id = m.organization_id
        WHERE m.user_id = $1 ORDER BY m.created_at, m.organization_id LIMIT 1";
    ORGANIZATION_BUDGET_FETCH = "SELECT budget_micro_usd FROM organization WHERE id = $1";
    ORGANIZATION_BUDGET_SET = "UPDATE organization SET budget_micro_usd = $2 WHERE id = $1";
    ORGANIZATION_SHARE_LINKS_FETCH = "SELECT share_links FROM organization WHERE id = $1";
    ORGANIZATION_SHARE_LINKS_SET = "UPDATE organization SET share_links = $2 WHERE id = $1";
    USER_INSERT = "INSERT INTO \"user\" (id, name, email, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING";
    /// INVARIANT: an address that a user claims and nothing proved finds no user.
    USER_FETCH_BY_EMAIL = "SELECT id, name, email, created_at FROM \"user\" WHERE email = $1";
    USER_FETCH = "SELECT id, name, COALESCE(claimed_email, email) AS email, created_at FROM \"user\" WHERE id = $1";
    MEMBER_UPSERT = "INSERT INTO member (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role";
    MEMBER_LIST = "SELECT m.organization_id, m.user_id, m.role, m.created_at, u.name,
        COALESCE(u.claimed_email, u.email) AS email, u.created_at AS user_created_at FROM member m JOIN \"user\" u ON u.id = m.user_id
        WHERE m.organization_id = $1 ORDER BY u.name, m.user_id LIMIT $2";
    MEMBER_COUNT = "SELECT COUNT(*) AS n FROM member WHERE organization_id = $1 AND role = $2";
    /// Serialises changes of members.
    ORGANIZATION_LOCK = "SELECT id FROM organization WHERE id = $1", pg: " FOR NO KEY UPDATE";
    /// A member who was removed is not let in by a sign-up.
    FORMER_MEMBER_INSERT = "INSERT INTO former_members (organization_id, user_id)
        SELECT organization_id, user_id FROM member WHERE organization_id = $1 AND user_id = $2
        ON CONFLICT (organization_id, user_id) DO NOTHING";
    FORMER_MEMBER_DELETE = "DELETE FROM former_members WHERE organization_id = $1 AND user_id = $2";
    FORMER_MEMBER_COUNT = "SELECT COUNT(*) AS n FROM former_members WHERE organization_id = $1 AND user_id = $2";
    MEMBER_DELETE = "DELETE FROM member WHERE organization_id = $1 AND user_id = $2";
    MEMBER_FETCH = "SELECT organization_id, user_id, role, created_at FROM member
        WHERE organization_id = $1 AND user_id = $2";
    /// The organization joined first; the id decides between two joined at the same moment.
    MEMBER_FETCH_FIRST = "SELECT organization_id, user_id, role, created_at FROM member
        WHERE user_id = $1 ORDER BY created_at, organization_id LIMIT 1";
}

pub async fn organization_fetch(
    conn: &mut Conn,
    id: &OrganizationId,
) -> Result<Option<Organization>> {
    let row = conn
        .fetch_optional("organization", &ORGANIZATION_FETCH, values![id])
        .await?;
    row.map(|row| organization(&row)).transpose()
}

/// By name, of the whole installation.
pub async fn organization_list(conn: &mut Conn, limit: u32) -> Result<Vec<Organization>> {
    let values = values![i64::from(limit)];
    let rows = conn
        .fetch_all("organization", &ORGANIZATION_LIST, values)
        .await?;
    rows.iter().map(organization).collect()
}

/// Those that are suspended or deleting.
pub async fn organization_list_inactive(
    conn: &mut Conn,
    limit: u32,
) -> Result<Vec<OrganizationId>> {
    let values = values![i64::from(limit)];
    let rows = conn.fetch_all("organization", &ORGANIZATION_LIST_INACTIVE, values);
    rows.await?.iter().map(|row| row.parsed("id")).collect()
}

/// Whether this installation has any organization.
pub async fn organization_exists(conn: &mut Conn) -> Result<bool> {
    let count = conn.count("organization", &ORGANIZATION_EXISTS, values![]);
    Ok(count.await? > 0)
}

/// Whether the setup link, or the operator, made it the organization that operates this installation.
pub async fn organization_operates(conn: &mut Conn, id: &OrganizationId) -> Result<bool> {
    let count = conn.count("organization", &ORGANIZATION_OPERATES, values![id]);
    Ok(count.await? > 0)
}

/// Returns the state, which does not change before the commit. `None` if there is no such organization.
pub async fn organization_hold(
    tx: &mut Tx,
    id: &OrganizationId,
) -> Result<Option<OrganizationState>> {
    let row = tx.fetch_optional("organization", &ORGANIZATION_HOLD, values![id]);
    row.await?.map(|row| state(&row)).transpose()
}

/// Returns the member with the status of the organization, as every request of the member needs it.
pub async fn member_standing(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Option<(Member, OrganizationStatus)>> {
    let values = values![organization_id, user_id];
    let row = conn.fetch_optional("member", &MEMBER_STANDING, values);
    row.await?.map(|row| standing(&row)).transpose()
}

/// The same in the organization that the user joined first.
pub async fn member_standing_first(
    conn: &mut Conn,
    user_id: &UserId,
) -> Result<Option<(Member, OrganizationStatus)>> {
    let row = conn.fetch_optional("member", &MEMBER_STANDING_FIRST, values![user_id]);
    row.await?.map(|row| standing(&row)).transpose()
}

fn standing(row: &Row) -> Result<(Member, OrganizationStatus)> {
    Ok((member(row)?, row.parsed("status")?))
}

fn organization(row: &Row) -> Result<Organization> {
    Ok(Organization {
        id: row.parsed("id")?,
        name: row.text("name")?,
        slug: row.text("slug")?,
        created_at: row.time("created_at")?,
        state: state(row)?,
        operates: row.bool("operates")?,
    })
}

fn state(row: &Row) -> Result<OrganizationState> {
    let status: OrganizationStatus = row.parsed("status")?;
    let suspended_at = row.time_opt("suspended_at")?;
    let suspension = match (suspended_at, row.text_opt("suspension_reason")?) {
        (Some(at), Some(reason)) => Some(OrganizationSuspension { at, reason }),
        _ => None,
    };
    Ok(match status {
        OrganizationStatus::Active => OrganizationState::Active,
        OrganizationStatus::Suspended => {
            OrganizationState::Suspended(row.required("suspended_at", suspension)?)
        }
        OrganizationStatus::Deleting => OrganizationState::Deleting {
            requested_at: row.time("deletion_requested_at")?,
            due_at: row.time("deletion_due_at")?,
            suspension,
            purge_begun_at: row.time_opt("purge_begun_at")?,
        },
    })
}

/// What its sessions may spend without a budget of their own; `None` is the operator's setting.
pub async fn organization_budget_fetch(
    conn: &mut Conn,
    id: &OrganizationId,
) -> Result<Option<Budget>> {
    let row = conn
        .fetch_optional("organization", &ORGANIZATION_BUDGET_FETCH, values![id])
        .await?;
    let limit = row.map(|row| row.int_opt("budget_micro_usd")).transpose()?;
    Ok(limit.flatten().map(Budget::MicroUsd))
}

/// Whether share links of the organization work.
pub async fn organization_share_links_fetch(
    conn: &mut Conn,
    id: &OrganizationId,
) -> Result<Option<bool>> {
    let row = conn
        .fetch_optional("organization", &ORGANIZATION_SHARE_LINKS_FETCH, values![id])
        .await?;
    row.map(|row| row.bool("share_links")).transpose()
}

pub async fn user_fetch(conn: &mut Conn, id: &UserId) -> Result<Option<User>> {
    let row = conn
        .fetch_optional("user", &USER_FETCH, values![id])
        .await?;
    row.map(|row| user(&row)).transpose()
}

/// The user whose proved address it is.
pub async fn user_fetch_by_email(conn: &mut Conn, email: &str) -> Result<Option<User>> {
    let row = conn
        .fetch_optional("user", &USER_FETCH_BY_EMAIL, values![email])
        .await?;
    row.map(|row| user(&row)).transpose()
}

pub async fn member_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Option<Member>> {
    let values = values![organization_id, user_id];
    let row = conn.fetch_optional("member", &MEMBER_FETCH, values).await?;
    row.map(|row| member(&row)).transpose()
}

/// Returns the members by name, with their users.
pub async fn member_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    limit: u32,
) -> Result<Vec<(Member, User)>> {
    let values = values![organization_id, i64::from(limit)];
    let rows = conn.fetch_all("member", &MEMBER_LIST, values).await?;
    let listed = |row: &Row| {
        let member = member(row)?;
        let user = User {
            id: member.user_id.clone(),
            name: row.text("name")?,
            email: row.text("email")?,
            created_at: row.time("user_created_at")?,
        };
        Ok((member, user))
    };
    rows.iter().map(listed).collect()
}

pub async fn member_count(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    role: Role,
) -> Result<i64> {
    let values = values![organization_id, role.as_str()];
    conn.count("member", &MEMBER_COUNT, values).await
}

pub async fn member_fetch_first(conn: &mut Conn, user_id: &UserId) -> Result<Option<Member>> {
    let row = conn
        .fetch_optional("member", &MEMBER_FETCH_FIRST, values![user_id])
        .await?;
    row.map(|row| member(&row)).transpose()
}

/// Inserts an active organization. `false` if its id or slug is taken, or if it is to operate and another one does.
pub async fn organization_create(tx: &mut Tx, organization: &Organization) -> Result<bool> {
    let Organization { id, name, slug, .. } = organization;
    let (created_at, operates) = (organization.created_at, organization.operates);
    let values = values![id, name, slug, created_at, operates];
    Ok(tx.execute(&ORGANIZATION_CREATE, values).await? == 1)
}

/// `false` if there is no such organization.
pub async fn organization_rename(tx: &mut Tx, id: &OrganizationId, name: &str) -> Result<bool> {
    Ok(tx.execute(&ORGANIZATION_RENAME, values![id, name]).await? == 1)
}

/// Sets the state. The caller has locked the organization and decided by what it read then.
pub async fn organization_state_set(
    tx: &mut Tx,
    id: &OrganizationId,
    state: &OrganizationState,
) -> Result<()> {
    let suspension = state.suspension();
    let (requested_at, due_at, purge_begun_at) = match state {
        OrganizationState::Deleting {
            requested_at,
            due_at,
            purge_begun_at,
            ..
        } => (Some(*requested_at), Some(*due_at), *purge_begun_at),
        OrganizationState::Active | OrganizationState::Suspended(_) => (None, None, None),
    };
    let values = values![
        id,
        state.status().as_str(),
        suspension.map(|suspension| suspension.at),
        suspension.map(|suspension| suspension.reason.clone()),
        requested_at,
        due_at,
        purge_begun_at,
    ];
    tx.execute(&ORGANIZATION_STATE_SET, values).await?;
    Ok(())
}

/// Does nothing if it exists.
pub async fn organization_insert(tx: &mut Tx, organization: &Organization) -> Result<()> {
    let Organization {
        id,
        name,
        slug,
        created_at,
        ..
    } = organization;
    tx.execute(&ORGANIZATION_INSERT, values![id, name, slug, *created_at])
        .await?;
    Ok(())
}

/// Does nothing if it exists.
pub async fn user_insert(tx: &mut Tx, user: &User) -> Result<()> {
    let User {
        id,
        name,
        email,
        created_at,
    } = user;
    tx.execute(&USER_INSERT, values![id, name, email, *created_at])
        .await?;
    Ok(())
}

/// Locks the organization until the commit against other transactions that lock it.
pub async fn organization_lock(tx: &mut Tx, id: &OrganizationId) -> Result<()> {
    tx.fetch_optional("organization", &ORGANIZATION_LOCK, values![id])
        .await?;
    Ok(())
}

/// Overrides the operator's setting; `None` restores it. `false` if there is no such organization.
pub async fn organization_budget_set(
    tx: &mut Tx,
    id: &OrganizationId,
    budget_micro_usd: Option<i64>,
) -> Result<bool> {
    let values = values![id, budget_micro_usd];
    Ok(tx.execute(&ORGANIZATION_BUDGET_SET, values).await? == 1)
}

/// `false` if there is no such organization.
pub async fn organization_share_links_set(
    tx: &mut Tx,
    id: &OrganizationId,
    allowed: bool,
) -> Result<bool> {
    let values = values![id, allowed];
    Ok(tx.execute(&ORGANIZATION_SHARE_LINKS_SET, values).await? == 1)
}

/// Adds the member or changes the role.
pub async fn member_upsert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    role: Role,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, user_id, role.as_str(), now];
    tx.execute(&MEMBER_UPSERT, values).await?;
    tx.execute(&FORMER_MEMBER_DELETE, values![organization_id, user_id])
        .await?;
    Ok(())
}

/// Whether the user was a member once, and is not any more.
pub async fn member_was_removed(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<bool> {
    let values = values![organization_id, user_id];
    let count = conn.count("former_members", &FORMER_MEMBER_COUNT, values);
    Ok(count.await? > 0)
}

/// Removes the member and the member's API keys, and notes that they were one. Returns whether there was one.
pub async fn member_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<bool> {
    tx.execute(&FORMER_MEMBER_INSERT, values![organization_id, user_id])
        .await?;
    Ok(tx
        .execute(&MEMBER_DELETE, values![organization_id, user_id])
        .await?
        == 1)
}

pub(crate) fn user(row: &Row) -> Result<User> {
    Ok(User {
        id: row.parsed("id")?,
        name: row.text("name")?,
        email: row.text("email")?,
        created_at: row.time("created_at")?,
    })
}

fn member(row: &Row) -> Result<Member> {
    Ok(Member {
        organization_id: row.parsed("organization_id")?,
        user_id: row.parsed("user_id")?,
        role: row.parsed("role")?,
        created_at: row.time("created_at")?,
    })
}
