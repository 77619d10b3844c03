//! Paths of GitHub.

use domain::limits::SOURCE_PAGE_MAX;
use reqwest::Method;
use serde_json::Value;

use crate::{Failure, http::Request, service::Params};

pub(super) fn list_issues(params: &Params) -> Result<Request, Failure> {
    let labels = params.0.get("labels").and_then(Value::as_array);
    let labels = labels.map(|labels| {
        let names: Vec<&str> = labels.iter().filter_map(Value::as_str).collect();
        names.join(",")
    });
    let request = of_repository(Method::GET, params, &["issues"])?
        .with_query("state", params.word("state"))
        .with_query("labels", labels.filter(|labels| !labels.is_empty()));
    Ok(page(request, params))
}

pub(super) fn get_issue(params: &Params) -> Result<Request, Failure> {
    of_repository(Method::GET, params, &["issues", &issue(params)])
}

pub(super) fn create_issue(params: &Params) -> Result<Request, Failure> {
    let request = of_repository(Method::POST, params, &["issues"])?;
    Ok(request.with_body(params.pick(&["title", "body", "labels", "assignees"])))
}

pub(super) fn update_issue(params: &Params) -> Result<Request, Failure> {
    let request = of_repository(Method::PATCH, params, &["issues", &issue(params)])?;
    Ok(request.with_body(params.pick(&["title", "body", "state", "labels"])))
}

pub(super) fn add_comment(params: &Params) -> Result<Request, Failure> {
    let segments = ["issues", &issue(params), "comments"];
    let request = of_repository(Method::POST, params, &segments)?;
    Ok(request.with_body(params.pick(&["body"])))
}

pub(super) fn list_pull_requests(params: &Params) -> Result<Request, Failure> {
    let request = of_repository(Method::GET, params, &["pulls"])?
        .with_query("state", params.word("state"))
        .with_query("head", params.word("head"))
        .with_query("base", params.word("base"));
    Ok(page(request, params))
}

pub(super) fn get_pull_request(params: &Params) -> Result<Request, Failure> {
    let number = params.word("pull_number").unwrap_or_default();
    of_repository(Method::GET, params, &["pulls", &number])
}

pub(super) fn create_pull_request(params: &Params) -> Result<Request, Failure> {
    let request = of_repository(Method::POST, params, &["pulls"])?;
    Ok(request.with_body(params.pick(&["title", "head", "base", "body", "draft"])))
}

pub(super) fn list_checks(params: &Params) -> Result<Request, Failure> {
    let segments = ["commits", params.text("ref"), "check-runs"];
    let request = of_repository(Method::GET, params, &segments)?;
    Ok(page(request, params))
}

/// A branch may have slashes in its name, which are slashes of the path here: `heads/feature/x`.
pub(super) fn delete_branch(params: &Params) -> Result<Request, Failure> {
    let mut segments = vec!["git", "refs", "heads"];
    segments.extend(params.text("branch").split('/'));
    of_repository(Method::DELETE, params, &segments)
}

fn of_repository(method: Method, params: &Params, below: &[&str]) -> Result<Request, Failure> {
    let mut segments = vec!["repos", params.text("owner"), params.text("repo")];
    segments.extend(below);
    Request::new(method, &segments)
}

fn issue(params: &Params) -> String {
    params.word("issue_number").unwrap_or_default()
}

fn page(request: Request, params: &Params) -> Request {
    let size = params.word("per_page");
    request
        .with_query("per_page", size.or(Some(SOURCE_PAGE_MAX.to_string())))
        .with_query("page", params.word("page"))
}
