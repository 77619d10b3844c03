//! `proliferate logout`: revokes the API key that `login` got, and forgets it here.

use reqwest::{Method, StatusCode};
use uuid::Uuid;

use crate::{
    client::{Client, Endpoint},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    saved_contexts::{SavedContext, contexts_file},
};

/// Revoke the key of the current context at its gateway, and forget it here.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The context (default: the current one)
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Forget it here even if the gateway cannot be reached; the key stays good there
    #[arg(long)]
    force: bool,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let file = contexts_file()?;
    let saved = file.read()?;
    let name = args.context.or(saved.current.clone()).ok_or_else(|| {
        Failure::new(Exit::NotFound, "no context is current")
            .hint("name one with `--context`; `proliferate context list` shows them")
    })?;
    let printer = context.printer;
    let signed_in = saved.get(&name)?.clone();
    match signed_in.api_key_id {
        None => printer.warning(
            "its token was not made by `proliferate login`: it is forgotten here and stays good there",
        ),
        Some(id) => match revoke(signed_in, id).await {
            Ok(()) => {}
            Err(failure) if args.force => {
                printer.warning(&format!("the key stays good: {}", failure.message));
            }
            Err(failure) => {
                return Err(failure.hint(
                    "the context stays; `--force` forgets it here all the same, and Settings in a browser revokes the key",
                ));
            }
        },
    }
    file.change(|contexts| contexts.remove(&name))?;
    printer.note(&format!("signed out of `{name}`"));
    Ok(Exit::Ok)
}

/// Revokes a key with itself. One that is not good any more is as good as revoked.
pub(super) async fn revoke(saved: SavedContext, id: Uuid) -> Result<(), Failure> {
    let client = Client::new(Endpoint::of_saved(saved, None)?)?;
    match client
        .send_empty(Method::DELETE, &format!("/v1/api-keys/{id}"))
        .await
    {
        Err(failure) if is_ended(&failure) => Ok(()),
        revoked => revoked,
    }
}

/// Whether the gateway does not know the credential any more.
fn is_ended(failure: &Failure) -> bool {
    let code = failure.details.iter().find(|(name, _)| name == "code");
    let ended = ["UNAUTHENTICATED", "TOKEN_EXPIRED"];
    failure.exit == Exit::from_status(StatusCode::UNAUTHORIZED.as_u16())
        && code.is_some_and(|(_, code)| ended.contains(&code.as_str()))
}
