//! Names that policy compares: narrow ASCII grammars, exact and case-sensitive. A look-alike of
//! another name is invalid, so it cannot reach a comparison.

use std::{fmt, str::FromStr};

/// A text that does not follow the grammar of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind}: {rule}")]
pub struct InvalidName {
    pub kind: &'static str,
    pub rule: &'static str,
}

macro_rules! names {
    ($($(#[$meta:meta])* $name:ident = $kind:literal, $min:literal..=$max:literal, $rule:literal, $safe:expr;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
                let text = text.into();
                let safe: fn(u8) -> bool = $safe;
                if !($min..=$max).contains(&text.len()) || !text.bytes().all(safe) {
                    return Err(InvalidName { kind: $kind, rule: $rule });
                }
                Ok(Self(text))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidName;
            fn from_str(text: &str) -> Result<Self, InvalidName> {
                Self::new(text)
            }
        }
    )+};
}

const fn upper(b: u8) -> bool {
    b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_'
}

const fn lower(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.' | b'-')
}

const fn word(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'
}

const fn package(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'+' | b'.' | b'-')
}

const fn key(b: u8) -> bool {
    mixed(b) || matches!(b, b'.' | b':')
}

const fn mixed(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
}

names! {
    /// A lane, such as `TOOL_DOCUMENT_INTAKE`.
    LaneId = "lane id", 1..=120, "1 to 120 of A-Z, 0-9, _", upper;
    /// A role, such as `SANDBOX_AGENT`.
    RoleId = "role id", 1..=80, "1 to 80 of A-Z, 0-9, _", upper;
    /// An operation, such as `ocr.extract`.
    Operation = "operation", 1..=128, "1 to 128 of a-z, 0-9, _, ., -", lower;
    /// A table a lane may write to.
    TableName = "table name", 1..=128, "1 to 128 of a-z, 0-9, _, ., -", lower;
    /// What a record is replaced by, within its table of its case.
    RecordKey = "record key", 1..=120, "1 to 120 of letters, digits, _, -, ., :", key;
    /// A case: what work and its documents belong to.
    CaseId = "case id", 4..=120, "4 to 120 of letters, digits, _, -", mixed;
    /// A meeting with a client, within its case.
    ClientSessionId = "client session id", 4..=120, "4 to 120 of letters, digits, _, -", mixed;
    /// What stored bytes are, such as `transcript`.
    ArtifactKind = "artifact kind", 2..=80, "2 to 80 of a-z, 0-9, _", word;
    /// A parameter of a tool, such as `language`.
    ParameterName = "parameter name", 1..=40, "1 to 40 of a-z, 0-9, _", word;
    /// One of the values a parameter may have.
    ChoiceName = "choice", 1..=40, "1 to 40 of a-z, 0-9, _, ., -", lower;
    /// An output file of a program, in a directory of its own: no path.
    FileName = "file name", 1..=80, "1 to 80 of a-z, 0-9, _, ., -", lower;
    /// A package of Debian.
    PackageName = "package name", 2..=80, "2 to 80 of a-z, 0-9, +, ., -", package;
    /// The version of a tool, such as `1` or `5.3.0`; recorded with every call.
    ToolVersion = "tool version", 1..=40, "1 to 40 of a-z, 0-9, _, ., -", lower;
}

impl Operation {
    /// Whether `tool_name` is this operation or the part before one of its dots.
    pub fn belongs_to(&self, tool_name: &str) -> bool {
        self.0 == tool_name
            || self
                .0
                .strip_prefix(tool_name)
                .is_some_and(|rest| rest.starts_with('.'))
    }
}
