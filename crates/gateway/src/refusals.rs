//! Refused requests on their way into the audit log: one place for all routes, so that none can forget it.
//!
//! A request that would change something, or asks for a mediated call, runs in the scope of a task-local that takes its
//! caller from wherever it is authenticated. What it is refused with says the rest. Requests without a caller belong to no
//! organization: they are counted, not recorded.

use std::{cell::RefCell, collections::BTreeMap, sync::LazyLock};

use app::audit;
use axum::{
    extract::{MatchedPath, Request},
    http::Method,
    response::Response,
};
use domain::{caller::Caller, id::SessionId};
use uuid::Uuid;
use wire::problem::Code;

use crate::{error::Failure, routes::git, state::Gateway};

tokio::task_local! {
    static CALLER: RefCell<Option<Caller>>;
}

/// Operations that are mediated calls, or decide about one. Of these a request that cannot be read is on record too.
const MEDIATED: [&str; 11] = [
    "action_approve",
    "action_deny",
    "action_grant_request",
    "action_invoke",
    "git_receive_pack",
    "git_refs",
    "git_upload_pack",
    "mcp",
    "tool_call",
    "tool_callback",
    "tool_callback_internal",
];

/// Opened by GET, and more than reading.
const TERMINAL: &str = "/proliferate/{id}/terminal";

/// The operations of the API by method and path.
static OPERATIONS: LazyLock<BTreeMap<(String, String), String>> = LazyLock::new(|| {
    let document = serde_json::to_value(crate::openapi::document()).unwrap_or_default();
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        item.as_object()
            .into_iter()
            .flatten()
            .filter_map(|(method, operation)| {
                let id = operation["operationId"].as_str()?.to_owned();
                Some(((method.to_ascii_uppercase(), path.clone()), id))
            })
    });
    operations.collect()
});

/// Tells the request under way whose it is.
pub(crate) fn identified(caller: &Caller) {
    // Requests that only read have no place for it.
    drop(CALLER.try_with(|slot| slot.replace(Some(caller.clone()))));
}

/// A request whose refusal is to be on record.
#[derive(Debug)]
pub(crate) struct Watched {
    method: Method,
    route: String,
    path: String,
}

impl Watched {
    /// `None` for one that only reads.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let route = request.extensions().get::<MatchedPath>()?.as_str();
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
        let acts = !reads || route == TERMINAL || git::ROUTES.contains(&route);
        acts.then(|| Self {
            method: request.method().clone(),
            route: route.to_owned(),
            path: request.uri().path().to_owned(),
        })
    }

    /// The response, with its refusal on record if it is one.
    pub(crate) async fn answer(
        self,
        gateway: &Gateway,
        response: impl Future<Output = Response>,
    ) -> Response {
        let answered = async {
            let response = response.await;
            (response, CALLER.with(RefCell::take))
        };
        let (response, caller) = CALLER.scope(RefCell::default(), answered).await;
        if let (Some(failure), Some(caller)) = (response.extensions().get::<Failure>(), caller)
            && let Some(request) = self.request(failure)
        {
            let code = failure.code;
            audit::refused(&gateway.app, &caller, request, code.status(), code.as_str()).await;
        }
        response
    }

    fn request(&self, failure: &Failure) -> Option<audit::Request> {
        let key = (self.method.as_str().to_owned(), self.route.clone());
        let operation = OPERATIONS.get(&key)?;
        let is_mediated = MEDIATED.contains(&operation.as_str());
        if failure.is_recorded || !is_refusal(failure.code, is_mediated) {
            return None;
        }
        let (subject, session_id) = subject(&self.route, &self.path);
        Some(audit::Request {
            operation: operation.clone(),
            subject,
            session_id,
        })
    }
}

/// Records a refusal that is told within a response of another status. `subject` is the noun and the id of what it is
/// about.
pub(crate) async fn note(
    gateway: &Gateway,
    caller: &Caller,
    operation: &str,
    (noun, id): (&str, Uuid),
    failure: &Failure,
) {
    if failure.is_recorded || !is_refusal(failure.code, true) {
        return;
    }
    let request = audit::Request {
        operation: operation.to_owned(),
        subject: Some(format!("{noun}/{id}")),
        session_id: (noun == "session").then(|| SessionId::from_uuid(id)),
    };
    let code = failure.code;
    audit::refused(&gateway.app, caller, request, code.status(), code.as_str()).await;
}

/// Whether a request that ends like this was refused. Faults of ours are none, nor is one that another instance does.
fn is_refusal(code: Code, is_mediated: bool) -> bool {
    match code.status() {
        402..=404 | 409 | 410 | 429 => code != Code::WrongInstance,
        400 | 413 | 415 => is_mediated,
        _ => false,
    }
}

/// What a path names last, such as `action/ID`, and the session in it. Texts of the caller's choice are left out: only an
/// id is told, or what has the form of one where ids are texts.
fn subject(route: &str, path: &str) -> (Option<String>, Option<SessionId>) {
    let (mut subject, mut session_id, mut collection) = (None, None, "");
    for (name, value) in route.split('/').zip(path.split('/')) {
        let noun = match name {
            "{id}" => singular(collection),
            "{invocation}" => "action".to_owned(),
            "{repo}" => "repo".to_owned(),
            "{deliveryId}" => "webhook_delivery".to_owned(),
            name => {
                if !name.starts_with('{') {
                    collection = name;
                }
                continue;
            }
        };
        let value = value.strip_suffix(".git").unwrap_or(value);
        let id = value.parse::<Uuid>().ok();
        if noun == "session" {
            session_id = id.map(SessionId::from_uuid);
        }
        let is_text = ["member", "case"].contains(&noun.as_str());
        subject = match id {
            Some(id) => Some(format!("{noun}/{id}")),
            None if is_text => Some(format!("{noun}/{value}")),
            None => None,
        };
    }
    (subject, session_id)
}

/// The noun of a collection's members.
fn singular(collection: &str) -> String {
    match collection {
        "proliferate" => "session".to_owned(),
        collection => collection.trim_end_matches('s').replace('-', "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mediated_operation_is_one_of_the_api() {
        for operation in MEDIATED {
            let known = OPERATIONS.values().any(|known| known == operation);
            assert!(known, "{operation}");
        }
    }

    #[test]
    fn a_path_names_its_last_id_and_no_text() {
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        let other = "0192f0c1-2345-7abc-8def-0123456789ac";
        let table = [
            (
                "/v1/repos/{id}",
                format!("/v1/repos/{id}"),
                format!("repo/{id}"),
                false,
            ),
            (
                "/v1/repos/{id}",
                "/v1/repos/hush".to_owned(),
                String::new(),
                false,
            ),
            ("/v1/repos", "/v1/repos".to_owned(), String::new(), false),
            (
                "/v1/members/{id}",
                "/v1/members/user_1".to_owned(),
                "member/user_1".to_owned(),
                false,
            ),
            (
                "/v1/api-keys/{id}",
                format!("/v1/api-keys/{id}"),
                format!("api_key/{id}"),
                false,
            ),
            (
                "/v1/sessions/{id}/env",
                format!("/v1/sessions/{id}/env"),
                format!("session/{id}"),
                true,
            ),
            (
                "/proliferate/{id}/tools/{tool}",
                format!("/proliferate/{id}/tools/hush"),
                format!("session/{id}"),
                true,
            ),
            (
                "/proliferate/{id}/git/{repo}/git-receive-pack",
                format!("/proliferate/{id}/git/{other}.git/git-receive-pack"),
                format!("repo/{other}"),
                true,
            ),
            (
                "/proliferate/{id}/actions/invocations/{invocation}/approve",
                format!("/proliferate/{id}/actions/invocations/{other}/approve"),
                format!("action/{other}"),
                true,
            ),
        ];
        for (route, path, expected, in_session) in table {
            let (subject, session_id) = subject(route, &path);
            assert_eq!(subject.unwrap_or_default(), expected, "{path}");
            let session = in_session.then(|| id.parse().unwrap());
            assert_eq!(session_id, session, "{path}");
        }
    }
}
