//! The files of the dashboard, as whoever starts the gateway hands them over. The binary has them built in; a test
//! brings its own; a gateway without any shows plain pages instead.

use std::borrow::Cow;

/// Where files come from, by their path below the folder the app was built into.
#[derive(Debug, Clone, Copy)]
pub struct Dashboard(fn(&str) -> Option<File>);

/// A file and the digest of its bytes.
#[derive(Debug, Clone)]
pub struct File {
    pub bytes: Cow<'static, [u8]>,
    pub sha256: [u8; 32],
}

/// What the app starts from.
pub(crate) const INDEX: &str = "index.html";

impl Dashboard {
    pub fn new(file: fn(&str) -> Option<File>) -> Self {
        Self(file)
    }

    pub(crate) fn file(self, path: &str) -> Option<File> {
        (self.0)(path)
    }

    /// Whether there is an app at all.
    pub fn is_built(self) -> bool {
        self.file(INDEX).is_some()
    }
}

/// None: the plain pages.
impl Default for Dashboard {
    fn default() -> Self {
        Self(|_| None)
    }
}
