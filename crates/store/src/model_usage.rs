//! What sessions have had of their models, and what each may spend.
//!
//! INVARIANT: counts grow in the database by what is added; nothing read is written back.

use std::ops::RangeInclusive;

use domain::{
    clock::Timestamp,
    id::{ConfigurationId, OrganizationId, SessionId},
    model_usage::{Budget, Tokens, Usage},
    organization_limits::{LimitSettings, OrganizationLimits},
    organization_spend::{OrganizationSpend, SpendPeriod},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

/// What a session has used of one model, by its configured name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUsage {
    pub model: String,
    pub usage: Usage,
}

/// What a session has spent, its own budget, that of its configuration and that of its organization; `None` where none is
/// set. And what all sessions of the organization have spent in the day and month, with its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelSpending {
    pub spent_micro_usd: i64,
    pub budget: Option<Budget>,
    pub configuration_budget: Option<Budget>,
    pub organization_budget: Option<Budget>,
    pub organization: OrganizationSpend,
}

/// Sessions `s` without a budget of their own that may be paused because they have spent between two amounts. A session
/// that was never opened is not among them.
macro_rules! paused_for_budget {
    () => {
        "SELECT s.id FROM sessions s WHERE s.organization_id = $1
        AND (s.status IN ('paused', 'running') OR (s.status = 'pending' AND s.owner_epoch > 0))
        AND NOT EXISTS (SELECT 1 FROM session_model_budgets b
            WHERE b.organization_id = s.organization_id AND b.session_id = s.id)
        AND (SELECT CAST(COALESCE(SUM(u.cost_micro_usd), 0) AS BIGINT) FROM session_model_usage u
            WHERE u.organization_id = s.organization_id AND u.session_id = s.id) BETWEEN $2 AND $3"
    };
}

/// Of the organization `$1`, its session `$2`, the day `$3` and the days before it in the month that begins on `$4`.
macro_rules! spending {
    () => {
        "(SELECT CAST(COALESCE(SUM(u.cost_micro_usd), 0) AS BIGINT) FROM session_model_usage u
            WHERE u.organization_id = $1 AND u.session_id = $2) AS spent,
        (SELECT b.budget_micro_usd FROM session_model_budgets b
            WHERE b.organization_id = $1 AND b.session_id = $2) AS budget,
        (SELECT COUNT(*) FROM session_model_budgets b
            WHERE b.organization_id = $1 AND b.session_id = $2) AS budgets,
        (SELECT c.budget_micro_usd FROM sessions s
            JOIN configurations c ON c.organization_id = s.organization_id AND c.id = s.configuration_id
            WHERE s.organization_id = $1 AND s.id = $2) AS configuration_budget,
        (SELECT o.budget_micro_usd FROM organization o WHERE o.id = $1) AS organization_budget,
        (SELECT CAST(COALESCE(SUM(d.cost_micro_usd), 0) AS BIGINT) FROM organization_model_spend d
            WHERE d.organization_id = $1 AND d.day >= $4 AND d.day < $3) AS month_spent_before,
        (SELECT l.spend_day_micro_usd FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'operator') AS operator_day,
        (SELECT l.spend_month_micro_usd FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'operator') AS operator_month,
        (SELECT l.spend_day_micro_usd FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'organization') AS organization_day,
        (SELECT l.spend_month_micro_usd FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'organization') AS organization_month"
    };
}

statements! {
    MODEL_USAGE_ADD = "INSERT INTO session_model_usage
        (organization_id, session_id, model, requests, estimated_requests, input_tokens, output_tokens,
         cache_read_tokens, cache_write_tokens, cost_micro_usd, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (organization_id, session_id, model) DO UPDATE SET
            requests = session_model_usage.requests + excluded.requests,
            estimated_requests = session_model_usage.estimated_requests + excluded.estimated_requests,
            input_tokens = session_model_usage.input_tokens + excluded.input_tokens,
            output_tokens = session_model_usage.output_tokens + excluded.output_tokens,
            cache_read_tokens = session_model_usage.cache_read_tokens + excluded.cache_read_tokens,
            cache_write_tokens = session_model_usage.cache_write_tokens + excluded.cache_write_tokens,
            cost_micro_usd = session_model_usage.cost_micro_usd + excluded.cost_micro_usd,
            updated_at = excluded.updated_at";
    /// Serialises additions to a session: one of them sees that the budget is reached.
    MODEL_USAGE_LOCK = "SELECT id FROM sessions WHERE organization_id = $1 AND id = $2",
        pg: " FOR NO KEY UPDATE";
    MODEL_USAGE_LIST = "SELECT model, requests, estimated_requests, input_tokens, output_tokens,
        cache_read_tokens, cache_write_tokens, cost_micro_usd FROM session_model_usage
        WHERE organization_id = $1 AND session_id = $2 ORDER BY model";
    MODEL_SPENDING_FETCH = concat!("SELECT ", spending!(), ",
        (SELECT CAST(COALESCE(SUM(d.cost_micro_usd), 0) AS BIGINT) FROM organization_model_spend d
            WHERE d.organization_id = $1 AND d.day = $3) AS day_spent");
    /// Adds to the day, and returns what `MODEL_SPENDING_FETCH` does: additions to a day follow each other, so that one of
    /// them sees that a limit is reached.
    MODEL_SPEND_ADD = concat!("INSERT INTO organization_model_spend (organization_id, day, cost_micro_usd)
        VALUES ($1, $3, $5) ON CONFLICT (organization_id, day) DO UPDATE SET
            cost_micro_usd = organization_model_spend.cost_micro_usd + excluded.cost_micro_usd
        RETURNING ", spending!(), ", cost_micro_usd AS day_spent");
    MODEL_SPENT_LIST_OF_CONFIGURATION = concat!(paused_for_budget!(), " AND s.configuration_id = $4
        ORDER BY s.id DESC LIMIT $5");
    MODEL_SPENT_LIST_OF_ORGANIZATION = concat!(paused_for_budget!(), " AND NOT EXISTS (SELECT 1 FROM configurations c
        WHERE c.organization_id = s.organization_id AND c.id = s.configuration_id AND c.budget_micro_usd IS NOT NULL)
        ORDER BY s.id DESC LIMIT $4");
    MODEL_BUDGET_SET = "INSERT INTO session_model_budgets
        (organization_id, session_id, budget_micro_usd, updated_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (organization_id, session_id) DO UPDATE SET budget_micro_usd = excluded.budget_micro_usd,
            updated_at = excluded.updated_at";
}

/// By model.
pub async fn model_usage_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<ModelUsage>> {
    let values = values![organization_id, session_id];
    let rows = conn
        .fetch_all("session_model_usage", &MODEL_USAGE_LIST, values)
        .await?;
    rows.iter().map(model_usage).collect()
}

/// Nothing spent and no budget, for a session that is not there. The day and month are those of `now`.
pub async fn model_spending_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
) -> Result<ModelSpending> {
    let (day, month) = (SpendPeriod::Day.begins(now), SpendPeriod::Month.begins(now));
    let values = values![organization_id, session_id, day, month];
    let row = conn
        .fetch_optional("session_model_usage", &MODEL_SPENDING_FETCH, values)
        .await?;
    row.as_ref().map_or(Ok(ModelSpending::default()), spending)
}

/// Returns sessions, newest first, that have spent between these amounts and may be paused for it, and whose budget is
/// that of this configuration or, without one, the organization's.
pub async fn model_spent_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    configuration_id: Option<ConfigurationId>,
    spent: RangeInclusive<i64>,
    limit: u32,
) -> Result<Vec<SessionId>> {
    let (from, to, limit) = (*spent.start(), *spent.end(), i64::from(limit));
    let rows = if let Some(id) = configuration_id {
        let values = values![organization_id, from, to, id, limit];
        conn.fetch_all("sessions", &MODEL_SPENT_LIST_OF_CONFIGURATION, values)
            .await?
    } else {
        let values = values![organization_id, from, to, limit];
        conn.fetch_all("sessions", &MODEL_SPENT_LIST_OF_ORGANIZATION, values)
            .await?
    };
    rows.iter().map(|row| row.id("id")).collect()
}

/// Adds usage, to the session and to its organization's day, and returns the new totals. Another transaction that adds to the session waits for the end of this one.
pub async fn model_usage_add(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    model: &str,
    more: &Usage,
    now: Timestamp,
) -> Result<ModelSpending> {
    let session = values![organization_id, session_id];
    tx.fetch_optional("sessions", &MODEL_USAGE_LOCK, session)
        .await?;
    let tokens = &more.tokens;
    let values = values![
        organization_id,
        session_id,
        model,
        more.requests,
        more.estimated,
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write,
        more.cost_micro_usd,
        now,
    ];
    tx.execute(&MODEL_USAGE_ADD, values).await?;
    let (day, month) = (SpendPeriod::Day.begins(now), SpendPeriod::Month.begins(now));
    let values = values![organization_id, session_id, day, month, more.cost_micro_usd];
    let row = tx
        .fetch_optional("organization_model_spend", &MODEL_SPEND_ADD, values)
        .await?;
    row.as_ref().map_or(Ok(ModelSpending::default()), spending)
}

/// Overrides the operator's setting.
pub async fn model_budget_set(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    budget: Budget,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, session_id, budget.limit(), now];
    tx.execute(&MODEL_BUDGET_SET, values).await?;
    Ok(())
}

fn spending(row: &Row) -> Result<ModelSpending> {
    let budget = (row.int("budgets")? > 0)
        .then(|| row.int_opt("budget"))
        .transpose()?;
    let limits = |day, month| {
        Result::Ok(LimitSettings {
            spend_day_micro_usd: row.int_opt(day)?,
            spend_month_micro_usd: row.int_opt(month)?,
            ..LimitSettings::default()
        })
    };
    let day_micro_usd = row.int("day_spent")?;
    Ok(ModelSpending {
        spent_micro_usd: row.int("spent")?,
        budget: budget.map(Budget::from),
        configuration_budget: row.int_opt("configuration_budget")?.map(Budget::MicroUsd),
        organization_budget: row.int_opt("organization_budget")?.map(Budget::MicroUsd),
        organization: OrganizationSpend {
            day_micro_usd,
            month_micro_usd: row.int("month_spent_before")? + day_micro_usd,
            limits: OrganizationLimits {
                operator: limits("operator_day", "operator_month")?,
                organization: limits("organization_day", "organization_month")?,
            },
        },
    })
}

fn model_usage(row: &Row) -> Result<ModelUsage> {
    Ok(ModelUsage {
        model: row.text("model")?,
        usage: Usage {
            requests: row.int("requests")?,
            estimated: row.int("estimated_requests")?,
            tokens: Tokens {
                input: row.int("input_tokens")?,
                output: row.int("output_tokens")?,
                cache_read: row.int("cache_read_tokens")?,
                cache_write: row.int("cache_write_tokens")?,
            },
            cost_micro_usd: row.int("cost_micro_usd")?,
        },
    })
}
