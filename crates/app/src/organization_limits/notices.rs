//! Notices that a spend limit comes near or is reached: each share once in a day and month, on record, and for the
//! webhooks that subscribe to it.

use domain::{id::OrganizationId, news::News, organization_spend::SpendNotice};
use store::Tx;

use crate::{access::GatewayActor, audit, context::App, error::Result, news, notices};

/// Records in `tx` the notices that were not given yet in their period, and returns whether there is one.
pub(crate) async fn record_notices(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    reached: &[SpendNotice],
) -> Result<bool> {
    let mut is_new = false;
    for notice in reached {
        if !store::spend_notice_insert(tx, organization_id, notice, app.now()).await? {
            continue;
        }
        is_new = true;
        let itself = GatewayActor(organization_id.clone());
        let operation = match notice.percent {
            100 => "organization_spend_limit_reach",
            _ => "organization_spend_limit_near",
        };
        audit::record_operation(tx, app, &itself, operation, None).await?;
        notices::enqueue_spend(tx, app, organization_id, notice).await?;
        tracing::info!(
            %organization_id, period = %notice.period, percent = notice.percent,
            "an organization has spent this share of its limit for models"
        );
    }
    Ok(is_new)
}

/// Tells open pages; for after the commit.
pub(crate) fn publish_notices(app: &App, organization_id: &OrganizationId) {
    news::publish_soon(app, organization_id, News::Limits);
}
