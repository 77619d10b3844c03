//! An agent that has things done outside, each under a key of its own, and asks until it is told how each ended.

use std::time::Duration;

use app::{
    Error,
    actions::{InvocationRequest, invoke},
};
use domain::{
    action::{ActionName, IntegrationName},
    id::SessionId,
};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::Users;
use crate::effects::{NAME, READ, WRITE};

/// How long a gateway is asked to wait for the end.
const WAIT: Duration = Duration::from_secs(20);

pub(crate) async fn act(users: Users, session: SessionId, name: String, count: u64) {
    for number in 0..count {
        let line = format!("{name}-a{number}");
        let action = if users.net.rng.chance(150) {
            READ
        } else {
            WRITE
        };
        once(&users, session, &line, action).await;
        // Sometimes once more, much later: the answer is the same.
        if users.net.rng.chance(200) {
            once(&users, session, &line, action).await;
        }
        sleep(users.net.rng.millis(20, 5_000)).await;
    }
    users.ledger.mark_done(&format!("{name}-agent"));
}

async fn once(users: &Users, session: SessionId, line: &str, action: &'static str) {
    loop {
        let (caller, key) = (users.agent(session), line.to_owned());
        let asked = users.net.ask(users.net.any(), move |app, _| {
            let (caller, wanted) = (caller.clone(), wanted(&key, action));
            async move { invoke(&app, &caller, session, wanted, WAIT).await }
        });
        match asked
            .await
            .map(|asked| asked.map_err(|error| error.into_inner().0))
        {
            Some(Ok(invoked)) => {
                let invocation = &invoked.record.invocation;
                users.ledger.action(line, invocation);
                if invocation.state.is_terminal() {
                    return;
                }
                sleep(users.net.rng.millis(500, 8_000)).await;
            }
            Some(Err(error @ (Error::IdempotencyConflict | Error::Invalid(_)))) => {
                let what = format!("the action {line} is refused: {error}");
                return users.net.trace.violation(what);
            }
            _ => sleep(users.net.rng.millis(100, 4_000)).await,
        }
    }
}

fn wanted(line: &str, action: &str) -> InvocationRequest {
    let Value::Object(params) = json!({"line": line}) else {
        unreachable!("it is an object");
    };
    InvocationRequest {
        integration: IntegrationName::new(NAME).expect("a name"),
        action: ActionName::new(action).expect("a name"),
        params,
        key: Some(line.to_owned()),
        correlation_id: None,
    }
}
