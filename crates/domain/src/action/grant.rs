//! A grant: an admin's advance approval of writes like these, so that no approval request is needed
//! for each. It covers writes only; danger is denied whatever was granted.

use std::{fmt, num::NonZeroU32};

use super::{
    binding::ActionCall,
    budget::GrantBudget,
    grant_basis::{CallDefinition, GrantBasis, SuspendedGrant, Uncovered},
    name::{ActionName, IntegrationName, Pattern},
    predicate::{Predicate, check_predicates},
};
use crate::{
    clock::Timestamp,
    id::{GrantId, OrganizationId, SessionId, UserId},
    invalid::Invalid,
};

/// Whose calls a grant covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantScope {
    Session(SessionId),
    Organization,
}

crate::text_enum! {
    /// The word for a scope, as the seeds and the command line spell it.
    GrantScopeKind {
        Session = "session",
        Organization = "org",
    }
}

impl GrantScope {
    pub const fn kind(self) -> GrantScopeKind {
        match self {
            Self::Session(_) => GrantScopeKind::Session,
            Self::Organization => GrantScopeKind::Organization,
        }
    }
}

/// What a caller wants to grant.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantDraft {
    pub scope: GrantScope,
    pub integration: Pattern<IntegrationName>,
    pub action: Pattern<ActionName>,
    /// All of them must hold.
    pub predicates: Vec<Predicate>,
    /// `None` for no limit.
    pub max_calls: Option<NonZeroU32>,
    /// `None` for a grant that does not expire.
    pub expires_at: Option<Timestamp>,
}

impl GrantDraft {
    /// A grant for more calls like one that was approved: exactly its integration and action.
    pub fn like(
        call: &ActionCall<'_>,
        scope: GrantScopeKind,
        max_calls: Option<NonZeroU32>,
    ) -> Self {
        Self {
            scope: match scope {
                GrantScopeKind::Session => GrantScope::Session(call.session_id),
                GrantScopeKind::Organization => GrantScope::Organization,
            },
            integration: Pattern::Exactly(call.integration.clone()),
            action: Pattern::Exactly(call.action.clone()),
            predicates: Vec::new(),
            max_calls,
            expires_at: None,
        }
    }

    pub fn check(&self, now: Timestamp) -> Result<(), Invalid> {
        check_predicates("predicates", &self.predicates)?;
        if self.expires_at.is_some_and(|at| at <= now) {
            return Err(Invalid::new("expiresAt", "must be in the future"));
        }
        Ok(())
    }

    /// Creates the grant. `by` is the admin who allows it, whichever session requested it; `basis` is the set of
    /// definitions it covers.
    pub fn into_grant(
        self,
        id: GrantId,
        organization_id: OrganizationId,
        (by, basis): (UserId, GrantBasis),
        now: Timestamp,
    ) -> Grant {
        Grant {
            id,
            organization_id,
            scope: self.scope,
            integration: self.integration,
            action: self.action,
            predicates: self.predicates,
            basis,
            budget: GrantBudget::new(self.max_calls),
            expires_at: self.expires_at,
            revoked_at: None,
            created_by: by,
            created_at: now,
        }
    }
}

/// A grant.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    pub id: GrantId,
    pub organization_id: OrganizationId,
    pub scope: GrantScope,
    pub integration: Pattern<IntegrationName>,
    pub action: Pattern<ActionName>,
    pub predicates: Vec<Predicate>,
    /// The definitions it was created for.
    pub basis: GrantBasis,
    pub budget: GrantBudget,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

impl Grant {
    /// Whether the call may run under it now.
    pub fn matches(
        &self,
        call: &ActionCall<'_>,
        definition: &CallDefinition,
        now: Timestamp,
    ) -> bool {
        matches!(self.explain(call, definition, now), Verdict::Applies { .. })
    }

    /// Returns why it covers the call, or the first reason why it does not. The action's definition is checked last: a
    /// grant with that verdict would cover the call otherwise.
    pub fn explain(
        &self,
        call: &ActionCall<'_>,
        definition: &CallDefinition,
        now: Timestamp,
    ) -> Verdict {
        let terms = self.explain_terms(call, now);
        let names = (call.integration, call.action);
        match (&terms, self.basis.covers(names, definition)) {
            (Verdict::Applies { .. }, Err(uncovered)) => Verdict::Suspended(uncovered),
            _ => terms,
        }
    }

    /// The same without the action's definition: for past calls, not for one that is to run.
    pub(super) fn explain_terms(&self, call: &ActionCall<'_>, now: Timestamp) -> Verdict {
        if let Some(elsewhere) = self.is_elsewhere(call) {
            return elsewhere;
        }
        if let Some(at) = self.revoked_at {
            return Verdict::Revoked { at };
        }
        if let Some(at) = self.expires_at.filter(|at| now >= *at) {
            return Verdict::Expired { at };
        }
        if let Some(max_calls) = self.budget.max_calls.filter(|_| self.budget.is_exhausted()) {
            return Verdict::Exhausted { max_calls };
        }
        if let Some(failed) = self.predicates.iter().find(|one| !one.holds(call.params)) {
            return Verdict::ConditionFails {
                condition: failed.to_string(),
            };
        }
        Verdict::Applies {
            calls_left: self.budget.left(),
            expires_at: self.expires_at,
        }
    }

    fn is_elsewhere(&self, call: &ActionCall<'_>) -> Option<Verdict> {
        if self.organization_id != *call.organization_id {
            return Some(Verdict::OtherOrganization);
        }
        if matches!(self.scope, GrantScope::Session(session) if session != call.session_id) {
            return Some(Verdict::OtherSession);
        }
        if !self.integration.matches(call.integration) {
            let granted = self.integration.to_string();
            return Some(Verdict::OtherIntegration { granted });
        }
        if !self.action.matches(call.action) {
            let granted = self.action.to_string();
            return Some(Verdict::OtherAction { granted });
        }
        None
    }

    /// Since when it is unusable, where that is known; the sweeper removes it after a retention
    /// period.
    pub fn ended_at(&self, now: Timestamp) -> Option<Timestamp> {
        let expired = self.expires_at.filter(|at| now >= *at);
        match (self.revoked_at, expired) {
            (Some(revoked), Some(expired)) => Some(revoked.min(expired)),
            (revoked, expired) => revoked.or(expired),
        }
    }
}

/// Why a grant covers a call, or why not. Contains nothing of the call's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Applies {
        /// Before this call; `None` for no limit.
        calls_left: Option<u32>,
        expires_at: Option<Timestamp>,
    },
    OtherOrganization,
    OtherSession,
    OtherIntegration {
        granted: String,
    },
    OtherAction {
        granted: String,
    },
    Revoked {
        at: Timestamp,
    },
    Expired {
        at: Timestamp,
    },
    Exhausted {
        max_calls: NonZeroU32,
    },
    ConditionFails {
        condition: String,
    },
    /// It would cover the call if the action were defined as it was.
    Suspended(Uncovered),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Applies {
                calls_left,
                expires_at,
            } => {
                match calls_left {
                    None => f.write_str("it covers this call, without a limit of calls")?,
                    Some(1) => f.write_str("it covers this call, which is its last")?,
                    Some(left) => write!(f, "it covers this call, with {left} calls left")?,
                }
                expires_at.map_or(Ok(()), |at| write!(f, ", until {at}"))
            }
            Self::OtherOrganization => f.write_str("it is not of this organization"),
            Self::OtherSession => f.write_str("it is for another session"),
            Self::OtherIntegration { granted } => write!(f, "it is for the integration {granted}"),
            Self::OtherAction { granted } => write!(f, "it is for the action {granted}"),
            Self::Revoked { at } => write!(f, "it was revoked at {at}"),
            Self::Expired { at } => write!(f, "it expired at {at}"),
            Self::Exhausted { max_calls } => write!(f, "its {max_calls} calls are used up"),
            Self::ConditionFails { condition } => write!(f, "{condition}"),
            Self::Suspended(uncovered) => uncovered.fmt(f),
        }
    }
}

/// The grants that cover the call, newest first: the latest decision takes precedence.
pub fn candidates<'a>(
    grants: &'a [Grant],
    call: &ActionCall<'_>,
    definition: &CallDefinition,
    now: Timestamp,
) -> Vec<&'a Grant> {
    let mut found: Vec<&Grant> = grants
        .iter()
        .filter(|grant| grant.matches(call, definition, now))
        .collect();
    found.sort_by_key(|grant| std::cmp::Reverse((grant.created_at, grant.id)));
    found
}

/// The newest grant that would cover the call if the action were defined as it was.
pub fn suspended(
    grants: &[Grant],
    call: &ActionCall<'_>,
    definition: &CallDefinition,
    now: Timestamp,
) -> Option<SuspendedGrant> {
    let suspended = grants.iter().filter_map(|grant| {
        let Verdict::Suspended(uncovered) = grant.explain(call, definition, now) else {
            return None;
        };
        let because = uncovered.because;
        let id = grant.id;
        Some((grant.created_at, SuspendedGrant { id, because }))
    });
    let newest = suspended.max_by_key(|(created_at, grant)| (*created_at, grant.id));
    newest.map(|(_, grant)| grant)
}

#[cfg(test)]
mod tests;
