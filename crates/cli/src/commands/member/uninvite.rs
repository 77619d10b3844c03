//! `proliferate member uninvite`.

use domain::id::InvitationId;
use wire::invitation::InvitationView;

use super::fields::INVITATIONS;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Revoke an invitation: its links are refused from now on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invitation's id
    id: InvitationId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("{INVITATIONS}/{}", args.id);
    let client = connect(context, args.endpoint)?;
    let revoked: InvitationView = client.delete(&path).await?;
    context
        .printer
        .changed(&revoked, |revoked| format!("{} is revoked", revoked.id));
    Ok(Exit::Ok)
}
