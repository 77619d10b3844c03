//! What limits an organization has, and what it uses of them now.

use domain::{
    id::OrganizationId,
    organization_limits::{LimitsInUse, LimitsUsed},
    organization_spend::SpendPeriod,
};
use store::Conn;

use crate::{
    access::{FleetAdmin, Insider, Operator},
    context::App,
    error::{Error, Result},
};

/// The limits of the caller's organization.
pub async fn show(app: &App, insider: &Insider) -> Result<LimitsInUse> {
    let mut conn = app.db.read().await?;
    read(app, &mut conn, insider.organization_id()).await
}

/// The limits of any organization, for operators of the installation.
pub async fn show_ceiling(
    app: &App,
    _: &FleetAdmin,
    organization_id: &OrganizationId,
) -> Result<LimitsInUse> {
    let mut conn = app.db.read().await?;
    read(app, &mut conn, organization_id).await
}

/// The same for an operator with the database.
pub async fn show_as_operator(app: &App, operator: &Operator) -> Result<LimitsInUse> {
    let mut conn = app.db.read().await?;
    read(app, &mut conn, &operator.0).await
}

pub(super) async fn read(
    app: &App,
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<LimitsInUse> {
    let now = app.now();
    let organization = store::organization_fetch(conn, organization_id).await?;
    organization.ok_or(Error::NotFound("organization"))?;
    let limits = store::organization_limits_fetch(conn, organization_id).await?;
    let sessions = store::sessions_in_use(conn, organization_id, None).await?;
    let storage = store::storage_fetch(conn, organization_id).await?;
    let spend = store::organization_spend_fetch(conn, organization_id, now).await?;
    let (day, month) = (SpendPeriod::Day, SpendPeriod::Month);
    Ok(LimitsInUse {
        organization_id: organization_id.clone(),
        limits,
        used: LimitsUsed {
            live_sessions: sessions.live_sessions,
            sandboxes: sessions.sandboxes,
            storage_bytes: storage.byte_size,
            storage_counted_at: storage.counted_at,
            spend_day_micro_usd: spend.day_micro_usd,
            spend_month_micro_usd: spend.month_micro_usd,
        },
        day_noticed_percent: store::spend_notice_percent(conn, organization_id, day, now).await?,
        month_noticed_percent: store::spend_notice_percent(conn, organization_id, month, now)
            .await?,
    })
}
