//! Artifacts: what is known about stored bytes.

use domain::{
    artifact::{Artifact, ArtifactScope, Lineage},
    audit::Sha256Hex,
    id::{ArtifactId, OrganizationId},
    policy::CaseId,
};

use crate::{
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

const INSERTED: &[&str] = &[
    "id",
    "organization_id",
    "case_id",
    "session_id",
    "kind",
    "media_type",
    "sha256",
    "byte_size",
    "run_id",
    "derived_from",
    "transformation",
    "created_at",
];

statements! {
    ARTIFACT_INSERT_ALL = concat!("INSERT INTO artifacts (", columns!(), ") SELECT ", columns!(), " FROM "),
        rows(id: UUID, organization_id: TEXT, case_id: TEXT, session_id: UUID, kind: TEXT,
            media_type: TEXT, sha256: TEXT, byte_size: BIGINT, run_id: UUID, derived_from: JSONB,
            transformation: TEXT, created_at: TIMESTAMPTZ)
        "";
    ARTIFACT_FETCH_MANY = "SELECT a.id, a.organization_id, a.case_id, a.session_id, a.kind, a.media_type,
        a.sha256, a.byte_size, a.run_id, a.derived_from, a.transformation, a.created_at FROM ",
        rows(id: UUID)
        "JOIN artifacts a ON a.id = given.id WHERE a.organization_id = $2";
}

impl Conn {
    /// Those of the given artifacts that the organization has, in no order.
    pub async fn artifact_fetch_many(
        &mut self,
        organization_id: &OrganizationId,
        ids: &[ArtifactId],
    ) -> Result<Vec<Artifact>> {
        let given = Rows::new(&["id"], ids.iter().map(|id| values![*id]).collect());
        let rows = self
            .fetch_all(
                "artifacts",
                &ARTIFACT_FETCH_MANY,
                values![given, organization_id],
            )
            .await?;
        rows.iter().map(artifact).collect()
    }
}

impl Tx {
    pub async fn artifact_insert_all(&mut self, artifacts: &[Artifact]) -> Result<()> {
        if artifacts.is_empty() {
            return Ok(());
        }
        let given = Rows::new(INSERTED, artifacts.iter().map(inserted).collect());
        self.execute(&ARTIFACT_INSERT_ALL, values![given]).await?;
        Ok(())
    }
}

fn inserted(artifact: &Artifact) -> Vec<Value> {
    let lineage = artifact.lineage.as_ref();
    let derived_from: Vec<String> = lineage
        .map(|lineage| lineage.derived_from.iter().map(ArtifactId::to_string))
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
        _ => return Err(row.inconsistent("case_id", "is of a case or of a session")),
    };
    let transformation = row.parsed_opt("transformation")?;
    let lineage = match (row.id_opt("run_id")?, transformation) {
        (Some(run_id), Some(transformation)) => Some(Lineage {
            run_id,
            derived_from: derived_from(row)?,
            transformation,
        }),
        (None, None) => None,
        _ => return Err(row.inconsistent("run_id", "a lineage is incomplete")),
    };
    let sha256 = Sha256Hex::new("sha256", row.text("sha256")?);
    let byte_size = u64::try_from(row.int("byte_size")?);
    Ok(Artifact {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        scope,
        kind: row.parsed("kind")?,
        media_type: row.parsed("media_type")?,
        sha256: sha256.map_err(|error| row.inconsistent("sha256", &error.to_string()))?,
        byte_size: byte_size.map_err(|_| row.inconsistent("byte_size", "is negative"))?,
        lineage,
        created_at: row.time("created_at")?,
    })
}

fn derived_from(row: &Row) -> Result<Vec<ArtifactId>> {
    let wrong = |reason: &str| row.inconsistent("derived_from", reason);
    let ids: Vec<String> = serde_json::from_value(row.json("derived_from")?)
        .map_err(|error| wrong(&error.to_string()))?;
    let parsed = ids.iter().map(|id| id.parse());
    parsed
        .collect::<std::result::Result<_, _>>()
        .map_err(|_| wrong("not the id of an artifact"))
}
