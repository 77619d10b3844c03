//! All of a call, from its sealed form, for a person who decides it.
//!
//! The stored copy has secrets taken out and is cut to size; what is decided on must not be. That a call was opened is
//! on record, with who opened it and the digest of the call.
//!
//! INVARIANT: what is opened has the digest that an approval names. Nothing is left out but credentials that the
//! gateway itself adds to the call; the rest is letter by letter what would run.

use domain::{
    action::{
        Invocation, InvocationState,
        redact::{self, Fingerprints},
    },
    caller::Caller,
    canonical,
    id::{InvocationId, SessionId},
};
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value};

use super::{invoke::associated_data, list};
use crate::{
    access::Admin,
    audit, connectors,
    context::App,
    error::{Error, Result},
    integrations,
};

/// A call as it would run.
#[derive(Debug)]
pub struct OpenedCall {
    pub invocation: Invocation,
    /// All of them, but for credentials of the gateway.
    pub params: Value,
    /// Places where such a credential was left out.
    pub left_out: usize,
}

/// Opens a call, and records that it was opened.
pub async fn open(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    id: InvocationId,
) -> Result<OpenedCall> {
    let admin = Admin::of(caller)?;
    let record = list::fetch(app, caller, Some(session_id), id).await?;
    let invocation = record.invocation;
    if invocation.state.is_terminal() {
        return Err(over(&invocation));
    }
    let params = Value::Object(unseal(app, &invocation).await?);
    let known = credentials(app, &invocation).await?;
    let shown = redact::hide_known(&params, &known);
    let (opened, asked) = (("action_open", id.uuid()), invocation.binding.sha256());
    let mut tx = app.db.write().await?;
    audit::record_operation_about(&mut tx, app, &admin, opened, asked).await?;
    tx.commit().await?;
    Ok(OpenedCall {
        invocation,
        params: shown.value,
        left_out: shown.hidden,
    })
}

/// The parameters as they run: those of the digest that an approval names, or an error.
pub(super) async fn unseal(app: &App, invocation: &Invocation) -> Result<Map<String, Value>> {
    let (organization_id, id) = (&invocation.organization_id, invocation.id);
    let sealed = {
        let mut conn = app.db.read().await?;
        store::invocation_sealed_params(&mut conn, organization_id, id).await?
    };
    let sealed = sealed.ok_or_else(|| Error::Conflict("it was decided meanwhile".to_owned()))?;
    let associated = associated_data(organization_id, id);
    let opened = app.keyring.open(&associated, &sealed)?;
    let params = canonical::parse(opened.expose_secret().as_bytes());
    let params = params.ok().filter(|params| invocation.is_call_with(params));
    match params {
        Some(Value::Object(params)) => Ok(params),
        _ => Err(Error::Sealed(
            "the parameters of an action are not those of its digest",
        )),
    }
}

/// What the gateway adds to this call when it runs, as far as it is stored.
async fn credentials(app: &App, invocation: &Invocation) -> Result<Fingerprints> {
    let organization_id = &invocation.organization_id;
    if let Some(id) = invocation.integration_id {
        return integrations::stored_fingerprints(app, organization_id, id).await;
    }
    match invocation.integration.connector_id() {
        Some(id) => {
            connectors::stored_fingerprints(app, organization_id, invocation.session_id, id).await
        }
        None => Ok(Fingerprints::default()),
    }
}

fn over(invocation: &Invocation) -> Error {
    let status = invocation.state.status();
    let message = format!("the call is {status}: all of it is kept only until it is over");
    match invocation.state {
        InvocationState::Expired { .. } => Error::Gone(message),
        _ => Error::Conflict(message),
    }
}
