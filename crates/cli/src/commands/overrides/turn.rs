//! `proliferate override enable` and `disable`: mediated calls in the lane `SYSTEM_OVERRIDE`, with what the ticket says
//! about what they change.

use domain::{
    id::OverrideTicketId,
    policy::{OVERRIDE_DISABLE, OVERRIDE_ENABLE, ScopeKey},
};
use serde_json::json;
use wire::{contract::ToolCallRequest, override_ticket::OverrideTicketView};

use super::fields::path_of;
use crate::{
    client::{EndpointArgs, Selector, connect},
    commands::call,
    context::Context,
    failure::Outcome,
};

/// Of the built-in policy; one of an operator's own has it under the same name or has no overrides.
const OVERRIDE_LANE: &str = "SYSTEM_OVERRIDE";

/// Use a ticket: its lane passes the lock from now on, for the ticket's time. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct EnableArgs {
    /// The ticket's id, or a part of it
    id: Selector<OverrideTicketId>,
    /// Why now
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Put the rule back before the ticket's time is over. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct DisableArgs {
    /// The ticket's id, or a part of it
    id: Selector<OverrideTicketId>,
    /// Why now
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn enable(context: &Context, args: EnableArgs) -> Outcome {
    turn(
        context,
        args.endpoint,
        &args.id,
        OVERRIDE_ENABLE,
        args.reason,
    )
    .await
}

pub(super) async fn disable(context: &Context, args: DisableArgs) -> Outcome {
    turn(
        context,
        args.endpoint,
        &args.id,
        OVERRIDE_DISABLE,
        args.reason,
    )
    .await
}

async fn turn(
    context: &Context,
    endpoint: EndpointArgs,
    id: &Selector<OverrideTicketId>,
    operation: &str,
    reason: String,
) -> Outcome {
    let client = connect(context, endpoint)?;
    let id = id.resolve(&client).await?;
    let ticket: OverrideTicketView = client.get(&path_of(id), &()).await?;
    let (locked, lifted) = (ticket.locked_sha256, ticket.lifted_sha256);
    let (before, after) = match operation {
        OVERRIDE_ENABLE => (locked, lifted),
        _ => (lifted, locked),
    };
    let scope = [
        (ScopeKey::OverrideTicketId, id.to_string()),
        (ScopeKey::OverrideReason, reason),
    ];
    let parameters = [("before_sha256", before), ("after_sha256", after)];
    let request = ToolCallRequest {
        tool_name: operation.to_owned(),
        operation: operation.to_owned(),
        lane_id: Some(OVERRIDE_LANE.to_owned()),
        scope: { scope.into_iter() }
            .map(|(key, value)| (key.as_str().to_owned(), value))
            .collect(),
        parameters: { parameters.into_iter() }
            .map(|(name, digest)| (name.to_owned(), json!(digest)))
            .collect(),
        ..ToolCallRequest::default()
    };
    call::send(context, &client, request).await
}
