//! The parameters of a call as a person reads them before deciding: every character can be seen, no line is cut, and what
//! is folded says how much it is.
//!
//! INVARIANT: what is shown can be told from what it is shown in. A line of the text begins with `| `, the rest of a line
//! that was broken with `: `; a line is broken where a row of the terminal is full, so that every row has one of them.

use domain::visible::escape_line;
use serde_json::Value;

use crate::screen_rows;

/// Characters of a call that is shown on one line: two rows of a usual terminal.
const LINE_LENGTH_MAX: usize = 160;
/// What a line of the text begins with, and each further row of it.
const LINE_MARK: &str = "| ";
const REST_MARK: &str = ": ";
/// Lines that are shown unfolded: they fit on a screen with what is around them.
const UNFOLDED_LINES_MAX: usize = 40;
/// Of more, so many of the beginning and of the end are shown at first.
const HEAD_LINES: usize = 24;
const TAIL_LINES: usize = 8;
/// Lines of what is folded that are shown at once: what a terminal can scroll back to.
const PAGE_LINES: usize = 100;

/// A call as rows of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallText {
    lines: Vec<String>,
    /// The first line that is folded and was not shown yet, and the end of those.
    folded: std::ops::Range<usize>,
}

impl CallText {
    /// In rows that take so many columns.
    pub(crate) fn new(params: &Value, columns: usize) -> Self {
        let mut text = params.to_string();
        if text.chars().count() > LINE_LENGTH_MAX {
            text = serde_json::to_string_pretty(params).unwrap_or(text);
        }
        let rows = |line| screen_rows::marked(&escape_line(line), LINE_MARK, REST_MARK, columns);
        let lines: Vec<String> = text.split('\n').flat_map(rows).collect();
        let folded = if lines.len() > UNFOLDED_LINES_MAX {
            HEAD_LINES..lines.len() - TAIL_LINES
        } else {
            0..0
        };
        Self { lines, folded }
    }

    /// All of it.
    pub(crate) fn whole(&self) -> &[String] {
        &self.lines
    }

    /// The first look: what is folded is counted.
    pub(crate) fn first(&self) -> Vec<String> {
        if self.folded.is_empty() {
            return self.lines.clone();
        }
        let (head, tail) = (
            &self.lines[..self.folded.start],
            &self.lines[self.folded.end..],
        );
        let fold = format!("  ... {} folded ...", self.size());
        [head, &[fold], tail].concat()
    }

    /// The next page of what is folded, and where it is; `None` if all of it was shown.
    pub(crate) fn next_page(&mut self) -> Option<(String, Vec<String>)> {
        if self.folded.is_empty() {
            return None;
        }
        let start = self.folded.start;
        let end = self.folded.end.min(start + PAGE_LINES);
        self.folded.start = end;
        let title = format!("lines {} to {end} of {}", start + 1, self.lines.len());
        Some((title, self.lines[start..end].to_vec()))
    }

    /// How much is folded and was not shown; `None` if nothing is.
    pub(crate) fn unseen(&self) -> Option<String> {
        (!self.folded.is_empty()).then(|| self.size())
    }

    fn size(&self) -> String {
        let folded = &self.lines[self.folded.clone()];
        let marks = LINE_MARK.len();
        let characters = folded.iter().map(|line| line.chars().count() - marks);
        let characters = characters.sum();
        format!(
            "{} lines ({} characters)",
            grouped(folded.len()),
            grouped(characters)
        )
    }
}

/// A number with a comma for each thousand.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_short_call_is_one_line_and_nothing_of_it_hides() {
        let text = CallText::new(&json!({"title": "safe\u{202e}txt\u{1b}[2J"}), 80);
        let shown = r#"| {"title":"safe\u{202e}txt\u001b[2J"}"#;
        assert_eq!(text.first(), [shown]);
        assert_eq!((text.unseen(), text.whole().len()), (None, 1));
    }

    #[test]
    fn a_long_line_is_broken_and_its_rest_does_not_look_like_a_line() {
        let padded = format!("{}| \"dry\": true", "x".repeat(200));
        let text = CallText::new(&json!({"title": padded}), 80);
        let lines = text.first();
        assert_eq!(lines[0], "| {");
        assert!(lines[1].starts_with("|   \"title\": \"xxx"), "{lines:#?}");
        for rest in &lines[2..4] {
            assert!(rest.starts_with(": xxx"), "{lines:#?}");
        }
        assert!(lines[3].ends_with("| \\\"dry\\\": true\""), "{lines:#?}");
    }

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        // 77 columns of the line are used when the text seems to begin anew.
        let padded = format!("{}| \"dry\": true", "漢".repeat(39));
        for columns in [40, 68, 80, 200] {
            let text = CallText::new(&json!({"title": padded, "body": "b".repeat(500)}), columns);
            for row in text.whole() {
                assert!(screen_rows::width(row) <= columns, "{columns}: {row}");
                assert!(row.starts_with("| ") || row.starts_with(": "), "{row}");
            }
        }
    }

    #[test]
    fn what_is_folded_is_counted_and_shown_page_by_page() {
        let mut text = CallText::new(&json!({"body": "a".repeat(40_000)}), 162);
        let first = text.first();
        assert_eq!(first.len(), HEAD_LINES + 1 + TAIL_LINES);
        assert_eq!(
            first[HEAD_LINES],
            "  ... 221 lines (35,360 characters) folded ..."
        );
        let mut shown = first[..HEAD_LINES].to_vec();
        for title in [
            "lines 25 to 124 of 253",
            "lines 125 to 224 of 253",
            "lines 225 to 245 of 253",
        ] {
            assert!(text.unseen().is_some());
            let (given, page) = text.next_page().unwrap();
            assert_eq!(given, title);
            shown.extend(page);
        }
        shown.extend_from_slice(&first[HEAD_LINES + 1..]);
        assert_eq!(shown, text.whole());
        assert_eq!((text.next_page(), text.unseen()), (None, None));
    }
}
