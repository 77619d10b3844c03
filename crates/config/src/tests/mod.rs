//! Loading from injected sources. No test here touches the process environment.

mod cautions;
mod precedence;
mod problems;
mod reference;
mod secrets;

use std::{cell::RefCell, collections::BTreeSet, path::PathBuf};

use crate::{ConfigError, Overrides, Settings, Sources};

/// Sources of one test. `HOME` is set unless the test says otherwise.
#[derive(Default)]
pub(super) struct Given {
    pub(super) flags: Overrides,
    pub(super) env: Vec<(&'static str, String)>,
    /// Text of the file, if there is one.
    pub(super) file: Option<String>,
    /// Variables that were asked for.
    pub(super) asked: RefCell<BTreeSet<String>>,
}

impl Given {
    pub(super) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// With the other half of a setting that is nothing alone: an id and its secret.
    pub(super) fn beside(setting: &str) -> Self {
        let other = match setting {
            "integrations.linear_client_id" => "PROLIFERATE_LINEAR_CLIENT_SECRET",
            "integrations.sentry_client_id" => "PROLIFERATE_SENTRY_CLIENT_SECRET",
            "integrations.slack_client_id" => "PROLIFERATE_SLACK_CLIENT_SECRET",
            "integrations.github_client_id" => "PROLIFERATE_GITHUB_CLIENT_SECRET",
            "integrations.github_app_id" => "PROLIFERATE_GITHUB_APP_PRIVATE_KEY",
            "integrations.linear_client_secret" => "PROLIFERATE_LINEAR_CLIENT_ID",
            "integrations.sentry_client_secret" => "PROLIFERATE_SENTRY_CLIENT_ID",
            "integrations.slack_client_secret" => "PROLIFERATE_SLACK_CLIENT_ID",
            "integrations.github_client_secret" => "PROLIFERATE_GITHUB_CLIENT_ID",
            "integrations.github_app_private_key" => "PROLIFERATE_GITHUB_APP_ID",
            // An issuer alone says neither who asks it nor who may come in.
            "login.oidc_issuer" => {
                return Self::default()
                    .env("PROLIFERATE_OIDC_CLIENT_ID", "id")
                    .env("PROLIFERATE_OIDC_ORGANIZATION", "org")
                    .env("PROLIFERATE_OIDC_ALLOWED_DOMAINS", "*");
            }
            _ => return Self::default(),
        };
        Self::default().env(other, "other")
    }

    pub(super) fn file(mut self, text: impl Into<String>) -> Self {
        self.file = Some(text.into());
        self
    }

    pub(super) fn load(&self) -> Result<Settings, ConfigError> {
        let directory = tempfile::tempdir().unwrap();
        let file = self.file.as_ref().map(|text| {
            let path = directory.path().join("proliferate.toml");
            std::fs::write(&path, text).unwrap();
            path
        });
        self.load_with(file)
    }

    pub(super) fn load_with(&self, file: Option<PathBuf>) -> Result<Settings, ConfigError> {
        let lookup = |name: &str| {
            self.asked.borrow_mut().insert(name.to_owned());
            self.env
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone())
                .or_else(|| (name == "HOME").then(|| "/home/ada".to_owned()))
        };
        Settings::load(Sources {
            flags: self.flags.clone(),
            env: &lookup,
            file,
        })
    }
}

/// Value and source of a row of `config check`, the file's directory left out.
pub(super) fn row(settings: &Settings, setting: &str) -> (String, String) {
    let row = settings
        .effective()
        .iter()
        .find(|row| row.setting == setting)
        .unwrap_or_else(|| panic!("no row for {setting}"));
    let source = row.source.to_string();
    let source = match source.rsplit_once('/') {
        Some((_, name)) => format!("file {name}"),
        None => source,
    };
    (row.value.clone(), source)
}
