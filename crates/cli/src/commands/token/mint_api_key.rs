//! `proliferate token mint api-key`.

use std::time::Duration;

use app::{access::Person, api_keys, organizations};
use domain::id::{OrganizationId, UserId};
use serde_json::json;
use wire::api_key::ApiKeyView;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs, print_secret},
    value_parsers::duration,
};

/// Make an API key for a person. It is shown once.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The person it stands for
    #[arg(long, value_name = "USER")]
    user: UserId,
    /// The organization it is good for; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// What it is for, to tell keys apart
    #[arg(long, value_name = "NAME")]
    name: String,
    /// How long it lives, such as `30d` (default: until it is revoked)
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    ttl: Option<Duration>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let app = operator.app;
    let caller = organizations::member_caller(&app, Some(&organization_id), &args.user).await?;
    let (key, text) = api_keys::create(&app, &Person::of(&caller)?, &args.name, args.ttl).await?;
    app.db.close().await;
    print_secret(
        context,
        "key",
        text.expose(),
        &json!({"apiKey": ApiKeyView::from(key)}),
    );
    Ok(Exit::Ok)
}
