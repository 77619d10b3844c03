//! `proliferate integration`: connections of an organization to outside services, as a client of a gateway.

mod connect;
mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Connect the organization to Linear, Sentry, Slack, GitHub and others, through a gateway.
///
/// Members look; only admins change something. Credentials go in and never come out.
#[derive(Debug, Subcommand)]
pub enum IntegrationCommand {
    List(list::Args),
    Show(show::Args),
    Connect(connect::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Update(update::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub async fn run(context: &Context, command: IntegrationCommand) -> Outcome {
    match command {
        IntegrationCommand::List(args) => list::run(context, args).await,
        IntegrationCommand::Show(args) => show::run(context, args).await,
        IntegrationCommand::Connect(args) => connect::run(context, args),
        IntegrationCommand::Create(args) => create::run(context, args).await,
        IntegrationCommand::Update(args) => update::run(context, args).await,
        IntegrationCommand::Delete(args) => delete::run(context, args).await,
    }
}
