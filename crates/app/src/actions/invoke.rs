//! Invokes an action: the entry of its mediated call.

use std::{sync::Arc, time::Duration};

use domain::{
    Invalid,
    action::{
        ActionCall, ActionName, IntegrationName, Invocation,
        redact::{self, Fingerprints},
    },
    audit::SafeText,
    caller::Caller,
    id::{InvocationId, OrganizationId, RunId, SessionId},
    lease::RateKey,
    limits::{
        ACTION_PENDING_RETRY_AFTER, ACTION_RATE_MAX, ACTION_RATE_WINDOW, ACTION_RECORD_BYTES_MAX,
    },
    policy::{InvalidName, LaneId, Operation},
};
use serde_json::{Map, Value};

use super::{
    execute::ActionExecutor,
    list::{self, InvocationResult},
    target::{self, ResolvedAction},
};
use crate::{
    context::App,
    error::{Error, Result},
    mediation::{
        self,
        call::{ActionRequest, CallKind, MediatedCall, checked_key},
        decision::CallOutcome,
        identify::CallerIdentity,
        malformed::MalformedCall,
    },
};

/// An action that a caller requests.
#[derive(Debug, Clone)]
pub struct InvocationRequest {
    pub integration: IntegrationName,
    pub action: ActionName,
    pub params: Map<String, Value>,
    /// Makes a retry safe.
    pub key: Option<String>,
    pub correlation_id: Option<SafeText<120>>,
}

/// Invokes an action in a session, and waits for its end if it runs at once.
pub async fn invoke(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    invoke: InvocationRequest,
    wait: Duration,
) -> Result<InvocationResult> {
    let organization_id = caller.organization_id();
    super::check_session_steering(app, caller, session_id).await?;
    limit_rate(app, session_id).await?;
    let names = (&invoke.integration, &invoke.action);
    let found = target::find(app, organization_id, session_id, names, &invoke.params).await;
    let found = match found {
        Ok(found) => found,
        Err(error @ Error::Invalid(_)) => {
            MalformedCall::shapeless(None).record(app, caller).await?;
            return Err(error.recorded());
        }
        Err(error) => return Err(error),
    };
    let id = InvocationId::generate(app.now(), &*app.entropy);
    let identity = CallerIdentity::of(caller)?;
    let call = mediated_call(app, identity, session_id, (id, None), invoke, found)?;
    let outcome = mediation::run(app, call, wait).await?;
    if outcome.replayed {
        return list::replayed(app, caller, outcome.run.id).await;
    }
    let CallOutcome {
        invocation, result, ..
    } = outcome;
    match invocation {
        Some(record) => Ok(InvocationResult { record, result }),
        None => Err(Error::RateLimited {
            message: "too many actions of this session wait for a person",
            retry_after: ACTION_PENDING_RETRY_AFTER,
        }
        .recorded()),
    }
}

/// The mediated call of an action, with its executor. `approved` is the approval that it uses.
pub(super) fn mediated_call(
    app: &App,
    caller: CallerIdentity,
    session_id: SessionId,
    (id, approved): (InvocationId, Option<Invocation>),
    invoke: InvocationRequest,
    found: ResolvedAction,
) -> Result<MediatedCall> {
    let organization_id = &caller.organization_id;
    let params = Value::Object(invoke.params.clone());
    let action_call = ActionCall {
        organization_id,
        session_id,
        integration: &invoke.integration,
        action: &invoke.action,
        params: &params,
    };
    let unclear = |_| Invalid::new("params", "must be JSON that has one meaning only");
    let shown = redact::redact(&params, &Fingerprints::default());
    let prepared_run_id = approved.as_ref().map(|approved| approved.run_id);
    let request = ActionRequest {
        id,
        integration: invoke.integration.clone(),
        action: invoke.action.clone(),
        integration_id: found.target.integration_id(),
        risk: found.risk,
        call_sha256: action_call.sha256().map_err(unclear)?,
        tool_sha256: found.tool,
        built_in: found.built_in,
        shown: shown.preview(ACTION_RECORD_BYTES_MAX).value,
        sealed: seal(app, organization_id, id, &params)?,
        approved,
    };
    let executor = ActionExecutor {
        app: app.clone(),
        action: invoke.action,
        risk: found.risk,
        target: found.target,
    };
    let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for actions");
    let operation = Operation::new(found.risk.operation()).map_err(wrong)?;
    let lane_id = LaneId::new(found.risk.lane()).map_err(wrong)?;
    let key = checked_key(invoke.key).map_err(|why| Invalid::new("Idempotency-Key", why))?;
    let kind = CallKind::Action(Box::new(request));
    let run_id = RunId::generate(app.now(), &*app.entropy);
    let mut call = MediatedCall::in_session(
        kind,
        caller,
        session_id,
        lane_id,
        operation,
        invoke.params,
        run_id,
    );
    if let Some(id) = prepared_run_id {
        call.use_prepared_run(id);
    }
    call.idempotency_key = key;
    call.correlation_id = invoke.correlation_id;
    call.executor = Some(Arc::new(executor));
    Ok(call)
}

/// Encrypts the parameters until they run.
fn seal(
    app: &App,
    organization_id: &OrganizationId,
    id: InvocationId,
    params: &Value,
) -> Result<String> {
    let text = zeroize::Zeroizing::new(params.to_string());
    let associated = associated_data(organization_id, id);
    app.keyring.seal(&*app.entropy, &associated, &text)
}

/// Binds sealed parameters to their invocation: moved to another they do not open.
pub(super) fn associated_data(organization_id: &OrganizationId, id: InvocationId) -> String {
    format!("invocation:{organization_id}:{id}")
}

/// Limits the rate of actions of a session, across all instances. Without coordination there is no limit.
async fn limit_rate(app: &App, session_id: SessionId) -> Result<()> {
    let key = RateKey::Actions(session_id);
    let limiter = app.rate_limiter();
    match limiter
        .check(key, ACTION_RATE_WINDOW, ACTION_RATE_MAX)
        .await
    {
        coord::Admission::Limited { retry_after, .. } => Err(Error::RateLimited {
            message: "this session asks for actions too often",
            retry_after,
        }),
        coord::Admission::Allowed { .. } | coord::Admission::Degraded => Ok(()),
    }
}
