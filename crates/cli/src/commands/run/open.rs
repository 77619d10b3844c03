//! `proliferate run open`.

use domain::{id::SessionId, policy::CaseId};

use super::requests::open;
use crate::{
    client::{EndpointArgs, Selector, connect, resolve_option},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Open a run that calls can belong to and print its id.
///
/// It is pinned to the policy in force: a later change can deny its calls more, and never less.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only for calls about this case
    #[arg(long, value_name = "ID")]
    case: Option<Selector<CaseId>>,
    /// Only for calls about this session
    #[arg(long, value_name = "ID")]
    session: Option<Selector<SessionId>>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let case = resolve_option(&client, args.case.as_ref()).await?;
    let session = resolve_option(&client, args.session.as_ref()).await?;
    let run = open(&client, case, session).await?;
    context.printer.result(&run, |run| run.run_id.to_string());
    Ok(Exit::Ok)
}
