//! A postponed thing names its issue: one that names none is forgotten.

use super::{source_file::SourceFile, violation::Violation};

/// Spelled in two halves, or this file would find itself.
const WORD: &str = concat!("TO", "DO");

/// Files with comments. Prose is left out: it may speak about the rule.
const EXTENSIONS: [&str; 9] = ["rs", "sh", "sql", "toml", "ts", "tsx", "js", "css", ""];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files
        .iter()
        .filter(|file| EXTENSIONS.contains(&file.extension()))
    {
        for (number, line) in file.numbered_lines() {
            if has_nameless(line) {
                let problem = format!("names no issue; write `{WORD}(#12)` with its number");
                violations.push(Violation::new(&file.path, number, problem));
            }
        }
    }
    violations
}

fn has_nameless(line: &str) -> bool {
    let comment = ["//", "#", "--", "/*"]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min();
    let Some(comment) = comment.map(|at| &line[at..]) else {
        return false;
    };
    comment.match_indices(WORD).any(|(at, _)| {
        let continues = comment[..at].ends_with(|before: char| before.is_alphanumeric());
        !continues && !names_issue(&comment[at + WORD.len()..])
    })
}

fn names_issue(rest: &str) -> bool {
    rest.strip_prefix("(#")
        .and_then(|rest| rest.split_once(')'))
        .is_some_and(|(number, _)| {
            !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{WORD, check};

    #[test]
    fn a_postponed_thing_names_its_issue() {
        let files = [
            file(
                "a.rs",
                format!("// {WORD}: later\n// {WORD}(#12): later\n/// {WORD}(soon)\n"),
            ),
            file("b.sql", format!("-- {WORD}\n")),
            file("c.rs", format!("let state = \"{WORD}\";\n")),
            file("d.md", format!("# {WORD}\n")),
            file("run", format!("# {WORD}\n")),
        ];
        assert_eq!(
            places(&check(&files)),
            ["a.rs:1", "a.rs:3", "b.sql:1", "run:1"]
        );
    }
}
