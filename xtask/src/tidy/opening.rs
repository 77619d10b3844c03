//! Every Rust file opens with `//!`: what it owns, what it does not, the invariant it keeps.

use super::{source_file::SourceFile, violation::Violation};

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    files
        .iter()
        .filter(|file| file.is_rust() && !opens_with_its_purpose(&file.text))
        .map(|file| {
            Violation::new(
                &file.path,
                1,
                "the file does not open with `//!`; say in a sentence what it owns",
            )
        })
        .collect()
}

fn opens_with_its_purpose(text: &str) -> bool {
    text.strip_prefix("//!").is_some_and(|rest| {
        rest.lines()
            .next()
            .is_some_and(|sentence| sentence.chars().any(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    #[test]
    fn a_rust_file_must_open_with_its_purpose() {
        let files = [
            file("a.rs", "//! Owns a.\nfn a() {}\n"),
            file("b.rs", "fn b() {}\n"),
            file("c.rs", "//!\n\nfn c() {}\n"),
            file("d.rs", "\n//! Late.\n"),
            file("empty.rs", ""),
            file("notes.md", "no purpose\n"),
        ];
        assert_eq!(
            places(&check(&files)),
            ["b.rs:1", "c.rs:1", "d.rs:1", "empty.rs:1"]
        );
    }
}
