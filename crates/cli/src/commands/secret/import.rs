//! `proliferate secret import`.

use wire::secret::{ImportSecretsRequest, ImportSecretsResponse, OnExisting};

use super::scope::SecretScopeArgs;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::printable,
    secret_input::SecretArgs,
};

/// Store every variable of an env file as a secret, all or none, and say which are new. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scope: SecretScopeArgs,
    /// Replace the ones that are there; else they stay as they are
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    value: SecretArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let scope = args.scope.resolve(&client).await?;
    let request = ImportSecretsRequest {
        text: args.value.read(context.printer, "the env file")?,
        scope,
        on_existing: if args.replace {
            OnExisting::Update
        } else {
            OnExisting::Skip
        },
    };
    let imported: ImportSecretsResponse = client.post("/v1/secrets/import", &request).await?;
    context.printer.result(&imported, |imported| {
        let groups = [
            ("created", &imported.created),
            ("updated", &imported.updated),
            ("skipped", &imported.skipped),
        ];
        let line = |word: &str, key: &String| format!("{word} {}", printable(key));
        let lines = groups
            .iter()
            .flat_map(|(word, keys)| keys.iter().map(|key| line(word, key)));
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(Exit::Ok)
}
