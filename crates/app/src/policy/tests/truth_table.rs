//! Every role, lane and operation of the built-in policy, and one unknown of each, against what is meant
//! to be allowed. The table is written by hand and not derived from the files.

use std::collections::BTreeSet;

use domain::policy::{LaneId, Operation, RoleId, RuleId, ScopeKey, TableName, WriteMode};

use super::built_in;
use crate::policy::{Question, who_can_write, why};

const AGENT: &[&str] = &["SANDBOX_AGENT"];
const CASES: &[&str] = &["CASE_AGENT"];
const ADMIN: &[&str] = &["ORGANIZATION_ADMIN"];
const SESSION: &[&str] = &["SANDBOX_AGENT", "ORGANIZATION_MEMBER"];

/// Lane, who may use it, for what. Everything else is denied.
const ALLOWED: &[(&str, &[&str], &[&str])] = &[
    (
        "SESSION_SETUP",
        AGENT,
        &[
            "save_snapshot",
            "save_service_commands",
            "save_env_files",
            "verify",
            "request_env_variables",
        ],
    ),
    (
        "SESSION_CODING",
        AGENT,
        &["save_snapshot", "verify", "request_env_variables"],
    ),
    (
        "SESSION_AUTOMATION",
        AGENT,
        &[
            "save_snapshot",
            "verify",
            "request_env_variables",
            "automation.complete",
        ],
    ),
    ("ACTION_READ", SESSION, &["action.read"]),
    ("ACTION_WRITE", SESSION, &["action.write"]),
    ("ACTION_DANGER", SESSION, &["action.danger"]),
    (
        "TOOL_INTERVIEW_CAPTURE",
        CASES,
        &[
            "dictation.start",
            "dictation.stop",
            "transcription.run",
            "transcription.status",
        ],
    ),
    (
        "TOOL_DOCUMENT_INTAKE",
        CASES,
        &["ocr.extract", "document.text"],
    ),
    ("WRITE_CASE_RECORDS", CASES, &[]),
    (
        "EXPORT_CASE_DATA",
        ADMIN,
        &["export.bundle.create", "export.bundle.download"],
    ),
    (
        "SYSTEM_OVERRIDE",
        ADMIN,
        &["override.enable", "override.disable"],
    ),
];

const ROLES: &[&str] = &[
    "SANDBOX_AGENT",
    "CASE_AGENT",
    "ORGANIZATION_MEMBER",
    "ORGANIZATION_ADMIN",
    "PLATFORM_SERVICE",
    "NOBODY",
];

/// Table, lane, role, mode.
const WRITES: &[(&str, &str, &str, WriteMode)] = &[
    (
        "case_transcripts",
        "WRITE_CASE_RECORDS",
        "CASE_AGENT",
        WriteMode::Append,
    ),
    (
        "case_documents",
        "WRITE_CASE_RECORDS",
        "CASE_AGENT",
        WriteMode::Append,
    ),
    (
        "case_notes",
        "WRITE_CASE_RECORDS",
        "CASE_AGENT",
        WriteMode::Append,
    ),
    (
        "case_entities",
        "WRITE_CASE_RECORDS",
        "CASE_AGENT",
        WriteMode::Upsert,
    ),
];

fn question(role: &str, lane: Option<&str>, operation: &str) -> Question {
    let scope = ScopeKey::ALL.iter().map(|key| (*key, "VALUE_1".to_owned()));
    Question {
        role: RoleId::new(role).unwrap(),
        lane: lane.map(|lane| LaneId::new(lane).unwrap()),
        operation: Operation::new(operation).unwrap(),
        scope: scope.collect(),
    }
}

#[test]
fn every_role_lane_and_operation() {
    let policy = built_in();
    let lanes: Vec<&str> = ALLOWED.iter().map(|row| row.0).chain(["NO_LANE"]).collect();
    let mut operations: BTreeSet<&str> = ALLOWED.iter().flat_map(|row| row.2).copied().collect();
    operations.insert("made.up");
    let registered = policy.tools().count();
    assert_eq!(operations.len(), registered + 1, "a tool is in no row");
    let snapshot = policy.snapshot();
    assert_eq!(snapshot.lanes().count() + 1, lanes.len());
    assert_eq!(snapshot.roles().count() + 1, ROLES.len());
    let mut permits = 0;
    for role in ROLES {
        for lane in &lanes {
            for operation in &operations {
                let row = ALLOWED.iter().find(|row| row.0 == *lane);
                let expected =
                    row.is_some_and(|row| row.1.contains(role) && row.2.contains(operation));
                let answer = why(&policy, &question(role, Some(lane), operation));
                assert_eq!(answer.allowed, expected, "{role} {lane} {operation}");
                permits += usize::from(answer.allowed);
            }
        }
    }
    let expected: usize = ALLOWED.iter().map(|row| row.1.len() * row.2.len()).sum();
    assert_eq!(permits, expected);
}

#[test]
fn what_is_unknown_is_named() {
    let policy = built_in();
    let rules = |role, lane, operation| {
        let answer = why(&policy, &question(role, lane, operation));
        let failed = answer.failed.iter();
        failed.map(|check| check.rule).collect::<Vec<_>>()
    };
    let (lane, role) = (Some("ACTION_READ"), "SANDBOX_AGENT");
    let nobody = [RuleId::RoleUnknown, RuleId::RoleNotAllowed];
    assert_eq!(rules("NOBODY", lane, "action.read"), nobody);
    let nowhere = [RuleId::LaneUnknown];
    assert_eq!(rules(role, Some("NO_LANE"), "action.read"), nowhere);
    assert_eq!(rules(role, None, "action.read"), [RuleId::LaneMissing]);
    let nothing = [RuleId::ToolUnknown, RuleId::OperationNotAllowed];
    assert_eq!(rules(role, lane, "made.up"), nothing);
    // A name that goes on is another name.
    assert_eq!(rules(role, lane, "action.read.more"), nothing);
}

#[test]
fn every_table_that_may_be_written() {
    let policy = built_in();
    let written: usize = policy
        .snapshot()
        .lanes()
        .map(|lane| lane.writes.len())
        .sum();
    assert_eq!(written, WRITES.len());
    for (table, lane, role, mode) in WRITES {
        let ways = who_can_write(&policy, &TableName::new(*table).unwrap());
        let ways: Vec<_> = ways
            .iter()
            .map(|(way, mode)| (way.lane.id.as_str(), way.role.id.as_str(), *mode))
            .collect();
        assert_eq!(ways, [(*lane, *role, *mode)], "{table}");
    }
    let nobody = who_can_write(&policy, &TableName::new("shared_notes").unwrap());
    assert!(nobody.is_empty());
}
