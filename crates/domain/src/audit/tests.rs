//! The published chain, the closed shape of an event, and text that must not get in.

use super::*;
use crate::{merkle, policy::FilePin};

/// Three events in a chain, with the leaves and the root computed by a second implementation.
#[test]
fn the_chain_of_the_reference() {
    let events = [
        ("authz_decision", "allow"),
        ("tool_call", "success"),
        ("system", "success"),
    ];
    let expected = [
        "5fe84cb160f4ae70a57805a0d3478cc4f1e4dfae44e41a6cffd5b8ac3e5260d8",
        "e8d28e34121248c03f43d81ba75c7dce0e1f958bc79abe688de37dad3b147682",
        "517056cabd4313b763838da2d0c42d5f3c0141bc4bbd419da686aee512cc2e45",
    ];
    let (mut prev, mut leaves) = (GENESIS, Vec::new());
    for (seq, ((action, outcome), expected)) in events.into_iter().zip(expected).enumerate() {
        let record = Record {
            ledger: "test/ledger".into(),
            seq: seq as u64,
            prev,
            case: None,
            event: json!({
                "event_id": format!("evt-{:08}", seq + 1),
                "action_type": action,
                "outcome": outcome,
            }),
        };
        prev = record.leaf();
        assert_eq!(hex::encode(prev), expected, "leaf {seq}");
        leaves.push(prev);
    }
    assert_eq!(
        hex::encode(merkle::root(&leaves)),
        "aab13cec7881252205bb79148b1c6a153c8bb2601049636ce3d79314b8476e05"
    );
}

fn event() -> Event {
    let pin = FilePin::of(b"policy", None);
    let digest = Sha256Hex::new("hash", "ab".repeat(32)).unwrap();
    Event {
        id: SafeText::new("event_id", "evt-00000001").unwrap(),
        at: Timestamp::from_micros(1_767_225_600_000_000).unwrap(),
        action: ActionType::AuthzDecision,
        outcome: Outcome::Deny,
        reason: Some(SafeText::new("outcome_reason", "lane_unknown").unwrap()),
        actor: Actor {
            class: RoleClass::Agent,
            id: SafeText::new("actor_id", "agent-1").unwrap(),
        },
        role: Some(RoleId::new("AGENT").unwrap()),
        lane: Some(LaneId::new("INTAKE").unwrap()),
        case_id: Some(CaseId::new("CASE_1").unwrap()),
        run_id: None,
        parent_run_id: None,
        correlation_id: None,
        target: Some((
            SafeText::new("target.name", "ocr").unwrap(),
            SafeText::new("target.operation", "ocr.extract").unwrap(),
        )),
        versions: PolicyVersions {
            lanes: pin.clone(),
            roles: pin.clone(),
            tools: pin,
        },
        rule: Some(RuleId::LaneUnknown),
        request_sha256: Some(digest.clone()),
        response_sha256: None,
        inputs: vec![ArtifactDigest {
            id: SafeText::new("artifact_id", "art_1").unwrap(),
            kind: SafeText::new("artifact_kind", "image").unwrap(),
            sha256: digest,
        }],
        outputs: vec![],
        error: Some((RunErrorCode::PolicyDenied, false)),
    }
}

#[test]
fn an_event_has_the_contracts_names_and_nothing_empty() {
    let json = event().to_json();
    let names: Vec<_> = json
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = [
        "action_type",
        "actor",
        "authz",
        "case_id",
        "contract_version",
        "error",
        "event_id",
        "input_artifacts",
        "lane_id",
        "outcome",
        "outcome_reason",
        "policy_versions",
        "request_hash_sha256",
        "role_id",
        "target",
        "timestamp_utc",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        json["authz"],
        json!({ "decision": "deny", "rule_id": "lane_unknown" })
    );
    assert_eq!(json["timestamp_utc"], "2026-01-01T00:00:00Z");
}

#[test]
fn any_change_of_an_event_changes_its_leaf() {
    let leaf = |event: &Event| {
        let event = event.to_json();
        Record {
            ledger: "acme".into(),
            seq: 0,
            prev: GENESIS,
            case: None,
            event,
        }
        .leaf()
    };
    let original = leaf(&event());
    let changes: &[fn(&mut Event)] = &[
        |e| e.outcome = Outcome::Allow,
        |e| e.at = e.at.plus(std::time::Duration::from_micros(1)),
        |e| e.actor.class = RoleClass::Human,
        |e| e.case_id = None,
        |e| e.rule = None,
        |e| e.inputs.clear(),
        |e| e.error = Some((RunErrorCode::PolicyDenied, true)),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut changed = event();
        change(&mut changed);
        assert_ne!(leaf(&changed), original, "change {index}");
    }
}

#[test]
fn prose_and_control_characters_have_no_way_in() {
    let bad = [
        "",
        "two words",
        "a\nb",
        "\u{1b}[31m",
        "ä",
        "a\0",
        "{\"a\":1}",
        &"x".repeat(121),
    ];
    for text in bad {
        assert!(
            SafeText::<120>::new("correlation_id", text).is_err(),
            "{text:?}"
        );
    }
    for text in ["ab", &"AB".repeat(32), &"zz".repeat(32)] {
        assert!(Sha256Hex::new("hash", text).is_err(), "{text}");
    }
}
