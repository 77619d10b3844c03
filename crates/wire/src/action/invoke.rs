//! Requests for actions, and lists of them.

use domain::{
    Invalid,
    action::{ActionName, IntegrationName, parse_name},
    limits::{PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::{ActionStatus, InvocationView};

/// Requests an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "integration": "linear", "action": "create_issue",
    "params": {"teamId": "ENG", "title": "Login page is blank"},
}))]
pub struct InvokeRequest {
    #[schema(min_length = 1, max_length = 64)]
    pub integration: String,
    #[schema(min_length = 1, max_length = 128)]
    pub action: String,
    /// None if absent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

impl InvokeRequest {
    pub fn integration(&self) -> Result<IntegrationName, Invalid> {
        parse_name("integration", &self.integration)
    }

    pub fn action(&self) -> Result<ActionName, Invalid> {
        parse_name("action", &self.action)
    }
}

/// The result of the request: 200 with `result`, 202 with `message` while it waits for an approval,
/// 403 with `error`, 502 with `error` if the outside service failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvokeResponse {
    pub invocation: InvocationView,
    /// The whole result, also where it is `null`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Action requires approval")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
}

/// Reads a member whose `null` is a value.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Which invocations of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InvocationListQuery {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ActionStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 0, default = 0)]
    pub offset: Option<u32>,
}

/// Invocations of a session, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvocationList {
    pub invocations: Vec<InvocationView>,
}

/// Which invocations of the organization; the same members as for a session.
pub type InboxQuery = InvocationListQuery;

/// An invocation and its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxEntry {
    #[serde(flatten)]
    pub invocation: InvocationView,
    pub session_title: Option<String>,
}

/// The inbox of an organization, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxResponse {
    pub invocations: Vec<InboxEntry>,
    /// How many there are, regardless of the page.
    pub total: u64,
}

impl InvocationListQuery {
    /// Limit and offset.
    pub fn slice(&self) -> Result<(u32, u32), Invalid> {
        slice(self.limit, self.offset)
    }
}

/// Checks a limit and an offset.
pub(crate) fn slice(limit: Option<u32>, offset: Option<u32>) -> Result<(u32, u32), Invalid> {
    let limit = limit.unwrap_or(PAGE_SIZE_DEFAULT);
    if limit == 0 || limit > PAGE_SIZE_MAX {
        let message = format!("must be between 1 and {PAGE_SIZE_MAX}");
        return Err(Invalid::new("limit", message));
    }
    Ok((limit, offset.unwrap_or(0)))
}
