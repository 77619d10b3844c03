//! Which artifacts a command is about.

use domain::{id::SessionId, policy::CaseId};

use crate::{
    client::{Client, Selector, resolve_option},
    failure::Failure,
};

/// The artifacts of a case or of a session: exactly one of the two.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct ScopeArgs {
    /// Of this case
    #[arg(long, value_name = "ID")]
    case: Option<Selector<CaseId>>,
    /// Of this session
    #[arg(long, value_name = "ID")]
    session: Option<Selector<SessionId>>,
}

/// The ids of the two, as the API takes them.
#[derive(Debug)]
pub(super) struct ScopeIds {
    pub(super) case: Option<String>,
    pub(super) session: Option<String>,
}

impl ScopeArgs {
    pub(super) async fn resolve(&self, client: &Client) -> Result<ScopeIds, Failure> {
        let case = resolve_option(client, self.case.as_ref()).await?;
        let session = resolve_option(client, self.session.as_ref()).await?;
        Ok(ScopeIds {
            case: case.map(|id| id.to_string()),
            session: session.map(|id| id.to_string()),
        })
    }
}
