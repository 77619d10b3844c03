//! From a user of the identity provider to the user here.
//!
//! INVARIANT: issuer and subject are one user for ever. A user who was a member before and is not any more does not
//! become one again: an admin removed the membership.

use domain::{
    clock::random_bytes,
    id::UserId,
    limits::{EMAIL_LENGTH_MAX, NAME_LENGTH_MAX},
    login::LoginMethod,
    organization::User,
};
use store::Tx;

use super::OidcSettings;
use crate::{
    access::GatewayActor,
    audit,
    context::App,
    error::{Error, Result},
    identity::{
        LoggedIn,
        login::{LoginOrigin, begin_for_member},
    },
};

/// A user as the identity provider describes them.
pub(super) struct OidcUser {
    pub(super) issuer: String,
    pub(super) subject: String,
    /// Present if the identity provider has verified it.
    pub(super) email: Option<String>,
    pub(super) name: Option<String>,
}

/// Begins a login for the user. `None` if the user has no place here.
pub(super) async fn log_in(
    app: &App,
    settings: &OidcSettings,
    oidc_user: &OidcUser,
    replaced: Option<&str>,
) -> Result<Option<LoggedIn>> {
    match try_log_in(app, settings, oidc_user, replaced).await {
        // Two logins of the same user at once; the other one was first.
        Err(Error::Store(store::Error::Conflict { .. })) => {
            try_log_in(app, settings, oidc_user, replaced).await
        }
        other => other,
    }
}

async fn try_log_in(
    app: &App,
    settings: &OidcSettings,
    oidc_user: &OidcUser,
    replaced: Option<&str>,
) -> Result<Option<LoggedIn>> {
    let mut tx = app.db.write().await?;
    let known = store::user_identity_fetch(&mut tx, &oidc_user.issuer, &oidc_user.subject).await?;
    let user_id = match known {
        Some(user_id) => user_id,
        None => match link_or_create_user(&mut tx, app, settings, oidc_user).await? {
            Some(user_id) => user_id,
            None => return Ok(None),
        },
    };
    let organization_id = &settings.organization_id;
    if store::member_fetch(&mut tx, organization_id, &user_id)
        .await?
        .is_none()
    {
        return Ok(None);
    }
    let made_from = LoginOrigin::new(LoginMethod::Oidc);
    let begun = begin_for_member(&mut tx, app, organization_id, &user_id, made_from, replaced);
    let logged_in = begun.await?;
    tx.commit().await?;
    Ok(Some(logged_in))
}

/// A user whom the identity provider sends for the first time: the user with this address here, or a new one.
async fn link_or_create_user(
    tx: &mut Tx,
    app: &App,
    settings: &OidcSettings,
    oidc_user: &OidcUser,
) -> Result<Option<UserId>> {
    let email = oidc_user.email.as_deref();
    let email = email.filter(|email| email.len() <= EMAIL_LENGTH_MAX);
    if !settings.allowed_domains.allow(email) {
        return Ok(None);
    }
    let now = app.now();
    let found = match email {
        Some(email) => store::user_fetch_by_email(tx, email).await?,
        None => None,
    };
    let user_id = if let Some(user) = found {
        user.id
    } else {
        let user = new_user(app, oidc_user, email)?;
        store::user_insert(tx, &user).await?;
        user.id
    };
    store::user_identity_insert(tx, &oidc_user.issuer, &oidc_user.subject, &user_id, now).await?;
    let organization_id = &settings.organization_id;
    if store::organization_fetch(tx, organization_id)
        .await?
        .is_none()
    {
        tracing::error!(%organization_id, "people who log in belong to an organization that does not exist");
        return Ok(None);
    }
    if store::member_fetch(tx, organization_id, &user_id)
        .await?
        .is_none()
    {
        store::member_upsert(tx, organization_id, &user_id, settings.role, now).await?;
        let gateway = GatewayActor(organization_id.clone());
        let change = (None, settings.role);
        audit::record_member_change(tx, app, &gateway, "member_create", &user_id, change).await?;
    }
    Ok(Some(user_id))
}

fn new_user(app: &App, oidc_user: &OidcUser, email: Option<&str>) -> Result<User> {
    let number = hex::encode(random_bytes::<16>(&*app.entropy));
    let id = UserId::new(format!("user_{number}")).map_err(|_| Error::NotFound("user"))?;
    // The user chose the name, and other members see it.
    let name = oidc_user.name.as_deref().unwrap_or_default().trim();
    let name: String = name
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME_LENGTH_MAX)
        .collect();
    let email = email.map_or_else(|| format!("{number}@oidc.invalid"), str::to_owned);
    Ok(User {
        name: if name.is_empty() { email.clone() } else { name },
        id,
        email,
        created_at: app.now(),
    })
}
