//! What a bundle holds beside records: the files of the policies that decided, and what is known of the
//! artifacts of a case or session.

use domain::{audit::Trail, id::OrganizationId};
use uuid::Uuid;

use crate::{conn::Conn, error::Result, row::Row, statement::statements, value::values};

statements! {
    AUDIT_POLICY_FILE_LIST = "SELECT sha256 AS id, content FROM policy_files WHERE sha256 > $1
        ORDER BY sha256 LIMIT $2";
    AUDIT_ARTIFACT_LIST_OF_CASE = "SELECT id, kind, media_type, sha256, byte_size FROM artifacts
        WHERE organization_id = $1 AND case_id = $2 AND id > $3 ORDER BY id LIMIT $4";
    AUDIT_ARTIFACT_LIST_OF_SESSION = "SELECT id, kind, media_type, sha256, byte_size FROM artifacts
        WHERE organization_id = $1 AND session_id = $2 AND id > $3 ORDER BY id LIMIT $4";
}

/// What is known of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactEvidence {
    pub id: Uuid,
    pub kind: String,
    pub media_type: String,
    pub sha256: String,
    pub byte_size: i64,
}

/// Digests and contents of policy files after this digest, in the order of digests.
pub async fn audit_policy_file_list(
    conn: &mut Conn,
    after: &str,
    limit: u32,
) -> Result<Vec<(String, String)>> {
    let values = values![after, i64::from(limit)];
    let rows = conn
        .fetch_all("policy_files", &AUDIT_POLICY_FILE_LIST, values)
        .await?;
    let file = |row: &Row| Ok((row.text("id")?, row.text("content")?));
    rows.iter().map(file).collect()
}

/// Artifacts of a case or session after this id, in the order of ids.
pub async fn audit_artifact_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    trail: &Trail,
    after: Uuid,
    limit: u32,
) -> Result<Vec<ArtifactEvidence>> {
    let limit = i64::from(limit);
    let (statement, values) = match trail {
        Trail::Case(id) => {
            let values = values![organization_id, id.as_str(), after, limit];
            (&AUDIT_ARTIFACT_LIST_OF_CASE, values)
        }
        Trail::Session(id) => {
            let values = values![organization_id, *id, after, limit];
            (&AUDIT_ARTIFACT_LIST_OF_SESSION, values)
        }
    };
    let rows = conn.fetch_all("artifacts", statement, values).await?;
    let evidence = |row: &Row| {
        Ok(ArtifactEvidence {
            id: row.uuid("id")?,
            kind: row.text("kind")?,
            media_type: row.text("media_type")?,
            sha256: row.text("sha256")?,
            byte_size: row.int("byte_size")?,
        })
    };
    rows.iter().map(evidence).collect()
}
