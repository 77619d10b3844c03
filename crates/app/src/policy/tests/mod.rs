//! Tests of the policy: the built-in one against tables, and what is refused against lists of mistakes.

mod active;
mod built_in;
mod engines;
mod git;
mod mistakes;
mod never_panics;
mod query;
mod refused;
mod truth_table;

use std::path::Path;

use super::{FileBytes, Policy, PolicyFile, PolicyFiles, load};

fn built_in() -> Policy {
    load(PolicyFiles::built_in()).unwrap()
}

/// The built-in files with one of them rewritten.
fn with(file: PolicyFile, rewrite: impl FnOnce(String) -> String) -> PolicyFiles {
    let mut files = PolicyFiles::built_in();
    let content = match file {
        PolicyFile::Lanes => &mut files.lanes,
        PolicyFile::Roles => &mut files.roles,
        PolicyFile::Tools => &mut files.tools,
    };
    let text = String::from_utf8(content.bytes.clone()).unwrap();
    *content = FileBytes::from(rewrite(text).as_bytes());
    files
}

/// The built-in files with the first occurrence of a text replaced. It must occur.
fn edited(file: PolicyFile, from: &str, to: &str) -> PolicyFiles {
    with(file, |text| {
        assert!(text.contains(from), "{file} has no {from:?}");
        text.replacen(from, to, 1)
    })
}

fn problems(files: PolicyFiles) -> Vec<String> {
    let problems = load(files).unwrap_err();
    problems.all.iter().map(ToString::to_string).collect()
}

fn write(directory: &Path, files: &PolicyFiles) {
    for (file, content) in [
        (PolicyFile::Lanes, &files.lanes),
        (PolicyFile::Roles, &files.roles),
        (PolicyFile::Tools, &files.tools),
    ] {
        std::fs::write(directory.join(file.as_str()), &content.bytes).unwrap();
    }
}
