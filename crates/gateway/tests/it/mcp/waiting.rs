//! Calls that wait for a person.

use std::time::Duration;

use app::notices::{self, NoticeUpdate};
use serde_json::{Value, json};
use testkit::{app::TestResponse, database::Backend};

use super::{Desk, call, last, message, messages, path, post, text};
use crate::actions::desk::issue;

testkit::on_both_databases!(
    a_write_is_approved_while_it_waits_with_progress,
    a_write_is_denied_while_it_waits,
    an_undecided_write_expires_while_it_waits,
    a_pending_write_is_resumed,
    cancelling_a_wait_cancels_nothing_else,
    a_client_that_cancels_is_not_waited_for,
    a_caller_cancels_no_wait_of_another_caller,
);

/// A call that waits, and what a person does once they are asked.
async fn while_waiting<F: Future<Output = ()>>(
    desk: &Desk,
    meta: Value,
    decide: impl FnOnce(Value) -> F,
) -> TestResponse {
    let app = &desk.app;
    let mut watch = notices::subscribe(&app.app, &app.acme, desk.session)
        .await
        .unwrap();
    let params = json!({"name": "linear__create_issue", "arguments": issue("Blank page"),
        "_meta": meta});
    let call = post(&desk.agent, &path(desk), message("tools/call", params));
    let decided = async {
        let heard = watch.next().await.unwrap().unwrap();
        let NoticeUpdate::Notice(notice) = heard else {
            panic!("{heard:?}");
        };
        assert_eq!(notice["type"], "action_approval_request");
        decide(json!({"id": notice["payload"]["invocationId"]})).await;
    };
    let both = futures::future::join(call.into_future(), decided);
    let soon = Duration::from_mins(1);
    tokio::time::timeout(soon, both)
        .await
        .expect("it is decided")
        .0
}

async fn a_write_is_approved_while_it_waits_with_progress(backend: Backend) {
    let desk = Desk::open(backend).await;
    let meta = json!({"progressToken": "p-1", "proliferate/wait": 200});
    let answer = while_waiting(&desk, meta, async |asked| {
        desk.approve(&asked, json!({})).await.expect(200);
    })
    .await;
    let all = messages(&answer);
    let progress = &all[0];
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "p-1");
    assert_eq!(progress["params"]["progress"].as_f64(), Some(1.0));
    let result = &last(&answer)["result"];
    assert_eq!(result["isError"], false, "{result}");
    assert!(text(result).contains("Blank page"), "{result}");
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_write_is_denied_while_it_waits(backend: Backend) {
    let desk = Desk::open(backend).await;
    let answer = while_waiting(&desk, json!({}), async |asked| {
        let owner = desk.app.owner();
        let denied = desk.decide(&owner, &asked, "deny", json!({"reason": "not today"}));
        denied.await.expect(200);
    })
    .await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let result = &last(&answer)["result"];
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(result).contains("not today"), "{result}");
    assert_eq!(desk.linear.changes(), 0);
}

async fn an_undecided_write_expires_while_it_waits(backend: Backend) {
    let desk = Desk::open(backend).await;
    let answer = while_waiting(&desk, json!({}), async |_| {
        desk.later(301);
        app::actions::expire(&desk.app.app).await.unwrap();
    })
    .await;
    let result = &last(&answer)["result"];
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(result).contains("in time"), "{result}");
}

async fn a_pending_write_is_resumed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let params = json!({"name": "linear__create_issue", "arguments": issue("Later")});
    let body = message("tools/call", params);
    let held = post(&desk.agent, &format!("{}?wait=0", path(&desk)), body).await;
    let held = last(&held)["result"].clone();
    assert_eq!(held["isError"], false, "{held}");
    let pending = &held["structuredContent"];
    assert_eq!(pending["status"], "pending");
    assert!(text(&held).contains("proliferate__wait_for_action"));
    let asked = json!({"id": pending["invocationId"]});
    desk.approve(&asked, json!({})).await.expect(200);
    let resume = &pending["resumeWith"];
    let tool = resume["tool"].as_str().unwrap();
    let result = call(&desk, tool, resume["arguments"].clone()).await;
    assert_eq!(result["isError"], false, "{result}");
    assert!(text(&result).contains("Later"), "{result}");
    assert_eq!(desk.linear.changes(), 1);
    assert_eq!(call(&desk, tool, resume["arguments"].clone()).await, result);
}

async fn cancelling_a_wait_cancels_nothing_else(backend: Backend) {
    let desk = Desk::open(backend).await;
    let served = desk.app.serve().await;
    let token = desk.app.sandbox_token(desk.session).await;
    let params = json!({"name": "linear__create_issue", "arguments": issue("Left alone"),
        "_meta": {"progressToken": 7}});
    let mut response = reqwest::Client::new()
        .post(served.url(&path(&desk)))
        .bearer_auth(token)
        .header("accept", "application/json, text/event-stream")
        .json(&message("tools/call", params))
        .send()
        .await
        .unwrap();
    let first = response.chunk().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("notifications/progress"));
    drop(response);
    let pending = desk
        .agent
        .get(&desk.path("invocations?status=pending"))
        .await
        .expect(200);
    let asked = &pending["invocations"][0];
    desk.approve(asked, json!({})).await.expect(200);
    assert_eq!(desk.linear.changes(), 1);
    let arguments = json!({"invocationId": asked["id"]});
    let result = call(&desk, "proliferate__wait_for_action", arguments).await;
    assert_eq!(result["isError"], false, "{result}");
}

async fn a_client_that_cancels_is_not_waited_for(backend: Backend) {
    let desk = Desk::open(backend).await;
    let meta = json!({"progressToken": 1, "proliferate/wait": 290});
    let answer = while_waiting(&desk, meta, async |_| {
        let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": 1, "reason": "no longer needed"}});
        // Again until it waits: it was asked for a moment before.
        for _ in 0..300 {
            let taken = post(&desk.agent, &path(&desk), body.clone()).await;
            assert_eq!(taken.status, 202);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let result = &last(&answer)["result"];
    assert_eq!(result["structuredContent"]["status"], "pending", "{result}");
    let pending = desk.path("invocations?status=pending");
    let pending = desk.agent.get(&pending).await.expect(200);
    assert_eq!(pending["invocations"].as_array().unwrap().len(), 1);
}

async fn a_caller_cancels_no_wait_of_another_caller(backend: Backend) {
    let desk = Desk::open(backend).await;
    let meta = json!({"progressToken": 1, "proliferate/wait": 290});
    let answer = while_waiting(&desk, meta, async |asked| {
        let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": 1}});
        for client in [desk.app.owner(), desk.app.member()] {
            // Until it certainly waits.
            for _ in 0..50 {
                let taken = post(&client, &path(&desk), body.clone()).await;
                assert_eq!(taken.status, 202);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        desk.approve(&asked, json!({})).await.expect(200);
    })
    .await;
    let result = &last(&answer)["result"];
    assert_eq!(result["isError"], false, "{result}");
    assert!(text(result).contains("Blank page"), "{result}");
}
