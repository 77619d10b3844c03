//! Words that hide who acts (`docs/glossary.md`, "Words to avoid"): a reader cannot search for them, and cannot tell a
//! client from an admin. `xtask/actor-words.txt` has a ceiling for each area and may only shrink.

use std::{collections::BTreeMap, path::Path};

use super::{SourceFile, Violation};

/// The limit for the whole: the sum of all ceilings. It is lowered with them; below 60 the list can go.
const WORDS_MAX: usize = 507;
/// How far a ceiling may lie above the count, so that not every reworded sentence has to touch the list.
const SLACK: usize = 10;
const CEILINGS: &str = "xtask/actor-words.txt";
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
/// The list of words itself, and files that repeat the texts of others.
const LEFT_OUT: [&str; 4] = [
    "docs/glossary.md",
    "docs/reference/",
    "dashboard/src/api/",
    "dashboard/package-lock.json",
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut ceilings = ceilings(files, &mut violations);
    let total: usize = ceilings.values().map(|(_, ceiling)| ceiling).sum();
    if total > WORDS_MAX {
        let problem = format!("the ceilings sum up to {total}, {WORDS_MAX} is the limit");
        violations.push(Violation::new(CEILINGS, 1, problem));
    }
    for (area, found) in occurrences(files) {
        let (line, ceiling) = ceilings.remove(area).unwrap_or_default();
        let count = found.len();
        if count > ceiling {
            // Where none is allowed, each is shown; elsewhere the new one cannot be told from the old ones.
            let shown = if ceiling == 0 {
                &found[..]
            } else {
                &found[..1]
            };
            for (path, number, word) in shown {
                let problem = format!(
                    "`{word}` hides who acts: {area} has {count} such words, {ceiling} is its ceiling; name the caller, \
                     the client, an admin, the instance (docs/glossary.md)"
                );
                violations.push(Violation::new(*path, *number, problem));
            }
        } else if ceiling > count + SLACK {
            let problem = format!("{area} has {count} such words; lower {ceiling} to {count}");
            violations.push(Violation::new(CEILINGS, line, problem));
        }
    }
    for (area, (line, _)) in ceilings {
        let problem = format!("{area} has no such words any more; delete this line");
        violations.push(Violation::new(CEILINGS, line, problem));
    }
    violations
}

/// Where the words are, by area: a crate, the dashboard or the docs.
fn occurrences(files: &[SourceFile]) -> BTreeMap<&str, Vec<(&str, usize, String)>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for file in files {
        let Some(area) = area(&file.path) else {
            continue;
        };
        for (number, line) in file.numbered_lines() {
            for word in hiding(line) {
                found
                    .entry(area)
                    .or_default()
                    .push((file.path.as_str(), number, word));
            }
        }
    }
    found
}

fn area(path: &str) -> Option<&str> {
    let is_snapshot = Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "snap");
    let is_left_out = is_snapshot || LEFT_OUT.iter().any(|out| path.starts_with(out));
    if is_left_out {
        return None;
    }
    match path.split_once('/')? {
        ("crates", rest) => Some(&path[.."crates/".len() + rest.find('/')?]),
        (area @ ("dashboard" | "docs"), _) => Some(area),
        _ => None,
    }
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

/// Area -> (line in the list, words allowed).
fn ceilings(
    files: &[SourceFile],
    violations: &mut Vec<Violation>,
) -> BTreeMap<String, (usize, usize)> {
    let mut ceilings = BTreeMap::new();
    let list = files.iter().find(|file| file.path == CEILINGS);
    for (number, line) in list.iter().flat_map(|file| file.numbered_lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match line
            .split_once(' ')
            .map(|(area, ceiling)| (area, ceiling.trim().parse()))
        {
            Some((area, Ok(ceiling))) => {
                ceilings.insert(area.to_owned(), (number, ceiling));
            }
            _ => violations.push(Violation::new(
                CEILINGS,
                number,
                "not of the form `area count`",
            )),
        }
    }
    ceilings
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{CEILINGS, SLACK, WORDS, check, hiding};

    /// A line with this many words that hide the actor.
    fn line(count: usize) -> String {
        format!("{}\n", format!("{} ", WORDS[0]).repeat(count))
    }

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
    fn an_area_without_a_ceiling_has_none() {
        let files = [
            file("crates/a/src/a.rs", format!("//! A.\n{}", line(2))),
            file("docs/a.md", line(1)),
            file("dashboard/src/a.ts", line(1)),
            file("docs/glossary.md", line(1)),
            file("docs/reference/a.json", line(1)),
            file("crates/a/src/snapshots/a.snap", line(1)),
            file("xtask/src/a.rs", line(1)),
        ];
        assert_eq!(
            places(&check(&files)),
            [
                "crates/a/src/a.rs:2",
                "crates/a/src/a.rs:2",
                "dashboard/src/a.ts:1",
                "docs/a.md:1"
            ]
        );
    }

    #[test]
    fn a_ceiling_holds_and_must_be_needed() {
        let list = |ceiling: usize| file(CEILINGS, format!("# why\ncrates/a {ceiling}\n"));
        let a = |count| file("crates/a/src/a.rs", line(count));
        let of = |files: &[_]| {
            let violations = check(files);
            let mut found = places(&violations);
            // The sum of all ceilings is another rule.
            found.retain(|place| *place != format!("{CEILINGS}:1"));
            found
        };
        assert!(of(&[list(2), a(2)]).is_empty());
        assert!(of(&[list(2 + SLACK), a(2)]).is_empty());
        assert_eq!(of(&[list(2), a(3)]), ["crates/a/src/a.rs:1"]);
        let at_the_list = [format!("{CEILINGS}:2")];
        assert_eq!(of(&[list(3 + SLACK), a(2)]), at_the_list);
        assert_eq!(of(&[list(1), file("docs/a.md", "x\n")]), at_the_list);
    }

    #[test]
    fn the_ceilings_together_have_a_limit() {
        let list = file(CEILINGS, format!("# why\ncrates/a {}\n", usize::MAX / 2));
        assert!(places(&check(&[list])).contains(&format!("{CEILINGS}:1")));
    }
}
