//! Turns a bearer token or a login into a caller, and a model key into the proof that its holder may use the model.

use domain::{
    api_key::{ApiKeyText, key_hash},
    caller::{Caller, Credential, Incarnation},
    id::{LoginId, OrganizationId, SessionId, UserId},
    limits::BEARER_TOKEN_BYTES_MAX,
    login::login_hash,
    organization::{Member, OrganizationState, OrganizationStatus},
    sandbox_token::{Purpose, SandboxClaim},
};
use store::Conn;

use super::sandbox;
use crate::{
    access::ModelUser,
    context::App,
    error::{Error, Result},
};

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Starts and changes nothing.
    Read,
    Change,
}

/// An authenticated caller of an organization that may be suspended or deleting.
#[derive(Debug, Clone)]
pub struct Identified {
    caller: Caller,
    state: OrganizationState,
}

impl Identified {
    /// For the record of a refused request; it proves nothing.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The caller, if the request may be made.
    ///
    /// INVARIANT: in an organization that is not active, users and services only read, and sandboxes do nothing.
    pub fn admit(self, intent: Intent) -> Result<Caller> {
        let is_sandbox = matches!(self.caller, Caller::Sandbox { .. });
        if (is_sandbox || intent == Intent::Change) && !self.state.is_active() {
            return Err(Error::OrganizationSuspended(self.state.to_string()));
        }
        Ok(self.caller)
    }
}

/// Reads the state of an organization that may not be active. None of its callers is known once its purge has begun.
async fn state_of(
    conn: &mut Conn,
    id: &OrganizationId,
    status: OrganizationStatus,
) -> Result<OrganizationState> {
    if status == OrganizationStatus::Active {
        return Ok(OrganizationState::Active);
    }
    let organization = store::organization_fetch(conn, id).await?;
    match organization.map(|organization| organization.state) {
        Some(state) if !state.is_purging() => Ok(state),
        _ => Err(Error::Unauthenticated(NO_ORGANIZATION)),
    }
}

const NO_ORGANIZATION: &str = "the token's organization does not exist";

/// Returns the caller that the token belongs to. `organization` is the one that the request names (`X-Org-Id`), if any.
///
/// Roles and memberships are read now and not taken from the token, so that removing them works at once.
pub async fn authenticate(
    app: &App,
    token: &str,
    organization: Option<&OrganizationId>,
) -> Result<Identified> {
    if token.is_empty() || token.len() > BEARER_TOKEN_BYTES_MAX {
        return Err(Error::Unauthenticated("the token is not one of ours"));
    }
    let identified = if SandboxClaim::looks_like_one(Purpose::Sandbox, token) {
        sandbox_caller(app, token).await?
    } else if ApiKeyText::looks_like_one(token) {
        api_key_caller(app, token).await?
    } else {
        signed_caller(app, token, organization).await?
    };
    // A request that names an organization must not silently act in another one.
    match organization {
        Some(wanted) if wanted != identified.caller.organization_id() => {
            Err(Error::NotFound("organization"))
        }
        _ => Ok(identified),
    }
}

async fn signed_caller(
    app: &App,
    token: &str,
    organization: Option<&OrganizationId>,
) -> Result<Identified> {
    let now = app.now();
    match app.tokens.verify_user(token, now) {
        Ok(user) => {
            let mut conn = app.db.read().await?;
            let wanted = user.organization_id.as_ref().or(organization);
            let caller = async {
                let (member, state) = fetch_member(&mut conn, &user.user_id, wanted).await?;
                // INVARIANT: a membership that begins anew does not bring back what the one before it was given.
                let start = app.tokens.user_token_start(token, now)?;
                if start.unix_seconds() < member.created_at.unix_seconds() {
                    return Err(Error::Unauthenticated(
                        "the token is older than the membership; get a new one",
                    ));
                }
                Ok(identified(member, state, Credential::Token))
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
            let organization_id = service.organization_id;
            let organization = store::organization_fetch(&mut conn, &organization_id).await?;
            let organization = organization.filter(|found| !found.state.is_purging());
            let organization = organization.ok_or(Error::Unauthenticated(NO_ORGANIZATION))?;
            let caller = Caller::Service {
                organization_id,
                name: service.name,
            };
            Ok(Identified {
                caller,
                state: organization.state,
            })
        }
    }
}

async fn api_key_caller(app: &App, token: &str) -> Result<Identified> {
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
) -> Result<Identified> {
    let now = app.now();
    let (login, identified) = {
        let mut conn = app.db.read().await?;
        let login = store::login_fetch(&mut conn, &login_hash(login), now).await?;
        let login = login.filter(|login| login.is_live(now));
        let login = login.ok_or(Error::Unauthenticated("the login is over; log in again"))?;
        let credential = Credential::Login {
            id: login.id,
            method: login.method,
        };
        let organization_id = Some(&login.organization_id);
        let identified = member_caller(&mut conn, &login.user_id, organization_id, credential);
        let identified = identified.await?;
        (login, identified)
    };
    if organization.is_some_and(|wanted| wanted != identified.caller.organization_id()) {
        return Err(Error::NotFound("organization"));
    }
    if login.is_to_be_noted(now)
        && let Err(error) = note(app, login.id).await
    {
        // It would end sooner than it should; nothing else depends on it.
        tracing::warn!(%error, "the use of a login could not be noted");
    }
    Ok(identified)
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
) -> Result<Identified> {
    let (member, state) = fetch_member(conn, user_id, organization).await?;
    Ok(identified(member, state, credential))
}

async fn fetch_member(
    conn: &mut Conn,
    user_id: &UserId,
    organization: Option<&OrganizationId>,
) -> Result<(Member, OrganizationState)> {
    let standing = match organization {
        Some(organization_id) => store::member_standing(conn, organization_id, user_id).await?,
        None => store::member_standing_first(conn, user_id).await?,
    };
    let (member, status) = standing.ok_or(Error::Unauthenticated(
        "the user is not a member of the organization",
    ))?;
    let state = state_of(conn, &member.organization_id, status).await?;
    Ok((member, state))
}

fn identified(member: Member, state: OrganizationState, credential: Credential) -> Identified {
    let caller = Caller::User {
        organization_id: member.organization_id,
        user_id: member.user_id,
        role: member.role,
        credential,
    };
    Identified { caller, state }
}

async fn sandbox_caller(app: &App, token: &str) -> Result<Identified> {
    let bearer = bearer_of(app, Purpose::Sandbox, token).await?;
    let bearer = bearer.ok_or(Error::Unauthenticated(
        "the sandbox token is not valid, or not any more",
    ))?;
    Ok(Identified {
        caller: Caller::Sandbox {
            organization_id: bearer.organization_id,
            session_id: bearer.session_id,
            incarnation: bearer.incarnation,
        },
        state: bearer.state,
    })
}

/// Returns the proof that the holder of a model key may use the model. No other token gives it, and the key opens
/// nothing else.
pub async fn authenticate_model(app: &App, key: &str) -> Result<ModelUser> {
    let bearer = bearer_of(app, Purpose::Model, key).await?;
    let bearer = bearer.ok_or(Error::Unauthenticated(
        "the model key is not valid, or not any more",
    ))?;
    if !bearer.state.is_active() {
        return Err(Error::OrganizationSuspended(bearer.state.to_string()));
    }
    Ok(ModelUser::of(bearer.organization_id, bearer.session_id))
}

/// The sandbox that a token was made for.
struct Bearer {
    organization_id: OrganizationId,
    session_id: SessionId,
    incarnation: Incarnation,
    state: OrganizationState,
}

/// Returns the sandbox that the token was made for, if it still is the session's.
async fn bearer_of(app: &App, purpose: Purpose, token: &str) -> Result<Option<Bearer>> {
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
    if !counts {
        return Ok(None);
    }
    let state = state_of(
        &mut conn,
        &session.organization_id,
        session.organization_status,
    )
    .await?;
    Ok(Some(Bearer {
        organization_id: session.organization_id,
        session_id: claim.session_id,
        incarnation: claim.incarnation,
        state,
    }))
}
