//! `proliferate secret create`.

use wire::secret::{CreateSecretRequest, SecretView};

use super::scope::SecretScopeArgs;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    secret_input::SecretArgs,
};

/// Store a secret and print its id. The value is read, never given as an argument. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as `DATABASE_URL`
    key: String,
    #[command(flatten)]
    scope: SecretScopeArgs,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    value: SecretArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let scope = args.scope.resolve(&client).await?;
    let request = CreateSecretRequest {
        key: args.key,
        value: args.value.read(context.printer, "the secret value")?,
        scope,
        description: args.description,
    };
    // Sent again it finds the key taken.
    let created: SecretView = client.post_once("/v1/secrets", &request).await?;
    context
        .printer
        .result(&created, |created| created.id.to_string());
    Ok(Exit::Ok)
}
