//! `proliferate action`: what agents asked for, as a client of a gateway.

mod approve;
mod deny;
mod explain;
mod list;
mod show;

use clap::Subcommand;
use domain::{
    action::{InvocationStatus, Risk},
    id::InvocationId,
};
use wire::action::{InvocationResponse, InvocationView};

use crate::{
    client::{Client, connect as client},
    context::Context,
    failure::{Failure, Outcome},
};

/// See what agents asked for outside of their sandboxes, and decide, through a gateway.
///
/// Members look; only admins decide.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Args),
    Show(show::Args),
    Approve(approve::Args),
    Deny(deny::Args),
    Explain(explain::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Approve(args) => approve::run(context, args).await,
        Command::Deny(args) => deny::run(context, args).await,
        Command::Explain(args) => explain::run(context, args).await,
    }
}

pub(crate) use approve::approve_once;
pub(crate) use deny::deny_with;

async fn fetch(client: &Client, id: InvocationId) -> Result<InvocationView, Failure> {
    let found: InvocationResponse = client.get(&format!("/v1/actions/{id}"), &()).await?;
    Ok(found.invocation)
}

/// Where a decision about it is sent.
fn decision(invocation: &InvocationView, verb: &str) -> String {
    format!(
        "/proliferate/{}/actions/invocations/{}/{verb}",
        invocation.session_id, invocation.id
    )
}

fn status(invocation: &InvocationView) -> String {
    InvocationStatus::from(invocation.status).to_string()
}

fn risk(invocation: &InvocationView) -> String {
    Risk::from(invocation.risk_level).to_string()
}

/// Both names, as one word.
fn name(invocation: &InvocationView) -> String {
    format!("{}/{}", invocation.integration, invocation.action)
}
