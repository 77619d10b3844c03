//! Lists of exceptions from a rule: files below `xtask` with a subject and a ceiling on each line. What a check finds above
//! its limit may stay as long as it does not grow, and a line that is not needed any more is a violation itself.

use std::collections::BTreeMap;

use super::{source_file::SourceFile, violation::Violation};

/// The exceptions of one rule, by subject.
#[derive(Debug)]
pub(super) struct Exceptions {
    path: &'static str,
    by_subject: BTreeMap<String, Exception>,
}

/// One line of a list.
#[derive(Debug)]
pub(super) struct Exception {
    pub(super) line: usize,
    pub(super) ceiling: usize,
}

impl Exceptions {
    /// Reads the list at this path. A line is a subject, a space and a ceiling; blank lines and lines that begin with `#`
    /// are comments. A list that does not exist has no exceptions.
    pub(super) fn read(
        path: &'static str,
        files: &[SourceFile],
        violations: &mut Vec<Violation>,
    ) -> Self {
        let mut by_subject = BTreeMap::new();
        let list = files.iter().find(|file| file.path == path);
        for (line, text) in list.iter().flat_map(|file| file.numbered_lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let cells = text.rsplit_once(' ');
            match cells.map(|(subject, ceiling)| (subject.trim(), ceiling.parse())) {
                Some((subject, Ok(ceiling))) if !subject.is_empty() => {
                    by_subject.insert(subject.to_owned(), Exception { line, ceiling });
                }
                _ => violations.push(Violation::new(path, line, "not a subject and a number")),
            }
        }
        Self { path, by_subject }
    }

    /// The exception of a subject that is above the limit, once: what is left over at the end is not needed.
    pub(super) fn take(&mut self, subject: &str) -> Option<Exception> {
        self.by_subject.remove(subject)
    }

    /// The highest count that a subject above the limit may have.
    pub(super) fn ceiling(&mut self, subject: &str, limit: usize) -> usize {
        self.take(subject)
            .map_or(limit, |exception| exception.ceiling)
    }

    /// A violation for each line that no subject needed.
    pub(super) fn unused(self) -> impl Iterator<Item = Violation> {
        let path = self.path;
        self.by_subject
            .into_iter()
            .map(move |(subject, exception)| {
                let problem = format!("`{subject}` needs no exception any more; delete this line");
                Violation::new(path, exception.line, problem)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::Exceptions;

    const LIST: &str = "xtask/list.txt";

    #[test]
    fn a_line_is_a_subject_and_a_number() {
        let files = [file(LIST, "# why\n\na b 3\nc 4\nd\ne x\n 5\n")];
        let mut violations = Vec::new();
        let mut exceptions = Exceptions::read(LIST, &files, &mut violations);
        assert_eq!(
            places(&violations),
            ["xtask/list.txt:5", "xtask/list.txt:6", "xtask/list.txt:7"]
        );
        assert_eq!(exceptions.ceiling("a b", 1), 3);
        assert_eq!(exceptions.ceiling("d", 1), 1);
        let unused: Vec<_> = exceptions.unused().collect();
        assert_eq!(places(&unused), ["xtask/list.txt:4"]);
    }
}
