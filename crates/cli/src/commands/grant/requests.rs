//! `proliferate grant requests`, `grant-request` and `refuse-request`: what agents wish for.

use clap::builder::ValueParser;
use domain::{
    action::{GrantRequestStatus, GrantScopeKind},
    id::GrantRequestId,
};
use wire::{
    grant::{GrantRequestQuery, GrantRequestView, GrantView, RefuseGrantRequest},
    page::Page,
};

use super::{client, name};
use crate::{
    client::{EndpointArgs, PageArgs},
    commands::session::{one_of, seconds},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List the grants that agents wish for, newest first.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Only those in this state
    #[arg(long)]
    #[arg(value_parser = ValueParser::new(one_of(GrantRequestStatus::ALL, GrantRequestStatus::as_str)))]
    status: Option<GrantRequestStatus>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Grant a wish and print the grant's id. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct GrantArgs {
    /// The wish's id
    id: GrantRequestId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Refuse a wish. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct RefuseArgs {
    /// The wish's id
    id: GrantRequestId,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn list(context: &Context, args: ListArgs) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = GrantRequestQuery {
        status: args.status.map(Into::into),
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<GrantRequestView> = client.get("/v1/grant-requests", &query).await?;
    let row = |wish: &GrantRequestView| {
        let calls = wish.max_calls.map(|max| max.to_string());
        vec![
            wish.id.to_string(),
            GrantRequestStatus::from(wish.status).to_string(),
            name(&wish.integration, &wish.action),
            calls.unwrap_or_else(|| "-".to_owned()),
            GrantScopeKind::from(wish.scope).to_string(),
            seconds(wish.created_at),
            wish.session_id.to_string(),
        ]
    };
    let headings = [
        "ID", "STATUS", "ACTION", "CALLS", "SCOPE", "CREATED", "SESSION",
    ];
    context.printer.page(&page, &headings, row, "no wishes");
    Ok(Exit::Ok)
}

pub(super) async fn grant(context: &Context, args: GrantArgs) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/grant-requests/{}/grant", args.id);
    let grant: GrantView = client.post(&path, &serde_json::json!({})).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&grant),
        Output::Table => context.printer.data(&grant.id.to_string()),
    }
    Ok(Exit::Ok)
}

pub(super) async fn refuse(context: &Context, args: RefuseArgs) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/grant-requests/{}/refuse", args.id);
    let request = RefuseGrantRequest {
        reason: args.reason,
    };
    let wish: GrantRequestView = client.post(&path, &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&wish),
        Output::Table => context.printer.note(&format!("{} is refused", args.id)),
    }
    Ok(Exit::Ok)
}
