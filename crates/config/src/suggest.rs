//! "Did you mean": the closest known word, if one is close.

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
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance with one row.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
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

    #[test]
    fn distances() {
        for (left, right, expected) in [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3)] {
            assert_eq!(distance(left, right), expected);
            assert_eq!(distance(right, left), expected);
        }
    }
}
