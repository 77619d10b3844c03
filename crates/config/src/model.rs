//! `[model]`: who answers for the models of agents, with which key, and what a session may spend on them.

use std::path::PathBuf;

use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::Resolver,
    setting::{SecretSetting, Setting},
    url::HttpUrl,
    value::Value,
};

pub const UPSTREAM_URL: Setting = Setting {
    path: "model.upstream_url",
    flag: "--model-upstream-url",
    env: &[env::MODEL_UPSTREAM_URL],
};
pub const API_KEY: SecretSetting = SecretSetting {
    value: Setting {
        path: "model.api_key",
        flag: "",
        env: &[env::ANTHROPIC_API_KEY],
    },
    file: Setting {
        path: "model.api_key_file",
        flag: "--model-api-key-file",
        env: &[env::ANTHROPIC_API_KEY_FILE],
    },
};
pub const KEY_HEADER: Setting = Setting {
    path: "model.key_header",
    flag: "--model-key-header",
    env: &[env::MODEL_KEY_HEADER],
};
pub const SESSION_BUDGET: Setting = Setting {
    path: "model.session_budget_usd",
    flag: "--model-session-budget-usd",
    env: &[env::MODEL_SESSION_BUDGET_USD],
};
pub const SCRIPTED: Setting = Setting {
    path: "model.scripted",
    flag: "--model-scripted",
    env: &[env::MODEL_SCRIPTED],
};
pub const SCRIPT: Setting = Setting {
    path: "model.script",
    flag: "--model-script",
    env: &[env::MODEL_SCRIPT],
};

/// Anthropic's own.
const URL: &str = "https://api.anthropic.com";

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelKeyHeader {
    #[default]
    XApiKey,
    Bearer,
}

impl Value for ModelKeyHeader {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "x-api-key" => Ok(Self::XApiKey),
            "bearer" => Ok(Self::Bearer),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `x-api-key` for Anthropic, or `bearer` for LiteLLM and others like it",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::XApiKey => "x-api-key",
            Self::Bearer => "bearer",
        }
        .to_owned()
    }
}

/// When the model that follows a script takes the provider's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScriptedModel {
    /// In `dev`, as long as there is neither a key nor an upstream.
    #[default]
    Auto,
    On,
    Off,
}

impl Value for ScriptedModel {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "auto" => Ok(Self::Auto),
            "on" => Ok(Self::On),
            "off" => Ok(Self::Off),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `on`, `off`, or `auto` for on in `dev` without a key",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::On => "on",
            Self::Off => "off",
        }
        .to_owned()
    }
}

/// Dollars in millionths; `None` is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Dollars(Option<i64>);

impl Value for Dollars {
    fn parse(text: &str) -> Result<Self, Refusal> {
        if text == "none" {
            return Ok(Self(None));
        }
        let refuse = || {
            Refusal::new(
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
    /// Absent: the prompts alone say what to do.
    pub script: Option<PathBuf>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            upstream_url: HttpUrl::ours(URL),
            api_key: None,
            key_header: ModelKeyHeader::XApiKey,
            session_budget_micro_usd: None,
            scripted: ScriptedModel::Auto,
            script: None,
        }
    }
}

impl ModelSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: ModelFile) -> Self {
        let default = Self::default();
        Self {
            upstream_url: resolver.value(&UPSTREAM_URL, file.upstream_url, default.upstream_url),
            api_key: resolver.secret(&API_KEY, file.api_key_file),
            key_header: resolver.value(&KEY_HEADER, file.key_header, default.key_header),
            session_budget_micro_usd: resolver
                .value(&SESSION_BUDGET, file.session_budget_usd, Dollars(None))
                .0,
            scripted: resolver.value(&SCRIPTED, file.scripted, default.scripted),
            script: resolver.optional(&SCRIPT, file.script, "(none)"),
        }
    }

    /// Whether somebody was named who answers: an address other than Anthropic's may need no key.
    pub fn has_upstream(&self) -> bool {
        self.api_key.is_some() || self.upstream_url.as_str() != URL
    }

    pub fn validate(&self) -> Vec<Complaint> {
        if self.script.is_some() && self.scripted == ScriptedModel::Off {
            return vec![Complaint::new(
                SCRIPT.path,
                "names a script, but `model.scripted` is `off`",
                "leave one of them out",
            )];
        }
        Vec::new()
    }
}

/// `[model]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ModelFile {
    /// Base URL of the provider of models, without `/v1`: Anthropic, LiteLLM or whoever speaks the Messages API.
    /// Default `https://api.anthropic.com`.
    upstream_url: Option<String>,
    /// File that holds the key for it.
    api_key_file: Option<String>,
    /// How the key is sent: `x-api-key` or `bearer`. Default `x-api-key`.
    key_header: Option<String>,
    /// Dollars that a session may spend on its model before it is paused, such as `"2.50"`, or `none`. Default `none`.
    session_budget_usd: Option<String>,
    /// Whether the scripted model takes the provider's place: `on`, `off`, or `auto` for on in `dev` without a key.
    /// Default `auto`.
    scripted: Option<String>,
    /// Script that the scripted model follows. Default: it does what prompts say.
    script: Option<String>,
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
            let parsed = Dollars::parse(text).unwrap();
            assert_eq!(parsed, Dollars(Some(micro)), "{text}");
            assert_eq!(Dollars::parse(&parsed.show()), Ok(parsed), "{text}");
        }
        assert_eq!(Dollars::parse("none"), Ok(Dollars(None)));
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
            assert!(Dollars::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_default_address_parses() {
        let default = ModelSettings::default();
        assert_eq!(HttpUrl::parse(URL), Ok(default.upstream_url.clone()));
        assert!(!default.has_upstream());
    }
}
