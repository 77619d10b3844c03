//! `[coordination]`: where instances agree on leases, locks and limits.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal},
    resolve::Resolver,
    setting::Setting,
    url::ConnectionUrl,
    value::Value,
};

pub const URL: Setting = Setting {
    path: "coordination.url",
    flag: "--coordination-url",
    env: &[env::COORDINATION_URL],
};

/// Who coordinates.
#[derive(Debug, Clone, Default)]
pub enum CoordinationUrl {
    /// This process, which must then be the only one.
    #[default]
    Memory,
    /// `redis://`, or `rediss://` with TLS.
    Redis(ConnectionUrl),
}

impl Value for CoordinationUrl {
    fn parse(text: &str) -> Result<Self, Refusal> {
        if text == "memory://" {
            return Ok(Self::Memory);
        }
        ConnectionUrl::parse(text, &["redis", "rediss"], "redis://host:6379")
            .map(Self::Redis)
            .map_err(|refusal| {
                Refusal::new(
                    refusal.message,
                    "write `memory://` for a single instance, or a URL such as `redis://host:6379`",
                )
            })
    }

    fn show(&self) -> String {
        match self {
            Self::Memory => "memory://".to_owned(),
            Self::Redis(url) => url.to_string(),
        }
    }

    fn holds_secret(&self) -> bool {
        matches!(self, Self::Redis(url) if url.holds_secret())
    }
}

/// Coordination of several instances.
#[derive(Debug, Clone, Default)]
pub struct CoordinationSettings {
    /// Who coordinates.
    pub url: CoordinationUrl,
}

impl CoordinationSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: CoordinationFile) -> Self {
        Self {
            url: resolver.value(&URL, file.url, CoordinationUrl::default()),
        }
    }

    /// Every URL that parses is acceptable.
    pub fn validate(&self) -> Vec<Complaint> {
        Vec::new()
    }
}

/// `[coordination]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CoordinationFile {
    /// `memory://` for a single instance, or `redis://...` or `rediss://...`. Default `memory://`.
    url: Option<String>,
}
