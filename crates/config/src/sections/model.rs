//! `[model]`: the provider of models, the key for it, and what a session may spend on its model.

use std::path::PathBuf;

use secrecy::SecretString;

use crate::{
    invalid::{InvalidSetting, InvalidValue, echo},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::{SettingValue, url::HttpUrl, word_values},
};

pub const UPSTREAM_URL: Setting = Setting {
    path: "model.upstream_url",
    flag: "--model-upstream-url",
    env: &[EnvVar::new("PROLIFERATE_MODEL_UPSTREAM_URL", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Text(ANTHROPIC_URL),
    help: "Base URL of the provider of models, without `/v1`: Anthropic, LiteLLM or another with the Messages API.",
};
pub const API_KEY: SecretSetting = SecretSetting {
    value: Setting {
        path: "model.api_key",
        flag: "",
        env: &[EnvVar::new("ANTHROPIC_API_KEY", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "The key at the provider of models. It enters no sandbox.",
    },
    file: Setting {
        path: "model.api_key_file",
        flag: "--model-api-key-file",
        env: &[EnvVar::new("ANTHROPIC_API_KEY_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the key at the provider of models.",
    },
};
pub const KEY_HEADER: Setting = Setting {
    path: "model.key_header",
    flag: "--model-key-header",
    env: &[EnvVar::new("PROLIFERATE_MODEL_KEY_HEADER", "0.1.0")],
    kind: ValueKind::Choice("x-api-key|bearer"),
    default: DefaultValue::Text("x-api-key"),
    help: "How that key is sent: `x-api-key`, or `bearer` for LiteLLM.",
};
pub const SESSION_BUDGET: Setting = Setting {
    path: "model.session_budget_usd",
    flag: "--model-session-budget-usd",
    env: &[EnvVar::new("PROLIFERATE_MODEL_SESSION_BUDGET_USD", "0.1.0")],
    kind: ValueKind::Dollars,
    default: DefaultValue::Text("none"),
    help: "Dollars that a session may spend on its model before it is paused, such as `2.50`, or `none`.",
};
pub const SCRIPTED: Setting = Setting {
    path: "model.scripted",
    flag: "--model-scripted",
    env: &[EnvVar::new("PROLIFERATE_MODEL_SCRIPTED", "0.1.0")],
    kind: ValueKind::Choice("auto|on|off"),
    default: DefaultValue::Text("auto"),
    help: "Whether the scripted model takes the provider's place: `on`, `off`, or `auto` for on in `dev` without a key.",
};
pub const SCRIPT: Setting = Setting {
    path: "model.script",
    flag: "--model-script",
    env: &[EnvVar::new("PROLIFERATE_MODEL_SCRIPT", "0.1.0")],
    kind: ValueKind::File,
    default: DefaultValue::Absent("none"),
    help: "Script that the scripted model follows; without one it follows the prompts.",
};

pub(crate) const SECTION: Section = Section {
    name: "model",
    heading: "Models",
    entries: &[
        SectionEntry::Open(UPSTREAM_URL),
        SectionEntry::Secret(API_KEY),
        SectionEntry::Open(KEY_HEADER),
        SectionEntry::Open(SESSION_BUDGET),
        SectionEntry::Open(SCRIPTED),
        SectionEntry::Open(SCRIPT),
    ],
    other_variables: &[],
};

const ANTHROPIC_URL: &str = "https://api.anthropic.com";

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKeyHeader {
    XApiKey,
    Bearer,
}

word_values!(
    ModelKeyHeader { "x-api-key" => XApiKey, "bearer" => Bearer },
    "write `x-api-key` for Anthropic, or `bearer` for LiteLLM and others like it"
);

/// When the model that follows a script takes the provider's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptedModel {
    /// In `dev`, as long as there is neither a key nor an upstream.
    Auto,
    On,
    Off,
}

word_values!(
    ScriptedModel { "auto" => Auto, "on" => On, "off" => Off },
    "write `on`, `off`, or `auto` for on in `dev` without a key"
);

/// A budget in millionths of a dollar; `None` is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget(Option<i64>);

impl SettingValue for Budget {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text == "none" {
            return Ok(Self(None));
        }
        let refuse = || {
            InvalidValue::new(
                format!("is {}, which is not an amount", echo(text)),
                "write dollars such as `5` or `2.50`, at most 1000000, or `none`",
            )
        };
        let micro = domain::model_usage::micro_usd(text).ok_or_else(refuse)?;
        Ok(Self(Some(micro)))
    }

    fn show(&self) -> String {
        match self.0 {
            None => "none".to_owned(),
            Some(micro) => domain::model_usage::dollars(micro)
                .trim_start_matches('$')
                .to_owned(),
        }
    }
}

/// Models.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// Without `/v1`.
    pub upstream_url: HttpUrl,
    pub api_key: Option<SecretString>,
    pub key_header: ModelKeyHeader,
    /// In millionths; `None` is no bound.
    pub session_budget_micro_usd: Option<i64>,
    pub scripted: ScriptedModel,
    /// Absent: the scripted model follows the prompts.
    pub script: Option<PathBuf>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Resolver::defaults(Self::resolve)
    }
}

impl ModelSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            upstream_url: resolver.value(&UPSTREAM_URL),
            api_key: resolver.secret(&API_KEY),
            key_header: resolver.value(&KEY_HEADER),
            session_budget_micro_usd: resolver.value::<Budget>(&SESSION_BUDGET).0,
            scripted: resolver.value(&SCRIPTED),
            script: resolver.optional(&SCRIPT),
        }
    }

    /// Whether an upstream is configured: an address other than Anthropic's may need no key.
    pub fn has_upstream(&self) -> bool {
        self.api_key.is_some() || self.upstream_url.as_str() != ANTHROPIC_URL
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        if self.script.is_some() && self.scripted == ScriptedModel::Off {
            return vec![InvalidSetting::new(
                SCRIPT.path,
                "names a script, but `model.scripted` is `off`",
                "leave one of them out",
            )];
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_exact_and_round_trip() {
        for (text, micro) in [
            ("0", 0),
            ("5", 5_000_000),
            ("2.50", 2_500_000),
            ("0.000001", 1),
            ("1000000", 1_000_000_000_000),
        ] {
            let parsed = Budget::parse(text).unwrap();
            assert_eq!(parsed, Budget(Some(micro)), "{text}");
            assert_eq!(Budget::parse(&parsed.show()), Ok(parsed), "{text}");
        }
        assert_eq!(Budget::parse("none"), Ok(Budget(None)));
        for bad in [
            "",
            ".5",
            "5.",
            "-1",
            "1e3",
            "$5",
            "1,5",
            "0.0000001",
            "1000000.01",
            "99999999",
        ] {
            assert!(Budget::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_default_address_parses() {
        let default = ModelSettings::default();
        assert_eq!(
            HttpUrl::parse(ANTHROPIC_URL),
            Ok(default.upstream_url.clone())
        );
        assert!(!default.has_upstream());
    }
}
