//! The actions of Sentry.

use domain::action::Risk;

use super::{replies, requests};
use crate::{
    schema::build::{
        change, name, name_or_empty, object, one_of, optional, page_size, query, required,
    },
    service::ActionDefinition,
};

const ORGANIZATION: &str = "Slug of the organization.";
const ISSUE: &str = "Numeric id of the issue.";
const CURSOR: &str = "`next` of the page before.";
const LIMIT: &str = "How many, at most 50.";

pub(super) fn definitions() -> Vec<ActionDefinition> {
    let mut all = lists();
    all.extend(issues());
    all
}

fn lists() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_projects",
            description: "List the projects of an organization.",
            risk: Risk::Read,
            schema: object([
                required("organization_slug", name(), ORGANIZATION),
                optional("limit", page_size(), LIMIT),
                optional("cursor", name(), CURSOR),
            ]),
            request: requests::list_projects,
            answer: replies::page,
        },
        ActionDefinition {
            name: "list_issues",
            description: "List the issues of a project.",
            risk: Risk::Read,
            schema: object([
                required("organization_slug", name(), ORGANIZATION),
                required("project_slug", name(), "Slug of the project."),
                optional("query", query(), "Sentry search, such as is:unresolved."),
                optional("limit", page_size(), LIMIT),
                optional("cursor", name(), CURSOR),
            ]),
            request: requests::list_issues,
            answer: replies::page,
        },
        ActionDefinition {
            name: "list_issue_events",
            description: "List the events of an issue, newest first.",
            risk: Risk::Read,
            schema: object([
                required("issue_id", name(), ISSUE),
                optional("limit", page_size(), LIMIT),
                optional("cursor", name(), CURSOR),
            ]),
            request: requests::list_issue_events,
            answer: replies::page,
        },
    ]
}

fn issues() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "get_issue",
            description: "Get one issue.",
            risk: Risk::Read,
            schema: object([required("issue_id", name(), ISSUE)]),
            request: requests::get_issue,
            answer: replies::whole,
        },
        ActionDefinition {
            name: "get_event",
            description: "Get one event of an issue with its stack trace.",
            risk: Risk::Read,
            schema: object([
                required("issue_id", name(), ISSUE),
                required(
                    "event_id",
                    name(),
                    "Id of the event, or latest, oldest or recommended.",
                ),
            ]),
            request: requests::get_event,
            answer: replies::whole,
        },
        ActionDefinition {
            name: "update_issue",
            description: "Resolve, ignore, reopen or assign an issue.",
            risk: Risk::Write,
            schema: change([
                required("issue_id", name(), ISSUE),
                optional(
                    "status",
                    one_of(&["resolved", "resolvedInNextRelease", "unresolved", "ignored"]),
                    "New status.",
                ),
                optional(
                    "assignedTo",
                    name_or_empty(),
                    "Username, user:ID or team:ID; empty for no assignee.",
                ),
            ]),
            request: requests::update_issue,
            answer: replies::whole,
        },
        ActionDefinition {
            name: "delete_issue",
            description: "Delete an issue and its events.",
            risk: Risk::Danger,
            schema: object([required("issue_id", name(), ISSUE)]),
            request: requests::delete_issue,
            answer: replies::deleted,
        },
    ]
}
