//! `proliferate token sandbox`: the token that the agent inside a session's sandbox holds.

use domain::{id::SessionId, session::SessionStatus};
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs, print_secret},
};

/// Print the token of a session's sandbox, for its current boot.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    session: SessionId,
    /// Print the key to its model instead
    #[arg(long)]
    model: bool,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let app = Operator::open(context, &args.operator).await?.app;
    let mut conn = app.db.read().await?;
    let session = store::session_fetch_any(&mut conn, args.session)
        .await?
        .ok_or(app::Error::NotFound("session"))?;
    let status = session.state.status();
    if matches!(status, SessionStatus::Stopped | SessionStatus::Failed) {
        return Err(Failure::new(
            Exit::Conflict,
            format!("the session is {status}; its sandbox tokens are dead"),
        ));
    }
    let (kind, token) = if args.model {
        ("model", app.tokens.mint_model(&session))
    } else {
        ("sandbox", app.tokens.mint_sandbox(&session))
    };
    let facts = json!({
        "kind": kind,
        "sessionId": session.id.to_string(),
        "organizationId": session.organization_id.as_str(),
        "incarnation": session.incarnation.0,
    });
    print_secret(context, "token", token.expose_secret(), &facts);
    Ok(Exit::Ok)
}
