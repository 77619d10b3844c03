//! Sessions: inserted once per idempotency key, changed only by compare-and-set.

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    id::{ConfigurationId, OrganizationId, SessionId, UserId},
    organization::OrganizationStatus,
    page::{Page, PageRequest},
    session::{ClientType, Session, SessionState, SessionStatus, SessionType},
    sharing::SessionViewer,
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    json,
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::{Value, values},
};

macro_rules! columns {
    () => {
        "id, organization_id, created_by, configuration_id, visibility, session_type, client_type, \
         client_metadata, agent_config, system_prompt, initial_prompt, title, snapshot_id, \
         ssh_public_keys, integration_warnings, status, starting_since, started_at, paused_at, pause_reason, ended_at, \
         stop_reason, owner_epoch, incarnation, idempotency_key, request_digest, created_at, \
         updated_at, last_activity_at"
    };
}

statements! {
    /// Returns no row if the organization has used the key already.
    SESSION_INSERT = concat!("INSERT INTO sessions (", columns!(), ") VALUES ($1, $2, $3, $4, $5, $6,
        $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
        $26, $27, $28, $29) ON CONFLICT (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL
        DO NOTHING");
    SESSION_FETCH = concat!("SELECT ", columns!(), " FROM sessions
        WHERE organization_id = $1 AND id = $2");
    /// Without an organization: for a token that names its session and nothing else.
    SESSION_FETCH_ANY = concat!("SELECT ", columns!(), " FROM sessions WHERE id = $1");
    SESSION_STANDING = "SELECT s.id, s.organization_id, s.status, s.incarnation, o.status AS organization_status
        FROM sessions s JOIN organization o ON o.id = s.organization_id WHERE s.id = $1";
    SESSION_FETCH_KEY = concat!("SELECT ", columns!(), " FROM sessions
        WHERE organization_id = $1 AND idempotency_key = $2");
    SESSION_LIST = concat!("SELECT ", columns!(), " FROM sessions WHERE organization_id = $1
        AND id < $2 AND (status = $3 OR $3 IS NULL) AND (session_type = $4 OR $4 IS NULL)
        AND (client_type = $5 OR $5 IS NULL) AND (configuration_id = $6 OR $6 IS NULL)
        AND (created_by = $7 OR $7 IS NULL) AND (LOWER(title) LIKE $8 ESCAPE '!' OR $8 IS NULL)
        AND ", seen_session!("sessions.organization_id", "sessions.id", "$10"), " ORDER BY id DESC LIMIT $9");
    /// INVARIANT: a state is written only over the state it was derived from, by the current owner.
    SESSION_SET_STATE = concat!("UPDATE sessions SET status = $5, starting_since = $6,
        started_at = COALESCE($7, started_at), paused_at = $8, pause_reason = $9, ended_at = $10,
        stop_reason = $11, updated_at = $12
        WHERE organization_id = $1 AND id = $2 AND status = $3 AND owner_epoch = $4
        RETURNING ", columns!());
    /// INVARIANT: the previous owner of the session cannot write to it afterwards.
    SESSION_CLAIM = concat!("UPDATE sessions SET owner_epoch = owner_epoch + 1, updated_at = $3
        WHERE organization_id = $1 AND id = $2 RETURNING ", columns!());
    SESSION_SET_TITLE = concat!("UPDATE sessions SET title = $3, updated_at = $4
        WHERE organization_id = $1 AND id = $2 RETURNING ", columns!());
    /// Stopped sessions whose sandboxes were not removed.
    SESSION_LIST_TO_RELEASE = concat!("SELECT ", columns!(), " FROM sessions
        WHERE status = 'stopped' AND sandbox_id IS NOT NULL AND ended_at <= $1
        ORDER BY ended_at LIMIT $2");
    SESSION_LIST_STUCK = concat!("SELECT ", columns!(), " FROM sessions WHERE starting_since < $1
        ORDER BY starting_since LIMIT $2");
}

/// What became of an insert.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionInsert {
    Inserted,
    /// The organization has used the idempotency key; this is the session it made.
    KeyTaken(Box<Session>),
}

/// Which sessions a list shows; `None` shows all.
#[derive(Debug, Clone, Default)]
pub struct SessionFilter {
    pub status: Option<SessionStatus>,
    pub session_type: Option<SessionType>,
    pub client_type: Option<ClientType>,
    pub configuration_id: Option<ConfigurationId>,
    pub created_by: Option<UserId>,
    /// What is in the title, in any case of its letters.
    pub search: Option<String>,
}

/// The id a page begins below: the greatest of all for the first page.
pub(crate) fn cursor(before: Option<Uuid>) -> Uuid {
    before.unwrap_or(Uuid::max())
}

/// Returns a pattern for texts in lower case that contain this one.
fn contains(text: &str) -> String {
    let text = text.to_lowercase();
    let plain = text
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    format!("%{plain}%")
}

/// The organization of a session, and which of its sandboxes is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStanding {
    pub organization_id: OrganizationId,
    pub status: SessionStatus,
    pub incarnation: Incarnation,
    pub organization_status: OrganizationStatus,
}

pub async fn session_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Option<Session>> {
    session_one(conn, &SESSION_FETCH, values![organization_id, id]).await
}

/// For a caller that is authenticated as this session's sandbox. Any other caller uses [`session_fetch`] with its
/// organization.
pub async fn session_fetch_any(conn: &mut Conn, id: SessionId) -> Result<Option<Session>> {
    session_one(conn, &SESSION_FETCH_ANY, values![id]).await
}

/// Returns what the token of a session's sandbox is verified against, on every request of the sandbox.
pub async fn session_standing(conn: &mut Conn, id: SessionId) -> Result<Option<SessionStanding>> {
    let row = conn
        .fetch_optional("sessions", &SESSION_STANDING, values![id])
        .await?;
    let standing = |row: &Row| {
        Ok(SessionStanding {
            organization_id: row.parsed("organization_id")?,
            status: row.parsed("status")?,
            incarnation: Incarnation(row.int("incarnation")?),
            organization_status: row.parsed("organization_status")?,
        })
    };
    row.as_ref().map(standing).transpose()
}

pub async fn session_fetch_key(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    idempotency_key: &str,
) -> Result<Option<Session>> {
    session_one(
        conn,
        &SESSION_FETCH_KEY,
        values![organization_id, idempotency_key],
    )
    .await
}

/// Those that the viewer sees, newest first.
pub async fn session_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    filter: &SessionFilter,
    page: PageRequest<SessionId>,
) -> Result<Page<Session, SessionId>> {
    let values = values![
        organization_id,
        cursor(page.before.map(SessionId::uuid)),
        filter.status.map(SessionStatus::as_str),
        filter.session_type.map(SessionType::as_str),
        filter.client_type.map(ClientType::as_str),
        filter.configuration_id,
        filter.created_by.as_ref(),
        filter.search.as_deref().map(contains),
        page.fetch_limit(),
        viewer.member(),
    ];
    let rows = conn.fetch_all("sessions", &SESSION_LIST, values).await?;
    let sessions = rows.iter().map(session).collect::<Result<_>>()?;
    Ok(page.page(sessions, |session: &Session| session.id))
}

/// Sessions of any organization that began to start before `before` and still do; oldest first.
pub async fn session_list_stuck(
    conn: &mut Conn,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<Session>> {
    let values = values![before, i64::from(limit)];
    let rows = conn
        .fetch_all("sessions", &SESSION_LIST_STUCK, values)
        .await?;
    rows.iter().map(session).collect()
}

/// Sessions of any organization that were over by then and still have a sandbox; oldest first.
pub async fn session_list_to_release(
    conn: &mut Conn,
    by: Timestamp,
    limit: u32,
) -> Result<Vec<Session>> {
    let values = values![by, i64::from(limit)];
    let rows = conn
        .fetch_all("sessions", &SESSION_LIST_TO_RELEASE, values)
        .await?;
    rows.iter().map(session).collect()
}

async fn session_one(
    conn: &mut Conn,
    statement: &'static crate::statement::Statement,
    values: Vec<Value>,
) -> Result<Option<Session>> {
    let row = conn.fetch_optional("sessions", statement, values).await?;
    row.map(|row| session(&row)).transpose()
}

/// INVARIANT: at most one session per organization and idempotency key, under concurrent inserts too: the unique index
/// decides, and the other caller receives the session that exists.
pub async fn session_insert(tx: &mut Tx, session: &Session) -> Result<SessionInsert> {
    let s = session;
    let state = StateColumns::of(&s.state);
    let values = values![
        s.id,
        &s.organization_id,
        s.created_by.as_ref(),
        s.configuration_id,
        s.visibility.as_str(),
        s.session_type.as_str(),
        s.client_type.as_str(),
        s.client_metadata.as_ref(),
        json::agent_config_to(&s.agent_config),
        s.system_prompt.as_ref(),
        s.initial_prompt.as_ref(),
        s.title.as_ref(),
        s.snapshot_id.as_ref(),
        serde_json::json!(s.ssh_public_keys),
        json::integration_warnings_to(&s.integration_warnings),
        state.status,
        state.starting_since,
        state.started_at,
        state.paused_at,
        state.pause_reason,
        state.ended_at,
        state.stop_reason,
        s.owner_epoch,
        s.incarnation,
        s.idempotency_key.as_ref(),
        s.request_digest.as_ref(),
        s.created_at,
        s.updated_at,
        s.last_activity_at,
    ];
    if tx.execute(&SESSION_INSERT, values).await? == 1 {
        return Ok(SessionInsert::Inserted);
    }
    let key = s.idempotency_key.as_deref().unwrap_or_default();
    match session_fetch_key(tx, &s.organization_id, key).await? {
        Some(existing) => Ok(SessionInsert::KeyTaken(Box::new(existing))),
        // The winner's organization was deleted between the two statements.
        None => Err(crate::error::Error::MissingReference),
    }
}

/// Moves `session` to `next`; `None` if its state or owner is no longer what `session` says.
pub async fn session_set_state(
    tx: &mut Tx,
    session: &Session,
    next: &SessionState,
    now: Timestamp,
) -> Result<Option<Session>> {
    let state = StateColumns::of(next);
    let values = values![
        &session.organization_id,
        session.id,
        session.state.status().as_str(),
        session.owner_epoch,
        state.status,
        state.starting_since,
        state.started_at,
        state.paused_at,
        state.pause_reason,
        state.ended_at,
        state.stop_reason,
        now,
    ];
    session_one(tx, &SESSION_SET_STATE, values).await
}

/// Makes the caller the session's owner and returns the session with its new epoch. The caller holds the lease.
pub async fn session_claim(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: SessionId,
    now: Timestamp,
) -> Result<Option<Session>> {
    session_one(tx, &SESSION_CLAIM, values![organization_id, id, now]).await
}

pub async fn session_set_title(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: SessionId,
    title: Option<&str>,
    now: Timestamp,
) -> Result<Option<Session>> {
    session_one(
        tx,
        &SESSION_SET_TITLE,
        values![organization_id, id, title, now],
    )
    .await
}

/// A state as the columns that hold it.
struct StateColumns<'a> {
    status: &'static str,
    starting_since: Option<Timestamp>,
    started_at: Option<Timestamp>,
    paused_at: Option<Timestamp>,
    pause_reason: Option<&'a str>,
    ended_at: Option<Timestamp>,
    stop_reason: Option<&'a str>,
}

impl<'a> StateColumns<'a> {
    fn of(state: &'a SessionState) -> Self {
        let mut columns = Self {
            status: state.status().as_str(),
            starting_since: None,
            started_at: None,
            paused_at: None,
            pause_reason: None,
            ended_at: state.ended_at(),
            stop_reason: None,
        };
        match state {
            SessionState::Pending => {}
            SessionState::Starting { since } => columns.starting_since = Some(*since),
            SessionState::Running { started_at } => columns.started_at = Some(*started_at),
            SessionState::Paused {
                started_at,
                paused_at,
                reason,
            } => {
                columns.started_at = Some(*started_at);
                columns.paused_at = Some(*paused_at);
                columns.pause_reason = Some(reason);
            }
            SessionState::Stopped { reason, .. } | SessionState::Failed { reason, .. } => {
                columns.stop_reason = Some(reason);
            }
        }
        columns
    }
}

fn session(row: &Row) -> Result<Session> {
    let agent_config = row.json("agent_config")?;
    let ssh_public_keys = row.json("ssh_public_keys")?;
    let integration_warnings = row.json("integration_warnings")?;
    Ok(Session {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        created_by: row.parsed_opt("created_by")?,
        configuration_id: row.id_opt("configuration_id")?,
        visibility: row.parsed("visibility")?,
        session_type: row.parsed("session_type")?,
        client_type: row.parsed("client_type")?,
        client_metadata: row.json_opt("client_metadata")?,
        agent_config: json::agent_config_from(&agent_config)
            .map_err(|reason| row.inconsistent("agent_config", &reason))?,
        system_prompt: row.text_opt("system_prompt")?,
        initial_prompt: row.text_opt("initial_prompt")?,
        title: row.text_opt("title")?,
        snapshot_id: row.text_opt("snapshot_id")?,
        ssh_public_keys: json::texts_from(&ssh_public_keys)
            .map_err(|reason| row.inconsistent("ssh_public_keys", &reason))?,
        integration_warnings: json::integration_warnings_from(&integration_warnings)
            .map_err(|reason| row.inconsistent("integration_warnings", &reason))?,
        state: state(row)?,
        owner_epoch: row.int("owner_epoch")?,
        incarnation: Incarnation(row.int("incarnation")?),
        idempotency_key: row.text_opt("idempotency_key")?,
        request_digest: row.text_opt("request_digest")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        last_activity_at: row.time("last_activity_at")?,
    })
}

/// The state, from the status and exactly the columns that status needs.
fn state(row: &Row) -> Result<SessionState> {
    let status = row.parsed("status")?;
    let ended = row.time_opt("ended_at")?;
    if ended.is_some() && !matches!(status, SessionStatus::Stopped | SessionStatus::Failed) {
        return Err(row.inconsistent("ended_at", "is set though the session has not ended"));
    }
    Ok(match status {
        SessionStatus::Pending => SessionState::Pending,
        SessionStatus::Starting => SessionState::Starting {
            since: row.time("starting_since")?,
        },
        SessionStatus::Running => SessionState::Running {
            started_at: row.time("started_at")?,
        },
        SessionStatus::Paused => SessionState::Paused {
            started_at: row.time("started_at")?,
            paused_at: row.time("paused_at")?,
            reason: row.text("pause_reason")?,
        },
        SessionStatus::Stopped => SessionState::Stopped {
            ended_at: row.required("ended_at", ended)?,
            reason: row.text("stop_reason")?,
        },
        SessionStatus::Failed => SessionState::Failed {
            ended_at: row.required("ended_at", ended)?,
            reason: row.text("stop_reason")?,
        },
    })
}
