//! Invitations. The code of a link is in one response, the one that creates it, and in requests of clients that follow it.

use chrono::{DateTime, Utc};
use domain::{clock::Timestamp, email::EmailAddress, invitation::Invitation, mail::MailDelivery};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{me::Role, secret_text::SecretText};

wire_enum! {
    /// What has become of an invitation.
    InvitationStatus = domain::invitation::InvitationStatus {
        Pending = "pending",
        /// It was not accepted in time.
        Expired = "expired",
        Accepted = "accepted",
        Revoked = "revoked",
    }
}

wire_enum! {
    /// What has become of a mail.
    MailStatus = domain::mail::MailStatus {
        /// It is sent soon, or again after a failure.
        Waiting = "waiting",
        /// The mail server accepted it.
        Sent = "sent",
        /// It is not sent any more.
        Failed = "failed",
    }
}

/// The delivery of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailView {
    pub status: MailStatus,
    /// Why the last attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
}

/// An invitation to become a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    pub id: Uuid,
    /// The role of the new member.
    pub role: Role,
    /// The address that it is for. Without one, each holder of the link may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// The user who created it.
    pub created_by: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub status: InvitationStatus,
    /// The delivery of its mail. Absent if none is sent: it has no address, or no mail server is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mail: Option<MailView>,
}

/// Invites a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateInvitationRequest {
    /// The role of the new member. Only an owner invites an owner.
    pub role: Role,
    /// The address that it is for. It is mailed there if a mail server is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 254, example = "ada@acme.example")]
    pub email: Option<String>,
    /// How long it may be accepted: from an hour to 30 days, 7 days if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 3_600, maximum = 2_592_000)]
    pub expires_in_seconds: Option<u64>,
}

/// A new invitation. The link is shown here once and cannot be retrieved again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateInvitationResponse {
    pub invitation: InvitationView,
    /// The link to hand to the person: keep it, it is not shown again. The mail has another one.
    pub link: SecretText,
}

/// The code of an invitation's link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InspectInvitationRequest {
    pub code: SecretText,
}

/// What an invitation offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationOffer {
    pub organization_name: String,
    pub role: Role,
    pub expires_at: DateTime<Utc>,
    /// The address that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// Whether the link was mailed to that address: then it also signs in an existing user with the address.
    pub is_mailed: bool,
}

/// Accepts an invitation. Without name and address, the user who is signed in joins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptInvitationRequest {
    pub code: SecretText,
    /// The name of a new user, as other members see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 100,
        example = "Ada Lovelace"
    )]
    pub name: Option<String>,
    /// The address of a new user; the invitation's own if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 254, example = "ada@acme.example")]
    pub email: Option<String>,
}

impl From<MailDelivery> for MailView {
    fn from(delivery: MailDelivery) -> Self {
        Self {
            status: delivery.status.into(),
            error: delivery.error,
        }
    }
}

impl InvitationView {
    /// Its status follows from the time.
    pub fn at(now: Timestamp, invitation: &Invitation, delivery: Option<MailDelivery>) -> Self {
        Self {
            id: invitation.id.uuid(),
            role: invitation.role.into(),
            status: invitation.status(now).into(),
            email: invitation.email.as_ref().map(EmailAddress::to_string),
            created_by: invitation.created_by.to_string(),
            created_at: invitation.created_at.datetime(),
            expires_at: invitation.expires_at.datetime(),
            mail: delivery.map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn codes_and_links_are_not_in_debug() {
        let request: AcceptInvitationRequest =
            from_value(json!({"code": "inv_planted", "name": "Ada"})).unwrap();
        assert!(!format!("{request:?}").contains("planted"));
        let request: InspectInvitationRequest = from_value(json!({"code": "inv_planted"})).unwrap();
        assert!(!format!("{request:?}").contains("planted"));
    }

    #[test]
    fn a_request_refuses_what_it_does_not_know() {
        for wrong in [
            json!({"role": "king"}),
            json!({}),
            json!({"role": "member", "ttl": 1}),
        ] {
            assert!(
                from_value::<CreateInvitationRequest>(wrong.clone()).is_err(),
                "{wrong}"
            );
        }
        assert!(from_value::<CreateInvitationRequest>(json!({"role": "member"})).is_ok());
    }
}
