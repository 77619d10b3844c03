//! The facts that a decision depends on and that no caller may claim: looked up for a whole batch in the
//! transaction that acts on them, so that nothing can change in between.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    artifact::is_whole_of_an_action,
    clock::Timestamp,
    id::{OrganizationId, OverrideTicketId, RunId, SessionId},
    override_ticket::{AFTER_SHA256, BEFORE_SHA256, LaneLockState, OverrideTicket},
    policy::{
        CaseId, CaseRelation, Facts, LaneId, LockFacts, OVERRIDE_DISABLE, OVERRIDE_ENABLE,
        PolicyId, RunFacts, ScopeKey, ScopeTruth, ToolSpec,
    },
    run::{RunKind, RunStatus},
};
use serde_json::Value;
use store::{InputFact, RunStanding, Tx};

use super::{call::MediatedCall, run_kind};
use crate::{error::Result, policy::Policy};

/// What was found about one call.
#[derive(Debug, Default)]
pub(super) struct FoundFacts {
    pub(super) parent: Option<RunStanding>,
    /// The run that was made beforehand for this call, if it names one.
    pub(super) prepared: Option<RunStanding>,
    is_member: bool,
    client_session_is_of_case: bool,
    session_is_ours: bool,
    pub(super) inputs: Vec<Option<InputFact>>,
    handles: Vec<Option<RunStanding>>,
    /// The lanes that are lifted out of the organization's lock; `None` if there is no lock.
    lifted: Option<BTreeSet<LaneId>>,
    /// The ticket that the scope names.
    ticket: Option<OverrideTicket>,
    /// The call that was made before under the same key, where that is looked up.
    pub(super) earlier: Option<RunId>,
}

/// Looks up the facts of all calls, with one query of each kind.
pub(super) async fn gather(
    tx: &mut Tx,
    calls: &[&MediatedCall],
    now: Timestamp,
) -> Result<Vec<FoundFacts>> {
    let mut found: Vec<FoundFacts> = Vec::new();
    found.resize_with(calls.len(), FoundFacts::default);
    runs(tx, calls, &mut found).await?;
    members(tx, calls, &mut found).await?;
    sessions(tx, calls, &mut found).await?;
    inputs(tx, calls, &mut found).await?;
    locks(tx, calls, &mut found, now).await?;
    tickets(tx, calls, &mut found).await?;
    Ok(found)
}

/// Looks up the locks of all organizations of a batch. Most have none, and nothing more is done for their calls.
async fn locks(
    tx: &mut Tx,
    calls: &[&MediatedCall],
    found: &mut [FoundFacts],
    now: Timestamp,
) -> Result<()> {
    let of = calls.iter().map(|call| &call.caller.organization_id);
    let mut asked: Vec<&OrganizationId> = of.collect();
    asked.sort();
    asked.dedup();
    let locks = store::fact_locks(tx, &asked, now).await?;
    for (organization_id, lifted) in asked.into_iter().zip(locks) {
        let Some(lifted) = lifted else {
            continue;
        };
        for (call, found) in calls.iter().zip(&mut *found) {
            if call.caller.organization_id == *organization_id {
                found.lifted = Some(lifted.clone());
            }
        }
    }
    Ok(())
}

/// Calls that name a ticket are rare, so each looks for its own.
async fn tickets(tx: &mut Tx, calls: &[&MediatedCall], found: &mut [FoundFacts]) -> Result<()> {
    for (call, found) in calls.iter().zip(found) {
        let named = call.request.scope.get(&ScopeKey::OverrideTicketId);
        let named: Option<OverrideTicketId> = named.and_then(|text| text.parse().ok());
        if let Some(id) = named {
            let organization_id = &call.caller.organization_id;
            found.ticket = store::override_ticket_fetch(tx, organization_id, id).await?;
        }
    }
    Ok(())
}

async fn runs(tx: &mut Tx, calls: &[&MediatedCall], found: &mut [FoundFacts]) -> Result<()> {
    let named = |call: &&MediatedCall| {
        let own = [call.parent_id, call.prepared_run_id].into_iter().flatten();
        own.chain(call.handles.iter().copied()).collect::<Vec<_>>()
    };
    let mut ids: Vec<RunId> = calls.iter().flat_map(named).collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return Ok(());
    }
    let standing: HashMap<RunId, RunStanding> = store::run_standing_list(tx, &ids)
        .await?
        .into_iter()
        .map(|standing| (standing.id, standing))
        .collect();
    for (call, found) in calls.iter().zip(found) {
        // The run of another organization does not exist for this caller.
        let look = |id: RunId| {
            let run = standing.get(&id);
            run.filter(|run| run.organization_id == call.caller.organization_id)
                .cloned()
        };
        found.parent = call.parent_id.and_then(look);
        found.prepared = call.prepared_run_id.and_then(look);
        found.handles = call.handles.iter().copied().map(look).collect();
    }
    Ok(())
}

async fn members(tx: &mut Tx, calls: &[&MediatedCall], found: &mut [FoundFacts]) -> Result<()> {
    let (mut asked, mut numbers) = (Vec::new(), Vec::new());
    let (mut meetings, mut meeting_numbers) = (Vec::new(), Vec::new());
    for (number, call) in calls.iter().enumerate() {
        let Some(case_id) = &call.request.case_id else {
            continue;
        };
        asked.push((
            &call.caller.organization_id,
            case_id,
            call.caller.member.clone(),
        ));
        numbers.push(number);
        if let Some(id) = call.request.scope.get(&ScopeKey::ClientSessionId) {
            meetings.push((&call.caller.organization_id, case_id, id.as_str()));
            meeting_numbers.push(number);
        }
    }
    for (number, is_member) in numbers
        .into_iter()
        .zip(store::fact_case_members(tx, &asked).await?)
    {
        found[number].is_member = is_member;
    }
    let of_case = store::fact_client_sessions(tx, &meetings).await?;
    for (number, is_of_case) in meeting_numbers.into_iter().zip(of_case) {
        found[number].client_session_is_of_case = is_of_case;
    }
    Ok(())
}

async fn sessions(tx: &mut Tx, calls: &[&MediatedCall], found: &mut [FoundFacts]) -> Result<()> {
    let (mut asked, mut numbers) = (Vec::new(), Vec::new());
    for (number, call) in calls.iter().enumerate() {
        match call.session_id {
            // The token proved it.
            Some(session_id) if call.caller.in_sandbox => {
                found[number].session_is_ours =
                    session_id.to_string() == call.caller.principal.actor_id;
            }
            Some(session_id) => {
                let viewer = call.caller.viewer();
                asked.push((&call.caller.organization_id, session_id, viewer));
                numbers.push(number);
            }
            None => {}
        }
    }
    for (number, is_ours) in numbers
        .into_iter()
        .zip(store::fact_sessions(tx, &asked).await?)
    {
        found[number].session_is_ours = is_ours;
    }
    Ok(())
}

async fn inputs(tx: &mut Tx, calls: &[&MediatedCall], found: &mut [FoundFacts]) -> Result<()> {
    let asked: Vec<_> = calls
        .iter()
        .flat_map(|call| {
            let of = |(id, _): &(_, _)| (&call.caller.organization_id, *id);
            call.inputs.iter().map(of)
        })
        .collect();
    let mut facts = store::fact_artifacts(tx, &asked).await?.into_iter();
    for (call, found) in calls.iter().zip(found) {
        found.inputs = facts.by_ref().take(call.inputs.len()).collect();
    }
    Ok(())
}

impl FoundFacts {
    /// The policy that the call is pinned to. A call of a session without a parent run is pinned to the policy in
    /// force.
    pub(super) fn pins(&self, call: &MediatedCall, current: &Policy) -> Option<PolicyId> {
        if is_root(call) {
            return Some(current.id().clone());
        }
        let parent = self.parent.as_ref()?;
        parent.policy_id.as_deref().and_then(PolicyId::parse)
    }

    /// As the decision takes them. `pinned` is `None` where the run's pins lead to no policy.
    pub(super) fn facts(
        &self,
        call: &MediatedCall,
        pinned: Option<&Policy>,
        current: &Policy,
        now: Timestamp,
    ) -> Facts {
        let operation = &call.request.operation;
        let as_expected = match (&call.expected_versions, pinned) {
            (Some((lanes, roles)), Some(policy)) => {
                let versions = policy.versions();
                versions.lanes.blob == *lanes && versions.roles.blob == *roles
            }
            _ => true,
        };
        Facts {
            lock: match &self.lifted {
                None => LockFacts::Open,
                Some(lifted) => LockFacts::Organization {
                    lifted: lifted.clone(),
                },
            },
            run: RunFacts {
                parent_usable: self.parent_usable(call) && self.prepared_usable(call),
                versions: pinned.map(|policy| policy.versions().clone()),
                as_expected,
            },
            tool: pinned.unwrap_or(current).tool_facts(current, operation),
            scope: self.scope(call, now),
            references: self.references(call),
            change_digests: self.change_digests(call),
        }
    }

    /// A running run of the same caller, case and session; or the failed call that this one tries again.
    fn parent_usable(&self, call: &MediatedCall) -> bool {
        if is_root(call) {
            return true;
        }
        let Some(parent) = &self.parent else {
            return false;
        };
        let case_id = call.request.case_id.as_ref().map(CaseId::as_str);
        let same_scope = parent.case_id.is_none() || parent.case_id.as_deref() == case_id;
        let same_session = parent.session_id.is_none() || parent.session_id == call.session_id;
        let standing = match parent.kind {
            RunKind::Agent | RunKind::Orchestrator => parent.status == RunStatus::Running,
            kind if run_kind::is_call(kind) => {
                parent.status == RunStatus::Failed
                    && parent.root_status == RunStatus::Running
                    && parent.operation.as_deref() == Some(call.request.operation.as_str())
            }
            _ => false,
        };
        standing && same_scope && same_session && is_own(parent, call)
    }

    pub(super) fn prepared_usable(&self, call: &MediatedCall) -> bool {
        if call.prepared_run_id.is_none() {
            return true;
        }
        self.prepared.as_ref().is_some_and(|run| {
            let case_id = call.request.case_id.as_ref().map(CaseId::as_str);
            run.status == RunStatus::Created
                && run.kind == RunKind::ToolGateway
                && run.parent_id == call.parent_id
                && run.case_id.as_deref() == case_id
                && is_own(run, call)
        })
    }

    fn scope(&self, call: &MediatedCall, now: Timestamp) -> BTreeMap<ScopeKey, ScopeTruth> {
        let truth = |holds: bool| {
            if holds {
                ScopeTruth::Verified
            } else {
                ScopeTruth::Refuted
            }
        };
        let mut scope = BTreeMap::new();
        for key in call.request.scope.keys() {
            let holds = match key {
                ScopeKey::CaseId => self.is_member,
                ScopeKey::ClientSessionId => self.is_member && self.client_session_is_of_case,
                ScopeKey::SessionId => self.session_is_ours,
                // The gateway makes the run, which verifies it. A reason is free text; the log keeps its
                // digest.
                ScopeKey::RunId | ScopeKey::ExportReason | ScopeKey::OverrideReason => true,
                ScopeKey::OverrideTicketId => self.ticket_usable(call, now),
            };
            scope.insert(*key, truth(holds));
        }
        scope
    }

    /// Whether two admins stand for what the call does: to lift a lane that is not lifted yet, or to put one back. The
    /// call that used the ticket may be repeated, and gets the same answer.
    fn ticket_usable(&self, call: &MediatedCall, now: Timestamp) -> bool {
        let ticket = self.ticket.as_ref();
        ticket.is_some_and(|ticket| {
            let again = self
                .earlier
                .is_some_and(|run_id| ticket.was_moved_by(run_id));
            again
                || match call.request.operation.as_str() {
                    OVERRIDE_ENABLE => ticket.can_enable(now),
                    OVERRIDE_DISABLE => ticket.can_disable(now),
                    _ => false,
                }
        })
    }

    /// Whether the call says what it changes, as its ticket does.
    fn change_digests(&self, call: &MediatedCall) -> bool {
        let Some(ticket) = &self.ticket else {
            return false;
        };
        let (before, after) = match call.request.operation.as_str() {
            OVERRIDE_ENABLE => (LaneLockState::Locked, LaneLockState::Lifted),
            OVERRIDE_DISABLE => (LaneLockState::Lifted, LaneLockState::Locked),
            _ => return false,
        };
        [(BEFORE_SHA256, before), (AFTER_SHA256, after)]
            .into_iter()
            .all(|(name, standing)| {
                let given = call.parameters.get(name).and_then(Value::as_str);
                given == Some(ticket.standing_sha256(standing).as_str())
            })
    }

    /// Whether the tool accepts the media types of the inputs.
    pub(super) fn inputs_are_accepted(&self, spec: &ToolSpec) -> bool {
        let accepts = |input: &InputFact| {
            let mut accepted = spec.accepts.iter();
            accepted.any(|media| media.as_str() == input.media_type)
        };
        self.inputs.iter().flatten().all(accepts)
    }

    fn references(&self, call: &MediatedCall) -> Vec<CaseRelation> {
        let relation = |same: bool| {
            if same {
                CaseRelation::SameCase
            } else {
                CaseRelation::Elsewhere
            }
        };
        let case_id = call.request.case_id.as_ref().map(CaseId::as_str);
        // What is of no case is of the session.
        let same = |of_case: Option<&str>, of_session: Option<SessionId>| match case_id {
            Some(_) => of_case == case_id,
            None => of_case.is_none() && of_session == call.session_id && of_session.is_some(),
        };
        let inputs = self.inputs.iter().zip(&call.inputs);
        let inputs = inputs.map(|(found, (_, claimed))| {
            relation(found.as_ref().is_some_and(|fact| {
                fact.sha256 == claimed.sha256.as_str()
                    && fact.kind == claimed.kind.as_str()
                    && same(fact.case_id.as_deref(), fact.session_id)
                    && may_take(fact, call)
            }))
        });
        let handles = self.handles.iter().map(|found| {
            relation(
                found
                    .as_ref()
                    .is_some_and(|run| same(run.case_id.as_deref(), run.session_id)),
            )
        });
        inputs.chain(handles).collect()
    }
}

/// Whether the call belongs to its session and has no parent run.
fn is_root(call: &MediatedCall) -> bool {
    call.kind.is_of_session() && call.parent_id.is_none()
}

fn is_own(run: &RunStanding, call: &MediatedCall) -> bool {
    run.actor_class == call.caller.principal.class.as_str()
        && run.actor_id == call.caller.principal.actor_id
}

/// Whether the caller may give this input to a tool. The whole result of an action is for the agent of its session
/// alone, because the answer of a tool may repeat its inputs.
fn may_take(fact: &InputFact, call: &MediatedCall) -> bool {
    let caller = &call.caller;
    let own = |id: SessionId| caller.in_sandbox && id.to_string() == caller.principal.actor_id;
    !is_whole_of_an_action(&fact.kind) || fact.session_id.is_some_and(own)
}
