//! What is listed and shown of a connector.

use domain::action::Risk;
use wire::connector::{ConnectorAuth, ConnectorConfig, ConnectorView};

use crate::fields::{List, Record, joined, optional, text, yes_or_no};

pub(super) const LIST: List<ConnectorConfig> = List {
    columns: &[
        ("ID", |connector| text(&connector.id)),
        ("NAME", |connector| text(&connector.name)),
        ("ENABLED", |connector| text(yes_or_no(connector.enabled))),
        ("TRUSTED", |connector| text(yes_or_no(connector.trusted))),
        ("SERVER", |connector| text(&connector.url)),
    ],
    none: "no connectors",
};

pub(super) const RECORD: Record<ConnectorView> = Record {
    facts: &[
        ("id", |connector| text(&connector.id)),
        ("name", |connector| text(&connector.name)),
        ("server", |connector| text(&connector.url)),
        ("integration", |connector| text(&connector.integration)),
        ("configuration", |connector| {
            optional(connector.configuration_id.as_ref())
        }),
        ("secret", secret),
        ("default risk", |connector| {
            let risk = connector.risk_policy.default_risk.map(Risk::from);
            optional(risk.as_ref())
        }),
        ("risks", |connector| {
            let risks = connector.risk_policy.overrides.iter();
            joined(risks.map(|(tool, risk)| format!("{tool}={}", Risk::from(*risk))))
        }),
        ("enabled", |connector| text(yes_or_no(connector.enabled))),
        ("trusted", |connector| text(yes_or_no(connector.trusted))),
    ],
    repeated: &[],
};

/// Which secret is sent to the server, and how.
fn secret(connector: &ConnectorView) -> Option<String> {
    match &connector.auth {
        ConnectorAuth::None => None,
        ConnectorAuth::Bearer { secret_key } => Some(format!("{secret_key} as a bearer token")),
        ConnectorAuth::CustomHeader {
            secret_key,
            header_name,
        } => Some(format!("{secret_key} in {header_name}")),
    }
}
