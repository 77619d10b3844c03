//! The risk of a tool. A decision of an admin comes first; a server's hint counts always where it warns, and where it
//! reassures only if an admin trusts the server.

use domain::action::{Risk, RiskFacts, RiskSource, derive_risk};

use super::{annotations::Annotations, pin::DefinitionStatus};
use crate::mcp::config::Connector;

/// The risk of a tool, by its own name, its server's hints and how its definition stands; and where the risk
/// comes from.
pub fn tool_risk(
    connector: &Connector,
    tool: &str,
    hints: &Annotations,
    definition: DefinitionStatus,
) -> (Risk, RiskSource) {
    let policy = &connector.risk_policy;
    derive_risk(RiskFacts {
        tool_override: policy.overrides.get(tool).copied(),
        connector_default: policy.default_risk,
        trusted: connector.trusted,
        destructive_hint: hints.destructive == Some(true),
        read_only_hint: hints.read_only == Some(true),
        definition_changed: definition == DefinitionStatus::Changed,
    })
}

#[cfg(test)]
mod tests {
    use domain::id::ConnectorId;

    use super::*;
    use crate::mcp::config::Preset;

    fn connector(override_: Option<Risk>, default_risk: Option<Risk>, trusted: bool) -> Connector {
        let id = ConnectorId::from_uuid(uuid::Uuid::nil());
        let mut connector = Preset::Custom.connector(id, "https://mcp.example/", None);
        connector.trusted = trusted;
        connector.risk_policy.default_risk = default_risk;
        connector.risk_policy.overrides = override_
            .map(|risk| ("tool".into(), risk))
            .into_iter()
            .collect();
        connector
    }

    /// The rows that admins ask about.
    #[test]
    fn case_37_a_reassuring_hint_is_not_authority() {
        use Risk::{Danger, Read, Write};
        let hint = |read_only, destructive| Annotations {
            read_only,
            destructive,
            ..Annotations::default()
        };
        #[rustfmt::skip]
        let table = [
            // override, default, trusted, hints, risk
            (None, None, false, hint(None, None), Write),
            (None, None, false, hint(Some(true), None), Write),
            (None, None, true, hint(Some(true), None), Read),
            (None, None, true, hint(Some(true), Some(true)), Danger),
            (None, Some(Read), false, hint(Some(false), None), Read),
            (None, Some(Read), false, hint(None, Some(true)), Danger),
            (None, Some(Danger), true, hint(Some(true), Some(false)), Read),
            (None, Some(Danger), false, hint(Some(true), Some(false)), Danger),
            (Some(Read), None, false, hint(None, Some(true)), Read),
            (Some(Danger), None, true, hint(Some(true), None), Danger),
        ];
        for (override_, default_risk, trusted, hints, expected) in table {
            let connector = connector(override_, default_risk, trusted);
            let (risk, _) = tool_risk(&connector, "tool", &hints, DefinitionStatus::New);
            assert_eq!(risk, expected);
        }
        // An override is for the tool it names and no other.
        let connector = connector(Some(Read), None, false);
        let other = tool_risk(
            &connector,
            "Tool",
            &Annotations::default(),
            DefinitionStatus::New,
        );
        assert_eq!(other, (Write, RiskSource::Fallback));
    }

    #[test]
    fn case_36_a_changed_definition_is_a_write_at_least() {
        use DefinitionStatus::{Changed, New, Same};
        use Risk::{Danger, Read, Write};
        let hint = |destructive| Annotations {
            destructive,
            ..Annotations::default()
        };
        #[rustfmt::skip]
        let table = [
            // override, hints, new or same, changed
            (Some(Read), hint(None), Read, Write),
            (Some(Read), hint(Some(true)), Read, Danger),
            (Some(Write), hint(None), Write, Write),
            (Some(Write), hint(Some(true)), Write, Danger),
            (Some(Danger), hint(None), Danger, Danger),
            (None, hint(None), Write, Write),
            (None, hint(Some(true)), Danger, Danger),
        ];
        for (override_, hints, reviewed, changed) in table {
            let connector = connector(override_, None, false);
            let risk = |definition| tool_risk(&connector, "tool", &hints, definition).0;
            assert_eq!((risk(New), risk(Same)), (reviewed, reviewed));
            assert_eq!(risk(Changed), changed, "{override_:?} {hints:?}");
        }
    }
}
