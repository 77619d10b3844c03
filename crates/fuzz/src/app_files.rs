//! Files of an organization's own: policies, and audit bundles that an auditor was handed.

use app::{
    audit::verify::{TrustAnchor, verify},
    policy::{FileBytes, PolicyFile, PolicyFiles, load},
};

use crate::bytes::choice;

/// Reading ends in a policy, the same twice, or in mistakes that name a line of the file and can be printed.
pub(crate) fn policy_files(bytes: &[u8]) {
    let (which, text) = choice(bytes);
    let file = PolicyFile::ALL[which % PolicyFile::ALL.len()];
    let mut files = PolicyFiles::built_in();
    let changed = FileBytes::from(text);
    match file {
        PolicyFile::Lanes => files.lanes = changed,
        PolicyFile::Roles => files.roles = changed,
        PolicyFile::Tools => files.tools = changed,
    }
    match load(files.clone()) {
        Ok(policy) => {
            assert_eq!(policy.files(), &files);
            assert_eq!(load(files).as_ref(), Ok(&policy));
        }
        Err(problems) => {
            assert!(!problems.all.is_empty());
            let printed = problems.to_string();
            assert!(!printed.contains(char::from(0x1b)));
            // YAML counts the ends of lines of old machines too.
            let ends = text
                .iter()
                .filter(|byte| matches!(byte, b'\n' | b'\r' | 0x85 | 0xa8 | 0xa9));
            let lines = ends.count() + 1;
            for problem in problems.all.iter().filter(|problem| problem.file == file) {
                assert!(
                    problem
                        .line
                        .is_none_or(|line| (1..=lines + 1).contains(&line))
                );
            }
        }
    }
}

/// Bundles that were signed with a key of tests: of a whole log, and of a case's and a session's trail.
const SIGNED: [&str; 3] = [
    include_str!("../corpus/audit_bundle/log.jsonl"),
    include_str!("../corpus/audit_bundle/case.jsonl"),
    include_str!("../corpus/audit_bundle/session.jsonl"),
];

/// No bundle passes with a record that was not signed, out of order, or with one missing.
pub(crate) fn audit_bundle(bytes: &[u8]) {
    let Some(key) = key_of(SIGNED[0]) else {
        panic!("the bundles in the corpus have a key")
    };
    let trust = TrustAnchor { key, from: None };
    let Ok(report) = verify(bytes, &trust, |_| {}) else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    let passed: Vec<&str> = records(&text).collect();
    assert_eq!(report.records, passed.len() as u64);
    let is_signed = |signed: &str| records(signed).eq(passed.iter().copied());
    assert!(SIGNED.into_iter().any(is_signed), "a forged bundle passed");
}

fn records(bundle: &str) -> impl Iterator<Item = &str> {
    bundle.lines().filter(|line| line.contains("\"event\":"))
}

fn key_of(bundle: &str) -> Option<app::audit::verify::VerifierKey> {
    let header: serde_json::Value = serde_json::from_str(bundle.lines().next()?).ok()?;
    header["verifier_key"].as_str()?.parse().ok()
}
