//! Presets: what is known in advance of common MCP servers.

use std::collections::BTreeMap;

use domain::{action::Risk, id::ConnectorId};

use super::{Auth, Connector, RiskPolicy, Transport};

domain::text_enum! {
    /// A starting point for a connector's configuration.
    Preset {
        Context7 = "context7",
        Posthog = "posthog",
        Playwright = "playwright",
        Custom = "custom",
    }
}

impl Preset {
    pub const fn display_name(self) -> &'static str {
        match self {
            Self::Context7 => "Context7",
            Self::Posthog => "PostHog",
            Self::Playwright => "Playwright",
            Self::Custom => "Custom",
        }
    }

    /// Where the server is; `None` where every organization runs its own.
    pub const fn url(self) -> Option<&'static str> {
        match self {
            Self::Context7 => Some("https://mcp.context7.com/mcp"),
            // The address that speaks streamable HTTP; the older `/sse` does not.
            Self::Posthog => Some("https://mcp.posthog.com/mcp"),
            Self::Playwright | Self::Custom => None,
        }
    }

    /// The risk of tools of this server about which nothing else is known.
    pub const fn default_risk(self) -> Option<Risk> {
        match self {
            // It looks documentation up and has nothing else.
            Self::Context7 => Some(Risk::Read),
            Self::Posthog | Self::Playwright | Self::Custom => None,
        }
    }

    /// Whether a secret is needed, and with it how it is sent.
    pub fn auth(self, secret_key: Option<&str>) -> Auth {
        let Some(secret_key) = secret_key.map(str::to_owned) else {
            return Auth::None;
        };
        match self {
            Self::Context7 => Auth::CustomHeader {
                header_name: "X-Api-Key".into(),
                secret_key,
            },
            Self::Posthog | Self::Playwright | Self::Custom => Auth::Bearer { secret_key },
        }
    }

    /// A connector to begin with. `url` is for servers that have no address of their own.
    pub fn connector(self, id: ConnectorId, url: &str, secret_key: Option<&str>) -> Connector {
        Connector {
            id,
            name: self.display_name().to_owned(),
            url: self.url().unwrap_or(url).to_owned(),
            transport: Transport::RemoteHttp,
            auth: self.auth(secret_key),
            risk_policy: RiskPolicy {
                default_risk: self.default_risk(),
                overrides: BTreeMap::new(),
            },
            trusted: false,
            enabled: true,
        }
    }
}
