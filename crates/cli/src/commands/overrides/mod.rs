//! `proliferate override`: tickets that lift a lane out of the safety lock, as a client of a gateway.

mod list;
mod open;
mod settle;
mod turn;

use clap::Subcommand;
use domain::{id::OverrideTicketId, override_ticket::OverrideTicketStatus};
use wire::override_ticket::OverrideTicketView;

use crate::{
    client::connect as client,
    commands::session::seconds,
    context::Context,
    failure::Outcome,
    printer::{Output, printable},
};

/// Lift one lane out of the organization's lock for a time, through a gateway.
///
/// One admin opens a ticket, another approves it, then it can be used once. It ends by itself after its time.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Args),
    Show(list::ShowArgs),
    Open(open::Args),
    Approve(settle::ApproveArgs),
    Close(settle::CloseArgs),
    Enable(turn::EnableArgs),
    Disable(turn::DisableArgs),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => list::show(context, args).await,
        Command::Open(args) => open::run(context, args).await,
        Command::Approve(args) => settle::approve(context, args).await,
        Command::Close(args) => settle::close(context, args).await,
        Command::Enable(args) => turn::enable(context, args).await,
        Command::Disable(args) => turn::disable(context, args).await,
    }
}

fn path(id: OverrideTicketId) -> String {
    format!("/v1/override-tickets/{id}")
}

fn status(ticket: &OverrideTicketView) -> String {
    OverrideTicketStatus::from(ticket.status).to_string()
}

fn print(context: &Context, ticket: &OverrideTicketView) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(ticket);
        return;
    }
    let facts = [
        ("ticket", Some(ticket.id.to_string())),
        ("status", Some(status(ticket))),
        ("lane", Some(ticket.lane_id.clone())),
        ("minutes", Some(ticket.minutes.to_string())),
        ("reason", Some(ticket.reason.clone())),
        ("opened by", Some(ticket.opened_by.clone())),
        ("approved by", ticket.approved_by.clone()),
        ("until", ticket.expires_at.map(seconds)),
        ("ended", ticket.ended_at.map(seconds)),
        ("closed by", ticket.closed_by.clone()),
    ];
    let lines = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))));
    printer.data(&lines.collect::<Vec<_>>().join("\n"));
}
