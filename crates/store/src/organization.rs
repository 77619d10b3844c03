//! Organizations, users and memberships.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, UserId},
    model_usage::Budget,
    organization::{Member, Organization, User},
    role::Role,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    ORGANIZATION_INSERT = "INSERT INTO organization (id, name, slug, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING";
    ORGANIZATION_FETCH = "SELECT id, name, slug, created_at FROM organization WHERE id = $1";
    ORGANIZATION_BUDGET_FETCH = "SELECT budget_micro_usd FROM organization WHERE id = $1";
    ORGANIZATION_BUDGET_SET = "UPDATE organization SET budget_micro_usd = $2 WHERE id = $1";
    USER_INSERT = "INSERT INTO \"user\" (id, name, email, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING";
    USER_FETCH_BY_EMAIL = "SELECT id, name, email, created_at FROM \"user\" WHERE email = $1";
    USER_FETCH = "SELECT id, name, email, created_at FROM \"user\" WHERE id = $1";
    MEMBER_UPSERT = "INSERT INTO member (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role";
    MEMBER_LIST = "SELECT m.organization_id, m.user_id, m.role, m.created_at, u.name, u.email,
        u.created_at AS user_created_at FROM member m JOIN \"user\" u ON u.id = m.user_id
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
    row.map(|row| {
        Ok(Organization {
            id: row.parsed("id")?,
            name: row.text("name")?,
            slug: row.text("slug")?,
            created_at: row.time("created_at")?,
        })
    })
    .transpose()
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

pub async fn user_fetch(conn: &mut Conn, id: &UserId) -> Result<Option<User>> {
    let row = conn
        .fetch_optional("user", &USER_FETCH, values![id])
        .await?;
    row.map(|row| user(&row)).transpose()
}

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

/// Does nothing if it exists.
pub async fn organization_insert(tx: &mut Tx, organization: &Organization) -> Result<()> {
    let Organization {
        id,
        name,
        slug,
        created_at,
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

fn user(row: &Row) -> Result<User> {
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
