//! `proliferate context add`.

use domain::id::OrganizationId;

use crate::{
    client::valid_url,
    context::Context,
    exit::Exit,
    failure::Outcome,
    saved_contexts::{SavedContext, check_name, contexts_file},
    secret_input::SecretArgs,
};

/// Save a gateway with a token that you have already. `proliferate login` gets one through the browser instead.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to call it
    name: String,
    /// The gateway's address
    #[arg(value_name = "URL")]
    gateway: String,
    /// Organization to act in, if the token is good for several
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// Make it the current one
    #[arg(long = "use")]
    select: bool,
    #[command(flatten)]
    value: SecretArgs,
}

pub(super) fn run(context: &Context, args: Args) -> Outcome {
    check_name(&args.name)?;
    let url = valid_url(&args.gateway)?;
    let file = contexts_file()?;
    let saved = SavedContext {
        url,
        token: args.value.read(context.printer, "the token")?,
        organization: args.org.map(|org| org.to_string()),
        api_key_id: None,
    };
    file.change(|contexts| {
        contexts.add(&args.name, saved)?;
        if args.select {
            contexts.select(&args.name)?;
        }
        Ok(())
    })?;
    context.printer.note(&format!("`{}` is saved", args.name));
    Ok(Exit::Ok)
}
