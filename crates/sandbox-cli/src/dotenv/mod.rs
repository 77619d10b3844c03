//! Text of dotenv files: values quoted so that they come back byte for byte, and files changed without
//! touching the lines of others. Knows nothing of where files are.

mod document;
mod quote;
#[cfg(test)]
mod tests;

pub(crate) use document::{DotenvDocument, ScrubbedText};
pub(crate) use quote::quote;

/// What can be assigned in a shell.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next();
    first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
