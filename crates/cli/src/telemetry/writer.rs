//! Between the formatter and the terminal: each event is scrubbed and bounded before it is written.

use std::{
    io::{self, Write},
    sync::Arc,
};

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use super::scrub::Scrubber;

/// Longest line written; a body that was logged by mistake must not fill a disk.
const LINE_BYTES_MAX: usize = 64 * 1024;
const CUT: &str = "... (cut)\n";

/// Makes writers that scrub.
#[derive(Debug)]
pub(super) struct ScrubbingOutput<M> {
    inner: M,
    scrubber: Arc<Scrubber>,
}

impl<M> ScrubbingOutput<M> {
    pub(super) fn new(inner: M, scrubber: Arc<Scrubber>) -> Self {
        Self { inner, scrubber }
    }
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for ScrubbingOutput<M> {
    type Writer = ScrubbingWriter<'a, M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        ScrubbingWriter {
            inner: self.inner.make_writer(),
            scrubber: &self.scrubber,
        }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Self::Writer {
        ScrubbingWriter {
            inner: self.inner.make_writer_for(meta),
            scrubber: &self.scrubber,
        }
    }
}

/// Writes what is left of each buffer. INVARIANT: a buffer is a whole event, as the formatting
/// layer writes it, so that no secret is split between two of them.
#[derive(Debug)]
pub(super) struct ScrubbingWriter<'a, W> {
    inner: W,
    scrubber: &'a Scrubber,
}

impl<W: Write> Write for ScrubbingWriter<'_, W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(buffer);
        // Scrubbed before it is cut: half a secret may no longer look like one.
        let clean = self.scrubber.scrub(&text);
        if clean.len() <= LINE_BYTES_MAX {
            self.inner.write_all(clean.as_bytes())?;
            // A secret without an end takes the line's end with it.
            if buffer.ends_with(b"\n") && !clean.ends_with('\n') {
                self.inner.write_all(b"\n")?;
            }
        } else {
            let end = clean.floor_char_boundary(LINE_BYTES_MAX);
            self.inner.write_all(&clean.as_bytes()[..end])?;
            self.inner.write_all(CUT.as_bytes())?;
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(buffer: &[u8]) -> String {
        let mut output = Vec::new();
        let scrubber = Scrubber::new().unwrap();
        let mut writer = ScrubbingWriter {
            inner: &mut output,
            scrubber: &scrubber,
        };
        writer.write_all(buffer).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let line = written(format!("{}\n", "é".repeat(LINE_BYTES_MAX)).as_bytes());
        assert!(line.len() <= LINE_BYTES_MAX + CUT.len());
        assert!(line.ends_with("é... (cut)\n"));
    }

    #[test]
    fn bytes_that_are_no_text_do_not_hide_a_secret() {
        assert_eq!(written(b"\xff password=x\n"), "\u{fffd} password=***\n");
    }

    #[test]
    fn a_line_keeps_its_end() {
        assert_eq!(written(b"-----BEGIN X-----\nabc\n"), "***\n");
    }
}
