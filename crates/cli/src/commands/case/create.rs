//! `proliferate case create`.

use domain::policy::CaseId;
use wire::case::{CaseView, CreateCaseRequest};

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let client = connect(context, args.endpoint)?;
    // Chosen here, so that sending it again cannot open a second one.
    let made_up = || context.random_name::<10>("case");
    let request = CreateCaseRequest {
        id: Some(args.id.map_or_else(made_up, |id| id.to_string())),
        title: args.title,
    };
    let case: CaseView = client.post("/v1/cases", &request).await?;
    context.printer.result(&case, |case| case.id.clone());
    Ok(Exit::Ok)
}
