//! `proliferate override`: tickets that exempt a lane from the safety lock, as a client of a gateway.

mod fields;
mod list;
mod open;
mod settle;
mod show;
mod turn;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Lift one lane out of the organization's lock for a time, through a gateway.
///
/// One admin opens a ticket, another approves it, then it can be used once. It ends by itself after its time.
#[derive(Debug, Subcommand)]
pub enum OverrideCommand {
    List(list::Args),
    Show(show::Args),
    Open(open::Args),
    Approve(settle::ApproveArgs),
    Close(settle::CloseArgs),
    Enable(turn::EnableArgs),
    Disable(turn::DisableArgs),
}

pub async fn run(context: &Context, command: OverrideCommand) -> Outcome {
    match command {
        OverrideCommand::List(args) => list::run(context, args).await,
        OverrideCommand::Show(args) => show::run(context, args).await,
        OverrideCommand::Open(args) => open::run(context, args).await,
        OverrideCommand::Approve(args) => settle::approve(context, args).await,
        OverrideCommand::Close(args) => settle::close(context, args).await,
        OverrideCommand::Enable(args) => turn::enable(context, args).await,
        OverrideCommand::Disable(args) => turn::disable(context, args).await,
    }
}
