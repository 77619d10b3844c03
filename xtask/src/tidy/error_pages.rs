//! Every error code has a page under docs/errors and every page a code, because an answer's `type`
//! points there.

use std::collections::BTreeMap;

use super::{source_file::SourceFile, violation::Violation};

const CODES: &str = "crates/wire/src/problem/code.rs";
const PAGES: &str = "docs/errors/";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let Some(declarations) = files.iter().find(|file| file.path == CODES) else {
        return Vec::new();
    };
    let codes: BTreeMap<&str, usize> = declarations
        .numbered_lines()
        .filter_map(|(number, line)| declared_code(line).map(|code| (code, number)))
        .collect();
    if codes.is_empty() {
        let problem = "no line of the form `Variant = \"CODE_TEXT\"`; tidy reads the codes here";
        return vec![Violation::new(CODES, 1, problem)];
    }
    let pages: BTreeMap<&str, &str> = files
        .iter()
        .filter_map(|file| {
            let name = file.path.strip_prefix(PAGES)?.strip_suffix(".md")?;
            (name != "README").then_some((name, file.path.as_str()))
        })
        .collect();
    let missing = codes
        .iter()
        .filter(|(code, _)| !pages.contains_key(*code))
        .map(|(code, line)| {
            Violation::new(
                CODES,
                *line,
                format!("`{code}` has no page; write {PAGES}{code}.md"),
            )
        });
    let orphaned = pages
        .iter()
        .filter(|(page, _)| !codes.contains_key(*page))
        .map(|(page, path)| {
            let problem = format!("`{page}` is no code of {CODES}; delete or rename the page");
            Violation::new(*path, 1, problem)
        });
    missing.chain(orphaned).collect()
}

/// The code in a line such as `SessionNotFound = "SESSION_NOT_FOUND",`.
fn declared_code(line: &str) -> Option<&str> {
    let (variant, rest) = line.trim().split_once(" = \"")?;
    let (code, _) = rest.split_once('"')?;
    let is_variant = variant.starts_with(|first: char| first.is_ascii_uppercase())
        && variant.chars().all(char::is_alphanumeric);
    let is_code = !code.is_empty()
        && code
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
    (is_variant && is_code).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{CODES, check, declared_code};

    #[test]
    fn codes_and_pages_must_match_both_ways() {
        let files = [
            file(
                CODES,
                "//! Codes.\ntext_enum!(Code {\n    A = \"A_A\",\n    B = \"B_B\",\n});\n",
            ),
            file("docs/errors/A_A.md", "# A_A\n"),
            file("docs/errors/C_C.md", "# C_C\n"),
            file("docs/errors/README.md", "# Errors\n"),
        ];
        assert_eq!(
            places(&check(&files)),
            [format!("{CODES}:4"), "docs/errors/C_C.md:1".into()]
        );
    }

    #[test]
    fn without_the_file_there_is_nothing_to_compare_but_an_empty_one_is_wrong() {
        assert!(check(&[file("docs/errors/A_A.md", "# A_A\n")]).is_empty());
        assert_eq!(
            places(&check(&[file(CODES, "//! Codes.\n")])),
            [format!("{CODES}:1")]
        );
    }

    #[test]
    fn only_declarations_are_codes() {
        assert_eq!(
            declared_code("    NotFound = \"NOT_FOUND\", 404"),
            Some("NOT_FOUND")
        );
        assert_eq!(declared_code("let text = \"NOT_FOUND\";"), None);
        assert_eq!(declared_code("Title = \"a sentence\""), None);
    }
}
