//! A path in a sandbox's home directory. Everything that is read from or written to a sandbox is named by one.
//!
//! INVARIANT: it is relative, has no `.` or `..`, and no byte that ends a C string. Providers refuse links inside the sandbox.

use std::{fmt, path::Path, str::FromStr};

use domain::limits::SANDBOX_PATH_BYTES_MAX;

use crate::{Error, HOME};

/// Relative to the home directory; the home itself is the empty path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HomePath(String);

impl HomePath {
    /// The home directory.
    pub fn home() -> Self {
        Self::default()
    }

    /// Where repositories are.
    pub fn workspace() -> Self {
        Self("workspace".to_owned())
    }

    /// Takes `a/b`, and `/home/user/a/b` as the agent would write it.
    pub fn new(text: &str) -> Result<Self, Error> {
        let refused = |why| Err(Error::invalid(format!("a path {why}")));
        if text.len() > SANDBOX_PATH_BYTES_MAX {
            return refused("is too long");
        }
        let relative = match text.strip_prefix(HOME) {
            Some("") => "",
            Some(rest) if rest.starts_with('/') => &rest[1..],
            _ if text.starts_with('/') => return refused("must be in the home directory"),
            _ => text,
        };
        if relative.contains('\0') {
            return refused("must not have a NUL byte");
        }
        let parts: Vec<&str> = relative
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        if parts.iter().any(|part| matches!(*part, "." | "..")) {
            return refused("must not have `.` or `..`");
        }
        if parts.iter().any(|part| part.len() > 255) {
            return refused("has a name that is too long");
        }
        Ok(Self(parts.join("/")))
    }

    pub fn join(&self, more: &str) -> Result<Self, Error> {
        if more.starts_with('/') {
            return Err(Error::invalid("a path to add must be relative"));
        }
        Self::new(&format!("{}/{more}", self.absolute()))
    }

    pub fn is_home(&self) -> bool {
        self.0.is_empty()
    }

    /// Without a leading slash.
    pub fn relative(&self) -> &Path {
        Path::new(&self.0)
    }

    /// The absolute path inside the sandbox.
    pub fn absolute(&self) -> String {
        if self.0.is_empty() {
            HOME.to_owned()
        } else {
            format!("{HOME}/{}", self.0)
        }
    }
}

impl fmt::Display for HomePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.absolute())
    }
}

impl FromStr for HomePath {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_has_one_form() {
        for (text, expected) in [
            ("a/b", "/home/user/a/b"),
            ("a//b/", "/home/user/a/b"),
            ("/home/user/a", "/home/user/a"),
            ("/home/user", "/home/user"),
            ("/home/user/", "/home/user"),
            ("", "/home/user"),
            ("..a/b..", "/home/user/..a/b.."),
        ] {
            assert_eq!(HomePath::new(text).unwrap().absolute(), expected, "{text}");
        }
    }

    #[test]
    fn no_path_leads_out() {
        for bad in [
            "..",
            "../x",
            "a/../b",
            "a/..",
            "./a",
            "/etc/passwd",
            "/home/user2",
            "/home/user/../x",
            "/home",
            "a\0b",
            "//home/user/x",
        ] {
            assert!(HomePath::new(bad).is_err(), "{bad}");
        }
        assert!(HomePath::new(&"a/".repeat(SANDBOX_PATH_BYTES_MAX)).is_err());
        assert!(HomePath::new(&"a".repeat(256)).is_err());
        assert!(HomePath::workspace().join("../..").is_err());
        assert!(HomePath::workspace().join("/x").is_err());
    }

    proptest! {
        #[test]
        fn every_valid_path_stays_below_home(text in "[a./\\PC]{0,40}") {
            if let Ok(path) = HomePath::new(&text) {
                prop_assert!(path.relative().is_relative());
                let normal = |part| matches!(part, std::path::Component::Normal(_));
                prop_assert!(path.relative().components().all(normal));
                let same = HomePath::new(&path.absolute());
                prop_assert_eq!(same, Ok(path));
            }
        }
    }
}
