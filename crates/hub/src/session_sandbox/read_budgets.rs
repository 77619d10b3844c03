//! Memory budgets for what is read from each session's sandbox. All requests of this process that read from one sandbox
//! share its budget, also while the session is not live here.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError, Weak},
};

use domain::id::SessionId;
use tokio::sync::Semaphore;

use crate::opencode::ReadBudget;

/// Budgets that are in use, by session.
#[derive(Debug, Default)]
pub(super) struct ReadBudgets(Mutex<HashMap<SessionId, Weak<Semaphore>>>);

impl ReadBudgets {
    /// Returns the budget of a session's sandbox, new if no request uses one.
    pub(super) fn budget_of(&self, id: SessionId) -> ReadBudget {
        let mut budgets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = budgets.get(&id).and_then(ReadBudget::upgrade) {
            return budget;
        }
        budgets.retain(|_, budget| budget.strong_count() > 0);
        let budget = ReadBudget::default();
        budgets.insert(id, budget.downgrade());
        budget
    }
}
