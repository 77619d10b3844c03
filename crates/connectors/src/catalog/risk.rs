//! How risky a tool is. What people decided comes first; what a server says of itself counts fully where
//! it warns, and only where an admin trusts it when it reassures.

use domain::action::Risk;

use super::pin::Definition;
use crate::config::Connector;

/// What a server says of one of its tools: hints, not authority.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    pub title: Option<String>,
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

/// The risk of a tool by its own name and its server's hints.
pub fn tool_risk(connector: &Connector, tool: &str, hints: &Annotations) -> Risk {
    let policy = &connector.risk_policy;
    let decided = policy.overrides.get(tool).copied();
    decided.unwrap_or_else(|| hinted(connector, hints))
}

/// The risk that counts. After a change of the definition nothing is a read, and what people decided about
/// the old tool does not make the new one less than its server says.
pub fn effective_risk(
    connector: &Connector,
    tool: &str,
    hints: &Annotations,
    definition: Definition,
) -> Risk {
    let risk = tool_risk(connector, tool, hints);
    match definition {
        Definition::New | Definition::Same => risk,
        Definition::Changed => risk.max(hinted(connector, hints)).max(Risk::Write),
    }
}

/// Without what people decided about this very tool.
fn hinted(connector: &Connector, hints: &Annotations) -> Risk {
    if hints.destructive == Some(true) {
        return Risk::Danger;
    }
    if hints.read_only == Some(true) && connector.trusted {
        return Risk::Read;
    }
    connector.risk_policy.default_risk.unwrap_or(Risk::Write)
}

#[cfg(test)]
mod tests {
    use domain::id::ConnectorId;

    use super::*;
    use crate::config::Preset;

    const FLAGS: [Option<bool>; 3] = [None, Some(false), Some(true)];
    const RISKS: [Option<Risk>; 4] = [
        None,
        Some(Risk::Read),
        Some(Risk::Write),
        Some(Risk::Danger),
    ];

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

    /// Every combination, against the sentence that describes the order, written the other way round.
    #[test]
    fn every_combination_has_the_risk_that_the_order_says() {
        let mut seen = 0;
        for override_ in RISKS {
            for default_risk in RISKS {
                for trusted in [false, true] {
                    for read_only in FLAGS {
                        for destructive in FLAGS {
                            let connector = connector(override_, default_risk, trusted);
                            let hints = Annotations {
                                read_only,
                                destructive,
                                ..Annotations::default()
                            };
                            let mut expected = Risk::Write;
                            if let Some(default_risk) = default_risk {
                                expected = default_risk;
                            }
                            if trusted && read_only == Some(true) {
                                expected = Risk::Read;
                            }
                            if destructive == Some(true) {
                                expected = Risk::Danger;
                            }
                            if let Some(decided) = override_ {
                                expected = decided;
                            }
                            assert_eq!(
                                tool_risk(&connector, "tool", &hints),
                                expected,
                                "{connector:?} {hints:?}"
                            );
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 4 * 4 * 2 * 3 * 3);
    }

    /// The rows people ask about, written out.
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
            assert_eq!(tool_risk(&connector, "tool", &hints), expected);
        }
        // An override is for the tool it names and no other.
        let connector = connector(Some(Read), None, false);
        assert_eq!(
            tool_risk(&connector, "Tool", &Annotations::default()),
            Write
        );
    }

    #[test]
    fn case_36_a_changed_definition_is_a_write_at_least() {
        use Definition::{Changed, New, Same};
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
            let risk = |definition| effective_risk(&connector, "tool", &hints, definition);
            assert_eq!((risk(New), risk(Same)), (reviewed, reviewed));
            assert_eq!(risk(Changed), changed, "{override_:?} {hints:?}");
        }
    }
}
