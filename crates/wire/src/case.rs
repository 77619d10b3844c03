//! Cases, their members and meetings.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    case::{Case, CaseMember, ClientSession},
    policy::{CaseId, ClientSessionId, InvalidName},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    #[schema(example = "CASE-2026-014")]
    pub id: String,
    pub organization_id: String,
    pub title: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// A case with its members and meetings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseDetail {
    #[serde(flatten)]
    pub case: CaseView,
    /// `user:ID`, `service:NAME` or `session:ID`, in the order they joined.
    #[schema(example = json!(["user:user_ada"]))]
    pub members: Vec<String>,
    /// Meetings with the client.
    pub client_sessions: Vec<String>,
}

/// Opens a case; the caller is its first member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateCaseRequest {
    /// 4 to 120 letters, digits, `_`, `-`; generated if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 4, max_length = 120, example = "CASE-2026-014")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 200)]
    pub title: Option<String>,
}

/// Adds a meeting with the client to a case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateClientSessionRequest {
    /// 4 to 120 letters, digits, `_`, `-`, unique within the case; generated if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 4, max_length = 120)]
    pub id: Option<String>,
}

/// A meeting with the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientSessionView {
    pub id: String,
    pub case_id: String,
    pub created_at: DateTime<Utc>,
}

impl CreateCaseRequest {
    pub fn id(&self) -> Result<Option<CaseId>, Invalid> {
        optional_id(self.id.as_deref())
    }
}

impl CreateClientSessionRequest {
    pub fn id(&self) -> Result<Option<ClientSessionId>, Invalid> {
        optional_id(self.id.as_deref())
    }
}

fn optional_id<T: std::str::FromStr<Err = InvalidName>>(
    text: Option<&str>,
) -> Result<Option<T>, Invalid> {
    let refuse = |error: InvalidName| Invalid::new("id", error.to_string());
    text.map(str::parse).transpose().map_err(refuse)
}

impl From<Case> for CaseView {
    fn from(case: Case) -> Self {
        Self {
            id: case.id.to_string(),
            organization_id: case.organization_id.to_string(),
            title: case.title,
            created_at: case.created_at.datetime(),
        }
    }
}

impl CaseDetail {
    pub fn new(case: Case, members: &[CaseMember], client_sessions: &[ClientSessionId]) -> Self {
        Self {
            case: case.into(),
            members: members.iter().map(ToString::to_string).collect(),
            client_sessions: client_sessions.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<ClientSession> for ClientSessionView {
    fn from(meeting: ClientSession) -> Self {
        Self {
            id: meeting.id.to_string(),
            case_id: meeting.case_id.to_string(),
            created_at: meeting.created_at.datetime(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_14_an_id_with_a_path_in_it_is_refused_by_name() {
        for bad in ["../C2", "C1/../../C2", "C1//x", "%2e%2e", "abc", "    ", ""] {
            let request = CreateCaseRequest {
                id: Some(bad.to_owned()),
                title: None,
            };
            assert_eq!(request.id().unwrap_err().field, "id", "{bad}");
        }
        assert_eq!(CreateCaseRequest::default().id(), Ok(None));
    }
}
