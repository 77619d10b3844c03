//! Messages of a client, and their responses.

use serde_json::{Value, json};
use testkit::{app::Person, database::Backend};

use super::Live;

/// Without what differs between any two runs.
fn plain(frames: &[Value]) -> String {
    let lines: Vec<String> = frames.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

macro_rules! assert_frames {
    ($frames:expr) => {
        insta::with_settings!({filters => vec![
            (r"(msg|prt)_[0-9A-Za-z]{26}t?", "[$1]"),
            (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "[id]"),
        ]}, {
            insta::assert_snapshot!(plain(&$frames));
        });
    };
}

#[tokio::test]
async fn a_turn_from_prompt_to_end() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect("").await;
    let mut seen = vec![socket.next_of("init").await];
    socket
        .send(json!({"type": "prompt", "content": "Say it in words."}))
        .await;
    let frames = socket.until("message_complete").await;
    // Clients are notified when another connects, at any time.
    seen.extend(
        frames
            .into_iter()
            .filter(|frame| frame["type"] != "presence"),
    );
    let places: Vec<u64> = seen[1..]
        .iter()
        .map(|frame| frame["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(places, (1..=places.len() as u64).collect::<Vec<_>>());
    // How the text was cut into pieces depends on the time it took.
    seen.retain(|frame| frame["type"] != "token");
    for frame in &mut seen {
        frame.as_object_mut().unwrap().remove("seq");
    }
    assert_frames!(seen);
}

#[tokio::test]
async fn a_request_is_answered_to_its_client_alone() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect("").await;
    let mut other = live.connect("").await;
    socket.next_of("init").await;
    other.next_of("init").await;
    let mut seen = Vec::new();
    for (frame, answer) in [
        (json!({"type": "ping"}), "pong"),
        (json!({"type": "get_status"}), "status"),
        (json!({"type": "get_git_status"}), "error"),
        (
            json!({"type": "git_create_branch", "branchName": "fix"}),
            "git_result",
        ),
        (
            json!({"type": "git_commit", "message": "Fix it"}),
            "git_result",
        ),
        (json!({"type": "git_push"}), "git_result"),
        (
            json!({"type": "git_create_pr", "title": "Fix it"}),
            "git_result",
        ),
        (
            json!({"type": "run_auto_start", "runId": live.session.uuid()}),
            "error",
        ),
    ] {
        socket.send(frame).await;
        seen.push(socket.next_of(answer).await);
    }
    socket.send(json!({"type": "get_messages"})).await;
    let again = socket.next_of("init").await;
    assert_eq!(again["payload"]["messages"], json!([]));
    assert_frames!(seen);
    // The other one heard nothing of it but that the session was woken, which is in the log, and goes on.
    other.send(json!({"type": "ping"})).await;
    let heard = other.until("pong").await;
    assert!(
        heard.iter().all(|frame| frame["seq"].is_number()
            || ["presence", "pong"].contains(&frame["type"].as_str().unwrap())),
        "{heard:?}"
    );
    // This one is sent to all clients.
    socket.send(json!({"type": "save_snapshot"})).await;
    for client in [&mut socket, &mut other] {
        let result = client.next_of("snapshot_result").await;
        assert_eq!(result["payload"]["success"], false, "{result}");
    }
}

#[tokio::test]
async fn a_frame_that_cannot_be_read_is_complained_about_by_name_and_some_are_enough() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect("").await;
    socket.next_of("init").await;
    let mut seen = Vec::new();
    for text in [
        "no JSON",
        r#"{"type": "prompt"}"#,
        r#"{"type": "prompt", "content": ""}"#,
        r#"{"type": "prompt", "content": "x", "idempotencyKey": ""}"#,
        r#"{"type": "prompt", "content": "x", "colour": 1}"#,
        r#"{"type": "shout"}"#,
        r#"{"type": "git_push", "workspacePath": "../up"}"#,
    ] {
        socket.send_text(text).await;
        seen.push(socket.next_of("error").await);
    }
    assert_frames!(seen);
    socket.send(json!({"type": "ping"})).await;
    socket.next_of("pong").await;
    for _ in 0..3 {
        socket.send_text("{}").await;
    }
    let (seen, code, reason) = socket.closed().await;
    let errors = seen.iter().filter(|frame| frame.contains("invalid_frame"));
    assert_eq!((errors.count(), code), (3, 1008));
    assert_eq!(reason, "too many invalid frames");
    assert_eq!(live.log().await, [] as [String; 0]);
}

#[tokio::test]
async fn members_may_watch_sessions_of_others() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect_as(Person::Admin, "").await;
    socket.next_of("init").await;
    for frame in [
        json!({"type": "prompt", "content": "Do it."}),
        json!({"type": "cancel"}),
        json!({"type": "save_snapshot"}),
        json!({"type": "git_push"}),
    ] {
        socket.send(frame).await;
        let error = socket.next_of("error").await;
        assert_eq!(error["payload"]["code"], "forbidden", "{error}");
    }
    socket.send(json!({"type": "get_status"})).await;
    socket.next_of("status").await;
    let url = live.served.url(&format!("{}/message", live.path()));
    let post = async |person| {
        let request = reqwest::Client::new()
            .post(&url)
            .bearer_auth(live.token(person));
        let sent = request.json(&json!({"content": "Do it."})).send().await;
        sent.unwrap().status().as_u16()
    };
    assert_eq!(post(Person::Admin).await, 403);
    assert_eq!(live.log().await, [] as [String; 0]);
    assert_eq!(post(Person::Owner).await, 202);
}

#[tokio::test]
async fn what_the_agent_does_can_be_stopped_over_the_connection() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect("").await;
    socket
        .send(json!({"type": "prompt", "content": "Go on."}))
        .await;
    socket.next_of("message_complete").await;
    socket.send(json!({"type": "cancel"})).await;
    let stopped = async {
        while live.agent.aborts() == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(super::client::PATIENCE, stopped)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_session_that_ended_takes_nothing_more() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = live.connect("").await;
    let path = format!("/v1/sessions/{}", live.session);
    live.app.owner().delete(&path).await.expect(200);
    socket
        .send(json!({"type": "prompt", "content": "Go on."}))
        .await;
    let error = socket.next_of("error").await;
    assert_eq!(error["payload"]["code"], "refused", "{error}");
}

#[tokio::test]
async fn clients_are_told_that_the_session_goes_elsewhere_and_that_the_server_stops() {
    let mut live = Live::start(Backend::Sqlite).await;
    let mut moved = live.connect("").await;
    moved.next_of("init").await;
    live.hub.fleet.close().await;
    let (_, code, reason) = moved.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "moved"));
    live.reopen().await;
    let mut stopping = live.connect("").await;
    stopping.next_of("init").await;
    live.served.stop();
    let (_, code, reason) = stopping.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "stopping"));
    assert_eq!(live.served.stopped().await, gateway::Stopped::Drained);
}
