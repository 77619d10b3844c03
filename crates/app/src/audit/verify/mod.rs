//! Checking a log, or a trail of it, that was given out, with its file and the public key alone: no
//! database, no settings.
//!
//! A separate path on purpose. It shares with the writing side the hash functions of `domain` (canonical
//! bytes, leaf and node hash, a file's blob id) and nothing else; format, chains, tree and signature are read
//! here anew. One line at a time: memory grows with the number of cases and sessions, about 100 bytes each,
//! not with the log.

mod evidence;
mod line;
mod lines;
mod log;
mod note;
mod report;
mod trail;
mod tree;

use std::io::BufRead;

use self::{
    line::{BundleHeader, HeaderScope},
    lines::Lines,
    report::FORKED,
};

pub use note::{
    Checkpoint, Comparison, InvalidNote, InvalidVerifierKey, VerifierKey, compare, open,
};
pub use report::{BundleFault, Error, Progress, TrustAnchor, VerificationReport};

/// Checks a whole bundle. `progress` is called now and then.
pub fn verify(
    reader: impl BufRead,
    trust: &TrustAnchor,
    progress: impl FnMut(Progress),
) -> Result<VerificationReport, Error> {
    let mut lines = Lines::new(reader);
    let (header, checkpoint) = header(&mut lines, trust)?;
    match header.scope {
        HeaderScope::Log => log::walk(lines, trust, header.organization_id, checkpoint, progress),
        HeaderScope::Trail(trail) => {
            trail::walk(lines, trust, header.organization_id, trail, checkpoint)
        }
    }
}

fn header<R: BufRead>(
    lines: &mut Lines<R>,
    trust: &TrustAnchor,
) -> Result<(BundleHeader, Checkpoint), Error> {
    let header = match lines.next()?.map(BundleHeader::parse) {
        None => return Err(lines.fault("there is no header")),
        Some(Err(reason)) => return Err(lines.fault(reason)),
        Some(Ok(header)) => header,
    };
    if header.verifier_key != trust.key.to_string() {
        return Err(lines.fault("it is signed under another key"));
    }
    let checkpoint = open(&header.checkpoint, &trust.key);
    let checkpoint = checkpoint.map_err(|error| lines.fault(error.to_string()))?;
    if checkpoint.origin != format!("proliferate/audit/{}", header.organization_id) {
        return Err(lines.fault("the checkpoint is of another organization"));
    }
    if let Some(kept) = &trust.from {
        if kept.size > checkpoint.size {
            let reason = format!(
                "the log has {} records and the checkpoint you keep {}: the log was rolled back",
                checkpoint.size, kept.size
            );
            return Err(lines.fault(reason));
        }
        if kept.size == checkpoint.size && kept.root != checkpoint.root {
            return Err(lines.fault(FORKED));
        }
    }
    Ok((header, checkpoint))
}

#[cfg(test)]
mod tests;
