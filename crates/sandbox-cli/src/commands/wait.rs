//! `actions wait`: looks at an invocation until it ends or the time is up.

use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use crate::{
    cli::Wait,
    client::{Call, Client, Reply, Unsettled},
    failure::Failure,
    invocation::Invocation,
    printer::Printer,
    system::{Deadline, jittered},
};

pub(super) async fn run(
    client: &mut Client,
    printer: &Printer,
    args: &Wait,
) -> Result<Value, Failure> {
    let wait = Duration::from_secs(args.patience.seconds);
    let deadline = Deadline::after(wait);
    // The first look is worth more time than the wait: without it there is nothing to tell.
    let first = Deadline::after(wait.max(client.settings.pace.answer_within));
    let looked = look(client, args.invocation, first).await;
    let reply = looked.map_err(|unsettled| unsettled.failure)?;
    let invocation = reply.invocation().ok_or_else(|| reply.refusal())?;
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
        let pause = jittered(client.settings.pace.poll_every);
        tokio::time::sleep(pause.min(deadline.left())).await;
        match look(client, invocation.id, deadline).await {
            Ok(reply) => match reply.invocation() {
                Some(newer) => invocation = newer,
                None => return Err(reply.refusal().document(invocation.document())),
            },
            Err(unsettled) => {
                let message = &unsettled.failure.message;
                printer.note(&format!("how it stands now is not known: {message}"));
                break;
            }
        }
    }
    invocation.outcome(printer)
}

async fn look(client: &mut Client, id: Uuid, deadline: Deadline) -> Result<Reply, Unsettled> {
    let id = id.to_string();
    let call = Call {
        path: &["invocations", &id],
        query: &[],
        body: None,
        is_quick: true,
    };
    client.settle(&call, deadline).await
}
