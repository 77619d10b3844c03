//! `proliferate connector`: tool servers of an organization, as a client of a gateway.

mod add;
mod described;
mod list;
mod remove;
mod review;
mod show;
mod tools;
mod validate;

use clap::Subcommand;
use domain::id::ConnectorId;
use wire::connector::{ConnectorConfig, ConnectorView, ValidateConnectorResponse};

use crate::{
    client::{Client, connect as client},
    context::Context,
    failure::{Failure, Outcome},
};

/// Keep tool servers (Model Context Protocol) whose tools become actions, through a gateway.
///
/// Members look; only admins change something.
#[derive(Debug, Subcommand)]
pub enum Command {
    Add(add::Args),
    List(list::Args),
    Show(show::Args),
    Validate(validate::Args),
    Review(review::Args),
    Remove(remove::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Add(args) => add::run(context, args).await,
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Validate(args) => validate::run(context, args).await,
        Command::Review(args) => review::run(context, args).await,
        Command::Remove(args) => remove::run(context, args).await,
    }
}

async fn fetch(client: &Client, id: ConnectorId) -> Result<ConnectorView, Failure> {
    client.get(&format!("/v1/connectors/{id}"), &()).await
}

/// What the server offers, as the gateway last heard.
async fn listing(client: &Client, id: ConnectorId) -> Result<ValidateConnectorResponse, Failure> {
    client.get(&format!("/v1/connectors/{id}/tools"), &()).await
}

/// What it is, without what is known about it.
fn config(view: ConnectorView) -> ConnectorConfig {
    ConnectorConfig {
        id: view.id,
        name: view.name,
        transport: view.transport,
        url: view.url,
        auth: view.auth,
        risk_policy: Some(view.risk_policy),
        enabled: view.enabled,
        trusted: view.trusted,
    }
}
