//! What a session has spent on its model, and its budget.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    job::Task,
    model_usage::{Budget, Usage, dollars},
    organization_spend::SpendLimitReached,
};
use store::{Conn, ModelSpending, ModelUsage};

use crate::{
    access::{Admin, SessionAccess},
    audit,
    context::App,
    error::Result,
    jobs,
};

/// What a session has had of its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionUsage {
    pub session_id: SessionId,
    pub total: Usage,
    pub models: Vec<ModelUsage>,
    pub budget: Budget,
    /// Whether an admin gave it that budget; else it is its configuration's, its organization's, or the operator's for
    /// every session.
    pub has_own_budget: bool,
}

impl SessionUsage {
    pub fn is_over_budget(&self) -> bool {
        self.budget.is_reached(self.total.cost_micro_usd)
    }
}

/// Why a session rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverBudget {
    /// It has reached its own budget.
    Session {
        spent_micro_usd: i64,
        budget_micro_usd: i64,
    },
    /// Its organization has reached a limit of the day or month.
    Organization {
        reached: SpendLimitReached,
        /// When the next day or month begins.
        until: Timestamp,
    },
}

impl OverBudget {
    /// When the session goes on without a change of a budget; `None` if it does not.
    pub const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Session { .. } => None,
            Self::Organization { until, .. } => Some(*until),
        }
    }
}

/// The reason that a session is paused with.
impl std::fmt::Display for OverBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (spent, budget) = match self {
            Self::Session {
                spent_micro_usd,
                budget_micro_usd,
            } => (dollars(*spent_micro_usd), dollars(*budget_micro_usd)),
            Self::Organization { reached, .. } => return reached.fmt(f),
        };
        write!(
            f,
            "it has spent {spent} of {budget} on its model; it goes on when an administrator raises its budget"
        )
    }
}

/// Whether the session or its organization has spent what it may, so that the session is to be paused. Its requests to the
/// model are refused until its budget is raised, or the day or month is over.
pub async fn over_budget(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Option<OverBudget>> {
    let mut conn = app.db.read().await?;
    let now = app.now();
    let spending = store::model_spending_fetch(&mut conn, organization_id, session_id, now).await?;
    Ok(exceeded(app, &spending, now))
}

fn exceeded(app: &App, spending: &ModelSpending, now: Timestamp) -> Option<OverBudget> {
    let spent_micro_usd = spending.spent_micro_usd;
    let limit = budget_in_force(app, spending).limit();
    // Its own first: no day ends that.
    if let Some(budget_micro_usd) = limit.filter(|limit| spent_micro_usd >= *limit) {
        return Some(OverBudget::Session {
            spent_micro_usd,
            budget_micro_usd,
        });
    }
    let reached = spending.organization.reached()?;
    let until = reached.period.next(now);
    Some(OverBudget::Organization { reached, until })
}

/// Sees to it that a session which rests for a limit of its organization goes on when the next day or month begins. A limit
/// that is raised before that resumes it sooner.
pub async fn resume_when_over(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    over: &OverBudget,
) -> Result<()> {
    let Some(until) = over.until() else {
        return Ok(());
    };
    let mut tx = app.db.write().await?;
    let task = Task::SessionGoOn { session_id };
    jobs::enqueue(&mut tx, app, organization_id, task, until).await?;
    tx.commit().await?;
    Ok(())
}

/// The session's own budget, that of its configuration, of its organization, or that of every session. Looked up at each
/// use, and not copied into a session when it is created: a session is created in many ways, and an admin who lowers what
/// a configuration may spend means its existing sessions too.
pub(super) fn budget_in_force(app: &App, spending: &ModelSpending) -> Budget {
    let own = spending.budget.or(spending.configuration_budget);
    of_organization(app, own.or(spending.organization_budget))
}

/// What an organization says, or the operator where it says nothing.
pub(super) fn of_organization(app: &App, budget: Option<Budget>) -> Budget {
    budget.unwrap_or_else(|| app.models.session_budget())
}

pub async fn usage(app: &App, access: &SessionAccess) -> Result<SessionUsage> {
    let mut conn = app.db.read().await?;
    read(app, &mut conn, access).await
}

/// Gives the session a budget of its own. A session that goes below it can ask its model again at once, and goes on if
/// it rested for that.
pub async fn set_budget(
    app: &App,
    admin: &Admin,
    session_id: SessionId,
    budget: Budget,
) -> Result<SessionUsage> {
    budget.validate("budgetMicroUsd")?;
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let (access, _) = SessionAccess::read(&mut tx, admin, session_id).await?;
    let now = app.now();
    let spending = store::model_spending_fetch(&mut tx, organization_id, session_id, now).await?;
    store::model_budget_set(&mut tx, organization_id, session_id, budget, app.now()).await?;
    let released = budget_in_force(app, &spending).released_by(budget);
    if released.is_some_and(|spent| spent.contains(&spending.spent_micro_usd)) {
        let task = Task::SessionGoOn { session_id };
        jobs::enqueue(&mut tx, app, organization_id, task, app.now()).await?;
    }
    let id = Some(session_id.uuid());
    audit::record_operation(&mut tx, app, admin, "session_budget_update", id).await?;
    let usage = read(app, &mut tx, &access).await?;
    tx.commit().await?;
    Ok(usage)
}

async fn read(app: &App, conn: &mut Conn, access: &SessionAccess) -> Result<SessionUsage> {
    let (organization_id, session_id) = (access.organization_id(), access.session_id());
    let now = app.now();
    let spending = store::model_spending_fetch(conn, organization_id, session_id, now).await?;
    let models = store::model_usage_list(conn, organization_id, session_id).await?;
    let total = models.iter().map(|one| one.usage);
    Ok(SessionUsage {
        session_id,
        total: total.fold(Usage::default(), Usage::plus),
        models,
        budget: budget_in_force(app, &spending),
        has_own_budget: spending.budget.is_some(),
    })
}
