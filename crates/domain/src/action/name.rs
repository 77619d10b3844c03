//! Names of actions. Narrow ASCII grammars, exact and case-sensitive: a look-alike of another name is
//! invalid, so it cannot reach a comparison.

use std::{fmt, str::FromStr};

use crate::{
    id::ConnectorId,
    invalid::Invalid,
    limits::{ACTION_NAME_LENGTH_MAX, INTEGRATION_NAME_LENGTH_MAX},
};

const CONNECTOR: &str = "connector:";
const ANY: &str = "*";

/// A text that is not a valid name of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind}: {rule}")]
pub struct InvalidActionName {
    pub kind: &'static str,
    pub rule: &'static str,
}

/// The source of an action: an adapter such as `linear`, or `connector:` and the connector's id. The id
/// tells two connectors apart that offer the same tool, whatever names they give themselves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntegrationName(String);

impl IntegrationName {
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidActionName> {
        let text = text.into();
        let adapter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.".contains(&b);
        let sound = match text.strip_prefix(CONNECTOR) {
            // The id in its one spelling: upper case would be another text for the same connector.
            Some(id) => id
                .parse()
                .is_ok_and(|parsed: ConnectorId| parsed.to_string() == id),
            None => {
                (1..=INTEGRATION_NAME_LENGTH_MAX).contains(&text.len()) && text.bytes().all(adapter)
            }
        };
        if !sound {
            return Err(InvalidActionName {
                kind: "integration",
                rule: "1 to 64 of a-z, 0-9, _, -, ., or connector: and an id",
            });
        }
        Ok(Self(text))
    }

    pub fn of_connector(id: ConnectorId) -> Self {
        Self(format!("{CONNECTOR}{id}"))
    }

    /// The connector it names; `None` for an adapter.
    pub fn connector_id(&self) -> Option<ConnectorId> {
        self.0.strip_prefix(CONNECTOR)?.parse().ok()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of an action, such as `create_issue`: the grammar of MCP's tool names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionName(String);

impl ActionName {
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidActionName> {
        let text = text.into();
        let safe = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
        if !(1..=ACTION_NAME_LENGTH_MAX).contains(&text.len()) || !text.bytes().all(safe) {
            return Err(InvalidActionName {
                kind: "action",
                rule: "1 to 128 of letters, digits, _, -, .",
            });
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Exactly one name, or `*` for every name. Partial wildcards do not exist: their reach is easily
/// misjudged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pattern<Name> {
    Any,
    Exactly(Name),
}

impl<Name: PartialEq> Pattern<Name> {
    pub fn matches(&self, name: &Name) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly(wanted) => wanted == name,
        }
    }
}

impl<Name: fmt::Display> fmt::Display for Pattern<Name> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.pad(ANY),
            Self::Exactly(name) => name.fmt(f),
        }
    }
}

impl<Name: FromStr> FromStr for Pattern<Name> {
    type Err = Name::Err;

    fn from_str(text: &str) -> Result<Self, Name::Err> {
        match text {
            ANY => Ok(Self::Any),
            name => name.parse().map(Self::Exactly),
        }
    }
}

macro_rules! as_text {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidActionName;
            fn from_str(text: &str) -> Result<Self, InvalidActionName> {
                Self::new(text)
            }
        }
    )+};
}

as_text!(IntegrationName, ActionName);

/// Parses a name or pattern from the named field of a request.
pub fn parse_name<T: FromStr<Err = InvalidActionName>>(
    field: &str,
    text: &str,
) -> Result<T, Invalid> {
    text.parse()
        .map_err(|error: InvalidActionName| Invalid::new(field, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONNECTOR_NAME: &str = "connector:0192f0c1-2345-7abc-8def-0123456789ab";

    #[test]
    fn integrations_are_adapters_or_connectors() {
        for good in ["linear", "my-crm.v2", "a_b", CONNECTOR_NAME] {
            assert_eq!(good.parse::<IntegrationName>().unwrap().as_str(), good);
        }
        for bad in [
            "",
            "*",
            "Linear",
            "lin ear",
            "linear\n",
            "l\u{456}near",
            "lin\u{200b}ear",
            "connector:",
            "connector:x",
            "connector:0192F0C1-2345-7ABC-8DEF-0123456789AB",
            "connector:0192f0c123457abc8def0123456789ab",
            "Connector:0192f0c1-2345-7abc-8def-0123456789ab",
            "a/b",
            &"x".repeat(65),
        ] {
            assert!(bad.parse::<IntegrationName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn actions_have_the_names_of_tools() {
        for good in ["create_issue", "API-post.search", "x", &"x".repeat(128)] {
            assert!(good.parse::<ActionName>().is_ok(), "{good}");
        }
        for bad in ["", "*", "a b", "a/b", "é", "a\0", &"x".repeat(129)] {
            assert!(bad.parse::<ActionName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn case_38_a_tool_is_resolved_by_its_connector_not_by_its_name() {
        let other = "connector:0192f0c1-2345-7abc-8def-0123456789ac";
        let granted: Pattern<IntegrationName> = CONNECTOR_NAME.parse().unwrap();
        assert!(granted.matches(&CONNECTOR_NAME.parse().unwrap()));
        assert!(!granted.matches(&other.parse().unwrap()));
        let name: IntegrationName = CONNECTOR_NAME.parse().unwrap();
        let id = name.connector_id().unwrap();
        assert_eq!(IntegrationName::of_connector(id), name);
        assert_eq!(
            "linear".parse::<IntegrationName>().unwrap().connector_id(),
            None
        );
    }

    #[test]
    fn a_pattern_is_one_name_or_all() {
        let pattern = |text: &str| text.parse::<Pattern<ActionName>>();
        let name = |text: &str| text.parse::<ActionName>().unwrap();
        assert!(pattern("*").unwrap().matches(&name("anything")));
        assert!(
            pattern("create_issue")
                .unwrap()
                .matches(&name("create_issue"))
        );
        for near in ["create_issue2", "create", "Create_issue", "create_issue."] {
            assert!(
                !pattern("create_issue").unwrap().matches(&name(near)),
                "{near}"
            );
        }
        for bad in ["create_*", "**", " *", "?", ""] {
            assert!(pattern(bad).is_err(), "{bad:?}");
        }
        for text in ["*", "create_issue"] {
            assert_eq!(pattern(text).unwrap().to_string(), text);
        }
    }
}
