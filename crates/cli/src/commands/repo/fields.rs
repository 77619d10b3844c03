//! What is listed and shown of a code repository.

use domain::repo::{RepoPush, RepoSource};
use wire::repo::RepoView;

use crate::fields::{List, Record, seconds, text, yes_or_no};

pub(super) const LIST: List<RepoView> = List {
    columns: &[
        ("ID", |repo| text(&repo.id)),
        ("SOURCE", |repo| text(&RepoSource::from(repo.source))),
        ("PUSH", |repo| text(&RepoPush::from(repo.push))),
        ("BRANCH", |repo| text(&repo.default_branch)),
        ("NAME", |repo| text(&repo.name)),
    ],
    none: "no repos",
};

pub(super) const RECORD: Record<RepoView> = Record {
    facts: &[
        ("id", |repo| text(&repo.id)),
        ("name", |repo| text(&repo.name)),
        ("url", |repo| repo.url.clone()),
        ("source", |repo| text(&RepoSource::from(repo.source))),
        ("branch", |repo| text(&repo.default_branch)),
        ("push", |repo| text(&RepoPush::from(repo.push))),
        ("orphaned", |repo| text(yes_or_no(repo.is_orphaned))),
        ("created by", |repo| repo.created_by.clone()),
        ("created", |repo| Some(seconds(repo.created_at))),
        ("changed", |repo| Some(seconds(repo.updated_at))),
    ],
    repeated: &[("service", |repo| {
        let services = repo.service_commands.iter();
        services
            .map(|service| format!("{}={}", service.name, service.command))
            .collect()
    })],
};
