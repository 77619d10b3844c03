//! Sharing a session: which members see it, and links to its transcript.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    id::parse_field,
    sharing::{NamedMember, ShareLink},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{live::Frame, secret_text::SecretText};

wire_enum! {
    /// Which members of the organization see a session. Admins and owners see every session.
    Visibility = domain::sharing::Visibility {
        /// All of them.
        Organization = "organization",
        /// Its creator.
        Private = "private",
        /// Its creator and the members who are named.
        People = "people",
    }
}

wire_enum! {
    /// What a member is named for.
    NamedRight = domain::sharing::NamedRight {
        See = "see",
        Steer = "steer",
    }
}

wire_enum! {
    /// What a caller may do with a session.
    SessionRight = domain::sharing::SessionRight {
        /// Read it.
        See = "see",
        /// Change what it does: prompt its agent, use its terminal.
        Steer = "steer",
        /// End it, name it, move it to a fresh sandbox.
        Order = "order",
        /// Approve or deny its calls.
        Decide = "decide",
        /// Change who sees and steers it, and make share links.
        Share = "share",
    }
}

/// A member who is to be named for a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamedMemberRequest {
    pub user_id: String,
    /// `see` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<NamedRight>,
}

/// Replaces who sees a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSessionSharingRequest {
    pub visibility: Visibility,
    /// All members who are named from now on. A member is named to steer a session of the organization, or to see or
    /// steer one for people by name; a private session names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    pub people: Vec<NamedMemberRequest>,
}

/// Who sees a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSharingView {
    pub visibility: Visibility,
    /// `null` if the platform created it, or if its creator was removed.
    pub created_by: Option<String>,
    pub people: Vec<NamedMemberView>,
    /// What the caller may do with the session.
    pub rights: Vec<SessionRight>,
}

/// A member who is named for a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedMemberView {
    pub user_id: String,
    pub name: String,
    pub email: String,
    pub may: NamedRight,
}

/// Makes a share link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateShareLinkRequest {
    /// How long it works; a week if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 720)]
    pub expires_in_hours: Option<u32>,
}

/// A share link. Its code is not part of it: it exists in clear only in the response that created the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLinkView {
    pub id: Uuid,
    pub created_by: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// When an opening was last recorded: one an hour at most.
    pub opened_at: Option<DateTime<Utc>>,
    /// How many openings were recorded.
    pub openings: i64,
}

/// A new share link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedShareLink {
    pub link: ShareLinkView,
    /// The address to give away. It is shown only now.
    pub url: SecretText,
}

/// The share links of a session, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLinksResponse {
    pub items: Vec<ShareLinkView>,
    /// Whether links of the organization work now.
    pub allowed: bool,
}

/// Reads a shared transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadSharedRequest {
    /// What stands behind `#` in the link.
    pub code: SecretText,
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// A page of a shared transcript, as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedTranscript {
    pub title: Option<String>,
    /// When the session was created.
    pub created_at: DateTime<Utc>,
    /// Until when the link works.
    pub expires_at: DateTime<Utc>,
    /// In their order. Secrets are left out, and so are images, reasons and parameters of approvals, and everything live.
    pub events: Vec<Frame>,
    /// Whether something was recorded before the first event that is kept.
    pub begins_later: bool,
    /// `null` at the end.
    pub next: Option<u64>,
}

/// Whether share links of the organization work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationSharingView {
    pub share_links: bool,
}

/// Allows share links, or switches them off at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateOrganizationSharingRequest {
    pub share_links: bool,
}

/// The members of a request, with their ids read.
pub fn named_members(people: &[NamedMemberRequest]) -> Result<Vec<NamedMember>, Invalid> {
    let named = |(index, one): (usize, &NamedMemberRequest)| {
        Ok(NamedMember {
            user_id: parse_field(&format!("people[{index}].userId"), &one.user_id)?,
            right: one.may.unwrap_or(NamedRight::See).into(),
        })
    };
    people.iter().enumerate().map(named).collect()
}

impl From<ShareLink> for ShareLinkView {
    fn from(link: ShareLink) -> Self {
        Self {
            id: link.id.uuid(),
            created_by: link.created_by.to_string(),
            created_at: link.created_at.datetime(),
            expires_at: link.expires_at.datetime(),
            revoked_at: link.revoked_at.map(domain::clock::Timestamp::datetime),
            opened_at: link.opened_at.map(domain::clock::Timestamp::datetime),
            openings: link.openings,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_without_a_right_is_named_to_see() {
        let request: UpdateSessionSharingRequest = serde_json::from_value(json!({
            "visibility": "people",
            "people": [{"userId": "ada"}, {"userId": "bob", "may": "steer"}],
        }))
        .unwrap();
        let named = named_members(&request.people).unwrap();
        let rights = named.iter().map(|one| one.right.as_str());
        assert_eq!(rights.collect::<Vec<_>>(), ["see", "steer"]);
    }

    #[test]
    fn a_wrong_id_is_named_by_its_place() {
        let people = [NamedMemberRequest {
            user_id: "a b".to_owned(),
            may: None,
        }];
        let invalid = named_members(&people).unwrap_err();
        assert_eq!(invalid.field, "people[0].userId");
    }

    #[test]
    fn unknown_members_are_refused() {
        let wrong = json!({"visibility": "private", "everyone": true});
        assert!(serde_json::from_value::<UpdateSessionSharingRequest>(wrong).is_err());
        let wrong = json!({"visibility": "public"});
        assert!(serde_json::from_value::<UpdateSessionSharingRequest>(wrong).is_err());
    }
}
