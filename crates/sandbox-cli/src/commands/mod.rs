//! One file per command. Each returns the document for stdout, or why there is none.

mod grant_request;
mod grants_list;
mod guide;
mod list;
mod run;
pub(crate) mod services;
mod wait;

use serde_json::Value;

use crate::{
    cli::{Actions, Grant, Grants},
    client::{Call, Client},
    failure::Failure,
    printer::Printer,
    system::Deadline,
};

pub(crate) async fn run(
    client: &mut Client,
    printer: &Printer,
    command: Actions,
) -> Result<Value, Failure> {
    match command {
        Actions::List => list::run(client).await,
        Actions::Guide(args) => guide::run(client, &args).await,
        Actions::Run(args) => run::run(client, printer, args).await,
        Actions::Wait(args) => wait::run(client, printer, &args).await,
        Actions::Grant(Grant::Request(args)) => grant_request::run(client, args).await,
        Actions::Grants(Grants::List(args)) => grants_list::run(client, &args).await,
    }
}

/// A call whose answer is the document.
async fn answered(client: &mut Client, call: &Call<'_>) -> Result<Value, Failure> {
    let settled = client
        .settle(call, Deadline::after(client.settings.pace.answer_within))
        .await;
    settled.map_err(|unsettled| unsettled.failure)?.document()
}
