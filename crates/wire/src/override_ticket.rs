//! Tickets that exempt a lane from the organization's lock for a time.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    clock::Timestamp,
    override_ticket::{
        Ending, LaneLockState, OverrideDraft, OverrideTicket, OverrideTicketState as State,
    },
    policy::LaneId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

wire_enum! {
    /// The status of a ticket.
    OverrideTicketStatus = domain::override_ticket::OverrideTicketStatus {
        /// Waits for a second admin.
        Requested = "requested",
        /// Can be used, once, with `override.enable`.
        Approved = "approved",
        /// Its lane passes the lock.
        Active = "active",
        /// Ended by `override.disable`.
        Disabled = "disabled",
        /// Its time was over.
        Expired = "expired",
        /// Ended before it was used, or with its lock.
        Closed = "closed",
    }
}

/// A ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverrideTicketView {
    pub id: Uuid,
    pub organization_id: String,
    /// The lock it was opened under, and the only one it applies to.
    pub lock_id: Uuid,
    /// The lane whose calls pass.
    #[schema(example = "TOOL_DOCUMENT_INTAKE")]
    pub lane_id: String,
    pub reason: String,
    /// How long they pass, from when the ticket is used.
    pub minutes: u32,
    pub status: OverrideTicketStatus,
    pub opened_by: String,
    pub opened_at: DateTime<Utc>,
    /// Until when it waits to be approved and used; once it is used, until when its lane passes. `null` when it is
    /// over.
    pub expires_at: Option<DateTime<Utc>>,
    pub approved_by: Option<String>,
    pub approved_at: Option<DateTime<Utc>>,
    /// The run that used it.
    pub enabled_run_id: Option<Uuid>,
    pub enabled_at: Option<DateTime<Utc>>,
    /// The run that ended it.
    pub disabled_run_id: Option<Uuid>,
    /// The admin who closed it.
    pub closed_by: Option<String>,
    pub ended_at: Option<DateTime<Utc>>,
    /// The digest of the rule without the ticket: `before_sha256` of `override.enable`.
    pub locked_sha256: String,
    /// The digest of the rule with the ticket: `after_sha256` of `override.enable`.
    pub lifted_sha256: String,
}

/// Opens a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenOverrideTicketRequest {
    #[schema(min_length = 1, max_length = 120, example = "TOOL_DOCUMENT_INTAKE")]
    pub lane_id: String,
    /// The audit log keeps its digest.
    #[schema(min_length = 1, max_length = 500, example = "the hearing is at noon")]
    pub reason: String,
    #[schema(minimum = 1, maximum = 60)]
    pub minutes: u32,
}

impl OpenOverrideTicketRequest {
    /// The draft; `OverrideDraft::check` validates it.
    pub fn draft(self) -> Result<OverrideDraft, Invalid> {
        let refuse = |error: domain::policy::InvalidName| Invalid::new("laneId", error.to_string());
        Ok(OverrideDraft {
            lane: LaneId::new(self.lane_id).map_err(refuse)?,
            reason: self.reason,
            minutes: self.minutes,
        })
    }
}

impl From<OverrideTicket> for OverrideTicketView {
    fn from(ticket: OverrideTicket) -> Self {
        let digest = |standing| ticket.standing_sha256(standing).as_str().to_owned();
        let (locked_sha256, lifted_sha256) =
            (digest(LaneLockState::Locked), digest(LaneLockState::Lifted));
        let status = ticket.state.status().into();
        let expires_at = ticket.state.until().map(Timestamp::datetime);
        let (approval, enabling, ending) = match ticket.state {
            State::Requested { .. } => (None, None, None),
            State::Approved { approval, .. } => (Some(approval), None, None),
            State::Active {
                approval, enabling, ..
            } => (Some(approval), Some(enabling), None),
            State::Over {
                approval,
                enabling,
                ending,
                at,
            } => (approval, enabling, Some((ending, at))),
        };
        let (disabled_run_id, closed_by) = match &ending {
            Some((Ending::Disabled { run_id }, _)) => (Some(run_id.uuid()), None),
            Some((Ending::Closed { by }, _)) => (None, Some(by.to_string())),
            Some((Ending::Expired, _)) | None => (None, None),
        };
        Self {
            id: ticket.id.uuid(),
            organization_id: ticket.organization_id.to_string(),
            lock_id: ticket.lock_id.uuid(),
            lane_id: ticket.lane.to_string(),
            reason: ticket.reason,
            minutes: ticket.minutes,
            status,
            opened_by: ticket.opened_by.to_string(),
            opened_at: ticket.opened_at.datetime(),
            expires_at,
            approved_by: approval.as_ref().map(|approval| approval.by.to_string()),
            approved_at: approval.map(|approval| approval.at.datetime()),
            enabled_run_id: enabling.map(|enabling| enabling.run_id.uuid()),
            enabled_at: enabling.map(|enabling| enabling.at.datetime()),
            disabled_run_id,
            closed_by,
            ended_at: ending.map(|(_, at)| at.datetime()),
            locked_sha256,
            lifted_sha256,
        }
    }
}
