//! Parses `git status --porcelain=v2 -z --branch`. Pure; unknown lines are left out.

use serde::Serialize;

use crate::limits::STATUS_FILES_MAX;

pub(super) const ARGUMENTS: [&str; 5] = [
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--untracked-files=all",
];

/// The status of a repository.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GitStatus {
    /// Absent if no branch is checked out.
    pub(super) branch: Option<String>,
    /// Absent before the first commit.
    pub(super) commit: Option<String>,
    pub(super) upstream: Option<String>,
    pub(super) ahead: u32,
    pub(super) behind: u32,
    pub(super) files: Vec<ChangedFile>,
    /// Whether there are more files.
    pub(super) truncated: bool,
}

/// One path that is not as it was committed.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangedFile {
    /// The two letters of git's short form: index, then working tree; `.` is unchanged.
    pub(super) status: String,
    pub(super) path: String,
    /// Where a renamed or copied one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) original_path: Option<String>,
}

/// Parses the output. The last part of output that was cut off is not whole.
pub(super) fn parse(output: &[u8], is_cut: bool) -> GitStatus {
    let text = String::from_utf8_lossy(output);
    let mut parts: Vec<&str> = text.split('\0').collect();
    parts.pop();
    let mut status = GitStatus {
        truncated: is_cut,
        ..GitStatus::default()
    };
    let mut parts = parts.into_iter();
    while let Some(part) = parts.next() {
        let file = match part.split_once(' ') {
            Some(("#", header)) => {
                read_header(&mut status, header);
                continue;
            }
            Some(("1", rest)) => entry(rest, 7),
            Some(("2", rest)) => {
                let original = parts.next().map(str::to_owned);
                entry(rest, 8).map(|file| ChangedFile {
                    original_path: original,
                    ..file
                })
            }
            Some(("u", rest)) => entry(rest, 9),
            Some(("?", path)) => Some(file("??", path)),
            _ => None,
        };
        if status.files.len() == STATUS_FILES_MAX {
            status.truncated = true;
            break;
        }
        status.files.extend(file);
    }
    status
}

/// `XY` and the path behind so many fields.
fn entry(rest: &str, fields: usize) -> Option<ChangedFile> {
    let mut parts = rest.splitn(fields + 1, ' ');
    let letters = parts.next()?;
    let path = parts.nth(fields - 1)?;
    Some(file(letters, path))
}

fn file(status: &str, path: &str) -> ChangedFile {
    ChangedFile {
        status: status.to_owned(),
        path: path.to_owned(),
        original_path: None,
    }
}

fn read_header(status: &mut GitStatus, header: &str) {
    match header.split_once(' ') {
        Some(("branch.oid", "(initial)") | ("branch.head", "(detached)")) => {}
        Some(("branch.oid", commit)) => status.commit = Some(commit.to_owned()),
        Some(("branch.head", name)) => status.branch = Some(name.to_owned()),
        Some(("branch.upstream", name)) => status.upstream = Some(name.to_owned()),
        Some(("branch.ab", counts)) => {
            let mut counts = counts
                .split(' ')
                .map(|count| count.trim_start_matches(['+', '-']).parse().unwrap_or(0));
            status.ahead = counts.next().unwrap_or(0);
            status.behind = counts.next().unwrap_or(0);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_entry() {
        let hash = "0".repeat(40);
        let output = [
            "# branch.oid abc".to_owned(),
            "# branch.head main".to_owned(),
            "# branch.upstream origin/main".to_owned(),
            "# branch.ab +2 -3".to_owned(),
            format!("1 .M N... 100644 100644 100644 {hash} {hash} with space"),
            format!("2 R. N... 100644 100644 100644 {hash} {hash} R100 new"),
            "old name".to_owned(),
            format!("u UU N... 100644 100644 100644 100644 {hash} {hash} {hash} both"),
            "? un\ntracked".to_owned(),
            "! ignored".to_owned(),
        ];
        let status = parse((output.join("\0") + "\0").as_bytes(), false);
        assert_eq!(
            (status.branch.as_deref(), status.commit.as_deref()),
            (Some("main"), Some("abc"))
        );
        assert_eq!((status.ahead, status.behind), (2, 3));
        let renamed = ChangedFile {
            original_path: Some("old name".to_owned()),
            ..file("R.", "new")
        };
        let expected = vec![
            file(".M", "with space"),
            renamed,
            file("UU", "both"),
            file("??", "un\ntracked"),
        ];
        assert_eq!(status.files, expected);
    }

    #[test]
    fn what_was_cut_off_is_not_shown_in_part() {
        let status = parse(b"? whole\0? par", true);
        assert_eq!(status.files, vec![file("??", "whole")]);
        assert!(status.truncated);
    }

    #[test]
    fn there_are_at_most_so_many() {
        let many = "? x\0".repeat(STATUS_FILES_MAX + 1);
        let status = parse(many.as_bytes(), false);
        assert!(status.truncated && status.files.len() == STATUS_FILES_MAX);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_makes_it_panic(text in "[#12u?! .+a\u{0}]{0,80}") {
            parse(text.as_bytes(), false);
            parse(format!("# branch.ab {text}\0").as_bytes(), false);
        }
    }
}
