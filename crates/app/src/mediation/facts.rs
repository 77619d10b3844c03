//! What the decision has to know and cannot be told: looked up for a whole batch in the transaction that
//! acts on it, so that nothing can change in between.

use std::collections::{BTreeMap, HashMap};

use domain::{
    id::{RunId, SessionId},
    policy::{CaseId, CaseRelation, Facts, PolicyId, RunFacts, ScopeKey, ScopeTruth},
    run::{RunKind, RunStatus},
};
use store::{InputFact, RunStanding, Tx};

use super::{attempt::Request, kind};
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
}

/// One question of each kind, however many calls ask it.
pub(super) async fn gather(tx: &mut Tx, requests: &[&Request]) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    found.resize_with(requests.len(), Found::default);
    runs(tx, requests, &mut found).await?;
    members(tx, requests, &mut found).await?;
    sessions(tx, requests, &mut found).await?;
    inputs(tx, requests, &mut found).await?;
    Ok(found)
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
        safety_lock: bool,
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
            safety_lock,
            run: RunFacts {
                parent_usable: self.parent_usable(request) && self.prepared_usable(request),
                versions: pinned.map(|policy| policy.versions().clone()),
                as_expected,
            },
            tool: pinned.unwrap_or(current).tool_facts(current, operation),
            scope: self.scope(request),
            references: self.references(request),
            destination_registered: false,
            // The run is written down with the decision: what an export hands over is on record.
            delivery_recorded: kind::of(operation) == RunKind::Export,
            change_digests: false,
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

    fn scope(&self, request: &Request) -> BTreeMap<ScopeKey, ScopeTruth> {
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
                // Nothing hands out tickets yet, so none is real.
                ScopeKey::OverrideTicketId => false,
            };
            scope.insert(*key, truth(holds));
        }
        scope
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
