//! `proliferate session link revoke`.

use domain::id::{SessionId, ShareLinkId};
use reqwest::Method;

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Revoke a share link: it shows nothing any more. Revoking it again changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    /// The link's id
    link: ShareLinkId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/share-links/{}", args.id, args.link);
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{} is revoked", args.link));
    Ok(Exit::Ok)
}
