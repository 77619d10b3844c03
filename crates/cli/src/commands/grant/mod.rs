//! `proliferate grant`: standing permissions, as a client of a gateway.

mod backtest;
mod create;
mod draft;
mod list;
mod requests;
mod revoke;
mod show;

use clap::Subcommand;
use domain::action::GrantScopeKind;
use wire::grant::GrantView;

use crate::{
    client::connect as client, commands::session::seconds, context::Context, failure::Outcome,
};

/// Let writes of agents run without asking, and see what was allowed, through a gateway.
///
/// Members look; only admins change something.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Args),
    Show(show::Args),
    Create(create::Args),
    Revoke(revoke::Args),
    Backtest(backtest::Args),
    Requests(requests::ListArgs),
    GrantRequest(requests::GrantArgs),
    RefuseRequest(requests::RefuseArgs),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Create(args) => create::run(context, args).await,
        Command::Revoke(args) => revoke::run(context, args).await,
        Command::Backtest(args) => backtest::run(context, args).await,
        Command::Requests(args) => requests::list(context, args).await,
        Command::GrantRequest(args) => requests::grant(context, args).await,
        Command::RefuseRequest(args) => requests::refuse(context, args).await,
    }
}

/// Whose calls it covers.
fn scope(grant: &GrantView) -> String {
    let scope = GrantScopeKind::from(grant.scope).to_string();
    grant.session_id.map_or(scope, |id| id.to_string())
}

fn name(integration: &str, action: &str) -> String {
    format!("{integration}/{action}")
}

/// Used calls of how many.
fn calls(grant: &GrantView) -> String {
    match grant.max_calls {
        None => grant.used_calls.to_string(),
        Some(max) => format!("{}/{max}", grant.used_calls),
    }
}

/// From when on it does not count any more, and why.
fn end(grant: &GrantView) -> Option<String> {
    let revoked = grant
        .revoked_at
        .map(|at| format!("revoked {}", seconds(at)));
    revoked.or_else(|| grant.expires_at.map(seconds))
}

/// How many of the actions that it names it does not cover, because they changed since it was given.
fn suspended(grant: &GrantView) -> String {
    match (grant.suspended.len(), grant.suspended_truncated) {
        (0, false) => "-".to_owned(),
        (0, true) => "not all looked at".to_owned(),
        (1, false) => "for 1 action".to_owned(),
        (count, false) => format!("for {count} actions"),
        (count, true) => format!("for more than {count}"),
    }
}
