//! Validates a connector's configuration. Every error names its field.

use std::collections::BTreeSet;

use domain::{
    Invalid,
    invalid::{bounded_count, bounded_text},
    limits::{
        CONNECTOR_HEADER_NAME_LENGTH_MAX, CONNECTOR_NAME_LENGTH_MAX,
        CONNECTOR_TOOL_NAME_LENGTH_MAX, CONNECTOR_TOOLS_MAX, CONNECTORS_MAX,
    },
    secret::validate_key,
};
use tools::egress::EgressGuard;

use super::{Auth, Connector};

/// Headers that belong to the transport: a secret in one of them would change what a request means.
const HEADERS_OF_THE_TRANSPORT: [&str; 16] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "last-event-id",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

impl Connector {
    /// Checks everything that can be checked without a request.
    pub fn check(&self, guard: &EgressGuard) -> Result<(), Invalid> {
        bounded_text("name", &self.name, 1, CONNECTOR_NAME_LENGTH_MAX)?;
        if self.name.trim() != self.name || self.name.contains(['\n', '\r', '\t']) {
            let message = "must be one line without spaces around it";
            return Err(Invalid::new("name", message));
        }
        let refused = |refused: tools::egress::Refused| Invalid::new("url", refused.to_string());
        guard.check_text(&self.url).map_err(refused)?;
        self.auth.check().map_err(|wrong| wrong.within("auth"))?;
        let overrides = &self.risk_policy.overrides;
        bounded_count("riskPolicy.overrides", overrides.len(), CONNECTOR_TOOLS_MAX)?;
        overrides.keys().try_for_each(|tool| {
            bounded_text(
                "riskPolicy.overrides",
                tool,
                1,
                CONNECTOR_TOOL_NAME_LENGTH_MAX,
            )
        })
    }
}

impl Auth {
    fn check(&self) -> Result<(), Invalid> {
        if let Some(key) = self.secret_key() {
            validate_key("secretKey", key)?;
        }
        let Self::CustomHeader { header_name, .. } = self else {
            return Ok(());
        };
        if !is_header_name(header_name) {
            let message = format!(
                "must be the name of a header: 1 to {CONNECTOR_HEADER_NAME_LENGTH_MAX} letters, \
                 digits, - or _"
            );
            return Err(Invalid::new("headerName", message));
        }
        let lower = header_name.to_ascii_lowercase();
        if HEADERS_OF_THE_TRANSPORT.contains(&lower.as_str()) || lower.starts_with("mcp-") {
            let message = "belongs to the transport; use the header that the server documents";
            return Err(Invalid::new("headerName", message));
        }
        Ok(())
    }
}

/// Narrower than RFC 9110: the marks it also allows are in no header that servers use for this.
pub fn is_header_name(text: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=CONNECTOR_HEADER_NAME_LENGTH_MAX).contains(&text.len()) && text.bytes().all(good)
}

/// Checks the connectors of one scope: an organization's, or a configuration's.
pub fn check_all(connectors: &[Connector], guard: &EgressGuard) -> Result<(), Invalid> {
    bounded_count("connectors", connectors.len(), CONNECTORS_MAX)?;
    let mut ids = BTreeSet::new();
    for (at, connector) in connectors.iter().enumerate() {
        let place = format!("connectors[{at}]");
        connector
            .check(guard)
            .map_err(|wrong| wrong.within(&place))?;
        if !ids.insert(connector.id) {
            let message = "is the id of another connector in the list";
            return Err(Invalid::new("id", message).within(&place));
        }
    }
    Ok(())
}
