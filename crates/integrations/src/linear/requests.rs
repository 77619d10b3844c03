//! GraphQL documents. They are constant: params of an agent are sent as variables, never as text of a document.

use domain::limits::SOURCE_PAGE_MAX;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::{Failure, http::Request, service::Params};

const LIST_ISSUES: &str = "query ListIssues($filter: IssueFilter, $first: Int!, $after: String) { \
    issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) { \
    nodes { id identifier title url priority createdAt updatedAt state { id name type } \
    assignee { id name } team { id key } project { id name } } \
    pageInfo { hasNextPage endCursor } } }";

const SEARCH_ISSUES: &str = "query SearchIssues($term: String!, $teamId: String, $first: Int!, $after: String) { \
    searchIssues(term: $term, teamId: $teamId, first: $first, after: $after) { \
    nodes { id identifier title url priority createdAt updatedAt state { id name type } \
    assignee { id name } team { id key } project { id name } } \
    pageInfo { hasNextPage endCursor } } }";

const GET_ISSUE: &str = "query GetIssue($id: String!) { issue(id: $id) { \
    id identifier title description url priority createdAt updatedAt state { id name type } \
    assignee { id name } creator { id name } team { id key name } project { id name } \
    labels { nodes { id name } } \
    comments(first: 50) { nodes { id body createdAt user { id name } } \
    pageInfo { hasNextPage endCursor } } } }";

const LIST_TEAMS: &str = "query ListTeams($first: Int!, $after: String) { \
    teams(first: $first, after: $after) { \
    nodes { id key name states { nodes { id name type } } } pageInfo { hasNextPage endCursor } } }";

const CREATE_ISSUE: &str = "mutation CreateIssue($input: IssueCreateInput!) { \
    issueCreate(input: $input) { success issue { id identifier title url state { id name type } } } }";

const UPDATE_ISSUE: &str = "mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { \
    issueUpdate(id: $id, input: $input) { \
    success issue { id identifier title url priority updatedAt state { id name type } assignee { id name } } } }";

const ADD_COMMENT: &str = "mutation AddComment($input: CommentCreateInput!) { \
    commentCreate(input: $input) { success comment { id body url createdAt } } }";

const DELETE_ISSUE: &str = "mutation DeleteIssue($id: String!) { \
    issueDelete(id: $id) { success entity { id identifier } } }";

pub(super) fn list_issues(params: &Params) -> Result<Request, Failure> {
    let mut filter = Map::new();
    for (param, field) in [("teamId", "team"), ("projectId", "project")] {
        if let Some(id) = params.word(param) {
            filter.insert(field.to_owned(), json!({"id": {"eq": id}}));
        }
    }
    let mut variables = page(params);
    variables["filter"] = filter.into();
    graphql(LIST_ISSUES, &variables)
}

pub(super) fn search_issues(params: &Params) -> Result<Request, Failure> {
    let mut variables = page(params);
    variables["term"] = params.text("term").into();
    variables["teamId"] = params.word("teamId").into();
    graphql(SEARCH_ISSUES, &variables)
}

pub(super) fn get_issue(params: &Params) -> Result<Request, Failure> {
    graphql(GET_ISSUE, &json!({"id": params.text("issueId")}))
}

pub(super) fn list_teams(params: &Params) -> Result<Request, Failure> {
    graphql(LIST_TEAMS, &page(params))
}

pub(super) fn create_issue(params: &Params) -> Result<Request, Failure> {
    let input = params.pick(&[
        "teamId",
        "title",
        "description",
        "assigneeId",
        "stateId",
        "priority",
        "labelIds",
        "projectId",
    ]);
    graphql(CREATE_ISSUE, &json!({"input": input}))
}

pub(super) fn update_issue(params: &Params) -> Result<Request, Failure> {
    let input = params.pick(&["title", "description", "assigneeId", "stateId", "priority"]);
    let id = params.text("issueId");
    graphql(UPDATE_ISSUE, &json!({"id": id, "input": input}))
}

pub(super) fn add_comment(params: &Params) -> Result<Request, Failure> {
    let input = params.pick(&["issueId", "body"]);
    graphql(ADD_COMMENT, &json!({"input": input}))
}

pub(super) fn delete_issue(params: &Params) -> Result<Request, Failure> {
    graphql(DELETE_ISSUE, &json!({"id": params.text("issueId")}))
}

fn page(params: &Params) -> Value {
    let first = params.0.get("first").cloned();
    json!({
        "first": first.unwrap_or(SOURCE_PAGE_MAX.into()),
        "after": params.word("after"),
    })
}

fn graphql(document: &str, variables: &Value) -> Result<Request, Failure> {
    let request = Request::new(Method::POST, &[])?;
    Ok(request.with_body(json!({"query": document, "variables": variables})))
}
