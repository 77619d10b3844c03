//! `proliferate secret update`.

use domain::id::SecretId;
use wire::{patch::Patch, secret::UpdateSecretRequest};

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    secret_input::SecretArgs,
};

/// Replace the value of a secret, or only what it is for. Sandboxes that run keep what they were given. Recorded in the
/// audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The secret's id, a part of it, or its key
    #[arg(value_name = "SECRET")]
    id: Selector<SecretId>,
    /// What it is for; an empty text takes it away
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The value stays
    #[arg(long, conflicts_with = "value_file")]
    keep_value: bool,
    #[command(flatten)]
    value: SecretArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    if args.keep_value && args.description.is_none() {
        let hint = "add `--description TEXT`, or leave `--keep-value` out to replace the value";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/secrets/{}", args.id.resolve(&client).await?);
    let value = if args.keep_value {
        None
    } else {
        Some(args.value.read(context.printer, "the new secret value")?)
    };
    let request = UpdateSecretRequest {
        value,
        description: match args.description {
            None => Patch::Keep,
            Some(text) if text.is_empty() => Patch::Clear,
            Some(text) => Patch::Set(text),
        },
    };
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
