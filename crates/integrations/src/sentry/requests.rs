//! Paths of Sentry. Each ends with a slash: without it Sentry redirects, which is not followed.

use domain::limits::SOURCE_PAGE_MAX;
use reqwest::Method;

use crate::{Failure, http::Request, service::Params};

pub(super) fn list_projects(params: &Params) -> Result<Request, Failure> {
    let organization = params.text("organization_slug");
    let request = Request::get(&["organizations", organization, "projects"])?;
    Ok(page(request, params, "per_page"))
}

pub(super) fn list_issues(params: &Params) -> Result<Request, Failure> {
    let organization = params.text("organization_slug");
    let project = params.text("project_slug");
    let request = Request::get(&["projects", organization, project, "issues"])?
        .with_query("query", params.word("query"));
    Ok(page(request, params, "limit"))
}

pub(super) fn list_issue_events(params: &Params) -> Result<Request, Failure> {
    let request = Request::get(&["issues", params.text("issue_id"), "events"])?;
    Ok(page(request, params, "per_page"))
}

pub(super) fn get_issue(params: &Params) -> Result<Request, Failure> {
    Ok(Request::get(&["issues", params.text("issue_id")])?.with_final_slash())
}

pub(super) fn get_event(params: &Params) -> Result<Request, Failure> {
    let (issue, event) = (params.text("issue_id"), params.text("event_id"));
    Ok(Request::get(&["issues", issue, "events", event])?.with_final_slash())
}

pub(super) fn update_issue(params: &Params) -> Result<Request, Failure> {
    let request = Request::new(Method::PUT, &["issues", params.text("issue_id")])?;
    let change = params.pick(&["status", "assignedTo"]);
    Ok(request.with_final_slash().with_body(change))
}

pub(super) fn delete_issue(params: &Params) -> Result<Request, Failure> {
    let request = Request::new(Method::DELETE, &["issues", params.text("issue_id")])?;
    Ok(request.with_final_slash())
}

/// The name of the page's size differs between the endpoints.
fn page(request: Request, params: &Params, size: &'static str) -> Request {
    let limit = params.word("limit");
    request
        .with_final_slash()
        .with_query(size, limit.or(Some(SOURCE_PAGE_MAX.to_string())))
        .with_query("cursor", params.word("cursor"))
}
