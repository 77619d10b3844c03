//! `proliferate grant requests`, `grant-request` and `refuse-request`: grants that agents ask for.

use domain::{action::GrantRequestStatus, id::GrantRequestId};
use wire::grant::{GrantRequestQuery, GrantRequestView, GrantView, RefuseGrantRequest};

use super::fields::REQUESTS;
use crate::{
    client::{EndpointArgs, PageArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::run_list,
    value_parsers::one_of,
};

/// List the grants that agents ask for, newest first.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Only those in this state
    #[arg(long)]
    #[arg(value_parser = one_of(GrantRequestStatus::ALL, GrantRequestStatus::as_str))]
    status: Option<GrantRequestStatus>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Grant a request and print the grant's id. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct GrantArgs {
    /// The grant request's id, or a part of it
    id: Selector<GrantRequestId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Refuse a request for a grant. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct RefuseArgs {
    /// The grant request's id, or a part of it
    id: Selector<GrantRequestId>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn list(context: &Context, args: ListArgs) -> Outcome {
    let query = |page: PageArgs| GrantRequestQuery {
        status: args.status.map(Into::into),
        cursor: page.cursor,
        limit: page.limit,
    };
    let path = "/v1/grant-requests";
    run_list(context, args.endpoint, path, args.page, query, &REQUESTS).await
}

pub(super) async fn grant(context: &Context, args: GrantArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/grant-requests/{id}/grant");
    let grant: GrantView = client.post(&path, &serde_json::json!({})).await?;
    context.printer.result(&grant, |grant| grant.id.to_string());
    Ok(Exit::Ok)
}

pub(super) async fn refuse(context: &Context, args: RefuseArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/grant-requests/{id}/refuse");
    let request = RefuseGrantRequest {
        reason: args.reason,
    };
    let refused: GrantRequestView = client.post(&path, &request).await?;
    context
        .printer
        .changed(&refused, |_| format!("{id} is refused"));
    Ok(Exit::Ok)
}
