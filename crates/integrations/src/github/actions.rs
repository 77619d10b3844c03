//! The actions of GitHub.

use domain::action::Risk;
use serde_json::Value;

use super::{replies, requests};
use crate::{
    schema::build::{
        Property, body, change, flag, integer, name, names, object, one_of, optional,
        optional_body, page_size, required, title,
    },
    service::ActionDefinition,
};

pub(super) fn definitions() -> Vec<ActionDefinition> {
    let mut all = issues();
    all.extend(issue_changes());
    all.extend(pull_requests());
    all.extend(branches());
    all
}

fn issues() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_issues",
            description: "List issues of a repository, newest first. Pull requests are among them.",
            risk: Risk::Read,
            schema: object([
                owner(),
                repo(),
                optional("state", state(), "open unless given."),
                optional("labels", names(), "Only with all of these labels."),
                optional("per_page", page_size(), "How many, at most 50."),
                optional("page", page_number(), "`next` of the page before."),
            ]),
            request: requests::list_issues,
            answer: |reply| replies::page(reply, replies::issue),
        },
        ActionDefinition {
            name: "get_issue",
            description: "Get one issue with its text.",
            risk: Risk::Read,
            schema: object([
                owner(),
                repo(),
                number("issue_number", "Number of the issue."),
            ]),
            request: requests::get_issue,
            answer: |reply| replies::one(reply, replies::issue),
        },
    ]
}

fn issue_changes() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "create_issue",
            description: "Create an issue.",
            risk: Risk::Write,
            schema: object([
                owner(),
                repo(),
                required("title", title(), "Title."),
                optional("body", optional_body(), "Text in Markdown."),
                optional("labels", names(), "Labels."),
                optional("assignees", names(), "Logins of people it is for."),
            ]),
            request: requests::create_issue,
            answer: |reply| replies::one(reply, replies::issue),
        },
        ActionDefinition {
            name: "update_issue",
            description: "Change an issue, close or reopen it; what is not given stays as it is.",
            risk: Risk::Write,
            schema: change([
                owner(),
                repo(),
                number("issue_number", "Number of the issue."),
                optional("title", title(), "New title."),
                optional("body", optional_body(), "New text in Markdown."),
                optional("state", one_of(&["open", "closed"]), "New state."),
                optional("labels", names(), "Labels instead of those it has."),
            ]),
            request: requests::update_issue,
            answer: |reply| replies::one(reply, replies::issue),
        },
        ActionDefinition {
            name: "add_comment",
            description: "Add a comment to an issue or a pull request.",
            risk: Risk::Write,
            schema: object([
                owner(),
                repo(),
                number("issue_number", "Number of the issue or pull request."),
                required("body", body(), "The comment in Markdown."),
            ]),
            request: requests::add_comment,
            answer: |reply| replies::one(reply, replies::comment),
        },
    ]
}

fn pull_requests() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_pull_requests",
            description: "List pull requests of a repository, newest first.",
            risk: Risk::Read,
            schema: object([
                owner(),
                repo(),
                optional("state", state(), "open unless given."),
                optional("head", name(), "Only from this branch, as OWNER:BRANCH."),
                optional("base", name(), "Only into this branch."),
                optional("per_page", page_size(), "How many, at most 50."),
                optional("page", page_number(), "`next` of the page before."),
            ]),
            request: requests::list_pull_requests,
            answer: |reply| replies::page(reply, replies::pull_request),
        },
        ActionDefinition {
            name: "get_pull_request",
            description: "Get one pull request with its text and whether it can be merged.",
            risk: Risk::Read,
            schema: object([
                owner(),
                repo(),
                number("pull_number", "Number of the pull request."),
            ]),
            request: requests::get_pull_request,
            answer: |reply| replies::one(reply, replies::pull_request),
        },
        ActionDefinition {
            name: "create_pull_request",
            description: "Open a pull request for a branch that is there already.",
            risk: Risk::Write,
            schema: object([
                owner(),
                repo(),
                required("title", title(), "Title."),
                required(
                    "head",
                    name(),
                    "The branch with the changes, or OWNER:BRANCH.",
                ),
                required("base", name(), "The branch to change."),
                optional("body", optional_body(), "Text in Markdown."),
                optional("draft", flag(), "Whether it is a draft."),
            ]),
            request: requests::create_pull_request,
            answer: |reply| replies::one(reply, replies::pull_request),
        },
    ]
}

fn branches() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_checks",
            description: "List the check runs of a commit, branch or tag.",
            risk: Risk::Read,
            schema: object([
                owner(),
                repo(),
                required("ref", name(), "Commit, branch or tag."),
                optional("per_page", page_size(), "How many, at most 50."),
                optional("page", page_number(), "`next` of the page before."),
            ]),
            request: requests::list_checks,
            answer: replies::checks,
        },
        ActionDefinition {
            name: "delete_branch",
            description: "Delete a branch.",
            risk: Risk::Danger,
            schema: object([
                owner(),
                repo(),
                required("branch", name(), "Name of the branch."),
            ]),
            request: requests::delete_branch,
            answer: replies::deleted,
        },
    ]
}

fn owner() -> Property {
    required("owner", name(), "Owner of the repository.")
}

fn repo() -> Property {
    required("repo", name(), "Name of the repository, without its owner.")
}

fn number(name: &'static str, description: &str) -> Property {
    required(name, integer(1, i32::MAX.into()), description)
}

fn page_number() -> Value {
    integer(1, 10_000)
}

fn state() -> Value {
    one_of(&["open", "closed", "all"])
}
