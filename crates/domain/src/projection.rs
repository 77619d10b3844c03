//! What of a call and of its answer is hashed (docs/concepts/mediation.md has it field by field).
//!
//! A digest stands for what was asked and what came out, not for how it travelled: the ids of runs, the
//! correlation id, the idempotency key and the digest itself are left out, so that a repeated call has the
//! digest of the first. Nothing inside `parameters` is left out by its name: a `timestamp` there is what
//! somebody asked for.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    audit::{ArtifactDigest, CONTRACT_VERSION, Outcome, Sha256Hex},
    canonical::canonical_bytes,
    policy::{CaseId, LaneId, RoleClass, ScopeKey},
    run::RunError,
};

/// The hashed part of a call.
#[derive(Debug, Clone, Copy)]
pub struct RequestProjection<'a> {
    pub tool_name: &'a str,
    pub operation: &'a str,
    pub lane_id: Option<&'a LaneId>,
    pub case_id: Option<&'a CaseId>,
    pub actor: (RoleClass, &'a str),
    /// As sent; case and run stand elsewhere and do not count twice.
    pub scope: &'a BTreeMap<ScopeKey, String>,
    pub inputs: &'a [ArtifactDigest],
    pub parameters: &'a Map<String, Value>,
}

impl RequestProjection<'_> {
    pub fn sha256(&self) -> Sha256Hex {
        let scope: Map<String, Value> = self
            .scope
            .iter()
            .filter(|(key, _)| !matches!(key, ScopeKey::CaseId | ScopeKey::RunId))
            .map(|(key, value)| (key.as_str().to_owned(), value.as_str().into()))
            .collect();
        let (class, actor_id) = self.actor;
        Sha256Hex::of(&canonical_bytes(&json!({
            "contract_version": CONTRACT_VERSION,
            "tool_name": self.tool_name,
            "operation": self.operation,
            "lane_id": self.lane_id.map(LaneId::as_str),
            "case_id": self.case_id.map(CaseId::as_str),
            "actor": { "actor_type": class.as_str(), "actor_id": actor_id },
            "scope": scope,
            "input_artifacts": digests(self.inputs),
            "parameters": self.parameters,
        })))
    }
}

/// The digest of an answer.
pub fn response_sha256(
    outcome: Outcome,
    (tool_name, operation): (&str, &str),
    outputs: &[ArtifactDigest],
    error: Option<&RunError>,
) -> Sha256Hex {
    let error = error.map(|error| {
        json!({
            "error_code": error.code.as_str(),
            "message": error.message,
            "retryable": error.retryable,
        })
    });
    Sha256Hex::of(&canonical_bytes(&json!({
        "contract_version": CONTRACT_VERSION,
        "outcome": outcome.as_str(),
        "tool_name": tool_name,
        "operation": operation,
        "output_artifacts": digests(outputs),
        "error": error,
    })))
}

fn digests(artifacts: &[ArtifactDigest]) -> Value {
    let digest = |artifact: &ArtifactDigest| {
        json!({
            "artifact_id": artifact.id.as_str(),
            "artifact_kind": artifact.kind.as_str(),
            "hash_sha256": artifact.sha256.as_str(),
        })
    };
    artifacts.iter().map(digest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{audit::SafeText, run::RunErrorCode};

    fn artifact(id: &str, kind: &str, bytes: &[u8]) -> ArtifactDigest {
        ArtifactDigest {
            id: SafeText::new("id", id).unwrap(),
            kind: SafeText::new("kind", kind).unwrap(),
            sha256: Sha256Hex::of(bytes),
        }
    }

    fn request(parameters: &Value) -> Sha256Hex {
        let scope = BTreeMap::from([
            (ScopeKey::ClientSessionId, "SESSION_DEMO_001".to_owned()),
            (ScopeKey::CaseId, "CASE_DEMO_001".to_owned()),
        ]);
        RequestProjection {
            tool_name: "transcription.run",
            operation: "transcription.run",
            lane_id: Some(&"TOOL_INTERVIEW_CAPTURE".parse().unwrap()),
            case_id: Some(&"CASE_DEMO_001".parse().unwrap()),
            actor: (RoleClass::Agent, "interview-agent-1"),
            scope: &scope,
            inputs: &[artifact("art_0001", "audio", b"hello")],
            parameters: parameters.as_object().unwrap(),
        }
        .sha256()
    }

    #[test]
    fn the_published_request_vector() {
        let digest = request(&json!({ "diarize": true, "language": "en" }));
        assert_eq!(
            digest.as_str(),
            "24387098bfac23690b58d6fa972c83bd6f20530730cd6fd24745f35f603149fc"
        );
    }

    #[test]
    fn the_published_response_vectors() {
        let call = ("transcription.run", "transcription.run");
        let outputs = [artifact("art_0002", "transcript", b"hello world")];
        let success = response_sha256(Outcome::Success, call, &outputs, None);
        assert_eq!(
            success.as_str(),
            "f49efa2f740148ae00d95b32f89128aaca7e5eac4e9e00ee49319cc47df6a31e"
        );
        let message = "lane prohibits requested tool";
        let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
        let deny = response_sha256(Outcome::Deny, call, &[], Some(&error));
        assert_eq!(
            deny.as_str(),
            "d6b67f059c795b5e41bffb067a2a87ad29fccd269773f379a4974779fe9a72eb"
        );
    }

    #[test]
    fn case_24_a_parameter_named_timestamp_counts() {
        let at = |time: &str| request(&json!({ "timestamp": time }));
        assert_ne!(at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"));
        assert_eq!(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"));
    }
}
