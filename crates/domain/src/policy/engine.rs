//! The engine of a tool: built-in code, programs, or a service. Written in the policy, so that the
//! pins of a run record what was run.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::{
    argument::{Argument, Piece},
    name::{ArtifactKind, FileName, InvalidName, PackageName, ParameterName},
    tool::{Executor, MediaType},
};
use crate::limits::URL_LENGTH_MAX;

/// What runs a tool, with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    Builtin,
    Command(CommandSpec),
    Http(HttpSpec),
}

/// Programs that run one after the other, sandboxed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// Where Debian has them, for the hint when one is missing.
    pub packages: Vec<PackageName>,
    /// Makes the engine report its version; empty if it cannot.
    pub probe: Vec<Argument>,
    pub memory_bytes: u64,
    pub processes_max: u32,
    /// Bytes that the steps may share in their work directory.
    pub work_bytes_max: u64,
    pub output_bytes_max: u64,
    /// At least one.
    pub steps: Vec<CommandStep>,
    pub outputs: Vec<OutputFile>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandStep {
    /// The first is the program.
    pub argv: Vec<Argument>,
    /// The output file that receives the program's standard output.
    pub stdout: Option<FileName>,
}

/// A file that is kept, and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    pub file: FileName,
    pub kind: ArtifactKind,
    pub media_type: MediaType,
}

crate::text_enum! {
    /// What is sent to a service.
    Send {
        /// Operation, parameters and references to the inputs.
        Json = "json",
        /// The bytes of the one input.
        Input = "input",
    }
}

/// A service, and which part of its response is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSpec {
    pub url: ServiceUrl,
    pub send: Send,
    pub output_bytes_max: u64,
    pub output_kind: ArtifactKind,
    /// A response of another type is refused.
    pub output_types: BTreeSet<MediaType>,
}

/// The address of a service, as far as its text can be checked; the egress guard checks where it
/// leads.
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
    /// Whether a step uses the input.
    pub fn takes_input(&self) -> bool {
        self.pieces().any(|piece| *piece == Piece::Input)
    }

    /// The parameters that steps use.
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

impl CommandStep {
    /// The program, which is the same for every call.
    pub fn program(&self) -> Option<&str> {
        self.argv.first()?.fixed()
    }
}

impl fmt::Display for CommandStep {
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
