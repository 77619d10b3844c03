//! Every way to tamper with a file, and that the first bad record is the one that is named.
//!
//! The files are made here, as the format says, not as the exporter happens to write them.

mod log;
mod notes;
mod trail;

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    audit::{GENESIS, Record, Trail, TrailPosition},
    canonical::{canonical_bytes, sha256_hex},
    id::{OrganizationId, SessionId},
    merkle::{self, Hash},
    policy::{CaseId, FilePin},
};
use secrecy::SecretBox;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::*;
use crate::{
    audit::{SigningKey, TrailEnd},
    crypto::Keyring,
};

const CASES: [Option<&str>; 4] = [None, Some("CASE_1"), Some("CASE_2"), Some("CASE_1")];
const SESSIONS: [Option<u128>; 3] = [Some(1), None, Some(2)];
const POLICY: &str = "lanes: []\n";

fn signing_key(organization: &str) -> SigningKey {
    let keys = BTreeMap::from([(1, SecretBox::new(Box::new([7; 32])))]);
    let organization = OrganizationId::new(organization).unwrap();
    SigningKey::of(&Keyring::new(keys).unwrap(), &organization).unwrap()
}

fn key() -> VerifierKey {
    signing_key("acme").verifier_key().parse().unwrap()
}

/// Records as they are hashed.
struct Log {
    organization: &'static str,
    lines: Vec<Vec<u8>>,
    leaves: Vec<Hash>,
}

fn session(number: u128) -> SessionId {
    SessionId::from_uuid(uuid::Uuid::from_u128(number))
}

fn log(organization: &'static str, size: usize) -> Log {
    let (mut lines, mut leaves) = (Vec::new(), Vec::new());
    let mut trails: BTreeMap<String, TrailPosition> = BTreeMap::new();
    for seq in 0..size {
        let (case_id, session_id) = (CASES[seq % CASES.len()], SESSIONS[seq % SESSIONS.len()]);
        let session_id = session_id.map(session);
        let mut event = json!({
            "event_id": format!("evt-{seq:08}"),
            "timestamp_utc": format!("2026-01-01T00:{:02}:00Z", seq % 60),
            "outcome": "success",
            "policy_versions": { "lanes": FilePin::of(POLICY.as_bytes(), None).blob },
            "output_artifacts": [{ "artifact_id": "art_1", "hash_sha256": sha256_hex(b"bytes") }],
        });
        let genesis = TrailPosition {
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
            trails.insert(id, TrailPosition { seq, prev: leaf });
        }
        lines.push(canonical_bytes(&record.to_json()));
        leaves.push(leaf);
    }
    Log {
        organization,
        lines,
        leaves,
    }
}

/// What a line of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Header,
    /// Of this number in the log.
    Record(u64),
    Proof(u64),
    Checkpoint,
    Evidence,
    End,
}

#[derive(Clone)]
struct File(Vec<(What, Vec<u8>)>);

impl File {
    fn json(&mut self, what: What, value: &Value) {
        self.0.push((what, canonical_bytes(value)));
    }

    fn bytes(&self) -> Vec<u8> {
        let ended = |(_, line): &(What, Vec<u8>)| [line, &b"\n"[..]].concat();
        self.0.iter().flat_map(ended).collect()
    }

    /// The line, from 1, of record `seq`.
    fn line_of(&self, seq: u64) -> u64 {
        let at = self
            .0
            .iter()
            .position(|(what, _)| *what == What::Record(seq));
        at.unwrap() as u64 + 1
    }

    fn what(&self, line: u64) -> What {
        self.0[usize::try_from(line).unwrap() - 1].0
    }

    fn has_records(&self) -> bool {
        { self.0.iter() }.any(|(what, _)| matches!(what, What::Record(_)))
    }
}

fn note(organization: &str, leaves: &[Hash]) -> String {
    signing_key(organization).sign_checkpoint(leaves.len() as u64, &merkle::root(leaves))
}

fn header(log: &Log, scope: &Value) -> Value {
    json!({
        "format": "proliferate-audit-bundle/2",
        "organization_id": log.organization,
        "scope": scope,
        "checkpoint": note(log.organization, &log.leaves),
        "verifier_key": signing_key(log.organization).verifier_key(),
    })
}

/// The whole log with a checkpoint after every third record.
fn log_file(log: &Log) -> File {
    let (mut file, mut checkpoints) = (File(Vec::new()), 0);
    file.json(What::Header, &header(log, &json!({ "kind": "log" })));
    for (seq, line) in log.lines.iter().enumerate() {
        file.0.push((What::Record(seq as u64), line.clone()));
        let size = seq + 1;
        if size % 3 == 0 && size < log.lines.len() {
            let note = note(log.organization, &log.leaves[..size]);
            file.json(What::Checkpoint, &json!({ "checkpoint": note }));
            checkpoints += 1;
        }
    }
    let end = json!({ "records": log.lines.len(), "checkpoints": checkpoints });
    file.json(What::End, &json!({ "end": end }));
    file
}

/// The trail of `CASE_1` or of session 1, with everything a trail can have.
fn trail_file(log: &Log, trail: &Trail) -> File {
    let (kind, id) = match trail {
        Trail::Case(id) => ("case", id.to_string()),
        Trail::Session(id) => ("session", id.to_string()),
    };
    let mut file = File(Vec::new());
    let scope = json!({ "kind": kind, "id": id });
    file.json(What::Header, &header(log, &scope));
    let (mut records, mut checkpoints, mut last) = (0, 0, GENESIS);
    let hashes = |proof: Vec<Hash>| proof.iter().map(hex::encode).collect::<Value>();
    for (seq, line) in log.lines.iter().enumerate() {
        let value: Value = serde_json::from_slice(line).unwrap();
        let of_trail = value["event"]["case_id"] == id || value["session_id"] == id;
        if !of_trail {
            continue;
        }
        file.0.push((What::Record(seq as u64), line.clone()));
        let proof = merkle::inclusion_proof(&log.leaves, seq).unwrap();
        file.json(What::Proof(seq as u64), &json!({ "proof": hashes(proof) }));
        (records, last) = (records + 1, log.leaves[seq]);
        let size = seq + 1;
        if size < log.lines.len() {
            let note = note(log.organization, &log.leaves[..size]);
            let proof = merkle::consistency_proof(&log.leaves, size).unwrap();
            let checkpoint = json!({ "checkpoint": note, "consistency": hashes(proof) });
            file.json(What::Checkpoint, &checkpoint);
            checkpoints += 1;
        }
    }
    let evidence = evidence(records > 0);
    let digest = { evidence.iter() }.fold(Sha256::new(), |hash, value| {
        hash.chain_update(canonical_bytes(value))
            .chain_update(b"\n")
    });
    for value in &evidence {
        file.json(What::Evidence, value);
    }
    let note = signing_key(log.organization).sign_trail(&TrailEnd {
        trail,
        size: log.lines.len() as u64,
        records,
        last: &hex::encode(last),
        evidence: &hex::encode(digest.finalize()),
    });
    file.json(
        What::End,
        &json!({ "end": {
        "records": records,
        "checkpoints": checkpoints,
        "policy_files": u64::from(records > 0),
        "artifacts": 1,
        "trail": note,
    } }),
    );
    file
}

fn evidence(named: bool) -> Vec<Value> {
    let pin = FilePin::of(POLICY.as_bytes(), None);
    let file = json!({ "blob": pin.blob, "sha256": pin.sha256, "content": POLICY });
    let artifact = json!({
        "artifact_id": "art_1",
        "artifact_kind": "transcript",
        "content_type": "text/plain",
        "hash_sha256": sha256_hex(b"bytes"),
        "byte_size": 5,
    });
    let content = |bytes: &[u8]| json!({ "content": STANDARD.encode(bytes) });
    let policy = named.then(|| json!({ "policy_file": file }));
    let rest = [
        json!({ "artifact": artifact }),
        content(b"byt"),
        content(b"es"),
    ];
    policy.into_iter().chain(rest).collect()
}

fn case_1() -> Trail {
    Trail::Case(CaseId::new("CASE_1").unwrap())
}

fn check(bytes: &[u8]) -> Result<VerificationReport, BundleFault> {
    check_from(bytes, None)
}

fn check_from(bytes: &[u8], from: Option<Checkpoint>) -> Result<VerificationReport, BundleFault> {
    let trust = TrustAnchor { key: key(), from };
    verify(bytes, &trust, |_| {}).map_err(|error| match error {
        Error::Bad(fault) => fault,
        Error::Read(error) => panic!("{error}"),
    })
}

fn fault(file: &File) -> BundleFault {
    check(&file.bytes()).expect_err("tampering is noticed")
}

/// The line, from 1, that the byte is of.
fn line_at(bytes: &[u8], at: usize) -> u64 {
    bytes[..at].split(|byte| *byte == b'\n').count() as u64
}
