//! Records refused requests in the audit log: one place for all routes, so that none can omit it.
//!
//! A request that would change something, or asks for a mediated call, runs in the scope of a task-local that receives
//! its caller when it is authenticated. The rest comes from the refusal. Requests without a caller belong to no
//! organization: they are counted, not recorded.

mod subject;

use std::{cell::RefCell, collections::BTreeMap, sync::LazyLock};

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
use crate::{error::Failure, router::PROXIED_PATHS, routes::git, state::Gateway};

tokio::task_local! {
    static CALLER: RefCell<Option<Caller>>;
}

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

/// Sets the caller of the current request.
pub(crate) fn identified(caller: &Caller) {
    // Requests that only read have no slot for it.
    drop(CALLER.try_with(|slot| slot.replace(Some(caller.clone()))));
}

/// A request whose refusal is recorded.
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

    /// Returns the response, after recording its refusal if it is one.
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
            audit::record_refusal(&gateway.app, &caller, request, code.status(), code.as_str())
                .await;
        }
        response
    }

    fn request(&self, failure: &Failure) -> Option<audit::RefusedRequest> {
        let key = (self.method.as_str().to_owned(), self.route.clone());
        let operation = match proxied_operation(&self.route) {
            Some(operation) => operation,
            None => OPERATIONS.get(&key)?.as_str(),
        };
        let is_mediated = MEDIATED.contains(&operation);
        if failure.is_recorded || !is_refusal(failure.code, is_mediated) {
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

/// Returns the operation of a route that leads to a server in a sandbox. The document has only `GET` of these addresses.
fn proxied_operation(route: &str) -> Option<&'static str> {
    let [preview, below_preview, look, below_look] = PROXIED_PATHS;
    if [preview, below_preview].contains(&route) {
        Some("session_preview")
    } else if [look, below_look].contains(&route) {
        Some("session_preview_look")
    } else {
        None
    }
}

/// Runs work that has its own caller within a connection whose response was already sent, and records its refusal.
/// `subject` is as in [`note`].
pub(crate) async fn recorded<T>(
    gateway: &Gateway,
    operation: &str,
    subject: (&str, Uuid),
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let identifying = async {
        let done = work.await;
        (done, CALLER.with(RefCell::take))
    };
    let (done, caller) = CALLER.scope(RefCell::default(), identifying).await;
    if let (Err(failure), Some(caller)) = (&done, caller) {
        note(gateway, &caller, operation, subject, failure).await;
    }
    done
}

/// Records a refusal that is sent within a response of another status. `subject` is the noun and the id of the
/// entity.
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
    let request = audit::RefusedRequest {
        operation: operation.to_owned(),
        subject: Some(format!("{noun}/{id}")),
        session_id: (noun == "session").then(|| SessionId::from_uuid(id)),
    };
    let code = failure.code;
    audit::record_refusal(&gateway.app, caller, request, code.status(), code.as_str()).await;
}

/// Whether a response with this code is a refusal. The gateway's own faults are not, nor are redirections to another
/// instance.
fn is_refusal(code: Code, is_mediated: bool) -> bool {
    match code.status() {
        402..=404 | 409 | 410 | 429 => code != Code::WrongInstance,
        400 | 413 | 415 => is_mediated,
        _ => false,
    }
}
