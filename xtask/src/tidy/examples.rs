//! A crate says whether its comments have examples that run: to find that there are none takes rustdoc seconds, for each
//! crate, and an example in a crate that says there are none would not be tried.

use super::{source_file::SourceFile, violation::Violation};

const NONE: &str = "doctest = false";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for manifest in files {
        let Some(root) = manifest.path.strip_suffix("Cargo.toml") else {
            continue;
        };
        let source = format!("{root}src/");
        let of_crate = |file: &&SourceFile| file.is_rust() && file.path.starts_with(&source);
        let library = format!("{source}lib.rs");
        // Only a library's are tried.
        if !files.iter().any(|file| file.path == library) {
            continue;
        }
        let examples: Vec<Violation> = files.iter().filter(of_crate).filter_map(found_in).collect();
        match (manifest.text.lines().any(|line| line == NONE), examples) {
            (true, examples) => violations.extend(examples),
            (false, examples) if examples.is_empty() => {
                let problem = format!("no comment has an example; write `{NONE}` below `[lib]`");
                violations.push(Violation::new(&manifest.path, 1, problem));
            }
            (false, _) => {}
        }
    }
    violations
}

fn found_in(file: &SourceFile) -> Option<Violation> {
    let is_example = |line: &str| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        comment.is_some_and(|comment| comment.trim_start().starts_with("```"))
    };
    let (number, _) = file.numbered_lines().find(|(_, line)| is_example(line))?;
    let problem = format!("an example that is not tried: the crate says `{NONE}`");
    Some(Violation::new(&file.path, number, problem))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    #[test]
    fn a_crate_says_whether_it_has_examples() {
        let files = [
            file("a/Cargo.toml", "[lib]\ndoctest = false\n"),
            file("a/src/lib.rs", "//! A.\n"),
            file("a/src/b.rs", "/// ```compile_fail\n/// ```\n"),
            file("c/Cargo.toml", "[package]\n"),
            file("c/src/lib.rs", "// ``` is no example here\n"),
            file("d/Cargo.toml", "[package]\n"),
            file("d/src/lib.rs", "//! ```\n//! ```\n"),
            file("e/Cargo.toml", "[package]\n"),
            file("e/src/main.rs", "//! E.\n"),
        ];
        assert_eq!(places(&check(&files)), ["a/src/b.rs:1", "c/Cargo.toml:1"]);
    }
}
