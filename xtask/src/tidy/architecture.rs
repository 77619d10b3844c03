//! ARCHITECTURE.md is the map: it names every crate, and every path it names exists.

use std::collections::BTreeSet;

use super::direction::Member;
use super::{source_file::SourceFile, violation::Violation};

const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(members: &[Member], files: &[SourceFile]) -> Vec<Violation> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![Violation::new(
            MAP,
            1,
            "the map is missing; write it and name every crate",
        )];
    };
    let existing = existing_paths(files);
    let mut violations = Vec::new();
    for member in members {
        let directory = member.manifest.trim_end_matches("/Cargo.toml");
        if !names_path(&map.text, directory) {
            let problem = format!("does not name `{directory}`; say what the crate owns");
            violations.push(Violation::new(MAP, 1, problem));
        }
    }
    for (number, path) in named_paths(map) {
        let wanted = path.trim_start_matches("./").trim_end_matches('/');
        if looks_like_ours(wanted, &existing) && !existing.contains(wanted) {
            let problem = format!("`{path}` does not exist; correct the path or delete it");
            violations.push(Violation::new(MAP, number, problem));
        }
    }
    violations
}

/// Every file and every directory that holds one.
fn existing_paths(files: &[SourceFile]) -> BTreeSet<&str> {
    let mut existing = BTreeSet::new();
    for file in files {
        let mut path = file.path.as_str();
        existing.insert(path);
        while let Some((parent, _)) = path.rsplit_once('/') {
            existing.insert(parent);
            path = parent;
        }
    }
    existing
}

/// Whether the text contains this path as a whole, not as the beginning of a longer name.
fn names_path(text: &str, path: &str) -> bool {
    let continues = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + path.len()..].chars().next();
        !before.is_some_and(|letter| continues(letter) || letter == '/')
            && !after.is_some_and(continues)
    })
}

/// Texts in backticks, and what opens a line inside a fence (the map is drawn in one).
fn named_paths(map: &SourceFile) -> Vec<(usize, &str)> {
    let mut named = Vec::new();
    let mut fenced = false;
    for (number, line) in map.numbered_lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            named.extend(line.split_whitespace().next().map(|word| (number, word)));
        } else {
            named.extend(
                line.split('`')
                    .skip(1)
                    .step_by(2)
                    .map(|text| (number, text)),
            );
        }
    }
    named
}

/// A path below a directory of the root, or a file name at the root; patterns such as
/// `docs/errors/<CODE>.md` name no single file.
fn looks_like_ours(path: &str, existing: &BTreeSet<&str>) -> bool {
    let is_plain = path
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    let is_root_file = [".md", ".toml", ".lock"]
        .iter()
        .any(|suffix| path.ends_with(suffix));
    let below_root = path
        .split_once('/')
        .is_some_and(|(first, _)| existing.contains(first));
    is_plain && (below_root || (is_root_file && !path.contains('/')))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::super::{direction::Member, source_file::SourceFile};
    use super::{MAP, check};

    fn member(directory: &str) -> Member {
        Member {
            name: directory.rsplit('/').next().unwrap_or_default().to_owned(),
            manifest: format!("{directory}/Cargo.toml"),
            dependencies: Vec::new(),
        }
    }

    fn repository(map: &str) -> Vec<SourceFile> {
        vec![
            file(MAP, map),
            file("README.md", ""),
            file("crates/app/src/lib.rs", "//! App.\n"),
            file("xtask/src/main.rs", "//! Tasks.\n"),
        ]
    }

    #[test]
    fn every_crate_is_named_in_full() {
        let members = [
            member("crates/app"),
            member("crates/sandbox"),
            member("xtask"),
        ];
        let named = repository("`crates/app`, crates/sandbox/ and xtask.\n");
        assert!(check(&members, &named).is_empty());
        let partly = repository("`crates/app-x`, crates/sandbox-cli, `xtask`\n");
        let problems: Vec<String> = check(&members, &partly)
            .into_iter()
            .map(|found| found.problem)
            .collect();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("does not name `crates/app`"));
        assert!(problems[1].contains("does not name `crates/sandbox`"));
        assert!(problems[2].contains("`crates/app-x` does not exist"));
    }

    #[test]
    fn every_named_path_exists() {
        let map = "`crates/app/src/lib.rs` `crates/app/` `README.md` `GONE.md`\n\
                   `crates/app/src/gone.rs` `crates/<name>/x` `a / b` `POST /v1/x` `app/x.rs`\n\
                   ```\ncrates/gone/   nothing here\ncrates/app/    the use cases\n```\n";
        let found = check(&[], &repository(map));
        assert_eq!(
            places(&found),
            [
                "ARCHITECTURE.md:1",
                "ARCHITECTURE.md:2",
                "ARCHITECTURE.md:4"
            ]
        );
    }

    #[test]
    fn a_missing_map_is_a_violation() {
        assert_eq!(places(&check(&[], &[])), ["ARCHITECTURE.md:1"]);
    }
}
