//! Turns a bearer token or a login into a caller, and a model key into the proof that its holder may use the model.

use domain::{
    api_key::{ApiKeyText, key_hash},
    caller::{Caller, Credential, Incarnation},
    id::{LoginId, OrganizationId, SessionId, UserId},
    limits::BEARER_TOKEN_BYTES_MAX,
    login::login_hash,
    organization::Member,
    sandbox_token::{Purpose, SandboxClaim},
};
use store::Conn;

use super::sandbox;
use crate::{
    access::ModelUser,
    context::App,
    error::{Error, Result},
};

/// Returns the caller that the token belongs to. `organization` is the one that the request names (`X-Org-Id`), if any.
///
/// Roles and memberships are read now and not taken from the token, so that removing them works at once.
pub async fn authenticate(
    app: &App,
    token: &str,
    organization: Option<&OrganizationId>,
) -> Result<Caller> {
    if token.is_empty() || token.len() > BEARER_TOKEN_BYTES_MAX {
        return Err(Error::Unauthenticated("the token is not one of ours"));
    }
    let caller = if SandboxClaim::looks_like_one(Purpose::Sandbox, token) {
        sandbox_caller(app, token).await?
    } else if ApiKeyText::looks_like_one(token) {
        api_key_caller(app, token).await?
    } else {
        signed_caller(app, token, organization).await?
    };
    // A request that names an organization must not silently act in another one.
    match organization {
        Some(wanted) if wanted != caller.organization_id() => Err(Error::NotFound("organization")),
        _ => Ok(caller),
    }
}

async fn signed_caller(
    app: &App,
    token: &str,
    organization: Option<&OrganizationId>,
) -> Result<Caller> {
    let now = app.now();
    match app.tokens.verify_user(token, now) {
        Ok(user) => {
            let mut conn = app.db.read().await?;
            let wanted = user.organization_id.as_ref().or(organization);
            let caller = async {
                let member = fetch_member(&mut conn, &user.user_id, wanted).await?;
                // INVARIANT: a membership that begins anew does not bring back what the one before it was given.
                let start = app.tokens.user_token_start(token, now)?;
                if start.unix_seconds() < member.created_at.unix_seconds() {
                    return Err(Error::Unauthenticated(
                        "the token is older than the membership; get a new one",
                    ));
                }
                Ok(caller_of(member, Credential::Token))
            };
            match caller.await {
                // The token is good; what the request asks for is not there for its holder.
                Err(Error::Unauthenticated(_))
                    if user.organization_id.is_none() && wanted.is_some() =>
                {
                    Err(Error::NotFound("organization"))
                }
                other => other,
            }
        }
        Err(Error::TokenExpired) => Err(Error::TokenExpired),
        Err(_) => {
            let service = app.tokens.verify_service(token, now)?;
            let mut conn = app.db.read().await?;
            if store::organization_fetch(&mut conn, &service.organization_id)
                .await?
                .is_none()
            {
                return Err(Error::Unauthenticated(
                    "the token's organization does not exist",
                ));
            }
            let organization_id = service.organization_id;
            Ok(Caller::Service {
                organization_id,
                name: service.name,
            })
        }
    }
}

async fn api_key_caller(app: &App, token: &str) -> Result<Caller> {
    let mut conn = app.db.read().await?;
    let key = store::api_key_fetch_by_hash(&mut conn, &key_hash(token)).await?;
    let key = key
        .filter(|key| key.is_usable(app.now()))
        .ok_or(Error::Unauthenticated(
            "the API key is unknown, expired or revoked",
        ))?;
    let credential = Credential::ApiKey(key.id);
    member_caller(
        &mut conn,
        &key.user_id,
        Some(&key.organization_id),
        credential,
    )
    .await
}

/// Returns the caller of a browser with this login. Stores now and then that the login is in use.
pub async fn authenticate_login(
    app: &App,
    login: &str,
    organization: Option<&OrganizationId>,
) -> Result<Caller> {
    let now = app.now();
    let (login, caller) = {
        let mut conn = app.db.read().await?;
        let login = store::login_fetch(&mut conn, &login_hash(login), now).await?;
        let login = login.filter(|login| login.is_live(now));
        let login = login.ok_or(Error::Unauthenticated("the login is over; log in again"))?;
        let credential = Credential::Login {
            id: login.id,
            method: login.method,
        };
        let organization_id = Some(&login.organization_id);
        let caller = member_caller(&mut conn, &login.user_id, organization_id, credential);
        let caller = caller.await?;
        (login, caller)
    };
    if organization.is_some_and(|wanted| wanted != caller.organization_id()) {
        return Err(Error::NotFound("organization"));
    }
    if login.is_to_be_noted(now)
        && let Err(error) = note(app, login.id).await
    {
        // It would end sooner than it should; nothing else depends on it.
        tracing::warn!(%error, "the use of a login could not be noted");
    }
    Ok(caller)
}

async fn note(app: &App, id: LoginId) -> Result<()> {
    let mut tx = app.db.write().await?;
    store::login_touch(&mut tx, id, app.now()).await?;
    tx.commit().await?;
    Ok(())
}

pub(super) async fn member_caller(
    conn: &mut Conn,
    user_id: &UserId,
    organization: Option<&OrganizationId>,
    credential: Credential,
) -> Result<Caller> {
    let member = fetch_member(conn, user_id, organization).await?;
    Ok(caller_of(member, credential))
}

async fn fetch_member(
    conn: &mut Conn,
    user_id: &UserId,
    organization: Option<&OrganizationId>,
) -> Result<Member> {
    let member = match organization {
        Some(organization_id) => store::member_fetch(conn, organization_id, user_id).await?,
        None => store::member_fetch_first(conn, user_id).await?,
    };
    member.ok_or(Error::Unauthenticated(
        "the user is not a member of the organization",
    ))
}

fn caller_of(member: Member, credential: Credential) -> Caller {
    Caller::User {
        organization_id: member.organization_id,
        user_id: member.user_id,
        role: member.role,
        credential,
    }
}

async fn sandbox_caller(app: &App, token: &str) -> Result<Caller> {
    let bearer = bearer_of(app, Purpose::Sandbox, token).await?;
    let (organization_id, session_id, incarnation) = bearer.ok_or(Error::Unauthenticated(
        "the sandbox token is not valid, or not any more",
    ))?;
    Ok(Caller::Sandbox {
        organization_id,
        session_id,
        incarnation,
    })
}

/// Returns the proof that the holder of a model key may use the model. No other token gives it, and the key opens
/// nothing else.
pub async fn authenticate_model(app: &App, key: &str) -> Result<ModelUser> {
    let bearer = bearer_of(app, Purpose::Model, key).await?;
    let (organization_id, session_id, _) = bearer.ok_or(Error::Unauthenticated(
        "the model key is not valid, or not any more",
    ))?;
    Ok(ModelUser::of(organization_id, session_id))
}

/// The sandbox that the token was made for, if it still is.
async fn bearer_of(
    app: &App,
    purpose: Purpose,
    token: &str,
) -> Result<Option<(OrganizationId, SessionId, Incarnation)>> {
    if token.len() > BEARER_TOKEN_BYTES_MAX {
        return Ok(None);
    }
    let claim = SandboxClaim::parse(purpose, token);
    let claim = claim.filter(|claim| app.tokens.sandbox_claim_is_ours(claim));
    let Some(claim) = claim else {
        return Ok(None);
    };
    let mut conn = app.db.read().await?;
    let Some(session) = store::session_standing(&mut conn, claim.session_id).await? else {
        return Ok(None);
    };
    // A session that moves has two sandboxes for a while.
    let counts = sandbox::is_current(&session, &claim)
        || store::session_successor_fetch(&mut conn, claim.session_id).await?
            == Some(claim.incarnation);
    Ok(counts.then_some((session.organization_id, claim.session_id, claim.incarnation)))
}
