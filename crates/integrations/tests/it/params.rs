//! Good and bad params of each action, as tables.

use std::collections::BTreeSet;

use integrations::{Action, CallLimits};
use serde_json::{Value, json};
use testkit::standin::linear::TEAM;

use crate::stage::{samples, sources_at};

fn accepts(action: &Action, params: &Value) -> bool {
    action.schema.check(params.as_object().unwrap()).is_ok()
}

#[test]
fn every_schema_is_closed_bounded_and_described() {
    for source in sources_at("https://example.com", &[], CallLimits::default()).iter() {
        let name = source.name();
        for action in source.actions() {
            let schema = action.schema.document();
            assert_eq!(schema["additionalProperties"], false, "{}", action.name);
            let properties = schema["properties"].as_object().unwrap();
            for (param, property) in properties {
                let place = format!("{name} {} {param}", action.name);
                assert!(
                    property["description"].as_str().unwrap().len() > 3,
                    "{place}"
                );
                assert!(is_bounded(property), "{place}: {property}");
            }
            let names: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
            let shown: BTreeSet<&str> = action.params.iter().map(|p| p.name.as_str()).collect();
            assert_eq!(names, shown);
            assert!(action.description.ends_with('.'), "{}", action.name);
        }
    }
}

fn is_bounded(property: &Value) -> bool {
    let kind = property["type"].as_str().or(property["type"][0].as_str());
    match kind {
        Some("string") => property["maxLength"].is_u64() || property["enum"].is_array(),
        Some("integer") => property["minimum"].is_i64() && property["maximum"].is_i64(),
        Some("array") => property["maxItems"].is_u64() && is_bounded(&property["items"]),
        Some("boolean") => true,
        _ => false,
    }
}

#[test]
fn every_required_param_is_required() {
    let sources = sources_at("https://example.com", &[], CallLimits::default());
    for sample in samples() {
        let source = sources.get(sample.source).unwrap();
        let action = source.action(sample.action).unwrap();
        assert!(accepts(action, &sample.params), "{sample:?}");
        for param in action.params.iter().filter(|param| param.required) {
            let mut params = sample.params.clone();
            params.as_object_mut().unwrap().remove(&param.name).unwrap();
            assert!(
                !accepts(action, &params),
                "{sample:?} without {}",
                param.name
            );
            params[&param.name] = Value::Null;
            assert!(!accepts(action, &params), "{sample:?} with null");
            params[&param.name] = json!({"an": "object"});
            assert!(!accepts(action, &params), "{sample:?} with an object");
        }
        let mut more = sample.params.clone();
        more["surplus"] = json!(1);
        assert!(!accepts(action, &more), "{sample:?}");
    }
}

/// Pages of lists: 1 to 50, whole numbers.
#[test]
fn a_page_has_at_most_fifty_entries() {
    let mut lists = 0;
    let sources = sources_at("https://example.com", &[], CallLimits::default());
    for sample in samples() {
        let source = sources.get(sample.source).unwrap();
        let action = source.action(sample.action).unwrap();
        let size = ["first", "limit", "per_page"];
        let Some(size) = action
            .params
            .iter()
            .find(|p| size.contains(&p.name.as_str()))
        else {
            assert!(
                !action.name.starts_with("list_"),
                "{} has no size",
                action.name
            );
            continue;
        };
        lists += 1;
        for (value, good) in [
            (json!(1), true),
            (json!(50), true),
            (json!(0), false),
            (json!(51), false),
            (json!(-1), false),
            (json!(2.5), false),
            (json!("10"), false),
        ] {
            let mut params = sample.params.clone();
            params[&size.name] = value;
            assert_eq!(accepts(action, &params), good, "{} {params}", action.name);
        }
    }
    assert_eq!(lists, 10);
}

#[test]
fn good_and_bad_params_by_table() {
    let long = |length: usize| "x".repeat(length);
    let issue = |more: Value| {
        let mut params = json!({"teamId": TEAM, "title": "x"});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        params
    };
    let repo = json!({"owner": "o", "repo": "r"});
    let of_repo = |more: Value| {
        let mut params = repo.clone();
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        params
    };
    #[rustfmt::skip]
    let table = [
        ("linear", "list_issues", json!({}), true),
        ("linear", "create_issue", issue(json!({"priority": 0})), true),
        ("linear", "create_issue", issue(json!({"priority": 5})), false),
        ("linear", "create_issue", issue(json!({"priority": "high"})), false),
        ("linear", "create_issue", issue(json!({"title": ""})), false),
        ("linear", "create_issue", issue(json!({"title": long(256)})), true),
        ("linear", "create_issue", issue(json!({"title": long(257)})), false),
        ("linear", "create_issue", issue(json!({"description": long(40_000)})), true),
        ("linear", "create_issue", issue(json!({"description": long(40_001)})), false),
        ("linear", "create_issue", issue(json!({"labelIds": ["a", "b"]})), true),
        ("linear", "create_issue", issue(json!({"labelIds": "a"})), false),
        ("linear", "create_issue", issue(json!({"labelIds": vec!["a"; 51]})), false),
        ("linear", "create_issue", issue(json!({"assigneeId": null})), false),
        ("linear", "update_issue", json!({"issueId": "ENG-1"}), false),
        ("linear", "update_issue", json!({"issueId": "ENG-1", "assigneeId": null}), true),
        ("linear", "update_issue", json!({"issueId": "ENG-1", "description": ""}), true),
        ("linear", "add_comment", json!({"issueId": "ENG-1", "body": ""}), false),
        ("sentry", "update_issue", json!({"issue_id": "1"}), false),
        ("sentry", "update_issue", json!({"issue_id": "1", "status": "resolved"}), true),
        ("sentry", "update_issue", json!({"issue_id": "1", "status": "gone"}), false),
        ("sentry", "update_issue", json!({"issue_id": "1", "assignedTo": ""}), true),
        ("sentry", "get_issue", json!({"issue_id": 1}), false),
        ("sentry", "get_event", json!({"issue_id": "1"}), false),
        ("slack", "send_message", json!({"channel": "C1", "text": "x", "thread_ts": "1.2"}), true),
        ("slack", "send_message", json!({"channel": "C1", "text": ""}), false),
        ("slack", "send_message", json!({"channel": "C1", "text": "x", "as_user": true}), false),
        ("slack", "list_channels", json!({"include_private": "yes"}), false),
        ("github", "get_issue", of_repo(json!({"issue_number": 0})), false),
        ("github", "get_issue", of_repo(json!({"issue_number": "1"})), false),
        ("github", "get_issue", of_repo(json!({"issue_number": 1})), true),
        ("github", "list_issues", of_repo(json!({"state": "merged"})), false),
        ("github", "update_issue", of_repo(json!({"issue_number": 1})), false),
        ("github", "create_pull_request", of_repo(json!({"title": "x", "head": "a", "base": "b", "draft": "no"})), false),
    ];
    let sources = sources_at("https://example.com", &[], CallLimits::default());
    for (source, action, params, good) in table {
        let action = sources.get(source).unwrap().action(action).unwrap();
        assert_eq!(
            accepts(action, &params),
            good,
            "{source} {} {params}",
            action.name
        );
    }
}
