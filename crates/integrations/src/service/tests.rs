//! Whatever a service answers, reading it ends in a value or in a failure: never in a panic, and never in a
//! success that was none.

use proptest::{collection::vec, option, prelude::*, sample::select};
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Map, Value, json};

use super::*;
use crate::{github::GitHub, linear::Linear, sentry::Sentry, slack::Slack};

/// Names that readers look for, so that documents get past their first look.
const KEYS: &[&str] = &[
    "data",
    "errors",
    "message",
    "extensions",
    "code",
    "userPresentableMessage",
    "issues",
    "issue",
    "searchIssues",
    "teams",
    "nodes",
    "pageInfo",
    "hasNextPage",
    "endCursor",
    "issueCreate",
    "success",
    "entity",
    "comment",
    "ok",
    "error",
    "channels",
    "response_metadata",
    "next_cursor",
    "messages",
    "needed",
    "topic",
    "value",
    "detail",
    "check_runs",
    "labels",
    "assignees",
    "login",
    "user",
    "head",
    "ref",
    "field",
    "id",
];

/// Headers that readers look at.
const HEADERS: &[&str] = &[
    "retry-after",
    "link",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-ratelimit-requests-remaining",
    "x-ratelimit-requests-reset",
    "x-sentry-rate-limit-reset",
];

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(vec![
            "",
            "RATELIMITED",
            "ratelimited",
            "Entity not found",
            "rate limit",
            "ä"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let members = vec((select(KEYS), inner.clone()), 0..6);
        let object = members.prop_map(|members| {
            let named = members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value));
            Value::Object(named.collect::<Map<_, _>>())
        });
        prop_oneof![vec(inner, 0..4).prop_map(Value::from), object]
    })
}

fn headers() -> impl Strategy<Value = HeaderMap> {
    let values = select(vec![
        "0",
        "7",
        "-1",
        "soon",
        "1767225700",
        "1e300",
        "<https://x/?page=2>; rel=\"next\"; results=\"true\"; cursor=\"c\"",
        "<>; rel=\"next\"",
        "Thu, 01 Jan 2026 00:00:30 GMT",
    ]);
    vec((select(HEADERS), values), 0..4).prop_map(|pairs| {
        let header = |(name, value): (&'static str, &str)| {
            (
                HeaderName::from_static(name),
                value.parse().expect("a header"),
            )
        };
        pairs.into_iter().map(header).collect()
    })
}

/// Reads the reply as each action of a service would.
fn read_by<S: Service>(status: u16, headers: &HeaderMap, body: &[u8]) -> Result<(), TestCaseError> {
    let now = Timestamp::from_micros(1_767_225_600_000_000).expect("a moment");
    for definition in S::definitions() {
        let reply = Reply::new(status, headers.clone(), body, &"a-credential".into());
        let found = read_reply::<S>(&definition, reply, now);
        let is_success = (200..300).contains(&status);
        prop_assert!(
            is_success || found.is_err(),
            "{} {}",
            S::SOURCE.name,
            definition.name
        );
        if let Err(failure) = found {
            let failure = failure.into_failure(S::SOURCE.display_name, definition.risk);
            prop_assert!(failure.message().starts_with(S::SOURCE.display_name));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn reading_a_reply_never_panics(
        status in select(vec![200, 201, 202, 204, 302, 400, 401, 403, 404, 422, 429, 500, 503]),
        headers in headers(),
        document in document(),
        cut in option::of(0_usize..200),
    ) {
        let mut body = document.to_string().into_bytes();
        body.truncate(cut.unwrap_or(usize::MAX));
        read_by::<Linear>(status, &headers, &body)?;
        read_by::<Sentry>(status, &headers, &body)?;
        read_by::<Slack>(status, &headers, &body)?;
        read_by::<GitHub>(status, &headers, &body)?;
    }

    /// `errors` and `ok: false` are failures, whatever else is said.
    #[test]
    fn what_says_that_it_failed_has_failed(document in document()) {
        let errors = json!({"errors": [document], "data": document});
        read_as_failure::<Linear>(&errors)?;
        let mut refused = json!({"channels": document, "message": document});
        refused["ok"] = json!(false);
        read_as_failure::<Slack>(&refused)?;
    }
}

fn read_as_failure<S: Service>(document: &Value) -> Result<(), TestCaseError> {
    let now = Timestamp::from_micros(0).expect("a moment");
    let body = document.to_string();
    for definition in S::definitions() {
        let credential = "a-credential".into();
        let reply = Reply::new(200, HeaderMap::new(), body.as_bytes(), &credential);
        prop_assert!(
            read_reply::<S>(&definition, reply, now).is_err(),
            "{}",
            definition.name
        );
    }
    Ok(())
}
