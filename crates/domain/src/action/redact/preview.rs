//! How much of a value goes into the record: all of it if it is small, else its start and the number
//! of missing bytes. Always JSON, and only of a redacted value.

use serde_json::{Value, json};

use super::Redacted;

/// A value cut to a size.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    pub value: Value,
    /// Bytes of the value as JSON that are not shown; 0 if all is there.
    pub omitted_bytes: usize,
}

impl Redacted {
    /// The value in at most `bytes_max` bytes of JSON. A bound too small for the mark leaves `null`.
    pub fn preview(&self, bytes_max: usize) -> Preview {
        let text = self.value.to_string();
        if text.len() <= bytes_max {
            return Preview {
                value: self.value.clone(),
                omitted_bytes: 0,
            };
        }
        // The longest the envelope can be: nothing is shown and everything omitted.
        let envelope = truncated("", text.len(), text.len()).to_string().len();
        let Some(room) = bytes_max.checked_sub(envelope) else {
            return Preview {
                value: Value::Null,
                omitted_bytes: text.len(),
            };
        };
        let shown = beginning(&text, room);
        let omitted_bytes = text.len() - shown.len();
        Preview {
            value: truncated(shown, text.len(), omitted_bytes),
            omitted_bytes,
        }
    }
}

fn truncated(shown: &str, size: usize, omitted: usize) -> Value {
    json!({
        "_truncated": true,
        "_originalSize": size,
        "_omittedBytes": omitted,
        "_preview": shown,
    })
}

/// As many whole characters as fit into `room` bytes once they are written as a JSON string.
fn beginning(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (index, char) in text.char_indices() {
        used += written_length(char);
        if used > room {
            return &text[..index];
        }
    }
    text
}

fn written_length(char: char) -> usize {
    match char {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        char if char.is_ascii_control() && char != '\u{7f}' => 6,
        char => char.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        action::redact::{Fingerprints, redact},
        limits::ACTION_RECORD_BYTES_MAX,
    };

    fn redacted(value: &Value) -> Redacted {
        redact(value, &Fingerprints::default())
    }

    #[test]
    fn defect_11_a_large_result_keeps_its_beginning_and_says_what_is_missing() {
        let preview = redacted(&json!({"rows": "a ".repeat(20_000)})).preview(1000);
        assert_eq!(preview.value["_truncated"], true);
        assert_eq!(preview.value["_originalSize"], 40_011);
        let shown = preview.value["_preview"].as_str().unwrap();
        assert!(shown.starts_with(r#"{"rows":"a a "#), "{shown}");
        assert_eq!(preview.omitted_bytes, 40_011 - shown.len());
        assert_eq!(preview.value["_omittedBytes"], preview.omitted_bytes);
    }

    #[test]
    fn what_fits_exactly_is_shown_whole() {
        // Two quotes, and characters that no rule takes for a token.
        let exact = redacted(&json!("é ".repeat((ACTION_RECORD_BYTES_MAX - 2) / 3)));
        let size = exact.value.to_string().len();
        assert_eq!(exact.preview(size).omitted_bytes, 0);
        assert_eq!(exact.preview(size).value, exact.value);
        assert_ne!(exact.preview(size - 1).omitted_bytes, 0);
    }

    #[test]
    fn a_bound_too_small_for_anything_leaves_nothing() {
        let preview = redacted(&json!("x ".repeat(100))).preview(20);
        assert_eq!((preview.value, preview.omitted_bytes), (Value::Null, 202));
    }

    proptest! {
        #[test]
        fn a_preview_is_never_longer_than_its_bound(
            text in any::<Vec<char>>(),
            repeats in 1_usize..200,
            bound in 100_usize..2000,
        ) {
            let text: String = text.iter().collect();
            let all = redacted(&json!([text.repeat(repeats), {"k": 1}]));
            let preview = all.preview(bound);
            let written = preview.value.to_string();
            prop_assert!(written.len() <= bound, "{} > {bound}", written.len());
            prop_assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), preview.value.clone());
            if preview.omitted_bytes > 0 {
                let whole = all.value.to_string();
                let shown = preview.value["_preview"].as_str().unwrap();
                prop_assert!(whole.starts_with(shown));
                prop_assert_eq!(whole.len() - shown.len(), preview.omitted_bytes);
                // As much as fits: one more character would not.
                prop_assert!(written.len() + 6 + 10 > bound);
            } else {
                prop_assert_eq!(preview.value, all.value);
            }
        }
    }
}
