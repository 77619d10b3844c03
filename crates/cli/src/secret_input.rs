//! Secret values: from a file, from the input, or typed without being shown. Never from the command line, which every user
//! of the machine can read.

use std::{
    io::{IsTerminal as _, Read as _, Write as _},
    os::fd::AsFd as _,
    path::PathBuf,
};

use domain::limits::REQUEST_BODY_BYTES_MAX;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
use wire::secret_text::SecretText;

use crate::{exit::Exit, failure::Failure, printer::Printer};

/// Where a secret value comes from.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SecretArgs {
    /// File with the secret value; `-` is the input. Without it the input is read, or the value is asked for where a
    /// person types. One line break at its end is left out
    #[arg(long, value_name = "FILE")]
    value_file: Option<PathBuf>,
}

impl SecretArgs {
    /// Reads the value; `what` is it in a sentence.
    pub(crate) fn read(&self, printer: Printer, what: &str) -> Result<SecretText, Failure> {
        let value = match &self.value_file {
            Some(file) if file.as_os_str() != "-" => {
                let opened = std::fs::File::open(file);
                opened.and_then(bounded).map_err(|error| {
                    let message = format!("cannot read {}", file.display());
                    Failure::caused(Exit::NotFound, message, &error)
                })?
            }
            None if std::io::stdin().is_terminal() => ask(printer, what)?,
            _ => bounded(std::io::stdin().lock()).map_err(|error| {
                Failure::caused(Exit::Usage, "the input cannot be read", &error)
            })?,
        };
        let value = value.strip_suffix('\n').map_or(value.as_str(), |line| {
            line.strip_suffix('\r').unwrap_or(line)
        });
        if value.is_empty() {
            return Err(Failure::new(Exit::Usage, format!("{what} is empty"))
                .hint("write it to the input, or name a file with `--value-file`"));
        }
        Ok(SecretText::new(value))
    }
}

/// No more than a request can have: what is too long is refused by the gateway.
fn bounded(source: impl std::io::Read) -> std::io::Result<String> {
    let mut text = String::new();
    source
        .take(REQUEST_BODY_BYTES_MAX as u64)
        .read_to_string(&mut text)?;
    Ok(text)
}

/// Asks for a line that the terminal does not show.
fn ask(printer: Printer, what: &str) -> Result<String, Failure> {
    let fail = |error: &dyn std::error::Error| {
        let cause = error.to_string();
        let mut failure = Failure::new(Exit::Failed, "the value cannot be typed here");
        failure.causes.push(cause);
        failure.hint("write it to the input instead, or name a file with `--value-file`")
    };
    let stdin = std::io::stdin();
    let before = tcgetattr(stdin.as_fd()).map_err(|error| fail(&error))?;
    let mut hidden = before.clone();
    // Byte by byte, so that Ctrl-C is one of them: a signal would end the process and leave the terminal silent.
    hidden
        .local_modes
        .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
    hidden.special_codes[SpecialCodeIndex::VMIN] = 1;
    hidden.special_codes[SpecialCodeIndex::VTIME] = 0;
    let _ = write!(std::io::stderr(), "{what} (not shown): ");
    tcsetattr(stdin.as_fd(), OptionalActions::Flush, &hidden).map_err(|error| fail(&error))?;
    let typed = typed_line(stdin.lock());
    let restored = tcsetattr(stdin.as_fd(), OptionalActions::Now, &before);
    printer.note("");
    restored.map_err(|error| fail(&error))?;
    typed
}

fn typed_line(source: impl std::io::BufRead) -> Result<String, Failure> {
    let mut line = Vec::new();
    for byte in source.bytes() {
        let byte =
            byte.map_err(|error| Failure::caused(Exit::Usage, "the input cannot be read", &error))?;
        match byte {
            // Ctrl-D ends the line too, Ctrl-C the command, Ctrl-U what was typed.
            b'\n' | b'\r' | 4 => break,
            3 => return Err(Failure::new(Exit::Interrupted, "nothing was changed")),
            21 => line.clear(),
            8 | 127 => erase(&mut line),
            byte if line.len() < REQUEST_BODY_BYTES_MAX => line.push(byte),
            _ => {}
        }
    }
    String::from_utf8(line)
        .map_err(|_| Failure::new(Exit::Usage, "what was typed is not text in UTF-8"))
}

/// Removes the last character, which may have several bytes.
fn erase(line: &mut Vec<u8>) {
    while let Some(byte) = line.pop() {
        if byte & 0b1100_0000 != 0b1000_0000 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_a_line_with_its_corrections() {
        for (typed, expected) in [
            (&b"hush\nmore"[..], Ok("hush")),
            (b"hush\x04", Ok("hush")),
            (b"hux\x7fsh\r", Ok("hush")),
            ("h\u{fc}\u{7f}ush\n".as_bytes(), Ok("hush")),
            (b"wrong\x15hush\n", Ok("hush")),
            (b"\x7f\n", Ok("")),
            (b"hu\x03sh\n", Err(Exit::Interrupted)),
            (b"\xff\n", Err(Exit::Usage)),
        ] {
            let line = typed_line(typed).map_err(|failure| failure.exit);
            assert_eq!(line, expected.map(str::to_owned), "{typed:?}");
        }
    }

    #[test]
    fn a_file_is_read_without_its_last_line_break() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let args = SecretArgs {
            value_file: Some(file.path().to_owned()),
        };
        let printer = Printer::new(crate::printer::Output::Table);
        for (text, expected) in [
            ("hush", Ok("hush")),
            ("hush\n", Ok("hush")),
            ("hush\r\n", Ok("hush")),
            ("two\nlines\n\n", Ok("two\nlines\n")),
            ("", Err(Exit::Usage)),
            ("\n", Err(Exit::Usage)),
        ] {
            std::fs::write(file.path(), text).unwrap();
            let read = args
                .read(printer, "the value")
                .map_err(|failure| failure.exit);
            let read = read.map(SecretText::into_exposed);
            assert_eq!(read, expected.map(str::to_owned), "{text:?}");
        }
    }
}
