//! `actions run` where everything is there: each way an invocation can end, and what is sent.

use serde_json::{Value, json};

use crate::{
    program::run,
    stand_in::{End, Fault, Plan, StandIn},
};

#[tokio::test]
async fn a_result_is_printed_bare() {
    let gateway = StandIn::ending(End::Completed).await;
    let params = r#"{"teamId": "ENG", "count": 2}"#;
    let finished = run(&gateway.url, &["--params", params])
        .finish()
        .await
        .ended(0);
    assert_eq!(finished.json(), json!({"id": "ENG-1"}));
    assert_eq!(finished.stderr, "");
    let recorded = gateway.recorded();
    assert_eq!(gateway.lines(), ["POST /invoke"]);
    assert_eq!(
        recorded[0].body,
        json!({"integration": "linear", "action": "create_issue",
            "params": {"teamId": "ENG", "count": 2}})
    );
}

#[tokio::test]
async fn a_null_result_is_null() {
    let gateway = StandIn::ending(End::CompletedWithNull).await;
    assert_eq!(
        run(&gateway.url, &[]).finish().await.ended(0).stdout,
        "null\n"
    );
    let later = Plan {
        looks: 1,
        end: Some(End::CompletedWithNull),
    };
    let gateway = StandIn::start(later, []).await;
    assert_eq!(
        run(&gateway.url, &[]).finish().await.ended(0).stdout,
        "null\n"
    );
}

#[tokio::test]
async fn each_bad_end_has_its_code_at_once_and_after_a_wait() {
    for (end, code, words) in [
        (
            End::Failed,
            1,
            "error: the action ran and failed: the team does not exist\n",
        ),
        (
            End::Unknown,
            1,
            "error: the outcome is unknown, it may have happened: no answer in 30 s\n",
        ),
        (End::Denied, 3, "error: denied: not today\n"),
        (
            End::Expired,
            4,
            "error: expired: the time to decide ended without a decision\n",
        ),
    ] {
        for looks in [0, 3] {
            let gateway = StandIn::start(
                Plan {
                    looks,
                    end: Some(end),
                },
                [],
            )
            .await;
            let finished = run(&gateway.url, &[])
                .finish()
                .await
                .ended(code)
                .said(words);
            let error = finished.json()["invocation"]["error"].clone();
            assert!(words.contains(error.as_str().unwrap()), "{finished:?}");
            // A 502 that tells of an invocation is an end, not a blip.
            assert_eq!(gateway.count("POST /invoke"), 1, "{end:?}");
            assert_eq!(gateway.count("GET /invocations/"), looks, "{end:?}");
        }
    }
}

#[tokio::test]
async fn each_run_has_a_key_of_its_own() {
    let gateway = StandIn::ending(End::Completed).await;
    for _ in 0..2 {
        run(&gateway.url, &[]).finish().await.ended(0);
    }
    run(&gateway.url, &["--idempotency-key", "mine"])
        .finish()
        .await
        .ended(0);
    let keys: Vec<Option<String>> = gateway
        .recorded()
        .into_iter()
        .map(|sent| sent.key)
        .collect();
    assert!(
        keys[0].as_ref().unwrap().starts_with("sandbox-cli-"),
        "{keys:?}"
    );
    assert_ne!(keys[0], keys[1]);
    assert_eq!(keys[2].as_deref(), Some("mine"));
    assert_eq!(gateway.effects(), 3);
}

#[tokio::test]
async fn a_request_that_is_refused_ran_nothing() {
    for (status, code) in [(400, 2), (403, 3), (404, 2), (409, 3), (413, 2)] {
        let plan = Plan {
            looks: 0,
            end: Some(End::Completed),
        };
        let body = json!({"status": status, "code": "SOME_CODE", "detail": "No."}).to_string();
        let gateway = StandIn::start(plan, [Fault::Body(status, body)]).await;
        let finished = run(&gateway.url, &[]).finish().await.ended(code);
        let finished = finished.said(&format!("the gateway refused ({status} SOME_CODE): No."));
        assert_eq!(finished.stdout, "");
        assert_eq!(gateway.recorded().len(), 1);
    }
}

#[tokio::test]
async fn a_cut_record_says_where_the_whole_is() {
    let gateway = StandIn::start(
        Plan {
            looks: 1,
            end: Some(End::CompletedLarge),
        },
        [],
    )
    .await;
    let finished = run(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(finished.json()["_truncated"], Value::Bool(true));
    finished.said("the whole is artifact 0192f0c1");
}

#[tokio::test]
async fn an_error_of_the_gateway_leaves_the_outcome_open() {
    for (status, text) in [
        (500, r#"{"status": 500, "detail": "Oops."}"#),
        (200, "{}"),
        (200, "nonsense"),
    ] {
        let plan = Plan {
            looks: 0,
            end: Some(End::Completed),
        };
        let gateway = StandIn::start(plan, [Fault::Body(status, text.to_owned())]).await;
        let finished = run(&gateway.url, &[]).finish().await.ended(1);
        let finished = finished.said("the outcome is unknown");
        let key = finished.json()["idempotencyKey"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(gateway.recorded()[0].key.as_ref(), Some(&key));
        // Said in words that work.
        let again = run(&gateway.url, &["--idempotency-key", &key])
            .finish()
            .await
            .ended(0);
        assert_eq!(again.json(), json!({"id": "ENG-1"}));
        finished.said(&format!("--idempotency-key {key}"));
    }
}
