//! `proliferate automation run`.

use std::time::Duration;

use domain::{automation_run::AutomationRunStatus, id::AutomationId};
use wire::automation::AutomationRunView;

use super::fields::{RUN_RECORD, status};
use crate::{
    client::{Client, EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// How often the gateway is asked whether a run has ended: it takes minutes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Set an automation to work and print the id of the run.
///
/// Safe to repeat: with the same `--idempotency-key` the second one prints the run that the first one started.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id, a part of it, or its name
    id: Selector<AutomationId>,
    /// Wait until the run has ended, and show it; fails unless it succeeded
    #[arg(long)]
    wait: bool,
    /// Makes repeating the command safe (default: a fresh one, for the retries of this run)
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let key = args
        .idempotency_key
        .unwrap_or_else(|| context.idempotency_key());
    let path = format!("/v1/automations/{id}/runs");
    let started: AutomationRunView = client.create(&path, &key, &()).await?;
    if !args.wait {
        context
            .printer
            .result(&started, |started| started.id.to_string());
        return Ok(Exit::Ok);
    }
    let ended = wait_until_ended(&client, started).await?;
    RUN_RECORD.print(context.printer, &ended);
    Ok(match status(&ended) {
        AutomationRunStatus::Succeeded => Exit::Ok,
        _ => Exit::Failed,
    })
}

/// Asks the gateway again and again. Ends with the run, which has a deadline.
async fn wait_until_ended(
    client: &Client,
    mut run: AutomationRunView,
) -> Result<AutomationRunView, Failure> {
    while status(&run) == AutomationRunStatus::Running {
        tokio::time::sleep(POLL_INTERVAL).await;
        let path = format!("/v1/automation-runs/{}", run.id);
        run = client.get(&path, &()).await?;
    }
    Ok(run)
}
