//! What is known about stored bytes.

use domain::{
    artifact::{Artifact, ArtifactScope, Lineage},
    audit::Sha256Hex,
    id::{ArtifactId, OrganizationId, SessionId},
    page::{Page, PageRequest},
    policy::{ArtifactKind, CaseId, Operation},
};

use crate::{
    case::case_lock,
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, Value, values},
};

macro_rules! columns {
    () => {
        "id, organization_id, case_id, session_id, kind, media_type, sha256, byte_size, run_id, \
         derived_from, transformation, created_at"
    };
}

statements! {
    /// What is there already stays: the same upload twice, or an output that was stored before its run
    /// ended.
    ARTIFACT_INSERT_ALL = concat!("INSERT INTO artifacts (", columns!(), ") SELECT ", columns!(), " FROM "),
        rows(id: UUID, organization_id: TEXT, case_id: TEXT, session_id: UUID, kind: TEXT,
            media_type: TEXT, sha256: TEXT, byte_size: BIGINT, run_id: UUID, derived_from: JSONB,
            transformation: TEXT, created_at: TIMESTAMPTZ)
        "WHERE TRUE ON CONFLICT DO NOTHING";
    ARTIFACT_FETCH_MANY = "SELECT a.id, a.organization_id, a.case_id, a.session_id, a.kind, a.media_type,
        a.sha256, a.byte_size, a.run_id, a.derived_from, a.transformation, a.created_at FROM ",
        rows(organization_id: TEXT, id: UUID)
        "JOIN artifacts a ON a.organization_id = given.organization_id AND a.id = given.id";
    ARTIFACT_LIST_CASE = concat!("SELECT ", columns!(), " FROM artifacts
        WHERE organization_id = $1 AND case_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4");
    ARTIFACT_LIST_SESSION = concat!("SELECT ", columns!(), " FROM artifacts
        WHERE organization_id = $1 AND session_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4");
    ARTIFACT_LIST_SESSION_MADE = concat!("SELECT ", columns!(), " FROM artifacts
        WHERE organization_id = $1 AND session_id = $2 AND kind = $3 AND transformation = $4 AND id < $5
        ORDER BY id DESC LIMIT $6");
    ARTIFACT_COUNT_CASE = "SELECT COUNT(*) AS n FROM artifacts
        WHERE organization_id = $1 AND case_id = $2";
    ARTIFACT_COUNT_SESSION = "SELECT COUNT(*) AS n FROM artifacts
        WHERE organization_id = $1 AND session_id = $2";
    ARTIFACT_UPLOADED_CASE = concat!("SELECT ", columns!(), " FROM artifacts
        WHERE organization_id = $1 AND case_id = $2 AND sha256 = $3 AND kind = $4 AND media_type = $5
        AND run_id IS NULL");
    ARTIFACT_UPLOADED_SESSION = concat!("SELECT ", columns!(), " FROM artifacts
        WHERE organization_id = $1 AND session_id = $2 AND sha256 = $3 AND kind = $4 AND media_type = $5
        AND run_id IS NULL");
    /// As for a case: one counter at a time.
    ARTIFACT_LOCK_SESSION = "SELECT id FROM sessions WHERE organization_id = $1 AND id = $2",
        pg: " FOR NO KEY UPDATE";
}

pub async fn artifact_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: ArtifactId,
) -> Result<Option<Artifact>> {
    Ok(artifact_fetch_many(conn, organization_id, &[id])
        .await?
        .pop())
}

/// Those of them that the organization has, in no particular order.
pub async fn artifact_fetch_many(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    ids: &[ArtifactId],
) -> Result<Vec<Artifact>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = ids.iter().map(|id| values![organization_id, *id]).collect();
    let given = Rows(rows);
    let rows = conn
        .fetch_all("artifacts", &ARTIFACT_FETCH_MANY, values![given])
        .await?;
    rows.iter().map(artifact).collect()
}

pub async fn artifact_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: &ArtifactScope,
    page: PageRequest<ArtifactId>,
) -> Result<Page<Artifact, ArtifactId>> {
    let statement = match scope {
        ArtifactScope::Case(_) => &ARTIFACT_LIST_CASE,
        ArtifactScope::Session(_) => &ARTIFACT_LIST_SESSION,
    };
    let before = crate::session::cursor(page.before.map(ArtifactId::uuid));
    let values = values![organization_id, scope, before, page.fetch_limit()];
    let rows = conn.fetch_all("artifacts", statement, values).await?;
    let artifacts = rows.iter().map(artifact).collect::<Result<_>>()?;
    Ok(page.page(artifacts, |artifact: &Artifact| artifact.id))
}

/// Those of one kind that calls of one operation made in a session, newest first. Uploads are not among them.
pub async fn artifact_list_made_in_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    (kind, transformation): (&ArtifactKind, &Operation),
    page: PageRequest<ArtifactId>,
) -> Result<Page<Artifact, ArtifactId>> {
    let before = crate::session::cursor(page.before.map(ArtifactId::uuid));
    let values = values![
        organization_id,
        session_id,
        kind.as_str(),
        transformation.as_str(),
        before,
        page.fetch_limit(),
    ];
    let rows = conn.fetch_all("artifacts", &ARTIFACT_LIST_SESSION_MADE, values);
    let artifacts = rows.await?.iter().map(artifact).collect::<Result<_>>()?;
    Ok(page.page(artifacts, |artifact: &Artifact| artifact.id))
}

/// How many the case or session has.
pub async fn artifact_count(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: &ArtifactScope,
) -> Result<i64> {
    let statement = match scope {
        ArtifactScope::Case(_) => &ARTIFACT_COUNT_CASE,
        ArtifactScope::Session(_) => &ARTIFACT_COUNT_SESSION,
    };
    conn.count("artifacts", statement, values![organization_id, scope])
        .await
}

/// Returns the earlier upload of the same bytes with the same kind and type, if there was one.
pub async fn artifact_fetch_uploaded(conn: &mut Conn, like: &Artifact) -> Result<Option<Artifact>> {
    let statement = match like.scope {
        ArtifactScope::Case(_) => &ARTIFACT_UPLOADED_CASE,
        ArtifactScope::Session(_) => &ARTIFACT_UPLOADED_SESSION,
    };
    let values = values![
        &like.organization_id,
        &like.scope,
        like.sha256.as_str(),
        like.kind.as_str(),
        like.media_type.as_str(),
    ];
    let row = conn.fetch_optional("artifacts", statement, values).await?;
    row.map(|row| artifact(&row)).transpose()
}

/// Locks the case or session against other transactions that count its artifacts.
pub async fn artifact_lock_scope(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    scope: &ArtifactScope,
) -> Result<()> {
    match scope {
        ArtifactScope::Case(case_id) => {
            case_lock(tx, organization_id, case_id).await?;
        }
        ArtifactScope::Session(_) => {
            let values = values![organization_id, scope];
            tx.fetch_optional("sessions", &ARTIFACT_LOCK_SESSION, values)
                .await?;
        }
    }
    Ok(())
}

/// Inserts an upload, or returns the earlier upload of the same bytes to the same scope.
pub async fn artifact_insert_upload(tx: &mut Tx, artifact: &Artifact) -> Result<Option<Artifact>> {
    if insert_artifacts(tx, std::slice::from_ref(artifact)).await? == 1 {
        return Ok(None);
    }
    // Nothing takes an artifact away, so what was in the way is there.
    let existing = artifact_fetch_uploaded(tx, artifact).await?;
    existing
        .map(Some)
        .ok_or(crate::error::Error::MissingReference)
}

/// Inserts them all with one statement; one that is there already stays as it is.
pub async fn artifact_insert_all(tx: &mut Tx, artifacts: &[Artifact]) -> Result<()> {
    if !artifacts.is_empty() {
        insert_artifacts(tx, artifacts).await?;
    }
    Ok(())
}

async fn insert_artifacts(tx: &mut Tx, artifacts: &[Artifact]) -> Result<u64> {
    let rows = Rows(artifacts.iter().map(row_of).collect());
    tx.execute(&ARTIFACT_INSERT_ALL, values![rows]).await
}

/// The one of the two columns that the scope has.
impl From<&ArtifactScope> for Value {
    fn from(scope: &ArtifactScope) -> Self {
        match scope {
            ArtifactScope::Case(case_id) => case_id.as_str().into(),
            ArtifactScope::Session(session_id) => (*session_id).into(),
        }
    }
}

fn row_of(artifact: &Artifact) -> Vec<Value> {
    let lineage = artifact.lineage.as_ref();
    let derived_from: Vec<String> = lineage
        .map(|lineage| lineage.derived_from.iter().map(ToString::to_string))
        .into_iter()
        .flatten()
        .collect();
    values![
        artifact.id,
        &artifact.organization_id,
        artifact.scope.case_id().map(CaseId::as_str),
        artifact.scope.session_id(),
        artifact.kind.as_str(),
        artifact.media_type.as_str(),
        artifact.sha256.as_str(),
        i64::try_from(artifact.byte_size).unwrap_or(i64::MAX),
        lineage.map(|lineage| lineage.run_id),
        serde_json::Value::from(derived_from),
        lineage.map(|lineage| lineage.transformation.as_str()),
        artifact.created_at,
    ]
}

fn artifact(row: &Row) -> Result<Artifact> {
    let scope = match (row.parsed_opt("case_id")?, row.id_opt("session_id")?) {
        (Some(case_id), None) => ArtifactScope::Case(case_id),
        (None, Some(session_id)) => ArtifactScope::Session(session_id),
        _ => return Err(row.inconsistent("case_id", "belongs to no scope or to two")),
    };
    let lineage = match row.id_opt("run_id")? {
        None => None,
        Some(run_id) => Some(Lineage {
            run_id,
            derived_from: derived_from(row)?,
            transformation: row.parsed("transformation")?,
        }),
    };
    let byte_size = row.int("byte_size")?;
    Ok(Artifact {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        scope,
        kind: row.parsed("kind")?,
        media_type: row.parsed("media_type")?,
        sha256: Sha256Hex::new("sha256", row.text("sha256")?)
            .map_err(|error| row.inconsistent("sha256", &error.message))?,
        byte_size: u64::try_from(byte_size)
            .map_err(|_| row.inconsistent("byte_size", "is negative"))?,
        lineage,
        created_at: row.time("created_at")?,
    })
}

fn derived_from(row: &Row) -> Result<Vec<ArtifactId>> {
    const COLUMN: &str = "derived_from";
    let json = row.json(COLUMN)?;
    let wrong = || row.inconsistent(COLUMN, "is not a list of ids");
    let texts = json.as_array().ok_or_else(wrong)?;
    let id = |text: &serde_json::Value| text.as_str().and_then(|text| text.parse().ok());
    texts
        .iter()
        .map(|text| id(text).ok_or_else(wrong))
        .collect()
}
