//! A bundle line by line: numbered, bounded, each with its end.

use std::io::{BufRead, Read as _};

use domain::limits::AUDIT_BUNDLE_LINE_BYTES_MAX;

use super::{
    line::BundleLine,
    report::{BundleFault, Error},
};

/// Lines without their ends.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    pub(super) number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        self.line.clear();
        self.number += 1;
        // One more for the end of the line, and one to notice that it is missing.
        let most = AUDIT_BUNDLE_LINE_BYTES_MAX as u64 + 2;
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
            return Err(self.fault(reason));
        }
        Ok(Some(&self.line))
    }

    /// The line that was read last.
    pub(super) fn text(&self) -> &[u8] {
        &self.line
    }

    /// The next item; `None` at the end.
    pub(super) fn item(&mut self) -> Result<Option<BundleLine>, Error> {
        let item = self.next()?.map(BundleLine::parse).transpose();
        item.map_err(|reason| self.fault(reason))
    }

    /// What is wrong with the line that was read last.
    pub(super) fn fault(&self, reason: impl Into<String>) -> Error {
        Error::Bad(BundleFault {
            line: self.number,
            seq: None,
            event_id: None,
            reason: reason.into(),
        })
    }
}
