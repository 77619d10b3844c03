//! `proliferate session`: sessions, as a client of a gateway.

mod attach;
mod cancel;
mod create;
mod diff;
mod env;
mod fields;
mod link;
mod list;
mod logs;
mod migrate;
mod rename;
mod send;
mod share;
mod show;
mod stop;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Create sessions, talk to their agents, watch, move and stop them, through a gateway.
#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    Create(create::Args),
    List(list::Args),
    Show(show::Args),
    Rename(rename::Args),
    Stop(stop::Args),
    Migrate(migrate::Args),
    Attach(attach::Args),
    Send(send::Args),
    Logs(logs::Args),
    Cancel(cancel::Args),
    Diff(diff::Args),
    Env(env::Args),
    Share(share::Args),
    #[command(subcommand)]
    Link(link::LinkCommand),
}

pub async fn run(context: &Context, command: SessionCommand) -> Outcome {
    match command {
        SessionCommand::Create(args) => create::run(context, args).await,
        SessionCommand::List(args) => list::run(context, args).await,
        SessionCommand::Show(args) => show::run(context, args).await,
        SessionCommand::Rename(args) => rename::run(context, args).await,
        SessionCommand::Stop(args) => stop::run(context, args).await,
        SessionCommand::Migrate(args) => migrate::run(context, args).await,
        SessionCommand::Attach(args) => attach::run(context, args).await,
        SessionCommand::Send(args) => send::run(context, args).await,
        SessionCommand::Logs(args) => logs::run(context, args).await,
        SessionCommand::Cancel(args) => cancel::run(context, args).await,
        SessionCommand::Diff(args) => diff::run(context, args).await,
        SessionCommand::Env(args) => env::run(context, args).await,
        SessionCommand::Share(args) => share::run(context, args).await,
        SessionCommand::Link(command) => link::run(context, command).await,
    }
}
