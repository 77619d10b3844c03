//! `actions run`: requests an action once, and waits for the decision.

use std::time::Duration;

use serde_json::{Value, json};
use wire::action::InvokeRequest;

use super::wait;
use crate::{
    cli::RunArgs,
    client::{Client, GatewayRequest, Reply, RequestFailure},
    exit::Exit,
    failure::Failure,
    params,
    printer::Printer,
    system::{Deadline, idempotency_key},
};

pub(super) async fn run(
    client: &mut Client,
    printer: &Printer,
    args: RunArgs,
) -> Result<Value, Failure> {
    let request = InvokeRequest {
        integration: args.integration,
        action: args.action,
        params: params::read(&args.params)?,
    };
    let body = json!(request);
    // INVARIANT: one key for everything this run sends, so that sending again does nothing twice.
    let key = args.idempotency_key.unwrap_or_else(idempotency_key);
    let wait = Duration::from_secs(args.limit.seconds);
    let deadline = Deadline::after(wait);
    let call = GatewayRequest {
        path: &["invoke"],
        query: &[],
        body: Some((&body, &key)),
        is_quick: false,
    };
    let settled = client
        .settle(
            &call,
            Deadline::after(wait.max(client.settings.times.answer_within)),
        )
        .await;
    let reply = settled.map_err(|failed| lost(failed, &key))?;
    match reply.invocation() {
        Some(invocation) => wait::until_ended(client, printer, invocation, deadline).await,
        None => Err(refused(&reply, &key)),
    }
}

/// No answer: if nothing arrived, nothing ran; otherwise it is unknown.
fn lost(failed: RequestFailure, key: &str) -> Failure {
    if failed.may_have_arrived {
        unknown(failed.failure, key)
    } else {
        failed.failure
    }
}

/// An answer without an invocation. A refusal means that nothing ran; a failure of the gateway, or a success
/// that cannot be read, says nothing about that.
fn refused(reply: &Reply, key: &str) -> Failure {
    let failure = reply.failure();
    if (300..=499).contains(&reply.status) {
        failure
    } else {
        unknown(failure, key)
    }
}

fn unknown(failure: Failure, key: &str) -> Failure {
    let message = format!(
        "the outcome is unknown, it may have happened: {}",
        failure.message
    );
    let hint =
        format!("run the same command with `--idempotency-key {key}`: then it is not done twice");
    Failure {
        exit: Exit::Failed,
        message,
        hint: Some(hint),
        document: Some(json!({"idempotencyKey": key, "outcomeUnknown": true})),
        ..failure
    }
}
