//! Records: events with their positions. A record's envelope holds its number in the log, its number in
//! each trail it is part of, and the leaves before it. It wraps the event, whose shape is closed.

use serde_json::{Value, json};

use crate::{
    canonical::canonical_bytes,
    id::SessionId,
    merkle::{Hash, leaf_hash},
    policy::CaseId,
};

/// The predecessor of the first leaf.
pub const GENESIS: Hash = [0; 32];

/// The events of one case or one session: numbered and chained separately, so that one trail can be
/// shown, and shown to be complete, without the rest of the log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trail {
    Case(CaseId),
    Session(SessionId),
}

/// The position of a record in a trail: its number from 0 without a gap, and the trail's leaf before
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailPosition {
    pub seq: u64,
    pub prev: Hash,
}

/// An event with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The ledger it belongs to.
    pub ledger: String,
    /// Its number in the log, from 0 without a gap.
    pub seq: u64,
    /// The leaf before it; zeros for the first.
    pub prev: Hash,
    /// Its position in the trail of its case, which the event names.
    pub case: Option<TrailPosition>,
    /// Its position in the trail of its session, which the event has no member for.
    pub session: Option<(SessionId, TrailPosition)>,
    /// The clock had been set back: the event says an earlier time than the record before it.
    pub clock_regression: bool,
    /// The event as it was hashed.
    pub event: Value,
}

impl Record {
    /// The record as the JSON that is stored, exported and hashed.
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "ledger_id": self.ledger,
            "seq": self.seq,
            "prev": hex::encode(self.prev),
            "event": self.event,
        });
        if let Some(case) = &self.case {
            json["case_seq"] = case.seq.into();
            json["case_prev"] = hex::encode(case.prev).into();
        }
        if let Some((id, place)) = &self.session {
            json["session_id"] = id.to_string().into();
            json["session_seq"] = place.seq.into();
            json["session_prev"] = hex::encode(place.prev).into();
        }
        if self.clock_regression {
            json["clock_regression"] = true.into();
        }
        json
    }

    /// Its leaf in the Merkle tree and in the chains.
    pub fn leaf(&self) -> Hash {
        leaf_hash(&canonical_bytes(&self.to_json()))
    }
}

/// A record's position as it is stored: hashes are texts. Writes a record around the canonical text of
/// its event without parsing that text, which would be most of the cost of sequencing an event.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    pub ledger: &'a str,
    pub seq: i64,
    pub prev: &'a str,
    pub case: Option<(i64, &'a str)>,
    pub session: Option<(SessionId, i64, &'a str)>,
    pub clock_regression: bool,
}

impl Envelope<'_> {
    /// Appends the canonical bytes of the record with this event.
    pub fn write(&self, event: &str, text: &mut String) {
        text.push('{');
        if let Some((seq, prev)) = self.case {
            let seq = seq.to_string();
            text.extend(["\"case_prev\":\"", prev, "\",\"case_seq\":", &seq, ","]);
        }
        if self.clock_regression {
            text.push_str("\"clock_regression\":true,");
        }
        let seq = self.seq.to_string();
        text.extend(["\"event\":", event, ",\"ledger_id\":\"", self.ledger]);
        text.extend(["\",\"prev\":\"", self.prev, "\",\"seq\":", &seq]);
        if let Some((id, seq, prev)) = self.session {
            let (id, seq) = (id.to_string(), seq.to_string());
            text.extend([",\"session_id\":\"", &id, "\",\"session_prev\":\"", prev]);
            text.extend(["\",\"session_seq\":", &seq]);
        }
        text.push('}');
    }
}
