//! No tabs and no trailing blanks in Rust files. rustfmt mends most of them but leaves strings and
//! comments alone.

use super::{source_file::SourceFile, violation::Violation};

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for (number, line) in file.numbered_lines() {
            if line.contains('\t') {
                let problem = "tab character; use spaces, or `\\t` inside a string";
                violations.push(Violation::new(&file.path, number, problem));
            }
            if line.ends_with(char::is_whitespace) {
                let problem = "trailing whitespace; delete it";
                violations.push(Violation::new(&file.path, number, problem));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    #[test]
    fn tabs_and_trailing_blanks_are_found_in_rust_files_only() {
        let files = [
            file("a.rs", "//! Fine.\n\nfn a() {}\n"),
            file("b.rs", "//! Blank at the end. \n\tfn b() {}\nfn c() {}\r\n"),
            file("c.md", "two blanks break a line  \n"),
        ];
        assert_eq!(places(&check(&files)), ["b.rs:1", "b.rs:2", "b.rs:3"]);
    }
}
