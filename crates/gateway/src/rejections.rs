//! Records rejected requests in the audit log: one place for all routes, so that none can omit it.
//!
//! A request that would change something, or asks for a mediated call, runs in the scope of a task-local that receives
//! its caller when it is authenticated. The rest comes from the rejection. Requests without a caller belong to no
//! organization: they are counted, not recorded.

mod caller;
mod operations;
mod subject;

use std::sync::LazyLock;

use app::audit;
use axum::{
    extract::{MatchedPath, Request},
    http::{Method, header},
    response::Response,
};
use domain::{caller::Caller, id::SessionId};
use uuid::Uuid;
use wire::problem::Code;

use self::subject::subject;
pub(crate) use self::{
    caller::set_caller,
    operations::{Operations, operations_of},
};
use crate::{error::Failure, proxied::proxied_operation, routes::git, state::Gateway};

/// Operations that are mediated calls, or decide about one. For these an invalid request is recorded, too.
pub const MEDIATED: [&str; 11] = [
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

/// Opened by GET, although it is not read-only.
const TERMINAL: &str = "/proliferate/{id}/terminal";

/// A request whose rejection is recorded.
#[derive(Debug)]
pub(crate) struct AuditedRequest {
    method: Method,
    route: String,
    path: String,
}

impl AuditedRequest {
    /// `None` for one that only reads.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let route = request.extensions().get::<MatchedPath>()?.as_str();
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
        // Bytes go both ways on what is upgraded.
        let carries =
            proxied_operation(route).is_some() && request.headers().contains_key(header::UPGRADE);
        let acts = !reads || carries || route == TERMINAL || git::ROUTES.contains(&route);
        acts.then(|| Self {
            method: request.method().clone(),
            route: route.to_owned(),
            path: request.uri().path().to_owned(),
        })
    }

    /// Returns the response, after recording its rejection if it is one.
    pub(crate) async fn record_response(
        self,
        gateway: &Gateway,
        operations: &LazyLock<Operations>,
        response: impl Future<Output = Response>,
    ) -> Response {
        let (response, caller) = caller::with_identified_caller(response).await;
        if let (Some(failure), Some(caller)) = (response.extensions().get::<Failure>(), caller)
            && let Some(request) = self.rejected_request(operations, failure)
        {
            let code = failure.code;
            audit::record_refusal(&gateway.app, &caller, request, code.status(), code.as_str())
                .await;
        }
        response
    }

    fn rejected_request(
        &self,
        operations: &LazyLock<Operations>,
        failure: &Failure,
    ) -> Option<audit::RefusedRequest> {
        let operation = match proxied_operation(&self.route) {
            Some(operation) => operation,
            None => operations.find(&self.method, &self.route)?,
        };
        let is_mediated = MEDIATED.contains(&operation);
        if failure.is_recorded || !is_rejection(failure.code, is_mediated) {
            return None;
        }
        let (subject, session_id) = subject(&self.route, &self.path);
        Some(audit::RefusedRequest {
            operation: operation.to_owned(),
            subject,
            session_id,
        })
    }
}

/// Runs work that has its own caller within a connection whose response was already sent, and records its rejection.
/// `subject` is as in [`record_rejection`].
pub(crate) async fn run_and_record<T>(
    gateway: &Gateway,
    operation: &str,
    subject: (&str, Uuid),
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let (result, caller) = caller::with_identified_caller(work).await;
    if let (Err(failure), Some(caller)) = (&result, caller) {
        record_rejection(gateway, &caller, operation, subject, failure).await;
    }
    result
}

/// Records a rejection that is sent within a response of another status. `subject` is the noun and the id of the
/// entity.
pub(crate) async fn record_rejection(
    gateway: &Gateway,
    caller: &Caller,
    operation: &str,
    (noun, id): (&str, Uuid),
    failure: &Failure,
) {
    if failure.is_recorded || !is_rejection(failure.code, true) {
        return;
    }
    let request = audit::RefusedRequest {
        operation: operation.to_owned(),
        subject: Some(format!("{noun}/{id}")),
        session_id: (noun == "session").then(|| SessionId::from_uuid(id)),
    };
    let code = failure.code;
    audit::record_refusal(&gateway.app, caller, request, code.status(), code.as_str()).await;
}

/// Whether a response with this code is a rejection. The gateway's own faults are not, nor are redirections to another
/// instance.
fn is_rejection(code: Code, is_mediated: bool) -> bool {
    match code.status() {
        402..=404 | 409 | 410 | 429 => code != Code::WrongInstance,
        400 | 413 | 415 => is_mediated,
        _ => false,
    }
}
