//! `actions wait`: looks at an invocation until it ends or the time is up.

use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use crate::{
    cli::WaitArgs,
    client::{Client, GatewayRequest, Reply, RequestFailure},
    failure::Failure,
    invocation::Invocation,
    printer::Printer,
    system::{Deadline, jittered},
};

pub(super) async fn run(
    client: &mut Client,
    printer: &Printer,
    args: &WaitArgs,
) -> Result<Value, Failure> {
    let wait = Duration::from_secs(args.limit.seconds);
    let deadline = Deadline::after(wait);
    // The first look may take longer than the wait: without it there is nothing to print.
    let first = Deadline::after(wait.max(client.settings.times.answer_within));
    let looked = look(client, args.invocation, first).await;
    let reply = looked.map_err(|failed| failed.failure)?;
    let invocation = reply.invocation().ok_or_else(|| reply.failure())?;
    until_ended(client, printer, invocation, deadline).await
}

/// The result, or the failure that the invocation ended in, or how it stood when the time was up.
pub(super) async fn until_ended(
    client: &mut Client,
    printer: &Printer,
    mut invocation: Invocation,
    deadline: Deadline,
) -> Result<Value, Failure> {
    if !invocation.has_ended() && !deadline.left().is_zero() {
        let resume = invocation.resume();
        printer.note(&format!(
            "waiting; should this be cut short, go on with `{resume}`"
        ));
    }
    while !invocation.has_ended() && !deadline.left().is_zero() {
        let pause = jittered(client.settings.times.poll_every);
        tokio::time::sleep(pause.min(deadline.left())).await;
        match look(client, invocation.id, deadline).await {
            Ok(reply) => match reply.invocation() {
                Some(newer) => invocation = newer,
                None => return Err(reply.failure().document(invocation.document())),
            },
            Err(failed) => {
                let message = &failed.failure.message;
                printer.note(&format!("how it stands now is not known: {message}"));
                break;
            }
        }
    }
    invocation.outcome(printer)
}

async fn look(client: &mut Client, id: Uuid, deadline: Deadline) -> Result<Reply, RequestFailure> {
    let id = id.to_string();
    let call = GatewayRequest {
        path: &["invocations", &id],
        query: &[],
        body: None,
        is_quick: true,
    };
    client.settle(&call, deadline).await
}
