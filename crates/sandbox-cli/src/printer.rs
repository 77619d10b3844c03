//! Everything the command prints: one JSON document on stdout, plain lines on stderr, no colours.
//!
//! INVARIANT: the sandbox token is in neither, whatever the source of the text; only the value that `env get` was asked for is
//! printed as it is (`bare`).

use std::io::{self, ErrorKind, Write};

use serde_json::Value;
use wire::secret_text::SecretText;

use crate::{failure::Failure, limits::TEXT_LENGTH_MAX};

/// Prints, and takes out the token wherever it stands.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    token: Option<SecretText>,
}

impl Printer {
    pub(crate) fn without(token: SecretText) -> Self {
        Self { token: Some(token) }
    }

    /// The one document of this run, or one of several that follow each other. Whether it was read.
    pub(crate) fn document(&self, document: &Value) -> bool {
        let text = self.cleared(&document.to_string());
        write(&mut io::stdout().lock(), &text)
    }

    /// Bytes that were asked for as they are, and nothing behind them.
    #[expect(clippy::unused_self, reason = "callers print through a printer")]
    pub(crate) fn bare(&self, bytes: &str) {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes.as_bytes());
        report(&written.and_then(|()| stdout.flush()));
    }

    /// A line about what goes on.
    pub(crate) fn note(&self, text: &str) {
        self.line("note", text);
    }

    pub(crate) fn failure(&self, failure: &Failure) {
        if let Some(document) = &failure.document {
            self.document(document);
        }
        self.line("error", &failure.message);
        for detail in &failure.details {
            self.line("error", detail);
        }
        if let Some(hint) = &failure.hint {
            self.line("hint", hint);
        }
    }

    fn line(&self, kind: &str, text: &str) {
        // Cleared first: cutting could leave a part that is no longer recognised.
        let text = printable(&self.cleared(text));
        write(&mut io::stderr().lock(), &format!("{kind}: {text}"));
    }

    fn cleared(&self, text: &str) -> String {
        match &self.token {
            Some(token) => text.replace(token.expose(), "[redacted]"),
            None => text.to_owned(),
        }
    }
}

/// Text that came from elsewhere: one line, bounded, without codes that a terminal would obey.
fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut line: String = text.chars().take(TEXT_LENGTH_MAX).map(plain).collect();
    if text.chars().nth(TEXT_LENGTH_MAX).is_some() {
        line.push_str(" [cut]");
    }
    line
}

/// A reader that went away has seen enough; anything else is said while it can be.
fn write(stream: &mut impl Write, text: &str) -> bool {
    let mut line = text.to_owned();
    line.push('\n');
    let written = stream.write_all(line.as_bytes());
    report(&written.and_then(|()| stream.flush()))
}

fn report(written: &io::Result<()>) -> bool {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: cannot write: {error}");
        }
        _ => {}
    }
    written.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_is_one_bounded_line() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a [2Jb c");
        let long = printable(&"é".repeat(TEXT_LENGTH_MAX + 1));
        assert_eq!(long.chars().count(), TEXT_LENGTH_MAX + " [cut]".len());
    }

    #[test]
    fn the_token_is_taken_out() {
        let printer = Printer::without(SecretText::new("sbx_1"));
        assert_eq!(printer.cleared("asbx_1b sbx_1"), "a[redacted]b [redacted]");
        assert!(!format!("{printer:?}").contains("sbx_1"));
    }
}
