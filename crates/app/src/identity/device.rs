//! Logins of terminals, after RFC 8628: a terminal asks, a member approves in a browser, the terminal fetches an API key.
//!
//! INVARIANT: the key is made in the transaction that takes the approved login, so it is in one answer and in no table, and
//! a login is good for one key. It belongs to a member of now: a removed one has approved nothing.

use domain::{
    api_key::{ApiKey, ApiKeyText},
    caller::Credential,
    clock::Timestamp,
    device_login::{DeviceCode, DeviceLogin, DeviceLoginState, UserCode, device_code_hash},
    id::DeviceLoginId,
    invalid::bounded_text,
    lease::RateKey,
    limits::{
        DEVICE_CODE_TRIES_MAX, DEVICE_CODE_WINDOW, DEVICE_KEY_LIFE, DEVICE_LOGINS_MAX,
        DEVICE_LOGINS_PER_CLIENT_MAX, DEVICE_POLL_INTERVAL, LOGIN_SWEEP_MAX, NAME_LENGTH_MAX,
    },
    visible::escape_line,
};

use super::authenticate::{Intent, member_caller};
use crate::{
    access::{BrowserLogin, Person},
    api_keys, audit,
    context::App,
    error::{Error, Result},
};

/// A login that waits, with its codes for the only time.
#[derive(Debug)]
pub struct StartedDeviceLogin {
    pub device_code: DeviceCode,
    pub user_code: UserCode,
    pub expires_at: Timestamp,
}

/// What a terminal learns when it asks.
#[derive(Debug)]
pub enum DeviceLoginAnswer {
    Pending,
    /// It asks too often.
    SlowDown,
    Denied,
    /// Over, used, or never there: the three are not told apart.
    Expired,
    /// Approved: the key's record, and the key for the only time.
    Approved(ApiKey, ApiKeyText),
}

/// Starts a login of a terminal; `client` is where the request came from.
pub async fn device_login_create(
    app: &App,
    machine: &str,
    client: &str,
) -> Result<StartedDeviceLogin> {
    bounded_text("machine", machine, 1, NAME_LENGTH_MAX)?;
    // It names a key and is shown to the member who decides: what a screen would not show is not part of it.
    if escape_line(machine) != machine {
        let message = "must be one line of visible characters";
        return Err(domain::Invalid::new("machine", message).into());
    }
    let now = app.now();
    let started = StartedDeviceLogin {
        device_code: DeviceCode::generate(&*app.entropy),
        user_code: UserCode::generate(&*app.entropy),
        expires_at: now.plus(domain::limits::DEVICE_LOGIN_LIFE),
    };
    let id = DeviceLoginId::generate(now, &*app.entropy);
    let login = DeviceLogin::new(id, machine.to_owned(), client.to_owned(), now);
    let mut tx = app.db.write().await?;
    for (client, max) in [
        (Some(client), DEVICE_LOGINS_PER_CLIENT_MAX),
        (None, DEVICE_LOGINS_MAX),
    ] {
        if store::device_login_count(&mut tx, client, now).await? >= max {
            return Err(Error::RateLimited {
                message: "too many terminals wait to be approved",
                retry_after: DEVICE_CODE_WINDOW,
            });
        }
    }
    let device_digest = device_code_hash(started.device_code.expose());
    let user_digest = started.user_code.hash();
    store::device_login_insert(&mut tx, &login, &device_digest, &user_digest).await?;
    tx.commit().await?;
    Ok(started)
}

/// The login that waits under a user code, for the member who is to decide.
pub async fn device_login_show(
    app: &App,
    browser: &BrowserLogin,
    code: &str,
) -> Result<DeviceLogin> {
    let code = tried_code(app, browser, code).await?;
    let mut conn = app.db.read().await?;
    let found = store::device_login_fetch_by_user_code(&mut conn, &code.hash()).await?;
    found
        .filter(|login| login.state == DeviceLoginState::Pending && app.now() < login.expires_at)
        .ok_or(NO_LOGIN)
}

/// Approves or denies the login under a user code, once. Approved, the terminal acts as this member.
pub async fn device_login_decide(
    app: &App,
    browser: &BrowserLogin,
    code: &str,
    approve: bool,
) -> Result<DeviceLogin> {
    let code = tried_code(app, browser, code).await?;
    let person = browser.person();
    let (state, operation) = if approve {
        let state = DeviceLoginState::Approved {
            organization_id: person.organization_id().clone(),
            user_id: person.user_id().clone(),
        };
        (state, "device_login_approve")
    } else {
        (DeviceLoginState::Denied, "device_login_deny")
    };
    let mut tx = app.db.write().await?;
    if approve {
        // Here, where a person reads it; the terminal could only fail.
        api_keys::require_room(&mut tx, person, app.now()).await?;
    }
    let decided = store::device_login_decide(&mut tx, &code.hash(), &state, app.now()).await?;
    let decided = decided.ok_or(NO_LOGIN)?;
    audit::record_operation(&mut tx, app, browser, operation, Some(decided.id.uuid())).await?;
    tx.commit().await?;
    Ok(decided)
}

/// Answers a terminal that asks whether it was approved, with the key if it was.
pub async fn device_login_redeem(app: &App, device_code: &str) -> Result<DeviceLoginAnswer> {
    let digest = device_code_hash(device_code);
    let now = app.now();
    // Read first, so that requests with wrong codes do not write.
    let found = store::device_login_fetch(&mut app.db.read().await?, &digest).await?;
    if found.is_none_or(|login| now >= login.expires_at) {
        return Ok(DeviceLoginAnswer::Expired);
    }
    let mut tx = app.db.write().await?;
    let since = now.minus(DEVICE_POLL_INTERVAL);
    if !store::device_login_poll(&mut tx, &digest, now, since).await? {
        return Ok(DeviceLoginAnswer::SlowDown);
    }
    let Some(login) = store::device_login_take(&mut tx, &digest, now).await? else {
        let found = store::device_login_fetch(&mut tx, &digest).await?;
        tx.commit().await?;
        return Ok(match found.map(|login| login.state) {
            Some(DeviceLoginState::Pending) => DeviceLoginAnswer::Pending,
            Some(DeviceLoginState::Denied) => DeviceLoginAnswer::Denied,
            Some(DeviceLoginState::Approved { .. }) | None => DeviceLoginAnswer::Expired,
        });
    };
    let DeviceLoginState::Approved {
        organization_id,
        user_id,
    } = &login.state
    else {
        return Ok(DeviceLoginAnswer::Expired);
    };
    let organization = Some(organization_id);
    let caller = match member_caller(&mut tx, user_id, organization, Credential::Token).await {
        Ok(caller) => caller,
        // Removed since the login was taken above: nothing of it is kept.
        Err(Error::Unauthenticated(_)) => return Ok(DeviceLoginAnswer::Expired),
        Err(error) => return Err(error),
    };
    let caller = caller.admit(Intent::Change)?;
    let person = Person::of(&caller)?;
    let end = Some(now.plus(DEVICE_KEY_LIFE));
    let (key, text) = api_keys::insert(&mut tx, app, &person, &login.machine, end).await?;
    tx.commit().await?;
    Ok(DeviceLoginAnswer::Approved(key, text))
}

const NO_LOGIN: Error =
    Error::NotFound("code: it is mistyped, was used, or is older than ten minutes");

/// Counts a try of this browser, and reads the code.
async fn tried_code(app: &App, browser: &BrowserLogin, code: &str) -> Result<UserCode> {
    let key = RateKey::DeviceCodes(browser.login_id());
    let limiter = app.rate_limiter();
    let admission = limiter.check(key, DEVICE_CODE_WINDOW, DEVICE_CODE_TRIES_MAX);
    if let coord::Admission::Limited { retry_after, .. } = admission.await {
        return Err(Error::RateLimited {
            message: "too many codes were tried in this browser",
            retry_after,
        });
    }
    UserCode::parse(code).ok_or(NO_LOGIN)
}

/// Removes logins of terminals whose time is over.
pub async fn sweep_device_logins(app: &App) -> Result<usize> {
    let mut tx = app.db.write().await?;
    let swept = store::device_login_sweep(&mut tx, app.now(), LOGIN_SWEEP_MAX).await?;
    tx.commit().await?;
    Ok(usize::try_from(swept).unwrap_or(usize::MAX))
}
