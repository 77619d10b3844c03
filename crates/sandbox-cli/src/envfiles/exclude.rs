//! Keeps env files out of commits: their paths go into `.git/info/exclude`, once, which no commit holds.

use std::path::Path;

use rustix::fs::Mode;

use crate::{jail::Jail, limits::ENV_BYTES_MAX};

/// Excludes a file from the repository that it is in. Whether that worked.
pub(super) fn add(jail: &Jail, file: &Path) -> bool {
    for directory in file.ancestors().skip(1) {
        let git = directory.join(".git");
        if jail.open_directory(&git).is_err() {
            continue;
        }
        let Ok(below) = file.strip_prefix(directory) else {
            return false;
        };
        let Some(line) = below.to_str().map(pattern) else {
            return false;
        };
        let exclude = git.join("info/exclude");
        let mut text = jail.read(&exclude, ENV_BYTES_MAX).unwrap_or_default();
        if text
            .split(|byte| *byte == b'\n')
            .any(|known| known == line.as_bytes())
        {
            return true;
        }
        if text.last().is_some_and(|byte| *byte != b'\n') {
            text.push(b'\n');
        }
        text.extend_from_slice(format!("{line}\n").as_bytes());
        return jail
            .write(&exclude, &text, Mode::from_raw_mode(0o644))
            .is_ok();
    }
    // No repository, nothing to keep it out of.
    true
}

/// The pattern that matches this path alone.
fn pattern(path: &str) -> String {
    let mut pattern = String::from("/");
    for character in path.chars() {
        if "*?[\\!# ".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_one_path() {
        for (path, expected) in [
            (".env", "/.env"),
            ("a b/[x]*", r"/a\ b/\[x]\*"),
            ("#a", r"/\#a"),
        ] {
            assert_eq!(pattern(path), expected);
        }
    }
}
