//! Encodes segments of a path: an id from an agent stays between two slashes.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Failure;

/// Every character but the unreserved ones of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Encodes one segment. `.` and `..` have no encoding: servers and libraries read `%2e%2e` as the parent.
pub(crate) fn segment(text: &str) -> Result<String, Failure> {
    if matches!(text, "" | "." | "..") {
        return Err(Failure::invalid(
            "an id or a name is empty, or leads out of the path",
        ));
    }
    Ok(utf8_percent_encode(text, ESCAPED).to_string())
}

#[cfg(test)]
mod tests {
    use percent_encoding::percent_decode_str;
    use proptest::prelude::*;
    use reqwest::Url;

    use super::segment;

    #[test]
    fn what_steers_a_url_is_encoded() {
        let table = [
            ("plain-1.2_3~x", "plain-1.2_3~x"),
            ("../../admin", "..%2F..%2Fadmin"),
            ("a b", "a%20b"),
            ("a?b#c", "a%3Fb%23c"),
            ("a\\b", "a%5Cb"),
            ("%2e%2e", "%252e%252e"),
            ("ä", "%C3%A4"),
            ("a\nb\0", "a%0Ab%00"),
            ("...", "..."),
            ("user:pass@host", "user%3Apass%40host"),
        ];
        for (text, expected) in table {
            assert_eq!(segment(text).as_deref(), Ok(expected));
        }
        for bad in ["", ".", ".."] {
            assert!(segment(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        /// Whatever it is, it stays one segment, at its place, and comes out as it went in.
        #[test]
        fn a_segment_stays_one_segment(text in "\\PC*|[./%\\\\?#a]{0,8}|(?s:.){0,40}") {
            let Ok(encoded) = segment(&text) else {
                prop_assert!(["", ".", ".."].contains(&text.as_str()));
                return Ok(());
            };
            let url = Url::parse(&format!("https://example.com/api/0/issues/{encoded}/events/"));
            let url = url.expect("a URL");
            prop_assert_eq!(url.host_str(), Some("example.com"));
            prop_assert_eq!(url.query(), None);
            prop_assert_eq!(url.fragment(), None);
            let segments: Vec<&str> = url.path_segments().expect("a path").collect();
            prop_assert_eq!(segments.len(), 6, "{}", url);
            let decoded = percent_decode_str(segments[3]).decode_utf8().expect("text");
            prop_assert_eq!(decoded.as_ref(), text.as_str());
        }
    }
}
