//! What is particular about Slack: 200 for everything, and `ok`.

use integrations::{FailureKind, Retry};
use serde_json::{Value, json};
use testkit::standin::{
    Answer, Fault,
    slack::{CHANNEL, FOREIGN_CHANNEL, MESSAGE, PRIVATE_CHANNEL},
};

use crate::stage::Stage;

#[tokio::test]
async fn a_message_and_a_reply_are_sent() {
    let stage = Stage::of("slack").await;
    let params = json!({"channel": "#general", "text": "grüße *all* <@U1>"});
    let sent = stage.run("send_message", params).await.unwrap();
    assert_eq!(
        (&sent["ok"], &sent["channel"]),
        (&json!(true), &json!(CHANNEL))
    );
    let request = stage.standin.last_request();
    assert_eq!(request.path, "/api/chat.postMessage");
    let sent_as = request.header("content-type");
    assert_eq!(sent_as, "application/json; charset=utf-8");
    let reply = json!({"channel": CHANNEL, "text": "re", "thread_ts": sent["ts"]});
    let reply = stage.run("send_message", reply).await.unwrap();
    assert_eq!(reply["message"]["thread_ts"], sent["ts"]);
    let delete = json!({"channel": CHANNEL, "ts": reply["ts"]});
    stage.run("delete_message", delete.clone()).await.unwrap();
    let again = stage.run("delete_message", delete).await.unwrap_err();
    assert_eq!(again.kind, FailureKind::NotFound);
}

#[tokio::test]
async fn channels_are_paged() {
    let stage = Stage::of("slack").await;
    let first = stage
        .run("list_channels", json!({"limit": 1}))
        .await
        .unwrap();
    assert_eq!(first["items"][0]["id"], CHANNEL);
    assert_eq!(first["items"][0]["isMember"], true);
    let params = json!({"limit": 1, "cursor": first["next"]});
    let second = stage.run("list_channels", params).await.unwrap();
    assert_eq!(second["items"][0]["id"], FOREIGN_CHANNEL);
    assert_eq!(second["next"], Value::Null);
    let all = stage
        .run("list_channels", json!({"include_private": true}))
        .await
        .unwrap();
    let ids: Vec<&Value> = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["id"])
        .collect();
    assert_eq!(ids, [CHANNEL, FOREIGN_CHANNEL, PRIVATE_CHANNEL]);
    assert_eq!(stage.standin.last_request().query["limit"], "50");
}

/// Defect 23: an answer that says it is an error was kept as a success.
#[tokio::test]
async fn defect_23_only_ok_true_is_success() {
    let stage = Stage::of("slack").await;
    let unknown = Retry::OutcomeUnknown;
    let table = [
        (
            json!({"ok": false, "error": "invalid_auth"}),
            FailureKind::Unauthorized,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "token_revoked"}),
            FailureKind::Unauthorized,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "missing_scope"}),
            FailureKind::Forbidden,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "not_in_channel"}),
            FailureKind::Forbidden,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "restricted_action_thread_locked"}),
            FailureKind::Forbidden,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "channel_not_found"}),
            FailureKind::NotFound,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "msg_too_long"}),
            FailureKind::Invalid,
            Retry::Never,
        ),
        (
            json!({"ok": false, "error": "something_new"}),
            FailureKind::Invalid,
            Retry::Never,
        ),
        // Slack itself says that part of these may have been done.
        (
            json!({"ok": false, "error": "internal_error"}),
            FailureKind::Upstream,
            unknown,
        ),
        (
            json!({"ok": false, "error": "fatal_error"}),
            FailureKind::Upstream,
            unknown,
        ),
        (
            json!({"ok": false, "error": "request_timeout"}),
            FailureKind::TimedOut,
            unknown,
        ),
        (json!({"ok": false}), FailureKind::MalformedReply, unknown),
        (json!({"ok": "true"}), FailureKind::MalformedReply, unknown),
        (json!({"ts": "1.2"}), FailureKind::MalformedReply, unknown),
        (json!([]), FailureKind::MalformedReply, unknown),
        (json!(null), FailureKind::MalformedReply, unknown),
    ];
    for (body, kind, retry) in table {
        stage
            .standin
            .fail_next([Fault::Answer(Answer::json(200, body.clone()))]);
        let run = stage.run("send_message", json!({"channel": CHANNEL, "text": "x"}));
        let failure = run.await.unwrap_err();
        assert_eq!((failure.kind, failure.retry), (kind, retry), "{body}");
    }
}

#[tokio::test]
async fn what_slack_says_is_told() {
    let stage = Stage::of("slack").await;
    stage.standin.fail_next([Fault::Status(403)]);
    let send = json!({"channel": CHANNEL, "text": "x"});
    let failure = stage.run("send_message", send.clone()).await.unwrap_err();
    assert_eq!(
        failure.message(),
        "Slack denies permission: missing_scope, needs chat:write"
    );
    let metadata = json!({"messages": ["[ERROR] must provide a string"]});
    let body = json!({"ok": false, "error": "invalid_arguments", "response_metadata": metadata});
    stage
        .standin
        .fail_next([Fault::Answer(Answer::json(200, body))]);
    let failure = stage.run("send_message", send).await.unwrap_err();
    let message = "Slack rejected the call: invalid_arguments, [ERROR] must provide a string";
    assert_eq!(failure.message(), message);
    let params = json!({"channel": CHANNEL, "text": "x", "thread_ts": "1.0"});
    let failure = stage.run("send_message", params).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotFound);
    assert_ne!(MESSAGE, "1.0");
}
