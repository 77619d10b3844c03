//! What is particular about Sentry: slashes, pages by header, mistakes by field.

use std::time::Duration;

use integrations::{FailureKind, Retry};
use serde_json::{Value, json};
use testkit::standin::{
    Answer, Fault,
    sentry::{ISSUE, ORGANIZATION, PROJECT},
};

use crate::stage::Stage;

#[tokio::test]
async fn what_was_changed_can_be_read_back() {
    let stage = Stage::of("sentry").await;
    let change = json!({"issue_id": ISSUE, "status": "resolved", "assignedTo": "user:7"});
    stage.run("update_issue", change).await.unwrap();
    let request = stage.standin.last_request();
    assert_eq!(request.method, "PUT");
    // The id is in the path alone.
    assert_eq!(
        request.body,
        json!({"status": "resolved", "assignedTo": "user:7"})
    );
    let issue = stage
        .run("get_issue", json!({"issue_id": ISSUE}))
        .await
        .unwrap();
    assert_eq!(issue["status"], "resolved");
    assert_eq!(issue["assignedTo"]["id"], "user:7");
    stage
        .run("delete_issue", json!({"issue_id": ISSUE}))
        .await
        .unwrap();
    let gone = stage.run("get_issue", json!({"issue_id": ISSUE})).await;
    assert_eq!(gone.unwrap_err().kind, FailureKind::NotFound);
}

#[tokio::test]
async fn pages_follow_the_cursor_until_there_are_no_results() {
    let stage = Stage::of("sentry").await;
    let mut params =
        json!({"organization_slug": ORGANIZATION, "project_slug": PROJECT, "limit": 1});
    let mut ids = Vec::new();
    loop {
        let page = stage.run("list_issues", params.clone()).await.unwrap();
        ids.push(page["items"][0]["id"].clone());
        match &page["next"] {
            Value::Null => break,
            next => params["cursor"] = next.clone(),
        }
    }
    assert_eq!(ids, [ISSUE, "4822", "4823"]);
    let last = stage.standin.last_request();
    assert_eq!(last.query["cursor"], "0:2:0");
    assert_eq!(last.query["limit"], "1");
}

#[tokio::test]
async fn a_search_is_sent_whole() {
    let stage = Stage::of("sentry").await;
    let query = "is:unresolved user.email:\"a+b@example.com\" & x=1#y";
    let params =
        json!({"organization_slug": ORGANIZATION, "project_slug": PROJECT, "query": query});
    stage.run("list_issues", params).await.unwrap();
    let request = stage.standin.last_request();
    assert_eq!(request.query["query"], query);
    assert_eq!(request.query["limit"], "50");
}

/// What makes an address longer than the egress guard takes is the caller's mistake, not the operator's.
#[tokio::test]
async fn params_that_are_too_long_for_an_address_are_invalid() {
    let stage = Stage::of("sentry").await;
    let query = "ä".repeat(1000);
    let params =
        json!({"organization_slug": ORGANIZATION, "project_slug": PROJECT, "query": query});
    let failure = stage.run("list_issues", params).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Invalid);
    assert!(stage.standin.requests().is_empty());
}

/// Ids that would lead elsewhere stay what they are: one segment.
#[tokio::test]
async fn an_id_stays_in_its_segment() {
    let stage = Stage::of("sentry").await;
    let table = [
        (
            "../../organizations/acme",
            "/api/0/issues/..%2F..%2Forganizations%2Facme/",
        ),
        (
            "4821/events/latest",
            "/api/0/issues/4821%2Fevents%2Flatest/",
        ),
        ("4821?x=1", "/api/0/issues/4821%3Fx%3D1/"),
        ("48 21#", "/api/0/issues/48%2021%23/"),
    ];
    for (id, path) in table {
        let run = stage.run("get_issue", json!({"issue_id": id})).await;
        assert_eq!(run.unwrap_err().kind, FailureKind::NotFound);
        assert_eq!(stage.standin.last_request().path, path);
    }
    let asked = stage.standin.requests().len();
    for id in [".", ".."] {
        let run = stage.run("get_issue", json!({"issue_id": id})).await;
        assert_eq!(run.unwrap_err().kind, FailureKind::Invalid);
    }
    assert_eq!(stage.standin.requests().len(), asked);
}

#[tokio::test]
async fn a_rate_limit_without_retry_after_ends_with_its_window() {
    let stage = Stage::of("sentry").await;
    for (reset, millis) in [
        ("1767225609", 9000),
        ("1767225609.5", 9500),
        ("soon", 60_000),
    ] {
        let answer = Answer::json(429, json!({"detail": "too frequently"}))
            .with_header("x-sentry-rate-limit-reset", reset);
        stage.standin.fail_next([Fault::Answer(answer)]);
        let failure = stage.run("get_issue", json!({"issue_id": ISSUE})).await;
        let later = Retry::Later(Duration::from_millis(millis));
        assert_eq!(failure.unwrap_err().retry, later, "{reset}");
    }
}

#[tokio::test]
async fn mistakes_are_told_in_sentrys_words() {
    let stage = Stage::of("sentry").await;
    let table = [
        (
            json!({"detail": "Invalid cursor parameter."}),
            "Sentry rejected the call: Invalid cursor parameter.",
        ),
        (
            json!({"detail": {"code": "x", "message": "No."}}),
            "Sentry rejected the call: No.",
        ),
        (
            json!({"status": ["\"gone\" is not a valid choice."]}),
            "Sentry rejected the call: status: \"gone\" is not a valid choice.",
        ),
        (json!({}), "Sentry rejected the call"),
        (json!("no"), "Sentry rejected the call"),
    ];
    for (body, message) in table {
        stage
            .standin
            .fail_next([Fault::Answer(Answer::json(400, body))]);
        let failure = stage.run("get_issue", json!({"issue_id": ISSUE})).await;
        assert_eq!(failure.unwrap_err().message(), message);
    }
}

#[tokio::test]
async fn another_shape_is_malformed() {
    let stage = Stage::of("sentry").await;
    let list = json!({"organization_slug": ORGANIZATION});
    let table = [
        ("get_issue", json!({"issue_id": ISSUE}), json!([])),
        ("list_projects", list, json!({"detail": "no"})),
    ];
    for (action, params, body) in table {
        stage
            .standin
            .fail_next([Fault::Answer(Answer::json(200, body))]);
        let failure = stage.run(action, params).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::MalformedReply, "{action}");
    }
}
