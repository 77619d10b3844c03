//! From the first line to the last: every number, every chain, the tree, the signature. Stops at the
//! first fault.

use std::{
    collections::HashMap,
    io::{BufRead, Read as _},
};

use domain::{
    limits::{AUDIT_CLOCK_STEP_MIN, AUDIT_PROGRESS_EVERY, AUDIT_RECORD_BYTES_MAX},
    merkle::Hash,
};

use super::{
    Error, Fault, Progress, Report,
    line::{Header, Kind, Line, Place},
    note::{Checkpoint, VerifierKey, open},
    tree::Tree,
};

const ZERO: Hash = [0; 32];

/// What is known of the log so far.
struct Walk {
    organization_id: String,
    checkpoint: Checkpoint,
    /// The number that comes next.
    seq: u64,
    /// All leaves but the last: whether the last one stands, the record after it says.
    tree: Tree,
    last: Option<Hash>,
    /// The next number of each case and session, and the leaf it follows.
    trails: HashMap<(Kind, String), (u64, Hash)>,
    cases: u64,
    sessions: u64,
    at: Option<chrono::DateTime<chrono::FixedOffset>>,
    out_of_time: u64,
}

pub(super) fn walk(
    reader: impl BufRead,
    key: &VerifierKey,
    mut progress: impl FnMut(Progress),
) -> Result<Report, Error> {
    let mut lines = Lines::new(reader);
    let mut walk = header(&mut lines, key)?;
    while let Some(line) = lines.next(Some(walk.seq))? {
        let record = Line::parse(line).map_err(|reason| fault(walk.seq, reason))?;
        walk.in_its_place(&record)?;
        if record.prev != walk.last.unwrap_or(ZERO) {
            return Err(walk.broken_link(&record, &mut lines)?);
        }
        walk.accept(record)?;
        if walk.seq.is_multiple_of(AUDIT_PROGRESS_EVERY) {
            let (records, size) = (walk.seq, walk.checkpoint.size);
            progress(Progress { records, size });
        }
    }
    walk.finish()
}

fn header<R: BufRead>(lines: &mut Lines<R>, key: &VerifierKey) -> Result<Walk, Error> {
    let bad = |reason: String| {
        let (line, seq) = (1, None);
        Error::Bad(Fault { line, seq, reason })
    };
    let Some(line) = lines.next(None)? else {
        return Err(bad("there is no header".to_owned()));
    };
    let header = Header::parse(line).map_err(bad)?;
    if header.verifier_key != key.to_string() {
        return Err(bad("it is signed under another key".to_owned()));
    }
    let checkpoint = open(&header.checkpoint, key).map_err(|e| bad(e.to_string()))?;
    if checkpoint.origin != format!("proliferate/audit/{}", header.organization_id) {
        return Err(bad("the checkpoint is of another organization".to_owned()));
    }
    Ok(Walk {
        organization_id: header.organization_id,
        checkpoint,
        seq: 0,
        tree: Tree::default(),
        last: None,
        trails: HashMap::new(),
        cases: 0,
        sessions: 0,
        at: None,
        out_of_time: 0,
    })
}

impl Walk {
    /// Whether the record may stand here at all.
    fn in_its_place(&self, record: &Line) -> Result<(), Error> {
        let expected = self.seq;
        if expected >= self.checkpoint.size {
            let reason = "there are more records than were signed";
            return Err(fault(expected, reason.to_owned()));
        }
        if record.seq != expected {
            let reason = format!("record {} stands where {expected} belongs", record.seq);
            return Err(fault(expected, reason));
        }
        if record.ledger_id != self.organization_id {
            let reason = "it is of another organization's log";
            return Err(fault(expected, reason.to_owned()));
        }
        Ok(())
    }

    fn accept(&mut self, record: Line) -> Result<(), Error> {
        for place in &record.trails {
            self.in_its_trail(place)?;
        }
        self.in_time(&record)?;
        if let Some(last) = self.last.replace(record.leaf) {
            self.tree.push(last);
        }
        for place in record.trails {
            match place.trail.0 {
                Kind::Case => self.cases += u64::from(place.seq == 0),
                Kind::Session => self.sessions += u64::from(place.seq == 0),
            }
            self.trails
                .insert(place.trail, (place.seq + 1, record.leaf));
        }
        self.out_of_time += u64::from(record.clock_regression);
        self.at = record.at.or(self.at);
        self.seq += 1;
        Ok(())
    }

    fn in_its_trail(&self, place: &Place) -> Result<(), Error> {
        let (seq, prev) = self.trails.get(&place.trail).copied().unwrap_or((0, ZERO));
        let name = place.trail.0.name();
        if place.seq != seq {
            let reason = format!(
                "it is number {} of its {name} where {seq} belongs",
                place.seq
            );
            return Err(fault(self.seq, reason));
        }
        if place.prev != prev {
            let reason = format!("it does not follow the record of its {name} before it");
            return Err(fault(self.seq, reason));
        }
        Ok(())
    }

    /// Whether it is marked exactly if its time is before that of the record before it.
    fn in_time(&self, record: &Line) -> Result<(), Error> {
        let step = chrono::TimeDelta::from_std(AUDIT_CLOCK_STEP_MIN).unwrap_or_default();
        let back = match (record.at, self.at) {
            (Some(at), Some(last)) => at + step < last,
            _ => false,
        };
        if back != record.clock_regression {
            let reason = "its mark of a clock set back does not fit the times";
            return Err(fault(self.seq, reason.to_owned()));
        }
        Ok(())
    }

    /// The record does not follow the one before it: one of the two was changed. If the record after
    /// them, or for the last one the signed root, agrees with this record, it was the one before.
    fn broken_link<R: BufRead>(&self, record: &Line, lines: &mut Lines<R>) -> Result<Error, Error> {
        if record.seq == 0 {
            let reason = "the first record names a record before it";
            return Ok(fault(0, reason.to_owned()));
        }
        let this_one_stands = match lines.next(Some(self.seq + 1)) {
            Ok(Some(after)) => Line::parse(after).map_or(true, |after| after.prev == record.leaf),
            Ok(None) => {
                let mut tree = self.tree.clone();
                tree.push(record.prev);
                tree.push(record.leaf);
                self.checkpoint.size != record.seq + 1 || tree.root() == Some(self.checkpoint.root)
            }
            Err(Error::Bad(_)) => true,
            Err(error) => return Err(error),
        };
        Ok(if this_one_stands {
            let reason = "it was changed: the record after it names another hash";
            fault(self.seq - 1, reason.to_owned())
        } else {
            let reason = "it does not follow the record before it";
            fault(self.seq, reason.to_owned())
        })
    }

    fn finish(mut self) -> Result<Report, Error> {
        if self.seq < self.checkpoint.size {
            let reason = format!(
                "the log ends here; {} records were signed",
                self.checkpoint.size
            );
            return Err(fault(self.seq, reason));
        }
        if let Some(last) = self.last.take() {
            self.tree.push(last);
        }
        let root = self.tree.root().unwrap_or_else(domain_empty_root);
        if root != self.checkpoint.root {
            let reason = "up to here the log is not the one that was signed: this record was changed, \
                or the chain was rewritten before it";
            return Err(fault(self.seq.saturating_sub(1), reason.to_owned()));
        }
        Ok(Report {
            organization_id: self.organization_id,
            size: self.seq,
            root,
            cases: self.cases,
            sessions: self.sessions,
            out_of_time: self.out_of_time,
        })
    }
}

/// The root of no leaves at all.
fn domain_empty_root() -> Hash {
    domain::merkle::root(&[])
}

/// The header is line 1, record 0 line 2.
fn fault(seq: u64, reason: String) -> Error {
    let (line, seq) = (seq + 2, Some(seq));
    Error::Bad(Fault { line, seq, reason })
}

/// Lines without their ends, none longer than a record may be.
struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    fn new(reader: R) -> Self {
        let line = Vec::new();
        Self { reader, line }
    }

    /// The line of record `seq`, or the header; `None` at the end.
    fn next(&mut self, seq: Option<u64>) -> Result<Option<&[u8]>, Error> {
        self.line.clear();
        // One more for the end of the line, and one to notice that it is missing.
        let most = AUDIT_RECORD_BYTES_MAX as u64 + 2;
        let read = self.reader.by_ref().take(most);
        let read = { read }.read_until(b'\n', &mut self.line);
        let read = read.map_err(Error::Read)?;
        if read == 0 {
            return Ok(None);
        }
        if self.line.pop_if(|byte| *byte == b'\n').is_none() {
            let reason = if read as u64 >= most {
                "the line is too long"
            } else {
                "the line is cut off"
            };
            let line = seq.map_or(1, |seq| seq + 2);
            let reason = reason.to_owned();
            return Err(Error::Bad(Fault { line, seq, reason }));
        }
        Ok(Some(&self.line))
    }
}
