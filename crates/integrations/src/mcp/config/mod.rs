//! A connector's configuration: an MCP server that an admin of the organization added, how the gateway authenticates there
//! and how far its tools are trusted. Holds the name of a secret, never the secret.

mod check;
mod json;
mod preset;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use domain::{action::Risk, id::ConnectorId};
use serde_json::json;

pub use self::{
    check::{check_all, is_header_name},
    json::{read, read_all, write},
    preset::Preset,
};

domain::text_enum! {
    /// The protocol of a connector's server.
    Transport {
        /// The streamable HTTP transport.
        RemoteHttp = "remote_http",
    }
}

/// An MCP server with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connector {
    pub id: ConnectorId,
    pub name: String,
    pub url: String,
    pub transport: Transport,
    pub auth: Auth,
    pub risk_policy: RiskPolicy,
    /// Whether an admin trusts the server's annotations of its own tools.
    pub trusted: bool,
    pub enabled: bool,
}

/// How a connector authenticates. The secret is looked up by its key when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// The server asks for nothing.
    None,
    /// `Authorization: Bearer ...`.
    Bearer { secret_key: String },
    /// A header of the server's own; the value is the secret as it is.
    CustomHeader {
        header_name: String,
        secret_key: String,
    },
}

/// What an admin decided about the risk of a connector's tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RiskPolicy {
    /// For tools about which nothing else is known.
    pub default_risk: Option<Risk>,
    /// By the tool's own name.
    pub overrides: BTreeMap<String, Risk>,
}

impl Auth {
    pub fn secret_key(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Bearer { secret_key } | Self::CustomHeader { secret_key, .. } => Some(secret_key),
        }
    }
}

impl Connector {
    /// How actions of this connector name their integration.
    pub fn integration(&self) -> String {
        format!("connector:{}", self.id)
    }

    /// Identifies everything that decides which server answers, and to which account. Tools that were listed under another
    /// fingerprint are not used.
    pub fn fingerprint(&self) -> String {
        let (kind, header, key) = match &self.auth {
            Auth::None => ("none", "", ""),
            Auth::Bearer { secret_key } => ("bearer", "", secret_key.as_str()),
            Auth::CustomHeader {
                header_name,
                secret_key,
            } => ("custom_header", header_name.as_str(), secret_key.as_str()),
        };
        let transport = self.transport.as_str();
        json!([self.url, transport, kind, header, key]).to_string()
    }
}

/// The connectors of a session: the organization's, and those of its configuration that have other ids.
pub fn union(organization: Vec<Connector>, configuration: Vec<Connector>) -> Vec<Connector> {
    let mut all = organization;
    for connector in configuration {
        if all.iter().all(|known| known.id != connector.id) {
            all.push(connector);
        }
    }
    all
}
