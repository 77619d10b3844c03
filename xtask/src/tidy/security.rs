//! What docs/security promises is shown by tests: each row of a table with a column `Test` names one, as
//! `path/to/file.rs::name_of_the_test`, each test that is named exists, and so does each path.

use std::collections::{BTreeMap, BTreeSet};

use super::{source_file::SourceFile, violation::Violation};

const PAGES: &str = "docs/security/";
const REPORTING: &str = "SECURITY.md";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let folders: BTreeSet<&str> = texts
        .keys()
        .flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]))
        .collect();
    let mut violations = Vec::new();
    let pages = files
        .iter()
        .filter(|file| file.path.starts_with(PAGES) || file.path == REPORTING)
        .filter(|file| file.extension() == "md");
    for page in pages {
        let mut column = None;
        for (number, line) in page.numbered_lines() {
            let problems = in_backticks(line).filter_map(|name| problem(name, &texts, &folders));
            violations.extend(problems.map(|text| Violation::new(&page.path, number, text)));
            let is_row = line.starts_with('|');
            match column {
                _ if !is_row => column = None,
                None => column = Some(cells(line).position(|cell| cell == "Test")),
                Some(Some(at)) if !is_rule(line) => {
                    let tests = cells(line).nth(at).unwrap_or_default();
                    if !in_backticks(tests).any(|name| name.contains("::")) {
                        let text = "names no test; write `path/to/file.rs::name_of_the_test`";
                        violations.push(Violation::new(&page.path, number, text));
                    }
                }
                Some(_) => {}
            }
        }
    }
    violations
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.trim().trim_matches('|').split('|').map(str::trim)
}

/// The line between the head of a table and its rows.
fn is_rule(line: &str) -> bool {
    line.chars().all(|letter| "|-: ".contains(letter))
}

fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// What is wrong with a path or a test that is named.
fn problem(name: &str, texts: &BTreeMap<&str, &str>, folders: &BTreeSet<&str>) -> Option<String> {
    let (path, test) = match name.split_once("::") {
        Some((path, test)) => (path, Some(test)),
        None => (name, None),
    };
    let is_path = path.split_once('/').is_some_and(|(first, rest)| {
        folders.contains(first) && !rest.contains([' ', '{', '*', '<'])
    });
    if !is_path {
        return None;
    }
    let Some(text) = texts.get(path.trim_end_matches('/')) else {
        let is_folder = test.is_none() && folders.contains(path.trim_end_matches('/'));
        return (!is_folder).then(|| format!("`{path}` does not exist; correct the path"));
    };
    let test = test?;
    // A function, a line in a list that a macro makes tests of, or what a test of the dashboard is called.
    let is_there = text.contains(&format!("fn {test}("))
        || text.lines().any(|line| is_in_list(line.trim(), test))
        || text.contains(&format!("\"{test}\""));
    (!is_there).then(|| format!("`{path}` has no test `{test}`; name the one that shows it"))
}

/// `name,` or `name: WHAT;`.
fn is_in_list(line: &str, test: &str) -> bool {
    let Some(rest) = line.strip_prefix(test) else {
        return false;
    };
    rest == "," || (rest.starts_with(": ") && rest.ends_with(';'))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    const CODE: &str = "#[test]\nfn it_holds() {}\nasync fn both_hold(backend: Backend) {}\n\
                        all! {\n    each_holds,\n    one_holds: One;\n}\n";

    fn found(page: &str) -> Vec<String> {
        let files = [
            file("crates/a/tests/it.rs", CODE),
            file("dashboard/e2e/page.spec.ts", "test(\"it is shown\", ..."),
            file("docs/security/model.md", page),
        ];
        places(&check(&files))
    }

    #[test]
    fn every_test_and_every_path_that_is_named_exists() {
        let good = "`crates/a/tests/it.rs::it_holds` `crates/a/tests/it.rs::both_hold` `crates/a`\n\
                    `crates/a/tests/it.rs::each_holds` `crates/a/tests/it.rs::one_holds`\n\
                    `dashboard/e2e/page.spec.ts::it is shown` `GET /v1/me` `std::fs` `a/b`\n";
        assert_eq!(found(good), [""; 0]);
        let bad = "`crates/a/tests/it.rs::it_hold`\n`crates/b.rs::it_holds`\n`crates/a/src/`\n\
                   `dashboard/e2e/page.spec.ts::it was shown`\n";
        let lines = [1, 2, 3, 4].map(|line| format!("docs/security/model.md:{line}"));
        assert_eq!(found(bad), lines);
    }

    #[test]
    fn every_row_names_a_test() {
        let table = "| Attack | Test |\n|---|---|\n| x | `crates/a/tests/it.rs::it_holds` |\n| y | later |\n\
                     \n| Who | What |\n|---|---|\n| z | nothing |\n";
        assert_eq!(found(table), ["docs/security/model.md:4"]);
    }
}
