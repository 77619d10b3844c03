//! Once: a call claims its idempotency key in the transaction that decides it, and a call that comes again under
//! the key is answered from the first one's run.

use domain::{id::RunId, policy::ScopeKey, run::Run};
use store::{RunTaken, Tx};

use super::{call::MediatedCall, facts::FoundFacts};
use crate::error::Result;

/// The scope in which an idempotency key means something: the case or session, and the actor.
pub(super) fn key_scope(call: &MediatedCall) -> String {
    let place = match (&call.request.case_id, call.session_id) {
        (Some(case_id), _) => format!("case:{case_id}"),
        (None, Some(session_id)) => format!("session:{session_id}"),
        (None, None) => "organization".to_owned(),
    };
    let principal = &call.caller.principal;
    format!("{place}/{}:{}", principal.class, principal.actor_id)
}

/// The scope and key of a call whose decision uses something up: a grant, an approver's time, a quota, a ticket.
pub(super) fn spending_key(call: &MediatedCall) -> Option<(String, &str)> {
    let has_ticket = call.request.scope.contains_key(&ScopeKey::OverrideTicketId);
    let spends = call.kind.is_of_session() || has_ticket;
    let key = call.idempotency_key.as_deref().filter(|_| spends)?;
    Some((key_scope(call), key))
}

/// The call that was made before under the same key, where the decision would use something up. For other calls
/// the insert of the run finds it.
pub(super) async fn find_earlier(tx: &mut Tx, call: &MediatedCall) -> Result<Option<Run>> {
    let Some((scope, key)) = spending_key(call) else {
        return Ok(None);
    };
    let organization_id = &call.caller.organization_id;
    Ok(store::run_fetch_by_key(tx, organization_id, &scope, key).await?)
}

/// Takes the run that was prepared for this call. It can be taken once; if another call has it, `found` loses it.
pub(super) async fn take_prepared_run(
    tx: &mut Tx,
    call: &MediatedCall,
    found: &mut FoundFacts,
) -> Result<Option<RunTaken>> {
    let usable = |_: &RunId| found.prepared_usable(call);
    let Some(id) = call.prepared_run_id.filter(usable) else {
        return Ok(None);
    };
    let taken = store::run_take(tx, id).await?;
    if taken.is_none() {
        found.prepared = None;
    }
    Ok(taken)
}
