//! Which parts of a call and of its response are hashed (docs/concepts/mediation.md has it field by
//! field).
//!
//! A digest covers the request and its result, not its transport: the ids of runs, the correlation id, the
//! idempotency key and the digest itself are left out, so that a repeated call has the digest of the
//! first. Nothing inside `parameters` is left out by its name: a `timestamp` there is part of the request.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    audit::{ArtifactDigest, CONTRACT_VERSION, Outcome, Sha256Hex},
    canonical::{are_plain, canonical_bytes, in_order},
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
    /// As sent; case and run are separate members and are not counted twice.
    pub scope: &'a BTreeMap<ScopeKey, String>,
    pub inputs: &'a [ArtifactDigest],
    pub parameters: &'a Map<String, Value>,
}

/// The serialized form that is hashed.
///
/// INVARIANT: here and below, members are in the order of their names, as in the canonical form.
#[derive(Serialize)]
struct HashedRequest<'a> {
    actor: HashedActor<'a>,
    case_id: Option<&'a str>,
    contract_version: &'static str,
    input_artifacts: &'a [ArtifactDigest],
    lane_id: Option<&'a str>,
    operation: &'a str,
    parameters: &'a Map<String, Value>,
    scope: BTreeMap<&'static str, &'a str>,
    tool_name: &'a str,
}

#[derive(Serialize)]
struct HashedActor<'a> {
    actor_id: &'a str,
    actor_type: &'static str,
}

#[derive(Serialize)]
struct HashedResponse<'a> {
    contract_version: &'static str,
    error: Option<HashedError<'a>>,
    operation: &'a str,
    outcome: &'static str,
    output_artifacts: &'a [ArtifactDigest],
    tool_name: &'a str,
}

#[derive(Serialize)]
struct HashedError<'a> {
    error_code: &'static str,
    message: &'a str,
    retryable: bool,
}

impl RequestProjection<'_> {
    pub fn sha256(&self) -> Sha256Hex {
        let bytes = if are_plain(self.parameters) {
            in_order(&self.hashed())
        } else {
            let whole = serde_json::to_value(self.hashed());
            // Texts and values parsed from JSON: serializing them cannot fail.
            canonical_bytes(&whole.unwrap_or_default())
        };
        Sha256Hex::of(&bytes)
    }

    fn hashed(&self) -> HashedRequest<'_> {
        let counts = |key: &ScopeKey| !matches!(key, ScopeKey::CaseId | ScopeKey::RunId);
        let scope = self.scope.iter().filter(|(key, _)| counts(key));
        let (class, actor_id) = self.actor;
        HashedRequest {
            actor: HashedActor {
                actor_id,
                actor_type: class.as_str(),
            },
            case_id: self.case_id.map(CaseId::as_str),
            contract_version: CONTRACT_VERSION,
            input_artifacts: self.inputs,
            lane_id: self.lane_id.map(LaneId::as_str),
            operation: self.operation,
            parameters: self.parameters,
            scope: scope
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect(),
            tool_name: self.tool_name,
        }
    }
}

/// The digest of a response.
pub fn response_sha256(
    outcome: Outcome,
    (tool_name, operation): (&str, &str),
    outputs: &[ArtifactDigest],
    error: Option<&RunError>,
) -> Sha256Hex {
    Sha256Hex::of(&in_order(&HashedResponse {
        contract_version: CONTRACT_VERSION,
        error: error.map(|error| HashedError {
            error_code: error.code.as_str(),
            message: &error.message,
            retryable: error.retryable,
        }),
        operation,
        outcome: outcome.as_str(),
        output_artifacts: outputs,
        tool_name,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::{
        collection::{btree_map, vec},
        prelude::*,
    };
    use serde_json::json;

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

    proptest! {
        /// For every input and every way of serializing: the digest is that of the canonical form.
        #[test]
        fn the_digest_is_that_of_the_canonical_form(
            parameters in btree_map("[a-cé\u{10000}\u{ff21}]{0,2}", given(), 0..4)
        ) {
            let parameters: Value = parameters.into_iter().collect::<Map<_, _>>().into();
            let whole = json!({
                "contract_version": "v1",
                "tool_name": "transcription.run",
                "operation": "transcription.run",
                "lane_id": "TOOL_INTERVIEW_CAPTURE",
                "case_id": "CASE_DEMO_001",
                "actor": {"actor_type": "agent", "actor_id": "interview-agent-1"},
                "scope": {"client_session_id": "SESSION_DEMO_001"},
                "input_artifacts": [{
                    "artifact_id": "art_0001",
                    "artifact_kind": "audio",
                    "hash_sha256": Sha256Hex::of(b"hello").as_str(),
                }],
                "parameters": parameters,
            });
            prop_assert_eq!(request(&parameters), Sha256Hex::of(&canonical_bytes(&whole)));
        }
    }

    fn given() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            (-1_000_000_i64..1_000_000).prop_map(Value::from),
            any::<f32>().prop_map(|number| json!(f64::from(number) / 3.0)),
            "\\PC{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Value::from),
                btree_map("[b-dß\u{10000}\u{ff21}]{0,2}", inner, 0..3)
                    .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
            ]
        })
    }

    #[test]
    fn case_24_a_parameter_named_timestamp_counts() {
        let at = |time: &str| request(&json!({ "timestamp": time }));
        assert_ne!(at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"));
        assert_eq!(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"));
    }
}
