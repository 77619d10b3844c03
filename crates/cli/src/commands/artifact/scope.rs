//! Which artifacts a command is about.

use domain::{id::SessionId, policy::CaseId};

/// The artifacts of a case or of a session: exactly one of the two.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct ScopeArgs {
    /// Of this case
    #[arg(long, value_name = "ID")]
    case: Option<CaseId>,
    /// Of this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
}

impl ScopeArgs {
    pub(super) fn case_id(&self) -> Option<String> {
        self.case.as_ref().map(ToString::to_string)
    }

    pub(super) fn session_id(&self) -> Option<String> {
        self.session.as_ref().map(ToString::to_string)
    }
}
