//! `proliferate case add-member` and `remove-member`.

use domain::{
    case::CaseMember,
    id::{SessionId, UserId},
    policy::CaseId,
};
use reqwest::Method;

use crate::{
    client::{Client, EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Add a user, a service or a session to the members of a case. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct AddArgs {
    /// The case's id, a part of it, or its title
    id: Selector<CaseId>,
    /// `user:ID`, `service:NAME` or `session:ID`; a user also by address or name, a session by a part of its id
    member: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Remove a user, a service or a session from the members of a case. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct RemoveArgs {
    /// The case's id, a part of it, or its title
    id: Selector<CaseId>,
    /// `user:ID`, `service:NAME` or `session:ID`; a user also by address or name, a session by a part of its id
    member: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn add(context: &Context, args: AddArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let (id, member) = resolve(&client, &args.id, &args.member).await?;
    client.send_empty(Method::PUT, &path(&id, &member)).await?;
    context
        .printer
        .note(&format!("{member} is a member of {id}"));
    Ok(Exit::Ok)
}

pub(super) async fn remove(context: &Context, args: RemoveArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let (id, member) = resolve(&client, &args.id, &args.member).await?;
    client
        .send_empty(Method::DELETE, &path(&id, &member))
        .await?;
    context
        .printer
        .note(&format!("{member} is no member of {id} any more"));
    Ok(Exit::Ok)
}

async fn resolve(
    client: &Client,
    id: &Selector<CaseId>,
    member: &str,
) -> Result<(CaseId, CaseMember), Failure> {
    let invalid = |why: &dyn std::fmt::Display| Failure::new(Exit::Usage, format!("MEMBER {why}"));
    let member = match member.split_once(':') {
        Some(("user", who)) => {
            let selector: Selector<UserId> = who.parse().map_err(|why| invalid(&why))?;
            CaseMember::User(selector.resolve(client).await?)
        }
        Some(("session", part)) => {
            let selector: Selector<SessionId> = part.parse().map_err(|why| invalid(&why))?;
            CaseMember::Session(selector.resolve(client).await?)
        }
        _ => member.parse().map_err(|why| invalid(&why))?,
    };
    Ok((id.resolve(client).await?, member))
}

/// Neither has a character that would need escaping.
fn path(id: &CaseId, member: &CaseMember) -> String {
    format!("/v1/cases/{id}/members/{member}")
}
