//! What a grant would have allowed in the past. Shown before the grant is saved, since the reach of a
//! wildcard is hard to judge without examples.

use super::{
    binding::ActionCall,
    grant::{Grant, Verdict},
    risk::Risk,
};
use crate::{clock::Timestamp, id::InvocationId};

/// A call that was made.
#[derive(Debug, Clone, Copy)]
pub struct PastCall<'a> {
    pub id: InvocationId,
    pub at: Timestamp,
    pub risk: Risk,
    pub call: ActionCall<'a>,
}

/// What the grant would have meant for a past call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It would have run without an approval request.
    Allowed,
    /// It ran anyway: a read.
    NotNeeded,
    /// No grant reaches danger.
    Danger,
    NotCovered(Verdict),
}

/// Replays past calls in their order, as if the grant had been created at `from` instead, with the life
/// and the budget it has. Returns the judgement of each call since then, oldest first.
///
/// Ignores how the actions were defined at that time: the grant is assumed to have been created for those
/// definitions.
pub fn backtest(
    grant: &Grant,
    from: Timestamp,
    past: &[PastCall<'_>],
) -> Vec<(InvocationId, Judgement)> {
    let life = grant.expires_at.map(|at| at.since(grant.created_at));
    let mut grant = Grant {
        expires_at: life.map(|life| from.plus(life)),
        created_at: from,
        ..grant.clone()
    };
    let mut ordered: Vec<&PastCall<'_>> = past.iter().filter(|call| call.at >= from).collect();
    ordered.sort_by_key(|call| (call.at, call.id));
    let mut judge = |past: &PastCall<'_>| match past.risk {
        Risk::Read => Judgement::NotNeeded,
        Risk::Danger => Judgement::Danger,
        Risk::Write => match grant.explain_terms(&past.call, past.at) {
            Verdict::Applies { .. } => {
                grant.budget = grant.budget.spend().unwrap_or(grant.budget);
                Judgement::Allowed
            }
            other => Judgement::NotCovered(other),
        },
    };
    ordered
        .into_iter()
        .map(|call| (call.id, judge(call)))
        .collect()
}

#[cfg(test)]
mod tests;
