//! One line of a bundle: read strictly, with exactly the members it may have, and byte for byte in
//! canonical form, so that every change of a line is a change of what it says.

use domain::{
    canonical::{canonical_bytes, parse},
    merkle::{Hash, leaf_hash},
};
use serde_json::{Map, Value};

/// The first line.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) organization_id: String,
    pub(super) checkpoint: String,
    pub(super) verifier_key: String,
}

/// A record's line.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) leaf: Hash,
    pub(super) ledger_id: String,
    pub(super) seq: u64,
    pub(super) prev: Hash,
    /// Its case's first, then its session's.
    pub(super) trails: Vec<Place>,
    pub(super) event_id: Option<String>,
    /// When it happened, if it says so in a form that can be compared.
    pub(super) at: Option<chrono::DateTime<chrono::FixedOffset>>,
    pub(super) clock_regression: bool,
}

/// What a trail is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Case,
    Session,
}

/// Where a record stands in its case or session.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) trail: (Kind, String),
    pub(super) seq: u64,
    pub(super) prev: Hash,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Session => "session",
        }
    }
}

const FORMAT: &str = "proliferate-audit-bundle/1";

impl Header {
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let mut members = object(line)?;
        let format = text(&mut members, "format")?;
        if format != FORMAT {
            return Err(format!("the format is not `{FORMAT}`"));
        }
        let header = Self {
            organization_id: text(&mut members, "organization_id")?,
            checkpoint: text(&mut members, "checkpoint")?,
            verifier_key: text(&mut members, "verifier_key")?,
        };
        nothing_else(&members)?;
        Ok(header)
    }
}

impl Line {
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let mut members = object(line)?;
        let Some(Value::Object(event)) = members.remove("event") else {
            return Err("`event` is missing or no object".to_owned());
        };
        let case_id = match event.get("case_id") {
            None => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(_) => return Err("`event.case_id` is no text".to_owned()),
        };
        let mut trails = Vec::new();
        if let Some(id) = case_id {
            trails.push(Place {
                trail: (Kind::Case, id),
                seq: number(&mut members, "case_seq")?,
                prev: hash(&mut members, "case_prev")?,
            });
        }
        if members.contains_key("session_id") {
            trails.push(Place {
                trail: (Kind::Session, text(&mut members, "session_id")?),
                seq: number(&mut members, "session_seq")?,
                prev: hash(&mut members, "session_prev")?,
            });
        }
        let clock_regression = match members.remove("clock_regression") {
            None => false,
            Some(Value::Bool(true)) => true,
            Some(_) => return Err("`clock_regression` is there and not true".to_owned()),
        };
        let event_id = event.get("event_id").and_then(Value::as_str);
        let at = event.get("timestamp_utc").and_then(Value::as_str);
        let parsed = Self {
            leaf: leaf_hash(line),
            ledger_id: text(&mut members, "ledger_id")?,
            seq: number(&mut members, "seq")?,
            prev: hash(&mut members, "prev")?,
            trails,
            event_id: event_id.map(str::to_owned),
            clock_regression,
            at: at.and_then(|at| chrono::DateTime::parse_from_rfc3339(at).ok()),
        };
        nothing_else(&members)?;
        Ok(parsed)
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
    let text = text(members, name)?;
    let mut hash = [0; 32];
    let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
    match hex::decode_to_slice(&text, &mut hash) {
        Ok(()) if lower => Ok(hash),
        _ => Err(format!("`{name}` is no hash")),
    }
}

fn nothing_else(members: &Map<String, Value>) -> Result<(), String> {
    match members.keys().next() {
        None => Ok(()),
        // Not named: it is somebody else's text.
        Some(_) => Err("it has a member that does not belong there".to_owned()),
    }
}
