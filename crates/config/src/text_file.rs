//! Reads a text of the operator within a bound, and finds the lines of it.

use std::{fs::File, io::Read as _, path::Path};

/// Largest file that is read; one with every setting has about 2 KB.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Returns the text of the file, or why there is none.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| format!("the file cannot be read: {error}"))?;
    let mut text = String::new();
    file.take(FILE_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("the file has more than {FILE_BYTES_MAX} bytes"));
    }
    Ok(text)
}

/// Offsets at which lines begin, so that finding a line does not read the text again.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn of(text: &str) -> Self {
        let behind_ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(behind_ends).collect())
    }

    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}
