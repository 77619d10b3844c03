//! What is particular about GitHub: its headers, its two sorts of limits, branches with slashes.

use std::time::Duration;

use integrations::{FailureKind, Retry};
use serde_json::{Value, json};
use testkit::standin::{
    Answer, Fault,
    github::{BRANCH, OWNER, REPO},
};

use crate::stage::Stage;

fn of_repo(more: &Value) -> Value {
    let mut params = json!({"owner": OWNER, "repo": REPO});
    let more = more.as_object().unwrap().clone();
    params.as_object_mut().unwrap().extend(more);
    params
}

#[tokio::test]
async fn requests_say_who_asks_and_in_which_version() {
    let stage = Stage::of("github").await;
    stage.run("list_issues", of_repo(&json!({}))).await.unwrap();
    let request = stage.standin.last_request();
    assert_eq!(request.header("user-agent"), "proliferate-gateway");
    assert_eq!(request.header("accept"), "application/vnd.github+json");
    assert_eq!(request.header("x-github-api-version"), "2022-11-28");
    assert_eq!(request.query["per_page"], "50");
}

#[tokio::test]
async fn what_was_created_can_be_read_back() {
    let stage = Stage::of("github").await;
    let params =
        of_repo(&json!({"title": "New", "body": "b", "labels": ["bug"], "assignees": ["octocat"]}));
    let created = stage.run("create_issue", params).await.unwrap();
    let number = created["number"].clone();
    let comment = of_repo(&json!({"issue_number": number, "body": "Seen."}));
    let comment = stage.run("add_comment", comment).await.unwrap();
    assert_eq!(comment["body"], "Seen.");
    let close = of_repo(&json!({"issue_number": number, "state": "closed"}));
    stage.run("update_issue", close).await.unwrap();
    let get = of_repo(&json!({"issue_number": number}));
    let issue = stage.run("get_issue", get).await.unwrap();
    assert_eq!(issue["state"], "closed");
    assert_eq!(issue["comments"], 1);
    assert_eq!(issue["labels"], json!(["bug"]));
    assert_eq!(issue["assignees"], json!(["octocat"]));
    assert_eq!(issue["isPullRequest"], false);
}

#[tokio::test]
async fn a_pull_request_is_opened_and_found() {
    let stage = Stage::of("github").await;
    let params = of_repo(&json!({"title": "Fix", "head": BRANCH, "base": "main", "draft": true}));
    let opened = stage.run("create_pull_request", params).await.unwrap();
    assert_eq!(opened["draft"], true);
    assert_eq!(opened["head"]["ref"], BRANCH);
    let get = of_repo(&json!({"pull_number": opened["number"]}));
    let pull = stage.run("get_pull_request", get).await.unwrap();
    assert_eq!(pull, opened);
    let absent = of_repo(&json!({"title": "Fix", "head": "gone", "base": "main"}));
    let failure = stage.run("create_pull_request", absent).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Invalid);
    let message = "GitHub rejected the call: Validation Failed, head is invalid";
    assert_eq!(failure.message(), message);
}

#[tokio::test]
async fn pages_are_numbered() {
    let stage = Stage::of("github").await;
    let first = of_repo(&json!({"per_page": 1}));
    let first = stage.run("list_issues", first).await.unwrap();
    assert_eq!(first["next"], 2);
    let second = of_repo(&json!({"per_page": 1, "page": first["next"]}));
    let second = stage.run("list_issues", second).await.unwrap();
    assert_eq!(second["next"], Value::Null);
    assert_ne!(first["items"], second["items"]);
}

#[tokio::test]
async fn a_whole_number_is_sent_as_one_however_it_is_written() {
    let stage = Stage::of("github").await;
    let get = of_repo(&json!({"issue_number": 1.0}));
    stage.run("get_issue", get).await.unwrap();
    let list = of_repo(&json!({"per_page": 5e0}));
    stage.run("list_issues", list).await.unwrap();
    assert_eq!(stage.standin.last_request().query["per_page"], "5");
}

#[tokio::test]
async fn names_stay_where_they_belong() {
    let stage = Stage::of("github").await;
    let checks = of_repo(&json!({"ref": BRANCH}));
    let checks = stage.run("list_checks", checks).await.unwrap();
    assert_eq!(checks["items"][0]["conclusion"], "failure");
    let path = stage.standin.last_request().path;
    assert_eq!(
        path,
        "/repos/octo-org/hello.world/commits/feature%2Flog-in/check-runs"
    );
    stage
        .run("delete_branch", of_repo(&json!({"branch": BRANCH})))
        .await
        .unwrap();
    let path = stage.standin.last_request().path;
    assert_eq!(
        path,
        "/repos/octo-org/hello.world/git/refs/heads/feature/log-in"
    );
    let asked = stage.standin.requests().len();
    for branch in ["../../../issues/1", "a//b", "/a", ".."] {
        let failure = stage
            .run("delete_branch", of_repo(&json!({"branch": branch})))
            .await;
        assert_eq!(failure.unwrap_err().kind, FailureKind::Invalid, "{branch}");
    }
    let other = json!({"owner": "..", "repo": "x", "issue_number": 1});
    assert!(stage.run("get_issue", other).await.is_err());
    assert_eq!(stage.standin.requests().len(), asked);
}

/// 403 is "you may not" or "not so often", and headers tell which.
#[tokio::test]
async fn limits_are_told_from_refusals() {
    let stage = Stage::of("github").await;
    let body = |message: &str| json!({"message": message});
    let primary = "API rate limit exceeded for installation ID 1.";
    let secondary = "You have exceeded a secondary rate limit.";
    let plain = "Resource not accessible by integration";
    let seconds = |seconds| Retry::Later(Duration::from_secs(seconds));
    let table = [
        (
            Answer::json(403, body(primary))
                .with_header("x-ratelimit-remaining", "0")
                .with_header("x-ratelimit-reset", "1767225720"),
            FailureKind::RateLimited,
            seconds(120),
        ),
        (
            Answer::json(429, body(secondary)).with_header("retry-after", "9"),
            FailureKind::RateLimited,
            seconds(9),
        ),
        (
            // The window's end is not the end of a secondary limit.
            Answer::json(403, body(secondary))
                .with_header("x-ratelimit-remaining", "4000")
                .with_header("x-ratelimit-reset", "1767228000"),
            FailureKind::RateLimited,
            seconds(60),
        ),
        (
            Answer::json(403, body(plain)).with_header("x-ratelimit-remaining", "4000"),
            FailureKind::Forbidden,
            Retry::Never,
        ),
        (
            Answer::json(404, body("Not Found")).with_header("x-ratelimit-remaining", "0"),
            FailureKind::NotFound,
            Retry::Never,
        ),
    ];
    for (answer, kind, retry) in table {
        stage.standin.fail_next([Fault::Answer(answer.clone())]);
        let create = of_repo(&json!({"title": "x"}));
        let failure = stage.run("create_issue", create).await.unwrap_err();
        assert_eq!((failure.kind, failure.retry), (kind, retry), "{answer:?}");
    }
}
