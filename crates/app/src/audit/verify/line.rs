//! One line of a bundle: read strictly, with exactly the members it may have, and byte for byte in
//! canonical form, so that every change of a line is a change of what it says.

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    canonical::{canonical_bytes, parse},
    limits::AUDIT_RECORD_BYTES_MAX,
    merkle::{Hash, leaf_hash},
};
use serde_json::{Map, Value};

/// What a line can be, after the header.
#[derive(Debug)]
pub(super) enum BundleLine {
    Record(Box<BundleRecord>),
    /// That the record before it is in the signed log.
    Proof(Vec<Hash>),
    Checkpoint {
        note: String,
        consistency: Option<Vec<Hash>>,
    },
    PolicyFile(BundlePolicyFile),
    Artifact(BundleArtifact),
    /// A piece of the bytes of the artifact before it.
    Content(Vec<u8>),
    End(BundleEnd),
}

/// The first line.
#[derive(Debug)]
pub(super) struct BundleHeader {
    pub(super) organization_id: String,
    pub(super) scope: HeaderScope,
    pub(super) checkpoint: String,
    pub(super) verifier_key: String,
}

/// What the bundle is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HeaderScope {
    Log,
    Trail((TrailKind, String)),
}

#[derive(Debug)]
pub(super) struct BundleRecord {
    pub(super) leaf: Hash,
    pub(super) ledger_id: String,
    pub(super) seq: u64,
    pub(super) prev: Hash,
    /// Its case's first, then its session's.
    pub(super) trails: Vec<TrailPlace>,
    pub(super) event_id: Option<String>,
    /// When it happened, if it says so in a form that can be compared.
    pub(super) at: Option<chrono::DateTime<chrono::FixedOffset>>,
    pub(super) clock_regression: bool,
    /// The event, for what it refers to.
    pub(super) event: Map<String, Value>,
}

/// What a trail is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TrailKind {
    Case,
    Session,
}

/// Where a record stands in its case or session.
#[derive(Debug)]
pub(super) struct TrailPlace {
    pub(super) trail: (TrailKind, String),
    pub(super) seq: u64,
    pub(super) prev: Hash,
}

#[derive(Debug)]
pub(super) struct BundlePolicyFile {
    pub(super) blob: String,
    pub(super) sha256: String,
    pub(super) content: String,
}

#[derive(Debug)]
pub(super) struct BundleArtifact {
    pub(super) id: String,
    pub(super) sha256: String,
    pub(super) byte_size: u64,
}

/// The last line: how much there was.
#[derive(Debug)]
pub(super) struct BundleEnd {
    pub(super) records: u64,
    pub(super) checkpoints: u64,
    /// Of a trail.
    pub(super) trail: Option<BundleTrailEnd>,
}

#[derive(Debug)]
pub(super) struct BundleTrailEnd {
    pub(super) policy_files: u64,
    pub(super) artifacts: u64,
    pub(super) note: String,
}

const FORMAT: &str = "proliferate-audit-bundle/2";

impl TrailKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Session => "session",
        }
    }
}

impl BundleHeader {
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let mut members = object(line)?;
        let format = text(&mut members, "format")?;
        if format != FORMAT {
            return Err(format!("the format is not `{FORMAT}`"));
        }
        let mut scope = part(&mut members, "scope")?;
        let kind = text(&mut scope, "kind")?;
        let header = Self {
            organization_id: text(&mut members, "organization_id")?,
            scope: match kind.as_str() {
                "log" => HeaderScope::Log,
                "case" => HeaderScope::Trail((TrailKind::Case, text(&mut scope, "id")?)),
                "session" => HeaderScope::Trail((TrailKind::Session, text(&mut scope, "id")?)),
                _ => return Err("its scope is not known".to_owned()),
            },
            checkpoint: text(&mut members, "checkpoint")?,
            verifier_key: text(&mut members, "verifier_key")?,
        };
        nothing_else(&scope)?;
        nothing_else(&members)?;
        Ok(header)
    }
}

impl BundleLine {
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let mut members = object(line)?;
        let has = |name: &str| members.contains_key(name);
        let item = if has("event") {
            Self::Record(Box::new(BundleRecord::parse(line, &mut members)?))
        } else if has("proof") {
            Self::Proof(hashes(&mut members, "proof")?)
        } else if has("checkpoint") {
            let consistency = if has("consistency") {
                Some(hashes(&mut members, "consistency")?)
            } else {
                None
            };
            let note = text(&mut members, "checkpoint")?;
            Self::Checkpoint { note, consistency }
        } else if has("policy_file") {
            Self::PolicyFile(BundlePolicyFile::parse(part(&mut members, "policy_file")?)?)
        } else if has("artifact") {
            Self::Artifact(BundleArtifact::parse(part(&mut members, "artifact")?)?)
        } else if has("content") {
            let content = STANDARD.decode(text(&mut members, "content")?);
            Self::Content(content.map_err(|_| "`content` is not base64".to_owned())?)
        } else if has("end") {
            Self::End(BundleEnd::parse(part(&mut members, "end")?)?)
        } else {
            return Err("it is no line of a bundle".to_owned());
        };
        nothing_else(&members)?;
        Ok(item)
    }
}

impl BundleRecord {
    fn parse(line: &[u8], members: &mut Map<String, Value>) -> Result<Self, String> {
        if line.len() > AUDIT_RECORD_BYTES_MAX {
            return Err("the record is too long".to_owned());
        }
        let event = part(members, "event")?;
        let mut trails = Vec::new();
        match event.get("case_id") {
            None => {}
            Some(Value::String(id)) => trails.push(TrailPlace {
                trail: (TrailKind::Case, id.clone()),
                seq: number(members, "case_seq")?,
                prev: hash(members, "case_prev")?,
            }),
            Some(_) => return Err("`event.case_id` is no text".to_owned()),
        }
        if members.contains_key("session_id") {
            trails.push(TrailPlace {
                trail: (TrailKind::Session, text(members, "session_id")?),
                seq: number(members, "session_seq")?,
                prev: hash(members, "session_prev")?,
            });
        }
        let clock_regression = match members.remove("clock_regression") {
            None => false,
            Some(Value::Bool(true)) => true,
            Some(_) => return Err("`clock_regression` is there and not true".to_owned()),
        };
        let said = |name: &str| event.get(name).and_then(Value::as_str);
        let at = said("timestamp_utc");
        Ok(Self {
            leaf: leaf_hash(line),
            ledger_id: text(members, "ledger_id")?,
            seq: number(members, "seq")?,
            prev: hash(members, "prev")?,
            trails,
            event_id: said("event_id").map(str::to_owned),
            at: at.and_then(|at| chrono::DateTime::parse_from_rfc3339(at).ok()),
            clock_regression,
            event,
        })
    }

    /// The blob ids of the policy files it names.
    pub(super) fn policies(&self) -> BTreeSet<String> {
        let versions = self.event.get("policy_versions").and_then(Value::as_object);
        let blobs = versions.into_iter().flat_map(Map::values);
        blobs.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The artifacts it names: ids and digests.
    pub(super) fn artifacts(&self) -> Vec<(String, String)> {
        let lists = ["input_artifacts", "output_artifacts"];
        let lists = lists.iter().filter_map(|name| self.event.get(*name));
        let all = lists.filter_map(Value::as_array).flatten();
        let one = |artifact: &Value| {
            let said = |name: &str| artifact.get(name)?.as_str().map(str::to_owned);
            said("artifact_id").zip(said("hash_sha256"))
        };
        all.filter_map(one).collect()
    }
}

impl BundlePolicyFile {
    fn parse(mut members: Map<String, Value>) -> Result<Self, String> {
        let file = Self {
            blob: text(&mut members, "blob")?,
            sha256: text(&mut members, "sha256")?,
            content: text(&mut members, "content")?,
        };
        nothing_else(&members)?;
        Ok(file)
    }
}

impl BundleArtifact {
    fn parse(mut members: Map<String, Value>) -> Result<Self, String> {
        let artifact = Self {
            id: text(&mut members, "artifact_id")?,
            sha256: text(&mut members, "hash_sha256")?,
            byte_size: number(&mut members, "byte_size")?,
        };
        text(&mut members, "artifact_kind")?;
        text(&mut members, "content_type")?;
        nothing_else(&members)?;
        Ok(artifact)
    }
}

impl BundleEnd {
    fn parse(mut members: Map<String, Value>) -> Result<Self, String> {
        let trail = if members.contains_key("trail") {
            Some(BundleTrailEnd {
                policy_files: number(&mut members, "policy_files")?,
                artifacts: number(&mut members, "artifacts")?,
                note: text(&mut members, "trail")?,
            })
        } else {
            None
        };
        let end = Self {
            records: number(&mut members, "records")?,
            checkpoints: number(&mut members, "checkpoints")?,
            trail,
        };
        nothing_else(&members)?;
        Ok(end)
    }
}

fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let value = parse(line).map_err(|error| format!("not strict JSON: {error}"))?;
    if canonical_bytes(&value) != line {
        return Err("not in canonical form".to_owned());
    }
    match value {
        Value::Object(members) => Ok(members),
        _ => Err("not a JSON object".to_owned()),
    }
}

fn part(members: &mut Map<String, Value>, name: &str) -> Result<Map<String, Value>, String> {
    match members.remove(name) {
        Some(Value::Object(part)) => Ok(part),
        _ => Err(format!("`{name}` is missing or no object")),
    }
}

fn text(members: &mut Map<String, Value>, name: &str) -> Result<String, String> {
    match members.remove(name) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(format!("`{name}` is missing or no text")),
    }
}

fn number(members: &mut Map<String, Value>, name: &str) -> Result<u64, String> {
    let number = members.remove(name).and_then(|value| value.as_u64());
    number.ok_or_else(|| format!("`{name}` is missing or no number"))
}

fn hash(members: &mut Map<String, Value>, name: &str) -> Result<Hash, String> {
    read_hash(&text(members, name)?).ok_or_else(|| format!("`{name}` is no hash"))
}

fn hashes(members: &mut Map<String, Value>, name: &str) -> Result<Vec<Hash>, String> {
    let Some(Value::Array(items)) = members.remove(name) else {
        return Err(format!("`{name}` is missing or no list"));
    };
    let one = |item: &Value| item.as_str().and_then(read_hash);
    let hashes: Option<Vec<Hash>> = items.iter().map(one).collect();
    hashes.ok_or_else(|| format!("`{name}` has an item that is no hash"))
}

fn read_hash(text: &str) -> Option<Hash> {
    let mut hash = [0; 32];
    let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
    hex::decode_to_slice(text, &mut hash).ok()?;
    lower.then_some(hash)
}

fn nothing_else(members: &Map<String, Value>) -> Result<(), String> {
    match members.keys().next() {
        None => Ok(()),
        // Not named: the text is not ours.
        Some(_) => Err("it has a member that does not belong there".to_owned()),
    }
}
