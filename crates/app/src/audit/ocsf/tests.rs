//! The mapping, as a whole, and that no digest of a payload leaves as it is.

use std::collections::BTreeMap;

use domain::{
    audit::{
        ActionType, Actor, ArtifactDigest, Change, Event, Outcome, SafeText, Severity, Sha256Hex,
    },
    canonical::sha256_hex,
    id::SessionId,
    policy::{CaseId, FilePin, LaneId, PolicyVersions, RoleClass, RoleId, RuleId},
    run::RunErrorCode,
};
use secrecy::SecretBox;
use store::TrailPosition;
use uuid::Uuid;

use super::*;

fn mapping(organization: &str) -> Mapping {
    let keys = BTreeMap::from([(1, SecretBox::new(Box::new([7; 32])))]);
    let organization_id = OrganizationId::new(organization).unwrap();
    Mapping::new(&Keyring::new(keys).unwrap(), &organization_id)
}

fn event(action: ActionType, outcome: Outcome, class: RoleClass) -> Event {
    let pin = FilePin::of(b"policy", None);
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let id = SafeText::new("actor_id", "actor-1").unwrap();
    let at = Timestamp::from_micros(1_767_225_600_123_456).unwrap();
    let actor = Actor { class, id };
    Event::new(Uuid::from_u128(7), at, action, outcome, actor, versions)
}

fn record(event: &Event) -> AuditRecord {
    let place = TrailPosition {
        seq: 0,
        prev: String::new(),
    };
    AuditRecord {
        event_id: event.id,
        seq: 41,
        prev: String::new(),
        case: None,
        session: Some((SessionId::from_uuid(Uuid::from_u128(9)), place)),
        clock_regression: false,
        leaf: String::new(),
        event: String::from_utf8(event.canonical_bytes()).unwrap(),
    }
}

fn request() -> Sha256Hex {
    Sha256Hex::new("hash", sha256_hex(b"a request a reader could guess")).unwrap()
}

fn denied() -> Event {
    let mut denied = event(ActionType::AuthzDecision, Outcome::Deny, RoleClass::Agent);
    denied.agent_name = Some(SafeText::new("agent_name", "coder").unwrap());
    denied.reason = Some(SafeText::new("outcome_reason", "lane_unknown").unwrap());
    denied.severity = Some(Severity::Warn);
    denied.role = Some(RoleId::new("AGENT").unwrap());
    denied.lane = Some(LaneId::new("INTAKE").unwrap());
    denied.case_id = Some(CaseId::new("CASE_1").unwrap());
    denied.change = Some(Change {
        from: Some(SafeText::new("from", "member").unwrap()),
        to: Some(SafeText::new("to", "admin").unwrap()),
    });
    denied.count = Some(3);
    denied.run_id = Some(SafeText::new("run_id", "run-00000001").unwrap());
    denied.correlation_id = Some(SafeText::new("correlation_id", "c-1").unwrap());
    denied.target = Some((
        SafeText::new("target.name", "ocr").unwrap(),
        SafeText::new("target.operation", "ocr.extract").unwrap(),
    ));
    denied.rule = Some(RuleId::LaneUnknown);
    denied.request_sha256 = Some(request());
    denied.inputs = vec![ArtifactDigest {
        id: SafeText::new("artifact_id", "art_1").unwrap(),
        kind: SafeText::new("artifact_kind", "image").unwrap(),
        sha256: request(),
    }];
    denied.error = Some((RunErrorCode::PolicyDenied, false));
    denied
}

#[test]
fn events_become_api_activity() {
    let events = [
        denied(),
        event(ActionType::ToolCall, Outcome::Success, RoleClass::Agent),
        event(ActionType::Export, Outcome::Success, RoleClass::Human),
        event(ActionType::System, Outcome::Failure, RoleClass::System),
    ];
    let mapping = mapping("acme");
    let mapped = events
        .iter()
        .map(|event| mapping.event(&record(event)).unwrap());
    insta::assert_json_snapshot!("ocsf", mapped.collect::<Vec<_>>());
}

#[test]
fn a_digest_that_could_be_guessed_is_keyed_by_organization() {
    let record = record(&denied());
    let ours = mapping("acme").event(&record).unwrap();
    let theirs = mapping("other").event(&record).unwrap();
    assert!(!ours.to_string().contains(request().as_str()));
    let keyed = &ours["unmapped"]["request_hash_hmac_sha256"];
    assert_eq!(
        keyed, &ours["resources"][0]["data"]["hmac_sha256"],
        "equal stays equal"
    );
    assert_ne!(keyed, &theirs["unmapped"]["request_hash_hmac_sha256"]);
}
