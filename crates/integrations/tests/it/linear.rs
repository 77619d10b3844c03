//! What is particular about Linear: GraphQL, two sorts of tokens, errors with HTTP 200.

use std::time::Duration;

use integrations::{FailureKind, Retry};
use serde_json::{Value, json};
use testkit::standin::{
    Answer, Fault,
    linear::{PERSONAL_KEY, TEAM},
};

use crate::stage::Stage;

fn errors(code: &str, message: &str, data: &Value) -> Value {
    json!({"errors": [{"message": message, "extensions": {"code": code}}], "data": data})
}

#[tokio::test]
async fn what_was_created_can_be_read_back() {
    let stage = Stage::of("linear").await;
    let params = json!({"teamId": TEAM, "title": "Quotes \" and } braces", "description": "$id"});
    let created = stage.run("create_issue", params).await.unwrap();
    let id = &created["issue"]["identifier"];
    let comment = json!({"issueId": id, "body": "First"});
    stage.run("add_comment", comment).await.unwrap();
    let issue = stage
        .run("get_issue", json!({"issueId": id}))
        .await
        .unwrap();
    assert_eq!(issue["title"], "Quotes \" and } braces");
    assert_eq!(issue["comments"]["nodes"][0]["body"], "First");
    let update = json!({"issueId": id, "title": "Other", "priority": 1});
    let updated = stage.run("update_issue", update).await.unwrap();
    assert_eq!(updated["issue"]["title"], "Other");
    stage
        .run("delete_issue", json!({"issueId": id}))
        .await
        .unwrap();
    let gone = stage.run("get_issue", json!({"issueId": id})).await;
    assert_eq!(gone.unwrap_err().kind, FailureKind::NotFound);
}

/// Defect 16: documents put together from texts can be broken out of. What an agent gives is a variable.
#[tokio::test]
async fn defect_16_the_document_is_the_same_whatever_is_given() {
    let stage = Stage::of("linear").await;
    let mut documents = Vec::new();
    for title in [
        "plain",
        "\") { success } } mutation { issueDelete(id: \"ENG-1\"){success} }",
    ] {
        let params = json!({"teamId": TEAM, "title": title});
        stage.run("create_issue", params).await.unwrap();
        let body = stage.standin.last_request().body;
        assert_eq!(body["variables"]["input"]["title"], title);
        documents.push(body["query"].clone());
    }
    assert_eq!(documents[0], documents[1]);
}

#[tokio::test]
async fn a_personal_key_is_sent_as_it_is_and_a_token_as_bearer() {
    let stage = Stage::of("linear").await;
    let sent = |stage: &Stage| {
        stage
            .standin
            .last_request()
            .header("authorization")
            .to_owned()
    };
    stage.run("list_teams", json!({})).await.unwrap();
    assert_eq!(sent(&stage), format!("Bearer {}", stage.standin.token));
    let run = stage.run_as(PERSONAL_KEY, "list_teams", json!({})).await;
    assert!(run.is_ok());
    assert_eq!(sent(&stage), PERSONAL_KEY);
}

#[tokio::test]
async fn lists_are_paged_and_filtered() {
    let stage = Stage::of("linear").await;
    for title in ["two", "three"] {
        let params = json!({"teamId": TEAM, "title": title});
        stage.run("create_issue", params).await.unwrap();
    }
    let mut titles = Vec::new();
    let mut params = json!({"teamId": TEAM, "first": 2});
    loop {
        let page = stage.run("list_issues", params.clone()).await.unwrap();
        let items = page["items"].as_array().unwrap();
        titles.extend(items.iter().map(|item| item["title"].clone()));
        match &page["next"] {
            Value::Null => break,
            next => params["after"] = next.clone(),
        }
    }
    assert_eq!(titles, ["Log in fails on Safari", "two", "three"]);
    let found = stage
        .run("search_issues", json!({"term": "thr"}))
        .await
        .unwrap();
    assert_eq!(found["items"].as_array().unwrap().len(), 1);
    let none = stage
        .run("list_issues", json!({"teamId": "another"}))
        .await
        .unwrap();
    assert_eq!(none, json!({"items": [], "next": null}));
    // Without a size the bound is asked for, not what Linear thinks best.
    stage.run("list_teams", json!({})).await.unwrap();
    assert_eq!(stage.standin.last_request().body["variables"]["first"], 50);
}

/// Defect 23: an answer that says it is an error was kept as a success.
#[tokio::test]
async fn defect_23_errors_are_a_failure_whatever_the_status_and_the_data() {
    let issue = json!({"issue": {"id": "1"}});
    let table = [
        ("AUTHENTICATION_ERROR", "no", FailureKind::Unauthorized),
        ("FORBIDDEN", "no", FailureKind::Forbidden),
        ("FEATURE_NOT_ACCESSIBLE", "no", FailureKind::Forbidden),
        ("USAGE_LIMIT_EXCEEDED", "no", FailureKind::Forbidden),
        (
            "INPUT_ERROR",
            "Entity not found: Issue",
            FailureKind::NotFound,
        ),
        ("ENTITY_NOT_FOUND", "no", FailureKind::NotFound),
        ("INPUT_ERROR", "no", FailureKind::Invalid),
        ("USER_ERROR", "no", FailureKind::Invalid),
        ("GRAPHQL_VALIDATION_FAILED", "no", FailureKind::Invalid),
        ("RATELIMITED", "no", FailureKind::RateLimited),
        ("INTERNAL_SERVER_ERROR", "no", FailureKind::Upstream),
        ("SOMETHING_NEW", "no", FailureKind::Upstream),
    ];
    let stage = Stage::of("linear").await;
    for (code, message, kind) in table {
        for data in [Value::Null, issue.clone()] {
            let answer = Answer::json(200, errors(code, message, &data));
            stage.standin.fail_next([Fault::Answer(answer)]);
            let run = stage.run("get_issue", json!({"issueId": "ENG-1"})).await;
            assert_eq!(run.unwrap_err().kind, kind, "{code}");
        }
    }
    // A status that is not 200 tells more than a code that is not known.
    let answer = Answer::json(403, errors("SOMETHING_NEW", "no", &Value::Null));
    stage.standin.fail_next([Fault::Answer(answer)]);
    let run = stage.run("get_issue", json!({"issueId": "ENG-1"})).await;
    assert_eq!(run.unwrap_err().kind, FailureKind::Forbidden);
}

#[tokio::test]
async fn errors_beside_data_leave_the_outcome_of_a_change_unknown() {
    let stage = Stage::of("linear").await;
    let create = json!({"teamId": TEAM, "title": "x"});
    let done = json!({"issueCreate": {"success": true, "issue": null}});
    let table = [
        (Value::Null, Retry::Never),
        (json!({"issueCreate": null}), Retry::Never),
        (done, Retry::OutcomeUnknown),
    ];
    for (data, retry) in table {
        let answer = Answer::json(200, errors("INPUT_ERROR", "no", &data));
        stage.standin.fail_next([Fault::Answer(answer)]);
        let failure = stage.run("create_issue", create.clone()).await.unwrap_err();
        assert_eq!(failure.retry, retry, "{data}");
    }
}

#[tokio::test]
async fn what_is_not_the_answer_to_the_question_is_malformed() {
    let stage = Stage::of("linear").await;
    let table = [
        (json!({}), FailureKind::MalformedReply),
        (json!([]), FailureKind::MalformedReply),
        (json!({"data": {}}), FailureKind::MalformedReply),
        (
            json!({"data": {"issueCreate": "yes"}}),
            FailureKind::MalformedReply,
        ),
        (
            json!({"data": {"issueCreate": {}}}),
            FailureKind::MalformedReply,
        ),
        (
            json!({"data": {"issueCreate": {"success": false}}}),
            FailureKind::Invalid,
        ),
    ];
    for (body, kind) in table {
        stage
            .standin
            .fail_next([Fault::Answer(Answer::json(200, body.clone()))]);
        let run = stage.run("create_issue", json!({"teamId": TEAM, "title": "x"}));
        assert_eq!(run.await.unwrap_err().kind, kind, "{body}");
    }
    let body = json!({"data": {"issues": {"nodes": null, "pageInfo": {}}}});
    stage
        .standin
        .fail_next([Fault::Answer(Answer::json(200, body))]);
    let run = stage.run("list_issues", json!({})).await;
    assert_eq!(run.unwrap_err().kind, FailureKind::MalformedReply);
}

/// Linear says in milliseconds when a window begins anew, for each window on its own.
#[tokio::test]
async fn a_rate_limit_ends_with_the_last_window_that_is_used_up() {
    let stage = Stage::of("linear").await;
    let limited = errors("RATELIMITED", "Rate limit exceeded", &Value::Null);
    let answer = Answer::json(400, limited)
        .with_header("x-ratelimit-requests-remaining", "0")
        .with_header("x-ratelimit-requests-reset", "1767225690000")
        .with_header("x-ratelimit-complexity-remaining", "1000")
        .with_header("x-ratelimit-complexity-reset", "1767229200000");
    stage.standin.fail_next([Fault::Answer(answer)]);
    let failure = stage.run("list_teams", json!({})).await.unwrap_err();
    assert_eq!(failure.retry, Retry::Later(Duration::from_secs(90)));
    // Without any word about when.
    let answer = Answer::json(400, errors("RATELIMITED", "no", &Value::Null));
    stage.standin.fail_next([Fault::Answer(answer)]);
    let failure = stage.run("list_teams", json!({})).await.unwrap_err();
    assert_eq!(failure.retry, Retry::Later(Duration::from_mins(1)));
}

#[tokio::test]
async fn what_linear_wants_people_to_read_is_what_they_read() {
    let stage = Stage::of("linear").await;
    let run = stage.run("get_issue", json!({"issueId": "ENG-99"})).await;
    let message = run.unwrap_err().message().to_owned();
    assert_eq!(
        message,
        "Linear does not find it: Could not find referenced Issue."
    );
}
