//! Every role, lane and operation of the built-in policy, and one unknown of each, against what is meant
//! to be allowed. The table is written by hand and not derived from the files.

use std::collections::BTreeSet;

use domain::policy::{
    LaneId, Operation, RECORD_WRITE, RoleId, RuleId, ScopeKey, TableName, WriteMode, WriteTarget,
};

use super::built_in;
use crate::policy::{Policy, PolicyQuestion, why};

const AGENT: &[&str] = &["SANDBOX_AGENT"];
const CASES: &[&str] = &[
    "CASE_AGENT",
    "SANDBOX_AGENT",
    "ORGANIZATION_MEMBER",
    "ORGANIZATION_ADMIN",
];
const ADMIN: &[&str] = &["ORGANIZATION_ADMIN"];
const SESSION: &[&str] = &["SANDBOX_AGENT", "ORGANIZATION_MEMBER", "ORGANIZATION_ADMIN"];

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
    ("REPOSITORY_PUSH", AGENT, &["git.push"]),
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

const ROLES: [&str; 6] = [
    "SANDBOX_AGENT",
    "CASE_AGENT",
    "ORGANIZATION_MEMBER",
    "ORGANIZATION_ADMIN",
    "PLATFORM_SERVICE",
    "NO_SUCH_ROLE",
];

/// Table, how it may be written, in which lane. By the roles that work on cases.
const WRITES: &[(&str, WriteMode, &str)] = &[
    ("case_transcripts", WriteMode::Append, "WRITE_CASE_RECORDS"),
    ("case_documents", WriteMode::Append, "WRITE_CASE_RECORDS"),
    ("case_notes", WriteMode::Append, "WRITE_CASE_RECORDS"),
    ("case_entities", WriteMode::Upsert, "WRITE_CASE_RECORDS"),
];

fn question(role: &str, lane: Option<&str>, operation: &str) -> PolicyQuestion {
    let scope = ScopeKey::ALL.iter().map(|key| (*key, "VALUE_1".to_owned()));
    PolicyQuestion {
        role: RoleId::new(role).unwrap(),
        lane: lane.map(|lane| LaneId::new(lane).unwrap()),
        operation: Operation::new(operation).unwrap(),
        write: None,
        scope: scope.collect(),
    }
}

#[test]
fn every_role_lane_and_operation() {
    let policy = built_in();
    let lanes: Vec<&str> = ALLOWED.iter().map(|row| row.0).chain(["NO_LANE"]).collect();
    let mut operations: BTreeSet<&str> = ALLOWED.iter().flat_map(|row| row.2).copied().collect();
    // Allowed by the tables that lanes list; without one it is denied everywhere.
    operations.insert(RECORD_WRITE);
    operations.insert("made.up");
    let registered = policy.tools().count();
    assert_eq!(operations.len(), registered + 1, "a tool is in no row");
    let snapshot = policy.snapshot();
    assert_eq!(snapshot.lanes().count() + 1, lanes.len());
    assert_eq!(snapshot.roles().count() + 1, ROLES.len());
    let mut permits = 0;
    for role in &ROLES {
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
    let unknown = [RuleId::RoleUnknown, RuleId::RoleNotAllowed];
    assert_eq!(rules("NO_SUCH_ROLE", lane, "action.read"), unknown);
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
    let lanes: Vec<_> = policy.snapshot().lanes().collect();
    let written: usize = lanes.iter().map(|lane| lane.writes.len()).sum();
    assert_eq!(written, WRITES.len());
    let tables = WRITES.iter().map(|row| row.0).chain(["shared_notes"]);
    for table in tables {
        let table_name = TableName::new(table).unwrap();
        let row = WRITES.iter().find(|row| row.0 == table);
        for mode in WriteMode::ALL {
            for (lane, role) in lanes.iter().flat_map(|lane| ROLES.map(|role| (lane, role))) {
                let listed = |row: &&(&str, WriteMode, &str)| {
                    row.1 == *mode && row.2 == lane.id.as_str() && CASES.contains(&role)
                };
                let mut asked = question(role, Some(lane.id.as_str()), RECORD_WRITE);
                asked.write = Some(WriteTarget {
                    table: table_name.clone(),
                    mode: *mode,
                });
                let expected = row.as_ref().is_some_and(listed);
                let answer = why(&policy, &asked);
                assert_eq!(
                    answer.allowed, expected,
                    "{role} {} {table} {mode}",
                    lane.id
                );
            }
        }
        let ways = ways_to_write(&policy, &table_name);
        let expected = row.map_or(0, |_| CASES.len());
        assert_eq!(ways, expected, "{table}");
    }
}

/// Counts the pairs of a lane that writes to the table and a role that may use the lane.
fn ways_to_write(policy: &Policy, table: &TableName) -> usize {
    let snapshot = policy.snapshot();
    let mut ways = 0;
    for lane in snapshot.lanes() {
        let writes = lane.writes.iter().filter(|write| write.table == *table);
        let roles = lane.callers.iter().filter_map(|id| snapshot.role(id));
        ways += writes.count() * roles.count();
    }
    ways
}
