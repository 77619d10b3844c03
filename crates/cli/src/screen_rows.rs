//! Rows of a terminal. A line is broken here and not by the terminal, so that the beginning of every row on the screen
//! is ours: a row that the terminal wraps begins at its first column with whatever the text has there.
//!
//! INVARIANT: no row is wider than it may be, as long as the terminal draws a character as wide as Unicode says.

use std::io::{stderr, stdin, stdout};

use rustix::termios::tcgetwinsize;
use unicode_width::UnicodeWidthChar as _;

/// Columns where the size of the terminal is not known: what terminals began with.
pub(crate) const COLUMNS_UNKNOWN: usize = 80;
/// The least that a text is given: below it there would be a row for every other character.
const WIDTH_MIN: usize = 16;
/// A tab is this wide at most.
const TAB_WIDTH: usize = 8;

/// Columns of the terminal as it is now.
pub(crate) fn columns() -> usize {
    let sizes = [
        tcgetwinsize(stdout()),
        tcgetwinsize(stderr()),
        tcgetwinsize(stdin()),
    ];
    let known = sizes.into_iter().flatten().map(|size| size.ws_col);
    let columns = known.filter(|columns| *columns > 0).min();
    columns.map_or(COLUMNS_UNKNOWN, usize::from)
}

/// Breaks a line wherever a row is full. Its first row begins with one mark, the rest with the other; both are as wide.
pub(crate) fn marked(line: &str, first: &str, rest: &str, columns: usize) -> Vec<String> {
    let pieces = broken(line, columns.saturating_sub(width(first)), |_| None);
    let marks = std::iter::once(first).chain(std::iter::repeat(rest));
    let rows = marks.zip(pieces);
    rows.map(|(mark, piece)| format!("{mark}{piece}")).collect()
}

/// Breaks a line of prose after a word, where its words are not too long for that.
pub(crate) fn prose(line: &str, columns: usize) -> Vec<&str> {
    let after_word = |row: &str| row.rfind(' ').map(|at| at + 1);
    broken(line, columns, |row| {
        after_word(row).filter(|end| *end > row.len() / 2)
    })
}

/// Pieces of a line that are no wider than this, and together are the line. `ends` says after how many bytes of a full
/// row it is better ended. There is at least one piece.
fn broken(line: &str, columns: usize, ends: impl Fn(&str) -> Option<usize>) -> Vec<&str> {
    let columns = columns.max(WIDTH_MIN);
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(full) = end_of_row(rest, columns) {
        let end = ends(&rest[..full]).unwrap_or(full);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Where the first row of a text ends in bytes; `None` if all of it fits.
fn end_of_row(text: &str, columns: usize) -> Option<usize> {
    let mut used = 0;
    text.char_indices().find_map(|(at, c)| {
        used += width_of(c);
        (used > columns).then_some(at)
    })
}

/// Columns that a text takes at most.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// Of each character alone: terminals differ in which sequences they draw as one picture.
fn width_of(c: char) -> usize {
    match c {
        '\t' => TAB_WIDTH,
        // It can make the sign before it a picture, which is a column wider.
        '\u{fe0f}' => 1,
        c => c.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_mark_and_none_is_too_wide() {
        for text in [
            "a".repeat(200),
            "漢字".repeat(60),
            format!("{}| y", "x".repeat(78)),
            "👩\u{200d}💻❤\u{fe0f}".repeat(40),
            "\tgo".repeat(30),
            "e\u{301}".repeat(100),
            String::new(),
        ] {
            let rows = marked(&text, "| ", ": ", 80);
            for (at, row) in rows.iter().enumerate() {
                assert!(width(row) <= 80, "{row}");
                assert!(row.starts_with(if at == 0 { "| " } else { ": " }), "{row}");
            }
            let whole: String = rows.iter().map(|row| &row[2..]).collect();
            assert_eq!(whole, text);
        }
        assert_eq!(marked(&"漢".repeat(40), "| ", ": ", 80).len(), 2);
        assert_eq!(marked(&"a".repeat(78), "| ", ": ", 80).len(), 1);
    }

    #[test]
    fn prose_is_broken_after_words() {
        let text = "The approval of the call is below, as it was asked for.";
        assert_eq!(
            prose(text, 24),
            [
                "The approval of the ",
                "call is below, as it ",
                "was asked for."
            ]
        );
        let long = "x".repeat(50);
        let rows = prose(&long, 20);
        assert_eq!(
            rows.iter().map(|row| row.len()).collect::<Vec<_>>(),
            [20, 20, 10]
        );
        assert_eq!(prose("", 20), [""]);
    }
}
