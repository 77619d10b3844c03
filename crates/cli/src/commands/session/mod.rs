//! `proliferate session`: sessions, as a client of a gateway.

mod attach;
mod cancel;
mod create;
mod diff;
mod env;
mod list;
mod logs;
mod migrate;
mod send;
mod show;
mod stop;

use chrono::{DateTime, Utc};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use wire::session::SessionView;

use crate::{client::connect as client, context::Context, failure::Outcome};

/// Create sessions, talk to their agents, watch, move and stop them, through a gateway.
#[derive(Debug, Subcommand)]
pub enum Command {
    Create(create::Args),
    List(list::Args),
    Show(show::Args),
    Stop(stop::Args),
    Migrate(migrate::Args),
    Attach(attach::Args),
    Send(send::Args),
    Logs(logs::Args),
    Cancel(cancel::Args),
    Diff(diff::Args),
    Env(env::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Create(args) => create::run(context, args).await,
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Stop(args) => stop::run(context, args).await,
        Command::Migrate(args) => migrate::run(context, args).await,
        Command::Attach(args) => attach::run(context, args).await,
        Command::Send(args) => send::run(context, args).await,
        Command::Logs(args) => logs::run(context, args).await,
        Command::Cancel(args) => cancel::run(context, args).await,
        Command::Diff(args) => diff::run(context, args).await,
        Command::Env(args) => env::run(context, args).await,
    }
}

/// One of the texts of a `text_enum!`, listed in the help and checked before anything is sent.
pub(super) fn one_of<T>(
    all: &'static [T],
    text: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + std::str::FromStr<Err: std::error::Error + Send + Sync> + 'static,
{
    let known = all.iter().map(|value| text(*value));
    PossibleValuesParser::new(known).try_map(|given| given.parse::<T>())
}

/// The state in a word, and why.
fn status(session: &SessionView) -> String {
    domain::session::SessionStatus::from(session.status).to_string()
}

pub(super) fn seconds(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}
