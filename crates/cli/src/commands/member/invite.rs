//! `proliferate member invite`.

use std::time::Duration;

use domain::role::Role;
use wire::invitation::{CreateInvitationRequest, CreateInvitationResponse};

use super::fields::INVITATIONS;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    value_parsers::{duration, one_of},
};

/// Invite a person and print the link, which is shown once and can be used once.
///
/// With an address and a mail server, the gateway also mails a link of its own there.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The address that it is for; without one, each holder of the link may accept it
    email: Option<String>,
    /// The role of the new member
    #[arg(long, value_name = "ROLE", value_parser = one_of(Role::ALL, Role::as_str))]
    #[arg(default_value = "member")]
    role: Role,
    /// How long it may be accepted, from `1h` to `30d` (default 7d)
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    expires: Option<Duration>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let request = CreateInvitationRequest {
        role: args.role.into(),
        email: args.email,
        expires_in_seconds: args.expires.map(|life| life.as_secs()),
    };
    let client = connect(context, args.endpoint)?;
    // Sent once: sent again it would be a second one.
    let created: CreateInvitationResponse = client.post_once(INVITATIONS, &request).await?;
    if created.invitation.mail.is_some() {
        context
            .printer
            .note("a link is mailed to the address; this one is for you to hand over");
    }
    context
        .printer
        .result(&created, |created| created.link.expose().to_owned());
    Ok(Exit::Ok)
}
