//! Events of an action are in the session's log once, whichever instance owned the session.

use std::time::Duration;

use domain::session_event::SessionEvent;
use hub::{Hub, log::LogEntry};
use serde_json::{Value, json};
use testkit::{database::Backend, standin::agent::Agent};
use tokio::time::{sleep, timeout};

use super::client::{PATIENCE, Socket};
use crate::actions::desk::Desk;

testkit::on_both_databases!(notices_are_in_the_log_once_though_hubs_come_and_go);

const REQUEST: &str = "action_approval_request";
const RESULT: &str = "action_approval_result";
const COMPLETED: &str = "action_completed";

/// The notices in the log, by kind and action, oldest first.
async fn log(desk: &Desk) -> Vec<String> {
    let mut conn = desk.app.database.db.read().await.unwrap();
    let events = store::session_event_list(&mut conn, &desk.app.acme, desk.session, 0, 500);
    let events = events.await.unwrap();
    let notices = events
        .iter()
        .filter(|event| event.kind.starts_with("action_"));
    let shown = |event: &SessionEvent| {
        let frame: Value = serde_json::from_str(LogEntry::from(event).frame()).unwrap();
        let status = frame["payload"]["status"].as_str().unwrap_or("?");
        format!("{} {status}", event.kind)
    };
    notices.map(shown).collect()
}

/// Waits until the log has so many.
async fn until(desk: &Desk, count: usize) -> Vec<String> {
    let there = async {
        while log(desk).await.len() < count {
            sleep(Duration::from_millis(20)).await;
        }
    };
    // What is missing shows when it is compared.
    let _ = timeout(PATIENCE, there).await;
    log(desk).await
}

async fn notices_are_in_the_log_once_though_hubs_come_and_go(backend: Backend) {
    let desk = Desk::open(backend).await;
    let agent = Agent::start().await;
    let open = || Hub::with_runtimes(desk.app.app.clone(), agent.runtimes());
    let owned = async |hub: &Hub| {
        hub.registry
            .open(&desk.app.steering(desk.session).await.unwrap())
            .await
            .unwrap()
    };

    // Heard while it happens.
    let first = open();
    owned(&first).await;
    let live = desk.ask("With a client").await;
    until(&desk, 1).await;
    let bearer = format!(
        "Bearer {}",
        desk.app.user_token(testkit::app::Person::Member)
    );
    let served = desk.app.serve_hub(first.clone()).await;
    let path = format!("/proliferate/{}", desk.session);
    let mut socket = Socket::open(served.address, &path, &[("authorization", &bearer)])
        .await
        .unwrap();
    let init = socket.next_of("init").await;
    let pending = &init["payload"]["pendingApprovals"];
    assert_eq!(pending.as_array().unwrap().len(), 1, "{init}");
    assert_eq!(pending[0]["invocationId"], live["id"]);
    desk.approve(&live, json!({})).await.expect(200);
    let completed = socket.next_of(COMPLETED).await;
    assert_eq!(completed["payload"]["invocationId"], live["id"]);
    let told = [
        format!("{REQUEST} ?"),
        format!("{RESULT} approved"),
        format!("{COMPLETED} completed"),
    ];
    assert_eq!(log(&desk).await, told);
    let waiting = desk.ask("Without a client").await;
    socket.next_of(REQUEST).await;
    first.fleet.close().await;

    // Caught up by the next owner: a decision, and a request without a subscriber.
    desk.approve(&waiting, json!({})).await.expect(200);
    // Later, so that it comes after the other.
    desk.later(1);
    desk.ask("Still without a client").await;
    let second = open();
    owned(&second).await;
    let last = format!("{REQUEST} ?");
    let mut expected = told.to_vec();
    expected.extend([
        last.clone(),
        format!("{RESULT} approved"),
        format!("{COMPLETED} completed"),
        last.clone(),
    ]);
    assert_eq!(until(&desk, expected.len()).await, expected);

    // And not again by the next, however many there are: a later event shows that it had its turn.
    second.fleet.close().await;
    let third = open();
    owned(&third).await;
    desk.later(300);
    assert_eq!(app::actions::expire(&desk.app.app).await.unwrap(), 1);
    expected.push(format!("{RESULT} expired"));
    assert_eq!(until(&desk, expected.len()).await, expected);
}
