//! The callback of the tools: through every failure of a network, one execution and its answer.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use super::runtime::Bench;
use crate::{
    gateway::Fault,
    lab::{SESSION, TOKEN},
};

/// For attempts that are meant to time out.
const HASTY: Duration = Duration::from_secs(1);

fn say(status: u16, headers: &'static str, body: &str) -> Fault {
    Fault::Say(status, headers, body.to_owned())
}

#[tokio::test]
async fn a_call_goes_out_with_id_token_and_version() {
    let bench = Bench::new().await;
    let args = json!({"run_id": "r", "completion_id": "c", "outcome": "succeeded"});
    let order = json!({"callID": "toolu_1", "calls": [args]});
    let ran = bench.run("automation_complete", order).await;
    assert_eq!(ran.output(), "result 1");
    let metadata = &ran.outcomes[0].as_ref().unwrap()["metadata"];
    assert_eq!(metadata["toolCallId"], "toolu_1");
    assert_eq!(metadata["data"]["execution"], 1);
    let seen = bench.gateway.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(
        seen[0].path,
        format!("/proliferate/{SESSION}/tools/automation.complete")
    );
    assert_eq!(
        seen[0].body,
        json!({"tool_call_id": "toolu_1", "args": args})
    );
    assert_eq!(seen[0].headers["authorization"], format!("Bearer {TOKEN}"));
    assert_eq!(seen[0].headers[agent::tool::VERSION_HEADER], "1");
    assert_eq!(seen[0].headers["content-type"], "application/json");
}

/// Each of these loses the answer to work that was done.
#[tokio::test]
async fn a_lost_answer_is_asked_for_again_under_the_same_id() {
    for fault in [Fault::Reset, Fault::Close, Fault::Truncate, Fault::Hang] {
        let bench = Bench::new().await;
        bench.gateway.fault(fault.clone()).fault(fault.clone());
        let ran = bench.call().await;
        assert_eq!(ran.output(), "result 1", "{fault:?}");
        assert_eq!(bench.gateway.seen_of("call-1").len(), 3, "{fault:?}");
        assert_eq!(bench.gateway.executions(), 1, "{fault:?}");
        assert_eq!(ran.titles.len(), 2, "{fault:?}: clients are told");
    }
}

#[tokio::test]
async fn a_gateway_that_is_gone_for_a_while_is_waited_for() {
    let bench = Bench::new().await;
    bench.gateway.stop().await;
    let driver = bench.spawn("save_snapshot", json!({"callID": "call-1", "calls": [{}]}));
    // Time for a busy machine to start the caller, which then asks in vain.
    tokio::time::sleep(Duration::from_secs(3)).await;
    bench.gateway.start_again().await;
    let ran = driver.finish().await;
    assert_eq!(ran.output(), "result 1");
    assert!(
        ran.titles[0].contains("ConnectionRefused"),
        "{:?}",
        ran.titles
    );
    assert_eq!(bench.gateway.executions(), 1);
}

#[tokio::test]
async fn work_that_takes_longer_than_a_try_is_joined() {
    let bench = Bench::paced(|context| context.retry_times.attempt = HASTY).await;
    bench.gateway.fault(Fault::Slow(3 * HASTY));
    let ran = bench.call().await;
    assert_eq!(ran.output(), "result 1");
    assert_eq!(bench.gateway.executions(), 1);
    // A gateway may also report that the work is under way.
    let bench = Bench::new().await;
    bench
        .gateway
        .fault(say(202, "", ""))
        .fault(say(202, "retry-after: 0\r\n", "{}"));
    assert_eq!(bench.call().await.output(), "result 1");
    assert_eq!(bench.gateway.seen().len(), 3);
}

#[tokio::test]
async fn retry_after_is_waited_for() {
    for status in [503, 429, 202] {
        let bench = Bench::new().await;
        bench.gateway.fault(say(status, "retry-after: 1\r\n", "{}"));
        let ran = bench.call().await;
        assert_eq!(ran.output(), "result 1");
        assert!(
            ran.took >= Duration::from_millis(950),
            "{status}: {:?}",
            ran.took
        );
    }
}

#[tokio::test]
async fn answers_that_may_change_are_asked_for_again() {
    let bench = Bench::new().await;
    for status in [408, 425, 429, 500, 502, 503, 504] {
        bench.gateway.fault(say(status, "", "{}"));
    }
    // Truncated so that only parsing detects it.
    bench.gateway.fault(say(200, "", r#"{"success": tr"#));
    // The gateway's own verdict takes precedence over the status.
    bench.gateway.fault(say(409, "", r#"{"retryable": true}"#));
    assert_eq!(bench.call().await.output(), "result 1");
    assert_eq!(bench.gateway.seen_of("call-1").len(), 10);
}

#[tokio::test]
async fn a_refusal_is_final_and_says_why() {
    let problem = r#"{"detail": "folder: must be a relative path", "retryable": false,
        "errors": [{"field": "folder", "message": "must be a relative path"}, {"field": "x", "message": "is odd"}]}"#;
    let table = [
        (
            say(400, "", problem),
            "Gateway error 400: folder: must be a relative path\nx: is odd",
        ),
        (say(403, "", "forbidden"), "Gateway error 403: forbidden"),
        (
            say(404, "", r#"{"detail": "no such tool"}"#),
            "Gateway error 404: no such tool",
        ),
        (
            say(409, "", r#"{"message": "other arguments"}"#),
            "Gateway error 409: other arguments",
        ),
        (
            say(500, "", r#"{"detail": "broken", "retryable": false}"#),
            "Gateway error 500: broken",
        ),
        (say(401, "", "{}"), "Gateway error 401: {}"),
        (
            say(
                200,
                "",
                r#"{"success": false, "result": "Failed to save: no space"}"#,
            ),
            "Failed to save: no space",
        ),
        (
            say(200, "", r#"{"ok": true}"#),
            "The gateway gave an answer without a result.",
        ),
    ];
    for (fault, said) in table {
        let bench = Bench::new().await;
        bench.gateway.fault(fault);
        assert_eq!(bench.call().await.error(), said);
        assert_eq!(bench.gateway.seen().len(), 1, "{said}");
    }
}

#[tokio::test]
async fn a_fault_inside_the_gateway_is_given_up_on_before_the_deadline() {
    let bench = Bench::new().await;
    bench.gateway.always(say(500, "", "{}"));
    let ran = bench.call().await;
    assert!(ran.error().contains("the gateway answered 500"), "{ran:?}");
    let tries = usize::try_from(domain::limits::TOOL_CALL_INTERNAL_MAX).unwrap();
    assert_eq!(bench.gateway.seen().len(), tries);
}

#[tokio::test]
async fn a_gateway_that_stays_away_ends_the_call_at_its_deadline() {
    let bench = Bench::paced(|context| context.retry_times.deadline = Duration::from_secs(1)).await;
    bench.gateway.stop().await;
    let ran = bench.call().await;
    let said = "The gateway did not answer in time (the connection failed (ConnectionRefused)). The work may have \
                been done all the same: look before you call again.";
    assert_eq!(ran.error(), said);
    assert!(
        ran.took >= Duration::from_millis(900) && ran.took < Duration::from_secs(30),
        "{ran:?}"
    );
}

/// Frozen for longer than the whole deadline, as by a snapshot: the time asleep does not count.
#[tokio::test]
async fn a_sandbox_that_was_frozen_still_gets_its_answer() {
    const FROZEN: Duration = Duration::from_secs(5);
    let short = |context: &mut agent::Context| {
        context.retry_times.attempt = HASTY;
        context.retry_times.deadline = 4 * HASTY;
    };
    let bench = Bench::paced(short).await;
    bench.gateway.fault(Fault::Hang);
    let driver = bench.spawn("save_snapshot", json!({"callID": "call-1", "calls": [{}]}));
    while bench.gateway.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    driver.signal(Signal::STOP);
    tokio::time::sleep(FROZEN).await;
    driver.signal(Signal::CONT);
    let ran = driver.finish().await;
    assert_eq!(ran.output(), "result 1");
    assert_eq!(bench.gateway.executions(), 1);
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once_whether_it_asks_or_waits() {
    let patient = |context: &mut agent::Context| {
        context.retry_times.attempt = Duration::from_secs(30);
        context.retry_times.deadline = Duration::from_mins(1);
    };
    let busy = say(503, "retry-after: 30\r\n", "{}");
    // During a request, while it waits, and between the two.
    let moments = [
        (Fault::Hang, json!({"abortAfterMs": 1500})),
        (busy.clone(), json!({"abortAfterMs": 1500})),
        (busy, json!({"abortWhenShown": true})),
    ];
    for (fault, mut order) in moments {
        let bench = Bench::paced(patient).await;
        bench.gateway.always(fault);
        (order["callID"], order["calls"]) = (json!("call-1"), json!([{}]));
        let ran = bench.run("save_snapshot", order).await;
        assert_eq!(ran.error(), "The call was cancelled.");
        assert!(ran.took < Duration::from_secs(20), "{ran:?}");
        assert_eq!(bench.gateway.seen().len(), 1);
    }
}

/// The agent fires the signal after every call that ended well, too.
#[tokio::test]
async fn a_signal_after_the_end_changes_nothing() {
    let bench = Bench::new().await;
    let order = json!({"callID": "call-1", "calls": [{}], "abortWhenDone": true});
    assert_eq!(bench.run("save_snapshot", order).await.output(), "result 1");
}

#[tokio::test]
async fn the_same_call_twice_at_once_is_one_request() {
    let bench = Bench::new().await;
    bench.gateway.fault(Fault::Slow(Duration::from_millis(200)));
    let order = json!({"callID": "call-1", "calls": [{"message": "a"}, {"message": "a"}]});
    let ran = bench.run("save_snapshot", order).await;
    assert_eq!(ran.outcomes[0], ran.outcomes[1]);
    assert_eq!(bench.gateway.seen().len(), 1);
}

#[tokio::test]
async fn without_an_id_of_the_agent_one_is_made_and_kept() {
    let bench = Bench::new().await;
    bench.gateway.fault(Fault::Reset).fault(Fault::Close);
    let ran = bench.run("save_snapshot", json!({"calls": [{}]})).await;
    assert_eq!(ran.output(), "result 1");
    let seen = bench.gateway.seen();
    let ids: Vec<_> = seen.iter().map(|seen| &seen.body["tool_call_id"]).collect();
    assert_eq!(ids.len(), 3);
    assert!(
        ids.iter()
            .all(|id| *id == ids[0] && id.as_str().unwrap().len() == 36)
    );
}

#[tokio::test]
async fn an_unset_variable_is_named() {
    for name in [
        agent::env::GATEWAY_URL,
        agent::env::SESSION_ID,
        agent::env::TOKEN,
    ] {
        let bench = Bench::new().await.without(name);
        let said = format!("This tool cannot reach the gateway: {name} is not set.");
        assert_eq!(bench.call().await.error(), said);
        assert!(bench.gateway.seen().is_empty());
    }
}

/// A restored sandbox gets a new token in a file while its old calls still wait.
#[tokio::test]
async fn a_new_token_is_taken_up_in_the_middle_of_a_call() {
    for status in [401, 503] {
        let bench = Bench::new().await;
        let file = bench.lab.path("token");
        std::fs::write(&file, "old\n").unwrap();
        let bench = bench.variable(agent::env::TOKEN_FILE, file.display().to_string());
        bench.gateway.fault(say(status, "", "{}"));
        let held = bench.gateway.meet(2);
        let order = json!({"callID": "call-1", "calls": [{}]});
        let driver = bench.spawn("save_snapshot", order);
        while bench.gateway.seen().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        std::fs::write(&file, "new\n").unwrap();
        bench.gateway.meet(1);
        held.wait().await;
        assert_eq!(driver.finish().await.output(), "result 1");
        let seen = bench.gateway.seen();
        let tokens: Vec<_> = seen
            .iter()
            .map(|seen| seen.headers["authorization"].as_str())
            .collect();
        assert_eq!(tokens, ["Bearer old", "Bearer new"], "{status}");
    }
}
