//! `[live]`: sessions that are live in this process, and how requests find those that are live in another.

use std::time::Duration;

use domain::limits::{HUB_IDLE_TTL, HUB_IDLE_TTL_MAX, HUBS_CAP, HUBS_MAX};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::Resolver,
    server::{duration_range, range},
    setting::Setting,
    value::{Value, show_duration},
};

pub const HUBS_MAX_SETTING: Setting = Setting {
    path: "live.hubs_max",
    flag: "--hubs-max",
    env: &[env::HUBS_MAX, env::MAX_HUBS_PER_INSTANCE],
};
pub const IDLE_TTL: Setting = Setting {
    path: "live.idle_ttl",
    flag: "--hub-idle-ttl",
    env: &[env::HUB_IDLE_TTL, env::HUB_IDLE_TTL_MS],
};
pub const FORWARD: Setting = Setting {
    path: "live.forward",
    flag: "--forward",
    env: &[env::FORWARD],
};

/// Below this a page that is loaded anew would find its session put away.
const IDLE_TTL_MIN: Duration = Duration::from_millis(100);

/// Whether requests for sessions of other instances are carried to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Forward {
    #[default]
    On,
    /// They are refused with the address of that instance.
    Off,
}

impl Value for Forward {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "on" => Ok(Self::On),
            "off" => Ok(Self::Off),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `on` or `off`",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
        .to_owned()
    }
}

/// A duration; a bare number is one of milliseconds, as the name of `HUB_IDLE_TTL_MS` says.
struct Idle(Duration);

impl Value for Idle {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text.parse() {
            Ok(milliseconds) => Ok(Self(Duration::from_millis(milliseconds))),
            Err(_) => Duration::parse(text).map(Self),
        }
    }

    fn show(&self) -> String {
        show_duration(self.0)
    }
}

/// Live sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveSettings {
    /// Sessions that are live here at once.
    pub hubs_max: usize,
    /// How long one stays that nobody uses.
    pub idle_ttl: Duration,
    pub forward: Forward,
}

impl Default for LiveSettings {
    fn default() -> Self {
        Self {
            hubs_max: HUBS_MAX,
            idle_ttl: HUB_IDLE_TTL,
            forward: Forward::On,
        }
    }
}

impl LiveSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: LiveFile) -> Self {
        let default = Self::default();
        Self {
            hubs_max: resolver.value(&HUBS_MAX_SETTING, file.hubs_max, default.hubs_max),
            idle_ttl: resolver
                .value(&IDLE_TTL, file.idle_ttl, Idle(default.idle_ttl))
                .0,
            forward: resolver.value(&FORWARD, file.forward, default.forward),
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let hubs = range(&HUBS_MAX_SETTING, self.hubs_max, 1, HUBS_CAP);
        let idle = duration_range(&IDLE_TTL, self.idle_ttl, IDLE_TTL_MIN, HUB_IDLE_TTL_MAX);
        hubs.into_iter().chain(idle).collect()
    }
}

/// `[live]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LiveFile {
    /// Sessions that are live in this process at once; the one that nobody has used for the longest time makes room.
    /// Default 500.
    hubs_max: Option<u64>,
    /// How long a session stays live that nobody watches and whose agent waits; then it is saved and paused.
    /// Default `5m`.
    idle_ttl: Option<String>,
    /// `on` carries requests for sessions of other instances to them, `off` refuses them with the address. Default `on`.
    forward: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_number_is_one_of_milliseconds() {
        let idle = |text: &str| Idle::parse(text).map(|idle| idle.0);
        assert_eq!(idle("300000"), Ok(Duration::from_mins(5)));
        assert_eq!(idle("5m"), Ok(Duration::from_mins(5)));
        assert!(idle("soon").is_err());
    }

    #[test]
    fn bounds_are_kept() {
        assert_eq!(LiveSettings::default().validate(), []);
        let wrong = LiveSettings {
            hubs_max: 0,
            idle_ttl: Duration::ZERO,
            ..LiveSettings::default()
        };
        assert_eq!(wrong.validate().len(), 2);
    }
}
