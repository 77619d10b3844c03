//! The published chain, the closed shape of an event, and text that must not get in.

use serde_json::{Value, json};

use super::*;
use crate::{canonical::canonical_bytes, id::SessionId, merkle, policy::FilePin};

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
            session: None,
            clock_regression: false,
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
    let actor = Actor {
        class: RoleClass::Agent,
        id: SafeText::new("actor_id", "agent-1").unwrap(),
    };
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let (action, outcome) = (ActionType::AuthzDecision, Outcome::Deny);
    let at = Timestamp::from_micros(1_767_225_600_000_000).unwrap();
    Event {
        reason: Some(SafeText::new("outcome_reason", "lane_unknown").unwrap()),
        severity: Some(Severity::Warn),
        agent_name: Some(SafeText::new("agent_name", "coder").unwrap()),
        role: Some(RoleId::new("AGENT").unwrap()),
        lane: Some(LaneId::new("INTAKE").unwrap()),
        case_id: Some(CaseId::new("CASE_1").unwrap()),
        target: Some((
            SafeText::new("target.name", "ocr").unwrap(),
            SafeText::new("target.operation", "ocr.extract").unwrap(),
        )),
        rule: Some(RuleId::LaneUnknown),
        policy_ref: Some(SafeText::new("policy_ref", "abc").unwrap()),
        request_sha256: Some(digest.clone()),
        inputs: vec![ArtifactDigest {
            id: SafeText::new("artifact_id", "art_1").unwrap(),
            kind: SafeText::new("artifact_kind", "image").unwrap(),
            sha256: digest,
        }],
        error: Some((RunErrorCode::PolicyDenied, false)),
        ..Event::new(Uuid::from_u128(1), at, action, outcome, actor, versions)
    }
}

/// What an event reads as.
fn read(event: &Event) -> Value {
    serde_json::from_slice(&event.canonical_bytes()).unwrap()
}

/// With everything an event can have, and with nothing that can be absent.
#[test]
fn an_event_is_written_in_its_canonical_form() {
    let full = Event {
        run_id: Some(SafeText::new("run_id", "run_1").unwrap()),
        parent_run_id: Some(SafeText::new("parent_run_id", "run_0").unwrap()),
        correlation_id: Some(SafeText::new("correlation_id", "c-1").unwrap()),
        response_sha256: event().request_sha256,
        outputs: event().inputs,
        change: Some(Change {
            from: Some(SafeText::new("from", "member").unwrap()),
            to: Some(SafeText::new("to", "admin").unwrap()),
        }),
        count: Some(2),
        ..event()
    };
    let bare = Event::new(
        full.id,
        full.at,
        full.action,
        Outcome::Success,
        full.actor.clone(),
        full.versions.clone(),
    );
    for (event, members) in [(full, 24), (bare, 7)] {
        let value = read(&event);
        assert_eq!(value.as_object().unwrap().len(), members);
        let written = String::from_utf8(event.canonical_bytes()).unwrap();
        assert_eq!(written.as_bytes(), canonical_bytes(&value), "{written}");
    }
}

#[test]
fn an_event_has_the_contracts_names_and_nothing_empty() {
    let json = read(&event());
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
        "severity",
        "target",
        "timestamp_utc",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        json["authz"],
        json!({ "decision": "deny", "rule_id": "lane_unknown", "policy_ref": "abc" })
    );
    assert_eq!(json["timestamp_utc"], "2026-01-01T00:00:00Z");
}

#[test]
fn any_change_of_an_event_changes_its_leaf() {
    let leaf = |event: &Event| {
        let event = read(event);
        Record {
            ledger: "acme".into(),
            seq: 0,
            prev: GENESIS,
            case: None,
            session: None,
            clock_regression: false,
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
        |e| e.severity = None,
        |e| e.agent_name = None,
        |e| e.policy_ref = None,
        |e| e.count = Some(2),
        |e| {
            e.change = Some(Change {
                from: None,
                to: None,
            });
        },
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut changed = event();
        change(&mut changed);
        assert_ne!(leaf(&changed), original, "change {index}");
    }
}

#[test]
fn case_52_and_53_prose_and_control_characters_have_no_way_in() {
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
        // The fields that could carry free text: all of this type, or of a narrower one.
        assert!(SafeText::<120>::new("agent_name", text).is_err());
        assert!(SafeText::<64>::new("outcome_reason", text).is_err());
        assert!(SafeText::<200>::new("target.name", text).is_err() || text.len() == 121);
        assert!(CaseId::new(text).is_err());
    }
    for text in ["ab", &"AB".repeat(32), &"zz".repeat(32)] {
        assert!(Sha256Hex::new("hash", text).is_err(), "{text}");
    }
}

/// What the sequencer hashes and what the format says are the same bytes.
#[test]
fn a_record_written_round_its_events_text_is_the_record() {
    let (event, session) = (read(&event()), SessionId::from_uuid(Uuid::from_u128(7)));
    let text = String::from_utf8(canonical_bytes(&event)).unwrap();
    let (zero, one) = (hex::encode(GENESIS), hex::encode([1; 32]));
    for shape in 0..8_u8 {
        let has = |bit: u8| shape & bit != 0;
        let place = |seq| TrailPosition { seq, prev: [1; 32] };
        let record = Record {
            ledger: "acme".into(),
            seq: 12,
            prev: GENESIS,
            case: has(1).then(|| place(3)),
            session: has(2).then(|| (session, place(4))),
            clock_regression: has(4),
            event: event.clone(),
        };
        let envelope = Envelope {
            ledger: "acme",
            seq: 12,
            prev: &zero,
            case: has(1).then_some((3, one.as_str())),
            session: has(2).then_some((session, 4, one.as_str())),
            clock_regression: has(4),
        };
        let mut written = String::new();
        envelope.write(&text, &mut written);
        assert_eq!(written.into_bytes(), canonical_bytes(&record.to_json()));
    }
}
