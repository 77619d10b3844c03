//! Runs of automations: inserted with their session, ended once.

use domain::{
    automation_run::{
        AutomationOutcome, AutomationRun, AutomationRunState, AutomationRunStatus, Completion,
    },
    clock::Timestamp,
    id::{AutomationId, AutomationRunId, OrganizationId, SessionId},
    page::{Page, PageRequest},
    session::SessionStatus,
    sharing::SessionViewer,
};
use serde_json::{Value, json};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    json::{Parsed, text, text_opt, texts_from},
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::values,
};

macro_rules! columns {
    ($of:literal) => {
        concat!(
            $of,
            "id, ",
            $of,
            "organization_id, ",
            $of,
            "automation_id, ",
            $of,
            "session_id, ",
            $of,
            "status, ",
            $of,
            "deadline_at, ",
            $of,
            "status_reason, ",
            $of,
            "completion_id, ",
            $of,
            "completion_json, ",
            $of,
            "created_by, ",
            $of,
            "created_at, ",
            $of,
            "completed_at"
        )
    };
}

statements! {
    AUTOMATION_RUN_INSERT = concat!("INSERT INTO automation_runs (", columns!(""), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)");
    AUTOMATION_RUN_FETCH = concat!("SELECT ", columns!(""), " FROM automation_runs
        WHERE organization_id = $1 AND id = $2");
    AUTOMATION_RUN_FETCH_OF_SESSION = concat!("SELECT ", columns!(""), " FROM automation_runs
        WHERE organization_id = $1 AND session_id = $2");
    AUTOMATION_RUN_LIST = concat!("SELECT ", columns!(""), " FROM automation_runs
        WHERE organization_id = $1 AND automation_id = $2 AND id < $3 AND ",
        seen_session!("automation_runs.organization_id", "automation_runs.session_id", "$5"),
        " ORDER BY id DESC LIMIT $4");
    AUTOMATION_RUN_COUNT_RUNNING = "SELECT COUNT(*) AS n FROM automation_runs
        WHERE organization_id = $1 AND automation_id = $2 AND status = 'running'";
    /// INVARIANT: a run ends once.
    AUTOMATION_RUN_END = "UPDATE automation_runs SET status = $3, deadline_at = NULL, status_reason = $4,
        completion_id = $5, completion_json = $6, completed_at = $7
        WHERE organization_id = $1 AND id = $2 AND status = 'running'";
    /// Of any organization: past their deadline, without events since before `$2`, or with a session that has ended; and
    /// those that ended before `$3` whose session has not.
    AUTOMATION_RUN_LIST_OPEN = concat!("SELECT ", columns!("r."), ", s.status AS session_status,
        s.stop_reason AS session_reason, COALESCE((SELECT e.created_at FROM session_events e
            WHERE e.session_id = r.session_id ORDER BY e.seq DESC LIMIT 1), r.created_at) AS heard_at
        FROM automation_runs r
        JOIN sessions s ON s.organization_id = r.organization_id AND s.id = r.session_id
        WHERE r.closed_at IS NULL AND (r.deadline_at <= $1 OR r.completed_at <= $3
            OR (r.status = 'running' AND (s.status IN ('stopped', 'failed')
                OR COALESCE((SELECT e.created_at FROM session_events e WHERE e.session_id = r.session_id
                    ORDER BY e.seq DESC LIMIT 1), r.created_at) <= $2)))
        ORDER BY r.id LIMIT $4");
    AUTOMATION_RUN_CLOSE = "UPDATE automation_runs SET closed_at = $3
        WHERE organization_id = $1 AND id = $2 AND status <> 'running'";
}

/// A run that the sweeper has to end or to close, with the state of its session.
#[derive(Debug, Clone)]
pub struct OpenRun {
    pub run: AutomationRun,
    pub session_status: SessionStatus,
    pub session_reason: Option<String>,
    /// When the session's last event was recorded.
    pub heard_at: Timestamp,
}

pub async fn automation_run_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: AutomationRunId,
) -> Result<Option<AutomationRun>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("automation_runs", &AUTOMATION_RUN_FETCH, values);
    row.await?.map(|row| run(&row)).transpose()
}

pub async fn automation_run_fetch_of_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Option<AutomationRun>> {
    let (statement, values) = (
        &AUTOMATION_RUN_FETCH_OF_SESSION,
        values![organization_id, session_id],
    );
    let row = conn.fetch_optional("automation_runs", statement, values);
    row.await?.map(|row| run(&row)).transpose()
}

/// Those in sessions that the viewer sees, newest first.
pub async fn automation_run_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    automation_id: AutomationId,
    page: PageRequest<AutomationRunId>,
) -> Result<Page<AutomationRun, AutomationRunId>> {
    let before = crate::session::cursor(page.before.map(AutomationRunId::uuid));
    let (limit, member) = (page.fetch_limit(), viewer.member());
    let values = values![organization_id, automation_id, before, limit, member];
    let rows = conn.fetch_all("automation_runs", &AUTOMATION_RUN_LIST, values);
    let found = rows.await?.iter().map(run).collect::<Result<_>>()?;
    Ok(page.page(found, |run: &AutomationRun| run.id))
}

pub async fn automation_run_count_running(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    automation_id: AutomationId,
) -> Result<i64> {
    let values = values![organization_id, automation_id];
    conn.count("automation_runs", &AUTOMATION_RUN_COUNT_RUNNING, values)
        .await
}

/// Returns runs of any organization that the sweeper has to end or to close, oldest first.
pub async fn automation_run_list_open(
    conn: &mut Conn,
    now: Timestamp,
    silent_since: Timestamp,
    ended_before: Timestamp,
    limit: u32,
) -> Result<Vec<OpenRun>> {
    let values = values![now, silent_since, ended_before, i64::from(limit)];
    let rows = conn.fetch_all("automation_runs", &AUTOMATION_RUN_LIST_OPEN, values);
    let open = |row: &Row| {
        Ok(OpenRun {
            run: run(row)?,
            session_status: row.parsed("session_status")?,
            session_reason: row.text_opt("session_reason")?,
            heard_at: row.time("heard_at")?,
        })
    };
    rows.await?.iter().map(open).collect()
}

pub async fn automation_run_insert(tx: &mut Tx, run: &AutomationRun) -> Result<()> {
    let state = StateColumns::of(&run.state);
    let values = values![
        run.id,
        &run.organization_id,
        run.automation_id,
        run.session_id,
        state.status,
        state.deadline_at,
        state.status_reason,
        state.completion_id,
        state.completion_json,
        run.created_by.as_ref(),
        run.created_at,
        state.completed_at,
    ];
    tx.execute(&AUTOMATION_RUN_INSERT, values).await?;
    Ok(())
}

/// Closes a run whose session has ended too, so that the sweeper skips it.
pub async fn automation_run_close(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: AutomationRunId,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, id, now];
    tx.execute(&AUTOMATION_RUN_CLOSE, values).await?;
    Ok(())
}

/// Ends it as `run` says; `false` if it had ended before.
pub async fn automation_run_end(tx: &mut Tx, run: &AutomationRun) -> Result<bool> {
    let state = StateColumns::of(&run.state);
    let values = values![
        &run.organization_id,
        run.id,
        state.status,
        state.status_reason,
        state.completion_id,
        state.completion_json,
        state.completed_at,
    ];
    Ok(tx.execute(&AUTOMATION_RUN_END, values).await? == 1)
}

/// A state as the columns that hold it.
struct StateColumns<'a> {
    status: &'static str,
    deadline_at: Option<Timestamp>,
    status_reason: Option<&'a str>,
    completion_id: Option<&'a str>,
    completion_json: Option<Value>,
    completed_at: Option<Timestamp>,
}

impl<'a> StateColumns<'a> {
    fn of(state: &'a AutomationRunState) -> Self {
        let completion = state.completion();
        Self {
            status: state.status().as_str(),
            deadline_at: match state {
                AutomationRunState::Running { deadline } => Some(*deadline),
                _ => None,
            },
            status_reason: state.reason(),
            completion_id: completion.map(|completion| completion.id.as_str()),
            completion_json: completion.map(completion_to),
            completed_at: state.ended_at(),
        }
    }
}

fn completion_to(completion: &Completion) -> Value {
    json!({
        "outcome": completion.outcome.as_str(),
        "summaryMarkdown": completion.summary_markdown,
        "citations": completion.citations,
        "diffRef": completion.diff_ref,
        "testReportRef": completion.test_report_ref,
        "sideEffectRefs": completion.side_effect_refs,
    })
}

fn completion_from(id: String, json: &Value) -> Parsed<Completion> {
    let outcome = text(json, "outcome")?.parse::<AutomationOutcome>();
    Ok(Completion {
        id,
        outcome: outcome.map_err(|error| error.to_string())?,
        summary_markdown: text_opt(json, "summaryMarkdown"),
        citations: texts_from(&json["citations"])?,
        diff_ref: text_opt(json, "diffRef"),
        test_report_ref: text_opt(json, "testReportRef"),
        side_effect_refs: texts_from(&json["sideEffectRefs"])?,
    })
}

fn run(row: &Row) -> Result<AutomationRun> {
    Ok(AutomationRun {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        automation_id: row.id("automation_id")?,
        session_id: row.id("session_id")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        state: state(row)?,
    })
}

/// The state, from the status and exactly the columns that status needs.
fn state(row: &Row) -> Result<AutomationRunState> {
    let status: AutomationRunStatus = row.parsed("status")?;
    if status == AutomationRunStatus::Running {
        return Ok(AutomationRunState::Running {
            deadline: row.time("deadline_at")?,
        });
    }
    let ended_at = row.time("completed_at")?;
    if let Some(id) = row.text_opt("completion_id")? {
        let completion = completion_from(id, &row.json("completion_json")?);
        let completion =
            completion.map_err(|reason| row.inconsistent("completion_json", &reason))?;
        let state = AutomationRunState::Completed {
            ended_at,
            completion,
        };
        if state.status() != status {
            return Err(row.inconsistent("status", "is not what the completion says"));
        }
        return Ok(state);
    }
    let reason = row.text("status_reason")?;
    match status {
        AutomationRunStatus::Failed => Ok(AutomationRunState::Lost { ended_at, reason }),
        AutomationRunStatus::TimedOut => Ok(AutomationRunState::TimedOut { ended_at, reason }),
        _ => Err(row.inconsistent("completion_id", "is missing")),
    }
}
