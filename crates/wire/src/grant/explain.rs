//! Why a call ran without an approval request, or why not.

use domain::action::{Grant, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::action::InvocationView;

/// The authorization of a call. Conditions are evaluated on the stored parameters, which are
/// redacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExplainResponse {
    pub invocation_id: Uuid,
    /// The grant it ran under; `null` if it ran under none.
    pub used_grant_id: Option<Uuid>,
    /// The verdict of each matching grant now, newest first.
    pub grants: Vec<GrantVerdictView>,
    pub invocation: InvocationView,
}

/// The verdict of a grant on a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantVerdictView {
    pub grant_id: Uuid,
    pub created_by: String,
    pub applies: bool,
    #[schema(example = "it covers this call, with 3 calls left")]
    pub reason: String,
}

impl GrantVerdictView {
    pub fn new(grant: &Grant, verdict: &Verdict) -> Self {
        Self {
            grant_id: grant.id.uuid(),
            created_by: grant.created_by.to_string(),
            applies: matches!(verdict, Verdict::Applies { .. }),
            reason: verdict.to_string(),
        }
    }
}
