//! `proliferate case add-member` and `remove-member`.

use domain::{case::CaseMember, policy::CaseId};
use reqwest::Method;

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Add a user, a service or a session to the members of a case. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct AddArgs {
    /// The case's id
    id: CaseId,
    /// `user:ID`, `service:NAME` or `session:ID`
    member: CaseMember,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Remove a user, a service or a session from the members of a case. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct RemoveArgs {
    /// The case's id
    id: CaseId,
    /// `user:ID`, `service:NAME` or `session:ID`
    member: CaseMember,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn add(context: &Context, args: AddArgs) -> Outcome {
    let path = path(&args.id, &args.member);
    connect(context, args.endpoint)?
        .send_empty(Method::PUT, &path)
        .await?;
    let (id, member) = (args.id, args.member);
    context
        .printer
        .note(&format!("{member} is a member of {id}"));
    Ok(Exit::Ok)
}

pub(super) async fn remove(context: &Context, args: RemoveArgs) -> Outcome {
    let path = path(&args.id, &args.member);
    connect(context, args.endpoint)?
        .send_empty(Method::DELETE, &path)
        .await?;
    let (id, member) = (args.id, args.member);
    context
        .printer
        .note(&format!("{member} is no member of {id} any more"));
    Ok(Exit::Ok)
}

/// Neither has a character that would need escaping.
fn path(id: &CaseId, member: &CaseMember) -> String {
    format!("/v1/cases/{id}/members/{member}")
}
