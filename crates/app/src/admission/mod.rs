//! Admission: whether an organization may create or start a session now. The operator's own service decides
//! ([`AdmissionHook`]), for example by what was paid for; without one every organization is admitted.

mod hook;
mod reply;

use async_trait::async_trait;
use domain::id::{OrganizationId, SessionId, UserId};

pub use hook::{AdmissionHook, AdmissionHookSettings, OnAdmissionFailure};

domain::text_enum! {
    /// What is asked for.
    AdmissionKind {
        SessionCreate = "session_create",
        /// Its sandbox is about to be made: at its first use, and when it is resumed.
        SessionStart = "session_start",
    }
}

/// What is asked for, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdmissionRequest {
    pub kind: AdmissionKind,
    pub organization_id: OrganizationId,
    pub session_id: SessionId,
    /// The user who creates the session, or who created it; `None` for a service.
    pub user_id: Option<UserId>,
}

/// Decides whether an organization may have what is asked for.
#[async_trait]
pub trait Admission: Send + Sync + std::fmt::Debug {
    async fn admit(&self, request: &AdmissionRequest) -> Result<(), AdmissionDenied>;
}

/// Why the organization may not have it, in words for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdmissionDenied {
    pub reason: String,
    /// Whether the service did not decide, so that the same may be admitted in a moment.
    pub retryable: bool,
}

/// Admits every organization, where the operator has no service that decides.
#[derive(Debug, Clone, Copy, Default)]
pub struct AdmitAll;

#[async_trait]
impl Admission for AdmitAll {
    async fn admit(&self, _: &AdmissionRequest) -> Result<(), AdmissionDenied> {
        Ok(())
    }
}
