//! How an organization begins: with an id made of its name, and with an owner.

use domain::{
    clock::random_bytes,
    id::{OrganizationId, UserId},
    invalid::{Invalid, mail_address, visible_name},
    limits::{
        EMAIL_LENGTH_MAX, NAME_LENGTH_MAX, ORGANIZATION_SLUGS_TRIED_MAX, ORGANIZATIONS_SHOWN_MAX,
    },
    login::LoginText,
    organization::{Organization, User, slug_of},
    role::Role,
};
use store::Tx;

use crate::{
    access::{AuditedActor, InstallationOperator},
    audit,
    context::App,
    error::{Error, Result},
    identity,
};

/// The organization to make, and its owner.
#[derive(Debug, Clone)]
pub struct NewOrganization {
    pub name: String,
    pub owner: NewOwner,
}

/// The first member of an organization.
#[derive(Debug, Clone)]
pub struct NewOwner {
    pub name: String,
    pub email: String,
}

impl NewOrganization {
    /// Names a field as requests do.
    pub(crate) fn validate(&self) -> Result<()> {
        let checks = [
            visible_name("organizationName", &self.name, NAME_LENGTH_MAX),
            visible_name("ownerName", &self.owner.name, NAME_LENGTH_MAX),
            mail_address("ownerEmail", &self.owner.email, EMAIL_LENGTH_MAX),
        ];
        let invalid: Vec<Invalid> = checks
            .into_iter()
            .filter_map(std::result::Result::err)
            .collect();
        if invalid.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(invalid))
        }
    }
}

/// Makes an organization and its owner, and a code by which the owner logs in once. For operators of the installation.
///
/// The first organization of an installation operates it, as the one that a setup link makes does.
pub async fn create(
    app: &App,
    operator: &impl InstallationOperator,
    new: &NewOrganization,
) -> Result<(Organization, UserId, LoginText)> {
    new.validate()?;
    let mut tx = app.db.write().await?;
    let operates = !store::organization_exists(&mut tx).await?;
    let organization = insert(&mut tx, app, new.name.trim(), operates).await?;
    let organization = organization.ok_or_else(|| taken(&new.name))?;
    let user_id = insert_owner(&mut tx, app, &organization.id, &new.owner).await?;
    let actor = operator.at(&organization.id)?;
    record_begin(&mut tx, app, &actor, "organization_create", &user_id).await?;
    record_by_admin(
        &mut tx,
        app,
        operator,
        "organization_create",
        &organization.id,
    )
    .await?;
    let code = identity::insert_login_code(&mut tx, app, &organization.id, &user_id).await?;
    audit::record_operation(&mut tx, app, &actor, "login_code_create", None).await?;
    tx.commit().await?;
    Ok((organization, user_id, code))
}

/// Records what an admin did with another organization in the log of the admin's own.
pub(super) async fn record_by_admin(
    tx: &mut Tx,
    app: &App,
    operator: &impl InstallationOperator,
    operation: &'static str,
    id: &OrganizationId,
) -> Result<()> {
    match operator.admin() {
        Some(admin) if admin.organization_id() != id => {
            audit::record_organization_change(tx, app, admin, operation, id).await
        }
        _ => Ok(()),
    }
}

/// Records that the organization was made, and its owner with it.
pub(crate) async fn record_begin(
    tx: &mut Tx,
    app: &App,
    actor: &impl AuditedActor,
    operation: &'static str,
    owner: &UserId,
) -> Result<()> {
    audit::record_organization_change(tx, app, actor, operation, actor.organization_id()).await?;
    let change = (None, Role::Owner);
    audit::record_member_change(tx, app, actor, "member_create", owner, change).await
}

/// Inserts an organization under the first free id for its name. `None` if it is to operate and another one does.
pub(crate) async fn insert(
    tx: &mut Tx,
    app: &App,
    name: &str,
    operates: bool,
) -> Result<Option<Organization>> {
    let slug = slug_of(name);
    let random = hex::encode(random_bytes::<8>(&*app.entropy));
    let numbers = (2..=ORGANIZATION_SLUGS_TRIED_MAX).map(|number| number.to_string());
    let suffixes = numbers
        .chain([random])
        .map(|suffix| format!("{slug}-{suffix}"));
    for text in std::iter::once(slug.clone()).chain(suffixes) {
        let id = OrganizationId::new(text.clone());
        let id = id.map_err(|_| Error::Internal("an organization's slug is no id"))?;
        let organization = Organization {
            operates,
            ..Organization::new(id, name.to_owned(), text, app.now())
        };
        if store::organization_create(tx, &organization).await? {
            return Ok(Some(organization));
        }
        if operates && store::organization_exists(tx).await? {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Makes the user with this address a member with the role `owner`; a user who is new gets the given name.
pub(crate) async fn insert_owner(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    owner: &NewOwner,
) -> Result<UserId> {
    let now = app.now();
    let known = store::user_fetch_by_email(tx, &owner.email).await?;
    let user_id = if let Some(user) = known {
        user.id
    } else {
        let number = hex::encode(random_bytes::<16>(&*app.entropy));
        let id = UserId::new(format!("user_{number}"));
        let id = id.map_err(|_| Error::Internal("a user's number is no id"))?;
        let user = User {
            id: id.clone(),
            name: owner.name.trim().to_owned(),
            email: owner.email.clone(),
            created_at: now,
        };
        store::user_insert(tx, &user).await?;
        id
    };
    store::member_upsert(tx, organization_id, &user_id, Role::Owner, now).await?;
    Ok(user_id)
}

/// Every organization of the installation by name, as many as are shown, and whether there are more. For operators of the
/// installation.
pub async fn list(app: &App, _: &impl InstallationOperator) -> Result<(Vec<Organization>, bool)> {
    let mut conn = app.db.read().await?;
    let mut found = store::organization_list(&mut conn, ORGANIZATIONS_SHOWN_MAX + 1).await?;
    let shown = usize::try_from(ORGANIZATIONS_SHOWN_MAX).unwrap_or(usize::MAX);
    let has_more = found.len() > shown;
    found.truncate(shown);
    Ok((found, has_more))
}

fn taken(name: &str) -> Error {
    let message = format!("no id is free for an organization with the name {name}; try again");
    Error::Conflict(message)
}
