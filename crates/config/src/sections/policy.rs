//! `[policy]`: the policy that decides calls, and what their tools may reach.

use std::path::PathBuf;

use crate::{
    invalid::{InvalidValue, echo},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{ListItem, word_values},
};

pub const DIRECTORY: Setting = Setting {
    path: "policy.directory",
    flag: "--policy-directory",
    env: &[EnvVar::new("PROLIFERATE_POLICY_DIRECTORY", "0.1.0")],
    kind: ValueKind::Directory,
    default: DefaultValue::Absent("built in"),
    help: "Directory with `lanes.yaml`, `roles.yaml` and `tools.yaml`; read again when they change.",
};
pub const SAFETY_LOCK: Setting = Setting {
    path: "policy.safety_lock",
    flag: "--safety-lock",
    env: &[EnvVar::new("PROLIFERATE_SAFETY_LOCK", "0.1.0")],
    kind: ValueKind::Choice("on|off"),
    default: DefaultValue::Text("off"),
    help: "`on` denies every call.",
};
pub const EGRESS_ALLOW: Setting = Setting {
    path: "policy.egress_allow",
    flag: "--egress-allow",
    env: &[EnvVar::new("PROLIFERATE_EGRESS_ALLOW", "0.1.0")],
    kind: ValueKind::Hosts,
    default: DefaultValue::Text(""),
    help: "`HOST:PORT` of services that tools may reach though they are not public or not https.",
};

pub(crate) const SECTION: Section = Section {
    name: "policy",
    heading: "Policy",
    entries: &[
        SectionEntry::Open(DIRECTORY),
        SectionEntry::Open(SAFETY_LOCK),
        SectionEntry::Open(EGRESS_ALLOW),
    ],
    other_variables: &[],
};

/// Whether every call is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SafetyLock {
    Off,
    On,
}

word_values!(SafetyLock { "off" => Off, "on" => On }, "write `on` to deny every call, or `off`");

/// A service as `HOST:PORT`, in lower case.
#[derive(Debug, PartialEq, Eq)]
struct HostAndPort(String);

impl ListItem for HostAndPort {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        let text = text.to_ascii_lowercase();
        let port = text.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if let Some(Ok(_)) = port {
            return Ok(Self(text));
        }
        Err(InvalidValue::new(
            format!("has {}, which is not a host and a port", echo(&text)),
            "write `HOST:PORT`, such as `127.0.0.1:9000` or `ocr.internal:443`",
        ))
    }

    fn show_item(&self) -> String {
        self.0.clone()
    }
}

/// Policy.
#[derive(Debug, Clone)]
pub struct PolicySettings {
    /// Absent: the policy that is built in.
    pub directory: Option<PathBuf>,
    pub safety_lock: SafetyLock,
    /// What tools may reach though it is not public or not https.
    pub egress_allow: Vec<String>,
}

impl PolicySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            directory: resolver.optional(&DIRECTORY),
            safety_lock: resolver.value(&SAFETY_LOCK),
            egress_allow: {
                let hosts: Vec<HostAndPort> = resolver.value(&EGRESS_ALLOW);
                hosts.into_iter().map(|HostAndPort(text)| text).collect()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SettingValue as _;

    #[test]
    fn hosts_have_ports() {
        let hosts = Vec::<HostAndPort>::parse("127.0.0.1:9000, OCR.internal:443,").unwrap();
        assert_eq!(hosts.show(), "127.0.0.1:9000,ocr.internal:443");
        assert_eq!(Vec::<HostAndPort>::parse(""), Ok(Vec::new()));
        for bad in ["ocr.internal", "a:b", "a:70000"] {
            assert!(Vec::<HostAndPort>::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_lock_is_on_or_off() {
        assert_eq!(SafetyLock::parse("on"), Ok(SafetyLock::On));
        assert!(SafetyLock::parse("maybe").is_err());
    }
}
