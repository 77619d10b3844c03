//! `proliferate secret check`.

use wire::secret::{CheckSecretsRequest, SecretCheck};

use super::{fields::CHECKED, scope::SecretScopeArgs};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// Say which keys have a secret. Fails if one has none.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The keys to look for
    #[arg(required = true, value_name = "KEY")]
    keys: Vec<String>,
    #[command(flatten)]
    scope: SecretScopeArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = CheckSecretsRequest {
        keys: args.keys,
        scope: args.scope.resolve(&client).await?,
    };
    let checked: Vec<SecretCheck> = client.post("/v1/secrets/check", &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&checked),
        Output::Table => CHECKED.print_table(context.printer, &checked),
    }
    let are_all = checked.iter().all(|check| check.exists);
    Ok(if are_all { Exit::Ok } else { Exit::Failed })
}
