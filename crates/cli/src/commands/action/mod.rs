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
use uuid::Uuid;
use wire::action::{InvocationResponse, InvocationView, OpenedCall};

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

pub(crate) use approve::approve_seen;
pub(crate) use deny::deny_seen;

/// A call that was on the screen.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) session_id: Uuid,
    pub(crate) invocation_id: Uuid,
    /// The digest of what was shown.
    pub(crate) call_sha256: String,
}

impl Seen {
    /// Where a decision about it is sent.
    fn path(&self, verb: &str) -> String {
        let (session, id) = (self.session_id, self.invocation_id);
        format!("/proliferate/{session}/actions/invocations/{id}/{verb}")
    }
}

/// Opens a whole call; the gateway records that it was opened.
pub(crate) async fn open(
    client: &Client,
    session: Uuid,
    invocation: Uuid,
) -> Result<OpenedCall, Failure> {
    let path = format!("/proliferate/{session}/actions/invocations/{invocation}/call");
    client.get(&path, &()).await
}

/// What is said above an opened call.
pub(crate) fn opened_as(opened: &OpenedCall) -> String {
    match opened.left_out {
        0 => "opened, which is on record; all of it:".to_owned(),
        count => {
            format!("opened, which is on record; all of it but {count} credentials of the gateway:")
        }
    }
}

async fn fetch(client: &Client, id: InvocationId) -> Result<InvocationView, Failure> {
    let found: InvocationResponse = client.get(&format!("/v1/actions/{id}"), &()).await?;
    Ok(found.invocation)
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
