//! The files of the dashboard, as supplied by the program that starts the gateway. The binary has them built in; a
//! test supplies its own; a gateway without any serves the API alone, and a page that says how to build the dashboard.

use std::borrow::Cow;

/// The source of the files, by their path below the folder the app was built into.
#[derive(Debug, Clone, Copy)]
pub struct Dashboard(fn(&str) -> Option<File>);

/// A file and the digest of its bytes.
#[derive(Debug, Clone)]
pub struct File {
    pub bytes: Cow<'static, [u8]>,
    pub sha256: [u8; 32],
}

/// The entry page of the app.
pub(crate) const INDEX: &str = "index.html";
/// The page of the API's reference.
pub(crate) const REFERENCE: &str = "docs.html";

impl Dashboard {
    pub fn new(file: fn(&str) -> Option<File>) -> Self {
        Self(file)
    }

    pub(crate) fn file(self, path: &str) -> Option<File> {
        (self.0)(path)
    }

    /// Whether there is an app.
    pub fn is_built(self) -> bool {
        self.file(INDEX).is_some()
    }
}

/// Without files: no dashboard.
impl Default for Dashboard {
    fn default() -> Self {
        Self(|_| None)
    }
}
