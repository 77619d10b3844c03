//! What sessions have had of their models, and what each may spend.
//!
//! INVARIANT: counts grow in the database by what is added; nothing read is written back.

use std::ops::RangeInclusive;

use domain::{
    clock::Timestamp,
    id::{ConfigurationId, OrganizationId, SessionId},
    model_usage::{Budget, Tokens, Usage},
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
/// set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelSpending {
    pub spent_micro_usd: i64,
    pub budget: Option<Budget>,
    pub configuration_budget: Option<Budget>,
    pub organization_budget: Option<Budget>,
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
    MODEL_SPENDING_FETCH = "SELECT
        (SELECT CAST(COALESCE(SUM(cost_micro_usd), 0) AS BIGINT) FROM session_model_usage
            WHERE organization_id = $1 AND session_id = $2) AS spent,
        (SELECT budget_micro_usd FROM session_model_budgets
            WHERE organization_id = $1 AND session_id = $2) AS budget,
        (SELECT COUNT(*) FROM session_model_budgets
            WHERE organization_id = $1 AND session_id = $2) AS budgets,
        (SELECT c.budget_micro_usd FROM sessions s
            JOIN configurations c ON c.organization_id = s.organization_id AND c.id = s.configuration_id
            WHERE s.organization_id = $1 AND s.id = $2) AS configuration_budget,
        (SELECT budget_micro_usd FROM organization WHERE id = $1) AS organization_budget";
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

/// Nothing spent and no budget, for a session that is not there.
pub async fn model_spending_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<ModelSpending> {
    let values = values![organization_id, session_id];
    let row = conn
        .fetch_optional("session_model_usage", &MODEL_SPENDING_FETCH, values)
        .await?;
    let Some(row) = row else {
        return Ok(ModelSpending::default());
    };
    let budget = (row.int("budgets")? > 0)
        .then(|| row.int_opt("budget"))
        .transpose()?;
    Ok(ModelSpending {
        spent_micro_usd: row.int("spent")?,
        budget: budget.map(Budget::from),
        configuration_budget: row.int_opt("configuration_budget")?.map(Budget::MicroUsd),
        organization_budget: row.int_opt("organization_budget")?.map(Budget::MicroUsd),
    })
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

/// Adds usage and returns the new total. Another transaction that adds to the session waits for the end of this one.
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
    model_spending_fetch(tx, organization_id, session_id).await
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
