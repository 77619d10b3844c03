//! `proliferate token mint user`.

use std::time::Duration;

use app::{identity::UserToken, organizations};
use domain::{
    id::{OrganizationId, UserId},
    limits::USER_TOKEN_TTL,
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

/// Make a token for a person.
///
/// The person must be a member; what the token may do follows from the membership, as it is when
/// the token is used.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The person's id
    user: UserId,
    /// Good for this organization alone; else the request says which, or the first one counts
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// How long it lives, such as `1h` or `7d` (default 7d)
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    ttl: Option<Duration>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let ttl = bounded(args.ttl.unwrap_or(USER_TOKEN_TTL))?;
    let app = Operator::open(context, &args.operator).await?.app;
    // A token for a user that is no member would only be refused later, and further from the mistake.
    organizations::member_caller(&app, args.org.as_ref(), &args.user).await?;
    let token = UserToken {
        user_id: args.user,
        organization_id: args.org,
    };
    let now = app.now();
    let text = app.tokens.mint_user(&token, now, ttl, &*app.entropy)?;
    let facts = json!({
        "kind": "user",
        "userId": token.user_id.as_str(),
        "organizationId": token.organization_id.as_ref().map(OrganizationId::as_str),
        "expiresAt": now.plus(ttl).to_string(),
    });
    print_secret(context, "token", text.expose_secret(), &facts);
    Ok(Exit::Ok)
}
