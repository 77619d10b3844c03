//! What `deny.toml` says.
//!
//! INVARIANT: a rule that this does not know is an error, so that nothing stands in the file that is not checked.

use anyhow::Context;
use serde::Deserialize;
use spdx::Licensee;

/// The rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Policy {
    pub(super) graph: Graph,
    pub(super) licenses: Licenses,
    pub(super) bans: Bans,
    pub(super) sources: Sources,
    /// For `cargo deny` alone.
    #[serde(default, rename = "advisories")]
    _advisories: toml::Table,
}

/// What is looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Graph {
    pub(super) targets: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Licenses {
    allow: Vec<String>,
    /// Whether a licence of the list that no crate has is worth a word.
    #[serde(default)]
    pub(super) unused_allowed_license: Level,
    #[serde(default)]
    pub(super) private: Private,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Private {
    /// Whether crates that are not published may be without a licence.
    #[serde(default)]
    pub(super) ignore: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Bans {
    #[serde(default)]
    pub(super) multiple_versions: Level,
    #[serde(default)]
    pub(super) wildcards: Level,
    /// Whether a crate of the workspace may be required without a version.
    #[serde(default)]
    pub(super) allow_wildcard_paths: bool,
    #[serde(default)]
    pub(super) deny: Vec<Ban>,
}

/// A crate that must not be linked, whatever its version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ban {
    #[serde(rename = "crate")]
    pub(super) name: String,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Sources {
    pub(super) unknown_registry: Level,
    pub(super) unknown_git: Level,
    #[serde(default = "crates_io")]
    pub(super) allow_registry: Vec<String>,
    #[serde(default)]
    pub(super) allow_git: Vec<String>,
}

/// What follows when a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    #[default]
    Allow,
    Warn,
    Deny,
}

fn crates_io() -> Vec<String> {
    vec!["https://github.com/rust-lang/crates.io-index".to_owned()]
}

impl Policy {
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let policy: Self = toml::from_str(text)?;
        anyhow::ensure!(
            !policy.graph.targets.is_empty(),
            "graph.targets names no platform"
        );
        policy.allowed()?;
        Ok(policy)
    }

    /// The licences that may be linked.
    pub(super) fn allowed(&self) -> anyhow::Result<Vec<Licensee>> {
        let licence = |text: &String| {
            let read = Licensee::parse(text);
            read.with_context(|| format!("licenses.allow: `{text}` is no licence of SPDX"))
        };
        self.licenses.allow.iter().map(licence).collect()
    }
}
