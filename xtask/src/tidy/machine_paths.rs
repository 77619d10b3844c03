//! No path of somebody's machine in the repository: it is wrong everywhere else.

use super::{source_file::SourceFile, violation::Violation};

/// Directories that exist on a workstation and never in a deployment. Spelled in two halves, or
/// this file would find itself.
const MACHINE_ROOTS: [&str; 3] = [
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/."),
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        for (number, line) in file.numbered_lines() {
            for root in MACHINE_ROOTS
                .iter()
                .filter(|root| names_absolute(line, root))
            {
                let problem =
                    format!("names the machine path `{root}`; use a path from the repository root");
                violations.push(Violation::new(&file.path, number, problem));
            }
        }
    }
    violations
}

/// Whether `root` begins a path in this line, rather than continuing one such as a URL's.
fn names_absolute(line: &str, root: &str) -> bool {
    line.match_indices(root).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-}>~/".contains(before))
            || line[..at].ends_with("file://")
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    #[test]
    fn absolute_machine_paths_are_found_and_longer_paths_are_not() {
        let work = concat!("/wo", "rk");
        let files = [
            file("a.md", format!("see `{work}/notes`\nor file://{work}/x\n")),
            file(
                "b.rs",
                format!("//! Mentions https://example.com{work}/x and {work}space/y.\n"),
            ),
            file("c.toml", format!("path = \"{work}/main\"\n")),
            file("d.md", format!("..{work}/relative\n")),
        ];
        assert_eq!(places(&check(&files)), ["a.md:1", "a.md:2", "c.toml:1"]);
    }
}
