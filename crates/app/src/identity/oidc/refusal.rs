//! Refused logins of identity providers, and where they are recorded: in the log of the organization that is concerned;
//! where none is known, in that of the organization that operates the installation.

use domain::{
    audit::Refused,
    id::{OrganizationId, UserId},
};

use super::Oidc;
use crate::{
    access::{AuditedActor as _, ProviderActor},
    audit,
    context::App,
    error::Result,
};

/// Why a user whom the identity provider identified is not logged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAllowed {
    /// The provider has verified no address of theirs.
    AddressNotVerified,
    /// No organization lists the domain of the address.
    DomainNotListed,
    /// Only members log in with this provider.
    SignUpClosed,
    /// The user was removed, or the organization does not exist.
    NotAMember,
    /// In none of the groups that the provider's settings name.
    NoGroup,
}

impl NotAllowed {
    fn reason(self) -> &'static str {
        match self {
            Self::AddressNotVerified => "address_not_verified",
            Self::DomainNotListed => "domain_not_listed",
            Self::SignUpClosed => "sign_up_closed",
            Self::NotAMember => "not_a_member",
            Self::NoGroup => "no_mapped_group",
        }
    }
}

/// A user who was refused.
#[derive(Debug)]
pub(super) struct RefusedUser {
    pub(super) why: NotAllowed,
    pub(super) organization_id: Option<OrganizationId>,
    /// Of a user who is known here.
    pub(super) user_id: Option<UserId>,
}

/// Records a user who was refused.
pub(super) async fn record_user(app: &App, oidc: &Oidc, refused: &RefusedUser) {
    let subject = refused.user_id.as_ref();
    let subject = subject.map_or_else(|| "login".to_owned(), |id| format!("member/{id}"));
    let known = refused.organization_id.as_ref();
    let what = ("login_oidc_callback", subject, 403, refused.why.reason());
    record(app, Some(oidc), known, what).await;
}

/// Records a response that is not valid: replayed, too old, of another browser, altered.
pub(super) async fn record_response(app: &App, oidc: Option<&Oidc>, reason: &'static str) {
    let what = ("login_oidc_callback", "login".to_owned(), 400, reason);
    record(app, oidc, None, what).await;
}

/// Records a logout token that is not valid.
pub(super) async fn record_logout(app: &App, oidc: Option<&Oidc>, reason: &'static str) {
    let what = (
        "login_oidc_backchannel_logout",
        "login".to_owned(),
        400,
        reason,
    );
    record(app, oidc, None, what).await;
}

/// A request that belongs to no attempt and no provider of ours could be of any client: it is counted, so that a stranger
/// cannot make the log grow.
async fn record(
    app: &App,
    oidc: Option<&Oidc>,
    known: Option<&OrganizationId>,
    what: (&str, String, u16, &'static str),
) {
    let reason = what.3;
    let Some(oidc) = oidc else {
        tracing::debug!(reason, "a request to log in or out was refused");
        audit::count_refusal(reason);
        return;
    };
    tracing::warn!(
        provider = oidc.name(),
        reason,
        "the identity provider's answer was refused"
    );
    if let Err(error) = try_record(app, oidc, known, what).await {
        tracing::warn!(%error, "a refused login cannot be put on record");
    }
}

async fn try_record(
    app: &App,
    oidc: &Oidc,
    known: Option<&OrganizationId>,
    (operation, subject, status, reason): (&str, String, u16, &'static str),
) -> Result<()> {
    let Some(organization_id) = log_of(app, oidc, known).await? else {
        audit::count_refusal(reason);
        return Ok(());
    };
    let provider = ProviderActor {
        organization_id: organization_id.clone(),
        provider: oidc.name().to_owned(),
    };
    let refused = Refused {
        actor: provider.actor()?,
        operation: operation.to_owned(),
        subject,
        session_id: None,
        status,
        reason,
    };
    audit::record_refused(app, &organization_id, refused).await;
    Ok(())
}

/// The organization whose log the refusal goes to: the one that is known, the only one of the provider, or the one that
/// operates the installation.
async fn log_of(
    app: &App,
    oidc: &Oidc,
    known: Option<&OrganizationId>,
) -> Result<Option<OrganizationId>> {
    let only = match &oidc.settings().organizations()[..] {
        [only] => Some(*only),
        _ => None,
    };
    let found = known.or(only).or(app.fleet_operators.first());
    let Some(organization_id) = found else {
        return Ok(None);
    };
    let mut conn = app.db.read().await?;
    let exists = store::organization_fetch(&mut conn, organization_id).await?;
    Ok(exists.map(|organization| organization.id))
}
