//! `proliferate run open`.

use domain::{id::SessionId, policy::CaseId, run::RunKind};
use wire::contract::{CreateRunRequest, RunView};

use super::client;
use crate::{
    client::{Client, EndpointArgs},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

/// Open a run that calls can belong to and print its id.
///
/// It is pinned to the policy in force: a later change can deny its calls more, and never less.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only for calls about this case
    #[arg(long, value_name = "ID")]
    case: Option<CaseId>,
    /// Only for calls about this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let run = open(&client, args.case, args.session).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&run),
        Output::Table => context.printer.data(&run.run_id.to_string()),
    }
    Ok(Exit::Ok)
}

/// Sent again it opens another one, and the one nobody uses does nothing.
pub(in crate::commands) async fn open(
    client: &Client,
    case_id: Option<CaseId>,
    session_id: Option<SessionId>,
) -> Result<RunView, Failure> {
    let request = CreateRunRequest {
        run_kind: RunKind::Agent.as_str().to_owned(),
        parent_run_id: None,
        case_id: case_id.map(|id| id.to_string()),
        session_id: session_id.map(SessionId::uuid),
        correlation_id: None,
    };
    client.post("/v1/runs", &request).await
}
