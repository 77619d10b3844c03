//! The limits of organizations, and what each uses of them.
//!
//! INVARIANT: what depends on a limit is counted under a lock that every other transaction which adds to the same count
//! takes too: the organization's row for sessions, the row of the sum itself for stored bytes.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    organization_limits::{LimitLevel, LimitSettings, OrganizationLimits},
    organization_spend::{OrganizationSpend, SpendNotice, SpendPeriod},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

/// What an organization has running: its live sessions, and the sandboxes that exist or are being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionsInUse {
    pub live_sessions: i64,
    pub sandboxes: i64,
}

/// What an organization has stored, and when its rows were last counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StorageInUse {
    pub byte_size: i64,
    pub counted_at: Option<Timestamp>,
}

statements! {
    ORGANIZATION_LIMITS_FETCH = "SELECT level, live_sessions, sandboxes, storage_bytes, spend_day_micro_usd,
        spend_month_micro_usd, approval_seconds FROM organization_limits WHERE organization_id = $1";
    ORGANIZATION_LIMITS_SET = "INSERT INTO organization_limits (organization_id, level, live_sessions, sandboxes,
        storage_bytes, spend_day_micro_usd, spend_month_micro_usd, approval_seconds, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (organization_id, level) DO UPDATE SET live_sessions = excluded.live_sessions,
            sandboxes = excluded.sandboxes, storage_bytes = excluded.storage_bytes,
            spend_day_micro_usd = excluded.spend_day_micro_usd,
            spend_month_micro_usd = excluded.spend_month_micro_usd,
            approval_seconds = excluded.approval_seconds, updated_at = excluded.updated_at";
    /// A session that moves has two sandboxes for a while.
    SESSIONS_IN_USE = "SELECT COUNT(*) FILTER (WHERE status IN ('starting', 'running')) AS live_sessions,
        COUNT(*) + COUNT(*) FILTER (WHERE successor_sandbox IS NOT NULL) AS sandboxes FROM sessions
        WHERE organization_id = $1 AND (status IN ('starting', 'running') OR sandbox_id IS NOT NULL) AND id <> $2";
    /// Of the day, and of the days of the month before it.
    ORGANIZATION_SPEND_FETCH = "SELECT
        (SELECT CAST(COALESCE(SUM(d.cost_micro_usd), 0) AS BIGINT) FROM organization_model_spend d
            WHERE d.organization_id = $1 AND d.day = $2) AS day_spent,
        (SELECT CAST(COALESCE(SUM(d.cost_micro_usd), 0) AS BIGINT) FROM organization_model_spend d
            WHERE d.organization_id = $1 AND d.day >= $3 AND d.day < $2) AS month_spent_before";
    SPEND_NOTICE_INSERT = "INSERT INTO organization_spend_notices
        (organization_id, period, begins, percent, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    SPEND_NOTICE_PERCENT = "SELECT CAST(COALESCE(MAX(percent), 0) AS BIGINT) AS n FROM organization_spend_notices
        WHERE organization_id = $1 AND period = $2 AND begins = $3";
    STORAGE_ADD = "INSERT INTO organization_storage (organization_id, byte_size, evidence_byte_size)
        VALUES ($1, $2, $3) ON CONFLICT (organization_id) DO UPDATE SET
            byte_size = organization_storage.byte_size + excluded.byte_size,
            evidence_byte_size = organization_storage.evidence_byte_size + excluded.evidence_byte_size
        RETURNING byte_size + evidence_byte_size AS n";
    STORAGE_FETCH = "SELECT byte_size + evidence_byte_size AS byte_size, counted_at FROM organization_storage
        WHERE organization_id = $1";
    STORAGE_LIST_TO_COUNT = "SELECT o.id FROM organization o
        LEFT JOIN organization_storage s ON s.organization_id = o.id
        WHERE s.counted_at IS NULL OR s.counted_at < $1
        ORDER BY COALESCE(s.counted_at, o.created_at), o.id LIMIT $2";
    /// What others add meanwhile waits for this row, and so follows the count.
    STORAGE_COUNT = "UPDATE organization_storage SET counted_at = $2, byte_size =
        (SELECT CAST(COALESCE(SUM(a.byte_size), 0) AS BIGINT) FROM artifacts a WHERE a.organization_id = $1)
        + (SELECT CAST(COALESCE(SUM(s.byte_size), 0) AS BIGINT) FROM snapshots s WHERE s.organization_id = $1)
        + (SELECT CAST(COALESCE(SUM(r.byte_size), 0) AS BIGINT) FROM recording_chunks r WHERE r.organization_id = $1)
        WHERE organization_id = $1";
    /// Jobs that wait for the next day or month are due now.
    SESSION_GO_ON_HASTEN = "UPDATE jobs SET run_at = $2, updated_at = $2 WHERE id IN (SELECT id FROM jobs
        WHERE organization_id = $1 AND kind = 'session_go_on' AND status = 'waiting' AND run_at > $2
        ORDER BY id LIMIT $3)";
}

/// The limits of both levels; none for an organization that has no row.
pub async fn organization_limits_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<OrganizationLimits> {
    let values = values![organization_id];
    let rows = conn
        .fetch_all("organization_limits", &ORGANIZATION_LIMITS_FETCH, values)
        .await?;
    let mut limits = OrganizationLimits::default();
    for row in &rows {
        match row.parsed("level")? {
            LimitLevel::Operator => limits.operator = settings(row)?,
            LimitLevel::Organization => limits.organization = settings(row)?,
        }
    }
    Ok(limits)
}

/// Replaces the limits of one level.
pub async fn organization_limits_set(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    level: LimitLevel,
    limits: &LimitSettings,
    now: Timestamp,
) -> Result<()> {
    let values = values![
        organization_id,
        level.as_str(),
        limits.live_sessions,
        limits.sandboxes,
        limits.storage_bytes,
        limits.spend_day_micro_usd,
        limits.spend_month_micro_usd,
        limits.approval_seconds,
        now,
    ];
    tx.execute(&ORGANIZATION_LIMITS_SET, values).await?;
    Ok(())
}

/// What the organization has running, without this session.
pub async fn sessions_in_use(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    except: Option<SessionId>,
) -> Result<SessionsInUse> {
    let except = except.map_or(uuid::Uuid::nil(), SessionId::uuid);
    let values = values![organization_id, except];
    let row = conn.fetch_optional("sessions", &SESSIONS_IN_USE, values);
    let Some(row) = row.await? else {
        return Ok(SessionsInUse::default());
    };
    Ok(SessionsInUse {
        live_sessions: row.int("live_sessions")?,
        sandboxes: row.int("sandboxes")?,
    })
}

/// What was spent in the day and month of this moment, without limits.
pub async fn organization_spend_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    now: Timestamp,
) -> Result<OrganizationSpend> {
    let (day, month) = (SpendPeriod::Day.begins(now), SpendPeriod::Month.begins(now));
    let values = values![organization_id, day, month];
    let row = conn
        .fetch_optional(
            "organization_model_spend",
            &ORGANIZATION_SPEND_FETCH,
            values,
        )
        .await?;
    let Some(row) = row else {
        return Ok(OrganizationSpend::default());
    };
    let day_micro_usd = row.int("day_spent")?;
    Ok(OrganizationSpend {
        day_micro_usd,
        month_micro_usd: row.int("month_spent_before")? + day_micro_usd,
        limits: OrganizationLimits::default(),
    })
}

/// Whether it is the first notice of this share in its period.
pub async fn spend_notice_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    notice: &SpendNotice,
    now: Timestamp,
) -> Result<bool> {
    let values = values![
        organization_id,
        notice.period.as_str(),
        notice.period.begins(now),
        notice.percent,
        now,
    ];
    Ok(tx.execute(&SPEND_NOTICE_INSERT, values).await? == 1)
}

/// The largest share that was noticed in the period of this moment; zero if none was.
pub async fn spend_notice_percent(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    period: SpendPeriod,
    now: Timestamp,
) -> Result<i64> {
    let values = values![organization_id, period.as_str(), period.begins(now)];
    conn.count("organization_spend_notices", &SPEND_NOTICE_PERCENT, values)
        .await
}

/// Adds bytes, and bytes of evidence, and returns the sum of all. Another transaction that adds waits for the end of
/// this one.
pub async fn storage_add(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    bytes: u64,
    evidence_bytes: u64,
) -> Result<i64> {
    let int = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    let values = values![organization_id, int(bytes), int(evidence_bytes)];
    tx.count("organization_storage", &STORAGE_ADD, values).await
}

pub async fn storage_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<StorageInUse> {
    let values = values![organization_id];
    let row = conn.fetch_optional("organization_storage", &STORAGE_FETCH, values);
    let Some(row) = row.await? else {
        return Ok(StorageInUse::default());
    };
    Ok(StorageInUse {
        byte_size: row.int("byte_size")?,
        counted_at: row.time_opt("counted_at")?,
    })
}

/// Organizations whose rows were counted last before then, or never; the longest ago first.
pub async fn storage_list_to_count(
    conn: &mut Conn,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<OrganizationId>> {
    let values = values![before, i64::from(limit)];
    let rows = conn
        .fetch_all("organization", &STORAGE_LIST_TO_COUNT, values)
        .await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}

/// Sets the sum to what the rows of the organization say.
pub async fn storage_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    now: Timestamp,
) -> Result<()> {
    // Makes the row, and locks it.
    storage_add(tx, organization_id, 0, 0).await?;
    tx.execute(&STORAGE_COUNT, values![organization_id, now])
        .await?;
    Ok(())
}

/// Makes jobs that resume sessions of the organization later due now, and returns how many.
pub async fn session_go_on_hasten(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    now: Timestamp,
    limit: u32,
) -> Result<u64> {
    let values = values![organization_id, now, i64::from(limit)];
    tx.execute(&SESSION_GO_ON_HASTEN, values).await
}

fn settings(row: &Row) -> Result<LimitSettings> {
    Ok(LimitSettings {
        live_sessions: row.int_opt("live_sessions")?,
        sandboxes: row.int_opt("sandboxes")?,
        storage_bytes: row.int_opt("storage_bytes")?,
        spend_day_micro_usd: row.int_opt("spend_day_micro_usd")?,
        spend_month_micro_usd: row.int_opt("spend_month_micro_usd")?,
        approval_seconds: row.int_opt("approval_seconds")?,
    })
}
