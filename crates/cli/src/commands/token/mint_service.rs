//! `proliferate token mint service`.

use std::time::Duration;

use app::{identity::ServiceToken, organizations};
use domain::{
    id::OrganizationId,
    invalid::bounded_text,
    limits::{NAME_LENGTH_MAX, SERVICE_TOKEN_TTL},
};
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::lifetime::bounded;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs, print_secret},
    value_parsers::duration,
};

/// Make a token for another part of the platform.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What the service is called in logs
    name: String,
    /// The organization it works for; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// How long it lives, such as `1h` or `7d` (default 1h)
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    ttl: Option<Duration>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let ttl = bounded(args.ttl.unwrap_or(SERVICE_TOKEN_TTL))?;
    bounded_text("NAME", &args.name, 1, NAME_LENGTH_MAX).map_err(app::Error::from)?;
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let app = operator.app;
    organizations::fetch(&app, &organization_id).await?;
    let token = ServiceToken {
        name: args.name,
        organization_id,
    };
    let now = app.now();
    let text = app.tokens.mint_service(&token, now, ttl, &*app.entropy)?;
    let facts = json!({
        "kind": "service",
        "name": token.name,
        "organizationId": token.organization_id.as_str(),
        "expiresAt": now.plus(ttl).to_string(),
    });
    print_secret(context, "token", text.expose_secret(), &facts);
    Ok(Exit::Ok)
}
