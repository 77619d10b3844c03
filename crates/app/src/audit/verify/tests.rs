//! Every way to tamper with a file, and that the first bad record is the one that is named.

use std::collections::BTreeMap;

use domain::{
    audit::{GENESIS, Place, Record},
    canonical::canonical_bytes,
    id::{OrganizationId, SessionId},
    merkle,
};
use proptest::prelude::*;
use secrecy::SecretBox;
use serde_json::json;

use super::*;
use crate::{audit::SigningKey, crypto::Keyring};

const CASES: [Option<&str>; 4] = [None, Some("CASE_1"), Some("CASE_2"), Some("CASE_1")];

const SESSIONS: [Option<u128>; 3] = [Some(1), None, Some(2)];

fn signing_key(organization: &str) -> SigningKey {
    let keys = BTreeMap::from([(1, SecretBox::new(Box::new([7; 32])))]);
    let organization = OrganizationId::new(organization).unwrap();
    SigningKey::of(&Keyring::new(keys).unwrap(), &organization).unwrap()
}

fn key() -> VerifierKey {
    signing_key("acme").verifier_key().parse().unwrap()
}

/// A log of its own making: lines as the format says, not as the exporter happens to write them.
struct Log {
    lines: Vec<Vec<u8>>,
    leaves: Vec<Hash>,
}

fn log(organization: &str, size: usize) -> Log {
    let (mut lines, mut leaves) = (Vec::new(), Vec::new());
    let mut trails: BTreeMap<String, Place> = BTreeMap::new();
    for seq in 0..size {
        let (case_id, session_id) = (CASES[seq % CASES.len()], SESSIONS[seq % SESSIONS.len()]);
        let session_id = session_id.map(|n| SessionId::from_uuid(uuid::Uuid::from_u128(n)));
        let mut event = json!({
            "event_id": format!("evt-{seq:08}"),
            "timestamp_utc": format!("2026-01-01T00:{:02}:00Z", seq % 60),
            "outcome": "success",
        });
        let genesis = Place {
            seq: 0,
            prev: GENESIS,
        };
        let place = |id: &str| trails.get(id).unwrap_or(&genesis).clone();
        if let Some(id) = case_id {
            event["case_id"] = id.into();
        }
        let record = Record {
            ledger: organization.to_owned(),
            seq: seq as u64,
            prev: leaves.last().copied().unwrap_or(GENESIS),
            case: case_id.map(place),
            session: session_id.map(|id| (id, place(&id.to_string()))),
            clock_regression: seq > 0 && seq % 60 == 0,
            event,
        };
        let leaf = record.leaf();
        let session = record.session.clone().map(|(id, at)| (id.to_string(), at));
        let case = case_id.map(str::to_owned).zip(record.case.clone());
        for (id, place) in [case, session].into_iter().flatten() {
            let seq = place.seq + 1;
            trails.insert(id, Place { seq, prev: leaf });
        }
        lines.push(canonical_bytes(&record.to_json()));
        leaves.push(leaf);
    }
    Log { lines, leaves }
}

fn note(organization: &str, leaves: &[Hash]) -> String {
    signing_key(organization).sign_checkpoint(leaves.len() as u64, &merkle::root(leaves))
}

fn header(organization: &str, leaves: &[Hash]) -> Vec<u8> {
    canonical_bytes(&json!({
        "format": "proliferate-audit-bundle/1",
        "organization_id": organization,
        "checkpoint": note(organization, leaves),
        "verifier_key": signing_key(organization).verifier_key(),
    }))
}

fn file(header: &[u8], lines: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = [header, b"\n"].concat();
    for line in lines {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    }
    bytes
}

fn check(bytes: &[u8]) -> Result<Report, Fault> {
    verify(bytes, &key(), |_| {}).map_err(|error| match error {
        Error::Bad(fault) => fault,
        Error::Read(error) => panic!("{error}"),
    })
}

/// The number of the record that is named as the first bad one.
fn named(bytes: &[u8]) -> Option<u64> {
    let fault = check(bytes).expect_err("tampering is noticed");
    assert_eq!(fault.line, fault.seq.map_or(1, |seq| seq + 2));
    fault.seq
}

fn log_file(size: usize) -> (Log, Vec<u8>) {
    let log = log("acme", size);
    let bytes = file(&header("acme", &log.leaves), &log.lines);
    (log, bytes)
}

#[test]
fn a_good_log_is_good() {
    for size in 0..20 {
        let (log, bytes) = log_file(size);
        let report = check(&bytes).unwrap();
        assert_eq!((report.size, report.out_of_time), (size as u64, 0));
        assert_eq!(report.root, merkle::root(&log.leaves));
        assert_eq!(report.cases, [0, 0, 1].get(size).copied().unwrap_or(2));
        assert_eq!(report.sessions, [0, 1, 1].get(size).copied().unwrap_or(2));
    }
}

/// All of them, not a sample: the file is small enough.
#[test]
fn case_49_every_single_flipped_bit_is_found_in_its_record() {
    let (_, bytes) = log_file(3);
    let mut line = 0_u64;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let expected = line.checked_sub(1);
            assert_eq!(named(&changed), expected, "byte {at}, bit {bit}");
        }
        line += u64::from(bytes[at] == b'\n');
    }
}

#[test]
fn case_49_a_record_of_another_organization_is_found() {
    let (ours, theirs) = (log("acme", 6), log("other", 6));
    let header = header("acme", &ours.leaves);
    for at in 0..6 {
        let mut lines = ours.lines.clone();
        lines[at].clone_from(&theirs.lines[at]);
        assert_eq!(named(&file(&header, &lines)), Some(at as u64));
    }
    let theirs = file(&self::header("other", &theirs.leaves), &theirs.lines);
    assert_eq!(named(&theirs), None, "it is another organization's key");
}

/// Back to an old backup: the file agrees with itself, but not with the checkpoint kept elsewhere.
#[test]
fn case_49_an_old_backup_is_older_than_the_checkpoint() {
    let log = log("acme", 9);
    let (old, kept) = (note("acme", &log.leaves[..4]), note("acme", &log.leaves));
    assert_eq!(compare(&old, &kept, &key()), Ok(Comparison::Older));
    assert_eq!(compare(&kept, &old, &key()), Ok(Comparison::Newer));
    assert_eq!(compare(&kept, &kept, &key()), Ok(Comparison::Same));
    let truncated = file(&header("acme", &log.leaves), &log.lines[..4]);
    assert_eq!(named(&truncated), Some(4));
}

#[test]
fn case_50_two_checkpoints_of_one_size_and_different_roots_are_a_fork() {
    let log = log("acme", 7);
    let mut forked = log.leaves.clone();
    forked[3][0] ^= 1;
    let (one, other) = (note("acme", &log.leaves), note("acme", &forked));
    assert_eq!(compare(&one, &other, &key()), Ok(Comparison::Forked));
    let foreign = note("other", &log.leaves);
    assert!(compare(&one, &foreign, &key()).is_err());
}

#[test]
fn case_55_a_clock_set_back_is_counted_and_no_fault() {
    // The minutes begin again after sixty records.
    let (_, bytes) = log_file(130);
    assert_eq!(check(&bytes).unwrap().out_of_time, 2);
}

/// A whole new chain from some record on, by somebody without the signing key.
#[test]
fn a_rewritten_chain_does_not_lead_to_the_signed_root() {
    let log = log("acme", 8);
    let rewritten = log_with_other_event(8, 3);
    let bytes = file(&header("acme", &log.leaves), &rewritten);
    assert_eq!(named(&bytes), Some(7), "the chain holds; the root does not");
}

fn log_with_other_event(size: usize, at: usize) -> Vec<Vec<u8>> {
    let mut prev = GENESIS;
    let original = log("acme", size).lines;
    let rewrite = |(seq, line): (usize, &Vec<u8>)| {
        let mut value: serde_json::Value = serde_json::from_slice(line).unwrap();
        if seq == at {
            value["event"]["outcome"] = "failure".into();
        }
        value["prev"] = hex::encode(prev).into();
        // Trails are left out, which is as consistent as any log without them.
        let members = value.as_object_mut().unwrap();
        members.retain(|name, _| !name.starts_with("case_") && !name.starts_with("session_"));
        members["event"].as_object_mut().unwrap().remove("case_id");
        let line = canonical_bytes(&value);
        prev = merkle::leaf_hash(&line);
        line
    };
    original.iter().enumerate().map(rewrite).collect()
}

#[test]
fn only_the_named_key_is_believed() {
    let (_, bytes) = log_file(3);
    let other = signing_key("other").verifier_key().parse().unwrap();
    let error = verify(&bytes[..], &other, |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 1:"), "{error}");
    let text = key().to_string();
    for bad in [
        "",
        "a+b",
        "acme+00000000+AQ==",
        &text[1..],
        &text[..text.len() - 2],
    ] {
        assert!(bad.parse::<VerifierKey>().is_err(), "{bad}");
    }
}

#[test]
fn the_published_note_is_read() {
    let key: VerifierKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        .parse()
        .unwrap();
    let text = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n";
    let note = format!(
        "{text}\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZS\
         NXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    );
    assert_eq!(note::signed_text(&note, &key), Ok(text));
    let changed = note.replace("answer", "Answer");
    assert!(note::signed_text(&changed, &key).is_err());
    // Signed, and no checkpoint.
    assert!(open(&note, &key).is_err());
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.split(|byte| *byte == b'\n').count() as u64 - 1
}

proptest! {
    #[test]
    fn a_flipped_bit_is_found_in_its_record(
        size in 1_usize..30, at in any::<prop::sample::Index>(), bit in 0_u8..8,
    ) {
        let (_, mut bytes) = log_file(size);
        let at = at.index(bytes.len());
        let line = newlines(&bytes[..at]);
        bytes[at] ^= 1 << bit;
        prop_assert_eq!(named(&bytes), line.checked_sub(1));
    }

    #[test]
    fn a_deleted_record_is_found(size in 1_usize..30, at in any::<prop::sample::Index>()) {
        let (mut log, at) = (log("acme", size), at.index(size));
        let header = header("acme", &log.leaves);
        log.lines.remove(at);
        prop_assert_eq!(named(&file(&header, &log.lines)), Some(at as u64));
    }

    #[test]
    fn two_swapped_records_are_found(
        size in 2_usize..30, one in any::<prop::sample::Index>(), by in any::<prop::sample::Index>(),
    ) {
        let (mut log, one) = (log("acme", size), one.index(size - 1));
        let other = one + 1 + by.index(size - 1 - one);
        let header = header("acme", &log.leaves);
        log.lines.swap(one, other);
        prop_assert_eq!(named(&file(&header, &log.lines)), Some(one as u64));
    }

    #[test]
    fn an_inserted_record_is_found(
        size in 1_usize..30, at in any::<prop::sample::Index>(), which in any::<prop::sample::Index>(),
    ) {
        let (mut log, at) = (log("acme", size), at.index(size + 1));
        let header = header("acme", &log.leaves);
        let copy = log.lines[which.index(size)].clone();
        // A copy right beside its original: the second of the two is one too many.
        let expected = at + usize::from(at < size && log.lines[at] == copy);
        log.lines.insert(at, copy);
        prop_assert_eq!(named(&file(&header, &log.lines)), Some(expected as u64));
    }

    #[test]
    fn a_cut_file_is_found(size in 1_usize..30, at in any::<prop::sample::Index>()) {
        let (_, bytes) = log_file(size);
        let cut = &bytes[..at.index(bytes.len())];
        let lines = newlines(cut);
        prop_assert_eq!(named(cut), lines.checked_sub(1));
    }

    #[test]
    fn any_bytes_are_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(check(&bytes).is_err());
    }
}
