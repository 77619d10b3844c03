//! Logins: how a user's browser is authenticated, and how that ends.
//!
//! INVARIANT: a login is no more than what it was made from: it ends with the token or the key, its role is the member
//! row's at each request, and it ends with the membership. Its secret is new each time, so that an attacker cannot give
//! a browser a login whose secret the attacker knows.

use domain::{
    caller::{Caller, Credential},
    clock::Timestamp,
    id::{LoginId, OrganizationId, UserId},
    identity_provider::OidcLogin,
    limits::{
        LOGIN_CODE_LIFE, LOGIN_IDLE_MAX, LOGIN_SWEEP_MAX, LOGINS_PER_USER_MAX, OIDC_USED_SWEEP_MAX,
    },
    login::{Login, LoginCode, LoginMethod, LoginText, login_hash},
    organization::{Organization, User},
};
use store::Tx;

use super::{
    access_changes::access_changed,
    authenticate::{Intent, authenticate, member_caller},
    login_mail::prove_address,
};
use crate::{
    access::{Operator, Person},
    audit,
    context::App,
    error::{Error, Result},
};

/// A login that has begun.
#[derive(Debug)]
pub struct LoggedIn {
    pub caller: Caller,
    pub login: Login,
    /// For the browser to keep.
    pub text: LoginText,
}

const NO_CODE: Error = Error::Unauthenticated(
    "the code was used before, is too old or was never given out; ask for a new link",
);

/// Begins a login for a token, an API key or a one-time code. `replaced` is the login that the browser had until now.
pub async fn login(
    app: &App,
    token: &str,
    organization: Option<&OrganizationId>,
    replaced: Option<&str>,
) -> Result<LoggedIn> {
    if LoginText::looks_like_a_code(token) {
        return login_by_code(app, token, replaced).await;
    }
    // A login itself starts nothing.
    let identified = authenticate(app, token, organization).await?;
    let caller = identified.admit(Intent::Read)?;
    let Caller::User { credential, .. } = &caller else {
        return Err(Error::Forbidden(
            "only a member of the organization logs in",
        ));
    };
    let now = app.now();
    let made_from = match credential {
        Credential::Token => LoginOrigin {
            end: Some(app.tokens.user_token_end(token, now)?),
            ..LoginOrigin::new(LoginMethod::Token)
        },
        Credential::ApiKey(id) => LoginOrigin {
            api_key_id: Some(*id),
            ..LoginOrigin::new(LoginMethod::ApiKey)
        },
        Credential::Login { .. } => {
            return Err(Error::Unauthenticated("a login is not made from another"));
        }
    };
    let mut tx = app.db.write().await?;
    let logged_in = begin(&mut tx, app, caller, made_from, replaced).await?;
    tx.commit().await?;
    Ok(logged_in)
}

/// Begins a login for a one-time code, which is used up by it.
pub async fn login_by_code(app: &App, code: &str, replaced: Option<&str>) -> Result<LoggedIn> {
    let digest = login_hash(code);
    if !store::login_code_exists(&mut app.db.read().await?, &digest).await? {
        return Err(NO_CODE);
    }
    let mut tx = app.db.write().await?;
    let code = store::login_code_take(&mut tx, &digest)
        .await?
        .ok_or(NO_CODE)?;
    if app.now() >= code.expires_at {
        tx.commit().await?;
        return Err(NO_CODE);
    }
    let (organization_id, user_id) = (&code.organization_id, &code.user_id);
    if let Some(email) = &code.proves_email
        && !prove_address(&mut tx, app, user_id, email).await?
    {
        return Err(NO_CODE);
    }
    let made_from = LoginOrigin::new(LoginMethod::Link);
    let logged_in =
        begin_for_member(&mut tx, app, organization_id, user_id, made_from, replaced).await?;
    tx.commit().await?;
    if code.proves_email.is_some() {
        access_changed(app, organization_id, Some(user_id));
    }
    Ok(logged_in)
}

/// What a login is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoginOrigin {
    method: LoginMethod,
    api_key_id: Option<domain::id::ApiKeyId>,
    end: Option<Timestamp>,
}

impl LoginOrigin {
    pub(crate) fn new(method: LoginMethod) -> Self {
        Self {
            method,
            api_key_id: None,
            end: None,
        }
    }
}

/// Begins a login for a member who was identified by an operator or by the identity provider.
pub(crate) async fn begin_for_member(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    user_id: &UserId,
    made_from: LoginOrigin,
    replaced: Option<&str>,
) -> Result<LoggedIn> {
    let caller = member_caller(tx, user_id, Some(organization_id), Credential::Token).await?;
    let caller = caller.admit(Intent::Read)?;
    begin(tx, app, caller, made_from, replaced).await
}

async fn begin(
    tx: &mut Tx,
    app: &App,
    caller: Caller,
    made_from: LoginOrigin,
    replaced: Option<&str>,
) -> Result<LoggedIn> {
    let person = Person::of(&caller)?;
    let now = app.now();
    let text = LoginText::login(&*app.entropy);
    let login = Login {
        id: LoginId::generate(now, &*app.entropy),
        organization_id: person.organization_id().clone(),
        user_id: person.user_id().clone(),
        method: made_from.method,
        api_key_id: made_from.api_key_id,
        created_at: now,
        seen_at: now,
        expires_at: Login::end(now, made_from.end),
    };
    if let Some(replaced) = replaced {
        store::login_delete(tx, &login_hash(replaced)).await?;
    }
    store::login_insert(tx, &login, &login_hash(text.expose())).await?;
    store::login_delete_oldest(
        tx,
        &login.organization_id,
        &login.user_id,
        LOGINS_PER_USER_MAX,
    )
    .await?;
    audit::record_operation(tx, app, &person, "login_create", Some(login.id.uuid())).await?;
    let caller = with_login(caller, &login);
    Ok(LoggedIn {
        caller,
        login,
        text,
    })
}

/// The same person, known by the login from now on.
fn with_login(caller: Caller, login: &Login) -> Caller {
    match caller {
        Caller::User {
            organization_id,
            user_id,
            role,
            ..
        } => Caller::User {
            organization_id,
            user_id,
            role,
            credential: Credential::Login {
                id: login.id,
                method: login.method,
            },
        },
        other => other,
    }
}

/// Ends the login of a browser. Ending it again changes nothing. Returns what a login by an identity provider has kept.
pub async fn logout(app: &App, text: &str) -> Result<Option<OidcLogin>> {
    let digest = login_hash(text);
    let now = app.now();
    if store::login_fetch(&mut app.db.read().await?, &digest, now)
        .await?
        .is_none()
    {
        return Ok(None);
    }
    let mut tx = app.db.write().await?;
    // It is deleted with the login.
    let of_provider = match store::login_fetch(&mut tx, &digest, now).await? {
        Some(login) => store::oidc_login_fetch(&mut tx, login.id).await?,
        None => None,
    };
    let Some(login) = store::login_delete(&mut tx, &digest).await? else {
        return Ok(None);
    };
    let (user_id, organization_id) = (&login.user_id, &login.organization_id);
    let caller = member_caller(&mut tx, user_id, Some(organization_id), Credential::Token).await?;
    let person = Person::of(caller.caller())?;
    audit::record_operation(&mut tx, app, &person, "login_end", Some(login.id.uuid())).await?;
    tx.commit().await?;
    access_changed(app, organization_id, Some(user_id));
    Ok(of_provider)
}

/// Creates a code that logs a member in once. For operators, who hold the database; no route leads here.
pub async fn login_code_create(
    app: &App,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<LoginText> {
    let mut tx = app.db.write().await?;
    let is_member = store::member_fetch(&mut tx, organization_id, user_id);
    if is_member.await?.is_none() {
        return Err(Error::NotFound("member"));
    }
    let text = insert_login_code(&mut tx, app, organization_id, user_id).await?;
    let operator = Operator(organization_id.clone());
    audit::record_operation(&mut tx, app, &operator, "login_code_create", None).await?;
    tx.commit().await?;
    Ok(text)
}

/// Inserts a code for a member.
pub(crate) async fn insert_login_code(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<LoginText> {
    let now = app.now();
    let text = LoginText::code(&*app.entropy);
    let code = LoginCode {
        organization_id: organization_id.clone(),
        user_id: user_id.clone(),
        created_at: now,
        expires_at: now.plus(LOGIN_CODE_LIFE),
        proves_email: None,
    };
    store::login_code_sweep(tx, now, LOGIN_SWEEP_MAX).await?;
    store::login_code_insert(tx, &code, &login_hash(text.expose())).await?;
    Ok(text)
}

/// Removes logins and codes that have ended, and used states and logout tokens that would be refused for their age.
pub async fn sweep_logins(app: &App) -> Result<usize> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    let idle_since = now.minus(LOGIN_IDLE_MAX);
    let logins = store::login_sweep(&mut tx, now, idle_since, LOGIN_SWEEP_MAX).await?;
    let codes = store::login_code_sweep(&mut tx, now, LOGIN_SWEEP_MAX).await?;
    let used = store::oidc_used_sweep(&mut tx, now, OIDC_USED_SWEEP_MAX).await?;
    tx.commit().await?;
    Ok(usize::try_from(logins + codes + used).unwrap_or(usize::MAX))
}

/// The caller's organization and, of a person, who they are.
pub async fn describe(app: &App, caller: &Caller) -> Result<(Organization, Option<User>)> {
    let mut conn = app.db.read().await?;
    let organization = store::organization_fetch(&mut conn, caller.organization_id()).await?;
    let organization = organization.ok_or(Error::NotFound("organization"))?;
    let user = match caller.user_id() {
        Some(user_id) => store::user_fetch(&mut conn, user_id).await?,
        None => None,
    };
    Ok((organization, user))
}
