//! What is listed and shown of a configuration.

use domain::{
    configuration::{ConfigurationStatus, ConfigurationType},
    model_usage::dollars,
};
use wire::configuration::ConfigurationView;

use crate::fields::{List, Record, seconds, text};

pub(super) const LIST: List<ConfigurationView> = List {
    columns: &[
        ("ID", |configuration| text(&configuration.id)),
        ("STATUS", status),
        ("REPOS", |configuration| text(&configuration.repos.len())),
        ("CREATED", |configuration| {
            Some(seconds(configuration.created_at))
        }),
        ("NAME", |configuration| text(&configuration.name)),
    ],
    none: "no configurations",
};

pub(super) const RECORD: Record<ConfigurationView> = Record {
    facts: &[
        ("id", |configuration| text(&configuration.id)),
        ("name", |configuration| text(&configuration.name)),
        ("notes", |configuration| configuration.notes.clone()),
        ("type", |configuration| {
            text(&ConfigurationType::from(configuration.configuration_type))
        }),
        ("status", status),
        ("error", |configuration| configuration.error.clone()),
        ("snapshot", |configuration| {
            configuration.snapshot_id.clone()
        }),
        ("budget", |configuration| {
            configuration.budget_micro_usd.map(dollars)
        }),
        ("connectors", |configuration| {
            text(&configuration.connectors.len())
        }),
        ("created by", |configuration| {
            configuration.created_by.clone()
        }),
        ("created", |configuration| {
            Some(seconds(configuration.created_at))
        }),
        ("changed", |configuration| {
            Some(seconds(configuration.updated_at))
        }),
    ],
    repeated: &[
        ("repo", |configuration| {
            let repos = configuration.repos.iter();
            repos
                .map(|repo| format!("{} at {}", repo.repo_id, repo.workspace_path))
                .collect()
        }),
        ("service", |configuration| {
            let services = configuration.service_commands.iter();
            services
                .map(|service| format!("{}={}", service.name, service.command))
                .collect()
        }),
        ("env file", |configuration| {
            let files = configuration.env_files.iter();
            files.map(super::env_file::written).collect()
        }),
    ],
};

fn status(configuration: &ConfigurationView) -> Option<String> {
    text(&ConfigurationStatus::from(configuration.status))
}
