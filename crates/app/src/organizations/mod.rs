//! Organizations: how they begin, are renamed, suspended and deleted; the demo organization of `proliferate dev`, one
//! tenant with a member of each role.

mod begin;
mod purge;
mod state;

pub use begin::{NewOrganization, NewOwner, create, list};
pub(crate) use begin::{insert, insert_owner, record_begin};
pub use purge::{
    PurgeLog, PurgeTime, begin_purge, end_purge, purge_batch, purge_log_batch, purge_log_state,
    record_export,
};
pub(crate) use state::require_active;
pub use state::{
    begin_deletion, begin_deletion_as_operator, cancel_deletion, list_inactive, rename, resume,
    suspend, suspension,
};

use domain::{
    caller::{Caller, Credential},
    id::{OrganizationId, UserId},
    organization::{Organization, User},
    role::Role,
};

use crate::{
    context::App,
    error::{Error, Result},
};

/// The ids of the demo organization and its members.
#[derive(Debug, Clone)]
pub struct DemoOrganization {
    pub organization_id: OrganizationId,
    pub owner: UserId,
    pub admin: UserId,
    pub member: UserId,
}

/// Returns the organization; an error if there is none.
pub async fn fetch(app: &App, id: &OrganizationId) -> Result<Organization> {
    let organization = store::organization_fetch(&mut app.db.read().await?, id).await?;
    organization.ok_or(Error::NotFound("organization"))
}

/// The caller that this member is, in the given organization or the one joined first. For operators,
/// who hold the database and the keys and need no token to act for a member; no route leads here.
pub async fn member_caller(
    app: &App,
    organization_id: Option<&OrganizationId>,
    user_id: &UserId,
) -> Result<Caller> {
    let mut conn = app.db.read().await?;
    let member = match organization_id {
        Some(organization_id) => store::member_fetch(&mut conn, organization_id, user_id).await?,
        None => store::member_fetch_first(&mut conn, user_id).await?,
    };
    let member = member.ok_or(Error::NotFound("member"))?;
    Ok(Caller::User {
        organization_id: member.organization_id,
        user_id: member.user_id,
        role: member.role,
        credential: Credential::Token,
    })
}

/// The id of the demo organization, whether it exists or not.
pub fn demo_id() -> Result<OrganizationId> {
    OrganizationId::new("org_demo").map_err(|_| Error::NotFound("organization"))
}

/// Creates the demo organization unless it exists.
pub async fn ensure_demo(app: &App) -> Result<DemoOrganization> {
    let invalid = |_| Error::NotFound("organization");
    let user = |role: Role| UserId::new(format!("user_demo_{role}")).map_err(invalid);
    let demo = DemoOrganization {
        organization_id: demo_id()?,
        owner: user(Role::Owner)?,
        admin: user(Role::Admin)?,
        member: user(Role::Member)?,
    };
    let now = app.now();
    let mut tx = app.db.write().await?;
    store::organization_insert(
        &mut tx,
        &Organization::new(
            demo.organization_id.clone(),
            "Demo".to_owned(),
            "demo".to_owned(),
            now,
        ),
    )
    .await?;
    let people = [
        (&demo.owner, Role::Owner),
        (&demo.admin, Role::Admin),
        (&demo.member, Role::Member),
    ];
    for (id, role) in people {
        let user = User {
            id: id.clone(),
            name: format!("Demo {role}"),
            email: format!("{role}@demo.invalid"),
            created_at: now,
        };
        store::user_insert(&mut tx, &user).await?;
        store::member_upsert(&mut tx, &demo.organization_id, id, role, now).await?;
    }
    tx.commit().await?;
    Ok(demo)
}
