//! JSON on its way to a terminal or a log: nothing hidden is left in it, and a reader of JSON gets the same data.

use std::{borrow::Cow, fmt::Write as _};

use domain::visible::is_hidden;

/// Writes hidden characters as `\uXXXX`. The text must be JSON whose only line breaks are between values.
pub(crate) fn escape_json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a text cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// A line break is hidden too, but within a value no JSON has one as it is.
fn is_escaped(c: char) -> bool {
    c != '\n' && is_hidden(c)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn nothing_hidden_is_left_and_the_data_is_the_same() {
        let value =
            json!({"title\u{200b}": "a\u{202e}b\u{7}\u{85}\u{9b}2J\u{7f}\u{e0041}\n\\u202e é 漢"});
        for text in [
            serde_json::to_string(&value).unwrap(),
            serde_json::to_string_pretty(&value).unwrap(),
        ] {
            let shown = escape_json(&text);
            assert!(!shown.contains(is_escaped), "{shown}");
            assert!(shown.contains("\\u202eb"), "{shown}");
            assert!(shown.contains("é 漢"), "{shown}");
            let read: Value = serde_json::from_str(&shown).unwrap();
            assert_eq!(read, value);
        }
    }

    #[test]
    fn a_text_without_such_characters_is_not_copied() {
        assert!(matches!(escape_json("{\n  \"a\": 1\n}"), Cow::Borrowed(_)));
    }
}
