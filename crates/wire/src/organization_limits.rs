//! The limits of an organization: what is set on each level, what is in force, and what is used now.

use chrono::{DateTime, Utc};
use domain::{
    clock::Timestamp,
    organization_limits::{LimitSettings, LimitsInUse, LimitsUsed},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The limits of an organization. The smaller of both levels is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationLimitsView {
    pub organization_id: String,
    /// The ceiling, as the operator of the installation set it.
    pub operator: LimitSettingsView,
    /// What an admin of the organization chose.
    pub organization: LimitSettingsView,
    pub in_force: LimitSettingsView,
    pub used: LimitsUsedView,
    pub noticed: SpendNoticedView,
}

/// A value for each limit; `null` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitSettingsView {
    /// Sessions that start or run at once. A paused session does not count.
    #[schema(required, example = 50)]
    pub live_sessions: Option<i64>,
    /// Sandboxes at once. A session that moves has two for a while.
    #[schema(required, example = 60)]
    pub sandboxes: Option<i64>,
    /// Bytes of snapshots, artifacts, recordings and evidence.
    #[schema(required, example = 100_000_000_000_i64)]
    pub storage_bytes: Option<i64>,
    /// What all sessions together spend on their models in a day (UTC), in millionths of a dollar.
    #[schema(required, example = 50_000_000)]
    pub spend_day_micro_usd: Option<i64>,
    /// The same in a month (UTC).
    #[schema(required, example = 1_000_000_000)]
    pub spend_month_micro_usd: Option<i64>,
    /// How long an action waits for an approval; `null` is the time of its lane, five minutes in the built-in ones.
    #[schema(required, example = 3600)]
    pub approval_seconds: Option<i64>,
}

/// What the organization uses now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitsUsedView {
    pub live_sessions: i64,
    pub sandboxes: i64,
    pub storage_bytes: i64,
    /// When results of calls were last added to the stored bytes; `null` if they are still to be.
    #[schema(required)]
    pub storage_counted_at: Option<DateTime<Utc>>,
    pub spend_day_micro_usd: i64,
    pub spend_month_micro_usd: i64,
}

/// The largest share of a spend limit that was noticed in the current day and month, in percent: 0, 80 or 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendNoticedView {
    pub day_percent: i64,
    pub month_percent: i64,
}

/// New values for all limits of one level. Each is required: no limit is a decision, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateLimitsRequest {
    /// Sessions that start or run at once; `null` is no limit.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 0, maximum = 100_000, example = 50)]
    pub live_sessions: Option<i64>,
    /// Sandboxes at once.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 0, maximum = 100_000, example = 60)]
    pub sandboxes: Option<i64>,
    /// Bytes of snapshots, artifacts, recordings and evidence.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        minimum = 0,
        maximum = 1_000_000_000_000_000_i64,
        example = 100_000_000_000_i64
    )]
    pub storage_bytes: Option<i64>,
    /// Millionths of a dollar in a day (UTC).
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        minimum = 0,
        maximum = 1_000_000_000_000_i64,
        example = 50_000_000
    )]
    pub spend_day_micro_usd: Option<i64>,
    /// Millionths of a dollar in a month (UTC).
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        minimum = 0,
        maximum = 1_000_000_000_000_i64,
        example = 1_000_000_000
    )]
    pub spend_month_micro_usd: Option<i64>,
    /// How long an action waits for an approval, at most as long as its lane allows.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 1, maximum = 86_400, example = 3600)]
    pub approval_seconds: Option<i64>,
}

impl From<&LimitsInUse> for OrganizationLimitsView {
    fn from(found: &LimitsInUse) -> Self {
        Self {
            organization_id: found.organization_id.to_string(),
            operator: found.limits.operator.into(),
            organization: found.limits.organization.into(),
            in_force: found.limits.all_in_force().into(),
            used: found.used.into(),
            noticed: SpendNoticedView {
                day_percent: found.day_noticed_percent,
                month_percent: found.month_noticed_percent,
            },
        }
    }
}

impl From<LimitSettings> for LimitSettingsView {
    fn from(settings: LimitSettings) -> Self {
        Self {
            live_sessions: settings.live_sessions,
            sandboxes: settings.sandboxes,
            storage_bytes: settings.storage_bytes,
            spend_day_micro_usd: settings.spend_day_micro_usd,
            spend_month_micro_usd: settings.spend_month_micro_usd,
            approval_seconds: settings.approval_seconds,
        }
    }
}

impl From<LimitsUsed> for LimitsUsedView {
    fn from(used: LimitsUsed) -> Self {
        Self {
            live_sessions: used.live_sessions,
            sandboxes: used.sandboxes,
            storage_bytes: used.storage_bytes,
            storage_counted_at: used.storage_counted_at.map(Timestamp::datetime),
            spend_day_micro_usd: used.spend_day_micro_usd,
            spend_month_micro_usd: used.spend_month_micro_usd,
        }
    }
}

impl From<UpdateLimitsRequest> for LimitSettings {
    fn from(request: UpdateLimitsRequest) -> Self {
        Self {
            live_sessions: request.live_sessions,
            sandboxes: request.sandboxes,
            storage_bytes: request.storage_bytes,
            spend_day_micro_usd: request.spend_day_micro_usd,
            spend_month_micro_usd: request.spend_month_micro_usd,
            approval_seconds: request.approval_seconds,
        }
    }
}

impl From<LimitSettingsView> for UpdateLimitsRequest {
    /// To change some of them and keep the others.
    fn from(view: LimitSettingsView) -> Self {
        Self {
            live_sessions: view.live_sessions,
            sandboxes: view.sandboxes,
            storage_bytes: view.storage_bytes,
            spend_day_micro_usd: view.spend_day_micro_usd,
            spend_month_micro_usd: view.spend_month_micro_usd,
            approval_seconds: view.approval_seconds,
        }
    }
}
