//! Budgets that many sessions share: those of a configuration and of an organization. An admin who raises one lets the
//! sessions go on that rested for it, in the transaction of the change.

use domain::{
    id::{ConfigurationId, OrganizationId},
    job::Task,
    limits::BUDGET_RAISE_SESSIONS_MAX,
    model_usage::Budget,
};
use store::Tx;

use super::budget::of_organization;
use crate::{
    access::{Admin, Insider},
    audit,
    context::App,
    error::{Error, Result},
    jobs,
};

/// The budget of an organization's sessions that have no nearer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrganizationBudget {
    /// What an admin set; `None` is the operator's setting.
    pub own_micro_usd: Option<i64>,
    pub in_force: Budget,
}

pub async fn organization_budget(app: &App, insider: &Insider) -> Result<OrganizationBudget> {
    let mut conn = app.db.read().await?;
    let own = store::organization_budget_fetch(&mut conn, insider.organization_id());
    Ok(described(app, own.await?))
}

/// `None` is the operator's setting again.
pub async fn set_organization_budget(
    app: &App,
    admin: &Admin,
    budget_micro_usd: Option<i64>,
) -> Result<OrganizationBudget> {
    let budget = budget_micro_usd.map(Budget::MicroUsd);
    if let Some(budget) = budget {
        budget.validate("budgetMicroUsd")?;
    }
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    let before = store::organization_budget_fetch(&mut tx, organization_id).await?;
    if before == budget {
        return Ok(described(app, before));
    }
    let set = store::organization_budget_set(&mut tx, organization_id, budget_micro_usd);
    if !set.await? {
        return Err(Error::NotFound("organization"));
    }
    audit::record_operation(&mut tx, app, admin, "organization_budget_update", None).await?;
    let changed = BudgetChange {
        configuration_id: None,
        before: of_organization(app, before),
        after: of_organization(app, budget),
    };
    changed
        .resume_sessions(&mut tx, app, organization_id)
        .await?;
    tx.commit().await?;
    Ok(described(app, budget))
}

/// A configuration has another budget; `None` is its organization's.
pub(crate) async fn configuration_budget_changed(
    tx: &mut Tx,
    app: &App,
    admin: &Admin,
    id: ConfigurationId,
    [before, after]: [Option<i64>; 2],
) -> Result<()> {
    let organization_id = admin.organization_id();
    let operation = "configuration_budget_update";
    audit::record_operation(tx, app, admin, operation, Some(id.uuid())).await?;
    let shared = store::organization_budget_fetch(tx, organization_id).await?;
    let in_force = |own: Option<i64>| of_organization(app, own.map(Budget::MicroUsd).or(shared));
    let changed = BudgetChange {
        configuration_id: Some(id),
        before: in_force(before),
        after: in_force(after),
    };
    changed.resume_sessions(tx, app, organization_id).await
}

/// A changed budget of a configuration or of the organization.
struct BudgetChange {
    configuration_id: Option<ConfigurationId>,
    before: Budget,
    after: Budget,
}

impl BudgetChange {
    /// Enqueues jobs for the sessions that paused for the budget before, so that they go on.
    async fn resume_sessions(
        self,
        tx: &mut Tx,
        app: &App,
        organization_id: &OrganizationId,
    ) -> Result<()> {
        let Some(spent) = self.before.released_by(self.after) else {
            return Ok(());
        };
        let limit = BUDGET_RAISE_SESSIONS_MAX;
        let resting =
            store::model_spent_list(tx, organization_id, self.configuration_id, spent, limit)
                .await?;
        if resting.len() >= usize::try_from(limit).unwrap_or(usize::MAX) {
            tracing::warn!(
                %organization_id, limit,
                "a budget was raised for more sessions than go on at once; the others go on at their next prompt"
            );
        }
        for session_id in resting {
            let task = Task::SessionGoOn { session_id };
            jobs::enqueue(tx, app, organization_id, task, app.now()).await?;
        }
        Ok(())
    }
}

fn described(app: &App, own: Option<Budget>) -> OrganizationBudget {
    OrganizationBudget {
        own_micro_usd: own.and_then(Budget::limit),
        in_force: of_organization(app, own),
    }
}
