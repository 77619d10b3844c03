//! A file of the repository as the checks see it: its path and its text.

use std::path::Path;

/// A file of the repository, by its path from the root.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) text: String,
}

impl SourceFile {
    pub(super) fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    pub(super) fn extension(&self) -> &str {
        Path::new(&self.path)
            .extension()
            .and_then(|text| text.to_str())
            .unwrap_or_default()
    }

    /// Lines with their numbers, counted from one. Splits on `\n` alone: a `\r` stays visible.
    pub(super) fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        text.split('\n')
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}
