//! What the decision has to know and cannot be told: looked up for a whole batch in the transaction that
//! acts on it, so that nothing can change in between.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    artifact::is_whole_of_an_action,
    clock::Timestamp,
    id::{OrganizationId, OverrideTicketId, RunId, SessionId},
    override_ticket::{LaneLockState, OverrideTicket},
    policy::{
        CaseId, CaseRelation, Facts, LaneId, LockFacts, OVERRIDE_DISABLE, OVERRIDE_ENABLE,
        PolicyId, RunFacts, ScopeKey, ScopeTruth,
    },
    run::{RunKind, RunStatus},
};
use serde_json::Value;
use store::{InputFact, RunStanding, Tx};

use super::{
    attempt::Request,
    builtin::{AFTER, BEFORE},
    kind,
};
use crate::{error::Result, policy::Policy};

/// What was found about one call.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) parent: Option<RunStanding>,
    /// The run that was made beforehand for this call, if it names one.
    pub(super) prepared: Option<RunStanding>,
    is_member: bool,
    client_session_is_of_case: bool,
    session_is_ours: bool,
    pub(super) inputs: Vec<Option<InputFact>>,
    handles: Vec<Option<RunStanding>>,
    /// What is lifted out of the organization's lock; `None` if it has locked nothing.
    lifted: Option<BTreeSet<LaneId>>,
    /// The ticket that the scope names.
    ticket: Option<OverrideTicket>,
    /// The call that was begun before under the same key, where that is looked up.
    pub(super) earlier: Option<RunId>,
}

/// One question of each kind, however many calls ask it.
pub(super) async fn gather(
    tx: &mut Tx,
    requests: &[&Request],
    now: Timestamp,
) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    found.resize_with(requests.len(), Found::default);
    runs(tx, requests, &mut found).await?;
    members(tx, requests, &mut found).await?;
    sessions(tx, requests, &mut found).await?;
    inputs(tx, requests, &mut found).await?;
    locks(tx, requests, &mut found, now).await?;
    tickets(tx, requests, &mut found).await?;
    Ok(found)
}

/// One look for the organizations of a batch; most find nothing, and nothing more is done for their calls.
async fn locks(
    tx: &mut Tx,
    requests: &[&Request],
    found: &mut [Found],
    now: Timestamp,
) -> Result<()> {
    let of = requests.iter().map(|request| &request.organization_id);
    let mut asked: Vec<&OrganizationId> = of.collect();
    asked.sort();
    asked.dedup();
    let locks = tx.fact_locks(&asked, now).await?;
    for (organization_id, lifted) in asked.into_iter().zip(locks) {
        let Some(lifted) = lifted else {
            continue;
        };
        for (request, found) in requests.iter().zip(&mut *found) {
            if request.organization_id == *organization_id {
                found.lifted = Some(lifted.clone());
            }
        }
    }
    Ok(())
}

/// Calls that name a ticket are rare, so each looks for its own.
async fn tickets(tx: &mut Tx, requests: &[&Request], found: &mut [Found]) -> Result<()> {
    for (request, found) in requests.iter().zip(found) {
        let named = request.call.scope.get(&ScopeKey::OverrideTicketId);
        let named: Option<OverrideTicketId> = named.and_then(|text| text.parse().ok());
        if let Some(id) = named {
            let organization_id = &request.organization_id;
            found.ticket = tx.override_ticket_fetch(organization_id, id).await?;
        }
    }
    Ok(())
}

async fn runs(tx: &mut Tx, requests: &[&Request], found: &mut [Found]) -> Result<()> {
    let named = |request: &&Request| {
        let own = [request.parent_id, request.run_id].into_iter().flatten();
        own.chain(request.handles.iter().copied())
            .collect::<Vec<_>>()
    };
    let mut ids: Vec<RunId> = requests.iter().flat_map(named).collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return Ok(());
    }
    let standing: HashMap<RunId, RunStanding> = tx
        .run_standing_list(&ids)
        .await?
        .into_iter()
        .map(|standing| (standing.id, standing))
        .collect();
    for (request, found) in requests.iter().zip(found) {
        // Another organization's run is not there.
        let look = |id: RunId| {
            let run = standing.get(&id);
            run.filter(|run| run.organization_id == request.organization_id)
                .cloned()
        };
        found.parent = request.parent_id.and_then(look);
        found.prepared = request.run_id.and_then(look);
        found.handles = request.handles.iter().copied().map(look).collect();
    }
    Ok(())
}

async fn members(tx: &mut Tx, requests: &[&Request], found: &mut [Found]) -> Result<()> {
    let (mut asked, mut askers) = (Vec::new(), Vec::new());
    let (mut meetings, mut meeting_askers) = (Vec::new(), Vec::new());
    for (number, request) in requests.iter().enumerate() {
        let Some(case_id) = &request.call.case_id else {
            continue;
        };
        asked.push((&request.organization_id, case_id, request.member.clone()));
        askers.push(number);
        if let Some(id) = request.call.scope.get(&ScopeKey::ClientSessionId) {
            meetings.push((&request.organization_id, case_id, id.as_str()));
            meeting_askers.push(number);
        }
    }
    for (number, is_member) in askers.into_iter().zip(tx.fact_case_members(&asked).await?) {
        found[number].is_member = is_member;
    }
    let of_case = tx.fact_client_sessions(&meetings).await?;
    for (number, is_of_case) in meeting_askers.into_iter().zip(of_case) {
        found[number].client_session_is_of_case = is_of_case;
    }
    Ok(())
}

async fn sessions(tx: &mut Tx, requests: &[&Request], found: &mut [Found]) -> Result<()> {
    let (mut asked, mut askers) = (Vec::new(), Vec::new());
    for (number, request) in requests.iter().enumerate() {
        match request.session_id {
            // The token proved it.
            Some(session_id) if request.in_sandbox => {
                found[number].session_is_ours =
                    session_id.to_string() == request.principal.actor_id;
            }
            Some(session_id) => {
                asked.push((&request.organization_id, session_id));
                askers.push(number);
            }
            None => {}
        }
    }
    for (number, is_ours) in askers.into_iter().zip(tx.fact_sessions(&asked).await?) {
        found[number].session_is_ours = is_ours;
    }
    Ok(())
}

async fn inputs(tx: &mut Tx, requests: &[&Request], found: &mut [Found]) -> Result<()> {
    let asked: Vec<_> = requests
        .iter()
        .flat_map(|request| {
            let of = |(id, _): &(_, _)| (&request.organization_id, *id);
            request.inputs.iter().map(of)
        })
        .collect();
    let mut facts = tx.fact_artifacts(&asked).await?.into_iter();
    for (request, found) in requests.iter().zip(found) {
        found.inputs = facts.by_ref().take(request.inputs.len()).collect();
    }
    Ok(())
}

impl Found {
    /// The policy the call is pinned to. An action that belongs to no run is one by itself, and pinned to
    /// the policy in force.
    pub(super) fn pins(&self, request: &Request, current: &Policy) -> Option<PolicyId> {
        if is_root(request) {
            return Some(current.id().clone());
        }
        let parent = self.parent.as_ref()?;
        parent.policy_id.as_deref().and_then(PolicyId::parse)
    }

    /// As the decision takes them. `pinned` is `None` where the run's pins lead to no policy.
    pub(super) fn facts(
        &self,
        request: &Request,
        pinned: Option<&Policy>,
        current: &Policy,
        now: Timestamp,
    ) -> Facts {
        let operation = &request.call.operation;
        let as_expected = match (&request.expected_versions, pinned) {
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
                parent_usable: self.parent_usable(request) && self.prepared_usable(request),
                versions: pinned.map(|policy| policy.versions().clone()),
                as_expected,
            },
            tool: pinned.unwrap_or(current).tool_facts(current, operation),
            scope: self.scope(request, now),
            references: self.references(request),
            destination_registered: false,
            // The run is written down with the decision: what an export hands over is on record.
            delivery_recorded: kind::of(operation) == RunKind::Export,
            change_digests: self.change_digests(request),
        }
    }

    /// A running run of the same caller, case and session; or the failed call that this one tries again.
    fn parent_usable(&self, request: &Request) -> bool {
        if is_root(request) {
            return true;
        }
        let Some(parent) = &self.parent else {
            return false;
        };
        let case_id = request.call.case_id.as_ref().map(CaseId::as_str);
        let same_scope = parent.case_id.is_none() || parent.case_id.as_deref() == case_id;
        let same_session = parent.session_id.is_none() || parent.session_id == request.session_id;
        let standing = match parent.kind {
            RunKind::Agent | RunKind::Orchestrator => parent.status == RunStatus::Running,
            kind if kind::is_call(kind) => {
                parent.status == RunStatus::Failed
                    && parent.root_status == RunStatus::Running
                    && parent.operation.as_deref() == Some(request.call.operation.as_str())
            }
            _ => false,
        };
        standing && same_scope && same_session && is_own(parent, request)
    }

    pub(super) fn prepared_usable(&self, request: &Request) -> bool {
        if request.run_id.is_none() {
            return true;
        }
        self.prepared.as_ref().is_some_and(|run| {
            let case_id = request.call.case_id.as_ref().map(CaseId::as_str);
            run.status == RunStatus::Created
                && run.kind == RunKind::ToolGateway
                && run.parent_id == request.parent_id
                && run.case_id.as_deref() == case_id
                && is_own(run, request)
        })
    }

    fn scope(&self, request: &Request, now: Timestamp) -> BTreeMap<ScopeKey, ScopeTruth> {
        let truth = |holds: bool| {
            if holds {
                ScopeTruth::Verified
            } else {
                ScopeTruth::Refuted
            }
        };
        let mut scope = BTreeMap::new();
        for key in request.call.scope.keys() {
            let holds = match key {
                ScopeKey::CaseId => self.is_member,
                ScopeKey::ClientSessionId => self.is_member && self.client_session_is_of_case,
                ScopeKey::SessionId => self.session_is_ours,
                // The run is ours to make: it is verified by being made. A reason is a person's word; the
                // log keeps its digest.
                ScopeKey::RunId | ScopeKey::ExportReason | ScopeKey::OverrideReason => true,
                ScopeKey::OverrideTicketId => self.ticket_usable(request, now),
            };
            scope.insert(*key, truth(holds));
        }
        scope
    }

    /// One that two people stand for, for what the call does: to lift a lane that is not yet, or to put back one that
    /// is. What it was used for may be asked again, and gets the same answer.
    fn ticket_usable(&self, request: &Request, now: Timestamp) -> bool {
        let ticket = self.ticket.as_ref();
        ticket.is_some_and(|ticket| {
            let again = self
                .earlier
                .is_some_and(|run_id| ticket.was_moved_by(run_id));
            again
                || match request.call.operation.as_str() {
                    OVERRIDE_ENABLE => ticket.can_enable(now),
                    OVERRIDE_DISABLE => ticket.can_disable(now),
                    _ => false,
                }
        })
    }

    /// Whether the call says what it changes, as its ticket does.
    fn change_digests(&self, request: &Request) -> bool {
        let Some(ticket) = &self.ticket else {
            return false;
        };
        let (before, after) = match request.call.operation.as_str() {
            OVERRIDE_ENABLE => (LaneLockState::Locked, LaneLockState::Lifted),
            OVERRIDE_DISABLE => (LaneLockState::Lifted, LaneLockState::Locked),
            _ => return false,
        };
        [(BEFORE, before), (AFTER, after)]
            .into_iter()
            .all(|(name, standing)| {
                let given = request.parameters.get(name).and_then(Value::as_str);
                given == Some(ticket.standing_sha256(standing).as_str())
            })
    }

    fn references(&self, request: &Request) -> Vec<CaseRelation> {
        let relation = |same: bool| {
            if same {
                CaseRelation::SameCase
            } else {
                CaseRelation::Elsewhere
            }
        };
        let case_id = request.call.case_id.as_ref().map(CaseId::as_str);
        // What is of no case is of the session.
        let same = |of_case: Option<&str>, of_session: Option<SessionId>| match case_id {
            Some(_) => of_case == case_id,
            None => of_case.is_none() && of_session == request.session_id && of_session.is_some(),
        };
        let inputs = self.inputs.iter().zip(&request.inputs);
        let inputs = inputs.map(|(found, (_, claimed))| {
            relation(found.as_ref().is_some_and(|fact| {
                fact.sha256 == claimed.sha256.as_str()
                    && fact.kind == claimed.kind.as_str()
                    && same(fact.case_id.as_deref(), fact.session_id)
                    && may_take(fact, request)
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

/// Whether the call belongs to its session and to no run.
fn is_root(request: &Request) -> bool {
    let of_session = request.ask.is_some() || request.callback.is_some();
    of_session && request.parent_id.is_none()
}

fn is_own(run: &RunStanding, request: &Request) -> bool {
    run.actor_class == request.principal.class.as_str()
        && run.actor_id == request.principal.actor_id
}

/// Whether the caller may give this to a tool. The whole of an action is for the agent of its session: what a tool is
/// given, its answer may repeat.
fn may_take(fact: &InputFact, request: &Request) -> bool {
    let own = |id: SessionId| request.in_sandbox && id.to_string() == request.principal.actor_id;
    !is_whole_of_an_action(&fact.kind) || fact.session_id.is_some_and(own)
}
