//! Sets the limits of an organization: an admin below the ceiling, the operator the ceiling.

use domain::{
    id::OrganizationId,
    limits::SPEND_RAISE_SESSIONS_MAX,
    organization_limits::{LimitLevel, LimitSettings, LimitsInUse, OrganizationLimits},
    organization_spend::OrganizationSpend,
};
use store::Tx;

use super::{
    notices::{publish_notices, record_notices},
    read::read,
};
use crate::{
    access::{Admin, AuditedActor, FleetAdmin, Operator},
    audit,
    context::App,
    error::{Error, Result},
};

/// Who sets a ceiling: an admin of an organization that operates the installation, or an operator with the database.
pub trait CeilingSetter: AuditedActor {}

impl CeilingSetter for FleetAdmin {}
impl CeilingSetter for Operator {}

/// Replaces the limits that the organization chose. One above the operator's ceiling is refused.
pub async fn update(app: &App, admin: &Admin, settings: LimitSettings) -> Result<LimitsInUse> {
    settings.validate().map_err(Error::Invalid)?;
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    let before = store::organization_limits_fetch(&mut tx, organization_id).await?;
    settings
        .check_ceiling(&before.operator)
        .map_err(Error::Invalid)?;
    let after = OrganizationLimits {
        organization: settings,
        ..before
    };
    if after != before {
        let operation = "organization_limits_update";
        audit::record_operation(&mut tx, app, admin, operation, None).await?;
        let level = LimitLevel::Organization;
        apply(&mut tx, app, organization_id, level, [&before, &after]).await?;
    }
    finish(app, tx, organization_id).await
}

/// Replaces the ceilings of an organization. What the organization chose stays, and counts where it is smaller.
pub async fn set_ceiling(
    app: &App,
    who: &impl CeilingSetter,
    organization_id: &OrganizationId,
    settings: LimitSettings,
) -> Result<LimitsInUse> {
    settings.validate().map_err(Error::Invalid)?;
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    let organization = store::organization_fetch(&mut tx, organization_id).await?;
    organization.ok_or(Error::NotFound("organization"))?;
    let before = store::organization_limits_fetch(&mut tx, organization_id).await?;
    let after = OrganizationLimits {
        operator: settings,
        ..before
    };
    if after != before {
        let operation = "organization_ceiling_update";
        audit::record_operation(&mut tx, app, who, operation, None).await?;
        if who.organization_id() != organization_id {
            // In the log of the organization that it is done to, without a person of another one.
            let operator = Operator(organization_id.clone());
            audit::record_operation(&mut tx, app, &operator, operation, None).await?;
        }
        let level = LimitLevel::Operator;
        apply(&mut tx, app, organization_id, level, [&before, &after]).await?;
    }
    finish(app, tx, organization_id).await
}

/// Writes one level. Sessions that rested for a limit which was raised go on, and a limit that was lowered below what was
/// spent is noticed.
async fn apply(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    level: LimitLevel,
    [before, after]: [&OrganizationLimits; 2],
) -> Result<()> {
    let now = app.now();
    let settings = match level {
        LimitLevel::Operator => after.operator,
        LimitLevel::Organization => after.organization,
    };
    store::organization_limits_set(tx, organization_id, level, &settings, now).await?;
    let spend = store::organization_spend_fetch(tx, organization_id, now).await?;
    let with = |limits: &OrganizationLimits| OrganizationSpend {
        limits: *limits,
        ..spend
    };
    if with(before).reached().is_some() && with(after).reached().is_none() {
        let limit = SPEND_RAISE_SESSIONS_MAX;
        let resumed = store::session_go_on_hasten(tx, organization_id, now, limit).await?;
        if resumed >= u64::from(limit) {
            tracing::warn!(
                %organization_id, limit,
                "a spend limit was raised for more sessions than go on at once; the others go on when the period ends, or \
                 at their next prompt"
            );
        }
    }
    record_notices(tx, app, organization_id, &with(after).noticed()).await?;
    Ok(())
}

async fn finish(app: &App, mut tx: Tx, organization_id: &OrganizationId) -> Result<LimitsInUse> {
    let shown = read(app, &mut tx, organization_id).await?;
    tx.commit().await?;
    publish_notices(app, organization_id);
    Ok(shown)
}
