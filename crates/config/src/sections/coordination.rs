//! `[coordination]`: where instances agree on leases, locks and limits.

use crate::{
    invalid::InvalidValue,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{SettingValue, url::ConnectionUrl},
};

pub const URL: Setting = Setting {
    path: "coordination.url",
    flag: "--coordination-url",
    env: &[EnvVar::new("PROLIFERATE_COORDINATION_URL", "0.1.0")],
    kind: ValueKind::UrlWithPassword,
    default: DefaultValue::Text("memory://"),
    help: "`memory://` for a single instance, or `redis://...` or `rediss://...`.",
};

pub(crate) const SECTION: Section = Section {
    name: "coordination",
    heading: "Coordination",
    entries: &[SectionEntry::Open(URL)],
    other_variables: &[],
};

/// What coordinates the instances.
#[derive(Debug, Clone)]
pub enum CoordinationUrl {
    /// This process, which must then be the only one.
    Memory,
    /// `redis://`, or `rediss://` with TLS.
    Redis(ConnectionUrl),
}

impl SettingValue for CoordinationUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text == "memory://" {
            return Ok(Self::Memory);
        }
        ConnectionUrl::parse(text, &["redis", "rediss"], "redis://host:6379")
            .map(Self::Redis)
            .map_err(|invalid| {
                InvalidValue::new(
                    invalid.message,
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

/// Coordination of several instances. Every URL that parses is acceptable.
#[derive(Debug, Clone)]
pub struct CoordinationSettings {
    pub url: CoordinationUrl,
}

impl CoordinationSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            url: resolver.value(&URL),
        }
    }
}
