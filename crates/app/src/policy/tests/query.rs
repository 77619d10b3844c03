//! What people ask a policy.

use std::collections::BTreeMap;

use domain::policy::{LaneId, Operation, RoleId, RuleId, ScopeKey};

use super::{built_in, edited};
use crate::policy::{
    ChangeKind, EntryKind, FieldChange, Policy, PolicyChange, PolicyFile, PolicyQuestion, diff,
    load, meaning, who_can, why,
};

fn ways(policy: &Policy, operation: &str) -> Vec<String> {
    let operation = Operation::new(operation).unwrap();
    let ways = who_can(policy, &operation);
    ways.iter()
        .map(|way| format!("{} as {}", way.lane.id, way.role.id))
        .collect()
}

#[test]
fn who_can_do_something() {
    let policy = built_in();
    let expected = [
        "ACTION_WRITE as ORGANIZATION_ADMIN",
        "ACTION_WRITE as ORGANIZATION_MEMBER",
        "ACTION_WRITE as SANDBOX_AGENT",
    ];
    assert_eq!(ways(&policy, "action.write"), expected);
    assert_eq!(ways(&policy, "verify").len(), 3);
    // Lanes allow it by listing tables.
    assert_eq!(ways(&policy, "record.write").len(), 4);
    assert!(ways(&policy, "made.up").is_empty());
    let disabled = edited(PolicyFile::Tools, "enabled: true", "enabled: false");
    assert!(ways(&load(disabled).unwrap(), "save_snapshot").is_empty());
}

#[test]
fn why_a_call_is_denied() {
    let policy = built_in();
    let mut question = PolicyQuestion {
        role: RoleId::new("CASE_AGENT").unwrap(),
        lane: Some(LaneId::new("TOOL_DOCUMENT_INTAKE").unwrap()),
        operation: Operation::new("ocr.extract").unwrap(),
        write: None,
        scope: BTreeMap::new(),
    };
    let answer = why(&policy, &question);
    assert_eq!(answer.rule, Some(RuleId::ScopeMissing));
    assert_eq!(answer.failed.len(), 1);
    assert!(!answer.failed[0].tightened);
    question.scope.insert(ScopeKey::CaseId, "CASE_1".into());
    let answer = why(&policy, &question);
    assert!(answer.allowed && answer.rule.is_none() && answer.failed.is_empty());
    // A tool that sends something out is denied by the lane's prohibition, whatever the lists say.
    let leaking = load(super::with(PolicyFile::Tools, |text| {
        text.replace("external: false", "external: true")
    }));
    let answer = why(&leaking.unwrap(), &question);
    assert_eq!(answer.rule, Some(RuleId::ProhibitedExternalExport));
    let disabled = load(super::with(PolicyFile::Tools, |text| {
        text.replace("enabled: true", "enabled: false")
    }));
    let answer = why(&disabled.unwrap(), &question);
    assert_eq!(answer.rule, Some(RuleId::ToolDisabled));
}

#[test]
fn every_rule_has_its_own_meaning() {
    let mut meanings: Vec<_> = RuleId::ALL.iter().map(|rule| meaning(*rule)).collect();
    meanings.sort_unstable();
    meanings.dedup();
    assert_eq!(meanings.len(), RuleId::ALL.len());
}

#[test]
fn what_one_policy_changes_against_another() {
    let old = built_in();
    assert!(diff(&old, &old).changes.is_empty());
    // A comment is another policy and no change.
    let commented = load(edited(PolicyFile::Lanes, "# Lanes:", "# lanes:")).unwrap();
    assert!(diff(&old, &commented).changes.is_empty());

    let mut files = edited(
        PolicyFile::Lanes,
        "        - transcription.status\n      writes: []\n    scope:\n      requires: [case_id, client_session_id, run_id]",
        "      writes: []\n    scope:\n      requires: [case_id, run_id]",
    );
    files.tools = edited(
        PolicyFile::Tools,
        "operation: override.disable",
        "operation: override.end",
    )
    .tools;
    let text = String::from_utf8(files.lanes.bytes.clone()).unwrap();
    let text = text.replace("- override.disable", "- override.end");
    files.lanes.bytes = text.into_bytes();
    let new = load(files).unwrap();
    let field = |field, removed: &[&str], added: &[&str]| FieldChange {
        field,
        removed: removed.iter().map(ToString::to_string).collect(),
        added: added.iter().map(ToString::to_string).collect(),
    };
    let change = |kind, name: &str, what| PolicyChange {
        kind,
        name: name.to_owned(),
        what,
    };
    let expected = [
        change(
            EntryKind::Lane,
            "SYSTEM_OVERRIDE",
            ChangeKind::Changed(vec![field(
                "tools",
                &["override.disable"],
                &["override.end"],
            )]),
        ),
        change(
            EntryKind::Lane,
            "TOOL_INTERVIEW_CAPTURE",
            ChangeKind::Changed(vec![
                field("tools", &["transcription.status"], &[]),
                field("requires", &["client_session_id"], &[]),
            ]),
        ),
        change(EntryKind::Tool, "override.disable", ChangeKind::Removed),
        change(EntryKind::Tool, "override.end", ChangeKind::Added),
    ];
    assert_eq!(diff(&old, &new).changes, expected);
}
