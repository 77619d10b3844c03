//! `proliferate run`: runs, as a client of a gateway.

mod cancel;
mod end;
mod open;
mod show;

use chrono::{DateTime, Utc};
use clap::Subcommand;
use domain::{id::RunId, limits::RUN_WAIT_MAX, run::RunStatus};
use wire::contract::{RunView, WaitQuery};

pub(super) use self::{end::end, open::open};

use crate::{
    client::{Client, connect as client},
    context::Context,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Open runs that tool calls belong to, look at runs and end them, through a gateway.
#[derive(Debug, Subcommand)]
pub enum Command {
    Open(open::Args),
    Show(show::Args),
    Cancel(cancel::Args),
    End(end::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Open(args) => open::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Cancel(args) => cancel::run(context, args).await,
        Command::End(args) => end::run(context, args).await,
    }
}

/// Asks until the run has ended.
pub(super) async fn ended(client: &Client, id: RunId) -> Result<RunView, Failure> {
    let query = WaitQuery {
        wait: Some(RUN_WAIT_MAX.as_secs()),
    };
    // Ends with the run: a call has a deadline, and any other run ends when somebody says so.
    loop {
        let run: RunView = client.get(&format!("/v1/runs/{id}"), &query).await?;
        if has_ended(&run) {
            return Ok(run);
        }
    }
}

/// A state of a later version is not one to wait for.
fn has_ended(run: &RunView) -> bool {
    let going = [RunStatus::Created, RunStatus::Running];
    !going.iter().any(|status| status.as_str() == run.status)
}

/// The state after a change, for whoever made it.
fn report(context: &Context, run: &RunView) {
    match context.printer.output {
        Output::Json => context.printer.json(run),
        Output::Table => {
            context
                .printer
                .note(&format!("{} is {}", run.run_id, printable(&run.status)));
        }
    }
}

fn seconds(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}
