//! Runs an `actions` command.

use serde_json::Value;

use super::{grant_request, grants_list, guide, list, wait};
use crate::{
    cli::{ActionsCommand, GrantCommand, GrantsCommand},
    client::Client,
    failure::Failure,
    printer::Printer,
};

pub(crate) async fn run(
    client: &mut Client,
    printer: &Printer,
    command: ActionsCommand,
) -> Result<Value, Failure> {
    match command {
        ActionsCommand::List => list::run(client).await,
        ActionsCommand::Guide(args) => guide::run(client, &args).await,
        ActionsCommand::Run(args) => super::run::run(client, printer, args).await,
        ActionsCommand::Wait(args) => wait::run(client, printer, &args).await,
        ActionsCommand::Grant(GrantCommand::Request(args)) => {
            grant_request::run(client, args).await
        }
        ActionsCommand::Grants(GrantsCommand::List(args)) => grants_list::run(client, &args).await,
    }
}
