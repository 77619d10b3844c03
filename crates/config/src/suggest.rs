//! "Did you mean": the closest known word, if one is close.

use strsim::levenshtein;

/// Longest word worth comparing; known names are far shorter.
const WORD_LENGTH_MAX: usize = 64;

/// The candidate that differs least from `word`, if it differs by at most a third of its letters.
pub(crate) fn closest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if word.chars().count() > WORD_LENGTH_MAX {
        return None;
    }
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (levenshtein(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_words_are_found_and_distant_ones_are_not() {
        let known = ["listen", "advertise_url", "request_timeout"];
        for (word, expected) in [
            ("lisen", Some("listen")),
            ("listne", Some("listen")),
            ("advertise-url", Some("advertise_url")),
            ("requst_timeout", Some("request_timeout")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(closest(word, known), expected, "{word}");
        }
        assert_eq!(closest(&"l".repeat(100_000), known), None);
    }
}
