//! Asking for an action.

use std::time::Duration;

use domain::{
    Invalid,
    action::{
        ActionCall, ActionName, IntegrationName, Invocation,
        redact::{self, Fingerprints},
    },
    audit::SafeText,
    caller::Caller,
    id::{InvocationId, OrganizationId, SessionId},
    lease::RateKey,
    limits::{
        ACTION_PENDING_RETRY_AFTER, ACTION_RATE_MAX, ACTION_RATE_WINDOW, ACTION_RECORD_BYTES_MAX,
    },
    policy::Principal,
};
use serde_json::{Map, Value};
use store::InvocationRecord;

use super::target::{self, Found};
use crate::{
    context::App,
    error::{Error, Result},
    mediation::{self, Act, Acted, Ask, principal},
};

/// What somebody asks for.
#[derive(Debug, Clone)]
pub struct Invoke {
    pub integration: IntegrationName,
    pub action: ActionName,
    pub params: Map<String, Value>,
    /// Makes a retry safe.
    pub key: Option<String>,
    pub correlation_id: Option<SafeText<120>>,
}

/// What became of it. The record says where it stands.
#[derive(Debug)]
pub struct Invoked {
    pub record: Box<InvocationRecord>,
    /// The whole result, for whoever asked; only what the gateway itself resolved is taken out.
    pub result: Option<Value>,
}

/// Asks for an action in a session, and waits for its end if it runs at once.
pub async fn invoke(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    invoke: Invoke,
    wait: Duration,
) -> Result<Invoked> {
    let organization_id = caller.organization_id();
    super::must_act_in(app, caller, session_id).await?;
    limit_rate(app, session_id).await?;
    let names = (&invoke.integration, &invoke.action);
    let found = target::find(app, organization_id, session_id, names, &invoke.params).await;
    let found = match found {
        Ok(found) => found,
        Err(error @ Error::Invalid(_)) => {
            // What cannot be read is on record too.
            mediation::refuse_malformed(app, caller, None).await?;
            return Err(error.recorded());
        }
        Err(error) => return Err(error),
    };
    let id = InvocationId::generate(app.now(), &*app.entropy);
    let act = Act {
        ask: ask(app, organization_id, session_id, (id, None), &invoke, found)?,
        organization_id: organization_id.clone(),
        principal: principal(caller)?,
        session_id,
        parameters: invoke.params,
        key: invoke.key,
        correlation_id: invoke.correlation_id,
    };
    match mediation::act(app, act, wait).await? {
        Acted::Ended(record, result) => Ok(Invoked { record, result }),
        Acted::Underway(record) | Acted::Held(record) | Acted::Denied(Some(record)) => {
            Ok(Invoked {
                record,
                result: None,
            })
        }
        Acted::Denied(None) => Err(Error::RateLimited {
            message: "too many actions of this session wait for a person",
            retry_after: ACTION_PENDING_RETRY_AFTER,
        }
        .recorded()),
        Acted::Repeated(run_id) => super::list::ended(app, caller, run_id, wait).await,
    }
}

/// What an action brings along to be decided. `approved` is the approval that it uses.
pub(super) fn ask(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    (id, approved): (InvocationId, Option<Invocation>),
    invoke: &Invoke,
    found: Found,
) -> Result<Ask> {
    let params = Value::Object(invoke.params.clone());
    let call = ActionCall {
        organization_id,
        session_id,
        integration: &invoke.integration,
        action: &invoke.action,
        params: &params,
    };
    let unclear = |_| Invalid::new("params", "must be JSON that has one meaning only");
    let shown = redact::redact(&params, &Fingerprints::default());
    Ok(Ask {
        id,
        integration: invoke.integration.clone(),
        action: invoke.action.clone(),
        integration_id: found.target.integration_id(),
        risk: found.risk,
        call: call.sha256().map_err(unclear)?,
        tool: found.tool,
        built_in: found.built_in,
        shown: shown.preview(ACTION_RECORD_BYTES_MAX).value,
        sealed: seal(app, organization_id, id, &params)?,
        target: found.target,
        approved,
    })
}

/// The parameters as they will run, unreadable until then.
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

/// Counted across all instances. Without coordination nobody is held up.
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

/// Whoever made a run, as the decision sees them.
pub(super) fn principal_of(actor: &domain::run::RunActor) -> Principal {
    Principal {
        class: actor.class,
        actor_id: actor.id.clone(),
        role: actor.role.clone(),
    }
}
