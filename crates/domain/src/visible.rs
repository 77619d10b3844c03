//! External text as it is shown to users: every character that is invisible, or that changes how its neighbours are
//! drawn, is written as `\u{hex}`.
//!
//! Defines which characters those are. `dashboard/src/lib/visible.ts` is the same function; `visible/cases.json` holds
//! both to one table. Does not hide secrets: that is `action::redact`.
//!
//! INVARIANT: two different texts are never shown as the same one. A backslash that could start such a code is escaped
//! itself.

use std::{borrow::Cow, fmt::Write as _};

/// Characters that are always escaped: control characters, everything that Unicode says is not drawn
/// (`Default_Ignorable_Code_Point`: zero width, bidirectional controls, variation selectors, tags, fillers), separators
/// of lines and paragraphs, interlinear annotations, controls of hieroglyphs, the blank of Braille and what is no
/// character. In order.
const HIDDEN: [(u32, u32); 40] = [
    (0x0000, 0x001f),
    (0x007f, 0x009f),
    (0x00ad, 0x00ad),
    (0x034f, 0x034f),
    (0x061c, 0x061c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xd800, 0xdfff),
    (0xfdd0, 0xfdef),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0xfffe, 0xffff),
    (0x1_3430, 0x1_343f),
    (0x1_bca0, 0x1_bca3),
    (0x1_d173, 0x1_d17a),
    (0x1_fffe, 0x1_ffff),
    (0x2_fffe, 0x2_ffff),
    (0x3_fffe, 0x3_ffff),
    (0x4_fffe, 0x4_ffff),
    (0x5_fffe, 0x5_ffff),
    (0x6_fffe, 0x6_ffff),
    (0x7_fffe, 0x7_ffff),
    (0x8_fffe, 0x8_ffff),
    (0x9_fffe, 0x9_ffff),
    (0xa_fffe, 0xa_ffff),
    (0xb_fffe, 0xb_ffff),
    (0xc_fffe, 0xc_ffff),
    (0xd_fffe, 0xd_ffff),
    (0xe_0000, 0xe_0fff),
    (0xe_fffe, 0xe_ffff),
    (0xf_fffe, 0xf_ffff),
    (0x10_fffe, 0x10_ffff),
];
/// The first letter of the scripts that need joiners between letters; emoji are beyond it too.
const JOINED_FROM: char = '\u{590}';
/// The first character that has an emoji presentation beside its text presentation: the copyright
/// sign.
const PICTURED_FROM: char = '\u{a9}';

/// Which characters are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Line,
    Text,
    Prose,
}

/// Escapes a name, a title, a parameter: text on one line that an approver decides about. No hidden
/// character is kept.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape(text, Rule::Line)
}

/// The same for text of several lines: line breaks and tabs are kept.
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, Rule::Text)
}

/// The same for text that no decision depends on: joiners are kept too where scripts and emoji need
/// them.
pub fn escape_prose(text: &str) -> Cow<'_, str> {
    escape(text, Rule::Prose)
}

/// Whether a character is always escaped.
pub fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    let after = HIDDEN.partition_point(|(first, _)| *first <= code);
    after > 0 && code <= HIDDEN[after - 1].1
}

fn escape(text: &str, rule: Rule) -> Cow<'_, str> {
    let is_plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'\\';
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    // The last character, if it was kept.
    let mut before = None;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let stays = match c {
            '\\' => !rest.starts_with("u{"),
            '\n' | '\t' => rule != Rule::Line,
            '\r' => rule != Rule::Line && rest.starts_with('\n'),
            '\u{200c}' | '\u{200d}' => rule == Rule::Prose && joins(before, rest.chars().next()),
            '\u{fe0e}' | '\u{fe0f}' => rule == Rule::Prose && selects(before, rest),
            _ => !is_hidden(c),
        };
        if stays {
            shown.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        }
        before = stays.then_some(c);
    }
    Cow::Owned(shown)
}

/// Whether a joiner is in a position where scripts and emoji use it.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| c >= JOINED_FROM)
        && after.is_some_and(|c| c >= JOINED_FROM && !is_hidden(c))
}

/// Whether a variation selector follows a character that has one, or is part of a keycap.
fn selects(before: Option<char>, rest: &str) -> bool {
    before.is_some_and(|c| match c {
        '0'..='9' | '#' | '*' => rest.starts_with('\u{20e3}'),
        c => c >= PICTURED_FROM && !is_hidden(c),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// The original text, from the shown one.
    fn unescape(shown: &str) -> String {
        let mut text = String::new();
        let mut rest = shown;
        while let Some(at) = rest.find("\\u{") {
            text.push_str(&rest[..at]);
            let (code, after) = rest[at + 3..].split_once('}').unwrap();
            text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
            rest = after;
        }
        text + rest
    }

    fn fixture() -> Value {
        serde_json::from_str(include_str!("visible/cases.json")).unwrap()
    }

    #[test]
    fn the_table_is_the_one_that_the_dashboard_has() {
        let written: Vec<(u32, u32)> = fixture()["hidden"]
            .as_array()
            .unwrap()
            .iter()
            .map(|range| {
                let code = |at: usize| u32::from_str_radix(range[at].as_str().unwrap(), 16);
                (code(0).unwrap(), code(1).unwrap())
            })
            .collect();
        assert_eq!(written, HIDDEN);
        assert!(HIDDEN.is_sorted_by(|one, next| one.1 < next.0));
        for c in '\0'..=char::MAX {
            let hidden = HIDDEN
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&u32::from(c)));
            assert_eq!(is_hidden(c), hidden, "{:x}", u32::from(c));
        }
    }

    #[test]
    fn every_case_is_shown_as_the_table_says() {
        for case in fixture()["cases"].as_array().unwrap() {
            let text = case["text"].as_str().unwrap();
            for (rule, shown) in [
                ("line", escape_line(text)),
                ("multiline", escape_text(text)),
                ("prose", escape_prose(text)),
            ] {
                assert_eq!(
                    shown,
                    case[rule].as_str().unwrap_or(text),
                    "{} as {rule}",
                    case["name"]
                );
                assert_eq!(unescape(&shown), text, "{} as {rule}", case["name"]);
            }
        }
    }

    /// Texts in which hidden characters, codes and look-alikes of codes are adjacent.
    fn texts() -> impl Strategy<Value = String> {
        let hidden = prop::sample::select(&HIDDEN[..]).prop_flat_map(|(first, last)| first..=last);
        let piece = prop_oneof![
            3 => hidden.prop_filter_map("no character", char::from_u32).prop_map(String::from),
            2 => any::<char>().prop_map(String::from),
            1 => prop::sample::select(&["\\", "\\u{", "u{202e}", "{", "}", "\r\n", "👩‍💻", "❤️", "1️⃣", "می‌خواهم"][..])
                .prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_and_nothing_is_lost(text in texts()) {
            let line = escape_line(&text);
            prop_assert!(!line.contains(is_hidden), "{line:?}");
            prop_assert_eq!(unescape(&line), text.as_str());
            let several = escape_text(&text).replace("\r\n", "");
            prop_assert!(!several.contains(|c| is_hidden(c) && c != '\n' && c != '\t'), "{several:?}");
            prop_assert_eq!(unescape(&escape_text(&text)), text.as_str());
            let prose = escape_prose(&text).replace("\r\n", "");
            let joins = ['\n', '\t', '\u{200c}', '\u{200d}', '\u{fe0e}', '\u{fe0f}'];
            prop_assert!(!prose.contains(|c| is_hidden(c) && !joins.contains(&c)), "{prose:?}");
            prop_assert_eq!(unescape(&escape_prose(&text)), text.as_str());
        }
    }
}
