//! The trail of one case or session: its records have no gap and each is proven to be in the signed log; what
//! they refer to is what it was; and the signed end says that nothing is left out.

use std::io::BufRead;

use domain::merkle::{Hash, verify_consistency, verify_inclusion};

use super::{
    evidence::Evidence,
    line::{BundleEnd, BundleLine, BundleRecord, TrailKind},
    lines::Lines,
    note::{Checkpoint, open, signed_text},
    report::{BundleFault, Error, FORKED, TrustAnchor, VerificationReport},
};

/// What is known of the trail so far.
struct Walk<R> {
    lines: Lines<R>,
    organization_id: String,
    trail: (TrailKind, String),
    checkpoint: Checkpoint,
    /// The number in the trail that comes next, and the leaf it follows.
    next: u64,
    last: Hash,
    /// The number in the log after the last record's.
    seq: u64,
    /// The record whose proof comes next.
    waiting: Option<Waiting>,
    checkpoints: u64,
    /// The size of the last earlier checkpoint.
    covered: u64,
    /// Whether a checkpoint was the one that was kept.
    met: bool,
    out_of_time: u64,
    evidence: Evidence,
}

struct Waiting {
    leaf: Hash,
    seq: u64,
    line: u64,
    event_id: Option<String>,
}

pub(super) fn walk<R: BufRead>(
    lines: Lines<R>,
    trust: &TrustAnchor,
    organization_id: String,
    trail: (TrailKind, String),
    checkpoint: Checkpoint,
) -> Result<VerificationReport, Error> {
    let met = { trust.from.as_ref() }.is_none_or(|kept| kept.size == checkpoint.size);
    let mut walk = Walk {
        lines,
        organization_id,
        trail,
        checkpoint,
        next: 0,
        last: [0; 32],
        seq: 0,
        waiting: None,
        checkpoints: 0,
        covered: 0,
        met,
        out_of_time: 0,
        evidence: Evidence::default(),
    };
    loop {
        let item = walk.lines.item();
        let item = item.map_err(|error| walk.about_the_waiting(error))?;
        match item {
            Some(BundleLine::Proof(proof)) => walk.proof(&proof)?,
            Some(_) | None if walk.waiting.is_some() => {
                return Err(walk.waiting_fault("its proof is missing"));
            }
            Some(BundleLine::Record(record)) => walk.record(*record)?,
            Some(BundleLine::Checkpoint {
                note,
                consistency: Some(proof),
            }) => walk.earlier(&note, &proof, trust)?,
            Some(BundleLine::End(end)) => return walk.finish(&end, trust),
            Some(BundleLine::Checkpoint { .. }) => {
                return Err(walk
                    .lines
                    .fault("a checkpoint without its proof stands here"));
            }
            Some(evidence) => {
                let taken = walk.evidence.take(evidence, walk.lines.text());
                taken.map_err(|reason| walk.lines.fault(reason))?;
            }
            None => {
                return Err(walk
                    .lines
                    .fault("the bundle ends here, without its last line"));
            }
        }
    }
}

impl<R: BufRead> Walk<R> {
    fn record(&mut self, record: BundleRecord) -> Result<(), Error> {
        let bad = |line: u64, reason: String| {
            Error::Bad(BundleFault {
                line,
                seq: Some(record.seq),
                event_id: record.event_id.clone(),
                reason,
            })
        };
        let bad = |reason: String| bad(self.lines.number, reason);
        let name = self.trail.0.name();
        if self.evidence.began() {
            return Err(bad("a record stands after what records refer to".to_owned()));
        }
        if record.ledger_id != self.organization_id {
            return Err(bad("it is of another organization's log".to_owned()));
        }
        let place = record.trails.iter().find(|place| place.trail == self.trail);
        let Some(place) = place else {
            return Err(bad(format!("it is not of this {name}")));
        };
        if place.seq != self.next {
            let (seq, next) = (place.seq, self.next);
            let reason = format!("it is number {seq} of its {name} where {next} belongs");
            return Err(bad(reason));
        }
        if place.prev != self.last {
            let reason = format!("it does not follow the record of its {name} before it");
            return Err(bad(reason));
        }
        if record.seq < self.seq || record.seq >= self.checkpoint.size {
            let reason = "its number in the log is not after the one before it, or was not signed";
            return Err(bad(reason.to_owned()));
        }
        self.evidence.named_by(&record);
        self.out_of_time += u64::from(record.clock_regression);
        self.waiting = Some(Waiting {
            leaf: record.leaf,
            seq: record.seq,
            line: self.lines.number,
            event_id: record.event_id,
        });
        Ok(())
    }

    fn proof(&mut self, proof: &[Hash]) -> Result<(), Error> {
        let Some(waiting) = &self.waiting else {
            return Err(self.lines.fault("a proof stands here without its record"));
        };
        let (leaf, seq) = (waiting.leaf, waiting.seq);
        let Checkpoint { size, root, .. } = &self.checkpoint;
        if !verify_inclusion(&leaf, seq, *size, proof, root) {
            let reason = "it is not in the signed log: it or its proof was changed";
            return Err(self.waiting_fault(reason));
        }
        self.waiting = None;
        self.last = leaf;
        self.next += 1;
        self.seq = seq + 1;
        Ok(())
    }

    /// A fault of the record whose proof did not come.
    fn waiting_fault(&self, reason: &str) -> Error {
        let Some(waiting) = &self.waiting else {
            return self.lines.fault(reason);
        };
        Error::Bad(BundleFault {
            line: waiting.line,
            seq: Some(waiting.seq),
            event_id: waiting.event_id.clone(),
            reason: reason.to_owned(),
        })
    }

    /// A line that cannot be read where a proof belongs is a fault of that line, about the record before it.
    fn about_the_waiting(&self, error: Error) -> Error {
        match (error, &self.waiting) {
            (Error::Bad(fault), Some(waiting)) => Error::Bad(BundleFault {
                seq: Some(waiting.seq),
                event_id: waiting.event_id.clone(),
                ..fault
            }),
            (error, _) => error,
        }
    }

    /// A checkpoint that was signed earlier and must be the beginning of the signed log.
    fn earlier(&mut self, note: &str, proof: &[Hash], trust: &TrustAnchor) -> Result<(), Error> {
        let opened = open(note, &trust.key);
        let checkpoint = opened.map_err(|error| self.lines.fault(error.to_string()))?;
        let Checkpoint { size, root, .. } = &checkpoint;
        if self.evidence.began() {
            let reason = "a checkpoint stands after what records refer to";
            return Err(self.lines.fault(reason));
        }
        if *size < self.seq || *size <= self.covered || *size >= self.checkpoint.size {
            let reason = format!("a checkpoint of {size} records stands here");
            return Err(self.lines.fault(reason));
        }
        let signed = (self.checkpoint.size, &self.checkpoint.root);
        if !verify_consistency((*size, root), signed, proof) {
            let reason = "the signed log is not a continuation of this checkpoint";
            return Err(self.lines.fault(reason));
        }
        if let Some(kept) = trust.from.as_ref().filter(|kept| kept.size == *size) {
            if kept.root != *root {
                return Err(self.lines.fault(FORKED));
            }
            self.met = true;
        }
        self.covered = *size;
        self.checkpoints += 1;
        Ok(())
    }

    fn finish(mut self, end: &BundleEnd, trust: &TrustAnchor) -> Result<VerificationReport, Error> {
        let closed = self.evidence.close();
        closed.map_err(|reason| self.lines.fault(reason))?;
        let Some(signed) = &end.trail else {
            return Err(self.lines.fault("the end of the trail is not signed"));
        };
        let text = signed_text(&signed.note, &trust.key);
        let text = text.map_err(|error| self.lines.fault(error.to_string()))?;
        let (policy_files, artifacts) = self.evidence.counts();
        let evidence = self.evidence.digest();
        let (kind, id) = &self.trail;
        let expected = format!(
            "{}/trail\n{} {id}\n{}\n{}\n{}\n{evidence}\n",
            trust.key.name(),
            kind.name(),
            self.checkpoint.size,
            self.next,
            hex::encode(self.last),
        );
        let counted = (
            end.records,
            end.checkpoints,
            signed.policy_files,
            signed.artifacts,
        );
        if text != expected || counted != (self.next, self.checkpoints, policy_files, artifacts) {
            let reason = format!(
                "what is before it is not what the {} had when this was signed: something is left out or \
                 added",
                kind.name()
            );
            return Err(self.lines.fault(reason));
        }
        if !self.met {
            let reason = "the bundle does not prove that the log continues the checkpoint you keep; verify \
                the whole log with it";
            return Err(self.lines.fault(reason));
        }
        if self.lines.next()?.is_some() {
            return Err(self.lines.fault("there is something after the last line"));
        }
        let mut report = VerificationReport {
            organization_id: self.organization_id,
            scope: format!("{} {id}", kind.name()),
            records: self.next,
            size: self.checkpoint.size,
            root: self.checkpoint.root,
            out_of_time: self.out_of_time,
            checkpoints: self.checkpoints,
            ..VerificationReport::default()
        };
        self.evidence.report(&mut report);
        Ok(report)
    }
}
