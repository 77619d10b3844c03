//! Lock files name the default registries only: a mirror's address or a git branch in them makes
//! the build of everybody else depend on it.

use super::{source_file::SourceFile, violation::Violation};

const CRATES_IO: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        for (number, line) in file.numbered_lines() {
            let line = line.trim();
            let problem = match name {
                "Cargo.lock" if line.starts_with("source = ") && line != CRATES_IO => {
                    "not from crates.io; depend on the released crate"
                }
                "package-lock.json" if line.starts_with("\"resolved\":") => {
                    "names a registry host; run `npm install --package-lock-only \
                     --omit-lockfile-registry-resolved`"
                }
                _ => continue,
            };
            violations.push(Violation::new(&file.path, number, problem));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{CRATES_IO, check};

    #[test]
    fn only_the_default_registries_are_allowed() {
        let files = [
            file("Cargo.lock", format!("[[package]]\n{CRATES_IO}\n")),
            file(
                "other/Cargo.lock",
                "source = \"git+https://example.com/x#abc\"\n",
            ),
            file(
                "web/package-lock.json",
                "{\n  \"integrity\": \"x\",\n  \"resolved\": \"y\"\n}\n",
            ),
            file("a.toml", "source = \"anything\"\n"),
        ];
        assert_eq!(
            places(&check(&files)),
            ["other/Cargo.lock:1", "web/package-lock.json:3"]
        );
    }
}
