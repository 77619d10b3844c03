//! The registration of a tool. The lanes define where it may be called; what it accepts, produces
//! and affects is registered here, once, and cannot be claimed by a call.

use std::{collections::BTreeSet, fmt, str::FromStr, time::Duration};

use super::{
    decision::ToolFacts,
    engine::Engine,
    name::{ArtifactKind, InvalidName, Operation, ToolVersion},
    parameter::ParameterSpec,
};

crate::text_enum! {
    /// What runs a tool.
    Executor {
        /// Code of the gateway.
        Builtin = "builtin",
        /// A program, sandboxed, without a shell.
        Command = "command",
        /// A service, reached through the egress guard.
        Http = "http",
    }
}

/// A media type without parameters, such as `application/pdf`. No pattern: `image/*` is refused.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaType(String);

/// A tool as the policy registers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    pub operation: Operation,
    pub version: ToolVersion,
    pub description: String,
    pub enabled: bool,
    /// What runs it.
    pub engine: Engine,
    /// Its parameters besides stored inputs. Built-in code checks its own, and has none here.
    pub parameters: Vec<ParameterSpec>,
    /// The deadline of one call.
    pub timeout: Duration,
    /// Whether running it twice has the effect of once, which is what allows a retry.
    pub idempotent: bool,
    /// Whether running it sends data outside the platform.
    pub external: bool,
    /// Whether it writes where other cases or sessions read.
    pub writes_shared: bool,
    /// The media types it accepts. Empty: it takes no stored input.
    pub accepts: BTreeSet<MediaType>,
    /// The kinds of artifacts it may produce. Empty: it stores nothing.
    pub produces: BTreeSet<ArtifactKind>,
}

impl ToolSpec {
    pub const fn executor(&self) -> Executor {
        self.engine.executor()
    }
}

impl ToolFacts {
    /// What holds for a call of a run that was started under one policy while another is in force: the
    /// stricter of the two in each respect, and `None` if either does not know the tool.
    pub fn strictest(pinned: Option<&ToolSpec>, current: Option<&ToolSpec>) -> Option<Self> {
        let (pinned, current) = (pinned?, current?);
        Some(Self {
            enabled: pinned.enabled && current.enabled,
            external: pinned.external || current.external,
            writes_shared: pinned.writes_shared || current.writes_shared,
        })
    }
}

impl MediaType {
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
        let text = text.into();
        let safe = |b: u8| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'+' | b'-' | b'_')
        };
        let part = |part: &str| !part.is_empty() && part.bytes().all(safe);
        let valid = text.len() <= 120
            && text
                .split_once('/')
                .is_some_and(|(kind, subtype)| part(kind) && part(subtype));
        if valid {
            Ok(Self(text))
        } else {
            Err(InvalidName {
                kind: "media type",
                rule: "type/subtype in lower case, without parameters, at most 120 characters",
            })
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MediaType {
    type Err = InvalidName;
    fn from_str(text: &str) -> Result<Self, InvalidName> {
        Self::new(text)
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(enabled: bool, external: bool, writes_shared: bool) -> ToolSpec {
        ToolSpec {
            operation: Operation::new("ocr.extract").unwrap(),
            version: ToolVersion::new("1").unwrap(),
            description: "test".into(),
            enabled,
            engine: Engine::Builtin,
            parameters: Vec::new(),
            timeout: Duration::from_secs(1),
            idempotent: true,
            external,
            writes_shared,
            accepts: BTreeSet::new(),
            produces: BTreeSet::new(),
        }
    }

    #[test]
    fn of_two_policies_the_stricter_word_counts() {
        let harmless = spec(true, false, false);
        let facts = |other: &ToolSpec| {
            let there = ToolFacts::strictest(Some(&harmless), Some(other));
            let back = ToolFacts::strictest(Some(other), Some(&harmless));
            assert_eq!(there, back);
            there.unwrap()
        };
        assert!(facts(&harmless).enabled && !facts(&harmless).external);
        assert!(!facts(&spec(false, false, false)).enabled);
        assert!(facts(&spec(true, true, false)).external);
        assert!(facts(&spec(true, false, true)).writes_shared);
        assert_eq!(ToolFacts::strictest(Some(&harmless), None), None);
        assert_eq!(ToolFacts::strictest(None, Some(&harmless)), None);
    }

    #[test]
    fn what_is_a_media_type() {
        for good in ["application/pdf", "image/svg+xml", "audio/x-wav"] {
            assert!(MediaType::new(good).is_ok(), "{good}");
        }
        let bad = [
            "",
            "pdf",
            "image/*",
            "Image/png",
            "text/plain; charset=utf-8",
            "a/b/c",
            "/x",
            "x/",
        ];
        for bad in bad {
            assert!(MediaType::new(bad).is_err(), "{bad}");
        }
    }
}
