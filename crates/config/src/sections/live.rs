//! `[live]`: sessions that are live in this process, and how requests find those that are live in another.

use std::time::Duration;

use domain::limits::{HUB_IDLE_TTL, HUB_IDLE_TTL_MAX, HUBS_CAP, HUBS_MAX};

use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{
        SettingValue as _,
        bounds::{check_duration_range, check_range},
        word_values,
    },
};

pub const HUBS_MAX_SETTING: Setting = Setting {
    path: "live.hubs_max",
    flag: "--hubs-max",
    env: &[
        EnvVar::new("PROLIFERATE_HUBS_MAX", "0.1.0"),
        EnvVar::new("MAX_HUBS_PER_INSTANCE", "0.1.0"),
    ],
    kind: ValueKind::Number,
    default: DefaultValue::Number(HUBS_MAX),
    help: "Sessions that are live in this process at once; the one that has been idle longest makes room.",
};
pub const IDLE_TTL: Setting = Setting {
    path: "live.idle_ttl",
    flag: "--hub-idle-ttl",
    env: &[
        EnvVar::new("PROLIFERATE_HUB_IDLE_TTL", "0.1.0"),
        EnvVar::differing("HUB_IDLE_TTL_MS", "0.1.0", "The same in milliseconds"),
    ],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(HUB_IDLE_TTL),
    help: "How long a session stays live without a subscriber and with an agent that waits; then it is saved and paused.",
};
pub const FORWARD: Setting = Setting {
    path: "live.forward",
    flag: "--forward",
    env: &[EnvVar::new("PROLIFERATE_FORWARD", "0.1.0")],
    kind: ValueKind::Choice("on|off"),
    default: DefaultValue::Text("on"),
    help: "`on` forwards requests for sessions of other instances to them, `off` refuses them with the address.",
};

pub(crate) const SECTION: Section = Section {
    name: "live",
    heading: "Live sessions",
    entries: &[
        SectionEntry::Open(HUBS_MAX_SETTING),
        SectionEntry::Open(IDLE_TTL),
        SectionEntry::Open(FORWARD),
    ],
    other_variables: &[],
};

/// Below this a page that is loaded anew would find its session paused.
const IDLE_TTL_MIN: Duration = Duration::from_millis(100);

/// Whether requests for sessions of other instances are forwarded to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forwarding {
    On,
    /// They are refused with the address of that instance.
    Off,
}

word_values!(Forwarding { "on" => On, "off" => Off }, "write `on` or `off`");

/// Live sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveSettings {
    /// Sessions that are live here at once.
    pub hubs_max: usize,
    /// How long an idle session stays live.
    pub idle_ttl: Duration,
    pub forward: Forwarding,
}

impl Default for LiveSettings {
    fn default() -> Self {
        Resolver::defaults(Self::resolve)
    }
}

impl LiveSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            hubs_max: resolver.value(&HUBS_MAX_SETTING),
            idle_ttl: resolver.value_as(&IDLE_TTL, parse_idle_ttl),
            forward: resolver.value(&FORWARD),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let hubs = check_range(&HUBS_MAX_SETTING, self.hubs_max, [1, HUBS_CAP]);
        let range = [IDLE_TTL_MIN, HUB_IDLE_TTL_MAX];
        let idle = check_duration_range(&IDLE_TTL, self.idle_ttl, range);
        hubs.into_iter().chain(idle).collect()
    }
}

/// A duration; a bare number is one of milliseconds, as the name of `HUB_IDLE_TTL_MS` says.
fn parse_idle_ttl(text: &str) -> Result<Duration, InvalidValue> {
    match text.parse() {
        Ok(milliseconds) => Ok(Duration::from_millis(milliseconds)),
        Err(_) => Duration::parse(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_number_is_one_of_milliseconds() {
        assert_eq!(parse_idle_ttl("300000"), Ok(Duration::from_mins(5)));
        assert_eq!(parse_idle_ttl("5m"), Ok(Duration::from_mins(5)));
        assert!(parse_idle_ttl("soon").is_err());
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
