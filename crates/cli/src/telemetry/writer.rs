//! Between the formatter and the terminal: each event is scrubbed and bounded before it is written, and nothing hidden is
//! left in it.

use std::{
    borrow::Cow,
    io::{self, Write},
    sync::Arc,
};

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use domain::visible::{escape_text, is_hidden};

use super::{format::Style, scrub::Scrubber};
use crate::json_text::escape_json;

/// Longest line written; a body that was logged by mistake must not fill a disk.
const LINE_BYTES_MAX: usize = 64 * 1024;
const CUT: &str = "... (cut)\n";

/// Makes writers that scrub.
#[derive(Debug)]
pub(super) struct ScrubbingOutput<M> {
    inner: M,
    scrubber: Arc<Scrubber>,
    style: Style,
}

impl<M> ScrubbingOutput<M> {
    pub(super) fn new(inner: M, scrubber: Arc<Scrubber>, style: Style) -> Self {
        Self {
            inner,
            scrubber,
            style,
        }
    }
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for ScrubbingOutput<M> {
    type Writer = ScrubbingWriter<'a, M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        ScrubbingWriter {
            inner: self.inner.make_writer(),
            scrubber: &self.scrubber,
            style: self.style,
        }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Self::Writer {
        ScrubbingWriter {
            inner: self.inner.make_writer_for(meta),
            scrubber: &self.scrubber,
            style: self.style,
        }
    }
}

/// Writes what is left of each buffer. INVARIANT: a buffer is a whole event, as the formatting
/// layer writes it, so that no secret is split between two of them.
#[derive(Debug)]
pub(super) struct ScrubbingWriter<'a, W> {
    inner: W,
    scrubber: &'a Scrubber,
    style: Style,
}

impl<W: Write> Write for ScrubbingWriter<'_, W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(buffer);
        // Scrubbed before it is cut: half a secret may no longer look like one.
        let clean = self.scrubber.scrub(&text);
        let clean = visible(self.style, &clean);
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

/// A line with nothing hidden in it. Colours are the formatter's own, and JSON stays JSON.
fn visible(style: Style, line: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, ' '..='~' | '\n') || !is_hidden(c);
    if line.chars().all(is_plain) {
        return Cow::Borrowed(line);
    }
    if style == Style::Json {
        return escape_json(line);
    }
    let is_colored = style == Style::Human { color: true };
    let mut shown = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[").filter(|_| is_colored) {
        let code = at + 2;
        let end = rest[code..].find(|c: char| !c.is_ascii_digit() && c != ';');
        let end = end.filter(|end| rest[code + end..].starts_with('m'));
        // Another code than a colour is shown.
        let after = end.map_or(code, |end| code + end + 1);
        shown.push_str(&escape_text(&rest[..at]));
        match end {
            Some(_) => shown.push_str(&rest[at..after]),
            None => shown.push_str(&escape_text(&rest[at..after])),
        }
        rest = &rest[after..];
    }
    shown.push_str(&escape_text(rest));
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(buffer: &[u8]) -> String {
        written_as(Style::Human { color: false }, buffer)
    }

    fn written_as(style: Style, buffer: &[u8]) -> String {
        let mut output = Vec::new();
        let scrubber = Scrubber::new().unwrap();
        let mut writer = ScrubbingWriter {
            inner: &mut output,
            scrubber: &scrubber,
            style,
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
    fn nothing_hidden_is_logged() {
        let line = "\u{1b}[32mINFO\u{1b}[0m a\u{1b}[2Jb\u{202e}c\u{e0041}\n";
        let colored = written_as(Style::Human { color: true }, line.as_bytes());
        let expected = "\u{1b}[32mINFO\u{1b}[0m a\\u{1b}[2Jb\\u{202e}c\\u{e0041}\n";
        assert_eq!(colored, expected);
        let plain = written("a\u{1b}[31mb\n".as_bytes());
        assert_eq!(plain, "a\\u{1b}[31mb\n");
        let line = format!(
            "{}\n",
            serde_json::json!({"title": "a\u{202e}\u{e0041}\\u{1}"})
        );
        let json = written_as(Style::Json, line.as_bytes());
        assert!(!json.trim_end().contains(is_hidden), "{json}");
        let (read, given): (serde_json::Value, serde_json::Value) = (
            serde_json::from_str(&json).unwrap(),
            serde_json::from_str(&line).unwrap(),
        );
        assert_eq!(read, given);
    }

    #[test]
    fn a_line_keeps_its_end() {
        assert_eq!(written(b"-----BEGIN X-----\nabc\n"), "***\n");
    }
}
