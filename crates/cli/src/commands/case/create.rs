//! `proliferate case create`.

use domain::{clock::random_bytes, policy::CaseId};
use wire::case::{CaseView, CreateCaseRequest};

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Open a case and print its id.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id: 4 to 120 letters, digits, `_`, `-` (default: one is made up)
    id: Option<CaseId>,
    /// What it is called
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    // Chosen here, so that sending it again cannot open a second one.
    let made_up = || {
        format!(
            "case-{}",
            hex::encode(random_bytes::<10>(&*context.entropy))
        )
    };
    let request = CreateCaseRequest {
        id: Some(args.id.map_or_else(made_up, |id| id.to_string())),
        title: args.title,
    };
    let case: CaseView = client.post("/v1/cases", &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&case),
        Output::Table => context.printer.data(&case.id),
    }
    Ok(Exit::Ok)
}
