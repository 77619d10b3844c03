//! A whole log from the first line to the last: every number, every chain, the tree, the signatures. Stops at
//! the first fault.

use std::{collections::HashMap, io::BufRead};

use domain::{
    limits::{AUDIT_CLOCK_STEP_MIN, AUDIT_PROGRESS_EVERY},
    merkle::Hash,
};

use super::{
    line::{BundleEnd, BundleLine, BundleRecord, TrailKind, TrailPlace},
    lines::Lines,
    note::{Checkpoint, open},
    report::{BundleFault, Error, FORKED, Progress, TrustAnchor, VerificationReport},
    tree::Tree,
};

const ZERO: Hash = [0; 32];

/// What is known of the log so far.
struct Walk<R> {
    lines: Lines<R>,
    organization_id: String,
    checkpoint: Checkpoint,
    /// The number that comes next.
    seq: u64,
    /// All leaves but the last: whether the last one stands, the record after it says.
    tree: Tree,
    last: Option<Last>,
    /// What the root must be once the last leaf is in the tree: an earlier checkpoint.
    signed: Option<Signed>,
    /// Checkpoints that agreed, and the size of the last one.
    checkpoints: u64,
    good: u64,
    /// The next number of each case and session, and the leaf it follows.
    trails: HashMap<(TrailKind, String), (u64, Hash)>,
    cases: u64,
    sessions: u64,
    at: Option<chrono::DateTime<chrono::FixedOffset>>,
    out_of_time: u64,
}

/// The record that was read last.
struct Last {
    leaf: Hash,
    line: u64,
    event_id: Option<String>,
}

struct Signed {
    root: Hash,
    line: u64,
}

pub(super) fn walk<R: BufRead>(
    lines: Lines<R>,
    trust: &TrustAnchor,
    organization_id: String,
    checkpoint: Checkpoint,
    mut progress: impl FnMut(Progress),
) -> Result<VerificationReport, Error> {
    let mut walk = Walk {
        lines,
        organization_id,
        checkpoint,
        seq: 0,
        tree: Tree::default(),
        last: None,
        signed: None,
        checkpoints: 0,
        good: 0,
        trails: HashMap::new(),
        cases: 0,
        sessions: 0,
        at: None,
        out_of_time: 0,
    };
    loop {
        let item = walk.lines.item().map_err(|error| walk.numbered(error))?;
        match item {
            Some(BundleLine::Record(record)) => {
                walk.accept(*record, trust)?;
                if walk.seq.is_multiple_of(AUDIT_PROGRESS_EVERY) {
                    let (records, size) = (walk.seq, walk.checkpoint.size);
                    progress(Progress { records, size });
                }
            }
            Some(BundleLine::Checkpoint {
                note,
                consistency: None,
            }) => walk.checkpoint(&note, trust)?,
            Some(BundleLine::End(end)) => return walk.finish(&end, trust),
            Some(_) => return Err(walk.here("it is no line of a whole log")),
            None => return Err(walk.here("the bundle ends here, without its last line")),
        }
    }
}

impl<R: BufRead> Walk<R> {
    /// A fault of the line that was read last, about the record that comes next.
    fn here(&self, reason: impl Into<String>) -> Error {
        self.numbered(self.lines.fault(reason))
    }

    fn numbered(&self, error: Error) -> Error {
        match error {
            Error::Bad(fault) => Error::Bad(BundleFault {
                seq: Some(self.seq),
                ..fault
            }),
            Error::Read(_) => error,
        }
    }

    fn at_record(&self, record: &BundleRecord, reason: impl Into<String>) -> Error {
        Error::Bad(BundleFault {
            line: self.lines.number,
            seq: Some(self.seq),
            event_id: record.event_id.clone(),
            reason: reason.into(),
        })
    }

    fn at_last(&self, reason: impl Into<String>) -> Error {
        let last = self.last.as_ref();
        Error::Bad(BundleFault {
            line: last.map_or(1, |last| last.line),
            seq: Some(self.seq.saturating_sub(1)),
            event_id: last.and_then(|last| last.event_id.clone()),
            reason: reason.into(),
        })
    }

    fn accept(&mut self, record: BundleRecord, trust: &TrustAnchor) -> Result<(), Error> {
        self.in_its_place(&record)?;
        let last = self.last.as_ref().map_or(ZERO, |last| last.leaf);
        if record.prev != last {
            return Err(self.broken_link(&record)?);
        }
        for place in &record.trails {
            self.in_its_trail(&record, place)?;
        }
        self.in_time(&record)?;
        self.grow(trust)?;
        for place in record.trails {
            match place.trail.0 {
                TrailKind::Case => self.cases += u64::from(place.seq == 0),
                TrailKind::Session => self.sessions += u64::from(place.seq == 0),
            }
            self.trails
                .insert(place.trail, (place.seq + 1, record.leaf));
        }
        self.out_of_time += u64::from(record.clock_regression);
        self.at = record.at.or(self.at);
        self.last = Some(Last {
            leaf: record.leaf,
            line: self.lines.number,
            event_id: record.event_id,
        });
        self.seq += 1;
        Ok(())
    }

    /// Whether the record may stand here at all.
    fn in_its_place(&self, record: &BundleRecord) -> Result<(), Error> {
        let expected = self.seq;
        if expected >= self.checkpoint.size {
            return Err(self.at_record(record, "there are more records than were signed"));
        }
        if record.seq != expected {
            let reason = format!("record {} stands where {expected} belongs", record.seq);
            return Err(self.at_record(record, reason));
        }
        if record.ledger_id != self.organization_id {
            return Err(self.at_record(record, "it is of another organization's log"));
        }
        Ok(())
    }

    fn in_its_trail(&self, record: &BundleRecord, place: &TrailPlace) -> Result<(), Error> {
        let known = self.trails.get(&place.trail);
        let (seq, prev) = known.copied().unwrap_or((0, ZERO));
        let name = place.trail.0.name();
        if place.seq != seq {
            let reason = format!(
                "it is number {} of its {name} where {seq} belongs",
                place.seq
            );
            return Err(self.at_record(record, reason));
        }
        if place.prev != prev {
            let reason = format!("it does not follow the record of its {name} before it");
            return Err(self.at_record(record, reason));
        }
        Ok(())
    }

    /// Whether it is marked exactly if its time is before that of the record before it.
    fn in_time(&self, record: &BundleRecord) -> Result<(), Error> {
        let step = chrono::TimeDelta::from_std(AUDIT_CLOCK_STEP_MIN).unwrap_or_default();
        let back = match (record.at, self.at) {
            (Some(at), Some(last)) => at + step < last,
            _ => false,
        };
        if back != record.clock_regression {
            let reason = "its mark of a clock set back does not fit the times";
            return Err(self.at_record(record, reason));
        }
        Ok(())
    }

    /// The last leaf stands: it goes into the tree, which must be the one that was signed at this size.
    fn grow(&mut self, trust: &TrustAnchor) -> Result<(), Error> {
        let Some(last) = &self.last else {
            return Ok(());
        };
        self.tree.push(last.leaf);
        let root = self.tree.root();
        if let Some(signed) = self.signed.take() {
            if root != Some(signed.root) {
                let reason = format!(
                    "records {} to {} are not those that were signed: one was changed, and all after it \
                     were chained anew",
                    self.good,
                    self.seq - 1
                );
                return Err(Error::Bad(BundleFault {
                    line: signed.line,
                    seq: Some(self.good),
                    event_id: None,
                    reason,
                }));
            }
            self.good = self.seq;
            self.checkpoints += 1;
        }
        let kept = trust.from.as_ref().filter(|kept| kept.size == self.seq);
        if kept.is_some_and(|kept| Some(kept.root) != root) {
            return Err(self.at_last(FORKED));
        }
        Ok(())
    }

    /// An earlier checkpoint. Whether it agrees, the record after it says: if that one does not follow the
    /// one before, it is known which of them was changed.
    fn checkpoint(&mut self, note: &str, trust: &TrustAnchor) -> Result<(), Error> {
        let checkpoint = open(note, &trust.key).map_err(|error| self.here(error.to_string()))?;
        if checkpoint.size != self.seq || checkpoint.size >= self.checkpoint.size {
            let reason = format!("a checkpoint of {} records stands here", checkpoint.size);
            return Err(self.here(reason));
        }
        let (root, line) = (checkpoint.root, self.lines.number);
        if self.signed.replace(Signed { root, line }).is_some() {
            return Err(self.here("the same checkpoint stands before it"));
        }
        Ok(())
    }

    /// The record does not follow the one before it: one of the two was changed. What was signed between
    /// them says which; else the record after them; else, for the last one, the signed root.
    fn broken_link(&mut self, record: &BundleRecord) -> Result<Error, Error> {
        if record.seq == 0 {
            return Ok(self.at_record(record, "the first record names a record before it"));
        }
        let follows = self.at_record(record, "it does not follow the record before it");
        let changed = self.at_last("it was changed: the record after it names another hash");
        let with = |leaf: Hash| {
            let mut tree = self.tree.clone();
            tree.push(leaf);
            tree
        };
        if let Some(signed) = &self.signed {
            let stood = self
                .last
                .as_ref()
                .is_some_and(|last| with(last.leaf).root() == Some(signed.root));
            return Ok(if stood { follows } else { changed });
        }
        let mut tree = with(record.prev);
        let this_one_stands = loop {
            match self.lines.item() {
                Ok(Some(BundleLine::Checkpoint { .. })) => {}
                Ok(Some(BundleLine::Record(after))) => break after.prev == record.leaf,
                Ok(_) => {
                    tree.push(record.leaf);
                    break self.checkpoint.size != record.seq + 1
                        || tree.root() == Some(self.checkpoint.root);
                }
                Err(Error::Bad(_)) => break true,
                Err(error) => return Err(error),
            }
        };
        Ok(if this_one_stands { changed } else { follows })
    }

    fn finish(mut self, end: &BundleEnd, trust: &TrustAnchor) -> Result<VerificationReport, Error> {
        if self.seq < self.checkpoint.size {
            let size = self.checkpoint.size;
            return Err(self.here(format!("the log ends here; {size} records were signed")));
        }
        if self.signed.is_some() {
            return Err(self.here("a checkpoint stands after the last record"));
        }
        // The last record first: the tree and the signed root say whether it stands.
        let root = {
            let mut tree = self.tree.clone();
            if let Some(last) = &self.last {
                tree.push(last.leaf);
            }
            tree.root().unwrap_or_else(|| domain::merkle::root(&[]))
        };
        if root != self.checkpoint.root {
            let reason = format!(
                "up to here the log is not the one that was signed: this record was changed, or the chain \
                 was rewritten after record {}",
                self.good
            );
            return Err(self.at_last(reason));
        }
        self.grow(trust)?;
        if (end.records, end.checkpoints, end.trail.is_some())
            != (self.seq, self.checkpoints, false)
        {
            return Err(self.here("it does not count what is before it"));
        }
        if self.lines.next()?.is_some() {
            return Err(self.here("there is something after the last line"));
        }
        Ok(VerificationReport {
            organization_id: self.organization_id,
            scope: "log".to_owned(),
            records: self.seq,
            size: self.seq,
            root,
            cases: self.cases,
            sessions: self.sessions,
            out_of_time: self.out_of_time,
            checkpoints: self.checkpoints,
            ..VerificationReport::default()
        })
    }
}
