//! A grant as options describe it.

use std::time::Duration;

use domain::id::SessionId;
use wire::grant::{CreateGrantRequest, GrantScope, Predicate};

use crate::{
    client::{Client, Selector, resolve_option},
    context::Context,
    failure::Failure,
    value_parsers::duration,
};

/// What is to be allowed.
#[derive(Debug, clap::Args)]
pub(super) struct Draft {
    /// The service, or `*` for every one
    #[arg(long, value_name = "NAME")]
    integration: String,
    /// The action, or `*` for every one
    #[arg(long, value_name = "NAME")]
    action: String,
    /// Only for calls of this session (default: of the whole organization)
    #[arg(long, value_name = "ID")]
    session: Option<Selector<SessionId>>,
    /// How many calls (default: no limit)
    #[arg(long, value_name = "NUMBER")]
    max_calls: Option<i64>,
    /// How long it counts, such as `8h` or `7d` (default: until it is revoked)
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    ttl: Option<Duration>,
    /// A condition on the parameters, such as `{"pointer": "/teamId", "equals": "ENG"}`; may be given several
    /// times, and all must hold
    #[arg(long = "if", value_name = "JSON", value_parser = predicate)]
    predicates: Vec<Predicate>,
}

impl Draft {
    pub(super) async fn request(
        self,
        context: &Context,
        client: &Client,
    ) -> Result<CreateGrantRequest, Failure> {
        let session = resolve_option(client, self.session.as_ref()).await?;
        Ok(CreateGrantRequest {
            scope: match session {
                None => GrantScope::Organization,
                Some(_) => GrantScope::Session,
            },
            session_id: session.map(|id| id.to_string()),
            integration: self.integration,
            action: self.action,
            predicates: self.predicates,
            max_calls: self.max_calls,
            expires_at: self.ttl.map(|ttl| context.clock.now().plus(ttl).datetime()),
        })
    }
}

fn predicate(text: &str) -> Result<Predicate, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
