//! `proliferate webhook`: where an organization has notices sent, as a client of a gateway.

mod create;
mod delete;
mod deliveries;
mod fields;
mod list;
mod redeliver;
mod rotate;
mod show;
mod test;
mod update;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Have notices about actions sent to an address of yours, and see what became of them, through a gateway.
///
/// For admins.
#[derive(Debug, Subcommand)]
pub enum WebhookCommand {
    List(list::Args),
    Show(show::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Update(update::Args),
    Rotate(rotate::Args),
    Test(test::Args),
    Deliveries(deliveries::Args),
    Redeliver(redeliver::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub async fn run(context: &Context, command: WebhookCommand) -> Outcome {
    match command {
        WebhookCommand::List(args) => list::run(context, args).await,
        WebhookCommand::Show(args) => show::run(context, args).await,
        WebhookCommand::Create(args) => create::run(context, args).await,
        WebhookCommand::Update(args) => update::run(context, args).await,
        WebhookCommand::Rotate(args) => rotate::run(context, args).await,
        WebhookCommand::Test(args) => test::run(context, args).await,
        WebhookCommand::Deliveries(args) => deliveries::run(context, args).await,
        WebhookCommand::Redeliver(args) => redeliver::run(context, args).await,
        WebhookCommand::Delete(args) => delete::run(context, args).await,
    }
}
