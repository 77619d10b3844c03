//! `proliferate member`: who belongs to the organization, and who is invited, as a client of a gateway.

mod fields;
mod invitations;
mod invite;
mod list;
mod remove;
mod role;
mod uninvite;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// List, invite and remove members of an organization, and change their roles, through a gateway.
///
/// Members look; admins change members, owners also owners. Each member may leave.
#[derive(Debug, Subcommand)]
pub enum MemberCommand {
    List(list::Args),
    Invite(invite::Args),
    Invitations(invitations::Args),
    Uninvite(uninvite::Args),
    Role(role::Args),
    Remove(remove::Args),
}

pub async fn run(context: &Context, command: MemberCommand) -> Outcome {
    match command {
        MemberCommand::List(args) => list::run(context, args).await,
        MemberCommand::Invite(args) => invite::run(context, args).await,
        MemberCommand::Invitations(args) => invitations::run(context, args).await,
        MemberCommand::Uninvite(args) => uninvite::run(context, args).await,
        MemberCommand::Role(args) => role::run(context, args).await,
        MemberCommand::Remove(args) => remove::run(context, args).await,
    }
}
