//! The risk of a connector's tool. What a server states about its own tools is a hint, not authority: it
//! can raise the risk, and lower it only if an admin marked the server as trusted or set the risk of this
//! very tool.

use super::risk::Risk;

/// What is known about a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RiskFacts {
    /// The risk an admin set for this tool.
    pub tool_override: Option<Risk>,
    /// The risk an admin set for the connector's tools.
    pub connector_default: Option<Risk>,
    /// Whether an admin marked the connector as trusted.
    pub trusted: bool,
    /// The server's hints.
    pub destructive_hint: bool,
    pub read_only_hint: bool,
    /// Whether the definition differs from the reviewed one.
    pub definition_changed: bool,
}

crate::text_enum! {
    /// Where a risk comes from.
    RiskSource {
        ToolOverride = "tool_override",
        DestructiveHint = "destructive_hint",
        ReadOnlyHint = "read_only_hint",
        ConnectorDefault = "connector_default",
        Fallback = "fallback",
        /// It would be a read, but the reviewed definition was a different one.
        DefinitionChanged = "definition_changed",
    }
}

/// Returns the risk and where it comes from: override, destructive hint, read-only hint of a trusted server,
/// the connector's default, write. After a change of the definition no tool is a read, and an admin's
/// setting for the old definition cannot put the new one below the server's own hint.
pub fn derive_risk(facts: RiskFacts) -> (Risk, RiskSource) {
    let hinted = hinted(facts);
    let reviewed = match facts.tool_override {
        Some(said) => (said, RiskSource::ToolOverride),
        None => hinted,
    };
    if !facts.definition_changed {
        return reviewed;
    }
    match reviewed.0.max(hinted.0).max(Risk::Write) {
        careful if careful == reviewed.0 => reviewed,
        careful if careful == hinted.0 && careful == Risk::Danger => hinted,
        careful => (careful, RiskSource::DefinitionChanged),
    }
}

fn hinted(facts: RiskFacts) -> (Risk, RiskSource) {
    match facts {
        RiskFacts {
            destructive_hint: true,
            ..
        } => (Risk::Danger, RiskSource::DestructiveHint),
        RiskFacts {
            read_only_hint: true,
            trusted: true,
            ..
        } => (Risk::Read, RiskSource::ReadOnlyHint),
        RiskFacts {
            connector_default: Some(risk),
            ..
        } => (risk, RiskSource::ConnectorDefault),
        _ => (Risk::Write, RiskSource::Fallback),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(edit: impl FnOnce(&mut RiskFacts)) -> RiskFacts {
        let mut facts = RiskFacts::default();
        edit(&mut facts);
        facts
    }

    /// All 4 x 4 x 2^4 combinations against what each rule promises.
    #[test]
    fn every_combination_keeps_the_rules() {
        let risks = [
            None,
            Some(Risk::Read),
            Some(Risk::Write),
            Some(Risk::Danger),
        ];
        let mut seen = 0;
        for tool_override in risks {
            for connector_default in risks {
                for bits in 0..16_u8 {
                    let facts = RiskFacts {
                        tool_override,
                        connector_default,
                        trusted: bits & 1 != 0,
                        destructive_hint: bits & 2 != 0,
                        read_only_hint: bits & 4 != 0,
                        definition_changed: bits & 8 != 0,
                    };
                    let (risk, source) = derive_risk(facts);
                    let allowed_by_admin = tool_override == Some(Risk::Read)
                        || connector_default == Some(Risk::Read)
                        || facts.trusted;
                    assert!(risk != Risk::Read || allowed_by_admin, "{facts:?}");
                    assert!(risk != Risk::Read || !facts.definition_changed, "{facts:?}");
                    let unopposed = tool_override.is_none() || facts.definition_changed;
                    if facts.destructive_hint && unopposed {
                        assert_eq!(risk, Risk::Danger, "{facts:?}");
                    }
                    if let (Some(said), false) = (tool_override, facts.definition_changed) {
                        assert_eq!((risk, source), (said, RiskSource::ToolOverride));
                    }
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 256);
    }

    #[test]
    fn case_37_a_hint_of_an_untrusted_server_does_not_make_a_read() {
        let hinted = facts(|facts| facts.read_only_hint = true);
        assert_eq!(derive_risk(hinted), (Risk::Write, RiskSource::Fallback));
        let trusted = RiskFacts {
            trusted: true,
            ..hinted
        };
        assert_eq!(derive_risk(trusted), (Risk::Read, RiskSource::ReadOnlyHint));
        let both = RiskFacts {
            destructive_hint: true,
            ..trusted
        };
        assert_eq!(
            derive_risk(both),
            (Risk::Danger, RiskSource::DestructiveHint)
        );
    }

    #[test]
    fn case_36_a_changed_tool_loses_what_was_said_of_the_old_one() {
        let changed = facts(|facts| {
            facts.tool_override = Some(Risk::Read);
            facts.definition_changed = true;
        });
        let source = RiskSource::DefinitionChanged;
        assert_eq!(derive_risk(changed), (Risk::Write, source));
        let destructive = RiskFacts {
            destructive_hint: true,
            ..changed
        };
        assert_eq!(derive_risk(destructive).0, Risk::Danger);
    }

    #[test]
    fn an_override_of_an_admin_wins_over_the_server() {
        let table = [
            (Risk::Write, true),
            (Risk::Danger, false),
            (Risk::Read, false),
        ];
        for (said, destructive) in table {
            let facts = facts(|facts| {
                facts.tool_override = Some(said);
                facts.destructive_hint = destructive;
            });
            assert_eq!(derive_risk(facts), (said, RiskSource::ToolOverride));
        }
    }
}
