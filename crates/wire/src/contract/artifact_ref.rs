//! A reference to stored bytes: their metadata, never the bytes.

use chrono::{DateTime, Utc};
use domain::{
    artifact::{Artifact, ArtifactScope, Lineage},
    id::SessionId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The longest `transformation` that the contract allows.
const TRANSFORMATION_LENGTH_MAX: usize = 120;

/// A stored artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArtifactRef {
    pub artifact_id: Uuid,
    #[schema(example = "transcript")]
    pub artifact_kind: String,
    /// The digest of the bytes, 64 lower-case hexadecimal digits.
    #[schema(min_length = 64, max_length = 64)]
    pub hash_sha256: String,
    /// The case it belongs to, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "CASE-2026-014")]
    pub case_id: Option<String>,
    /// The session it belongs to otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub session_id: Option<Uuid>,
    pub scope: ArtifactRefScope,
    /// Opaque; `artifact:` and the id.
    pub storage_locator: String,
    #[schema(example = "application/pdf")]
    pub content_type: String,
    pub byte_size: u64,
    pub created_at_utc: DateTime<Utc>,
    pub hash_source: HashSource,
    /// How it was made; absent for an upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lineage: Option<ArtifactLineage>,
}

/// The scope of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactRefScope {
    Case,
    Session,
}

/// What was hashed: always the bytes as they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HashSource {
    Bytes,
}

/// How an artifact was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArtifactLineage {
    /// The artifacts it was made from.
    pub derived_from: Vec<Uuid>,
    /// The operation that made it.
    #[schema(example = "ocr.extract", max_length = 120)]
    pub transformation: String,
    pub run_id: Uuid,
}

impl From<Artifact> for ArtifactRef {
    fn from(artifact: Artifact) -> Self {
        Self {
            artifact_id: artifact.id.uuid(),
            storage_locator: artifact.locator(),
            artifact_kind: artifact.kind.to_string(),
            hash_sha256: artifact.sha256.as_str().to_owned(),
            case_id: artifact.scope.case_id().map(ToString::to_string),
            session_id: artifact.scope.session_id().map(SessionId::uuid),
            scope: match artifact.scope {
                ArtifactScope::Case(_) => ArtifactRefScope::Case,
                ArtifactScope::Session(_) => ArtifactRefScope::Session,
            },
            content_type: artifact.media_type.to_string(),
            byte_size: artifact.byte_size,
            created_at_utc: artifact.created_at.datetime(),
            hash_source: HashSource::Bytes,
            lineage: artifact.lineage.map(Into::into),
        }
    }
}

impl From<Lineage> for ArtifactLineage {
    fn from(lineage: Lineage) -> Self {
        let operation = lineage.transformation.as_str().chars();
        Self {
            derived_from: lineage.derived_from.iter().map(|id| id.uuid()).collect(),
            transformation: operation.take(TRANSFORMATION_LENGTH_MAX).collect(),
            run_id: lineage.run_id.uuid(),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{audit::Sha256Hex, clock::Timestamp, id::OrganizationId};
    use serde_json::json;

    use super::*;

    const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

    fn artifact() -> Artifact {
        Artifact {
            id: ID.parse().unwrap(),
            organization_id: OrganizationId::new("org_acme").unwrap(),
            scope: ArtifactScope::Case("CASE-1".parse().unwrap()),
            kind: "transcript".parse().unwrap(),
            media_type: "text/plain".parse().unwrap(),
            sha256: Sha256Hex::of(b""),
            byte_size: 0,
            lineage: Some(Lineage {
                run_id: ID.parse().unwrap(),
                derived_from: vec![ID.parse().unwrap()],
                transformation: "transcription.run".parse().unwrap(),
            }),
            created_at: Timestamp::from_micros(1_700_000_000_123_456).unwrap(),
        }
    }

    #[test]
    fn an_artifact_is_written_in_the_words_of_the_contract() {
        let written = serde_json::to_value(ArtifactRef::from(artifact())).unwrap();
        let expected = json!({
            "artifact_id": ID,
            "artifact_kind": "transcript",
            "hash_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "case_id": "CASE-1",
            "scope": "case",
            "storage_locator": format!("artifact:{ID}"),
            "content_type": "text/plain",
            "byte_size": 0,
            "created_at_utc": "2023-11-14T22:13:20.123456Z",
            "hash_source": "bytes",
            "lineage": {"derived_from": [ID], "transformation": "transcription.run", "run_id": ID},
        });
        assert_eq!(written, expected);
        let read: ArtifactRef = serde_json::from_value(expected).unwrap();
        assert_eq!(read, artifact().into());
    }

    #[test]
    fn an_upload_to_a_session_names_the_session_and_no_lineage() {
        let upload = Artifact {
            scope: ArtifactScope::Session(ID.parse().unwrap()),
            lineage: None,
            ..artifact()
        };
        let written = serde_json::to_value(ArtifactRef::from(upload)).unwrap();
        assert_eq!(
            (&written["scope"], &written["session_id"]),
            (&json!("session"), &json!(ID))
        );
        assert!(written.get("case_id").is_none() && written.get("lineage").is_none());
    }
}
