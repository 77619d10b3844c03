//! A dotenv file as a list of pieces: assignments with their names, and whatever else stands there.
//!
//! INVARIANT: pieces without a requested change come out as the bytes they were.

use std::collections::BTreeSet;

use super::quote;

/// Stands where a value was taken out, so that it can come back to the same place.
const SCRUBBED: &str = "# proliferate scrubbed ";

/// One or more whole lines.
#[derive(Debug)]
struct DotenvPiece {
    /// The name, if it is an assignment or stands for one.
    name: Option<String>,
    is_exported: bool,
    is_scrubbed: bool,
    text: Vec<u8>,
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct DotenvDocument {
    pieces: Vec<DotenvPiece>,
}

/// What scrubbing leaves.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ScrubbedText {
    /// Whose values were taken out.
    pub(crate) names: Vec<String>,
    /// `None` if nothing but scrubbed names is left.
    pub(crate) text: Option<Vec<u8>>,
}

impl DotenvDocument {
    /// Reads any bytes; what is no assignment is kept as it is.
    pub(crate) fn read(mut text: &[u8]) -> Self {
        let mut pieces = Vec::new();
        while !text.is_empty() {
            let piece = first_piece(text);
            text = text.get(piece.text.len()..).unwrap_or_default();
            pieces.push(piece);
        }
        Self { pieces }
    }

    /// Returns the file with these values. A name keeps its place; a second assignment of it goes.
    pub(crate) fn with_values(&self, values: &[(&str, &str)]) -> Vec<u8> {
        let out = self.with_in_place(values);
        if Self::read(&out).assigns(values) {
            return out;
        }
        // A quote that nothing closes would take in the values behind it, and scrubbing would not find them there. There
        // is none before the first line.
        let mut first = Vec::new();
        for (name, value) in values {
            let of_it = |piece: &&DotenvPiece| piece.name.as_deref() == Some(*name);
            let is_exported =
                { self.pieces.iter().find(of_it) }.is_some_and(|piece| piece.is_exported);
            assign(&mut first, is_exported, name, value);
        }
        for piece in &self.pieces {
            let name = piece.name.as_deref();
            if name.and_then(|name| find(values, name)).is_none() {
                first.extend_from_slice(&piece.text);
            }
        }
        first
    }

    /// Whether each of the values is an assignment of its own.
    fn assigns(&self, values: &[(&str, &str)]) -> bool {
        values.iter().all(|(name, value)| {
            let mut own = Vec::new();
            assign(&mut own, false, name, value);
            let is =
                |piece: &&DotenvPiece| !piece.is_scrubbed && piece.name.as_deref() == Some(*name);
            let mut found = self.pieces.iter().filter(is);
            let is_own = found.next().is_some_and(|piece| piece.text.ends_with(&own));
            is_own && found.next().is_none()
        })
    }

    fn with_in_place(&self, values: &[(&str, &str)]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut placed = BTreeSet::new();
        for piece in &self.pieces {
            let value = piece.name.as_deref().and_then(|name| find(values, name));
            match value {
                Some((name, _)) if !placed.insert(name) => {}
                Some((name, value)) => assign(&mut out, piece.is_exported, name, value),
                None => out.extend_from_slice(&piece.text),
            }
        }
        for (name, value) in values {
            if placed.insert(name) {
                assign(&mut out, false, name, value);
            }
        }
        out
    }

    /// Returns the file without the values of these names.
    pub(crate) fn scrub(&self, names: &BTreeSet<&str>) -> ScrubbedText {
        let mut out = Vec::new();
        let mut taken = BTreeSet::new();
        let mut placed = BTreeSet::new();
        let mut is_bare = true;
        for piece in &self.pieces {
            let name = piece.name.as_deref().filter(|name| names.contains(name));
            let Some(name) = name else {
                is_bare &= piece.is_scrubbed || piece.text.trim_ascii().is_empty();
                out.extend_from_slice(&piece.text);
                continue;
            };
            if !piece.is_scrubbed {
                taken.insert(name);
            }
            if placed.insert(name) {
                end_line(&mut out);
                let export = if piece.is_exported { "export " } else { "" };
                out.extend_from_slice(format!("{SCRUBBED}{export}{name}\n").as_bytes());
            }
        }
        ScrubbedText {
            names: taken.into_iter().map(str::to_owned).collect(),
            text: (!is_bare).then_some(out),
        }
    }

    /// Returns this file with the assignments that scrubbing removed from `before`, as they were.
    pub(crate) fn restore(&self, before: &Self) -> Vec<u8> {
        let assigned = |pieces: &'_ [DotenvPiece], name: &str| {
            let is =
                |piece: &&DotenvPiece| !piece.is_scrubbed && piece.name.as_deref() == Some(name);
            pieces.iter().rfind(is).map(|piece| piece.text.clone())
        };
        let mut out = Vec::new();
        let mut placed = BTreeSet::new();
        for piece in &self.pieces {
            let name = piece.name.as_deref().filter(|_| piece.is_scrubbed);
            let back = name.and_then(|name| Some((name, assigned(&before.pieces, name)?)));
            if let Some((name, text)) = back {
                placed.insert(name);
                end_line(&mut out);
                out.extend_from_slice(&text);
            } else {
                placed.extend(piece.name.as_deref());
                out.extend_from_slice(&piece.text);
            }
        }
        for name in before
            .pieces
            .iter()
            .filter_map(|piece| piece.name.as_deref())
        {
            if let Some(text) = assigned(&before.pieces, name)
                && placed.insert(name)
            {
                end_line(&mut out);
                out.extend_from_slice(&text);
            }
        }
        out
    }
}

fn find<'a>(values: &[(&'a str, &'a str)], name: &str) -> Option<(&'a str, &'a str)> {
    values.iter().find(|(known, _)| *known == name).copied()
}

fn assign(out: &mut Vec<u8>, is_exported: bool, name: &str, value: &str) {
    end_line(out);
    let export = if is_exported { "export " } else { "" };
    let quoted = quote(value).text;
    out.extend_from_slice(format!("{export}{name}={quoted}\n").as_bytes());
}

fn end_line(out: &mut Vec<u8>) {
    if out.last().is_some_and(|byte| *byte != b'\n') {
        out.push(b'\n');
    }
}

/// The first piece of a text that is not empty.
fn first_piece(text: &[u8]) -> DotenvPiece {
    let line = &text[..line_end(text, 0)];
    if let Some(rest) = line.strip_prefix(SCRUBBED.as_bytes()) {
        let (is_exported, rest) = exported(rest);
        return DotenvPiece {
            name: name_of(rest.trim_ascii()),
            is_exported,
            is_scrubbed: true,
            text: line.to_vec(),
        };
    }
    let (is_exported, rest) = exported(line.trim_ascii_start());
    let equals = rest.iter().position(|byte| *byte == b'=');
    let name = equals.and_then(|at| name_of(rest[..at].trim_ascii_end()));
    let end = match (&name, equals) {
        (Some(_), Some(at)) => value_end(text, line.len() - rest.len() + at + 1),
        _ => line.len(),
    };
    DotenvPiece {
        name,
        is_exported,
        is_scrubbed: false,
        text: text[..end].to_vec(),
    }
}

fn exported(line: &[u8]) -> (bool, &[u8]) {
    match line.strip_prefix(b"export ") {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, line),
    }
}

fn name_of(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    super::is_name(text).then(|| text.to_owned())
}

/// Behind the line feed that ends the line of this place, or the end.
fn line_end(text: &[u8], from: usize) -> usize {
    let feed = text[from..].iter().position(|byte| *byte == b'\n');
    feed.map_or(text.len(), |at| from + at + 1)
}

/// Where the assignment ends whose value begins here. Only a value that begins with a quote goes on over
/// lines: elsewhere an apostrophe is one, to readers that are no shells.
fn value_end(text: &[u8], from: usize) -> usize {
    let line = line_end(text, from);
    let blanks = text[from..line]
        .iter()
        .take_while(|byte| b" \t".contains(byte));
    let mut at = from + blanks.count();
    if !text.get(at).is_some_and(|byte| b"'\"".contains(byte)) {
        return line;
    }
    while let Some(byte) = text.get(at) {
        match byte {
            b'\n' => return at + 1,
            b'\'' | b'"' => match closing(text, at) {
                Some(end) => at = end + 1,
                None => return line,
            },
            b'\\' => at += 2,
            b'#' if text[at - 1].is_ascii_whitespace() => return line_end(text, at),
            _ => at += 1,
        }
    }
    text.len()
}

/// The quote that ends the one at this place.
fn closing(text: &[u8], open: usize) -> Option<usize> {
    let quote = text[open];
    let mut at = open + 1;
    loop {
        match text.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            byte if *byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}
