//! The actions of Linear.

use domain::action::Risk;

use super::{replies, requests};
use crate::{
    schema::build::{
        body, change, integer, name, name_or_null, names, object, optional, optional_body,
        page_size, query, required, title,
    },
    service::ActionDefinition,
};

const ISSUE: &str = "Id of the issue, or its identifier such as ENG-123.";
const PRIORITY: &str = "0 none, 1 urgent, 2 high, 3 medium, 4 low.";
const AFTER: &str = "`next` of the page before.";

pub(super) fn definitions() -> Vec<ActionDefinition> {
    let mut all = reads();
    all.extend(writes());
    all
}

fn reads() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_issues",
            description: "List issues, those changed last first.",
            risk: Risk::Read,
            schema: object([
                optional("teamId", name(), "Only issues of this team."),
                optional("projectId", name(), "Only issues of this project."),
                optional("first", page_size(), "How many, at most 50."),
                optional("after", name(), AFTER),
            ]),
            request: requests::list_issues,
            answer: |reply| replies::page(reply, "issues"),
        },
        ActionDefinition {
            name: "search_issues",
            description: "Search issues by words in title and description.",
            risk: Risk::Read,
            schema: object([
                required("term", query(), "What to search for."),
                optional("teamId", name(), "Only issues of this team."),
                optional("first", page_size(), "How many, at most 50."),
                optional("after", name(), AFTER),
            ]),
            request: requests::search_issues,
            answer: |reply| replies::page(reply, "searchIssues"),
        },
        ActionDefinition {
            name: "get_issue",
            description: "Get one issue with its description and comments.",
            risk: Risk::Read,
            schema: object([required("issueId", name(), ISSUE)]),
            request: requests::get_issue,
            answer: |reply| replies::entity(reply, "issue"),
        },
        ActionDefinition {
            name: "list_teams",
            description: "List teams with their workflow states.",
            risk: Risk::Read,
            schema: object([
                optional("first", page_size(), "How many, at most 50."),
                optional("after", name(), AFTER),
            ]),
            request: requests::list_teams,
            answer: |reply| replies::page(reply, "teams"),
        },
    ]
}

fn writes() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "create_issue",
            description: "Create an issue.",
            risk: Risk::Write,
            schema: object([
                required("teamId", name(), "Id of the team."),
                required("title", title(), "Title."),
                optional("description", optional_body(), "Description in Markdown."),
                optional("assigneeId", name(), "Id of the person it is for."),
                optional("stateId", name(), "Id of the workflow state."),
                optional("priority", integer(0, 4), PRIORITY),
                optional("labelIds", names(), "Ids of labels."),
                optional("projectId", name(), "Id of the project."),
            ]),
            request: requests::create_issue,
            answer: |reply| replies::done(reply, "issueCreate", "issue"),
        },
        ActionDefinition {
            name: "update_issue",
            description: "Change an issue; what is not given stays as it is.",
            risk: Risk::Write,
            schema: change([
                required("issueId", name(), ISSUE),
                optional("title", title(), "New title."),
                optional(
                    "description",
                    optional_body(),
                    "New description in Markdown.",
                ),
                optional(
                    "assigneeId",
                    name_or_null(),
                    "Id of a person, or null for no assignee.",
                ),
                optional("stateId", name(), "Id of the new workflow state."),
                optional("priority", integer(0, 4), PRIORITY),
            ]),
            request: requests::update_issue,
            answer: |reply| replies::done(reply, "issueUpdate", "issue"),
        },
        ActionDefinition {
            name: "add_comment",
            description: "Add a comment to an issue.",
            risk: Risk::Write,
            schema: object([
                required("issueId", name(), ISSUE),
                required("body", body(), "The comment in Markdown."),
            ]),
            request: requests::add_comment,
            answer: |reply| replies::done(reply, "commentCreate", "comment"),
        },
        ActionDefinition {
            name: "delete_issue",
            description: "Delete an issue.",
            risk: Risk::Danger,
            schema: object([required("issueId", name(), ISSUE)]),
            request: requests::delete_issue,
            answer: |reply| replies::done(reply, "issueDelete", "entity"),
        },
    ]
}
