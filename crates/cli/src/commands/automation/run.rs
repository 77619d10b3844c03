//! `proliferate automation run`.

use std::time::Duration;

use domain::{automation_run::AutomationRunStatus, clock::random_bytes, id::AutomationId};
use wire::automation::AutomationRunView;

use super::{client, show_run, status};
use crate::{
    client::{Client, EndpointArgs},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

/// How often it is looked whether a run has ended: it takes minutes.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Set an automation to work and print the id of the run.
///
/// Safe to repeat: with the same `--idempotency-key` the second one prints the run that the first one started.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
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
    let client = client(context, args.endpoint)?;
    let key = args
        .idempotency_key
        .unwrap_or_else(|| format!("cli-{}", hex::encode(random_bytes::<16>(&*context.entropy))));
    let path = format!("/v1/automations/{}/runs", args.id);
    let started: AutomationRunView = client.create(&path, &key, &()).await?;
    if !args.wait {
        match context.printer.output {
            Output::Json => context.printer.json(&started),
            Output::Table => context.printer.data(&started.id.to_string()),
        }
        return Ok(Exit::Ok);
    }
    let ended = ended(&client, started).await?;
    show_run::report(context, &ended);
    Ok(match status(&ended) {
        AutomationRunStatus::Succeeded => Exit::Ok,
        _ => Exit::Failed,
    })
}

/// Ends with the run, which has a deadline.
async fn ended(client: &Client, mut run: AutomationRunView) -> Result<AutomationRunView, Failure> {
    while status(&run) == AutomationRunStatus::Running {
        tokio::time::sleep(LOOK_EVERY).await;
        let path = format!("/v1/automation-runs/{}", run.id);
        run = client.get(&path, &()).await?;
    }
    Ok(run)
}
