//! The protocol's view of a session: one value per request, with its caller and its session.

use std::time::Duration;

use app::actions::{self, InvocationRequest, InvocationResult, SessionActions};
use domain::{
    caller::Caller,
    capacity::Claimant,
    id::{InvocationId, SessionId},
    limits::{MCP_TOOL_NAME_LENGTH_MAX, RUN_WAIT_MAX},
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};
use tracing::{Instrument, Span};
use wire::problem::Code;

use super::{
    names::name_all,
    outcome::{failed, outcome, refused},
    tools::{page, tools, wait_tool_name},
    wait::{WaitOptions, bounded_wait, wait_until_ended},
};
use crate::{error::Failure, rejections, state::Gateway};

/// Its name in the API, and in the log of refusals.
pub(super) const OPERATION: &str = "mcp";
const INSTRUCTIONS: &str = "Tools of the services this session is connected to. Reads run at once. A write may \
    have to be approved by a person: the call waits for that, and if it takes too long answers with status \
    `pending` and an invocationId; call proliferate__wait_for_action with it to get the result, and do not \
    repeat the call. Every call is on record.";
/// Makes a retry safe.
const META_KEY: &str = "proliferate/idempotencyKey";
/// Seconds to wait for an approval.
const META_WAIT: &str = "proliferate/wait";

/// The `_meta` of a `tools/call`.
#[derive(Debug)]
struct CallMeta {
    /// Makes a retry safe.
    key: Option<String>,
    /// Seconds to wait for an approval.
    wait: Option<u64>,
}

/// A request of a caller, in a session they have access to.
#[derive(Debug, Clone)]
pub(super) struct SessionServer {
    pub(super) gateway: Gateway,
    pub(super) caller: Caller,
    pub(super) session_id: SessionId,
    /// Seconds to wait for an approval, by the URL.
    pub(super) wait: Option<u64>,
    pub(super) span: Span,
}

impl ServerHandler for SessionServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let identity = Implementation::new("proliferate", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(identity.with_title("Proliferate"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b"_-".contains(&b);
        let is_ours = |cursor: &String| {
            (1..=MCP_TOOL_NAME_LENGTH_MAX).contains(&cursor.len()) && cursor.bytes().all(is_name)
        };
        if cursor.as_ref().is_some_and(|cursor| !is_ours(cursor)) {
            let message = "params.cursor must be the nextCursor of a page";
            return Err(ErrorData::invalid_params(message, None));
        }
        let available = self.available().instrument(self.span.clone()).await;
        let available = available.map_err(unlisted)?;
        Ok(page(tools(&available), cursor.as_deref()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let called = async {
            // Read before the call is made: a refused request must have had no effect.
            let meta = self.meta(&context).await?;
            if request.name == wait_tool_name() {
                self.resume(request.arguments, meta.wait, &context).await
            } else {
                self.call(request, meta, &context).await
            }
        };
        Ok(called.instrument(self.span.clone()).await?.into())
    }
}

impl SessionServer {
    async fn available(&self) -> app::Result<SessionActions> {
        actions::available(&self.gateway.app, &self.caller, self.session_id).await
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        meta: CallMeta,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let available = self.available().await.map_err(unlisted)?;
        let named = name_all(&available.offers);
        let Some(named) = named.get(request.name.as_ref()) else {
            return Err(self.unknown(&available, &request.name).await);
        };
        let Ok(action) = named.action.name.parse() else {
            return Err(self.unknown(&available, &request.name).await);
        };
        let invoke = InvocationRequest {
            integration: named.offer.integration.clone(),
            action,
            params: request.arguments.unwrap_or_default(),
            key: meta.key,
            correlation_id: None,
        };
        let app = &self.gateway.app;
        let invoked =
            actions::invoke(app, &self.caller, self.session_id, invoke, RUN_WAIT_MAX).await;
        match invoked {
            Ok(InvocationResult { record, result }) if record.invocation.state.is_terminal() => {
                Ok(outcome(&record, result))
            }
            Ok(InvocationResult { record, .. }) => {
                self.wait(record.invocation.id, meta.wait, context).await
            }
            Err(error) => self.failed(error).await,
        }
    }

    /// Waits for an earlier request. A wait takes one of the session's slots, so it needs the same permission as a
    /// call.
    async fn resume(
        &self,
        arguments: Option<Map<String, Value>>,
        wanted: Option<u64>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let app = &self.gateway.app;
        if let Err(error) =
            actions::check_session_steering(app, &self.caller, self.session_id).await
        {
            return self.failed(error).await;
        }
        let id = arguments.as_ref().and_then(|all| all.get("invocationId"));
        let id = id.and_then(Value::as_str).and_then(|id| id.parse().ok());
        if let Some(id) = id {
            return self.wait(id, wanted, context).await;
        }
        let message = "invocationId must be the id of a call that is pending";
        self.record_rejection(&Failure::new(Code::InvalidRequest, message))
            .await;
        Ok(refused(message))
    }

    async fn wait(
        &self,
        id: InvocationId,
        wanted: Option<u64>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let token = context.meta.get_progress_token();
        let gone = context.ct.child_token();
        let waits = &self.gateway.mcp_waits;
        let organization_id = self.caller.organization_id().clone();
        let place = waits.enter(
            &self.gateway.capacities.mcp_waits,
            &Claimant::session(organization_id, self.session_id),
            self.caller.clone(),
            self.session_id,
            context.id.clone(),
            gone.clone(),
        );
        let wait = match &place {
            Some(_) => bounded_wait(wanted, token.is_some()),
            None => Duration::ZERO,
        };
        let options = WaitOptions {
            wait,
            peer: context.peer.clone(),
            token,
            gone,
        };
        let app = &self.gateway.app;
        let ended = wait_until_ended(app, &self.caller, self.session_id, id, &options).await;
        match ended {
            Ok(InvocationResult { record, result }) => Ok(outcome(&record, result)),
            Err(error) => self.failed(error).await,
        }
    }
}

impl SessionServer {
    /// The metadata of the request beside its arguments.
    async fn meta(&self, context: &RequestContext<RoleServer>) -> Result<CallMeta, ErrorData> {
        let key = match context.meta.get(META_KEY) {
            None => None,
            Some(Value::String(key)) => Some(key.clone()),
            Some(_) => return Err(self.invalid_meta(META_KEY, "a text").await),
        };
        let wait = match context.meta.get(META_WAIT).map(Value::as_u64) {
            None => self.wait,
            Some(None) => return Err(self.invalid_meta(META_WAIT, "whole seconds").await),
            Some(seconds) => seconds,
        };
        Ok(CallMeta { key, wait })
    }

    async fn invalid_meta(&self, member: &str, expected: &str) -> ErrorData {
        let message = format!("params._meta[\"{member}\"] must be {expected}");
        self.record_rejection(&Failure::new(
            Code::InvalidRequest,
            "a member of _meta has another type",
        ))
        .await;
        ErrorData::invalid_params(message, None)
    }

    /// The call was refused or failed.
    async fn failed(&self, error: app::Error) -> Result<CallToolResult, ErrorData> {
        let (error, is_recorded) = error.into_inner();
        if !is_recorded {
            self.record_rejection(&Failure::of_error(&error)).await;
        }
        failed(error)
    }

    async fn unknown(&self, available: &SessionActions, name: &str) -> ErrorData {
        self.record_rejection(&Failure::new(Code::NotFound, "there is no such tool"))
            .await;
        unknown(available, name)
    }

    /// Records a refused call: its refusal is inside a response of status 200.
    async fn record_rejection(&self, failure: &Failure) {
        let session = ("session", self.session_id.uuid());
        rejections::record_rejection(&self.gateway, &self.caller, OPERATION, session, failure)
            .await;
    }
}

/// There is no such tool; or its server does not respond now.
fn unknown(available: &SessionActions, name: &str) -> ErrorData {
    let name: String = name.chars().take(MCP_TOOL_NAME_LENGTH_MAX).collect();
    let mut message = format!("params.name: there is no tool {name}");
    for integration in &available.unreachable {
        let (display_name, reason) = (&integration.display_name, &integration.reason);
        message = format!("{message}; {display_name} does not answer: {reason}");
    }
    ErrorData::invalid_params(message, None)
}

/// A list that could not be produced.
fn unlisted(error: app::Error) -> ErrorData {
    match failed(error) {
        Ok(refused) => {
            let text = refused
                .content
                .first()
                .and_then(|content| content.as_text());
            let text = text.map_or_else(String::new, |content| content.text.clone());
            ErrorData::internal_error(text, None)
        }
        Err(error) => error,
    }
}
