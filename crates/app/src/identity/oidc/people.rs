//! From a user of the identity provider to the user here.
//!
//! INVARIANT: issuer and subject are one user for ever, whatever address comes with them. A provider decides about users
//! of the domains that it is listed for, and lets them into the organizations that are named there, into no others. A
//! user who was a member before and is not any more does not become one again: an admin removed the membership.

use domain::{
    clock::{Timestamp, random_bytes},
    id::{OrganizationId, UserId},
    identity_provider::OidcLogin,
    limits::NAME_LENGTH_MAX,
    login::LoginMethod,
    organization::User,
    role::Role,
};
use store::Tx;

use super::{
    Oidc,
    claims::OidcUser,
    ended,
    refusal::{NotAllowed, RefusedUser},
    roles,
    settings::OidcDomain,
    sign_out,
};
use crate::{
    access::ProviderActor,
    audit,
    context::App,
    error::{Error, Result},
    identity::{
        LoggedIn, access_changed,
        login::{LoginOrigin, begin_for_member},
    },
};

/// A user whom an identity provider has identified, in answer to an authentication request.
pub(super) struct IdentifiedUser<'a> {
    pub(super) oidc: &'a Oidc,
    pub(super) user: &'a OidcUser,
    /// Of the state of the request.
    pub(super) state_digest: String,
    /// When the request expires.
    pub(super) expires_at: Timestamp,
    /// Where the provider ends its session, if it can.
    pub(super) end_session_url: Option<String>,
    /// The login that the browser had until now.
    pub(super) replaced: Option<&'a str>,
}

/// What became of the user.
pub(super) enum LoginDecision {
    LoggedIn(Box<LoggedIn>),
    Refused(RefusedUser),
    /// The request was answered before.
    Replayed,
}

/// Where the user belongs, as the settings and the rows say.
struct UserMembership {
    user_id: UserId,
    organization_id: OrganizationId,
    /// Without a mapped group.
    default_role: Role,
    /// Of a user who is not known here.
    new_user: Option<User>,
    /// Whether the provider sends the user for the first time.
    is_linked_now: bool,
    /// The role now; `None` for a user who joins.
    role: Option<Role>,
}

/// Begins a login for the user.
pub(super) async fn log_in(app: &App, identified: &IdentifiedUser<'_>) -> Result<LoginDecision> {
    match try_log_in(app, identified).await {
        // Two logins of the same user at once; the other one was first.
        Err(Error::Store(store::Error::Conflict { .. })) => try_log_in(app, identified).await,
        other => other,
    }
}

async fn try_log_in(app: &App, identified: &IdentifiedUser<'_>) -> Result<LoginDecision> {
    let IdentifiedUser { oidc, user, .. } = identified;
    let mut tx = app.db.write().await?;
    let (digest, expires_at) = (&identified.state_digest, identified.expires_at);
    if !store::oidc_used_insert(&mut tx, digest, expires_at).await? {
        return Ok(LoginDecision::Replayed);
    }
    let place = match find_place(&mut tx, app, oidc, user).await? {
        Ok(place) => place,
        Err(refused) => {
            tx.commit().await?;
            return Ok(LoginDecision::Refused(refused));
        }
    };
    let role = match &oidc.settings().mapping {
        Some(mapping) => mapping.role_of(&user.groups, place.default_role),
        None => Some(place.role.unwrap_or(place.default_role)),
    };
    let Some(role) = role else {
        return refuse_without_group(tx, app, oidc, place).await;
    };
    let is_changed = settle(&mut tx, app, identified, &place, role).await?;
    let logged_in = begin_login(&mut tx, app, identified, &place).await?;
    tx.commit().await?;
    if is_changed {
        access_changed(app, &place.organization_id, Some(&place.user_id));
    }
    Ok(LoginDecision::LoggedIn(Box::new(logged_in)))
}

/// Reads alone: a user who is refused leaves nothing behind.
async fn find_place(
    tx: &mut Tx,
    app: &App,
    oidc: &Oidc,
    user: &OidcUser,
) -> Result<std::result::Result<UserMembership, RefusedUser>> {
    let email = user.email.as_deref();
    let listed = app.oidc.domain(oidc, email);
    if let Some(user_id) = store::user_identity_fetch(tx, &user.issuer, &user.subject).await? {
        return known_place(tx, oidc, listed, user_id).await;
    }
    let Some(listed) = listed else {
        let stated = user.stated_domain.as_deref();
        let stated = stated.and_then(|domain| oidc.settings().listed(domain));
        let why = match email {
            None => NotAllowed::AddressNotVerified,
            Some(_) => NotAllowed::DomainNotListed,
        };
        return Ok(Err(RefusedUser {
            why,
            organization_id: stated.map(|stated| stated.organization_id.clone()),
            user_id: None,
        }));
    };
    first_place(tx, app, oidc, listed, user).await
}

/// The place of a user whom the provider sends for the first time.
async fn first_place(
    tx: &mut Tx,
    app: &App,
    oidc: &Oidc,
    listed: &OidcDomain,
    user: &OidcUser,
) -> Result<std::result::Result<UserMembership, RefusedUser>> {
    let email = user.email.as_deref();
    let organization_id = &listed.organization_id;
    let refused = |why, user_id| RefusedUser {
        why,
        organization_id: Some(organization_id.clone()),
        user_id,
    };
    if store::organization_fetch(tx, organization_id)
        .await?
        .is_none()
    {
        tracing::error!(%organization_id, provider = oidc.name(),
            "users of the identity provider belong to an organization that does not exist");
        return Ok(Err(refused(NotAllowed::NotAMember, None)));
    }
    let known = match email {
        Some(email) => store::user_fetch_by_email(tx, email).await?,
        None => None,
    };
    let mut role = None;
    if let Some(known) = &known {
        let member = store::member_fetch(tx, organization_id, &known.id).await?;
        role = member.map(|member| member.role);
        if role.is_none() && store::member_was_removed(tx, organization_id, &known.id).await? {
            let why = NotAllowed::NotAMember;
            return Ok(Err(refused(why, Some(known.id.clone()))));
        }
    }
    if role.is_none() && !oidc.settings().allows_sign_up {
        return Ok(Err(refused(NotAllowed::SignUpClosed, None)));
    }
    let new_user = match known {
        Some(_) => None,
        None => Some(new_user(app, user, email)?),
    };
    let user_id = known.map(|known| known.id);
    let user_id = user_id.or_else(|| new_user.as_ref().map(|user| user.id.clone()));
    Ok(Ok(UserMembership {
        user_id: user_id.ok_or(Error::NotFound("user"))?,
        organization_id: organization_id.clone(),
        default_role: listed.role,
        new_user,
        is_linked_now: true,
        role,
    }))
}

/// The place of a user whom the provider has sent before: the organization of their domain, or the first of the provider
/// that they are a member of.
async fn known_place(
    tx: &mut Tx,
    oidc: &Oidc,
    listed: Option<&OidcDomain>,
    user_id: UserId,
) -> Result<std::result::Result<UserMembership, RefusedUser>> {
    let mut looked_up: Vec<&OrganizationId> = Vec::new();
    for candidate in listed.into_iter().chain(&oidc.settings().domains) {
        let organization_id = &candidate.organization_id;
        if looked_up.contains(&organization_id) {
            continue;
        }
        looked_up.push(organization_id);
        if let Some(member) = store::member_fetch(tx, organization_id, &user_id).await? {
            return Ok(Ok(UserMembership {
                user_id,
                organization_id: organization_id.clone(),
                default_role: candidate.role,
                new_user: None,
                is_linked_now: false,
                role: Some(member.role),
            }));
        }
    }
    let organization_id = listed.map(|listed| listed.organization_id.clone());
    Ok(Err(RefusedUser {
        why: NotAllowed::NotAMember,
        organization_id,
        user_id: Some(user_id),
    }))
}

/// A member who is in none of the groups has no login any more.
async fn refuse_without_group(
    mut tx: Tx,
    app: &App,
    oidc: &Oidc,
    place: UserMembership,
) -> Result<LoginDecision> {
    let (organization_id, user_id) = (&place.organization_id, &place.user_id);
    let is_member = place.role.is_some();
    let mut logins = Vec::new();
    if is_member {
        logins = store::login_end_member(&mut tx, organization_id, user_id).await?;
        ended::record(&mut tx, app, oidc.name(), &logins).await?;
    }
    tx.commit().await?;
    ended::end_streams(app, &logins);
    Ok(LoginDecision::Refused(RefusedUser {
        why: NotAllowed::NoGroup,
        user_id: is_member.then_some(place.user_id),
        organization_id: Some(place.organization_id),
    }))
}

/// Makes the rows what the place says: user, identity, membership and role. Returns whether a member has another role now.
async fn settle(
    tx: &mut Tx,
    app: &App,
    identified: &IdentifiedUser<'_>,
    place: &UserMembership,
    role: Role,
) -> Result<bool> {
    let IdentifiedUser { oidc, user, .. } = identified;
    let (organization_id, user_id) = (&place.organization_id, &place.user_id);
    if let Some(new_user) = &place.new_user {
        store::user_insert(tx, new_user).await?;
    }
    if place.is_linked_now {
        let (issuer, subject) = (&user.issuer, &user.subject);
        store::user_identity_insert(tx, issuer, subject, user_id, app.now()).await?;
    }
    let actor = ProviderActor {
        organization_id: organization_id.clone(),
        provider: oidc.name().to_owned(),
    };
    // Changes of one organization's members are made one after another.
    store::organization_lock(tx, organization_id).await?;
    let member = store::member_fetch(tx, organization_id, user_id).await?;
    let mut is_changed = false;
    match (member, place.role) {
        (None, None) => {
            store::member_upsert(tx, organization_id, user_id, role, app.now()).await?;
            let change = (None, role);
            let operation = "member_create";
            audit::record_member_change(tx, app, &actor, operation, user_id, change).await?;
        }
        (Some(member), _) if oidc.settings().mapping.is_some() => {
            let change = (member.role, role);
            is_changed = roles::apply(tx, app, &actor, user_id, change).await?;
        }
        (Some(_), _) => {}
        // Removed meanwhile.
        (None, Some(_)) => return Err(Error::NotFound("member")),
    }
    roles::note_manager(tx, oidc, organization_id, user_id).await?;
    Ok(is_changed)
}

async fn begin_login(
    tx: &mut Tx,
    app: &App,
    identified: &IdentifiedUser<'_>,
    place: &UserMembership,
) -> Result<LoggedIn> {
    let IdentifiedUser { oidc, user, .. } = identified;
    let made_from = LoginOrigin::new(LoginMethod::Oidc);
    let (organization_id, user_id) = (&place.organization_id, &place.user_id);
    let replaced = identified.replaced;
    let begun = begin_for_member(tx, app, organization_id, user_id, made_from, replaced);
    let logged_in = begun.await?;
    let login_id = logged_in.login.id;
    // Only a provider that can end its session is told whose it is.
    let end_session_url = identified.end_session_url.clone();
    let id_token = user.id_token.as_ref().filter(|_| end_session_url.is_some());
    let sealed = id_token.map(|id_token| sign_out::seal(app, login_id, id_token));
    let login = OidcLogin {
        login_id,
        provider: oidc.name().to_owned(),
        issuer: user.issuer.clone(),
        subject: user.subject.clone(),
        sid_digest: user.sid_digest.clone(),
        end_session_url,
        sealed_id_token: sealed.transpose()?,
    };
    store::oidc_login_insert(tx, &login).await?;
    Ok(logged_in)
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
