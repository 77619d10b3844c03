//! An agent whose tools call back: each call under an id of its own, asked again until it is answered, at times at two
//! gateways at once, and sometimes once more afterwards. Every answer is the same.

use app::{
    App, Error,
    callbacks::{CallbackAnswer, CallbackRequest},
};
use domain::{id::SessionId, limits::CALLBACK_WAIT};
use hub::Hub;
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::Users;
use crate::{counted::Counted, net::Net};

pub(crate) async fn call_tools(
    users: Users,
    counted: Counted,
    session: SessionId,
    name: String,
    count: u64,
) {
    for number in 0..count {
        let line = counted.line(&format!("{name}-t{number}"));
        once(&users, session, &line).await;
        // A tool whose answer was lost on the last stretch asks again.
        if users.net.rng.chance(300) {
            once(&users, session, &line).await;
        }
        sleep(users.net.rng.millis(100, 15_000)).await;
    }
    users.ledger.mark_done(&format!("{name}-tools"));
}

/// Until it is answered for good.
async fn once(users: &Users, session: SessionId, line: &str) {
    let mut which = users.net.any();
    loop {
        let (caller, key) = (users.agent(session), line.to_owned());
        let work = move |_: App, hub: Hub| {
            let (caller, asked) = (caller.clone(), asked(&key));
            async move {
                hub.registry
                    .execute_callback(&caller, session, asked, CALLBACK_WAIT)
                    .await
            }
        };
        let answers = if users.net.rng.chance(150) {
            let other = users.net.ask(users.net.any(), work.clone());
            let (one, other) = futures::future::join(users.net.ask(which, work), other).await;
            vec![one, other]
        } else {
            vec![users.net.ask(which, work).await]
        };
        which = users.net.any();
        let mut is_answered = false;
        for answer in answers.into_iter().flatten() {
            match answer.map_err(|error| error.into_inner().0) {
                Ok(told) if told != CallbackAnswer::Underway => {
                    is_answered = true;
                    users.ledger.tool(line, &told);
                }
                Err(Error::Elsewhere { url }) => {
                    which = Net::at(&url).unwrap_or(which);
                }
                Err(
                    error @ (Error::IdempotencyConflict
                    | Error::Invalid(_)
                    | Error::Forbidden(_)
                    | Error::Conflict(_)
                    | Error::NotFound(_)
                    | Error::Altered(_)),
                ) => {
                    let what = format!("the tool call {line} is refused: {error}");
                    return users.net.trace.violation(what);
                }
                Ok(_) | Err(_) => {}
            }
        }
        if is_answered {
            return;
        }
        sleep(users.net.rng.millis(50, 2_000)).await;
    }
}

fn asked(line: &str) -> CallbackRequest {
    let line_of = [(Counted::FIELD.to_owned(), Value::from(line))];
    let args: Map<_, _> = line_of.into_iter().collect();
    CallbackRequest {
        tool: Counted::TOOL.to_owned(),
        tool_call_id: line.to_owned(),
        args,
        version: None,
    }
}
