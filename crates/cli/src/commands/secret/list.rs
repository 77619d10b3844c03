//! `proliferate secret list`.

use wire::secret::ListSecretsQuery;

use super::{fields::LIST, scope::SecretScopeArgs};
use crate::{
    client::{EndpointArgs, PageArgs, connect},
    context::Context,
    failure::Outcome,
    fields::list_from,
};

/// List the keys of secrets, newest first: of all scopes, or of one. Values are never listed.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scope: SecretScopeArgs,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let scope = args.scope.resolve(&client).await?;
    let query = |page: PageArgs| ListSecretsQuery {
        scope_kind: scope.as_ref().map(|scope| scope.kind),
        scope_id: scope.as_ref().and_then(|scope| scope.id.clone()),
        cursor: page.cursor,
        limit: page.limit,
    };
    list_from(context, &client, "/v1/secrets", args.page, query, &LIST).await
}
