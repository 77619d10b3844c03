//! `[policy]`: what calls are decided by, and what their tools may reach.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Refusal, echo},
    resolve::Resolver,
    setting::Setting,
    value::Value,
};

pub const DIRECTORY: Setting = Setting {
    path: "policy.directory",
    flag: "--policy-directory",
    env: &[env::POLICY_DIRECTORY],
};
pub const SAFETY_LOCK: Setting = Setting {
    path: "policy.safety_lock",
    flag: "--safety-lock",
    env: &[env::SAFETY_LOCK],
};
pub const EGRESS_ALLOW: Setting = Setting {
    path: "policy.egress_allow",
    flag: "--egress-allow",
    env: &[env::EGRESS_ALLOW],
};

/// Whether every call is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SafetyLock {
    #[default]
    Off,
    On,
}

impl Value for SafetyLock {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "off" => Ok(Self::Off),
            "on" => Ok(Self::On),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `on` to deny every call, or `off`",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Off => "off",
            Self::On => "on",
        }
        .to_owned()
    }
}

/// `HOST:PORT` of services that are the operator's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hosts(pub Vec<String>);

impl Value for Hosts {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let hosts: Vec<String> = text
            .split(',')
            .map(str::trim)
            .filter(|host| !host.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let has_port = |host: &String| {
            let port = host.rsplit_once(':').map(|(_, port)| port);
            port.is_some_and(|port| port.parse::<u16>().is_ok())
        };
        match hosts.iter().find(|host| !has_port(host)) {
            Some(bad) => Err(Refusal::new(
                format!("has {}, which is not a host and a port", echo(bad)),
                "write `HOST:PORT`, such as `127.0.0.1:9000` or `ocr.internal:443`",
            )),
            None => Ok(Self(hosts)),
        }
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            "(none)".to_owned()
        } else {
            self.0.join(",")
        }
    }
}

/// Policy.
#[derive(Debug, Clone, Default)]
pub struct PolicySettings {
    /// Absent: the policy that is built in.
    pub directory: Option<PathBuf>,
    pub safety_lock: SafetyLock,
    /// What tools may reach though it is not public or not https.
    pub egress_allow: Vec<String>,
}

impl PolicySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: PolicyFile) -> Self {
        Self {
            directory: resolver.optional(&DIRECTORY, file.directory, "(built in)"),
            safety_lock: resolver.value(&SAFETY_LOCK, file.safety_lock, SafetyLock::Off),
            egress_allow: resolver
                .value(&EGRESS_ALLOW, file.egress_allow, Hosts::default())
                .0,
        }
    }
}

/// `[policy]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PolicyFile {
    /// Directory with `lanes.yaml`, `roles.yaml` and `tools.yaml`; read again when they change. Default:
    /// the policy that is built in.
    directory: Option<String>,
    /// `on` denies every call. Default `off`.
    safety_lock: Option<String>,
    /// `HOST:PORT` of services that tools may reach though they are not public or not https. Default: none.
    egress_allow: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_ports() {
        let hosts = Hosts::parse("127.0.0.1:9000, OCR.internal:443,").unwrap();
        assert_eq!(hosts.0, ["127.0.0.1:9000", "ocr.internal:443"]);
        assert_eq!(Hosts::parse("").unwrap(), Hosts::default());
        for bad in ["ocr.internal", "a:b", "a:70000"] {
            assert!(Hosts::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_lock_is_on_or_off() {
        assert_eq!(SafetyLock::parse("on"), Ok(SafetyLock::On));
        assert!(SafetyLock::parse("maybe").is_err());
    }
}
