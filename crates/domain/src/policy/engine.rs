//! What a tool is made of: code of ours, programs, or a service. Written in the policy, so that the
//! pins of a run say what was run.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::{
    argument::{Argument, Piece},
    name::{ArtifactKind, FileName, InvalidName, PackageName, ParameterName},
    tool::{Executor, MediaType},
};
use crate::limits::URL_LENGTH_MAX;

/// What runs a tool, with what it needs for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    Builtin,
    Command(CommandSpec),
    Http(HttpSpec),
}

/// Programs that run one after the other, closed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// Where Debian has them, for the hint when one is missing.
    pub packages: Vec<PackageName>,
    /// Makes the engine say its version; nothing if it cannot.
    pub probe: Vec<Argument>,
    pub memory_bytes: u64,
    pub processes_max: u32,
    /// What the steps may leave to each other.
    pub work_bytes_max: u64,
    pub output_bytes_max: u64,
    /// At least one.
    pub steps: Vec<Step>,
    pub outputs: Vec<OutputFile>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The first is the program.
    pub argv: Vec<Argument>,
    /// The file among the outputs that takes what the program prints.
    pub stdout: Option<FileName>,
}

/// A file that is kept, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    pub file: FileName,
    pub kind: ArtifactKind,
    pub media_type: MediaType,
}

crate::text_enum! {
    /// What a service is sent.
    Send {
        /// Operation, parameters and references to the inputs.
        Json = "json",
        /// The bytes of the one input.
        Input = "input",
    }
}

/// A service, and what is kept of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSpec {
    pub url: ServiceUrl,
    pub send: Send,
    pub output_bytes_max: u64,
    pub output_kind: ArtifactKind,
    /// An answer of another type is refused.
    pub output_types: BTreeSet<MediaType>,
}

/// The address of a service, as far as text can tell; where it leads is for the egress guard.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

impl Engine {
    pub const fn executor(&self) -> Executor {
        match self {
            Self::Builtin => Executor::Builtin,
            Self::Command(_) => Executor::Command,
            Self::Http(_) => Executor::Http,
        }
    }
}

impl CommandSpec {
    /// Whether a step asks for the input.
    pub fn takes_input(&self) -> bool {
        self.pieces().any(|piece| *piece == Piece::Input)
    }

    /// The parameters that steps ask for.
    pub fn parameters(&self) -> BTreeSet<&ParameterName> {
        fn name(piece: &Piece) -> Option<&ParameterName> {
            match piece {
                Piece::Parameter(name) => Some(name),
                _ => None,
            }
        }
        self.pieces().filter_map(name).collect()
    }

    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let arguments = self.steps.iter().flat_map(|step| &step.argv);
        arguments.flat_map(Argument::pieces)
    }
}

impl Step {
    /// The program, which is the same for every call.
    pub fn program(&self) -> Option<&str> {
        self.argv.first()?.fixed()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argv: Vec<String> = self.argv.iter().map(ToString::to_string).collect();
        f.write_str(&argv.join(" "))?;
        match &self.stdout {
            Some(file) => write!(f, " > {file}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for OutputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {})", self.file, self.kind, self.media_type)
    }
}

impl ServiceUrl {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServiceUrl {
    type Err = InvalidName;
    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        let plain = |rest: &str| {
            let authority = rest.split('/').next().unwrap_or_default();
            !authority.is_empty()
                && !authority.contains('@')
                && rest.bytes().all(|b| b.is_ascii_graphic())
                && !rest.contains(['#', '\\', '{', '}'])
        };
        if text.len() <= URL_LENGTH_MAX && rest.is_some_and(plain) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidName {
            kind: "address of a service",
            rule: "https:// or http://, a host, no user, no fragment, at most 2000 characters",
        })
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_an_address_of_a_service() {
        for good in ["https://ocr.example/v1?x=1", "http://127.0.0.1:8080/"] {
            assert!(good.parse::<ServiceUrl>().is_ok(), "{good}");
        }
        let bad = [
            "",
            "https://",
            "file:///etc/passwd",
            "ftp://x",
            "https://user@host/",
            "https://a:b@host/",
            "https://host/#part",
            "https://ho st/",
            "HTTPS://host/",
            "https://host/{param:x}",
            "https:\\\\host",
        ];
        for bad in bad {
            assert!(bad.parse::<ServiceUrl>().is_err(), "{bad}");
        }
    }
}
