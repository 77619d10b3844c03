//! Everything the binary prints, but for logs. Data goes to stdout, the rest to stderr, so that a
//! pipe gets what was asked for and nothing else. Colours only where a person looks, and never
//! needed to understand a line. A reader that went away (`| head`) is no error.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use domain::visible::{escape_line, escape_prose, escape_text};
use owo_colors::{OwoColorize as _, Style};
use serde::Serialize;

use crate::{failure::Failure, json_text::escape_json};

/// How data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Output {
    /// For people.
    #[default]
    Table,
    /// For programs.
    Json,
}

/// Prints for one process.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    pub output: Output,
    color_stdout: bool,
    color_stderr: bool,
}

/// Colours by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Good,
    Warning,
    Bad,
    Strong,
}

impl Printer {
    /// Looks at the terminal and at `NO_COLOR`.
    pub fn new(output: Output) -> Self {
        let wanted = config::process_env(config::telemetry::NO_COLOR.variable.name)
            .is_none_or(|v| v.is_empty());
        Self {
            output,
            color_stdout: wanted && io::stdout().is_terminal(),
            color_stderr: wanted && io::stderr().is_terminal(),
        }
    }

    /// Lines of data.
    pub fn data(&self, text: &str) {
        write(&mut io::stdout().lock(), text);
    }

    /// A value as indented JSON; hidden characters are escaped, which is the same data.
    pub fn json(&self, value: &impl Serialize) {
        // Our own shapes have text keys and no maps that could fail.
        if let Ok(text) = serde_json::to_string_pretty(value) {
            self.data(&escape_json(&text));
        }
    }

    /// A value as JSON on one line.
    pub(crate) fn json_line(self, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.data(&escape_json(&text));
        }
    }

    /// Rows below their headings, aligned. Says on stderr that there is none, so that the data stays
    /// empty.
    pub fn table(&self, headings: &[&str], rows: &[Vec<String>], none: &str) {
        if rows.is_empty() {
            self.note(none);
            return;
        }
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.set_header(headings);
        for row in rows {
            table.add_row(row.iter().map(|cell| printable(cell)));
        }
        let lines: Vec<String> = table
            .to_string()
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned())
            .collect();
        self.data(&lines.join("\n"));
    }

    /// What a command was asked for: the value as JSON for programs, a text of it for people.
    pub(crate) fn result<T: Serialize>(self, value: &T, text: impl FnOnce(&T) -> String) {
        match self.output {
            Output::Json => self.json(value),
            Output::Table => self.data(&text(value)),
        }
    }

    /// What a command changed: the value as JSON for programs; for people a sentence beside the data, which has none.
    pub(crate) fn changed<T: Serialize>(self, value: &T, sentence: impl FnOnce(&T) -> String) {
        match self.output {
            Output::Json => self.json(value),
            Output::Table => self.note(&sentence(value)),
        }
    }

    /// A word of data, coloured when a person looks.
    pub fn paint(&self, text: &str, tone: Tone) -> String {
        paint(text, tone, self.color_stdout)
    }

    /// A line for the person who started the command.
    pub fn note(&self, text: &str) {
        write(&mut io::stderr().lock(), text);
    }

    /// Says how to see the rest of a list, if there is one.
    pub(crate) fn more(self, next_cursor: Option<&str>) {
        if let Some(cursor) = next_cursor {
            self.note(&format!("more follow: add `--cursor {cursor}`"));
        }
    }

    pub fn warning(&self, text: &str) {
        let word = paint("warning", Tone::Warning, self.color_stderr);
        self.note(&format!("{word}: {text}"));
    }

    /// A failure: the sentence, its causes, facts, and after a blank line the hint.
    pub fn failure(&self, failure: &Failure) {
        let word = paint("error", Tone::Bad, self.color_stderr);
        let mut lines = vec![format!("{word}: {}", printable_lines(&failure.message))];
        for cause in &failure.causes {
            lines.push(format!("  caused by: {}", printable(cause)));
        }
        for (name, value) in &failure.details {
            lines.push(format!("  {}: {}", printable(name), printable(value)));
        }
        if let Some(hint) = &failure.hint {
            let word = paint("hint", Tone::Strong, self.color_stderr);
            lines.push(format!("\n{word}: {}", printable_lines(hint)));
        }
        self.note(&lines.join("\n"));
    }
}

/// One write per call, so that lines of several threads do not mix.
fn write(stream: &mut impl io::Write, text: &str) {
    let mut line = text.to_owned();
    line.push('\n');
    match stream
        .write_all(line.as_bytes())
        .and_then(|()| stream.flush())
    {
        Ok(()) => {}
        // The reader of the pipe has ended: it has what it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            // There is nowhere left to say so if this fails too.
            let _ = writeln!(io::stderr(), "error: cannot write: {error}");
        }
    }
}

fn paint(text: &str, tone: Tone, color: bool) -> String {
    if !color || tone == Tone::Plain {
        return text.to_owned();
    }
    let style = match tone {
        Tone::Plain => Style::new(),
        Tone::Good => Style::new().green(),
        Tone::Warning => Style::new().yellow().bold(),
        Tone::Bad => Style::new().red().bold(),
        Tone::Strong => Style::new().bold(),
    };
    text.style(style).to_string()
}

/// Text that came from elsewhere, on one line: what a terminal would obey or not show is written as its code.
pub fn printable(text: &str) -> String {
    escape_line(text).into_owned()
}

/// The same for what an agent and people say: lines, and emoji, are as they are.
pub fn printable_prose(text: &str) -> String {
    escape_prose(text).into_owned()
}

/// The same for text of several lines, such as code: line breaks and tabs are as they are.
pub fn printable_lines(text: &str) -> String {
    escape_text(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_cannot_drive_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\\u{1b}[2Jb\\u{a}c");
        assert_eq!(printable_lines("a\nb\u{7}"), "a\nb\\u{7}");
        assert_eq!(
            printable_prose("a\nb\u{202e}c 👩\u{200d}💻"),
            "a\nb\\u{202e}c 👩\u{200d}💻"
        );
    }

    #[test]
    fn without_colour_nothing_is_added() {
        assert_eq!(paint("ok", Tone::Good, false), "ok");
        assert_ne!(paint("ok", Tone::Good, true), "ok");
    }
}
