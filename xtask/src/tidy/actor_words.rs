//! Words that hide who acts (`docs/glossary.md`, "Words to avoid"): a reader cannot search for them, and cannot tell a
//! client from an admin. A few are left where no actor can be named; there is one limit for all of them together.

use std::path::Path;

use super::{source_file::SourceFile, violation::Violation};

/// For crates, dashboard and docs together. It may only be lowered.
const WORDS_MAX: usize = 20;
/// Spelled in two halves, or this file would find itself where it is searched for the words.
const WORDS: [&str; 9] = [
    concat!("who", "ever"),
    concat!("whom", "ever"),
    concat!("some", "body"),
    concat!("some", "one"),
    concat!("no", "body"),
    concat!("any", "body"),
    concat!("any", "one"),
    concat!("every", "body"),
    concat!("every", "one"),
];
const PHRASES: [[&str; 2]; 3] = [["no", "one"], ["those", "who"], ["other", "side"]];
/// The list of words itself, files that repeat the texts of others, and migrations 1 to 21: they were released, so they
/// never change, their comments included (`proliferate migrate` verifies their checksums).
const LEFT_OUT: [&str; 9] = [
    "crates/store/migrations/000",
    "crates/store/migrations/001",
    "crates/store/migrations/0020_",
    "crates/store/migrations/0021_",
    "docs/glossary.md",
    "docs/reference/",
    "dashboard/src/api/",
    "dashboard/package-lock.json",
    "crates/fuzz/corpus/",
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let searched = files.iter().filter(|file| is_searched(&file.path));
    let found: Vec<(&str, usize, String)> = searched
        .flat_map(|file| {
            let lines = file.numbered_lines();
            let words = lines
                .flat_map(|(line, text)| hiding(text).into_iter().map(move |word| (line, word)));
            words.map(|(line, word)| (file.path.as_str(), line, word))
        })
        .collect();
    violations(&found, WORDS_MAX)
}

/// Every place, if there are more than the limit: the new one cannot be told from the old ones.
fn violations(found: &[(&str, usize, String)], words_max: usize) -> Vec<Violation> {
    if found.len() <= words_max {
        return Vec::new();
    }
    let violation = |(path, line, word): &(&str, usize, String)| {
        let problem = format!(
            "`{word}` hides who acts: there are {} such words, {words_max} is the limit; name the caller, the client, an \
             admin, the instance (docs/glossary.md)",
            found.len()
        );
        Violation::new(*path, *line, problem)
    };
    found.iter().map(violation).collect()
}

fn is_searched(path: &str) -> bool {
    let is_snapshot = Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "snap");
    let is_left_out = is_snapshot || LEFT_OUT.iter().any(|out| path.starts_with(out));
    let folder = path.split_once('/').map(|(folder, _)| folder);
    !is_left_out && matches!(folder, Some("crates" | "dashboard" | "docs"))
}

/// The words of a line that hide who acts, in sentences and in names of either spelling.
fn hiding(line: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in line.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphabetic() || begins {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphabetic(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    let alone = words
        .iter()
        .filter(|word| WORDS.iter().any(|hiding| word.starts_with(hiding)))
        .cloned();
    let together = words
        .windows(2)
        .filter(|pair| PHRASES.iter().any(|phrase| phrase == *pair))
        .map(|pair| pair.join(" "));
    alone.chain(together).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{WORDS, WORDS_MAX, check, hiding, is_searched, violations};

    #[test]
    fn the_words_are_found_in_sentences_and_in_names() {
        let (body, ever) = (WORDS[4], WORDS[0]);
        for (text, count) in [
            (format!("// {ever} comes, {body}'s place"), 2),
            (format!("fn {body}_is_left() {{}}"), 1),
            (concat!("enum Who", "everOpens {}").to_owned(), 1),
            (
                concat!("/// No ", "one, and those", " who wait.").to_owned(),
                2,
            ),
            ("one of those, whoso, the body".to_owned(), 0),
        ] {
            assert_eq!(hiding(&text).len(), count, "{text}");
        }
    }

    #[test]
    fn crates_dashboard_and_docs_are_searched_and_what_repeats_other_texts_is_not() {
        for (path, expected) in [
            ("crates/a/src/a.rs", true),
            ("dashboard/src/a.ts", true),
            ("docs/a.md", true),
            ("docs/glossary.md", false),
            ("docs/reference/a.json", false),
            ("crates/a/src/snapshots/a.snap", false),
            ("xtask/src/a.rs", false),
        ] {
            assert_eq!(is_searched(path), expected, "{path}");
        }
    }

    #[test]
    fn a_word_above_the_limit_shows_all_of_them() {
        let found = [1, 2, 3].map(|line| ("docs/a.md", line, WORDS[0].to_owned()));
        assert!(violations(&found, 3).is_empty());
        let shown = violations(&found, 2);
        assert_eq!(
            places(&shown),
            ["docs/a.md:1", "docs/a.md:2", "docs/a.md:3"]
        );
    }

    #[test]
    fn the_limit_holds_for_all_files_together() {
        let line = format!("{} ", WORDS[0]).repeat(WORDS_MAX);
        let files = |more: &str| [file("docs/a.md", line.clone()), file("docs/b.md", more)];
        assert!(check(&files("")).is_empty());
        assert_eq!(check(&files(WORDS[1])).len(), WORDS_MAX + 1);
    }
}
