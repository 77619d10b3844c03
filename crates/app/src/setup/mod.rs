//! The setup link: how an installation without an organization gets its first one, and that one its owner.
//!
//! INVARIANT: of all links and of all requests at once, one makes an organization. The unique index of the organization
//! that operates decides between two links, the conditional update of the link between two requests with one.

use domain::{
    caller::Caller,
    clock::Timestamp,
    id::OrganizationId,
    limits::{SETUP_LINK_LIFE, SETUP_LINKS_MAX},
    login::LoginMethod,
    setup_link::{SetupCode, SetupLink, SetupLinkValidity, setup_hash},
};

use crate::{
    access::Person,
    audit::{self, RefusedRequest},
    context::App,
    error::{Error, Result},
    identity::{self, LoggedIn, LoginOrigin},
    organizations::{self, NewOrganization},
};

/// What becomes of the links from before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderLinks {
    /// They stay valid: several instances start at once, and each prints one.
    Keep,
    /// They stop being valid.
    Replace,
}

const SET_UP: &str = "this installation is set up already; log in instead";
const USED: &str = "this setup link was used; log in instead";
const EXPIRED: &str =
    "this setup link has expired; the operator makes a new one with `proliferate setup`";
const UNKNOWN: &str = "this setup link is not valid, or was replaced by a newer one; the operator makes a new one with \
                       `proliferate setup`";

/// Whether this installation has no organization yet.
pub async fn is_needed(app: &App) -> Result<bool> {
    let exists = store::organization_exists(&mut app.db.read().await?).await?;
    Ok(!exists)
}

/// Makes the code of a setup link. `None` if there is an organization. For an instance that starts and for operators; no
/// route leads here.
pub async fn link_create(app: &App, older: OlderLinks) -> Result<Option<SetupCode>> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    if store::organization_exists(&mut tx).await? {
        return Ok(None);
    }
    let kept = match older {
        OlderLinks::Keep => SETUP_LINKS_MAX - 1,
        OlderLinks::Replace => 0,
    };
    store::setup_link_keep_newest(&mut tx, now, kept).await?;
    let code = SetupCode::generate(&*app.entropy);
    let link = SetupLink {
        created_at: now,
        expires_at: now.plus(SETUP_LINK_LIFE),
        used: None,
    };
    store::setup_link_insert(&mut tx, &link, &setup_hash(code.expose())).await?;
    tx.commit().await?;
    Ok(Some(code))
}

/// Whether a link can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupInspection {
    Valid {
        until: Timestamp,
    },
    /// With the reason.
    Invalid(&'static str),
}

/// Looks at a link without using it.
pub async fn inspect(app: &App, code: &str) -> Result<SetupInspection> {
    let mut conn = app.db.read().await?;
    let link = store::setup_link_fetch(&mut conn, &setup_hash(code)).await?;
    let validity = link.map(|link| link.validity(app.now()));
    let is_set_up = store::organization_exists(&mut conn).await?;
    Ok(match validity {
        Some(SetupLinkValidity::Used(_)) => SetupInspection::Invalid(USED),
        _ if is_set_up => SetupInspection::Invalid(SET_UP),
        Some(SetupLinkValidity::Valid { until }) => SetupInspection::Valid { until },
        Some(SetupLinkValidity::Expired) => SetupInspection::Invalid(EXPIRED),
        None => SetupInspection::Invalid(UNKNOWN),
    })
}

/// Makes the first organization with its owner, and logs the owner in. Uses the link up.
pub async fn set_up(
    app: &App,
    code: &str,
    new: &NewOrganization,
    replaced: Option<&str>,
) -> Result<LoggedIn> {
    require_usable(app, code).await?;
    new.validate()?;
    let mut tx = app.db.write().await?;
    if store::organization_exists(&mut tx).await? {
        drop(tx);
        return Err(refusal(app, code).await);
    }
    let inserted = organizations::insert(&mut tx, app, new.name.trim(), true).await?;
    let Some(organization) = inserted else {
        drop(tx);
        return Err(refusal(app, code).await);
    };
    let id = &organization.id;
    if !store::setup_link_use(&mut tx, &setup_hash(code), app.now(), id).await? {
        drop(tx);
        return Err(refusal(app, code).await);
    }
    let user_id = organizations::insert_owner(&mut tx, app, id, &new.owner).await?;
    let origin = LoginOrigin::new(LoginMethod::Link);
    let logged_in =
        identity::begin_for_member(&mut tx, app, id, &user_id, origin, replaced).await?;
    let owner = Person::of(&logged_in.caller)?;
    organizations::record_begin(&mut tx, app, &owner, "setup", &user_id).await?;
    tx.commit().await?;
    tracing::info!(organization_id = %id, "the first organization was set up");
    Ok(logged_in)
}

/// Read first, so that requests with wrong codes do not write and learn nothing about other fields.
async fn require_usable(app: &App, code: &str) -> Result<()> {
    match inspect(app, code).await? {
        SetupInspection::Valid { .. } => Ok(()),
        SetupInspection::Invalid(_) => Err(refusal(app, code).await),
    }
}

/// The error for a link that cannot be used. The use of one that was used before is on record in the organization that it
/// made.
async fn refusal(app: &App, code: &str) -> Error {
    let link = async {
        let mut conn = app.db.read().await?;
        let link = store::setup_link_fetch(&mut conn, &setup_hash(code)).await?;
        Result::Ok(link.map(|link| link.validity(app.now())))
    };
    match link.await {
        Ok(Some(SetupLinkValidity::Used(organization_id))) => {
            record_second_use(app, organization_id).await;
            Error::Conflict(USED.to_owned()).recorded()
        }
        Ok(Some(SetupLinkValidity::Expired)) => Error::Gone(EXPIRED.to_owned()),
        Ok(Some(SetupLinkValidity::Valid { .. })) => Error::Conflict(SET_UP.to_owned()),
        Ok(None) => Error::Unauthenticated(UNKNOWN),
        Err(error) => error,
    }
}

async fn record_second_use(app: &App, organization_id: OrganizationId) {
    let caller = Caller::Service {
        organization_id,
        name: "setup_link".to_owned(),
    };
    let request = RefusedRequest {
        operation: "setup".to_owned(),
        subject: None,
        session_id: None,
    };
    audit::record_refusal(app, &caller, request, 409, "conflict").await;
}
